#include "carom/record/page.h"

#include "carom/record/base64.h"
#include "carom/record/body_islands.h"
#include "carom/record/bytes.h"
#include "carom/record/page_frames.h"

#include <array>
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
  Json json{{"name", body.name}, {"shape", body.shape}, {"colour", colour}, {"fixed", body.fixed}};
  if (body.sensor) json["sensor"] = true;
  return json;
}

Json rows_json(const PackedRows& packed) {
  return {{"rows", packed.rows}, {"deltas", base64(packed.deltas)}};
}

Json run_json(const Page& page) {
  const PackedFrames packed = pack_frames(page);
  Json json{{"dt", page.dt}, {"count", page.frames.size()}};
  json["poses"] = rows_json(packed.poses);
  json["poses"]["units"] = {packed.place_unit, packed.turn_unit};
  if (packed.asleep) json["asleep"] = rows_json(*packed.asleep);
  if (packed.islands) json["islands"] = rows_json(*packed.islands);
  if (packed.contacts) {
    json["contacts"] = rows_json(*packed.contacts);
    json["contacts"]["units"] = {packed.contact_unit, packed.normal_unit};
    json["contacts"]["impulse_zero"] = packed.impulse_zero;
  }
  return json;
}

/// One frame, as reports have it, is not rounded: the findings stand at its places.
Json still_json(const Page& page) {
  ByteString poses;
  for (const PageFrame& frame : page.frames)
    for (const auto& [q, p] : frame.poses) {
      add_floats(poses, p);
      for (const double x : {q.x, q.y, q.z, q.w}) poses.put(static_cast<float>(x));
    }
  return {{"dt", page.dt}, {"count", page.frames.size()}, {"poses", base64(poses.bytes)}};
}

Json direction_json(const PageDirection& d) {
  return {{"point", point_json(d.point)}, {"direction", point_json(d.direction)}};
}

Json finding_json(const PageFinding& f) {
  static constexpr std::array<const char*, 4> kinds = {"overlap", "touch", "near", "answer"};
  Json json{{"title", f.title}, {"a", f.a},
            {"b", f.b},         {"kind", kinds[static_cast<std::size_t>(f.kind)]},
            {"value", f.value}, {"points", Json::array()}};
  if (!f.caption.empty()) json["caption"] = f.caption;
  for (const Vec3& p : f.points) json["points"].push_back(point_json(p));
  if (f.plane) json["plane"] = direction_json(*f.plane);
  if (f.arrow) json["arrow"] = direction_json(*f.arrow);
  return json;
}

} // namespace

std::string page_json(const Page& page) {
  Json json{{"carom", 1}, {"title", page.title}, {"kind", page.report ? "report" : "recording"}};
  json["shapes"] = Json::array();
  for (const SurfaceMesh& mesh : page.shapes) json["shapes"].push_back(shape_json(mesh));
  json["bodies"] = Json::array();
  for (const PageBody& body : page.bodies) json["bodies"].push_back(body_json(body));
  json["frames"] = page.frames.size() > 1 ? run_json(page) : still_json(page);
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
  add_bodies(scene, run.world().bodies(), run.bodies());
  add_frame(run);
}

ScenePage::ScenePage(const Scene& scene, const ClassicRun& run, bool contacts)
    : contacts_(contacts) {
  add_bodies(scene, run.world().bodies(), run.bodies());
  add_frame(run);
}

void ScenePage::add_bodies(const Scene& scene, const BodyStore& store,
                           std::span<const BodyId> bodies) {
  page_.title = scene.name;
  page_.dt = scene.time_step;
  if (!scene.cameras.empty()) page_.camera = scene.cameras.front();
  std::map<std::uint64_t, std::size_t> known; // shapes by id
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const bool mover = i >= scene.bodies.size();
    const Body& body = store[bodies[i].slot];
    for (const std::uint32_t number : body.shapes) {
      const Shape& shape = store.shape(number).def.shape;
      const auto [at, is_new] = known.emplace(shape.id(), page_.shapes.size());
      if (is_new) page_.shapes.push_back(tessellate(shape));
      page_.bodies.push_back({mover ? "mover" : scene.bodies[i].name, at->second,
                              mover ? scene.mover->colour : scene.bodies[i].colour,
                              body.kind == BodyKind::fixed, store.shape(number).def.sensor});
      shapes_.push_back(number);
    }
  }
}

PageFrame ScenePage::placed(const BodyStore& store) const {
  PageFrame frame;
  for (const std::uint32_t number : shapes_) frame.poses.push_back(store.shape(number).world);
  return frame;
}

void ScenePage::add_frame(const SceneRun& run) {
  const BodyStore& store = run.world().bodies();
  PageFrame frame = placed(store);
  for (const std::uint32_t number : shapes_) {
    const Body& body = store[store.shape(number).body];
    frame.asleep.push_back(body.kind != BodyKind::fixed && body.active_at == no_index ? 1 : 0);
  }
  if (contacts_) {
    const std::vector<std::uint32_t> islands = body_islands(run.world());
    for (const std::uint32_t number : shapes_) {
      const std::uint32_t island = islands[store.shape(number).body];
      frame.islands.push_back(island == no_index ? -1 : static_cast<std::int32_t>(island));
    }
    std::vector<ContactPoint> points;
    contact_points(run.world(), points);
    add_contacts(points, frame);
  }
  page_.frames.push_back(std::move(frame));
}

void ScenePage::add_frame(const ClassicRun& run) {
  PageFrame frame = placed(run.world().bodies());
  if (contacts_) {
    std::vector<ContactPoint> points;
    contact_points(run.world(), run.time_step(), points);
    add_contacts(points, frame);
  }
  page_.frames.push_back(std::move(frame));
}

void ScenePage::add_contacts(const std::vector<ContactPoint>& points, PageFrame& frame) {
  std::map<ContactKey, std::uint32_t> rows;
  std::vector<std::pair<ContactKey, const ContactPoint*>> touching;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> of_pair;
  for (const ContactPoint& p : points) {
    const ContactKey key{p.a.slot, p.b.slot, of_pair[{p.a.slot, p.b.slot}]++};
    if (!(p.impulse > 0)) continue;
    touching.emplace_back(key, &p);
    if (const auto old = rows_.find(key); old != rows_.end()) rows.insert(*old);
  }
  // Those that are new get the lowest rows that are free.
  std::vector<bool> taken(touching.size() + rows_.size() + 1);
  for (const auto& [key, row] : rows) {
    if (row >= taken.size()) taken.resize(row + 1);
    taken[row] = true;
  }
  std::uint32_t next = 0;
  for (const auto& [key, p] : touching) {
    if (!rows.contains(key)) {
      while (next < taken.size() && taken[next]) ++next;
      rows.emplace(key, next++);
    }
    frame.contacts.push_back({p->point, p->normal, p->impulse, rows.at(key)});
  }
  rows_ = std::move(rows);
}

} // namespace carom
