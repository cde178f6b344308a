/// @file
/// What can be set from outside, by a call or by an environment variable at start.
#pragma once

#include <cstdint>
#include <string>

#include "emulator/check.h"

namespace emu {

enum class ProfileFormat : std::uint8_t { none, text, json, html };

enum class ExitReport : std::uint8_t { none, table, json };

struct Settings {
  bool counting = true;
  std::uint64_t schedule_seed = 0;              ///< COURSE_SEED
  unsigned workers = 1;                         ///< COURSE_THREADS
  ExitReport exit_report = ExitReport::none;    ///< COURSE_COUNTERS = table | json[:FILE] | off
  std::string exit_report_file;                 ///< empty: stderr
  ProfileFormat profile = ProfileFormat::none;  ///< COURSE_PROFILE = text | json | html[:FILE]
  std::string profile_file;                     ///< empty: stderr
  std::string profile_kernel;                   ///< COURSE_PROFILE_KERNEL; empty: all
  Checks checks;                                ///< COURSE_CHECK
  bool check_report = false;                    ///< findings go to stderr and into the exit status
  bool check_json = false;                      ///< COURSE_CHECK_REPORT = text | json[:FILE]
  std::string check_report_file;                ///< empty: stderr
  std::uint64_t preempt_seed = 0;  ///< COURSE_PREEMPT: the order of every launch; 0: the usual one
  unsigned schedules = 0;          ///< COURSE_SCHEDULES: interleavings of every launch
  std::string trace_file;          ///< COURSE_TRACE; empty: no trace
  std::uint64_t trace_block = 0;   ///< COURSE_TRACE_BLOCK, its number in the grid
  unsigned trace_requests = 8;     ///< COURSE_TRACE_REQUESTS, of each instruction and warp
};

Settings& settings();

}  // namespace emu
