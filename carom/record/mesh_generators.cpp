// Both are rings of vertices joined by quads: the gear has four rings (outline and bore, above and below), the lathe one for each point of its profile.
#include "carom/record/mesh_generators.h"

#include "carom/math/trig.h"

#include <array>
#include <numbers>
#include <vector>

namespace carom {
namespace {

constexpr double full_turn = 2 * std::numbers::pi;

void add_quad(PolygonMesh& mesh, std::uint32_t a, std::uint32_t b, std::uint32_t c,
              std::uint32_t d) {
  const std::array<std::uint32_t, 4> corners{a, b, c, d};
  mesh.add_face(corners);
}

} // namespace

Result<PolygonMesh> gear_mesh(const GearInput& in) {
  const bool ordered = in.bore > 0 && in.bore < in.root && in.root < in.tip && in.tip <= 1e9;
  const bool shares = in.tip_share > 0 && in.tip_share <= in.foot_share && in.foot_share < 1;
  if (!ordered || !shares || !(in.half_width > 0 && in.half_width <= 1e9) || in.teeth < 3 ||
      in.teeth > 1000)
    return failure(ErrorCode::out_of_range, "a gear has 3 to 1000 teeth, 0 < bore < root < tip, a "
                                            "positive width, and 0 < tip_share <= foot_share < 1");
  const std::uint32_t n = 4 * in.teeth; // vertices of a ring
  PolygonMesh mesh;
  mesh.vertices.resize(std::size_t{4} * n);
  const double pitch = full_turn / in.teeth;
  const std::array<double, 4> shift{-in.foot_share / 2, -in.tip_share / 2, in.tip_share / 2,
                                    in.foot_share / 2};
  for (std::uint32_t i = 0; i < n; ++i) {
    const std::uint32_t corner = i % 4;
    const SinCos at = sin_cos((static_cast<double>(i / 4) + shift[corner]) * pitch);
    const double r = corner == 1 || corner == 2 ? in.tip : in.root;
    const double x = at.cos * r, y = at.sin * r, bx = at.cos * in.bore, by = at.sin * in.bore;
    mesh.vertices[i] = {x, y, in.half_width};
    mesh.vertices[n + i] = {x, y, -in.half_width};
    mesh.vertices[2 * n + i] = {bx, by, in.half_width};
    mesh.vertices[3 * n + i] = {bx, by, -in.half_width};
  }
  for (std::uint32_t i = 0; i < n; ++i) {
    const std::uint32_t j = (i + 1) % n;
    add_quad(mesh, i, n + i, n + j, j);                         // outline
    add_quad(mesh, 2 * n + i, i, j, 2 * n + j);                 // above
    add_quad(mesh, 3 * n + j, n + j, n + i, 3 * n + i);         // below
    add_quad(mesh, 2 * n + j, 3 * n + j, 3 * n + i, 2 * n + i); // bore
  }
  return mesh;
}

Result<PolygonMesh> lathe_mesh(std::span<const Vec2> profile, std::uint32_t segments) {
  if (profile.size() < 3) return failure(ErrorCode::too_few, "a profile has three points or more");
  if (profile.size() > 10000 || segments < 3 || segments > 10000 ||
      profile.size() * segments > 1000000)
    return failure(ErrorCode::out_of_range,
                   "a turned mesh has 3 to 10000 segments, and a million vertices at most");
  double area = 0;
  for (std::size_t i = 0; i < profile.size(); ++i) {
    const Vec2 &p = profile[i], &q = profile[(i + 1) % profile.size()];
    if (!(p.x >= 0 && p.x <= 1e9 && p.y >= -1e9 && p.y <= 1e9))
      return failure(ErrorCode::out_of_range, "a profile's distances from the axis are 0 or more");
    area += p.x * q.y - q.x * p.y;
  }
  const std::vector<Vec2> points = area >= 0 ? std::vector<Vec2>(profile.begin(), profile.end())
                                             : std::vector<Vec2>(profile.rbegin(), profile.rend());
  // Per point of the profile: its first vertex. A point on the axis has one only.
  PolygonMesh mesh;
  std::vector<std::uint32_t> first;
  for (const Vec2& p : points) {
    first.push_back(static_cast<std::uint32_t>(mesh.vertices.size()));
    for (std::uint32_t s = 0; s < (p.x == 0 ? 1 : segments); ++s) {
      const SinCos at = sin_cos(full_turn * s / segments);
      mesh.vertices.push_back({at.cos * p.x, at.sin * p.x, p.y});
    }
  }
  for (std::size_t i = 0; i < points.size(); ++i) {
    const std::size_t k = (i + 1) % points.size();
    const bool low = points[i].x == 0, high = points[k].x == 0;
    if (low && high) continue;
    for (std::uint32_t s = 0; s < segments; ++s) {
      const std::uint32_t t = (s + 1) % segments;
      const std::uint32_t a = first[i] + (low ? 0 : s), b = first[i] + (low ? 0 : t);
      const std::uint32_t c = first[k] + (high ? 0 : t), d = first[k] + (high ? 0 : s);
      if (low)
        mesh.add_face(std::array<std::uint32_t, 3>{a, c, d});
      else if (high)
        mesh.add_face(std::array<std::uint32_t, 3>{a, b, c});
      else
        add_quad(mesh, a, b, c, d);
    }
  }
  return mesh;
}

} // namespace carom
