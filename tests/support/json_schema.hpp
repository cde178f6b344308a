/// Is this JSON what its schema says?
///
/// valijson 1.0 (Debian 12) is left out, though its wrapper has 24 lines instead of 173 and looks
/// at a report of 208 kB in 4.3 ms of CPU instead of 18.5: a machine with a GPU has no such
/// package, and these tests run there too. It also accepts a misspelt keyword, takes 3.0 for no
/// integer, crashes on a reference to another file, and compiles in 8.5 s instead of 5.9.

#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace test_support {

/// What is wrong with `value`, a line per fault, each with the place in `value`; empty if it is
/// valid.
///
/// Understands the keywords of JSON Schema 2020-12 that docs/ uses.
/// @throws std::invalid_argument for a keyword that it does not understand, so that none is ignored
std::vector<std::string> schema_faults(const nlohmann::json& schema, const nlohmann::json& value);

}  // namespace test_support
