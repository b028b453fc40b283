#include "carom/dynamics/joint_strain.h"

#include <algorithm>
#include <cmath>

namespace carom {
namespace {

/// Parts a second by which motion within a strained net slows down: it falls at a metre a second at most, and is at rest soon.
constexpr double calming = 10;

Vec3 vec(const float* v) { return {v[0], v[1], v[2]}; }
void put(const Vec3& v, float* to) {
  for (int i = 0; i < 3; ++i) to[i] = static_cast<float>(v[i]);
}
/// m x = b, by Cramer's rule.
Vec3 solved(const Mat3& m, const Vec3& b) {
  const Vec3 x{triple(b, m.y, m.z), triple(m.x, b, m.z), triple(m.x, m.y, b)};
  return x / determinant(m);
}

} // namespace

/// The net's first anchor is what it is seen from.
void JointStrain::hang(Net& net, std::uint32_t anchor, const BodyStore& bodies,
                       std::span<const BodyMotion> motions) {
  const bool first = !net.hung;
  net.hung = true;
  if (first) net.anchor = anchor;
  if (anchor == 0) return;
  const Body& driver = bodies[motions[anchor].slot];
  if (first) net.anchor_center = driver.frame.origin;
  const double speed = length(driver.velocity) + length(driver.angular_velocity) * driver.reach;
  net.driven = std::max(net.driven, 0.5 * speed * speed);
}

void JointStrain::begin(std::span<const Edge> edges, const BodyStore& bodies,
                        std::span<const BodyMotion> motions) {
  nets_.clear();
  members_.clear();
  sets_.reset(motions.size());
  for (const Edge& e : edges)
    if (e.a_moves && e.b_moves) sets_.join(e.a, e.b);
  const auto root = [&](const Edge& e) { return sets_.root(e.a_moves ? e.a : e.b); };
  net_at_root_.assign(motions.size(), no_index);
  for (const Edge& e : edges) {
    if (!e.open || net_at_root_[root(e)] != no_index) continue;
    net_at_root_[root(e)] = static_cast<std::uint32_t>(nets_.size());
    nets_.emplace_back();
  }
  net_of_.assign(motions.size(), no_index);
  for (const Edge& e : edges) {
    const std::uint32_t number = net_at_root_[root(e)];
    if (number == no_index) continue;
    for (const std::uint32_t place : {e.a, e.b}) {
      if (!(place == e.a ? e.a_moves : e.b_moves) || net_of_[place] != no_index) continue;
      net_of_[place] = number;
      const Body& body = bodies[motions[place].slot];
      members_.push_back(
          {place, number, body.mass, body.inertia, body.pose.rotation, body.frame.origin});
    }
    if (!e.a_moves || !e.b_moves) hang(nets_[number], e.a_moves ? e.b : e.a, bodies, motions);
  }
  for (const Member& m : members_) nets_[m.net].mass += m.mass;
  for (const Member& m : members_) {
    Net& net = nets_[m.net];
    const Member& first = *std::find_if(members_.begin(), members_.end(),
                                        [&](const Member& x) { return x.net == m.net; });
    net.inertia += m.inertia.x.x + m.inertia.y.y + m.inertia.z.z +
                   4 * m.mass * length_squared(m.center - first.center);
  }
  for (Net& net : nets_) net.driven *= net.mass;
}

JointStrain::Moving JointStrain::moving(const Member& m, std::span<const BodyMotion> motions,
                                        std::span<const SolverBody> states) {
  const float* t = motions[m.place].turn;
  const Mat3 r = to_matrix(normalized(Quat{t[0], t[1], t[2], t[3]} * m.rotation));
  const SolverBody& s = states[m.place];
  return {m.center + vec(s.moved), vec(s.velocity), vec(s.spin), r * m.inertia * transpose(r)};
}

void JointStrain::find_wholes(std::span<const SolverBody> states) {
  for (Net& net : nets_) {
    net.whole = {};
    if (!net.hung || net.anchor == 0) continue;
    const SolverBody& s = states[net.anchor];
    net.whole.center = net.anchor_center + vec(s.moved);
    net.whole.velocity = vec(s.velocity);
    net.whole.spin = vec(s.spin);
  }
  for (std::size_t i = 0; i < members_.size(); ++i) {
    const Member& m = members_[i];
    Whole& whole = nets_[m.net].whole;
    if (nets_[m.net].hung) continue;
    const Moving& body = moving_[i];
    whole.mass += m.mass;
    whole.center += body.at * m.mass;
    whole.velocity += body.velocity * m.mass;
  }
  for (Net& net : nets_) {
    if (net.hung) continue;
    net.whole.center = net.whole.center / net.whole.mass;
    net.whole.velocity = net.whole.velocity / net.whole.mass;
  }
  for (std::size_t i = 0; i < members_.size(); ++i) {
    const Member& m = members_[i];
    Whole& whole = nets_[m.net].whole;
    if (nets_[m.net].hung) continue;
    const Moving& body = moving_[i];
    const Vec3 arm = body.at - whole.center;
    whole.angular_momentum += cross(arm, body.velocity) * m.mass + body.inertia * body.spin;
    whole.inertia = whole.inertia + body.inertia +
                    (Mat3::identity() * length_squared(arm) - outer(arm, arm)) * m.mass;
  }
  for (Net& net : nets_)
    if (!net.hung) net.whole.spin = solved(net.whole.inertia, net.whole.angular_momentum);
}

void JointStrain::measure(std::span<const BodyMotion> motions, std::span<const SolverBody> states) {
  moving_.resize(members_.size());
  for (std::size_t i = 0; i < members_.size(); ++i)
    moving_[i] = moving(members_[i], motions, states);
  find_wholes(states);
  energies_.assign(nets_.size(), 0);
  for (std::size_t i = 0; i < members_.size(); ++i) {
    const Member& m = members_[i];
    const Whole& whole = nets_[m.net].whole;
    const Moving& body = moving_[i];
    const Vec3 spin = body.spin - whole.spin,
               v = body.velocity - whole.velocity - cross(whole.spin, body.at - whole.center);
    energies_[m.net] += 0.5 * (m.mass * length_squared(v) + dot(spin, body.inertia * spin));
  }
}

void JointStrain::before(std::span<const BodyMotion> motions, std::span<const SolverBody> states) {
  measure(motions, states);
  for (std::size_t i = 0; i < nets_.size(); ++i)
    nets_[i].allowed = std::max(energies_[i], nets_[i].driven);
}

void JointStrain::add_work(std::uint32_t place, double work) {
  if (net_of_[place] != no_index && work > 0) nets_[net_of_[place]].allowed += work;
}

void JointStrain::after(std::span<const BodyMotion> motions, std::span<SolverBody> states,
                        double time) {
  measure(motions, states);
  for (std::size_t i = 0; i < nets_.size(); ++i) {
    const double scale =
        energies_[i] > nets_[i].allowed ? std::sqrt(nets_[i].allowed / energies_[i]) : 1;
    energies_[i] = scale / (1 + calming * time); // from here on: a factor of velocities
  }
  for (const Member& m : members_) {
    const Whole& whole = nets_[m.net].whole;
    SolverBody& s = states[m.place];
    const Vec3 with = whole.velocity + cross(whole.spin, m.center + vec(s.moved) - whole.center);
    put(with + (vec(s.velocity) - with) * energies_[m.net], s.velocity);
    put(whole.spin + (vec(s.spin) - whole.spin) * energies_[m.net], s.spin);
  }
}

} // namespace carom
