#pragma once

/// @file
/// Finds short asides in a text: wide screens show them in the margin.

#include <string>

namespace site {

/// Marks the asides of a page: a paragraph's last sentence or the short paragraph behind it, if
/// that stands in brackets.
///
///     <p class="noted"><span>The text.</span> <span class="aside">(The aside.)</span></p>
std::string with_asides(const std::string& html);

}  // namespace site
