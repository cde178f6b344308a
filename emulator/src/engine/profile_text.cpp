#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "profile.hpp"

namespace emu {

namespace {

constexpr std::size_t kLabelWidth = 46;

std::string counted(std::uint64_t number, const char* one) {
  return fmt::format("{} {}{}", number, one, number == 1 ? "" : "es");
}

/// As a person in this folder would call the file.
std::string shown(const std::string& file) {
  if (file.empty()) return "(no debug information)";
  std::error_code failed;
  const std::filesystem::path here = std::filesystem::current_path(failed);
  const std::string relative = std::filesystem::path(file).lexically_relative(here).string();
  return failed || relative.empty() || relative.starts_with("..") ? file : relative;
}

std::string shortened(const std::string& text) {
  if (text.size() <= kLabelWidth) return text;
  return text.substr(0, kLabelWidth - 3) + "...";
}

std::string row_text(const std::string& label, const std::string& requests, const std::string& each,
                     const std::string& unit, const std::string& ideal,
                     const std::string& efficiency, const std::string& lanes) {
  std::string text =
      fmt::format("      | {:<{}} {:>11} {:>8} {:<10} {:>7} {:>10} {:>7}", shortened(label),
                  kLabelWidth, requests, each, unit, ideal, efficiency, lanes);
  text.erase(text.find_last_not_of(' ') + 1);
  return text + "\n";
}

void put(std::string& text, const InstructionProfile& instruction) {
  const Counters& c = instruction.counters;
  const std::string lanes = short_number(c.active_lanes_avg().value_or(0));
  for (const AccessRow& row : access_rows(c)) {
    const bool has_cost = row.cost != 0;
    const auto per_request = [&](std::uint64_t value) {
      return has_cost ? short_number(static_cast<double>(value) / static_cast<double>(row.requests))
                      : std::string();
    };
    text += row_text(fmt::format("{} {}", row.access, instruction.expression),
                     std::to_string(row.requests), per_request(row.cost),
                     has_cost && row.cost != row.requests ? std::string(row.unit) + "s" : row.unit,
                     per_request(row.ideal),
                     has_cost ? fmt::format("{:.1f} %", row.efficiency_pct) : std::string(), lanes);
  }
}

void put(std::string& text, const SourceProfile& source, const std::vector<WorstLine>& worst) {
  text += shown(source.file) + "\n";
  text += row_text("", "requests", "per", "request", "ideal", "efficiency", "lanes");
  int before = 0;
  for (const LineProfile& line : source.lines) {
    if (before != 0 && line.number > before + 1) text += "   ...\n";
    before = line.number;
    const bool is_worst = std::any_of(
        worst.begin(), worst.end(), [&](const WorstLine& one) { return one.line == line.number; });
    std::string head =
        line.number == 0 ? std::string("    ?")
                         : fmt::format("{}{:>4}  {}", is_worst ? '>' : ' ', line.number, line.text);
    head.erase(head.find_last_not_of(' ') + 1);
    text += head + "\n";
    for (const InstructionProfile& instruction : line.instructions) put(text, instruction);
    for (const WorstLine& one : worst)
      if (one.line == line.number) text += fmt::format("      ^ worst line: {}\n", one.reason);
  }
}

}  // namespace

std::string profile_as_text(const std::vector<KernelProfile>& kernels) {
  if (kernels.empty()) return "no kernel was launched\n";
  std::string text;
  for (const KernelProfile& kernel : kernels) {
    if (!text.empty()) text += "\n\n";
    text += fmt::format("{}: {}\n", kernel.signature, counted(kernel.launches, "launch"));
    if (kernel.worst.empty()) text += "no worst line\n";
    for (std::size_t i = 0; i < kernel.sources.size(); ++i) {
      std::vector<WorstLine> here;
      for (const WorstLine& one : kernel.worst)
        if (one.source == i) here.push_back(one);
      text += "\n";
      put(text, kernel.sources[i], here);
    }
  }
  return text;
}

}  // namespace emu
