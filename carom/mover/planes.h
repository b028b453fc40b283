// A few planes, and the vector that keeps in front of them. Internal to the mover.
#pragma once

#include "carom/math/vec3.h"

#include <array>
#include <cstddef>

namespace [[gnu::visibility("default")]] carom {

/// Half-spaces x . normal >= bound. With bounds of 0: the ways that lead into none of some obstacles.
class Planes {
public:
  static constexpr std::size_t most = 12;

  /// Beyond `most`: of those there, the one that asks for least is replaced, if it asks for less.
  void add(const Vec3& unit_normal, double bound = 0);
  void clear() { count_ = 0; }
  [[nodiscard]] std::size_t size() const { return count_; }

  struct Nearest {
    Vec3 point{};
    bool found = false; ///< false: no point is in all of them, to within rounding
  };
  /// The point of all the half-spaces that is nearest to x: x itself, on one plane, on the crease of two, or in the corner of three. All choices are tried; there are few planes.
  [[nodiscard]] Nearest nearest(const Vec3& x) const;
  /// The same for planes through the origin, where the origin is always in all.
  [[nodiscard]] Vec3 along(const Vec3& x) const { return nearest(x).point; }
  /// From the origin to the plane that is farthest off; for rank 1 to the next one, and so on. The rank is below size().
  [[nodiscard]] Vec3 farthest(std::size_t rank) const;

private:
  struct Plane {
    Vec3 normal;
    double bound;
  };
  [[nodiscard]] bool allows(const Vec3& x, double slack) const;

  std::array<Plane, most> planes_{};
  std::size_t count_ = 0;
};

} // namespace carom
