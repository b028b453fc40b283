// Certified roots against Sturm sequences over the rationals, for coefficients that the bytes choose, NaN and infinity included.
#include "carom/math/roots.h"

#include "tests/math/sturm.h"
#include "tests/support/source.h"

#include <bit>
#include <cstdlib>

namespace {

using namespace carom;

// Any double, or a small integer: coincidences are wanted.
double coefficient(test::Source& source) {
  if (source.index(2) == 0) return source.index(9) - 4;
  const std::uint64_t high = source.below(std::uint64_t{1} << 32);
  return std::bit_cast<double>(high << 32 | source.below(std::uint64_t{1} << 32));
}

void require(bool ok) {
  if (!ok) std::abort();
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  test::BytesSource source(data, size);
  Polynomial p;
  for (double* c : {&p.a, &p.b, &p.c, &p.d}) *c = coefficient(source);
  const Roots roots = real_roots(p);
  const bool finite =
      std::isfinite(p.a) && std::isfinite(p.b) && std::isfinite(p.c) && std::isfinite(p.d);
  require(roots.finite == finite);
  if (!finite) return 0;
  const test::Exact exact = test::trimmed({p.d, p.c, p.b, p.a});
  require(roots.everywhere == exact.empty());
  if (exact.empty()) return 0;
  const test::Sturm sturm(exact);
  require(roots.count == sturm.inside(-INFINITY, INFINITY));
  for (int i = 0; i < roots.count; ++i) {
    const Root& r = roots.root[static_cast<std::size_t>(i)];
    require(sturm.in(r.x) >= 1);
    require(r.x.lo == r.x.hi || std::nextafter(r.x.lo, INFINITY) == r.x.hi);
    if (i > 0) require(roots.root[static_cast<std::size_t>(i - 1)].x.lo <= r.x.lo);
  }
  return 0;
}
