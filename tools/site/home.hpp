#pragma once

/// @file
/// The first screen of the site.

#include <string>

#include "tools/site/book.hpp"

namespace site {

/// What the course is, in one sentence.
inline constexpr const char* kPromise =
    "Learn to make CUDA kernels fast, one idea at a time, on any Linux machine: you need no GPU.";

/// Returns the bars that stand for a plot of the home page; nothing for any plot that is not a
/// ladder of docs/plots/plots.json, or whose speeds were not measured.
///
/// @param plot  the name of the plot
/// @param description  its text alternative, as HTML
std::string ladder_of_home(const Book& book, const std::string& plot,
                           const std::string& description);

/// Returns the beginning of the home page: the promise, where to begin, the ladder and what speaks
/// for the course.
std::string beginning_of_home(const Book& book, const std::string& ladder);

}  // namespace site
