// Blocks never move a body twice, parts of a stage have no body in common, and every contact is solved once.
#include "carom/dynamics/constraint_graph.h"
#include "tests/support/property.h"

#include <map>
#include <set>

namespace carom::test {
namespace {

struct Contacts {
  std::vector<GraphEdge> edges;
  std::vector<std::uint8_t> region_of;
  std::size_t regions = 1;
};

Contacts random_contacts(Source& source) {
  Contacts c;
  c.regions = std::size_t{1} << source.below(5);
  const std::size_t bodies = 2 + source.below(60);
  c.region_of.assign(bodies, 0);
  for (std::size_t i = 1; i < bodies; ++i)
    c.region_of[i] = static_cast<std::uint8_t>(source.below(c.regions));
  // One that touches many has no colour for them all.
  const bool crowded = source.below(4) == 0;
  for (std::size_t k = source.below(400); k > 0; --k) {
    GraphEdge e;
    e.a = static_cast<std::uint32_t>(
        crowded && source.below(2) == 0 ? 1 : 1 + source.below(bodies - 1));
    e.b = static_cast<std::uint32_t>(source.below(bodies));
    if (e.a == e.b || source.below(4) == 0) e.b = 0;
    e.points = static_cast<std::uint32_t>(1 + source.below(4));
    e.idle = source.below(3) == 0;
    c.edges.push_back(e);
  }
  return c;
}

PROPERTY(ConstraintGraph, SolvesEachContactOnceAndNoBodyTwiceAtOnce) {
  const Contacts c = random_contacts(source);
  ConstraintGraph graph;
  graph.build(c.edges, c.region_of, c.regions);
  std::vector<int> times(c.edges.size());
  std::uint32_t next = 0;
  bool fixed_began = false;
  for (const GraphBlock& block : graph.blocks()) {
    REQUIRE(block.first == next);
    REQUIRE(block.count >= 1);
    REQUIRE(block.count <= lane_count);
    next = block.first + block.count;
    std::set<std::uint32_t> moved;
    std::uint32_t points = 0;
    bool idle = true;
    for (std::uint32_t k = 0; k < block.count; ++k) {
      const std::uint32_t i = graph.order()[block.first + k];
      ++times[i];
      const GraphEdge& e = c.edges[i];
      points = std::max(points, e.points);
      idle = idle && e.idle;
      REQUIRE((e.b == 0) == block.fixed);
      REQUIRE(moved.insert(e.a).second);
      if (e.b != 0) REQUIRE(moved.insert(e.b).second);
    }
    REQUIRE(block.points == points);
    REQUIRE(block.idle == idle);
    REQUIRE(block.fixed || !fixed_began); // they have the last word
    fixed_began = block.fixed;
  }
  for (const int n : times) REQUIRE(n == 1);
}

PROPERTY(ConstraintGraph, PartsOfAStageHaveNoBodyInCommon) {
  const Contacts c = random_contacts(source);
  ConstraintGraph graph;
  graph.build(c.edges, c.region_of, c.regions);
  std::uint32_t next = 0;
  for (std::size_t stage = 0; stage < graph.stages(); ++stage) {
    std::map<std::uint32_t, std::size_t> part_of;
    const std::span<const GraphPart> parts = graph.stage(stage);
    for (std::size_t p = 0; p < parts.size(); ++p) {
      REQUIRE(parts[p].first == next);
      std::uint32_t at = next;
      for (const GraphColor& color : graph.colors(parts[p])) {
        REQUIRE(color.first == at);
        REQUIRE(color.count > 0);
        at += color.count;
        std::set<std::uint32_t> moved; // by the whole colour
        for (std::uint32_t b = color.first; b < at; ++b) {
          const GraphBlock& block = graph.blocks()[b];
          if (!color.at_once) REQUIRE(block.count == 1);
          for (std::uint32_t k = 0; k < block.count; ++k) {
            const GraphEdge& e = c.edges[graph.order()[block.first + k]];
            for (const std::uint32_t body : {e.a, e.b}) {
              if (body == 0) continue;
              REQUIRE(part_of.emplace(body, p).first->second == p);
              if (color.at_once) REQUIRE(moved.insert(body).second);
            }
          }
        }
      }
      next = parts[p].first + parts[p].count;
      REQUIRE(at == next);
    }
  }
  REQUIRE(next == graph.blocks().size());
}

/// Few lanes idle, few blocks have both what acts and what does not; and whether a point that is alone shares a block with several has nothing to do with what is idle.
PROPERTY(ConstraintGraph, WhatIsAlikeSharesBlocks) {
  const Contacts c = random_contacts(source);
  Contacts awake = c;
  for (GraphEdge& e : awake.edges) e.idle = false;
  ConstraintGraph graph, without;
  graph.build(c.edges, c.region_of, c.regions);
  without.build(awake.edges, c.region_of, c.regions);
  const auto sharing = [&](const ConstraintGraph& g) {
    std::vector<bool> shares(c.edges.size());
    for (const GraphBlock& block : g.blocks())
      for (std::uint32_t k = 0; k < block.count; ++k)
        shares[g.order()[block.first + k]] = block.points > 1;
    return shares;
  };
  REQUIRE(sharing(graph) == sharing(without));
  for (std::size_t stage = 0; stage < graph.stages(); ++stage)
    for (const GraphPart& part : graph.stage(stage))
      for (const GraphColor& color : graph.colors(part)) {
        const GraphEdge* last = nullptr;
        for (std::uint32_t b = color.first; b < color.first + color.count; ++b) {
          const GraphBlock& block = graph.blocks()[b];
          for (std::uint32_t k = 0; k < block.count; ++k) {
            const GraphEdge& e = c.edges[graph.order()[block.first + k]];
            if (last != nullptr) REQUIRE(e.points <= last->points);
            const bool sorted = color.at_once && (e.points > 1 || block.points == 1);
            if (last != nullptr && sorted && k > 0 && e.points == last->points)
              REQUIRE(e.idle >= last->idle);
            last = &e;
          }
        }
      }
}

TEST(ConstraintGraph, StagesAreRegionsThenTheirBordersThenWhatIsFixed) {
  // A row of eight bodies, two in each of four regions, all on the ground.
  Contacts c;
  c.regions = 4;
  c.region_of = {0, 0, 0, 1, 1, 2, 2, 3, 3};
  for (std::uint32_t i = 1; i < 8; ++i) c.edges.push_back({i, i + 1, 1});
  for (std::uint32_t i = 1; i <= 8; ++i) c.edges.push_back({i, 0, 4});
  ConstraintGraph graph;
  graph.build(c.edges, c.region_of, c.regions);
  ASSERT_EQ(graph.stages(), 4u);
  const auto edges_of = [&](std::size_t stage) {
    std::vector<std::vector<std::uint32_t>> parts;
    for (const GraphPart& part : graph.stage(stage)) {
      std::vector<std::uint32_t>& list = parts.emplace_back();
      for (std::uint32_t b = part.first; b < part.first + part.count; ++b)
        for (std::uint32_t k = 0; k < graph.blocks()[b].count; ++k)
          list.push_back(graph.order()[graph.blocks()[b].first + k]);
    }
    return parts;
  };
  using Parts = std::vector<std::vector<std::uint32_t>>;
  EXPECT_EQ(edges_of(0), (Parts{{0}, {2}, {4}, {6}}));
  EXPECT_EQ(edges_of(1), (Parts{{1}, {5}}));
  EXPECT_EQ(edges_of(2), (Parts{{3}}));
  EXPECT_EQ(edges_of(3), (Parts{{7, 8}, {9, 10}, {11, 12}, {13, 14}}));
  for (const GraphBlock& block : graph.blocks()) EXPECT_EQ(block.points, block.fixed ? 4u : 1u);
}

TEST(ConstraintGraph, OfNothingHasNoBlocks) {
  ConstraintGraph graph;
  const std::vector<std::uint8_t> region_of(1);
  graph.build({}, region_of, 1);
  EXPECT_TRUE(graph.blocks().empty());
  for (std::size_t i = 0; i < graph.stages(); ++i)
    for (const GraphPart& part : graph.stage(i)) EXPECT_EQ(part.count, 0u);
}

} // namespace
} // namespace carom::test
