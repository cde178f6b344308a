#include "tools/coursework/grade/grader.hpp"

#include <sys/resource.h>

#include <algorithm>
#include <cctype>

#include "tools/coursework/grade/digest.hpp"
#include "tools/coursework/grade/limits.hpp"
#include "tools/coursework/grade/names.hpp"
#include "tools/coursework/grade/scratch.hpp"
#include "tools/support/pattern.hpp"
#include "tools/support/project.hpp"

namespace coursework {
namespace {

namespace fs = std::filesystem;
using std::chrono::steady_clock;

double seconds_since(steady_clock::time_point begin) {
  return std::chrono::duration<double>(steady_clock::now() - begin).count();
}

/// Returns the peak memory of this process and its children so far.
double peak_mib() {
  constexpr double kKibInMib = 1024;
  long most = 0;
  for (const int who : {RUSAGE_SELF, RUSAGE_CHILDREN}) {
    rusage usage{};
    getrusage(who, &usage);
    most = std::max(most, usage.ru_maxrss);
  }
  return static_cast<double>(most) / kKibInMib;
}

void remove_all_of(std::string& text, const std::string& part) {
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at))
    text.erase(at, part.size());
}

/// Removes addresses, which differ from one start of a program to the next.
std::string without_addresses(const std::string& text) {
  static const tools::Pattern kAddress(",? ?\\b0x[0-9a-fA-F]{6,16}\\b");
  return kAddress.replace(text, "");
}

/// Returns a compiler's or runner's text without this machine's paths, valid in JSON, and short.
std::string neutral(std::string text, const fs::path& scratch) {
  constexpr std::size_t kMostBytes = 8 << 10;
  for (const fs::path& one : {scratch, tools::source_folder(), fs::path(COURSE_PROGRAM_FOLDER)})
    remove_all_of(text, one.string() + "/");
  std::string result;
  std::size_t begin = 0;
  while (begin < text.size() && result.size() < kMostBytes) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    result += printable(text.substr(begin, end - begin));
    if (end < text.size()) result += '\n';
    begin = end + 1;
  }
  if (begin < text.size()) result += "... (more of it is left out)\n";
  return result;
}

void make_neutral(Verdict& verdict, const fs::path& scratch) {
  verdict.message = without_addresses(neutral(verdict.message, scratch));
  verdict.compiler_output = neutral(verdict.compiler_output, scratch);
  for (RequirementVerdict& one : verdict.requirements) {
    one.found = without_addresses(neutral(one.found, scratch));
    one.advice = without_addresses(neutral(one.advice, scratch));
  }
}

/// Rewords reports that depend on this machine's clock, so that they are the same on any machine.
std::string message_for(const DeviceLost& lost, std::chrono::seconds time_limit) {
  std::string text = kernel_limit_message(lost.why(), time_limit);
  if (text.empty()) text = lost.what();
  text[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(text[0])));
  return text;
}

}  // namespace

std::uint64_t seed_of(const Exercise& exercise, std::uint64_t seed) {
  const std::string digest = sha256("trials of " + exercise.id + " " + std::to_string(seed));
  return std::stoull(digest.substr(0, 16), nullptr, 16);
}

Graded grade_file(const Exercise& exercise, const fs::path& file, const fs::path& scratch,
                  Workshop& workshop, const GradeOptions& options) {
  Graded graded;
  const fs::path source = scratch / exercise.file_name();
  const fs::path folder = scratch / "made";
  make_passable(folder);
  fs::copy_file(file, source);

  auto begin = steady_clock::now();
  const Prepared prepared = workshop.prepare(exercise, source, folder);
  graded.cost.compile_s = seconds_since(begin);

  begin = steady_clock::now();
  if (prepared.outcome == Outcome::points) {
    JudgeOptions judging;
    judging.seed = seed_of(exercise, options.seed);
    judging.draw = true;
    // The CPU limit counts, and the program's keeper watches it. This wall-clock limit is for a
    // program that sleeps; it must not strike because the machine is busy.
    const std::chrono::seconds time_limit(options.time_limit_s);
    judging.time_limit = time_limit * kPatience;
    judging.stop_message = [&](const DeviceLost& lost) { return message_for(lost, time_limit); };
    graded.verdict = judge(exercise, prepared.start, judging);
    if (graded.verdict.outcome != Outcome::points) graded.verdict.message += ".";
    if (graded.verdict.outcome == Outcome::time_limit)
      graded.verdict.message += " `./course check` names a line of a kernel that does not end.";
  } else {
    graded.verdict = verdict_without_trials(exercise, prepared.outcome, prepared.message);
  }
  graded.cost.judge_s = seconds_since(begin);
  graded.cost.peak_mib = peak_mib();
  graded.verdict.compiler_output = prepared.compiler_output;
  make_neutral(graded.verdict, scratch);
  return graded;
}

}  // namespace coursework
