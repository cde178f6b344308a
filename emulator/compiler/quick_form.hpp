/// @file
/// Quick forms: functions without instrumentation.
#pragma once

#include "gcc_headers.hpp"

inline constexpr const char* kQuickForm = "emulator quick form";

inline bool is_quick_form(tree function) {
  return lookup_attribute(kQuickForm, DECL_ATTRIBUTES(function)) != NULL_TREE;
}

/// A call of this function marks an access that moves a struct as a whole, until the pass
/// `quick_checks` has handled it. Arguments: address, alignment, bytes, whether it is a store.
inline constexpr const char* kWantsAlignment = "emu_wants_alignment";

/// Returns the alignment that a device requires of an access; 0 if it requires none.
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
