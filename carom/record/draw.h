// Debug drawing: what a world, or an answer, looks like, as lines, triangles and words for any back end.
//
//   SvgDraw svg(camera, 800, 500);
//   draw(world, svg, {.contacts = true, .islands = true});
//   save("world.svg", svg.svg());
//
// A back end takes three calls. SvgDraw is one; a game's own renderer is another.
#pragma once

#include "carom/dynamics/world.h"
#include "carom/motion/answer.h"
#include "carom/motion/motion.h"
#include "carom/query/answer.h"
#include "carom/query/proof.h"
#include "carom/record/scene.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace [[gnu::visibility("default")]] carom {

/// Colours are 0xrrggbb; points are in the world.
class DebugDraw {
public:
  virtual ~DebugDraw() = default;
  virtual void line(const Vec3& a, const Vec3& b, std::uint32_t colour) = 0;
  virtual void triangle(const Vec3& a, const Vec3& b, const Vec3& c, std::uint32_t colour) = 0;
  virtual void text(const Vec3& at, std::string_view words, std::uint32_t colour) = 0;
};

struct DrawOptions {
  bool shapes = true;   ///< triangles and edges (tessellate.h)
  bool sleeping = true; ///< bodies that sleep are dark
  bool islands =
      false; ///< bodies that hang together by contacts and joints have one colour; else by kind
  bool contacts = false; ///< a cross at each point of contact
  bool normals = false;  ///< a line along each normal, from A toward B
  bool impulses =
      false; ///< a line along each normal, as long as what the contact bears: see impulse_scale
  bool boxes = false;          ///< the box around each shape
  bool trees = false;          ///< the boxes of the trees that find pairs: the deeper, the paler
  bool joints = false;         ///< from the centre of each body to the joint's place
  bool names = false;          ///< the slot of each body, at its centre
  double size = 0.1;           ///< of crosses and normals: a length
  double impulse_scale = 0.01; ///< metres for a newton second
};
void draw(const World& world, DebugDraw& out, const DrawOptions& options = {});

// Answers with their proofs. `size` is that of crosses and of the planes that prove something.
/// The common point, or the plane between the shapes, halfway. No plane where one of them is not convex: that takes a Proof.
void draw(const ShapeOverlap& answer, const Shape& a, const Pose& pose_a, const Shape& b,
          const Pose& pose_b, DebugDraw& out, double size);
/// The nearest points, the line between them, and the two planes that have the shapes on their far sides.
void draw(const Distance& answer, DebugDraw& out, double size);
/// The deepest points and the way out.
void draw(const Penetration& answer, DebugDraw& out, double size);
/// Each contact, from surface to surface, and the normal.
void draw(const ContactManifold& answer, DebugDraw& out, double size);
/// The ray up to where it hits, the point and the normal; the whole ray up to max_t where it does not.
void draw(const RayHit& answer, const Ray& ray, double max_t, DebugDraw& out, double size);
/// The way that A moves, the contact and the plane between the shapes.
void draw(const ShapeCast& answer, const Vec3& from, const Vec3& translation, DebugDraw& out,
          double size);
/// From the point to the surface, and the normal there.
void draw(const SurfacePoint& answer, const Vec3& p, DebugDraw& out, double size);
/// The ways of both shapes' origins until they meet, the contact and the plane between the shapes there.
void draw(const TimeOfImpact& answer, const Motion& motion_a, const Motion& motion_b,
          DebugDraw& out, double size);
/// Of each claim the plane between the parts that it is about, halfway. Nothing for a proof about other shapes.
void draw(const Proof& proof, const Shape& a, const Pose& pose_a, const Shape& b,
          const Pose& pose_b, DebugDraw& out, double size);

/// Seen by a camera, far things first. Triangles that reach behind the camera are left out.
class SvgDraw : public DebugDraw {
public:
  SvgDraw(const SceneCamera& camera, double width, double height);
  void line(const Vec3& a, const Vec3& b, std::uint32_t colour) override;
  void triangle(const Vec3& a, const Vec3& b, const Vec3& c, std::uint32_t colour) override;
  void text(const Vec3& at, std::string_view words, std::uint32_t colour) override;
  [[nodiscard]] std::string svg() const;

private:
  struct Item {
    double depth;
    std::string element;
  };
  struct Seen {
    double x, y, depth;
  };
  [[nodiscard]] Seen see(const Vec3& p) const;

  Vec3 eye_, right_, up_, ahead_;
  double width_, height_, scale_;
  std::vector<Item> items_;
};

} // namespace carom
