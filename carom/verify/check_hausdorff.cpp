#include "carom/verify/check_hausdorff.h"

#include "carom/verify/parts.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace carom::verify {
namespace {

using Triangles = std::span<const Triangle>;

double distance_from(const Vec3& p, Triangles set) {
  double least = INFINITY;
  for (const Triangle& t : set) least = std::min(least, distance(p, t));
  return least;
}

/// A surface as the checks see a set.
SetView view(const Triangles& set) {
  return {&set, [](const void*, const Vec3&) { return double{INFINITY}; },
          [](const void* s, const Vec3& p) {
            return distance_from(p, *static_cast<const Triangles*>(s));
          }};
}

/// A placed shape by its parts, which are listed once.
struct Parts {
  std::vector<ConvexPart> parts;
  std::vector<PlacedShape> solids;

  explicit Parts(const PlacedShape& p) : parts(convex_parts(p)), solids(solid_meshes(p)) {}
  [[nodiscard]] SetView view() const {
    return {this, [](const void*, const Vec3&) { return double{INFINITY}; },
            [](const void* s, const Vec3& p) { return static_cast<const Parts*>(s)->distance(p); }};
  }
  [[nodiscard]] double distance(const Vec3& p) const {
    double least = INFINITY;
    for (const ConvexPart& part : parts) least = std::min(least, verify::distance(p, part.placed));
    const bool inside = std::any_of(solids.begin(), solids.end(), [&](const PlacedShape& solid) {
      return wound_around(solid, p);
    });
    return inside ? 0 : least;
  }
};

/// By the triangle of B that serves best.
double bound(const Triangle& piece, Triangles b) {
  double least = INFINITY;
  for (const Triangle& t : b) {
    double most = 0;
    for (const Vec3& corner : {piece.a, piece.b, piece.c}) {
      most = std::max(most, distance(corner, t));
      if (most >= least) break;
    }
    least = std::min(least, most);
  }
  return least;
}

Verdict check_cover(Triangles a, Triangles b, double upper, double margin, int most_pieces) {
  std::vector<Triangle> pieces(a.begin(), a.end());
  for (int looked = 0; !pieces.empty(); ++looked) {
    if (looked >= most_pieces) return Verdict::no("the upper bound was not shown: too many pieces");
    const Triangle t = pieces.back();
    pieces.pop_back();
    if (bound(t, b) <= upper + margin) continue;
    const Vec3 middle = (t.a + t.b + t.c) / 3;
    const double reached = distance_from(middle, b);
    if (reached > upper + margin)
      return Verdict::off("a point of A is beyond the upper bound", reached - upper);
    const Vec3 ab = (t.a + t.b) / 2;
    const Vec3 bc = (t.b + t.c) / 2;
    const Vec3 ca = (t.c + t.a) / 2;
    pieces.insert(pieces.end(), {{t.a, ab, ca}, {ab, t.b, bc}, {ca, bc, t.c}, {ab, bc, ca}});
  }
  return Verdict::yes();
}

} // namespace

Verdict check_hausdorff(const SetView& a, const SetView& b, const OneSidedHausdorff& answer,
                        std::span<const Vec3> samples, double tolerance) {
  const auto& [value, lower, upper, on_a, on_b, status, iterations] = answer;
  if (!(lower <= upper)) return Verdict::off("the bounds are not in order", lower - upper);
  if (!(lower >= 0)) return Verdict::off("the lower bound is negative", lower);
  if (value == INFINITY) return Verdict::yes();
  if (!(value >= lower && value <= upper))
    return Verdict::off("the value is beyond a bound", value);
  const double off_a = a.distance(on_a);
  if (!(off_a <= tolerance)) return Verdict::off("on_a is off A", off_a);
  const double off_b = b.distance(on_b);
  if (!(off_b <= tolerance)) return Verdict::off("on_b is off B", off_b);
  const double apart = length(on_a - on_b);
  if (!(std::fabs(apart - value) <= tolerance))
    return Verdict::off("the points are not the value apart, but", apart);
  const double reached = b.distance(on_a);
  if (!(reached >= lower - tolerance))
    return Verdict::off("on_a is nearer to B than the lower bound, by", lower - reached);
  for (const Vec3& p : samples) {
    const double far = b.distance(p);
    if (!(far <= upper + tolerance))
      return Verdict::off("a point of A is beyond the upper bound", far - upper);
  }
  return Verdict::yes();
}

Verdict check_hausdorff(const PlacedShape& a, const PlacedShape& b, const OneSidedHausdorff& answer,
                        std::span<const Vec3> samples, double tolerance) {
  const Parts parts_a(a);
  const Parts parts_b(b);
  return check_hausdorff(parts_a.view(), parts_b.view(), answer, samples, tolerance);
}

Verdict check_hausdorff(std::span<const Triangle> a, std::span<const Triangle> b,
                        const OneSidedHausdorff& answer, double margin, double tolerance,
                        int most_pieces) {
  const Verdict points = check_hausdorff(view(a), view(b), answer, {}, tolerance);
  if (!points || answer.upper_bound == INFINITY) return points;
  return check_cover(a, b, answer.upper_bound, margin + tolerance, most_pieces);
}

} // namespace carom::verify
