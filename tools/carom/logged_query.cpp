#include "tools/carom/logged_query.h"

#include "tools/carom/text.h"

#include <cmath>

namespace carom::tool {
namespace {

/// A body that moves has its motion, too.
Json body_json(const Shape& shape, const Motion& motion) {
  Json body{{"kind", name_of(shape.kind())}, {"pose", to_json(motion.start)}};
  if (motion.translation != Vec3{} || motion.angle != 0) {
    body["motion"] = {{"translation", to_json(motion.translation)},
                      {"axis", to_json(motion.axis)},
                      {"angle", motion.angle},
                      {"pivot", to_json(motion.pivot)}};
  }
  return body;
}

Json ray_json(const Ray& ray) {
  return {{"origin", to_json(ray.origin)}, {"direction", to_json(ray.direction)}};
}

/// What else was asked, by the kind of answer; and the answer, whose first number is the main one.
struct Asked {
  const carom::Question& question;
  Json& json;

  void operator()(const ShapeOverlap& a) const {
    json["answer"] = {{"overlaps", a.hit}, {"point", to_json(a.point)}, {"axis", to_json(a.axis)}};
  }
  void operator()(const Distance& a) const {
    json["answer"] = {{"value", a.value},
                      {"lower_bound", a.lower_bound},
                      {"on_a", to_json(a.on_a)},
                      {"on_b", to_json(a.on_b)},
                      {"normal", to_json(a.normal)}};
  }
  void operator()(const Penetration& a) const {
    json["answer"] = {
        {"depth", a.depth},        {"lower_bound", a.lower_bound}, {"upper_bound", a.upper_bound},
        {"on_a", to_json(a.on_a)}, {"on_b", to_json(a.on_b)},      {"normal", to_json(a.normal)}};
  }
  void operator()(const ContactManifold& a) const {
    json["margin"] = question.margin;
    json["answer"] = {
        {"value", a.value}, {"normal", to_json(a.normal)}, {"contacts", Json::array()}};
    for (const Contact& c : a.contacts()) {
      json["answer"]["contacts"].push_back(
          {{"separation", c.separation}, {"on_a", to_json(c.on_a)}, {"on_b", to_json(c.on_b)}});
    }
  }
  void operator()(const RayHit& a) const {
    json["ray"] = ray_json(question.ray);
    json["max_t"] = question.max_t;
    json["answer"] = {
        {"t", a.t}, {"hit", a.hit}, {"point", to_json(a.point)}, {"normal", to_json(a.normal)}};
  }
  void operator()(const ShapeCast& a) const {
    json["translation"] = to_json(question.translation);
    json["max_t"] = question.max_t;
    json["answer"] = {
        {"t", a.t}, {"hit", a.hit}, {"point", to_json(a.point)}, {"normal", to_json(a.normal)}};
  }
  void operator()(const SurfacePoint& a) const {
    json["point"] = to_json(question.point);
    json["answer"] = {
        {"value", a.value}, {"point", to_json(a.point)}, {"normal", to_json(a.normal)}};
  }
  void operator()(const TimeOfImpact& a) const {
    json["margin"] = question.margin;
    json["max_t"] = question.max_t;
    json["answer"] = {{"t", a.t},
                      {"hit", a.hit},
                      {"distance", a.distance},
                      {"on_a", to_json(a.on_a)},
                      {"on_b", to_json(a.on_b)},
                      {"normal", to_json(a.normal)}};
  }
};

struct Drawn {
  const carom::Question& question;
  Drawing& drawing;

  void mark(const Vec3& from, const Vec3& to, double value) const {
    drawing.value = value;
    drawing.marks.push_back({from, to, show(value)});
  }
  void operator()(const ShapeOverlap& a) const {
    drawing.overlap = a.hit;
    if (a.hit) drawing.marks.push_back({a.point, a.point, "common point"});
  }
  void operator()(const Distance& a) const { mark(a.on_a, a.on_b, a.value); }
  void operator()(const Penetration& a) const { mark(a.on_b, a.on_a, a.depth); }
  void operator()(const ContactManifold& a) const {
    for (const Contact& c : a.contacts()) mark(c.on_a, c.on_b, c.separation);
  }
  void operator()(const RayHit& a) const {
    const double end = a.hit ? a.t : std::fmin(question.max_t, 1);
    mark(question.ray.origin, question.ray.origin + question.ray.direction * end, a.t);
    if (a.hit) drawing.set_arrow(a.point, a.normal);
  }
  void operator()(const ShapeCast& a) const {
    drawing.bodies[0].pose.position += question.translation * a.t;
    mark(question.a.start.position, drawing.bodies[0].pose.position, a.t);
    if (a.hit) drawing.set_arrow(a.point, a.normal);
  }
  void operator()(const SurfacePoint& a) const {
    mark(question.point, a.point, a.value);
    drawing.set_arrow(a.point, a.normal);
  }
  void operator()(const TimeOfImpact& a) const {
    drawing.bodies[0].pose = pose_at(question.a, a.t);
    drawing.bodies[1].pose = pose_at(question.b, a.t);
    if (!a.hit) return;
    mark(a.on_a, a.on_b, a.t);
    drawing.set_arrow(a.on_a, a.normal);
  }
};

} // namespace

Json to_json(const LoggedQuery& query) {
  Json json{{"a", body_json(query.a, query.question.a)}};
  if (query.b) json["b"] = body_json(*query.b, query.question.b);
  std::visit(Asked{query.question, json}, query.answer);
  json["answer"]["status"] =
      std::visit([](const auto& answer) { return word_of(answer.status); }, query.answer);
  return json;
}

Drawing drawing_of(const LoggedQuery& query) {
  Drawing drawing;
  drawing.title = drawing.caption = describe(query);
  drawing.bodies.push_back({.name = "A", .shape = query.a, .pose = query.question.a.start});
  if (query.b)
    drawing.bodies.push_back({.name = "B", .shape = *query.b, .pose = query.question.b.start});
  std::visit(Drawn{query.question, drawing}, query.answer);
  return drawing;
}

} // namespace carom::tool
