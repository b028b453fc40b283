// Collisions at several contacts at one moment: what comes together bounces off.
//
// All at once: compression is one complementarity problem, after which nothing comes nearer; restitution is another, in which each contact gives back e times the impulse it took in, or more if something else presses on it (Poisson's law). One by one: the contact that comes together fastest
// collides as if it were alone, then the next, until none comes together: so a blow runs through a row of balls, and the last one flies off. The two are different physics: the first is that of bodies with one stiffness, the second that
// of a pulse that takes its time. A contact that is alone is followed through with friction either way (collision_impulse.h).
//
// Kinetic energy does not grow.
#pragma once

#include "carom/dynamics/classic/contact_solve.h"

namespace [[gnu::visibility("default")]] carom {

/// How impulses at several contacts are found.
enum class ImpulseOrder : std::uint8_t {
  at_once,    ///< simultaneous
  one_by_one, ///< sequential
};

namespace classic {

struct CollideOptions {
  ImpulseOrder order = ImpulseOrder::at_once;
  double bounce_speed = 0.05; ///< a speed: what comes together slower does not bounce
};

struct CollideCounts {
  int impulses = 0; ///< at contacts
  int pivots = 0;
};

/// Changes the velocities of the bodies so that no contact comes nearer.
CollideCounts collide(ResponseBodies& bodies, std::span<const ContactPoint> contacts,
                      const CollideOptions& options);

/// Contacts that have to do with each other, since bodies that can be pushed link them: lists of places in `contacts`, each in order, by their first.
[[nodiscard]] std::vector<std::vector<std::uint32_t>>
linked_contacts(const ResponseBodies& bodies, std::span<const ContactPoint> contacts);

} // namespace classic
} // namespace carom
