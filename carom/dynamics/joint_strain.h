// Nets of joints that cannot all be closed. Internal to the solver.
//
// A rod that is too short for what it spans, a wheel that is to be in two places: such a net pulls at itself with all that its joints can bear. Each pull acts a sub-step late, along lines that have turned meanwhile, and that makes energy
// of nothing; faster bodies tear the joints open farther, and within a second nothing has a number any more. But what holds does no work. So where a joint is open by more than a good one ever is, the joints of all bodies that hang together
// with it may take away from the energy of their motion within the net, and add no more to it than motors and springs do; and that motion is slowed down. What cannot be satisfied comes to rest, under tension.
//
// Momentum stays: of a net that hangs on nothing, the motion that it has as one rigid body is left alone. Of one that hangs on a body which moves of itself, motion is that against this body.
#pragma once

#include "carom/dynamics/body_store.h"
#include "carom/dynamics/solver_body.h"
#include "carom/mesh/union_find.h"

#include <cstdint>
#include <span>
#include <vector>

namespace [[gnu::visibility("default")]] carom {

class JointStrain {
public:
  /// A joint that acts. Places of bodies; 0: what never moves.
  struct Edge {
    std::uint32_t a = 0, b = 0;
    bool a_moves = false, b_moves = false;
    bool open = false; ///< by more than a good joint is
  };

  /// With a step.
  void begin(std::span<const Edge> edges, const BodyStore& bodies,
             std::span<const BodyMotion> motions);
  /// No joint is open.
  void clear() { nets_.clear(); }
  [[nodiscard]] bool any() const { return !nets_.empty(); }
  /// Of the net of a body: all its mass; and a bound of its inertia about any of its bodies.
  [[nodiscard]] double mass(std::uint32_t place) const { return nets_[net_of_[place]].mass; }
  [[nodiscard]] double inertia(std::uint32_t place) const { return nets_[net_of_[place]].inertia; }
  /// Whether the body at this place is part of a strained net.
  [[nodiscard]] bool has(std::uint32_t place) const { return net_of_[place] != no_index; }

  // Of a sub-step.
  /// Before joints act: forces have.
  void before(std::span<const BodyMotion> motions, std::span<const SolverBody> states);
  /// Motors and springs have put so much into the motion of a net: that of the body at this place.
  void add_work(std::uint32_t place, double work);
  /// When all is done: slows down what has more than it may have. `time` is that of the sub-step.
  void after(std::span<const BodyMotion> motions, std::span<SolverBody> states, double time);

private:
  struct Member {
    std::uint32_t place = 0, net = 0;
    double mass = 0;
    Mat3 inertia{}; ///< in the body's frame
    Quat rotation{};
    Vec3 center{}; ///< when the step began
  };
  /// Motion as one rigid body.
  struct Whole {
    double mass = 0;
    Vec3 center{}, velocity{}, spin{};
    Vec3 angular_momentum{};
    Mat3 inertia = Mat3::zero();
  };
  struct Net {
    bool hung = false;        ///< on what joints cannot move
    std::uint32_t anchor = 0; ///< the place of that; 0: it does not move
    Vec3 anchor_center{};     ///< when the step began
    double driven = 0;        ///< energy that bodies have at the speed of what moves of itself
    double allowed = 0;
    double mass = 0, inertia = 0;
    Whole whole;
  };
  struct Moving {
    Vec3 at, velocity, spin;
    Mat3 inertia;
  };
  [[nodiscard]] static Moving moving(const Member& member, std::span<const BodyMotion> motions,
                                     std::span<const SolverBody> states);
  static void hang(Net& net, std::uint32_t anchor, const BodyStore& bodies,
                   std::span<const BodyMotion> motions);
  void find_wholes(std::span<const SolverBody> states);
  /// Of each net, the energy of motion beside that as one, into energies_.
  void measure(std::span<const BodyMotion> motions, std::span<const SolverBody> states);

  std::vector<Net> nets_;
  std::vector<Member> members_;
  std::vector<Moving> moving_; ///< beside members_, when they were measured
  std::vector<double> energies_;
  std::vector<std::uint32_t> net_of_;      ///< by place; no_index: none
  std::vector<std::uint32_t> net_at_root_; ///< by place that stands for all it hangs together with
  UnionFind sets_;
};

} // namespace carom
