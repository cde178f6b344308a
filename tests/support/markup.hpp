/// Checks that markup is well formed, so that any XML parser can read the page.

#pragma once

#include <string>

namespace test_support {

/// Returns the first fault of `text` in one line that begins with its position. Empty if the text
/// is well-formed XML, uses no entities but XML's own, and has no id twice. Runs libxml2's xmllint.
/// @throws std::runtime_error if xmllint is not installed
std::string markup_fault(const std::string& text);

}  // namespace test_support
