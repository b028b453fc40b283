// A search over all directions that ends with a proved bound. Internal to span.
//
// The sphere of directions is cut into triangles, each with a bound of what its directions are worth. The one of greatest bound is cut in two, until that bound is no better
// than what is known already: then all directions are known to be no better.
#pragma once

#include "carom/math/vec3.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

namespace [[gnu::visibility("default")]] carom {

/// All unit vectors within an angle of less than a right one from `axis`.
struct DirectionCap {
  Vec3 axis;
  double chord = 0;  ///< from the axis to the border; at least the sine of the angle
  double cosine = 1; ///< of the angle; rounded
};

/// Around three unit vectors, less than a right angle from the middle between them.
[[nodiscard]] inline DirectionCap cap_around(const Vec3& a, const Vec3& b, const Vec3& c) {
  DirectionCap cap{normalized(a + b + c)};
  const double chord2 = std::max(
      {length_squared(a - cap.axis), length_squared(b - cap.axis), length_squared(c - cap.axis)});
  cap.chord = std::sqrt(chord2);
  cap.cosine = 1 - chord2 / 2;
  return cap;
}

/// The greatest p . n in the cap.
[[nodiscard]] inline double greatest_along(const Vec3& p, const DirectionCap& cap) {
  const double along = dot(p, cap.axis);
  const double across = length(p - cap.axis * along);
  if (across * cap.cosine <= along * cap.chord) return length(p);
  return along * cap.cosine + across * cap.chord;
}

/// `Function` has
///   Corner corner(const Vec3& direction)           what it wants to remember of a unit vector, with that as `direction`,
///   double bound(const std::array<Corner, 3>&)     not less than any direction between them is worth,
///   double best() const                            what is known to be reached, which both of these may raise,
///   double ceiling() const                         what is known not to be exceeded, which both may lower.
/// Returns what no direction exceeds: at most best() + accept, unless `most_cells` were not enough. Counts them.
template<class Function>
double search_directions(Function& function, double accept, int most_cells, int& cells) {
  using Corner = decltype(function.corner(Vec3{}));
  struct Cell {
    double bound;
    std::int32_t id; ///< so that the order is total, whatever heap the library makes
    std::array<Corner, 3> corners;

    bool operator<(const Cell& other) const {
      return bound != other.bound ? bound < other.bound : id > other.id;
    }
  };
  std::vector<Cell> open;
  std::int32_t id = 0;
  double put_aside = -INFINITY; ///< the greatest bound of the cells that were not worth keeping
  const auto add = [&](const std::array<Corner, 3>& corners, double at_most) {
    const double bound = std::min(at_most, function.bound(corners));
    if (bound <= function.best() + accept) {
      put_aside = std::max(put_aside, bound);
    } else {
      open.push_back({bound, id++, corners});
      std::push_heap(open.begin(), open.end());
    }
    ++cells;
  };

  const std::array axes{function.corner({1, 0, 0}),  function.corner({0, 1, 0}),
                        function.corner({0, 0, 1}),  function.corner({-1, 0, 0}),
                        function.corner({0, -1, 0}), function.corner({0, 0, -1})};
  for (std::size_t i = 0; i < 8; ++i)
    add({axes[i & 1 ? 3 : 0], axes[i & 2 ? 4 : 1], axes[i & 4 ? 5 : 2]}, INFINITY);
  while (!open.empty() && cells < most_cells) {
    std::pop_heap(open.begin(), open.end());
    const Cell cell = open.back();
    open.pop_back();
    const double rest = std::min(cell.bound, function.ceiling());
    if (rest <= function.best() + accept)
      return std::max({rest, function.best(), std::min(put_aside, function.ceiling())});
    // The longest side is halved.
    std::size_t k = 0;
    double longest = -1;
    for (std::size_t i = 0; i < 3; ++i) {
      const double side =
          length_squared(cell.corners[(i + 1) % 3].direction - cell.corners[(i + 2) % 3].direction);
      if (side > longest) {
        longest = side;
        k = i;
      }
    }
    const Corner& tip = cell.corners[k];
    const Corner& left = cell.corners[(k + 1) % 3];
    const Corner& right = cell.corners[(k + 2) % 3];
    const Corner middle = function.corner(normalized(left.direction + right.direction));
    add({tip, left, middle}, cell.bound);
    add({tip, middle, right}, cell.bound);
  }
  const double rest = open.empty() ? put_aside : std::max(put_aside, open.front().bound);
  return std::max(std::min(rest, function.ceiling()), function.best());
}

} // namespace carom
