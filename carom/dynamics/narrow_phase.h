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

/// What a thread needs for itself to make manifolds: storage that is kept from call to call.
struct NarrowScratch {
  ConvexMeeting meeting;
  MeshContacts mesh_contacts;
  std::vector<Spot> spots;
  std::vector<ContactPatch> patches;
  std::vector<Contact> contacts; ///< of parts
  std::vector<Manifold> old, made;
  std::vector<Manifold> chains; ///< those after the first, of pairs that have more or fewer now
};

/// What came of a pair.
struct PairUpdate {
  double moved = 0;     ///< how far any point may have moved since its manifolds were made
  double room = 0;      ///< how far any may move until they are to be looked at again
  bool carries = false; ///< there are points, and it is no sensor
  /// It has another number of manifolds now: those after the first are a stretch of NarrowScratch::chains, and are to be put into the store.
  bool rechained = false;
  std::uint32_t first = 0, count = 0;
};

class NarrowPhase {
public:
  /// Once, before pairs are brought up to date.
  void begin(const ContactStore& pairs) {
    if (near_.size() < pairs.surfaces()) near_.resize(pairs.surfaces());
  }
  /// A pair that is new.
  void begin_pair(const PairRecord& p) {
    if (p.surface < near_.size()) near_[p.surface].surface = 0;
  }
  /// Whether the pair's manifolds must be made anew, where its bodies are now: then make() is to follow. If not, `update` says what is known of it.
  [[nodiscard]] static bool is_due(const BodyStore& bodies, ContactStore& pairs, std::uint32_t pair,
                                   const NarrowPhaseOptions& options, PairUpdate& update);
  /// Makes them; of a sensor, whether the two overlap: the count of points is 1 or 0 then. Both write to nothing but the pair and the scratch: many threads may do this at once, each to other pairs.
  PairUpdate make(const BodyStore& bodies, ContactStore& pairs, std::uint32_t pair,
                  const NarrowPhaseOptions& options, NarrowScratch& scratch);
  /// For how long the pair, just brought up to date, need not be looked at.
  static void set_head(const BodyStore& bodies, const ContactStore& pairs, std::uint32_t pair,
                       const PairUpdate& update, const NarrowPhaseOptions& options, PairHead& head);

  /// What is known of the surface of a pair, or null.
  [[nodiscard]] const NearTriangles* near(const PairRecord& p) const {
    return p.surface < near_.size() ? &near_[p.surface] : nullptr;
  }
  [[nodiscard]] FormStore& forms() { return forms_; }
  [[nodiscard]] const FormStore& forms() const { return forms_; }

private:
  /// A pair in the making.
  struct Look;
  static void meet_forms(const Look& look, PairRecord& p, NarrowScratch& scratch);
  static void meet_convex(const Look& look, PairRecord& p);
  void meet_surface(const Look& look, PairRecord& p, NarrowScratch& scratch);
  static void meet_parts(const Look& look, NarrowScratch& scratch);
  static void put_manifolds(ContactStore& pairs, PairRecord& p, double near, NarrowScratch& scratch,
                            PairUpdate& update);

  FormStore forms_;
  std::vector<NearTriangles> near_; ///< by number of a pair's surface: only ever saves time
};

/// A distance that the shapes of a pair have where the bodies are now, at least, by what was found out when its manifolds were made; negative where nothing is known.
[[nodiscard]] double known_clearance(const BodyStore& bodies, const PairRecord& pair);

/// The separation of a point along the manifold's normal, where the bodies are now.
[[nodiscard]] double separation_now(const Body& a, const Body& b, const Manifold& m,
                                    const PairPoint& point);

} // namespace carom
