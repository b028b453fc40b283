// Calls of a world that the bytes choose: bodies of all shapes and joints of all kinds that come and go, bad ids, numbers that are none or huge, bodies put into each other, odd time steps, questions, filters that try to change the world, snapshots. Every pose must stay a number; a world
// restored from a snapshot must do the same as the one it was taken of, with two threads as with one; forged snapshots must be refused or do no harm. Prints how many calls there were.
#include "carom/dynamics/snapshot.h"
#include "carom/dynamics/world_facts.h"
#include "carom/dynamics/world_near.h"
#include "carom/dynamics/world_queries.h"
#include "fuzz/body_calls.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace {

using namespace carom;
using namespace carom::fuzz;

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

class Play {
public:
  explicit Play(Source& source) : source_(source), world_(options(source)) {}

  void call() {
    ++tally.calls;
    switch (source_.index(28)) {
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
      (void)world_.set_gravity(vec(source_));
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
    case 17:
    case 18:
      if (joints_.size() < 40) {
        const BodyId a = source_.chance(4) ? BodyId{} : any();
        const BodyId b = any();
        if (const auto id = world_.add_joint(joint(source_, a, b))) joints_.push_back(*id);
      }
      break;
    case 19:
      change_joint();
      break;
    case 20:
      change_body();
      break;
    default:
      world_.step(source_.chance(8) ? 0.2 : 1.0 / 60);
    }
    check();
  }
  void compare_with_restored() {
    ++tally.restores;
    meddling_ = false; // the twin's filter would change the other world
    const std::vector<std::byte> bytes = world_.snapshot();
    World twin = world_;
    const Result<void> back = twin.restore(bytes);
    require(back.has_value(), back ? "" : back.error().message.c_str());
    require(twin.snapshot() == bytes, "a snapshot of what was restored differs");
    static ThreadPool two(2, 0); // NOLINT: one for all inputs
    for (int i = 0; i < 2; ++i) {
      world_.step(1.0 / 60);
      twin.step(1.0 / 60, &two);
      require(world_.hash() == twin.hash(), "a restored world goes on in another way");
    }
    require(world_.snapshot() == twin.snapshot(), "a restored world has become another");
    meddling_ = true;
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
  JointId any_joint() {
    if (joints_.empty() || source_.chance(20))
      return {static_cast<std::uint32_t>(source_.index(40)),
              static_cast<std::uint32_t>(source_.index(4))};
    return joints_[source_.below(joints_.size())];
  }
  void change_body() {
    const BodyId id = any();
    const double x = number(source_);
    const double y = number(source_);
    switch (source_.index(8)) {
    case 0:
      (void)world_.set_material(id, static_cast<std::uint32_t>(source_.index(2)),
                                {.friction = x, .restitution = y});
      break;
    case 1:
      (void)world_.set_damping(id, x, y);
      break;
    case 2:
      (void)world_.set_gravity_scale(id, x);
      break;
    case 3:
      (void)world_.set_locked(id, {.x = x > 0, .turn_y = y > 0});
      break;
    case 4:
      (void)world_.set_can_sleep(id, x > 0);
      break;
    case 5:
      (void)world_.set_continuous(id, x > 0);
      break;
    case 6:
      (void)world_.sleep(id);
      break;
    default:
      (void)world_.move_to(id, pose(source_), x);
    }
  }
  void change_joint() {
    const auto numbers = [&] { return number(source_); };
    test::AnyJoint with{source_, numbers};
    const JointId id = any_joint();
    std::optional<JointCoordinate> of;
    if (source_.chance(2)) of = static_cast<JointCoordinate>(source_.index(6));
    switch (source_.index(7)) {
    case 3:
      (void)world_.set_spring(id, with.spring(), of);
      break;
    case 4:
      (void)world_.set_cone(id, number(source_));
      break;
    case 5:
      (void)world_.set_break(id, number(source_), INFINITY);
      break;
    case 0:
      (void)world_.set_motor(id, with.motor(), of);
      break;
    case 1:
      (void)world_.set_limits(id, with.range(), of);
      break;
    case 2:
      (void)world_.set_target(id, number(source_), of);
      break;
    default:
      (void)world_.remove_joint(id);
    }
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
    const Vec3 way = vec(source_);
    const bool meets = static_cast<bool>(shape_cast(world_, shape, at, way));
    std::vector<WorldShapeCast> hits;
    (void)shape_cast_all(world_, shape, at, way, hits);
    require(meets == !hits.empty(), "the first hit of a shape and all hits differ");
    std::vector<WorldOverlap> found;
    overlapping(world_, shape, at, found);
    std::vector<WorldShape> boxes;
    const Vec3 low = vec(source_);
    (void)boxes_in(world_, {low, low + abs(vec(source_))}, boxes);
    ask_nearest(shape, at);
    ask_facts();
  }
  void ask_nearest(const Shape& shape, const Pose& at) {
    const Vec3 point = vec(source_);
    const WorldNearPoint near = nearest(world_, point);
    std::vector<WorldNearPoint> some;
    (void)nearest(world_, point, 3, some);
    require(static_cast<bool>(near) == !some.empty(), "the nearest and the nearest three differ");
    if (near) require(near.shape == some[0].shape, "the nearest is not the first of three");
    (void)nearest(world_, shape, at);
  }
  void ask_facts() {
    std::vector<BodyId> bodies;
    list_bodies(world_, bodies);
    require(bodies.size() == world_.body_count(), "not all bodies are listed");
    std::vector<JointId> joints;
    list_joints(world_, joints);
    require(joints.size() == world_.joint_count(), "not all joints are listed");
    std::vector<WorldContact> contacts;
    const BodyId id = any();
    (void)joints_of(world_, id, joints);
    if (contacts_of(world_, id, contacts))
      for (const WorldContact& c : contacts)
        for (const WorldContactPoint& p : c.view())
          require(is_finite(p.point) && std::isfinite(p.impulse), "a contact has no number");
    (void)velocity_at(world_, id, vec(source_));
    const WorldResult<double> energy = kinetic_energy(world_, id);
    if (energy) require(*energy >= 0, "a kinetic energy is no number, or negative");
    (void)box_of(world_, id);
    (void)total_energy(world_);
  }
  void filter() {
    if (source_.chance(2)) {
      require(world_.set_pair_filter({}).has_value(), "a filter is refused");
    } else {
      const auto odd = static_cast<std::uint32_t>(source_.index(4));
      const int how = source_.index(24);
      const auto meddles = [this, odd, how](const WorldShape& a, const WorldShape& b) {
        if (meddling_) meddle(how, a.body, b.body);
        return (a.body.slot + b.body.slot) % 4 != odd;
      };
      require(world_.set_pair_filter(meddles).has_value(), "a filter is refused");
    }
    if (!ids_.empty()) (void)world_.filter_again(any());
  }
  /// From inside a call of the filter: all of it must be refused.
  void meddle(int how, BodyId a, BodyId b) {
    const auto refused = [](const auto& done) { require(!done, "changed from inside"); };
    switch (how) {
    case 0:
      return refused(world_.remove(b));
    case 1:
      return refused(world_.add({.shape = shapes()[0]}));
    case 2:
      return refused(world_.set_pose(a, Pose::at({0, 0, 3})));
    case 3:
      return refused(world_.filter_again(b));
    case 4:
      return refused(world_.add_joint({.a = a, .b = b}));
    case 5:
      return refused(world_.set_pair_filter({}));
    case 6:
      return refused(world_.set_filter(a, 0, {.mask = 2}));
    case 7:
      return refused(world_.add_impulse(b, {1, 0, 0}, {}));
    case 8:
      return world_.step(1.0 / 60);
    case 9:
      return require(world_.snapshot().empty(), "a snapshot from inside a step");
    default: // mostly a filter that only asks
      (void)ray_cast(world_, Ray{{0, 0, 5}, {0, 0, -1}});
    }
  }
  void forge() {
    std::vector<std::byte> bytes = world_.snapshot();
    for (int i = 1 + source_.index(3); i > 0; --i)
      bytes[source_.below(bytes.size())] = static_cast<std::byte>(source_.index(256));
    const std::uint64_t sum = snapshot_check_sum(bytes);
    std::memcpy(bytes.data() + bytes.size() - 8, &sum, 8);
    World other = world_;
    if (!other.restore(bytes)) return;
    meddling_ = false;
    other.step(1.0 / 60);
    meddling_ = true;
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
    for (std::uint32_t i = 0; i < world.joints().slots(); ++i) {
      if (!world.joints()[i].exists) continue;
      const JointInfo j = world.joint(world.joints().id_of(i)).value();
      require(is_finite(j.force) && is_finite(j.torque), "what a joint bears is no number");
      for (const double x : j.at) require(std::isfinite(x), "a joint's coordinate is no number");
    }
    for (const ContactEvent& e : world.events().contacts)
      require(is_finite(e.point) && std::isfinite(e.impulse), "an event has no number");
    require(world.active_count() <= world.body_count(), "more are awake than there are");
  }

  Source& source_;
  World world_;
  std::vector<BodyId> ids_;
  std::vector<JointId> joints_;
  bool meddling_ = true; ///< whether the filter does what it must not
};

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  test::BytesSource bytes(data, size);
  Play play(bytes);
  while (!bytes.empty()) play.call();
  play.compare_with_restored();
  return 0;
}
