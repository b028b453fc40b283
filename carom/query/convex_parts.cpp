// One of two shapes by its convex parts.
#include "carom/query/part_contacts.h"

#include "carom/shape/feature.h"

#include <algorithm>
#include <array>

namespace carom {
namespace {

std::uint64_t mixed(std::uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9U;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebU;
  return x ^ (x >> 31);
}

} // namespace

void ConvexParts::take(const PartPlace& place) {
  place_ = place;
  if (!current_ || current_->part != place.part) {
    auto found = bodies_.find(place.part);
    if (found == bodies_.end()) {
      if (const auto* compound = body_of<Compound>(whole_)) {
        const CompoundPart& part = compound->parts()[place.part];
        found = bodies_.try_emplace(place.part, part.shape, pose_ * part.pose, place.part).first;
      } else {
        found = bodies_.try_emplace(place.part, whole_, pose_, place.part).first;
      }
    }
    current_ = &found->second;
  }
  current_->elements.take(place.element);
}

bool ConvexParts::is_solid() const {
  const auto* mesh = body_of<TriangleMesh>(body());
  return mesh && mesh->solid();
}

PartId ConvexParts::id() const {
  const PartId own = current_->elements.id();
  const auto* compound = body_of<Compound>(whole_);
  if (!compound) return own;
  const bool has_triangles = !body().convex() && std::holds_alternative<Triangle>(shape().core());
  return {own.element, place_.part,
          has_triangles ? own.material : compound->parts()[place_.part].material};
}

std::uint64_t ConvexParts::feature(std::uint32_t packed) const {
  const Feature f = unpacked(packed);
  std::array<std::uint32_t, 2> name{place_.element, packed};
  const auto* mesh = body_of<TriangleMesh>(body());
  if (mesh && f.kind != FeatureKind::face) {
    const auto& corners = mesh->surface().triangles[place_.element];
    const std::uint32_t from = corners[f.id % 3], to = corners[(f.id + 1) % 3];
    const bool is_vertex = f.kind == FeatureKind::vertex;
    name = {is_vertex ? from : std::min(from, to), is_vertex ? from : std::max(from, to)};
  }
  const std::uint64_t kind = static_cast<std::uint64_t>(f.kind) << 32 | place_.part;
  return mixed(mixed(kind + 1) ^ (std::uint64_t{name[0]} << 32 | name[1]));
}

} // namespace carom
