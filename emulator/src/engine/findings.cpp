#include "findings.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <nlohmann/json.hpp>
#include <unordered_map>

#include "check_leaks.hpp"
#include "report_file.hpp"
#include "settings.hpp"

namespace emu {

namespace {

constexpr int kFound = 1;

struct Book {
  std::recursive_mutex mutex;  // the report of a fault may interrupt another
  std::vector<Finding> findings;
  std::unordered_map<std::string, std::size_t> by_key;    // several keys may lead to one finding
  std::unordered_map<std::string, std::size_t> by_lines;  // kind, kernel and lines
  std::size_t printed = 0;
  bool registered = false;
};

Book& book() {
  static Book& book = *new Book;
  return book;
}

const char* name_of(Severity severity) { return severity == Severity::error ? "error" : "warning"; }

std::string lines_key(const Finding& f) {
  return fmt::format("{}|{}|{}|{}|{}|{}|{}", f.tool, f.kind, name_of(f.severity), f.kernel,
                     f.first.line, f.second.line,
                     f.first.line.empty() ? f.title + f.memory : std::string());
}

std::string counted(std::uint64_t number, const char* one) {
  return fmt::format("{} {}{}", number, one, number == 1 ? "" : "s");
}

void put(std::string& text, const char* label, const std::string& value) {
  if (!value.empty()) text += fmt::format("=========     {:<8} {}\n", label, value);
}

std::string place_of(const Culprit& culprit) {
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

std::string as_text(const Finding& f) {
  std::string text = fmt::format("========= {} {}: {}\n", f.tool, name_of(f.severity), f.title);
  put(text, "kernel", f.kernel);
  put(text, "where", place_of(f.first));
  put(text, "against", place_of(f.second));
  put(text, "memory", f.memory);
  put(text, "hint", f.hint);
  return text;
}

nlohmann::ordered_json as_json(const Culprit& culprit) {
  if (culprit == Culprit{}) return nullptr;
  const auto text = [](const std::string& value) {
    return value.empty() ? nlohmann::ordered_json() : nlohmann::ordered_json(value);
  };
  return {{"action", text(culprit.action)},
          {"line", text(culprit.line)},
          {"block", text(culprit.block)},
          {"thread", text(culprit.thread)}};
}

std::string as_json(const std::vector<Finding>& findings) {
  nlohmann::ordered_json document{{"schema", 1}, {"backend", "emulator"}};
  auto& list = document["findings"] = nlohmann::ordered_json::array();
  for (const Finding& f : findings) {
    list.push_back(
        {{"tool", f.tool},
         {"kind", f.kind},
         {"severity", name_of(f.severity)},
         {"title", f.title},
         {"kernel", f.kernel.empty() ? nlohmann::ordered_json() : nlohmann::ordered_json(f.kernel)},
         {"first", as_json(f.first)},
         {"second", as_json(f.second)},
         {"memory", f.memory},
         {"count", f.count},
         {"bytes", f.bytes}});
  }
  return document.dump(2) + "\n";
}

std::string summary(const std::vector<Finding>& findings) {
  const auto errors = static_cast<std::uint64_t>(
      std::count_if(findings.begin(), findings.end(),
                    [](const Finding& f) { return f.severity == Severity::error; }));
  std::string text = fmt::format("========= checked: {}, {}\n", counted(errors, "error"),
                                 counted(findings.size() - errors, "warning"));
  for (const Finding& f : findings) {
    if (f.count <= 1) continue;
    std::string place = f.first.line;
    if (!f.second.line.empty() && f.second.line != f.first.line) place += " and " + f.second.line;
    text += fmt::format("=========     {}x {} {}: {}{}\n", f.count, f.tool, name_of(f.severity),
                        f.title, place.empty() ? "" : " (" + place + ")");
  }
  return text;
}

/// Everything to be said at the end; whether there was a finding.
bool close_book() {
  const std::lock_guard lock(book().mutex);
  print_new_findings();
  if (!settings().check_report) return false;
  if (settings().check_json)
    write_report(settings().check_report_file, as_json(book().findings));
  else
    std::fputs(summary(book().findings).c_str(), stderr);
  return !book().findings.empty();
}

// The last of the exit handlers, because it is the first to be registered.
void at_exit(int status, void*) {
  if (settings().checks.leaks) find_leaks();
  std::fflush(nullptr);
  const bool found = close_book();
  std::fflush(nullptr);
  if (found && status == 0) _exit(kFound);
}

[[gnu::constructor(101)]] void register_exit_handler() {
  if (settings().checks.any() || settings().schedules > 0) set_check_report(true);
}

}  // namespace

bool count_finding(const std::string& key, std::uint64_t times, std::uint64_t bytes) {
  const std::lock_guard lock(book().mutex);
  const auto found = book().by_key.find(key);
  if (found == book().by_key.end()) return false;
  Finding& finding = book().findings[found->second];
  finding.count += times;
  finding.bytes += bytes;
  return true;
}

void add_finding(const std::string& key, Finding finding) {
  const std::lock_guard lock(book().mutex);
  const auto [known, is_new] =
      book().by_lines.try_emplace(lines_key(finding), book().findings.size());
  book().by_key[key] = known->second;
  if (is_new) {
    book().findings.push_back(std::move(finding));
  } else {
    book().findings[known->second].count += finding.count;
    book().findings[known->second].bytes += finding.bytes;
  }
}

void print_new_findings() noexcept {
  const std::lock_guard lock(book().mutex);
  if (!settings().check_report || settings().check_json) return;
  if (book().printed < book().findings.size()) std::fflush(stdout);
  for (; book().printed < book().findings.size(); ++book().printed)
    std::fputs(as_text(book().findings[book().printed]).c_str(), stderr);
}

void end_with_findings() noexcept {
  std::fflush(stdout);
  close_book();
  std::fflush(nullptr);
  _exit(kFound);
}

std::vector<Finding> take_findings() {
  const std::lock_guard lock(book().mutex);
  std::vector<Finding> findings = std::move(book().findings);
  book().findings.clear();
  book().by_key.clear();
  book().by_lines.clear();
  book().printed = 0;
  return findings;
}

void set_check_report(bool on) noexcept {
  const std::lock_guard lock(book().mutex);
  settings().check_report = on;
  if (on && !std::exchange(book().registered, true)) on_exit(at_exit, nullptr);
}

}  // namespace emu
