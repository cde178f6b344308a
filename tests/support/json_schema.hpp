/// Validates JSON against a schema.
///
/// valijson 1.0 (Debian 12) is not used, although its wrapper has 24 lines instead of 173 and
/// checks a report of 208 kB in 4.3 ms of CPU instead of 18.5: machines with a GPU do not have the
/// package, and these tests run there, too. It also accepts misspelt keywords, does not count 3.0
/// as an integer, crashes on references to other files, and compiles in 8.5 s instead of 5.9.

#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace test_support {

/// Returns the faults of `value`, one per line with its position; empty if it is valid.
///
/// Supports the keywords of JSON Schema 2020-12 that docs/ uses.
/// @throws std::invalid_argument for an unsupported keyword, so that none is ignored
std::vector<std::string> schema_faults(const nlohmann::json& schema, const nlohmann::json& value);

}  // namespace test_support
