// What a user writes: the README's lines, against an installed copy.
#include <carom/carom.h>
using namespace carom;

int main() {
  const Obb crate{{0, 0, 0}, to_matrix(Quat::from_axis_angle({0, 0, 1}, pi / 6)), {1, 0.5, 0.5}};
  const Capsule pipe{{0, 2, -1}, {3, 2, 1}, 0.25};

  const GjkResult d = gjk(ConvexView(crate), ConvexView(pipe));
  const Overlap o = overlap(crate, pipe);
  const TriangleHit hit =
      cast(Ray{{0, 0, 5}, {0, 0, -1}}, Triangle{{-1, -1, 0}, {1, -1, 0}, {0, 1, 0}});
  const bool right = d.lower_bound > 0 && d.closest.distance - d.lower_bound < 1e-12 && !o.hit &&
                     hit.hit && hit.t == 5;
  return right ? 0 : 1;
}
