#pragma once

/// @file
/// Cuts a compiler's output down for somebody who wrote one file and knows none of the others.

#include <string>

namespace coursework {

/// Returns the errors and warnings of `output` that concern the file `source_name`, without repeats
/// at one position. An error inside a header is moved to the line of the file that included or used
/// the header. Returns the whole output if nothing concerns the file.
std::string cut_to(const std::string& source_name, const std::string& output);

}  // namespace coursework
