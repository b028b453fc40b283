// Shapes that are not convex: how far apart two gears are, what proves it, what is inside, and where a ray goes; drawn.
//   mesh_queries [FOLDER]    writes FOLDER/mesh_queries.svg (default: out)
#include "carom/carom.h"
#include "carom/verify/check_proof.h"
#include "examples/svg.h"

#include <vector>

using namespace carom;
using examples::Svg;

namespace {

const std::string outline_a = "fill='#cfe3f7' stroke='#2b6cb0' stroke-width='1.5'";
const std::string outline_b = "fill='#fbdcc4' stroke='#c05621' stroke-width='1.5'";
const std::string line = "stroke='#2f855a' stroke-width='2' fill='none'";

/// A wheel with teeth, seen along z: its outline, counter-clockwise.
std::vector<Vec3> gear_outline(int teeth) {
  std::vector<Vec3> points;
  for (int i = 0; i < 4 * teeth; ++i) {
    const SinCos turn = sin_cos(i * (two_pi / (4 * teeth)));
    const double radius = i % 4 < 2 ? 1.0 : 0.75;
    points.push_back({radius * turn.cos, radius * turn.sin, 0});
  }
  return points;
}

/// The outline pulled along z: two faces and a side for each edge. Faces may have any number of corners.
PolygonMesh prism(const std::vector<Vec3>& outline, double height) {
  PolygonMesh mesh;
  const auto n = static_cast<std::uint32_t>(outline.size());
  std::vector<std::uint32_t> bottom, top;
  for (std::uint32_t i = 0; i < n; ++i) {
    mesh.vertices.push_back(outline[i] - Vec3{0, 0, height / 2});
    mesh.vertices.push_back(outline[i] + Vec3{0, 0, height / 2});
    bottom.insert(bottom.begin(), 2 * i);
    top.push_back(2 * i + 1);
    const std::uint32_t next = (i + 1) % n;
    const std::uint32_t side[] = {2 * i, 2 * next, 2 * next + 1, 2 * i + 1};
    mesh.add_face(side);
  }
  mesh.add_face(bottom);
  mesh.add_face(top);
  return mesh;
}

std::vector<Vec3> placed(std::vector<Vec3> outline, const Pose& pose) {
  for (Vec3& p : outline) p = pose.frame().to_world(p);
  return outline;
}

Pose turned(double angle, const Vec3& at) { return {Quat::from_axis_angle({0, 0, 1}, angle), at}; }

} // namespace

int main(int argc, char** argv) {
  const std::string folder = argc > 1 ? argv[1] : "out";
  Svg svg(900, 420, 90);
  const std::vector<Vec3> outline = gear_outline(9);
  const Shape gear = Shape::mesh(prism(outline, 0.4)).value(); // closed: a solid
  const Pose left = turned(0.1, {-3.4, 0.1, 0}), right = turned(0.25, {-1.1, 0.1, 0});

  // How far apart, and the proof: claims that cover all pairs of triangles.
  const Distance d = distance(gear, left, gear, right);
  const std::optional<Proof> proof = prove(gear, left, gear, right, d);
  const auto verdict = proof ? verify::check_proof({gear, left}, {gear, right}, *proof, 1e-12)
                             : verify::Verdict::no("no proof");
  std::printf("gears: %.6f apart, proved by %zu claims: %s\n", d.value,
              proof ? proof->claims.size() : 0, verdict ? "confirmed" : verdict.why.c_str());
  svg.polygon(placed(outline, left), outline_a);
  svg.polygon(placed(outline, right), outline_b);
  svg.segment(d.on_a, d.on_b, line);
  svg.dot(d.on_a, "#2f855a");
  svg.dot(d.on_b, "#2f855a");
  char text[80];
  std::snprintf(text, sizeof text, "distance %.4f, %zu claims", d.value,
                proof ? proof->claims.size() : 0);
  svg.text({-2.2, -1.5, 0}, text);

  // A solid contains what is inside of it, though the surfaces are apart.
  const Shape ball = Shape::sphere(0.15).value();
  const Pose wheel = turned(0.3, {1.2, 0.1, 0}), inside = Pose::at({1.4, 0.3, 0});
  const ShapeOverlap o = overlap(gear, wheel, ball, inside);
  const SurfacePoint depth = closest_point(inside.position, gear, wheel);
  std::printf("the ball is %s the gear, its centre %.4f deep\n", o ? "in" : "off", -depth.value);
  svg.polygon(placed(outline, wheel), outline_a);
  svg.circle(inside.position, 0.15, outline_b);
  svg.text({1.2, -1.5, 0}, "a solid contains it");

  // A ray: all that it meets, in order.
  const Pose target = turned(0.6, {3.6, 0.1, 0});
  const Ray ray{{2.4, 1.2, 0}, {2.2, -1.1, 0}};
  std::vector<RayHit> hits;
  ray_cast_all(gear, target, ray, hits);
  svg.polygon(placed(outline, target), outline_a);
  svg.segment(ray.origin, ray.at(1.1), line);
  for (const RayHit& hit : hits) {
    svg.dot(hit.point, "#2f855a");
    svg.segment(hit.point, hit.point + hit.normal * 0.3, "stroke='#999' fill='none'");
  }
  std::printf("the ray meets %zu triangles, the first at t = %.4f\n", hits.size(),
              hits.empty() ? INFINITY : hits.front().t);
  svg.text({3.6, -1.5, 0}, "all that a ray meets");
  svg.text({0, 1.9, 0}, "Meshes: the nearest points, the inside, rays", 17);
  return svg.save(folder + "/mesh_queries.svg") && verdict.ok && o.hit && hits.size() >= 2 ? 0 : 1;
}
