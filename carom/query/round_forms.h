// Cylinders and cones against each other, and against points and segments: Newton's method on the axis, from the nearest points of their middle lines (round_forms.cpp). Internal to
// the queries, a part of closed_forms.h.
#pragma once

#include "carom/query/closed_forms.h"

#include <type_traits>

namespace [[gnu::visibility("default")]] carom {

template<class Core>
inline constexpr bool is_conic = std::is_same_v<Core, Cylinder> || std::is_same_v<Core, Cone>;

/// The cores that are round about a line: frustums, some of them thin.
template<class Core>
inline constexpr bool is_round_form =
    is_conic<Core> || std::is_same_v<Core, Vec3> || std::is_same_v<Core, Segment>;

/// The form for these cores.
template<class A, class B>
[[nodiscard]] bool round_form(const FormPair& pair, FormAnswer& answer);

} // namespace carom
