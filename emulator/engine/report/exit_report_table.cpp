#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <string_view>
#include <vector>

#include "course/counter_table.hpp"
#include "engine/report/exit_report_printer.hpp"

namespace emu {

namespace {

using course::CounterDescription;

/// A row of the table: one kind of access of one kernel.
struct Access {
  std::string_view name;
  std::vector<const CounterDescription*> columns;

  bool is_used(const KernelTotal& total) const { return columns.front()->is_used(total.counters); }
};

/// Kinds of access with the same columns, which share a table head.
using Section = std::vector<Access>;

/// Returns the kernel's name, without template arguments if it is long: kernels of libraries have
/// arguments of a thousand characters.
std::string shown_name(const std::string& kernel) {
  constexpr std::size_t kLong = 80;
  if (kernel.size() <= kLong) return kernel;
  std::string shown;
  int depth = 0;
  for (const char letter : kernel) {
    if (letter == '>' && --depth == 0) shown += "...";
    if (depth == 0) shown += letter;
    if (letter == '<') ++depth;
  }
  return shown;
}

/// Returns the width of the column with the kinds of access.
std::size_t access_width(const Section& section) {
  std::size_t width = std::string_view("global atomic").size();
  for (const Access& access : section) width = std::max(width, access.name.size());
  return width;
}

bool same_columns(const Access& a, const Access& b) {
  return std::ranges::equal(
      a.columns, b.columns, {}, [](const CounterDescription* one) { return one->column; },
      [](const CounterDescription* one) { return one->column; });
}

/// Returns the sections in the order of the table of counters.
std::vector<Section> sections() {
  std::vector<Access> all;
  for (const CounterDescription& one : course::counter_table()) {
    if (one.column.empty()) continue;
    if (all.empty() || all.back().name != one.access) all.push_back({one.access, {}});
    all.back().columns.push_back(&one);
  }
  std::vector<Section> sections;
  for (Access& access : all) {
    if (sections.empty() || !same_columns(sections.back().front(), access)) sections.emplace_back();
    sections.back().push_back(std::move(access));
  }
  return sections;
}

std::string head_of(const Section& section, std::size_t width) {
  std::string text = fmt::format("{:<{}}  {:>8}  {:<{}}", "kernel", width, "launches", "access",
                                 access_width(section));
  for (const CounterDescription* one : section.front().columns)
    text += fmt::format(" {:>{}}", one->column, one->unit == course::CounterUnit::count ? 12 : 10);
  return text + "\n";
}

std::string row_of(const KernelTotal& total, const Access& access, std::size_t width,
                   std::size_t access_width) {
  std::string text = fmt::format("{:<{}}  {:>8}  {:<{}}", shown_name(total.kernel), width,
                                 total.launches, access.name, access_width);
  for (const CounterDescription* one : access.columns)
    text += one->unit == course::CounterUnit::count
                ? fmt::format(" {:>12}", one->count(total.counters))
                : fmt::format(" {:>8.2f} %", one->value(total.counters).value_or(0));
  return text + "\n";
}

/// Prints a row for each kind of access that a kernel has made, so that the table stays narrow.
class ExitReportTable : public ExitReportPrinter {
  std::string print(const std::vector<KernelTotal>& kernels) override {
    std::size_t width = std::string_view("kernel").size();
    for (const KernelTotal& total : kernels)
      width = std::max(width, shown_name(total.kernel).size());
    std::string text;
    for (const Section& section : sections()) {
      std::string rows;
      for (const KernelTotal& total : kernels)
        for (const Access& access : section)
          if (access.is_used(total)) rows += row_of(total, access, width, access_width(section));
      if (text.empty() || !rows.empty()) text += head_of(section, width) + rows;
    }
    return text;
  }
};

}  // namespace

std::unique_ptr<ExitReportPrinter> make_exit_report_table() {
  return std::make_unique<ExitReportTable>();
}

}  // namespace emu
