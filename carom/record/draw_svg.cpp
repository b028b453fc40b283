// Painter's order: all that was drawn, sorted by how far away it is, lines a little before the faces they belong to.
#include "carom/math/trig.h"
#include "carom/record/draw.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numbers>

namespace carom {
namespace {

constexpr double nearest = 1e-3; ///< what is nearer to the eye is not drawn

std::string formatted(const char* format, auto... values) {
  char text[256];
  std::snprintf(text, sizeof text, format, values...);
  return text;
}

/// Darker where it faces away from the light.
std::uint32_t shaded(std::uint32_t colour, const Vec3& normal) {
  const double light = 0.6 + 0.4 * std::fabs(dot(normal, normalized(Vec3{-0.4, -0.55, 0.9})));
  std::uint32_t out = 0;
  for (const int shift : {16, 8, 0})
    out |= static_cast<std::uint32_t>((colour >> shift & 0xff) * light) << shift;
  return out;
}

} // namespace

SvgDraw::SvgDraw(const SceneCamera& camera, double width, double height)
    : eye_(camera.eye), width_(width), height_(height) {
  ahead_ = normalized(camera.target - camera.eye);
  right_ = normalized_or(cross(ahead_, {0, 0, 1}), {1, 0, 0});
  up_ = cross(right_, ahead_);
  scale_ = height / 2 / tan(camera.degrees * std::numbers::pi / 360);
}

SvgDraw::Seen SvgDraw::see(const Vec3& p) const {
  const Vec3 d = p - eye_;
  const double depth = dot(d, ahead_);
  const double by = scale_ / std::max(depth, nearest);
  return {width_ / 2 + dot(d, right_) * by, height_ / 2 - dot(d, up_) * by, depth};
}

void SvgDraw::line(const Vec3& a, const Vec3& b, std::uint32_t colour) {
  const Seen p = see(a), q = see(b);
  if (!(p.depth > nearest && q.depth > nearest)) return;
  items_.push_back({0.999 * (p.depth + q.depth) / 2,
                    formatted("<line x1='%.2f' y1='%.2f' x2='%.2f' y2='%.2f' stroke='#%06x'/>\n",
                              p.x, p.y, q.x, q.y, colour)});
}

void SvgDraw::triangle(const Vec3& a, const Vec3& b, const Vec3& c, std::uint32_t colour) {
  const Seen p = see(a), q = see(b), r = see(c);
  if (!(p.depth > nearest && q.depth > nearest && r.depth > nearest)) return;
  const std::uint32_t fill = shaded(colour, normalized(cross(b - a, c - a)));
  items_.push_back({(p.depth + q.depth + r.depth) / 3,
                    formatted("<polygon points='%.2f,%.2f %.2f,%.2f %.2f,%.2f' fill='#%06x'/>\n",
                              p.x, p.y, q.x, q.y, r.x, r.y, fill)});
}

void SvgDraw::text(const Vec3& at, std::string_view words, std::uint32_t colour) {
  const Seen p = see(at);
  if (!(p.depth > nearest)) return;
  std::string escaped;
  for (const char c : words)
    escaped += c == '<' ? std::string("&lt;") : c == '&' ? std::string("&amp;") : std::string(1, c);
  items_.push_back({nearest, formatted("<text x='%.2f' y='%.2f' font-size='11' fill='#%06x'>", p.x,
                                       p.y, colour) +
                                 escaped + "</text>\n"});
}

std::string SvgDraw::svg() const {
  std::vector<const Item*> order;
  for (const Item& item : items_) order.push_back(&item);
  std::stable_sort(order.begin(), order.end(),
                   [](const Item* a, const Item* b) { return a->depth > b->depth; });
  std::string out = formatted("<svg xmlns='http://www.w3.org/2000/svg' width='%g' height='%g' "
                              "font-family='sans-serif'>\n",
                              width_, height_) +
                    "<rect width='100%' height='100%' fill='white'/>\n";
  for (const Item* item : order) out += item->element;
  return out + "</svg>\n";
}

} // namespace carom
