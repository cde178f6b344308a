/// The headers that a source includes itself, beside those that come with CUDA's.
#pragma once

#include <set>
#include <string>

namespace emulator_nvcc {

/// The preprocessor's option that leaves `#include` lines in its output, those of headers that were
/// read before among them.
inline constexpr const char* kKeepIncludes = "-dI";

/// Blanks the `#include` lines of a text that was preprocessed with `kKeepIncludes`.
/// @param cuda_headers the folder of CUDA's headers
/// @return what they name, but for what CUDA's headers include, and for those that these include
std::set<std::string> take_includes(std::string& preprocessed, const std::string& cuda_headers);

}  // namespace emulator_nvcc
