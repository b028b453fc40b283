// Triangles that share a side are found by the places of its ends, so that soups are surfaces, too: in a table by a key of both, those of one side are a chain.
#include "carom/dynamics/surface_form.h"

#include "carom/dynamics/surface_triangles.h"
#include "carom/geometry/overlap_box.h"
#include "carom/math/random.h"
#include "carom/shape/composite.h"

#include <algorithm>
#include <bit>

namespace carom {
namespace {

std::uint64_t key_of(const Vec3& p) {
  std::uint64_t key = 0;
  for (int i = 0; i < 3; ++i) key = mix_bits(key, std::bit_cast<std::uint64_t>(p[i] + 0.0));
  return key;
}

const Vec3& corner(const Triangle& t, std::uint32_t i) { return i == 0 ? t.a : i == 1 ? t.b : t.c; }

constexpr std::uint32_t no_side = 0xffffffffU;

Vec3 normal_of(const Triangle& t) { return cross(t.b - t.a, t.c - t.a); }

/// Whether the angle at a corner is above a right one.
bool is_wide(const Triangle& t, std::uint32_t i) {
  const Vec3 &p = corner(t, i), u = corner(t, (i + 1) % 3) - p, v = corner(t, (i + 2) % 3) - p;
  const double cosine = dot(u, v);
  return cosine < 0 && cosine < -1e-9 * length(u) * length(v);
}

} // namespace

/// Of up to eight that have an area.
void SurfaceForm::add_group(std::span<const KeyedItem> items) {
  const auto first = static_cast<std::uint32_t>(8 * groups_.size());
  SurfaceGroup& g = groups_.emplace_back();
  for (const auto& [item, keys] : items) {
    const Triangle& t = item.corners;
    g.bounds.min = min(g.bounds.min, min(min(t.a, t.b), t.c));
    g.bounds.max = max(g.bounds.max, max(max(t.a, t.b), t.c));
  }
  g.center = items.empty() ? Vec3{} : g.bounds.center();
  g.count = static_cast<std::uint32_t>(items.size());
  corners_.resize(8 * groups_.size());
  normals_.resize(8 * groups_.size());
  for (std::uint32_t lane = 0; lane < g.count; ++lane) {
    const auto& [item, keys] = items[lane];
    const Triangle& t = corners_[first + lane] = item.corners;
    g.items[lane] = item.number;
    const Vec3& normal = normals_[first + lane] = normalized(normal_of(t));
    g.planes.set(lane, {t.a - g.center, t.b - g.center, t.c - g.center}, normal);
    for (std::uint32_t k = 0; k < 3; ++k) {
      if (is_wide(t, k)) g.wide[k] |= static_cast<std::uint8_t>(1U << lane);
      sides_.push_back({keys[k] + keys[(k + 1) % 3], 4 * (first + lane) + k, no_side});
    }
  }
}

/// Open addresses: a head stands at the home of its key, or after it.
void SurfaceForm::chain_sides() {
  std::size_t places = 8;
  while (places < 2 * sides_.size()) places *= 2;
  chains_.assign(places, no_side);
  for (std::uint32_t i = 0; i < sides_.size(); ++i) {
    std::size_t at = sides_[i].key & (places - 1);
    while (chains_[at] != no_side && sides_[chains_[at]].key != sides_[i].key)
      at = (at + 1) & (places - 1);
    sides_[i].next = chains_[at];
    chains_[at] = i;
  }
}

void SurfaceForm::find_sides(const Aabb& box) {
  chain_sides();
  const auto side_at = [&](std::uint32_t at) -> SurfaceGroup::Side& {
    return groups_[at / 32].sides[at % 4];
  };
  const auto see = [&](std::uint32_t own, std::uint32_t other) {
    const Vec3& far = corner(corners_[other / 4], (other % 4 + 2) % 3);
    SurfaceGroup::Side& side = side_at(own);
    side.height[own / 4 % 8] =
        static_cast<float>(dot(normals_[own / 4], far - corners_[own / 4].a));
    side.next[own / 4 % 8] = other;
  };
  const auto leave = [&](std::uint32_t own) {
    const Triangle& t = corners_[own / 4];
    const Vec3 &p = corner(t, own % 4), &q = corner(t, (own % 4 + 1) % 3);
    if (overlaps(Aabb{min(p, q), max(p, q)}, box))
      groups_[own / 32].ending[own % 4] |= static_cast<std::uint8_t>(1U << own / 4 % 8);
    else
      side_at(own).next[own / 4 % 8] = SurfaceGroup::unknown;
  };
  for (const std::uint32_t head : chains_) {
    if (head == no_side) continue;
    const KeyedSide& first = sides_[head];
    if (first.next != no_side && sides_[first.next].next == no_side) {
      see(first.at, sides_[first.next].at);
      see(sides_[first.next].at, first.at);
    } else {
      for (std::uint32_t i = head; i != no_side; i = sides_[i].next) leave(sides_[i].at);
    }
  }
}

void SurfaceForm::make(std::span<const Item> items, const Aabb& box) {
  groups_.clear();
  corners_.clear();
  normals_.clear();
  sides_.clear();
  all_ = true;
  std::array<KeyedItem, 8> group;
  std::size_t count = 0;
  for (const Item& item : items) {
    const Triangle& t = item.corners;
    if (!(length(normal_of(t)) > 0)) {
      all_ = false;
      continue;
    }
    group[count++] = {item, {key_of(t.a), key_of(t.b), key_of(t.c)}};
    if (count < group.size()) continue;
    add_group(group);
    count = 0;
  }
  if (count > 0) add_group(std::span(group).first(count));
  find_sides(box);
}

std::shared_ptr<const SurfaceForm> SurfaceForm::of(const Shape& shape) {
  const auto* mesh = body_of<TriangleMesh>(shape);
  if (!is_surface(shape) || mesh == nullptr) return nullptr;
  auto form = std::make_shared<SurfaceForm>();
  const WideTree& tree = mesh->tree().tree();
  std::vector<std::uint64_t> keys; // of vertices: most corners share theirs
  keys.reserve(mesh->vertices().size());
  for (const Vec3& p : mesh->vertices()) keys.push_back(key_of(p));
  form->groups_.reserve(tree.leaf_count());
  form->corners_.reserve(8 * tree.leaf_count());
  form->normals_.reserve(8 * tree.leaf_count());
  form->sides_.reserve(3 * mesh->surface().triangles.size());
  std::array<KeyedItem, 8> group;
  for (std::uint32_t leaf = 0; leaf < tree.leaf_count(); ++leaf) {
    std::size_t count = 0;
    for (const std::uint32_t i : tree.leaf(leaf)) {
      if (i == WideTree::no_item) continue;
      const Triangle t = mesh->triangle(i);
      const auto& [a, b, c] = mesh->surface().triangles[i];
      if (length(normal_of(t)) > 0)
        group[count++] = {{i, t}, {keys[a], keys[b], keys[c]}};
      else
        form->all_ = false;
    }
    form->add_group(std::span(group).first(count));
  }
  form->find_sides(mesh->bounds());
  form->corners_ = {};
  form->normals_ = {};
  form->sides_ = {};
  form->chains_ = {};
  return form;
}

} // namespace carom
