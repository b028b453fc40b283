// The patch in which two faces meet, seen along a direction, and the choice of four points of it. Internal to the contacts.
#pragma once

#include "carom/math/scratch.h"
#include "carom/query/answer.h"
#include "carom/shape/feature.h"

#include <array>
#include <cmath>
#include <span>
#include <vector>

namespace [[gnu::visibility("default")]] carom {

[[nodiscard]] constexpr std::uint64_t contact_id(const Feature& a, const Feature& b) {
  return std::uint64_t{packed(a)} << 32 | packed(b);
}

/// What the choice of four looks at: a point seen along the normal, and its depth. Without defaults: arrays of these cost nothing.
struct Spot {
  double x, y;
  double separation;
  std::uint64_t id;
};
[[nodiscard]] inline double distance(const Spot& a, const Spot& b) {
  return std::sqrt((a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y));
}

/// A few spots or contacts in place, many on the heap.
template<class Item, std::size_t some>
class FewOrMany {
public:
  void push(const Item& item) {
    if (count_ < some) {
      few_[count_] = item;
    } else {
      if (count_ == some) many_.assign(few_.begin(), few_.end());
      many_.push_back(item);
    }
    ++count_;
  }
  void clear() { count_ = 0; }
  [[nodiscard]] std::span<Item> items() {
    return count_ <= some ? std::span(few_).first(count_) : std::span(many_);
  }
  [[nodiscard]] std::size_t size() const { return count_; }

private:
  std::array<Item, some> few_;
  ScratchVector<Item> many_;
  std::size_t count_ = 0;
};

struct FourSpots {
  std::array<std::size_t, 4> index{};
  int count = 0;
};
/// The deepest spot first. Up to four are all taken, but those within `rounding` of one that was. Of more: then the one farthest from it, and those that
/// lie farthest to the left and to the right of the line through both; where one side is empty, the one that adds most to the area of the triangle, if
/// it adds any. Of spots that are equally good to within a millionth (or equally deep to within `rounding`), that of lowest id.
[[nodiscard]] FourSpots choose_four(std::span<const Spot> spots, double rounding);

/// A placed feature: corners and normal in a frame common to both shapes, moved out by the shape's rounding. The normal points out of its shape.
struct PlacedFace {
  SupportFace face;
  double turn_radius = -1; ///< that of the edge, with the rounding; negative: it does not turn
};

using PatchContacts = FewOrMany<Contact, 16>;

/// Adds the corners of what the faces have in common seen along n, a unit vector from A to B: points on both with the same shadow. Nothing where the
/// shadows have only a point in common, or lie apart. `rounding` is how far points may be off.
void meet(const PlacedFace& a, const PlacedFace& b, const Vec3& n, double rounding,
          PatchContacts& contacts);
/// The same where one of them is a point: adds it where its shadow is in that of the other, a face.
void meet_tip(const PlacedFace& a, const PlacedFace& b, const Vec3& n, double rounding,
              PatchContacts& contacts);

} // namespace carom
