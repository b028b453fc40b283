// Two boxes: the walk of flat_forms.cpp in lanes. Internal to the queries, a part of closed_forms.h.
#pragma once

#include "carom/query/closed_forms.h"

namespace [[gnu::visibility("default")]] carom {

/// The form for boxes.
[[nodiscard]] bool box_form(const FormPair& pair, FormAnswer& answer);

} // namespace carom
