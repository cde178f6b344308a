#pragma once

/// @file
/// Reads the people behind the folders of a Gradescope export.

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "tools/coursework/grade/submissions.hpp"

namespace coursework {

/// The list that Gradescope puts beside the folders.
inline constexpr const char* kGradescopeList = "submission_metadata.yml";

/// Returns people by folder name; nothing if there is no list or it is not Gradescope's. The
/// platform writes the list, but people choose their names in it.
std::map<std::string, std::vector<Person>> read_people(const std::string& list);

}  // namespace coursework
