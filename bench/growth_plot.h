// A picture of how times grow: one panel for each kind of case, size (triangles, bodies) against time, both in powers of ten; ours drawn through, the peer's dashed.
#pragma once

#include <string>
#include <vector>

namespace carom::bench {

struct GrowthRow {
  std::string name; ///< a case; one of its words is a number, which is the size: "ray 2048 closest"
  std::string peer;
  double ours_ns = 0, peer_ns = 0;
};

/// Rows without a number are left out. False where the file cannot be written.
[[nodiscard]] bool plot_growth(const std::vector<GrowthRow>& rows, const std::string& file);

} // namespace carom::bench
