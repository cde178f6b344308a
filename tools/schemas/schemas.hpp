#pragma once

/// @file
/// Generates the lists in docs/*.schema.json from tables in the code.
///
/// Counters come from common/counters/src/counters.cpp, kinds of hazards from
/// emulator/engine/check/hazards.hpp. The rest of a schema is written by hand.

#include <filesystem>
#include <string>
#include <vector>

namespace schemas {

struct Schema {
  std::filesystem::path file;
  std::string present;  ///< the file's current text
  std::string wanted;   ///< the text with up-to-date lists
};

/// Returns all schemas with such lists.
/// @throws std::runtime_error, naming the file, if a list cannot be found
std::vector<Schema> all();

}  // namespace schemas
