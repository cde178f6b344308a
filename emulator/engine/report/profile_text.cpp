#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <string_view>

#include "engine/report/profile_printer.hpp"

namespace emu {

namespace {

constexpr std::size_t kLabelWidth = 40;

std::string counted(std::uint64_t number, const char* one) {
  return fmt::format("{} {}{}", number, one, number == 1 ? "" : "es");
}

/// Returns the file's path relative to the current folder, if it is in it.
std::string shown(const std::string& file) {
  if (file.empty()) return "(no debug information)";
  std::error_code error;
  const std::filesystem::path here = std::filesystem::current_path(error);
  const std::string relative = std::filesystem::path(file).lexically_relative(here).string();
  return error || relative.empty() || relative.starts_with("..") ? file : relative;
}

std::string shortened(const std::string& text) {
  if (text.size() <= kLabelWidth) return text;
  return fmt::format("{}...", std::string_view(text).substr(0, kLabelWidth - 3));
}

std::string row_text(const std::string& label, const std::string& requests, const std::string& each,
                     const std::string& unit, const std::string& ideal,
                     const std::string& efficiency, const std::string& lanes) {
  std::string text =
      fmt::format("      | {:<{}} {:>8} {:>6} {:<10} {:>6} {:>10} {:>6}", shortened(label),
                  kLabelWidth, requests, each, unit, ideal, efficiency, lanes);
  text.erase(text.find_last_not_of(' ') + 1);
  return text + "\n";
}

void put(std::string& text, const InstructionProfile& instruction) {
  const Counters& c = instruction.counters;
  const std::string lanes = short_number(c.active_lanes_avg().value_or(0));
  for (const AccessRow& row : access_rows(c)) {
    const std::string cost = cost_per_request(row);
    const std::size_t blank = cost.find(' ');
    text += row_text(fmt::format("{} {}", row.access, instruction.expression),
                     std::to_string(row.requests), cost.substr(0, blank), cost.substr(blank + 1),
                     ideal_per_request(row), fmt::format("{:.1f} %", row.efficiency_pct), lanes);
  }
  if (const std::string repeated = repeated_loads_text(c); !repeated.empty())
    text += "      |   " + repeated + "\n";
}

/// Prints listings for a terminal of 100 columns; source lines are not cut.
class ProfileText : public ProfilePrinter {
  void begin_kernel(const KernelProfile& kernel) override {
    if (!text_.empty()) text_ += "\n\n";
    text_ += fmt::format("{}: {}\n", kernel.signature, counted(kernel.launches, "launch"));
    if (kernel.worst.empty()) text_ += "no worst line\n";
  }

  void begin_source(const KernelProfile& kernel, std::size_t index) override {
    text_ += "\n" + shown(kernel.sources[index].file) + "\n";
    text_ += row_text("", "requests", "per", "request", "ideal", "efficiency", "lanes");
  }

  void gap() override { text_ += "   ...\n"; }

  void line(const LineProfile& line, const std::vector<WorstLine>& worst) override {
    std::string head = line.number == 0 ? std::string("    ?")
                                        : fmt::format("{}{:>4}  {}", worst.empty() ? ' ' : '>',
                                                      line.number, line.text);
    head.erase(head.find_last_not_of(' ') + 1);
    text_ += head + "\n";
    for (const InstructionProfile& instruction : line.instructions) put(text_, instruction);
    for (const WorstLine& one : worst) text_ += fmt::format("      ^ worst line: {}\n", one.reason);
  }

  std::string end(std::size_t kernels) override {
    return kernels == 0 ? "no kernel was launched\n" : text_;
  }

  std::string text_;
};

}  // namespace

std::unique_ptr<ProfilePrinter> make_profile_text() { return std::make_unique<ProfileText>(); }

}  // namespace emu
