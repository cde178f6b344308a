#pragma once

/// @file
/// The page that students read first: what to do, how to hand in, what points are given for.

#include <filesystem>
#include <string>
#include <vector>

#include "tools/coursework/exercises/exercise.hpp"

namespace coursework {

/// README.md of a handout. `template_text` is the page with names between @ for what depends on
/// the chapters: @chapters@, @first@, @example@, @hand_in@, @rubric@, @points@.
/// @param hand_in  Markdown: how answers are handed in
std::string class_readme(const std::string& template_text, const std::filesystem::path& root,
                         const std::vector<Exercise>& exercises, const std::string& hand_in);

/// A table of an exercise's requirements and their points, in Markdown.
std::string rubric(const Exercise& exercise);

}  // namespace coursework
