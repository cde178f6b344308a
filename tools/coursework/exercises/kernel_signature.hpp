/// @file
/// A kernel as exercise.json declares it: "void scale(int n, float* data)".
#pragma once

#include <string>

namespace coursework {

struct KernelSignature {
  std::string text;  ///< the declaration as given
  std::string name;
  std::string pointer;       ///< `void (*const NAME)(int n, float* data)`, with "NAME" in it
  unsigned stack_words = 0;  ///< number of arguments that do not fit into registers
};

/// @throws std::invalid_argument unless `text` declares a void function whose parameters are
///         numbers and pointers
KernelSignature read_signature(const std::string& text);

}  // namespace coursework
