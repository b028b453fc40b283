// Random *and deliberately degenerate* numbers, vectors and placements. Choice 0 gives the simplest value.
#pragma once

#include "carom/math/pose.h"
#include "carom/math/vec2.h"
#include "carom/math/vec3.h"
#include "tests/support/source.h"

#include <cmath>

namespace carom::test {

/// A number of size about 1 or less: small integers and halves (so that things coincide, line up and touch), then arbitrary ones.
inline double real(Source& source) {
  switch (source.index(4)) {
  case 0:
    return static_cast<double>(source.index(5)) - 2; // -2 .. 2: collisions of values are wanted
  case 1:
    return (static_cast<double>(source.index(9)) - 4) * 0.25;
  default:
    return source.uniform(-1, 1);
  }
}

inline Vec2 vec2(Source& source) {
  const double x = real(source);
  const double y = real(source);
  return {x, y};
}

inline Vec3 vec3(Source& source) {
  const double x = real(source);
  const double y = real(source);
  const double z = real(source);
  return {x, y, z};
}

/// A positive length of size about 1; sometimes tiny.
inline double positive(Source& source) {
  switch (source.index(4)) {
  case 0:
    return 1 + source.index(3);
  case 1:
    return 0.25 * (1 + source.index(8));
  case 2:
    return std::ldexp(1.0, -source.index(40));
  default:
    return source.uniform(0.01, 2);
  }
}

/// Zero, or a positive length: radii may vanish.
inline double radius(Source& source) { return source.chance(8) ? 0 : positive(source); }

/// A vector of size about 1, made smaller by up to `most` halvings: a hair, where that many are drawn.
inline Vec3 halved_vec3(Source& source, int most) {
  const Vec3 v = vec3(source);
  return v * std::ldexp(1.0, -source.index(most));
}

/// A unit vector: often along an axis or a diagonal, or nearly so.
inline Vec3 direction(Source& source) {
  const Vec3 up = unit_axis(source.index(3));
  const Vec3 axis = source.index(2) ? -up : up;
  switch (source.index(4)) {
  case 0:
    return axis;
  case 1:
    return normalized_or(Vec3{source.index(3) - 1.0, source.index(3) - 1.0, source.index(3) - 1.0},
                         axis);
  case 2: {
    const Vec3 off = vec3(source);
    return normalized(axis + off * std::ldexp(1.0, -10 - source.index(40)));
  }
  default:
    return normalized_or(Vec3{source.uniform(-1, 1), source.uniform(-1, 1), source.uniform(-1, 1)},
                         axis);
  }
}

/// The same with a length of its own.
inline Vec3 stretched_direction(Source& source) {
  const Vec3 d = direction(source);
  return d * positive(source);
}

/// The same with a length of 1, 1/2, 1/4 and so on, by up to `most` halvings.
inline Vec3 halved_direction(Source& source, int most) {
  const Vec3 d = direction(source);
  return d * std::ldexp(1.0, -source.index(most));
}

/// A rotation: often a multiple of a quarter turn about an axis, or close to one.
inline Quat rotation(Source& source) {
  static constexpr double half = 0.70710678118654752440;
  const Vec3 axis = unit_axis(source.index(3));
  switch (source.index(5)) {
  case 0:
    return {};
  case 1:
    return {axis.x * half, axis.y * half, axis.z * half, half};
  case 2:
    return {axis.x, axis.y, axis.z, 0};
  case 3: {
    const Vec3 tilt = axis * std::ldexp(1.0, -5 - source.index(45));
    return {tilt.x, tilt.y, tilt.z, 1};
  }
  default:
    return normalized(Quat{real(source), real(source), real(source), source.uniform(0.01, 1)});
  }
}

/// A scale for whole cases: mostly 1, sometimes tiny or huge. Multiply every length of a case by it.
inline double scale(Source& source) {
  static constexpr double scales[] = {1, 1, 1, 1e-6, 1e6, 1e-20, 1e20, 0x1p-30};
  return scales[source.index(8)];
}

/// A vector of any of these sizes.
inline Vec3 vec3_at_any_scale(Source& source) {
  const Vec3 v = vec3(source);
  return v * scale(source);
}

/// A translation for whole cases: mostly none, sometimes far from the origin.
inline Vec3 offset(Source& source) {
  static constexpr double distances[] = {0, 0, 0, 10, 1e3, 1e6};
  const Vec3 d = direction(source);
  return d * distances[source.index(6)];
}

inline Pose pose(Source& source) { return {rotation(source), vec3(source)}; }

} // namespace carom::test
