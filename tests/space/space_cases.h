// Spaces full of difficult objects, questions for them, and all that the questions are answered as one row of numbers, to be compared to the bit.
#pragma once

#include "carom/space/space_cast.h"
#include "carom/space/space_near.h"
#include "carom/space/space_overlap.h"
#include "carom/space/space_pairs.h"
#include "tests/support/generate_composite.h"

#include <bit>
#include <cstdint>
#include <vector>

namespace carom::test {

/// A few shapes that the objects of a case share: so that the same one stands in several places.
class ShapePool {
public:
  explicit ShapePool(Source& source) {
    const int count = 3 + source.index(5);
    for (int i = 0; i < count; ++i) shapes_.push_back(draw(source));
  }
  const Shape& any(Source& source) const { return shapes_[source.below(shapes_.size())]; }

private:
  static Shape draw(Source& source) {
    static constexpr double scales[] = {1, 1, 1, 1, 1e-3, 30, 1e-9, 1e4};
    const double scale = scales[source.index(8)];
    switch (source.index(6)) {
    case 0:
      return Shape::box({scale * 0.5, scale * 0.5, scale * 0.5}).value();
    case 1:
      return Shape::sphere(scale * 0.5).value();
    case 2:
      return CompositeGenerator(source, scale).any();
    case 3: {
      const Vec3 n = direction(source);
      return source.chance(3) ? Shape::half_space(n, -3).value()
                              : Shape::triangle({}, n * scale, {scale, 0, 0}).value();
    }
    default: {
      // Sums, hulls of two and the like are asked by search, which takes long: tests of the queries have them.
      static constexpr ShapeKind kinds[] = {
          ShapeKind::point,    ShapeKind::segment, ShapeKind::triangle, ShapeKind::capsule,
          ShapeKind::cylinder, ShapeKind::cone,    ShapeKind::hull,     ShapeKind::tapered_capsule};
      const ShapeKind kind = kinds[source.index(8)];
      return ShapeGenerator(source, scale).of_kind(kind, 0);
    }
    }
  }

  std::vector<Shape> shapes_;
};

/// Often on a grid of half lengths, so that boxes touch and coincide; sometimes far away.
inline Vec3 place(Source& source) {
  static constexpr double reach[] = {2, 2, 2, 6, 6, 0, 1e7, 1e15};
  const Vec3 v = vec3(source);
  return coordinates(v * reach[source.index(8)]);
}
inline Pose placement(Source& source) {
  const Vec3 at = place(source);
  const Quat turn = source.index(2) ? Quat{} : rotation(source);
  return {turn, at};
}
inline Filter filter(Source& source) {
  static constexpr std::uint64_t bits[] = {1, ~0ULL, 2, 3, 0, 6};
  Filter f;
  if (source.index(2) == 0) return f;
  f.category = bits[source.index(4)];
  f.mask = bits[source.index(6)];
  f.group = source.index(5) - 2;
  return f;
}
inline SpaceObject object(Source& source, const ShapePool& pool) {
  const Shape& shape = pool.any(source);
  const Pose pose = placement(source);
  const Mobility mobility = source.index(3) ? Mobility::moving : Mobility::fixed;
  const Filter f = filter(source);
  return {shape, pose, mobility, f, source.below(100)};
}

struct Question {
  Shape shape;
  Pose pose;
  Vec3 translation;
  Ray ray;
  Aabb box;
  ViewFrustum frustum;
  double limit, max_t;
  std::size_t count;
  Filter filter;
  Layers layers;
  std::uint32_t every; ///< objects whose slot is a multiple of this do not count; 0: all do

  [[nodiscard]] bool accepts(ObjectId id) const { return every == 0 || id.slot % every != 0; }
};

inline Question question(Source& source, const ShapePool& pool) {
  const Shape& shape = pool.any(source);
  const Pose pose = placement(source);
  const Vec3 there = place(source);
  const Vec3 toward = source.chance(8) ? Vec3{} : coordinates(there - pose.position);
  const Vec3 eye = place(source);
  const Vec3 corner = place(source);
  const Vec3 edges = abs(vec3(source));
  const Mat3 view = axes(source);
  const ViewFrustum frustum{eye, view, 0.25 * source.index(3), 3.0 + source.index(3), 0.5, 0.75};
  static constexpr double limits[] = {0, 0.5, 2, INFINITY};
  const double limit = limits[source.index(4)];
  const double max_t = source.chance(3) ? 0.5 : 1;
  const std::size_t count = source.below(6);
  Filter f{.category = ~0ULL, .mask = ~0ULL};
  if (source.chance(3)) f = filter(source);
  const Layers layers{source.index(5) != 4, source.index(5) != 4};
  const auto every = static_cast<std::uint32_t>(source.chance(3) ? 2 + source.index(2) : 0);
  const Ray ray{eye, coordinates(there - eye)};
  return {shape, pose, toward, ray,  {corner, corner + edges}, frustum, limit, max_t,
          count, f,    layers, every};
}

/// Numbers as bits: equal only where they are the same to the last.
class Row {
public:
  void add(double x) { bits_.push_back(std::bit_cast<std::uint64_t>(x)); }
  void add(std::uint64_t x) { bits_.push_back(x); }
  void add(const Vec3& v) {
    add(v.x);
    add(v.y);
    add(v.z);
  }
  void add(ObjectId id) { add(std::uint64_t{id.slot} << 32 | id.generation); }
  void add(Status s) { add(static_cast<std::uint64_t>(s)); }
  void add(const ShapeOverlap& o) {
    add(std::uint64_t{o.hit});
    add(o.point);
    add(std::uint64_t{o.part_a.element} << 32 | o.part_b.element);
  }
  void add(const Distance& d) {
    add(d.value);
    add(d.lower_bound);
    add(d.on_a);
    add(d.on_b);
    add(d.normal);
    add(d.status);
  }
  void add(const SurfacePoint& s) {
    add(s.value);
    add(s.lower_bound);
    add(s.point);
    add(s.normal);
    add(s.status);
  }
  void add(const RayHit& h) {
    add(std::uint64_t{h.hit} * 2 + std::uint64_t{h.inside});
    add(h.t);
    add(h.normal);
    add(std::uint64_t{h.part.element});
    add(h.status);
  }
  void add(const ShapeCast& c) {
    add(std::uint64_t{c.hit} * 2 + std::uint64_t{c.initial_overlap});
    add(c.t);
    add(c.point);
    add(c.normal);
    add(c.status);
  }
  void add(const SpaceNearPoint& n) {
    add(n.id);
    add(n.surface);
    add(n.key);
  }
  void add(const SpaceDistance& n) {
    add(n.id);
    add(n.distance);
    add(n.key);
  }
  void add(const SpaceRayHit& h) {
    add(h.id);
    add(h.hit);
    add(h.key);
  }
  void add(const SpaceShapeCast& c) {
    add(c.id);
    add(c.cast);
    add(c.key);
  }
  void add(const SpaceOverlap& o) {
    add(o.id);
    add(o.overlap);
  }
  void add(const ObjectPair& p) {
    add(p.a);
    add(p.b);
  }
  void add(const SpaceOverlapPair& p) {
    add(p.pair);
    add(p.overlap);
  }
  void add(const SpaceDistancePair& p) {
    add(p.pair);
    add(p.distance);
  }
  template<class T>
  void add_list(const T& list) {
    add(std::uint64_t{list.size()});
    for (const auto& x : list) add(x);
  }

  bool operator==(const Row& other) const { return bits_ == other.bits_; }
  [[nodiscard]] std::size_t size() const { return bits_.size(); }

private:
  std::vector<std::uint64_t> bits_;
};

/// All questions about objects near something.
inline Row ask(const Space& space, const Question& q) {
  Row row;
  const auto accept = [&](ObjectId id) { return q.accepts(id); };
  const Among among{q.filter, q.layers, accept};
  const NearOptions near{.max_distance = q.limit};
  const Vec3& p = q.ray.origin;
  std::vector<SpaceNearPoint> near_points;
  row.add(nearest(space, p, near, among));
  row.add(nearest(space, p, q.count, near_points, near, among));
  row.add_list(near_points);
  std::vector<SpaceDistance> near_shapes;
  row.add(nearest(space, q.shape, q.pose, near, among));
  row.add(nearest(space, q.shape, q.pose, q.count, near_shapes, near, among));
  row.add_list(near_shapes);
  std::vector<SpaceRayHit> hits;
  row.add(ray_cast(space, q.ray, {.max_t = q.max_t}, among));
  row.add(std::uint64_t{ray_cast_any(space, q.ray, {.max_t = q.max_t}, among).any});
  row.add(ray_cast_all(space, q.ray, hits, {.max_t = q.max_t}, among));
  row.add_list(hits);
  std::vector<SpaceShapeCast> casts;
  const ShapeCastOptions options{.max_t = q.max_t};
  row.add(shape_cast(space, q.shape, q.pose, q.translation, options, among));
  row.add(std::uint64_t{shape_cast_any(space, q.shape, q.pose, q.translation, options, among).any});
  row.add(shape_cast_all(space, q.shape, q.pose, q.translation, casts, options, among));
  row.add_list(casts);
  std::vector<SpaceOverlap> overlaps;
  row.add(overlapping(space, q.shape, q.pose, overlaps, among));
  row.add_list(overlaps);
  row.add(std::uint64_t{overlapping_any(space, q.shape, q.pose, among).any});
  row.add(overlapping(space, q.box, overlaps, among));
  row.add_list(overlaps);
  row.add(overlapping(space, q.frustum, overlaps, among));
  row.add_list(overlaps);
  std::vector<ObjectId> ids;
  row.add(boxes_in(space, q.box, ids, among));
  row.add_list(ids);
  row.add(boxes_in(space, q.frustum, ids, among));
  row.add_list(ids);
  return row;
}

/// All questions about pairs.
inline Row ask_pairs(const Space& space, double limit) {
  Row row;
  std::vector<SpaceOverlapPair> overlaps;
  overlapping_pairs(space, overlaps);
  row.add_list(overlaps);
  std::vector<SpaceDistancePair> near;
  row.add(pairs_within(space, limit, near));
  row.add_list(near);
  return row;
}

} // namespace carom::test
