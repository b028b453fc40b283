// Two spaces that see the same changes and questions, one over trees, one over brute force; and beside them a plain list of what must be in them.
#pragma once

#include "carom/geometry/overlap_box.h"
#include "tests/space/space_cases.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace carom::test {

class Twins {
public:
  Twins(Source& source, const SpaceOptions& options)
      : pool_(source), trees_(options), brute_(options, make_brute_force_partition()) {}

  [[nodiscard]] const Space& trees() const { return trees_; }
  [[nodiscard]] const Space& brute() const { return brute_; }
  [[nodiscard]] const ShapePool& pool() const { return pool_; }
  [[nodiscard]] const std::vector<std::pair<ObjectId, SpaceObject>>& objects() const {
    return objects_;
  }

  /// Some change to both. What went wrong, or nothing.
  std::string change(Source& source) {
    const int what = objects_.empty() ? 0 : source.index(16);
    if (what < 5) return add(source);
    const std::size_t i = source.below(objects_.size());
    auto& [id, object] = objects_[i];
    const ObjectId stale = stale_.empty() ? ObjectId{} : stale_[source.below(stale_.size())];
    if (what < 11) return move(source, id, object);
    switch (what) {
    case 11:
    case 12:
      if (!trees_.remove(id) || !brute_.remove(id)) return "remove";
      stale_.push_back(id);
      objects_.erase(objects_.begin() + static_cast<std::ptrdiff_t>(i));
      return {};
    case 13:
      object.shape = pool_.any(source);
      return trees_.set_shape(id, object.shape) && brute_.set_shape(id, object.shape) ? ""
                                                                                      : "set shape";
    case 14:
      object.filter = filter(source);
      object.mobility = source.index(2) ? Mobility::fixed : Mobility::moving;
      if (!trees_.set_filter(id, object.filter) || !brute_.set_filter(id, object.filter))
        return "set filter";
      return trees_.set_mobility(id, object.mobility) && brute_.set_mobility(id, object.mobility)
                 ? ""
                 : "set mobility";
    default:
      if (source.index(2))
        trees_.rebuild();
      else
        trees_.improve(1 + source.below(10));
      return refuses(stale);
    }
  }

  /// The pairs that begin and end, and those there are.
  std::string compare_pairs() {
    Row a, b;
    const std::vector<ObjectPair> before(trees_.pairs().begin(), trees_.pairs().end());
    const PairChanges changes = trees_.update_pairs();
    const PairChanges expected = brute_.update_pairs();
    a.add_list(changes.begun);
    a.add_list(changes.ended);
    b.add_list(expected.begun);
    b.add_list(expected.ended);
    if (!(a == b)) return "pairs that begin and end differ";
    std::vector<ObjectPair> after = before;
    for (const ObjectPair& p : changes.ended) {
      const auto at = std::find(after.begin(), after.end(), p);
      if (at == after.end()) return "a pair ended that was none";
      after.erase(at);
    }
    after.insert(after.end(), changes.begun.begin(), changes.begun.end());
    std::sort(after.begin(), after.end());
    if (!std::equal(after.begin(), after.end(), trees_.pairs().begin(), trees_.pairs().end()))
      return "pairs are not those before, with what has begun and without what has ended";
    return after == expected_pairs() ? "" : "pairs are not those of the fat boxes";
  }

  /// Each object is as it should be.
  [[nodiscard]] std::string compare_objects() const {
    if (trees_.size() != objects_.size() || brute_.size() != objects_.size()) return "size";
    for (const auto& [id, object] : objects_) {
      for (const Space* space : {&trees_, &brute_}) {
        const SpaceObject* found = space->find(id);
        if (!found || !(found->shape == object.shape) || found->pose != object.pose ||
            found->mobility != object.mobility || found->filter != object.filter ||
            found->user != object.user)
          return "an object is not what it should be";
      }
      const Aabb fat = trees_.fat_box(id), other = brute_.fat_box(id), box = trees_.box(id);
      if (fat.min != other.min || fat.max != other.max) return "fat boxes differ";
      if (min(fat.min, box.min) != fat.min || max(fat.max, box.max) != fat.max)
        return "a fat box does not hold its box";
    }
    return {};
  }

private:
  std::string add(Source& source) {
    // Some stand where another stands.
    SpaceObject o = object(source, pool_);
    if (!objects_.empty() && source.chance(6)) o.pose = objects_.back().second.pose;
    const auto a = trees_.add(o), b = brute_.add(o);
    if (!a || !b || *a != *b) return "add";
    objects_.emplace_back(*a, o);
    return {};
  }

  std::string move(Source& source, ObjectId id, SpaceObject& object) {
    Pose pose = object.pose;
    const Vec3 by = halved_vec3(source, 8);
    switch (source.index(4)) {
    case 0:
      pose = placement(source);
      break;
    case 1:
      pose.rotation = rotation(source);
      break;
    default:
      pose.position = coordinates(pose.position + by);
      break;
    }
    object.pose = pose;
    if (source.index(2) == 0) {
      const auto a = trees_.move(id, pose), b = brute_.move(id, pose);
      return a && b && *a == *b ? "" : "move";
    }
    const auto a = trees_.move(id, pose, by), b = brute_.move(id, pose, by);
    return a && b && *a == *b ? "" : "move with a displacement";
  }

  std::string refuses(ObjectId stale) {
    const Pose bad = Pose::at({NAN, 0, 0});
    const bool none = !trees_.move(stale, {}) && !trees_.remove(stale) &&
                      !trees_.set_filter(stale, {}) && !trees_.contains(stale) &&
                      !trees_.find(stale) && trees_.box(stale).empty();
    if (!none) return "a stale id was taken";
    return trees_.move(objects_.front().first, bad) ? "a bad pose was taken" : "";
  }

  [[nodiscard]] std::vector<ObjectPair> expected_pairs() const {
    std::vector<ObjectPair> pairs;
    for (const auto& [a, x] : objects_)
      for (const auto& [b, y] : objects_) {
        if (!(a < b) || (x.mobility == Mobility::fixed && y.mobility == Mobility::fixed)) continue;
        if (may_meet(x.filter, y.filter) && overlaps(trees_.fat_box(a), trees_.fat_box(b)))
          pairs.push_back({a, b});
      }
    std::sort(pairs.begin(), pairs.end());
    return pairs;
  }

  ShapePool pool_;
  Space trees_, brute_;
  std::vector<std::pair<ObjectId, SpaceObject>> objects_;
  std::vector<ObjectId> stale_;
};

/// Margins as they are, none, or large.
inline SpaceOptions any_options(Source& source) {
  switch (source.index(3)) {
  case 0:
    return {};
  case 1:
    return {.fat = {.margin = 0, .relative_margin = 0, .prediction = 0}};
  default:
    return {.fat = {.margin = 0.5, .relative_margin = 1, .prediction = 4}};
  }
}

} // namespace carom::test
