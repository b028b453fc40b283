#include "carom/query/polytope_surface.h"

#include "carom/geometry/separating_axis.h"
#include "carom/math/predicates.h"
#include "carom/math/tolerance.h"

#include <algorithm>

namespace carom {
namespace {

/// Below this sine of the angle between two sides, their product is formed exactly: it would lose too many bits.
constexpr double thin = 1.0 / 16;

} // namespace

void PolytopeSurface::start(const std::array<Corner, 4>& corners, double size) {
  slack_ = (16 + 8 / thin) * tolerance::epsilon * size;
  limit_ = INFINITY;
  corners_.assign(corners.begin(), corners.end());
  faces_.clear();
  heap_.clear();
  if (orient3d(point(0), point(1), point(2), point(3)) > 0) std::swap(corners_[1], corners_[2]);
  make_face(0, 1, 2, {1, 2, 3});
  make_face(1, 0, 3, {0, 3, 2});
  make_face(2, 1, 3, {0, 1, 3});
  make_face(0, 2, 3, {0, 2, 1});
}

bool PolytopeSurface::take_nearest(Index& face) {
  while (!heap_.empty()) {
    std::pop_heap(heap_.begin(), heap_.end());
    face = heap_.back().face;
    heap_.pop_back();
    if (faces_[face].alive) return true;
  }
  return false;
}

bool PolytopeSurface::sees(Index face, const Vec3& p) const {
  // The plane as computed tells, but for points that are in it to within rounding: its normal is off by as many epsilon as its distance is,
  // and p is at most two sizes away.
  const Face& f = faces_[face];
  const double above = dot(f.normal, p) - f.distance;
  if (std::fabs(above) > 4 * slack_) return above > 0;
  return orient3d(point(f.vertex[0]), point(f.vertex[1]), point(f.vertex[2]), p) > 0;
}

bool PolytopeSurface::find_seeing(const Vec3& p, Index& face) const {
  for (Index f = 0; f < faces_.size(); ++f) {
    if (!faces_[f].alive || !sees(f, p)) continue;
    face = f;
    return true;
  }
  return false;
}

void PolytopeSurface::make_face(Index a, Index b, Index c, const std::array<Index, 3>& neighbors) {
  Face face;
  face.vertex = {a, b, c};
  face.neighbor = neighbors;
  const Vec3 u = point(b) - point(a);
  const Vec3 v = point(c) - point(a);
  Vec3 n = cross(u, v);
  const double n_squared = length_squared(n);
  if (n_squared > thin * thin * length_squared(u) * length_squared(v)) {
    n *= 1 / std::sqrt(n_squared);
  } else {
    n = normalized(accurate_cross(point(a), point(b), point(a), point(c)));
  }
  face.normal = n;
  face.distance = dot(n, point(a));
  if (face.distance <= limit_) {
    heap_.push_back({face.distance, static_cast<Index>(faces_.size())});
    std::push_heap(heap_.begin(), heap_.end());
  }
  faces_.push_back(face);
}

void PolytopeSurface::expand(Index first, const Corner& w) {
  ++expansions_;
  const Index corner = static_cast<Index>(corners_.size());
  corners_.push_back(w);
  collect_visible(first, w.difference);
  const Index fan = static_cast<Index>(faces_.size());
  starts_.resize(corners_.size());
  for (std::size_t i = 0; i < rim_.size(); ++i) starts_[rim_[i].from] = fan + static_cast<Index>(i);
  for (const Edge& e : rim_) {
    faces_[e.face].neighbor[e.side] = static_cast<Index>(faces_.size());
    make_face(e.from, e.to, corner, {e.face, starts_[e.to], 0});
  }
  for (Index f = fan; f < faces_.size(); ++f) faces_[faces_[f].neighbor[1]].neighbor[2] = f;
}

/// Kills the faces that see p, and lists the edges around them.
void PolytopeSurface::collect_visible(Index first, const Vec3& p) {
  rim_.clear();
  stack_.assign(1, first);
  faces_[first].seen = expansions_;
  while (!stack_.empty()) {
    const Index f = stack_.back();
    stack_.pop_back();
    faces_[f].alive = false;
    for (std::size_t i = 0; i < 3; ++i) {
      const Index g = faces_[f].neighbor[i];
      if (!faces_[g].alive || faces_[g].seen == expansions_) continue;
      if (sees(g, p)) {
        faces_[g].seen = expansions_;
        stack_.push_back(g);
      } else {
        const Index from = faces_[f].vertex[i];
        const Index to = faces_[f].vertex[(i + 1) % 3];
        const auto& v = faces_[g].vertex;
        rim_.push_back({from, to, g,
                        static_cast<std::size_t>(v[0] == to   ? 0
                                                 : v[1] == to ? 1
                                                              : 2)});
      }
    }
  }
}

PolytopeSurface::Weighted PolytopeSurface::below_origin(Index f) const {
  const Vec3 n = faces_[f].normal;
  const Vec3 foot = n * faces_[f].distance;
  Weighted best = weights_at(f, n, foot);
  double least = *std::min_element(best.weight.begin(), best.weight.end());
  Weighted here = best;
  for (std::size_t step = 0; step < faces_.size() && least < 0; ++step) {
    // The edge opposite to corner i runs from corner i + 1.
    const auto i = static_cast<std::size_t>(
        std::min_element(here.weight.begin(), here.weight.end()) - here.weight.begin());
    here = weights_at(faces_[here.face].neighbor[(i + 1) % 3], n, foot);
    const double weight = *std::min_element(here.weight.begin(), here.weight.end());
    // Around a corner of the face the normals turn away: there the walk ends.
    if (!(dot(faces_[here.face].normal, n) > 0.5)) break;
    if (weight > least) {
      least = weight;
      best = here;
    }
  }
  double whole = 0;
  for (double& w : best.weight) whole += w = std::max(w, 0.0);
  if (!(whole > 0)) return {best.face, {1, 0, 0}};
  for (double& w : best.weight) w /= whole;
  return best;
}

/// The weights of a point in the plane of a face at right angles to n: negative beyond an edge.
PolytopeSurface::Weighted PolytopeSurface::weights_at(Index f, const Vec3& n, const Vec3& p) const {
  const auto& v = faces_[f].vertex;
  Weighted w{f, {}};
  double whole = 0;
  for (std::size_t i = 0; i < 3; ++i) {
    w.weight[i] = dot(n, cross(point(v[(i + 1) % 3]) - p, point(v[(i + 2) % 3]) - p));
    whole += w.weight[i];
  }
  for (double& x : w.weight) x = whole > 0 ? x / whole : -1;
  return w;
}

} // namespace carom
