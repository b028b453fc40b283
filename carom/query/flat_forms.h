// Points, segments and boxes against each other: nearest points by walking to and fro (flat_forms.cpp). Internal to the queries, a part of closed_forms.h.
#pragma once

#include "carom/query/closed_forms.h"

#include <type_traits>

namespace [[gnu::visibility("default")]] carom {

/// The cores that a walk knows.
template<class Core>
inline constexpr bool is_flat_form =
    std::is_same_v<Core, Vec3> || std::is_same_v<Core, Segment> || std::is_same_v<Core, Obb>;

/// The form for these cores.
template<class A, class B>
[[nodiscard]] bool flat_form(const FormPair& pair, FormAnswer& answer);

} // namespace carom
