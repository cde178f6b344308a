#include "engine/report/report_formats.hpp"

#include "engine/report/exit_report_printer.hpp"
#include "engine/report/findings_printer.hpp"
#include "engine/report/profile_printer.hpp"

namespace emu {

// Each of these functions stands at the end of its printer's file.
std::unique_ptr<ExitReportPrinter> make_exit_report_table(), make_exit_report_json();
std::unique_ptr<ProfilePrinter> make_profile_text(), make_profile_json(), make_profile_html();
std::unique_ptr<FindingsPrinter> make_findings_text(), make_findings_json();

namespace {

constexpr ReportFormat<ExitReportPrinter> kExitReportFormats[] = {
    {"table", false, make_exit_report_table},
    {"json", true, make_exit_report_json},
};

constexpr ReportFormat<ProfilePrinter> kProfileFormats[] = {
    {"text", true, make_profile_text},
    {"json", true, make_profile_json},
    {"html", true, make_profile_html},
};

constexpr ReportFormat<FindingsPrinter> kFindingsFormats[] = {
    {"text", false, make_findings_text},
    {"json", true, make_findings_json},
};

}  // namespace

std::span<const ReportFormat<ExitReportPrinter>> exit_report_formats() {
  return kExitReportFormats;
}
std::span<const ReportFormat<ProfilePrinter>> profile_formats() { return kProfileFormats; }
std::span<const ReportFormat<FindingsPrinter>> findings_formats() { return kFindingsFormats; }

}  // namespace emu
