// The forms of a world's shapes, convex ones and meshes, each kept once for all bodies whose shapes are equal: so that they stay in the caches. Internal to the world.
#pragma once

#include "carom/dynamics/convex_form.h"
#include "carom/dynamics/surface_form.h"

#include <cstdint>
#include <map>
#include <memory>
#include <vector>

namespace [[gnu::visibility("default")]] carom {

class FormStore {
public:
  /// The form of the shape in this slot, or null where it has none.
  [[nodiscard]] const ConvexForm* of(std::uint32_t slot, const Shape& shape) {
    if (slot < slots_.size() && slots_[slot].shape == shape.id()) return slots_[slot].form.get();
    return find(slot, shape);
  }
  /// The same of a shape that was asked for before: many threads may do this at once.
  [[nodiscard]] const ConvexForm* made(std::uint32_t slot) const { return slots_[slot].form.get(); }
  /// Of a mesh that is a surface; else null.
  [[nodiscard]] const SurfaceForm* surface(std::uint32_t slot) const {
    return slots_[slot].surface.get();
  }

private:
  struct Slot {
    std::uint64_t shape = 0; ///< its id; 0: none yet
    std::shared_ptr<const ConvexForm> form;
    std::shared_ptr<const SurfaceForm> surface;
  };
  const ConvexForm* find(std::uint32_t slot, const Shape& shape);
  std::shared_ptr<const ConvexForm> known_like(std::shared_ptr<const ConvexForm> form);

  std::vector<Slot> slots_;
  std::map<std::uint64_t, std::weak_ptr<const ConvexForm>> known_,
      equal_; ///< by the shape's id; by the form's hash
  std::map<std::uint64_t, std::weak_ptr<const SurfaceForm>> surfaces_; ///< by the shape's id
};

} // namespace carom
