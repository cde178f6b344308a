/// @file
/// Settings that a call or an environment variable can change.
#pragma once

#include <cstdint>
#include <string>

#include "emulator/check.h"
#include "engine/report/report_formats.hpp"

namespace emu {

/// Exit status for settings that are invalid or cannot be satisfied.
inline constexpr int kUsageError = 2;

struct Settings {
  bool counting = false;            ///< count every launch
  bool may_count = true;            ///< false: COURSE_COUNTERS = off
  std::uint64_t schedule_seed = 0;  ///< COURSE_SEED
  unsigned workers = 1;             ///< COURSE_THREADS
  /// COURSE_COUNTERS = table | json[:FILE] | off; null: no report
  const ReportFormat<ExitReportPrinter>* exit_report = nullptr;
  std::string exit_report_file;  ///< empty: stderr
  /// COURSE_PROFILE = text | json | html[:FILE]; null: no profile
  const ReportFormat<ProfilePrinter>* profile = nullptr;
  std::string profile_file;    ///< empty: stderr
  std::string profile_kernel;  ///< COURSE_PROFILE_KERNEL; empty: all
  Checks checks;               ///< COURSE_CHECK
  /// Memcheck ends the kernel also at accesses just past an allocation.
  bool strict_bounds = false;
  bool check_report = false;  ///< findings are reported and set the exit status to 1
  /// COURSE_CHECK_REPORT = text | json[:FILE]
  const ReportFormat<FindingsPrinter>* check_format = nullptr;
  std::string check_report_file;   ///< empty: stderr
  std::uint64_t preempt_seed = 0;  ///< COURSE_PREEMPT: the order of every launch; 0: the usual one
  bool lockstep = false;           ///< COURSE_LOCKSTEP = 1: as on devices before Volta
  unsigned schedules = 0;          ///< COURSE_SCHEDULES: interleavings of every launch
  unsigned scheduled_blocks = kScheduledBlocks;
  std::string trace_file;         ///< COURSE_TRACE; empty: no trace
  std::uint64_t trace_block = 0;  ///< COURSE_TRACE_BLOCK, its number in the grid
  unsigned trace_requests = 8;    ///< COURSE_TRACE_REQUESTS, of each instruction and warp
};

Settings& settings();

}  // namespace emu
