// What is given is checked before anything is kept: sizes first, then the numbers of the grid, then the samples one by one.
#include "carom/math/tolerance.h"
#include "carom/shape/height_field.h"

#include <algorithm>
#include <string>

namespace carom {
namespace {

using Checked = Result<void>;

Checked not_as_many(const char* what, std::size_t given, std::uint64_t needed) {
  return failure(ErrorCode::too_few, std::string("There are ") + std::to_string(given) + " " +
                                         what + " where the height field needs " +
                                         std::to_string(needed) + ".");
}

Checked check_sizes(const HeightFieldInput& in) {
  if (in.columns < 2 || in.rows < 2) {
    return failure(ErrorCode::too_few, "The height field has " + std::to_string(in.columns) +
                                           " columns and " + std::to_string(in.rows) +
                                           " rows of samples; it needs at least 2 of each.");
  }
  const std::uint64_t cells = std::uint64_t{in.columns - 1} * (in.rows - 1);
  if (cells >= std::uint64_t{1} << 31) {
    return failure(ErrorCode::out_of_range, "The height field has " + std::to_string(cells) +
                                                " cells; it must have fewer than 2^31.");
  }
  const std::uint64_t samples = std::uint64_t{in.columns} * in.rows;
  const std::size_t given = std::visit([](const auto& s) { return s.size(); }, in.samples);
  if (given != samples) return not_as_many("samples", given, samples);
  if (!in.holes.empty() && in.holes.size() != cells)
    return not_as_many("marks of holes", in.holes.size(), cells);
  if (!in.materials.empty() && in.materials.size() != cells)
    return not_as_many("materials", in.materials.size(), cells);
  return {};
}

Checked check_number(const std::string& name, double value) {
  if (!std::isfinite(value)) return failure(ErrorCode::not_finite, name + " is not finite.");
  if (!tolerance::is_coordinate(value)) {
    return failure(
        ErrorCode::out_of_range,
        name + " is out of range: it must be 0, or between 1e-30 and 1e30 in absolute value.");
  }
  return {};
}

Checked check_spacing(const char* name, double value) {
  Checked result = check_number(name, value);
  if (result && !(value > 0))
    result = failure(ErrorCode::out_of_range, std::string(name) + " is not positive.");
  return result;
}

Checked check_grid(const HeightFieldInput& in) {
  Checked result = check_spacing("spacing_x", in.spacing_x);
  if (result) result = check_spacing("spacing_y", in.spacing_y);
  if (result) result = check_number("scale", in.scale);
  if (result) result = check_number("offset", in.offset);
  if (result) result = check_number("x of the last column", (in.columns - 1) * in.spacing_x);
  if (result) result = check_number("y of the last row", (in.rows - 1) * in.spacing_y);
  return result;
}

template<class Sample>
Checked check_samples(std::span<const Sample> samples, const HeightFieldInput& in) {
  for (std::size_t i = 0; i < samples.size(); ++i) {
    const double sample = samples[i];
    const double z = in.offset + in.scale * sample;
    if (std::isfinite(sample) && tolerance::is_coordinate(z)) [[likely]]
      continue;
    const std::string where = " in column " + std::to_string(i % in.columns) + " of row " +
                              std::to_string(i / in.columns);
    if (!std::isfinite(sample)) return check_number("The sample" + where, sample);
    return check_number("The height" + where, z);
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
    return failure(ErrorCode::too_few, "Every cell of the height field is a hole.");
  return field;
}

Result<HeightField> HeightField::scaled(const Vec3& factors) const {
  if (!(factors.x > 0 && factors.y > 0 && factors.z > 0))
    return failure(ErrorCode::not_convex, "A height field can only be scaled by positive factors.");
  HeightFieldInput input;
  input.columns = columns_;
  input.rows = rows_;
  input.spacing_x = spacing_x_ * factors.x;
  input.spacing_y = spacing_y_ * factors.y;
  input.scale = scale_ * factors.z;
  input.offset = offset_ * factors.z;
  input.diagonal = diagonal_;
  if (floats_.empty())
    input.samples = std::span<const std::uint16_t>(shorts_);
  else
    input.samples = std::span<const float>(floats_);
  std::vector<std::uint8_t> holes(has_holes() ? cell_count() : 0);
  for (std::uint32_t i = 0; i < holes.size(); ++i) holes[i] = hole(i) ? 1 : 0;
  input.holes = holes;
  input.materials = materials_;
  return build(input);
}

} // namespace carom
