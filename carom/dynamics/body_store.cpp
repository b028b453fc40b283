// A description is checked whole before anything is changed. Mass is the sum over shapes of density times volume, moved to the common centre (mesh/mass_properties.h).
#include "carom/dynamics/body_store.h"

#include "carom/dynamics/inner_core.h"
#include "carom/math/eigen3.h"
#include "carom/math/tolerance.h"
#include "carom/shape/mass.h"
#include "carom/shape/support.h"

#include <algorithm>
#include <cmath>

namespace carom {

bool is_position(const Vec3& p) { return max_abs(p) <= farthest_position && is_finite(p); }
bool is_rotation(const Quat& q) {
  const double l2 = length_squared(q);
  return l2 > 1e-20 && l2 < 1e20; // false for NaN
}
bool is_speed(const Vec3& v) { return max_abs(v) <= speed_limit && is_finite(v); }

namespace {

/// Motion may leave a coordinate of 1e-33, which queries refuse as out of range: so near to 0 it is 0.
Vec3 in_range(Vec3 p) {
  for (int i = 0; i < 3; ++i)
    if (std::fabs(p[i]) < tolerance::coordinate_min) p[i] = 0;
  return p;
}

// Masses between these keep products and quotients of a solver in floats away from overflow.
constexpr double least_mass = 1e-15, greatest_mass = 1e15;

bool at_least_0(double x) { return x >= 0 && x <= 1e15; }

using Shapes = std::vector<BodyShape>;

} // namespace

Result<void> check_shape(const BodyShape& s) {
  const Material& m = s.material;
  if (!is_position(s.pose.position) || !is_rotation(s.pose.rotation))
    return failure(ErrorCode::out_of_range,
                   "the pose of a shape is not a placement within 1e12 of its body");
  if (!at_least_0(s.density))
    return failure(ErrorCode::out_of_range, "a density is not between 0 and 1e15");
  if (!at_least_0(m.friction) || !at_least_0(m.restitution) || !at_least_0(m.rolling_friction))
    return failure(ErrorCode::out_of_range,
                   "friction, restitution and rolling friction are numbers >= 0");
  if (!is_speed(m.surface_velocity))
    return failure(ErrorCode::out_of_range, "a surface velocity is beyond 1e8, or no number");
  return {};
}

namespace {

Result<void> check(const BodyDef& def, const Shapes& shapes) {
  if (!is_position(def.pose.position) || !is_rotation(def.pose.rotation))
    return failure(ErrorCode::out_of_range,
                   "the pose is not a placement within 1e12 of the origin");
  if (!is_speed(def.velocity) || !is_speed(def.angular_velocity))
    return failure(ErrorCode::out_of_range, "a velocity is beyond 1e8, or no number");
  if (!at_least_0(def.linear_damping) || !at_least_0(def.angular_damping))
    return failure(ErrorCode::out_of_range, "damping is a number >= 0");
  if (!(std::fabs(def.gravity_scale) <= 1e15))
    return failure(ErrorCode::out_of_range, "the gravity scale is beyond 1e15, or no number");
  for (const BodyShape& s : shapes) {
    if (auto ok = check_shape(s); !ok) return ok;
    if (!s.shape.bounded() && def.kind == BodyKind::dynamic)
      return failure(ErrorCode::unbounded, "a half-space cannot be dynamic");
  }
  return {};
}

BodyMass computed_mass(const Shapes& shapes) {
  MassProperties all;
  bool first = true;
  for (const BodyShape& s : shapes) {
    if (s.sensor || !(s.density > 0)) continue;
    MassProperties m = moved(mass_properties(s.shape), s.pose.frame());
    m.volume *= s.density;
    m.inertia = m.inertia * s.density;
    all = first ? m : all + m;
    first = false;
  }
  return {all.volume, all.centroid, all.inertia};
}

Mat3 inverted(const Mat3& m) {
  const Vec3 a = cross(m.y, m.z), b = cross(m.z, m.x), c = cross(m.x, m.y);
  return transpose(Mat3{a, b, c}) * (1 / dot(m.x, a));
}

} // namespace

Result<void> check_mass(const BodyMass& m) {
  if (!(m.mass >= least_mass && m.mass <= greatest_mass))
    return failure(ErrorCode::degenerate,
                   "the mass of a dynamic body is not between 1e-15 and 1e15: its shapes have no "
                   "volume or density, or the mass given is not of that kind");
  if (!is_position(m.center))
    return failure(ErrorCode::out_of_range, "the centre of mass is beyond 1e12, or no number");
  const Vec3 principal = symmetric_eigen(m.inertia).values;
  const double least = std::min({principal.x, principal.y, principal.z});
  const double most = std::max({principal.x, principal.y, principal.z});
  if (!(least > 1e-9 * most && most >= 1e-25 && most <= 1e25))
    return failure(ErrorCode::degenerate,
                   "the inertia of a dynamic body is not positive definite, or out of range");
  return {};
}

void set_mass(Body& body, const BodyMass& m) {
  body.mass = m.mass;
  body.inverse_mass = 1 / m.mass;
  body.local_center = m.center;
  body.inertia = (m.inertia + transpose(m.inertia)) * 0.5;
  body.inverse_inertia = inverted(body.inertia);
  const Eigen3 eigen = symmetric_eigen(body.inertia);
  const Vec3& principal = eigen.values;
  body.principal = normalized(Quat::from_matrix(eigen.vectors));
  body.principal_inertia = principal;
  body.round_inertia =
      max_abs(principal - Vec3{principal.x, principal.x, principal.x}) <= 1e-12 * principal.x;
}

namespace {

/// How far the shape reaches from a point of the body's frame.
double reach_of(const BodyShape& s, const Vec3& from) {
  const Aabb box = bounds(s.shape, s.pose);
  const Vec3 far = max(abs(box.min - from), abs(box.max - from));
  return std::min(length(far), 1e30);
}

PlacedShape placed(const BodyShape& def, std::uint32_t body, std::uint32_t number,
                   const Vec3& center) {
  PlacedShape s{.body = body, .number = number, .def = def};
  s.reach = reach_of(def, center);
  s.at_home = def.pose == Pose::identity();
  s.in_body = {to_matrix(def.pose.rotation), def.pose.position - center};
  const Aabb own = bounds(def.shape);
  const Vec3 edges = own.max - own.min;
  s.half_width = std::min({edges.x, edges.y, edges.z, 1e30}) * 0.5;
  s.flat_core = def.shape.convex()
                    ? def.shape.polyhedral()
                    : def.shape.rounding() == 0 && def.shape.kind() != ShapeKind::point_cloud;
  return s;
}

} // namespace

Result<BodyId> BodyStore::add(const BodyDef& def) {
  Shapes shapes = def.shapes;
  if (def.shape)
    shapes.insert(shapes.begin(),
                  {*def.shape, {}, def.density, def.material, def.filter, def.sensor});
  if (auto ok = check(def, shapes); !ok) return tl::unexpected(ok.error());
  Body body;
  body.kind = def.kind;
  if (def.kind == BodyKind::dynamic) {
    const BodyMass mass = def.mass ? *def.mass : computed_mass(shapes);
    if (auto ok = check_mass(mass); !ok) return tl::unexpected(ok.error());
    set_mass(body, mass);
  } else if (def.mass && is_position(def.mass->center)) {
    body.local_center = def.mass->center;
  }
  std::uint32_t slot = bodies_.size();
  if (free_bodies_.empty()) {
    travels_.resize(std::size_t{slot} + 1);
    bodies_.emplace_back();
  } else {
    slot = free_bodies_.back();
    free_bodies_.pop_back();
  }
  body.generation = bodies_[slot].generation + 1;
  body.exists = true;
  body.can_sleep = def.can_sleep;
  body.locked = def.locked;
  if (def.kind != BodyKind::fixed) {
    body.velocity = def.velocity;
    body.angular_velocity = def.angular_velocity;
  }
  body.linear_damping = def.linear_damping;
  body.angular_damping = def.angular_damping;
  body.gravity_scale = def.gravity_scale;
  body.user = def.user;
  body.continuous = def.continuous;
  bodies_[slot] = std::move(body);
  for (const BodyShape& s : shapes) {
    std::uint32_t i = shapes_.size();
    if (free_shapes_.empty()) {
      shapes_.emplace_back();
    } else {
      i = free_shapes_.back();
      free_shapes_.pop_back();
    }
    bodies_[slot].shapes.push_back(i);
    put_shape_at(i, slot, s);
  }
  ++count_;
  place(slot, def.pose);
  return id_of(slot);
}

/// `i` is in the body's list already.
void BodyStore::put_shape_at(std::uint32_t i, std::uint32_t slot, const BodyShape& def) {
  Body& body = bodies_[slot];
  const auto number = static_cast<std::uint32_t>(
      std::find(body.shapes.begin(), body.shapes.end(), i) - body.shapes.begin());
  shapes_[i] = placed(def, slot, number, body.local_center);
  shapes_[i]->table = table_.number_of(def.shape);
  body.reach = std::max(body.reach, shapes_[i]->reach);
  const double inner = inner_size(def.shape);
  body.inner = number == 0 ? inner : std::min(body.inner, inner);
}

void BodyStore::remove(std::uint32_t slot) {
  Body& body = bodies_[slot];
  for (const std::uint32_t i : body.shapes) {
    shapes_[i].reset();
    free_shapes_.push_back(i);
  }
  const std::uint32_t generation = body.generation;
  body = Body{};
  body.generation = generation;
  // A slot whose generations are used up is given to nobody any more.
  if (generation + 1 != 0) free_bodies_.push_back(slot);
  --count_;
}

void BodyStore::place(std::uint32_t slot, const Pose& pose) {
  Body& body = bodies_[slot];
  body.pose = {normalized(pose.rotation), pose.position};
  body.frame.basis = to_matrix(body.pose.rotation);
  body.frame.origin = body.frame.basis * body.local_center + body.pose.position;
  place_shapes(body);
}

void BodyStore::place_center(std::uint32_t slot, const Quat& rotation, const Vec3& center) {
  Body& body = bodies_[slot];
  body.frame = {to_matrix(rotation), center};
  body.pose = {rotation, in_range(center - body.frame.basis * body.local_center)};
  place_shapes(body);
}

void BodyStore::arrange(std::span<const std::uint32_t> active,
                        std::span<const std::uint8_t> region_of, const RegionOrder& order) {
  std::size_t strays = 0;
  for (std::size_t i = 0; i < active.size(); ++i)
    strays += order.is_home(bodies_.place_of(active[i]), region_of[i]) ? 0 : 1;
  if (strays <= RegionOrder::few(active.size())) return;
  std::uint32_t at = 0, shape_at = 0;
  for (const std::uint32_t slot : active) {
    const std::uint32_t from = bodies_.place_of(slot);
    std::swap(travels_[from], travels_[at]);
    bodies_.swap_places(from, at++);
    for (const std::uint32_t i : bodies_[slot].shapes)
      shapes_.swap_places(shapes_.place_of(i), shape_at++);
  }
}

void BodyStore::place_shapes(const Body& body) {
  for (const std::uint32_t i : body.shapes) {
    PlacedShape& s = *shapes_[i];
    if (s.at_home) {
      s.world = {body.pose.rotation, in_range(body.pose.position)};
      s.frame = {body.frame.basis, s.world.position};
      continue;
    }
    s.world.rotation = body.pose.rotation * s.def.pose.rotation;
    s.world.position = in_range(body.frame.basis * s.def.pose.position + body.pose.position);
    s.frame = s.world.frame();
  }
}

} // namespace carom
