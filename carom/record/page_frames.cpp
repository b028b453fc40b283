// A page should be sent by mail. The brick wall has 150 bodies and 600 contacts in each of 360 frames: 11 MB as floats, most of which say that nothing has changed. As differences of whole numbers it is a tenth.
#include "carom/record/page_frames.h"

#include "carom/record/delta_frames.h"

#include <algorithm>
#include <cmath>

namespace carom {
namespace {

using Frames = std::vector<std::vector<std::int64_t>>; ///< rows of whole numbers

// What the eye does not see: of the size of what moves, of a quaternion's number, of a normal's.
constexpr double place_share = 0x1p-16, contact_share = 0x1p-12;
constexpr double turn_unit = 0x1p-14, normal_unit = 0x1p-6;
constexpr std::int64_t impulse_zero = 128;

std::int64_t in_units(double value, double unit) {
  const double rounded = std::floor(value / unit + 0.5);
  return static_cast<std::int64_t>(std::clamp(rounded, -0x1p30, 0x1p30));
}

/// How large a part of space is that is looked at: where things that move are at first, and how large they are.
double size_of(const Page& page) {
  Vec3 low{INFINITY, INFINITY, INFINITY}, high = -low;
  double largest = 0;
  for (std::size_t i = 0; i < page.bodies.size(); ++i) {
    if (page.bodies[i].fixed) continue;
    const Vec3& p = page.frames.front().poses[i].position;
    for (int k = 0; k < 3; ++k) {
      low[k] = std::min(low[k], p[k]);
      high[k] = std::max(high[k], p[k]);
    }
    for (const Vec3& v : page.shapes[page.bodies[i].shape].positions)
      largest = std::max(largest, length(v));
  }
  const double size = length(high - low) + 2 * largest;
  return std::isfinite(size) && size > 0 ? size : 1;
}

PackedRows packed(const Frames& frames, std::size_t numbers) {
  std::size_t size = 0;
  for (const auto& frame : frames) size = std::max(size, frame.size());
  return {size / numbers, delta_frames(frames, numbers)};
}

PackedRows packed_poses(const Page& page, double unit) {
  Frames frames;
  for (const PageFrame& frame : page.frames) {
    auto& numbers = frames.emplace_back();
    for (const auto& [q, p] : frame.poses) {
      for (const double x : {p.x, p.y, p.z}) numbers.push_back(in_units(x, unit));
      for (const double x : {q.x, q.y, q.z, q.w}) numbers.push_back(in_units(x, turn_unit));
    }
  }
  return packed(frames, 7);
}

/// A normal by two numbers: the octahedron |x| + |y| + |z| = 1 unfolded, its lower half turned outward.
std::array<double, 2> unfolded(const Vec3& n) {
  const double sum = std::fabs(n.x) + std::fabs(n.y) + std::fabs(n.z);
  const double u = n.x / sum, v = n.y / sum;
  if (n.z >= 0) return {u, v};
  return {std::copysign(1 - std::fabs(v), u), std::copysign(1 - std::fabs(u), v)};
}

/// In steps of a factor of sqrt(2), downward.
std::int64_t impulse_number(double impulse) {
  if (!(impulse > 0)) return 0;
  const int power = std::ilogb(impulse);
  const double rest = std::scalbn(impulse, -power); // 1 to 2
  return std::max<std::int64_t>(1, impulse_zero + 2 * power + (rest * rest >= 2 ? 1 : 0));
}

PackedRows packed_contacts(const Page& page, double unit) {
  constexpr std::size_t numbers = 6;
  Frames frames;
  std::vector<std::int64_t> rows;
  for (const PageFrame& frame : page.frames) {
    // A row that is free keeps its numbers but for the impulse: that costs nothing.
    for (std::size_t i = 0; i < rows.size(); i += numbers) rows[i] = 0;
    for (const PageContact& c : frame.contacts) {
      const std::size_t at = numbers * c.row;
      if (rows.size() < at + numbers) rows.resize(at + numbers);
      const auto [u, v] = unfolded(c.normal);
      const std::int64_t values[numbers] = {impulse_number(c.impulse), in_units(c.point.x, unit),
                                            in_units(c.point.y, unit), in_units(c.point.z, unit),
                                            in_units(u, normal_unit),  in_units(v, normal_unit)};
      std::copy(values, values + numbers, &rows[at]);
    }
    frames.push_back(rows);
  }
  return packed(frames, numbers);
}

/// One number a body; nothing where a frame lacks them.
template<class Number>
std::optional<PackedRows> packed_column(const Page& page, std::vector<Number> PageFrame::*column) {
  Frames frames;
  for (const PageFrame& frame : page.frames) {
    const std::vector<Number>& numbers = frame.*column;
    if (numbers.size() != page.bodies.size()) return {};
    frames.emplace_back(numbers.begin(), numbers.end());
  }
  return packed(frames, 1);
}

} // namespace

PackedFrames pack_frames(const Page& page) {
  const double size = size_of(page);
  PackedFrames out;
  out.place_unit = size * place_share;
  out.turn_unit = turn_unit;
  out.contact_unit = size * contact_share;
  out.normal_unit = normal_unit;
  out.impulse_zero = impulse_zero;
  out.poses = packed_poses(page, out.place_unit);
  out.asleep = packed_column(page, &PageFrame::asleep);
  out.islands = packed_column(page, &PageFrame::islands);
  const auto touches = [](const PageFrame& frame) { return !frame.contacts.empty(); };
  if (std::any_of(page.frames.begin(), page.frames.end(), touches))
    out.contacts = packed_contacts(page, out.contact_unit);
  return out;
}

} // namespace carom
