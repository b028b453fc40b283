// From points where the shapes meet, the best goes uphill in steps that get shorter: r + s as a function of x has no steeper slope than 2, and of two convex shapes no second summit.
#include "carom/query/inner_pair.h"

#include "carom/geometry/triangle_triangle.h"
#include "carom/math/tolerance.h"
#include "carom/query/closest_point.h"
#include "carom/query/moved_pose.h"
#include "carom/query/overlap.h"
#include "carom/query/part_walk.h"
#include "carom/tree/triangle_nearest.h"
#include "carom/tree/triangle_winding.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace carom {
namespace {

/// How deep a point is in a shape.
struct Depth {
  double value =
      -INFINITY; ///< the radius of a ball in the shape around it; negative outside: the distance
  Vec3 nearest;  ///< on the surface, in the world
  PartId part;
};

/// One of the shapes, asked for depths. Points are in the world.
class Probe {
public:
  Probe(const Shape& shape, const Pose& pose)
      : shape_(shape), pose_(pose), frame_(pose.frame()), mesh_(body_of<TriangleMesh>(shape)) {
    solid_ = mesh_ && mesh_->solid();
    sheet_ =
        shape.rounding() == 0 && (shape.convex() ? !(shape.inner_ball().radius > 0)
                                                 : !solid_ && shape.kind() != ShapeKind::compound);
  }
  [[nodiscard]] const Frame& frame() const { return frame_; }
  [[nodiscard]] const TriangleMesh* mesh() const { return mesh_; }
  /// No more than a skin (triangles, points, a flat shape): a point next to it is not in it, however near.
  [[nodiscard]] bool sheet() const { return sheet_; }
  [[nodiscard]] double size() const { return shape_.size(); }

  /// `surely_inside`: known to be in it, from the point before.
  [[nodiscard]] Depth depth(const Vec3& p, bool surely_inside = false) const {
    if (solid_) return depth_in_solid(p, surely_inside);
    const SurfacePoint s = closest_point(p, shape_, pose_);
    if (s.status == Status::bad_input) return {};
    if (sheet_ && s.value <= rounding(p)) return {0, s.point, s.part};
    return {-s.upper_bound, s.point, s.part};
  }
  /// A convex piece around p, where the depth is as given.
  [[nodiscard]] std::optional<PlacedPiece> piece(const Vec3& p, const Depth& at) const;

private:
  [[nodiscard]] double rounding(const Vec3& p) const {
    return 64 * tolerance::epsilon * (shape_.size() + length(p - pose_.position));
  }
  [[nodiscard]] Depth depth_in_solid(const Vec3& p, bool surely_inside) const {
    const Vec3 local = frame_.to_local(p);
    const NearTriangle near = nearest_triangle(mesh_->tree(), mesh_->surface(), local);
    if (!near) return {};
    const Vec3 nearest = frame_.to_world(near.on.point);
    const double away = near.on.distance;
    const double grown = shape_.rounding();
    if (away <= rounding(p)) return {grown, nearest, {}};
    const bool inside = (surely_inside && grown == 0) ||
                        winding_around(mesh_->tree(), mesh_->surface(), local) >= 1;
    return {(inside ? away : -away) - rounding(p) + grown, nearest, {}};
  }
  [[nodiscard]] std::optional<PlacedPiece> piece_of_part(std::uint32_t element) const;
  [[nodiscard]] Sphere grown_ball(const Vec3& p, const Depth& at) const;

  const Shape& shape_;
  const Pose& pose_;
  Frame frame_;
  const TriangleMesh* mesh_;
  bool sheet_ = false, solid_ = false;
};

/// Touching the surface at the same place, as large as there is room.
Sphere Probe::grown_ball(const Vec3& p, const Depth& at) const {
  Sphere best{p, std::max(at.value, 0.0)};
  const double grown = shape_.rounding();
  if (!solid_ || !(at.value > grown)) return best;
  const Vec3 n = normalized(p - at.nearest);
  double low = at.value - grown;
  double high = 2 * shape_.size() + low;
  for (int i = 0; i < 24 && high > low * (1 + 0x1p-6); ++i) {
    const double r = i < 12 && high > 2 * low ? 2 * low : (low + high) / 2;
    const Vec3 c = at.nearest + n * r;
    const Depth there = depth(c, true);
    // It may lose a thousandth of the overlap.
    if (there.value - grown > r - at.value * 0x1p-10 - rounding(c)) {
      low = r;
      best = {c, there.value};
    } else {
      high = r;
    }
  }
  return best;
}

/// The triangle of a surface, or the point of a cloud, with the rounding around it.
std::optional<PlacedPiece> Probe::piece_of_part(std::uint32_t element) const {
  if (solid_ || element == PartId::none) return std::nullopt;
  Result<Shape> core = failure(ErrorCode::degenerate, "");
  if (mesh_) {
    const Triangle t = mesh_->surface()[element];
    core = Shape::triangle(t.a, t.b, t.c);
  } else if (const auto* cloud = body_of<PointCloud>(shape_)) {
    core = Shape::sphere(0, cloud->points()[element]);
  }
  if (core && shape_.rounding() > 0) core = core->rounded(shape_.rounding());
  if (!core) return std::nullopt;
  return PlacedPiece{*core, pose_};
}

std::optional<PlacedPiece> Probe::piece(const Vec3& p, const Depth& at) const {
  if (shape_.convex()) return PlacedPiece{shape_, pose_};
  if (const auto* compound = body_of<Compound>(shape_)) {
    const CompoundPart& part = compound->parts()[at.part.part];
    const Pose pose = pose_ * part.pose;
    const Probe probe(part.shape, pose);
    return probe.piece(p, probe.depth(p));
  }
  if (auto part = piece_of_part(at.part.element)) return part;
  const Sphere ball = grown_ball(p, at);
  auto sphere = Shape::sphere(ball.radius, ball.center);
  if (!sphere) return std::nullopt;
  return PlacedPiece{*sphere, Pose::identity()};
}

/// A point, and how deep it is in A and in the moved B.
struct Place {
  Vec3 x;
  Depth a, b;
  double worth = -INFINITY;
};

/// Points are where A stands; B's are moved back by t before they are looked at.
class Climb {
public:
  Climb(const Probe& a, const Probe& b, const Vec3& t) : a_(a), b_(b), t_(t) {}

  /// At a point of A, or of B.
  [[nodiscard]] Place at_corner(const Vec3& x, bool of_a) const {
    Place place{x, {0, x, {}}, {0, x - t_, {}}, 0};
    Depth& other = of_a ? place.b : place.a;
    other = of_a ? b_.depth(x - t_) : a_.depth(x);
    place.worth = other.value;
    return place;
  }
  [[nodiscard]] Place at(const Vec3& x) const { return next_to({}, x, 0); }

  /// Uphill, by steps along the axes and the diagonals, until `enough` is reached.
  [[nodiscard]] Place top(Place place, double step, double enough) const {
    const double least = step * 0x1p-10;
    for (int round = 0; round < most_rounds && step > least && place.worth < enough; ++round) {
      bool moved = false;
      for (int k = 0; k < 14 && place.worth < enough; ++k) {
        const Place next = next_to(place, place.x + direction(k) * step, step);
        // What gains less than a part of the step is not worth it.
        if (next.worth > place.worth + step * 0x1p-6) {
          place = next;
          moved = true;
        }
      }
      if (!moved) step /= 2;
    }
    return place;
  }

private:
  /// Some dozen are usual. A flat ridge may be long, and its steps short.
  static constexpr int most_rounds = 128;

  static Vec3 direction(int k) {
    const double s = 0.57735;
    if (k < 8) return {k & 1 ? s : -s, k & 2 ? s : -s, k & 4 ? s : -s};
    Vec3 d;
    d[(k - 8) / 2] = k % 2 == 0 ? 1 : -1;
    return d;
  }
  /// At a point within `step` of another; on a sheet, at the point of it that is nearest.
  [[nodiscard]] Place next_to(const Place& before, const Vec3& from, double step) const {
    Vec3 x = from;
    if (a_.sheet()) x = a_.depth(x).nearest;
    if (b_.sheet()) x = b_.depth(x - t_).nearest + t_;
    const bool same = x == from;
    Place next{x, a_.depth(x, same && before.a.value > step), {}, 0};
    next.worth = next.a.value;
    if (next.worth < 0) return next;
    // B's depth changes by no more than the step.
    if (same && step > 0 && before.b.value >= 0 &&
        next.a.value + before.b.value + step <= before.worth) {
      next.worth = -INFINITY;
      return next;
    }
    next.b = b_.depth(x - t_, same && before.b.value > step);
    next.worth = next.b.value < 0 ? next.b.value : next.a.value + next.b.value;
    return next;
  }
  const Probe& a_;
  const Probe& b_;
  const Vec3& t_;
};

/// The best point to begin with, and the room around it.
struct Start {
  Place best;
  Vec3 low{INFINITY, INFINITY, INFINITY};
  Vec3 high = -low;

  void add(const Place& place) {
    if (place.worth > best.worth) best = place;
    low = min(low, place.x);
    high = max(high, place.x);
  }
};

Triangle placed(const Triangle& t, const Frame& f) {
  return {f.to_world(t.a), f.to_world(t.b), f.to_world(t.c)};
}

/// Corners of triangles that meet, and the middle of where they do.
void add_meetings(const Probe& a, const Probe& b, const PartPair& pair, const Climb& climb,
                  double enough, Start& start) {
  constexpr std::size_t most_pairs = 192;
  constexpr std::size_t used_pairs = 12;
  std::vector<TrianglePair> pairs;
  all_meetings(a.mesh()->set(), b.mesh()->set(), pair.b_in_a(), [&](const TrianglePair& found) {
    pairs.push_back(found);
    return pairs.size() < most_pairs;
  });
  Vec3 sum;
  int met = 0;
  const std::size_t stride = pairs.size() / used_pairs + 1;
  for (std::size_t i = 0; i < pairs.size() && start.best.worth < enough; i += stride) {
    const Triangle x = placed(a.mesh()->surface()[pairs[i].a], pair.frame_a());
    const Triangle y = placed(b.mesh()->surface()[pairs[i].b], pair.frame_b());
    const TriangleIntersection common = intersect(x, y);
    for (int k = 0; k < common.count; ++k) sum += common.points[static_cast<std::size_t>(k)];
    met += common.count;
    for (const Vec3& p : {x.a, x.b, x.c}) start.add(climb.at_corner(p, true));
    for (const Vec3& p : {y.a, y.b, y.c}) start.add(climb.at_corner(p, false));
  }
  if (met > 0) start.add(climb.at(sum * (1.0 / met)));
}

} // namespace

std::optional<InnerPair> inner_pair_at(const Shape& a, const Pose& pose_a, const Shape& b,
                                       const Pose& pose_b, const Vec3& t, double enough) {
  const Pose moved_b = moved(pose_b, t);
  const Probe probe_a(a, pose_a);
  const Probe probe_b(b, pose_b);
  const Climb climb(probe_a, probe_b, t);
  Start start;
  if (probe_a.mesh() && probe_b.mesh())
    add_meetings(probe_a, probe_b, PartPair(a, pose_a, b, moved_b), climb, enough, start);
  if (!(start.best.worth > 0)) {
    const ShapeOverlap met = overlap(a, pose_a, b, moved_b);
    if (!met.hit) return std::nullopt;
    start.add(climb.at(met.point));
    if (!(start.best.worth >= 0)) start.add(climb.at_corner(met.point, true));
  }
  const double width = length(start.high - start.low);
  const double room = width > 0 ? width : std::min(probe_a.size(), probe_b.size());
  const Place best = climb.top(start.best, room / 4, enough);
  if (!(best.worth >= 0)) return std::nullopt;
  auto piece_a = probe_a.piece(best.x, best.a);
  auto piece_b = probe_b.piece(best.x - t, best.b);
  if (!piece_a || !piece_b) return std::nullopt;
  return InnerPair{*piece_a, *piece_b};
}

} // namespace carom
