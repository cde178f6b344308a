#include "tools/coursework/grade/run_log.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <ctime>
#include <sstream>

#include "tools/coursework/grade/names.hpp"

namespace coursework {
namespace {

std::string now() {
  const std::time_t time = std::time(nullptr);
  std::array<char, 32> text{};
  std::tm parts{};
  gmtime_r(&time, &parts);
  std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%SZ", &parts);
  return text.data();
}

}  // namespace

RunLog::RunLog(const std::filesystem::path& file) : stream_(file, std::ios::app) {}

void RunLog::begin(int jobs, std::size_t submissions) {
  stream_ << now() << " begin: " << submissions << " submissions, " << jobs << " at a time"
          << std::endl;
}

void RunLog::graded(const std::string& student, const std::string& exercise, const Cost& cost) {
  char numbers[96];
  std::snprintf(numbers, sizeof numbers, "compile %.3f s, judge %.3f s, peak %.1f MiB",
                cost.compile_s, cost.judge_s, cost.peak_mib);
  stream_ << now() << " graded " << student << ' ' << exercise << ": " << numbers << std::endl;
}

void RunLog::fault(const std::string& student, const std::string& exercise,
                   const std::string& why) {
  stream_ << now() << " grader fault " << student << ' ' << exercise << ": " << printable(why)
          << std::endl;
}

void RunLog::end(std::size_t submissions) {
  stream_ << now() << " end: " << submissions << " submissions" << std::endl;
}

std::optional<MeasuredCost> read_costs(const std::filesystem::path& file) {
  std::ifstream stream(file);
  MeasuredCost sum;
  for (std::string line; std::getline(stream, line);) {
    const std::size_t at = line.rfind(": compile ");
    Cost one;
    if (at == std::string::npos ||
        std::sscanf(line.c_str() + at, ": compile %lf s, judge %lf s, peak %lf MiB", &one.compile_s,
                    &one.judge_s, &one.peak_mib) != 3)
      continue;
    ++sum.submissions;
    sum.mean.compile_s += one.compile_s;
    sum.mean.judge_s += one.judge_s;
    sum.mean.peak_mib = std::max(sum.mean.peak_mib, one.peak_mib);
  }
  if (sum.submissions == 0) return std::nullopt;
  sum.mean.compile_s /= static_cast<double>(sum.submissions);
  sum.mean.judge_s /= static_cast<double>(sum.submissions);
  return sum;
}

}  // namespace coursework
