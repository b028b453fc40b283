// The frame is spanned by a tetrahedron in the solid: its first two corners are the solid's ends along the coordinate axis in which it is longest, the
// third is as far off their line as linear programs in four directions find, the fourth off the plane of the three. Its edges from the
// first corner are the axes, its centroid is the center.
//
// Why the solid is round there. The tetrahedron is that of the unit vectors and 0, whose planes are at least 1/(4 sqrt(3)) > 1/7 from its centroid, and
// the solid contains it. No point of the solid is farther off the plane than the fourth corner, so |u_z| <= 1; off the line no
// farther than sqrt(2) times the third, so |u_y| <= sqrt(2) (1 + |u_z|); and no farther along than the diagonal of a cube over the first
// edge, so |u_x| <= sqrt(3) + |u_y| + |u_z| to within such factors: less than 10 from the centroid. The shape of the solid does
// not matter, only that its thickness is more than the rounding of its corners.
#include "carom/mesh/half_space_frame.h"

#include "carom/math/expansion.h"
#include "carom/math/linear_program.h"
#include "carom/math/tolerance.h"

#include <string>
#include <vector>

namespace carom {
namespace half_spaces {
namespace {

/// To 2^-76 of itself at least, and of the right sign. What does not cancel to less than 2^-24 of its terms is right to that in long numbers,
/// whose products and sums are right to 2^-100 of the terms; else it is summed exactly.
Long determinant(const Vec3& a, const Vec3& b, const Vec3& c) {
  const auto minor = [](double p, double q, double r, double s) {
    return Long{p} * Long{q} + -(Long{r} * Long{s});
  };
  const Long quick = Long{a.x} * minor(b.y, c.z, b.z, c.y) + Long{a.y} * minor(b.z, c.x, b.x, c.z) +
                     Long{a.z} * minor(b.x, c.y, b.y, c.x);
  if (std::fabs(quick.high) > 0x1p-24 * predicate::det3_magnitude(a, b, c)) return quick;

  using Entry = Expansion<1>;
  const auto row = [](const Vec3& v) { return predicate::Row3<Entry>{v.x, v.y, v.z}; };
  const auto exact = predicate::det3(row(a), row(b), row(c));
  Long sum;
  for (int i = 0; i < exact.size(); ++i) sum = sum + Long{exact[i]};
  return sum;
}

using Constraints = std::vector<Constraint3>;

std::string list(const LinearProof<4>& proof) {
  std::string text = proof.count == 1 ? "half-space " : "half-spaces ";
  for (std::size_t k = 0; k < proof.count; ++k) {
    if (k > 0) text += k + 1 == proof.count ? " and " : ", ";
    text += std::to_string(proof.indices[k]);
  }
  return text;
}

/// The corner farthest along a direction, or why there is none.
Result<Vec3> farthest(const Constraints& constraints, Vec3 direction) {
  for (int k = 0; k < 3; ++k) {
    if (!tolerance::is_coordinate(direction[k])) direction[k] = 0;
  }
  const LinearOptimum3 found = maximize(direction, constraints);
  switch (found.status) {
  case LinearStatus::optimal:
    return found.point;
  case LinearStatus::infeasible:
    return failure(ErrorCode::degenerate, list(found.proof) + " have no point in common");
  case LinearStatus::unbounded:
    return failure(ErrorCode::unbounded, "the intersection reaches to infinity along (" +
                                             std::to_string(found.ray.x) + ", " +
                                             std::to_string(found.ray.y) + ", " +
                                             std::to_string(found.ray.z) + ")");
  default:
    return failure(ErrorCode::out_of_range,
                   "entries of the normals differ too much in size to decide anything");
  }
}

/// Keeps the candidate with the greatest measure.
struct Farthest {
  Vec3 point;
  double measure = 0;

  void offer(const Vec3& candidate, double m) {
    if (m > measure) *this = {candidate, m};
  }
};

/// The frame with these edges from a first corner.
Result<Frame> complete(const Mat3& axes, const Vec3& origin) {
  Frame frame;
  frame.axes = axes;
  const auto centroid = [&](int k) {
    const Long sum = Long{frame.axes.x[k]} + Long{frame.axes.y[k]} + Long{frame.axes.z[k]};
    return Long{origin[k]} + sum * Long{0.25};
  };
  frame.center = {centroid(0), centroid(1), centroid(2)};
  for (int k = 0; k < 3; ++k) {
    const Vec3 e = unit_axis(k);
    const Meeting column =
        meet({frame.axes.row(0), e.x}, {frame.axes.row(1), e.y}, {frame.axes.row(2), e.z});
    if (column.sign == 0) return no_inside();
    frame.inverse[static_cast<std::size_t>(k)] = column.point;
  }
  return frame;
}

} // namespace

Long depth(const HalfSpace& face, const LongVec3& x) {
  const std::array<Long, 3> terms{Long{face.normal.x} * x.x, Long{face.normal.y} * x.y,
                                  Long{face.normal.z} * x.z};
  Long sum{face.offset};
  double size = std::fabs(face.offset);
  for (const Long& term : terms) {
    sum = sum + -term;
    size += std::fabs(term.high);
  }
  return std::fabs(sum.high) <= 0x1p-90 * size ? Long{} : sum;
}

Meeting meet(const HalfSpace& a, const HalfSpace& b, const HalfSpace& c) {
  const Vec3 x{a.normal.x, b.normal.x, c.normal.x};
  const Vec3 y{a.normal.y, b.normal.y, c.normal.y};
  const Vec3 z{a.normal.z, b.normal.z, c.normal.z};
  const Vec3 right{a.offset, b.offset, c.offset};
  const Long whole = determinant(x, y, z);
  if (sign(whole) == 0) return {};
  return {sign(whole),
          {determinant(right, y, z) / whole, determinant(x, right, z) / whole,
           determinant(x, y, right) / whole}};
}

tl::unexpected<Error> no_inside() {
  return failure(ErrorCode::degenerate,
                 "the half-spaces have no more than a flat set in common, to within rounding");
}

Vec3 Frame::coordinates(const LongVec3& x) const {
  const auto& [a, b, c] = inverse;
  const LongVec3 d{x.x + -center.x, x.y + -center.y, x.z + -center.z};
  return {(a.x * d.x + b.x * d.y + c.x * d.z).high, (a.y * d.x + b.y * d.y + c.y * d.z).high,
          (a.z * d.x + b.z * d.y + c.z * d.z).high};
}

Result<Frame> find_frame(std::span<const HalfSpace> faces) {
  Constraints constraints;
  for (const HalfSpace& face : faces) constraints.push_back({face.normal, face.offset});

  // Bounded along the axes both ways is bounded.
  std::array<Vec3, 6> ends;
  for (int k = 0; k < 6; ++k) {
    const auto end = farthest(constraints, unit_axis(k / 2) * (k % 2 == 0 ? 1.0 : -1.0));
    if (!end) return tl::unexpected(end.error());
    ends[static_cast<std::size_t>(k)] = *end;
  }
  const int longest =
      largest_axis({ends[0].x - ends[1].x, ends[2].y - ends[3].y, ends[4].z - ends[5].z});
  const Vec3 origin = ends[static_cast<std::size_t>(2 * longest + 1)];
  Mat3 axes;
  axes.x = ends[static_cast<std::size_t>(2 * longest)] - origin;
  if (axes.x == Vec3{}) return no_inside();

  // Off the line.
  const Vec3 along = normalized(axes.x);
  Farthest second;
  const Vec3 aside = perpendicular(along);
  for (const Vec3& direction : {aside, -aside, cross(along, aside), cross(aside, along)}) {
    const auto end = farthest(constraints, direction);
    if (!end) return tl::unexpected(end.error());
    second.offer(*end, length(cross(along, *end - origin)));
  }
  if (second.measure == 0) return no_inside();
  axes.y = second.point - origin;

  // Off the plane. The second axis may be as good as parallel to the first; its part aside is taken in two steps, for its rounding.
  Vec3 across = axes.y - along * dot(along, axes.y);
  across = normalized_or(across - along * dot(along, across), aside);
  const Vec3 normal = normalized_or(cross(along, across), aside);
  Farthest third;
  for (const Vec3& direction : {normal, -normal}) {
    const auto end = farthest(constraints, direction);
    if (!end) return tl::unexpected(end.error());
    third.offer(*end, std::fabs(dot(normal, *end - origin)));
  }
  if (third.measure == 0) return no_inside();
  axes.z = third.point - origin;

  return complete(axes, origin);
}

} // namespace half_spaces
} // namespace carom
