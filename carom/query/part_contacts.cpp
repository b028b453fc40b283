// First, every pair of parts within the margin has the contacts that it would have by itself. Most of their normals are right: those of faces, and of edges that stick out.
//
// The others do not lead out of the whole surface (outward_test.h): a box that has sunk into a floor by more than it overlaps a triangle is pushed aside by that triangle. For those there are three ways:
//   - the normal of another contact of the same part, where moving along it as far as that contact needs frees this pair, too. It is taken where it has points here, else the pair needs none;
//   - the normal of a face of one of the parts, the one along which they are least deep;
//   - the normal as it was, where they overlap: better than nothing.
// What lies within a solid, without touching its surface, is led out by the nearest way (part_contacts_inside.cpp).
#include "carom/query/part_contacts.h"

#include "carom/geometry/triangle_normal.h"
#include "carom/math/tolerance.h"
#include "carom/query/closest_point.h"
#include "carom/query/contacts_along.h"
#include "carom/query/part_walk.h"
#include "carom/shape/support.h"

#include <algorithm>

namespace carom {
namespace {

/// A normal this near to a triangle's is the triangle's: that of polyhedral shapes is known to within rounding, that of curved ones to the root of what their values are.
constexpr double snapping_sine = 1e-6, curved_snapping_sine = 1e-4;
/// Normals that differ by no more are one.
constexpr double same_normal = 1e-9;
/// A normal serves another pair where that needs no longer a way, but for this part of it: surfaces that are not quite flat, values that are not quite exact.
constexpr double nearly = 0.01;
/// A sine: what is tilted by no more against a normal is at right angles to it, as far as it tells where a patch is.
constexpr double flat = 1e-6;
/// A sine: faces that are tilted by no more may still meet along a normal of one of them.
constexpr double tilted = 0.01;
/// Where another way is so many times as long, it is better to look for a neighbour's.
constexpr double far_less_deep = 2;
/// Of one part. Others are left out: they are for what is hardly ever needed.
constexpr std::size_t most_ways_out = 16;

const Triangle* triangle_of(const ConvexParts& part) {
  return part.body().convex() ? nullptr : std::get_if<Triangle>(&part.shape().core());
}

/// The unit normal, in the world; zero where it has none.
Vec3 normal_of(const Triangle& t, const Pose& pose) {
  return pose.frame().direction_to_world(normalized_or(triangle_normal(t.a, t.b, t.c), {}));
}

/// The outward normals of a part's faces, in the world.
void face_normals(const ConvexParts& part, ScratchVector<Vec3>& normals) {
  const Frame frame = part.pose().frame();
  const auto add = [&](const Vec3& n) {
    const Vec3 unit = normalized_or(n, {});
    if (unit != Vec3{}) normals.push_back(frame.direction_to_world(unit));
  };
  const ShapeCore& core = part.shape().core();
  if (const auto* t = std::get_if<Triangle>(&core)) {
    const Vec3 n = triangle_normal(t->a, t->b, t->c);
    add(n);
    if (!part.is_solid()) add(-n);
  } else if (const auto* box = std::get_if<Obb>(&core)) {
    for (const Vec3& axis : {box->axes.x, box->axes.y, box->axes.z}) {
      add(axis);
      add(-axis);
    }
  } else if (const auto* hull = std::get_if<Polytope>(&core)) {
    for (const HalfSpace& plane : hull->planes()) add(plane.normal);
  } else if (const auto* brush = std::get_if<BrushCore>(&core)) {
    for (const HalfSpace& plane : brush->corners.planes()) add(plane.normal);
  } else if (const auto* half_space = std::get_if<HalfSpace>(&core)) {
    add(half_space->normal);
  }
}

/// Of the points of one side, those that are farthest along d, to within a sine. Faces that are tilted by less than can be felt reach as far all over.
Vec3 middle_of_farthest(std::span<const Contact> contacts, Vec3 Contact::*side, const Vec3& d,
                        double sine) {
  const Vec3& from = contacts[0].*side;
  double most = 0, wide = 0;
  for (const Contact& c : contacts) {
    most = std::max(most, dot(d, c.*side - from));
    wide = std::max(wide, max_abs(c.*side - from));
  }
  Vec3 aside{};
  double count = 0;
  for (const Contact& c : contacts) {
    if (dot(d, c.*side - from) < most - sine * wide) continue;
    aside += c.*side - from;
    ++count;
  }
  return from + aside / count;
}

double least_separation(std::span<const Contact> contacts) {
  double least = INFINITY;
  for (const Contact& c : contacts) least = std::min(least, c.separation);
  return least;
}

} // namespace

PartContacts::PartContacts(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
                           double margin, std::vector<Contact>& scratch)
    : a_(a), b_(b), pose_a_(pose_a), pose_b_(pose_b), margin_(margin),
      rounding_(16 * tolerance::epsilon *
                (a.size() + b.size() + max_abs(pose_a.position) + max_abs(pose_b.position))),
      parts_a_(a, pose_a), parts_b_(b, pose_b), out_of_a_(a, pose_a, rounding_),
      out_of_b_(b, pose_b, rounding_), scratch_(scratch) {
  find_pairs();
  for (const Pair& pair : pairs_) measure(pair);
  settle_others();
  std::erase_if(touching_, [](const PartsTouching& t) { return !t.allowed; });
  for (const Pair& bodies : bodies_) find_inside(bodies);
}

void PartContacts::take(const PartPlace& a, const PartPlace& b) {
  parts_a_.take(a);
  parts_b_.take(b);
}

void PartContacts::find_pairs() {
  const bool compound_a = a_.kind() == ShapeKind::compound;
  const bool compound_b = b_.kind() == ShapeKind::compound;
  if (!compound_a && !compound_b) {
    bodies_.push_back({});
  } else {
    const PartPair pair(a_, pose_a_, b_, pose_b_);
    walk_parts(
        PartTree(a_, compound_a), PartTree(b_, compound_b), std::max(margin_, 0.0),
        [&](const Aabb& box_a, const Aabb& box_b) { return pair.gap(box_a, box_b); },
        [&](std::uint64_t i, std::uint64_t j, double&) {
          bodies_.push_back(
              {{static_cast<std::uint32_t>(i), 0}, {static_cast<std::uint32_t>(j), 0}});
        });
    std::sort(bodies_.begin(), bodies_.end());
  }
  for (const Pair& bodies : bodies_) find_pairs(bodies);
  std::sort(pairs_.begin(), pairs_.end());
}

void PartContacts::find_pairs(const Pair& bodies) {
  take(bodies.a, bodies.b);
  const Shape &body_a = parts_a_.body(), &body_b = parts_b_.body();
  if (body_a.convex() && body_b.convex()) {
    pairs_.push_back(bodies);
    return;
  }
  const PartPair pair(body_a, parts_a_.body_pose(), body_b, parts_b_.body_pose());
  const auto add = [&](std::uint64_t i, std::uint64_t j) {
    pairs_.push_back({{bodies.a.part, static_cast<std::uint32_t>(i)},
                      {bodies.b.part, static_cast<std::uint32_t>(j)}});
  };
  // Two meshes have a walk that is several times as fast. It knows of no margin, not even rounding: where it finds nothing, they may still touch.
  const auto *mesh_a = body_of<TriangleMesh>(body_a), *mesh_b = body_of<TriangleMesh>(body_b);
  if (mesh_a && mesh_b && margin_ <= 0 && body_a.rounding() + body_b.rounding() == 0) {
    const std::size_t before = pairs_.size();
    all_meetings(mesh_a->set(), mesh_b->set(), pair.b_in_a(), [&](const TrianglePair& found) {
      add(found.a, found.b);
      return true;
    });
    if (pairs_.size() > before) return;
  }
  walk_parts(
      PartTree(body_a), PartTree(body_b), std::max(margin_, 0.0),
      [&](const Aabb& box_a, const Aabb& box_b) { return pair.gap(box_a, box_b); },
      [&](std::uint64_t i, std::uint64_t j, double&) { add(i, j); });
}

/// Where the normal is a triangle's to within what it is known to: exactly that one. True where it has changed by more than rounding.
bool PartContacts::snap(Vec3& normal) const {
  if (!parts_a_.shape().bounded() || !parts_b_.shape().bounded()) return false; // its own is exact
  const bool polyhedral = parts_a_.shape().polyhedral() && parts_b_.shape().polyhedral();
  const double limit = polyhedral ? snapping_sine : curved_snapping_sine;
  for (const ConvexParts* part : {&parts_a_, &parts_b_}) {
    const Triangle* triangle = triangle_of(*part);
    if (!triangle) continue;
    const Vec3 n = normal_of(*triangle, part->pose());
    const Vec3 exact = dot(n, normal) < 0 ? -n : n;
    const double change = length(exact - normal);
    if (!(change <= limit)) continue;
    normal = exact;
    return change > 64 * tolerance::epsilon;
  }
  return false;
}

/// In the middle of what of the part reaches farthest along the normal, and not something that it ends at. What joins others does so all over.
bool PartContacts::is_allowed(const PartPlace& a, const PartPlace& b, const Vec3& normal,
                              std::span<const Contact> contacts, OutwardTest::Own kind) {
  if (contacts.empty()) return false;
  const double sine = kind == OutwardTest::Own::joins ? INFINITY : flat;
  return out_of_a_(a, middle_of_farthest(contacts, &Contact::on_a, normal, sine), normal, kind) &&
         out_of_b_(b, middle_of_farthest(contacts, &Contact::on_b, -normal, sine), -normal, kind);
}

std::span<const Contact> PartContacts::along(const PartsTouching& t, const Vec3& normal) {
  take(t.a, t.b);
  contacts_along(parts_a_.shape(), parts_a_.pose(), parts_b_.shape(), parts_b_.pose(), normal,
                 margin_, scratch_);
  return scratch_;
}

void PartContacts::put(PartsTouching& t, const Vec3& normal, std::span<const Contact> contacts) {
  t.normal = normal;
  t.value = least_separation(contacts);
  t.first = contacts_.size();
  t.count = contacts.size();
  contacts_.insert(contacts_.end(), contacts.begin(), contacts.end());
}

/// Whether the plane of a triangle is enough to see that the parts are too far apart. Most pairs whose boxes meet are.
bool PartContacts::is_beyond_plane() const {
  for (const ConvexParts* part : {&parts_a_, &parts_b_}) {
    const Triangle* triangle = triangle_of(*part);
    if (!triangle) continue;
    const ConvexParts& other = part == &parts_a_ ? parts_b_ : parts_a_;
    if (!other.shape().bounded()) continue;
    const Frame frame = part->pose().frame(), other_frame = other.pose().frame();
    const Vec3 n = normalized_or(triangle_normal(triangle->a, triangle->b, triangle->c), {});
    if (n == Vec3{}) continue;
    const Vec3 along = other_frame.direction_to_local(frame.direction_to_world(n));
    const double height = dot(n, frame.to_local(other_frame.origin) - triangle->a);
    const double low = height + dot(along, support_point(other.shape(), -along));
    const double high = height + dot(along, support_point(other.shape(), along));
    if (std::max(low, -high) > margin_ + part->shape().rounding() + rounding_) return true;
  }
  return false;
}

void PartContacts::measure(const Pair& pair) {
  take(pair.a, pair.b);
  if (is_beyond_plane()) return;
  const ContactManifold m = carom::contacts(parts_a_.shape(), parts_a_.pose(), parts_b_.shape(),
                                            parts_b_.pose(), {margin_, &scratch_});
  if (m.count == 0) return;
  PartsTouching t{pair.a, pair.b, m.normal, m.value, 0, 0, false};
  put(t, m.normal, scratch_);
  bool is_settled = true;
  if (Vec3 normal = t.normal; snap(normal)) {
    const auto moved = along(t, normal);
    is_settled = !moved.empty();
    if (is_settled) put(t, normal, moved);
  } else {
    t.normal = normal;
  }
  t.allowed = is_settled && is_allowed(t.a, t.b, t.normal, contacts(t), OutwardTest::Own::counts);
  touching_.push_back(t);
}

/// Among others: the way there already is, as far as the farther of both, or one more.
void PartContacts::add(const PartsTouching& t, ScratchVector<WayOut>& ways) {
  const auto same = std::find_if(ways.begin(), ways.end(), [&](const WayOut& way) {
    return max_abs(way.normal - t.normal) <= same_normal;
  });
  if (same != ways.end()) {
    same->value = std::min(same->value, t.value);
  } else if (ways.size() < most_ways_out) {
    ways.push_back({t.normal, t.value});
  }
}

void PartContacts::remember(const PartsTouching& t) {
  add(t, ways_a_[t.a]);
  add(t, ways_b_[t.b]);
}

/// How large both parts are together.
double PartContacts::pair_size() const {
  double sum = 0;
  for (const ConvexParts* part : {&parts_a_, &parts_b_}) {
    if (!part->shape().bounded()) return INFINITY;
    const Aabb box = bounds(part->shape());
    sum += length(box.max - box.min);
  }
  return sum;
}

/// Of all pairs with contacts no farther away than the parts are large.
ScratchVector<PartContacts::WayOut> PartContacts::ways_near(const PartsTouching& t) const {
  const double near = pair_size();
  const Vec3& here = contacts_[t.first].on_a;
  ScratchVector<WayOut> ways;
  for (const Landmark& other : landmarks_) {
    if (length_squared(other.at - here) > near * near) continue;
    const PartsTouching& there = touching_[other.index];
    if (there.a.part == t.a.part && there.b.part == t.b.part) add(there, ways);
  }
  return ways;
}

void PartContacts::settle_others() {
  ScratchVector<std::size_t> others, unsettled;
  for (std::size_t i = 0; i < touching_.size(); ++i)
    if (!touching_[i].allowed) others.push_back(i);
  if (others.empty()) return;
  for (const PartsTouching& t : touching_)
    if (t.allowed) remember(t);
  // The deepest first: what they find covers those that are hardly touched.
  sort_stable(others, [&](std::size_t x, std::size_t y) {
    return touching_[x].value < touching_[y].value;
  });
  for (const std::size_t i : others) {
    PartsTouching& t = touching_[i];
    take(t.a, t.b);
    if (is_covered(t, ways_a_[t.a]) || is_covered(t, ways_b_[t.b])) continue;
    if (leave_by_a_face(t, far_less_deep)) {
      remember(t);
    } else {
      unsettled.push_back(i);
    }
  }
  for (std::size_t i = 0; i < touching_.size() && !unsettled.empty(); ++i) {
    const PartsTouching& t = touching_[i];
    if (t.allowed && t.count > 0) landmarks_.push_back({contacts_[t.first].on_a, i});
  }
  for (const std::size_t i : unsettled) {
    PartsTouching& t = touching_[i];
    take(t.a, t.b);
    const auto ways = ways_near(t);
    if (is_covered(t, ways)) continue;
    if (t.value > rounding_) continue; // they are apart: there is nothing to leave
    // Out of a solid, however far that is. Of a surface, which has two sides, a longer way is one through it.
    const bool leaves =
        (parts_a_.is_solid() || parts_b_.is_solid()) && leave_by_a_face(t, INFINITY);
    // Its own, if need be; but not into a solid, where there is another to show the way.
    if (!leaves && !ways.empty() && leads_inward(t.normal)) continue;
    t.allowed = true;
    landmarks_.push_back({contacts_[t.first].on_a, i});
  }
}

/// Whether it is against the outward normal of a solid's triangle.
bool PartContacts::leads_inward(const Vec3& normal) const {
  const auto inward = [](const ConvexParts& part, const Vec3& out) {
    const Triangle* t = part.is_solid() ? triangle_of(part) : nullptr;
    return t && dot(normal_of(*t, part.pose()), out) < 0;
  };
  return inward(parts_a_, normal) || inward(parts_b_, -normal);
}

/// Whether a normal of others serves this pair; then its contacts are those along it, or none.
bool PartContacts::is_covered(PartsTouching& t, std::span<const WayOut> ways) {
  const WayOut* best = nullptr;
  double widest = -INFINITY;
  const double longest = pair_size(); // a way longer than that is about something else
  for (const WayOut& way : ways) {
    if (-way.value > longest) continue;
    double gap =
        gap_along(parts_a_.shape(), parts_a_.pose(), parts_b_.shape(), parts_b_.pose(), way.normal);
    const double enough = way.value - nearly * std::fabs(way.value) - 4 * rounding_;
    // Of faces that are not quite parallel the far ends are in the way of each other, but it is here that they meet.
    if (!(gap >= enough) && gap >= enough - tilted * longest)
      if (const auto here = along(t, way.normal); !here.empty()) gap = least_separation(here);
    if (!(gap >= enough && gap > widest)) continue;
    best = &way;
    widest = gap;
  }
  if (!best) return false;
  const auto found = along(t, best->normal);
  // The normal is known to be right here. Of what is tilted against it, the whole patch joins.
  const bool has_points = is_allowed(t.a, t.b, best->normal, found, OutwardTest::Own::joins);
  put(t, best->normal, has_points ? found : std::span<const Contact>{});
  t.allowed = true;
  return true;
}

/// Along the normal of a face, not by a way that is longer than the shortest by more than the factor.
bool PartContacts::leave_by_a_face(PartsTouching& t, double factor) {
  ScratchVector<Vec3> normals, of_b;
  face_normals(parts_a_, normals);
  face_normals(parts_b_, of_b);
  for (const Vec3& n : of_b) normals.push_back(-n);
  ScratchVector<WayOut> ways;
  ways.reserve(normals.size());
  for (const Vec3& n : normals)
    ways.push_back(
        {n, gap_along(parts_a_.shape(), parts_a_.pose(), parts_b_.shape(), parts_b_.pose(), n)});
  sort_stable(ways, [](const WayOut& x, const WayOut& y) { return x.value > y.value; });
  for (const WayOut& way : ways) {
    if (way.value < factor * std::min(ways.front().value, -rounding_)) return false;
    const auto found = along(t, way.normal);
    if (!is_allowed(t.a, t.b, way.normal, found, OutwardTest::Own::counts)) continue;
    put(t, way.normal, found);
    t.allowed = true;
    return true;
  }
  return false;
}

} // namespace carom
