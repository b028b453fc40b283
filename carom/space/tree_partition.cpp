// A tree for what moves, one for what is fixed. The boxes that come are fat already, so the trees add nothing to them.
#include "carom/space/partition.h"
#include "carom/tree/dynamic_candidates.h"
#include "carom/tree/dynamic_queries.h"

#include <array>
#include <vector>

namespace carom {
namespace {

constexpr DynamicTreeOptions as_given{.margin = 0, .relative_margin = 0, .prediction = 0};

/// One tree, and the keys of its boxes.
struct KeyedTree {
  DynamicTree tree{as_given};
  std::vector<Partition::Key> keys; ///< by the tree's slots

  BoxId insert(Partition::Key key, const Aabb& box) {
    const BoxId id = tree.insert(box).value();
    if (id.slot >= keys.size()) keys.resize(id.slot + std::size_t{1});
    keys[id.slot] = key;
    tree.clear_moved(); // nobody asks the tree what has moved
    return id;
  }
  [[nodiscard]] Partition::Key key_of(BoxId id) const { return keys[id.slot]; }
};

class TreePartition final : public Partition {
public:
  [[nodiscard]] std::unique_ptr<Partition> clone() const override {
    return std::make_unique<TreePartition>(*this);
  }

  void insert(Key key, Mobility mobility, const Aabb& box) override {
    if (key >= places_.size()) places_.resize(key + std::size_t{1});
    places_[key] = {tree_of(mobility).insert(key, box), mobility};
  }
  void remove(Key key) override {
    const Place& place = places_[key];
    (void)tree_of(place.mobility).tree.remove(place.id);
  }
  void move(Key key, const Aabb& box) override {
    const Place& place = places_[key];
    DynamicTree& tree = tree_of(place.mobility).tree;
    (void)tree.move(place.id, box);
    tree.clear_moved();
  }
  void clear() override {
    for (KeyedTree& t : trees_) t.tree.clear();
  }

  void visit(const Aabb& box, Layers layers, FunctionRef<bool(Key)> found) const override {
    bool more = true;
    for_each(layers, [&](const KeyedTree& t) {
      if (more) find_boxes(t.tree, box, [&](BoxId id) { return more = found(t.key_of(id)); });
    });
  }

  void visit_swept(const Aabb& box, const Vec3& translation, double t_max, Layers layers,
                   FunctionRef<double(Key)> found) const override {
    for_each(layers, [&](const KeyedTree& t) {
      find_swept(t.tree, box, translation, t_max,
                 [&](BoxId id) { return t_max = found(t.key_of(id)); });
    });
  }

  void visit_near(const Aabb& box, double limit, Layers layers,
                  FunctionRef<double(Key)> found) const override {
    for_each(layers, [&](const KeyedTree& t) {
      find_near(t.tree, box, limit, [&](BoxId id) { return limit = found(t.key_of(id)); });
    });
  }

  void visit_pairs(FunctionRef<bool(Key, Key)> found) const override {
    const KeyedTree &moving = tree_of(Mobility::moving), &fixed = tree_of(Mobility::fixed);
    bool more = true;
    all_pairs(moving.tree,
              [&](BoxId a, BoxId b) { return more = found(moving.key_of(a), moving.key_of(b)); });
    if (!more) return;
    pairs_between(moving.tree, fixed.tree,
                  [&](BoxId a, BoxId b) { return found(moving.key_of(a), fixed.key_of(b)); });
  }

  void improve(std::size_t count) override { tree_of(Mobility::moving).tree.improve(count); }
  void rebuild() override {
    for (KeyedTree& t : trees_) t.tree.rebuild();
  }
  [[nodiscard]] std::size_t bytes() const override {
    std::size_t sum = places_.capacity() * sizeof(Place);
    for (const KeyedTree& t : trees_)
      sum += t.tree.bytes() + t.keys.capacity() * sizeof(Partition::Key);
    return sum;
  }

private:
  struct Place {
    BoxId id;
    Mobility mobility = Mobility::moving;
  };
  KeyedTree& tree_of(Mobility mobility) { return trees_[static_cast<std::size_t>(mobility)]; }
  [[nodiscard]] const KeyedTree& tree_of(Mobility mobility) const {
    return trees_[static_cast<std::size_t>(mobility)];
  }
  template<class Each>
  void for_each(Layers layers, Each&& each) const {
    for (const Mobility mobility : {Mobility::moving, Mobility::fixed})
      if (layers.has(mobility)) each(tree_of(mobility));
  }

  std::array<KeyedTree, 2> trees_;
  std::vector<Place> places_; ///< by key
};

} // namespace

std::unique_ptr<Partition> make_tree_partition() { return std::make_unique<TreePartition>(); }

} // namespace carom
