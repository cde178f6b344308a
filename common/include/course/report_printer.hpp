#pragma once

/// @file
/// The forms in which a chapter's report is printed: a class each, in a file of its own.

#include <memory>
#include <string>

#include "course/report.hpp"

namespace course {

/// Prints one report, part by part, and is then done with.
class ReportPrinter {
 public:
  virtual ~ReportPrinter() = default;

  /// The whole report, ending with a line break; equal reports give equal bytes.
  std::string print(const Report& report);

 protected:
  virtual void begin(const Report& report) = 0;
  virtual void section(const Section& section) = 0;
  virtual std::string end() = 0;  ///< the finished text
};

/// Aligned tables for people, and at the end a line for every run that failed.
std::unique_ptr<ReportPrinter> make_table_printer();

/// JSON for programs (docs/report.schema.json).
std::unique_ptr<ReportPrinter> make_json_printer();

}  // namespace course
