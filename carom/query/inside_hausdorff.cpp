// Boxes around A are cut in halves, as for shapes of any kind (cell_hausdorff.cpp). What is known besides: points of A's surface need not be found. A point x inside of A that is farther from B than all around it is
// critical: its nearest points of B are on all sides, so that for no direction u all ways from them to x go along u, (x - b) . u > 0. That leaves out boxes near the surfaces of A and B, however close these are to each other, where B looks all to one side:
//
// Let B be a solid that is wound around nothing negatively, and b its nearest point to some x outside. Then x - b is a sum of outward normals of the triangles at b. (If not, there is a t with t . n <= 0 for all of
// them and t . (x - b) > 0. From a point inside of B next to b, go straight to b + e t, for a small e: leaving B there means to cross one of these triangles outward, so t . n > 0 for it. So b + e t is in B; but it is
// nearer to x than b.) So where some u has u . n > 0 for all triangles of B within reach of a box, there is no critical point in it.
//
// That B is wound around nothing negatively is known where its triangles do not cut into each other, and each piece of the surface has a point in front of it that it is not wound around negatively. It is looked into when the boxes have
// become many.
#include "carom/query/inside_hausdorff.h"

#include "carom/geometry/triangle_normal.h"
#include "carom/tree/triangle_nearest.h"
#include "carom/tree/triangle_self.h"
#include "carom/tree/triangle_winding.h"
#include "carom/tree/volume_query.h"

#include <array>
#include <cmath>
#include <optional>

namespace carom {
namespace {

bool never_negative(const TriangleMesh& mesh);

class InsideSearch {
public:
  InsideSearch(const TriangleMesh& a, const TriangleMesh& b_mesh, const SurfaceTarget& b,
               HausdorffBounds& bounds)
      : a_(a), b_mesh_(b_mesh), b_(b), bounds_(bounds) {}

  void run() {
    search_cells(queue_, bounds_, a_.bounds(), [&](const HausdorffCell& cell) { add(cell); });
  }

private:
  void add(HausdorffCell cell) {
    ++cells_;
    bounds_.add_other();
    const double radius = length(cell.half) + bounds_.slack();
    const bool in_a = locate(a_.tree(), a_.surface(), cell.center) != PointPlace::outside;
    if (!in_a && !nearest_triangle(a_.tree(), a_.surface(), cell.center, radius)) return;
    const Vec3 middle = b_.in_a.to_local(cell.center);
    const NearTriangle near = nearest_triangle(b_.set.tree, b_.set.surface, middle);
    const bool in_b =
        b_.solid && locate(b_.set.tree, b_.set.surface, middle) != PointPlace::outside;
    const double depth = in_b ? near.on.distance : 0;
    if (in_b && depth >= radius) return;
    const double away = in_b ? 0 : near.on.distance;
    const Vec3 way = abs(cell.center - b_.in_a.to_world(near.on.point));
    cell.upper = std::fmin(cell.upper, std::fmin(length(way + cell.half), away + radius));
    const double upper = std::fmax(cell.upper - b_.rounding, 0);
    if (in_a) add_point(middle, near.on.point, away);
    if (!bounds_.matters(upper)) return;
    if (looks_to_one_side(middle, radius + cell.upper)) return;
    if (cell.half == Vec3{}) return bounds_.put_aside(upper);
    queue_.push(cell);
  }

  /// In B's frame.
  void add_point(const Vec3& p, const Vec3& on_b, double away) {
    const double far = std::fmax(away - b_.rounding, 0);
    bounds_.add(far, [&] {
      const Vec3 on = far > 0 ? on_b + (p - on_b) * (b_.rounding / away) : p;
      return std::pair{b_.in_world.to_world(p), b_.in_world.to_world(on)};
    });
  }

  /// Whether the triangles of B that come into the ball have normals on one side of some plane, and those are all there is to say about B.
  bool looks_to_one_side(const Vec3& center, double radius) {
    if (!b_.solid || cells_ < many_cells) return false;
    if (!normals_tell_) normals_tell_ = never_negative(b_mesh_);
    if (!*normals_tell_) return false;
    normals_.clear();
    const auto take = [this, &center, radius](std::span<const std::uint32_t> triangles) {
      for (const std::uint32_t i : triangles) {
        const Triangle t = b_.set.surface[i];
        if (closest_point(center, t).distance > radius + bounds_.slack()) continue;
        const Vec3 n = normalized_or(triangle_normal(t.a, t.b, t.c), {});
        if (n != Vec3{}) normals_.push_back(n);
      }
      return normals_.size() <= most_normals;
    };
    visit_touching(b_.set.tree.tree(), Sphere{center, radius + bounds_.slack()}, take);
    return normals_.size() <= most_normals && in_half_space();
  }

  /// The sum of all; then the one that is most against it is added, again and again.
  [[nodiscard]] bool in_half_space() const {
    Vec3 u;
    for (const Vec3& n : normals_) u += n;
    for (int i = 0; i < most_corrections; ++i) {
      u = normalized_or(u, {});
      const Vec3* worst = nullptr;
      double least = surely_positive;
      for (const Vec3& n : normals_) {
        if (!(dot(n, u) < least)) continue;
        least = dot(n, u);
        worst = &n;
      }
      if (!worst) return true;
      u += *worst * (2 * surely_positive - least);
    }
    return false;
  }

  /// Where fewer will do, it is not worth looking into B.
  static constexpr int many_cells = 300;
  static constexpr std::size_t most_normals = 400;
  static constexpr int most_corrections = 12;
  /// Far above the rounding of normals.
  static constexpr double surely_positive = 1e-6;

  const TriangleMesh& a_;
  const TriangleMesh& b_mesh_;
  const SurfaceTarget& b_;
  HausdorffBounds& bounds_;
  HausdorffQueue<HausdorffCell> queue_;
  int cells_ = 0;
  std::optional<bool> normals_tell_;
  std::vector<Vec3> normals_;
};

/// How often the mesh is wound around points right in front of the triangle; nothing where none was found that has no other triangle in between.
std::optional<std::int64_t> winding_in_front(const TriangleMesh& mesh, const Triangle& t,
                                             std::uint32_t number) {
  const Vec3 middle = (t.a + t.b + t.c) / 3;
  const Vec3 n = normalized_or(triangle_normal(t.a, t.b, t.c), {});
  double step = 0.25 * length(t.b - t.a);
  for (int i = 0; i < 12 && n != Vec3{}; ++i, step *= 0.125) {
    const Vec3 p = middle + n * step;
    const NearTriangle near = nearest_triangle(mesh.tree(), mesh.surface(), p);
    if (near.triangle == number && near.on.distance > 0.99 * step)
      return winding_around(mesh.tree(), mesh.surface(), p);
  }
  return std::nullopt;
}

bool never_negative(const TriangleMesh& mesh) {
  const TriangleSurface surface = mesh.surface();
  if (!self_meetings(mesh.set(), [](const TrianglePair&) { return false; })) return false;
  for (const std::uint32_t anchor : mesh.anchors()) {
    // A triangle of that piece which tells.
    bool known = false;
    for (std::uint32_t i = 0; i < surface.size() && !known; ++i) {
      const auto& [a, b, c] = surface.triangles[i];
      if (a != anchor && b != anchor && c != anchor) continue;
      const std::optional<std::int64_t> winding = winding_in_front(mesh, surface[i], i);
      if (winding && *winding < 0) return false;
      known = winding.has_value();
    }
    if (!known) return false;
  }
  return true;
}

} // namespace

void search_inside(const TriangleMesh& a, const TriangleMesh& b_mesh, const SurfaceTarget& b,
                   HausdorffBounds& bounds) {
  InsideSearch(a, b_mesh, b, bounds).run();
}

} // namespace carom
