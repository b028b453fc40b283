// What slides over a floor made of several bodies is not caught by the seams between them. Internal to the world.
#pragma once

#include "carom/dynamics/contact_store.h"

#include <vector>

namespace [[gnu::visibility("default")]] carom {

/// Whether what the pair's manifold holds apart comes together: then it may be a seam that is in the way, also between bodies that move.
[[nodiscard]] bool is_closing(const BodyStore& bodies, const PairRecord& p);

/// Keeps its storage from call to call: one for each thread.
class Seams {
public:
  /// Whether weld() has anything to do for the body. The heads of active pairs are up to date. Where it has not, it has not after others were welded, either: contacts only ever go.
  [[nodiscard]] bool any(const BodyStore& bodies, const ContactStore& pairs, std::uint32_t slot,
                         double margin);
  /// Takes away the contacts of a body that only seem to be in its way: with fixed bodies, and with others where they come together. True where there was any.
  bool weld(const BodyStore& bodies, ContactStore& pairs, std::uint32_t slot, double margin);

private:
  /// What the body touches, as seen from it.
  struct Support {
    std::uint32_t pair;
    bool may_be_seam;
    const Body* other;
    Vec3 normal; ///< of the first manifold: out of the other body, toward this one
  };
  void find_supports(const BodyStore& bodies, const ContactStore& pairs, std::uint32_t slot);
  [[nodiscard]] bool is_seam(const BodyStore& bodies, const ContactStore& pairs, const Support& s,
                             std::uint32_t slot, double margin) const;

  std::vector<Support> supports_;
};

} // namespace carom
