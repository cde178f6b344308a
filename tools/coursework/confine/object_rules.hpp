/// @file
/// The last gate: checks the object file's sections, undefined symbols and exported symbols.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "refusal.hpp"

namespace coursework::confine {

/// Checks that the object has only known sections and relocations, no constructors or indirect
/// functions, needs only symbols that a submission may use, and exports only `kernels`.
/// @throws std::runtime_error if the file is not an object file
std::optional<Refusal> check_object(const std::filesystem::path& object,
                                    const std::vector<std::string>& kernels);

}  // namespace coursework::confine
