/// Makes one text of what host code and device code see of a source.
///
/// nvcc preprocesses a source twice, with `__CUDA_ARCH__` and without, and takes device code from
/// one text and host code from the other. g++ compiles one text. So where the two differ, this file
/// merges them: a kernel gets the body that the device sees, a host function the one that the host
/// sees. A function of both sides gets both bodies, and tests where it runs.
#pragma once

#include <string>
#include <vector>

#include "rewriter.hpp"

namespace emulator_nvcc {

struct MergedSides {
  std::string text;
  std::vector<Diagnostic> errors;  // what cannot be one text; if there is any, `text` is invalid
};

/// @param host the source preprocessed without `__CUDA_ARCH__`
/// @param device the source preprocessed with it
/// @param file name for lines before the first line marker
MergedSides merge_sides(const std::string& host, const std::string& device,
                        const std::string& file);

}  // namespace emulator_nvcc
