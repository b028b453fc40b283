// What the solver is to solve: every manifold becomes a constraint, in the order of the pairs. And who is struck: bodies that lose their burdens, since more comes at them than they bear (burden.h).
#include "carom/dynamics/contact_solver.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace carom {
namespace {

/// Parts of work that threads take.
constexpr std::size_t bodies_each = 64, pairs_each = 128;
/// Pairs are nowhere near each other in memory: so many are on their way.
constexpr std::size_t ahead = 8, line = 64;

/// Whether nothing acted in it at the end of the last step, and nothing bounces.
bool is_idle(const PairRecord& p, const Manifold& m) {
  bool acts = (p.restitution > 0) | (m.twist != 0);
  for (int i = 0; i < 3; ++i) acts |= (m.friction[i] != 0) | (m.rolling[i] != 0);
  for (int i = 0; i < m.count; ++i) acts |= m.points[static_cast<std::size_t>(i)].impulse != 0;
  return !acts;
}

} // namespace

/// Every manifold with points of which a body can be moved becomes a constraint: those of pairs [begin, end) among those that carry, in order.
template<class Found>
void ContactSolver::find_constraints(const BodyStore& bodies, ContactStore& pairs,
                                     std::size_t begin, std::size_t end, Found found) {
  for (std::size_t i = begin; i < end; ++i) {
    if (i + ahead < end) {
      const auto* next =
          reinterpret_cast<const std::byte*>(&pairs[pairs.active()[pairs.carrying()[i + ahead]]]);
      for (std::size_t at = 0; at < 3 * line; at += line) __builtin_prefetch(next + at);
    }
    PairRecord& p = pairs[pairs.active()[pairs.carrying()[i]]];
    if (p.sensor) continue;
    const Body &a = bodies[p.body_a], &b = bodies[p.body_b];
    const bool a_moves = a.movable() && a.active_at != no_index,
               b_moves = b.movable() && b.active_at != no_index;
    if (!a_moves && !b_moves) continue;
    const std::uint32_t place_a = a.active_at + 1, place_b = b.active_at + 1; // none: 0
    const Haste haste = a.burden > 1 || b.burden > 1 ? haste_of(a, b) : Haste{};
    for (Manifold* m = &p.manifold; m != nullptr; m = pairs.after(*m)) {
      if (m->count == 0) continue;
      found(Constraint{&p, m, place_a, place_b, !a_moves}, haste,
            GraphEdge{a_moves ? place_a : place_b, a_moves && b_moves ? place_b : 0,
                      static_cast<std::uint32_t>(m->count), is_idle(p, *m)});
    }
  }
}

/// Stretches of the pairs that carry, none of which has pairs of two regions; and how many of these come before each region's.
void ContactSolver::cut_parts(const ContactStore& pairs, std::span<const std::size_t> begins) {
  const std::span<const std::uint32_t> carrying = pairs.carrying();
  parts_.clear();
  part_begins_.assign(1, 0);
  std::size_t at = 0;
  for (std::size_t region = 1; region < begins.size(); ++region) {
    const bool last = region + 1 == begins.size();
    const auto end = static_cast<std::size_t>(
        (last ? carrying.end()
              : std::lower_bound(carrying.begin(), carrying.end(), begins[region])) -
        carrying.begin());
    for (; at < end; at = std::min(at + pairs_each, end)) parts_.push_back(at);
    part_begins_.push_back(parts_.size());
  }
  parts_.push_back(carrying.size());
}

/// Threads count first, so that each knows where its constraints belong.
void ContactSolver::collect(const BodyStore& bodies, ContactStore& pairs,
                            std::span<const std::size_t> begins, Team& team) {
  if (team.alone()) {
    constraints_.clear();
    hastes_.clear();
    edges_.clear();
    find_constraints(bodies, pairs, 0, pairs.carrying().size(),
                     [&](const Constraint& c, const Haste& haste, const GraphEdge& edge) {
                       constraints_.push_back(c);
                       hastes_.push_back(haste);
                       edges_.push_back(edge);
                     });
    return;
  }
  cut_parts(pairs, begins);
  firsts_.assign(parts_.size(), 0);
  const auto in_part = [&](std::size_t part, auto&& found) {
    find_constraints(bodies, pairs, parts_[part], parts_[part + 1], found);
  };
  team.share(part_begins_, 1, [&](std::size_t begin, std::size_t end, std::size_t) {
    for (std::size_t i = begin; i < end; ++i) {
      std::size_t count = 0;
      in_part(i, [&](const Constraint&, const Haste&, const GraphEdge&) { ++count; });
      firsts_[i + 1] = count;
    }
  });
  for (std::size_t i = 1; i < firsts_.size(); ++i) firsts_[i] += firsts_[i - 1];
  constraints_.resize(firsts_.back());
  hastes_.resize(firsts_.back());
  edges_.resize(firsts_.back());
  team.share(part_begins_, 1, [&](std::size_t begin, std::size_t end, std::size_t) {
    for (std::size_t i = begin; i < end; ++i)
      in_part(i, [&, at = firsts_[i]](const Constraint& c, const Haste& haste,
                                      const GraphEdge& edge) mutable {
        constraints_[at] = c;
        hastes_[at] = haste;
        edges_[at++] = edge;
      });
  });
}

/// Of each body, by place; whether any has a burden.
bool ContactSolver::find_borne(const BodyStore& bodies, std::span<const std::uint32_t> active,
                               const SolverOptions& options, const SoftStep& soft, double time,
                               Team& team) {
  borne_.assign(states_.size(), 0);
  borne_[0] = INFINITY; // nobody
  team.share(active.size(), bodies_each, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i)
      borne_[i + 1] = borne_impulse(bodies[active[i]], options.rest_depth, soft, time);
  });
  return std::any_of(borne_.begin() + 1, borne_.end(), [](float x) { return x > 0; });
}

/// Also those that are pushed on in the same step, from contact to contact, whatever their order: one in each of the passes, two a sub-step, and as far as nothing withstands it.
void ContactSolver::feel_strikes(BodyStore& bodies, std::span<const std::uint32_t> active,
                                 const SolverOptions& options, const SoftStep& soft, double time,
                                 Team& team) {
  hasty_.assign(states_.size(), 0);
  for (std::size_t i = 0; i < hastes_.size(); ++i)
    if (hastes_[i].any) hasty_[constraints_[i].place_a] = hasty_[constraints_[i].place_b] = 1;
  if (!find_borne(bodies, active, options, soft, time, team)) return;
  struck_.assign(states_.size(), 0);
  bool any = false;
  // By bits, without a branch: nobody could guess it.
  const auto strike = [](float& struck, float impulse, float borne) {
    const std::uint32_t more = std::uint32_t{0} - static_cast<std::uint32_t>(impulse > borne);
    struck = std::max(struck, std::bit_cast<float>(std::bit_cast<std::uint32_t>(impulse) & more));
  };
  for (std::size_t i = 0; i < hastes_.size(); ++i) {
    if (!hastes_[i].any) continue;
    any = true;
    for (const std::uint32_t place : {constraints_[i].place_a, constraints_[i].place_b})
      strike(struck_[place], hastes_[i].impulse, borne_[place]);
  }
  for (int hop = 0; any && hop < 2 * options.sub_steps; ++hop) {
    struck_on_ = struck_;
    for (const Constraint& c : constraints_) {
      strike(struck_on_[c.place_a], struck_[c.place_b], borne_[c.place_a]);
      strike(struck_on_[c.place_b], struck_[c.place_a], borne_[c.place_b]);
    }
    if (struck_on_ == struck_) break;
    std::swap(struck_, struck_on_);
  }
  for (std::size_t place = 1; place < struck_.size(); ++place) {
    if (!(struck_[place] > 0)) continue;
    hasty_[place] = 1;
    if (borne_[place] > 0) bodies[active[place - 1]].burden = 1;
  }
}

} // namespace carom
