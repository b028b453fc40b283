// What slides over a floor made of several bodies is not caught by the seams between them. Internal to the world.
#pragma once

#include "carom/dynamics/contact_store.h"

#include <vector>

namespace [[gnu::visibility("default")]] carom {

/// Whether what the pair's manifolds hold apart comes together: then it may be a seam that is in the way, also between bodies that move. Of a pair that may have several, whether it moves at all.
[[nodiscard]] bool is_closing(const BodyStore& bodies, const PairRecord& p);

/// Keeps its storage from call to call: one for each thread.
class Seams {
public:
  /// Whether weld() has anything to do for the body. The pairs that carry are grouped (ContactStore::group_carrying). Where it has not, it has not after others were welded, either: contacts only ever go.
  [[nodiscard]] bool any(const BodyStore& bodies, const ContactStore& pairs, std::uint32_t slot,
                         double margin);
  /// Takes away the contacts of a body that only seem to be in its way: with fixed bodies, and with others where they come together. True where there was any.
  bool weld(const BodyStore& bodies, ContactStore& pairs, std::uint32_t slot, double margin);

private:
  /// A manifold of the body, as seen from it.
  struct Support {
    std::uint32_t pair;
    std::uint32_t number; ///< among the pair's
    bool may_be_seam;
    const Manifold* manifold;
    const Body* other;
    Vec3 normal; ///< out of the other body, toward this one
    double depth =
        0; ///< the least separation, by find_depths(); infinite: it was a seam, and nothing rests on it
  };
  /// Whether two of what the body touches move together beside it, as a ground does: else nothing that it touches is a seam. Known by how they move alone.
  [[nodiscard]] bool has_ground(const BodyStore& bodies, const ContactStore& pairs,
                                std::uint32_t slot);
  void find_supports(const BodyStore& bodies, const ContactStore& pairs, std::uint32_t slot);
  /// Whether the other may be the floor that the one is a seam of, as far as is known without measuring.
  [[nodiscard]] static bool may_be_floor(const Body& own, const Support& s, const Support& floor);
  [[nodiscard]] bool may_have_any(const Body& own) const;
  void find_depths(const BodyStore& bodies, const ContactStore& pairs);
  [[nodiscard]] bool is_seam(const BodyStore& bodies, const ContactStore& pairs, const Support& s,
                             std::uint32_t slot, double margin) const;

  /// What the body touches, by its pair.
  struct Neighbour {
    bool fixed;
    Vec3 velocity; ///< where the body is
    double little; ///< what is less is none: the square of a speed
  };
  std::vector<Neighbour> neighbours_;
  std::vector<Support> supports_;
};

} // namespace carom
