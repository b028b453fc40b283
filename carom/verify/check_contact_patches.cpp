#include "carom/verify/check_contact_patches.h"

#include "carom/verify/check_contacts.h"
#include "carom/verify/parts.h"
#include "carom/verify/support_distance.h"

#include <algorithm>
#include <vector>

namespace carom::verify {
namespace {

/// A part with a box around it.
struct BoxedPart {
  PartId id;
  PlacedShape placed;
  Vec3 min, max;

  explicit BoxedPart(const ConvexPart& part) : id(part.id), placed(part.placed) {
    for (int k = 0; k < 3; ++k) {
      Vec3 axis{};
      axis[k] = 1;
      max[k] = support(placed, axis);
      min[k] = -support(placed, -axis);
    }
  }
  [[nodiscard]] double diameter() const { return length(max - min); }
};

std::vector<BoxedPart> boxed(const PlacedShape& placed) {
  std::vector<BoxedPart> parts;
  for (const ConvexPart& part : convex_parts(placed)) parts.emplace_back(part);
  return parts;
}

const BoxedPart* find(std::span<const BoxedPart> parts, const PartId& id) {
  const auto found =
      std::find_if(parts.begin(), parts.end(), [&](const BoxedPart& p) { return p.id == id; });
  return found == parts.end() ? nullptr : &*found;
}

bool boxes_meet(const BoxedPart& a, const BoxedPart& b) {
  return carom::max(a.min, b.min) == carom::min(carom::max(a.min, b.min), carom::min(a.max, b.max));
}

/// Whether they have a point in common, by all their farthest points: those of the difference of both, and where the origin lies.
bool parts_meet(const BoxedPart& a, const BoxedPart& b) {
  for (const auto* part : {&a, &b}) {
    if (part->placed.shape.bounded()) continue;
    const Vec3 out = std::get<HalfSpace>(part->placed.shape.core()).normal;
    const Vec3 normal = part->placed.pose.frame().direction_to_world(normalized(out));
    return !(gap(part->placed, (part == &a ? b : a).placed, normal) > 0);
  }
  if (!boxes_meet(a, b)) return false;
  const auto difference = [&](const Vec3& d) {
    return farthest_point(a.placed, d) - farthest_point(b.placed, -d);
  };
  return !(support_distance({}, difference).lower > 0);
}

Verdict check_patch(std::span<const BoxedPart> a, std::span<const BoxedPart> b,
                    const ContactPatch& patch, double margin, const PatchTolerance& tolerance) {
  const ContactManifold& m = patch.manifold;
  if (m.count < 1 || m.count > 4) return Verdict::no("the count is none");
  if (!is_unit(m.normal)) return Verdict::no("the normal is not a unit vector");
  if (!(std::fabs(m.points[0].separation - m.value) <= tolerance.points))
    return Verdict::no("the first is not the value");
  for (std::size_t k = 0; k < m.contacts().size(); ++k) {
    const Contact& c = m.points[k];
    const BoxedPart* part_a = find(a, patch.part_a[k]);
    const BoxedPart* part_b = find(b, patch.part_b[k]);
    if (!part_a || !part_b) return Verdict::no("a contact names no part");
    if (Verdict v = check_contact(part_a->placed, part_b->placed, c, m.normal, tolerance.points);
        !v)
      return v;
    if (const double e = c.separation - margin; !(e <= tolerance.points))
      return Verdict::off("a separation is above the margin", e);
    if (const double e = m.value - c.separation; !(e <= tolerance.points))
      return Verdict::off("the first is not the deepest", e);
    for (std::size_t i = 0; i < k; ++i) {
      if (m.points[i].id == c.id) return Verdict::no("two contacts have the same id");
      if (length(m.points[i].on_a - c.on_a) <= tolerance.same)
        return Verdict::no("two contacts are at the same place");
    }
  }
  return Verdict::yes();
}

bool is_represented(const BoxedPart& a, const BoxedPart& b, std::span<const ContactPatch> patches) {
  const double near = a.diameter() + b.diameter();
  for (const ContactPatch& patch : patches) {
    for (const Contact& c : patch.manifold.contacts())
      if (distance(c.on_a, a.placed) <= near && distance(c.on_b, b.placed) <= near) return true;
  }
  return false;
}

} // namespace

Verdict check_contact_patches(const PlacedShape& a, const PlacedShape& b,
                              std::span<const ContactPatch> patches, double margin,
                              const PatchTolerance& tolerance) {
  const std::vector<BoxedPart> parts_a = boxed(a), parts_b = boxed(b);
  for (std::size_t i = 0; i < patches.size(); ++i) {
    if (Verdict v = check_patch(parts_a, parts_b, patches[i], margin, tolerance); !v) return v;
    if (i > 0 && patches[i].manifold.value < patches[i - 1].manifold.value)
      return Verdict::no("the patches are not in the order of their values");
  }
  for (const BoxedPart& part_a : parts_a) {
    for (const BoxedPart& part_b : parts_b) {
      if (parts_meet(part_a, part_b) && !is_represented(part_a, part_b, patches))
        return Verdict::no("parts overlap, and no contact is near");
    }
  }
  return Verdict::yes();
}

} // namespace carom::verify
