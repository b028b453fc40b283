#include "carom/dynamics/form_store.h"

namespace carom {

/// Of forms with equal hashes that differ, the last is remembered.
std::shared_ptr<const ConvexForm> FormStore::known_like(std::shared_ptr<const ConvexForm> form) {
  if (!form) return form;
  std::weak_ptr<const ConvexForm>& equal = equal_[form->hash()];
  if (std::shared_ptr<const ConvexForm> found = equal.lock(); found && *found == *form)
    return found;
  equal = form;
  return form;
}

const ConvexForm* FormStore::find(std::uint32_t slot, const Shape& shape) {
  if (slots_.size() <= slot) slots_.resize(std::size_t{slot} + 1);
  // Forms that no slot has any more are forgotten before they are many.
  for (auto* forms : {&known_, &equal_})
    if (forms->size() > 2 * slots_.size() + 64)
      std::erase_if(*forms, [](const auto& entry) { return entry.second.expired(); });
  std::weak_ptr<const ConvexForm>& known = known_[shape.id()];
  slots_[slot].form = known.lock();
  if (!slots_[slot].form) {
    slots_[slot].form = known_like(ConvexForm::of(shape));
    known = slots_[slot].form;
  }
  slots_[slot].shape = shape.id();
  return slots_[slot].form.get();
}

} // namespace carom
