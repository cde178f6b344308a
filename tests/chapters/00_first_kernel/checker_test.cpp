/// Tests what the README lets the reader do with alone.cu: five mistakes with the checker's exact
/// messages, and the timing.

#include <doctest/doctest.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <vector>

#include "course/backend.hpp"
#include "tools/support/pattern.hpp"
#include "tools/support/project.hpp"
#include "tools/support/source_text.hpp"
#include "tools/support/subprocess.hpp"

namespace {

namespace fs = std::filesystem;

/// A line of the program and its replacements, without leading blanks.
struct Change {
  std::string from;
  std::vector<std::string> to;
};

/// A version of the program, described in broken.txt.
struct Version {
  std::string title;
  std::vector<Change> changes;
  std::string printed;
};

std::string trimmed(const std::string& line) {
  const std::size_t first = line.find_first_not_of(' ');
  return first == std::string::npos ? "" : line.substr(first);
}

std::vector<Version> read_versions(const fs::path& file) {
  std::vector<Version> all;
  for (const std::string& line : tools::read_lines(file)) {
    if (line.empty() || line.starts_with("#")) continue;
    if (line.starts_with("[")) {
      all.push_back({line.substr(1, line.size() - 2), {}, {}});
    } else if (line.starts_with("- ")) {
      all.back().changes.push_back({trimmed(line.substr(2)), {}});
    } else if (line.starts_with("+ ")) {
      all.back().changes.back().to.push_back(trimmed(line.substr(2)));
    } else if (line.starts_with("    ")) {
      all.back().printed += line.substr(4) + '\n';
    } else {
      throw std::runtime_error(file.string() + ": what is \"" + line + "\"?");
    }
  }
  return all;
}

/// Applies the changes to the program. Each changed line must occur exactly once.
std::string changed(const std::vector<std::string>& program, const Version& version) {
  std::string text;
  std::size_t found = 0;
  for (const std::string& line : program) {
    const auto change =
        std::ranges::find(version.changes, trimmed(line), [](const Change& c) { return c.from; });
    if (change == version.changes.end()) {
      text += line + '\n';
      continue;
    }
    ++found;
    const std::string indent = line.substr(0, line.size() - change->from.size());
    for (const std::string& replacement : change->to) text += indent + replacement + '\n';
  }
  CHECK(found == version.changes.size());
  return text;
}

/// Replaces every address in `text` by "0x...".
std::string without_addresses(const std::string& text) {
  std::string shown;
  for (std::size_t at = 0; at < text.size();) {
    const bool is_address =
        text.compare(at, 2, "0x") == 0 && std::isxdigit(static_cast<unsigned char>(text[at + 2]));
    if (!is_address) {
      shown += text[at++];
      continue;
    }
    shown += "0x...";
    for (at += 2; std::isxdigit(static_cast<unsigned char>(text[at]));) ++at;
  }
  return shown;
}

/// Compiles a program as the README says, runs it with these settings, and returns its output.
std::string printed_by(const std::string& program, const std::string& settings) {
  const tools::TemporaryFolder folder("course broken");
  folder.write("add.cu", program);
  const std::string command = "cd '" + folder.path().string() +
                              "' && '" EMULATOR_NVCC "' add.cu -o add && " + settings +
                              " ./add 2>&1";
  return tools::run_command({"sh", "-c", command}).out;
}

std::vector<std::string> alone() {
  return tools::read_lines(tools::source_folder() / "chapters/00_first_kernel/alone.cu");
}

std::vector<Version> versions_in(const std::string& file) {
  return read_versions(tools::source_folder() / "tests/chapters/00_first_kernel" / file);
}

}  // namespace

TEST_CASE("alone.cu: no mistake, and nothing to say") {
  if (!course::backend().reports_counters) return;
  CHECK(printed_by(changed(alone(), {}), "COURSE_CHECK=all") ==
        "1000000 sums, 0 wrong\n========= checked: 0 errors, 0 warnings\n");
}

TEST_CASE("each mistake is named, with its line, as the README shows it") {
  if (!course::backend().reports_counters) return;
  const auto all = versions_in("broken.txt");
  CHECK(all.size() == 5);
  for (const Version& version : all) {
    CAPTURE(version.title);
    CHECK(without_addresses(printed_by(changed(alone(), version), "COURSE_CHECK=all")) ==
          version.printed);
  }
}

TEST_CASE("who does not wait for a kernel finds memory that it has not written to") {
  if (!course::backend().reports_counters) return;
  const auto unwaited = versions_in("unwaited.txt");
  REQUIRE(unwaited.size() == 1);
  CHECK(printed_by(changed(alone(), unwaited[0]), "COURSE_CHECK=off") == unwaited[0].printed);
}

TEST_CASE("the program with events prints a time and a bandwidth") {
  if (!course::backend().reports_counters) return;
  const auto timed = versions_in("timed.txt");
  REQUIRE(timed.size() == 1);
  const std::string printed = printed_by(changed(alone(), timed[0]), "COURSE_CHECK=all");
  CAPTURE(printed);
  const tools::Pattern expected(R"([0-9.]+ ms, [0-9]+ GB/s
1000000 sums, 0 wrong
========= checked: 0 errors, 0 warnings
)");
  CHECK(expected.matches(printed));
}
