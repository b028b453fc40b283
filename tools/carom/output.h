// Files that are whole or not there. All is computed first; then what is written goes to a temporary file beside the place, which takes its name when it is complete. What fails leaves
// what was there before, and so does Ctrl-C: it ends the command before or after, not in between.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace carom::tool {

/// Fails, naming the file and the reason, where it cannot be written.
void write_file(const std::string& path, std::string_view bytes);

/// Whether write_file has a chance: asked before long work begins. Fails with the reason.
void check_writable(const std::string& path);

/// Files of one run, each with the option that names it (empty: not given): fails where two of them are one, since the later would overwrite the earlier.
void check_distinct(const std::vector<std::pair<std::string, std::string>>& files);

/// A new folder with these files (name, bytes), all of them or none. It must not be there yet, or be empty.
void write_folder(const std::string& path,
                  const std::vector<std::pair<std::string, std::string>>& files);
/// Whether write_folder has a chance.
void check_writable_folder(const std::string& path);

} // namespace carom::tool
