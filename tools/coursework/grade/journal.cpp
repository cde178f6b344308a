#include "tools/coursework/grade/journal.hpp"

#include <fcntl.h>
#include <unistd.h>
#include <nlohmann/json.hpp>

#include <cerrno>
#include <optional>
#include <stdexcept>
#include <system_error>

#include "tools/coursework/grade/digest.hpp"
#include "tools/coursework/grade/files.hpp"
#include "tools/support/json.hpp"
#include "tools/support/subprocess.hpp"

namespace coursework {
namespace {

namespace fs = std::filesystem;
using json = nlohmann::ordered_json;

constexpr std::size_t kDigestDigits = 16;

/// Returns an entry's line: "0123456789abcdef {...}\n".
std::string line_of(const JournalEntry& entry) {
  const Basis& basis = entry.basis;
  const json document = {{"student", entry.student},
                         {"basis",
                          {{"file", basis.file},
                           {"exercise", basis.exercise},
                           {"course", basis.course},
                           {"seed", basis.seed},
                           {"time_limit_s", basis.time_limit_s}}},
                         {"verdict", json_of(entry.verdict)}};
  const std::string text = document.dump();
  return sha256(text).substr(0, kDigestDigits) + " " + text + "\n";
}

std::optional<JournalEntry> entry_of(const std::string& line) {
  if (line.size() < kDigestDigits + 1) return std::nullopt;
  const std::string text = line.substr(kDigestDigits + 1);
  if (sha256(text).substr(0, kDigestDigits) != line.substr(0, kDigestDigits)) return std::nullopt;
  try {
    const json document = tools::parse_ordered_json(text);
    const json& basis = document.at("basis");
    return JournalEntry{document.at("student"),
                        {basis.at("file"), basis.at("exercise"), basis.at("course"),
                         basis.at("seed"), basis.at("time_limit_s")},
                        verdict_of(document.at("verdict"))};
  } catch (const std::exception&) {
    return std::nullopt;  // written by another version of this program
  }
}

std::pair<std::string, std::string> key_of(const JournalEntry& entry) {
  return {entry.student, entry.verdict.exercise};
}

}  // namespace

Entries read_journal(const fs::path& file) {
  Entries entries;
  if (!fs::exists(file)) return entries;
  for (const std::string& line : tools::lines_of(tools::read_file(file)))
    if (auto entry = entry_of(line)) entries.insert_or_assign(key_of(*entry), std::move(*entry));
  return entries;
}

Journal::Journal(fs::path file) : file_(std::move(file)), entries_(read_journal(file_)) {
  descriptor_ = open(file_.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0600);
  if (descriptor_ < 0) fail_to_write(file_);
  const std::string text = tools::read_file(file_);
  const std::size_t end = text.rfind('\n') + 1;  // 0 if there is no newline
  if (end != text.size() && ftruncate(descriptor_, static_cast<off_t>(end)) != 0)
    fail_to_write(file_);
}

Journal::~Journal() {
  if (descriptor_ >= 0) close(descriptor_);
}

void Journal::add(const JournalEntry& entry) {
  const std::string line = line_of(entry);
  if (write(descriptor_, line.data(), line.size()) != static_cast<ssize_t>(line.size()) ||
      fdatasync(descriptor_) != 0)
    fail_to_write(file_);
  entries_.insert_or_assign(key_of(entry), entry);
}

void Journal::tidy(const Entries& wanted) {
  std::string text;
  for (const auto& [key, entry] : wanted) text += line_of(entry);
  write_durably(file_, text, 0600);
  close(descriptor_);
  descriptor_ = open(file_.c_str(), O_RDWR | O_APPEND | O_CLOEXEC | O_NOFOLLOW);
  if (descriptor_ < 0) fail_to_write(file_);
  entries_ = wanted;
}

}  // namespace coursework
