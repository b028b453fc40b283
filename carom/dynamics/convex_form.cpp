#include "carom/dynamics/convex_form.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

namespace carom {

std::uint32_t ConvexForm::face_above(const Vec3& p) const {
  std::array<float, most_faces> heights;
  normal_lanes_.along(p, heights.data());
  std::uint32_t best = 0;
  float most = -INFINITY;
  for (std::uint32_t i = 0; i < planes_.size(); ++i) {
    const float height = heights[i] - offset_lanes_[i];
    if (!(height > most)) continue;
    most = height;
    best = i;
  }
  return best;
}

double ConvexForm::beyond_faces(const std::array<Vec3, 3>& points) const {
  float of[9];
  for (std::size_t k = 0; k < 9; ++k)
    of[k] = static_cast<float>(points[k / 3][static_cast<int>(k % 3)]);
  return double{normal_lanes_.beyond(offset_lanes_.data(), of)};
}

/// Farthest points are found in floats, so that a little is added. Most shapes are boxes, whose half widths need no search.
Aabb ConvexForm::bounds(const Mat3& axes) const {
  const double more = radius_ + 1e-6 * size_;
  const Vec3 grow{more, more, more};
  Aabb around;
  if (box_) {
    const Vec3 middle = transpose_mul(axes, box_->center);
    Vec3 half{};
    for (int i = 0; i < 3; ++i)
      for (int k = 0; k < 3; ++k) half[i] += std::fabs(dot(axes[i], box_->axes[k])) * box_->half[k];
    around = {middle - half, middle + half};
  } else if (vertices_.size() == 1) {
    around.min = around.max = transpose_mul(axes, vertices_[0]);
  } else {
    const Vec3 middle = transpose_mul(axes, inner_.center);
    vertex_lanes_.span(axes, around.min, around.max);
    around = {around.min + middle, around.max + middle};
  }
  return {around.min - grow, around.max + grow};
}

FloatEdge ConvexForm::float_edge(std::size_t i) const {
  const Edge& edge = edges_[i];
  FloatEdge e;
  float to[3];
  vertex_lanes_.copy(edge.from, e.numbers + FloatEdge::at_from);
  vertex_lanes_.copy(edge.to, to);
  normal_lanes_.copy(edge.left, e.numbers + FloatEdge::at_left);
  normal_lanes_.copy(edge.right, e.numbers + FloatEdge::at_right);
  for (std::size_t k = 0; k < 3; ++k) {
    e.numbers[FloatEdge::at_direction + k] =
        (to[k] - e.numbers[FloatEdge::at_from + k]) * edge.inverse_length;
    e.numbers[FloatEdge::at_middle + k] =
        e.numbers[FloatEdge::at_left + k] + e.numbers[FloatEdge::at_right + k];
  }
  return e;
}

struct ConvexForm::Parts {
  std::vector<Vec3> vertices;
  std::vector<Plane> planes;
  std::vector<Edge> edges;
  std::vector<std::uint8_t> corners;
  std::vector<std::uint16_t> face_begin{0};

  void add_face(const Vec3& normal, std::span<const std::uint32_t> face) {
    Plane plane{normal, -INFINITY};
    for (const Vec3& v : vertices) plane.offset = std::max(plane.offset, dot(normal, v));
    planes.push_back(plane);
    for (const std::uint32_t c : face) corners.push_back(static_cast<std::uint8_t>(c));
    face_begin.push_back(static_cast<std::uint16_t>(corners.size()));
  }

  void take(const Polytope& hull) {
    vertices.assign(hull.vertices().begin(), hull.vertices().end());
    for (std::size_t f = 0; f < hull.hull().face_count(); ++f)
      add_face(hull.planes()[f].normal, hull.hull().corners(f));
  }

  void take(const Obb& box) {
    for (int i = 0; i < 8; ++i) vertices.push_back(box.corner(i));
    for (std::uint32_t axis = 0; axis < 3; ++axis) {
      const std::uint32_t u = 1U << (axis + 1) % 3, v = 1U << (axis + 2) % 3;
      const std::array<std::uint32_t, 4> near{0, v, u | v, u};
      std::array<std::uint32_t, 4> far{0, u, u | v, v};
      for (std::uint32_t& c : far) c |= 1U << axis;
      const Vec3 out = box.axes[static_cast<int>(axis)];
      add_face(-out, near);
      add_face(out, far);
    }
  }

  /// Every edge is a side of two faces, once each way.
  void find_edges() {
    struct Side {
      std::uint32_t from, to, face;
    };
    std::vector<Side> sides;
    for (std::uint32_t f = 0; f < planes.size(); ++f) {
      const auto c =
          std::span(corners).subspan(face_begin[f], std::size_t{face_begin[f + 1]} - face_begin[f]);
      for (std::size_t i = 0; i < c.size(); ++i) sides.push_back({c[i], c[(i + 1) % c.size()], f});
    }
    for (const Side& s : sides) {
      if (s.from > s.to) continue;
      const auto back = std::find_if(sides.begin(), sides.end(), [&](const Side& t) {
        return t.from == s.to && t.to == s.from;
      });
      if (back == sides.end()) continue;
      const double half_cosine = 0.5 * length(planes[s.face].normal + planes[back->face].normal);
      const auto small = [](std::uint32_t i) { return static_cast<std::uint8_t>(i); };
      edges.push_back({small(s.from), small(s.to), small(s.face), small(back->face),
                       static_cast<float>(1 / distance(vertices[s.from], vertices[s.to])),
                       static_cast<float>(half_cosine > 1e-3 ? 1.000001 / half_cosine : 1e3)});
    }
  }
};

/// In the order in which they are read.
void ConvexForm::pack(const Parts& parts) {
  const std::vector<VectorLanes::Eight> points = VectorLanes::of(parts.vertices, inner_.center);
  std::vector<VectorLanes::Eight> faces;
  std::vector<float> offsets;
  if (!parts.planes.empty()) {
    std::vector<Vec3> normals;
    for (const Plane& p : parts.planes) normals.push_back(p.normal);
    faces = VectorLanes::of(normals, {});
    for (std::size_t i = 0; i < 8 * faces.size(); ++i)
      offsets.push_back(static_cast<float>(parts.planes[std::min(i, normals.size() - 1)].offset));
  }
  std::size_t used = 0;
  const auto put = [&]<class T>(const std::vector<T>& from, std::span<const T>& to) {
    used = (used + alignof(T) - 1) / alignof(T) * alignof(T);
    if (memory_ && !from.empty()) {
      auto* place = reinterpret_cast<unsigned char*>(memory_.get()) + used;
      std::memcpy(place, from.data(), from.size() * sizeof(T));
      to = {reinterpret_cast<const T*>(place), from.size()};
    }
    used += from.size() * sizeof(T);
  };
  // Once to see how much it is, and once to put it there.
  for (int round = 0; round < 2; ++round) {
    used = 0;
    put(points, vertex_lanes_.eights);
    put(faces, normal_lanes_.eights);
    put(offsets, offset_lanes_); // aligned as those are
    put(parts.edges, edges_);
    put(parts.vertices, vertices_);
    put(parts.face_begin, face_begin_);
    put(parts.corners, corners_);
    put(parts.planes, planes_);
    lines_ = (used + sizeof(Line) - 1) / sizeof(Line);
    if (round == 0) memory_ = std::make_unique<Line[]>(lines_);
  }
}

bool ConvexForm::operator==(const ConvexForm& other) const {
  return dimension_ == other.dimension_ && radius_ == other.radius_ && size_ == other.size_ &&
         inner_.center == other.inner_.center && inner_.radius == other.inner_.radius &&
         is_box() == other.is_box() && vertices_.size() == other.vertices_.size() &&
         lines_ == other.lines_ &&
         std::memcmp(memory_.get(), other.memory_.get(), lines_ * sizeof(Line)) == 0;
}

std::uint64_t ConvexForm::hash() const {
  std::uint64_t h = std::bit_cast<std::uint64_t>(radius_);
  for (const Vec3& v : vertices_)
    for (int i = 0; i < 3; ++i) h = (h ^ std::bit_cast<std::uint64_t>(v[i])) * 0x9e3779b97f4a7c15U;
  return h;
}

std::shared_ptr<const ConvexForm> ConvexForm::of(const Shape& shape) {
  return build(shape, std::get_if<Polytope>(&shape.core()), most_vertices);
}

std::shared_ptr<const ConvexForm> ConvexForm::to_search(const Shape& shape) {
  const auto* brush = std::get_if<BrushCore>(&shape.core());
  return build(shape, brush ? &brush->corners : std::get_if<Polytope>(&shape.core()), 255);
}

std::shared_ptr<const ConvexForm> ConvexForm::build(const Shape& shape, const Polytope* hull,
                                                    std::size_t most_points) {
  if (!shape.convex() || !shape.bounded()) return nullptr;
  if (!(shape.size() >= 1e-6 && shape.size() <= 1e6)) return nullptr; // squares are floats
  auto form = std::make_shared<ConvexForm>();
  form->radius_ = shape.rounding();
  form->size_ = shape.size();
  form->inner_ = shape.inner_ball();
  Parts parts;
  if (const auto* point = std::get_if<Vec3>(&shape.core())) {
    parts.vertices = {*point};
  } else if (const auto* segment = std::get_if<Segment>(&shape.core())) {
    form->dimension_ = 1;
    parts.vertices = {segment->a, segment->b};
    if (!(distance(segment->a, segment->b) > 1e-6 * shape.size())) return nullptr;
  } else if (const auto* box = std::get_if<Obb>(&shape.core())) {
    if (!(std::min({box->half.x, box->half.y, box->half.z}) > 1e-3 * max_abs(box->half)))
      return nullptr;
    form->dimension_ = 3;
    form->box_ = *box;
    parts.take(*box);
  } else if (hull != nullptr) {
    // A hull that is thin beyond all measure is for those who compute exactly.
    if (hull->hull().dimension != 3 || hull->vertices().size() > most_points ||
        !(shape.inner_ball().radius > 1e-3 * shape.size()))
      return nullptr;
    form->dimension_ = 3;
    parts.take(*hull);
  } else {
    return nullptr;
  }
  for (const Vec3& v : parts.vertices)
    form->reach_ = std::max(form->reach_, distance(v, form->inner_.center) + form->radius_);
  if (form->dimension_ == 3 && parts.vertices.size() <= most_vertices) parts.find_edges();
  form->pack(parts);
  return form;
}

} // namespace carom
