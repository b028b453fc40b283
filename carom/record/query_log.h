// The last queries that a program asked, with what they were answered: to be looked at when something went wrong.
//
//   QueryLog log(1 << 20);                                       // at most a megabyte; the oldest go first
//   Distance d = log.distance(a, pose_a, b, pose_b);             // asks, and keeps question and answer
//   if (d.value < 0) write_file("bad.log", log.dump());          // then: carom query-log bad.log
//
// A program that does not use it pays nothing: the queries know nothing of it. While it is switched off, the calls here only pass on. Shapes are kept once each, as long as a query in the log is about
// them; custom ones cannot be written, so queries about them are only counted. A log is used by one thread at a time.
#pragma once

#include "carom/geometry/line.h"
#include "carom/motion/time_of_impact.h"
#include "carom/query/answer.h"
#include "carom/query/contacts.h"
#include "carom/query/distance.h"
#include "carom/query/ray_cast.h"
#include "carom/query/shape_cast.h"
#include "carom/shape/shape.h"
#include "carom/verify/check.h"

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace [[gnu::visibility("default")]] carom {

/// By the kind of answer, which is that of the question.
using QueryAnswer = std::variant<ShapeOverlap, Distance, Penetration, ContactManifold, RayHit,
                                 ShapeCast, SurfacePoint, TimeOfImpact>;

/// What was asked; what of it counts, the kind of answer says. A motion at rest is a pose.
struct Question {
  Motion a{}, b{};
  Vec3 translation{}; ///< of a shape cast
  Ray ray{};          ///< of a ray cast
  Vec3 point{};       ///< of a closest point
  double margin = 0;  ///< of contacts and impacts
  double error = 0;   ///< that was allowed: of a distance, a shape cast, an impact
  double max_t = 1;   ///< of casts and impacts
};

struct LoggedQuery {
  Shape a;
  std::optional<Shape> b; ///< none for rays and points
  Question question;
  QueryAnswer answer;
};

class QueryLog {
public:
  explicit QueryLog(std::size_t most_bytes = std::size_t{1} << 20) : most_bytes_(most_bytes) {}

  void switch_on(bool on) { on_ = on; }
  [[nodiscard]] bool is_on() const { return on_; }

  // As the functions of the same names, without a cache.
  [[nodiscard]] ShapeOverlap overlap(const Shape& a, const Pose& pose_a, const Shape& b,
                                     const Pose& pose_b);
  [[nodiscard]] Distance distance(const Shape& a, const Pose& pose_a, const Shape& b,
                                  const Pose& pose_b, const DistanceOptions& options = {});
  [[nodiscard]] Penetration penetration(const Shape& a, const Pose& pose_a, const Shape& b,
                                        const Pose& pose_b);
  [[nodiscard]] ContactManifold contacts(const Shape& a, const Pose& pose_a, const Shape& b,
                                         const Pose& pose_b, const ContactOptions& options = {});
  [[nodiscard]] RayHit ray_cast(const Shape& shape, const Pose& pose, const Ray& ray,
                                const RayCastOptions& options = {});
  [[nodiscard]] ShapeCast shape_cast(const Shape& a, const Pose& pose_a, const Vec3& translation,
                                     const Shape& b, const Pose& pose_b,
                                     const ShapeCastOptions& options = {});
  [[nodiscard]] SurfacePoint closest_point(const Vec3& p, const Shape& shape, const Pose& pose);
  [[nodiscard]] TimeOfImpact time_of_impact(const Shape& a, const Motion& motion_a, const Shape& b,
                                            const Motion& motion_b,
                                            const ImpactOptions& options = {});

  /// Keeps what was asked otherwise: with a cache, by a space.
  void record(const LoggedQuery& query);

  [[nodiscard]] std::size_t size() const { return records_.size(); }
  /// Of the queries and shapes that are kept: never above what was given.
  [[nodiscard]] std::size_t bytes() const { return bytes_; }
  /// Queries that came and are not kept: gone to make room, or about custom shapes.
  [[nodiscard]] std::uint64_t dropped() const { return dropped_; }
  void clear();

  /// All that is kept, oldest first, as bytes: read_query_log reads them.
  [[nodiscard]] std::string dump() const;

private:
  struct Record {
    std::uint64_t shape_a = 0, shape_b = 0; ///< Shape::id; 0: none
    std::string bytes;                      ///< question and answer
  };
  struct KeptShape {
    std::string bytes;
    std::size_t uses = 0;
  };
  bool keep(const Shape& shape);
  void release(std::uint64_t shape);
  void drop_oldest();
  template<class Answer>
  Answer kept(const Shape& a, const Shape* b, const Question& question, Answer answer);

  std::size_t most_bytes_;
  std::size_t bytes_ = 0;
  std::uint64_t dropped_ = 0;
  bool on_ = true;
  std::deque<Record> records_;
  std::map<std::uint64_t, KeptShape> shapes_;
};

/// Errors: bad_file for bytes that are cut short, damaged or no log.
[[nodiscard]] Result<std::vector<LoggedQuery>> read_query_log(std::string_view bytes);

/// "distance of box and mesh".
[[nodiscard]] std::string describe(const LoggedQuery& query);

/// Whether the answer holds, by carom/verify. Answers that say bad_input are right where the question was out of range; that is not looked into. Of shapes that are not convex: of a penetration, that its points lie in the shapes, as deep as it says;
/// contacts() is for convex shapes.
[[nodiscard]] verify::Verdict check(const LoggedQuery& query);

} // namespace carom
