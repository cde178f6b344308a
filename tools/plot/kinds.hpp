#pragma once

/// @file
/// The kinds of pictures: each turns measurements into input for gnuplot's scripts.
///
/// A picture is an object of docs/plots/plots.json. Each has kind, name, script, title, description
/// and conditions; each kind needs further fields, which are listed below.

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "tools/plot/measured.hpp"

namespace plot {

/// Text for gnuplot that a picture adds to the scripts, including its height in pixels; nothing if
/// measurements are missing.
using Data = std::optional<std::string>;

/// A kernel's GB/s over a parameter, and the counted bytes that it moves in whole sectors. Needs
/// chapter, kernel, x (a parameter), size (the parameter that counts elements), height.
Data use_and_movement(const nlohmann::json& picture, const Measured& measured);

/// GB/s as groups of bars, a bar for each kernel. Needs chapter, kernels, x (the groups'
/// parameter), height. Optional note: words below a group, `then` if x is a multiple, otherwise
/// `else`.
Data bars(const nlohmann::json& picture, const Measured& measured);

/// GB/s over a parameter, a curve for each kernel. Needs chapter, kernels, x, height.
Data curves(const nlohmann::json& picture, const Measured& measured);

/// A bar of GFLOP/s for each kernel of a chapter that multiplies square matrices of one size; the
/// yardstick is last. Needs chapter, yardstick (a kernel). Optional: only (a list of kernels), and
/// ceiling (gflop_per_s and a label) unless the ceiling is FP32 arithmetic.
Data ladder(const nlohmann::json& picture, const Measured& measured);

/// GFLOP/s over the size of square matrices: the fastest kernels of each chapter, as many as there
/// are colours, and the yardstick. Needs whole_tiles (only multiples of this size are shown),
/// yardstick, colours (of style.gp, for each chapter and the yardstick), height. Optional: only (a
/// list of kernels).
Data sizes(const nlohmann::json& picture, const Measured& measured);

/// The error of results over a parameter, a curve for each step of a kernel that compares steps;
/// both axes are logarithmic. Needs chapter, kernel, x, labels (names of the steps), height.
Data errors(const nlohmann::json& picture, const Measured& measured);

/// Operations per byte against operations per second, for every kernel that computes with floats.
/// Needs leave_out: prefixes of kernel names, or of chapters followed by /.
Data roofline(const nlohmann::json& picture, const Measured& measured);

// Helpers shared by several kinds.

/// Returns a text in double quotes for gnuplot.
std::string in_quotes(const std::string& text);

/// Returns a data block, one line for each row.
std::string block(const std::string& name, const std::vector<std::string>& rows);

/// Moves numbers apart as little as possible, so that neighbours are at least `distance` apart;
/// keeps their order.
void spread(std::vector<double>* places, double distance);

}  // namespace plot
