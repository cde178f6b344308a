#pragma once

/// @file
/// The kinds of pictures: each turns measurements into what gnuplot's scripts need.
///
/// A picture is one object of docs/plots/plots.json. Besides its kind, name, script, title,
/// description and conditions it has what its kind asks for, which is listed below.

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "tools/plot/measured.hpp"

namespace plot {

/// What a picture adds to the scripts, its height in pixels among it: gnuplot's text, or nothing
/// where measurements are missing.
using Data = std::optional<std::string>;

/// A kernel's GB/s over a parameter, and what it moves meanwhile in whole sectors, as counted.
/// Needs chapter, kernel, x (a parameter), size (the parameter that counts elements), height.
Data use_and_movement(const nlohmann::json& picture, const Measured& measured);

/// GB/s as bars, in groups of one for each kernel. Needs chapter, kernels, x (the groups'
/// parameter), height; note: words below a group, `then` if x is a multiple, `else` if not.
Data bars(const nlohmann::json& picture, const Measured& measured);

/// GB/s over a parameter, a curve for each kernel. Needs chapter, kernels, x, height.
Data curves(const nlohmann::json& picture, const Measured& measured);

/// A bar of GFLOP/s for each of a chapter's kernels that multiply square matrices of one size, the
/// yardstick last. Needs chapter, yardstick (a kernel); only: of these kernels; ceiling:
/// gflop_per_s and its label, where it is not that of FP32 arithmetic.
Data ladder(const nlohmann::json& picture, const Measured& measured);

/// GFLOP/s over the size of square matrices: the fastest kernels of each chapter, as many as it has
/// colours, and the yardstick. Needs whole_tiles (sizes that are not multiples are left out),
/// yardstick, colours (of style.gp, for each chapter and the yardstick), height; only: of these.
Data sizes(const nlohmann::json& picture, const Measured& measured);

/// The error of results over a parameter, a curve for each step of a kernel that compares them;
/// both axes logarithmic. Needs chapter, kernel, x, labels (a step's words), height.
Data errors(const nlohmann::json& picture, const Measured& measured);

/// Every kernel that computes with floats: operations per byte against operations per second. Needs
/// leave_out: beginnings of names, or of chapters with /.
Data roofline(const nlohmann::json& picture, const Measured& measured);

// What several kinds are made with.

/// A text as gnuplot reads it between double quotes.
std::string in_quotes(const std::string& text);

/// A block of data, a row a line.
std::string block(const std::string& name, const std::vector<std::string>& rows);

/// Moves numbers apart, as little as it takes, so that neighbours are `distance` from each other;
/// the order stays.
void spread(std::vector<double>* places, double distance);

}  // namespace plot
