#include "carom/dynamics/form_store.h"

#include "carom/dynamics/surface_triangles.h"

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
  const auto forget = [&](auto& forms) {
    if (forms.size() > 2 * slots_.size() + 64)
      std::erase_if(forms, [](const auto& entry) { return entry.second.expired(); });
  };
  forget(known_);
  forget(equal_);
  forget(surfaces_);
  std::weak_ptr<const ConvexForm>& known = known_[shape.id()];
  slots_[slot].form = known.lock();
  if (!slots_[slot].form) {
    slots_[slot].form = known_like(ConvexForm::of(shape));
    known = slots_[slot].form;
  }
  slots_[slot].surface.reset();
  if (!slots_[slot].form && is_surface(shape)) {
    std::weak_ptr<const SurfaceForm>& surface = surfaces_[shape.id()];
    slots_[slot].surface = surface.lock();
    if (!slots_[slot].surface) surface = slots_[slot].surface = SurfaceForm::of(shape);
  }
  slots_[slot].shape = shape.id();
  return slots_[slot].form.get();
}

} // namespace carom
