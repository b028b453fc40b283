#include "tools/carom/pair.h"

#include "carom/shape/composite.h"
#include "carom/verify/check_proof.h"
#include "tools/carom/certificate.h"
#include "tools/carom/progress.h"
#include "tools/carom/text.h"

#include <CLI/CLI.hpp>

#include <cmath>

namespace carom::tool {
namespace {

struct Options {
  std::string a, b;
  PlaceOptions place_a, place_b;
  DrawOptions draw;
  bool check = false;
};

CLI::App& add_question(CLI::App& app, Session& session, const VerbText& text, bool two,
                       const Ask& ask) {
  CLI::App& verb = add_verb(app, session, text);
  verb.footer((two ? "A and B: each " : "A: ") +
              (operand_help + ("\nExamples:\n" + text.examples)));
  const auto options = std::make_shared<Options>();
  verb.add_option("A", options->a, "a file or a primitive: see below")->required();
  if (two) verb.add_option("B", options->b, "the other")->required();
  add_place_options(verb, options->place_a, "a");
  if (two) add_place_options(verb, options->place_b, "b");
  verb.add_flag("--check", options->check, "have the answer confirmed by carom/verify");
  add_draw_options(verb, options->draw);
  verb.callback([options, &session, two, ask, name = text.name] {
    check_draw_options(options->draw);
    Question question{.verb = name,
                      .a = load_operand(options->a, options->place_a),
                      .second = {},
                      .check = options->check};
    Answer answer(name);
    answer.about("a", question.a);
    Drawing drawing;
    drawing.bodies.push_back(question.a);
    if (two) {
      question.second = load_operand(options->b, options->place_b);
      answer.about("b", *question.second);
      drawing.bodies.push_back(*question.second);
      drawing.caption = question.names();
    }
    {
      const Progress progress(options->check ? "asking and checking" : "asking");
      ask(session, question, answer, drawing);
    }
    drawing.title = answer.headline();
    draw(options->draw, drawing);
    answer.print(session);
  });
  return verb;
}

} // namespace

double Question::size() const {
  double size = a.shape.size() + length(a.pose.position);
  if (second) size += second->shape.size() + length(second->pose.position);
  return size;
}

CLI::App& add_pair_verb(CLI::App& app, Session& session, const VerbText& text, const Ask& ask) {
  return add_question(app, session, text, true, ask);
}

CLI::App& add_single_verb(CLI::App& app, Session& session, const VerbText& text, const Ask& ask) {
  return add_question(app, session, text, false, ask);
}

void Check::step(const std::string& what, const verify::Verdict& verdict) {
  if (!verdict) {
    fail("carom/verify", "the check that " + what + " failed: " + verdict.why +
                             "; this is a fault of carom, please report it");
  }
  steps_.push_back(what);
}

void Check::skip(const std::string& why) { left_out_.push_back(why); }

void Check::in_shape(const char* what, const Vec3& p, const verify::PlacedShape& shape,
                     double tolerance) {
  const double off = verify::distance(p, shape);
  step(what, off <= tolerance ? verify::Verdict::yes() : verify::Verdict::off("it is off", off));
}

void Check::tell(Answer& answer) const {
  answer.json("checked", Json{{"steps", steps_}, {"left_out", left_out_}});
  if (!certificates_.empty()) answer.json("certificate", certificates_);
  for (const std::string& step : steps_) answer.line("checked", step);
  for (const std::string& why : left_out_) answer.line("not checked", why);
}

std::size_t part_count(const Shape& shape) {
  const auto* mesh = body_of<TriangleMesh>(shape);
  return mesh != nullptr ? mesh->surface().size() : 1;
}

void check_apart(const Question& question, const std::optional<Proof>& proof, Check& check) {
  if (!proof) return check.skip("that nothing is nearer: no proof was found");
  check.certificate("apart", to_json(*proof)); // also where others have to check it
  if (!check_is_cheap(question)) {
    return check.skip("that nothing is nearer: so many pairs of triangles would take too long");
  }
  const std::size_t count = proof->claims.size();
  check.step(counted(count, "direction") + " between parts " + (count == 1 ? "keeps" : "keep") +
                 " all of A at least " + show(proof->bound) + " from all of B",
             verify::check_proof(question.placed_a(), question.placed_b(), *proof,
                                 1e-9 * question.size()));
}

bool check_is_cheap(const Question& question) {
  constexpr double most = 1e9; // pairs of parts, of some nanoseconds each
  double pairs = static_cast<double>(part_count(question.a.shape));
  if (question.second) pairs *= static_cast<double>(part_count(question.second->shape));
  return pairs <= most;
}

} // namespace carom::tool
