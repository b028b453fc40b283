// The deepest pair of parts that has no patch yet begins one. To it come all pairs whose normals are within 5 degrees of its own, and that hang together with it: from pair to pair by a part that they share, on
// either side. Their contacts are taken along the one normal of the patch.
//
// What coincides is one contact, the deepest of those. Of the rest, the corners of their hull, seen along the normal, and the deepest are what four are chosen from: points within the patch, where triangles
// meet under a box, would not hold it up.
#include "carom/query/contact_clusters.h"

#include "carom/geometry/hull2.h"
#include "carom/math/scratch.h"
#include "carom/math/tolerance.h"
#include "carom/query/contact_patch.h"

#include <algorithm>

namespace carom {
namespace {

/// Of 5 degrees.
constexpr double agreeing_cosine = 0.9962;
/// A face that is tilted by more than this against the normal of a patch touches with its edge or corner. It would come to lie only after it has turned by so much.
constexpr double turning_sine = 0.25;
/// Normals nearer than this need not be told apart: separations along them differ by less than rounding.
constexpr double same_normal = 64 * tolerance::epsilon;

/// A contact of a patch, with the parts that it is of.
struct PartContact {
  Contact contact;
  std::size_t pair; ///< which of PartContacts::touching()
};

/// Which pairs share a part.
class PairsOfPart {
public:
  template<class PlaceOf>
  PairsOfPart(std::span<const PartsTouching> touching, PlaceOf&& place_of)
      : order_(touching.size()), first_(touching.size()), end_(touching.size()),
        seen_by_(touching.size(), nobody) {
    for (std::size_t i = 0; i < order_.size(); ++i) order_[i] = i;
    sort_stable(order_, [&](std::size_t x, std::size_t y) {
      return place_of(touching[x]) < place_of(touching[y]);
    });
    for (std::size_t i = 0, end = 0; i < order_.size(); i = end) {
      while (end < order_.size() &&
             place_of(touching[order_[end]]) == place_of(touching[order_[i]]))
        ++end;
      for (std::size_t k = i; k < end; ++k) {
        first_[order_[k]] = i;
        end_[order_[k]] = end;
      }
    }
  }
  /// Those that share the part of a pair; none where `who` has seen them already.
  [[nodiscard]] std::span<const std::size_t> with(std::size_t pair, std::size_t who) {
    const std::size_t first = first_[pair];
    if (seen_by_[first] == who) return {};
    seen_by_[first] = who;
    return std::span(order_).subspan(first, end_[pair] - first);
  }

private:
  static constexpr std::size_t nobody = static_cast<std::size_t>(-1);
  ScratchVector<std::size_t> order_;       ///< pairs in the order of their parts
  ScratchVector<std::size_t> first_, end_; ///< per pair: where those of its part are in that order
  ScratchVector<std::size_t> seen_by_;
};

/// Contacts seen along the normal.
struct Seen {
  double x, y;
  std::size_t index;
};

class Clusters {
public:
  Clusters(PartContacts& parts, std::vector<ContactPatch>& patches, std::vector<Contact>* all)
      : parts_(parts), touching_(parts.touching()), patches_(patches), all_(all),
        by_a_(touching_, [](const PartsTouching& t) { return t.a; }),
        by_b_(touching_, [](const PartsTouching& t) { return t.b; }),
        is_taken_(touching_.size(), false), same_(4 * parts.rounding()) {}

  void run() {
    ScratchVector<std::size_t> order(touching_.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    sort_stable(order, [&](std::size_t x, std::size_t y) {
      return touching_[x].value < touching_[y].value;
    });
    for (const std::size_t seed : order) {
      if (is_taken_[seed] || touching_[seed].count == 0) continue;
      gather(seed);
      unite();
      finish(touching_[seed].normal);
    }
    // By what they came to, which the others of a patch may have changed.
    sort_stable(patches_, [](const ContactPatch& x, const ContactPatch& y) {
      return x.manifold.value < y.manifold.value;
    });
  }

private:
  /// All contacts of the seed and of what hangs together with it.
  void gather(std::size_t seed) {
    found_.clear();
    const Vec3 normal = touching_[seed].normal;
    take(seed, normal);
    waiting_.assign(1, seed);
    while (!waiting_.empty()) {
      const std::size_t i = waiting_.back();
      waiting_.pop_back();
      for (const auto& others : {by_a_.with(i, seed), by_b_.with(i, seed)}) {
        for (const std::size_t other : others) {
          if (is_taken_[other] || !(dot(touching_[other].normal, normal) >= agreeing_cosine))
            continue;
          if (take(other, normal)) waiting_.push_back(other);
        }
      }
    }
  }

  /// The contacts of a pair along the normal; false where there are none along it.
  bool take(std::size_t i, const Vec3& normal) {
    const PartsTouching& t = touching_[i];
    auto contacts = parts_.contacts(t);
    if (!contacts.empty() && max_abs(t.normal - normal) > same_normal) {
      contacts = parts_.along(t, normal);
      if (contacts.empty()) return false;
    }
    parts_.take(t);
    for (Contact c : contacts) {
      if (rises_from(contacts, c)) continue;
      const std::uint64_t a = parts_.part_a().feature(static_cast<std::uint32_t>(c.id >> 32));
      const std::uint64_t b = parts_.part_b().feature(static_cast<std::uint32_t>(c.id));
      c.id = a ^ (b << 1 | b >> 63);
      found_.push_back({c, i});
    }
    is_taken_[i] = true;
    return true;
  }

  /// Whether it is a point of a face that turns away: held off by another of the same parts, which is nearer.
  static bool rises_from(std::span<const Contact> contacts, const Contact& c) {
    return std::any_of(contacts.begin(), contacts.end(), [&](const Contact& other) {
      return other.separation + turning_sine * distance(other.on_a, c.on_a) < c.separation;
    });
  }

  /// Drops what coincides with one that is deeper, or as deep and of a lower id; and what has its id.
  void unite() {
    const auto before = [](const PartContact& x, const PartContact& y) {
      return x.contact.id != y.contact.id ? x.contact.id < y.contact.id
                                          : x.contact.separation < y.contact.separation;
    };
    sort_stable(found_, before);
    const auto repeated =
        std::unique(found_.begin(), found_.end(), [](const PartContact& x, const PartContact& y) {
          return x.contact.id == y.contact.id;
        });
    found_.erase(repeated, found_.end());
    // In the order of a direction that hardly ever has two points of a regular mesh at the same height.
    const Vec3 skew{0.8371, 0.4913, 0.2407};
    ScratchVector<std::pair<double, std::size_t>> heights;
    for (std::size_t i = 0; i < found_.size(); ++i)
      heights.push_back({dot(skew, found_[i].contact.on_a), i});
    std::sort(heights.begin(), heights.end());
    ScratchVector<bool> drop(found_.size(), false);
    for (std::size_t i = 0; i < heights.size(); ++i) {
      for (std::size_t k = i + 1; k < heights.size(); ++k) {
        if (heights[k].first - heights[i].first > 2 * same_) break;
        const std::size_t x = std::min(heights[i].second, heights[k].second);
        const std::size_t y = std::max(heights[i].second, heights[k].second);
        const Contact &first = found_[x].contact, &second = found_[y].contact;
        if (drop[x] || drop[y] || !(max_abs(first.on_a - second.on_a) <= same_)) continue;
        drop[second.separation < first.separation - same_ ? x : y] = true;
      }
    }
    std::size_t kept = 0;
    for (std::size_t i = 0; i < found_.size(); ++i)
      if (!drop[i]) found_[kept++] = found_[i];
    found_.resize(kept);
  }

  /// The corners of the hull of what is found, as seen along the normal, into `corners_`; straight ones are left out, and those that are so to within rounding.
  void find_corners(const Vec3& normal) {
    const Vec3 u = perpendicular(normal);
    const Vec3 v = cross(normal, u);
    const Vec3 origin = found_[0].contact.on_a;
    seen_.clear();
    for (std::size_t i = 0; i < found_.size(); ++i) {
      const Vec3 p = found_[i].contact.on_a - origin;
      seen_.push_back({dot(u, p), dot(v, p), i});
    }
    std::sort(seen_.begin(), seen_.end(), is_before);
    flat_.clear();
    for (const Seen& p : seen_) flat_.push_back({p.x, p.y});
    convex_hull(flat_, hull_);
    corners_.clear();
    for (const Vec2& p : hull_)
      corners_.push_back(
          *std::lower_bound(seen_.begin(), seen_.end(), Seen{p.x, p.y, 0}, is_before));
    for (std::size_t i = 0; i < corners_.size() && corners_.size() > 2;) {
      const std::size_t n = corners_.size();
      if (is_between(corners_[(i + n - 1) % n], corners_[i], corners_[(i + 1) % n])) {
        corners_.erase(corners_.begin() + static_cast<std::ptrdiff_t>(i));
      } else {
        ++i;
      }
    }
  }
  static bool is_before(const Seen& p, const Seen& q) {
    return p.x != q.x ? p.x < q.x : p.y != q.y ? p.y < q.y : p.index < q.index;
  }

  /// Whether q is on the way from p to r, to within rounding.
  [[nodiscard]] bool is_between(const Seen& p, const Seen& q, const Seen& r) const {
    const Vec2 way{r.x - p.x, r.y - p.y}, part{q.x - p.x, q.y - p.y};
    const double along = dot(way, part), all = dot(way, way);
    return along >= 0 && along <= all && std::fabs(cross(way, part)) <= same_ * std::sqrt(all);
  }

  /// The patch of what is found.
  void finish(const Vec3& normal) {
    find_corners(normal);
    ScratchVector<Spot> spots;
    const auto add = [&](const Seen& s) {
      const Contact& c = found_[s.index].contact;
      spots.push_back({s.x, s.y, c.separation, c.id});
    };
    const auto deepest =
        std::min_element(seen_.begin(), seen_.end(), [&](const Seen& p, const Seen& q) {
          return found_[p.index].contact.separation < found_[q.index].contact.separation;
        });
    const double least = found_[deepest->index].contact.separation;
    bool has_deepest = false;
    for (const Seen& s : corners_) {
      add(s);
      has_deepest |= found_[s.index].contact.separation <= least + same_;
    }
    if (!has_deepest) {
      corners_.push_back(*deepest);
      add(*deepest);
    }
    const FourSpots four = choose_four(spots, same_);
    ContactPatch patch;
    ContactManifold& m = patch.manifold;
    m.normal = normal;
    m.count = four.count;
    for (std::size_t k = 0; k < static_cast<std::size_t>(four.count); ++k) {
      const PartContact& chosen = found_[corners_[four.index[k]].index];
      m.points[k] = chosen.contact;
      parts_.take(touching_[chosen.pair]);
      patch.part_a[k] = parts_.part_a().id();
      patch.part_b[k] = parts_.part_b().id();
    }
    m.value = m.lower_bound = m.upper_bound = m.points[0].separation;
    if (all_) {
      patch.first_of_all = all_->size();
      patch.count_of_all = found_.size();
      for (const PartContact& c : found_) all_->push_back(c.contact);
    }
    patches_.push_back(patch);
  }

  PartContacts& parts_;
  std::span<const PartsTouching> touching_;
  std::vector<ContactPatch>& patches_;
  std::vector<Contact>* all_;
  PairsOfPart by_a_, by_b_;
  ScratchVector<bool> is_taken_;
  double same_; ///< nearer than this, points are one and the same
  ScratchVector<std::size_t> waiting_;
  ScratchVector<PartContact> found_;
  ScratchVector<Seen> seen_, corners_;
  ScratchVector<Vec2> flat_, hull_;
};

} // namespace

void cluster_contacts(PartContacts& parts, std::vector<ContactPatch>& patches,
                      std::vector<Contact>* all) {
  if (!parts.touching().empty()) Clusters(parts, patches, all).run();
}

} // namespace carom
