// Primitive tests against FCL and CGAL, batches against our own scalar forms, predicates against plain determinants.
//
// Scenes: 4,096 random cases each, a mixture of hits and misses as in the leaves of a tree; the same doubles for both sides, in each
// side's own types. Peers at their best settings: CGAL with inexact constructions and a plain double kernel where it only measures
// (distance), with its exact predicates where it decides (overlap, rays), as ours does.
#include "bench/compare.h"
#include "carom/geometry/batch.h"
#include "carom/geometry/cast_box.h"
#include "carom/geometry/cast_flat.h"
#include "carom/geometry/closest_line.h"
#include "carom/geometry/closest_point.h"
#include "carom/geometry/overlap.h"
#include "carom/geometry/triangle_triangle.h"
#include "carom/math/predicates.h"
#include "carom/math/random.h"

#include <CGAL/Exact_predicates_inexact_constructions_kernel.h>
#include <CGAL/Simple_cartesian.h>
#include <CGAL/intersections.h>
#include <fcl/math/bv/OBB.h>
#include <fcl/narrowphase/detail/primitive_shape_algorithm/triangle_distance.h>
#include <fcl/narrowphase/detail/traversal/collision/intersect.h>

#include <vector>

namespace carom::bench {
namespace {

constexpr std::size_t n = 4096;
using Plain = CGAL::Simple_cartesian<double>;
using Exact = CGAL::Exact_predicates_inexact_constructions_kernel;

template<class T, class Make>
std::vector<T> many(std::size_t count, std::uint64_t seed, Make&& make) {
  Random random(seed);
  std::vector<T> items;
  for (std::size_t i = 0; i < count; ++i) items.push_back(make(random));
  return items;
}

template<class To, class From, class Convert>
std::vector<To> converted(const std::vector<From>& from, Convert&& convert) {
  std::vector<To> to;
  to.reserve(from.size());
  for (const From& f : from) to.push_back(convert(f));
  return to;
}

Triangle random_triangle(Random& r) {
  const Vec3 center = r.in_ball();
  const Vec3 a = center + r.in_ball() * 0.7;
  const Vec3 b = center + r.in_ball() * 0.7;
  return {a, b, center + r.in_ball() * 0.7};
}

Obb random_obb(Random& r) {
  const Vec3 center = r.in_ball() * 1.5;
  const Mat3 axes = to_matrix(r.rotation());
  const double x = r.uniform(0.1, 0.8);
  const double y = r.uniform(0.1, 0.8);
  return {center, axes, {x, y, r.uniform(0.1, 0.8)}};
}

Segment random_segment(Random& r) {
  const Vec3 a = r.in_ball();
  return {a, r.in_ball()};
}

Aabb random_aabb(Random& r) {
  const Vec3 c = r.in_ball() * 2;
  const Vec3 h = abs(r.in_ball());
  return {c - h, c + h};
}

fcl::Vector3d to_fcl(const Vec3& v) { return {v.x, v.y, v.z}; }
template<class Kernel>
typename Kernel::Point_3 to_cgal(const Vec3& v) {
  return {v.x, v.y, v.z};
}
template<class Kernel>
typename Kernel::Triangle_3 to_cgal(const Triangle& t) {
  return {to_cgal<Kernel>(t.a), to_cgal<Kernel>(t.b), to_cgal<Kernel>(t.c)};
}

// The sum over all pairs of neighbours: one query each.
template<class T, class Query>
Work over_pairs(const std::vector<T>& items, Query query) {
  return [items, query] {
    double sum = 0;
    for (std::size_t i = 0; i + 1 < items.size(); ++i) sum += query(items[i], items[i + 1]);
    return sum;
  };
}
template<class A, class B, class Query>
Work over_both(const std::vector<A>& a, const std::vector<B>& b, Query query) {
  return [a, b, query] {
    double sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i) sum += query(a[i], b[i]);
    return sum;
  };
}

void boxes() {
  const auto ours = many<Obb>(n + 1, 1, random_obb);
  const auto theirs = converted<fcl::OBBd>(ours, [](const Obb& b) {
    fcl::OBBd o;
    for (int i = 0; i < 3; ++i) o.axis.col(i) = to_fcl(b.axes[i]);
    o.To = to_fcl(b.center);
    o.extent = to_fcl(b.half);
    return o;
  });
  compare("obb-obb", n,
          over_pairs(ours, [](const Obb& a, const Obb& b) { return overlaps(a, b) ? 1.0 : 0.0; }),
          "FCL", over_pairs(theirs, [](const fcl::OBBd& a, const fcl::OBBd& b) {
            return a.overlap(b) ? 1.0 : 0.0;
          }));
}

void triangles() {
  const auto ours = many<Triangle>(n + 1, 2, random_triangle);
  const Work us = over_pairs(
      ours, [](const Triangle& a, const Triangle& b) { return overlaps(a, b) ? 1.0 : 0.0; });
  const auto fcls = converted<std::array<fcl::Vector3d, 3>>(ours, [](const Triangle& t) {
    return std::array{to_fcl(t.a), to_fcl(t.b), to_fcl(t.c)};
  });
  compare("triangle-triangle", n, us, "FCL",
          over_pairs(fcls, [](const std::array<fcl::Vector3d, 3>& a,
                              const std::array<fcl::Vector3d, 3>& b) {
            return fcl::detail::Intersectd::intersect_Triangle(a[0], a[1], a[2], b[0], b[1], b[2])
                       ? 1.0
                       : 0.0;
          }));
  const auto cgals =
      converted<Exact::Triangle_3>(ours, [](const Triangle& t) { return to_cgal<Exact>(t); });
  compare("triangle-triangle", n, us, "CGAL",
          over_pairs(cgals, [](const Exact::Triangle_3& a, const Exact::Triangle_3& b) {
            return CGAL::do_intersect(a, b) ? 1.0 : 0.0;
          }));
}

void segments() {
  const auto ours = many<Segment>(n + 1, 3, random_segment);
  const auto theirs = converted<std::array<fcl::Vector3d, 2>>(ours, [](const Segment& s) {
    return std::array{to_fcl(s.a), to_fcl(s.b)};
  });
  compare(
      "segment-segment", n,
      over_pairs(ours,
                 [](const Segment& a, const Segment& b) { return closest_points(a, b).distance; }),
      "FCL",
      over_pairs(theirs, [](const std::array<fcl::Vector3d, 2>& a,
                            const std::array<fcl::Vector3d, 2>& b) {
        fcl::Vector3d vec, x, y;
        fcl::detail::TriangleDistanced::segPoints(a[0], a[1] - a[0], b[0], b[1] - b[0], vec, x, y);
        return (x - y).norm();
      }));
}

void rays_and_points() {
  const auto targets = many<Triangle>(n, 4, random_triangle);
  const auto rays = many<Ray>(n, 5, [](Random& r) {
    const Vec3 o = r.direction() * 3;
    return Ray{o, r.in_ball() - o};
  });
  const auto exact_targets =
      converted<Exact::Triangle_3>(targets, [](const Triangle& t) { return to_cgal<Exact>(t); });
  const auto exact_rays = converted<Exact::Ray_3>(rays, [](const Ray& r) {
    return Exact::Ray_3(to_cgal<Exact>(r.origin),
                        Exact::Vector_3(r.direction.x, r.direction.y, r.direction.z));
  });
  compare(
      "ray-triangle", n,
      over_both(rays, targets, [](const Ray& r, const Triangle& t) { return cast(r, t).t; }),
      "CGAL",
      over_both(exact_rays, exact_targets, [](const Exact::Ray_3& r, const Exact::Triangle_3& t) {
        return CGAL::do_intersect(r, t) ? 1.0 : 0.0;
      }));
  const auto points = many<Vec3>(n, 6, [](Random& r) { return r.in_ball() * 2; });
  const auto plain_targets =
      converted<Plain::Triangle_3>(targets, [](const Triangle& t) { return to_cgal<Plain>(t); });
  const auto plain_points =
      converted<Plain::Point_3>(points, [](const Vec3& p) { return to_cgal<Plain>(p); });
  const Work nearest = over_both(points, targets, [](const Vec3& p, const Triangle& t) {
    return closest_point(p, t).distance;
  });
  compare("point-triangle", n, nearest, "CGAL projected_point",
          over_both(plain_points, plain_targets,
                    [](const Plain::Point_3& p, const Plain::Triangle_3& t) {
                      const Plain::Point_3 on = Plain().construct_projected_point_3_object()(t, p);
                      return std::sqrt(CGAL::squared_distance(p, on));
                    }));
  // CGAL's other function gives no point; ours always does.
  compare("point-triangle", n, nearest, "CGAL squared_distance",
          over_both(plain_points, plain_targets,
                    [](const Plain::Point_3& p, const Plain::Triangle_3& t) {
                      return std::sqrt(CGAL::squared_distance(p, t));
                    }));
}

// One against eight, 512 times eight.
template<class Probe, class Item, class Pack, class Wide, class Scalar>
void batch(const std::string& name, const std::vector<Probe>& probes,
           const std::vector<Item>& items, Pack pack, Wide wide, Scalar scalar) {
  using Packed = decltype(pack(std::span<const Item>{}));
  std::vector<Packed> packed;
  for (std::size_t i = 0; i + 8 <= items.size(); i += 8)
    packed.push_back(pack(std::span(items).subspan(i, 8)));
  compare(
      "batch " + name, probes.size(),
      [probes, packed, wide] {
        double sum = 0;
        for (std::size_t i = 0; i < probes.size(); ++i)
          sum += wide(probes[i], packed[i % packed.size()]);
        return sum;
      },
      "our scalar form",
      [probes, items, scalar] {
        double sum = 0;
        for (std::size_t i = 0; i < probes.size(); ++i) {
          const std::size_t first = i % (items.size() / 8) * 8;
          for (std::size_t k = 0; k < 8; ++k) sum += scalar(probes[i], items[first + k]);
        }
        return sum;
      });
}

void batches() {
  const auto rays = many<Ray>(n, 7, [](Random& r) {
    const Vec3 o = r.direction() * 3;
    return Ray{o, r.in_ball() - o};
  });
  const auto slabs = converted<RaySlabs>(rays, [](const Ray& r) { return RaySlabs(r); });
  const auto aabbs = many<Aabb>(n, 8, random_aabb);
  const auto spheres = many<Sphere>(n, 9, [](Random& r) {
    const Vec3 c = r.in_ball() * 2;
    return Sphere{c, r.uniform(0.1, 1)};
  });
  const auto triangles = many<Triangle>(n, 10, random_triangle);
  const auto one = [](bool b) { return b ? 1.0 : 0.0; };
  batch(
      "ray-8 boxes", slabs, aabbs, [](auto s) { return Aabb8(s); },
      [](const RaySlabs& r, const Aabb8& b) { return static_cast<double>(enter(r, b).hit); },
      [=](const RaySlabs& r, const Aabb& b) { return one(enter(r, b) < INFINITY); });
  batch(
      "box-8 boxes", aabbs, aabbs, [](auto s) { return Aabb8(s); },
      [](const Aabb& a, const Aabb8& b) { return static_cast<double>(overlaps(a, b)); },
      [=](const Aabb& a, const Aabb& b) { return one(overlaps(a, b)); });
  batch(
      "sphere-8 spheres", spheres, spheres, [](auto s) { return Sphere8(s); },
      [](const Sphere& a, const Sphere8& b) { return static_cast<double>(overlaps(a, b)); },
      [=](const Sphere& a, const Sphere& b) { return one(overlaps(a, b)); });
  batch(
      "ray-8 triangles", rays, triangles, [](auto s) { return Triangle8(s); },
      [](const Ray& r, const Triangle8& t) { return static_cast<double>(cast(r, t).hit); },
      [=](const Ray& r, const Triangle& t) { return one(cast(r, t).hit); });
}

// The plain determinant, as anybody would write it, against the exact sign. The same points for both, in arrays of their own type (a point
// made up for the call would have to be stored for the exact stage, which takes references; no user has such).
void predicates() {
  const auto points = many<Vec3>(n + 4, 11, [](Random& r) { return r.in_ball(); });
  const auto flat = converted<Vec2>(points, [](const Vec3& v) { return Vec2{v.x, v.y}; });
  // In random order, as in real use: walking along the array, the plain form would be vectorised across queries.
  const auto order =
      many<std::size_t>(n, 12, [](Random& r) { return static_cast<std::size_t>(r.below(n)); });
  const auto over = [&order](const auto& items, auto query) {
    return [items, order, query] {
      int sum = 0;
      for (const std::size_t i : order) sum += query(&items[i]);
      return static_cast<double>(sum);
    };
  };
  const auto sign = [](double x) { return int{x > 0} - int{x < 0}; };
  using predicate::row;
  compare("predicate orient2d", n,
          over(flat, [](const Vec2* p) { return orient2d(p[0], p[1], p[2]); }), "plain determinant",
          over(flat, [=](const Vec2* p) { return sign(cross(p[1] - p[0], p[2] - p[0])); }));
  compare("predicate orient3d", n,
          over(points, [](const Vec3* p) { return orient3d(p[0], p[1], p[2], p[3]); }),
          "plain determinant", over(points, [=](const Vec3* p) {
            return sign(triple(p[1] - p[0], p[2] - p[0], p[3] - p[0]));
          }));
  compare("predicate in_circle", n,
          over(flat, [](const Vec2* p) { return in_circle(p[0], p[1], p[2], p[3]); }),
          "plain determinant", over(flat, [=](const Vec2* p) {
            const auto to = [&](int i) { return row(p[i] - p[3]); };
            return sign(predicate::lifted_det3(to(0), to(1), to(2)));
          }));
  compare("predicate in_sphere", n,
          over(points, [](const Vec3* p) { return in_sphere(p[0], p[1], p[2], p[3], p[4]); }),
          "plain determinant", over(points, [=](const Vec3* p) {
            const auto to = [&](int i) { return row(p[i] - p[4]); };
            return sign(predicate::lifted_det4(to(0), to(1), to(2), to(3)));
          }));
}

} // namespace
} // namespace carom::bench

int main(int argc, char** argv) {
  using namespace carom::bench;
  boxes();
  triangles();
  segments();
  rays_and_points();
  batches();
  predicates();
  return carom::bench::main(argc, argv);
}
