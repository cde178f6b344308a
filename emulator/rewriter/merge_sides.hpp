/// One text of what host code and device code see of a source.
///
/// nvcc preprocesses a source twice, with `__CUDA_ARCH__` and without, and takes device code from
/// one text and host code from the other. g++ compiles one text. So where the two differ, this puts
/// together what either side would have: a kernel's body as the device sees it, a host function's
/// as the host does. A function of both sides gets both bodies, and asks where it runs.
#pragma once

#include <string>
#include <vector>

#include "rewriter.hpp"

namespace emulator_nvcc {

struct MergedSides {
  std::string text;
  std::vector<Diagnostic> errors;  // what cannot be one text; if there is any, `text` is of no use
};

/// @param host    preprocessed without `__CUDA_ARCH__`
/// @param device  preprocessed with it
/// @param file    name of the lines before the first line marker
MergedSides merge_sides(const std::string& host, const std::string& device,
                        const std::string& file);

}  // namespace emulator_nvcc
