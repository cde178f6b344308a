#pragma once

/// @file
/// The formats of a chapter's report: a class each, in a file of its own.

#include <memory>
#include <string>

#include "course/report.hpp"

namespace course {

/// Prints one report, part by part. Can be used only once.
class ReportPrinter {
 public:
  virtual ~ReportPrinter() = default;

  /// Returns the whole report, ending with a line break. Equal reports give equal bytes.
  std::string print(const Report& report);

 protected:
  virtual void begin(const Report& report) = 0;
  virtual void section(const Section& section) = 0;
  virtual std::string end() = 0;  ///< Returns the finished text.
};

/// Returns a printer of aligned tables for people, with a line at the end for every failed run.
std::unique_ptr<ReportPrinter> make_table_printer();

/// Returns a printer of JSON for programs (docs/report.schema.json).
std::unique_ptr<ReportPrinter> make_json_printer();

}  // namespace course
