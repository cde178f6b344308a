#pragma once

/// @file
/// Lets doctest print the sizes of matrices.

#include <doctest/doctest.h>

#include <string>

#include "course/sgemm_check.hpp"

template <>
struct doctest::StringMaker<course::SgemmSize> {
  static doctest::String convert(const course::SgemmSize& size) {
    const std::string text = "m " + std::to_string(size.m) + ", n " + std::to_string(size.n) +
                             ", k " + std::to_string(size.k);
    return text.c_str();
  }
};
