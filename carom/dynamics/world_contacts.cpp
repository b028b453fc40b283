// Which pairs there are, where they touch now, and what is told about that.
//
// Pairs are looked at by all threads at once, each writing to nothing but the pair. What concerns others, as who wakes, waits until all have been looked at, and is done in the order of the pairs: so the threads make no difference.
#include "carom/dynamics/world.h"

#include <algorithm>
#include <cmath>

namespace carom {
namespace {

/// Parts of work that threads take: some microseconds each. Pairs with a mesh take long, and stand together; one thread alone has longer lists, and fetches farther ahead.
constexpr std::size_t pairs_each = 32, seams_each = 16;

bool moves_of_itself(const Body& body) {
  return body.active_at != no_index &&
         (body.movable() || body.velocity != Vec3{} || body.angular_velocity != Vec3{});
}

bool sleeps(const Body& body) { return body.movable() && body.active_at == no_index; }

/// In A's frame.
Vec3 middle_of(const Manifold& m) {
  Vec3 sum{};
  for (int i = 0; i < m.count; ++i) sum += m.points[static_cast<std::size_t>(i)].on_a;
  return sum / m.count;
}

} // namespace

void World::find_pairs() {
  const auto known = [&](std::uint32_t i, std::uint32_t k) {
    return pairs_.find(i, k) != no_index;
  };
  for (const auto& [i, k] : broad_phase_.new_pairs(known)) {
    const PlacedShape &a = bodies_.shape(i), &b = bodies_.shape(k);
    if (!may_touch(i, k)) continue;
    const std::uint32_t pair = pairs_.add(bodies_, i, k);
    narrow_phase_.begin_pair(pairs_[pair]);
    if (bodies_[a.body].active_at != no_index || bodies_[b.body].active_at != no_index)
      pairs_.activate(pair);
  }
  once_.clear();
  if (broad_phase_.fixed_moved()) look_at_moved_sensors();
}

/// A fixed sensor is awake as little as those who sleep in it: when one was moved, they are looked at for one step.
void World::look_at_moved_sensors() {
  for (std::uint32_t slot = 0; slot < bodies_.slots(); ++slot) {
    if (!bodies_[slot].exists || bodies_[slot].kind != BodyKind::fixed) continue;
    for (std::uint32_t p = bodies_[slot].first_contact; p != no_index; p = pairs_.next_of(p, slot))
      if (pairs_[p].sensor && pairs_.active_at(p) == no_index) {
        pairs_.activate(p);
        once_.push_back(p);
      }
  }
}

/// Whether a pair is as it was, to within what its manifolds allow. Bodies that sleep are looked at: they may have to wake.
bool World::nothing_new(std::size_t at) const {
  const PairEnds& ends = pairs_.ends(at);
  const PairMarks& marks = pairs_.marks(at);
  const PairHead& head = pairs_.head(at);
  const BodyTravel &a = bodies_.travel(ends.body_a), &b = bodies_.travel(ends.body_b);
  if (a.boxes_step == step_ || b.boxes_step == step_ || !(head.room >= 0)) return false;
  if (!(marks.ground_a || a.awake_step == step_) || !(marks.ground_b || b.awake_step == step_))
    return false;
  const Vec3 between = b.center - a.center;
  float moved = 0, closing = 0;
  for (int i = 0; i < 3; ++i) {
    const float d = static_cast<float>(between[i]) - head.between[i];
    const float c = b.step_way[i] - a.step_way[i];
    moved += d * d;
    closing += c * c;
  }
  const auto turned = static_cast<float>(double{head.turn_a} * a.turned +
                                         double{head.turn_b} * b.turned - head.turned);
  const float room = head.room - turned;
  return room >= 0 && moved <= room * room && closing <= head.closing * head.closing;
}

/// Whether a box that the pair is made of may have been made anew since the last step.
bool World::has_new_box(std::size_t at) const {
  const PairEnds& ends = pairs_.ends(at);
  return broad_phase_.fixed_moved() || bodies_.travel(ends.body_a).boxes_step == step_ ||
         bodies_.travel(ends.body_b).boxes_step == step_;
}

bool World::boxes_overlap(const PairRecord& p) const {
  return broad_phase_.overlap(
      bodies_.shape(p.shape_a).box, bodies_[p.body_a].kind != BodyKind::fixed,
      bodies_.shape(p.shape_b).box, bodies_[p.body_b].kind != BodyKind::fixed);
}

/// Looks at one active pair, which has something new. True: its manifolds must be made anew.
bool World::look_at_pair(std::size_t at, const NarrowPhaseOptions& options) {
  const std::uint32_t i = pairs_.active()[at];
  if (has_new_box(at) && !boxes_overlap(pairs_[i])) {
    after_[at] = pair_gone;
    return false;
  }
  PairUpdate update;
  if (NarrowPhase::is_due(bodies_, pairs_, i, options, update)) return true;
  tell_pair(at, update, options);
  return false;
}

void World::remake_pair(std::size_t at, const NarrowPhaseOptions& options, std::size_t thread) {
  PairRecord& pair = pairs_[pairs_.active()[at]];
  if (pair.touching && pair.manifold.count > 0) pair.last_point = middle_of(pair.manifold);
  const PairUpdate update =
      narrow_phase_.make(bodies_, pairs_, pairs_.active()[at], options, scratch_[thread].narrow);
  tell_pair(at, update, options);
  const PairMarks& marks = pairs_.marks(at);
  // Seams are looked for when manifolds are made. A pair that is only looked at has what it had: who looks when, a world that was restored for one, makes no difference.
  unsigned after = pair_made;
  if (update.carries && !marks.ground_a && !marks.ground_b && is_closing(bodies_, pair))
    after |= pair_closes;
  if (update.rechained) after |= pair_rechained;
  after_[at] |= static_cast<std::uint8_t>(after);
  pair_chains_[at] = {static_cast<std::uint32_t>(thread), update.first, update.count};
}

/// What has come of a look at a pair.
void World::tell_pair(std::size_t at, const PairUpdate& update, const NarrowPhaseOptions& options) {
  const std::uint32_t i = pairs_.active()[at];
  const PairRecord& p = pairs_[i];
  NarrowPhase::set_head(bodies_, pairs_, i, update, options, pairs_.head(at));
  PairMarks& marks = pairs_.marks(at);
  marks.ground_a = bodies_[p.body_a].kind == BodyKind::fixed;
  marks.ground_b = bodies_[p.body_b].kind == BodyKind::fixed;
  marks.carries = update.carries;
  marks.touching = marks.touching || p.sensor;
  const bool wake = update.carries && (sleeps(bodies_[p.body_a]) || sleeps(bodies_[p.body_b]));
  after_[at] = static_cast<std::uint8_t>(pair_looked | (wake ? pair_wakes : 0));
}

/// Of active pairs [begin, end): heads first, then those that need a look. So the memory of the next ones can be fetched meanwhile.
void World::look_at_pairs(std::size_t begin, std::size_t end, const NarrowPhaseOptions& options,
                          std::size_t thread) {
  constexpr std::size_t ahead = 4;
  std::vector<std::uint32_t>& list = scratch_[thread].to_look_at;
  list.clear();
  for (std::size_t at = begin; at < end; ++at) {
    after_[at] = 0;
    if (broad_phase_.fixed_moved() || !nothing_new(at))
      list.push_back(static_cast<std::uint32_t>(at));
  }
  for (std::size_t k = 0; k < list.size(); ++k) {
    if (k + 2 * ahead < list.size()) pairs_.prefetch(list[k + 2 * ahead]);
    if (k + ahead < list.size()) {
      bodies_.prefetch(pairs_.ends(list[k + ahead]).body_a);
      bodies_.prefetch(pairs_.ends(list[k + ahead]).body_b);
    }
    if (look_at_pair(list[k], options)) remake_pair(list[k], options, thread);
  }
}

/// Counts what a body stands on: a pair with a fixed body once, one that comes together twice. What has two is worth a look for seams.
void World::count_ground(std::uint32_t slot, std::uint8_t more) {
  std::uint8_t& count = grounds_[slot];
  if (count < 2 && count + more >= 2) grounded_.push_back(slot);
  count = static_cast<std::uint8_t>(std::min(count + more, 2));
}

/// The pair's manifolds after the first.
void World::put_chain(std::size_t at) {
  const std::uint32_t i = pairs_.active()[at];
  const PairChain& chain = pair_chains_[at];
  pairs_.set_manifolds(i, std::size_t{1} + chain.count);
  const Manifold* from = scratch_[chain.thread].narrow.chains.data() + chain.first;
  for (Manifold* m = pairs_.after(pairs_[i].manifold); m != nullptr; m = pairs_.after(*m)) {
    const std::uint32_t next = m->next;
    *m = *from++;
    m->next = next;
  }
}

/// What comes of a pair for others. Its bodies may wake each other.
void World::settle_pair(std::size_t at) {
  const unsigned after = after_[at];
  const PairMarks& marks = pairs_.marks(at);
  if (after == 0 && !(marks.carries & (marks.ground_a | marks.ground_b))) return;
  if ((after & pair_gone) != 0) {
    gone_.push_back(pairs_.active()[at]);
    return;
  }
  const auto [slot_a, slot_b] = pairs_.ends(at);
  if ((after & pair_rechained) != 0) put_chain(at);
  if ((after & pair_looked) != 0) {
    // Those that move were placed when the step began.
    if (marks.ground_a) bodies_.travel(slot_a).center = bodies_[slot_a].frame.origin;
    if (marks.ground_b) bodies_.travel(slot_b).center = bodies_[slot_b].frame.origin;
  }
  if (!marks.carries) return;
  if ((after & pair_made) != 0) remade_[slot_a] = remade_[slot_b] = 1;
  if (marks.ground_a) count_ground(slot_b, 1);
  if (marks.ground_b) count_ground(slot_a, 1);
  if ((after & pair_closes) != 0) {
    count_ground(slot_a, 2);
    count_ground(slot_b, 2);
  }
  if ((after & pair_wakes) == 0) return;
  if (sleeps(bodies_[slot_a]) && moves_of_itself(bodies_[slot_b])) wake_slot(slot_a);
  if (sleeps(bodies_[slot_b]) && moves_of_itself(bodies_[slot_a])) wake_slot(slot_b);
}

/// Pairs may become active on the way, as bodies wake: they are at the end of the list, and come to their turn.
void World::update_contacts(double time, Team& team) {
  const NarrowPhaseOptions options{options_.margin, time, options_.continuous};
  gone_.clear();
  grounded_.clear();
  grounds_.assign(bodies_.slots(), 0);
  remade_.assign(bodies_.slots(), 0);
  update_travels(time, team);
  part_regions(team);
  narrow_phase_.begin(pairs_);
  std::size_t next = 0;
  while (next < pairs_.active().size()) {
    const std::size_t first = next;
    next = pairs_.active().size();
    after_.resize(next);
    pair_chains_.resize(next);
    for (StepScratch& scratch : scratch_) scratch.narrow.chains.clear();
    const auto look = [&](std::size_t begin, std::size_t end, std::size_t thread) {
      look_at_pairs(first + begin, first + end, options, thread);
    };
    if (first == 0 && regions_.count() > 1)
      team.share(pair_order_.begins(), pairs_each, look);
    else
      team.share(next - first, pairs_each, look);
    for (std::size_t at = first; at < next; ++at) settle_pair(at);
  }
  for (const std::uint32_t i : gone_) {
    end_contact(i);
    pairs_.remove(bodies_, i);
  }
  pairs_.find_carrying();
  weld_grounded(team);
}

/// Few bodies have seams: which, is found by all threads; then they are welded one after the other, since two of them may share a contact. What had no seam when its manifolds were made has none until one of them is made anew.
void World::weld_grounded(Team& team) {
  std::erase_if(grounded_, [&](std::uint32_t slot) { return remade_[slot] == 0; });
  if (grounded_.empty()) return;
  std::sort(grounded_.begin(), grounded_.end());
  pairs_.group_carrying(bodies_.slots());
  has_seams_.assign(grounded_.size(), 1);
  if (!team.alone())
    team.share(
        grounded_.size(), seams_each, [&](std::size_t begin, std::size_t end, std::size_t thread) {
          Seams& seams = scratch_[thread].seams;
          for (std::size_t i = begin; i < end; ++i)
            has_seams_[i] = seams.any(bodies_, pairs_, grounded_[i], options_.margin) ? 1 : 0;
        });
  bool welded = false;
  for (std::size_t i = 0; i < grounded_.size(); ++i) {
    if (has_seams_[i] == 0) continue;
    const std::uint32_t slot = grounded_[i];
    if (!scratch_[0].seams.weld(bodies_, pairs_, slot, options_.margin)) continue;
    for (std::uint32_t k = bodies_[slot].first_contact; k != no_index; k = pairs_.next_of(k, slot))
      if (pairs_.active_at(k) != no_index)
        pairs_.marks(pairs_.active_at(k)).carries = pair_carries(pairs_, pairs_[k]);
    welded = true;
  }
  if (welded) pairs_.thin_carrying();
}

void World::end_contact(std::uint32_t pair) {
  PairRecord& p = pairs_[pair];
  if (!p.touching) return;
  p.touching = false;
  const PlacedShape &a = bodies_.shape(p.shape_a), &b = bodies_.shape(p.shape_b);
  const BodyId id_a = bodies_.id_of(a.body), id_b = bodies_.id_of(b.body);
  if (p.sensor) {
    const bool first = a.def.sensor;
    next_events_.sensors.push_back({EventKind::end, first ? id_a : id_b, first ? id_b : id_a,
                                    first ? a.number : b.number, first ? b.number : a.number});
    return;
  }
  ContactEvent e;
  e.kind = EventKind::end;
  e.a = id_a;
  e.b = id_b;
  e.shape_a = a.number;
  e.shape_b = b.number;
  const Frame& frame = bodies_[p.body_a].frame;
  e.normal = frame.basis * p.manifold.normal;
  e.point = frame.to_world(p.manifold.count > 0 ? middle_of(p.manifold) : p.last_point);
  next_events_.contacts.push_back(e);
}

namespace {

/// Where the pair touches, and how hard.
struct Touch {
  bool touching = false;
  Vec3 point{};
  double impulse = 0, approach = 0;
};
/// What comes together faster than `bounce_speed`, bounces, and has not been pushed meets in the next step.
Touch touch_of(const BodyStore& bodies, const ContactStore& pairs, const PairRecord& p,
               double bounce_speed) {
  Touch t;
  const Body &a = bodies[p.body_a], &b = bodies[p.body_b];
  Vec3 carried{}, all{};
  double count = 0;
  for (const Manifold* m = &p.manifold; m != nullptr; m = pairs.after(*m)) {
    const bool bounces = p.restitution > 0 && double{m->approach} >= bounce_speed;
    for (int i = 0; i < m->count; ++i) {
      const PairPoint& point = m->points[static_cast<std::size_t>(i)];
      const Vec3 at = (a.frame.to_world(point.on_a) + b.frame.to_world(point.on_b)) * 0.5;
      t.impulse += point.total;
      carried += at * point.total;
      all += at;
      ++count;
      t.touching =
          t.touching || point.total > 0 || (!bounces && separation_now(a, b, *m, point) <= 0);
    }
    t.approach = std::max<double>(t.approach, m->approach);
  }
  t.point = t.impulse > 0 ? carried / t.impulse : all / std::max(count, 1.0);
  return t;
}

} // namespace

/// Places in the list of active pairs of those that may have an event to tell. Found without branches, as there are few.
void World::find_tellers() {
  const std::size_t active = pairs_.active().size();
  const bool persist = options_.persist_events;
  tellers_.resize(active);
  std::size_t count = 0;
  for (std::uint32_t at = 0; at < active; ++at) {
    const PairMarks& marks = pairs_.marks(at);
    tellers_[count] = at;
    count += (marks.carries != marks.touching) | (persist & marks.carries) ? 1 : 0;
  }
  tellers_.resize(count);
}

void World::finish_contacts() {
  find_tellers();
  for (const std::uint32_t at : tellers_) {
    PairMarks& marks = pairs_.marks(at);
    const std::uint32_t i = pairs_.active()[at];
    if (std::find(struck_.begin(), struck_.end(), i) != struck_.end()) continue;
    PairRecord& p = pairs_[i];
    const bool carries = p.sensor ? p.manifold.count > 0 : pair_carries(pairs_, p);
    if (!carries) end_contact(i);
    // A sensor's points are no contact: it is always looked at.
    marks.touching = p.sensor || p.touching;
    if (!carries) continue;
    if (p.touching && !options_.persist_events) continue;
    const PlacedShape &a = bodies_.shape(p.shape_a), &b = bodies_.shape(p.shape_b);
    const BodyId id_a = bodies_.id_of(a.body), id_b = bodies_.id_of(b.body);
    if (p.sensor) {
      if (p.touching) continue;
      p.touching = true;
      const bool first = a.def.sensor;
      next_events_.sensors.push_back({EventKind::begin, first ? id_a : id_b, first ? id_b : id_a,
                                      first ? a.number : b.number, first ? b.number : a.number});
      continue;
    }
    const Touch touch = touch_of(bodies_, pairs_, p, options_.solver.bounce_threshold);
    if (!p.touching && !touch.touching) continue;
    next_events_.contacts.push_back({p.touching ? EventKind::persist : EventKind::begin, id_a, id_b,
                                     a.number, b.number,
                                     bodies_[p.body_a].frame.basis * p.manifold.normal, touch.point,
                                     touch.impulse, p.touching ? 0 : touch.approach});
    p.touching = marks.touching = true;
    p.last_point = bodies_[p.body_a].frame.to_local(touch.point);
  }
  for (const std::uint32_t i : once_) {
    const PairRecord& p = pairs_[i];
    if (p.shape_a != no_index && bodies_[p.body_a].active_at == no_index &&
        bodies_[p.body_b].active_at == no_index)
      pairs_.deactivate(i);
  }
}

} // namespace carom
