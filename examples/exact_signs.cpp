// On which side of a line is a point? In floating point, near the line, the answer is noise; the exact predicate is never wrong.
// Draws the classic picture: a patch of neighbouring doubles around a point of the line, coloured by the side each is found on.
//   exact_signs [FOLDER]    writes FOLDER/exact_signs.svg (default: out)
#include "carom/math/predicates.h"
#include "examples/svg.h"

#include <array>

using namespace carom;

namespace {

int rounded_side(const Vec2& a, const Vec2& b, const Vec2& c) {
  const double d = cross(b - a, c - a);
  return d > 0 ? 1 : d < 0 ? -1 : 0;
}

constexpr int n = 64;
using Sides = std::array<std::array<int, n>, n>;

// Neighbouring cells of one colour in a row are one rectangle.
void draw(examples::Svg& svg, const Sides& sides, double left) {
  for (std::size_t j = 0; j < n; ++j) {
    for (std::size_t i = 0; i < n;) {
      std::size_t end = i;
      while (end < n && sides[j][end] == sides[j][i]) ++end;
      const char* colour = sides[j][i] > 0 ? "#c05621" : sides[j][i] < 0 ? "#2b6cb0" : "#f6e05e";
      const double x = left + static_cast<double>(i) * 6, y = -200 + static_cast<double>(j) * 6;
      const double width = static_cast<double>(end - i) * 6;
      const Vec3 run[] = {{x, y, 0}, {x + width, y, 0}, {x + width, y + 6, 0}, {x, y + 6, 0}};
      svg.polygon(run, std::string("fill='") + colour + "'");
      i = end;
    }
  }
}

} // namespace

int main(int argc, char** argv) {
  const std::string folder = argc > 1 ? argv[1] : "out";
  const Vec2 b{12, 12}, c{24, 24}; // the line y = x
  Sides rounded{}, exact{};
  int wrong = 0, exact_wrong = 0;
  for (std::size_t j = 0; j < n; ++j) {
    for (std::size_t i = 0; i < n; ++i) {
      // Neighbours of (0.5, 0.5).
      const Vec2 p{0.5 + static_cast<double>(i) * 0x1p-53, 0.5 + static_cast<double>(j) * 0x1p-53};
      const int truth = j > i ? 1 : j < i ? -1 : 0;
      rounded[j][i] = rounded_side(p, b, c);
      exact[j][i] = orient2d(p, b, c);
      wrong += rounded[j][i] != truth ? 1 : 0;
      exact_wrong += exact[j][i] != truth ? 1 : 0;
    }
  }
  examples::Svg svg(900, 480, 1);
  draw(svg, rounded, -420);
  draw(svg, exact, 36);
  svg.text({-228, 205, 0},
           "rounded determinant: " + std::to_string(wrong) + " of 4096 signs wrong");
  svg.text({228, 205, 0}, "orient2d: " + std::to_string(exact_wrong) + " wrong");
  std::printf("4096 points within 64 ulp of the line y = x: the rounded determinant errs on %d, "
              "orient2d on %d\n",
              wrong, exact_wrong);
  return svg.save(folder + "/exact_signs.svg") && wrong > 0 && exact_wrong == 0 ? 0 : 1;
}
