// Calls of a world of the classic solvers that the bytes choose: bodies of all shapes that come and go, bad ids, numbers that are none or huge, bodies put into each other, odd time steps, odd options. Every pose, velocity and force must
// stay a number. Prints how many calls there were.
#include "carom/dynamics/classic/classic_world.h"
#include "fuzz/body_calls.h"

#include <cstdio>
#include <cstdlib>

namespace {

using namespace carom;
using namespace carom::fuzz;

class Tally {
public:
  ~Tally() { std::fprintf(stderr, "%llu calls, %llu steps\n", calls, steps); }
  unsigned long long calls = 0, steps = 0;
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
    switch (source_.index(8)) {
    case 0:
    case 1:
    case 2:
      if (ids_.size() < 6) add();
      break;
    case 3:
      (void)world_.remove(any());
      break;
    case 4: {
      const double speed = source_.chance(2) ? 100.0 : 1.0;
      const Vec3 v = vec(source_) * speed;
      (void)world_.set_velocity(any(), v, vec(source_));
      break;
    }
    case 5:
      step(source_.chance(10) ? number(source_) : 0.1);
      break;
    default:
      step(1.0 / 60);
    }
    check();
  }
  /// Where bodies meet so often that steps stall, or springs are many, each step takes seconds, and shows little that is new.
  [[nodiscard]] bool is_slow() const {
    return world_.counters().stalls > 0 || world_.counters().sub_steps > 20000;
  }

private:
  static ClassicOptions options(Source& source) {
    ClassicOptions o;
    o.solver = static_cast<ClassicSolver>(source.index(3));
    o.motion = source.chance(3) ? MotionMode::sequential : MotionMode::simultaneous;
    if (source.chance(3)) o.impulses = ImpulseOrder::one_by_one;
    if (source.chance(4)) o.gravity = vec(source);
    if (source.chance(6)) o.skin = number(source);
    if (source.chance(6)) o.bounce_speed = number(source);
    return o;
  }
  void add() {
    BodyDef def = body(source_);
    if (!source_.chance(8)) def.locked = {};
    if (const auto id = world_.add(def)) ids_.push_back(*id);
  }
  void step(double time) {
    ++tally.steps;
    world_.step(time);
  }
  BodyId any() {
    if (ids_.empty() || source_.chance(20))
      return {static_cast<std::uint32_t>(source_.index(40)),
              static_cast<std::uint32_t>(source_.index(4))};
    return ids_[source_.below(ids_.size())];
  }
  void check() const {
    std::size_t count = 0;
    for (const BodyId id : ids_) {
      const auto info = world_.body(id);
      require(info.has_value() == world_.pose(id).has_value(), "a body is there, and is not");
      if (!info) continue;
      ++count;
      require(is_finite(info->pose.position) && is_rotation(info->pose.rotation),
              "a pose is no number");
      require(is_finite(info->velocity) && is_finite(info->angular_velocity),
              "a velocity is no number");
    }
    require(count == world_.body_count(), "bodies are counted wrong");
    for (const ClassicContact& c : world_.contacts()) {
      require(is_finite(c.force), "a force is no number");
      require(world_.bodies().slots() > c.a && world_.bodies().slots() > c.b,
              "a contact is of no body");
    }
  }

  Source& source_;
  ClassicWorld world_;
  std::vector<BodyId> ids_;
};

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  test::BytesSource bytes(data, size);
  Play play(bytes);
  while (!bytes.empty() && !play.is_slow()) play.call();
  return 0;
}
