#include "carom/query/closed_forms.h"

#include "carom/query/flat_forms.h"

#include <array>

namespace carom {
namespace {

using Form = bool (*)(const Shape& a, const Shape& b, const CorePair& pair, CoreDistance& result);

constexpr std::size_t kinds = std::variant_size_v<ShapeCore>;

template<class A, class B>
constexpr Form form_of() {
  if constexpr (is_flat_form<A> && is_flat_form<B>) return &flat_form<A, B>;
  return nullptr;
}

template<class A, std::size_t... B>
constexpr std::array<Form, kinds> forms_against(std::index_sequence<B...>) {
  return {form_of<A, std::variant_alternative_t<B, ShapeCore>>()...};
}

template<std::size_t... A>
constexpr std::array<std::array<Form, kinds>, kinds> all_forms(std::index_sequence<A...> all) {
  return {forms_against<std::variant_alternative_t<A, ShapeCore>>(all)...};
}

/// By the kinds of both cores.
constexpr auto forms = all_forms(std::make_index_sequence<kinds>());

} // namespace

bool closed_form(const Shape& a, const Shape& b, const CorePair& pair, CoreDistance& result) {
  const Form form = forms[a.core().index()][b.core().index()];
  return form && form(a, b, pair, result);
}

bool take_if_proved(const CorePair& pair, const Proposal& p, CoreDistance& result) {
  const CorePair::Corner w = pair.corner_toward(p.axis);
  const double lower = -dot(p.axis, w.difference) - pair.rounding();
  // Supports feel the square of how far the axis is off; the axis is to be along the line between the points besides.
  const Vec3 off = p.between - p.axis * p.distance;
  if (!(lower > 0 && p.distance - lower <= pair.agreement() && max_abs(off) <= 4 * pair.rounding()))
    return false;
  result.upper = p.distance;
  result.lower = lower;
  result.on_a = p.on_a;
  result.on_b = p.on_b;
  result.between = p.between;
  result.axis = p.axis;
  ++result.iterations;
  return result.answered = true;
}

} // namespace carom
