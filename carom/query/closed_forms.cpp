#include "carom/query/closed_forms.h"

#include "carom/math/tolerance.h"
#include "carom/query/flat_forms.h"
#include "carom/query/round_forms.h"

#include <algorithm>
#include <array>

namespace carom {
namespace {

/// The roundings of a gap: a matrix, a point turned by it, differences and products, the unit vector.
constexpr double gap_roundings = 16;
/// A hundredth of what Distance promises for curved shapes.
constexpr double curved_agreement = 1e-12;
/// Of flat shapes, in roundings: the bounds are one apart by themselves.
constexpr double flat_agreement = 2.25;

constexpr std::size_t kinds = std::variant_size_v<ShapeCore>;

template<class A, class B>
constexpr Form form_of() {
  if constexpr (is_flat_form<A> && is_flat_form<B>) {
    return &flat_form<A, B>;
  } else if constexpr (is_round_form<A> && is_round_form<B>) {
    return &round_form<A, B>;
  } else {
    return nullptr;
  }
}

template<class A, std::size_t... B>
constexpr std::array<Form, kinds> forms_against(std::index_sequence<B...>) {
  return {form_of<A, std::variant_alternative_t<B, ShapeCore>>()...};
}

template<std::size_t... A>
constexpr std::array<std::array<Form, kinds>, kinds> all_forms(std::index_sequence<A...> all) {
  return {forms_against<std::variant_alternative_t<A, ShapeCore>>(all)...};
}

constexpr auto forms = all_forms(std::make_index_sequence<kinds>());

FormPair form_pair(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b) {
  const Vec3 translation = pose_b.position - pose_a.position;
  const double size = a.size() + b.size() + max_abs(translation);
  const double rounding = gap_roundings * tolerance::epsilon * size;
  const bool flat = a.polyhedral() && b.polyhedral();
  return {a,
          b,
          pose_a,
          pose_b,
          translation,
          rounding,
          flat ? flat_agreement * rounding : curved_agreement * size};
}

/// The rounded shapes' answer from that of their cores, which is in f.
[[gnu::always_inline]] inline bool answer_by_form(const Shape& a, const Pose& pose_a,
                                                  const Shape& b, const Pose& pose_b, FormAnswer& f,
                                                  SignedDistance& result) {
  const Form form = closed_form(a, b);
  if (!form) return false;
  const FormPair pair = form_pair(a, pose_a, b, pose_b);
  if (!form(pair, f)) return false;
  const double radius = a.rounding() + b.rounding();
  result.iterations = 1;
  result.normal = f.normal;
  result.value = f.distance - radius;
  result.lower_bound = f.lower - radius;
  result.upper_bound = f.distance + pair.rounding - radius;
  result.on_a = f.on_a + f.normal * a.rounding() + pose_a.position;
  result.on_b = (f.on_a + f.between) - f.normal * b.rounding() + pose_a.position;
  return true;
}

} // namespace

Form closed_form(const Shape& a, const Shape& b) {
  return forms[a.core().index()][b.core().index()];
}

bool closed_distance(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
                     Distance& result) {
  SignedDistance s;
  FormAnswer f;
  if (!answer_by_form(a, pose_a, b, pose_b, f, s)) return false;
  result.iterations = s.iterations;
  result.normal = s.normal;
  if (s.value <= 0) {
    // As the radii divide the line between the points.
    const double share = a.rounding() / (a.rounding() + b.rounding());
    result.on_a = result.on_b = f.on_a + f.between * share + pose_a.position;
    return true;
  }
  result.value = s.value;
  result.lower_bound = std::max(0.0, s.lower_bound);
  result.on_a = s.on_a;
  result.on_b = s.on_b;
  return true;
}

bool closed_distance(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
                     SignedDistance& result) {
  FormAnswer f;
  return answer_by_form(a, pose_a, b, pose_b, f, result);
}

} // namespace carom
