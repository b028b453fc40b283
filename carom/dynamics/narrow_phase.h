// Where the shapes of a pair touch now: makes the manifolds of pairs anew, or sees that the last ones will do. Internal to the world.
#pragma once

#include "carom/dynamics/contact_store.h"
#include "carom/dynamics/form_store.h"
#include "carom/dynamics/mesh_contacts.h"
#include "carom/query/answer.h"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace [[gnu::visibility("default")]] carom {

struct NarrowPhaseOptions {
  double margin = 0.02; ///< contacts are made this far ahead
  double time_step = 0; ///< and as far as the bodies may come together in this time
  bool continuous =
      false; ///< but not so where a fast body is stopped in time anyway (continuous.h)
};

class NarrowPhase {
public:
  /// Brings the pair's manifolds up to date; of a sensor, whether the two overlap: the count of points is 1 or 0 then. Returns how far any point may have moved since they were made: 0 where that is now.
  double update(const BodyStore& bodies, ContactStore& pairs, std::uint32_t pair,
                const NarrowPhaseOptions& options);
  /// For how long the pair, just brought up to date, need not be looked at; `moved` is what update() returned.
  static void set_head(const BodyStore& bodies, const ContactStore& pairs, std::uint32_t pair,
                       double moved, std::span<const BodyTravel> travels,
                       const NarrowPhaseOptions& options, PairHead& head);

  /// What is known of the surface of a pair, or null.
  [[nodiscard]] const NearTriangles* near(std::uint32_t pair) const {
    return pair < near_.size() ? &near_[pair] : nullptr;
  }
  /// Has the memory of triangles near a pair fetched, and before that of the list of them. It changes nothing.
  void prefetch_list(std::uint32_t pair) const {
    if (pair < near_.size()) __builtin_prefetch(&near_[pair].items);
  }
  void prefetch(std::uint32_t pair) const {
    if (pair >= near_.size()) return;
    fetch(near_[pair].eights);
    fetch(near_[pair].sides);
    fetch(near_[pair].items);
  }
  [[nodiscard]] FormStore& forms() { return forms_; }

private:
  template<class T>
  static void fetch(const std::vector<T>& list) {
    constexpr std::size_t line = 64, most = 4096;
    const auto* from = reinterpret_cast<const char*>(list.data());
    const std::size_t bytes = std::min(list.size() * sizeof(T), most);
    for (std::size_t i = 0; i < bytes; i += line) __builtin_prefetch(from + i);
  }
  /// A pair in the making.
  struct Look;
  void meet_forms(const Look& look, PairRecord& p);
  void meet_convex(const Look& look, PairRecord& p);
  void meet_surface(const Look& look, ContactStore& pairs, std::uint32_t pair);
  void meet_parts(const Look& look, ContactStore& pairs, std::uint32_t pair);
  void begin_manifolds(ContactStore& pairs, std::uint32_t pair, std::size_t count);
  void hand_on_all(ContactStore& pairs, std::uint32_t pair, double near) const;

  FormStore forms_;
  ConvexMeeting meeting_;
  MeshContacts mesh_contacts_;
  std::vector<NearTriangles> near_; ///< by pair: only ever saves time
  std::vector<Spot> spots_;
  std::vector<ContactPatch> patches_;
  std::vector<Manifold> old_;
};

/// A distance that the shapes of a pair have where the bodies are now, at least, by what was found out when its manifolds were made; negative where nothing is known.
[[nodiscard]] double known_clearance(const BodyStore& bodies, const PairRecord& pair);

/// The separation of a point along the manifold's normal, where the bodies are now.
[[nodiscard]] double separation_now(const Body& a, const Body& b, const Manifold& m,
                                    const PairPoint& point);

} // namespace carom
