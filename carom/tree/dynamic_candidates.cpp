// Distances of boxes are squared in floats. So all is multiplied by a scale first that makes the greatest number about 1: then nothing overflows, and what underflows becomes 0, which is
// nearer than it is. Boxes were rounded outward when they became floats; subtracting two floats errs by 2^-24 of the difference, and a few more such errors are covered by the limit.
//
// Compiled once for each instruction set (everything between the HWY_ lines), and chosen at run time.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "carom/tree/dynamic_candidates.cpp"
#include <hwy/foreach_target.h>

#include "carom/tree/dynamic_candidates.h"
#include "carom/tree/dynamic_ordered_walk-inl.h"
#include "carom/tree/dynamic_ray_walk-inl.h"

HWY_BEFORE_NAMESPACE();
namespace carom {
namespace HWY_NAMESPACE {
namespace {

void swept(const DynamicTree& tree, const Aabb& box, const Vec3& translation, double t_max,
           FunctionRef<double(BoxId)> found) {
  if (box.empty() || !is_finite(box.min) || !is_finite(box.max)) return;
  const Vec3 middle = box.center();
  const Vec3 half = max(box.max - middle, middle - box.min);
  walk_ray(tree, Ray{middle, translation}, half, t_max,
           [&](std::uint32_t slot) HWY_ATTR { return found(tree.id_of(slot)); });
}

/// A box that distances are asked from, in a tree's floats.
class NearBox {
public:
  HWY_INLINE NearBox(const DynamicTree& tree, const Aabb& box) {
    const FloatBox asked = outward_box(box, tree.origin());
    const FloatBox all = tree.nodes()[tree.root()].box();
    float reach = 0;
    for (std::size_t i = 0; i < 3; ++i) {
      for (const float x : {asked.min[i], asked.max[i], all.min[i], all.max[i]})
        if (std::fabs(x) < INFINITY) reach = std::max(reach, std::fabs(x));
      lower_[i] = all_floats(asked.min[i]);
      upper_[i] = all_floats(asked.max[i]);
    }
    scale_ = 1 / std::max(reach, 0x1p-100F);
  }

  /// The square of the limit, scaled and rounded up.
  [[nodiscard]] HWY_INLINE float key_of(double limit) const {
    const double reach = limit * static_cast<double>(scale_);
    return static_cast<float>(std::min(reach * reach * (1 + 0x1p-18), 0x1p127));
  }

  HWY_INLINE unsigned look(const DynamicNode& node, float limit, float* keys) const {
    const Float8 zero = all_floats(0), scale = all_floats(scale_);
    Float8 sum = zero;
    for (int i = 0; i < 3; ++i) {
      const Float8 above = load_floats(node.lower[i]) - upper_[i];
      const Float8 below = lower_[i] - load_floats(node.upper[i]);
      const Float8 gap = max(max(above, below), zero) * scale;
      sum = sum + gap * gap;
    }
    store_floats(sum, keys);
    return bits(sum <= all_floats(limit)) & node.lanes();
  }

private:
  Float8 lower_[3], upper_[3];
  float scale_;
};

void near_boxes(const DynamicTree& tree, const Aabb& box, double limit,
                FunctionRef<double(BoxId)> found) {
  if (tree.empty() || box.empty() || !(limit >= 0)) return;
  const NearBox asked(tree, box);
  walk_near_first(
      tree, asked.key_of(limit),
      [&](const DynamicNode& node, float most, float* keys)
          HWY_ATTR { return asked.look(node, most, keys); },
      [&](std::uint32_t slot, float& most) HWY_ATTR {
        const double left = found(tree.id_of(slot));
        if (!(left >= 0)) return false;
        most = std::min(most, asked.key_of(left));
        return true;
      });
}

} // namespace
} // namespace HWY_NAMESPACE
} // namespace carom
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace carom {
namespace {

HWY_EXPORT(swept);
HWY_EXPORT(near_boxes);

} // namespace

void find_swept(const DynamicTree& tree, const Aabb& box, const Vec3& translation, double t_max,
                FunctionRef<double(BoxId)> found) {
  HWY_DYNAMIC_DISPATCH(swept)(tree, box, translation, t_max, found);
}

void find_near(const DynamicTree& tree, const Aabb& box, double limit,
               FunctionRef<double(BoxId)> found) {
  HWY_DYNAMIC_DISPATCH(near_boxes)(tree, box, limit, found);
}

} // namespace carom
#endif
