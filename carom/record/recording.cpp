// Poses are rounded to whole numbers of a unit. A keyframe has the numbers; a frame after it the differences to the one before, of those bodies only whose numbers have changed, in as few bytes as they need.
#include "carom/record/recording.h"

#include "carom/mesh/mesh_file.h"

#include <algorithm>
#include <cmath>

namespace carom {
namespace {

constexpr std::string_view magic = "CRMR";
constexpr std::uint32_t version = 1;
constexpr double turn_units = 32768; ///< of a quaternion's number
constexpr std::size_t numbers = 7;   ///< of a pose

std::int64_t in_units(double value, double unit) {
  const double rounded = std::floor(value / unit + 0.5);
  return std::fabs(rounded) < 0x1p62 ? static_cast<std::int64_t>(rounded)
                                     : 0; // bodies never are so far away
}

void add_numbers(const Pose& pose, double unit, std::vector<std::int64_t>& out) {
  for (int i = 0; i < 3; ++i) out.push_back(in_units(pose.position[i], unit));
  const Quat& q = pose.rotation;
  for (const double x : {q.x, q.y, q.z, q.w}) out.push_back(in_units(x, 1 / turn_units));
}

std::vector<std::uint8_t> get_flags(ByteReader& in, std::size_t count) {
  const std::string_view bytes = in.take((count + 7) / 8);
  std::vector<std::uint8_t> flags(count);
  if (!in.ok()) return flags;
  for (std::size_t i = 0; i < count; ++i)
    flags[i] = static_cast<std::uint8_t>(bytes[i / 8]) >> (i % 8) & 1;
  return flags;
}

/// Goes on from the numbers of the frame before. The sums may be anything where bytes are bad: they are made without overflow.
void read_frame(ByteReader& in, bool keyframe, std::vector<std::int64_t>& values,
                std::vector<std::uint8_t>& asleep) {
  const std::size_t bodies = values.size() / numbers;
  asleep = get_flags(in, bodies);
  const std::vector<std::uint8_t> changed =
      keyframe ? std::vector<std::uint8_t>(bodies, 1) : get_flags(in, bodies);
  for (std::size_t i = 0; i < values.size() && in.ok(); ++i) {
    if (changed[i / numbers] == 0) continue;
    const auto base = keyframe ? 0 : static_cast<std::uint64_t>(values[i]);
    values[i] = static_cast<std::int64_t>(base + static_cast<std::uint64_t>(in.get_signed()));
  }
}

} // namespace

Recorder::Recorder(const Scene& scene, const SceneRun& run, const RecordingOptions& options)
    : options_(options), bodies_(run.bodies().size()) {
  ByteString header;
  header.bytes = magic;
  header.put(version);
  header.put(std::string_view(scene.text));
  header.put(static_cast<std::uint64_t>(scene.meshes.size()));
  for (const SceneMesh& mesh : scene.meshes) {
    header.put(std::string_view(mesh.name));
    // What was read from a file can be written to one.
    header.put(std::string_view(
        write_mesh(mesh.mesh, MeshFormat::ply, MeshEncoding::little_endian).value_or("")));
  }
  header_ = header.bytes;
  options_.keyframe_every = std::max(options.keyframe_every, 1U);
  if (!(options.unit >= 1e-9 && options.unit <= 1e9)) options_.unit = RecordingOptions{}.unit;
  add(run);
}

void Recorder::add(const SceneRun& run) {
  std::vector<std::int64_t> values;
  std::vector<std::uint8_t> asleep;
  for (const BodyId id : run.bodies()) {
    const auto body =
        run.world().body(id); // a body that was removed stays where it was last: at the origin
    add_numbers(body ? body->pose : Pose{}, options_.unit, values);
    asleep.push_back(body && body->awake ? 0 : 1);
  }
  const bool keyframe = hashes_.size() % options_.keyframe_every == 0;
  if (keyframe) keyframes_.push_back(frames_.bytes.size());
  hashes_.push_back(run.world().hash());
  frames_.put_flags(asleep);
  std::vector<std::uint8_t> changed(bodies_, 1);
  if (!keyframe) {
    for (std::size_t b = 0; b < bodies_; ++b)
      changed[b] =
          std::equal(&values[numbers * b], &values[numbers * b] + numbers, &last_[numbers * b]) ? 0
                                                                                                : 1;
    frames_.put_flags(changed);
  }
  for (std::size_t i = 0; i < values.size(); ++i)
    if (changed[i / numbers] != 0) frames_.put_signed(keyframe ? values[i] : values[i] - last_[i]);
  last_ = std::move(values);
}

std::string Recorder::bytes() const {
  ByteString out{header_};
  out.put(options_.unit);
  out.put(options_.keyframe_every);
  out.put(static_cast<std::uint64_t>(bodies_));
  out.put(static_cast<std::uint64_t>(hashes_.size()));
  for (const std::uint64_t hash : hashes_) out.put(hash);
  for (const std::uint64_t at : keyframes_) out.put(at);
  out.put(std::string_view(frames_.bytes));
  out.put(byte_sum(out.bytes));
  return std::move(out.bytes);
}

Result<Recording> Recording::read(std::string bytes) {
  const auto bad = [](const char* why) { return failure(ErrorCode::bad_file, why); };
  if (bytes.size() < magic.size() || bytes.compare(0, magic.size(), magic) != 0)
    return bad("is no recording");
  Recording r;
  r.bytes_ = std::move(bytes);
  const std::string_view all = r.bytes_;
  ByteReader in(all.substr(magic.size()));
  if (in.get<std::uint32_t>() != version) return bad("is a recording of another version");
  r.scene_text_ = in.get_text();
  const std::size_t meshes = in.get_count(16);
  for (std::size_t i = 0; i < meshes && in.ok(); ++i) {
    const std::string_view name = in.get_text();
    r.meshes_.emplace_back(name, in.get_text());
  }
  r.unit_ = in.get<double>();
  r.keyframe_every_ = in.get<std::uint32_t>();
  const auto bodies = in.get<std::uint64_t>();
  const std::size_t frames = in.get_count(8);
  if (!in.need(r.unit_ >= 1e-9 && r.unit_ <= 1e9 && r.keyframe_every_ > 0 && frames > 0 &&
               bodies <= in.left()))
    return bad("is a recording that is cut short or damaged");
  r.bodies_ = static_cast<std::size_t>(bodies);
  for (std::size_t i = 0; i < frames; ++i) r.hashes_.push_back(in.get<std::uint64_t>());
  for (std::size_t i = 0; i < frames; i += r.keyframe_every_)
    r.keyframes_.push_back(in.get<std::uint64_t>());
  const std::string_view data = in.get_text();
  if (!in.need(in.left() == 8)) return bad("is a recording that is cut short or damaged");
  r.frames_end_ = r.bytes_.size() - 8;
  r.frames_at_ = r.frames_end_ - data.size();
  if (in.get<std::uint64_t>() != byte_sum(all.substr(0, r.frames_end_)))
    return bad("is a recording that is cut short or damaged");
  if (!r.walk_frames()) return bad("is a recording whose frames are damaged");
  return r;
}

bool Recording::walk_frames() {
  const std::string_view data =
      std::string_view(bytes_).substr(frames_at_, frames_end_ - frames_at_);
  ByteReader in(data);
  std::vector<std::int64_t> values(numbers * bodies_);
  std::vector<std::uint8_t> asleep;
  for (std::size_t i = 0; i < hashes_.size() && in.ok(); ++i) {
    const bool keyframe = i % keyframe_every_ == 0;
    if (keyframe) in.need(keyframes_[i / keyframe_every_] == in.at());
    read_frame(in, keyframe, values, asleep);
  }
  return in.ok() && in.left() == 0;
}

Result<Scene> Recording::scene() const {
  SceneOptions options;
  options.load_mesh = [this](const std::string& name) -> Result<PolygonMesh> {
    for (const auto& [known, file] : meshes_)
      if (known == name) return read_mesh(file, MeshFormat::ply);
    return failure(ErrorCode::bad_file, "the recording has no mesh '" + name + "'");
  };
  Result<Scene> scene = parse_scene(scene_text_, options);
  // Only runs of World are recorded, whatever the text asks for (carom sim --solver default).
  if (scene) scene->solver.reset();
  return scene;
}

RecordedFrame Recording::frame(std::uint64_t step) const {
  RecordedFrame frame;
  std::vector<std::int64_t> values(numbers * bodies_);
  const std::uint64_t key = step / keyframe_every_;
  const std::size_t begin = frames_at_ + static_cast<std::size_t>(keyframes_[key]);
  ByteReader in(std::string_view(bytes_).substr(begin, frames_end_ - begin));
  for (std::uint64_t i = key * keyframe_every_; i <= step; ++i)
    read_frame(in, i % keyframe_every_ == 0, values, frame.asleep);
  for (std::size_t b = 0; b < bodies_; ++b) {
    const auto value = [&](std::size_t i) { return static_cast<double>(values[numbers * b + i]); };
    const Quat rotation{value(3), value(4), value(5), value(6)};
    frame.poses.push_back({normalized(rotation), Vec3{value(0), value(1), value(2)} * unit_});
  }
  return frame;
}

Result<ReplayCheck> run_again(const Recording& recording,
                              const std::function<void(std::uint64_t)>& progress) {
  const Result<Scene> scene = recording.scene();
  if (!scene) return tl::unexpected(scene.error());
  Result<SceneRun> run = SceneRun::build(*scene);
  if (!run) return tl::unexpected(run.error());
  ReplayCheck check;
  while (true) {
    if (run->world().hash() != recording.hash(check.steps) ||
        run->bodies().size() != recording.bodies()) {
      check.first_difference = check.steps;
      return check;
    }
    if (check.steps == recording.steps()) return check;
    run->step();
    ++check.steps;
    if (progress) progress(check.steps);
  }
}

} // namespace carom
