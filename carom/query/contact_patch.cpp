// Seen along the normal, each face casts a shadow: a convex polygon, or a segment. What the shadows have in common is the patch, and above each of its corners
// lie a point of A's face and one of B's. So nothing depends on which face clips which; each corner of the patch is a
// corner of the one within the other, or two sides crossing, and named for that.
//
// The clipping is that of Sutherland and Hodgman, side after side. Each side of the growing outline remembers where it comes from, so that a new corner
// knows its features. What is within rounding of a side counts as inside.
#include "carom/query/contact_patch.h"

#include "carom/math/vec2.h"

#include <algorithm>
#include <cmath>

namespace carom {
namespace {

struct Basis {
  Vec3 u, v;

  [[nodiscard]] Vec2 shadow(const Vec3& p) const { return {dot(u, p), dot(v, p)}; }
};

struct Corner {
  Vec2 at;
  FaceCorner corner;
};

/// A face's shadow, counter-clockwise, without corners that coincide; as two corners where it is no wider than rounding.
class Outline {
public:
  Outline(const PlacedFace& face, const Basis& basis, double rounding) {
    for (const FaceCorner& c : face.face.corners) add({basis.shadow(c.point), c}, rounding);
    if (corners_.size() < 3) return;
    double area = 0;
    double around = 0;
    const auto c = corners_.items();
    for (std::size_t i = 0; i < c.size(); ++i) {
      const Vec2 side = next(i).at - c[i].at;
      area += cross(c[i].at - c[0].at, side) / 2;
      around += length(side);
    }
    if (std::fabs(area) <= rounding * around) {
      collapse();
    } else if (area < 0) {
      reverse();
    }
  }

  [[nodiscard]] std::size_t size() const { return corners_.size(); }
  [[nodiscard]] const Corner& operator[](std::size_t i) { return corners_.items()[i]; }
  [[nodiscard]] const Corner& next(std::size_t i) {
    return corners_.items()[i + 1 == size() ? 0 : i + 1];
  }
  /// Whether p is within it, or outside by no more than `room`. Of an edge or a point: always.
  [[nodiscard]] bool holds(const Vec2& p, double room) {
    for (std::size_t i = 0; i < size() && size() > 2; ++i) {
      const Vec2 inward = left(next(i).at - (*this)[i].at);
      if (dot(inward, p - (*this)[i].at) < -room * length(inward)) return false;
    }
    return true;
  }

private:
  void add(const Corner& c, double rounding) {
    const auto so_far = corners_.items();
    if (!so_far.empty() && distance(so_far.back().at, c.at) <= rounding) {
      so_far.back().corner.side = c.corner.side; // the side between them is none
    } else if (so_far.empty() || !(distance(so_far.front().at, c.at) <= rounding)) {
      corners_.push(c);
    }
  }

  void reverse() {
    const auto c = corners_.items();
    std::reverse(c.begin(), c.end());
    // Side i now leads to what was the corner before.
    const Feature last = c[0].corner.side;
    for (std::size_t i = 0; i + 1 < c.size(); ++i) c[i].corner.side = c[i + 1].corner.side;
    c.back().corner.side = last;
  }

  /// Its two corners that are farthest apart, more or less.
  void collapse() {
    const auto c = corners_.items();
    const auto farthest_from = [&](const Corner& p) {
      return *std::max_element(c.begin(), c.end(), [&](const Corner& x, const Corner& y) {
        return distance(p.at, x.at) < distance(p.at, y.at);
      });
    };
    const Corner one = farthest_from(c[0]);
    Corner other = farthest_from(one);
    other.corner.side = one.corner.side;
    corners_.clear();
    corners_.push(one);
    corners_.push(other);
  }

  FewOrMany<Corner, 16> corners_;
};

/// A corner of the outline as it is being clipped. Its outline goes on along a side of the subject, or along side number `clip` of the clipper.
struct Vertex {
  static constexpr std::size_t none = static_cast<std::size_t>(-1);

  Vec2 at;
  Vec3 on;                  ///< above it, on the subject's face
  Feature subject, clipper; ///< what meets here
  Feature side;             ///< of the subject
  std::size_t clip = none;
  std::size_t corner = none; ///< of the clipper, where it is one of those
};
using Vertices = FewOrMany<Vertex, 24>;

class Clipping {
public:
  Clipping(Outline& subject, const Feature& subject_face, Outline& clipper,
           const Feature& clipper_face, double rounding)
      : clipper_(clipper), subject_face_(subject_face), rounding_(rounding) {
    for (std::size_t i = 0; i < subject.size(); ++i) {
      const Corner& c = subject[i];
      now_.push({c.at, c.corner.point, c.corner.at, clipper_face, c.corner.side});
    }
    for (std::size_t k = 0; k < clipper.size() && now_.size() > 0; ++k) clip(k);
  }

  [[nodiscard]] std::span<const Vertex> result() { return now_.items(); }

private:
  void clip(std::size_t k) {
    const Vec2 from = clipper_[k].at;
    const Vec2 inward = left(clipper_.next(k).at - from);
    const double l = length(inward);
    const auto height = [&](const Vertex& v) { return dot(inward, v.at - from) / l; };
    const auto v = now_.items();
    then_.clear();
    double here = height(v[0]);
    for (std::size_t i = 0; i < v.size(); ++i) {
      const Vertex& next = v[i + 1 == v.size() ? 0 : i + 1];
      const double there = height(next);
      const bool inside = here >= -rounding_;
      if (inside) then_.push(v[i]);
      if (inside != (there >= -rounding_)) {
        Vertex cut = crossing(v[i], next, here, there, k);
        if (inside) cut.clip = k;
        then_.push(cut);
      }
      here = there;
    }
    std::swap(now_, then_);
  }

  /// Where the outline from a to b crosses side k, at heights of which one is inside.
  Vertex crossing(const Vertex& a, const Vertex& b, double here, double there, std::size_t k) {
    const double t = std::clamp(here / (here - there), 0.0, 1.0);
    Vertex cut = a;
    cut.at = lerp(a.at, b.at, t);
    cut.on = lerp(a.on, b.on, t);
    cut.corner = Vertex::none;
    if (a.clip == Vertex::none) {
      cut.subject = a.side;
      cut.clipper = clipper_[k].corner.side;
      return cut;
    }
    // Two sides of the clipper meet: in the corner where the later one begins. Where the angle is acute, that is known far better than the crossing.
    const bool wraps = a.clip == 0 && k + 1 == clipper_.size();
    const std::size_t corner = wraps ? 0 : k;
    cut.subject = subject_face_;
    cut.clipper = clipper_[corner].corner.at;
    if (wraps || a.clip + 1 == k) {
      cut.corner = corner;
      cut.at = clipper_[corner].at;
    }
    return cut;
  }

  Outline& clipper_;
  Feature subject_face_;
  double rounding_;
  Vertices now_, then_;
};

void meet_faces(const PlacedFace& a, Outline& outline_a, const PlacedFace& b, Outline& outline_b,
                const Vec3& n, double rounding, PatchContacts& contacts) {
  // The reference face is cut by nothing but lends its plane: the one more nearly at right angles to n; A's unless B's is so by far.
  constexpr double bias = 1e-6;
  const bool a_refers =
      outline_a.size() > 2 &&
      (outline_b.size() < 3 || dot(a.face.normal, n) >= -dot(b.face.normal, n) - bias);
  const PlacedFace& reference = a_refers ? a : b;
  const PlacedFace& incident = a_refers ? b : a;
  Clipping clipping(a_refers ? outline_b : outline_a, incident.face.feature,
                    a_refers ? outline_a : outline_b, reference.face.feature, rounding);
  Outline& corners = a_refers ? outline_a : outline_b;
  Outline& subject = a_refers ? outline_b : outline_a;
  // How far along n it is from p to the plane of a face.
  const auto lift = [&](const PlacedFace& face, const Vec3& p) {
    const Vec3& m = face.face.normal;
    return dot(m, face.face.corners[0].point - p) / dot(m, n);
  };
  for (const Vertex& v : clipping.result()) {
    const bool is_corner = v.corner != Vertex::none;
    // The sides of a sliver are parallel to within rounding: they may seem to meet far from their corner.
    if (is_corner && !subject.holds(v.at, 64 * rounding)) continue;
    const Vec3 known = is_corner ? corners[v.corner].corner.point : v.on;
    const double up = lift(is_corner ? incident : reference, known);
    const Vec3 other = known + n * up;
    const bool known_on_a = is_corner == a_refers;
    const Vec3& on_a = known_on_a ? known : other;
    const Vec3& on_b = known_on_a ? other : known;
    contacts.push({on_a, on_b, known_on_a ? up : -up,
                   a_refers ? contact_id(v.clipper, v.subject) : contact_id(v.subject, v.clipper)});
  }
}

/// An edge as a line on the surface, seen along n, that may be left sideways where the surface turns around it.
struct Ridge {
  Vec2 from, along; ///< the shadow's first end, and its direction, a unit vector
  double length;    ///< of the shadow
  Vec3 p0, p1;
  Vec3 normal, aside; ///< aside: at right angles to the edge and n
  double slip;        ///< how far the shadow goes along for a step down along the normal
  double radius;

  Ridge(const PlacedFace& face, Outline& outline, const Vec3& n, const Basis& basis)
      : from(outline[0].at), along(outline[1].at - from), length(carom::length(along)),
        p0(outline[0].corner.point), p1(outline[1].corner.point), normal(face.face.normal),
        radius(std::max(face.turn_radius, 0.0)) {
    along = along / length;
    aside = normalized(cross(n, p1 - p0));
    slip = -dot(along, basis.shadow(normal));
  }

  /// How far a point of the shadow is along the edge, and beside it to the left.
  [[nodiscard]] double position(const Vec2& q) const { return dot(along, q - from); }
  [[nodiscard]] double offset(const Vec2& q) const { return cross(along, q - from); }

  /// The point of the surface above q, if there is one near the edge.
  [[nodiscard]] bool above(const Vec2& q, double rounding, Vec3& point) const {
    const double beside = offset(q);
    double down = 0;
    if (std::fabs(beside) > rounding) {
      if (!(std::fabs(beside) < radius)) return false;
      down = beside * beside / (radius + std::sqrt(radius * radius - beside * beside));
    }
    const double t = (position(q) - down * slip) / length;
    if (!(t >= -rounding / length && t <= 1 + rounding / length)) return false;
    point = lerp(p0, p1, t) - normal * down;
    if (down > 0) point += aside * beside;
    return true;
  }
};

/// Two edges: parallel to within rounding, or round ones to within 5 degrees, they meet along a stretch.
void meet_edges(const PlacedFace& face_a, Outline& outline_a, const PlacedFace& face_b,
                Outline& outline_b, const Vec3& n, const Basis& basis, double rounding,
                PatchContacts& contacts) {
  constexpr double parallel_sine = 0.0872; // 5 degrees
  constexpr double most_aside = 0.25; // in parts of the radius: there a surface has fallen by 3%
  const Ridge a(face_a, outline_a, n, basis);
  const Ridge b(face_b, outline_b, n, basis);
  if (std::fabs(cross(a.along, b.along)) > parallel_sine) return;
  // Next to its radius it is a point. Beside it, by up to a quarter of the radius, the rounding of its direction would tell.
  const auto is_point = [](const Ridge& r) { return r.length < 0.01 * r.radius; };
  if (is_point(a) || is_point(b)) return;

  // The stretch, in positions along A: between the ends of both ...
  const double b0 = a.position(outline_b[0].at);
  const double b1 = a.position(outline_b[1].at);
  const std::size_t b_low = b0 < b1 ? 0 : 1;
  double low = std::max(0.0, std::min(b0, b1));
  double high = std::min(a.length, std::max(b0, b1));
  // ... and where B is not too far aside.
  const double y0 = a.offset(outline_b[0].at);
  const double slope = (a.offset(outline_b[1].at) - y0) / (b1 - b0);
  const double limit = rounding + most_aside * (a.radius + b.radius);
  if (std::fabs(slope) * a.length > rounding) {
    const double one = b0 + (-limit - y0) / slope;
    const double other = b0 + (limit - y0) / slope;
    low = std::max(low, std::min(one, other));
    high = std::min(high, std::max(one, other));
  }
  if (!(high - low > rounding)) return;

  const double share = a.radius + b.radius > 0 ? a.radius / (a.radius + b.radius) : 0;
  for (const bool at_low : {true, false}) {
    const double x = at_low ? low : high;
    const Vec2 q = a.from + a.along * x + left(a.along) * ((y0 + (x - b0) * slope) * share);
    Vec3 on_a, on_b;
    if (!a.above(q, rounding, on_a) || !b.above(q, 2 * rounding, on_b)) continue;
    const FaceCorner& end_a = outline_a[at_low ? 0 : 1].corner;
    const FaceCorner& end_b = outline_b[at_low ? b_low : 1 - b_low].corner;
    const bool b_ends =
        at_low ? std::min(b0, b1) > rounding : std::max(b0, b1) < a.length - rounding;
    const std::uint64_t id = b_ends ? contact_id(face_a.face.feature, end_b.at)
                                    : contact_id(end_a.at, face_b.face.feature);
    contacts.push({on_a, on_b, dot(n, on_b - on_a), id});
  }
}

/// The one of greatest merit, a number from each spot; of those within a millionth of it, the one of lowest id.
template<class Merit>
std::size_t best_of(std::span<const Spot> spots, Merit&& merit) {
  double most = -INFINITY;
  for (const Spot& s : spots) most = std::max(most, merit(s));
  const double enough = most - 1e-6 * std::fabs(most);
  std::size_t best = spots.size();
  for (std::size_t i = 0; i < spots.size(); ++i) {
    if (merit(spots[i]) >= enough && (best == spots.size() || spots[i].id < spots[best].id))
      best = i;
  }
  return best;
}

/// The deepest; of equals to within rounding, the one of lowest id.
std::size_t deepest_of(std::span<const Spot> spots, double rounding) {
  double least = INFINITY;
  for (const Spot& s : spots) least = std::min(least, s.separation);
  std::size_t best = 0;
  std::uint64_t lowest = ~std::uint64_t{0};
  for (std::size_t i = 0; i < spots.size(); ++i) {
    const bool better = spots[i].separation <= least + rounding && spots[i].id < lowest;
    best = better ? i : best;
    lowest = better ? spots[i].id : lowest;
  }
  return best;
}

/// Twice the area of a triangle, positive if it is counter-clockwise.
double area(const Spot& a, const Spot& b, const Spot& c) {
  return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

/// The first, and the others that do not coincide with one before.
FourSpots all_of(std::span<const Spot> spots, std::size_t first, double rounding) {
  FourSpots four{{first}, 1};
  for (std::size_t i = 0; i < spots.size(); ++i) {
    bool known = i == first;
    for (int k = 0; k < four.count && !known; ++k) {
      const Spot& s = spots[four.index[static_cast<std::size_t>(k)]];
      known = std::max(std::fabs(s.x - spots[i].x), std::fabs(s.y - spots[i].y)) <= rounding;
    }
    if (!known) four.index[static_cast<std::size_t>(four.count++)] = i;
  }
  return four;
}

} // namespace

FourSpots choose_four(std::span<const Spot> spots, double rounding) {
  if (spots.empty()) return {};
  const std::size_t first = deepest_of(spots, rounding);
  if (spots.size() <= 4) return all_of(spots, first, rounding);
  FourSpots four{{first}, 1};
  const Spot& a = spots[first];
  const auto far = best_of(
      spots, [&](const Spot& s) { return (s.x - a.x) * (s.x - a.x) + (s.y - a.y) * (s.y - a.y); });
  const Spot& b = spots[far];
  const double width = distance(a, b);
  if (!(width > rounding)) return four;
  four = {{first, far}, 2};

  const auto left = best_of(spots, [&](const Spot& s) { return area(a, b, s); });
  const auto right = best_of(spots, [&](const Spot& s) { return -area(a, b, s); });
  const double left_area = area(a, b, spots[left]);
  const double right_area = -area(a, b, spots[right]);
  const auto add = [&](std::size_t spot) {
    four.index[static_cast<std::size_t>(four.count++)] = spot;
  };
  if (left_area > rounding * width) add(left);
  if (right_area > rounding * width) add(right);
  if (four.count != 3) return four;

  // All lie on one side.
  const Spot& c = spots[four.index[2]];
  const double turn = left_area > right_area ? 1 : -1;
  const auto added = [&](const Spot& s) {
    return -std::min(turn * area(b, c, s), turn * area(c, a, s));
  };
  const auto fourth = best_of(spots, added);
  if (added(spots[fourth]) > rounding * width) add(fourth);
  return four;
}

void meet(const PlacedFace& a, const PlacedFace& b, const Vec3& n, double rounding,
          PatchContacts& contacts) {
  const Vec3 u = perpendicular(n);
  const Basis basis{u, cross(n, u)};
  Outline outline_a(a, basis, rounding);
  Outline outline_b(b, basis, rounding);
  const std::size_t least = std::min(outline_a.size(), outline_b.size());
  if (least < 2) return;
  if (std::max(outline_a.size(), outline_b.size()) == 2) {
    meet_edges(a, outline_a, b, outline_b, n, basis, rounding, contacts);
  } else {
    meet_faces(a, outline_a, b, outline_b, n, rounding, contacts);
  }
}

void meet_tip(const PlacedFace& a, const PlacedFace& b, const Vec3& n, double rounding,
              PatchContacts& contacts) {
  const Vec3 u = perpendicular(n);
  const Basis basis{u, cross(n, u)};
  Outline outline_a(a, basis, rounding);
  Outline outline_b(b, basis, rounding);
  const std::size_t least = std::min(outline_a.size(), outline_b.size());
  if (least != 1 || std::max(outline_a.size(), outline_b.size()) < 3) return;
  meet_faces(a, outline_a, b, outline_b, n, rounding, contacts);
}

} // namespace carom
