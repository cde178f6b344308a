/// @file
/// Assembly in the emulator's headers that tells the engine something.
#pragma once

#include "gcc_headers.hpp"

/// Whether it is of no use where nobody counts: it tells the rounds of loops (emulator/rounds.h),
/// which call made an atomic access (device_atomics.h), or keeps an access of inline PTX apart from
/// others (device_ptx_memory.h).
inline bool is_for_counting(const gasm* assembly) {
  const char* const text = gimple_asm_string(assembly);
  return strstr(text, "emu_round_path") || strstr(text, "emu_seen") ||
         (*text == 0 && gimple_asm_noutputs(assembly) == 0 && gimple_asm_ninputs(assembly) == 0 &&
          gimple_asm_nclobbers(assembly) == 0);
}
