#include "carom/query/overlapping_parts.h"

#include "carom/query/overlap.h"
#include "carom/query/part_walk.h"
#include "carom/query/rounded.h"

#include <algorithm>
#include <tuple>

namespace carom {
namespace {

class Collector {
public:
  Collector(std::vector<PartOverlap>& found, std::size_t most) : found_(found), most_(most) {}

  /// False once there are as many as were asked for.
  bool add(const PartId& a, const PartId& b) {
    if (found_.size() < most_) found_.push_back({a, b});
    return found_.size() < most_;
  }
  [[nodiscard]] bool full() const { return found_.size() >= most_; }

private:
  std::vector<PartOverlap>& found_;
  std::size_t most_;
};

void collect(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
             Collector& collector, const PartShape* within_a, const PartShape* within_b);

void collect_meshes(const TriangleMesh& a, const TriangleMesh& b, const PartPair& pair,
                    Collector& collector, const PartShape* within_a, const PartShape* within_b) {
  all_meetings(a.set(), b.set(), pair.b_in_a(), [&](const TrianglePair& p) {
    const PartId of_a{p.a, 0, a.material(p.a)}, of_b{p.b, 0, b.material(p.b)};
    return collector.add(within_a ? within_a->id(of_a) : of_a,
                         within_b ? within_b->id(of_b) : of_b);
  });
}

void collect(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
             Collector& collector, const PartShape* within_a, const PartShape* within_b) {
  const PartPair pair(a, pose_a, b, pose_b);
  const auto *mesh_a = body_of<TriangleMesh>(a), *mesh_b = body_of<TriangleMesh>(b);
  if (mesh_a && mesh_b && a.rounding() + b.rounding() == 0)
    return collect_meshes(*mesh_a, *mesh_b, pair, collector, within_a, within_b);
  const Opened opened(a, b);
  PartShape part_a(a, pose_a, opened.a), part_b(b, pose_b, opened.b);
  walk_parts(
      PartTree(a, opened.a), PartTree(b, opened.b), 0,
      [&](const Aabb& box_a, const Aabb& box_b) { return pair.gap(box_a, box_b); },
      [&](std::uint64_t i, std::uint64_t j, double& limit) {
        part_a.take(i);
        part_b.take(j);
        if (!part_a.shape().convex() || !part_b.shape().convex()) {
          // One level down. What was a part up here is still one, where the shape itself was not taken apart.
          collect(part_a.shape(), part_a.pose(), part_b.shape(), part_b.pose(), collector,
                  opened.a ? &part_a : within_a, opened.b ? &part_b : within_b);
        } else if (overlap(part_a.shape(), part_a.pose(), part_b.shape(), part_b.pose())) {
          const PartId of_a = part_a.id(), of_b = part_b.id();
          collector.add(within_a ? within_a->id(of_a) : of_a, within_b ? within_b->id(of_b) : of_b);
        }
        if (collector.full()) limit = -INFINITY;
      });
}

} // namespace

std::vector<PartOverlap> overlapping_parts(const Shape& a, const Pose& pose_a, const Shape& b,
                                           const Pose& pose_b, std::size_t most) {
  std::vector<PartOverlap> found;
  if (!in_range(pose_a) || !in_range(pose_b) || most == 0) return found;
  Collector collector(found, most);
  collect(a, pose_a, b, pose_b, collector, nullptr, nullptr);
  const auto key = [](const PartOverlap& p) {
    return std::tuple(p.a.part, p.a.element, p.b.part, p.b.element);
  };
  std::sort(found.begin(), found.end(),
            [&](const PartOverlap& x, const PartOverlap& y) { return key(x) < key(y); });
  return found;
}

} // namespace carom
