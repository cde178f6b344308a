#pragma once

/// @file
/// The lists in docs/*.schema.json that follow from tables in the code.
///
/// Counters come from common/counters/src/counters.cpp, kinds of hazards from
/// emulator/engine/check/hazards.hpp. Everything else in a schema is written by hand.

#include <filesystem>
#include <string>
#include <vector>

namespace schemas {

struct Schema {
  std::filesystem::path file;
  std::string present;  ///< what the file holds
  std::string wanted;   ///< the same with the lists as the tables have them
};

/// Each schema that holds such a list.
/// @throws std::runtime_error, naming the file, where a list cannot be found
std::vector<Schema> all();

}  // namespace schemas
