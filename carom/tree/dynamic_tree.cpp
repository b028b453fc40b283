// A balanced tree in the manner of Guttman's R-tree (1984), with nodes as wide as the machine compares at once.
//
// A box goes down from the root, each time to the child whose box grows least, into a node of the lowest level. A node that would have nine children becomes two, and its parent
// gets one more child, which may go on up to a new root. A node left with two children is dissolved: they find new places at their level. So each node but the
// root has three to eight children, all boxes are equally deep, and nothing that comes or goes can make the tree deeper than the logarithm of its size.
//
// A box that moves within its node's box only changes its lane. Each lane that holds a node is at all times exactly the box around that node's lanes: after every change the
// lanes above are fitted as far up as anything changes.
#include "carom/tree/dynamic_tree.h"

#include "carom/tree/dynamic_build.h"

#include <algorithm>

namespace carom {
namespace {

constexpr double most_coordinate = 1e30;

bool in_range(const Vec3& v) { return max_abs(v) <= most_coordinate && is_finite(v); }

/// Fat boxes may reach a little farther: a number will do.
bool in_range_around(const Aabb& fat) { return is_finite(fat.min) && is_finite(fat.max); }

bool acceptable(const Aabb& box) { return !box.empty() && in_range(box.min) && in_range(box.max); }

} // namespace

DynamicTree::DynamicTree(const DynamicTreeOptions& options) : options_(options) {
  const FatBoxRule rule = fat_rule().in_range();
  options_.margin = rule.margin;
  options_.relative_margin = rule.relative_margin;
  options_.prediction = rule.prediction;
  if (!in_range(options_.origin)) options_.origin = {};
}

FatBoxRule DynamicTree::fat_rule() const {
  return {options_.margin, options_.relative_margin, options_.prediction};
}

// --- Boxes and their names

tl::expected<BoxId, BoxError> DynamicTree::insert(const Aabb& box, std::uint64_t user) {
  if (!acceptable(box)) return tl::unexpected(BoxError::bad_box);
  return insert_as(box, fat_rule().around(box, {}), user);
}

tl::expected<BoxId, BoxError> DynamicTree::insert_as(const Aabb& box, const Aabb& fat,
                                                     std::uint64_t user) {
  if (!acceptable(box) || fat.empty() || !in_range_around(fat))
    return tl::unexpected(BoxError::bad_box);
  if (size_ == max_boxes) return tl::unexpected(BoxError::full);
  std::uint32_t slot = 0;
  if (free_slots_.empty()) {
    slot = static_cast<std::uint32_t>(links_.size());
    links_.push_back({{}, 0, not_moved});
    tight_.emplace_back();
    fat_.emplace_back();
    user_.push_back(0);
  } else {
    slot = free_slots_.back();
    free_slots_.pop_back();
  }
  tight_[slot] = box;
  fat_[slot] = fat;
  user_[slot] = user;
  ++size_;
  put_in({outward_box(fat_[slot], origin()), ChildRef::leaf(slot)}, 0);
  mark_moved(slot);
  return id_of(slot);
}

tl::expected<void, BoxError> DynamicTree::remove(BoxId id) {
  if (!contains(id)) return tl::unexpected(BoxError::stale_id);
  Link& link = links_[id.slot];
  unmark_moved(id.slot);
  detach(link.place);
  link.place = {};
  --size_;
  // A slot whose generations are used up is given to nobody any more.
  if (++link.generation != 0) free_slots_.push_back(id.slot);
  return {};
}

tl::expected<bool, BoxError> DynamicTree::move(BoxId id, const Aabb& box) {
  if (!contains(id)) return tl::unexpected(BoxError::stale_id);
  return move(id, box, box.center() - tight_[id.slot].center());
}

tl::expected<bool, BoxError> DynamicTree::move(BoxId id, const Aabb& box,
                                               const Vec3& displacement) {
  const tl::expected<bool, BoxError> left = begin_move(id, box, displacement);
  if (left && *left) end_move(id);
  return left;
}

tl::expected<bool, BoxError> DynamicTree::begin_move(BoxId id, const Aabb& box,
                                                     const Vec3& displacement) {
  if (!contains(id)) return tl::unexpected(BoxError::stale_id);
  if (!acceptable(box)) return tl::unexpected(BoxError::bad_box);
  tight_[id.slot] = box;
  if (fat_rule().still_fits(fat_[id.slot], box)) return false;
  fat_[id.slot] = fat_rule().around(box, displacement);
  return true;
}

void DynamicTree::end_move(BoxId id) {
  if (!contains(id)) return;
  place_anew(id.slot);
  mark_moved(id.slot);
}

double DynamicTree::room(BoxId id, const Aabb& box) const {
  return contains(id) ? fat_rule().room(fat_[id.slot], box) : -1;
}

void DynamicTree::loosen(BoxId id) {
  if (contains(id)) tight_[id.slot] = fat_[id.slot];
}

tl::expected<void, BoxError> DynamicTree::touch(BoxId id) {
  if (!contains(id)) return tl::unexpected(BoxError::stale_id);
  mark_moved(id.slot);
  return {};
}

void DynamicTree::mark_moved(std::uint32_t slot) {
  if (slot_moved(slot)) return;
  links_[slot].moved_at = static_cast<std::uint32_t>(moved_.size());
  moved_.push_back(slot);
}

void DynamicTree::unmark_moved(std::uint32_t slot) {
  if (!slot_moved(slot)) return;
  const std::uint32_t at = links_[slot].moved_at;
  moved_[at] = moved_.back();
  links_[moved_[at]].moved_at = at;
  moved_.pop_back();
  links_[slot].moved_at = not_moved;
}

void DynamicTree::clear_moved() {
  for (const std::uint32_t slot : moved_) links_[slot].moved_at = not_moved;
  moved_.clear();
}

void DynamicTree::clear() {
  for (std::uint32_t slot = 0; slot < links_.size(); ++slot) {
    Link& link = links_[slot];
    if (link.place.none()) continue;
    link = {{}, link.generation + 1, not_moved};
    if (link.generation != 0) free_slots_.push_back(slot);
  }
  moved_.clear();
  nodes_.clear();
  free_nodes_.clear();
  root_ = 0;
  size_ = 0;
  next_to_improve_ = 0;
}

// --- The tree

std::uint32_t DynamicTree::new_node(int level) {
  std::uint32_t node = 0;
  if (free_nodes_.empty()) {
    node = static_cast<std::uint32_t>(nodes_.size());
    nodes_.emplace_back();
  } else {
    node = free_nodes_.back();
    free_nodes_.pop_back();
  }
  nodes_[node].reset(level);
  return node;
}

void DynamicTree::free_node(std::uint32_t node) {
  nodes_[node].reset(0);
  free_nodes_.push_back(node);
}

void DynamicTree::set_parent(ChildRef child, NodeLane place) {
  if (child.is_leaf())
    links_[child.number()].place = place;
  else
    nodes_[child.number()].parent = place;
}

void DynamicTree::set_parents(std::uint32_t node) {
  for (int i = 0; i < nodes_[node].count; ++i)
    set_parent(nodes_[node].child[i], NodeLane::of(node, i));
}

/// Fits the lanes above a node to what it has become.
void DynamicTree::refit(std::uint32_t node) {
  while (!nodes_[node].parent.none()) {
    const FloatBox box = nodes_[node].box();
    const NodeLane above = nodes_[node].parent;
    DynamicNode& parent = nodes_[above.node()];
    const FloatBox before = parent.box(above.lane());
    if (before.min == box.min && before.max == box.max) return;
    parent.set_box(above.lane(), box);
    node = above.node();
  }
}

/// Makes it the child of some node of this level. Only an empty tree may lack that level.
void DynamicTree::put_in(NodeEntry entry, int level) {
  if (nodes_.size() == free_nodes_.size()) root_ = new_node(level);
  std::uint32_t node = root_;
  FloatBox whole = entry.box;
  if (nodes_[node].level > level) whole.add(nodes_[node].box());
  const float edges = edge_sum(whole);
  const float scale = edges > 0x1p-120F ? 1 / edges : 0;
  while (nodes_[node].level > level) {
    DynamicNode& above = nodes_[node];
    const int lane = above.least_growth(entry.box, scale);
    FloatBox grown = above.box(lane);
    grown.add(entry.box);
    above.set_box(lane, grown);
    node = above.child[lane].number();
  }
  while (nodes_[node].count == 8) {
    const std::uint32_t half = new_node(level);
    split_node(nodes_[node], entry, nodes_[half]);
    set_parents(node);
    set_parents(half);
    if (nodes_[node].parent.none()) {
      root_ = new_node(nodes_[node].level + 1);
      nodes_[root_].add({nodes_[node].box(), ChildRef::node(node)});
      nodes_[node].parent = NodeLane::of(root_, 0);
    }
    const NodeLane above = nodes_[node].parent;
    nodes_[above.node()].set_box(above.lane(), nodes_[node].box());
    entry = {nodes_[half].box(), ChildRef::node(half)};
    node = above.node();
  }
  const int lane = nodes_[node].add(entry);
  set_parent(entry.child, NodeLane::of(node, lane));
}

/// Takes a child of a node out. What remains is a tree as it should be.
void DynamicTree::detach(NodeLane place) {
  struct Homeless {
    NodeEntry entry;
    int level;
  };
  Homeless homeless[max_height * (DynamicNode::min_children - 1)];
  int count = 0;
  while (true) {
    const std::uint32_t at = place.node();
    DynamicNode& node = nodes_[at];
    node.take(place.lane());
    if (place.lane() < node.count) set_parent(node.child[place.lane()], place);
    if (node.parent.none()) break;
    if (node.count >= DynamicNode::min_children) {
      refit(at);
      break;
    }
    for (int i = 0; i < node.count; ++i) homeless[count++] = {node.entry(i), node.level};
    place = node.parent;
    free_node(at);
  }
  // From the top, since each level must be there before what belongs into it.
  while (count > 0) {
    --count;
    put_in(homeless[count].entry, homeless[count].level);
  }
  while (nodes_[root_].count == 1 && nodes_[root_].level > 0) {
    const std::uint32_t child = nodes_[root_].child[0].number();
    free_node(root_);
    nodes_[child].parent = {};
    root_ = child;
  }
  if (nodes_[root_].count == 0) {
    free_node(root_);
    root_ = 0;
  }
}

/// To where its fat box belongs now.
void DynamicTree::place_anew(std::uint32_t slot) {
  const NodeLane place = links_[slot].place;
  const FloatBox box = outward_box(fat_[slot], origin());
  DynamicNode& node = nodes_[place.node()];
  const NodeLane above = node.parent;
  if (above.none() || carom::contains(nodes_[above.node()].box(above.lane()), box)) {
    node.set_box(place.lane(), box);
    refit(place.node());
    return;
  }
  detach(place);
  put_in({box, ChildRef::leaf(slot)}, 0);
}

// --- Care

void DynamicTree::improve(std::size_t count) {
  count = std::min(count, size_);
  for (; count > 0; --count) {
    do {
      next_to_improve_ = next_to_improve_ + 1 < links_.size() ? next_to_improve_ + 1 : 0;
    } while (links_[next_to_improve_].place.none());
    const std::uint32_t slot = next_to_improve_;
    detach(links_[slot].place);
    put_in({outward_box(fat_[slot], origin()), ChildRef::leaf(slot)}, 0);
  }
}

void DynamicTree::rebuild() {
  Aabb all;
  for (std::uint32_t slot = 0; slot < links_.size(); ++slot)
    if (!links_[slot].place.none())
      all = {min(all.min, fat_[slot].min), max(all.max, fat_[slot].max)};
  if (all.empty()) return;
  options_.origin = all.center();
  std::vector<NodeEntry> leaves;
  leaves.reserve(size_);
  for (std::uint32_t slot = 0; slot < links_.size(); ++slot)
    if (!links_[slot].place.none())
      leaves.push_back({outward_box(fat_[slot], origin()), ChildRef::leaf(slot)});
  nodes_.clear();
  free_nodes_.clear();
  root_ = 0;
  build_dynamic_nodes(leaves, nodes_);
  for (std::uint32_t node = 0; node < nodes_.size(); ++node)
    if (nodes_[node].level == 0) set_parents(node);
}

Aabb DynamicTree::bounds() const {
  if (empty()) return {};
  const FloatBox box = nodes_[root_].box();
  const Vec3 low{box.min[0], box.min[1], box.min[2]}, high{box.max[0], box.max[1], box.max[2]};
  return {low + origin(), high + origin()};
}

double DynamicTree::expected_cost() const {
  if (empty()) return 0;
  const auto whole = static_cast<double>(edge_sum(nodes_[root_].box()));
  if (!(whole > 0)) return 1;
  double sum = whole;
  for (const DynamicNode& node : nodes_)
    for (int i = 0; node.level > 0 && i < node.count; ++i)
      sum += static_cast<double>(edge_sum(node.box(i)));
  return sum / whole;
}

std::size_t DynamicTree::bytes() const {
  return nodes_.capacity() * sizeof(DynamicNode) +
         (tight_.capacity() + fat_.capacity()) * sizeof(Aabb) +
         user_.capacity() * sizeof(std::uint64_t) + links_.capacity() * sizeof(Link) +
         (free_nodes_.capacity() + free_slots_.capacity() + moved_.capacity()) *
             sizeof(std::uint32_t);
}

} // namespace carom
