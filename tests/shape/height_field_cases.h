// Height fields of all sorts, small enough to ask every triangle: one cell, long and thin, sizes that are no powers of two; flat, steps, slopes, spikes, noise; floats and 16-bit samples; with
// holes; at any scale.
#pragma once

#include "carom/shape/height_field.h"
#include "tests/support/generate.h"

#include <algorithm>
#include <vector>

namespace carom::test {

/// An input that owns its arrays.
struct Terrain {
  HeightFieldInput input;
  std::vector<float> floats;
  std::vector<std::uint16_t> shorts;
  std::vector<std::uint8_t> holes, materials;

  Terrain(std::uint32_t columns, std::uint32_t rows) {
    input.columns = columns;
    input.rows = rows;
  }
  [[nodiscard]] std::size_t samples() const { return std::size_t{input.columns} * input.rows; }
  [[nodiscard]] std::size_t cells() const {
    return std::size_t{input.columns - 1} * (input.rows - 1);
  }
  /// Floats, if there are any.
  [[nodiscard]] Result<HeightField> build() {
    if (!floats.empty())
      input.samples = std::span<const float>(floats);
    else
      input.samples = std::span<const std::uint16_t>(shorts);
    input.holes = holes;
    input.materials = materials;
    return HeightField::build(input);
  }
};

/// z = function(column, row).
template<class Function>
Terrain terrain_of(std::uint32_t columns, std::uint32_t rows, const Function& function) {
  Terrain t(columns, rows);
  for (std::uint32_t j = 0; j < rows; ++j)
    for (std::uint32_t i = 0; i < columns; ++i)
      t.floats.push_back(static_cast<float>(function(i, j)));
  return t;
}

/// Cells 0 to 12 wide and high, or one cell, or very long.
inline Terrain any_size(Source& source) {
  const int kind = source.index(6);
  const auto a = static_cast<std::uint32_t>(2 + source.index(13));
  const auto b = static_cast<std::uint32_t>(2 + source.index(13));
  const auto thin = static_cast<std::uint32_t>(2 + source.index(2));
  const auto length = static_cast<std::uint32_t>(2 + source.index(150));
  switch (kind) {
  case 0:
    return {2, 2};
  case 1:
    return {thin, length};
  case 2:
    return {length, thin};
  default:
    return {a, b};
  }
}

/// About -2 to 2.
inline double any_sample(Source& source, int kind, std::uint32_t i, std::uint32_t j) {
  const double value = real(source);
  const bool rare = source.chance(12);
  switch (kind) {
  case 0: // flat
    return 0.5;
  case 1: // a slope
    return 0.25 * i - 0.125 * j;
  case 2: // steps
    return 0.25 * std::floor(4 * value);
  case 3: // plains with spikes
    return rare ? 1e6 * value : 0;
  case 4: // hardly any
    return 1 + 0x1p-20 * value;
  case 5: // a saddle
    return 0.01 * i * j;
  default:
    return value;
  }
}

inline void fill_samples(Source& source, Terrain& t) {
  const int kind = source.index(8);
  const bool integers = source.chance(2);
  for (std::uint32_t j = 0; j < t.input.rows; ++j) {
    for (std::uint32_t i = 0; i < t.input.columns; ++i) {
      const double sample = any_sample(source, kind, i, j);
      if (integers)
        t.shorts.push_back(
            static_cast<std::uint16_t>(std::clamp(1e4 * sample + 2e4, 0.0, 65535.0)));
      else
        t.floats.push_back(static_cast<float>(sample));
    }
  }
  if (integers) t.input.scale = 1e-4;
}

inline void fill_holes(Source& source, Terrain& t) {
  const int kind = source.index(4);
  if (kind < 2) return; // none, or nearly all, or some
  for (std::size_t i = 0; i < t.cells(); ++i) {
    const bool rare = source.chance(5);
    t.holes.push_back(rare == (kind == 2) ? 1 : 0);
  }
  t.holes[source.below(t.cells())] = 0;
}

inline Terrain any_terrain(Source& source) {
  Terrain t = any_size(source);
  fill_samples(source, t);
  fill_holes(source, t);
  for (std::size_t i = 0; i < t.cells(); ++i)
    t.materials.push_back(static_cast<std::uint8_t>(source.index(256)));
  const double by = scale(source);
  static constexpr double slopes[] = {1, 1, 1, -1, 0, 1e-3, 1e3};
  const int slope = source.index(7);
  const int up = source.index(6);
  static constexpr double spacings[] = {1, 1, 0.5, 0.1, 3, 1e-3};
  const int dx = source.index(6);
  const int dy = source.index(6);
  t.input.spacing_x = spacings[dx] * by;
  t.input.spacing_y = spacings[dy] * by;
  t.input.scale *= slopes[slope] * by;
  t.input.offset = (up == 0 ? 1e3 : up == 1 ? -7.3 : 0) * by;
  t.input.diagonal = static_cast<Diagonal>(source.index(3));
  return t;
}

/// Some of the samples may make heights too small to be in range: those become a plain.
inline HeightField any_field(Source& source) {
  Terrain t = any_terrain(source);
  if (auto field = t.build()) return *field;
  std::fill(t.floats.begin(), t.floats.end(), 0.0F);
  std::fill(t.shorts.begin(), t.shorts.end(), std::uint16_t{0});
  return t.build().value();
}

/// A point of the surface: a vertex, on an edge or a diagonal, or inside a triangle; also of holes.
inline Vec3 point_on(Source& source, const HeightField& field) {
  const auto number = static_cast<std::uint32_t>(source.below(field.triangle_count()));
  const Triangle x = field.triangle(number);
  const int kind = source.index(5);
  const double u = source.unit();
  const double v = source.unit();
  switch (kind) {
  case 0:
    return x.a;
  case 1:
    return x.b + (x.c - x.b) * u;
  case 2:
    return x.a + (x.b - x.a) * 0.5;
  case 3:
    return x.a + (x.c - x.a) * u;
  default:
    return x.a + (x.b - x.a) * (u * v) + (x.c - x.a) * (u * (1 - v));
  }
}

/// A number near one that is there: out of range ones become 0 or the greatest.
inline Vec3 into_range(const Vec3& v) {
  Vec3 result;
  for (int i = 0; i < 3; ++i)
    result[i] = std::fabs(v[i]) < 1e-30 ? 0 : std::clamp(v[i], -1e30, 1e30);
  return result;
}

inline double size_of(const HeightField& field) { return 2 * max_abs(field.bounds().half()); }

} // namespace carom::test
