// Seidel's method as in linear_program-inl.h, without its care. A point is kept that satisfies the constraints so far, the farthest along some objective. A constraint that it
// breaks becomes a plane to look for the next point in; one that breaks there, a line. Where the ends of what is left of the line have
// passed each other, the plane's constraint, the line's and those of both ends contradict each other. Their multipliers are the one linear relation that four vectors in space
// have. They are all of one sign, and the offsets add up to less than 0, or nothing has been found.
#include "carom/query/contradiction.h"

#include "carom/math/random_order.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

namespace carom {
namespace {

/// Points farther out are not looked for: a program that needs them is for the other method.
constexpr double limit = 1e6;
/// Of the terms: a constraint that is broken by less counts as kept.
constexpr double slack = 1e-14;

struct Row2 {
  Vec2 normal;
  double offset;
};

using Four = std::array<std::size_t, 4>;

class Quick {
public:
  explicit Quick(std::span<const Constraint3> constraints) {
    const RandomOrder order(constraints.size(), 1);
    index_.reserve(constraints.size());
    rows_.reserve(constraints.size());
    for (std::size_t i = 0; i < constraints.size(); ++i) {
      const Constraint3& c = constraints[order[i]];
      const double l = length(c.normal);
      if (!(l > 0)) continue;
      index_.push_back(order[i]);
      rows_.push_back({c.normal / l, c.offset / l});
    }
    in_plane_.reserve(rows_.size());
  }

  /// In the order of the input; the plane's first.
  std::optional<Four> run() {
    Vec3 x = objective * limit;
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      const double reach = dot(rows_[i].normal, x);
      if (!(reach - rows_[i].offset > slack * (std::fabs(reach) + std::fabs(rows_[i].offset))))
        continue;
      if (!solve_plane(i, x)) return four_;
    }
    return {};
  }

private:
  static constexpr Vec3 objective{0.48, 0.6, 0.64};

  /// The farthest point of plane i that keeps the constraints before. False where there is none, or none was found.
  bool solve_plane(std::size_t i, Vec3& x) {
    const Vec3 n = rows_[i].normal;
    const Vec3 u = perpendicular(n);
    const Vec3 v = cross(n, u);
    const Vec3 foot = n * rows_[i].offset;
    in_plane_.clear();
    Vec2 y = Vec2{dot(objective, u), dot(objective, v)};
    const Vec2 far = normalized_or(y, {1, 0});
    y = far * limit;
    for (std::size_t j = 0; j < i; ++j) {
      const Constraint3& r = rows_[j];
      in_plane_.push_back({{dot(r.normal, u), dot(r.normal, v)}, r.offset - dot(r.normal, foot)});
      const Row2& row = in_plane_[j];
      const double reach = dot(row.normal, y);
      if (!(reach - row.offset > slack * (std::fabs(reach) + std::fabs(r.offset)))) continue;
      if (!solve_line(i, j, far, y)) return false;
    }
    x = foot + u * y.x + v * y.y;
    return true;
  }

  bool solve_line(std::size_t i, std::size_t j, const Vec2& far, Vec2& y) {
    const double l = length(in_plane_[j].normal);
    if (!(l > parallel)) return false;
    const Vec2 n = in_plane_[j].normal / l;
    const Vec2 foot = n * (in_plane_[j].offset / l);
    const Vec2 along = left(n);
    double low = -limit;
    double high = limit;
    std::size_t low_id = none;
    std::size_t high_id = none;
    for (std::size_t k = 0; k < j; ++k) {
      const Row2& row = in_plane_[k];
      const double slope = dot(row.normal, along);
      const double rest = row.offset - dot(row.normal, foot);
      if (std::fabs(slope) <= parallel) continue; // seen as kept: the answer is checked
      const double t = rest / slope;
      if (slope > 0 && t < high) {
        high = t;
        high_id = k;
      } else if (slope < 0 && t > low) {
        low = t;
        low_id = k;
      }
    }
    if (low > high) {
      if (low_id != none && high_id != none) four_ = Four{i, j, low_id, high_id};
      return false;
    }
    y = foot + along * (dot(far, along) > 0 ? high : low);
    return true;
  }

  static constexpr double parallel = 1e-12;
  static constexpr std::size_t none = static_cast<std::size_t>(-1);

  std::vector<std::size_t> index_; ///< per row: which constraint it is
  std::vector<Constraint3> rows_;  ///< of unit normals, in random order
  std::vector<Row2> in_plane_;
  std::optional<Four> four_;

public:
  [[nodiscard]] std::size_t constraint_of(std::size_t row) const { return index_[row]; }
};

} // namespace

std::optional<LinearProof<4>> find_contradiction(std::span<const Constraint3> constraints) {
  Quick quick(constraints);
  const auto rows = quick.run();
  if (!rows) return {};
  LinearProof<4> proof{4, {}, {}};
  std::array<Vec3, 4> n;
  for (std::size_t k = 0; k < 4; ++k) proof.indices[k] = quick.constraint_of((*rows)[k]);
  std::sort(proof.indices.begin(), proof.indices.end());
  for (std::size_t k = 0; k < 4; ++k) n[k] = constraints[proof.indices[k]].normal;
  proof.multipliers = {triple(n[1], n[2], n[3]), -triple(n[0], n[2], n[3]),
                       triple(n[0], n[1], n[3]), -triple(n[0], n[1], n[2])};
  double greatest = 0;
  for (const double m : proof.multipliers) {
    if (std::fabs(m) > std::fabs(greatest)) greatest = m;
  }
  if (greatest == 0) return {};
  double sum = 0;
  for (std::size_t k = 0; k < 4; ++k) {
    double& m = proof.multipliers[k];
    m /= greatest;
    if (!(m >= 0)) return {};
    sum += m * constraints[proof.indices[k]].offset;
  }
  if (!(sum < 0)) return {};
  return proof;
}

} // namespace carom
