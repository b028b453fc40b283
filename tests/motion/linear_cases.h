// Four moving points, hard ones on purpose.
#pragma once

#include "carom/verify/check_linear.h"
#include "tests/support/generate.h"

#include <algorithm>
#include <sstream>
#include <string>

namespace carom::test {

/// Small integers: everything coincides, lines up and touches often.
inline Vec3 grid_point(Source& source) {
  const double x = source.index(5) - 2;
  const double y = source.index(5) - 2;
  const double z = source.index(5) - 2;
  return {x, y, z};
}

/// Multiples of 2^-10 of size 1: sums and products of a few are exact.
inline Vec3 dyadic_point(Source& source) {
  const double x = source.index(2049) - 1024;
  const double y = source.index(2049) - 1024;
  const double z = source.index(2049) - 1024;
  return Vec3{x, y, z} * 0x1p-10;
}

/// A point of the part from `begin` to `end` at a time, exactly for multiples of 1/4 of dyadic points.
inline Vec3 point_in_part(Source& source, const verify::LinearQuery& q, std::size_t begin,
                          std::size_t end, double t) {
  std::array<double, 4> w{};
  double left = 1;
  for (std::size_t i = begin; i + 1 < end; ++i) {
    w[i] = 0.25 * source.index(static_cast<int>(left * 4) + 1);
    left -= w[i];
  }
  w[end - 1] = left;
  Vec3 p;
  for (std::size_t i = begin; i < end; ++i)
    p += (q.points[i].from * (1 - t) + q.points[i].to * t) * w[i];
  return p;
}

/// Moves the first part so that the parts meet at a time, exactly where the points are dyadic.
inline void make_meet(Source& source, verify::LinearQuery& q) {
  const auto first = static_cast<std::size_t>(q.first_part);
  const double t = 0.125 * source.index(9);
  const Vec3 a = point_in_part(source, q, 0, first, t);
  const Vec3 b = point_in_part(source, q, first, 4, t);
  for (std::size_t i = 0; i < first; ++i) {
    q.points[i].from += b - a;
    q.points[i].to += b - a;
  }
}

/// By an ulp or so, here and there.
inline void nudge(Source& source, verify::LinearQuery& q) {
  MovingPoint& p = q.points[static_cast<std::size_t>(source.index(4))];
  Vec3& v = source.index(2) ? p.to : p.from;
  double& x = v[source.index(3)];
  x = x == 0 ? 0x1p-54 : x * (1 + 0x1p-52 * (source.index(5) - 2));
}

inline verify::LinearQuery linear_case(Source& source, int first_part) {
  verify::LinearQuery q;
  q.first_part = first_part;
  const int numbers = source.index(4);
  const auto point = [&] {
    return numbers == 0 ? grid_point(source) : numbers == 3 ? vec3(source) : dyadic_point(source);
  };
  for (MovingPoint& p : q.points) p = {point(), point()};
  switch (source.index(8)) {
  case 0: // no motion, or all the same
    for (MovingPoint& p : q.points) p.to = p.from;
    if (source.index(2)) q.points[0].to = point();
    break;
  case 1: // all in one plane, all the time
    for (MovingPoint& p : q.points) p.from.z = p.to.z = 1;
    break;
  case 2: // on one line, all the time
    for (MovingPoint& p : q.points) p.from.z = p.to.z = p.from.y = p.to.y = 1;
    break;
  case 3: // the second part moves as a whole: edges that stay parallel, faces that do not turn
    for (std::size_t i = static_cast<std::size_t>(first_part); i < 4; ++i)
      q.points[i].to = q.points[i].from + (q.points[3].to - q.points[3].from);
    break;
  case 4: // parallel edges; a face that is a line
    q.points[3].from = q.points[2].from + (q.points[1].from - q.points[0].from) * 2;
    q.points[3].to = q.points[2].to + (q.points[1].to - q.points[0].to) * 2;
    break;
  case 5: // corners that coincide
    q.points[3] = q.points[static_cast<std::size_t>(source.index(3))];
    break;
  default:
    break;
  }
  if (source.index(2)) make_meet(source, q);
  if (source.chance(4)) nudge(source, q);
  const int place = source.index(6);
  const double factor = place == 1 ? 1e-6 : place == 2 ? 1e6 : place == 3 ? 0x1p70 : 1;
  const Vec3 away = place == 4 ? Vec3{1e6, -3e5, 7} : Vec3{};
  for (MovingPoint& p : q.points) {
    p.from = p.from * factor + away;
    p.to = p.to * factor + away;
  }
  return q;
}

/// To be printed with a case that fails.
inline std::string text(const verify::LinearQuery& q) {
  std::ostringstream out;
  out.precision(17);
  out << "part " << q.first_part << ", separation " << q.separation << ", error " << q.input_error;
  for (const MovingPoint& p : q.points)
    out << "\n  " << p.from.x << ' ' << p.from.y << ' ' << p.from.z << "  ->  " << p.to.x << ' '
        << p.to.y << ' ' << p.to.z;
  out << '\n';
  return out.str();
}

/// The greatest difference between positions at one time.
inline double size_of(const verify::LinearQuery& q) {
  double size = 0;
  for (const MovingPoint& p : q.points)
    size = std::max({size, max_abs(p.from - q.points[0].from), max_abs(p.to - q.points[0].to)});
  return size;
}

} // namespace carom::test
