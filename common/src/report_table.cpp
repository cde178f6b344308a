#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "course/report_printer.hpp"
#include "report_columns.hpp"

namespace course {
namespace {

/// The number format of a column, which all its numbers share so that they can be compared.
struct NumberStyle {
  int decimals = 0;
  bool is_scientific = false;
};

/// Returns the number of decimals that the number needs to be written exactly.
int decimals_needed(double number) {
  const std::string text = fmt::format("{}", number);
  if (text.find('e') != std::string::npos) return std::numeric_limits<int>::max();
  const std::size_t point = text.find('.');
  return point == std::string::npos ? 0 : static_cast<int>(text.size() - point - 1);
}

NumberStyle style_of(const std::vector<Cell>& cells) {
  constexpr int kDecimals = 2;
  constexpr int kMostDecimals = 6;
  constexpr double kTooSmall = 1e-5;
  int needed = 0;
  double least = 0.0;  // the least number that is not 0
  for (const Cell& cell : cells) {
    const auto* number = std::get_if<double>(&cell);
    if (number == nullptr || !std::isfinite(*number) || *number == 0.0) continue;
    const double size = std::abs(*number);
    least = least == 0.0 ? size : std::min(least, size);
    if (std::floor(size) != size) needed = std::max(needed, decimals_needed(size));
  }
  if (needed == 0) return {};
  if (least < kTooSmall) return {.decimals = 1, .is_scientific = true};
  const int leading_zeros = -static_cast<int>(std::floor(std::log10(least)));
  const int useful = std::clamp(leading_zeros + kDecimals, kDecimals, kMostDecimals);
  return {.decimals = std::min(needed, useful), .is_scientific = false};
}

std::string format_cell(const Cell& cell, const NumberStyle& style) {
  if (const auto* word = std::get_if<std::string>(&cell)) return *word;
  const auto* number = std::get_if<double>(&cell);
  if (number == nullptr) return "-";
  if (style.is_scientific && *number != 0.0) return fmt::format("{:.{}e}", *number, style.decimals);
  return fmt::format("{:.{}f}", *number, style.is_scientific ? 0 : style.decimals);
}

struct TextColumn {
  std::string title;
  std::vector<std::string> cells;
  bool is_left_aligned = false;
  std::size_t width = 0;
};

/// Returns the columns that have a value in some row.
std::vector<TextColumn> text_columns(const Section& section) {
  std::vector<TextColumn> columns;
  for (const Column& column : section.columns) {
    std::vector<Cell> cells;
    for (const RunRecord& run : section.runs) cells.push_back(cell_at(section, run, column.source));
    const auto is_empty = [](const Cell& cell) {
      return std::holds_alternative<std::monostate>(cell);
    };
    if (std::ranges::all_of(cells, is_empty)) continue;

    const NumberStyle style = style_of(cells);
    TextColumn text{
        .title = column.title, .cells = {}, .is_left_aligned = false, .width = column.title.size()};
    for (const Cell& cell : cells) {
      text.cells.push_back(format_cell(cell, style));
      text.width = std::max(text.width, text.cells.back().size());
      text.is_left_aligned = text.is_left_aligned || std::holds_alternative<std::string>(cell);
    }
    columns.push_back(std::move(text));
  }
  return columns;
}

void append_line(std::string& out, std::string line) {
  line.erase(line.find_last_not_of(' ') + 1);
  out += line + '\n';
}

std::string row_of(const std::vector<TextColumn>& columns, auto text_of) {
  std::string line;
  for (const TextColumn& column : columns) {
    line += "  ";
    line += column.is_left_aligned ? fmt::format("{:<{}}", text_of(column), column.width)
                                   : fmt::format("{:>{}}", text_of(column), column.width);
  }
  return line;
}

void append_table(std::string& out, const Section& section) {
  const std::vector<TextColumn> columns = text_columns(section);
  if (columns.empty()) return;
  append_line(out, row_of(columns, [](const TextColumn& column) { return column.title; }));
  append_line(out, row_of(columns,
                          [](const TextColumn& column) { return std::string(column.width, '-'); }));
  for (std::size_t i = 0; i < section.runs.size(); ++i) {
    std::string line = row_of(columns, [i](const TextColumn& column) { return column.cells[i]; });
    if (section.runs[i].has_failed()) line += "  WRONG";
    append_line(out, std::move(line));
  }
}

std::string describe_failure(const RunRecord& run) {
  std::string parameters;
  for (const Parameter& parameter : run.parameters) {
    const Cell cell = cell_of(parameter.value);
    if (!parameters.empty()) parameters += ", ";
    parameters += parameter.name + " " + format_cell(cell, style_of({cell}));
  }
  return fmt::format("WRONG: {}{}: {}", run.kernel,
                     parameters.empty() ? "" : " (" + parameters + ")", run.failure);
}

class TablePrinter : public ReportPrinter {
  void begin(const Report& report) override {
    text_ = fmt::format("{}: {}\n", report.chapter, report.question);
    text_ += fmt::format("{}: {}, {} multiprocessors\n", report.backend, report.device.name,
                         report.device.multiprocessors);
  }

  void section(const Section& section) override {
    if (section.runs.empty()) return;
    runs_ += section.runs.size();
    text_ += '\n';
    if (!section.title.empty()) append_line(text_, section.title);
    append_table(text_, section);
    for (const std::string& note : section.notes) append_line(text_, note);
    for (const RunRecord& run : section.runs) {
      if (run.has_failed()) failures_ += describe_failure(run) + '\n';
      known_wrong_ += run.known_wrong;
      if (run.skipped.empty()) continue;
      ++skipped_;
      append_line(text_, fmt::format("skipped: {}: {}", run.kernel, run.skipped));
    }
  }

  /// Adds a line for every run that failed, or the number of runs.
  std::string end() override {
    text_ += '\n';
    if (!failures_.empty()) return text_ + failures_;
    text_ += fmt::format("{} {}", runs_, runs_ == 1 ? "run" : "runs");
    if (known_wrong_ + skipped_ == 0) return text_ + ", all verified\n";
    text_ += fmt::format(": {} verified", runs_ - known_wrong_ - skipped_);
    if (known_wrong_ > 0) text_ += fmt::format(", {} known to be wrong", known_wrong_);
    if (skipped_ > 0) text_ += fmt::format(", {} skipped", skipped_);
    return text_ + '\n';
  }

  std::string text_, failures_;
  std::size_t runs_ = 0, known_wrong_ = 0, skipped_ = 0;
};

}  // namespace

std::unique_ptr<ReportPrinter> make_table_printer() { return std::make_unique<TablePrinter>(); }

}  // namespace course
