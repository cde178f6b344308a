#pragma once

/// @file
/// The students' first page: what to do, how to hand in, and what gives points.

#include <filesystem>
#include <string>
#include <vector>

#include "tools/coursework/exercises/exercise.hpp"

namespace coursework {

/// Returns README.md of a handout. `template_text` is the page with placeholders for what depends
/// on the chapters: @chapters@, @first@, @example@, @hand_in@, @rubric@, @points@.
/// @param hand_in  Markdown: how to hand in answers
std::string class_readme(const std::string& template_text, const std::filesystem::path& root,
                         const std::vector<Exercise>& exercises, const std::string& hand_in);

/// Returns a Markdown table of an exercise's requirements and points.
std::string rubric(const Exercise& exercise);

}  // namespace coursework
