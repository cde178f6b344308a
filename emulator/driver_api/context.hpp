/// @file
/// Contexts. There is one device with one memory: a context is who owns what, and what is current.
#pragma once

#include <cstdint>
#include <set>

#include "cuda.h"

struct CUctx_st {
  unsigned flags = 0;
  unsigned long long id = 0;
  bool is_primary = false;
  int users = 0;               ///< of the primary one: how often it is retained
  bool is_of_runtime = false;  ///< the runtime has made the primary context active
  std::set<void*> memory, streams, events, modules;
};

namespace emu::driver {

/// The context of this thread, which may be the primary one because the runtime uses it; or null.
CUcontext current_context() noexcept;

/// What a context owns goes with it.
enum class Owned : std::uint8_t { memory, stream, event, module };
void own(Owned kind, void* object);
void disown(Owned kind, void* object) noexcept;

/// The context that has made a stream; the current one for the default streams.
CUcontext owner_of_stream(CUstream stream);

/// Unloads a module whose context goes.
void unload_module(CUmodule module) noexcept;

}  // namespace emu::driver
