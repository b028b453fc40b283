// Branch and bound. The distance d to the mesh changes by no more than one moves. So in a box of centre c and half diagonal r it is at most d(c) + r; boxes in which that
// is no news are dropped, as are boxes outside of the hull or inside of the solid; the others are halved, a level at a time. Each box keeps the triangles that
// may be nearest to one of its points, so that the lists become short as the boxes become small.
//
// Boxes on the surface would never be better than r. There the solid is looked at more closely: let K be what is within the hull and the box, and behind the planes of
// all triangles in the box. No triangle has a point in K, and K is convex: if one point o of it is inside of the solid, all of it is. A point x of the hull in
// the box is in front of those planes by as much as the hull reaches, at most; on the way from x to o, K begins where the last plane is passed. Where hull and
// mesh have the same faces that way has no length.
#include "carom/mesh/hull_excess.h"

#include "carom/geometry/closest_point.h"
#include "carom/geometry/triangle.h"
#include "carom/math/tolerance.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

namespace carom {
namespace {

/// Triangles in a box up to which the surface is looked at closely.
constexpr std::size_t few_triangles = 48;
constexpr int most_levels = 60;

struct Face {
  Vec3 normal;
  double offset = 0; ///< all of the hull is at or below
};

struct Box {
  Vec3 center;
  double bound = 0;     ///< of the distance in the box, known from its parent
  bool outside = false; ///< no surface in it, and outside of the solid
  std::size_t triangle_begin = 0,
              face_begin = 0; ///< in the lists of its level; they end where the next box's begin
};

/// The boxes of one size.
struct Level {
  std::vector<Box> boxes;
  std::vector<std::uint32_t> triangles, faces;

  void clear() {
    boxes.clear();
    triangles.clear();
    faces.clear();
  }
  [[nodiscard]] std::span<const std::uint32_t> triangles_of(std::size_t i) const {
    const std::size_t end = i + 1 < boxes.size() ? boxes[i + 1].triangle_begin : triangles.size();
    return std::span(triangles).subspan(boxes[i].triangle_begin, end - boxes[i].triangle_begin);
  }
  [[nodiscard]] std::span<const std::uint32_t> faces_of(std::size_t i) const {
    const std::size_t end = i + 1 < boxes.size() ? boxes[i + 1].face_begin : faces.size();
    return std::span(faces).subspan(boxes[i].face_begin, end - boxes[i].face_begin);
  }
};

class Search {
public:
  Search(const ConvexHull& hull, const MeshBody& body, const ExcessOptions& options)
      : hull_(hull), body_(body), options_(options) {
    low_ = high_ = hull.vertices[0];
    for (const Vec3& v : hull.vertices) {
      low_ = min(low_, v);
      high_ = max(high_, v);
      middle_ += v * (1.0 / static_cast<double>(hull.vertices.size()));
    }
    size_ = std::fmax(max_abs(low_), max_abs(high_));
    // Whatever is computed of coordinates of this size is off by some ten roundings; a margin of sixteen.
    slack_ = 0x1p-44 * size_;
    for (std::size_t f = 0; f < hull.face_count() && hull.dimension >= 2; ++f) add_face(f);
    if (hull.dimension < 3) add_sides();
    if (hull.dimension == 3) add_edges();
    triangle_reach_.assign(body.triangles.size() / 3, -1);
  }

  double bound() {
    Level level = root();
    half_ = (high_ - low_) * 0.5 + Vec3{slack_, slack_, slack_};
    Level next;
    for (int depth = 0; depth < most_levels && !level.boxes.empty(); ++depth) {
      if (level.boxes.size() > options_.most_boxes) break;
      next.clear();
      const int axis = largest_axis(half_);
      for (std::size_t i = 0; i < level.boxes.size(); ++i) visit(level, i, axis, next);
      half_[axis] *= 0.5;
      std::swap(level, next);
    }
    for (const Box& box : level.boxes) proven_ = std::fmax(proven_, box.bound);
    return proven_ + 4 * slack_;
  }

private:
  void add_face(std::size_t f) {
    const auto corners = hull_.corners(f);
    const Vec3& a = hull_.vertices[corners[0]];
    add_plane(cross(hull_.vertices[corners[1]] - a, hull_.vertices[corners[2]] - a));
  }
  /// Planes across the sharp edges of a thin solid: its faces alone would let boxes pass that are far beyond the edge.
  void add_edges() {
    const auto half_edges = static_cast<std::uint32_t>(hull_.origin.size());
    const auto normal = [&](std::uint32_t h) {
      const auto c = hull_.corners(hull_.face[h]);
      const Vec3& a = hull_.vertices[c[0]];
      return normalized_or(cross(hull_.vertices[c[1]] - a, hull_.vertices[c[2]] - a), {});
    };
    for (std::uint32_t h = 0; h < half_edges; ++h) {
      const Vec3 up = normal(h);
      if (dot(up, normal(hull_.twin[h])) > -0.5) continue;
      add_plane(cross(hull_.vertices[hull_.target(h)] - hull_.vertices[hull_.origin[h]], up));
    }
  }
  /// What bounds a polygon or a segment beside its faces.
  void add_sides() {
    const std::size_t n = hull_.vertices.size();
    const Vec3 up = faces_.empty() ? Vec3{} : faces_[0].normal;
    for (std::size_t i = 0; i < n; ++i) {
      const Vec3 along = hull_.vertices[(i + 1) % n] - hull_.vertices[i];
      if (hull_.dimension == 2) add_plane(cross(along, up));
      if (hull_.dimension == 1) {
        const Vec3 side = perpendicular(along);
        for (const Vec3& d : {side, cross(normalized(along), side)}) {
          add_plane(d);
          add_plane(-d);
        }
      }
    }
  }
  void add_plane(const Vec3& direction) {
    const Vec3 normal = normalized_or(direction, {});
    if (normal == Vec3{}) return;
    double offset = -std::numeric_limits<double>::infinity();
    for (const Vec3& v : hull_.vertices) offset = std::fmax(offset, dot(normal, v));
    faces_.push_back({normal, offset});
  }

  [[nodiscard]] Triangle triangle(std::uint32_t t) const {
    return {body_.vertices[body_.triangles[3 * t]], body_.vertices[body_.triangles[3 * t + 1]],
            body_.vertices[body_.triangles[3 * t + 2]]};
  }

  /// The box around the hull, with the triangles that reach into it. A hull without any has all.
  Level root() {
    Level level;
    const auto n = static_cast<std::uint32_t>(body_.triangles.size() / 3);
    for (std::uint32_t t = 0; t < n; ++t) {
      const Triangle s = triangle(t);
      const Vec3 from = min(s.a, min(s.b, s.c));
      const Vec3 to = max(s.a, max(s.b, s.c));
      const bool apart = from.x > high_.x || from.y > high_.y || from.z > high_.z ||
                         to.x < low_.x || to.y < low_.y || to.z < low_.z;
      if (!apart) level.triangles.push_back(t);
    }
    if (level.triangles.empty()) {
      for (std::uint32_t t = 0; t < n; ++t) level.triangles.push_back(t);
    }
    for (std::uint32_t f = 0; f < faces_.size(); ++f) level.faces.push_back(f);
    level.boxes.push_back({low_ * 0.5 + high_ * 0.5, std::numeric_limits<double>::infinity()});
    return level;
  }

  /// Not worth knowing better.
  [[nodiscard]] double enough() const {
    return std::fmax(options_.absolute, reached_ * (1 + options_.relative));
  }

  void visit(const Level& level, std::size_t i, int axis, Level& next) {
    Box box = level.boxes[i];
    const double r = length(half_) * (1 + 8 * tolerance::epsilon);
    bool center_in = true;
    faces_here_.clear();
    for (const std::uint32_t f : level.faces_of(i)) {
      const double above = dot(faces_[f].normal, box.center) - faces_[f].offset;
      const double reach = dot(abs(faces_[f].normal), half_) + slack_;
      if (above > reach) return;
      if (above > -reach) faces_here_.push_back(f);
      center_in = center_in && above <= 0;
    }
    const double near = measure(level.triangles_of(i), box.center, r);
    box.bound = std::fmin(box.bound, near + r);
    if (settled(box, near, r, center_in)) return;
    Vec3 step;
    step[axis] = half_[axis] * 0.5;
    for (const double sign : {-1.0, 1.0}) {
      Box child = box;
      child.center += step * sign;
      child.triangle_begin = next.triangles.size();
      child.face_begin = next.faces.size();
      next.triangles.insert(next.triangles.end(), triangles_here_.begin(), triangles_here_.end());
      next.faces.insert(next.faces.end(), faces_here_.begin(), faces_here_.end());
      next.boxes.push_back(child);
    }
  }

  /// Whether the box need not be halved.
  bool settled(Box& box, double near, double r, bool center_in) {
    if (body_.inside && !box.outside && near > r + slack_) {
      if (body_.inside->count(box.center) != 0) return true;
      box.outside = true;
    }
    if (center_in && near > reached_ &&
        (!body_.inside || box.outside || body_.inside->count(box.center) == 0)) {
      reached_ = near;
    }
    if (box.bound > enough() && body_.inside && !box.outside) {
      box.bound = std::fmin(box.bound, surface_bound(box, r));
    }
    if (box.bound > enough()) return false;
    proven_ = std::fmax(proven_, box.bound);
    return true;
  }

  /// The distance of the center, and in triangles_here_ those that may be nearest within r.
  double measure(std::span<const std::uint32_t> triangles, const Vec3& center, double r) {
    double near = std::numeric_limits<double>::infinity();
    distance_.clear();
    triangles_here_.clear();
    for (const std::uint32_t t : triangles) {
      const double d = distance(center, closest_point(center, triangle(t)).point);
      near = std::fmin(near, d);
      if (d > near + 2 * r + slack_) continue;
      triangles_here_.push_back(t);
      distance_.push_back(d);
    }
    std::size_t kept = 0;
    for (std::size_t i = 0; i < triangles_here_.size(); ++i) {
      if (distance_[i] > near + 2 * r + slack_) continue;
      distance_[kept] = distance_[i];
      triangles_here_[kept++] = triangles_here_[i];
    }
    triangles_here_.resize(kept);
    distance_.resize(kept);
    return near;
  }

  /// How far the hull reaches in front of a triangle's plane; infinite where the triangle has none that can be relied on.
  double reach_beyond(std::uint32_t t, const Triangle& s, const Vec3& normal) {
    double& reach = triangle_reach_[t];
    if (reach >= 0) return reach;
    reach = 0;
    for (const Vec3& v : hull_.vertices) reach = std::fmax(reach, dot(normal, v - s.a));
    if (normal == Vec3{} || !(std::fabs(dot(normal, s.b - s.a)) <= slack_) ||
        !(std::fabs(dot(normal, s.c - s.a)) <= slack_)) {
      reach = std::numeric_limits<double>::infinity();
    }
    return reach;
  }

  /// Whether the triangle has no point in the inside of the hull, to within the slack.
  [[nodiscard]] bool is_off_hull(const Triangle& s) const {
    return std::any_of(faces_here_.begin(), faces_here_.end(), [&](std::uint32_t f) {
      const auto [normal, offset] = faces_[f];
      return dot(normal, s.a) >= offset - slack_ && dot(normal, s.b) >= offset - slack_ &&
             dot(normal, s.c) >= offset - slack_;
    });
  }

  /// The closer look; infinite where it shows nothing.
  double surface_bound(const Box& box, double r) {
    constexpr double nothing = std::numeric_limits<double>::infinity();
    if (triangles_here_.size() > few_triangles || hull_.dimension < 3) return nothing;
    // Towards the middle of the hull, as far as the box reaches.
    const Vec3 way = middle_ - box.center;
    double along = 1;
    for (int k = 0; k < 3; ++k) {
      const double most = 0.8 * half_[k];
      if (std::fabs(way[k]) * along > most) along = most / std::fabs(way[k]);
    }
    const Vec3 o = box.center + way * along;
    double part = 0; // of the way from x to o that is not known to be in K
    const auto pass = [&](double front, double behind) {
      if (!(behind > 0)) return false;
      part = std::fmax(part, front / (front + behind));
      return true;
    };
    for (const std::uint32_t f : faces_here_) {
      const double behind = faces_[f].offset - slack_ - dot(faces_[f].normal, o);
      if (!pass(slack_, behind)) return nothing;
    }
    for (std::size_t i = 0; i < triangles_here_.size(); ++i) {
      const std::uint32_t t = triangles_here_[i];
      const Triangle s = triangle(t);
      if (distance_[i] > r + slack_ || is_off_hull(s)) continue;
      const Vec3 normal = normalized_or(cross(s.b - s.a, s.c - s.a), {});
      const double behind = dot(normal, s.a - o) - 2 * slack_;
      if (!(behind > 0)) return nothing;
      const double front = reach_beyond(t, s, normal) + 2 * slack_;
      if (!(front < nothing) || !pass(front, behind)) return nothing;
    }
    const double bound = part * 2 * r * (1 + 8 * tolerance::epsilon);
    if (!(bound < box.bound) || body_.inside->count(o) == 0) return nothing;
    return bound;
  }

  const ConvexHull& hull_;
  const MeshBody& body_;
  ExcessOptions options_;
  Vec3 low_, high_, middle_, half_;
  double size_ = 0, slack_ = 0;
  std::vector<Face> faces_;
  std::vector<double> triangle_reach_; ///< negative: not known yet
  double reached_ = 0;                 ///< the distance of some point
  double proven_ = 0;                  ///< no box dropped so far has more
  // Of the box being looked at.
  std::vector<std::uint32_t> triangles_here_, faces_here_;
  std::vector<double> distance_;
};

} // namespace

double hull_excess(const ConvexHull& hull, const MeshBody& body, const ExcessOptions& options) {
  if (hull.vertices.empty() || body.triangles.empty()) return 0;
  return Search(hull, body, options).bound();
}

} // namespace carom
