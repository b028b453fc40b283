// Calls of a world that the bytes choose: bodies of all shapes that come and go, bad ids, numbers that are none or huge, bodies put into each other, odd time steps, questions, filters, snapshots. Every pose must stay a number; a world
// restored from a snapshot must do the same as the one it was taken of; forged snapshots must be refused or do no harm. Prints how many calls there were.
#include "carom/dynamics/snapshot.h"
#include "carom/dynamics/world_queries.h"
#include "tests/dynamics/busy_scene.h"
#include "tests/support/source.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <optional>

namespace {

using namespace carom;
using test::Source;

class Tally {
public:
  ~Tally() { std::fprintf(stderr, "%llu calls, %llu restores\n", calls, restores); }
  unsigned long long calls = 0, restores = 0;
};
Tally tally; // NOLINT: prints when the program ends

void require(bool condition, const char* what) {
  if (condition) return;
  std::fprintf(stderr, "%llu: %s\n", tally.calls, what);
  std::abort();
}

/// Mostly of size about 1; seldom huge, tiny, or no number.
double number(Source& source) {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  constexpr double odd[] = {nan, INFINITY, -INFINITY, 1e300, -1e30, 1e12, 1e8, 1e-30, 1e-320, 0};
  if (source.chance(40)) return odd[source.index(10)];
  if (source.chance(12)) return (source.index(255) - 127) * 3.0;
  return (source.index(255) - 127) / 50.0;
}
Vec3 vec(Source& source) {
  const double x = number(source);
  const double y = number(source);
  const double z = number(source);
  return {x, y, z};
}
Pose pose(Source& source) {
  const Vec3 at = vec(source);
  const double w = number(source);
  const Vec3 v = vec(source);
  return source.chance(3) ? Pose{{v.x, v.y, v.z, w}, at} : Pose::at(at);
}

const std::vector<Shape>& shapes() {
  static const std::vector<Shape> all = [] {
    Random random(1);
    std::vector<Shape> list{test::cube(0.5),
                            test::ball(0.4),
                            test::rock(random),
                            test::dumbbell(),
                            test::dented_mesh(),
                            test::hills(),
                            Shape::capsule({-1, 0, 0}, {1, 0, 0}, 0.1).value(),
                            Shape::cylinder(0.5, 0.3).value(),
                            Shape::cone(1, 0.4).value(),
                            Shape::ellipsoid({0.5, 0.3, 0.2}).value(),
                            Shape::box({2, 2, 0.0005}).value(),
                            Shape::half_space({0, 0, 1}, -1).value(),
                            Shape::triangle({}, {1, 0, 0}, {0, 1, 0}).value(),
                            Shape::segment({}, {1, 0, 0}).value(),
                            Shape::point({}).value()};
    list.push_back(Shape::sum(list[0], list[1]).value());
    const Vec3 cloud[] = {{0, 0, 0}, {0.3, 0, 0}, {0, 0.4, 0.1}};
    list.push_back(Shape::point_cloud(cloud, 0.2).value());
    return list;
  }();
  return all;
}

BodyShape part(Source& source) {
  BodyShape s{.shape = shapes()[source.below(shapes().size())]};
  if (source.chance(3)) s.pose = pose(source);
  if (source.chance(4)) s.density = number(source);
  if (source.chance(4)) {
    s.material.friction = number(source);
    s.material.restitution = number(source);
    s.material.rolling_friction = number(source);
    s.material.surface_velocity = vec(source);
  }
  if (source.chance(5)) s.filter = {source.below(4), source.below(4), source.index(3) - 1};
  s.sensor = source.chance(8);
  return s;
}

BodyDef body(Source& source) {
  BodyDef def;
  for (int i = source.chance(4) ? 3 : 1; i > 0; --i) def.shapes.push_back(part(source));
  def.pose = pose(source);
  const int kind = source.index(6);
  def.kind = kind == 0 ? BodyKind::fixed : kind == 1 ? BodyKind::kinematic : BodyKind::dynamic;
  if (source.chance(2)) {
    const double scale = source.chance(3) ? 100 : 1;
    def.velocity = vec(source) * scale;
    def.angular_velocity = vec(source) * scale;
  }
  if (source.chance(6)) {
    def.linear_damping = number(source);
    def.angular_damping = number(source);
    def.gravity_scale = number(source);
    def.locked = {source.chance(2), source.chance(2), source.chance(2), source.chance(2),
                  source.chance(2), source.chance(2)}; // NOLINT: order is fixed in braces
  }
  if (source.chance(4)) {
    const double mass = number(source);
    def.mass =
        BodyMass{.mass = mass, .center = vec(source), .inertia = Mat3::diagonal(vec(source))};
  }
  def.can_sleep = !source.chance(5);
  def.awake = !source.chance(5);
  def.continuous = source.chance(3);
  return def;
}

class Play {
public:
  explicit Play(Source& source) : source_(source), world_(options(source)) {}

  void call() {
    ++tally.calls;
    switch (source_.index(24)) {
    case 0:
    case 1:
    case 2:
    case 3:
      if (ids_.size() < 24)
        if (const auto id = world_.add(body(source_))) ids_.push_back(*id);
      break;
    case 4:
      (void)world_.remove(any());
      break;
    case 5:
      (void)world_.set_pose(any(), pose(source_));
      break;
    case 6:
      if (const auto there = world_.pose(any())) (void)world_.set_pose(any(), *there);
      break;
    case 7: {
      const double speed = source_.chance(2) ? 100.0 : 1.0;
      const Vec3 v = vec(source_) * speed;
      (void)world_.set_velocity(any(), v, vec(source_));
      break;
    }
    case 8: {
      const Vec3 f = vec(source_) * 1000;
      (void)world_.add_force(any(), f, vec(source_));
      (void)world_.add_torque(any(), vec(source_));
      break;
    }
    case 9: {
      const double strength = source_.chance(8) ? 1e12 : 1.0;
      const Vec3 f = vec(source_) * strength;
      (void)world_.add_impulse(any(), f, vec(source_));
      (void)world_.add_angular_impulse(any(), vec(source_));
      break;
    }
    case 10:
      (void)world_.wake(any());
      world_.set_gravity(vec(source_));
      break;
    case 11:
      ask();
      break;
    case 12: {
      const auto shape = static_cast<std::uint32_t>(source_.index(3));
      const auto category = source_.below(4);
      const auto group = source_.index(3) - 1;
      (void)world_.set_filter(any(), shape, {category, ~0ULL, group});
      break;
    }
    case 13:
      filter();
      break;
    case 14:
      compare_with_restored();
      break;
    case 15:
      forge();
      break;
    case 16:
      world_.step(number(source_));
      break;
    default:
      world_.step(source_.chance(8) ? 0.2 : 1.0 / 60);
    }
    check();
  }
  void compare_with_restored() {
    ++tally.restores;
    const std::vector<std::byte> bytes = world_.snapshot();
    World twin = world_;
    const Result<void> back = twin.restore(bytes);
    require(back.has_value(), back ? "" : back.error().message.c_str());
    require(twin.snapshot() == bytes, "a snapshot of what was restored differs");
    for (int i = 0; i < 2; ++i) {
      world_.step(1.0 / 60);
      twin.step(1.0 / 60);
      require(world_.hash() == twin.hash(), "a restored world goes on in another way");
    }
    require(world_.snapshot() == twin.snapshot(), "a restored world has become another");
  }

private:
  static WorldOptions options(Source& source) {
    WorldOptions o;
    if (source.chance(6)) o.solver.sub_steps = source.index(8);
    if (source.chance(6)) o.margin = number(source);
    o.sleep.enabled = !source.chance(4);
    o.persist_events = source.chance(2);
    o.continuous = !source.chance(8);
    return o;
  }
  BodyId any() {
    if (ids_.empty() || source_.chance(20))
      return {static_cast<std::uint32_t>(source_.index(40)),
              static_cast<std::uint32_t>(source_.index(4))};
    return ids_[source_.below(ids_.size())];
  }
  void ask() {
    const Ray ray{vec(source_), vec(source_)};
    const WorldRayHit hit = ray_cast(world_, ray);
    std::vector<WorldRayHit> all;
    ray_cast_all(world_, ray, all);
    require(static_cast<bool>(hit) == !all.empty(), "the first hit and all hits differ");
    if (hit) require(hit.shape == all[0].shape, "the first hit is not the first of all");
    const Shape& shape = shapes()[source_.below(shapes().size())];
    const Pose at = pose(source_);
    (void)shape_cast(world_, shape, at, vec(source_));
    std::vector<WorldOverlap> found;
    overlapping(world_, shape, at, found);
  }
  void filter() {
    if (source_.chance(2)) {
      world_.set_pair_filter({});
    } else {
      const auto odd = static_cast<std::uint32_t>(source_.index(4));
      world_.set_pair_filter([odd](const WorldShape& a, const WorldShape& b) {
        return (a.body.slot + b.body.slot) % 4 != odd;
      });
    }
    if (!ids_.empty()) (void)world_.filter_again(any());
  }
  void forge() {
    std::vector<std::byte> bytes = world_.snapshot();
    for (int i = 1 + source_.index(3); i > 0; --i)
      bytes[source_.below(bytes.size())] = static_cast<std::byte>(source_.index(256));
    const std::uint64_t sum = snapshot_check_sum(bytes);
    std::memcpy(bytes.data() + bytes.size() - 8, &sum, 8);
    World other = world_;
    if (!other.restore(bytes)) return;
    other.step(1.0 / 60);
    check(other);
  }
  void check() const { check(world_); }
  static void check(const World& world) {
    for (std::uint32_t i = 0; i < world.bodies().slots(); ++i) {
      const Body& b = world.bodies()[i];
      if (!b.exists) continue;
      require(is_finite(b.pose.position) && is_rotation(b.pose.rotation), "a pose is no number");
      require(is_finite(b.velocity) && is_finite(b.angular_velocity), "a velocity is no number");
    }
    require(world.active_count() <= world.body_count(), "more are awake than there are");
  }

  Source& source_;
  World world_;
  std::vector<BodyId> ids_;
};

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  test::BytesSource bytes(data, size);
  Play play(bytes);
  while (!bytes.empty()) play.call();
  play.compare_with_restored();
  return 0;
}
