// A run of a scene, kept: what was simulated, where everything was at each step, and a hash of each, so that it can be shown, sought in, and run again and compared to the bit.
//
//   Recorder recorder(scene, run);
//   for (...) { run.step(); recorder.add(run); }
//   save(recorder.bytes());
//
//   Recording r = Recording::read(bytes).value();
//   RecordedFrame f = r.frame(120);                       // poses, rounded, for display
//   ReplayCheck check = run_again(r).value();             // runs it again
//   check.first_difference;                               // nothing: the same bits in every step
//
// Runs of World only, not of the solvers of classic_run.h. The text of the scene and its meshes are in it, so that it needs nothing else. docs/recording.md has the format.
#pragma once

#include "carom/record/bytes.h"
#include "carom/record/scene.h"
#include "carom/record/scene_run.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace [[gnu::visibility("default")]] carom {

struct RecordingOptions {
  double unit = 1e-4; ///< what positions are rounded to for display: a length from 1e-9 to 1e9
  std::uint32_t keyframe_every =
      60; ///< steps between frames that stand alone; seeking decodes half of that on average. At least 1
};

/// Positions are within half a unit along each axis, rotations within 2^-15 in each number.
struct RecordedFrame {
  std::vector<Pose> poses;          ///< of the run's bodies, in their order
  std::vector<std::uint8_t> asleep; ///< 1: it sleeps
};

class Recorder {
public:
  /// Begins with the run as it stands: that is frame 0. Only a run from its start can be run again.
  Recorder(const Scene& scene, const SceneRun& run, const RecordingOptions& options = {});
  /// After each step.
  void add(const SceneRun& run);
  [[nodiscard]] std::string bytes() const;

private:
  std::string header_;
  RecordingOptions options_;
  std::vector<std::uint64_t> hashes_;
  std::vector<std::uint64_t> keyframes_; ///< where they begin among the frames
  ByteString frames_;
  std::vector<std::int64_t> last_; ///< seven numbers a body
  std::size_t bodies_;
};

class Recording {
public:
  /// Every byte is looked at: what is cut short, damaged or of another version is an error of code bad_file.
  [[nodiscard]] static Result<Recording> read(std::string bytes);

  [[nodiscard]] const std::string& scene_text() const { return scene_text_; }
  [[nodiscard]] Result<Scene> scene() const;
  /// Frames are one more: the first is before the first step.
  [[nodiscard]] std::uint64_t steps() const { return hashes_.size() - 1; }
  [[nodiscard]] std::size_t bodies() const { return bodies_; }
  /// World::hash() after that step, 0 to steps().
  [[nodiscard]] std::uint64_t hash(std::uint64_t step) const { return hashes_[step]; }
  /// After that step, 0 to steps().
  [[nodiscard]] RecordedFrame frame(std::uint64_t step) const;

private:
  [[nodiscard]] bool walk_frames();

  std::string bytes_;
  std::string scene_text_;
  std::vector<std::pair<std::string, std::string>> meshes_; ///< names, and PLY files
  double unit_ = 1e-4;
  std::uint32_t keyframe_every_ = 60;
  std::size_t bodies_ = 0;
  std::vector<std::uint64_t> hashes_, keyframes_;
  std::size_t frames_at_ = 0, frames_end_ = 0;
};

struct ReplayCheck {
  std::uint64_t steps = 0; ///< that were run
  std::optional<std::uint64_t>
      first_difference{}; ///< the first step after which the hash is another; 0: the scene is built otherwise
};
/// Runs the recording's scene again, to its end or the first difference. Errors: where the scene cannot be read or built any more. `progress` is told of each step.
[[nodiscard]] Result<ReplayCheck>
run_again(const Recording& recording, const std::function<void(std::uint64_t)>& progress = {});

} // namespace carom
