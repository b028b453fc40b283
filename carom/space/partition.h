// Boxes, each with a number: what a space looks in before it looks at shapes.
//
// A partition finds candidates, and may give too many: whoever asks decides on the doubles. So answers do not depend on the partition, and all that one can get wrong is to leave a
// box out. It knows nothing of shapes, ids or filters. Each visit is one virtual call, and calls `found` once for each candidate; which is what a tree does anyway.
//
// There are two: trees, and brute force, the reference. Others (grids, octrees, sweep and prune, k-d trees) need these functions and nothing else.
#pragma once

#include "carom/geometry/box.h"
#include "carom/space/object.h"
#include "carom/tree/function_ref.h"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>

namespace [[gnu::visibility("default")]] carom {

/// Which objects to look at, by their mobility.
struct Layers {
  bool moving = true, fixed = true;

  [[nodiscard]] constexpr bool has(Mobility mobility) const {
    return mobility == Mobility::moving ? moving : fixed;
  }
};

/// Boxes given are finite, not empty, and within 1e30 of the origin. Boxes asked about may be infinite. Numbers are small: there may be an array of that length.
class Partition {
public:
  using Key = std::uint32_t;

  Partition() = default;
  virtual ~Partition() = default;
  Partition& operator=(const Partition&) = delete;
  Partition& operator=(Partition&&) = delete;

  [[nodiscard]] virtual std::unique_ptr<Partition> clone() const = 0;

  /// The key is not in use.
  virtual void insert(Key key, Mobility mobility, const Aabb& box) = 0;
  // The key is in use.
  virtual void remove(Key key) = 0;
  virtual void move(Key key, const Aabb& box) = 0;
  virtual void clear() = 0;

  /// All whose boxes overlap this one, and perhaps others. `found` gives false to end the search.
  virtual void visit(const Aabb& box, Layers layers, FunctionRef<bool(Key)> found) const = 0;
  /// All whose boxes are met by the box that moves by t * translation, 0 <= t <= t_max; near ones first, more or less. A point makes it a ray. `found` gives the t_max from there on, negative to
  /// end. The box is finite, the translation within 1e30; t_max may be infinite.
  virtual void visit_swept(const Aabb& box, const Vec3& translation, double t_max, Layers layers,
                           FunctionRef<double(Key)> found) const = 0;
  /// All whose boxes are at most `limit` away from this one; near ones first, more or less. `found` gives the limit from there on, negative to end.
  virtual void visit_near(const Aabb& box, double limit, Layers layers,
                          FunctionRef<double(Key)> found) const = 0;
  /// Each two whose boxes overlap, once, except two fixed ones; and perhaps others. `found` gives false to end.
  virtual void visit_pairs(FunctionRef<bool(Key, Key)> found) const = 0;

  /// Care for `count` boxes, so that visits stay fast: a budget for each step.
  virtual void improve(std::size_t count) = 0;
  /// Builds all anew.
  virtual void rebuild() = 0;
  [[nodiscard]] virtual std::size_t bytes() const = 0;

protected:
  Partition(const Partition&) = default;
};

/// Two trees (tree/dynamic_tree.h): what moves, what is fixed.
[[nodiscard]] std::unique_ptr<Partition> make_tree_partition();
/// A list. Each visit looks at all boxes, one by one, in order.
[[nodiscard]] std::unique_ptr<Partition> make_brute_force_partition();

} // namespace carom
