// Where a convex form meets a surface of triangles: manifolds of the world's narrow phase. Internal to the world.
//
// What slides over a flat part of the surface is not caught by the edges between the triangles, whether they share their vertices or not (mesh_contacts.cpp).
#pragma once

#include "carom/dynamics/convex_meeting.h"
#include "carom/dynamics/near_triangles.h"
#include "carom/dynamics/surface_sieve.h"
#include "carom/dynamics/surface_triangles.h"
#include "carom/query/contact_patch.h"
#include "carom/shape/composite.h"

#include <array>
#include <vector>

namespace [[gnu::visibility("default")]] carom {

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
  /// `step_way`: how far the form goes in a step, in the surface's frame: triangles are gathered ahead on its way. That only ever saves time.
  /// `known`: the surface's form, where there is one. With it, less is to be done.
  void find(const ConvexForm& form, const Shape& surface, const Frame& surface_in_form,
            double margin, NearTriangles& near, const Vec3& step_way = {},
            const SurfaceForm* known = nullptr);
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
  void place_points(const ConvexForm& form, const Frame& surface_in_form);
  void gather(const Shape& surface, const SurfaceForm* known, const Aabb& box, const Vec3& step_way,
              NearTriangles& near);
  /// Of a group, in bits of lanes: which side of a triangle may be a ridge in reach; and whether there are others, which are for its neighbours.
  struct Ridges {
    std::array<std::uint32_t, 3> sides{};
    std::uint32_t others = 0;
  };
  [[nodiscard]] Ridges ridges(const NearTriangles& near, std::size_t group) const;
  void take_groups(double reach, const NearTriangles& near);
  void choose(const ConvexForm& form, double margin, const NearTriangles& near);
  void choose_of(const NearTriangles& near, std::uint32_t group);
  /// A distance that the form has from all triangles, at least; negative: none is known.
  [[nodiscard]] double apart(const ConvexForm& form, const NearTriangles& near) const;
  [[nodiscard]] static Vec3 down_from(const ConvexForm& form, const PlacedTriangle& t);
  void place(const NearTriangles& near, std::uint32_t item, std::uint8_t open_sides);
  void place_rest(const NearTriangles& near);
  void look_at(const ConvexForm& form, std::uint32_t at, double margin, const NearTriangles& near);
  void look_all_around(const ConvexForm& form, std::uint32_t at, double margin,
                       const NearTriangles& near);
  void record(std::uint32_t at, const NearTriangles& near, std::vector<Touch>& list);
  [[nodiscard]] Vec3 middle_along(const Touch& touch, const Vec3& d) const;
  [[nodiscard]] bool may_have(const Vec3& p, std::uint32_t item, const NearTriangles& near) const;
  [[nodiscard]] bool leads_out(const Touch& touch, const NearTriangles& near);
  void gather_patch(const Touch& first, double same);

  SurfaceTriangles triangles_; ///< of the last find()
  double size_ = 0, clear_ = 0;
  float flat_ = 0;                          ///< what rises no higher across a triangle is flat
  std::vector<std::uint32_t> found_;        ///< numbers of triangles
  std::vector<SurfaceForm::Item> gathered_; ///< those, while they are gathered
  ConvexMeeting meeting_;
  Frame frame_;                                            ///< the surface in the form
  std::array<Vec3, ConvexForm::most_vertices> vertices_{}; ///< of the form, in the surface's frame
  Vec3 center_{};                                          ///< the same of its middle
  Aabb box_;                                               ///< around the vertices
  std::vector<std::uint32_t> groups_; ///< of NearTriangles::groups: those in reach
  double beyond_ = 0;                 ///< how far the others are from the vertices, at least
  std::vector<PlacedEight> eights_;   ///< beside groups_
  std::vector<EightGaps> gaps_;
  std::vector<SurfaceBits> bits_;    ///< beside groups_, and none for what is out of reach
  std::vector<PlacedTriangle> near_; ///< in reach; those that are to be looked at come first
  std::vector<std::uint32_t> items_; ///< of near_: a place in groups_ times eight plus the lane
  std::vector<std::uint8_t>
      open_sides_; ///< of near_: bits of sides that the surface falls off from
  struct Rest {
    std::uint32_t item = 0;
    bool doubtful = false;
  };
  std::vector<Rest>
      rest_; ///< in reach, not in near_ yet: they have no contact, but may be in the way of others
  std::vector<std::uint32_t> doubtful_; ///< of near_: to be looked at again where nothing is found
  std::vector<Touch> touches_, refused_;
  std::vector<MeetingPoint> points_, merged_;
  std::vector<Spot> spots_;
  std::vector<MeshPatch> patches_;
};

} // namespace carom
