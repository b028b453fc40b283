// The viewer's page, to be filled with data (carom/record/page.h).
#pragma once

#include "carom/record/page.h"

#include <string>

namespace carom::tool {

/// Writes the page with this data to a file. The page is looked for where $CAROM_PLAYER says, then in <program>/../share/carom/player.html, then in the source tree. Throws a Failure where it is nowhere, or the file cannot be written.
void write_page(const std::string& path, const Page& page);

/// Throws a Failure that names the file.
[[nodiscard]] std::string read_whole_file(const std::string& path);

// Before long work begins: makes the folder where it is not there, and throws a Failure where a file, or a page, could not be written.
void prepare_file(const std::string& path);
void prepare_page(const std::string& path);
/// The same where no folder is to be made.
void check_page(const std::string& path);

} // namespace carom::tool
