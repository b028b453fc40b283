#include "carom/record/query_log.h"

#include "carom/query/closest_point.h"
#include "carom/query/overlap.h"
#include "carom/query/penetration.h"
#include "carom/record/bytes.h"
#include "carom/record/query_answers.h"
#include "carom/record/shape_bytes.h"

#include <algorithm>

namespace carom {
namespace {

constexpr std::string_view magic = "CRMQ";
constexpr std::uint32_t version = 1;
/// Beside its bytes, of a record or a shape.
constexpr std::size_t overhead = 64;

struct Writer {
  ByteString out;

  template<class... Fields>
  void operator()(const Fields&... fields) {
    (put(fields), ...);
  }
  void put(double x) { out.put(x); }
  void put(const Vec3& v) { out.put(v); }
  void put(bool x) { out.put(std::uint8_t{x}); }
  void put(std::uint64_t x) { out.put(x); }
  void put(int x) { out.put_signed(x); }
  void put(Status s) { out.put(static_cast<std::uint8_t>(s)); }
  void put(const PartId& p) {
    out.put(p.element);
    out.put(p.part);
    out.put(p.material);
  }
  void put(const Motion& m) {
    out.put(m.start);
    (*this)(m.pivot, m.translation, m.axis, m.angle);
    out.put(static_cast<std::uint8_t>(m.order));
  }
};

struct Loader {
  ByteReader in;

  template<class... Fields>
  void operator()(Fields&... fields) {
    (get(fields), ...);
  }
  void get(double& x) { x = in.get<double>(); }
  void get(Vec3& v) { v = in.get_vec3(); }
  void get(bool& x) { x = in.get<std::uint8_t>() != 0; }
  void get(std::uint64_t& x) { x = in.get<std::uint64_t>(); }
  void get(int& x) {
    const std::int64_t value = in.get_signed();
    if (in.need(value >= -2147483647 && value <= 2147483647)) x = static_cast<int>(value);
  }
  void get(Status& s) {
    const auto value = in.get<std::uint8_t>();
    if (in.need(value <= static_cast<std::uint8_t>(Status::bad_input)))
      s = static_cast<Status>(value);
  }
  void get(PartId& p) {
    p.element = in.get<std::uint32_t>();
    p.part = in.get<std::uint32_t>();
    p.material = in.get<std::uint32_t>();
  }
  void get(Motion& m) {
    m.start = in.get_pose();
    (*this)(m.pivot, m.translation, m.axis, m.angle);
    const auto order = in.get<std::uint8_t>();
    if (in.need(order <= 1)) m.order = static_cast<MotionOrder>(order);
  }
};

void each_part(auto& q, auto& f) {
  f(q.a, q.b, q.translation, q.ray.origin, q.ray.direction, q.point, q.margin, q.error, q.max_t);
}

std::string query_bytes(const Question& question, const QueryAnswer& answer) {
  Writer writer;
  writer.out.put(static_cast<std::uint8_t>(answer.index()));
  each_part(question, writer);
  std::visit([&](const auto& x) { each_field(x, writer); }, answer);
  return std::move(writer.out.bytes);
}

template<std::size_t I = 0>
bool load_answer(std::size_t index, QueryAnswer& answer, Loader& loader) {
  if constexpr (I < std::variant_size_v<QueryAnswer>) {
    if (index != I) return load_answer<I + 1>(index, answer, loader);
    each_field(answer.emplace<I>(), loader);
    return loader.in.ok();
  } else {
    return false;
  }
}

bool load_query(std::string_view bytes, LoggedQuery& query) {
  Loader loader{ByteReader(bytes)};
  const auto index = loader.in.get<std::uint8_t>();
  each_part(query.question, loader);
  if (!load_answer(index, query.answer, loader) || loader.in.left() != 0) return false;
  const auto* manifold = std::get_if<ContactManifold>(&query.answer);
  if (manifold != nullptr && (manifold->count < 0 || manifold->count > 4)) return false;
  const bool alone = std::holds_alternative<RayHit>(query.answer) ||
                     std::holds_alternative<SurfacePoint>(query.answer);
  return alone != query.b.has_value();
}

Question of_poses(const Pose& a, const Pose& b = {}) {
  return {.a = {.start = a}, .b = {.start = b}};
}

} // namespace

template<class Answer>
Answer QueryLog::kept(const Shape& a, const Shape* b, const Question& question, Answer answer) {
  if (on_) record({a, b != nullptr ? std::optional<Shape>(*b) : std::nullopt, question, answer});
  return answer;
}

ShapeOverlap QueryLog::overlap(const Shape& a, const Pose& pose_a, const Shape& b,
                               const Pose& pose_b) {
  return kept(a, &b, of_poses(pose_a, pose_b), carom::overlap(a, pose_a, b, pose_b));
}

Distance QueryLog::distance(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
                            const DistanceOptions& options) {
  return kept(a, &b, of_poses(pose_a, pose_b), carom::distance(a, pose_a, b, pose_b, options));
}

Penetration QueryLog::penetration(const Shape& a, const Pose& pose_a, const Shape& b,
                                  const Pose& pose_b) {
  return kept(a, &b, of_poses(pose_a, pose_b), carom::penetration(a, pose_a, b, pose_b));
}

ContactManifold QueryLog::contacts(const Shape& a, const Pose& pose_a, const Shape& b,
                                   const Pose& pose_b, const ContactOptions& options) {
  Question question = of_poses(pose_a, pose_b);
  question.margin = options.margin;
  return kept(a, &b, question, carom::contacts(a, pose_a, b, pose_b, options));
}

RayHit QueryLog::ray_cast(const Shape& shape, const Pose& pose, const Ray& ray,
                          const RayCastOptions& options) {
  Question question = of_poses(pose);
  question.ray = ray;
  question.max_t = options.max_t;
  return kept(shape, nullptr, question, carom::ray_cast(shape, pose, ray, options));
}

ShapeCast QueryLog::shape_cast(const Shape& a, const Pose& pose_a, const Vec3& translation,
                               const Shape& b, const Pose& pose_b,
                               const ShapeCastOptions& options) {
  Question question = of_poses(pose_a, pose_b);
  question.translation = translation;
  question.error = options.absolute_error;
  question.max_t = options.max_t;
  return kept(a, &b, question, carom::shape_cast(a, pose_a, translation, b, pose_b, options));
}

SurfacePoint QueryLog::closest_point(const Vec3& p, const Shape& shape, const Pose& pose) {
  Question question = of_poses(pose);
  question.point = p;
  return kept(shape, nullptr, question, carom::closest_point(p, shape, pose));
}

TimeOfImpact QueryLog::time_of_impact(const Shape& a, const Motion& motion_a, const Shape& b,
                                      const Motion& motion_b, const ImpactOptions& options) {
  Question question{.a = motion_a,
                    .b = motion_b,
                    .margin = options.margin,
                    .error = options.absolute_error,
                    .max_t = options.max_t};
  return kept(a, &b, question, carom::time_of_impact(a, motion_a, b, motion_b, options));
}

bool QueryLog::keep(const Shape& shape) {
  const auto [at, is_new] = shapes_.try_emplace(shape.id());
  if (is_new) {
    const Result<std::string> written = shape_bytes(shape);
    if (!written) {
      shapes_.erase(at);
      return false;
    }
    at->second.bytes = *written;
    bytes_ += written->size() + overhead;
  }
  ++at->second.uses;
  return true;
}

void QueryLog::release(std::uint64_t shape) {
  const auto at = shapes_.find(shape);
  if (at == shapes_.end() || --at->second.uses > 0) return;
  bytes_ -= at->second.bytes.size() + overhead;
  shapes_.erase(at);
}

void QueryLog::record(const LoggedQuery& query) {
  if (!keep(query.a)) {
    ++dropped_;
    return;
  }
  if (query.b && !keep(*query.b)) {
    release(query.a.id());
    ++dropped_;
    return;
  }
  records_.push_back(
      {query.a.id(), query.b ? query.b->id() : 0, query_bytes(query.question, query.answer)});
  bytes_ += records_.back().bytes.size() + overhead;
  while (bytes_ > most_bytes_) drop_oldest();
}

void QueryLog::drop_oldest() {
  const Record& oldest = records_.front();
  bytes_ -= oldest.bytes.size() + overhead;
  release(oldest.shape_a);
  if (oldest.shape_b != 0) release(oldest.shape_b);
  records_.pop_front();
  ++dropped_;
}

void QueryLog::clear() {
  records_.clear();
  shapes_.clear();
  bytes_ = 0;
  dropped_ = 0;
}

std::string QueryLog::dump() const {
  ByteString out{std::string(magic)};
  out.put(version);
  out.put(static_cast<std::uint64_t>(shapes_.size()));
  std::map<std::uint64_t, std::uint32_t> numbers{{0, 0}}; // 0: none
  for (const auto& [id, shape] : shapes_) {
    numbers.emplace(id, static_cast<std::uint32_t>(numbers.size()));
    out.put(std::string_view(shape.bytes));
  }
  out.put(static_cast<std::uint64_t>(records_.size()));
  for (const Record& record : records_) {
    out.put(numbers.at(record.shape_a));
    out.put(numbers.at(record.shape_b));
    out.put(std::string_view(record.bytes));
  }
  out.put(byte_sum(out.bytes));
  return std::move(out.bytes);
}

Result<std::vector<LoggedQuery>> read_query_log(std::string_view bytes) {
  const auto damaged =
      failure(ErrorCode::bad_file, "is a log of queries that is cut short or damaged");
  if (bytes.substr(0, magic.size()) != magic)
    return failure(ErrorCode::bad_file, "is no log of queries");
  ByteReader in(bytes.substr(magic.size()));
  if (in.get<std::uint32_t>() != version)
    return failure(ErrorCode::bad_file, "is a log of queries of another version");
  if (bytes.size() < 16 || ByteReader(bytes.substr(bytes.size() - 8)).get<std::uint64_t>() !=
                               byte_sum(bytes.substr(0, bytes.size() - 8)))
    return damaged;
  std::vector<Shape> shapes;
  const std::size_t shape_count = in.get_count(8);
  for (std::size_t i = 0; i < shape_count && in.ok(); ++i) {
    Result<Shape> shape = shape_from_bytes(in.get_text());
    if (!shape) return tl::unexpected(shape.error());
    shapes.push_back(*shape);
  }
  std::vector<LoggedQuery> queries;
  const std::size_t count = in.get_count(16);
  for (std::size_t i = 0; i < count && in.ok(); ++i) {
    const auto a = in.get<std::uint32_t>(), b = in.get<std::uint32_t>();
    const std::string_view record = in.get_text();
    if (!in.need(a >= 1 && a <= shapes.size() && b <= shapes.size())) return damaged;
    LoggedQuery query{
        shapes[a - 1], b == 0 ? std::nullopt : std::optional<Shape>(shapes[b - 1]), {}, {}};
    if (!load_query(record, query)) return damaged;
    queries.push_back(std::move(query));
  }
  if (!in.ok() || in.left() != 8) return damaged;
  return queries;
}

} // namespace carom
