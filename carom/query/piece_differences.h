// The differences P - Q of the convex pieces of two shapes: sets of translations that do not separate them. Internal to penetration.
#pragma once

#include "carom/geometry/box.h"
#include "carom/query/depth_proof.h"

#include <span>

namespace [[gnu::visibility("default")]] carom {

class PieceDifferences {
public:
  PieceDifferences(std::span<const PlacedPiece> a, std::span<const PlacedPiece> b);

  struct Depth {
    double value = 0; ///< the ball of this radius is in one P - Q
    std::uint32_t pair = 0;
    Vec3 normal{1, 0, 0}; ///< from there, the way out of P - Q that is as short
  };
  /// The greatest ball around t in one P - Q that a few tries find; `enough` is large enough. `hint` is the pair to try first.
  [[nodiscard]] Depth depth(const Vec3& t, double enough, std::uint32_t hint);
  /// Two more pieces. They are paired with each other, and with those that came this way before.
  void add(const PlacedPiece& a, const PlacedPiece& b);

  [[nodiscard]] std::uint32_t piece_a(std::uint32_t pair) const { return pairs_[pair].a; }
  [[nodiscard]] std::uint32_t piece_b(std::uint32_t pair) const { return pairs_[pair].b; }
  [[nodiscard]] const std::vector<PlacedPiece>& pieces_a() const { return a_.pieces; }
  [[nodiscard]] const std::vector<PlacedPiece>& pieces_b() const { return b_.pieces; }

private:
  struct Bounds {
    Aabb box;
    Vec3 center; ///< of a ball inside
    double radius;
    bool is_ball; ///< and nothing else
  };
  struct Side {
    std::vector<PlacedPiece> pieces;
    std::vector<Bounds> bounds;
    std::vector<std::uint32_t> added; ///< pieces that came later

    /// The number of a piece, new or not.
    std::uint32_t number_of(const PlacedPiece& piece);
    void push(const PlacedPiece& piece);
  };
  struct Pair {
    std::uint32_t a, b;
    Aabb box; ///< around P - Q
    Vec3 center;
    double radius;
    bool is_ball;
  };
  struct Candidate {
    double worth, most;
    std::uint32_t pair;
  };
  void add_pair(std::uint32_t a, std::uint32_t b);
  void measure(const Vec3& t, std::uint32_t k, Depth& best) const;

  Side a_, b_;
  std::vector<Pair> pairs_;
  std::vector<Candidate> open_;
};

} // namespace carom
