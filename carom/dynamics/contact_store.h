// Pairs of shapes that are near each other, with what the last steps left: manifolds, impulses. Internal to the world.
//
// A pair is found by the numbers of its shapes, in a table, and by its bodies, each of which has a list of its pairs. Those of which a body is active stand in one more list: only they cost
// time. A pair has one manifold, two shapes that are not convex may have more (patches); manifolds beyond the first are kept in a pool and chained.
#pragma once

#include "carom/dynamics/body_store.h"
#include "carom/query/pair_cache.h"

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace [[gnu::visibility("default")]] carom {

/// A point of a manifold, as its two bodies carry it along: each in its body's frame, about the centre of mass.
struct PairPoint {
  Vec3 on_a, on_b;
  std::uint64_t id = 0;
  float impulse = 0; ///< of a sub-step: what the next one begins with
  float total = 0;   ///< of the whole last step
};

/// What is asked of every one comes first, before its points.
struct Manifold {
  int count = 0;
  std::uint32_t next = no_index; ///< in the pool
  float friction[3] = {};        ///< impulse on B along the surface, in the world
  float twist = 0;               ///< impulse on B about the normal
  float rolling[3] = {};         ///< angular impulse on B, in the world
  float approach = 0;            ///< how fast the bodies came together when they met
  bool slips = false;            ///< friction was at its bound in the last step
  Vec3 normal{};                 ///< in A's frame, from A toward B
  std::array<PairPoint, 4> points{};
};

struct alignas(64) PairRecord {
  std::uint32_t shape_a = no_index, shape_b = no_index; ///< shape_a < shape_b; no_index: not in use
  std::uint32_t body_a = no_index, body_b = no_index;
  bool sensor = false;     ///< one of the two is
  bool touching = false;   ///< as told by events
  bool convex = false;     ///< both are: one manifold at most
  bool flat_cores = false; ///< both are polytopes, segments, points or triangles, rounded or not
  float radius_a = 0, radius_b = 0; ///< around those
  float friction = 0, restitution = 0, rolling_friction = 0;
  bool belt = false;    ///< a surface velocity is not zero
  bool a_moves = false; ///< A is the one of less reach: it is looked at in B's frame, else B in A's
  Manifold manifold;
  /// Where the one of less reach was in the other's frame when the manifolds were made.
  Vec3 made_at{};
  Quat made_turned{};
  /// Of a pair that touches: where it did of late, in A's frame.
  Vec3 last_point{};
  double made_margin = -1; ///< what was looked for; negative: never made
  double reach = 0;        ///< of the one of less reach, from its body's centre of mass
  double width = 0;        ///< half the width of the thinner one
  /// The same of what has another side that is near: of the thinner one, or, where a surface of triangles is in it, of the one of less reach.
  double solid_width = 0;
  /// The same as made_at and made_turned, when the points of a pair that is round were put where they are (round_points.h).
  Vec3 placed_at{};
  Quat placed_turned{};
  double clear_by = -1; ///< a distance that the shapes had then at least; negative: none is known
  Vec3 axis{}; ///< from A toward B in A's frame: along it they were measured last; zero: never
  std::uint32_t surface = no_index; ///< a number of its own among pairs that are not convex
  PairCache cache;

  /// One is round, and has a core that is not.
  [[nodiscard]] bool round() const { return flat_cores & (radius_a + radius_b > 0); }
};

/// Of two shapes, with what follows from them; in no list.
[[nodiscard]] PairRecord new_pair(const BodyStore& bodies, std::uint32_t shape_a,
                                  std::uint32_t shape_b);

/// Where a pair is in lists. These are walked far more often than pairs are looked at, so they stand side by side.
struct PairLink {
  std::uint32_t body_a = no_index, body_b = no_index;
  std::array<std::uint32_t, 2> next{no_index, no_index},
      last{no_index, no_index};       ///< in the lists of body A and B
  std::uint32_t active_at = no_index; ///< in the list of active pairs

  [[nodiscard]] std::size_t side(std::uint32_t body) const { return body_a == body ? 0 : 1; }
};

/// The bodies of an active pair: does not change.
struct PairEnds {
  std::uint32_t body_a = no_index, body_b = no_index;
};

/// What an active pair is to others, in a few bytes: whoever goes through all pairs reads no more of most.
struct PairMarks {
  bool carries = true;                     ///< there may be points
  bool touching = false;                   ///< as told by events; always of sensors
  bool ground_a = false, ground_b = false; ///< bodies that are fixed
};

/// What is looked at of every active pair in every step: side by side, so that a pair of which nothing has changed costs a line of memory. It only ever saves time: what it lets pass would be let pass by the pair itself.
struct PairHead {
  float between[3] = {}; ///< from A's centre to B's
  /// While that has changed by no more than this, with the turns of both bodies times these factors, the manifolds will do; and while they close no faster in a step. Negative: not known.
  float room = -1;
  float turn_a = 0, turn_b = 0;
  float closing = 0;
  double turned = 0; ///< turns times factors when it was made
};

class ContactStore {
public:
  /// The pair of two shapes, or no_index.
  [[nodiscard]] std::uint32_t find(std::uint32_t shape_a, std::uint32_t shape_b) const;
  /// A new pair, in the lists of its bodies, not active.
  std::uint32_t add(BodyStore& bodies, std::uint32_t shape_a, std::uint32_t shape_b);
  void remove(BodyStore& bodies, std::uint32_t pair);

  [[nodiscard]] PairRecord& operator[](std::uint32_t i) { return pairs_[i]; }
  [[nodiscard]] const PairRecord& operator[](std::uint32_t i) const { return pairs_[i]; }
  /// The manifold after this one, or null.
  [[nodiscard]] Manifold* after(const Manifold& m) {
    return m.next == no_index ? nullptr : &pool_[m.next];
  }
  [[nodiscard]] const Manifold* after(const Manifold& m) const {
    return m.next == no_index ? nullptr : &pool_[m.next];
  }
  /// Makes the pair have this many manifolds, at least 1; those after the first are empty but for their links.
  void set_manifolds(std::uint32_t pair, std::size_t count);
  [[nodiscard]] std::size_t count() const { return count_; }
  /// Numbers of pairs that are not convex are below this.
  [[nodiscard]] std::size_t surfaces() const { return surfaces_; }

  /// The pair's successor in the list of one of its bodies.
  [[nodiscard]] std::uint32_t next_of(std::uint32_t pair, std::uint32_t body) const {
    return links_[pair].next[links_[pair].side(body)];
  }
  /// Where the pair is in the list of active ones, or no_index.
  [[nodiscard]] std::uint32_t active_at(std::uint32_t pair) const { return links_[pair].active_at; }

  // snapshot_contacts.cpp. Into an empty store; false where the bytes are not sound: then it is not to be used.
  void save(SnapshotWriter& to, const BodyStore& bodies) const;
  [[nodiscard]] bool load(SnapshotReader& from, BodyStore& bodies);

  // Active pairs.
  void activate(std::uint32_t pair);
  void deactivate(std::uint32_t pair);
  [[nodiscard]] const std::vector<std::uint32_t>& active() const { return active_; }
  /// Of the active pair at this place of the list.
  [[nodiscard]] PairHead& head(std::size_t at) { return heads_[at]; }
  [[nodiscard]] const PairHead& head(std::size_t at) const { return heads_[at]; }
  [[nodiscard]] PairMarks& marks(std::size_t at) { return marks_[at]; }
  [[nodiscard]] const PairMarks& marks(std::size_t at) const { return marks_[at]; }
  [[nodiscard]] const PairEnds& ends(std::size_t at) const { return ends_[at]; }
  /// Puts the list of active pairs into another order: `order[i]` is the place of the one that comes to place i.
  void reorder(std::span<const std::uint32_t> order);
  /// Places in the list of active pairs of those that carry, in order: as they were when they were looked for.
  void find_carrying();
  [[nodiscard]] std::span<const std::uint32_t> carrying() const { return carrying_; }
  /// Finds which of them each body has; `bodies`: how many slots there are. Again only after find_carrying().
  void group_carrying(std::uint32_t bodies);
  /// Those of a body, in order; some may carry no more.
  [[nodiscard]] std::span<const std::uint32_t> carrying_of(std::uint32_t body) const {
    return std::span(grouped_).subspan(group_begins_[body],
                                       group_begins_[body + 1] - group_begins_[body]);
  }
  /// Leaves those out that carry no more.
  void thin_carrying();
  /// Moves pairs about in memory, so that those of a region stand together; those that are not active come last. `region_of`: of active ones, by place in their list. `order` says how many each region has. References to pairs end; where all but few are where they belong, nothing is done.
  void arrange(std::span<const std::uint8_t> region_of, const RegionOrder& order);
  /// Has the memory of the active pair at this place fetched. It changes nothing.
  void prefetch(std::size_t at) const {
    const auto* bytes = reinterpret_cast<const char*>(&pairs_[active_[at]]);
    for (std::size_t i = 0; i < offsetof(PairRecord, cache); i += 64) __builtin_prefetch(bytes + i);
  }
  /// The pairs of a body are to be looked at anew: it was put somewhere else.
  void forget(const BodyStore& bodies, std::uint32_t body);
  /// Its contacts carry nothing: what drove it beyond all bounds left no numbers there.
  void forget_impulses(const BodyStore& bodies, std::uint32_t body);

private:
  [[nodiscard]] std::size_t home(std::uint64_t key) const;
  std::uint32_t new_manifold();
  std::uint32_t new_surface();
  [[nodiscard]] bool load_pair(SnapshotReader& from, const BodyStore& bodies, std::uint32_t pair);
  void grow_table();
  void set_pair(std::uint32_t pair, const PairRecord& record);
  void add_key(std::uint32_t shape_a, std::uint32_t shape_b, std::uint32_t pair);
  void erase_key(std::uint64_t key);
  void link(Body& body, std::uint32_t body_slot, std::uint32_t pair);
  void unlink(Body& body, std::uint32_t body_slot, std::uint32_t pair);

  Records<PairRecord> pairs_;
  std::vector<PairLink> links_; ///< by number of pair
  std::vector<Manifold> pool_;
  std::vector<std::uint32_t> free_pairs_, free_manifolds_, free_surfaces_;
  std::uint32_t surfaces_ = 0;
  std::vector<std::uint32_t> active_;
  // Beside active_.
  std::vector<PairHead> heads_;
  std::vector<PairMarks> marks_;
  std::vector<PairEnds> ends_;
  std::vector<std::uint32_t> carrying_;
  std::vector<std::uint32_t> grouped_;      ///< those by bodies, each twice
  std::vector<std::uint32_t> group_begins_; ///< by slot of body; empty: they are not grouped
  // The lists in another order, while they are put into it.
  std::vector<std::uint32_t> other_active_;
  std::vector<PairHead> other_heads_;
  std::vector<PairMarks> other_marks_;
  std::vector<PairEnds> other_ends_;
  RegionOrder record_order_;
  std::vector<std::uint8_t> regions_; ///< by place in memory, while they are arranged
  struct Entry {
    std::uint64_t key = ~std::uint64_t{0};
    std::uint32_t pair = no_index;
  };
  std::vector<Entry> table_; ///< a power of two long, at most half full
  std::size_t count_ = 0;
};

} // namespace carom
