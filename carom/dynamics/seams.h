// What slides over a floor made of several bodies is not caught by the seams between them. Internal to the world.
#pragma once

#include "carom/dynamics/contact_store.h"

namespace [[gnu::visibility("default")]] carom {

/// Takes away the contacts of a body with fixed ones that only seem to be in its way.
void weld_seams(const BodyStore& bodies, ContactStore& pairs, std::uint32_t slot, double margin);

} // namespace carom
