#include "carom/record/render.h"

#include "carom/math/trig.h"
#include "carom/space/space.h"
#include "carom/space/space_cast.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace carom {
namespace {

struct Colour {
  double r = 0, g = 0, b = 0;
};
Colour mix(const Colour& a, const Colour& b, double t) {
  return {a.r + (b.r - a.r) * t, a.g + (b.g - a.g) * t, a.b + (b.b - a.b) * t};
}
Colour scaled(const Colour& c, double s) { return {c.r * s, c.g * s, c.b * s}; }

constexpr Colour sky_low{0.93, 0.94, 0.95}, sky_high{0.62, 0.73, 0.85};
constexpr double sky_share = 0.45; ///< of the light on what faces up

/// The scene in a space, each shape with its colour.
struct Stage {
  Space space;
  std::vector<Colour> colours; ///< by SpaceObject::user
  double size = 1;             ///< of what is bounded
};

/// Colours are meant for screens: their squares are about the light they stand for.
Colour light_of(std::uint32_t rgb) {
  const auto channel = [&](int shift) {
    const double c = (rgb >> shift & 0xff) / 255.0;
    return c * c;
  };
  return {channel(16), channel(8), channel(0)};
}

template<class Run>
Stage stage_of(const Scene& scene, const Run& run) {
  Stage stage;
  const BodyStore& store = run.world().bodies();
  for (std::size_t i = 0; i < run.bodies().size(); ++i) {
    const std::uint32_t rgb =
        i < scene.bodies.size() ? scene.bodies[i].colour : scene.mover->colour;
    for (const std::uint32_t number : store[run.bodies()[i].slot].shapes) {
      const PlacedShape& placed = store.shape(number);
      if (placed.def.sensor) continue;
      const auto id = stage.space.add(
          {.shape = placed.def.shape, .pose = placed.world, .user = stage.colours.size()});
      stage.colours.push_back(light_of(rgb));
      if (id && placed.def.shape.bounded())
        stage.size = std::max(stage.size, placed.def.shape.size());
    }
  }
  return stage;
}

Colour sky(const Vec3& direction) {
  return mix(sky_low, sky_high, std::clamp(direction.z * 1.4, 0.0, 1.0));
}

Colour shade(const Stage& stage, const Ray& ray, const Vec3& to_light) {
  const SpaceRayHit found = ray_cast(stage.space, ray);
  if (!found) return sky(ray.direction);
  // Seen from the side that the ray comes from; a start inside has no normal.
  Vec3 normal = found.hit.normal;
  if (dot(normal, ray.direction) > 0) normal = -normal;
  const Vec3 point = ray.origin + ray.direction * found.hit.t;
  const Vec3 lifted = point + normal * (1e-6 * (stage.size + max_abs(point)));
  double direct = std::max(0.0, dot(normal, to_light));
  if (direct > 0 && ray_cast_any(stage.space, Ray{lifted, to_light})) direct = 0;
  const double open = 0.5 + 0.5 * normal.z; // how much of the sky it sees
  const double light = sky_share * (0.35 + 0.65 * open) + 0.85 * direct;
  const Colour lit = scaled(stage.colours[stage.space.find(found.id)->user], light);
  // Far things fade into the sky, so that floors do not end in a line.
  const double far = found.hit.t / (found.hit.t + 12 * stage.size + 60);
  return mix(lit, scaled(sky_low, 0.9), far * far);
}

std::uint8_t byte_of(double light) {
  return static_cast<std::uint8_t>(std::lround(255 * std::sqrt(std::clamp(light, 0.0, 1.0))));
}

Image picture_of(const Stage& stage, const SceneCamera& camera, const RenderOptions& options) {
  const bool fits =
      options.width >= 1 && options.width <= 8192 && options.height >= 1 && options.height <= 8192;
  if (!fits || options.samples < 1 || options.samples > 8) return {};
  const Vec3 ahead = normalized(camera.target - camera.eye),
             to_light = normalized(options.to_light);
  const Vec3 right = normalized_or(cross(ahead, {0, 0, 1}), {1, 0, 0}), up = cross(right, ahead);
  const double half_height = tan(camera.degrees * std::numbers::pi / 360);
  const double pixel = 2 * half_height / options.height;
  Image image{options.width, options.height, {}};
  image.pixels.reserve(std::size_t{3} * options.width * options.height);
  const int n = options.samples;
  for (std::uint32_t y = 0; y < options.height; ++y) {
    for (std::uint32_t x = 0; x < options.width; ++x) {
      Colour sum;
      for (int s = 0; s < n * n; ++s) {
        const double i = x + (s % n + 0.5) / n, j = y + (s / n + 0.5) / n; // NOLINT: pixels
        const Vec3 d = ahead + right * ((i - options.width / 2.0) * pixel) -
                       up * ((j - options.height / 2.0) * pixel);
        const Colour c = shade(stage, Ray{camera.eye, normalized(d)}, to_light);
        sum = {sum.r + c.r, sum.g + c.g, sum.b + c.b};
      }
      const Colour mean = scaled(sum, 1.0 / (n * n));
      for (const double channel : {mean.r, mean.g, mean.b})
        image.pixels.push_back(byte_of(channel));
    }
    if (options.progress) options.progress(y + 1);
  }
  return image;
}

} // namespace

Image render(const Scene& scene, const SceneRun& run, const SceneCamera& camera,
             const RenderOptions& options) {
  return picture_of(stage_of(scene, run), camera, options);
}

Image render(const Scene& scene, const ClassicRun& run, const SceneCamera& camera,
             const RenderOptions& options) {
  return picture_of(stage_of(scene, run), camera, options);
}

} // namespace carom
