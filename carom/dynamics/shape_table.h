// The shapes that a world has ever been given, in the order they came: what a snapshot, which has no shapes in it, calls them by.
//
// Two worlds that were given the same shapes in the same order have the same table, in this program or another. Each shape has a fingerprint made of its numbers, by which a snapshot finds out that a table is not its own.
#pragma once

#include "carom/shape/shape.h"

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace [[gnu::visibility("default")]] carom {

class ShapeTable {
public:
  /// The number of the shape; a new one where it has none. Copies of one handle have the same.
  std::uint32_t number_of(const Shape& shape);

  [[nodiscard]] std::size_t size() const { return entries_.size(); }
  /// Null where there is no such number, or the shape was forgotten.
  [[nodiscard]] const Shape* find(std::uint32_t number) const;
  [[nodiscard]] std::uint64_t fingerprint(std::uint32_t number) const {
    return entries_[number].fingerprint;
  }
  /// Lets go of the shape. Its number is not given again.
  void forget(std::uint32_t number);

private:
  struct Entry {
    std::optional<Shape> shape;
    std::uint64_t fingerprint = 0;
  };
  std::vector<Entry> entries_;
  std::vector<std::pair<std::uint64_t, std::uint32_t>>
      by_id_; ///< Shape::id and number, sorted: ids mean nothing in another program
};

/// A number made of the shape's own: the same in every program, different for shapes that differ in kind, size or corners, but for chance.
[[nodiscard]] std::uint64_t fingerprint(const Shape& shape);

} // namespace carom
