// One face is cut by planes through the sides of the other, parallel to the normal. Each point of what is left has its partner in the other face's plane, along the normal.
//
// Names stay the same while the same corners and sides are involved: a corner has its own, a point on a side that of the side and of the corner before it.
#include "carom/dynamics/face_clip.h"

#include <cmath>
#include <utility>

namespace carom {
namespace {

std::uint32_t crossing(std::uint32_t corner, std::uint32_t side) {
  return 0x8000U | (side + 1) << 8 | (corner & 0xffU);
}

} // namespace

/// Keeps what is not beyond the plane through `from`.
void FaceClip::cut_side(const Vec3& from, const Vec3& out, std::uint32_t side) {
  next_.clear();
  const std::size_t count = left_.size();
  for (std::size_t i = 0; i < count; ++i) {
    const FormFace::Corner &p = left_[i], &q = left_[i + 1 == count ? 0 : i + 1];
    const double beyond_p = dot(out, p.at - from), beyond_q = dot(out, q.at - from);
    if (beyond_p <= 0) next_.push_back(p);
    if ((beyond_p < 0 && beyond_q > 0) || (beyond_p > 0 && beyond_q < 0))
      next_.push_back({lerp(p.at, q.at, beyond_p / (beyond_p - beyond_q)),
                       crossing(beyond_p < 0 ? p.name : q.name, side)});
  }
  std::swap(left_, next_);
}

/// The same for what has two corners, or one.
void FaceClip::cut_edge(const Vec3& from, const Vec3& out, std::uint32_t side) {
  if (left_.empty()) return;
  FormFace::Corner &p = left_.front(), &q = left_.back();
  const double beyond_p = dot(out, p.at - from), beyond_q = dot(out, q.at - from);
  if (beyond_p > 0 && beyond_q > 0) {
    left_.clear();
  } else if (beyond_p > 0) {
    p = {lerp(p.at, q.at, beyond_p / (beyond_p - beyond_q)), crossing(p.name, side)};
  } else if (beyond_q > 0) {
    q = {lerp(p.at, q.at, beyond_p / (beyond_p - beyond_q)), crossing(q.name, side)};
  }
}

void FaceClip::cut(bool cuts_b, const Vec3& n, double limit) {
  const FormFace &by = cuts_b ? a : b, &face = cuts_b ? b : a;
  const Vec3 up = cuts_b ? n : -n; // out of the face that cuts
  left_ = face.corners;
  const std::size_t sides = by.corners.size();
  for (std::size_t i = 0; i < sides && !left_.empty(); ++i) {
    const FormFace::Corner &p = by.corners[i], &q = by.corners[i + 1 == sides ? 0 : i + 1];
    const Vec3 out = cross(q.at - p.at, up);
    if (face.corners.size() > 2)
      cut_side(p.at, out, p.name);
    else
      cut_edge(p.at, out, p.name);
  }
  const double steep = dot(by.normal, up);
  const std::uint64_t who = cuts_b ? 0 : 1;
  for (const FormFace::Corner& c : left_) {
    const double height = (dot(by.normal, c.at) - by.offset) / steep;
    if (!(height <= limit)) continue;
    const Vec3 below = c.at - up * height;
    const std::uint64_t id = who << 32 | c.name;
    points_.push_back(cuts_b ? MeetingPoint{below, c.at, height, id}
                             : MeetingPoint{c.at, below, height, id});
  }
}

void FaceClip::cut_edges(const Vec3& n, double limit) {
  const Vec3 &p = a.corners[0].at, &q = a.corners[1].at;
  const Vec3 along = (q - p) - n * dot(n, q - p);
  left_ = b.corners;
  cut_edge(p, -along, 0);
  cut_edge(q, along, 1);
  for (const FormFace::Corner& c : left_) {
    const double t = dot(along, c.at - p) / dot(along, along);
    const Vec3 on_a = lerp(p, q, t);
    const double separation = dot(n, c.at - on_a);
    if (separation <= limit)
      points_.push_back({on_a, on_a + n * separation, separation, std::uint64_t{2} << 32 | c.name});
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
