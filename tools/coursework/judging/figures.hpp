#pragma once

/// @file
/// Figures as a verdict shows them, and which of several trials shows them best.

#include <cstddef>
#include <string>
#include <vector>

namespace coursework {

/// Figures that are equal but for the rounding of the expressions that they come from.
inline constexpr double kFigureRounding = 1e-9;

/// Whether two figures are equal but for rounding.
bool is_same_figure(double a, double b);

/// Whether a figure is a whole number but for rounding.
bool is_whole(double value);

/// The figure in digits, never with an exponent: a whole number in full, any other with two places
/// or as many as tell it from `other`, which stands beside it; "no" where it is none.
std::string figure(double value, double other);

/// The figure with its unit: "33 sectors per row", "1 wrong answer".
///
/// @param unit  begins with what is counted, in the plural
std::string figure_with_unit(const std::string& figure, const std::string& unit);

/// What one trial comes to, for a requirement that is measured.
struct MeasuredTrial {
  double value = 0;
  double bound = 0;  ///< the one that is shown
  bool holds = false;
  bool has_clue = false;  ///< there is advice on just this value
  bool drawn = false;     ///< by the grader
};

/// The trial that a verdict is best explained by. One that fails comes before all that hold. Among
/// those, round figures come before others: the text of an exercise names them. After that, a clue
/// decides, and then whether everybody may see the sizes. Of those that are still alike, it is the
/// first that fails, or the last that holds, which is the largest as a rule.
///
/// @pre there is at least one trial
std::size_t clearest_trial(const std::vector<MeasuredTrial>& trials);

}  // namespace coursework
