#include "course/report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstring>

#include "course/error.hpp"

namespace course {
namespace {

constexpr double kGiga = 1e9;
constexpr double kMillisecondsPerSecond = 1e3;

/// Returns the double that reads like the float: 0.1f becomes 0.1, not 0.10000000149.
double as_written(float value) {
  std::array<char, 32> text{};
  const auto written = std::to_chars(text.data(), text.data() + text.size(), value);
  double result = value;
  if (std::isfinite(value)) std::from_chars(text.data(), written.ptr, result);
  return result;
}

std::optional<double> per_second(double amount, const std::optional<TimeSummary>& time) {
  if (!time || amount <= 0.0 || time->median_ms <= 0.0) return std::nullopt;
  return amount / kGiga / (time->median_ms / kMillisecondsPerSecond);
}

[[noreturn]] void refuse_to_write(const std::string& shown, int error) {
  throw UsageError(fmt::format("cannot write to {}: {}", shown, std::strerror(error)));
}

}  // namespace

ParameterValue::ParameterValue(float value) : value_(as_written(value)) {}

ParameterValue::ParameterValue(const ParameterValue& other) = default;

std::optional<double> RunRecord::gb_per_s() const { return per_second(work.bytes(), time); }

std::optional<double> RunRecord::gflop_per_s() const { return per_second(work.flops, time); }

std::optional<double> RunRecord::flops_per_byte() const {
  const bool is_known = time && work.level == MemoryLevel::dram;
  if (!is_known || work.flops <= 0.0 || work.bytes() <= 0.0) return std::nullopt;
  return work.flops / work.bytes();
}

bool RunRecord::has_failed() const {
  const bool is_excused = known_wrong || !skipped.empty();
  return !verified && !(is_excused && failure.empty());
}

bool Report::all_verified() const {
  return std::ranges::all_of(sections, [](const Section& section) {
    return std::ranges::none_of(section.runs, &RunRecord::has_failed);
  });
}

void write_text(const std::string& path, std::string_view text) {
  const bool to_stdout = path == "-";
  const std::string shown = to_stdout ? "standard output" : path;
  std::FILE* file = to_stdout ? stdout : std::fopen(path.c_str(), "wb");
  if (file == nullptr) refuse_to_write(shown, errno);
  errno = 0;
  bool is_written = std::fwrite(text.data(), 1, text.size(), file) == text.size();
  is_written = std::fflush(file) == 0 && is_written;
  const int error = errno;
  if (!to_stdout) is_written = std::fclose(file) == 0 && is_written;
  if (!is_written) refuse_to_write(shown, error != 0 ? error : errno);
}

void check_writable(const std::string& path) {
  std::FILE* file = std::fopen(path.c_str(), "ab");
  if (file == nullptr) refuse_to_write(path, errno);
  std::fclose(file);
}

}  // namespace course
