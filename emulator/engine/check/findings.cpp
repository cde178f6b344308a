#include "engine/check/findings.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <utility>

#include "engine/check/check_leaks.hpp"
#include "engine/report/findings_printer.hpp"
#include "engine/report/report_file.hpp"
#include "engine/report/report_formats.hpp"
#include "engine/settings.hpp"

namespace emu {

namespace {

constexpr int kFound = 1;

struct Book {
  std::recursive_mutex mutex;  // the report of a fault may interrupt another
  std::vector<Finding> findings;
  std::unordered_map<std::string, std::size_t> by_key;    // several keys may lead to one finding
  std::unordered_map<std::string, std::size_t> by_lines;  // kind, kernel and lines
  std::unique_ptr<FindingsPrinter> printer = settings().check_format->make();
  std::size_t printed = 0;
  bool registered = false;
};

Book& book() {
  static Book& book = *new Book;
  return book;
}

std::string lines_key(const Finding& f) {
  return fmt::format("{}|{}|{}|{}|{}|{}|{}", f.tool, f.kind, name_of(f.severity), f.kernel,
                     f.first.line, f.second.line,
                     f.first.line.empty() ? f.title + f.memory : std::string());
}

/// Everything to be said at the end; whether there was a finding.
bool close_book() {
  const std::lock_guard lock(book().mutex);
  print_new_findings();
  if (!settings().check_report) return false;
  write_report(settings().check_report_file, book().printer->at_end(book().findings));
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

const char* name_of(Severity severity) { return severity == Severity::error ? "error" : "warning"; }

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
  if (!settings().check_report) return;
  for (; book().printed < book().findings.size(); ++book().printed) {
    const std::string text = book().printer->as_found(book().findings[book().printed]);
    if (text.empty()) continue;
    std::fflush(stdout);
    std::fputs(text.c_str(), stderr);
  }
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
