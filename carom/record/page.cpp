#include "carom/record/page.h"

#include "carom/record/base64.h"
#include "carom/record/bytes.h"
#include "carom/record/contact_points.h"

#include <cstdio>
#include <nlohmann/json.hpp>

namespace carom {
namespace {

using Json = nlohmann::ordered_json;

Json point_json(const Vec3& v) { return Json::array({v.x, v.y, v.z}); }

void add_floats(ByteString& out, const Vec3& v) {
  out.put(static_cast<float>(v.x));
  out.put(static_cast<float>(v.y));
  out.put(static_cast<float>(v.z));
}

Json shape_json(const SurfaceMesh& mesh) {
  ByteString positions, indices, edges;
  for (const Vec3& v : mesh.positions) add_floats(positions, v);
  for (const std::uint32_t i : mesh.triangles) indices.put(i);
  for (const std::uint32_t i : mesh.edges) edges.put(i);
  return {{"positions", base64(positions.bytes)},
          {"indices", base64(indices.bytes)},
          {"edges", base64(edges.bytes)}};
}

Json body_json(const PageBody& body) {
  char colour[8];
  std::snprintf(colour, sizeof colour, "#%06x", body.colour & 0xffffffU);
  return {{"name", body.name}, {"shape", body.shape}, {"colour", colour}, {"fixed", body.fixed}};
}

Json contacts_json(const Page& page) {
  ByteString counts, data;
  for (const PageFrame& frame : page.frames) {
    counts.put(static_cast<std::uint32_t>(frame.contacts.size()));
    for (const PageContact& c : frame.contacts) {
      add_floats(data, c.point);
      add_floats(data, c.normal);
      data.put(static_cast<float>(c.impulse));
    }
  }
  return {{"counts", base64(counts.bytes)}, {"data", base64(data.bytes)}};
}

Json frames_json(const Page& page) {
  ByteString poses, asleep;
  bool sleeps = !page.frames.empty(), contacts = false;
  for (const PageFrame& frame : page.frames) {
    for (const Pose& pose : frame.poses) {
      add_floats(poses, pose.position);
      const Quat& q = pose.rotation;
      for (const double x : {q.x, q.y, q.z, q.w}) poses.put(static_cast<float>(x));
    }
    for (const std::uint8_t flag : frame.asleep) asleep.put(flag);
    sleeps = sleeps && frame.asleep.size() == page.bodies.size();
    contacts = contacts || !frame.contacts.empty();
  }
  Json json{{"dt", page.dt}, {"count", page.frames.size()}, {"poses", base64(poses.bytes)}};
  if (sleeps) json["asleep"] = base64(asleep.bytes);
  if (contacts) json["contacts"] = contacts_json(page);
  return json;
}

Json finding_json(const PageFinding& f) {
  return {{"title", f.title},
          {"a", f.a},
          {"b", f.b},
          {"kind", f.overlap ? "overlap" : "near"},
          {"value", f.value},
          {"points", Json::array({point_json(f.points[0]), point_json(f.points[1])})},
          {"normal", point_json(f.normal)}};
}

} // namespace

std::string page_json(const Page& page) {
  Json json{{"carom", 1}, {"title", page.title}, {"kind", page.report ? "report" : "recording"}};
  json["shapes"] = Json::array();
  for (const SurfaceMesh& mesh : page.shapes) json["shapes"].push_back(shape_json(mesh));
  json["bodies"] = Json::array();
  for (const PageBody& body : page.bodies) json["bodies"].push_back(body_json(body));
  json["frames"] = frames_json(page);
  if (page.camera)
    json["camera"] = {{"eye", point_json(page.camera->eye)},
                      {"target", point_json(page.camera->target)}};
  if (page.report) {
    json["findings"] = Json::array();
    for (const PageFinding& f : page.findings) json["findings"].push_back(finding_json(f));
  }
  json["summary"] = Json::array();
  for (const auto& [name, value] : page.summary)
    json["summary"].push_back(Json::array({name, value}));
  const std::string plain = json.dump(-1, ' ', false, Json::error_handler_t::replace);
  // In JSON, '<' is found in texts only. Nothing in the data can end the script, then.
  std::string out;
  for (const char c : plain) {
    if (c == '<')
      out += "\\u003c";
    else
      out += c;
  }
  return out;
}

Result<std::string> fill_page(const std::string& html, const Page& page) {
  static const std::string tag = R"(<script id="carom-data" type="application/json">)";
  static const std::string nothing = "null</script>";
  const std::size_t at = html.find(tag);
  if (at == std::string::npos || html.compare(at + tag.size(), nothing.size(), nothing) != 0)
    return failure(ErrorCode::bad_file, "the viewer page has no place for data");
  return html.substr(0, at + tag.size()) + page_json(page) + html.substr(at + tag.size() + 4);
}

ScenePage::ScenePage(const Scene& scene, const SceneRun& run, bool contacts) : contacts_(contacts) {
  page_.title = scene.name;
  page_.dt = scene.time_step;
  if (!scene.cameras.empty()) page_.camera = scene.cameras.front();
  std::map<std::uint64_t, std::size_t> known; // shapes by id
  const BodyStore& store = run.world().bodies();
  for (std::size_t i = 0; i < run.bodies().size(); ++i) {
    const bool mover = i >= scene.bodies.size();
    const Body& body = store[run.bodies()[i].slot];
    for (const std::uint32_t number : body.shapes) {
      const Shape& shape = store.shape(number).def.shape;
      const auto [at, is_new] = known.emplace(shape.id(), page_.shapes.size());
      if (is_new) page_.shapes.push_back(tessellate(shape));
      page_.bodies.push_back({mover ? "mover" : scene.bodies[i].name, at->second,
                              mover ? scene.mover->colour : scene.bodies[i].colour,
                              body.kind == BodyKind::fixed});
      shapes_.push_back(number);
    }
  }
  add_frame(run);
}

void ScenePage::add_frame(const SceneRun& run) {
  PageFrame frame;
  const BodyStore& store = run.world().bodies();
  for (const std::uint32_t number : shapes_) {
    const PlacedShape& placed = store.shape(number);
    frame.poses.push_back(placed.world);
    frame.asleep.push_back(store[placed.body].active_at != no_index ? 0 : 1);
  }
  if (contacts_) {
    std::vector<ContactPoint> points;
    contact_points(run.world(), points);
    for (const ContactPoint& p : points)
      if (p.impulse > 0) frame.contacts.push_back({p.point, p.normal, p.impulse});
  }
  page_.frames.push_back(std::move(frame));
}

} // namespace carom
