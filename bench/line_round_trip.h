// How far apart two processors are: what two threads gain depends on it as much as on what they do.
#pragma once

namespace carom::bench {

/// Nanoseconds for a line of memory to go from this thread to another and back. Some 100 where they share a cache; on virtual machines, whose processors may be anywhere, up to 600, and other in the next minute. Infinite where there is but one processor.
[[nodiscard]] double line_round_trip();

} // namespace carom::bench
