/// @file
/// The formats of each report, by the names that environment variables use.
#pragma once

#include <memory>
#include <span>
#include <string_view>

namespace emu {

class ExitReportPrinter;
class FindingsPrinter;
class ProfilePrinter;

/// A format of a report: a class in a file of its own, and a row in report_formats.cpp.
template <class Printer>
struct ReportFormat {
  std::string_view name;               ///< "json"
  bool may_name_file = false;          ///< accepts "json:FILE" as well
  std::unique_ptr<Printer> (*make)();  ///< makes a printer for one report
};

std::span<const ReportFormat<ExitReportPrinter>> exit_report_formats();  // COURSE_COUNTERS
std::span<const ReportFormat<ProfilePrinter>> profile_formats();         // COURSE_PROFILE
/// COURSE_CHECK_REPORT; the first one is the default.
std::span<const ReportFormat<FindingsPrinter>> findings_formats();

}  // namespace emu
