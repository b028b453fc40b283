#include "carom/motion/screw_features.h"

#include "carom/geometry/closest_line.h"
#include "carom/geometry/closest_point.h"
#include "carom/geometry/fit_aabb.h"
#include "carom/math/roots.h"

#include <algorithm>

namespace carom {
namespace {

/// Within the band are all volumes that may be 0. With L the length that the tolerance is 2^-40 of, 4096 roundings: a volume is a sum of some dozen products, each at most L times two sides, so 256 of them are more than enough
/// for the roundings of its coefficients and of its value; and half as much again for corners that were rounded when they were placed.
constexpr double band_share = 0.1;
/// Edges so nearly parallel that an end of one is within this share of the tolerance of the other, where they cross: left to the vertex and the triangles at it, if there are any. Their bands are as wide as that.
constexpr double parallel_share = 0.125;
/// So often the distance of two features is measured; it takes a few.
constexpr int most_steps = 512;
/// In a window of time, nothing moves farther than this share of the smaller set; and there are not more of them than that.
constexpr double window_share = 0.25;
constexpr int most_windows = 32;

double value_at(const Polynomial& p, double u) { return ((p.a * u + p.b) * u + p.c) * u + p.d; }

/// Whether the polynomial is surely more than 0 all through: its Bernstein coefficients are.
bool stays_positive(const Polynomial& p, double from, double to) {
  const double w = to - from;
  const double value = value_at(p, from);
  const double slope = ((3 * p.a * from + 2 * p.b) * from + p.c) * w;
  const double bend = (3 * p.a * from + p.b) * (w * w);
  const double b1 = value + slope / 3, b2 = value + (2 * slope + bend) / 3;
  const double b3 = value + slope + bend + p.a * (w * w * w);
  return value > 0 && b1 > 0 && b2 > 0 && b3 > 0;
}

/// The next time in the band.
struct Candidate {
  double u = 2; ///< beyond all times: none
  int side = 0; ///< the sign of the volume on the way there; 0 where it is in the band already
};
Candidate next_in_band(const Polynomial& p, double band, double from, double until) {
  const double value = value_at(p, from);
  if (!(std::fabs(value) > band)) return {from, 0};
  const int side = value > 0 ? 1 : -1;
  const double s = side;
  const Polynomial above{s * p.a, s * p.b, s * p.c, s * p.d - band};
  if (stays_positive(above, from, until)) return {};
  const Roots roots = real_roots(above, {from, until});
  if (!roots.finite) return {from, 0};
  if (roots.count == 0) return {};
  return {std::max(roots.root[0].x.lo, from), side};
}

bool apart(const Aabb& a, const Aabb& b) {
  return a.min.x > b.max.x || b.min.x > a.max.x || a.min.y > b.max.y || b.min.y > a.max.y ||
         a.min.z > b.max.z || b.min.z > a.max.z;
}
Aabb joined(const Aabb& a, const Aabb& b) { return {min(a.min, b.min), max(a.max, b.max)}; }

struct Measured {
  Vec3 on_a, on_b;
  double distance = 0;
};

/// The corners of two features, both as they are seen from the world and from the body.
class Corners {
public:
  Corners(const ScrewPath& path, double tolerance) : path_(path), tolerance_(tolerance) {}
  /// Where it is when u = 0, and W times where it is then.
  void add_moving(const Vec3& at, const VectorCubic& path) {
    moving_[moving_count_++] = {at, &path};
  }
  /// Where it is, and W times where it is seen from the body.
  void add_resting(const Vec3& at, const VectorCubic& seen) {
    resting_[resting_count_++] = {at, &seen};
  }

  /// From a time when they are `apart`, with n the unit vector between the nearest points: until when they surely are not touching. By the speed; and by n, at rest or turning along, for as long as it keeps
  /// them apart: to the next root of one of the cubics n . x(u) - level W. Where they are so near that rounding makes n worthless, that of the time before does better.
  double clear_until(const Vec3& n, double apart, double from, double until) {
    double speed = 0;
    for (std::size_t i = 0; i < moving_count_; ++i)
      speed = std::max(speed, path_.speed(moving_[i].at, 0, from));
    double clear = speed > 0 ? from + (apart - 0.5 * tolerance_) / speed : 2;
    const Vec3 carried = path_.turned_back(n, from);
    const std::array<Vec3, 2> world{n, last_world_}, body{carried, last_body_};
    for (std::size_t i = 0; i < 2; ++i) {
      clear = std::max(clear, run(resting(), moving(), -world[i], from, until));
      clear = std::max(clear, run(moving(), resting(), body[i], from, until));
    }
    last_world_ = n;
    last_body_ = carried;
    return clear;
  }

private:
  struct Corner {
    Vec3 at;
    const VectorCubic* path = nullptr;
  };
  [[nodiscard]] std::span<const Corner> moving() const { return {moving_.data(), moving_count_}; }
  [[nodiscard]] std::span<const Corner> resting() const {
    return {resting_.data(), resting_count_};
  }
  /// Until when all of `others`, along their paths, are beyond `fixed` along n, by half the tolerance.
  [[nodiscard]] double run(std::span<const Corner> fixed, std::span<const Corner> others,
                           const Vec3& n, double from, double until) const {
    double level = -INFINITY;
    for (const Corner& c : fixed) level = std::max(level, dot(n, c.at));
    level += 0.5 * tolerance_;
    const double t2 = path_.tangent() * path_.tangent();
    double clear = 2;
    for (const Corner& other : others) {
      const auto& c = other.path->c;
      const Polynomial gap{dot(n, c[3]), dot(n, c[2]) - level * t2, dot(n, c[1]),
                           dot(n, c[0]) - level};
      if (!(value_at(gap, from) > 0)) return from;
      clear = std::min(clear, next_in_band(gap, 0, from, until).u);
    }
    return clear;
  }

  const ScrewPath& path_;
  double tolerance_;
  std::array<Corner, 3> moving_{}, resting_{};
  std::size_t moving_count_ = 0, resting_count_ = 0;
  Vec3 last_world_{}, last_body_{};
};

/// Goes through the times in the band. measure(u) gives the distance then; skip(u), until when it need not be asked; normal(u), the way from the plane of the features to its positive side, which A is on where
/// `a_above`.
template<class Measure, class Skip, class Normal>
void follow(const Polynomial& volume, double band, Corners& corners, double tolerance, double from,
            ScrewContact& best, bool a_above, Measure&& measure, Skip&& skip, Normal&& normal) {
  double u = from;
  for (int step = 0;; ++step) {
    const Candidate next = next_in_band(volume, band, u, best.u);
    // At an equal time the first pair stays; at the very end, touching counts.
    if (next.u > best.u || (best.hit && next.u == best.u)) return;
    if (const double on = skip(next.u); on > next.u) {
      if (on > best.u) return;
      u = on;
      continue;
    }
    const Measured d = measure(next.u);
    if (d.distance <= tolerance || step >= most_steps) {
      const Vec3 straight = d.distance > 0.25 * tolerance ? d.on_b - d.on_a : Vec3{};
      const Vec3 across = normal(next.u) * ((next.side > 0) == a_above ? -1.0 : 1.0);
      best = {true,
              next.u,
              d.on_a,
              d.on_b,
              normalized_or(next.side != 0 ? across : straight, {}),
              d.distance,
              d.distance <= tolerance};
      return;
    }
    u = corners.clear_until((d.on_b - d.on_a) / d.distance, d.distance, next.u, best.u);
    if (u > best.u) return;
  }
}

double extent(const FeatureSet& set) {
  const Aabb box = fit_aabb(set.vertices);
  return length(box.max - box.min);
}

} // namespace

void ScrewSearch::Near::clear() {
  vertices.clear();
  edges.clear();
  triangles.clear();
  edge_boxes.clear();
  triangle_boxes.clear();
}

void ScrewSearch::prepare(const FeatureSet& a, const FeatureSet& b, double from) {
  vertices_.clear();
  for (const Vec3& p : a.vertices) vertices_.push_back({path_->point(p), {}, path_->bulge(p, 1)});
  speed_ = 0;
  for (const Vec3& p : a.vertices) speed_ = std::max(speed_, path_->speed(p, 0, from));
  edges_.clear();
  for (const auto& [i, j] : a.edges) {
    const Vec3 e = a.vertices[j] - a.vertices[i];
    edges_.push_back(
        {path_->direction(e), path_->moment(a.vertices[i], e), length(e), path_->turning(e)});
  }
  seen_.clear();
  for (const Vec3& q : b.vertices) seen_.push_back(path_->point_seen(q));
  box_b_ = fit_aabb(b.vertices);
}

ScrewContact ScrewSearch::first_contact(const ScrewPath& path, const FeatureSet& a,
                                        const FeatureSet& b, double from, double until) {
  path_ = &path;
  ScrewContact best;
  best.u = until;
  if (!(from <= until)) return best;
  prepare(a, b, from);
  const double size = std::max(std::min(extent(a), extent(b)), 16 * tolerance_);
  const double wanted = std::ceil(speed_ * (until - from) / (window_share * size));
  const int windows = wanted < most_windows ? std::max(static_cast<int>(wanted), 1) : most_windows;
  for (int k = 0; k < windows && !best.hit; ++k) {
    const double begin = from + (until - from) * k / windows;
    const double end = k + 1 == windows ? until : from + (until - from) * (k + 1) / windows;
    if (!open_window(a, b, begin, end)) continue;
    best.u = end;
    search_window(a, b, begin, best);
  }
  if (!best.hit) best.u = until;
  return best;
}

bool ScrewSearch::open_window(const FeatureSet& a, const FeatureSet& b, double from, double to) {
  near_a_.clear();
  near_b_.clear();
  Aabb box_a;
  const double first = path_->weight(from), last = path_->weight(to);
  for (MovingVertex& v : vertices_) {
    const Vec3 p = v.path.at(from) / first, q = v.path.at(to) / last;
    const double more = v.bulge * ((to - from) * (to - from)) + tolerance_;
    const Vec3 around{more, more, more};
    v.box = {min(p, q) - around, max(p, q) + around};
    box_a = joined(box_a, v.box);
  }
  if (apart(box_a, box_b_)) return false;
  const auto number = [](std::size_t i) { return static_cast<std::uint32_t>(i); };
  for (std::size_t i = 0; i < vertices_.size(); ++i)
    if (!apart(vertices_[i].box, box_b_)) near_a_.vertices.push_back(number(i));
  for (std::size_t i = 0; i < b.vertices.size(); ++i)
    if (!apart(box_a, {b.vertices[i], b.vertices[i]})) near_b_.vertices.push_back(number(i));
  const auto gather = [&](const auto& things, const Aabb& other, auto&& box_of, auto& numbers,
                          std::vector<Aabb>& boxes) {
    for (std::size_t i = 0; i < things.size(); ++i) {
      Aabb box;
      for (const std::uint32_t v : things[i]) box = joined(box, box_of(v));
      if (apart(box, other)) continue;
      numbers.push_back(number(i));
      boxes.push_back(box);
    }
  };
  const auto box_of_a = [&](std::uint32_t v) { return vertices_[v].box; };
  const auto box_of_b = [&](std::uint32_t v) { return Aabb{b.vertices[v], b.vertices[v]}; };
  gather(a.edges, box_b_, box_of_a, near_a_.edges, near_a_.edge_boxes);
  gather(a.triangles, box_b_, box_of_a, near_a_.triangles, near_a_.triangle_boxes);
  gather(b.edges, box_a, box_of_b, near_b_.edges, near_b_.edge_boxes);
  gather(b.triangles, box_a, box_of_b, near_b_.triangles, near_b_.triangle_boxes);
  return true;
}

void ScrewSearch::search_window(const FeatureSet& a, const FeatureSet& b, double from,
                                ScrewContact& best) {
  for (std::size_t j = 0; j < near_b_.triangles.size(); ++j)
    for (const std::uint32_t v : near_a_.vertices)
      if (!apart(vertices_[v].box, near_b_.triangle_boxes[j]))
        try_vertex(a, v, b, near_b_.triangles[j], from, best);
  for (std::size_t i = 0; i < near_a_.triangles.size(); ++i)
    for (const std::uint32_t v : near_b_.vertices)
      if (const Vec3& q = b.vertices[v]; !apart(near_a_.triangle_boxes[i], {q, q}))
        try_triangle(a, near_a_.triangles[i], b, v, from, best);
  for (std::size_t i = 0; i < near_a_.edges.size(); ++i)
    for (std::size_t j = 0; j < near_b_.edges.size(); ++j)
      if (!apart(near_a_.edge_boxes[i], near_b_.edge_boxes[j]))
        try_edges(a, near_a_.edges[i], b, near_b_.edges[j], from, best);
}

namespace {

/// n . x - n . a W, for x = path, with a band for triangles.
struct TriangleVolume {
  Vec3 normal;
  Polynomial volume;
  double band;

  TriangleVolume(const std::array<Vec3, 3>& t, const VectorCubic& path, double tangent,
                 double tolerance) {
    const Vec3 ab = t[1] - t[0], ac = t[2] - t[0];
    normal = cross(ab, ac);
    const double offset = dot(normal, t[0]);
    volume = {dot(normal, path.c[3]), dot(normal, path.c[2]) - offset * (tangent * tangent),
              dot(normal, path.c[1]), dot(normal, path.c[0]) - offset};
    // The weight is at most 2.
    band = tolerance * (band_share * length(ab) * length(ac) + 2 * parallel_share * length(normal));
  }
};

constexpr auto no_skip = [](double) { return -1.0; };

} // namespace

void ScrewSearch::try_vertex(const FeatureSet& a, std::uint32_t v, const FeatureSet& b,
                             std::uint32_t triangle, double from, ScrewContact& best) {
  ++pairs_;
  const auto& [x, y, z] = b.triangles[triangle];
  const std::array<Vec3, 3> t{b.vertices[x], b.vertices[y], b.vertices[z]};
  const MovingVertex& vertex = vertices_[v];
  const TriangleVolume plane(t, vertex.path, path_->tangent(), tolerance_);
  Corners corners(*path_, tolerance_);
  corners.add_moving(a.vertices[v], vertex.path);
  for (const std::uint32_t k : b.triangles[triangle]) corners.add_resting(b.vertices[k], seen_[k]);
  follow(
      plane.volume, plane.band, corners, tolerance_, from, best, true,
      [&](double u) -> Measured {
        const Vec3 p = vertex.path.at(u) / path_->weight(u);
        const ClosestOnTriangle c = closest_point(p, Triangle{t[0], t[1], t[2]});
        return {p, c.point, c.distance};
      },
      no_skip, [&](double) { return plane.normal; });
}

void ScrewSearch::try_triangle(const FeatureSet& a, std::uint32_t triangle, const FeatureSet& b,
                               std::uint32_t v, double from, ScrewContact& best) {
  ++pairs_;
  const Vec3& q = b.vertices[v];
  const auto& [i, j, k] = a.triangles[triangle];
  const TriangleVolume plane({a.vertices[i], a.vertices[j], a.vertices[k]}, seen_[v],
                             path_->tangent(), tolerance_);
  Corners corners(*path_, tolerance_);
  for (const std::uint32_t c : {i, j, k}) corners.add_moving(a.vertices[c], vertices_[c].path);
  corners.add_resting(q, seen_[v]);
  follow(
      plane.volume, plane.band, corners, tolerance_, from, best, false,
      [&, i = i, j = j, k = k](double u) -> Measured {
        const double w = path_->weight(u);
        const ClosestOnTriangle c =
            closest_point(q, Triangle{vertices_[i].path.at(u) / w, vertices_[j].path.at(u) / w,
                                      vertices_[k].path.at(u) / w});
        return {c.point, q, c.distance};
      },
      no_skip, [&](double u) { return path_->turned(plane.normal, u); });
}

void ScrewSearch::try_edges(const FeatureSet& a, std::uint32_t edge_a, const FeatureSet& b,
                            std::uint32_t edge_b, double from, ScrewContact& best) {
  const MovingEdge& moving = edges_[edge_a];
  const auto& [i, j] = a.edges[edge_a];
  const Vec3& q = b.vertices[b.edges[edge_b][0]];
  const Vec3& q_end = b.vertices[b.edges[edge_b][1]];
  const Vec3 f = q_end - q, m = cross(q, f);
  const double f_length = length(f);
  // A point and a side of a triangle are a vertex and a triangle.
  if ((moving.length == 0 && !b.triangles.empty()) || (f_length == 0 && !a.triangles.empty()))
    return;
  ++pairs_;
  const bool faces = !a.triangles.empty() && !b.triangles.empty();
  const auto coefficient = [&](std::size_t k) {
    return dot(f, moving.moment.c[k]) + dot(m, moving.direction.c[k]);
  };
  const Polynomial volume{coefficient(3), coefficient(2), coefficient(1), coefficient(0)};
  const double band = band_share * tolerance_ * moving.length * f_length;
  Corners corners(*path_, tolerance_);
  for (const std::uint32_t k : {i, j}) corners.add_moving(a.vertices[k], vertices_[k].path);
  for (const std::uint32_t k : b.edges[edge_b]) corners.add_resting(b.vertices[k], seen_[k]);
  const auto across = [&](double u) { return cross(moving.direction.at(u), f) / path_->weight(u); };
  follow(
      volume, band, corners, tolerance_, from, best, true,
      [&, i = i, j = j](double u) -> Measured {
        const double w = path_->weight(u);
        const ClosestLines c = closest_points(
            Segment{vertices_[i].path.at(u) / w, vertices_[j].path.at(u) / w}, Segment{q, q_end});
        return {c.on_a, c.on_b, c.distance};
      },
      [&](double u) {
        // While they are that near to parallel, the ends will do.
        if (!faces) return -1.0;
        const double sine = length(across(u)) / (moving.length * f_length);
        const double left = parallel_share * tolerance_ / std::min(moving.length, f_length) - sine;
        if (!(left > 0)) return -1.0;
        return moving.turning > 0 ? u + left / moving.turning : 2.0;
      },
      across);
}

} // namespace carom
