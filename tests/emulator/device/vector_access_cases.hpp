/// @file
/// Small functions on vectors in memory, compiled like device code, with their expected accesses.
#pragma once

#include <string>
#include <vector>

#include "vector_types.h"

namespace vector_access {

/// A load ('r') or store ('w') of a number of bytes.
struct Access {
  char kind;
  unsigned bytes;
  bool operator==(const Access&) const = default;
};

/// A function that accesses `target` and `source`, each large enough for a few vectors.
struct Case {
  std::string name;
  void (*call)(void* target, void* source);
  std::vector<Access> expected;
};

const std::vector<Case>& cases();

}  // namespace vector_access
