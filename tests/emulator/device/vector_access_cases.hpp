/// @file
/// Small functions on vectors in memory, compiled as device code is, and what each should access.
#pragma once

#include <string>
#include <vector>

#include "vector_types.h"

namespace vector_access {

/// One load ('r') or store ('w') of a number of bytes.
struct Access {
  char kind;
  unsigned bytes;
  bool operator==(const Access&) const = default;
};

/// A function that touches `target` and `source`, each large enough for a few vectors.
struct Case {
  std::string name;
  void (*call)(void* target, void* source);
  std::vector<Access> expected;
};

const std::vector<Case>& cases();

}  // namespace vector_access
