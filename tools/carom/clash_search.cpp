// Boxes first (carom/space), then each pair that is left, on all cores. Two parts that meet, neither with a vertex deep in the other, are looked at again with one of them shrunk by as much as counts as touching: a bolt in its hole is then apart from the wall, whichever
// way the wall faces. No translation tells that: a bolt that fits can be moved nowhere but out.
#include "tools/carom/clash_search.h"

#include "carom/query/closest_point.h"
#include "carom/query/distance.h"
#include "carom/query/overlap.h"
#include "carom/query/penetration.h"
#include "carom/shape/composite.h"
#include "carom/space/space.h"
#include "tools/carom/parallel.h"
#include "tools/carom/session.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace carom::tool {
namespace {

double greatest_coordinate(const Aabb& box) {
  double most = 0;
  for (const Vec3& p : {box.min, box.max}) {
    most = std::max({most, std::fabs(p.x), std::fabs(p.y), std::fabs(p.z)});
  }
  return most;
}

struct Candidate {
  std::size_t a = 0, b = 0;
  double touch = 0;
};

std::vector<Candidate> candidates(const std::vector<Part>& parts, const ClashOptions& options) {
  Space space;
  std::vector<double> size;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const auto id = space.add({.shape = parts[i].shape, .user = i});
    if (!id) fail(parts[i].name, describe(id.error()));
    size.push_back(greatest_coordinate(space.box(*id)));
  }
  space.rebuild();
  const double greatest = size.empty() ? 0 : *std::max_element(size.begin(), size.end());
  const double limit = std::max(options.clearance, options.touch.value_or(1e-6 * greatest));
  std::vector<Candidate> found;
  for (std::uint32_t slot = 0; slot < space.slot_count(); ++slot) {
    const std::size_t a = space.object_at(slot).user;
    space.partition().visit_near(space.box_at(slot), limit, {}, [&](std::uint32_t other) {
      const std::size_t b = space.object_at(other).user;
      if (a < b) {
        found.push_back({a, b, options.touch.value_or(1e-6 * std::max(size[a], size[b]))});
      }
      return limit;
    });
  }
  std::sort(found.begin(), found.end(), [](const Candidate& x, const Candidate& y) {
    return x.a != y.a ? x.a < y.a : x.b < y.b;
  });
  return found;
}

/// Looks at the vertices of one part that may be inside of the other.
void find_deepest(const Shape& vertices_of, const Shape& inside_of, Clash& clash) {
  const auto* from = body_of<TriangleMesh>(vertices_of);
  const auto* solid = body_of<TriangleMesh>(inside_of);
  if (from == nullptr || solid == nullptr || !solid->solid()) return;
  const Aabb& box = solid->bounds();
  for (const Vec3& v : from->vertices()) {
    if (v.x < box.min.x || v.y < box.min.y || v.z < box.min.z || v.x > box.max.x ||
        v.y > box.max.y || v.z > box.max.z) {
      continue;
    }
    const double depth = -closest_point(v, inside_of, {}).value;
    if (depth <= clash.deepest) continue;
    clash.deepest = depth;
    clash.deepest_vertex = v;
  }
}

/// Whether they come apart when one of them is shrunk by as much as counts as touching.
bool only_touch(const Part& a, const Part& b, double touch) {
  if (touch <= 0) return false;
  return (a.solid && !overlap(shrunk(a.shape, touch), {}, b.shape, {}).hit) ||
         (b.solid && !overlap(a.shape, {}, shrunk(b.shape, touch), {}).hit);
}

std::optional<Clash> look_at(const std::vector<Part>& parts, const Candidate& pair,
                             double clearance) {
  const Part& a = parts[pair.a];
  const Part& b = parts[pair.b];
  Clash clash{.a = pair.a, .b = pair.b};
  const double limit = std::max(clearance, pair.touch);
  clash.distance = distance(a.shape, {}, b.shape, {}, {.limit = limit});
  const double apart = clash.distance.value;
  if (apart > limit) return std::nullopt;
  if (apart > pair.touch) return clash; // near
  clash.kind = ClashKind::touching;
  if (apart > 0) return clash;
  find_deepest(a.shape, b.shape, clash);
  find_deepest(b.shape, a.shape, clash);
  // A vertex that is deep decides at once; else edges may cross.
  if (clash.deepest <= pair.touch && only_touch(a, b, pair.touch)) return clash;
  clash.kind = ClashKind::overlapping;
  clash.penetration = penetration(a.shape, {}, b.shape, {});
  return clash;
}

/// By kind; then the worst first; then by the parts' order.
bool worse(const Clash& x, const Clash& y) {
  if (x.kind != y.kind) return x.kind < y.kind;
  if (x.penetration.depth != y.penetration.depth) return x.penetration.depth > y.penetration.depth;
  if (x.distance.value != y.distance.value) return x.distance.value < y.distance.value;
  return x.a != y.a ? x.a < y.a : x.b < y.b;
}

} // namespace

std::size_t ClashReport::count(ClashKind kind) const {
  return static_cast<std::size_t>(std::count_if(clashes.begin(), clashes.end(),
                                                [&](const Clash& c) { return c.kind == kind; }));
}

bool ClashReport::is_finding(const Clash& clash) const {
  return clash.kind != ClashKind::touching || clash.distance.value < clearance;
}

ClashReport find_clashes(const std::vector<Part>& parts, const ClashOptions& options) {
  const std::vector<Candidate> pairs = candidates(parts, options);
  std::vector<std::optional<Clash>> found(pairs.size());
  Progress progress("checking", pairs.size());
  parallel_for(pairs.size(), options.threads, progress,
               [&](std::size_t i) { found[i] = look_at(parts, pairs[i], options.clearance); });
  ClashReport report{.clearance = options.clearance, .candidates = pairs.size(), .clashes = {}};
  for (const auto& clash : found) {
    if (clash) report.clashes.push_back(*clash);
  }
  std::sort(report.clashes.begin(), report.clashes.end(), worse);
  return report;
}

} // namespace carom::tool
