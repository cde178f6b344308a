#pragma once

/// @file
/// Pages of chapters that were renumbered: whoever comes to an old address is led to the new one.

#include <map>
#include <set>
#include <string>

#include "tools/site/book.hpp"

namespace site {

/// Pages at old addresses, which lead on and keep the anchor: their text by the name of the file.
/// @param pages  the names of all pages that the site has
/// @throws std::runtime_error in one line where docs/renumbered.txt names a chapter that is not
///         there, or an old address is that of a page of today
std::map<std::string, std::string> old_addresses(const Book& book,
                                                 const std::set<std::string>& pages);

}  // namespace site
