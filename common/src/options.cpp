#include "course/options.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <concepts>
#include <type_traits>

#include "course/error.hpp"

namespace course {
template <class T>
std::string describe_range(const Range<T>& range) {
  const bool has_min = std::is_integral_v<T> || range.min != std::numeric_limits<T>::lowest();
  const bool has_max = std::is_integral_v<T> || range.max != std::numeric_limits<T>::max();
  if (has_min && has_max) return fmt::format(" from {} to {}", range.min, range.max);
  if (has_min) return fmt::format(" of at least {}", range.min);
  if (has_max) return fmt::format(" of at most {}", range.max);
  return "";
}

template <class T>
T parse_number(std::string_view name, std::string_view text, Range<T> range) {
  T value{};
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  bool is_good = error == std::errc() && stop == end;
  if constexpr (std::floating_point<T>) is_good = is_good && std::isfinite(value);
  if (is_good && range.min <= value && value <= range.max) return value;
  const char* kind = std::is_integral_v<T> ? "whole number" : "number";
  throw UsageError(
      fmt::format("{} takes a {}{}, not '{}'", name, kind, describe_range(range), text));
}

template <class T>
std::vector<T> parse_numbers(std::string_view name, std::string_view text, Range<T> range) {
  std::vector<T> values;
  std::size_t begin = 0;
  while (true) {
    const std::size_t comma = text.find(',', begin);
    values.push_back(parse_number<T>(name, text.substr(begin, comma - begin), range));
    if (comma == std::string_view::npos) return values;
    begin = comma + 1;
  }
}

template std::string describe_range(const Range<int>&);
template std::string describe_range(const Range<std::int64_t>&);
template std::string describe_range(const Range<std::uint64_t>&);
template std::string describe_range(const Range<float>&);
template std::string describe_range(const Range<double>&);
template int parse_number(std::string_view, std::string_view, Range<int>);
template std::int64_t parse_number(std::string_view, std::string_view, Range<std::int64_t>);
template std::uint64_t parse_number(std::string_view, std::string_view, Range<std::uint64_t>);
template float parse_number(std::string_view, std::string_view, Range<float>);
template double parse_number(std::string_view, std::string_view, Range<double>);
template std::vector<int> parse_numbers(std::string_view, std::string_view, Range<int>);
template std::vector<std::int64_t> parse_numbers(std::string_view, std::string_view,
                                                 Range<std::int64_t>);
template std::vector<float> parse_numbers(std::string_view, std::string_view, Range<float>);
template std::vector<double> parse_numbers(std::string_view, std::string_view, Range<double>);

}  // namespace course
