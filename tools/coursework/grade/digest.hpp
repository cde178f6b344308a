#pragma once

/// @file
/// SHA-256 digests, as `sha256sum` prints them.

#include <string>
#include <string_view>
#include <vector>

namespace coursework {

/// Returns 64 hexadecimal digits.
std::string sha256(std::string_view bytes);

/// Returns one digest of several texts, which depends on where each of them ends.
std::string sha256_of_all(const std::vector<std::string>& texts);

}  // namespace coursework
