// How the help looks, and what a mistyped verb may have been meant to be.
#pragma once

#include <memory>
#include <span>
#include <string>

namespace CLI {
class FormatterBase;
}

namespace carom::tool {

/// Of a verb among others, the first line of what it does. Of an option, its name and the form of its value: that an operand is needed the usage says, and what an option needs is told where it is missing.
[[nodiscard]] std::shared_ptr<CLI::FormatterBase> house_formatter();

/// The word that takes the fewest changes of a letter to reach; empty where that is more than a third of the letters.
[[nodiscard]] std::string nearest(const std::string& typed, std::span<const std::string> words);

} // namespace carom::tool
