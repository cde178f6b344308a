/// @file
/// Which functions are a quick form: what runs where nobody looks at accesses.
#pragma once

#include "gcc_headers.hpp"

inline constexpr const char* kQuickForm = "emulator quick form";

inline bool is_quick_form(tree function) {
  return lookup_attribute(kQuickForm, DECL_ATTRIBUTES(function)) != NULL_TREE;
}

/// A call of this name stands before an access that moves a struct whole, until `quick_checks` has
/// seen it: (address, alignment, bytes, is it a store).
inline constexpr const char* kWantsAlignment = "emu_wants_alignment";

/// What a device wants the address to be a multiple of; 0 if it does not mind.
inline unsigned wanted_alignment(tree access) {
  const tree type = TREE_TYPE(access);
  if (!COMPLETE_TYPE_P(type) || !tree_fits_uhwi_p(TYPE_SIZE_UNIT(type))) return 0;
  const auto bytes = static_cast<unsigned>(tree_to_uhwi(TYPE_SIZE_UNIT(type)));
  constexpr unsigned kMost = 16, kHalf = 8;
  if (bytes < 2 || bytes > kMost || (bytes & (bytes - 1)) != 0) return 0;
  const unsigned align = TYPE_ALIGN_UNIT(type);
  if (align >= bytes) return bytes;
  return bytes == kMost && align == kHalf ? kHalf : 0;
}
