// What a collision does to the velocities of a body that hits something immovable, at the moment it does. Internal to the world.
//
// The solver takes arms and inertias as they are when a step begins; a thin body that is struck at one end turns by more than a radian before the next. So where a body turns fast, the collision is solved here, where it was stopped
// (continuous.h), in doubles: impulses at all points of contact, with restitution and friction.
#pragma once

#include "carom/dynamics/contact_store.h"
#include "carom/dynamics/form_store.h"
#include "carom/dynamics/mesh_contacts.h"
#include "carom/query/contact_patch.h"

#include <vector>

namespace [[gnu::visibility("default")]] carom {

/// A body at a time: its frame is at the centre of mass.
struct StruckBody {
  Frame frame;
  Vec3 velocity, spin;
};

struct StrikeOptions {
  double margin = 0.02;        ///< points so near count
  double bounce_threshold = 1; ///< a speed: what comes together slower does not bounce
};

/// Storage that is kept from call to call, for one thread.
struct StrikeScratch {
  struct Point {
    Vec3 arm, normal; ///< the normal leads out of the other shape
    Vec3 wall{};      ///< velocity of the other shape there
    double wanted = 0;
    double carried = 0;
    Vec3 dragged{};
  };
  std::vector<Point> points;
  std::vector<ContactPatch> patches;
  std::vector<Contact> contacts;
  MeshContacts mesh_contacts;
  NearTriangles near;
};

/// What a strike did. No impulse: nothing was struck.
struct StrikeTold {
  double impulse = 0;  ///< along the normals, of all points together
  double approach = 0; ///< how fast the bodies came together at the fastest of the points
  Vec3 point{};        ///< the mean of the points that carried
  Vec3 normal{};       ///< out of the other shape
};

/// Changes the velocities of the body so that none of its points of contact with the other shape, which moves at its body's velocities whatever hits it, comes nearer to it. Kinetic energy, as seen from the other body, does not grow.
/// `own` and `other` are numbers of shapes; `pose` is where the other one is. Nothing happens where axes are locked.
StrikeTold strike(const BodyStore& bodies, const FormStore& forms, std::uint32_t own,
                  std::uint32_t other, const Pose& pose, const StrikeOptions& options,
                  StruckBody& body, StrikeScratch& scratch);

} // namespace carom
