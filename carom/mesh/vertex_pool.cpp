#include "carom/mesh/vertex_pool.h"

#include "carom/math/random.h"

#include <bit>

namespace carom {
namespace {

std::size_t hash(const Vec3& p) {
  const auto bits = [](double x) { return std::bit_cast<std::uint64_t>(x + 0.0); }; // -0 becomes 0
  return static_cast<std::size_t>(mix_bits(mix_bits(bits(p.x), bits(p.y)), bits(p.z)));
}

} // namespace

std::uint32_t VertexPool::number(const Vec3& p) {
  if (2 * vertices_.size() >= slots_.size()) grow();
  const std::size_t mask = slots_.size() - 1;
  std::size_t slot = hash(p) & mask;
  for (; slots_[slot] != empty; slot = (slot + 1) & mask) {
    if (vertices_[slots_[slot]] == p) return slots_[slot];
  }
  slots_[slot] = static_cast<std::uint32_t>(vertices_.size());
  vertices_.push_back(p);
  return slots_[slot];
}

void VertexPool::grow() {
  slots_.assign(2 * slots_.size(), empty);
  const std::size_t mask = slots_.size() - 1;
  for (std::size_t i = 0; i < vertices_.size(); ++i) {
    std::size_t slot = hash(vertices_[i]) & mask;
    while (slots_[slot] != empty) slot = (slot + 1) & mask;
    slots_[slot] = static_cast<std::uint32_t>(i);
  }
}

} // namespace carom
