/// @file
/// Which functions are a quick form: what runs where nobody looks at accesses.
#pragma once

#include "gcc_headers.hpp"

inline constexpr const char* kQuickForm = "emulator quick form";

inline bool is_quick_form(tree function) {
  return lookup_attribute(kQuickForm, DECL_ATTRIBUTES(function)) != NULL_TREE;
}
