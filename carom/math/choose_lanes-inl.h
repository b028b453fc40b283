// Which of the compiled instruction sets this machine runs. Internal: for sources compiled once a target.
#pragma once

#include <hwy/targets.h>

namespace carom {

/// Before the addresses of functions for this machine are taken. Asked for once: the processor takes microseconds to answer, on virtual machines tens of them. Tests that switch instruction sets off have it asked anew.
inline void choose_lanes() {
  hwy::ChosenTarget& chosen = hwy::GetChosenTarget();
  if (!chosen.IsInitialized()) chosen.Update(hwy::SupportedTargets());
}

} // namespace carom
