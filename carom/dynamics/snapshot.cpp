// Sections in a fixed order. Restoring builds a second world from the bytes, each part checked as it is read, and takes its place only when all of it was sound.
#include "carom/dynamics/snapshot.h"

#include "carom/dynamics/world.h"
#include "carom/math/random.h"

#include <algorithm>
#include <utility>

namespace carom {
namespace {

constexpr std::uint32_t magic = 0x574d5243; // 'CRMW'
constexpr std::uint32_t version = 4;
constexpr std::size_t check_sum_bytes = 8;

tl::unexpected<Error> refused(const char* why) { return failure(ErrorCode::bad_file, why); }

void put_events(SnapshotWriter& to, const Events& events) {
  const auto put_id = [&](BodyId id) {
    to.put(id.slot);
    to.put(id.generation);
  };
  to.put(static_cast<std::uint32_t>(events.contacts.size()));
  for (const ContactEvent& e : events.contacts) {
    to.put(static_cast<std::uint8_t>(e.kind));
    put_id(e.a);
    put_id(e.b);
    to.put(e.shape_a);
    to.put(e.shape_b);
    to.put(e.normal);
    to.put(e.point);
    to.put(e.impulse);
    to.put(e.approach_speed);
  }
  to.put(static_cast<std::uint32_t>(events.sensors.size()));
  for (const SensorEvent& e : events.sensors) {
    to.put(static_cast<std::uint8_t>(e.kind));
    put_id(e.sensor);
    put_id(e.visitor);
    to.put(e.sensor_shape);
    to.put(e.visitor_shape);
  }
  to.put(static_cast<std::uint32_t>(events.sleeps.size()));
  for (const SleepEvent& e : events.sleeps) {
    put_id(e.body);
    to.put(static_cast<std::uint8_t>(e.awake));
  }
}

EventKind get_kind(SnapshotReader& from) {
  const auto kind = from.get<std::uint8_t>();
  return from.need(kind <= 2) ? static_cast<EventKind>(kind) : EventKind::begin;
}

/// Nothing relies on what they say.
void get_events(SnapshotReader& from, Events& events) {
  const auto get_id = [&] {
    const std::uint32_t slot = from.get_u32();
    return BodyId{slot, from.get_u32()};
  };
  for (std::uint32_t i = from.get_count(89); i > 0 && from.ok(); --i) {
    ContactEvent e;
    e.kind = get_kind(from);
    e.a = get_id();
    e.b = get_id();
    e.shape_a = from.get_u32();
    e.shape_b = from.get_u32();
    e.normal = from.get_vec();
    e.point = from.get_vec();
    e.impulse = from.get_f64();
    e.approach_speed = from.get_f64();
    events.contacts.push_back(e);
  }
  for (std::uint32_t i = from.get_count(25); i > 0 && from.ok(); --i) {
    SensorEvent e;
    e.kind = get_kind(from);
    e.sensor = get_id();
    e.visitor = get_id();
    e.sensor_shape = from.get_u32();
    e.visitor_shape = from.get_u32();
    events.sensors.push_back(e);
  }
  for (std::uint32_t i = from.get_count(9); i > 0 && from.ok(); --i) {
    const BodyId id = get_id();
    events.sleeps.push_back({id, from.get<std::uint8_t>() != 0});
  }
}

void put_options(SnapshotWriter& to, const WorldOptions& o) {
  to.put(o.gravity);
  to.put(static_cast<std::int32_t>(o.solver.sub_steps));
  for (const double x :
       {o.solver.contact_frequency, o.solver.contact_damping, o.solver.rest_depth,
        o.solver.push_speed, o.solver.bounce_threshold, o.sleep.speed, o.sleep.time, o.margin})
    to.put(x);
  to.put_bits({o.sleep.enabled, o.persist_events, o.continuous});
}

/// The constructor of a world brings them into their ranges.
WorldOptions get_options(SnapshotReader& from) {
  WorldOptions o;
  o.gravity = from.get_vec();
  o.solver.sub_steps = from.get<std::int32_t>();
  for (double* x :
       {&o.solver.contact_frequency, &o.solver.contact_damping, &o.solver.rest_depth,
        &o.solver.push_speed, &o.solver.bounce_threshold, &o.sleep.speed, &o.sleep.time, &o.margin})
    *x = from.get_f64();
  const auto bits = from.get<std::uint8_t>();
  o.sleep.enabled = (bits & 1) != 0;
  o.persist_events = (bits & 2) != 0;
  o.continuous = (bits & 4) != 0;
  return o;
}

} // namespace

// --- Writing and reading

std::size_t SnapshotWriter::begin_section(const char (&name)[5]) {
  for (int i = 0; i < 4; ++i) put(static_cast<std::uint8_t>(name[i]));
  put(std::uint32_t{0});
  return bytes_.size();
}

void SnapshotWriter::end_section(std::size_t section) {
  const auto length = static_cast<std::uint32_t>(bytes_.size() - section);
  std::memcpy(bytes_.data() + section - sizeof length, &length, sizeof length);
}

SnapshotReader SnapshotReader::get_section(const char (&name)[5]) {
  for (int i = 0; i < 4; ++i) need(get<std::uint8_t>() == static_cast<std::uint8_t>(name[i]));
  const std::uint32_t length = get_count(1);
  if (!ok_) return SnapshotReader({});
  at_ += length;
  return SnapshotReader(bytes_.subspan(at_ - length, length));
}

Vec3 SnapshotReader::get_vec() {
  const double x = get_f64();
  const double y = get_f64();
  return {x, y, get_f64()};
}

Quat SnapshotReader::get_quat() {
  const Vec3 v = get_vec();
  return {v.x, v.y, v.z, get_f64()};
}

std::uint32_t SnapshotReader::get_count(std::size_t least_bytes) {
  const std::uint32_t count = get_u32();
  return need(count <= (bytes_.size() - at_) / least_bytes) ? count : 0;
}

std::vector<std::uint32_t> SnapshotReader::get_list(std::uint32_t limit) {
  std::vector<std::uint32_t> list(get_count(sizeof(std::uint32_t)));
  for (std::uint32_t& x : list) {
    x = get_u32();
    need(x < limit);
  }
  if (!ok_) list.clear();
  return list;
}

std::uint64_t snapshot_check_sum(std::span<const std::byte> bytes) {
  const std::size_t size = bytes.size() < check_sum_bytes ? 0 : bytes.size() - check_sum_bytes;
  std::uint64_t sum = size;
  for (std::size_t i = 0; i < size; i += 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes.data() + i, std::min<std::size_t>(8, size - i));
    sum = mix_bits(sum, word);
  }
  return sum;
}

// --- The world

void World::snapshot(std::vector<std::byte>& into) const {
  into.clear();
  if (busy_) return;
  SnapshotWriter to(into);
  to.put(magic);
  to.put(version);
  const auto section = [&](const char(&name)[5], auto&& put) {
    const std::size_t at = to.begin_section(name);
    put();
    to.end_section(at);
  };
  section("opts", [&] {
    put_options(to, options_);
    to.put(last_time_);
  });
  section("body", [&] { bodies_.save(to); });
  section("actv", [&] { to.put(active_); });
  section("jnts", [&] { joints_.save(to, bodies_); });
  section("pair", [&] { pairs_.save(to, bodies_); });
  section("boxs", [&] { broad_phase_.save(to, bodies_); });
  section("evnt", [&] { put_events(to, next_events_); });
  to.put(std::uint64_t{0});
  const std::uint64_t sum = snapshot_check_sum(into);
  std::memcpy(into.data() + into.size() - check_sum_bytes, &sum, sizeof sum);
}

std::vector<std::byte> World::snapshot() const {
  std::vector<std::byte> bytes;
  snapshot(bytes);
  return bytes;
}

WorldResult<std::uint32_t> World::add_shape(const Shape& shape) {
  if (busy_) return tl::unexpected(WorldError::busy);
  return bodies_.shapes_known().number_of(shape);
}

WorldResult<void> World::forget_unused_shapes() {
  if (busy_) return tl::unexpected(WorldError::busy);
  ShapeTable& table = bodies_.shapes_known();
  std::vector<bool> used(table.size());
  for (std::uint32_t i = 0; i < bodies_.shape_slots(); ++i)
    if (bodies_.has_shape(i)) used[bodies_.shape(i).table] = true;
  for (std::uint32_t i = 0; i < used.size(); ++i)
    if (!used[i]) table.forget(i);
  return {};
}

/// Who is awake, in order: dynamic bodies that are, and all kinematic ones.
bool World::load_active(std::vector<std::uint32_t>&& active) {
  for (const std::uint32_t slot : active) {
    Body& body = bodies_[slot];
    if (!body.exists || body.kind == BodyKind::fixed || body.active_at != no_index) return false;
    body.active_at = static_cast<std::uint32_t>(active_.size());
    active_.push_back(slot);
  }
  for (std::uint32_t i = 0; i < bodies_.slots(); ++i)
    if (bodies_[i].exists && bodies_[i].kind == BodyKind::kinematic &&
        bodies_[i].active_at == no_index)
      return false;
  return true;
}

Result<void> World::restore(std::span<const std::byte> bytes) {
  if (busy_)
    return failure(ErrorCode::out_of_range, "a world cannot be restored from inside its step");
  if (bytes.size() < 8 + check_sum_bytes) return refused("too short to be a snapshot of a world");
  SnapshotReader from(bytes.first(bytes.size() - check_sum_bytes));
  if (from.get_u32() != magic) return refused("not a snapshot of a world");
  if (from.get_u32() != version) return refused("a snapshot of another version");
  SnapshotReader sum(bytes.last(check_sum_bytes));
  if (sum.get<std::uint64_t>() != snapshot_check_sum(bytes))
    return refused("the snapshot was cut short or damaged: its check sum is wrong");

  SnapshotReader options = from.get_section("opts");
  World fresh(get_options(options));
  fresh.last_time_ = options.get_f64();
  options.need(fresh.last_time_ > 0 && fresh.last_time_ < INFINITY);
  SnapshotReader body = from.get_section("body");
  if (!fresh.bodies_.load(body, bodies_.shapes_known()))
    return refused("the snapshot's bodies are not sound, or the world has other shapes than it had "
                   "when the snapshot was made");
  SnapshotReader active = from.get_section("actv");
  const bool active_ok = fresh.load_active(active.get_list(fresh.bodies_.slots()));
  SnapshotReader joints = from.get_section("jnts");
  if (!fresh.joints_.load(joints, fresh.bodies_))
    return refused("the snapshot's joints are not sound");
  SnapshotReader pair = from.get_section("pair");
  if (!active_ok || !active.ok() || !fresh.pairs_.load(pair, fresh.bodies_))
    return refused("the snapshot's contacts are not sound");
  SnapshotReader boxes = from.get_section("boxs");
  if (!fresh.broad_phase_.load(boxes, fresh.bodies_))
    return refused("the snapshot's boxes are not sound");
  SnapshotReader events = from.get_section("evnt");
  get_events(events, fresh.next_events_);
  for (const SnapshotReader* r : {&options, &body, &active, &joints, &pair, &boxes, &events, &from})
    if (!r->ok() || !r->at_end()) return refused("the snapshot's parts do not fit together");
  for (std::uint32_t i = 0; i < fresh.bodies_.slots(); ++i)
    if (fresh.bodies_[i].exists)
      fresh.moving_targets_ += moving_targets_of(fresh.bodies_, fresh.bodies_[i]);
  fresh.pair_filter_ = std::move(pair_filter_);
  fresh.continuous_.take_cores(continuous_);
  fresh.narrow_phase_.forms() = std::move(narrow_phase_.forms());
  for (std::uint32_t i = 0; i < fresh.bodies_.shape_slots(); ++i)
    if (fresh.bodies_.has_shape(i))
      (void)fresh.narrow_phase_.forms().of(i, fresh.bodies_.shape(i).def.shape);
  *this = std::move(fresh);
  return {};
}

} // namespace carom
