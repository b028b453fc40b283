// Answers as pages for the viewer (carom/record/page.h): reports with a list of findings beside a 3D view.
#pragma once

#include "carom/record/page.h"
#include "tools/carom/clash_search.h"
#include "tools/carom/drawing.h"

namespace carom::tool {

/// The bodies in their places, and the answer as the one finding.
[[nodiscard]] Page page_of(const Drawing& drawing);

/// All parts; every pair that is a finding, the worst first. Those that only touch, and may, are counted and not listed.
[[nodiscard]] Page page_of(const ClashReport& report, const std::vector<Part>& parts);

} // namespace carom::tool
