#pragma once

/// @file
/// Tells in words where a figure comes from, for a popover.

#include <string>
#include <vector>

#include "tools/prose/figures.hpp"
#include "tools/prose/measurements.hpp"

namespace site {

/// Returns what a popover says of a figure, line by line: how it is worked out, from which measured
/// values, and on what and when each of them was measured.
///
///     a / b
///     a: time of naive at m 4096: 275.737 ms
///     b: time of even_shares at m 4096: 2.58968 ms
///     Measured on an NVIDIA H200 with CUDA 13.0, 2026-11-26.
///
/// @param figures  the file that defines the figure
/// @throws std::runtime_error if a run or its source is missing
std::vector<std::string> figure_words(const prose::Figure& figure, const prose::Figures& figures,
                                      const prose::Measurements& measurements);

/// Returns a number with up to six digits, all of them if it is whole, and with commas.
std::string number_words(double value);

}  // namespace site
