#pragma once

/// @file
/// Numbers as they appear in prose: "8,396,800", "82.53".

#include <string>
#include <string_view>

namespace prose {

/// A number as it appears in a text.
struct ShownNumber {
  double value = 0.0;
  int decimals = 0;
};

ShownNumber read_number(std::string_view text);
std::string show_number(double value, int decimals);

/// Returns whether `shown` equals `value` rounded to the decimals that `shown` has.
bool is_rounded(const ShownNumber& shown, double value);

/// Returns the decimals that give a value `digits` digits; 0 if it has as many before the point.
int decimals_for(double value, int digits);

/// Returns the decimals for a new figure: none for a whole number, otherwise three digits in all.
int default_decimals(double value);

}  // namespace prose
