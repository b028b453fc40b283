// What the questions about two shapes have in common: their operands, their options, how they end.
#pragma once

#include "carom/query/proof.h"
#include "carom/verify/check.h"
#include "carom/verify/shape.h"
#include "tools/carom/answer.h"
#include "tools/carom/drawing.h"
#include "tools/carom/verb.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>

namespace carom::tool {

/// One or two operands.
struct Question {
  std::string verb;
  Operand a;
  std::optional<Operand> second; ///< B; none of a ray and a point
  bool check = false;            ///< the answer should be confirmed by carom/verify

  [[nodiscard]] const Operand& b() const { return *second; }
  [[nodiscard]] bool convex() const {
    return a.shape.convex() && (!second || second->shape.convex());
  }
  /// "box:1,1,1 and rock.obj".
  [[nodiscard]] std::string names() const { return a.name + " and " + b().name; }
  /// What rounding errors are relative to: sizes and positions.
  [[nodiscard]] double size() const;
  [[nodiscard]] verify::PlacedShape placed_a() const { return {a.shape, a.pose}; }
  [[nodiscard]] verify::PlacedShape placed_b() const { return {b().shape, b().pose}; }
};

/// Fills in the answer and the drawing.
using Ask = std::function<void(Session&, const Question&, Answer&, Drawing&)>;

/// A verb about A and B: positionals, poses, --check, --svg, --html.
CLI::App& add_pair_verb(CLI::App& app, Session& session, const VerbText& text, const Ask& ask);
/// The same about A alone.
CLI::App& add_single_verb(CLI::App& app, Session& session, const VerbText& text, const Ask& ask);

/// What carom/verify has to say: each step is something that was confirmed, in words.
class Check {
public:
  /// A step that does not hold is a fault of the library: fails.
  void step(const std::string& what, const verify::Verdict& verdict);
  /// A step that was left out, and why.
  void skip(const std::string& why);
  /// A step about p: that it lies in the shape, to within the tolerance.
  void in_shape(const char* what, const Vec3& p, const verify::PlacedShape& shape,
                double tolerance);
  /// What a step was about, for JSON: "certificate" in the answer, under this key.
  void certificate(const char* key, Json proof) { certificates_[key] = std::move(proof); }
  /// "checked" and "certificate" in the answer.
  void tell(Answer& answer) const;

private:
  std::vector<std::string> steps_, left_out_;
  Json certificates_ = Json::object();
};

/// Confirms the claims that keep every part of A apart from every part of B, where there are some and it takes seconds at most; else it says why not.
void check_apart(const Question& question, const std::optional<Proof>& proof, Check& check);

/// Whether a check that looks at each part of A with each of B takes seconds at most.
[[nodiscard]] bool check_is_cheap(const Question& question);
[[nodiscard]] std::size_t part_count(const Shape& shape);

} // namespace carom::tool
