/// @file
/// Assembly in the emulator's headers that carries information for the engine.
#pragma once

#include "gcc_headers.hpp"

/// Returns whether the assembly is needed only where accesses are counted: it notes rounds of loops
/// (emulator/rounds.h) or the call of an atomic access (device_atomics.h), or keeps accesses of
/// inline PTX separate (device_ptx_memory.h).
inline bool is_for_counting(const gasm* assembly) {
  const char* const text = gimple_asm_string(assembly);
  return strstr(text, "emu_round_path") || strstr(text, "emu_seen") ||
         (*text == 0 && gimple_asm_noutputs(assembly) == 0 && gimple_asm_ninputs(assembly) == 0 &&
          gimple_asm_nclobbers(assembly) == 0);
}
