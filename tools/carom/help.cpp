#include "tools/carom/help.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <numeric>
#include <vector>

namespace carom::tool {
namespace {

class HouseFormatter : public CLI::Formatter {
public:
  std::string make_option_opts(const CLI::Option* option) const override {
    if (option->get_positional() || option->get_type_size() == 0) return "";
    return " " + option->get_type_name() + (option->get_required() ? " (needed)" : "");
  }
  std::string make_subcommand(const CLI::App* verb) const override {
    const std::string text = verb->get_description();
    std::stringstream out;
    CLI::detail::format_help(out, verb->get_name(), text.substr(0, text.find('\n')),
                             get_column_width());
    return out.str();
  }
};

/// Letters put in, left out or replaced that lead from one word to the other, by rows of the usual table.
std::size_t changes(const std::string& from, const std::string& to) {
  std::vector<std::size_t> row(to.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < from.size(); ++i) {
    std::size_t diagonal = row[0]++;
    for (std::size_t j = 0; j < to.size(); ++j) {
      const std::size_t replaced = diagonal + (from[i] == to[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({replaced, row[j] + 1, diagonal + 1});
    }
  }
  return row.back();
}

} // namespace

std::shared_ptr<CLI::FormatterBase> house_formatter() { return std::make_shared<HouseFormatter>(); }

std::string nearest(const std::string& typed, std::span<const std::string> words) {
  std::string best;
  std::size_t least = std::max<std::size_t>(1, typed.size() / 3) + 1;
  for (const std::string& word : words) {
    const std::size_t n = changes(typed, word);
    if (n >= least) continue;
    least = n;
    best = word;
  }
  return best;
}

} // namespace carom::tool
