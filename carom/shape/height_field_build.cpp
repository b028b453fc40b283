// What is given is checked before anything is kept: sizes first, then the numbers of the grid, then the samples one by one.
#include "carom/math/tolerance.h"
#include "carom/shape/height_field.h"

#include <string>
#include <type_traits>

namespace carom {
namespace {

using Checked = Result<void>;

Checked not_as_many(const char* what, std::size_t given, std::uint64_t needed) {
  return failure(ErrorCode::too_few, std::string(what) + ": " + std::to_string(given) +
                                         " are given, and " + std::to_string(needed) +
                                         " are needed");
}

Checked check_sizes(const HeightFieldInput& in) {
  if (in.columns < 2 || in.rows < 2)
    return failure(ErrorCode::too_few,
                   "a height field needs at least 2 columns and 2 rows; it has " +
                       std::to_string(in.columns) + " and " + std::to_string(in.rows));
  const std::uint64_t cells = std::uint64_t{in.columns - 1} * (in.rows - 1);
  if (cells >= std::uint64_t{1} << 31)
    return failure(ErrorCode::out_of_range,
                   "a height field has fewer than 2^31 cells; this one has " +
                       std::to_string(cells));
  const std::uint64_t samples = std::uint64_t{in.columns} * in.rows;
  const std::size_t given = std::visit([](const auto& s) { return s.size(); }, in.samples);
  if (given != samples) return not_as_many("samples", given, samples);
  if (!in.holes.empty() && in.holes.size() != cells)
    return not_as_many("holes", in.holes.size(), cells);
  if (!in.materials.empty() && in.materials.size() != cells)
    return not_as_many("materials", in.materials.size(), cells);
  return {};
}

Checked check_number(const char* name, double value, bool ok) {
  if (!std::isfinite(value))
    return failure(ErrorCode::not_finite, std::string(name) + " is not finite");
  if (!ok || !tolerance::is_coordinate(value))
    return failure(ErrorCode::out_of_range,
                   std::string(name) + " is out of range: " + std::to_string(value));
  return {};
}

Checked check_grid(const HeightFieldInput& in) {
  Checked result = check_number("spacing_x", in.spacing_x, in.spacing_x > 0);
  if (result) result = check_number("spacing_y", in.spacing_y, in.spacing_y > 0);
  if (result) result = check_number("scale", in.scale, true);
  if (result) result = check_number("offset", in.offset, true);
  if (result) result = check_number("x of the last column", (in.columns - 1) * in.spacing_x, true);
  if (result) result = check_number("y of the last row", (in.rows - 1) * in.spacing_y, true);
  return result;
}

template<class Sample>
Checked check_samples(std::span<const Sample> samples, const HeightFieldInput& in) {
  for (std::size_t i = 0; i < samples.size(); ++i) {
    const double sample = samples[i];
    const double z = in.offset + in.scale * sample;
    if (std::isfinite(sample) && tolerance::is_coordinate(z)) [[likely]]
      continue;
    const std::string name = "the sample in column " + std::to_string(i % in.columns) + " of row " +
                             std::to_string(i / in.columns);
    if (!std::isfinite(sample)) return failure(ErrorCode::not_finite, name + " is not finite");
    return failure(ErrorCode::out_of_range, name + " gives a height out of range");
  }
  return {};
}

Checked check(const HeightFieldInput& in) {
  Checked result = check_sizes(in);
  if (result) result = check_grid(in);
  if (result) result = std::visit([&](const auto& s) { return check_samples(s, in); }, in.samples);
  return result;
}

} // namespace

void HeightField::set_holes(std::span<const std::uint8_t> holes) {
  bool any = false;
  for (const std::uint8_t hole : holes) any = any || hole != 0;
  if (!any) return;
  holes_.resize(holes.size() / 8 + 1);
  for (std::size_t i = 0; i < holes.size(); ++i)
    if (holes[i] != 0) holes_[i / 8] = static_cast<std::uint8_t>(holes_[i / 8] | 1U << (i % 8));
}

void HeightField::set_bounds_and_levels() {
  const HeightSpan all = span(CellRange{0, 0, cell_columns(), cell_rows()});
  if (all.empty()) return;
  CellRange there{0, 0, cell_columns(), cell_rows()};
  if (has_holes()) {
    there = {cell_columns(), cell_rows(), 0, 0};
    for (std::uint32_t j = 0; j < cell_rows(); ++j) {
      for (std::uint32_t i = 0; i < cell_columns(); ++i) {
        if (hole(cell(i, j))) continue;
        there = {std::min(there.column, i), std::min(there.row, j),
                 std::max(there.end_column, i + 1), std::max(there.end_row, j + 1)};
      }
    }
  }
  bounds_ = {{x(there.column), y(there.row), all.low},
             {x(there.end_column), y(there.end_row), all.high}};
  levels_ = HeightLevels(cell_columns(), cell_rows(), all, [&](std::uint32_t bx, std::uint32_t by) {
    return span(cells({HeightLevels::first, bx, by}));
  });
}

Result<HeightField> HeightField::build(const HeightFieldInput& in) {
  if (Checked ok = check(in); !ok) return tl::unexpected(ok.error());
  HeightField field;
  field.columns_ = in.columns;
  field.rows_ = in.rows;
  field.spacing_x_ = in.spacing_x;
  field.spacing_y_ = in.spacing_y;
  field.scale_ = in.scale;
  field.offset_ = in.offset;
  field.diagonal_ = in.diagonal;
  if (const auto* floats = std::get_if<std::span<const float>>(&in.samples))
    field.floats_.assign(floats->begin(), floats->end());
  else
    field.shorts_.assign(std::get<1>(in.samples).begin(), std::get<1>(in.samples).end());
  field.materials_.assign(in.materials.begin(), in.materials.end());
  field.set_holes(in.holes);
  field.set_bounds_and_levels();
  if (field.bounds_.empty())
    return failure(ErrorCode::too_few, "every cell of the height field is a hole");
  return field;
}

} // namespace carom
