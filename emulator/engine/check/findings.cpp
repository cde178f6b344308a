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
#include "engine/check/hazards.hpp"
#include "engine/report/findings_printer.hpp"
#include "engine/report/report_file.hpp"
#include "engine/report/report_formats.hpp"
#include "engine/settings.hpp"

namespace emu {

namespace {

constexpr int kFound = 1;

/// Returns the key that equal findings share, which are reported once. Runtime calls on one line
/// may be different calls, fail for different reasons, or allocate different sizes.
std::string lines_key(const Finding& f) {
  std::string more;
  if (f.first.line.empty())
    more = f.title + f.memory;
  else if (is_of(Hazard::failed_call, f) || is_of(Hazard::leak, f))
    more = f.first.action + f.title + f.hint;
  return fmt::format("{}|{}|{}|{}|{}|{}|{}", f.tool, f.kind, name_of(f.severity), f.kernel,
                     f.first.line, f.second.line, more);
}

/// Findings, indexed by their keys.
struct Collection {
  std::vector<Finding> findings;
  std::unordered_map<std::string, std::size_t> by_key;    // several keys may lead to one finding
  std::unordered_map<std::string, std::size_t> by_lines;  // by kind, kernel and lines

  bool count(const std::string& key, std::uint64_t times, std::uint64_t bytes) {
    const auto found = by_key.find(key);
    if (found == by_key.end()) return false;
    Finding& finding = findings[found->second];
    finding.count += times;
    finding.bytes += bytes;
    return true;
  }
  /// Adds a finding, or counts it with an equal one.
  /// @return whether there was none of the same kind, kernel and lines
  bool add(const std::string& key, Finding finding) {
    const auto [known, is_new] = by_lines.try_emplace(lines_key(finding), findings.size());
    by_key[key] = known->second;
    if (is_new) {
      findings.push_back(std::move(finding));
    } else {
      findings[known->second].count += finding.count;
      findings[known->second].bytes += finding.bytes;
    }
    return is_new;
  }
  void clear() {
    findings.clear();
    by_key.clear();
    by_lines.clear();
  }
};

thread_local FindingsDraft* draft = nullptr;

struct Book : Collection {
  // Recursive, because a fault may be reported while another report is made.
  std::recursive_mutex mutex;
  std::unique_ptr<FindingsPrinter> printer = settings().check_format->make();
  std::size_t printed = 0;
  bool registered = false;
};

Book& book() {
  static Book& book = *new Book;
  return book;
}

/// Prints all remaining reports at exit. Returns whether there was a finding.
bool close_book() {
  const std::lock_guard lock(book().mutex);
  print_new_findings();
  if (!settings().check_report) return false;
  write_report(settings().check_report_file, book().printer->at_end(book().findings));
  return !book().findings.empty();
}

// Runs as the last of the exit handlers, because it is registered first.
void at_exit(int status, void*) {
  if (status == 0) find_leaks();  // a program that fails leaves its memory to the system
  std::fflush(nullptr);
  const bool found = close_book();
  std::fflush(nullptr);
  if (found && status == 0) _exit(kFound);
}

[[gnu::constructor(101)]] void report_findings_at_exit() {
  if (settings().checks.any() || settings().schedules > 0) set_check_report(true);
}

}  // namespace

const char* name_of(Severity severity) { return severity == Severity::error ? "error" : "warning"; }

struct FindingsDraft::Entries : Collection {
  std::vector<std::uint64_t> units;  // [finding], the unit that found it first
};

FindingsDraft::FindingsDraft() : entries_(std::make_unique<Entries>()) {}
FindingsDraft::~FindingsDraft() = default;

void FindingsDraft::use(FindingsDraft* its) noexcept { draft = its; }

bool FindingsDraft::is_empty() const { return entries_->findings.empty(); }

void FindingsDraft::clear() {
  entries_->clear();
  entries_->units.clear();
}

void FindingsDraft::publish(const std::vector<FindingsDraft*>& drafts) {
  struct Entry {
    std::uint64_t unit;
    Entries* entries;
    std::size_t index;
  };
  std::vector<Entry> order;
  for (FindingsDraft* const one : drafts)
    for (std::size_t i = 0; i < one->entries_->findings.size(); ++i)
      order.push_back({one->entries_->units[i], one->entries_.get(), i});
  std::stable_sort(order.begin(), order.end(),
                   [](const Entry& a, const Entry& b) { return a.unit < b.unit; });
  const std::lock_guard lock(book().mutex);
  for (const Entry& found : order) {
    const Finding& finding = found.entries->findings[found.index];
    bool is_counted = false;
    for (const auto& [key, index] : found.entries->by_key) {
      if (index != found.index) continue;
      if (std::exchange(is_counted, true))
        book().by_key.try_emplace(key, book().by_lines.at(lines_key(finding)));
      else if (!book().count(key, finding.count, finding.bytes))
        book().add(key, finding);
    }
  }
  for (FindingsDraft* const one : drafts) one->clear();
}

bool count_finding(const std::string& key, std::uint64_t times, std::uint64_t bytes) {
  if (draft) return draft->entries_->count(key, times, bytes);
  const std::lock_guard lock(book().mutex);
  return book().count(key, times, bytes);
}

void add_finding(const std::string& key, Finding finding) {
  if (draft) {
    if (draft->entries_->add(key, std::move(finding)))
      draft->entries_->units.push_back(draft->unit);
    return;
  }
  const std::lock_guard lock(book().mutex);
  book().add(key, std::move(finding));
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
  book().clear();
  book().printed = 0;
  return findings;
}

void set_check_report(bool on) noexcept {
  const std::lock_guard lock(book().mutex);
  settings().check_report = on;
  if (on && !std::exchange(book().registered, true)) on_exit(at_exit, nullptr);
}

}  // namespace emu
