// Moving shapes of any two kinds, with motions that the bytes choose: every time of impact goes through the checker, and every proof. Prints how many there were.
#include "carom/motion/prove_impact.h"
#include "carom/motion/time_of_impact.h"
#include "carom/verify/check_motion.h"
#include "tests/motion/motion_cases.h"
#include "tests/query/composite_cases.h"

#include <cstdio>
#include <cstdlib>

namespace {

using namespace carom;
using test::CompositeCase;

class Tally {
public:
  ~Tally() { std::fprintf(stderr, "%llu answers verified, %llu wide\n", count_, wide_); }
  void require(const verify::Verdict& verdict, const char* what, const CompositeCase& c) {
    ++count_;
    if (verdict) return;
    std::fprintf(stderr, "%s of %s and %s: %s, size %g\n", what, name_of(c.a.shape.kind()),
                 name_of(c.b.shape.kind()), verdict.why.c_str(), c.size);
    std::abort();
  }
  void add_wide() { ++wide_; }

private:
  unsigned long long count_ = 0, wide_ = 0;
};
Tally tally; // NOLINT: prints when the program ends

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  test::BytesSource bytes(data, size);
  const auto kind_a = static_cast<ShapeKind>(bytes.index(shape_kinds));
  const auto kind_b = static_cast<ShapeKind>(bytes.index(shape_kinds));
  const CompositeCase c = test::composite_case(bytes, kind_a, kind_b);
  const double scale = c.a.shape.size() + c.b.shape.size();
  const Motion a = test::motion(bytes, c.a.pose, scale);
  Motion b = test::motion(bytes, c.b.pose, scale);
  if (bytes.index(2))
    b.translation = test::coordinates((c.a.pose.position - c.b.pose.position) * 1.5);
  const double places = test::motion_size(a) + test::motion_size(b);
  const double error = std::max(1e-9 * scale, 4e-10 * scale + 2e-13 * places);
  const double tolerance =
      c.promised() + 1e-13 * (places + scale) * (1 + std::fabs(a.angle) + std::fabs(b.angle));
  const TimeOfImpact i = time_of_impact(c.a.shape, a, c.b.shape, b);
  if (i.status == Status::wide) tally.add_wide();
  tally.require(verify::check_impact(c.a.shape, a, c.b.shape, b, i, 0, error, 1, 4, tolerance),
                "time of impact", c);
  const bool half_spaces = !c.a.shape.bounded() && !c.b.shape.bounded();
  if (c.searched || half_spaces || i.initial_overlap || i.status != Status::ok) return 0;
  const auto proof = prove_impact(c.a.shape, a, c.b.shape, b, i);
  tally.require(proof ? verify::check_motion_proof(c.a.shape, a, c.b.shape, b, *proof, tolerance)
                      : verify::Verdict::no("no proof"),
                "proof", c);
  return 0;
}
