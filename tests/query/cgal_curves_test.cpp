// The curves of two data meshes, put together from CGAL's intersections of single triangles in rational numbers: segments whose ends are equal as numbers join.
#include "carom/math/random.h"
#include "carom/mesh/triangulate.h"
#include "carom/query/mesh_curves.h"
#include "tests/support/data_mesh.h"

#include <CGAL/Gmpq.h>
#include <CGAL/Intersections_3/Segment_3_Segment_3.h>
#include <CGAL/Intersections_3/Triangle_3_Triangle_3.h>
#include <CGAL/Simple_cartesian.h>
#include <gtest/gtest.h>

#include <map>
#include <set>

namespace carom {
namespace {

using Kernel = CGAL::Simple_cartesian<CGAL::Gmpq>;
using Point = Kernel::Point_3;

struct DataMesh {
  std::vector<Vec3> vertices;
  std::vector<std::array<std::uint32_t, 3>> triangles;
  TriangleTree tree;

  explicit DataMesh(const PolygonMesh& mesh) : vertices(mesh.vertices) {
    const PolygonMesh cut = triangulated(mesh);
    for (std::size_t f = 0; f < cut.face_count(); ++f)
      triangles.push_back({cut.face(f)[0], cut.face(f)[1], cut.face(f)[2]});
    tree = TriangleTree(surface());
  }
  [[nodiscard]] TriangleSurface surface() const { return {vertices, triangles}; }
  [[nodiscard]] TriangleSet set() const { return {tree, surface()}; }
};

Point exact(const Vec3& v) { return {v.x, v.y, v.z}; }

/// What there is to compare.
struct Figures {
  std::size_t segments = 0, nodes = 0, ends = 0, pieces = 0;

  bool operator==(const Figures&) const = default;
};

/// Nodes by some name, segments between them.
template<class Name>
Figures figures_of(const std::set<std::pair<Name, Name>>& segments) {
  std::map<Name, std::vector<Name>> next;
  for (const auto& [p, q] : segments) {
    next[p].push_back(q);
    next[q].push_back(p);
  }
  Figures f{segments.size(), next.size(), 0, 0};
  std::set<Name> reached;
  for (const auto& [name, others] : next) {
    f.ends += others.size() != 2;
    if (!reached.insert(name).second) continue;
    ++f.pieces;
    for (std::vector<Name> to_do{name}; !to_do.empty();) {
      const Name at = to_do.back();
      to_do.pop_back();
      for (const Name& n : next[at])
        if (reached.insert(n).second) to_do.push_back(n);
    }
  }
  return f;
}

Figures by_cgal(const DataMesh& a, const DataMesh& b, const Frame& frame) {
  std::set<std::pair<Point, Point>> segments;
  // Which triangles meet is compared with CGAL elsewhere (tests/tree/cgal_meetings_test.cpp).
  all_meetings(a.set(), b.set(), frame, [&](const TrianglePair& pair) {
    const Triangle t = a.surface()[pair.a], u = b.surface()[pair.b];
    const Kernel::Triangle_3 one(exact(t.a), exact(t.b), exact(t.c));
    const Kernel::Triangle_3 other(exact(frame.to_world(u.a)), exact(frame.to_world(u.b)),
                                   exact(frame.to_world(u.c)));
    const auto common = CGAL::intersection(one, other);
    EXPECT_TRUE(common);
    if (!common) return true;
    if (const auto* s = boost::get<Kernel::Segment_3>(&*common))
      segments.emplace(std::min(s->source(), s->target()), std::max(s->source(), s->target()));
    return true;
  });
  return figures_of(segments);
}

/// Points within a curve are points by themselves, even where rounding put two in one place; those at its ends, or where it begins, may be of several curves.
Figures ours(const DataMesh& a, const DataMesh& b, const Frame& frame) {
  using Name = std::array<double, 4>;
  std::set<std::pair<Name, Name>> segments;
  const SurfaceIntersection found = surface_intersection(a.set(), b.set(), frame);
  double curve = 0;
  for (const IntersectionCurve& c : found.curves) {
    ++curve;
    const auto name = [&](std::size_t i) {
      const bool inner = i > 0 && (c.closed || i + 1 < c.points.size());
      const Vec3& p = c.points[i];
      return inner ? Name{curve, static_cast<double>(i), 0, 0} : Name{0, p.x, p.y, p.z};
    };
    for (std::size_t i = 0; i < c.segment_count(); ++i) {
      const Name one = name(i), other = name((i + 1) % c.points.size());
      segments.emplace(std::min(one, other), std::max(one, other));
    }
  }
  EXPECT_EQ(segments.size(), found.segment_count());
  return figures_of(segments);
}

} // namespace

TEST(CgalCurves, BunnyAndRobotAtRandomPoses) {
  const auto bunny = test::data_mesh("stanford-bunny"), env = test::data_mesh("env"),
             rob = test::data_mesh("rob");
  if (!bunny) GTEST_SKIP() << "no data: set CAROM_DATA";
  const DataMesh meshes[3] = {DataMesh(*bunny), DataMesh(*env), DataMesh(*rob)};
  Random random(7);
  std::size_t segments = 0;
  for (int i = 0; i < 4; ++i) {
    const bool robot = i % 2 == 1;
    const double reach = robot ? 1000 : 0.04;
    Pose pose;
    pose.rotation = random.rotation();
    for (int k = 0; k < 3; ++k) pose.position[k] = random.uniform(-reach, reach);
    const DataMesh &a = meshes[robot ? 1 : 0], &b = meshes[robot ? 2 : 0];
    const Figures expected = by_cgal(a, b, pose.frame()), found = ours(a, b, pose.frame());
    EXPECT_EQ(found.segments, expected.segments) << "pose " << i;
    EXPECT_EQ(found.nodes, expected.nodes) << "pose " << i;
    EXPECT_EQ(found.ends, expected.ends) << "pose " << i;
    EXPECT_EQ(found.pieces, expected.pieces) << "pose " << i;
    segments += found.segments;
  }
  EXPECT_GT(segments, 1000u);
}

} // namespace carom
