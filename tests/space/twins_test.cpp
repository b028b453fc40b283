// Trees and brute force, through long sequences of changes: the same answers, to the bit. And against the query layer asked of every object, without boxes.
#include "tests/space/twins.h"

#include "carom/geometry/cast_box.h"
#include "carom/geometry/overlap.h"
#include "carom/query/closest_point.h"
#include "carom/query/distance.h"
#include "carom/query/overlap.h"
#include "carom/shape/support.h"
#include "tests/support/property.h"

namespace carom {
namespace {

using test::Question;
using test::Source;
using test::Twins;

TEST(SpaceTwins, GiveTheSameAnswers) {
  test::for_each_seed(test::fewer_when_sanitized(60), [](Source& source) {
    Twins twins(source, test::any_options(source));
    const int steps = 20 + source.index(120);
    for (int i = 0; i < steps; ++i) {
      ASSERT_EQ(twins.change(source), "") << "step " << i;
      if (source.chance(5)) {
        ASSERT_EQ(twins.compare_pairs(), "") << "step " << i;
      }
      if (!source.chance(10)) continue;
      ASSERT_EQ(twins.compare_objects(), "") << "step " << i;
      const Question q = test::question(source, twins.pool());
      ASSERT_TRUE(test::ask(twins.trees(), q) == test::ask(twins.brute(), q)) << "step " << i;
    }
    ASSERT_TRUE(test::ask_pairs(twins.trees(), 0.25) == test::ask_pairs(twins.brute(), 0.25));
    ASSERT_EQ(twins.compare_pairs(), "");
  });
}

// Many objects, so that trees are some levels deep.
TEST(SpaceTwins, GiveTheSameAnswersWithManyObjects) {
  test::for_each_seed(test::fewer_when_sanitized(4), [](Source& source) {
    Twins twins(source, test::any_options(source));
    for (int i = 0; i < 1200; ++i) {
      ASSERT_EQ(twins.change(source), "") << "step " << i;
      if (i % 100 == 0) {
        ASSERT_EQ(twins.compare_pairs(), "") << "step " << i;
      }
    }
    for (int i = 0; i < 4; ++i) {
      const Question q = test::question(source, twins.pool());
      ASSERT_TRUE(test::ask(twins.trees(), q) == test::ask(twins.brute(), q));
    }
  });
}

/// How large the numbers are that roundings are relative to.
double size_of(const Question& q, const SpaceObject& o) {
  return q.shape.size() + o.shape.size() + max_abs(q.pose.position) + max_abs(o.pose.position) +
         max_abs(q.ray.origin) + max_abs(q.translation) + max_abs(q.ray.direction);
}

Aabb grown(const Aabb& box, double by) {
  const Vec3 d{by, by, by};
  return {box.min - d, box.max + d};
}

/// The objects that count.
template<class Each>
void for_each_counting(const Twins& twins, const Question& q, Each&& each) {
  for (const auto& [id, object] : twins.objects())
    if (q.layers.has(object.mobility) && may_meet(q.filter, object.filter) && q.accepts(id))
      each(id, object);
}

template<class List>
const auto* find_id(const List& list, ObjectId id) {
  const auto at =
      std::find_if(list.begin(), list.end(), [&](const auto& hit) { return hit.id == id; });
  return at == list.end() ? nullptr : &*at;
}

/// Where the query layer says yes and the space says no, the box must be missed, by no more than rounding.
void expect_rounding(const Aabb& asked, const Aabb& box, double size) {
  EXPECT_FALSE(overlaps(asked, box));
  EXPECT_TRUE(overlaps(grown(asked, 1e-12 * size), box));
}

TEST(SpaceTwins, AgreeWithEachObjectAskedAlone) {
  test::for_each_seed(test::fewer_when_sanitized(400), [](Source& source) {
    Twins twins(source, {});
    for (int i = 0; i < 24; ++i) ASSERT_EQ(twins.change(source), "");
    const Question q = test::question(source, twins.pool());
    const Space& space = twins.trees();
    const auto accept = [&](ObjectId id) { return q.accepts(id); };
    const Among among{q.filter, q.layers, accept};
    std::vector<SpaceOverlap> overlaps;
    std::vector<SpaceRayHit> hits;
    std::vector<SpaceShapeCast> casts;
    std::vector<SpaceDistance> near;
    std::vector<SpaceNearPoint> near_points;
    const std::size_t all = twins.objects().size();
    ASSERT_EQ(overlapping(space, q.shape, q.pose, overlaps, among), Status::ok);
    ASSERT_EQ(ray_cast_all(space, q.ray, hits, {.max_t = q.max_t}, among), Status::ok);
    ASSERT_EQ(
        shape_cast_all(space, q.shape, q.pose, q.translation, casts, {.max_t = q.max_t}, among),
        Status::ok);
    ASSERT_EQ(nearest(space, q.shape, q.pose, all, near, {}, among), Status::ok);
    ASSERT_EQ(nearest(space, q.ray.origin, all, near_points, {}, among), Status::ok);
    std::size_t counting = 0, overlap_count = 0, hit_count = 0, cast_count = 0;
    const Aabb asked = bounds(q.shape, q.pose);
    for_each_counting(twins, q, [&](ObjectId id, const SpaceObject& o) {
      ++counting;
      const double size = size_of(q, o);
      const ShapeOverlap overlap = carom::overlap(q.shape, q.pose, o.shape, o.pose);
      const auto* found = find_id(overlaps, id);
      overlap_count += found != nullptr;
      if (!found && overlap) expect_rounding(asked, space.box(id), size);
      EXPECT_TRUE(!found || overlap);

      const RayHit hit = carom::ray_cast(o.shape, o.pose, q.ray, {.max_t = q.max_t});
      const auto* found_hit = find_id(hits, id);
      hit_count += found_hit != nullptr;
      if (found_hit) {
        EXPECT_EQ(hit.t, found_hit->hit.t);
      } else if (hit) {
        EXPECT_TRUE(
            carom::overlaps(grown(Aabb{hit.point, hit.point}, 1e-11 * size), space.box(id)));
        EXPECT_FALSE(cast(Ray{q.ray}, grown(space.box(id), -1e-11 * size), q.max_t).hit);
      }

      const ShapeCast c =
          carom::shape_cast(q.shape, q.pose, q.translation, o.shape, o.pose, {.max_t = q.max_t});
      const auto* found_cast = find_id(casts, id);
      cast_count += found_cast != nullptr;
      if (found_cast) {
        EXPECT_EQ(c.t, found_cast->cast.t);
      } else if (c) {
        const Vec3 by = q.translation * c.t;
        expect_rounding({asked.min + by, asked.max + by}, space.box(id), size);
      }

      const auto* found_near = find_id(near, id);
      ASSERT_TRUE(found_near);
      EXPECT_EQ(found_near->distance.value,
                carom::distance(q.shape, q.pose, o.shape, o.pose).value);
      EXPECT_GE(found_near->key, found_near->distance.value);
      EXPECT_LE(found_near->key, found_near->distance.value + 1e-12 * size);
      const auto* found_point = find_id(near_points, id);
      ASSERT_TRUE(found_point);
      EXPECT_EQ(found_point->surface.value, closest_point(q.ray.origin, o.shape, o.pose).value);
    });
    EXPECT_EQ(overlap_count, overlaps.size());
    EXPECT_EQ(hit_count, hits.size());
    EXPECT_EQ(cast_count, casts.size());
    EXPECT_EQ(near.size(), counting);
    EXPECT_EQ(near_points.size(), counting);

    // In order; and the first of all is the first.
    const auto sorted = [](const auto& list) {
      for (std::size_t i = 1; i < list.size(); ++i)
        if (list[i].key < list[i - 1].key ||
            (list[i].key == list[i - 1].key && list[i].id < list[i - 1].id))
          return false;
      return true;
    };
    EXPECT_TRUE(sorted(hits) && sorted(casts) && sorted(near) && sorted(near_points));
    const SpaceRayHit first = ray_cast(space, q.ray, {.max_t = q.max_t}, among);
    EXPECT_EQ(first.id, hits.empty() ? ObjectId{} : hits.front().id);
    EXPECT_EQ(ray_cast_any(space, q.ray, {.max_t = q.max_t}, among).any, !hits.empty());
    const ShapeCastOptions options{.max_t = q.max_t};
    const SpaceShapeCast first_cast =
        shape_cast(space, q.shape, q.pose, q.translation, options, among);
    EXPECT_EQ(first_cast.id, casts.empty() ? ObjectId{} : casts.front().id);
    EXPECT_EQ(shape_cast_any(space, q.shape, q.pose, q.translation, options, among).any,
              !casts.empty());
    EXPECT_EQ(nearest(space, q.shape, q.pose, {}, among).id,
              near.empty() ? ObjectId{} : near.front().id);
    EXPECT_EQ(nearest(space, q.ray.origin, {}, among).id,
              near_points.empty() ? ObjectId{} : near_points.front().id);
  });
}

TEST(SpaceTwins, PairsAgreeWithEachTwoAskedAlone) {
  test::for_each_seed(test::fewer_when_sanitized(300), [](Source& source) {
    Twins twins(source, {});
    for (int i = 0; i < 30; ++i) ASSERT_EQ(twins.change(source), "");
    static constexpr double limits[] = {0, 0.25, 1, 100};
    const double limit = limits[source.index(4)];
    const Space& space = twins.trees();
    std::vector<SpaceOverlapPair> overlaps;
    std::vector<SpaceDistancePair> near;
    const auto accept = [](ObjectId a, ObjectId b) { return (a.slot + b.slot) % 7 != 0; };
    overlapping_pairs(space, overlaps, accept);
    ASSERT_EQ(pairs_within(space, limit, near, accept), Status::ok);
    std::size_t overlap_count = 0, near_count = 0;
    for (const auto& [a, x] : twins.objects())
      for (const auto& [b, y] : twins.objects()) {
        if (!(a < b) || !accept(a, b) || !may_meet(x.filter, y.filter)) continue;
        if (x.mobility == Mobility::fixed && y.mobility == Mobility::fixed) continue;
        const ObjectPair pair{a, b};
        const auto found = [&](const auto& list) {
          return std::any_of(list.begin(), list.end(),
                             [&](const auto& p) { return p.pair == pair; });
        };
        const double size = x.shape.size() + y.shape.size() + max_abs(x.pose.position) +
                            max_abs(y.pose.position) + limit;
        const bool overlap = carom::overlap(x.shape, x.pose, y.shape, y.pose).hit;
        const bool found_overlap = found(overlaps), found_near = found(near);
        overlap_count += found_overlap;
        near_count += found_near;
        EXPECT_TRUE(overlap || !found_overlap);
        if (overlap && !found_overlap) expect_rounding(space.box(a), space.box(b), size);
        const double d = carom::distance(x.shape, x.pose, y.shape, y.pose).value;
        // With a limit the nearest parts may be found another way.
        const double slack = x.shape.convex() && y.shape.convex() ? 0 : 1e-12 * size;
        EXPECT_TRUE(found_near ? d <= limit + slack : d >= limit - 1e-12 * size);
      }
    EXPECT_EQ(overlap_count, overlaps.size());
    EXPECT_EQ(near_count, near.size());
    EXPECT_TRUE(std::is_sorted(overlaps.begin(), overlaps.end(),
                               [](const auto& a, const auto& b) { return a.pair < b.pair; }));
    EXPECT_TRUE(std::is_sorted(near.begin(), near.end(),
                               [](const auto& a, const auto& b) { return a.pair < b.pair; }));
  });
}

// Boxes by the corners of the frustum and its sides; shapes through the query layer.
TEST(SpaceTwins, RangesAgreeWithEachObjectAskedAlone) {
  test::for_each_seed(test::fewer_when_sanitized(400), [](Source& source) {
    Twins twins(source, {});
    for (int i = 0; i < 24; ++i) ASSERT_EQ(twins.change(source), "");
    const Question q = test::question(source, twins.pool());
    const Space& space = twins.trees();
    const auto accept = [&](ObjectId id) { return q.accepts(id); };
    const Among among{q.filter, q.layers, accept};
    std::vector<ObjectId> in_box, in_view;
    std::vector<SpaceOverlap> box_exact, view_exact;
    ASSERT_EQ(boxes_in(space, q.box, in_box, among), Status::ok);
    ASSERT_EQ(boxes_in(space, q.frustum, in_view, among), Status::ok);
    const Result<Shape> box = make_shape(q.box), view = make_shape(q.frustum);
    ASSERT_TRUE(view);
    const Status status = overlapping(space, q.box, box_exact, among);
    ASSERT_EQ(status, box ? Status::ok : Status::bad_input);
    ASSERT_EQ(overlapping(space, q.frustum, view_exact, among), Status::ok);
    const auto has = [](const std::vector<ObjectId>& list, ObjectId id) {
      return std::binary_search(list.begin(), list.end(), id);
    };
    std::size_t boxes = 0, views = 0;
    for_each_counting(twins, q, [&](ObjectId id, const SpaceObject& o) {
      const Aabb own = space.box(id);
      EXPECT_EQ(has(in_box, id), overlaps(own, q.box));
      boxes += has(in_box, id);
      views += has(in_view, id);
      const double size = size_of(q, o) + max_abs(q.frustum.eye) + 10;
      if (box) {
        const bool meets = overlap(*box, {}, o.shape, o.pose).hit;
        EXPECT_TRUE(meets || !find_id(box_exact, id));
        if (meets && !find_id(box_exact, id)) expect_rounding(q.box, own, size);
      }
      // What is seen itself has a box that is seen. A box wholly beyond one side is not.
      const bool seen = overlap(*view, {}, o.shape, o.pose).hit;
      EXPECT_TRUE(seen || !find_id(view_exact, id));
      if (find_id(view_exact, id) && !has(in_view, id)) {
        EXPECT_TRUE(overlaps(q.frustum, grown(own, 1e-12 * size)));
      }
      if (!o.shape.bounded()) return;
      for (const HalfSpace& side : q.frustum.half_spaces()) {
        double nearest = INFINITY;
        for (int i = 0; i < 8; ++i)
          nearest = std::min(nearest, side.signed_distance(own.corner(i)));
        EXPECT_TRUE(nearest <= 1e-12 * size || !has(in_view, id));
      }
    });
    EXPECT_EQ(boxes, in_box.size());
    EXPECT_EQ(views, in_view.size());
  });
}

// The same objects, moved there by different ways: the same answers, to the bit.
TEST(SpaceTwins, AnswersDoNotDependOnTheWayThere) {
  test::for_each_seed(test::fewer_when_sanitized(40), [](test::Source& source) {
    const test::ShapePool pool(source);
    std::vector<SpaceObject> objects;
    const int count = 10 + source.index(60);
    for (int i = 0; i < count; ++i) objects.push_back(test::object(source, pool));
    Space straight, crooked(SpaceOptions{.fat = {.margin = 1, .relative_margin = 1}});
    for (const SpaceObject& o : objects) {
      SpaceObject elsewhere = o;
      elsewhere.pose = test::placement(source);
      elsewhere.shape = pool.any(source);
      ASSERT_TRUE(straight.add(o));
      ASSERT_TRUE(crooked.add(elsewhere));
    }
    for (int round = 0; round < 3; ++round) {
      for (std::uint32_t i = 0; i < objects.size(); ++i) {
        const bool last = round == 2;
        const Pose pose = last ? objects[i].pose : test::placement(source);
        ASSERT_TRUE(crooked.set_shape({i, 0}, last ? objects[i].shape : pool.any(source)));
        ASSERT_TRUE(crooked.move({i, 0}, pose, test::vec3(source)));
      }
      crooked.improve(source.below(20));
    }
    for (int i = 0; i < 4; ++i) {
      const test::Question q = test::question(source, pool);
      ASSERT_TRUE(test::ask(straight, q) == test::ask(crooked, q));
    }
    ASSERT_TRUE(test::ask_pairs(straight, 0.5) == test::ask_pairs(crooked, 0.5));
  });
}

} // namespace
} // namespace carom
