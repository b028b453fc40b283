// A drawing in the plane, written as SVG: what the examples and the pages of docs/ make their pictures with.
#pragma once

#include "carom/math/vec3.h"

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <initializer_list>
#include <span>
#include <sstream>
#include <string>

namespace carom::examples {

/// Draws x to the right and y up, one unit `scale` pixels long, the origin in the middle. z is ignored.
class Svg {
public:
  Svg(double width, double height, double scale) : width_(width), height_(height), scale_(scale) {}

  void polygon(std::span<const Vec3> points, const std::string& style) {
    path(points, style, "polygon");
  }
  void polyline(std::span<const Vec3> points, const std::string& style) {
    path(points, style, "polyline");
  }
  void segment(const Vec3& a, const Vec3& b, const std::string& style) {
    const Vec3 points[] = {a, b};
    path(points, style, "polyline");
  }
  void circle(const Vec3& center, double radius, const std::string& style) {
    body_ += "<circle cx='" + number(x(center)) + "' cy='" + number(y(center)) + "' r='" +
             number(radius * scale_) + "' " + style + "/>\n";
  }
  /// A dot of fixed size.
  void dot(const Vec3& p, const std::string& colour) {
    circle(p, 4 / scale_, "fill='" + colour + "'");
  }
  void text(const Vec3& p, const std::string& words, int size = 14,
            const std::string& anchor = "middle") {
    body_ += "<text x='" + number(x(p)) + "' y='" + number(y(p)) + "' font-size='" +
             std::to_string(size) + "' text-anchor='" + anchor + "' fill='#444'>" + words +
             "</text>\n";
  }

  /// The text of the file.
  [[nodiscard]] std::string document() const {
    std::ostringstream out;
    out << "<svg xmlns='http://www.w3.org/2000/svg' width='" << width_ << "' height='" << height_
        << "' font-family='sans-serif'>\n<rect width='100%' height='100%' fill='white'/>\n"
        << body_ << "</svg>\n";
    return out.str();
  }

  /// Makes the folder where it is missing. False where the file cannot be written.
  [[nodiscard]] bool save(const std::filesystem::path& file) const {
    std::error_code ignored;
    std::filesystem::create_directories(file.parent_path(), ignored);
    std::ofstream out(file);
    out << document();
    out.close();
    if (out) std::printf("wrote %s\n", file.c_str());
    return static_cast<bool>(out);
  }

private:
  [[nodiscard]] double x(const Vec3& p) const { return width_ / 2 + p.x * scale_; }
  [[nodiscard]] double y(const Vec3& p) const { return height_ / 2 - p.y * scale_; }
  static std::string number(double v) {
    char text[32];
    std::snprintf(text, sizeof text, "%.2f", v);
    return text;
  }
  void path(std::span<const Vec3> points, const std::string& style, const char* element) {
    body_ += std::string("<") + element + " points='";
    for (const Vec3& p : points) body_ += number(x(p)) + "," + number(y(p)) + " ";
    body_ += "' " + style + "/>\n";
  }

  double width_, height_, scale_;
  std::string body_;
};

} // namespace carom::examples
