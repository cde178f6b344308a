#include "tools/prose/number.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace prose {

ShownNumber read_number(std::string_view text) {
  std::string digits(text);
  std::erase(digits, ',');
  ShownNumber shown;
  std::size_t read = 0;
  shown.value = std::stod(digits, &read);
  const std::size_t point = digits.find('.');
  if (point != std::string::npos) shown.decimals = static_cast<int>(read - point - 1);
  return shown;
}

std::string show_number(double value, int decimals) {
  std::string text = fmt::format("{:.{}f}", value, decimals);
  const std::size_t point = std::min(text.find('.'), text.size());
  const std::size_t first = text.starts_with("-") ? 1 : 0;
  for (std::size_t at = point; at > first + 3; at -= 3) text.insert(at - 3, ",");
  return text;
}

bool is_rounded(const ShownNumber& shown, double value) {
  const double half_a_digit = 0.5 * std::pow(10.0, -shown.decimals);
  return std::abs(shown.value - value) <= half_a_digit * (1 + 1e-9);
}

int decimals_for(double value, int digits) {
  if (value == 0) return digits - 1;
  const int whole_digits = static_cast<int>(std::floor(std::log10(std::abs(value)))) + 1;
  return std::max(0, digits - std::max(whole_digits, 1));
}

int default_decimals(double value) {
  return value == std::round(value) ? 0 : decimals_for(value, 3);
}

}  // namespace prose
