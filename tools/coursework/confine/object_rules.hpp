/// @file
/// The last gate, on the object file itself: what it holds, asks for, and shows.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "refusal.hpp"

namespace coursework::confine {

/// Only known sections and relocations, no constructors or indirect functions; from outside, only
/// what a submission may call; to the outside, only `kernels`.
/// @throws std::runtime_error if it is no object file
std::optional<Refusal> check_object(const std::filesystem::path& object,
                                    const std::vector<std::string>& kernels);

}  // namespace coursework::confine
