// From a question to the objects that may matter: the part that all questions share. Internal to the space.
//
// First those that no partition holds, then what the partition gives. An object is asked about only where its own box, in doubles, allows for it, and it counts: so which objects are looked at
// does not depend on the partition.
#pragma once

#include "carom/space/among.h"
#include "carom/space/space.h"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace [[gnu::visibility("default")]] carom {

/// Calls found(slot) for those whose boxes overlap the box. It gives false to end.
void visit_overlapping(const Space& space, const Aabb& box, const Among& among,
                       FunctionRef<bool(std::uint32_t)> found);

/// Calls found(slot, t) for those whose boxes the box, moved by t * translation, meets, with when it does. It gives the t_max from there on, negative to end.
void visit_swept(const Space& space, const Aabb& box, const Vec3& translation, double t_max,
                 const Among& among, FunctionRef<double(std::uint32_t, double)> found);

/// Calls found(slot, gap) for those whose boxes are at most `limit` away, with how far they are. It gives the limit from there on, negative to end.
void visit_near(const Space& space, const Aabb& box, double limit, const Among& among,
                FunctionRef<double(std::uint32_t, double)> found);

/// What a list or a choice goes by: the least key, and of equal ones the least id. A key is never less than the bound by which the box was found: so what is left out because its box
/// is beyond the limit could not have changed the answer, in whatever order boxes are looked at.
template<class Hit>
[[nodiscard]] bool before(const Hit& a, const Hit& b) {
  return a.key != b.key ? a.key < b.key : a.id < b.id;
}

/// The best one.
template<class Hit>
class BestHit {
public:
  explicit BestHit(double limit) : limit_(limit) {}

  void take(const Hit& hit) {
    if (!(hit.key <= limit_)) return;
    if (best_.id == ObjectId{} || before(hit, best_)) best_ = hit;
    limit_ = best_.key;
  }
  /// Up to here others matter.
  [[nodiscard]] double limit() const { return limit_; }
  [[nodiscard]] const Hit& best() const { return best_; }

private:
  Hit best_{};
  double limit_;
};

/// The best `count` in a list: a heap, the worst on top, sorted in the end.
template<class Hit>
class BestHits {
public:
  BestHits(std::vector<Hit>& list, std::size_t count, double limit)
      : list_(list), count_(count), limit_(count == 0 ? -1 : limit) {
    list_.clear();
  }

  void take(const Hit& hit) {
    if (!(hit.key <= limit_)) return;
    list_.push_back(hit);
    std::push_heap(list_.begin(), list_.end(), before<Hit>);
    if (list_.size() > count_) {
      std::pop_heap(list_.begin(), list_.end(), before<Hit>);
      list_.pop_back();
    }
    if (list_.size() == count_) limit_ = std::min(limit_, list_.front().key);
  }
  [[nodiscard]] double limit() const { return limit_; }
  void sort() { std::sort_heap(list_.begin(), list_.end(), before<Hit>); }

private:
  std::vector<Hit>& list_;
  std::size_t count_;
  double limit_;
};

} // namespace carom
