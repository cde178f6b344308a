#pragma once

/// @file
/// Lets doctest print counters that differ.

#include <doctest/doctest.h>

#include <string>

#include "course/counters.hpp"

template <>
struct doctest::StringMaker<course::GlobalCounters> {
  static doctest::String convert(const course::GlobalCounters& c) {
    const std::string text = std::to_string(c.requests) + " requests, " +
                             std::to_string(c.sectors) + " sectors, " + std::to_string(c.lines) +
                             " lines, " + std::to_string(c.bytes) + " bytes";
    return text.c_str();
  }
};
