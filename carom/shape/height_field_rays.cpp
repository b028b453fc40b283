// The ray goes down the tree of blocks, nearer ones first. Of each block on its way it has an interval of its parameter s: where it is over the block. The lines
// through the block's middle split the interval among the four blocks below, and a block is left out where the ray's heights over its interval are all above or all below the
// block's. So a ray high over the terrain passes large blocks in one step, and close to it smaller ones. What is left in the end is cells, asked exactly.
//
// s counts in units along the greatest component of the direction. All this is in doubles and rounds, so the lines are moved by a slack, for each side its own way, and intervals
// overlap a little. The slack is relative to the coordinates of the field and of the ray's start. A start far away is moved near first, in twice the digits: the slack
// stays small from everywhere.
#include "carom/shape/height_field_rays.h"

#include "carom/math/double_double.h"
#include "carom/math/tolerance.h"
#include "carom/tree/exact_meeting.h"

#include <algorithm>

namespace carom {
namespace {

/// A ray from -late <= s + start on. Its point at s is from + s along.
struct FieldRay {
  bool hits = true; ///< false where it certainly passes the field
  Vec3 from, along;
  Vec3 inverse;       ///< 1 / along, at most 2^60
  double slack;       ///< how far a point may really be from where these numbers have it
  double speed;       ///< of s, per t
  double start = 0;   ///< s = t * speed - start
  double late;        ///< how far off an s that comes from a rounded t may be
  double least, most; ///< of s
};

/// An origin of at most so many times the field's size from zero is used as it is.
constexpr double near_enough = 16;
/// A direction that turns from a coordinate plane by less than this does not leave it by more than the slack, on the way over a field.
constexpr double least_component = 0x1p-60;

Aabb grown(const Aabb& box, double by) {
  const Vec3 all{by, by, by};
  return {box.min - all, box.max + all};
}

bool before(const DoubleDouble& a, const DoubleDouble& b) { return sign(b - a) > 0; }

/// Moves the start to where the ray comes to the box. Each operation has an error of 2^-100, relative to the distance of the origin.
void come_near(FieldRay& r, const Ray& ray, const Aabb& box, double size) {
  const double far = max_abs(ray.origin);
  r.slack = 0x1p-44 * size + 0x1p-90 * far;
  const Aabb around = grown(box, r.slack);
  DoubleDouble enter{-INFINITY};
  for (int i = 0; i < 3; ++i) {
    const double d = ray.direction[i];
    if (std::fabs(d) <= 0x1p-120 * r.speed) continue; // moves by less than the slack
    const double face = d > 0 ? around.min[i] : around.max[i];
    const DoubleDouble at = (DoubleDouble{face} - DoubleDouble{ray.origin[i]}) / DoubleDouble{d};
    if (!(enter.high > -INFINITY) || before(enter, at)) enter = at;
  }
  for (int i = 0; i < 3; ++i)
    r.from[i] = (DoubleDouble{ray.origin[i]} + enter * DoubleDouble{ray.direction[i]}).high;
  r.start = enter.high * r.speed;
  const Aabb wider = grown(around, r.slack);
  r.hits = min(r.from, wider.min) == wider.min && max(r.from, wider.max) == wider.max;
}

FieldRay field_ray(const HeightField& field, const TriangleRay& query) {
  const Ray& ray = query.ray;
  const Aabb& box = field.bounds();
  const double size = std::max(max_abs(box.min), max_abs(box.max));
  const double far = max_abs(ray.origin);
  const double greatest = max_abs(ray.direction);
  const bool point = !(greatest > 0);
  FieldRay r;
  r.speed = point ? 1 : greatest;
  r.along = point ? Vec3{0, 0, 1} : ray.direction / greatest;
  r.from = ray.origin;
  r.slack = 0x1p-44 * (far + size);
  // t is right to 1e-13 of the distance (cast_flat.h).
  r.late = 0x1p-40 * (far + size);
  if (far > near_enough * size && !point) come_near(r, ray, box, size);
  r.least = -r.start - r.late;
  r.most = (point ? 0 : query.t_max * r.speed) - r.start + r.late;
  for (int i = 0; i < 3; ++i) {
    const double d = r.along[i];
    r.inverse[i] = std::fabs(d) < least_component ? (d < 0 ? -1 : 1) / least_component : 1 / d;
  }
  return r;
}

double lesser(double a, double b) { return a < b ? a : b; }
double greater(double a, double b) { return a > b ? a : b; }

/// Where a ray is over a block, or somewhat more.
struct Stretch {
  double enter, leave;

  [[nodiscard]] bool empty() const { return !(enter <= leave); }
};

Stretch common(const Stretch& a, const Stretch& b) {
  return {greater(a.enter, b.enter), lesser(a.leave, b.leave)};
}

/// The two halves of a block along one axis, in the order in which the ray meets them; or the block itself, where the other half is beyond the end of the grid.
struct Below {
  std::array<std::uint32_t, 2> at;
  std::array<Stretch, 2> part;

  Below(std::uint32_t first, const Stretch& all)
      : at{first, first}, part{all, Stretch{INFINITY, -INFINITY}} {}
};

/// A block to be visited. Without initial values: many of them lie on the stack unused.
struct Visit {
  Stretch stretch;
  std::uint32_t level, x, y;
};

/// One search. The goal says what for: found(triangle, t) takes the hits, and gives the t up to which others matter, negative to end.
template<class Goal>
class RaySearch {
public:
  RaySearch(const HeightField& field, const TriangleRay& query, Goal& goal)
      : field_(field), levels_(field.levels()), query_(query), goal_(goal),
        ray_(field_ray(field, query)), t_max_(query.t_max), limit_(ray_.most) {
    const double per_tick = 1 / levels_.rise();
    tick_from_ = (ray_.from.z - levels_.base()) * per_tick;
    tick_along_ = ray_.along.z * per_tick;
    tick_slack_ = ray_.slack * per_tick;
  }

  void run() {
    const Stretch all = over_bounds();
    if (!ray_.hits || all.empty()) return;
    stack_[count_++] = {all, field_.root().level, 0, 0};
    while (count_ > 0 && t_max_ >= 0) {
      const Visit visit = stack_[--count_];
      if (visit.stretch.enter > limit_) continue;
      if (visit.level == 0)
        at_cell(visit);
      else
        split(visit);
    }
  }

private:
  [[nodiscard]] Stretch over_bounds() const {
    const Aabb box = grown(field_.bounds(), ray_.slack);
    Stretch result{ray_.least, ray_.most};
    for (int i = 0; i < 3; ++i) {
      const double a = (box.min[i] - ray_.from[i]) * ray_.inverse[i];
      const double b = (box.max[i] - ray_.from[i]) * ray_.inverse[i];
      result = common(result, {std::min(a, b), std::max(a, b)});
    }
    return result;
  }

  /// Cuts a block in two by a line across axis i.
  void halve(Below& below, int i, double line) const {
    const double forth = (line - ray_.from[i]) * ray_.inverse[i];
    const double off = ray_.slack * std::fabs(ray_.inverse[i]);
    const Stretch all = below.part[0];
    below.part = {common(all, {all.enter, forth + off}), common(all, {forth - off, all.leave})};
    const std::uint32_t back = ray_.inverse[i] < 0 ? 1 : 0;
    const std::uint32_t first = below.at[0];
    below.at = {first + back, first + 1 - back};
  }

  /// Puts the four blocks below on the stack, as far as the ray may meet them. Which ones it does nobody can foretell, so there are no branches: each is written, and counts or does not.
  void split(const Visit& visit) {
    const std::uint32_t level = visit.level - 1;
    Below x{2 * visit.x, visit.stretch}, y{2 * visit.y, visit.stretch};
    const std::uint64_t middle_x = (std::uint64_t{x.at[0]} + 1) << level;
    const std::uint64_t middle_y = (std::uint64_t{y.at[0]} + 1) << level;
    // Beyond the end of the grid there is nothing, and the ray's stretch ends before.
    if (middle_x < field_.cell_columns())
      halve(x, 0, field_.x(static_cast<std::uint32_t>(middle_x)));
    if (middle_y < field_.cell_rows()) halve(y, 1, field_.y(static_cast<std::uint32_t>(middle_y)));
    const std::size_t x_first = x.part[1].enter <= y.part[1].enter ? 1 : 0;
    // The last one first: it lies on the stack below.
    push(level, x, 1, y, 1);
    push(level, x, 1 - x_first, y, x_first);
    push(level, x, x_first, y, 1 - x_first);
    push(level, x, 0, y, 0);
  }

  void push(std::uint32_t level, const Below& x, std::size_t i, const Below& y, std::size_t j) {
    const Visit next{common(x.part[i], y.part[j]), level, x.at[i], y.at[j]};
    stack_[count_] = next;
    const bool over = !next.stretch.empty();
    count_ += static_cast<std::size_t>(over & meets(next));
  }

  /// Whether the ray may be at the heights of the block while it is over it. Smaller blocks have no span at hand.
  [[nodiscard]] bool meets(const Visit& visit) const {
    if (visit.level < HeightLevels::first) return true;
    const TickSpan span = levels_.at(static_cast<int>(visit.level), visit.x, visit.y);
    const double a = tick_from_ + visit.stretch.enter * tick_along_;
    const double b = tick_from_ + visit.stretch.leave * tick_along_;
    const bool low = lesser(a, b) - tick_slack_ <= span.high;
    const bool high = greater(a, b) + tick_slack_ >= span.low;
    return low & high & !span.empty();
  }

  void at_cell(const Visit& visit) {
    const std::uint32_t column = visit.x, row = visit.y;
    const std::uint32_t cell = field_.cell(column, row);
    if (field_.hole(cell)) return;
    const double z[4] = {field_.height(column, row), field_.height(column + 1, row),
                         field_.height(column, row + 1), field_.height(column + 1, row + 1)};
    const double a = ray_.from.z + visit.stretch.enter * ray_.along.z;
    const double b = ray_.from.z + visit.stretch.leave * ray_.along.z;
    if (std::min(a, b) - ray_.slack > std::max(std::max(z[0], z[1]), std::max(z[2], z[3]))) return;
    if (std::max(a, b) + ray_.slack < std::min(std::min(z[0], z[1]), std::min(z[2], z[3]))) return;
    const std::array<Triangle, 2> triangles = field_.triangles(column, row);
    for (std::uint32_t i = 0; i < 2; ++i) {
      const double t = tree_detail::meeting_t(query_, triangles[i], t_max_);
      if (!(t >= 0)) continue;
      t_max_ = goal_.found(2 * cell + i, t);
      if (t_max_ < 0) return;
      limit_ = std::min(limit_, t_max_ * ray_.speed - ray_.start + ray_.late);
    }
  }

  const HeightField& field_;
  const HeightLevels& levels_;
  const TriangleRay& query_;
  Goal& goal_;
  FieldRay ray_;
  double t_max_; ///< those beyond do not matter; negative: the search is over
  double limit_; ///< the same of s
  double tick_from_, tick_along_, tick_slack_; ///< the ray's heights, in the ticks of the levels
  std::size_t count_ = 0;
  /// Each level leaves at most three blocks for later.
  std::array<Visit, 3 * HeightLevels::most + 4> stack_;
};

template<class Goal>
void search(const HeightField& field, const TriangleRay& query, Goal& goal) {
  const auto fine = [](const Vec3& v) {
    return is_finite(v) && max_abs(v) <= 8 * tolerance::coordinate_max;
  };
  if (!(query.t_max >= 0) || !fine(query.ray.origin) || !fine(query.ray.direction)) return;
  RaySearch<Goal>(field, query, goal).run();
}

struct FirstGoal {
  RayTriangle best;

  double found(std::uint32_t triangle, double t) {
    if (t < best.t || triangle < best.triangle) best = {triangle, t};
    return t;
  }
};

struct AnyGoal {
  bool hit = false;

  double found(std::uint32_t, double) {
    hit = true;
    return -1;
  }
};

struct AllGoal {
  FunctionRef<bool(const RayTriangle&)> call;
  double t_max;

  double found(std::uint32_t triangle, double t) const { return call({triangle, t}) ? t_max : -1; }
};

} // namespace

RayTriangle first_hit(const HeightField& field, const TriangleRay& ray) {
  FirstGoal goal;
  search(field, ray, goal);
  return goal.best;
}

bool any_hit(const HeightField& field, const TriangleRay& ray) {
  AnyGoal goal;
  search(field, ray, goal);
  return goal.hit;
}

void all_hits(const HeightField& field, const TriangleRay& ray,
              FunctionRef<bool(const RayTriangle&)> found) {
  AllGoal goal{found, ray.t_max};
  search(field, ray, goal);
}

} // namespace carom
