#include "carom/record/dump_on_abort.h"

#include <csignal>
#include <cstdio>
#include <utility>

namespace carom {
namespace {

DumpOnAbort* newest = nullptr;
void (*before)(int) = SIG_DFL; ///< who had the signal

} // namespace

void DumpOnAbort::write_all(int signal) {
  // First of all, so that what goes wrong below ends the program, too.
  std::signal(SIGABRT, before);
  for (const DumpOnAbort* d = newest; d != nullptr; d = d->older_) {
    const std::string bytes = d->log_.dump();
    std::FILE* file = std::fopen(d->path_.c_str(), "wb");
    if (file == nullptr) continue;
    std::fwrite(bytes.data(), 1, bytes.size(), file);
    std::fclose(file);
  }
  std::raise(signal);
}

DumpOnAbort::DumpOnAbort(const QueryLog& log, std::string path)
    : log_(log), path_(std::move(path)), older_(newest) {
  if (older_ != nullptr)
    older_->newer_ = this;
  else
    before = std::signal(SIGABRT, write_all);
  newest = this;
}

DumpOnAbort::~DumpOnAbort() {
  (newer_ != nullptr ? newer_->older_ : newest) = older_;
  if (older_ != nullptr) older_->newer_ = newer_;
  if (newest == nullptr) std::signal(SIGABRT, before);
}

} // namespace carom
