// One face is cut by planes through the sides of the other, parallel to the normal. Each point of what is left has its partner in the other face's plane, along the normal.
//
// Names stay the same while the same corners and sides are involved: a corner has its own, a point on a side that of the side and of the corner before it.
#include "carom/dynamics/face_clip.h"

#include <array>

namespace carom {
namespace {

std::uint32_t crossing(std::uint32_t corner, std::uint32_t side) {
  return 0x8000U | (side + 1) << 8 | (corner & 0xffU);
}

/// What of a polygon is not beyond the plane through `from`. False, and nothing is there, where that is all of it.
///
/// Which corners are beyond is anybody's guess: it is found out in bits, without branches.
bool cut_side(const FormCorners& face, const Vec3& from, const Vec3& out, std::uint32_t side,
              FormCorners& left) {
  std::array<double, 66> beyond; // and the first one once more
  const std::size_t count = face.size();
  std::uint64_t above = 0, below = 0, kept = 0;
  bool all = true;
  for (std::size_t i = 0; i < count; ++i) {
    const double d = beyond[i] = dot(out, face[i].at - from);
    above |= std::uint64_t{d > 0} << i;
    below |= std::uint64_t{d < 0} << i;
    kept |= std::uint64_t{d <= 0} << i;
    all &= d <= 0;
  }
  if (all) return false;
  beyond[count] = beyond[0];
  const auto of_next = [count](std::uint64_t bits) {
    return bits >> 1 | (bits & 1) << (count - 1);
  };
  const std::uint64_t crossed = (above & of_next(below)) | (below & of_next(above));
  left.clear();
  for (std::size_t i = 0; i < count; ++i) {
    left.push_if(face[i], (kept >> i & 1) != 0);
    if ((crossed >> i & 1) == 0) continue;
    const FormCorner &p = face[i], &q = face[i + 1 == count ? 0 : i + 1];
    left.push({lerp(p.at, q.at, beyond[i] / (beyond[i] - beyond[i + 1])),
               crossing(beyond[i] < 0 ? p.name : q.name, side)});
  }
  return true;
}

/// The same for what has two corners, or one.
void cut_edge(FormCorners& left, const Vec3& from, const Vec3& out, std::uint32_t side) {
  if (left.size() == 0) return;
  FormCorner &p = left[0], &q = left[left.size() - 1];
  const double beyond_p = dot(out, p.at - from), beyond_q = dot(out, q.at - from);
  if (beyond_p > 0 && beyond_q > 0) {
    left.clear();
  } else if (beyond_p > 0) {
    p = {lerp(p.at, q.at, beyond_p / (beyond_p - beyond_q)), crossing(p.name, side)};
  } else if (beyond_q > 0) {
    q = {lerp(p.at, q.at, beyond_p / (beyond_p - beyond_q)), crossing(q.name, side)};
  }
}

void copy(const FormCorners& from, FormCorners& to) {
  to.clear();
  for (const FormCorner& c : from) to.push(c);
}

} // namespace

/// What is left of `face` inside of the sides of the other.
const FormCorners& FaceClip::cut_by(const FormFace& by, const Vec3& up, const FormCorners& face) {
  const std::size_t sides = by.corners.size();
  const bool polygon = face.size() > 2;
  if (!polygon) copy(face, left_[0]);
  const FormCorners* left = polygon ? &face : &left_[0];
  for (std::size_t i = 0; i < sides && left->size() > 0; ++i) {
    const FormCorner &p = by.corners[i], &q = by.corners[i + 1 == sides ? 0 : i + 1];
    const Vec3 out = cross(q.at - p.at, up);
    FormCorners& next = left_[left == &left_[0] ? 1 : 0];
    if (!polygon)
      cut_edge(left_[0], p.at, out, p.name);
    else if (cut_side(*left, p.at, out, p.name, next))
      left = &next;
  }
  return *left;
}

void FaceClip::cut(bool cuts_b, const Vec3& n, double limit) {
  const FormFace &by = cuts_b ? a : b, &face = cuts_b ? b : a;
  const Vec3 up = cuts_b ? n : -n; // out of the face that cuts
  const double steep = dot(by.normal, up);
  const std::uint64_t who = cuts_b ? 0 : 1;
  for (const FormCorner& c : cut_by(by, up, face.corners)) {
    const double height = (dot(by.normal, c.at) - by.offset) / steep;
    const Vec3 below = c.at - up * height;
    const std::uint64_t id = who << 32 | c.name;
    points_.push_if(cuts_b ? MeetingPoint{below, c.at, height, id}
                           : MeetingPoint{c.at, below, height, id},
                    height <= limit);
  }
}

void FaceClip::cut_edges(const Vec3& n, double limit) {
  const Vec3 &p = a.corners[0].at, &q = a.corners[1].at;
  const Vec3 along = (q - p) - n * dot(n, q - p);
  FormCorners& left = left_[0];
  copy(b.corners, left);
  cut_edge(left, p, -along, 0);
  cut_edge(left, q, along, 1);
  for (const FormCorner& c : left) {
    const double t = dot(along, c.at - p) / dot(along, along);
    const Vec3 on_a = lerp(p, q, t);
    const double separation = dot(n, c.at - on_a);
    if (separation <= limit)
      points_.push({on_a, on_a + n * separation, separation, std::uint64_t{2} << 32 | c.name});
  }
}

void FaceClip::round(const Vec3& n, double radius_a, double radius_b) {
  for (MeetingPoint& p : points_) {
    p.on_a += n * radius_a;
    p.on_b -= n * radius_b;
    p.separation -= radius_a + radius_b;
  }
}

void FaceClip::swap(const Frame& frame) {
  for (MeetingPoint& p : points_)
    p = {frame.to_world(p.on_b), frame.to_world(p.on_a), p.separation, p.id};
}

} // namespace carom
