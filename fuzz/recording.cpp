// Readers of recordings, logs of queries and shapes as bytes, on damaged ones whose check sums fit: an error, or something that can be used.
#include "carom/record/recording.h"
#include "carom/record/query_log.h"
#include "carom/record/shape_bytes.h"
#include "tests/support/source.h"

#include <cstdint>
#include <cstdlib>
#include <string>

namespace {

using namespace carom;

const std::string& recorded() {
  static const std::string bytes = [] {
    const Scene scene =
        parse_scene(
            R"({"carom_scene": 1, "bodies": [{"shape": {"kind": "sphere", "radius": 1}}, {"shape": {"kind": "box", "half": [1, 1, 1]}, "position": [0.5, 0, 3]}]})")
            .value();
    SceneRun run = SceneRun::build(scene).value();
    Recorder recorder(scene, run, {.unit = 1e-4, .keyframe_every = 4});
    for (int i = 0; i < 12; ++i) {
      run.step();
      recorder.add(run);
    }
    return recorder.bytes();
  }();
  return bytes;
}

const std::string& logged() {
  static const std::string bytes = [] {
    QueryLog log;
    const Shape box = Shape::box({1, 1, 1}).value(), ball = Shape::sphere(1).value();
    static_cast<void>(log.distance(box, {}, ball, Pose::at({3, 0, 0})));
    static_cast<void>(log.contacts(box, {}, ball, Pose::at({1.5, 0, 0})));
    static_cast<void>(log.ray_cast(box, {}, Ray{{5, 0, 0}, {-1, 0, 0}}));
    static_cast<void>(log.time_of_impact(box, Motion::translation_by({}, {3, 0, 0}), ball,
                                         Motion::rest(Pose::at({4, 0, 0}))));
    return log.dump();
  }();
  return bytes;
}

void read_recording(std::string bytes) {
  const Result<Recording> recording = Recording::read(std::move(bytes));
  if (!recording) return;
  for (std::uint64_t i = 0; i <= recording->steps(); ++i)
    if (recording->frame(i).poses.size() != recording->bodies()) std::abort();
  static_cast<void>(recording->scene());
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  test::BytesSource source(data, size);
  const int which = source.index(3);
  if (which == 2) {
    static_cast<void>(shape_from_bytes({reinterpret_cast<const char*>(data), size}));
    return 0;
  }
  const std::string& good = which == 0 ? recorded() : logged();
  ByteString bytes{good.substr(0, good.size() - 8)};
  for (int changes = source.index(5); changes >= 0 && !bytes.bytes.empty(); --changes) {
    const std::size_t at = source.below(bytes.bytes.size());
    if (source.index(8) == 0)
      bytes.bytes.resize(at);
    else
      bytes.bytes[at] = static_cast<char>(source.below(256));
  }
  bytes.put(byte_sum(bytes.bytes));
  if (which == 0)
    read_recording(bytes.bytes);
  else
    static_cast<void>(read_query_log(bytes.bytes));
  return 0;
}
