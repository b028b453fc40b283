// Descent by precedence: a sum of products of factors. Nesting is bounded, so no text overflows the stack.
#include "carom/record/expression.h"

#include "carom/math/decimal.h"
#include "carom/math/trig.h"

#include <cmath>
#include <numbers>

namespace carom {
namespace {

constexpr int deepest = 64;

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

class Evaluator {
public:
  Evaluator(std::string_view text, const Variables& variables)
      : text_(text), variables_(variables) {}

  Result<double> run() {
    const double value = sum(0);
    skip();
    if (error_.empty() && at_ < text_.size()) fail("an operator or the end");
    if (error_.empty() && !std::isfinite(value)) error_ = "the value is not finite";
    if (!error_.empty())
      return failure(ErrorCode::bad_file, "'" + std::string(text_) + "': " + error_);
    return value;
  }

private:
  void skip() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t')) ++at_;
  }
  [[nodiscard]] char peek() {
    skip();
    return at_ < text_.size() ? text_[at_] : '\0';
  }
  bool take(char c) {
    if (peek() != c) return false;
    ++at_;
    return true;
  }
  double fail(const std::string& expected) {
    if (error_.empty())
      error_ = "expected " + expected + " at character " + std::to_string(at_ + 1);
    return 0;
  }

  double sum(int depth) {
    if (depth > deepest) return fail("less nesting");
    double value = product(depth);
    while (error_.empty()) {
      if (take('+'))
        value += product(depth);
      else if (take('-'))
        value -= product(depth);
      else
        break;
    }
    return value;
  }

  double product(int depth) {
    double value = factor(depth);
    while (error_.empty()) {
      if (take('*')) {
        value *= factor(depth);
      } else if (take('/')) {
        value /= factor(depth);
      } else if (take('%')) {
        const double by = factor(depth);
        value -= by * std::floor(value / by);
      } else {
        break;
      }
    }
    return value;
  }

  double factor(int depth) {
    if (depth > deepest) return fail("less nesting");
    if (take('-')) return -factor(depth + 1);
    if (take('(')) {
      const double value = sum(depth + 1);
      return take(')') ? value : fail("')'");
    }
    const char c = peek();
    if (is_letter(c)) return named(depth);
    if (!is_digit(c) && c != '.') return fail("a number, a name or '('");
    const ParsedDouble number = parse_double(text_.substr(at_));
    if (number.length == 0) return fail("a number");
    at_ += number.length;
    return number.value;
  }

  double named(int depth) {
    const std::size_t first = at_;
    while (at_ < text_.size() && (is_letter(text_[at_]) || is_digit(text_[at_]))) ++at_;
    const std::string_view name = text_.substr(first, at_ - first);
    if (peek() == '(') return call(name, first, depth);
    for (std::size_t i = variables_.size(); i-- > 0;)
      if (variables_[i].first == name) return variables_[i].second;
    if (name == "pi") return std::numbers::pi;
    at_ = first;
    return fail("a variable that is known, not '" + std::string(name) + "',");
  }

  double call(std::string_view name, std::size_t first, int depth) {
    take('(');
    const double a = sum(depth + 1);
    const bool two = name == "min" || name == "max";
    if (two && !take(',')) return fail("','");
    const double b = two ? sum(depth + 1) : 0;
    if (!take(')')) return fail("')'");
    if (name == "min") return b < a ? b : a;
    if (name == "max") return b > a ? b : a;
    if (name == "abs") return std::fabs(a);
    if (name == "floor") return std::floor(a);
    if (name == "sqrt") return std::sqrt(a);
    if (name == "sin") return sin(a);
    if (name == "cos") return cos(a);
    at_ = first;
    return fail("a function that is known, not '" + std::string(name) + "',");
  }

  std::string_view text_;
  const Variables& variables_;
  std::size_t at_ = 0;
  std::string error_;
};

} // namespace

Result<double> evaluate(std::string_view text, const Variables& variables) {
  return Evaluator(text, variables).run();
}

Result<std::string> fill_in(std::string_view text, const Variables& variables) {
  std::string out;
  while (true) {
    const std::size_t open = text.find('{');
    out += text.substr(0, open);
    if (open == std::string_view::npos) return out;
    const std::size_t close = text.find('}', open);
    if (close == std::string_view::npos)
      return failure(ErrorCode::bad_file, "'" + std::string(text) + "': '{' without '}'");
    const Result<double> value = evaluate(text.substr(open + 1, close - open - 1), variables);
    if (!value) return tl::unexpected(value.error());
    out += format_double(*value + 0.0).view(); // -0 is 0
    text.remove_prefix(close + 1);
  }
}

} // namespace carom
