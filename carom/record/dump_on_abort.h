// The log of queries, written when the program aborts: as a failed assert does.
//
//   QueryLog log;
//   const DumpOnAbort guard(log, "queries.log");                           // while it lives
//   assert(log.distance(a, pose_a, b, pose_b).value >= 0);                 // fails, then: carom query-log queries.log
//
// It takes the signal SIGABRT, writes, and lets the program end as it would have; whoever had the signal before has it again then. Writing needs memory: of a program that the allocator itself ends, nothing may come. Several may live at once, and all are
// written; they are made and end on one thread.
#pragma once

#include "carom/record/query_log.h"

#include <string>

namespace [[gnu::visibility("default")]] carom {

class DumpOnAbort {
public:
  /// Refers to the log. The file is made at the abort, and what was there by that name is gone then.
  DumpOnAbort(const QueryLog& log, std::string path);
  ~DumpOnAbort();
  DumpOnAbort(const DumpOnAbort&) = delete;
  DumpOnAbort& operator=(const DumpOnAbort&) = delete;

private:
  static void write_all(int signal);

  const QueryLog& log_;
  std::string path_;
  DumpOnAbort *older_ = nullptr, *newer_ = nullptr;
};

} // namespace carom
