/// @file
/// What can be set from outside, by a call or by an environment variable at start.
#pragma once

#include <cstdint>
#include <string>

namespace emu {

enum class ExitReport : std::uint8_t { none, table, json };

struct Settings {
  bool counting = true;
  std::uint64_t schedule_seed = 0;            ///< COURSE_SEED
  unsigned workers = 1;                       ///< COURSE_THREADS
  ExitReport exit_report = ExitReport::none;  ///< COURSE_COUNTERS = table | json[:FILE] | off
  std::string exit_report_file;               ///< empty: stderr
};

Settings& settings();

}  // namespace emu
