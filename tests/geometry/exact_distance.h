// The distance between straight and flat pieces in exact rationals, by brute force: every corner against every corner, edge and inside,
// every edge against every edge and inside.
#pragma once

#include "carom/geometry/line.h"
#include "carom/geometry/polygon.h"
#include "carom/geometry/triangle.h"

#include <cmath>
#include <gmpxx.h>
#include <vector>

namespace carom::test {

struct RationalVec {
  mpq_class x, y, z;
};
inline RationalVec rational(const Vec3& v) {
  return {v.x, v.y, v.z};
}
inline RationalVec operator-(const RationalVec& a, const RationalVec& b) {
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}
inline RationalVec operator+(const RationalVec& a, const RationalVec& b) {
  return {a.x + b.x, a.y + b.y, a.z + b.z};
}
inline RationalVec operator*(const RationalVec& a, const mpq_class& s) {
  return {a.x * s, a.y * s, a.z * s};
}
inline mpq_class dot(const RationalVec& a, const RationalVec& b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}
inline RationalVec cross(const RationalVec& a, const RationalVec& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

/// p + t d for t in [0, 1], [0, infinity) or all: bounded below, above.
struct ExactEdge {
  RationalVec p, d;
  bool from = true, to = true;

  [[nodiscard]] bool has(const mpq_class& t) const { return (!from || t >= 0) && (!to || t <= 1); }
  [[nodiscard]] mpq_class clamp(const mpq_class& t) const {
    return from && t < 0 ? mpq_class(0) : to && t > 1 ? mpq_class(1) : t;
  }
};
using ExactTriangle = std::vector<RationalVec>; // three corners

struct ExactPiece {
  std::vector<RationalVec> ends; // corners, and the ends of edges
  std::vector<ExactEdge> edges;
  std::vector<ExactTriangle> insides;
};

inline ExactPiece exact(const Segment& s) {
  const RationalVec a = rational(s.a), b = rational(s.b);
  return {{a, b}, {{a, b - a}}, {}};
}
inline ExactPiece exact(const Ray& r) {
  return {{rational(r.origin)}, {{rational(r.origin), rational(r.direction), true, false}}, {}};
}
inline ExactPiece exact(const Line& l) {
  return {{rational(l.origin)}, {{rational(l.origin), rational(l.direction), false, false}}, {}};
}
inline ExactPiece exact_polygon(const std::vector<Vec3>& v) {
  ExactPiece result;
  for (std::size_t i = 0; i < v.size(); ++i) {
    const RationalVec a = rational(v[i]), b = rational(v[(i + 1) % v.size()]);
    result.ends.push_back(a);
    result.edges.push_back({a, b - a});
    if (i >= 2) result.insides.push_back({rational(v[0]), rational(v[i - 1]), a});
  }
  return result;
}
inline ExactPiece exact(const Triangle& t) {
  return exact_polygon({t.a, t.b, t.c});
}
inline ExactPiece exact(const Rectangle& r) {
  const auto v = r.vertices();
  return exact_polygon({v.begin(), v.end()});
}

inline mpq_class squared(const RationalVec& p, const ExactEdge& e) {
  const mpq_class dd = dot(e.d, e.d);
  const mpq_class t = dd == 0 ? mpq_class(0) : e.clamp(dot(p - e.p, e.d) / dd);
  const RationalVec r = p - e.p - e.d * t;
  return dot(r, r);
}

/// The best pair inside both, if it is there; the ends are tried elsewhere.
inline mpq_class squared(const ExactEdge& a, const ExactEdge& b, mpq_class best) {
  const RationalVec w = b.p - a.p;
  const mpq_class uu = dot(a.d, a.d), uv = dot(a.d, b.d), vv = dot(b.d, b.d);
  const mpq_class det = uu * vv - uv * uv;
  if (det == 0) return best; // parallel: ends, or the origins of lines, are nearest
  const mpq_class s = (dot(w, a.d) * vv - dot(w, b.d) * uv) / det;
  const mpq_class t = (dot(w, a.d) * uv - dot(w, b.d) * uu) / det;
  if (!a.has(s) || !b.has(t)) return best;
  const RationalVec r = w + b.d * t - a.d * s;
  return std::min<mpq_class>(best, dot(r, r));
}

/// Whether p is over the inside of t; then its squared distance from the plane.
inline bool over(const RationalVec& p, const ExactTriangle& t, const RationalVec& n) {
  for (std::size_t i = 0; i < 3; ++i) {
    if (dot(cross(t[(i + 1) % 3] - t[i], p - t[i]), n) < 0) return false;
  }
  return true;
}

inline mpq_class squared_one_way(const ExactPiece& a, const ExactPiece& b, mpq_class best) {
  for (const RationalVec& p : a.ends) {
    for (const ExactEdge& e : b.edges) best = std::min<mpq_class>(best, squared(p, e));
  }
  for (const ExactTriangle& t : b.insides) {
    const RationalVec n = cross(t[1] - t[0], t[2] - t[0]);
    const mpq_class nn = dot(n, n);
    if (nn == 0) continue;
    for (const RationalVec& p : a.ends) {
      const mpq_class h = dot(p - t[0], n);
      if (over(p, t, n)) best = std::min<mpq_class>(best, h * h / nn);
    }
    for (const ExactEdge& e : a.edges) {
      const mpq_class rate = dot(e.d, n);
      if (rate == 0) continue;
      const mpq_class s = dot(t[0] - e.p, n) / rate;
      if (e.has(s) && over(e.p + e.d * s, t, n)) return 0;
    }
  }
  return best;
}

template<class A, class B>
double exact_distance(const A& a, const B& b) {
  const ExactPiece x = exact(a), y = exact(b);
  const RationalVec r = x.ends[0] - y.ends[0];
  mpq_class best = dot(r, r);
  for (const ExactEdge& e : x.edges) {
    for (const ExactEdge& f : y.edges) best = squared(e, f, best);
  }
  best = squared_one_way(x, y, best);
  best = squared_one_way(y, x, best);
  // Squares of 1e-30 and 1e30 are in the range of double; rounded once by get_d and once by sqrt.
  return std::sqrt(best.get_d());
}

} // namespace carom::test
