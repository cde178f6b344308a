/// @file
/// The forms in which each report can be printed, by the names that the environment gives them.
#pragma once

#include <memory>
#include <span>
#include <string_view>

namespace emu {

class ExitReportPrinter;
class FindingsPrinter;
class ProfilePrinter;

/// One form of a report: a class in a file of its own, and a line in report_formats.cpp.
template <class Printer>
struct ReportFormat {
  std::string_view name;               ///< "json"
  bool may_name_file = false;          ///< "json:FILE" is understood as well
  std::unique_ptr<Printer> (*make)();  ///< a new printer, for one report
};

std::span<const ReportFormat<ExitReportPrinter>> exit_report_formats();  // COURSE_COUNTERS
std::span<const ReportFormat<ProfilePrinter>> profile_formats();         // COURSE_PROFILE
/// The first is what COURSE_CHECK_REPORT need not ask for.
std::span<const ReportFormat<FindingsPrinter>> findings_formats();

}  // namespace emu
