#include <carom/math/pose.h>
#include <carom/math/random.h>

int main() {
  const carom::Vec3 d =
      carom::Random(1).direction(); // a function that lives in the library, not in a header
  return carom::Pose::at(d).frame().to_local(d) == carom::Vec3{0, 0, 0} ? 0 : 1;
}
