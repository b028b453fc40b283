// A world as bytes, and back: for rollback, saving, and sending a state to another machine.
//
//   std::vector<std::byte> then = world.snapshot();
//   ... 60 steps, bodies that come and go ...
//   if (!world.restore(then)) ...                             // an error says what is wrong; the world is as it was
//
// After a restore the world goes on as it did after the snapshot, to the bit: poses, velocities, impulses that the solver starts with, contacts that are carried along, the order of all lists, who sleeps and since when, fat boxes, ends of
// contacts that are still to be told. (Trees are built anew; nothing depends on how they came about.) Ids of bodies are what they were then: an id made later is stale, and will be given again. The events of the last step are gone.
//
// There are no shapes in it. A shape is called by its number in the world's table (shape_table.h): the order in which shapes were first given to World::add or World::add_shape. The world that restores must have them under the same
// numbers: the world itself has; another one is given the same shapes in the same order first. Fingerprints are compared, and a table that differs is an error. The function set by World::set_pair_filter is not in it, either.
//
// Format: 'CRMW', version, sections of (name, length, content), a check sum; little-endian. A part of the world that is added later is a section more. Bytes of another version, cut short or damaged are refused, whatever
// they are: every number that others rely on is looked at before anything is changed.
#pragma once

#include "carom/math/quat.h"
#include "carom/math/vec3.h"

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

namespace [[gnu::visibility("default")]] carom {

static_assert(std::endian::native == std::endian::little, "snapshots are copied as they are");

/// Appends to bytes. Internal to the world.
class SnapshotWriter {
public:
  explicit SnapshotWriter(std::vector<std::byte>& bytes) : bytes_(bytes) {}

  template<class Number>
  requires std::is_arithmetic_v<Number>
  void put(Number x) {
    const std::size_t at = bytes_.size();
    bytes_.resize(at + sizeof x);
    std::memcpy(bytes_.data() + at, &x, sizeof x);
  }
  void put(const Vec3& v) {
    put(v.x);
    put(v.y);
    put(v.z);
  }
  void put(const Quat& q) {
    put(Vec3{q.x, q.y, q.z});
    put(q.w);
  }
  void put_bits(std::initializer_list<bool> bits) {
    std::uint8_t all = 0;
    int shift = 0;
    for (const bool bit : bits) all = static_cast<std::uint8_t>(all | (bit ? 1 : 0) << shift++);
    put(all);
  }
  void put(const std::vector<std::uint32_t>& list) {
    put(static_cast<std::uint32_t>(list.size()));
    for (const std::uint32_t x : list) put(x);
  }
  /// A section: its content is what is put until it ends.
  [[nodiscard]] std::size_t begin_section(const char (&name)[5]);
  void end_section(std::size_t section);

private:
  std::vector<std::byte>& bytes_;
};

/// Reads what was written. Past the end, or once failed, everything is 0, and ok() is false.
class SnapshotReader {
public:
  explicit SnapshotReader(std::span<const std::byte> bytes) : bytes_(bytes) {}

  template<class Number>
  requires std::is_arithmetic_v<Number> Number get() {
    Number x{};
    if (!need(bytes_.size() - at_ >= sizeof x)) return Number{};
    std::memcpy(&x, bytes_.data() + at_, sizeof x);
    at_ += sizeof x;
    return x;
  }
  std::uint32_t get_u32() { return get<std::uint32_t>(); }
  double get_f64() { return get<double>(); }
  Vec3 get_vec();
  Quat get_quat();
  /// A number of things of which each takes at least so many bytes: so it cannot be more than there are bytes for.
  std::uint32_t get_count(std::size_t least_bytes);
  /// Numbers below a limit; none once failed.
  std::vector<std::uint32_t> get_list(std::uint32_t limit);
  /// The content of the next section, which must have this name.
  SnapshotReader get_section(const char (&name)[5]);

  /// The read has failed unless this holds.
  bool need(bool condition) {
    ok_ = ok_ && condition;
    return ok_;
  }
  [[nodiscard]] bool ok() const { return ok_; }
  [[nodiscard]] bool at_end() const { return at_ == bytes_.size(); }

private:
  std::span<const std::byte> bytes_;
  std::size_t at_ = 0;
  bool ok_ = true;
};

/// Whether a list of free slots has each slot that is not in use once.
template<class InUse>
bool lists_the_free(const std::vector<std::uint32_t>& free, std::size_t slots, InUse in_use) {
  std::vector<bool> seen(slots);
  for (const std::uint32_t i : free) {
    if (seen[i] || in_use(i)) return false;
    seen[i] = true;
  }
  for (std::uint32_t i = 0; i < slots; ++i)
    if (!seen[i] && !in_use(i)) return false;
  return true;
}

/// Of all bytes but the last eight, which hold it. For those who make snapshots by hand: tests.
[[nodiscard]] std::uint64_t snapshot_check_sum(std::span<const std::byte> bytes);

} // namespace carom
