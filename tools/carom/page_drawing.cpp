#include "tools/carom/page_drawing.h"

#include "tools/carom/text.h"

#include <array>
#include <cmath>

namespace carom::tool {
namespace {

/// Told apart at a glance, none of them the red of a finding.
constexpr std::array<std::uint32_t, 6> colours = {0x4f8fc7, 0xe0934c, 0x6aa56b,
                                                  0x9a7fc0, 0xc9b458, 0x5fb3b3};

std::size_t add_body(Page& page, const std::string& name, const Shape& shape, const Pose& pose,
                     const TessellateOptions& options = {}) {
  page.shapes.push_back(tessellate(shape, options));
  page.bodies.push_back({.name = printable(name),
                         .shape = page.shapes.size() - 1,
                         .colour = colours[page.bodies.size() % colours.size()],
                         .fixed = false});
  page.frames.front().poses.push_back(pose);
  return page.bodies.size() - 1;
}

Page new_report(const std::string& title) {
  Page page;
  page.title = title;
  page.report = true;
  page.frames.resize(1);
  return page;
}

PageFinding finding_of(const Clash& clash, const std::vector<Part>& parts) {
  const std::string names = parts[clash.a].name + " and " + parts[clash.b].name;
  const bool overlaps = clash.kind == ClashKind::overlapping;
  const double value = overlaps ? clash.penetration.depth : clash.distance.value;
  return {.title =
              names + (overlaps ? " overlap by " + show(value) : " are " + show(value) + " apart"),
          .a = clash.a,
          .b = clash.b,
          .overlap = overlaps,
          .value = value,
          .points = {clash.distance.on_a, clash.distance.on_b},
          .normal = overlaps ? clash.penetration.normal : clash.distance.normal};
}

} // namespace

Page page_of(const Drawing& drawing) {
  Page page = new_report(drawing.title);
  const Aabb box = bounds_of(drawing);
  const double extent = std::fmax(1e-30, length(box.max - box.min));
  for (const Operand& body : drawing.bodies) {
    add_body(page, body.name, body.shape, body.pose, {.extent = extent});
  }
  PageFinding finding{.title = drawing.title,
                      .a = 0,
                      .b = page.bodies.size() - 1,
                      .overlap = drawing.overlap,
                      .value = std::isfinite(drawing.value) ? drawing.value : 0,
                      .points = {box.center(), box.center()},
                      .normal = drawing.normal};
  if (!drawing.marks.empty()) finding.points = {drawing.marks[0].from, drawing.marks[0].to};
  page.findings.push_back(finding);
  page.summary = {{"answer", drawing.title}};
  return page;
}

Page page_of(const ClashReport& report, const std::vector<Part>& parts) {
  Page page = new_report("Clashes between " + counted(parts.size(), "part"));
  for (const Part& part : parts) add_body(page, part.name, part.shape, {});
  for (const Clash& clash : report.clashes) {
    if (clash.kind != ClashKind::touching) page.findings.push_back(finding_of(clash, parts));
  }
  page.summary = {{"parts", std::to_string(parts.size())},
                  {"overlapping", std::to_string(report.count(ClashKind::overlapping))},
                  {"touching", std::to_string(report.count(ClashKind::touching))},
                  {"near", std::to_string(report.count(ClashKind::near))}};
  return page;
}

} // namespace carom::tool
