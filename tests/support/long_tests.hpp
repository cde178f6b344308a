/// Tests that take minutes run only on request.
#pragma once

#include <cstdlib>
#include <string_view>

namespace test_support {

/// Returns whether COURSE_LONG_TESTS is 1.
inline bool is_long_run() {
  const char* const value = std::getenv("COURSE_LONG_TESTS");
  return value != nullptr && std::string_view(value) == "1";
}

}  // namespace test_support
