#include "bench/growth_plot.h"

#include "examples/svg.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>
#include <sstream>

namespace carom::bench {
namespace {

struct Point {
  double size, ours, peer;
};
struct Series {
  std::string peer;
  std::vector<Point> points; ///< by size
};

/// By the name without its number.
std::map<std::string, Series> series_of(const std::vector<GrowthRow>& rows) {
  std::map<std::string, Series> all;
  for (const GrowthRow& row : rows) {
    std::istringstream words(row.name);
    std::string name, word;
    double size = 0;
    while (words >> word) {
      const bool number = word.find_first_not_of("0123456789") == std::string::npos;
      if (number)
        size = std::atof(word.c_str());
      else
        name += (name.empty() ? "" : " ") + word;
    }
    if (!(size > 0)) continue;
    Series& series = all[name];
    series.peer = row.peer;
    series.points.push_back({size, row.ours_ns, row.peer_ns});
  }
  for (auto& [name, series] : all)
    std::sort(series.points.begin(), series.points.end(),
              [](const Point& x, const Point& y) { return x.size < y.size; });
  return all;
}

std::string duration(double power_of_ns) {
  static const char* names[] = {"1 ns", "10 ns", "100 ns", "1 us", "10 us", "100 us",
                                "1 ms", "10 ms", "100 ms", "1 s",  "10 s",  "100 s"};
  const int i = static_cast<int>(power_of_ns);
  return i >= 0 && i < 12 ? names[i] : "";
}

constexpr double panel_width = 2.6, panel_height = 2.2;

void draw_panel(examples::Svg& svg, const Vec3& corner, const std::string& name,
                const Series& series) {
  double low = INFINITY, high = -INFINITY;
  for (const Point& p : series.points) {
    low = std::min({low, p.ours, p.peer});
    high = std::max({high, p.ours, p.peer});
  }
  const double bottom = std::floor(std::log10(low)), top = std::ceil(std::log10(high) + 1e-9);
  const double left = std::floor(std::log10(series.points.front().size));
  const double right = std::ceil(std::log10(series.points.back().size));
  const auto place = [&](double size, double ns) {
    return corner + Vec3{(std::log10(size) - left) / (right - left) * panel_width,
                         (std::log10(ns) - bottom) / (top - bottom) * panel_height, 0};
  };
  const std::string grid = "stroke='#ddd' fill='none'";
  for (double p = bottom; p <= top; ++p) {
    const Vec3 at = place(std::pow(10, left), std::pow(10, p));
    svg.segment(at, at + Vec3{panel_width, 0, 0}, grid);
    svg.text(at - Vec3{0.06, 0.04, 0}, duration(p), 10, "end");
  }
  for (double p = left; p <= right; ++p) {
    const Vec3 at = place(std::pow(10, p), std::pow(10, bottom));
    svg.segment(at, at + Vec3{0, panel_height, 0}, grid);
    svg.text(at - Vec3{0, 0.2, 0}, "1e" + std::to_string(static_cast<int>(p)), 10);
  }
  std::vector<Vec3> ours, peers;
  for (const Point& p : series.points) {
    ours.push_back(place(p.size, p.ours));
    peers.push_back(place(p.size, p.peer));
  }
  svg.polyline(peers, "stroke='#c05621' stroke-width='1.5' stroke-dasharray='5 3' fill='none'");
  svg.polyline(ours, "stroke='#2b6cb0' stroke-width='2' fill='none'");
  svg.text(corner + Vec3{panel_width / 2, panel_height + 0.12, 0}, name + " (" + series.peer + ")",
           12);
}

} // namespace

bool plot_growth(const std::vector<GrowthRow>& rows, const std::string& file) {
  const std::map<std::string, Series> all = series_of(rows);
  const int columns = std::clamp(static_cast<int>(all.size()), 1, 3);
  const auto lines = static_cast<double>((all.size() + columns - 1) / columns);
  const double width = columns * (panel_width + 0.9) + 0.3,
               height = lines * (panel_height + 0.9) + 0.5;
  constexpr double scale = 80;
  examples::Svg svg(width * scale, height * scale, scale);
  svg.text({0, height / 2 - 0.3, 0}, "Time by size: Carom (blue), the peer (dashed)",
           columns == 1 ? 11 : 15);
  int i = 0;
  for (const auto& [name, series] : all) {
    const double column = i % columns, line = i / columns;
    draw_panel(svg,
               {-width / 2 + 0.8 + column * (panel_width + 0.9),
                height / 2 - 0.5 - (line + 1) * (panel_height + 0.9) + 0.55, 0},
               name, series);
    ++i;
  }
  return svg.save(file);
}

} // namespace carom::bench
