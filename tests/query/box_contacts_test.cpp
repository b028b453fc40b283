// Contacts of boxes: by their own method as by the others, and those that everybody knows, of cubes of every kind.
#include "carom/query/contacts.h"

#include "carom/math/random.h"
#include "carom/query/signed_distance.h"
#include "carom/shape/feature.h"
#include "tests/query/contact_cases.h"
#include "tests/query/pair_cases.h"
#include "tests/support/property.h"

namespace carom {
namespace {

using test::area_along;
using test::area_of;
using test::corners_of;
using test::cubes;
using test::on_edge;
using test::PairCase;
using test::Source;
using test::turn;

// What the direct answer for boxes says is what the search says.
TEST(BoxContacts, AgreeWithTheSignedDistance) {
  int overlapping = 0;
  test::for_each_seed(test::fewer_when_sanitized(3000), [&](Source& source) {
    const PairCase c = test::pair_case(source, ShapeKind::box, ShapeKind::box);
    if (c.a.shape.rounding() > 0 || c.b.shape.rounding() > 0) return;
    const ContactManifold m = contacts(c.a.shape, c.a.pose, c.b.shape, c.b.pose);
    const SignedDistance s = signed_distance(c.a.shape, c.a.pose, c.b.shape, c.b.pose);
    if (m.count > 0) {
      ++overlapping;
      EXPECT_NEAR(m.value, s.value, 1e-12 * c.size);
      EXPECT_LE(m.lower_bound, s.upper_bound);
      EXPECT_GE(m.upper_bound, s.lower_bound);
    } else {
      EXPECT_LE(m.lower_bound, s.upper_bound + tolerance::boolean_band * c.size);
    }
  });
  EXPECT_GT(overlapping, static_cast<int>(test::fewer_when_sanitized(500)));
}

// Random boxes at ordinary places, where the axis is clear: the same normal, too.
TEST(BoxContacts, HaveTheNormalOfTheSignedDistance) {
  Random random(3);
  const Shape a = Shape::box({0.5, 0.4, 0.3}).value();
  const Shape b = Shape::box({0.3, 0.6, 0.5}).value();
  int compared = 0;
  for (int i = 0; i < 2000; ++i) {
    Pose pose_a, pose_b;
    pose_a.rotation = random.rotation();
    pose_b.rotation = random.rotation();
    for (int k = 0; k < 3; ++k) pose_b.position[k] = random.uniform(-1, 1);
    const ContactManifold m = contacts(a, pose_a, b, pose_b);
    if (m.count == 0) continue;
    const SignedDistance s = signed_distance(a, pose_a, b, pose_b);
    EXPECT_LE(length(m.normal - s.normal), 1e-12) << i;
    EXPECT_NEAR(m.value, s.value, 8 * tolerance::epsilon) << i;
    ++compared;
  }
  EXPECT_GT(compared, 500);
}

// A box as a hull goes the other way: signed distance, faces, clipping side after side. The same patch comes out, point by point. (Of four points that are as good,
// each way may take others: sides of boxes are parallel.)
TEST(BoxContacts, AreThoseOfHulls) {
  Random random(6);
  int many = 0, different = 0;
  for (int i = 0; i < 1500; ++i) {
    const Vec3 half_a = random.in_box({0.4, 0.4, 0.4}) + Vec3{0.6, 0.6, 0.6};
    const Vec3 half_b = random.in_box({0.4, 0.4, 0.4}) + Vec3{0.6, 0.6, 0.6};
    Pose pose_a, pose_b;
    pose_a.rotation = random.rotation();
    pose_b.rotation = random.rotation();
    pose_b.position = random.in_box({1, 1, 1});
    if (i % 2 == 0) { // one on the other, a little tilted
      const Vec3 tilt = random.in_box({5e-3, 5e-3, 2});
      const Vec3 aside = random.in_box({0.5, 0.5, 0});
      const Pose on_top{normalized(Quat{tilt.x, tilt.y, tilt.z, 1}),
                        aside + Vec3{0, 0, 0.99 * (half_a.z + half_b.z)}};
      pose_b = pose_a * on_top;
    }
    std::vector<Contact> of_boxes, of_hulls;
    const ContactManifold m =
        contacts(Shape::box(half_a).value(), pose_a, Shape::box(half_b).value(), pose_b,
                 {.margin = 0.02, .all = &of_boxes});
    const ContactManifold h = contacts(Shape::hull(corners_of(half_a)).value(), pose_a,
                                       Shape::hull(corners_of(half_b)).value(), pose_b,
                                       {.margin = 0.02, .all = &of_hulls});
    if (h.count == 0) {
      EXPECT_EQ(m.count, 0) << i;
      continue;
    }
    const auto has = [](std::span<const Contact> contacts, const Contact& c) {
      return std::any_of(contacts.begin(), contacts.end(), [&](const Contact& other) {
        // Where sides cross at a thousandth of a right angle, a rounding moves the point by a thousand.
        return length(other.on_a - c.on_a) <= 1e-12 && length(other.on_b - c.on_b) <= 1e-12;
      });
    };
    const auto has_all = [&](std::span<const Contact> contacts, std::span<const Contact> others) {
      return contacts.size() == others.size() &&
             std::all_of(others.begin(), others.end(),
                         [&](const Contact& c) { return has(contacts, c); });
    };
    different += has_all(of_boxes, of_hulls) ? 0 : 1;
    EXPECT_TRUE(has(of_boxes, h.points[0])) << i;
    if (of_boxes.size() > 4) {
      EXPECT_EQ(m.count, 4) << i;
      EXPECT_GE(area_along(m.normal, m.contacts()), 0.5L * area_along(m.normal, of_boxes)) << i;
    }
    many += of_boxes.size() > 4 ? 1 : 0;
  }
  EXPECT_GT(many, 300);
  // Where two faces of a box face the other's face nearly alike, each way may take another.
  EXPECT_LE(different, 2);
}

/// The part of the square |x|, |y| <= 1 within the same square turned by `angle` and moved: every point where two of the eight sides' lines meet and no side objects.
long double common_area(long double angle, long double x, long double y) {
  struct Line {
    long double a, b, c; // a x + b y <= c
  };
  std::vector<Line> lines;
  for (int k = 0; k < 4; ++k) {
    const long double quarter = 1.57079632679489661923L * k;
    const long double square_x = k == 0 ? 1 : k == 2 ? -1 : 0;
    const long double square_y = k == 1 ? 1 : k == 3 ? -1 : 0;
    lines.push_back({square_x, square_y, 1});
    const long double nx = std::cos(angle + quarter);
    const long double ny = std::sin(angle + quarter);
    lines.push_back({nx, ny, 1 + nx * x + ny * y});
  }
  std::vector<test::Flat> corners;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    for (std::size_t k = 0; k < i; ++k) {
      const Line& p = lines[i];
      const Line& q = lines[k];
      const long double det = p.a * q.b - p.b * q.a;
      if (std::fabs(det) < 1e-12L) continue;
      const test::Flat at{(p.c * q.b - p.b * q.c) / det, (p.a * q.c - p.c * q.a) / det};
      const bool within = std::all_of(lines.begin(), lines.end(), [&](const Line& l) {
        return l.a * at.x + l.b * at.y <= l.c + 1e-15L;
      });
      if (within) corners.push_back(at);
    }
  }
  return area_of(std::move(corners));
}

TEST(Contacts, CubeOnCubeInEveryTurn) {
  const std::vector<Shape> shapes = cubes();
  for (std::size_t k = 0; k < shapes.size(); ++k) {
    for (int degrees = 0; degrees < 360; ++degrees) {
      SCOPED_TRACE("cube " + std::to_string(k) + " turned by " + std::to_string(degrees));
      const double angle = degrees * pi / 180;
      const double x = degrees % 2 ? 0.3 : 0;
      const double y = degrees % 3 ? -0.2 : 0;
      std::vector<Contact> all;
      const Pose on_top{turn({0, 0, 1}, angle), {x, y, 2 - 0x1p-10}};
      const ContactManifold m = contacts(shapes[k], {}, shapes[k], on_top, {.all = &all});
      EXPECT_EQ(m.count, 4);
      EXPECT_NEAR(m.normal.z, 1, 1e-15);
      EXPECT_NEAR(m.value, -0x1p-10, 16 * tolerance::epsilon);
      // A side may be moved out by 16 epsilon of the size, 4; the sides are 8 long together.
      EXPECT_NEAR(static_cast<double>(area_of(all)), static_cast<double>(common_area(angle, x, y)),
                  512 * tolerance::epsilon);
      for (const Contact& c : all) EXPECT_NEAR(c.separation, m.value, 16 * tolerance::epsilon);
      // Four of eight corners have at least half the area.
      EXPECT_GE(area_of(m.contacts()), 0.5L * area_of(all));
    }
  }
}

TEST(Contacts, SlidingCoplanarFaces) {
  for (const Shape& cube : cubes()) {
    for (int i = -24; i <= 24; ++i) {
      const double x = i / 10.0;
      std::vector<Contact> all;
      const ContactManifold m = contacts(cube, {}, cube, Pose::at({x, 0, 2}), {.all = &all});
      if (std::fabs(x) > 2) {
        EXPECT_EQ(m.count, 0) << x;
      } else if (std::fabs(x) == 2) {
        EXPECT_EQ(m.count, 2) << x; // an edge on an edge
      } else {
        EXPECT_EQ(m.count, 4) << x;
        EXPECT_NEAR(static_cast<double>(area_of(all)), 2 * (2 - std::fabs(x)),
                    512 * tolerance::epsilon)
            << x;
      }
    }
  }
}

TEST(Contacts, EdgeOnEdge) {
  const double height = 2 * std::sqrt(2.0) + 0.01;
  for (const Shape& cube : cubes()) {
    const ContactManifold parallel =
        contacts(cube, on_edge({}, 0), cube, on_edge({0.5, 0, height}, 0), {.margin = 0.02});
    ASSERT_EQ(parallel.count, 2);
    EXPECT_NEAR(std::fabs(parallel.points[0].on_a.x - parallel.points[1].on_a.x), 1.5, 1e-14);
    for (const double gap : {0.01, -0.01}) {
      const ContactManifold crossing =
          contacts(cube, on_edge({}, 0), cube, on_edge({0.5, 0.25, height - 0.01 + gap}, pi / 2),
                   {.margin = 0.02});
      ASSERT_EQ(crossing.count, 1);
      EXPECT_NEAR(crossing.points[0].separation, gap, 1e-14);
      EXPECT_NEAR(crossing.points[0].on_a.x, 0.5, 1e-14);
      EXPECT_NEAR(crossing.points[0].on_a.y, 0, 1e-14);
      const std::uint64_t id = crossing.points[0].id;
      EXPECT_EQ(unpacked(static_cast<std::uint32_t>(id >> 32)).kind, FeatureKind::edge);
      EXPECT_EQ(unpacked(static_cast<std::uint32_t>(id)).kind, FeatureKind::edge);
    }
  }
}

TEST(Contacts, VertexOnFace) {
  // The diagonal of the cube upright.
  const Quat upright = turn({1, -1, 0}, std::acos(1 / std::sqrt(3.0)));
  for (const Shape& cube : cubes()) {
    for (const double gap : {0.01, -0.01}) {
      const Pose pose{upright, {0.2, 0.1, 1 + std::sqrt(3.0) + gap}};
      const ContactManifold m = contacts(cube, {}, cube, pose, {.margin = 0.02});
      ASSERT_EQ(m.count, 1);
      EXPECT_NEAR(m.points[0].separation, gap, 1e-14);
      EXPECT_NEAR(m.points[0].on_a.x, 0.2, 1e-14);
      EXPECT_NEAR(m.normal.z, 1, 1e-14);
    }
  }
}

} // namespace
} // namespace carom
