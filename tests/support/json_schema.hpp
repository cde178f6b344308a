/// Is this JSON what its schema says?

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
