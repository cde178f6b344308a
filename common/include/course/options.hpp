#pragma once

/// @file
/// Numbers from the command line, checked or refused in one line.

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

namespace course {

/// The values that an option takes, both ends included.
template <class T>
struct Range {
  T min = std::numeric_limits<T>::lowest();
  T max = std::numeric_limits<T>::max();
};

/// Returns the range in words: " from 0 to 1024", " of at least 0", " of at most 1"; empty for an
/// unlimited real number.
template <class T>
std::string describe_range(const Range<T>& range);

/// Reads one number; `name` is the option it was given to, for example "--n".
///
/// For int, std::int64_t, std::uint64_t, float and double. Signs of plus, spaces, other bases,
/// "inf" and "nan" are not numbers here.
/// @throws UsageError, naming the option, the text and the range, for anything that is not a number
///   in the range
template <class T>
T parse_number(std::string_view name, std::string_view text, Range<T> range = {});

/// Reads one or more numbers with commas between them.
template <class T>
std::vector<T> parse_numbers(std::string_view name, std::string_view text, Range<T> range = {});

}  // namespace course
