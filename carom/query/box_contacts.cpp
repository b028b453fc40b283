// Two boxes: fifteen axes decide (box_axes-inl.h). Along the axis of a face, that rectangle clips the parallelogram that looks at it (box_clip-inl.h); along that of two
// edges, they cross in one point.
//
// Where axes are equally good to within rounding, faces come before edges. So boxes that lie flat on each other have four contacts, not one, and the choice does
// not flip.
//
// Boxes that are apart have the same gap for their distance if a point of the patch attains it. Where none does, a corner or an edge is
// nearest, and the search goes on elsewhere.
//
// Compiled once for each instruction set (everything between the HWY_ lines), and chosen at run time.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "carom/query/box_contacts.cpp"
#include <hwy/foreach_target.h>

#include "carom/math/choose_lanes-inl.h"
#include "carom/math/tolerance.h"
#include "carom/query/box_axes-inl.h"
#include "carom/query/box_clip-inl.h"
#include "carom/query/box_contacts.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cmath>

HWY_BEFORE_NAMESPACE();
namespace carom {
namespace HWY_NAMESPACE {
namespace {

/// A face within 2 degrees of the normal of two edges that cross: there the faces are a better patch.
constexpr double nearly_face = 0.99939;

HWY_INLINE void write(const Double4& on_a, const Double4& on_b, double separation, std::uint64_t id,
                      Contact& c) {
  c.on_a = vec3(on_a);
  c.on_b = vec3(on_b);
  c.separation = separation;
  c.id = id;
}

HWY_INLINE double max_abs3(const double* v) {
  return std::max(std::max(std::fabs(v[0]), std::fabs(v[1])), std::fabs(v[2]));
}

/// As in_range() (rounded.h), of all numbers at once.
HWY_INLINE bool takes(const Pose& pose) {
  const Double4 p = abs4(position_of(pose));
  const Mask4 tiny = (p < all4(tolerance::coordinate_min)) & (all4(0) < p);
  const Mask4 fits = p <= all4(tolerance::coordinate_max);
  return bits4(tiny) == 0 && bits4(fits) == 15 && length_squared(pose.rotation) < INFINITY;
}

/// The manifold of a face, the reference, and what lies above it. `n` is the direction to project along, in the own axes. False where no point attains the gap.
bool face_manifold(const BoxPair& pair, int box, int axis, const double* n, double gap,
                   const ContactOptions& options, ContactManifold& m) {
  const BoxView& own = pair.of[box];
  const FaceClip clip(own, pair.of[1 - box], axis, n, pair.rounding,
                      std::max(options.margin, gap) + pair.rounding);
  if (!(clip.least() <= gap + 4 * pair.rounding)) return false;

  const Double4 outward = own.to_world(n);
  const Double4 u = own.axis(after(axis));
  const Double4 v = own.axis(last(axis));
  const Double4 middle =
      load4(own.center) + own.axis(axis) * all4(std::copysign(own.half[axis], n[axis]));
  // Which of the two is A, by factors and shifts: a coin's toss.
  const double to_a = box;
  const double to_b = 1 - box;
  m.normal = vec3(outward * all4(to_b - to_a));
  const auto put = [&](int k, Contact& c) HWY_ATTR {
    const Double4 on = middle + u * all4(clip.x(k)) + v * all4(clip.y(k));
    const double up = clip.z(k);
    write(on + outward * all4(up * to_a), on + outward * all4(up * to_b), up,
          std::rotl(clip.id(k), 32 * box), c);
  };
  // Nearer than this, points may be one and the same in the world.
  const double same = 4 * (pair.rounding + tolerance::epsilon * max_abs3(own.center));
  const FourPoints four = clip.choose(same);
  m.count = four.count;
  for (int k = 0; k < four.count; ++k) {
    put(four.index[k], m.points[static_cast<std::size_t>(k)]);
  }
  if (!options.all) return true;
  for (unsigned left = clip.distinct(same); left != 0; left &= left - 1) {
    put(std::countr_zero(left), options.all->emplace_back());
  }
  return true;
}

/// The face of one of the boxes, straight up.
bool straight_face_manifold(const BoxPair& pair, const BoxAxis& best, const ContactOptions& options,
                            ContactManifold& m) {
  double n[3] = {0, 0, 0};
  n[best.i] = std::copysign(1.0, pair.of[best.box].t[best.i]);
  return face_manifold(pair, best.box, best.i, n, best.gap, options, m);
}

/// Edges that cross in faces that nearly meet: the face that is more nearly at right angles to the normal, and what lies above it. A's unless B's is by far.
bool tilted_face_manifold(const BoxPair& pair, const BoxAxis& best, const ContactOptions& options,
                          ContactManifold& m) {
  const double most_a = max_abs3(best.toward[0]);
  const double most_b = max_abs3(best.toward[1]);
  if (!(std::max(most_a, most_b) > nearly_face)) return false;
  constexpr double bias = 1e-6;
  const int box = most_b > most_a + bias ? 1 : 0;
  const double* n = best.toward[box];
  const double most = box == 0 ? most_a : most_b;
  const int axis = std::fabs(n[0]) >= most ? 0 : std::fabs(n[1]) >= most ? 1 : 2;
  return face_manifold(pair, box, axis, n, best.gap, options, m);
}

/// The one point where two edges cross, seen along their common normal. False where they do not.
bool edge_manifold(const BoxPair& pair, const BoxAxis& e, ContactManifold& m) {
  const BoxView& a = pair.of[0];
  const BoxView& b = pair.of[1];
  const int i = e.i;
  const int j = e.j;
  // The middles of the edges, each in its own axes: the ends that reach farthest toward the other.
  const Double4 toward_b = load4(e.toward[0]);
  const Double4 toward_a = load4(e.toward[1]);
  const Double4 half_a = load4(a.half) * load4(beside[i]);
  const Double4 half_b = load4(b.half) * load4(beside[j]);
  const Mask4 near_a = toward_b < all4(0);
  const Mask4 near_b = toward_a < all4(0);
  const Double4 on_a = select4(near_a, all4(0) - half_a, half_a);
  const Double4 on_b = select4(near_b, all4(0) - half_b, half_b);
  // B's in A's axes.
  const Double4 edge_b = load4(b.r[j]);
  const Double4 middle_b = load4(a.t) + (shuffled4<0, 0, 0, 0>(on_b) * load4(b.r[0]) +
                                         shuffled4<1, 1, 1, 1>(on_b) * load4(b.r[1]) +
                                         shuffled4<2, 2, 2, 2>(on_b) * load4(b.r[2]));
  // Moved along by s and u, they differ by gap * n.
  const Double4 between = middle_b - on_a;
  const double along_i = sum_of_three(between * load4(unit[i]));
  const double along_j = sum_of_three(between * edge_b);
  const double p = a.r[after(i)][j];
  const double q = a.r[last(i)][j];
  const double d = a.r[i][j];
  const double share = 1 / (p * p + q * q);
  const double half_i = a.half[i];
  const double half_j = b.half[j];
  const double s = std::max(-half_i, std::min(half_i, (along_i - d * along_j) * share));
  const double u = std::max(-half_j, std::min(half_j, (d * along_i - along_j) * share));
  const Double4 at = on_a + load4(unit[i]) * all4(s);
  const Double4 off = middle_b + edge_b * all4(u) - at - toward_b * all4(e.gap);
  if (bits4(abs4(off) <= all4(4 * pair.rounding)) != 15) return false;

  double local[4];
  store4(at, local);
  const Double4 normal = a.to_world(e.toward[0]);
  const Double4 on_a_in_world = load4(a.center) + a.to_world(local);
  const unsigned far_a = ~bits4(near_a);
  const unsigned far_b = ~bits4(near_b);
  const std::uint64_t id =
      std::uint64_t{edge_number(i, far_a >> after(i) & 1, far_a >> last(i) & 1)} << 32 |
      edge_number(j, far_b >> after(j) & 1, far_b >> last(j) & 1);
  m.normal = vec3(normal);
  write(on_a_in_world, on_a_in_world + normal * all4(e.gap), e.gap, id, m.points[0]);
  m.count = 1;
  return true;
}

/// Farther apart than the margin.
void apart(const BoxPair& pair, const BoxAxis& best, ContactManifold& m) {
  if (best.edges) {
    m.normal = vec3(pair.of[0].to_world(best.toward[0]));
  } else {
    const BoxView& own = pair.of[best.box];
    const bool along = own.t[best.i] >= 0;
    m.normal = vec3(own.axis(best.i)) * (along == (best.box == 0) ? 1 : -1);
  }
  m.upper_bound = INFINITY;
  m.status = Status::stopped;
}

} // namespace

ContactManifold box_contacts_here(const Shape& a, const Pose& pose_a, const Shape& b,
                                  const Pose& pose_b, const ContactOptions& options,
                                  PairCache* cache) {
  ContactManifold m;
  if (!takes(pose_a) || !takes(pose_b)) {
    m.status = Status::bad_input;
    return m;
  }
  const BoxPair pair(*std::get_if<Obb>(&a.core()), pose_a, *std::get_if<Obb>(&b.core()), pose_b,
                     a.size() + b.size());
  const double enough = options.margin + pair.rounding;
  const BoxAxis best = best_axis(pair, enough);
  m.value = best.gap;
  m.lower_bound = best.gap - pair.rounding;
  m.upper_bound = best.gap + 3 * pair.rounding; // other axes may be better by two
  bool found = true;
  if (best.gap > enough) {
    apart(pair, best, m);
  } else if (!best.edges) {
    found = straight_face_manifold(pair, best, options, m);
  } else if (!tilted_face_manifold(pair, best, options, m)) {
    found = edge_manifold(pair, best, m);
    if (options.all && found) options.all->push_back(m.points[0]);
  }
  if (!found) m = searched_contacts(a, pose_a, b, pose_b, options, cache);
  return m;
}

} // namespace HWY_NAMESPACE
} // namespace carom
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace carom {
namespace {

HWY_EXPORT(box_contacts_here);

using BoxContacts = decltype(box_contacts);

BoxContacts choose_and_call;
/// The one for this processor. Kept, since to find it each time would take a tenth of the whole.
std::atomic<BoxContacts*> chosen = &choose_and_call;

ContactManifold choose_and_call(const Shape& a, const Pose& pose_a, const Shape& b,
                                const Pose& pose_b, const ContactOptions& options,
                                PairCache* cache) {
  choose_lanes();
  chosen = &HWY_DYNAMIC_DISPATCH(box_contacts_here);
  return box_contacts(a, pose_a, b, pose_b, options, cache);
}

} // namespace

ContactManifold box_contacts(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
                             const ContactOptions& options, PairCache* cache) {
  return chosen.load(std::memory_order_relaxed)(a, pose_a, b, pose_b, options, cache);
}

} // namespace carom
#endif // HWY_ONCE
