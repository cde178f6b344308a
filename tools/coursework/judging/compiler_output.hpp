#pragma once

/// @file
/// What a compiler says, for somebody who has written one file and knows none of the others.

#include <string>

namespace coursework {

/// The errors and warnings of `output` that concern the file called `source_name`, without those
/// that only repeat one at the same place. An error inside a header becomes one at the line of the
/// file that led there. All of it if nothing concerns that file.
std::string cut_to(const std::string& source_name, const std::string& output);

}  // namespace coursework
