// Impulses at several contacts, such that none comes nearer: one after the other, or all at once.
//
// One by one: each contact in turn gets the impulse it lacks, or gives back what it has too much, round after round, until nothing changes. All at once: a linear complementarity problem (math/complementarity.h), one row for
// each normal and two for friction. Both find the same, where they find it: the first is simple and comes near, the second is exact and costs the cube of the number of contacts.
//
// Friction along a contact is bounded by what it carries, which is not known before: bounds are those of the last answer, until they agree. Each answer is proved; that the bounds agree is measured.
#pragma once

#include "carom/dynamics/classic/response_body.h"
#include "carom/math/complementarity.h"

namespace [[gnu::visibility("default")]] carom {
namespace classic {

/// What is asked for at a contact.
struct ContactWish {
  double speed = 0;   ///< along the normal, at least this afterwards
  double impulse = 0; ///< along the normal, at least this; >= 0
  Vec3 guess{};       ///< an impulse to begin with: that of the last time
};

struct ContactSolution {
  std::vector<Vec3> impulses; ///< on B, one a contact
  /// How much more friction there is anywhere than friction times normal impulse; an impulse.
  double friction_excess = 0;
  int rounds = 0, pivots = 0;
  /// The last problem of solve_at_once and its answer, for whoever checks it. Rows are normal, tangent, tangent of each contact.
  std::vector<double> matrix, constant, low, high, x;
  ComplementarityStatus status = ComplementarityStatus::solved;

  [[nodiscard]] ComplementarityProblem problem() const {
    return {.size = x.size(), .matrix = matrix, .constant = constant, .low = low, .high = high};
  }
};

// Both change the velocities of the bodies. Contacts of which nothing can be pushed are left alone.

/// At most `rounds` of them; or until no contact's speed changes by more than `tolerance`.
ContactSolution solve_one_by_one(ResponseBodies& bodies, std::span<const ContactPoint> contacts,
                                 std::span<const ContactWish> wishes, int rounds, double tolerance);
ContactSolution solve_at_once(ResponseBodies& bodies, std::span<const ContactPoint> contacts,
                              std::span<const ContactWish> wishes);

} // namespace classic
} // namespace carom
