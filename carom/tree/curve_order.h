// An order for many places in space such that those next to each other in it are near each other, mostly: along Morton's curve, whose number of a place is the bits of its three
// coordinates, taken in turn.
//
// Who asks a tree many things at once asks them in this order: what one question has brought into the cache, the next one uses.
#pragma once

#include "carom/math/vec3.h"

#include <cstdint>
#include <span>
#include <vector>

namespace [[gnu::visibility("default")]] carom {

/// Where things in a unit cube around zero come in the order: 30 bits. Beyond the cube, as the nearest place in it; what is not a number, somewhere.
[[nodiscard]] std::uint32_t curve_place(const Vec3& in_unit_cube);

/// Sorts by the upper half of the keys; of equal ones, in the order given. `room` is for working in, and grows to the same size.
void sort_by_upper_half(std::vector<std::uint64_t>& keys, std::vector<std::uint64_t>& room);

/// Room for asking many things at once, kept by the caller: with it nothing is allocated when as many are asked again.
struct GroupRoom {
  std::vector<std::uint64_t> keys, other;
};

} // namespace carom
