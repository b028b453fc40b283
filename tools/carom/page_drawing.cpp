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
  using Kind = PageFinding::Kind;
  PageFinding finding{.title = parts[clash.a].name + " and " + parts[clash.b].name,
                      .caption = "",
                      .a = clash.a,
                      .b = clash.b,
                      .kind = Kind::near,
                      .value = clash.distance.value,
                      .points = {clash.distance.on_a, clash.distance.on_b},
                      .plane = {},
                      .arrow = {}};
  switch (clash.kind) {
  case ClashKind::overlapping:
    finding.kind = Kind::overlap;
    finding.value = clash.penetration.depth;
    finding.title +=
        (clash.depth_is_bound() ? " overlap by at most " : " overlap by ") + show(finding.value);
    break;
  case ClashKind::touching:
    finding.kind = Kind::touch;
    finding.title += " touch";
    break;
  case ClashKind::near:
    finding.title += " are " + show(finding.value) + " apart";
    break;
  }
  // Where they overlap it is the way in which they come apart.
  const Vec3 normal =
      clash.kind == ClashKind::overlapping ? clash.penetration.normal : clash.distance.normal;
  if (normal != Vec3{}) {
    finding.plane = {(clash.distance.on_a + clash.distance.on_b) / 2, normal};
  }
  return finding;
}

/// The answer, as the one finding of its page.
PageFinding finding_of(const Drawing& drawing) {
  PageFinding finding{.title = drawing.title,
                      .caption = printable(drawing.caption),
                      .a = 0,
                      .b = drawing.bodies.size() - 1,
                      .kind =
                          drawing.overlap ? PageFinding::Kind::overlap : PageFinding::Kind::answer,
                      .value = std::isfinite(drawing.value) ? drawing.value : 0,
                      .points = {},
                      .plane = {},
                      .arrow = {}};
  if (!drawing.marks.empty()) {
    const Drawing::Mark& mark = drawing.marks.front();
    finding.points.push_back(mark.from);
    if (mark.to != mark.from) finding.points.push_back(mark.to);
  }
  if (const auto& slab = drawing.slab) {
    finding.plane = {(slab->from + slab->to) / 2, slab->normal};
  }
  if (drawing.arrow) finding.arrow = {drawing.arrow->at, drawing.arrow->along};
  return finding;
}

} // namespace

Page page_of(const Drawing& drawing) {
  Page page = new_report(drawing.title);
  const Aabb box = bounds_of(drawing);
  const double extent = std::fmax(1e-30, length(box.max - box.min));
  for (const Operand& body : drawing.bodies) {
    add_body(page, body.name, body.shape, body.pose, {.extent = extent});
  }
  if (!drawing.path.empty()) {
    page.frames.clear();
    for (const std::vector<Pose>& poses : drawing.path) {
      page.frames.push_back({.poses = poses, .asleep = {}, .islands = {}, .contacts = {}});
    }
    page.dt = drawing.time_step;
  }
  page.findings.push_back(finding_of(drawing));
  page.summary = {{"answer", drawing.title}};
  return page;
}

Page page_of(const ClashReport& report, const std::vector<Part>& parts) {
  Page page = new_report("Clashes between " + counted(parts.size(), "part"));
  for (const Part& part : parts) add_body(page, part.name, part.shape, {});
  for (const Clash& clash : report.clashes) {
    if (report.is_finding(clash)) page.findings.push_back(finding_of(clash, parts));
  }
  page.summary = {{"parts", std::to_string(parts.size())},
                  {"overlapping", std::to_string(report.count(ClashKind::overlapping))},
                  {"touching", std::to_string(report.count(ClashKind::touching))},
                  {"near", std::to_string(report.count(ClashKind::near))}};
  return page;
}

} // namespace carom::tool
