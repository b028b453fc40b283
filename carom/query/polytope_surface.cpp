#include "carom/query/polytope_surface.h"

#include "carom/geometry/separating_axis.h"
#include "carom/math/predicates.h"
#include "carom/math/tolerance.h"

#include <bit>

namespace carom {
namespace {

FaceBlock empty_block() {
  FaceBlock b{};
  std::fill_n(b.distance, 8, INFINITY);
  std::fill_n(b.key, 8, INFINITY);
  return b;
}

} // namespace

void PolytopeSurface::start(const std::array<Corner, 4>& corners, double size) {
  slack_ = (16 + 8 / thin_triangle) * tolerance::epsilon * size;
  nothing_ = 0x1p-104 * size;
  corners_.clear();
  for (const Corner& c : corners) corners_.push_back(without_dust(c));
  if (orient3d(point(0), point(1), point(2), point(3)) > 0) std::swap(corners_[1], corners_[2]);
  // Two faces, back to back; then a fan from the last corner in the place of the second.
  blocks_.assign(1, empty_block());
  topology_.assign({{{0, 1, 2}, {}}, {}});
  const Vec3 n = normalized(accurate_cross(point(0), point(1), point(0), point(2)));
  set_plane(0, n, dot(n, point(0)));
  rim_.resize(std::max<std::size_t>(rim_.size(), 12));
  places_.resize(rim_.size());
  rim_[0] = {1, 0, 0};
  rim_[1] = {2, 1, 1};
  rim_[2] = {0, 2, 2};
  rim_edges_ = 3;
  removed_ = 1;
  places_[0] = 1;
  add_fan();
}

bool PolytopeSurface::take_nearest(Face& face) {
  const Index f = lanes_.nearest(blocks_.data(), blocks_.size());
  FaceBlock& block = blocks_[f / 8];
  if (!(block.key[f % 8] < INFINITY)) return false;
  block.key[f % 8] = INFINITY;
  face = {f, normal(f), distance(f)};
  return true;
}

PolytopeSurface::Corner PolytopeSurface::without_dust(const Corner& c) const {
  Corner r = c;
  for (int i = 0; i < 3; ++i) {
    if (std::fabs(c.difference[i]) < nothing_) r.difference[i] = 0;
  }
  return r;
}

bool PolytopeSurface::expand(const Corner& corner) {
  const Corner w = without_dust(corner);
  if (!find_visible(w.difference)) return false;
  find_rim();
  if (!is_loop()) return false;
  corners_.push_back(w);
  add_fan();
  return true;
}

bool PolytopeSurface::find_visible(const Vec3& p) {
  visible_.resize(blocks_.size());
  unsure_.resize(blocks_.size());
  // The planes as computed tell, but for points that are in them to within rounding: a normal is off by as many epsilon as the distance
  // is, and p is at most two sizes away.
  if (lanes_.find_above(blocks_.data(), blocks_.size(), p, 4 * slack_, visible_.data(),
                        unsure_.data())) {
    for (std::size_t i = 0; i < unsure_.size(); ++i) {
      for (unsigned bits = unsure_[i]; bits != 0; bits &= bits - 1) {
        const auto lane = static_cast<unsigned>(std::countr_zero(bits));
        const auto& v = topology_[8 * i + lane].vertex;
        if (orient3d(point(v[0]), point(v[1]), point(v[2]), p) > 0)
          visible_[i] = static_cast<std::uint8_t>(visible_[i] | 1u << lane);
      }
    }
  }
  return std::any_of(visible_.begin(), visible_.end(), [](std::uint8_t bits) { return bits != 0; });
}

void PolytopeSurface::find_rim() {
  const std::size_t faces = topology_.size();
  if (rim_.size() < 3 * faces) {
    rim_.resize(6 * faces);
    places_.resize(6 * faces);
  }
  removed_ = 0;
  std::size_t edges = 0;
  for (std::size_t i = 0; i < visible_.size(); ++i) {
    for (unsigned bits = visible_[i]; bits != 0; bits &= bits - 1) {
      const auto f = static_cast<Index>(8 * i) + static_cast<Index>(std::countr_zero(bits));
      places_[removed_++] = f;
      const Topology& t = topology_[f];
      // Written in any case, and kept where it is on the rim: a branch would be guessed wrong every other time.
      for (std::size_t side = 0; side < 3; ++side) {
        rim_[edges] = {t.vertex[side], t.vertex[(side + 1) % 3], t.twin[side]};
        edges += is_visible(t.twin[side] / 4) ? 0 : 1;
      }
    }
  }
  rim_edges_ = edges;
}

bool PolytopeSurface::is_loop() {
  starts_.resize(corners_.size() + 1);
  for (std::size_t i = 0; i < rim_edges_; ++i) starts_[rim_[i].from] = static_cast<Index>(i);
  std::size_t length = 0;
  Index e = 0;
  do {
    const Index next = starts_[rim_[e].to];
    if (next >= rim_edges_ || rim_[next].from != rim_[e].to) return false;
    e = next;
    ++length;
  } while (e != 0 && length < rim_edges_);
  return e == 0 && length == rim_edges_;
}

void PolytopeSurface::add_fan() {
  const Index apex = static_cast<Index>(corners_.size()) - 1;
  // In the places of those removed, and behind the last.
  const std::size_t before = topology_.size();
  for (std::size_t i = removed_; i < rim_edges_; ++i)
    places_[i] = static_cast<Index>(before + i - removed_);
  topology_.resize(before + std::max(rim_edges_, removed_) - removed_);
  while (blocks_.size() < (topology_.size() + 7) / 8) blocks_.push_back(empty_block());
  starts_.resize(corners_.size());
  for (std::size_t i = 0; i < rim_edges_; ++i) {
    const Edge& e = rim_[i];
    const Index f = places_[i];
    starts_[e.from] = f;
    topology_[f] = {{e.from, e.to, apex}, {e.beyond, 0, 0}};
    topology_[e.beyond / 4].twin[e.beyond % 4] = 4 * f;
  }
  for (std::size_t i = 0; i < rim_edges_; ++i) {
    const Index f = places_[i];
    const Index next = starts_[rim_[i].to];
    topology_[f].twin[1] = 4 * next + 2;
    topology_[next].twin[2] = 4 * f + 1;
  }
  for (std::size_t i = 0; i < rim_edges_; i += 8)
    set_planes(i, std::min<std::size_t>(8, rim_edges_ - i));
  // Corners in the midst of the faces removed are gone, and each takes two faces with it. From the last gap on: behind it are faces only.
  for (std::size_t i = removed_; i > rim_edges_; --i) move_last_to(places_[i - 1]);
}

void PolytopeSurface::move_last_to(Index gap) {
  const auto last = static_cast<Index>(topology_.size()) - 1;
  const double key = blocks_[last / 8].key[last % 8];
  if (gap != last) {
    const Topology& t = topology_[gap] = topology_[last];
    for (Index side = 0; side < 3; ++side)
      topology_[t.twin[side] / 4].twin[t.twin[side] % 4] = 4 * gap + side;
    set_plane(gap, normal(last), distance(last));
    blocks_[gap / 8].key[gap % 8] = key;
  }
  set_plane(last, {}, INFINITY);
  topology_.pop_back();
}

void PolytopeSurface::set_plane(Index f, const Vec3& normal, double distance) {
  FaceBlock& block = blocks_[f / 8];
  const Index lane = f % 8;
  block.x[lane] = normal.x;
  block.y[lane] = normal.y;
  block.z[lane] = normal.z;
  block.distance[lane] = block.key[lane] = distance;
}

void PolytopeSurface::set_planes(std::size_t first, std::size_t count) {
  FanBlock fan;
  // Lanes without an edge repeat the last one.
  for (std::size_t i = 0; i < 8; ++i) {
    const Edge& e = rim_[first + std::min(i, count - 1)];
    const Vec3& from = point(e.from);
    const Vec3& to = point(e.to);
    fan.from_x[i] = from.x;
    fan.from_y[i] = from.y;
    fan.from_z[i] = from.z;
    fan.to_x[i] = to.x;
    fan.to_y[i] = to.y;
    fan.to_z[i] = to.z;
  }
  const Vec3& w = corners_.back().difference;
  FaceBlock planes;
  const unsigned fat = lanes_.make_planes(fan, w, planes);
  for (std::size_t i = 0; i < count; ++i) {
    const Index f = places_[first + i];
    if (fat >> i & 1) {
      set_plane(f, {planes.x[i], planes.y[i], planes.z[i]}, planes.distance[i]);
    } else {
      const Vec3& from = point(rim_[first + i].from);
      const Vec3 n = normalized(accurate_cross(from, point(rim_[first + i].to), from, w));
      set_plane(f, n, dot(n, from));
    }
  }
}

double PolytopeSurface::least_distance() const {
  double least = INFINITY;
  for (Index f = 0; f < topology_.size(); ++f) least = std::min(least, distance(f));
  return least;
}

double PolytopeSurface::least_taken_distance() const {
  double least = INFINITY;
  for (Index f = 0; f < topology_.size(); ++f) {
    if (blocks_[f / 8].key[f % 8] == INFINITY) least = std::min(least, distance(f));
  }
  return least;
}

PolytopeSurface::Mixture PolytopeSurface::below_origin(const Face& f) const {
  const Vec3 foot = f.normal * f.distance;
  Weighted best = weights_at(f.index, f.normal, foot);
  double least = *std::min_element(best.weight.begin(), best.weight.end());
  Weighted here = best;
  for (std::size_t step = 0; step < topology_.size() && least < 0; ++step) {
    // The edge opposite to corner i runs from corner i + 1.
    const auto i = static_cast<std::size_t>(
        std::min_element(here.weight.begin(), here.weight.end()) - here.weight.begin());
    here = weights_at(topology_[here.face].twin[(i + 1) % 3] / 4, f.normal, foot);
    const double weight = *std::min_element(here.weight.begin(), here.weight.end());
    // Around a corner of the face the normals turn away: there the walk ends.
    if (!(dot(normal(here.face), f.normal) > 0.5)) break;
    if (weight > least) {
      least = weight;
      best = here;
    }
  }
  double whole = 0;
  for (double& w : best.weight) whole += w = std::max(w, 0.0);
  if (!(whole > 0)) best.weight = {whole = 1, 0, 0};
  Mixture m{};
  for (std::size_t i = 0; i < 3; ++i) {
    m.corner[i] = &corners_[topology_[best.face].vertex[i]];
    m.weight[i] = best.weight[i] / whole;
  }
  return m;
}

/// The weights of a point in the plane of a face at right angles to n: negative beyond an edge.
PolytopeSurface::Weighted PolytopeSurface::weights_at(Index f, const Vec3& n, const Vec3& p) const {
  const auto& v = topology_[f].vertex;
  Weighted w{f, {}};
  double whole = 0;
  for (std::size_t i = 0; i < 3; ++i) {
    w.weight[i] = dot(n, cross(point(v[(i + 1) % 3]) - p, point(v[(i + 2) % 3]) - p));
    whole += w.weight[i];
  }
  for (double& x : w.weight) x = whole > 0 ? x / whole : -1;
  return w;
}

} // namespace carom
