// Rows of whole numbers that change little from frame to frame, in few bytes: poses, contacts and islands of a page. Internal to the pages.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace [[gnu::visibility("default")]] carom {

/// Frames of rows of so many numbers each; a frame may have fewer rows than others, the rest are zeros there. Of each frame a bit for each row that says whether it has changed; then, of each row that has, a bit for each number that says the same, and by how much
/// each that has changed differs from the frame before (ByteString::put_flags, put_signed). Before the first frame all are 0.
[[nodiscard]] std::string delta_frames(const std::vector<std::vector<std::int64_t>>& frames,
                                       std::size_t numbers);

} // namespace carom
