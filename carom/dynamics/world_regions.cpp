// Where bodies are as a step begins, and which of them are dealt with together (regions.h).
//
// Three things follow the regions. The lists of bodies and of pairs do, and so the order in which contacts are solved: these are part of the world's state, and the same for any number of threads. And memory does, which is nobody's business: a processor
// that goes through memory in order fetches what comes next before it is asked for, and takes it away from another that writes it.
#include "carom/dynamics/world.h"

#include <algorithm>

namespace carom {
namespace {

constexpr std::size_t bodies_each = 64; // parts of work that threads take
constexpr std::uint8_t nowhere = 255;   // the region of what is not active

} // namespace

/// Who is awake, whose boxes are new, where they are, and how fast.
void World::update_travels(double time, Team& team) {
  ++step_;
  centers_.resize(active_.size());
  team.share(active_.size(), bodies_each, [&](std::size_t begin, std::size_t end) {
    for (std::size_t at = begin; at < end; ++at) {
      BodyTravel& t = bodies_.travel(active_[at]);
      const Body& body = bodies_[active_[at]];
      t.awake_step = step_;
      t.center = body.frame.origin;
      t.moves_far = moves_far(body, time, options_.margin);
      for (int i = 0; i < 3; ++i) {
        t.step_way[i] = static_cast<float>(body.velocity[i] * time);
        centers_[at][static_cast<std::size_t>(i)] = static_cast<float>(t.center[i]);
      }
    }
  });
  for (const std::uint32_t i : broad_phase_.moved())
    bodies_.travel(bodies_.shape(i).body).boxes_step = step_;
}

void World::put_bodies_in_order() {
  const std::span<const std::uint32_t> order = body_order_.order(regions_.of());
  other_active_.reserve(active_.capacity()); // what had room keeps it
  other_active_.resize(active_.size());
  for (std::size_t i = 0; i < order.size(); ++i) other_active_[i] = active_[order[i]];
  std::swap(active_, other_active_);
  for (std::size_t i = 0; i < active_.size(); ++i)
    bodies_[active_[i]].active_at = static_cast<std::uint32_t>(i);
  const std::span<std::uint8_t> of = regions_.of();
  std::sort(of.begin(), of.end());
}

/// Bodies and pairs stand by regions in their lists, or nearly so: what belongs to one thread is not between what belongs to others. Where joints stand depends on the list of bodies, and they are laid out anew when it changes: where there are any, it stays.
void World::part_regions(Team& team) {
  const std::size_t regions = Regions::wanted(pairs_.active().size());
  regions_.find(centers_, regions);
  if (regions == 1) {
    pair_order_.all_in_one(pairs_.active().size());
    return;
  }
  body_order_.count(regions_.of(), regions);
  if (joints_.count() == 0 && body_order_.is_due(regions_.of())) put_bodies_in_order();
  region_of_.assign(bodies_.slots(), nowhere);
  for (std::size_t i = 0; i < active_.size(); ++i) region_of_[active_[i]] = regions_.of()[i];
  pair_regions_.resize(pairs_.active().size());
  for (std::size_t at = 0; at < pair_regions_.size(); ++at) {
    const PairEnds& ends = pairs_.ends(at);
    const std::uint8_t of_a = region_of_[ends.body_a], of_b = region_of_[ends.body_b];
    pair_regions_[at] = of_a != nowhere ? of_a : (of_b != nowhere ? of_b : std::uint8_t{0});
  }
  pair_order_.count(pair_regions_, regions);
  if (pair_order_.is_due(pair_regions_)) {
    pairs_.reorder(pair_order_.order(pair_regions_));
    std::sort(pair_regions_.begin(), pair_regions_.end());
  }
  // Bodies stand in the order in which they are gone through, which is worth something to one thread, too.
  if (joints_.count() == 0) bodies_.arrange(active_, regions_.of(), body_order_);
  if (!team.alone()) pairs_.arrange(pair_regions_, pair_order_);
}

} // namespace carom
