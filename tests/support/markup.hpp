/// Is this markup well formed? A page that is can be read by any XML parser.

#pragma once

#include <string>

namespace test_support {

/// What is wrong with `text`, in one line that begins with where; empty if it is well formed XML,
/// knows no entities but XML's own, and has each id once. libxml2's xmllint reads it.
/// @throws std::runtime_error if there is no xmllint
std::string markup_fault(const std::string& text);

}  // namespace test_support
