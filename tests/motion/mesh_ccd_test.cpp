// Meshes between two frames: the same impacts as all pairs of features by brute force.
#include "carom/motion/mesh_ccd.h"

#include "carom/motion/edge_edge.h"
#include "carom/motion/vertex_face.h"
#include "tests/support/generate.h"
#include "tests/support/property.h"

#include <algorithm>
#include <set>
#include <tuple>

namespace carom::test {
namespace {

using Triangles = std::vector<std::array<std::uint32_t, 3>>;
using Key = std::tuple<MeshImpact::Kind, std::array<std::uint32_t, 4>>;

struct Sheet {
  Triangles triangles;
  std::vector<Vec3> from, to;

  [[nodiscard]] MovingMesh mesh() const { return {triangles, from, to}; }
};

/// A square of n by n cells, bent and moved at random; sometimes on a grid, so that much touches at the same time and place.
Sheet sheet(Source& source, std::uint32_t n, double height) {
  Sheet s;
  const bool grid = source.index(3) == 0;
  const double amount = 0.5 * source.index(5);
  const Vec3 way = vec3(source);
  for (std::uint32_t i = 0; i <= n; ++i)
    for (std::uint32_t j = 0; j <= n; ++j) {
      const Vec3 rest{i - 0.5 * n, j - 0.5 * n, height};
      const auto off = [&] {
        const Vec3 v = vec3(source) * amount;
        return grid ? Vec3{std::floor(v.x), std::floor(v.y), std::floor(v.z)} : v;
      };
      const Vec3 first = off();
      const Vec3 second = off();
      s.from.push_back(rest + first);
      s.to.push_back(rest + way * 3 + second);
    }
  for (std::uint32_t i = 0; i < n; ++i)
    for (std::uint32_t j = 0; j < n; ++j) {
      const std::uint32_t a = i * (n + 1) + j;
      const std::uint32_t b = a + n + 1;
      s.triangles.push_back({a, b, b + 1});
      s.triangles.push_back({a, b + 1, a + 1});
    }
  return s;
}

/// Edges without order, each pair of them in one order where they are of one mesh.
Key key_of(MeshImpact::Kind kind, std::array<std::uint32_t, 4> v, bool own) {
  if (kind == MeshImpact::Kind::edge_edge) {
    if (v[0] > v[1]) std::swap(v[0], v[1]);
    if (v[2] > v[3]) std::swap(v[2], v[3]);
    if (own && std::pair(v[0], v[1]) > std::pair(v[2], v[3])) v = {v[2], v[3], v[0], v[1]};
  }
  return {kind, v};
}

struct Brute {
  std::set<Key> keys;
  double first = 2;

  void add(MeshImpact::Kind kind, const std::array<std::uint32_t, 4>& v, bool own,
           const LinearImpact& impact) {
    if (!impact.hit) return;
    keys.insert(key_of(kind, v, own));
    first = std::min(first, impact.t);
  }
};

void all_vertices(const Sheet& a, const Sheet& b, bool own, MeshImpact::Kind kind,
                  const LinearOptions& options, Brute& r) {
  for (std::uint32_t v = 0; v < a.from.size(); ++v)
    for (const auto& f : b.triangles) {
      if (own && std::find(f.begin(), f.end(), v) != f.end()) continue;
      const MovingMesh m = b.mesh();
      r.add(kind, {v, f[0], f[1], f[2]}, own,
            vertex_face_impact(a.mesh().vertex(v), {m.vertex(f[0]), m.vertex(f[1]), m.vertex(f[2])},
                               options));
    }
}

std::set<std::pair<std::uint32_t, std::uint32_t>> edges_of(const Sheet& s) {
  std::set<std::pair<std::uint32_t, std::uint32_t>> edges;
  for (const auto& t : s.triangles)
    for (std::size_t i = 0; i < 3; ++i) edges.insert(std::minmax(t[i], t[(i + 1) % 3]));
  return edges;
}

Brute brute_force(const Sheet& a, const Sheet& b, bool own, const LinearOptions& options) {
  Brute r;
  all_vertices(a, b, own, MeshImpact::Kind::vertex_face, options, r);
  if (!own) all_vertices(b, a, own, MeshImpact::Kind::face_vertex, options, r);
  for (const auto& [p, q] : edges_of(a))
    for (const auto& [s, t] : edges_of(b)) {
      if (own && (p == s || p == t || q == s || q == t || std::pair(p, q) > std::pair(s, t)))
        continue;
      const MovingMesh ma = a.mesh();
      const MovingMesh mb = b.mesh();
      r.add(MeshImpact::Kind::edge_edge, {p, q, s, t}, own,
            edge_edge_impact({ma.vertex(p), ma.vertex(q)}, {mb.vertex(s), mb.vertex(t)}, options));
    }
  return r;
}

void expect_same(const Brute& brute, const std::vector<MeshImpact>& all,
                 const std::optional<MeshImpact>& first, bool own) {
  std::set<Key> keys;
  for (const MeshImpact& m : all) keys.insert(key_of(m.kind, m.vertex, own));
  EXPECT_EQ(keys.size(), all.size()) << "a pair twice";
  EXPECT_EQ(keys, brute.keys);
  EXPECT_TRUE(std::is_sorted(all.begin(), all.end(), [](const MeshImpact& a, const MeshImpact& b) {
    return a.impact.t < b.impact.t;
  }));
  EXPECT_EQ(first.has_value(), !brute.keys.empty());
  // The same contact from another side may be enclosed a little differently.
  if (first) {
    EXPECT_NEAR(first->impact.t, brute.first, 1e-9);
  }
}

LinearOptions random_options(Source& source) {
  LinearOptions options;
  if (source.index(4) == 3) options.separation = 0.05;
  return options;
}

TEST(MeshCcd, SelfIsAllPairs) {
  for_each_seed(fewer_when_sanitized(60), [](Source& source) {
    const Sheet s = sheet(source, 3, 0);
    const LinearOptions options = random_options(source);
    const auto all = mesh_impacts(s.triangles, s.from, s.to, options);
    ASSERT_TRUE(all);
    const SweptTree tree = SweptTree::build(s.mesh()).value();
    expect_same(brute_force(s, s, true, options), *all, first_impact(s.mesh(), tree, options),
                true);
  });
}

TEST(MeshCcd, TwoAreAllPairs) {
  for_each_seed(fewer_when_sanitized(60), [](Source& source) {
    const Sheet a = sheet(source, 3, 0);
    const Sheet b = sheet(source, 2, source.index(4));
    const LinearOptions options = random_options(source);
    const auto all = mesh_impacts(a.mesh(), b.mesh(), options);
    ASSERT_TRUE(all);
    const SweptTree tree_a = SweptTree::build(a.mesh()).value();
    const SweptTree tree_b = SweptTree::build(b.mesh()).value();
    expect_same(brute_force(a, b, false, options), *all,
                first_impact(a.mesh(), tree_a, b.mesh(), tree_b, options), false);
  });
}

/// A tree that was fitted to other frames finds what a new one finds.
TEST(MeshCcd, RefittedTreesAreAsGood) {
  for_each_seed(fewer_when_sanitized(20), [](Source& source) {
    const Sheet old = sheet(source, 12, 0);
    Sheet next = sheet(source, 12, 0);
    for (Vec3& v : next.to) v = v * 0.5;
    SweptTree tree = SweptTree::build(old.mesh()).value();
    ASSERT_TRUE(tree.refit(next.mesh()));
    std::set<Key> found;
    all_impacts(next.mesh(), tree, {}, [&](const MeshImpact& m) {
      found.insert(key_of(m.kind, m.vertex, true));
      return true;
    });
    std::set<Key> fresh;
    const std::vector<MeshImpact> all = mesh_impacts(next.triangles, next.from, next.to).value();
    for (const MeshImpact& m : all) fresh.insert(key_of(m.kind, m.vertex, true));
    EXPECT_EQ(found, fresh);
    const auto first = first_impact(next.mesh(), tree);
    EXPECT_EQ(first.has_value(), !found.empty());
  });
}

TEST(MeshCcd, EndsWhenTold) {
  RandomSource source(1);
  const Sheet s = sheet(source, 6, 0);
  Sheet through = s;
  for (Vec3& v : through.to) v.z -= 10;
  for (Vec3& v : through.from) v.z += 10;
  const SweptTree a = SweptTree::build(s.mesh()).value();
  const SweptTree b = SweptTree::build(through.mesh()).value();
  int count = 0;
  all_impacts(s.mesh(), a, through.mesh(), b, {}, [&](const MeshImpact&) { return ++count < 3; });
  EXPECT_EQ(count, 3);
}

TEST(MeshCcd, RefusesWhatIsNoMesh) {
  const Triangles one{{0, 1, 2}};
  const std::vector<Vec3> three(3);
  const std::vector<Vec3> two(2);
  std::vector<Vec3> nan = three;
  nan[1].y = NAN;
  std::vector<Vec3> far = three;
  far[2].x = 1e31;
  EXPECT_TRUE(SweptTree::build({one, three, three}));
  EXPECT_FALSE(SweptTree::build({one, two, two}));
  EXPECT_FALSE(SweptTree::build({one, three, two}));
  EXPECT_FALSE(SweptTree::build({one, three, nan}));
  EXPECT_FALSE(SweptTree::build({one, far, three}));
  SweptTree tree = SweptTree::build({one, three, three}).value();
  EXPECT_FALSE(tree.refit({{}, three, three}));
  EXPECT_TRUE(tree.refit({one, three, three}));
  // Nothing at all is a mesh, too.
  EXPECT_TRUE(mesh_impacts(Triangles{}, two, two).value().empty());
}

} // namespace
} // namespace carom::test
