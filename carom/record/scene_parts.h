// The parts of the reader of scenes. Internal.
#pragma once

#include "carom/record/scene.h"
#include "carom/record/scene_reader.h"

#include <map>
#include <optional>
#include <string>

namespace [[gnu::visibility("default")]] carom {

struct SceneReading {
  const SceneOptions& options;
  Scene scene{};
  std::map<std::string, Shape> shapes{};
  std::map<std::string, Material> materials{};
  std::map<std::string, std::size_t> names{}; ///< of bodies: their numbers
  Pose group{};                               ///< where the group stands that is being read
};

/// A shape, or the name of one. Nothing where there is an error. Where `name` is given, the shape has to have one of its own.
[[nodiscard]] std::optional<Shape> read_shape(const Reader& reader, SceneReading& reading,
                                              int depth = 0, std::string* name = nullptr);
/// A material, or the name of one.
[[nodiscard]] Material read_material(const Reader& reader, SceneReading& reading);
/// "#d8a25e".
void read_colour(Fields& fields, std::uint32_t& colour);
/// Bodies and groups of them.
void read_bodies(const Reader& list, SceneReading& reading, int depth = 0);
void read_joints(const Reader& list, SceneReading& reading);

/// Counts things made by repetition; an error here where there are too many.
void count_work(const Reader& reader, std::uint64_t count = 1);

} // namespace carom
