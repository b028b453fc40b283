// The public queries of continuous collision: no contact missed, at most ten too many and those close, each miss and each time proved, and quickly.
#include "carom/math/tolerance.h"
#include "carom/motion/edge_edge.h"
#include "carom/motion/vertex_face.h"
#include "tests/ccd/linear_data.h"
#include "tests/motion/linear_cases.h"
#include "tests/motion/linear_oracle.h"
#include "tests/support/property.h"

#include <cstdio>

namespace carom::test {
namespace {

LinearImpact ask(const verify::LinearQuery& q, LinearImpactProof* proof = nullptr) {
  const auto& p = q.points;
  const LinearOptions options{q.separation, q.input_error, proof};
  if (q.first_part == 1) return vertex_face_impact(p[0], {p[1], p[2], p[3]}, options);
  return edge_edge_impact({p[0], p[1]}, {p[2], p[3]}, options);
}

const std::map<std::string, std::vector<DataQuery>>& queries(const std::filesystem::path& folder) {
  static std::string complaint;
  static const auto all = read_all_queries(folder / "ccd", complaint);
  EXPECT_EQ(complaint, "");
  return all;
}

TEST(LinearData, NoContactIsMissed) {
  CAROM_DATA_OR_SKIP(folder);
  std::size_t asked = 0;
  std::size_t false_hits = 0;
  for (const auto& [name, set] : queries(folder)) {
    for (const DataQuery& q : set) {
      const LinearImpact impact = ask(q.query);
      ++asked;
      if (q.truth) {
        EXPECT_TRUE(impact.hit) << name << ' ' << text(q.query);
      }
      if (!impact.hit || q.truth) continue;
      ++false_hits;
      // Not farther than 1e-6 of the size: what the weights at that time say.
      const verify::Verdict close =
          verify::check_linear_contact(q.query, impact, 1e-6 * size_of(q.query));
      EXPECT_TRUE(close) << name << ' ' << text(q.query) << close.why;
    }
  }
  EXPECT_GT(asked, 0U);
  EXPECT_LE(false_hits, 10U);
  std::printf("%zu queries, %zu false hits\n", asked, false_hits);
}

/// Where all numbers are doubles, nothing is left to tolerances: the answers are the truth, and what the oracle says, too, to the time.
TEST(LinearData, DoublesAreDecidedExactly) {
  CAROM_DATA_OR_SKIP(folder);
  std::size_t count = 0;
  for (const auto& [name, set] : queries(folder)) {
    for (const DataQuery& q : set) {
      if (q.query.input_error > 0) continue;
      const LinearImpact impact = ask(q.query);
      EXPECT_EQ(impact.hit, q.truth) << name << ' ' << text(q.query);
      EXPECT_EQ(impact.status, LinearImpactStatus::exact);
      if (++count % 8 != 0) continue; // rationals take their time
      const auto truth = LinearOracle(q.query).first_contact();
      EXPECT_EQ(truth.has_value(), q.truth);
      if (truth && impact.hit) {
        EXPECT_TRUE(Rational(impact.t) <= truth->hi && Rational(impact.t_upper) >= truth->lo);
        EXPECT_LE(impact.t_upper - impact.t, 0x1p-20);
      }
    }
  }
}

TEST(LinearData, ProofsHold) {
  CAROM_DATA_OR_SKIP(folder);
  std::size_t asked = 0;
  std::size_t complete = 0;
  std::size_t claims = 0;
  for (const auto& [name, set] : queries(folder)) {
    for (std::size_t i = 0; i < set.size(); i += 4) {
      LinearImpactProof proof;
      const LinearImpact impact = ask(set[i].query, &proof);
      const verify::Verdict verdict = verify::check_linear_proof(set[i].query, impact, proof);
      EXPECT_TRUE(verdict) << name << ' ' << text(set[i].query) << verdict.why;
      ++asked;
      complete += proof.complete ? 1 : 0;
      claims += proof.claims.size();
    }
  }
  std::printf("%zu proofs, %zu complete, %.1f claims each\n", asked, complete,
              static_cast<double>(claims) / static_cast<double>(asked));
  EXPECT_GE(complete * 100, asked * 95);
}

/// Numbers that are no doubles, read as enclosing intervals: thirds of the data. What touches still does.
TEST(LinearData, RationalsAreEnclosed) {
  CAROM_DATA_OR_SKIP(folder);
  std::size_t far_hits = 0;
  for (const auto& [name, set] : queries(folder)) {
    for (const DataQuery& q : set) {
      verify::LinearQuery thirds = q.query;
      thirds.input_error = 0;
      for (std::size_t row = 0; row < 8; ++row)
        for (std::size_t k = 0; k < 3; ++k) {
          MovingPoint& p = thirds.points[row % 4];
          (row < 4 ? p.from : p.to)[static_cast<int>(k)] =
              nearest_double(q.exact[row][k] / 3, thirds.input_error);
        }
      const LinearImpact impact = ask(thirds);
      if (q.truth) {
        EXPECT_TRUE(impact.hit) << name << ' ' << text(q.query);
      }
      if (!impact.hit || q.truth) continue;
      const double size = size_of(thirds);
      far_hits += verify::check_linear_contact(thirds, impact, 1e-11 * size) ? 0 : 1;
      EXPECT_TRUE(verify::check_linear_contact(thirds, impact, 1e-6 * size)) << text(thirds);
    }
  }
  EXPECT_EQ(far_hits, 0U);
}

/// Far from the origin and at other scales the same queries have the same answers, where that is exact: powers of two.
TEST(LinearData, ScalesByPowersOfTwo) {
  CAROM_DATA_OR_SKIP(folder);
  for (const auto& [name, set] : queries(folder)) {
    for (const DataQuery& q : set) {
      for (const double factor : {0x1p-20, 0x1p20}) {
        verify::LinearQuery scaled = q.query;
        scaled.input_error *= factor;
        bool in_range = true;
        for (MovingPoint& p : scaled.points) {
          p.from *= factor;
          p.to *= factor;
          for (int k = 0; k < 3; ++k)
            in_range = in_range && tolerance::is_coordinate(p.from[k]) &&
                       tolerance::is_coordinate(p.to[k]);
        }
        if (in_range) {
          EXPECT_EQ(ask(scaled).hit, ask(q.query).hit) << name;
        }
      }
    }
  }
}

} // namespace
} // namespace carom::test
