// On which side of a line is a point? In floating point, near the line, the answer is noise; the exact predicate is never wrong.
// Draws the classic picture: a patch of neighbouring doubles around a point of the line, coloured by the side each is found on.
//   exact_signs [FOLDER]    writes FOLDER/exact_signs.svg (default: out)
#include "carom/math/predicates.h"
#include "examples/svg.h"

using namespace carom;

namespace {

int rounded_side(const Vec2& a, const Vec2& b, const Vec2& c) {
  const double d = cross(b - a, c - a);
  return d > 0 ? 1 : d < 0 ? -1 : 0;
}

} // namespace

int main(int argc, char** argv) {
  const std::string folder = argc > 1 ? argv[1] : "out";
  const Vec2 b{12, 12}, c{24, 24}; // the line y = x
  examples::Svg svg(900, 480, 1);
  int wrong = 0, exact_wrong = 0;
  constexpr int n = 64;
  for (int j = 0; j < n; ++j) {
    for (int i = 0; i < n; ++i) {
      const Vec2 p{0.5 + i * 0x1p-53, 0.5 + j * 0x1p-53}; // neighbours of (0.5, 0.5)
      const int truth = p.y > p.x ? 1 : p.y < p.x ? -1 : 0;
      const int rounded = rounded_side(p, b, c), exact = orient2d(p, b, c);
      wrong += rounded != truth ? 1 : 0;
      exact_wrong += exact != truth ? 1 : 0;
      const auto cell = [&](double left, int side) {
        const char* colour = side > 0 ? "#c05621" : side < 0 ? "#2b6cb0" : "#f6e05e";
        const double x = left + i * 6, y = -200 + j * 6;
        const Vec3 square[] = {{x, y, 0}, {x + 6, y, 0}, {x + 6, y + 6, 0}, {x, y + 6, 0}};
        svg.polygon(square, std::string("fill='") + colour + "'");
      };
      cell(-420, rounded);
      cell(36, exact);
    }
  }
  svg.text({-228, 205, 0},
           "rounded determinant: " + std::to_string(wrong) + " of 4096 signs wrong");
  svg.text({228, 205, 0}, "orient2d: " + std::to_string(exact_wrong) + " wrong");
  std::printf("4096 points within 64 ulp of the line y = x: the rounded determinant errs on %d, "
              "orient2d on %d\n",
              wrong, exact_wrong);
  return svg.save(folder + "/exact_signs.svg") && wrong > 0 && exact_wrong == 0 ? 0 : 1;
}
