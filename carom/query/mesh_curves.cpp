// Each pair of triangles that meet says in which features the corners of their intersection are (geometry/triangle_features.h). A feature is written as its vertices, so that neighbouring triangles name
// it alike; a pair of features is a *node*. By exactness the same pair of features is the same point wherever it comes up, and surfaces whose triangles meet only in common features have no other
// pair for it. Thus nodes are points, pairs of triangles are links between them, and what is left is to follow links through nodes that have two.
//
// Vertices are numbered by their places, in lexicographic order: vertices in the same place get the same number, and the result does not depend on the numbers they came with.
//
// Two links are the same where they join the same nodes: a link's features are spanned by the vertices of its nodes', so it is the intersection of the same two features.
#include "carom/query/mesh_curves.h"

#include "carom/geometry/triangle_features.h"
#include "carom/math/predicates.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace carom {
namespace {

using Kind = TriangleIntersection::Kind;
using Corners = std::array<std::uint32_t, 3>;

constexpr std::uint32_t none = UINT32_MAX;

/// An order of all doubles, with -0 and 0 the same, and one for what is not a number.
std::int64_t order_of(double x) {
  const auto bits = std::bit_cast<std::int64_t>(x == 0 ? 0 : x);
  return bits < 0 ? INT64_MIN - bits : bits;
}
std::array<std::int64_t, 3> order_of(const Vec3& v) {
  return {order_of(v.x), order_of(v.y), order_of(v.z)};
}

/// The vertices of some triangles of a surface, as they are placed, numbered by place.
class PlacedVertices {
public:
  /// `numbers` are those that are asked for later.
  template<class Place>
  PlacedVertices(std::vector<std::uint32_t> numbers, Place&& place) : numbers_(std::move(numbers)) {
    std::sort(numbers_.begin(), numbers_.end());
    numbers_.erase(std::unique(numbers_.begin(), numbers_.end()), numbers_.end());
    struct Placed {
      std::array<std::int64_t, 3> order;
      Vec3 at;
      std::uint32_t index;
    };
    std::vector<Placed> placed;
    placed.reserve(numbers_.size());
    for (std::uint32_t i = 0; i < numbers_.size(); ++i) {
      const Vec3 at = place(numbers_[i]);
      placed.push_back({order_of(at), at, i});
    }
    std::sort(placed.begin(), placed.end(),
              [](const Placed& p, const Placed& q) { return p.order < q.order; });
    ranks_.resize(numbers_.size());
    for (std::size_t i = 0; i < placed.size(); ++i) {
      if (i == 0 || placed[i].order != placed[i - 1].order) places_.push_back(placed[i].at);
      ranks_[placed[i].index] = static_cast<std::uint32_t>(places_.size() - 1);
    }
  }

  [[nodiscard]] Corners ranks(const Corners& triangle) const {
    Corners result;
    for (std::size_t i = 0; i < 3; ++i) {
      const auto at = std::lower_bound(numbers_.begin(), numbers_.end(), triangle[i]);
      result[i] = ranks_[static_cast<std::size_t>(at - numbers_.begin())];
    }
    return result;
  }
  [[nodiscard]] const Vec3& at(std::uint32_t rank) const { return places_[rank]; }
  [[nodiscard]] Triangle triangle(const Corners& ranks) const {
    return {at(ranks[0]), at(ranks[1]), at(ranks[2])};
  }

private:
  std::vector<std::uint32_t> numbers_, ranks_;
  std::vector<Vec3> places_; ///< by rank
};

/// The vertices a feature is spanned by, ascending; `none` for those that a vertex or an edge does not have.
Corners feature_of(const Corners& triangle, unsigned bits) {
  Corners f{none, none, none};
  for (std::size_t i = 0; i < 3; ++i)
    if ((bits >> i & 1U) != 0) f[i] = triangle[i];
  std::sort(f.begin(), f.end());
  return f;
}
bool is_edge(const Corners& feature) { return feature[1] != none && feature[2] == none; }
bool is_inside(const Corners& feature) { return feature[2] != none; }

/// A pair of features that meet in a point.
struct Node {
  Corners a, b;

  bool operator==(const Node&) const = default;
  bool operator<(const Node& o) const { return a != o.a ? a < o.a : b < o.b; }
};

/// Two triangles that meet: their corners as ranks, in the order that the surfaces have.
struct Pair {
  Corners a, b;
  TrianglePair numbers;
  Node sorted; ///< the same corners, ascending: what pairs are sorted by
  TriangleFeatures meeting;

  [[nodiscard]] TrianglePartPair parts() const { return {{numbers.a}, {numbers.b}}; }
  [[nodiscard]] Node node(int i) const {
    const FeaturePair& f = meeting.corners[static_cast<std::size_t>(i)];
    return {feature_of(a, f.on_a), feature_of(b, f.on_b)};
  }
  bool operator<(const Pair& o) const {
    if (!(sorted == o.sorted)) return sorted < o.sorted;
    return numbers.a != o.numbers.a ? numbers.a < o.numbers.a : numbers.b < o.numbers.b;
  }
};

/// The segment of a pair, between two nodes.
struct Link {
  std::uint32_t from = 0, to = 0; ///< from < to
  std::uint32_t pair = 0;

  [[nodiscard]] std::uint32_t other(std::uint32_t node) const { return node == from ? to : from; }
  [[nodiscard]] bool joins_the_same(const Link& o) const { return from == o.from && to == o.to; }
  bool operator<(const Link& o) const {
    return from != o.from ? from < o.from : to != o.to ? to < o.to : pair < o.pair;
  }
};

std::vector<TrianglePair> meetings(const TriangleSet& a, const TriangleSet& b,
                                   const Frame& b_in_a) {
  std::vector<TrianglePair> result;
  all_meetings(a, b, b_in_a, [&](const TrianglePair& pair) {
    result.push_back(pair);
    return true;
  });
  return result;
}

class Assembly {
public:
  Assembly(const TriangleSet& a, const TriangleSet& b, const Frame& b_in_a)
      : Assembly(a.surface, b.surface, b_in_a, meetings(a, b, b_in_a)) {}

  [[nodiscard]] SurfaceIntersection result() {
    collect();
    chain();
    SurfaceIntersection out{std::move(curves_), {}, std::move(overlaps_)};
    add_points(out);
    return out;
  }

private:
  Assembly(const TriangleSurface& a, const TriangleSurface& b, const Frame& b_in_a,
           const std::vector<TrianglePair>& pairs)
      : a_(vertices_of(a, pairs, &TrianglePair::a), [&](std::uint32_t v) { return a.vertices[v]; }),
        b_(vertices_of(b, pairs, &TrianglePair::b),
           [&](std::uint32_t v) { return b_in_a.to_world(b.vertices[v]); }) {
    const auto sorted = [](Corners c) {
      std::sort(c.begin(), c.end());
      return c;
    };
    pairs_.reserve(pairs.size());
    for (const TrianglePair& numbers : pairs) {
      const Corners on_a = a_.ranks(a.triangles[numbers.a]),
                    on_b = b_.ranks(b.triangles[numbers.b]);
      pairs_.push_back({on_a, on_b, numbers, {sorted(on_a), sorted(on_b)}, {}});
    }
    // Copies of a triangle come one after the other: the first stays.
    std::sort(pairs_.begin(), pairs_.end());
    const auto same = [](const Pair& p, const Pair& q) { return p.sorted == q.sorted; };
    pairs_.erase(std::unique(pairs_.begin(), pairs_.end(), same), pairs_.end());
    for (Pair& p : pairs_) p.meeting = meeting_features(a_.triangle(p.a), b_.triangle(p.b));
  }

  static std::vector<std::uint32_t> vertices_of(const TriangleSurface& surface,
                                                const std::vector<TrianglePair>& pairs,
                                                std::uint32_t TrianglePair::*triangle) {
    std::vector<std::uint32_t> result;
    result.reserve(3 * pairs.size());
    for (const TrianglePair& p : pairs)
      for (const std::uint32_t v : surface.triangles[p.*triangle]) result.push_back(v);
    return result;
  }

  // ---- nodes, links and areas

  void collect() {
    for (const Pair& p : pairs_)
      for (int i = 0; i < p.meeting.count; ++i) nodes_.push_back(p.node(i));
    std::sort(nodes_.begin(), nodes_.end());
    nodes_.erase(std::unique(nodes_.begin(), nodes_.end()), nodes_.end());
    points_.reserve(nodes_.size());
    for (const Node& n : nodes_) points_.push_back(point_of(n));
    in_use_.resize(nodes_.size());
    for (std::uint32_t k = 0; k < pairs_.size(); ++k) {
      const Pair& p = pairs_[k];
      if (p.meeting.kind == Kind::polygon) add_overlap(p);
      if (p.meeting.kind != Kind::segment) continue;
      const std::uint32_t one = number_of(p.node(0)), other = number_of(p.node(1));
      links_.push_back({std::min(one, other), std::max(one, other), k});
      in_use_[one] = in_use_[other] = true;
    }
    std::sort(links_.begin(), links_.end());
    const auto same = [](const Link& l, const Link& m) { return l.joins_the_same(m); };
    links_.erase(std::unique(links_.begin(), links_.end(), same), links_.end());
  }

  [[nodiscard]] std::uint32_t number_of(const Node& node) const {
    return static_cast<std::uint32_t>(std::lower_bound(nodes_.begin(), nodes_.end(), node) -
                                      nodes_.begin());
  }

  [[nodiscard]] Vec3 point_of(const Node& node) const {
    if (is_edge(node.a) && is_inside(node.b))
      return piercing_point(a_.at(node.a[0]), a_.at(node.a[1]), b_.triangle(node.b));
    if (is_edge(node.b) && is_inside(node.a))
      return piercing_point(b_.at(node.b[0]), b_.at(node.b[1]), a_.triangle(node.a));
    // The others as triangles without area: that of an edge repeats a corner.
    const auto spanned = [](const PlacedVertices& v, const Corners& f) {
      const std::uint32_t second = f[1] == none ? f[0] : f[1];
      return v.triangle({f[0], second, f[2] == none ? second : f[2]});
    };
    return intersect(spanned(a_, node.a), spanned(b_, node.b)).points[0];
  }

  void add_overlap(const Pair& p) {
    CoplanarOverlap area{p.parts(), p.meeting.count, {}};
    for (int i = 0; i < area.count; ++i) {
      const std::uint32_t node = number_of(p.node(i));
      area.points[static_cast<std::size_t>(i)] = points_[node];
      in_use_[node] = true;
    }
    overlaps_.push_back(area);
  }

  /// Points that are in no curve and no area.
  void add_points(SurfaceIntersection& out) {
    for (const Pair& p : pairs_) {
      if (p.meeting.kind != Kind::point) continue;
      const std::uint32_t node = number_of(p.node(0));
      if (in_use_[node]) continue;
      in_use_[node] = true;
      out.points.push_back({points_[node], p.parts()});
    }
  }

  // ---- curves

  /// Of each node the links that end there: those from first_[node] on.
  void index_links() {
    first_.assign(nodes_.size() + 1, 0);
    for (const Link& l : links_) {
      ++first_[l.from + 1];
      ++first_[l.to + 1];
    }
    for (std::size_t i = 1; i < first_.size(); ++i) first_[i] += first_[i - 1];
    std::vector<std::uint32_t> next(first_.begin(), first_.end() - 1);
    at_node_.resize(2 * links_.size());
    for (std::uint32_t l = 0; l < links_.size(); ++l) {
      at_node_[next[links_[l].from]++] = l;
      at_node_[next[links_[l].to]++] = l;
    }
    followed_.assign(links_.size(), false);
  }
  [[nodiscard]] std::uint32_t degree(std::uint32_t node) const {
    return first_[node + 1] - first_[node];
  }

  /// First the curves between nodes where not exactly two links meet, then those that are left: they have no such node.
  void chain() {
    index_links();
    for (const bool at_ends : {true, false})
      for (std::uint32_t n = 0; n < nodes_.size(); ++n)
        if (!at_ends || degree(n) != 2)
          for (std::uint32_t k = first_[n]; k < first_[n + 1]; ++k)
            if (!followed_[at_node_[k]]) follow(n, at_node_[k]);
  }

  void follow(const std::uint32_t start, std::uint32_t link) {
    IntersectionCurve curve;
    std::vector<std::uint32_t> nodes{start}, links;
    while (true) {
      followed_[link] = true;
      links.push_back(link);
      const std::uint32_t node = links_[link].other(nodes.back());
      curve.closed = node == start;
      if (curve.closed) break;
      nodes.push_back(node);
      if (degree(node) != 2) break;
      const std::uint32_t first = at_node_[first_[node]];
      link = first == link ? at_node_[first_[node] + 1] : first;
    }
    if (runs_backward(nodes, links)) {
      // A closed curve begins where it did.
      std::reverse(nodes.begin() + (curve.closed ? 1 : 0), nodes.end());
      std::reverse(links.begin(), links.end());
    }
    for (const std::uint32_t n : nodes) curve.points.push_back(points_[n]);
    for (const std::uint32_t l : links) curve.triangles.push_back(pairs_[links_[l].pair].parts());
    curves_.push_back(std::move(curve));
  }

  /// Whether the first segment that tells runs against normal_of_a x normal_of_b.
  [[nodiscard]] bool runs_backward(const std::vector<std::uint32_t>& nodes,
                                   const std::vector<std::uint32_t>& links) const {
    for (std::size_t i = 0; i < links.size(); ++i) {
      const Pair& pair = pairs_[links_[links[i]].pair];
      const int begins = is_begin(pair, nodes_[nodes[i]]);
      if (begins != 0) return begins < 0;
      const int ends = is_begin(pair, nodes_[nodes[i + 1 == nodes.size() ? 0 : i + 1]]);
      if (ends != 0) return ends > 0;
    }
    return false;
  }

  /// 1 where the segment of the pair begins in this node, -1 where it ends there, 0 where the node does not tell: it is not an edge through the other's inside. Along d = n_a x n_b one enters A through its
  /// edge from p to q where d . (n_a x (q - p)) > 0, and that is n_b . (q - p) times |n_a|^2: where the edge goes up through B. B is entered through edges that go down through A.
  [[nodiscard]] int is_begin(const Pair& pair, const Node& node) const {
    const auto rises = [](const Corners& triangle, const Corners& edge, const PlacedVertices& own,
                          const Triangle& plane) {
      for (std::size_t i = 0; i < 3; ++i) {
        const std::uint32_t p = triangle[i], q = triangle[(i + 1) % 3];
        if (edge[0] != std::min(p, q) || edge[1] != std::max(p, q)) continue;
        return orient3d(plane.a, plane.b, plane.c, own.at(q));
      }
      return 0;
    };
    if (is_edge(node.a) && is_inside(node.b)) return rises(pair.a, node.a, a_, b_.triangle(pair.b));
    if (is_edge(node.b) && is_inside(node.a))
      return -rises(pair.b, node.b, b_, a_.triangle(pair.a));
    return 0;
  }

  PlacedVertices a_, b_;
  std::vector<Pair> pairs_; ///< sorted, each once
  std::vector<Node> nodes_; ///< sorted, each once
  std::vector<Vec3> points_;
  std::vector<bool> in_use_; ///< nodes of curves and areas, and points already listed
  std::vector<Link> links_;
  std::vector<std::uint32_t> first_, at_node_;
  std::vector<bool> followed_;
  std::vector<IntersectionCurve> curves_;
  std::vector<CoplanarOverlap> overlaps_;
};

} // namespace

SurfaceIntersection surface_intersection(const TriangleSet& a, const TriangleSet& b,
                                         const Frame& b_in_a) {
  return Assembly(a, b, b_in_a).result();
}

} // namespace carom
