// Meshes of any content that the bytes choose, through every function that inspects and repairs them: whatever comes in, each must return, count what it
// removes, and leave what it promises.
#include "carom/mesh/boundary_loops.h"
#include "carom/mesh/clean.h"
#include "carom/mesh/convex_decomposition.h"
#include "carom/mesh/exact_pieces.h"
#include "carom/mesh/inspect.h"
#include "carom/mesh/merge_coplanar.h"
#include "carom/mesh/mesh_check.h"
#include "carom/mesh/orient.h"
#include "carom/mesh/solid_mass.h"
#include "carom/mesh/stitch.h"
#include "carom/mesh/weld.h"
#include "carom/mesh/winding_number.h"
#include "tests/support/procedural_meshes.h"

#include <bit>
#include <cmath>
#include <cstdio>
#include <cstdlib>

namespace {

using namespace carom;
using test::Source;

/// How many meshes went through.
class Tally {
public:
  ~Tally() {
    std::fprintf(stderr, "%llu meshes, %llu of them usable as they were\n", meshes_, usable_);
  }
  void count(bool usable) {
    ++meshes_;
    usable_ += usable ? 1 : 0;
  }

private:
  unsigned long long meshes_ = 0, usable_ = 0;
};
Tally tally; // NOLINT: prints when the program ends

void require(bool kept, const char* promise) {
  if (kept) return;
  std::fprintf(stderr, "not kept: %s\n", promise);
  std::abort();
}

/// Any double at times, mostly a usual one.
double number(Source& source) {
  switch (source.index(12)) {
  case 0:
    return std::bit_cast<double>(source.below(~std::uint64_t{0}));
  case 1:
    return test::real(source) * 1e30;
  case 2:
    return test::real(source) * 1e-30;
  default:
    return test::real(source);
  }
}

/// A mesh that may have anything wrong with it.
PolygonMesh any_mesh(Source& source) {
  PolygonMesh mesh = test::soup_mesh(source, 24, 24);
  const int changes = source.index(5);
  const auto small = [&] { return static_cast<std::uint32_t>(source.below(64)); };
  const auto pick = [&](std::size_t n) { return static_cast<std::size_t>(source.below(n)); };
  for (int i = 0; i < changes; ++i) {
    switch (source.index(8)) {
    case 0:
      if (!mesh.corners.empty()) mesh.corners[pick(mesh.corners.size())] = small();
      break;
    case 1:
      if (!mesh.face_begin.empty()) mesh.face_begin[pick(mesh.face_begin.size())] = small();
      break;
    case 2: {
      const std::size_t v = pick(mesh.vertices.size());
      mesh.vertices[v][source.index(3)] = number(source);
      break;
    }
    case 3:
      mesh.materials.resize(small());
      break;
    case 4:
      mesh.parts.push_back({"part", small()});
      break;
    case 5:
      mesh.face_begin.resize(pick(mesh.face_begin.size() + 1));
      break;
    case 6:
      mesh.materials.assign(mesh.face_count(), 0);
      for (std::uint32_t& m : mesh.materials) m = small() % 2;
      break;
    default: {
      const Vec3 at = test::vec3(source);
      test::append(mesh, source.chance(2) ? test::cube_mesh() : test::moebius_mesh(3, 1), at);
    }
    }
  }
  return mesh;
}

/// Convex pieces of small meshes: as many as allowed, around everything.
void decompose(const PolygonMesh& mesh, std::uint32_t most) {
  const auto pieces = approximate_convex_pieces(mesh, {.max_pieces = most});
  if (pieces) {
    require(pieces->encloses, "pieces enclose the mesh");
    require(!pieces->pieces.empty() && pieces->pieces.size() <= most, "as many pieces as allowed");
    require(pieces->error >= 0 && std::isfinite(pieces->error), "an error is a length");
  }
  const auto exact = exact_convex_pieces(mesh, {.max_pieces = 64});
  if (exact) require(!exact->pieces.empty(), "a solid has pieces");
}

/// The same functions refuse or accept, and none changes what it was given.
void build(const PolygonMesh& mesh, double length, const Vec3& point) {
  const MeshReport report = inspect(mesh, {.tolerance = length});
  require(!describe(report).empty(), "a description");
  const bool usable = check_usable(mesh).has_value();
  tally.count(usable);

  const auto welded = weld(mesh, length);
  require(usable || !welded || report.usable(), "welding refuses what is not usable");
  if (welded) {
    require(check_usable(welded->mesh).has_value(), "a welded mesh is usable");
    require(welded->mesh.face_count() + welded->dropped_faces == mesh.face_count(),
            "welding counts the faces it drops");
    require(!report.closed || welded->mesh.face_count() == 0 || inspect(welded->mesh).closed,
            "a closed mesh stays closed when welded");
  }
  const auto oriented = orient(mesh);
  require(oriented.has_value() == usable, "orientation of what is usable");
  if (oriented) {
    require(inspect(oriented->mesh).inconsistent_edges.count == oriented->conflicting_edges,
            "all edges agree but those that cannot");
  }
  if (const auto stitched = stitch(mesh, length)) {
    require(check_usable(stitched->mesh).has_value(), "a stitched mesh is usable");
  }
  const auto merged = merge_coplanar(mesh, {.thickness = length});
  require(merged.has_value() == (usable && length >= 0), "merging of what is usable");
  if (merged) {
    require(!report.closed || inspect(merged->mesh).closed,
            "a closed mesh stays closed when merged");
  }
  if (const auto mass = solid_mass(mesh)) require(mass->volume > 0, "a solid has volume");
  if (is_finite(point) && usable) {
    require(std::isfinite(winding_number(mesh.surface(), point)), "a winding number is a number");
    const bool inside = crossing_count(mesh.surface(), point) > 0;
    const bool on = is_on_surface(mesh.surface(), point);
    const PointPlace place = locate(mesh.surface(), point, report.closed);
    require(on == (place == PointPlace::on_surface), "on the surface is where it is located");
    require(!report.closed || on || inside == (place == PointPlace::inside),
            "inside of a closed surface is where it is wound around");
  }
  (void)locate(mesh.surface(), point, report.closed);
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  test::BytesSource source(data, size);
  const PolygonMesh mesh = any_mesh(source);
  const double length = source.chance(3) ? 0 : std::fabs(number(source)) * 0.125;
  const Vec3 point = test::vec3(source);
  build(mesh, length, point);
  // It takes milliseconds, the rest microseconds: not every time, and few pieces.
  if (source.chance(16)) decompose(mesh, static_cast<std::uint32_t>(1 + source.index(3)));

  const auto usable = make_usable(mesh);
  require(usable.has_value(), "any small mesh can be made usable");
  PolygonMesh clean = usable->mesh;
  require(check_usable(clean).has_value(), "a mesh made usable is");
  build(clean, length, point);
  (void)remove_duplicate_faces(clean);
  (void)remove_degenerate_faces(clean);
  (void)remove_opposite_faces(clean);
  (void)remove_unreferenced_vertices(clean);
  const MeshReport report = inspect(clean);
  require(!report.duplicate_faces && !report.few_corners && !report.on_a_line &&
              !report.opposite_faces && !report.unreferenced_vertices,
          "cleaning removes what it says");
  return 0;
}
