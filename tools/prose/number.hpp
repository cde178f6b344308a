#pragma once

/// @file
/// Numbers as prose shows them: "8,396,800", "82.53".

#include <string>
#include <string_view>

namespace prose {

/// A number as it is shown.
struct ShownNumber {
  double value = 0.0;
  int decimals = 0;
};

ShownNumber read_number(std::string_view text);
std::string show_number(double value, int decimals);

/// Whether `shown` is `value` rounded to the decimals that it has.
bool is_rounded(const ShownNumber& shown, double value);

/// Decimals with which a value shows so many digits, if it has no more before the point.
int decimals_for(double value, int digits);

/// Decimals for a value that has not been shown before: none for a whole number, else three digits.
int default_decimals(double value);

}  // namespace prose
