// Boxes that move: a step of a broad phase, inserting, and asking with a box, against Bullet's trees (floats) and FCL's (doubles).
//
// Scene: boxes with edges of 0.5 to 1.5 at random in a cube with 8 units of volume for each, so that a box overlaps one other on average. 'step': one box in ten moves by 0.1
// in a fixed direction (back from the walls), and the pairs of those that moved are found. Ours and btDbvt have the same fat boxes (margin a tenth of the longest edge, twice the
// displacement ahead) and find the pairs of those that left them: the same work, as many pairs. 'with pairs kept': btDbvtBroadphase does more, since it also keeps a table of all
// pairs, which its users cannot do without. 'double': FCL has no fat boxes, and finds the pairs of all that moved. 'fast step': displacements of 4, so that
// every box leaves its fat box in every step.
#include "bench/compare.h"
#include "carom/math/random.h"
#include "carom/tree/dynamic_queries.h"

#include <BulletCollision/BroadphaseCollision/btDbvtBroadphase.h>
#include <fcl/broadphase/broadphase_dynamic_AABB_tree.h>
#include <fcl/geometry/shape/box.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <memory>
#include <vector>

namespace carom::bench {
namespace {

/// Where the boxes are, step by step: the same for all sides.
struct Scene {
  std::vector<Aabb> boxes;
  std::vector<Vec3> velocity;
  double half;

  Scene(std::size_t count, double speed)
      : velocity(count), half(std::cbrt(static_cast<double>(count))) {
    Random random(11);
    for (std::size_t i = 0; i < count; ++i) {
      const Vec3 at = random.in_box({half, half, half});
      const Vec3 edges = Vec3{1, 1, 1} + random.in_box({0.5, 0.5, 0.5});
      boxes.push_back({at, at + edges});
      if (i % 10 == 0) velocity[i] = random.direction() * speed;
    }
  }

  /// Moves box i by its velocity.
  const Aabb& advance(std::size_t i) {
    Aabb& box = boxes[i];
    Vec3& v = velocity[i];
    for (int k = 0; k < 3; ++k)
      if (std::fabs(box.min[k] + v[k]) > half) v[k] = -v[k];
    box = {box.min + v, box.max + v};
    return box;
  }
  template<class Move>
  void step(Move&& move) {
    for (std::size_t i = 0; i < boxes.size(); i += 10) move(i, advance(i));
  }
};

struct Ours {
  Scene scene;
  DynamicTree tree;
  std::vector<BoxId> ids;

  explicit Ours(const Scene& start) : scene(start) {
    for (const Aabb& box : scene.boxes) ids.push_back(tree.insert(box).value());
    tree.clear_moved();
  }

  double step() {
    scene.step([&](std::size_t i, const Aabb& box) { (void)tree.move(ids[i], box); });
    double found = 0;
    moved_pairs(tree, [&](BoxId, BoxId) {
      ++found;
      return true;
    });
    tree.clear_moved();
    return found;
  }
};

btVector3 to_bullet(const Vec3& v) {
  return {static_cast<float>(v.x), static_cast<float>(v.y), static_cast<float>(v.z)};
}
btDbvtVolume to_bullet(const Aabb& box) {
  return btDbvtVolume::FromMM(to_bullet(box.min), to_bullet(box.max));
}
float margin_of(const Aabb& box) {
  const Vec3 e = box.max - box.min;
  return static_cast<float>(0.1 * std::max({e.x, e.y, e.z}));
}
btDbvtVolume fat_bullet(const Aabb& box) {
  btDbvtVolume volume = to_bullet(box);
  const float margin = margin_of(box);
  volume.Expand({margin, margin, margin});
  return volume;
}

/// Bullet's tree alone: the least it can do.
struct BulletTree {
  Scene scene;
  btDbvt tree;
  std::vector<btDbvtNode*> leaves;
  std::vector<btDbvtNode*> moved;
  std::vector<char> has_moved;

  explicit BulletTree(const Scene& start) : scene(start), has_moved(start.boxes.size()) {
    for (std::size_t i = 0; i < scene.boxes.size(); ++i)
      leaves.push_back(tree.insert(fat_bullet(scene.boxes[i]), nullptr));
    for (std::size_t i = 0; i < leaves.size(); ++i) leaves[i]->dataAsInt = static_cast<int>(i);
  }
  BulletTree(const BulletTree&) = delete;
  BulletTree& operator=(const BulletTree&) = delete;

  struct Count final : btDbvt::ICollide {
    const BulletTree* self = nullptr;
    int asked = 0;
    double found = 0;
    void Process(const btDbvtNode* leaf) override {
      const int other = leaf->dataAsInt;
      if (other == asked) return;
      if (other < asked && self->has_moved[static_cast<std::size_t>(other)]) return;
      ++found;
    }
  };

  double step() {
    moved.clear();
    scene.step([&](std::size_t i, const Aabb& box) {
      btDbvtVolume volume = to_bullet(box);
      // No farther ahead than ours.
      const float margin = margin_of(box), most = 11 * margin;
      btVector3 ahead = to_bullet(scene.velocity[i] * 2);
      ahead.setMin({most, most, most});
      ahead.setMax({-most, -most, -most});
      if (!tree.update(leaves[i], volume, ahead, margin)) return;
      moved.push_back(leaves[i]);
      has_moved[i] = 1;
    });
    Count count;
    count.self = this;
    for (const btDbvtNode* leaf : moved) {
      count.asked = leaf->dataAsInt;
      tree.collideTV(tree.m_root, leaf->volume, count);
    }
    for (const btDbvtNode* leaf : moved) has_moved[static_cast<std::size_t>(leaf->dataAsInt)] = 0;
    return count.found;
  }
};

/// Bullet's broad phase, as its worlds use it.
struct BulletBroadphase {
  Scene scene;
  btDbvtBroadphase broadphase;
  std::vector<btBroadphaseProxy*> proxies;

  explicit BulletBroadphase(const Scene& start) : scene(start) {
    for (const Aabb& box : scene.boxes)
      proxies.push_back(broadphase.createProxy(to_bullet(box.min), to_bullet(box.max), 0, nullptr,
                                               1, -1, nullptr));
    broadphase.calculateOverlappingPairs(nullptr);
  }

  double step() {
    scene.step([&](std::size_t i, const Aabb& box) {
      broadphase.setAabb(proxies[i], to_bullet(box.min), to_bullet(box.max), nullptr);
    });
    broadphase.calculateOverlappingPairs(nullptr);
    return broadphase.getOverlappingPairCache()->getNumOverlappingPairs();
  }
};

/// FCL's manager.
struct Fcl {
  Scene scene;
  std::vector<std::unique_ptr<fcl::CollisionObjectd>> objects;
  std::vector<fcl::CollisionObjectd*> moved;
  fcl::DynamicAABBTreeCollisionManagerd manager;

  explicit Fcl(const Scene& start) : scene(start) {
    std::vector<fcl::CollisionObjectd*> all;
    for (std::size_t i = 0; i < scene.boxes.size(); ++i) {
      const Vec3 e = scene.boxes[i].max - scene.boxes[i].min;
      objects.push_back(
          std::make_unique<fcl::CollisionObjectd>(std::make_shared<fcl::Boxd>(e.x, e.y, e.z)));
      all.push_back(objects.back().get());
      place(i);
      if (i % 10 == 0) moved.push_back(all.back());
    }
    manager.registerObjects(all);
    manager.setup();
  }

  void place(std::size_t i) {
    const Vec3 c = scene.boxes[i].center();
    objects[i]->setTranslation({c.x, c.y, c.z});
    objects[i]->computeAABB();
  }
  static bool count(fcl::CollisionObjectd*, fcl::CollisionObjectd*, void* found) {
    ++*static_cast<double*>(found);
    return false;
  }

  double step() {
    scene.step([&](std::size_t i, const Aabb&) { place(i); });
    manager.update(moved);
    double found = 0;
    for (fcl::CollisionObjectd* object : moved) manager.collide(object, &found, count);
    return found;
  }
};

template<class Side>
Work step_of(const Scene& scene) {
  return [side = std::make_shared<Side>(scene)] { return side->step(); };
}

void compare_steps(const std::string& name, std::size_t count, double speed) {
  const Scene scene(count, speed);
  Ours ours(scene);
  BulletTree bullet(scene);
  double found_by_ours = 0, found_by_bullet = 0;
  for (int i = 0; i < 20; ++i) {
    found_by_ours += ours.step();
    found_by_bullet += bullet.step();
  }
  // They round differently, which lets few pairs differ.
  if (std::fabs(found_by_ours - found_by_bullet) > 0.01 * found_by_ours)
    std::fprintf(stderr, "%s: %.0f pairs, Bullet has %.0f\n", name.c_str(), found_by_ours,
                 found_by_bullet);
  compare(name, 1, step_of<Ours>(scene), "Bullet btDbvt", step_of<BulletTree>(scene));
  compare(name + " with pairs kept", 1, step_of<Ours>(scene), "Bullet btDbvtBroadphase",
          step_of<BulletBroadphase>(scene));
  compare(name + " double", 1, step_of<Ours>(scene), "FCL dynamic AABB tree", step_of<Fcl>(scene));
}

void compare_inserts() {
  const Scene scene(10000, 0);
  compare(
      "dynamic insert", scene.boxes.size(),
      [scene] {
        DynamicTree tree;
        for (const Aabb& box : scene.boxes) (void)tree.insert(box);
        return static_cast<double>(tree.height());
      },
      "Bullet btDbvt",
      [scene] {
        btDbvt tree;
        for (const Aabb& box : scene.boxes) tree.insert(fat_bullet(box), nullptr);
        return static_cast<double>(tree.m_leaves);
      });
}

void compare_queries() {
  const Scene scene(10000, 0), asked(10000, 0.5);
  std::vector<Aabb> boxes;
  for (std::size_t i = 0; i < asked.boxes.size(); i += 10) {
    const Vec3 by = asked.velocity[i];
    boxes.push_back({asked.boxes[i].min + by, asked.boxes[i].max + by * 3});
  }
  compare(
      "dynamic box query", boxes.size(),
      [side = std::make_shared<Ours>(scene), boxes] {
        double found = 0;
        for (const Aabb& box : boxes)
          find_boxes(side->tree, box, [&](BoxId) {
            ++found;
            return true;
          });
        return found;
      },
      "Bullet btDbvt",
      [side = std::make_shared<BulletTree>(scene), boxes] {
        BulletTree::Count count;
        count.self = side.get();
        count.asked = -1;
        for (const Aabb& box : boxes)
          side->tree.collideTV(side->tree.m_root, to_bullet(box), count);
        return count.found;
      });
}

} // namespace
} // namespace carom::bench

int main(int argc, char** argv) {
  using namespace carom::bench;
  compare_steps("dynamic 1000 step", 1000, 0.1);
  compare_steps("dynamic 10000 step", 10000, 0.1);
  compare_steps("dynamic 10000 fast step", 10000, 4);
  compare_inserts();
  compare_queries();
  return carom::bench::main(argc, argv);
}
