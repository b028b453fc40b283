// The frames of a page, packed. Internal to the pages.
#pragma once

#include "carom/record/page.h"

#include <cstdint>
#include <optional>
#include <string>

namespace [[gnu::visibility("default")]] carom {

/// Rows of whole numbers, frame by frame, as delta_frames.h has them.
struct PackedRows {
  std::size_t rows = 0;
  std::string deltas;
};

/// Numbers are rounded to units that the eye does not see. web/src/page_frames.ts reads this.
struct PackedFrames {
  double place_unit = 1;               ///< a length: of positions
  double turn_unit = 1;                ///< of a quaternion's numbers
  PackedRows poses;                    ///< a row a body: x y z, then qx qy qz qw
  std::optional<PackedRows> asleep{};  ///< a row a body: 1 where it sleeps
  std::optional<PackedRows> islands{}; ///< a row a body: PageFrame::islands
  double contact_unit = 1;             ///< a length: of their points
  double normal_unit = 1;              ///< of the two numbers of a normal
  std::int64_t impulse_zero = 0;       ///< the number of an impulse of 1
  /// PageContact::row each: impulse, x y z, and the normal as two numbers, the octahedron |x| + |y| + |z| = 1 unfolded. Of an impulse i: 0 where there is no contact, else impulse_zero + twice its logarithm to base 2.
  std::optional<PackedRows> contacts{};
};

[[nodiscard]] PackedFrames pack_frames(const Page& page);

} // namespace carom
