// The first meeting of two sets of parts in a motion. Internal to exact polyhedral motion.
#pragma once

#include "carom/math/plucker.h"
#include "carom/motion/polyhedral_motion.h"
#include "carom/motion/polyhedral_parts.h"

#include <cstdint>
#include <vector>

namespace [[gnu::visibility("default")]] carom {

/// The first hit so far: what comes later than `hit.at` need not be looked at.
struct FirstHit {
  ZoneHit hit;
  double limit = 1; ///< hit.at, or the end of the motion
  PolyhedralContact::Kind kind{};
  std::uint32_t on_moving = 0, on_resting = 0; ///< numbers of the bodies
  bool found = false;                          ///< in this search

  /// Equal times: the first in the order of the search stays, so that nothing depends on how the parts were found.
  void take(const ZoneHit& h, PolyhedralContact::Kind k, std::uint32_t moving,
            std::uint32_t resting);
};

/// Signs, known or not, of how vertices pass edges: three bits each. Row by row; a row is an edge, or a vertex.
class PassingSides {
public:
  void start(std::size_t rows, std::size_t columns, bool remember);
  /// left: >= -slack, right: <= slack.
  struct Sides {
    bool left, right;
  };
  template<class Compute>
  [[nodiscard]] Sides of(std::size_t row, std::size_t column, Compute&& compute) {
    if (!remember_) return compute();
    const std::size_t at = row * columns_ + column;
    std::uint8_t& bits = bits_[at >> 1];
    const int shift = (at & 1) != 0 ? 4 : 0;
    if (((bits >> shift) & 4) == 0) {
      const Sides s = compute();
      bits = static_cast<std::uint8_t>(bits | ((s.left ? 5 : 4) | (s.right ? 2 : 0)) << shift);
    }
    return {((bits >> shift) & 1) != 0, ((bits >> shift) & 2) != 0};
  }

private:
  std::size_t columns_ = 0;
  bool remember_ = true;
  std::vector<std::uint8_t> bits_;
};

/// The distances from the z axis and the heights that a part reaches over.
struct TurnRing {
  double near = 0, far = 0, low = 0, high = 0;

  [[nodiscard]] bool meets(const TurnRing& o) const {
    return near <= o.far && o.near <= far && low <= o.high && o.low <= high;
  }
};
/// An edge as a line, and where it is.
struct TurnLine {
  PluckerLine line;
  TurnRing ring;
  std::uint32_t edge = 0;
};
/// The plane through an edge along a translation: on which side points pass.
struct PassingPlane {
  Vec3 normal; ///< edge x motion
  double offset = 0, slack = 0;
};
/// A moving polygon that faces ahead.
struct FacingPolygon {
  const PlacedParts::Polygon* polygon = nullptr;
  double side = 1, speed = 0;
};

/// Memory of the searches.
struct SearchMemory {
  PassingSides moving_vertices, resting_vertices;
  std::vector<std::uint32_t> active; ///< moving edges that may be the first to touch
  std::vector<FacingPolygon> facing;
  std::vector<PassingPlane> moving_planes, resting_planes; ///< of edges
  std::vector<double> coordinates,
      passing; ///< of moving vertices: all x, all y, all z; on which side they pass
  std::vector<TurnRing> rings;
  std::vector<TurnLine> moving_lines, resting_lines;
};

void search_translation(const PlacedParts& moving, const PlacedParts& resting, const Vec3& motion,
                        const ExpelZone& zone, const PolyhedralOptions& options,
                        SearchMemory& memory, FirstHit& first);

/// In the frame of the axis (polyhedral_rotation.h).
void search_rotation(const PlacedParts& moving, const PlacedParts& resting, const ExpelZone& zone,
                     const PolyhedralOptions& options, SearchMemory& memory, FirstHit& first);

} // namespace carom
