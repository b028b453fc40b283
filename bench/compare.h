// Ours beside a peer, in one interleaved run: the form of every bench.
//
// A case is the same work done twice: by us and by a peer. Google Benchmark runs all sides of all cases in random order, several
// times each, so that the noise of the machine falls on both; what is reported is the median of each side and their ratio
// (peer / ours: above 1, we are faster). As a table on the screen, and with --json FILE as
//   [{"case": ..., "ours_ns": ..., "peer": ..., "peer_ns": ..., "ratio": ...}, ...]
#pragma once

#include <cstddef>
#include <functional>
#include <string>

namespace carom::bench {

/// Does the whole work once and returns something that depends on every answer, so that nothing is optimised away.
using Work = std::function<double()>;

/// What is measured: the time of the thread that calls, which other programs disturb least; or where several threads work, the time on the wall.
enum class Clock { cpu, wall };

/// Adds a case. `operations` is how many queries one call of the work answers: times are reported for one of them.
void compare(const std::string& name, std::size_t operations, Work ours, const std::string& peer,
             Work peers, Clock clock = Clock::cpu);

/// Runs the cases and reports. Understands --json FILE, --plot FILE, --filter TEXT (cases whose name contains it), --case NAME (the one of this name), --repetitions N, --alone N (our side only, for a profiler), --help.
int main(int argc, char** argv);

} // namespace carom::bench
