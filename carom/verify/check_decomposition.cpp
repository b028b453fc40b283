#include "carom/verify/check_decomposition.h"

#include "carom/math/random.h"
#include "carom/math/trig.h"
#include "carom/verify/hull.h"
#include "carom/verify/piece_view.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace carom {
namespace verify {
namespace {

/// Pieces of one triangle that are looked at, at most. Beyond that it is not proven.
constexpr int most_fragments = 4000;

/// "face 7": the words, then the number.
std::string numbered(const char* words, std::size_t number) {
  std::string text(words);
  text.append(" ").append(std::to_string(number));
  return text;
}
std::string where(const Vec3& p) {
  std::string text = std::to_string(p.x);
  text.append(", ").append(std::to_string(p.y)).append(", ").append(std::to_string(p.z));
  return text;
}

std::array<Vec3, 3> corners_of(const PolygonMesh& mesh, std::size_t f) {
  const auto c = mesh.face(f);
  return {mesh.vertices[c[0]], mesh.vertices[c[1]], mesh.vertices[c[2]]};
}

Verdict check_triangles(const PolygonMesh& mesh) {
  for (std::size_t f = 0; f < mesh.face_count(); ++f) {
    if (mesh.face(f).size() != 3) return Verdict::no(numbered("not a triangle: face", f));
  }
  return Verdict::yes();
}

std::vector<PieceView> views(std::span<const ConvexHull> pieces) {
  std::vector<PieceView> out;
  for (const ConvexHull& hull : pieces) out.emplace_back(hull);
  return out;
}

bool all_near(std::span<const Vec3> points, const PieceView& piece, double tolerance) {
  return std::all_of(points.begin(), points.end(), [&](const Vec3& p) {
    return !piece.is_far(p, tolerance) && piece.distance(p) <= tolerance;
  });
}

// --- The surface: a polygon, less the pieces.

/// Takes a piece, its planes moved outward by `offset`, away from a polygon. True where what it takes is within the tolerance of it; `rest` is what is left.
bool take_away(const PieceView& piece, double offset, double tolerance, std::vector<Vec3> polygon,
               std::vector<std::vector<Vec3>>& rest) {
  for (const Plane& plane : piece.planes()) {
    CutPolygon cut = cut_polygon(polygon, plane, plane.offset + offset);
    if (!cut.above.empty()) rest.push_back(std::move(cut.above));
    polygon = std::move(cut.below);
    if (polygon.empty()) return false;
  }
  return all_near(polygon, piece, tolerance);
}

Vec3 middle(std::span<const Vec3> points) {
  Vec3 sum;
  for (const Vec3& p : points) sum += p * (1.0 / static_cast<double>(points.size()));
  return sum;
}

/// Whether the polygon is within the tolerance of the pieces; else a sentence.
std::string uncovered(std::vector<Vec3> polygon, std::span<const PieceView> pieces,
                      double tolerance) {
  std::vector<std::vector<Vec3>> left = {std::move(polygon)};
  for (int work = 0; !left.empty(); ++work) {
    if (work == most_fragments) return "not proven, too many fragments: near " + where(left[0][0]);
    const std::vector<Vec3> here = std::move(left.back());
    left.pop_back();
    if (std::any_of(pieces.begin(), pieces.end(),
                    [&](const PieceView& piece) { return all_near(here, piece, tolerance); })) {
      continue;
    }
    // One that has the middle takes a good part away. Where none has, the middle is outside.
    const Vec3 m = middle(here);
    bool taken = false;
    bool near = false;
    for (std::size_t i = 0; i < pieces.size() && !taken; ++i) {
      if (pieces[i].is_far(m, tolerance) || pieces[i].distance(m) > tolerance) continue;
      near = true;
      // Moved outward a little, the piece leaves no slivers. At sharp corners it must not be much.
      for (const double part : {0.25, 0.03, 0.004, 5e-4, 0.0}) {
        const double offset = tolerance * part;
        std::vector<std::vector<Vec3>> rest;
        taken = take_away(pieces[i], offset, tolerance, here, rest);
        if (!taken) continue;
        left.insert(left.end(), rest.begin(), rest.end());
        break;
      }
    }
    if (!near) return "no piece covers " + where(m);
    if (!taken) return "not proven: near " + where(m);
  }
  return {};
}

/// A polygon divided along the planes of a tree. Cuts that make no tree divide it in some other way.
std::vector<std::vector<Vec3>> divided(std::vector<Vec3> polygon, std::span<const CutNode> cuts) {
  struct Part {
    std::uint32_t node;
    std::vector<Vec3> polygon;
  };
  std::vector<Part> waiting = {{0, std::move(polygon)}};
  std::vector<std::vector<Vec3>> out;
  for (std::size_t work = 0; !waiting.empty(); ++work) {
    Part part = std::move(waiting.back());
    waiting.pop_back();
    if (part.node >= cuts.size() || cuts[part.node].is_leaf() || work > 4 * cuts.size()) {
      out.push_back(std::move(part.polygon));
      continue;
    }
    const CutNode& node = cuts[part.node];
    CutPolygon cut = cut_polygon(part.polygon, {node.normal, node.offset}, node.offset);
    if (!cut.below.empty()) waiting.push_back({node.child[0], std::move(cut.below)});
    if (!cut.above.empty()) waiting.push_back({node.child[1], std::move(cut.above)});
  }
  return out;
}

// --- The inside.

/// How often the mesh is wound around a point: solid angles, by van Oosterom and Strackee's formula.
double winding(const PolygonMesh& mesh, const Vec3& p) {
  double sum = 0;
  for (std::size_t f = 0; f < mesh.face_count(); ++f) {
    const auto [x, y, z] = corners_of(mesh, f);
    const Vec3 a = x - p;
    const Vec3 b = y - p;
    const Vec3 c = z - p;
    const double la = length(a);
    const double lb = length(b);
    const double lc = length(c);
    const double numerator = triple(a, b, c);
    const double denominator = la * lb * lc + dot(a, b) * lc + dot(b, c) * la + dot(c, a) * lb;
    if (numerator != 0) sum += carom::atan2(numerator, denominator);
  }
  return sum / (2 * 3.14159265358979323846);
}

/// Along every edge as many triangles run one way as the other. Vertices are the places where they are.
bool closed(const PolygonMesh& mesh) {
  using Place = std::array<double, 3>;
  std::map<std::pair<Place, Place>, int> excess;
  const auto place = [&](std::uint32_t i) {
    const Vec3& v = mesh.vertices[i];
    return Place{v.x, v.y, v.z};
  };
  for (std::size_t f = 0; f < mesh.face_count(); ++f) {
    const auto c = mesh.face(f);
    for (std::size_t i = 0; i < 3; ++i) {
      const Place a = place(c[i]);
      const Place b = place(c[(i + 1) % 3]);
      if (a < b) ++excess[{a, b}];
      if (b < a) --excess[{b, a}];
    }
  }
  return mesh.face_count() > 0 &&
         std::all_of(excess.begin(), excess.end(), [](const auto& e) { return e.second == 0; });
}

struct Bound {
  Plane plane; ///< the cell is below it
};

class InsideCheck {
public:
  InsideCheck(const PolygonMesh& mesh, const ConvexDecomposition& decomposition, double tolerance)
      : mesh_(mesh), cuts_(decomposition.cuts), pieces_(views(decomposition.pieces)),
        tolerance_(tolerance) {
    low_ = high_ = mesh.vertices[mesh.corners[0]];
    for (const std::uint32_t i : mesh.corners) {
      low_ = min(low_, mesh.vertices[i]);
      high_ = max(high_, mesh.vertices[i]);
    }
  }

  Verdict run(double plane_band) {
    std::size_t planes = 0;
    for (const CutNode& node : cuts_) planes += node.is_leaf() ? 0 : 1;
    if (planes > 0) band_ = tolerance_ / (8 * static_cast<double>(planes * planes));
    if (planes > 0 && !(band_ >= 2 * plane_band)) {
      return Verdict::no("the tolerance is less than twice the gap");
    }
    std::vector<std::uint32_t> all(mesh_.face_count());
    for (std::uint32_t f = 0; f < all.size(); ++f) all[f] = f;
    visited_ = 0;
    return visit(0, all);
  }

private:
  Verdict visit(std::uint32_t n, const std::vector<std::uint32_t>& triangles) {
    if (n >= cuts_.size() || ++visited_ > cuts_.size()) return Verdict::no("the cuts are no tree");
    const CutNode& node = cuts_[n];
    if (node.is_leaf()) return leaf(node, triangles);
    if (!is_unit(node.normal) || !std::isfinite(node.offset)) {
      return Verdict::no("a cutting plane is none");
    }
    for (std::size_t side = 0; side < 2; ++side) {
      const double sign = side == 0 ? 1 : -1;
      // The cell without the plane's band.
      cell_.push_back({{node.normal * sign, node.offset * sign - band_}});
      const Plane& plane = cell_.back().plane;
      std::vector<std::uint32_t> here;
      for (const std::uint32_t t : triangles) {
        const auto corners = corners_of(mesh_, t);
        if (std::any_of(corners.begin(), corners.end(),
                        [&](const Vec3& p) { return plane.signed_distance(p) <= 0; })) {
          here.push_back(t);
        }
      }
      const Verdict verdict = visit(node.child[side], here);
      cell_.pop_back();
      if (!verdict) return verdict;
    }
    return Verdict::yes();
  }

  Verdict leaf(const CutNode& node, const std::vector<std::uint32_t>& triangles) {
    const bool none = node.piece == CutNode::none;
    if (!none && node.piece >= pieces_.size()) return Verdict::no("a leaf names no piece");
    for (const std::uint32_t t : triangles) {
      const auto corners = corners_of(mesh_, t);
      std::vector<Vec3> polygon(corners.begin(), corners.end());
      for (const Bound& b : cell_) polygon = cut_polygon(polygon, b.plane, b.plane.offset).below;
      if (polygon.empty()) continue;
      if (none || !all_near(polygon, pieces_[node.piece], tolerance_ / 2)) {
        return Verdict::no("the piece of a cell does not cover the surface there: " +
                           where(polygon[0]));
      }
    }
    for (std::size_t i = 0; i < cell_.size(); ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        for (std::size_t k = 0; k < j; ++k) {
          if (!corner_covered(i, j, k, node.piece)) {
            return Verdict::no("the piece of a cell does not cover a corner of it that is inside");
          }
        }
      }
    }
    return Verdict::yes();
  }

  [[nodiscard]] bool corner_covered(std::size_t i, std::size_t j, std::size_t k,
                                    std::uint32_t piece) const {
    const Plane& p = cell_[i].plane;
    const Plane& q = cell_[j].plane;
    const Plane& r = cell_[k].plane;
    const Vec3 qr = cross(q.normal, r.normal);
    const double volume = dot(p.normal, qr);
    if (volume == 0) return true;
    const Vec3 at = (qr * p.offset + cross(r.normal, p.normal) * q.offset +
                     cross(p.normal, q.normal) * r.offset) /
                    volume;
    for (int axis = 0; axis < 3; ++axis) {
      if (!(at[axis] >= low_[axis] && at[axis] <= high_[axis])) return true;
    }
    for (std::size_t b = 0; b < cell_.size(); ++b) {
      if (b != i && b != j && b != k && cell_[b].plane.signed_distance(at) > band_ / 2) return true;
    }
    if (std::fabs(winding(mesh_, at)) < 0.01) return true;
    return piece != CutNode::none && pieces_[piece].distance(at) <= tolerance_ / 2;
  }

  const PolygonMesh& mesh_;
  const std::vector<CutNode>& cuts_;
  std::vector<PieceView> pieces_;
  double tolerance_, band_ = 0;
  Vec3 low_, high_;
  std::vector<Bound> cell_;
  std::size_t visited_ = 0;
};

/// From the mesh or its inside.
double distance_from(const PolygonMesh& mesh, bool solid, const Vec3& p) {
  double near = INFINITY;
  for (std::size_t f = 0; f < mesh.face_count(); ++f) {
    const auto [a, b, c] = corners_of(mesh, f);
    near = std::fmin(near, verify::distance(p, Triangle{a, b, c}));
  }
  return near > 0 && solid && std::fabs(winding(mesh, p)) > 0.5 ? 0 : near;
}

} // namespace

PolygonMesh with_patches(const PolygonMesh& triangles, const ConvexDecomposition& decomposition) {
  PolygonMesh mesh = triangles;
  for (std::size_t i = 0; i + 2 < decomposition.patches.size(); i += 3) {
    mesh.add_face(std::span(decomposition.patches).subspan(i, 3));
  }
  return mesh;
}

Verdict check_surface_enclosed(const PolygonMesh& triangles, std::span<const ConvexHull> pieces,
                               double tolerance, std::span<const CutNode> cuts) {
  if (const Verdict v = check_triangles(triangles); !v) return v;
  const std::vector<PieceView> all = views(pieces);
  // Per piece and vertex: exactly in it.
  std::vector<std::vector<bool>> in(all.size());
  for (std::size_t i = 0; i < all.size(); ++i) {
    for (const Vec3& v : triangles.vertices) in[i].push_back(all[i].contains(v));
  }
  for (std::size_t f = 0; f < triangles.face_count(); ++f) {
    const auto c = triangles.face(f);
    if (std::any_of(in.begin(), in.end(),
                    [&](const auto& has) { return has[c[0]] && has[c[1]] && has[c[2]]; })) {
      continue;
    }
    const auto corners = corners_of(triangles, f);
    for (std::vector<Vec3>& part : divided({corners.begin(), corners.end()}, cuts)) {
      const std::string why = uncovered(std::move(part), all, tolerance);
      if (!why.empty()) return Verdict::no(numbered("triangle", f).append(": ").append(why));
    }
  }
  return Verdict::yes();
}

Verdict check_inside_enclosed(const PolygonMesh& triangles,
                              const ConvexDecomposition& decomposition, double tolerance) {
  if (const Verdict v = check_triangles(triangles); !v) return v;
  const PolygonMesh mesh = with_patches(triangles, decomposition);
  if (!closed(mesh)) return Verdict::no("the mesh is not closed");
  if (decomposition.pieces.size() <= 3) return Verdict::yes();
  return InsideCheck(mesh, decomposition, tolerance).run(decomposition.plane_band);
}

Verdict sample_error(const PolygonMesh& triangles, const ConvexDecomposition& decomposition,
                     int samples, std::uint64_t seed) {
  const PolygonMesh mesh = with_patches(triangles, decomposition);
  Random random(seed);
  for (const ConvexHull& hull : decomposition.pieces) {
    const auto fails = [&](const Vec3& p) {
      const double off = distance_from(mesh, decomposition.solid, p);
      return off > decomposition.error ? off : 0;
    };
    std::vector<Vec3> points;
    const auto step = hull.face_count() / static_cast<std::size_t>(samples + 1) + 1;
    for (std::size_t f = 0; f < hull.face_count(); f += step) {
      Vec3 sum;
      for (const std::uint32_t c : hull.corners(f)) {
        sum += hull.vertices[c] / static_cast<double>(hull.corners(f).size());
      }
      points.push_back(sum);
    }
    for (int i = 0; i < samples; ++i) {
      // A random combination of four corners.
      Vec3 sum;
      double weight = 0;
      for (int k = 0; k < 4; ++k) {
        const double w = random.uniform();
        const auto v = static_cast<std::size_t>(random.below(hull.vertices.size()));
        sum += hull.vertices[v] * w;
        weight += w;
      }
      if (weight > 0) points.push_back(sum / weight);
    }
    for (const Vec3& p : points) {
      if (const double off = fails(p); off > 0) {
        return Verdict::off(
            ("a piece is farther from the mesh than it says, at " + where(p)).c_str(), off);
      }
    }
  }
  return Verdict::yes();
}

Verdict check_decomposition(const PolygonMesh& triangles, const ConvexDecomposition& decomposition,
                            double tolerance) {
  if (const Verdict v = check_triangles(triangles); !v) return v;
  for (const ConvexHull& hull : decomposition.pieces) {
    if (const Verdict v = check_hull_shape(hull); !v) return v;
  }
  const PolygonMesh mesh = with_patches(triangles, decomposition);
  if (const Verdict v =
          check_surface_enclosed(mesh, decomposition.pieces, tolerance, decomposition.cuts);
      !v) {
    return v;
  }
  if (decomposition.solid) {
    if (const Verdict v = check_inside_enclosed(triangles, decomposition, tolerance); !v) return v;
  }
  return sample_error(triangles, decomposition, 16, 1);
}

} // namespace verify
} // namespace carom
