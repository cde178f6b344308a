#include "course/report_printer.hpp"

namespace course {

std::string ReportPrinter::print(const Report& report) {
  begin(report);
  for (const Section& one : report.sections) section(one);
  return end();
}

}  // namespace course
