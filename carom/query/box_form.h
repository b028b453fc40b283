// Two boxes: the walk of flat_forms.cpp in lanes. Internal to the queries, a part of closed_forms.h.
#pragma once

#include "carom/query/closed_forms.h"

namespace [[gnu::visibility("default")]] carom {

/// The form for boxes.
[[nodiscard]] bool box_form(const FormPair& pair, FormAnswer& answer);

/// What becomes of a walk: the distance is proved; or not, which says nothing; or the points met, and boxes that touch or overlap have no form.
enum class BoxWalked { proved, lost, met };

/// The walk in lanes, for boxes around the origins and along the axes of their shapes.
[[nodiscard]] BoxWalked walk_boxes(const FormPair& pair, FormAnswer& answer);

} // namespace carom
