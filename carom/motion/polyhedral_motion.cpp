// One resting body after the other: the parts of it near the motion are found in its own frame, the moving body is placed there (for a rotation, both in the frame of the axis), and the
// first meeting is searched for among them, no later than the first of the bodies before. Then the pose, and the contacts at it.
#include "carom/motion/polyhedral_motion.h"

#include "carom/math/tolerance.h"
#include "carom/math/trig.h"
#include "carom/mesh/mesh_check.h"
#include "carom/motion/polyhedral_memory.h"
#include "carom/motion/polyhedral_rotation.h"

#include <algorithm>
#include <cmath>

namespace carom {

PolyhedralCache::PolyhedralCache() : memory_(std::make_unique<Memory>()) {}
PolyhedralCache::~PolyhedralCache() = default;
PolyhedralCache::PolyhedralCache(PolyhedralCache&&) noexcept = default;
PolyhedralCache& PolyhedralCache::operator=(PolyhedralCache&&) noexcept = default;

Frame relative_frame_of(const Frame& moving, const Frame& resting) {
  return {{transpose_mul(resting.basis, moving.basis.x),
           transpose_mul(resting.basis, moving.basis.y),
           transpose_mul(resting.basis, moving.basis.z)},
          resting.to_local(moving.origin)};
}

ExpelZone zone_of(const Polyhedron& moving, const Pose& pose, const Polyhedron& resting,
                  const Pose& resting_pose, double more, const PolyhedralOptions& options) {
  const double size = moving.size() + resting.size();
  const double all = size + max_abs(pose.position) + max_abs(resting_pose.position) + more;
  return ExpelZone::of(size, all, options.expel_zone);
}

std::size_t place_near(const Polyhedron& body, const Frame& frame, const Aabb& box,
                       const PolyhedralOptions& options, PolyhedralCache::Memory& memory) {
  find_polygons(body, box, options.culling, memory.near);
  memory.resting.start(body, frame, options.both_sides, options.skip_internal);
  for (const std::uint32_t p : memory.near) memory.resting.add_polygon(p);
  for (const std::uint32_t e : body.loose_edges()) memory.resting.add_loose_edge(e);
  for (const std::uint32_t v : body.loose_vertices()) memory.resting.add_loose_vertex(v);
  return memory.near.size();
}

namespace {

bool usable(const Pose& pose) {
  const Quat& q = pose.rotation;
  return in_range(pose.position) && std::isfinite(q.x) && std::isfinite(q.y) &&
         std::isfinite(q.z) && std::isfinite(q.w);
}

bool usable(const Pose& pose, std::span<const PlacedPolyhedron> stationary) {
  return usable(pose) && std::all_of(stationary.begin(), stationary.end(), [](const auto& s) {
           return s.body != nullptr && usable(s.pose);
         });
}

PolyhedralMove refused(const Pose& pose) {
  PolyhedralMove m;
  m.fraction = 0;
  m.pose = pose;
  m.status = Status::bad_input;
  return m;
}

/// The search over all resting bodies.
struct Moving {
  const Polyhedron& body;
  std::span<const PlacedPolyhedron> stationary;
  const PolyhedralOptions& options;
  PolyhedralCache::Memory& memory;
  FirstHit first{};
  std::uint32_t met = 0; ///< the body that stops it
  Vec3 normal{};         ///< in the world, from the resting body
  PolyhedralMove result{};

  void note(std::uint32_t number, const Frame& working) {
    if (first.found) {
      met = number;
      normal = working.direction_to_world(first.hit.normal);
    }
    first.found = false;
  }

  void contacts(double more) {
    if (!first.hit.hit) return;
    std::vector<PolyhedralContact>& list = result.contacts;
    const PlacedPolyhedron& stopper = stationary[met];
    list.push_back(contact_between(body, result.pose.frame(), *stopper.body, stopper.pose.frame(),
                                   first.kind, first.on_moving, first.on_resting));
    list[0].stationary = met;
    list[0].normal = -normal;
    if (options.contact_tolerance < 0) return;
    const PolyhedralContact stop = list[0];
    for (std::uint32_t i = 0; i < stationary.size(); ++i) {
      const ExpelZone zone =
          zone_of(body, result.pose, *stationary[i].body, stationary[i].pose, more, options);
      const double tolerance =
          options.contact_tolerance > 0 ? options.contact_tolerance : 2 * zone.thickness;
      add_contacts(body, result.pose, stationary[i], i, tolerance, zone, options, memory,
                   i == met ? &stop : nullptr, list);
    }
  }
};

/// The box that points on arcs stay in, seen from a resting body: `frame` leads from the axis' frame to its own.
Aabb arc_box(std::span<const Vec3> points, const Frame& frame, const ZTurn& end, double margin) {
  Aabb box;
  for (const Vec3& p : points) {
    for (int i = 0; i < 3; ++i) {
      const Vec3 row = frame.basis.row(i);
      const double base = row.z * p.z + frame.origin[i];
      const double u = row.x * p.x + row.y * p.y, w = row.y * p.x - row.x * p.y;
      // u cos + w sin has its greatest value between the ends where it rises at the first and falls at the last.
      const double last = u * end.cos + w * end.sin, slope = w * end.cos - u * end.sin;
      double low = std::min(u, last), high = std::max(u, last);
      const double swing = std::sqrt(u * u + w * w);
      if (w > 0 && slope < 0) high = swing;
      if (w < 0 && slope > 0) low = -swing;
      box.min[i] = std::min(box.min[i], base + low - margin);
      box.max[i] = std::max(box.max[i], base + high + margin);
    }
  }
  return box;
}

Pose turned(const Pose& pose, const Vec3& point, const Quat& by) {
  return {normalized(by * pose.rotation), point + to_matrix(by) * (pose.position - point)};
}

/// A part of a rotation, at most half a turn: sets first.hit, its times being tan(angle / 2).
void search_part(Moving& m, const Pose& pose, const Vec3& point, const Vec3& axis, double angle,
                 double more) {
  m.first = {};
  m.first.limit = tan(0.5 * angle);
  const Vec3 x = perpendicular(axis), y = cross(axis, x);
  const Frame at = pose.frame();
  const Vec3 middle = at.to_world(m.body.bounds().center());
  const Frame axis_frame{{x, y, axis}, point + axis * dot(axis, middle - point)};
  m.memory.moving.start(m.body, relative_frame_of(at, axis_frame), m.options.both_sides,
                        m.options.skip_internal);
  m.memory.moving.add_everything();
  for (std::uint32_t i = 0; i < m.stationary.size(); ++i) {
    const PlacedPolyhedron& s = m.stationary[i];
    const ExpelZone zone = zone_of(m.body, pose, *s.body, s.pose, more, m.options);
    const Frame own = s.pose.frame();
    const Aabb box = arc_box(m.memory.moving.vertices(), relative_frame_of(axis_frame, own),
                             ZTurn(m.first.limit), 2 * zone.thickness);
    m.result.polygons +=
        place_near(*s.body, relative_frame_of(own, axis_frame), box, m.options, m.memory);
    m.result.expel_zone = std::max(m.result.expel_zone, zone.thickness);
    search_rotation(m.memory.moving, m.memory.resting, zone, m.options, m.memory.search, m.first);
    m.note(i, axis_frame);
  }
}

} // namespace

PolyhedralMove move_translation(const Polyhedron& moving, const Pose& pose, const Vec3& translation,
                                std::span<const PlacedPolyhedron> stationary,
                                const PolyhedralOptions& options, PolyhedralCache* cache) {
  if (!usable(pose, stationary) || !in_range(translation)) return refused(pose);
  PolyhedralCache own;
  Moving m{moving, stationary, options, (cache ? *cache : own).memory()};
  const double more = max_abs(translation);
  for (std::uint32_t i = 0; i < stationary.size(); ++i) {
    const PlacedPolyhedron& s = stationary[i];
    const ExpelZone zone = zone_of(moving, pose, *s.body, s.pose, more, options);
    const Frame world = s.pose.frame();
    const Vec3 motion = world.direction_to_local(translation);
    m.memory.moving.start(moving, relative_frame_of(pose.frame(), world), options.both_sides,
                          options.skip_internal);
    m.memory.moving.add_everything();
    Aabb box;
    for (const Vec3& v : m.memory.moving.vertices()) box = {min(box.min, v), max(box.max, v)};
    const Vec3 far = motion * m.first.limit, margin = Vec3{1, 1, 1} * (2 * zone.thickness);
    box = {min(box.min, box.min + far) - margin, max(box.max, box.max + far) + margin};
    m.result.polygons += place_near(*s.body, {}, box, options, m.memory);
    m.result.expel_zone = std::max(m.result.expel_zone, zone.thickness);
    search_translation(m.memory.moving, m.memory.resting, motion, zone, options, m.memory.search,
                       m.first);
    m.note(i, world);
  }
  m.result.hit = m.first.hit.hit;
  m.result.fraction = m.result.hit ? m.first.hit.at : 1;
  m.result.pose = {pose.rotation, pose.position + translation * m.result.fraction};
  m.contacts(more);
  return std::move(m.result);
}

PolyhedralMove move_rotation(const Polyhedron& moving, const Pose& pose, const Vec3& axis_point,
                             const Vec3& axis, double angle,
                             std::span<const PlacedPolyhedron> stationary,
                             const PolyhedralOptions& options, PolyhedralCache* cache) {
  if (!usable(pose, stationary) || !in_range(axis_point) || !is_finite(axis) ||
      !std::isfinite(angle) || !(length(axis) > 0 && length(axis) < INFINITY))
    return refused(pose);
  PolyhedralCache own;
  Moving m{moving, stationary, options, (cache ? *cache : own).memory()};
  // Clockwise about an axis is counter-clockwise about its opposite.
  const Vec3 unit = normalized(angle < 0 ? -axis : axis);
  const double whole = std::fabs(angle);
  // What does not meet in one turn does not meet in the next.
  const double searched = std::min(whole, two_pi);
  const int parts = std::max(1, static_cast<int>(std::ceil(searched / half_pi - 1e-9)));
  const double part = searched / parts;
  const double more = max_abs(axis_point) + distance(pose.position, axis_point);
  Pose at = pose;
  for (int i = 0; i < parts && !m.result.hit && whole > 0; ++i) {
    at = turned(pose, axis_point, Quat::from_axis_angle(unit, i * part));
    search_part(m, at, axis_point, unit, part, more);
    if (!m.first.hit.hit) continue;
    const double r = m.first.hit.at;
    m.result.hit = true;
    m.result.fraction = std::min((i * part + 2 * atan(r)) / whole, 1.0);
    m.result.pose = turned(at, axis_point, Quat{unit.x * r, unit.y * r, unit.z * r, 1});
    if (r == 0) m.result.pose = i == 0 ? pose : at;
  }
  if (!m.result.hit)
    m.result.pose = whole > 0 ? turned(pose, axis_point, Quat::from_axis_angle(unit, whole)) : pose;
  m.contacts(more);
  return std::move(m.result);
}

PolyhedralPairMove move_both_translation(const Polyhedron& a, const Pose& pose_a,
                                         const Vec3& translation_a, const Polyhedron& b,
                                         const Pose& pose_b, const Vec3& translation_b,
                                         const PolyhedralOptions& options, PolyhedralCache* cache) {
  const PlacedPolyhedron resting{&b, pose_b};
  PolyhedralPairMove both;
  both.pose_b = pose_b;
  both.a =
      move_translation(a, pose_a, translation_a - translation_b, {&resting, 1}, options, cache);
  if (both.a.status == Status::bad_input) return both;
  const Vec3 moved = translation_b * both.a.fraction;
  both.a.pose.position = pose_a.position + translation_a * both.a.fraction;
  both.pose_b.position += moved;
  for (PolyhedralContact& c : both.a.contacts) {
    c.moving_point += moved;
    c.resting_point += moved;
  }
  return both;
}

PolyhedralPairMove move_both_rotation(const Polyhedron& a, const Pose& pose_a, double angle_a,
                                      const Polyhedron& b, const Pose& pose_b, double angle_b,
                                      const Vec3& axis_point, const Vec3& axis,
                                      const PolyhedralOptions& options, PolyhedralCache* cache) {
  const PlacedPolyhedron resting{&b, pose_b};
  PolyhedralPairMove both;
  both.pose_b = pose_b;
  both.a =
      move_rotation(a, pose_a, axis_point, axis, angle_a - angle_b, {&resting, 1}, options, cache);
  if (both.a.status == Status::bad_input || !std::isfinite(angle_b)) return both;
  const Quat by = Quat::from_axis_angle(axis, angle_b * both.a.fraction);
  const Mat3 turn = to_matrix(by);
  // What A did relative to B, and then what both do together.
  both.a.pose = turned(both.a.pose, axis_point, by);
  both.pose_b = turned(pose_b, axis_point, by);
  for (PolyhedralContact& c : both.a.contacts) {
    c.moving_point = axis_point + turn * (c.moving_point - axis_point);
    c.resting_point = axis_point + turn * (c.resting_point - axis_point);
    c.normal = turn * c.normal;
  }
  return both;
}

} // namespace carom
