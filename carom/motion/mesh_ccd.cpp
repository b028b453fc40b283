// The walk over pairs of boxes that overlap, then over pairs of triangles whose boxes do, then over the features these answer for. For the first impact alone, boxes count only as far as triangles sweep before the best
// time so far.
#include "carom/motion/mesh_ccd.h"

#include "carom/motion/edge_edge.h"
#include "carom/motion/vertex_face.h"

#include <algorithm>

namespace carom {

namespace {

using std::size_t;
using std::uint32_t;

bool apart(const Aabb& a, const Aabb& b, double margin) {
  const Vec3 gap = max(a.min - b.max, b.min - a.max);
  return gap.x > margin || gap.y > margin || gap.z > margin;
}

/// One mesh, or one side of two.
struct Side {
  const MovingMesh& mesh;
  const SweptTree& tree;

  [[nodiscard]] bool fits() const {
    return mesh.triangles.size() == tree.triangle_boxes().size() &&
           mesh.from.size() == mesh.to.size();
  }
  [[nodiscard]] MovingFace face(const std::array<uint32_t, 3>& t) const {
    return {mesh.vertex(t[0]), mesh.vertex(t[1]), mesh.vertex(t[2])};
  }
  /// What the triangle sweeps until time t, and a few roundings more.
  [[nodiscard]] Aabb swept(uint32_t triangle, double t) const {
    const Aabb& whole = tree.triangle_boxes()[triangle];
    Aabb box;
    for (const uint32_t v : mesh.triangles[triangle])
      for (const Vec3& p : {mesh.from[v], lerp(mesh.from[v], mesh.to[v], t)})
        box = {min(box.min, p), max(box.max, p)};
    const Vec3 more = max(abs(whole.min), abs(whole.max)) * 0x1p-50;
    return {max(whole.min, box.min - more), min(whole.max, box.max + more)};
  }
};

class Search {
public:
  Search(const Side& a, const Side& b, bool own, const LinearOptions& options,
         FunctionRef<bool(const MeshImpact&)> found)
      : a_(a), b_(b), own_(own), options_(options), found_(found) {
    options_.proof = nullptr;
    // What counts as contact, and what rounding may add to a gap of boxes.
    margin_ = (options.separation + 3.4642 * options.input_error) * (1 + 0x1p-50);
    if (!(margin_ >= 0)) margin_ = INFINITY; // bad options: let the pairs say so
  }

  /// Impacts after this are not asked for.
  void set_latest(double t) { latest_ = t; }

  void run() {
    if (!a_.fits() || !b_.fits() || a_.tree.tree().empty() || b_.tree.tree().empty()) return;
    walk_nodes(0, 0);
  }

private:
  /// False where the search is to end, here and below.
  bool walk_nodes(uint32_t node_a, uint32_t node_b) {
    const WideNode& a = a_.tree.tree().nodes()[node_a];
    const WideNode& b = b_.tree.tree().nodes()[node_b];
    for (uint32_t i = 0; i < a.count; ++i)
      for (uint32_t j = own_ && node_a == node_b ? i : 0; j < b.count; ++j)
        if (!apart(a_.tree.child_boxes()[8 * size_t{node_a} + i],
                   b_.tree.child_boxes()[8 * size_t{node_b} + j], margin_) &&
            !walk(a.child[i], b.child[j], node_a, i, node_b, j))
          return false;
    return true;
  }

  /// Two children. Where one is a leaf the other is opened alone.
  bool walk(ChildRef a, ChildRef b, uint32_t node_a, uint32_t lane_a, uint32_t node_b,
            uint32_t lane_b) {
    if (!a.is_leaf() && !b.is_leaf()) return walk_nodes(a.number(), b.number());
    if (a.is_leaf() && b.is_leaf()) return walk_leaves(a.number(), b.number());
    const Side& side = a.is_leaf() ? b_ : a_;
    const uint32_t opened = a.is_leaf() ? b.number() : a.number();
    const Aabb& other = a.is_leaf() ? a_.tree.child_boxes()[8 * size_t{node_a} + lane_a]
                                    : b_.tree.child_boxes()[8 * size_t{node_b} + lane_b];
    const WideNode& node = side.tree.tree().nodes()[opened];
    for (uint32_t i = 0; i < node.count; ++i) {
      if (apart(side.tree.child_boxes()[8 * size_t{opened} + i], other, margin_)) continue;
      const bool go_on = a.is_leaf() ? walk(a, node.child[i], node_a, lane_a, opened, i)
                                     : walk(node.child[i], b, opened, i, node_b, lane_b);
      if (!go_on) return false;
    }
    return true;
  }

  bool walk_leaves(uint32_t leaf_a, uint32_t leaf_b) {
    const auto items_a = a_.tree.tree().leaf(leaf_a);
    const auto items_b = b_.tree.tree().leaf(leaf_b);
    for (size_t i = 0; i < 8 && items_a[i] != WideTree::no_item; ++i)
      for (size_t j = own_ && leaf_a == leaf_b ? i + 1 : 0;
           j < 8 && items_b[j] != WideTree::no_item; ++j)
        if (!try_triangles(items_a[i], items_b[j])) return false;
    return true;
  }

  bool try_triangles(uint32_t a, uint32_t b) {
    if (own_ && a > b) std::swap(a, b);
    if (apart(a_.tree.triangle_boxes()[a], b_.tree.triangle_boxes()[b], margin_)) return true;
    if (latest_ < 1 && apart(a_.swept(a, latest_), b_.swept(b, latest_), margin_)) return true;
    const unsigned mask_a = a_.tree.features()[a];
    const unsigned mask_b = b_.tree.features()[b];
    const auto other = own_ ? MeshImpact::Kind::vertex_face : MeshImpact::Kind::face_vertex;
    for (unsigned i = 0; i < 3; ++i) {
      if ((mask_a >> i & 1) != 0 && !try_vertex(MeshImpact::Kind::vertex_face, a_, a, i, b_, b))
        return false;
      if ((mask_b >> i & 1) != 0 && !try_vertex(other, b_, b, i, a_, a)) return false;
      if ((mask_a >> (3 + i) & 1) == 0) continue;
      for (unsigned j = 0; j < 3; ++j)
        if ((mask_b >> (3 + j) & 1) != 0 && !try_edges(a, i, b, j)) return false;
    }
    return true;
  }

  bool try_vertex(MeshImpact::Kind kind, const Side& side, uint32_t triangle, unsigned corner,
                  const Side& other, uint32_t other_triangle) {
    const uint32_t v = side.mesh.triangles[triangle][corner];
    const auto& f = other.mesh.triangles[other_triangle];
    if (own_ && (v == f[0] || v == f[1] || v == f[2])) return true;
    const LinearImpact impact = vertex_face_impact(side.mesh.vertex(v), other.face(f), options_);
    if (!impact.hit) return true;
    const bool from_a = kind == MeshImpact::Kind::vertex_face;
    return found_({kind,
                   from_a ? triangle : other_triangle,
                   from_a ? other_triangle : triangle,
                   {v, f[0], f[1], f[2]},
                   impact});
  }

  bool try_edges(uint32_t a, unsigned edge_a, uint32_t b, unsigned edge_b) {
    const auto& ta = a_.mesh.triangles[a];
    const auto& tb = b_.mesh.triangles[b];
    std::array<uint32_t, 4> v{ta[edge_a], ta[(edge_a + 1) % 3], tb[edge_b], tb[(edge_b + 1) % 3]};
    if (own_ && (v[0] == v[2] || v[0] == v[3] || v[1] == v[2] || v[1] == v[3])) return true;
    const LinearImpact impact =
        edge_edge_impact({a_.mesh.vertex(v[0]), a_.mesh.vertex(v[1])},
                         {b_.mesh.vertex(v[2]), b_.mesh.vertex(v[3])}, options_);
    if (!impact.hit) return true;
    return found_({MeshImpact::Kind::edge_edge, a, b, v, impact});
  }

  const Side a_, b_;
  bool own_;
  LinearOptions options_;
  FunctionRef<bool(const MeshImpact&)> found_;
  double margin_ = 0;
  double latest_ = 1;
};

/// In order of time; an order of all.
bool before(const MeshImpact& a, const MeshImpact& b) {
  if (a.impact.t != b.impact.t) return a.impact.t < b.impact.t;
  if (a.kind != b.kind) return a.kind < b.kind;
  return std::lexicographical_compare(a.vertex.begin(), a.vertex.end(), b.vertex.begin(),
                                      b.vertex.end());
}

std::optional<MeshImpact> first_of(const Side& a, const Side& b, bool own,
                                   const LinearOptions& options) {
  std::optional<MeshImpact> best;
  Search* running = nullptr;
  const auto found = [&](const MeshImpact& impact) {
    if (!best || before(impact, *best)) best = impact;
    running->set_latest(best->impact.t);
    return true;
  };
  Search search(a, b, own, options, found);
  running = &search;
  search.run();
  return best;
}

std::vector<MeshImpact> all_of(const Side& a, const Side& b, bool own,
                               const LinearOptions& options) {
  std::vector<MeshImpact> all;
  const auto found = [&](const MeshImpact& impact) {
    all.push_back(impact);
    return true;
  };
  Search(a, b, own, options, found).run();
  std::sort(all.begin(), all.end(), before);
  return all;
}

} // namespace

void all_impacts(const MovingMesh& mesh, const SweptTree& tree, const LinearOptions& options,
                 FunctionRef<bool(const MeshImpact&)> found) {
  Search({mesh, tree}, {mesh, tree}, true, options, found).run();
}
void all_impacts(const MovingMesh& a, const SweptTree& tree_a, const MovingMesh& b,
                 const SweptTree& tree_b, const LinearOptions& options,
                 FunctionRef<bool(const MeshImpact&)> found) {
  Search({a, tree_a}, {b, tree_b}, false, options, found).run();
}

std::optional<MeshImpact> first_impact(const MovingMesh& mesh, const SweptTree& tree,
                                       const LinearOptions& options) {
  return first_of({mesh, tree}, {mesh, tree}, true, options);
}
std::optional<MeshImpact> first_impact(const MovingMesh& a, const SweptTree& tree_a,
                                       const MovingMesh& b, const SweptTree& tree_b,
                                       const LinearOptions& options) {
  return first_of({a, tree_a}, {b, tree_b}, false, options);
}

Result<std::vector<MeshImpact>>
mesh_impacts(std::span<const std::array<std::uint32_t, 3>> triangles, std::span<const Vec3> from,
             std::span<const Vec3> to, const LinearOptions& options) {
  const MovingMesh mesh{triangles, from, to};
  const Result<SweptTree> tree = SweptTree::build(mesh);
  if (!tree) return tl::unexpected(tree.error());
  return all_of({mesh, *tree}, {mesh, *tree}, true, options);
}
Result<std::vector<MeshImpact>> mesh_impacts(const MovingMesh& a, const MovingMesh& b,
                                             const LinearOptions& options) {
  const Result<SweptTree> tree_a = SweptTree::build(a);
  if (!tree_a) return tl::unexpected(tree_a.error());
  const Result<SweptTree> tree_b = SweptTree::build(b);
  if (!tree_b) return tl::unexpected(tree_b.error());
  return all_of({a, *tree_a}, {b, *tree_b}, false, options);
}

} // namespace carom
