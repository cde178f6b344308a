#pragma once

/// @file
/// SHA-256, as `sha256sum` prints it.

#include <string>
#include <string_view>
#include <vector>

namespace coursework {

/// 64 hexadecimal digits.
std::string sha256(std::string_view bytes);

/// One digest for several texts; it knows where each of them ends.
std::string sha256_of_all(const std::vector<std::string>& texts);

}  // namespace coursework
