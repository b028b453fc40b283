#include "carom/dynamics/form_store.h"

namespace carom {

const ConvexForm* FormStore::find(std::uint32_t slot, const Shape& shape) {
  if (slots_.size() <= slot) slots_.resize(std::size_t{slot} + 1);
  // Forms that no slot has any more are forgotten before they are many.
  if (known_.size() > 2 * slots_.size() + 64)
    std::erase_if(known_, [](const auto& entry) { return entry.second.expired(); });
  std::weak_ptr<const ConvexForm>& known = known_[shape.id()];
  slots_[slot].form = known.lock();
  if (!slots_[slot].form) {
    slots_[slot].form = ConvexForm::of(shape);
    known = slots_[slot].form;
  }
  slots_[slot].shape = shape.id();
  return slots_[slot].form.get();
}

} // namespace carom
