#pragma once

/// @file
/// Formats figures for a verdict, and chooses the trial that explains the verdict best.

#include <cstddef>
#include <string>
#include <vector>

namespace coursework {

/// Relative difference below which two figures count as equal: their expressions round.
inline constexpr double kFigureRounding = 1e-9;

/// Returns whether two figures are equal except for rounding.
bool is_same_figure(double a, double b);

/// Returns whether a figure is a whole number except for rounding.
bool is_whole(double value);

/// Returns the figure in digits, without an exponent. A whole number is written in full. Any other
/// number gets two decimals, or as many as distinguish it from `other`, which is shown beside it.
/// "no" stands for NaN or infinity.
std::string figure(double value, double other);

/// Returns the figure with its unit: "33 sectors per row", "1 wrong answer".
///
/// @param unit  begins with the counted noun in the plural
std::string figure_with_unit(const std::string& figure, const std::string& unit);

/// One trial's result for a measured requirement.
struct MeasuredTrial {
  double value = 0;
  double bound = 0;  ///< the bound to show
  bool holds = false;
  bool has_clue = false;  ///< there is advice for exactly this value
  bool drawn = false;     ///< the grader drew the case
};

/// Returns the trial that explains a verdict best. Failing trials come before passing ones. Among
/// those, round figures come first, because the exercise's text names them; then trials with a
/// clue, then trials whose sizes everybody may see. If several are left, the result is the first
/// that fails or the last that passes, which is usually the largest.
///
/// @pre there is at least one trial
std::size_t clearest_trial(const std::vector<MeasuredTrial>& trials);

}  // namespace coursework
