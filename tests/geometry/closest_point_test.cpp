// Points nearest to a point: every answer through the checker, then the cases that go wrong elsewhere.
#include "carom/geometry/closest_point.h"

#include "tests/geometry/closest_check.h"

#include <vector>

namespace carom {
namespace {

using test::Placement;
using test::Source;
using test::tight;

/// Sets of generators stay within 4 of the origin, and points within 8, before the case is placed.
double size_of(const Placement& m) {
  return 8 * m.scale + max_abs(m.offset);
}

Vec3 point(Source& source) {
  return test::vec3(source) * (source.chance(3) ? 4.0 : 1.0);
}

template<class S> void show(Vec3 p, const S& set, ClosestPoint c, double size){ Vec3 d=(c.point-p)/length(c.point-p); double g=verify::gap(p,set,d); printf("DBG D/size %g excess/size/eps %g\n", c.distance/size, (c.distance-g)/size/0x1p-52); if constexpr(std::is_same_v<S,Cylinder>||std::is_same_v<S,Cone>) {Vec3 ax=set.axis; double h,r; Vec3 o; if constexpr(std::is_same_v<S,Cone>){h=set.height; o=set.apex;} else {h=set.half_height;o=set.center;} r=set.radius; printf("  axis %.17g %.17g %.17g h %g r %g rel %g %g %g | axis.d %g len-1 %g\n",ax.x,ax.y,ax.z,h/size,r/size,(p-o).x/size,(p-o).y/size,(p-o).z/size, dot(ax,d), length(ax)-1);} }
#define CHECKED(name, generator)                                                                   \
  PROPERTY(ClosestPoint, name) {                                                                   \
    const Placement m = test::placement(source);                                                   \
    const auto set = test::moved(m, generator);                                                    \
    const Vec3 p = m(point(source));                                                               \
    const verify::Verdict v = test::judge(p, set, closest_point(p, set), size_of(m));              \
    if (!v.ok) show(p, set, closest_point(p,set), size_of(m)); RC_LOG() << v.why << "\n";                                                                     \
    RC_ASSERT(v.ok);                                                                               \
  }

CHECKED(Segment, test::segment(source))
CHECKED(Triangle, test::triangle(source))
CHECKED(Tetrahedron, test::tetrahedron(source))
CHECKED(Quad, test::quad(source))
CHECKED(Rectangle, test::rectangle(source))
CHECKED(Sphere, test::sphere(source))
CHECKED(Capsule, test::capsule(source))
CHECKED(Lozenge, test::lozenge(source))
CHECKED(Cylinder, test::cylinder(source))
CHECKED(Cone, test::cone(source))
CHECKED(ConeFrustum, test::cone_frustum(source))
CHECKED(Ellipsoid, test::ellipsoid(source))
CHECKED(Aabb, test::aabb(source))
CHECKED(Obb, test::obb(source))
CHECKED(ViewFrustum, test::view_frustum(source))
CHECKED(Kdop6, test::kdop<6>(source))
CHECKED(Kdop14, test::kdop<14>(source))
CHECKED(Kdop18, test::kdop<18>(source))
CHECKED(Kdop26, test::kdop<26>(source))

PROPERTY(ClosestPoint, Polygon) {
  const Placement m = test::placement(source);
  const test::OwnedPolygon owned = test::moved(m, test::polygon(source));
  const Vec3 p = m(point(source));
  const verify::Verdict v = test::judge(p, owned.view(), closest_point(p, owned.view()), size_of(m));
  RC_LOG() << v.why << "\n";
  RC_ASSERT(v.ok);
}

/// How well the faces' planes determine their common points: the least sine between two, or volume of three, that is not 0.
double conditioning(const std::vector<HalfSpace>& faces) {
  double least = 1;
  const auto consider = [&](double x) { least = x > 1e-13 && x < least ? x : least; };
  for (std::size_t i = 0; i < faces.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      const Vec3 line = cross(faces[i].normal, faces[j].normal);
      consider(length(line));
      for (std::size_t k = 0; k < j; ++k) consider(std::fabs(dot(line, faces[k].normal)));
    }
  }
  return least;
}

PROPERTY(ClosestPoint, ConvexPolyhedron) {
  const Placement m = test::placement(source);
  const test::OwnedPolyhedron owned = test::moved(m, test::convex_polyhedron(source));
  const Vec3 p = m(point(source));
  const ClosestPoint c = closest_point(p, owned.view());
  // The checker itself gives up on vertices that are less well determined than this.
  if (const double sine = conditioning(owned.faces); sine > 1e-8) {
    const verify::Verdict v = test::judge(p, owned.view(), c, size_of(m), tight / sine);
    RC_LOG() << v.why << "\n";
    RC_ASSERT(v.ok);
  }
  // However badly they are conditioned, every half-space holds.
  for (const HalfSpace& h : owned.faces) {
    RC_ASSERT(h.signed_distance(c.point) <= tight * size_of(m));
  }
}

} // namespace
} // namespace carom
