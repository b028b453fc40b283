// Where a convex form meets a surface of triangles: manifolds of the world's narrow phase. Internal to the world.
//
// What slides over a flat part of the surface is not caught by the edges between the triangles, whether they share their vertices or not (mesh_contacts.cpp).
#pragma once

#include "carom/dynamics/convex_meeting.h"
#include "carom/query/contact_patch.h"
#include "carom/shape/composite.h"

#include <array>
#include <vector>

namespace [[gnu::visibility("default")]] carom {

/// Triangles near a body, kept while it stays in a box: it only ever saves time.
struct NearTriangles {
  /// In the surface's frame.
  struct Item {
    std::uint32_t number = 0;
    Triangle corners;
    Vec3 normal; ///< a unit vector
  };
  Aabb box{};                ///< all triangles with an area whose boxes meet it are here
  std::uint64_t surface = 0; ///< the shape's id; 0: nothing is known
  std::vector<Item> items;   ///< by number
};

/// Points of one normal.
struct MeshPatch {
  Vec3 normal{}; ///< from the form toward the surface
  std::array<MeetingPoint, 4> points{};
  int count = 0;
};

/// Keeps its storage from call to call.
class MeshContacts {
public:
  /// All in the form's frame, the deepest patch first. The surface is one (surface_triangles.h). Empty where they are farther apart than the margin.
  void find(const ConvexForm& form, const Shape& surface, const Frame& surface_in_form,
            double margin, NearTriangles& near);
  [[nodiscard]] std::span<const MeshPatch> patches() const { return patches_; }
  /// Where there is none: a distance that they have at least. Not less than the margin.
  [[nodiscard]] double clear() const { return clear_; }

private:
  /// What a triangle has to say.
  struct Touch {
    std::uint32_t at = 0; ///< in near_
    Vec3 normal{};
    double gap = 0;
    std::size_t first = 0, count = 0; ///< in points_
    bool taken = false;
  };
  void gather(const Shape& surface, const Aabb& box, NearTriangles& near);
  void place(const ConvexForm& form, const Frame& frame, const Aabb& box, double margin,
             const NearTriangles& near);
  void look_at(const ConvexForm& form, std::uint32_t at, double margin);
  void record(std::uint32_t at, std::vector<Touch>& list);
  [[nodiscard]] bool leads_out(const Touch& touch) const;
  void gather_patch(const Touch& first, double same);

  double size_ = 0, clear_ = 0;
  std::vector<std::uint32_t> found_; ///< numbers of triangles
  ConvexMeeting meeting_;
  std::vector<PlacedTriangle> near_;
  std::vector<std::uint32_t> numbers_; ///< of near_
  std::vector<Touch> touches_, refused_;
  std::vector<MeetingPoint> points_, merged_;
  std::vector<Spot> spots_;
  std::vector<MeshPatch> patches_;
};

} // namespace carom
