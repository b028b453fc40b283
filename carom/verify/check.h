// Does an answer's proof hold? Each check takes the two sets, the answer and a tolerance in units of length, and says what fails.
#pragma once

#include "carom/geometry/answer.h"
#include "carom/verify/distance.h"
#include "carom/verify/support.h"

#include <cmath>
#include <string>
#include <utility>

namespace [[gnu::visibility("default")]] carom {
namespace verify {

/// Whether a proof holds; if not, the sentence says which part of it.
struct Verdict {
  bool ok = true;
  std::string why;

  [[nodiscard]] explicit operator bool() const { return ok; }
  [[nodiscard]] static Verdict yes() { return {}; }
  [[nodiscard]] static Verdict no(std::string why) { return {false, std::move(why)}; }
  /// "on_a is off A by 3e-09": a length or whatever the sentence is about.
  [[nodiscard]] static Verdict off(const char* what, double amount);
};

/// To within far more than rounding, far less than would matter.
[[nodiscard]] inline bool is_unit(const Vec3& n) { return std::fabs(length(n) - 1) <= 1e-12; }

/// Any set as the checks see it: how far it reaches in a direction (support.h), and how far a point is from it (distance.h). Refers to
/// the set; made in passing, from any type that has both, or that converts to a SetView.
class SetView {
public:
  using SupportFunction = double (*)(const void* set, const Vec3& d);
  using DistanceFunction = double (*)(const void* set, const Vec3& p);

  SetView(const void* set, SupportFunction reach, DistanceFunction off)
      : set_(set), support_(reach), distance_(off) {}
  template<class Set>
  requires requires(const Set& set, const Vec3& v) { verify::support(set, v); }
  SetView(const Set& set) // NOLINT(google-explicit-constructor): a parameter type
      : SetView(
            &set,
            [](const void* s, const Vec3& d) {
              return verify::support(*static_cast<const Set*>(s), d);
            },
            [](const void* s, const Vec3& p) {
              return verify::distance(p, *static_cast<const Set*>(s));
            }) {}

  /// The greatest d . x over the set.
  [[nodiscard]] double support(const Vec3& d) const { return support_(set_, d); }
  /// The distance of p from the set, 0 inside.
  [[nodiscard]] double distance(const Vec3& p) const { return distance_(set_, p); }

private:
  const void* set_;
  SupportFunction support_;
  DistanceFunction distance_;
};

/// How far apart A and B are in the unit direction d: the width of the empty slab between them, negative where there is none.
[[nodiscard]] double gap(const SetView& a, const SetView& b, const Vec3& d);

/// The nearest points of convex A and B: in the sets, `distance` apart, with an empty slab of that width between.
[[nodiscard]] Verdict check_closest(const SetView& a, const SetView& b, const ClosestPair& answer,
                                    double tolerance);
[[nodiscard]] Verdict check_closest(const Vec3& p, const SetView& a, const ClosestPoint& answer,
                                    double tolerance);

/// Overlap: the common point lies in both, or the axis has unit length and separates. The tolerance is how far the point may be
/// outside, or how deep the sets may reach into each other's side.
[[nodiscard]] Verdict check_overlap(const SetView& a, const SetView& b, const Overlap& answer,
                                    double tolerance);

} // namespace verify
} // namespace carom
