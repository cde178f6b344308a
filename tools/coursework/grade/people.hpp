#pragma once

/// @file
/// Who is behind the folders of a Gradescope export.

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "tools/coursework/grade/submissions.hpp"

namespace coursework {

/// The list that Gradescope puts beside its folders.
inline constexpr const char* kGradescopeList = "submission_metadata.yml";

/// People by the name of their folder; nothing where there is no list, or where it is none of
/// Gradescope's. The platform writes it, but people choose their names.
std::map<std::string, std::vector<Person>> read_people(const std::string& list);

}  // namespace coursework
