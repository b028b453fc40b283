#include "carom/record/delta_frames.h"

#include "carom/record/bytes.h"

#include <algorithm>

namespace carom {

std::string delta_frames(const std::vector<std::vector<std::int64_t>>& frames,
                         std::size_t numbers) {
  std::size_t size = 0;
  for (const auto& frame : frames) size = std::max(size, frame.size());
  std::vector<std::int64_t> last(size), values;
  std::vector<std::uint8_t> changed(size / numbers), others(numbers);
  ByteString out;
  for (const auto& frame : frames) {
    values = frame;
    values.resize(size);
    for (std::size_t row = 0; row < changed.size(); ++row) {
      const std::size_t at = numbers * row;
      changed[row] =
          std::equal(&values[at], &values[at] + numbers, &last[at]) ? std::uint8_t{0} : 1;
    }
    out.put_flags(changed);
    for (std::size_t row = 0; row < changed.size(); ++row) {
      if (changed[row] == 0) continue;
      const std::size_t at = numbers * row;
      for (std::size_t k = 0; k < numbers; ++k) others[k] = values[at + k] != last[at + k] ? 1 : 0;
      out.put_flags(others);
      for (std::size_t k = 0; k < numbers; ++k)
        if (others[k] != 0) out.put_signed(values[at + k] - last[at + k]);
    }
    last.swap(values);
  }
  return std::move(out.bytes);
}

} // namespace carom
