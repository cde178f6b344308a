#pragma once

/// @file
/// Redirects old addresses of renumbered chapters.

#include <map>
#include <set>
#include <string>

#include "tools/site/book.hpp"

namespace site {

/// Returns pages for old addresses, by file name. They redirect to the new page and keep the
/// anchor.
/// @param pages  the names of all pages of the site
/// @throws std::runtime_error if docs/renumbered.txt names a missing chapter, or if an old address
///         is also that of a current page
std::map<std::string, std::string> old_addresses(const Book& book,
                                                 const std::set<std::string>& pages);

}  // namespace site
