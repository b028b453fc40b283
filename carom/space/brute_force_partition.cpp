// The reference: all boxes, one by one.
#include "carom/geometry/overlap_box.h"
#include "carom/space/box_bounds.h"
#include "carom/space/partition.h"

#include <vector>

namespace carom {
namespace {

class BruteForcePartition final : public Partition {
public:
  [[nodiscard]] std::unique_ptr<Partition> clone() const override {
    return std::make_unique<BruteForcePartition>(*this);
  }

  void insert(Key key, Mobility mobility, const Aabb& box) override {
    if (key >= boxes_.size()) {
      boxes_.resize(key + std::size_t{1});
      mobilities_.resize(key + std::size_t{1});
    }
    boxes_[key] = box;
    mobilities_[key] = mobility;
  }
  void remove(Key key) override { boxes_[key] = {}; }
  void move(Key key, const Aabb& box) override { boxes_[key] = box; }
  void clear() override { boxes_.clear(); }

  void visit(const Aabb& box, Layers layers, FunctionRef<bool(Key)> found) const override {
    for (Key key = 0; key < boxes_.size(); ++key)
      if (has(key, layers) && overlaps(box, boxes_[key]) && !found(key)) return;
  }

  void visit_swept(const Aabb& box, const Vec3& translation, double t_max, Layers layers,
                   FunctionRef<double(Key)> found) const override {
    const BoxSweep sweep(box, translation);
    for (Key key = 0; key < boxes_.size() && t_max >= 0; ++key)
      if (has(key, layers) && sweep.meets(boxes_[key], t_max) < INFINITY) t_max = found(key);
  }

  void visit_near(const Aabb& box, double limit, Layers layers,
                  FunctionRef<double(Key)> found) const override {
    for (Key key = 0; key < boxes_.size() && limit >= 0; ++key)
      if (has(key, layers) && box_gap(box, boxes_[key]) <= limit) limit = found(key);
  }

  void visit_pairs(FunctionRef<bool(Key, Key)> found) const override {
    for (Key a = 0; a < boxes_.size(); ++a)
      for (Key b = a + 1; b < boxes_.size(); ++b) {
        if (mobilities_[a] == Mobility::fixed && mobilities_[b] == Mobility::fixed) continue;
        if (overlaps(boxes_[a], boxes_[b]) && !found(a, b)) return;
      }
  }

  void improve(std::size_t) override {}
  void rebuild() override {}
  [[nodiscard]] std::size_t bytes() const override {
    return boxes_.capacity() * sizeof(Aabb) + mobilities_.capacity() * sizeof(Mobility);
  }

private:
  [[nodiscard]] bool has(Key key, Layers layers) const {
    return !boxes_[key].empty() && layers.has(mobilities_[key]);
  }

  std::vector<Aabb> boxes_; ///< empty: the key is not in use
  std::vector<Mobility> mobilities_;
};

} // namespace

std::unique_ptr<Partition> make_brute_force_partition() {
  return std::make_unique<BruteForcePartition>();
}

} // namespace carom
