// All contacts of two bodies at rest. Features are moved toward each other along the normal between them: a vertex along that of the polygon, an edge along d1 x d2. Those that would meet, within the
// tolerance, are contacts. So a brick on a wall is held by vertices over polygons and by the edges that cross: the corners of the common area.
#include "carom/motion/polyhedral_memory.h"
#include "carom/motion/polyhedral_translation.h"

#include <algorithm>
#include <cmath>

namespace carom {
namespace {

using Kind = PolyhedralContact::Kind;

class ContactSearch {
public:
  ContactSearch(const PlacedParts& moving, const PlacedParts& resting, double tolerance,
                const ExpelZone& zone, bool both_sides)
      : m_(moving), s_(resting), tolerance_(tolerance), zone_(zone), both_(both_sides) {}

  /// found(kind, number on the moving body, on the resting one, points on both, normal from the resting to the moving)
  template<class Found>
  void run(Found&& found) const {
    over_polygons(m_, s_,
                  [&](std::uint32_t v, std::uint32_t p, const FeaturePoints& at, const Vec3& n) {
                    found(Kind::vertex_polygon, v, p, at.on_a, at.on_b, n);
                  });
    over_polygons(s_, m_,
                  [&](std::uint32_t v, std::uint32_t p, const FeaturePoints& at, const Vec3& n) {
                    found(Kind::polygon_vertex, p, v, at.on_b, at.on_a, -n);
                  });
    for (const PlacedParts::Edge& q : s_.edges())
      for (const PlacedParts::Edge& p : m_.edges())
        if (p.collides && q.collides) crossing(p, q, found);
  }

private:
  template<class Found>
  void over_polygons(const PlacedParts& points, const PlacedParts& polygons, Found&& found) const {
    for (const PlacedParts::Polygon& p : polygons.polygons()) {
      for (std::uint32_t v = 0; v < points.vertices().size(); ++v) {
        const double h = p.plane.signed_distance(points.vertices()[v]);
        if (!(h <= tolerance_ && h >= (both_ ? -tolerance_ : -zone_.rounding))) continue;
        if (!points.vertex_collides(v)) continue;
        const FeaturePoints near = nearest_points(points.vertices()[v], polygons.view(p));
        // Above the polygon, not beside it.
        if (near.distance > std::fabs(h) + zone_.lateral) continue;
        found(points.vertex_id(v), p.id, near, p.plane.normal * (h < 0 && both_ ? -1.0 : 1.0));
      }
    }
  }

  [[nodiscard]] bool apart(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) const {
    const Vec3 low1 = min(a, b), high1 = max(a, b), low2 = min(c, d), high2 = max(c, d);
    for (int i = 0; i < 3; ++i)
      if (low1[i] > high2[i] + tolerance_ || low2[i] > high1[i] + tolerance_) return true;
    return false;
  }

  template<class Found>
  void crossing(const PlacedParts::Edge& p, const PlacedParts::Edge& q, Found&& found) const {
    const Vec3 &a = m_.vertices()[p.from], &b = m_.vertices()[p.to];
    const Vec3 &c = s_.vertices()[q.from], &d = s_.vertices()[q.to];
    if (apart(a, b, c, d)) return;
    EdgePairNormal pair;
    if (!EdgePairNormal::find(b - a, d - c, zone_, pair)) return;
    const double gap = dot(pair.normal, a - c);
    const Vec3 normal = gap < 0 ? -pair.normal : pair.normal;
    if (std::fabs(gap) > tolerance_) return;
    const EdgeView moving = m_.view(p), still = s_.view(q);
    if (!supports(still.inward, normal) || !supports(moving.inward, -normal)) return;
    const FeaturePoints near = nearest_points(a, b, c, d);
    if (near.distance > std::fabs(gap) + zone_.lateral) return;
    found(Kind::edge_edge, p.id, q.id, near.on_a, near.on_b, normal);
  }

  const PlacedParts &m_, &s_;
  const double tolerance_;
  const ExpelZone& zone_;
  const bool both_;
};

} // namespace

void add_contacts(const Polyhedron& moving, const Pose& pose, const PlacedPolyhedron& resting,
                  std::uint32_t number, double tolerance, const ExpelZone& zone,
                  const PolyhedralOptions& options, PolyhedralCache::Memory& memory,
                  const PolyhedralContact* skip, std::vector<PolyhedralContact>& contacts) {
  const Frame world = resting.pose.frame();
  const Frame relative = relative_frame_of(pose.frame(), world);
  memory.moving.start(moving, relative, options.both_sides, options.skip_internal);
  memory.moving.add_everything();
  Aabb box;
  const Vec3 margin{tolerance, tolerance, tolerance};
  for (const Vec3& v : memory.moving.vertices())
    box = {min(box.min, v - margin), max(box.max, v + margin)};
  (void)place_near(*resting.body, {}, box, options, memory);
  ContactSearch(memory.moving, memory.resting, tolerance, zone, options.both_sides)
      .run([&](Kind kind, std::uint32_t on_moving, std::uint32_t on_resting, const Vec3& at_moving,
               const Vec3& at_resting, const Vec3& normal) {
        if (skip && skip->kind == kind && skip->on_moving == on_moving &&
            skip->on_resting == on_resting)
          return;
        contacts.push_back({kind, number, on_moving, on_resting, world.to_world(at_moving),
                            world.to_world(at_resting), world.direction_to_world(-normal),
                            distance(at_moving, at_resting)});
      });
}

PolyhedralContact contact_between(const Polyhedron& moving, const Frame& moving_frame,
                                  const Polyhedron& resting, const Frame& resting_frame, Kind kind,
                                  std::uint32_t on_moving, std::uint32_t on_resting) {
  const Frame relative = relative_frame_of(moving_frame, resting_frame);
  const auto corners = [](const Polyhedron& body, std::uint32_t p) {
    std::vector<Vec3> result;
    for (const std::uint32_t v : body.corners(body.polygons()[p]))
      result.push_back(body.vertices()[v]);
    return result;
  };
  FeaturePoints at;
  if (kind == Kind::vertex_polygon) {
    const std::vector<Vec3> polygon = corners(resting, on_resting);
    at = nearest_points(relative.to_world(moving.vertices()[on_moving]),
                        {resting.polygons()[on_resting].plane, polygon});
  } else if (kind == Kind::polygon_vertex) {
    const std::vector<Vec3> polygon = corners(moving, on_moving);
    const FeaturePoints back = nearest_points(relative.to_local(resting.vertices()[on_resting]),
                                              {moving.polygons()[on_moving].plane, polygon});
    at = {relative.to_world(back.on_b), resting.vertices()[on_resting], back.distance};
  } else {
    const PolyhedralEdge &p = moving.edges()[on_moving], &q = resting.edges()[on_resting];
    at = nearest_points(relative.to_world(moving.vertices()[p.from]),
                        relative.to_world(moving.vertices()[p.to]), resting.vertices()[q.from],
                        resting.vertices()[q.to]);
  }
  PolyhedralContact contact;
  contact.kind = kind;
  contact.on_moving = on_moving;
  contact.on_resting = on_resting;
  contact.moving_point = resting_frame.to_world(at.on_a);
  contact.resting_point = resting_frame.to_world(at.on_b);
  contact.separation = at.distance;
  return contact;
}

std::vector<PolyhedralContact> polyhedral_contacts(const Polyhedron& moving, const Pose& pose,
                                                   const Polyhedron& resting,
                                                   const Pose& resting_pose, double tolerance,
                                                   const PolyhedralOptions& options,
                                                   PolyhedralCache* cache) {
  PolyhedralCache own;
  std::vector<PolyhedralContact> contacts;
  if (!(tolerance >= 0)) return contacts;
  const ExpelZone zone = zone_of(moving, pose, resting, resting_pose, 0, options);
  add_contacts(moving, pose, {&resting, resting_pose}, 0, tolerance, zone, options,
               (cache ? *cache : own).memory(), nullptr, contacts);
  return contacts;
}

} // namespace carom
