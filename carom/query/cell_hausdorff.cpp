// All that is known of the shapes is the nearest point of each to a given point. A box around A is cut in halves again and again. With c the middle of a box and r its radius:
//   - where A's nearest point to c is farther than r, the box has no point of A;
//   - where c is deeper in B than r, all of the box is in B;
//   - with q a point of B, no point of the box is farther from B than its farthest corner from q. q is B's nearest point to c, and to A's nearest point to c;
//   - A's nearest point to c, or c where that is in A, is a point of A whose distance from B is reached.
//
// Where A is convex, the points of A in the box are no farther along n, the direction from q to c, than A reaches. So of the way from q to one of them, the part along n is at most that, and the part across at most r: a bound
// that errs by the square of r where A's surface lies across the way to B.
#include "carom/query/cell_hausdorff.h"

#include "carom/query/hausdorff_points.h"
#include "carom/shape/parts.h"
#include "carom/shape/support.h"

#include <cmath>

namespace carom {
namespace {

class CellSearch {
public:
  CellSearch(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
             HausdorffBounds& bounds)
      : a_(a), frame_(pose_a.frame()), nearest_on_a_(a, pose_a), nearest_on_b_(b, pose_b),
        bounds_(bounds) {}

  void run() {
    search_cells(queue_, bounds_, PartTree(a_).whole().box,
                 [&](const HausdorffCell& cell) { add(cell); });
  }

private:
  void add(HausdorffCell cell) {
    const Vec3 center = frame_.to_world(cell.center);
    const double radius = length(cell.half);
    const NearestOn::Near on_a = nearest_on_a_(center);
    if (on_a.lower > radius + bounds_.slack()) return;
    const NearestOn::Near from_center = nearest_on_b_(center);
    if (from_center.depth >= radius) return; // all of it is in B
    tighten(cell, from_center.point);
    if (on_a.upper > 0) {
      bounds_.add_other();
      if (!bounds_.matters(cell.upper)) return;
      const NearestOn::Near from_a = nearest_on_b_(on_a.point);
      bounds_.add(from_a.lower, [&] { return std::pair{on_a.point, from_a.point}; });
      tighten(cell, from_a.point);
    } else {
      bounds_.add(from_center.lower, [&] { return std::pair{center, from_center.point}; });
    }
    if (!bounds_.matters(cell.upper)) return;
    queue_.push(cell);
  }

  /// By a point of B.
  void tighten(HausdorffCell& cell, const Vec3& on_b) const {
    const Vec3 q = frame_.to_local(on_b);
    const Vec3 way = cell.center - q;
    cell.upper = std::fmin(cell.upper, length(abs(way) + cell.half));
    const double distance = length(way);
    if (!a_.convex() || !(distance > 0)) return;
    const Vec3 n = way / distance;
    const double radius = length(cell.half);
    const double most = dot(n, support_point(a_, n) - q);
    const double along = std::fmax(std::fmin(most, distance + radius), radius - distance);
    if (along > 0) cell.upper = std::fmin(cell.upper, std::sqrt(along * along + radius * radius));
  }

  const Shape& a_;
  Frame frame_;
  NearestOn nearest_on_a_, nearest_on_b_;
  HausdorffBounds& bounds_;
  HausdorffQueue<HausdorffCell> queue_;
};

} // namespace

void search_cells(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
                  HausdorffBounds& bounds) {
  CellSearch(a, pose_a, b, pose_b, bounds).run();
}

} // namespace carom
