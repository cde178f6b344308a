#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <string_view>

#include "engine/check/hazards.hpp"
#include "engine/report/findings_printer.hpp"

namespace emu {

namespace {

std::string counted(std::uint64_t number, const char* one) {
  return fmt::format("{} {}{}", number, one, number == 1 ? "" : "s");
}

void put(std::string& text, const char* label, std::string_view value) {
  if (!value.empty()) text += fmt::format("=========     {:<8} {}\n", label, value);
}

/// Appends a sentence, wrapped to lines that fit a terminal.
void put_sentence(std::string& text, const char* label, std::string_view sentence) {
  constexpr std::size_t kColumns = 62;
  while (sentence.size() > kColumns) {
    const std::size_t blank = sentence.rfind(' ', kColumns);
    if (blank == std::string_view::npos || blank == 0) break;
    put(text, label, sentence.substr(0, blank));
    sentence.remove_prefix(blank + 1);
    label = "";
  }
  put(text, label, sentence);
}

std::string described(const Culprit& culprit) {
  std::string text = culprit.action;
  const auto add = [&](const char* before, const std::string& value) {
    if (value.empty()) return;
    if (!text.empty()) text += before[0] == ',' ? "" : " ";
    text += fmt::format("{}{}", before, value);
  };
  add("at ", culprit.line);
  add("by thread ", culprit.thread);
  add("of block ", culprit.block);
  return text;
}

/// Prints each finding in full when it is made, and their number at the end.
class FindingsText : public FindingsPrinter {
  std::string as_found(const Finding& f) override {
    std::string text = fmt::format("========= {} {}: {}\n", f.tool, name_of(f.severity), f.title);
    put(text, "kernel", f.kernel);
    put(text, "where", described(f.first));
    put(text, "against", described(f.second));
    put(text, "memory", f.memory);
    put_sentence(text, "hint", f.hint);
    return text;
  }

  std::string at_end(const std::vector<Finding>& findings) override {
    const auto errors = static_cast<std::uint64_t>(
        std::count_if(findings.begin(), findings.end(),
                      [](const Finding& f) { return f.severity == Severity::error; }));
    std::string text = fmt::format("========= checked: {}, {}\n", counted(errors, "error"),
                                   counted(findings.size() - errors, "warning"));
    for (const Finding& f : findings) {
      if (f.count <= 1) continue;
      std::string lines = f.first.line;
      if (!f.second.line.empty() && f.second.line != f.first.line) lines += " and " + f.second.line;
      text += fmt::format("=========     {}x {} {}: {}{}{}\n", f.count, f.tool, name_of(f.severity),
                          f.title,
                          is_of(Hazard::leak, f) ? fmt::format(", {} bytes in all", f.bytes) : "",
                          lines.empty() ? "" : " (" + lines + ")");
    }
    return text;
  }
};

}  // namespace

std::unique_ptr<FindingsPrinter> make_findings_text() { return std::make_unique<FindingsText>(); }

}  // namespace emu
