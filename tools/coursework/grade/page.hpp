#pragma once

/// @file
/// The common frame of pages for students and teachers: a single file each, light and dark.

#include <string>

namespace coursework {

/// @param title  text
/// @param body   HTML
std::string page(const std::string& title, const std::string& body);

}  // namespace coursework
