#include "carom/mesh/triangulate.h"

#include "carom/geometry/convexity.h"

#include <algorithm>

namespace carom {
namespace {

void flatten(std::span<const Vec3> polygon, const Vec3& normal, std::vector<Vec2>& flat) {
  const int axis = largest_axis(normal);
  flat.clear();
  for (const Vec3& p : polygon) flat.push_back({p[(axis + 1) % 3], p[(axis + 2) % 3]});
}

/// Cuts one polygon after the other, in the same memory.
class SpaceCutter {
public:
  /// The polygon's plane is given, for its normal.
  void cut(std::span<const Vec3> polygon, const Plane& plane, PolygonTriangles& result) {
    flatten(polygon, plane.normal, flat_);
    const bool quad = polygon.size() == 4 && convexity(flat_).kind == Convexity::strict;
    if (quad) {
      const bool first =
          distance_squared(polygon[0], polygon[2]) <= distance_squared(polygon[1], polygon[3]);
      result.forced = 0;
      result.triangles.clear();
      if (first) result.triangles = {{0, 1, 2}, {0, 2, 3}};
      if (!first) result.triangles = {{0, 1, 3}, {1, 2, 3}};
      return;
    }
    const std::uint32_t loop_begin[] = {0, static_cast<std::uint32_t>(polygon.size())};
    cutter_.cut({flat_, loop_begin}, result);
  }

private:
  EarCutter cutter_;
  std::vector<Vec2> flat_;
};

bool exists(const PolygonMesh& mesh, std::size_t f) {
  const auto face = mesh.face(f);
  return std::all_of(face.begin(), face.end(),
                     [&](std::uint32_t corner) { return corner < mesh.vertices.size(); });
}

/// Appends triangles of faces to a mesh.
class MeshCutter {
public:
  MeshCutter(const PolygonMesh& from, PolygonMesh& to, TriangulationReport& report)
      : from_(from), to_(to), report_(report) {}

  void cut(std::size_t f) {
    const auto face = from_.face(f);
    if (!exists(from_, f)) {
      ++report_.bad_faces;
    } else if (face.size() < 3) {
      ++report_.small_faces;
    } else if (face.size() == 3) {
      add(f, {face[0], face[1], face[2]});
    } else {
      cut_large(f, face);
    }
  }

private:
  void cut_large(std::size_t f, std::span<const std::uint32_t> face) {
    points_.clear();
    for (const std::uint32_t corner : face) points_.push_back(from_.vertices[corner]);
    const Flatness flat = flatness(points_);
    cutter_.cut(points_, flat.plane, pieces_);
    ++report_.cut_faces;
    report_.forced_faces += pieces_.forced > 0 ? 1 : 0;
    if (flat.height > report_.greatest_height) {
      report_.greatest_height = flat.height;
      report_.highest_face = f;
    }
    for (const IndexTriple& t : pieces_.triangles) add(f, {face[t[0]], face[t[1]], face[t[2]]});
  }

  void add(std::size_t f, const IndexTriple& t) {
    to_.add_face(t);
    if (f < from_.materials.size()) to_.materials.push_back(from_.materials[f]);
  }

  const PolygonMesh& from_;
  PolygonMesh& to_;
  TriangulationReport& report_;
  SpaceCutter cutter_;
  PolygonTriangles pieces_;
  std::vector<Vec3> points_;
};

} // namespace

void flatten(std::span<const Vec3> polygon, std::vector<Vec2>& flat) {
  flatten(polygon, flatness(polygon).plane.normal, flat);
}

PolygonTriangles triangulate(std::span<const Vec3> polygon) {
  PolygonTriangles result;
  SpaceCutter().cut(polygon, flatness(polygon).plane, result);
  return result;
}

PolygonMesh triangulated(const PolygonMesh& mesh, TriangulationReport* report) {
  TriangulationReport counted;
  PolygonMesh result;
  result.vertices = mesh.vertices;
  result.material_names = mesh.material_names;
  MeshCutter cutter(mesh, result, counted);
  std::size_t part = 0;
  for (std::size_t f = 0; f < mesh.face_count(); ++f) {
    for (; part < mesh.parts.size() && mesh.parts[part].first_face <= f; ++part) {
      result.parts.push_back(
          {mesh.parts[part].name, static_cast<std::uint32_t>(result.face_count())});
    }
    cutter.cut(f);
  }
  for (; part < mesh.parts.size(); ++part) { // parts without faces
    result.parts.push_back(
        {mesh.parts[part].name, static_cast<std::uint32_t>(result.face_count())});
  }
  if (report) *report = counted;
  return result;
}

} // namespace carom
