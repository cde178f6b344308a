/// Tests that need a device: without one, they print so and pass.

#pragma once

#include <doctest/doctest.h>

#include "course/backend.hpp"
#include "course/error.hpp"

namespace test_support {

inline bool has_device() {
  static const bool found = [] {
    try {
      course::current_device();
      return true;
    } catch (const course::UsageError&) {
      return false;
    }
  }();
  return found;
}

}  // namespace test_support

#define REQUIRE_DEVICE()                         \
  if (!test_support::has_device()) {             \
    MESSAGE("skipped: there is no device here"); \
    return;                                      \
  }                                              \
  static_assert(true)
