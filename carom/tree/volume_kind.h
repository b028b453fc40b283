// What a bounding volume must offer to stand at the nodes of a tree, and the kinds that do.
//
//   VolumeKind<V>::fit(input)              around triangles
//   VolumeKind<V>::merge(a, b)             around two of its kind
//   VolumeKind<V>::ball(v)                 a ball around it, roughly: to tell which of two is larger, and which are near
//   VolumeKind<V>::grown(v, by)            a volume that contains all points within `by` of v
//   VolumeKind<V>::distance_below(v, p)    at most the distance of a point
//   VolumeKind<V>::Relative(frame)         two trees in relative pose: B's frame as seen from A. Made once for a query.
//     .apart(a, b, slack)                    false where a and the placed b are within slack: then, it may be either way
//     .distance_below(a, b, enough)          at most their distance. Where it is certain that the bound exceeds `enough`, it need not be sharp
// All but fit, merge and grown may be off by rounding: by less than 128 epsilon of the coordinates involved. The traversals allow for it.
//
// Balls, boxes and lozenges bound distances well. A k-DOP's bound is the widest gap along its directions; a shell's is that of
// spherical_shell.h.
//
// A k-DOP's directions do not turn with its tree. How far a placed DOP reaches along a direction is a linear program; its dual gives bounds
// at once: write the direction as a sum of three of the DOP's own with factors >= 0, and the same sum of its slabs is an upper bound. Which three
// is known in advance: those whose cone contains the direction, found by sorting its components. They are the same for every node.
#pragma once

#include "carom/geometry/box.h"
#include "carom/geometry/kdop.h"
#include "carom/geometry/line.h"
#include "carom/geometry/spherical_shell.h"
#include "carom/geometry/swept_sphere.h"
#include "carom/math/pose.h"
#include "carom/tree/volume_gap.h"
#include "carom/tree/volume_triangles.h"

#include <array>
#include <concepts>

namespace [[gnu::visibility("default")]] carom {

template<class V>
struct VolumeKind;

template<class V>
concept BoundingVolume = requires(const VolumeInput& input, const V& v, const Vec3& p, double x,
                                  const typename VolumeKind<V>::Relative& relative) {
  { VolumeKind<V>::fit(input) } -> std::same_as<V>;
  { VolumeKind<V>::merge(v, v) } -> std::same_as<V>;
  { VolumeKind<V>::ball(v) } -> std::same_as<Sphere>;
  { VolumeKind<V>::grown(v, x) } -> std::same_as<V>;
  { VolumeKind<V>::distance_below(v, p) } -> std::same_as<double>;
  { relative.apart(v, v, x) } -> std::same_as<bool>;
  { relative.distance_below(v, v, x) } -> std::same_as<double>;
  requires std::constructible_from < typename VolumeKind<V>::Relative,
  const Frame& > ;
};

/// The least ball.
template<>
struct VolumeKind<Sphere> {
  static Sphere fit(const VolumeInput& input);
  static Sphere merge(const Sphere& a, const Sphere& b);
  static Sphere ball(const Sphere& s) { return s; }
  static Sphere grown(const Sphere& s, double by) { return {s.center, s.radius + by}; }
  static double distance_below(const Sphere& s, const Vec3& p);

  class Relative {
  public:
    explicit Relative(const Frame& b_in_a) : frame_(b_in_a) {}
    [[nodiscard]] bool apart(const Sphere& a, const Sphere& b, double slack) const {
      const double reach = a.radius + b.radius + slack;
      return distance_squared(a.center, frame_.to_world(b.center)) > reach * reach;
    }
    [[nodiscard]] double distance_below(const Sphere& a, const Sphere& b, double enough) const;

  private:
    Frame frame_;
  };
};

/// Along the axes of the mesh. Two of them in relative pose are turned boxes, all by the same rotation.
template<>
struct VolumeKind<Aabb> {
  static Aabb fit(const VolumeInput& input);
  static Aabb merge(const Aabb& a, const Aabb& b);
  static Sphere ball(const Aabb& b) { return {b.center(), length(b.half())}; }
  static Aabb grown(const Aabb& b, double by);
  static double distance_below(const Aabb& b, const Vec3& p);

  class Relative {
  public:
    explicit Relative(const Frame& b_in_a) : frame_(b_in_a), absolute_(abs(b_in_a.basis)) {}
    [[nodiscard]] bool apart(const Aabb& a, const Aabb& b, double slack) const {
      return boxes_apart(a.half(), b.half(), place(a, b), slack);
    }
    [[nodiscard]] double distance_below(const Aabb& a, const Aabb& b, double) const {
      return box_gap(a.half(), b.half(), place(a, b));
    }

  private:
    [[nodiscard]] BoxPlacement place(const Aabb& a, const Aabb& b) const {
      return {frame_.basis, absolute_, frame_.to_world(b.center()) - a.center()};
    }
    Frame frame_;
    Mat3 absolute_;
  };
};

/// Along the principal axes of the surface, or along the mesh's where that is smaller.
template<>
struct VolumeKind<Obb> {
  static Obb fit(const VolumeInput& input);
  static Obb merge(const Obb& a, const Obb& b);
  static Sphere ball(const Obb& b) { return {b.center, length(b.half)}; }
  static Obb grown(const Obb& b, double by) {
    return {b.center, b.axes, b.half + Vec3{by, by, by}};
  }
  static double distance_below(const Obb& b, const Vec3& p);

  class Relative {
  public:
    explicit Relative(const Frame& b_in_a) : frame_(b_in_a) {}
    [[nodiscard]] bool apart(const Obb& a, const Obb& b, double slack) const {
      return boxes_apart(a.half, b.half, place(a, b), slack);
    }
    [[nodiscard]] double distance_below(const Obb& a, const Obb& b, double) const {
      return box_gap(a.half, b.half, place(a, b));
    }
    [[nodiscard]] BoxPlacement place(const Obb& a, const Obb& b) const {
      const Mat3 to_a = transpose(a.axes);
      return {to_a * (frame_.basis * b.axes), to_a * (frame_.to_world(b.center) - a.center)};
    }

  private:
    Frame frame_;
  };
};

/// A rectangle swept by a ball, along principal axes. Distances are those of rectangles, once the boxes around these are near enough.
template<>
struct VolumeKind<Lozenge> {
  static Lozenge fit(const VolumeInput& input);
  static Lozenge merge(const Lozenge& a, const Lozenge& b);
  static Sphere ball(const Lozenge& l);
  static Lozenge grown(const Lozenge& l, double by) { return {l.core, l.radius + by}; }
  static double distance_below(const Lozenge& l, const Vec3& p);

  class Relative {
  public:
    explicit Relative(const Frame& b_in_a) : frame_(b_in_a), boxes_(b_in_a) {}
    [[nodiscard]] bool apart(const Lozenge& a, const Lozenge& b, double slack) const {
      return distance_below(a, b, slack) > slack;
    }
    [[nodiscard]] double distance_below(const Lozenge& a, const Lozenge& b, double enough) const;

  private:
    Frame frame_;
    VolumeKind<Obb>::Relative boxes_;
  };
};

/// The hollow is kept clear of the triangles, not only of their corners.
template<>
struct VolumeKind<SphericalShell> {
  static SphericalShell fit(const VolumeInput& input);
  static SphericalShell merge(const SphericalShell& a, const SphericalShell& b);
  static Sphere ball(const SphericalShell& s);
  static SphericalShell grown(const SphericalShell& s, double by);
  static double distance_below(const SphericalShell& s, const Vec3& p);

  class Relative {
  public:
    explicit Relative(const Frame& b_in_a) : frame_(b_in_a) {}
    [[nodiscard]] bool apart(const SphericalShell& a, const SphericalShell& b, double slack) const {
      return distance_below(a, b, slack) > slack;
    }
    [[nodiscard]] double distance_below(const SphericalShell& a, const SphericalShell& b,
                                        double enough) const;

  private:
    Frame frame_;
  };
};

template<int K>
struct VolumeKind<Kdop<K>> {
  static Kdop<K> fit(const VolumeInput& input);
  static Kdop<K> merge(const Kdop<K>& a, const Kdop<K>& b);
  static Sphere ball(const Kdop<K>& k);
  static Kdop<K> grown(const Kdop<K>& k, double by);
  static double distance_below(const Kdop<K>& k, const Vec3& p);

  class Relative {
  public:
    explicit Relative(const Frame& b_in_a);
    [[nodiscard]] bool apart(const Kdop<K>& a, const Kdop<K>& b, double slack) const {
      return turned_.widest_gap(a, b, slack) > slack || back_.widest_gap(b, a, slack) > slack;
    }
    [[nodiscard]] double distance_below(const Kdop<K>& a, const Kdop<K>& b, double enough) const {
      const double gap = turned_.widest_gap(a, b, enough);
      if (gap > enough) return gap;
      const double other = back_.widest_gap(b, a, enough);
      return gap > other ? gap : other;
    }

  private:
    /// How each direction of one DOP is made of three of the other's.
    struct Turned {
      struct Direction {
        std::array<std::uint32_t, 3> slab{};
        std::array<bool, 3> negative{}; ///< the opposite of that slab's direction is meant
        std::array<double, 3> weight{};
        double offset = 0;  ///< of the placed DOP's origin
        double inverse = 1; ///< one over the direction's length
      };
      std::array<Direction, Kdop<K>::slabs> directions;

      explicit Turned(const Frame& frame);
      /// The widest gap, as a length, of `fixed` and the placed `other` along a direction of `fixed`; 0 where there is none. Ends with the first
      /// above `enough`.
      [[nodiscard]] double widest_gap(const Kdop<K>& fixed, const Kdop<K>& other,
                                      double enough) const;
    };
    Turned turned_, back_;
  };
};

} // namespace carom
