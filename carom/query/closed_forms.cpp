#include "carom/query/closed_forms.h"

#include "carom/query/box_form.h"
#include "carom/query/flat_forms.h"
#include "carom/query/round_forms.h"

#include <array>

namespace carom {
namespace {

constexpr std::size_t kinds = std::variant_size_v<ShapeCore>;

template<class A, class B>
constexpr Form form_of() {
  if constexpr (std::is_same_v<A, Obb> && std::is_same_v<B, Obb>) {
    return &box_form;
  } else if constexpr (is_flat_form<A> && is_flat_form<B>) {
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

} // namespace

Form closed_form(const Shape& a, const Shape& b) {
  return forms[a.core().index()][b.core().index()];
}

} // namespace carom
