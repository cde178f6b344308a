#pragma once

/// @file
/// The frame of the pages for students and teachers: one file each, light and dark.

#include <string>

namespace coursework {

/// @param title  text
/// @param body   HTML
std::string page(const std::string& title, const std::string& body);

}  // namespace coursework
