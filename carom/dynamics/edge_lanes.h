// Of the edges of two polytopes, the two whose common normal has the greatest gap: in floats, eight pairs at a time. Internal to the world.
#pragma once

#include "carom/math/mat3.h"

#include <cstddef>
#include <cstdint>
#include <span>

namespace [[gnu::visibility("default")]] carom {

/// An edge in floats, about the middle of its form.
struct FloatEdge {
  /// Where the three numbers of each begin: a point of the edge, its direction, a unit vector; the normals of the faces beside it; a direction out of the edge, between them.
  enum Part : std::size_t {
    at_from = 0,
    at_direction = 3,
    at_left = 6,
    at_right = 9,
    at_middle = 12
  };
  static constexpr std::size_t size = 15;
  float numbers[size];

  static FloatEdge of(const Vec3& from, const Vec3& direction, const Vec3& left, const Vec3& right,
                      const Vec3& middle);
};

/// Some edges, number by number side by side.
class EdgeLanes {
public:
  static constexpr std::size_t most = 96; ///< edges of a form, in whole lanes

  EdgeLanes() {} // NOLINT(modernize-use-equals-default): the storage is not to be cleared
  void push(const FloatEdge& e);
  [[nodiscard]] std::size_t size() const { return count_; }

private:
  friend struct EdgeSieve;
  alignas(32) float all_[FloatEdge::size][most];
  std::size_t count_ = 0;
};

/// What the edges of B are turned and moved by to be where A's are.
struct FloatPlace {
  float turn[9], shift[3]; ///< rows of a matrix

  FloatPlace(const Mat3& basis, const Vec3& origin);
};

struct EdgePair {
  bool found = false;
  std::size_t of_a = 0, of_b = 0; ///< places in the list, and in the lanes
};

struct EdgeSieve {
  /// Of all pairs of which each is what is farthest along their common normal, the one with the greatest gap above `least`: to within the rounding of floats, and of nearly parallel edges by a ten-thousandth of the size.
  /// `b_is_solid`: else B is a segment, which has no faces. The lanes are spent afterwards.
  [[nodiscard]] static EdgePair best(std::span<const FloatEdge> a, EdgeLanes& b,
                                     const FloatPlace* place, bool b_is_solid, float least);
};

} // namespace carom
