// What is asked of Highway's library, which is built for another machine: with one width of lanes there is nothing to choose.
#include <hwy/targets.h>

namespace hwy {

int64_t SupportedTargets() { return HWY_STATIC_TARGET; }
void DisableTargets(int64_t) {}
ChosenTarget& GetChosenTarget() {
  static ChosenTarget chosen;
  return chosen;
}

} // namespace hwy
