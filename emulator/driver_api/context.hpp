/// @file
/// Contexts. There is one device with one memory, so a context is a list of what it owns.
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

/// Returns this thread's current context, or null. It may be the primary one because the runtime
/// uses that.
CUcontext current_context() noexcept;

/// Kinds of objects that a context owns, and that are destroyed with it.
enum class Owned : std::uint8_t { memory, stream, event, module };
void own(Owned kind, void* object);
void disown(Owned kind, void* object) noexcept;

/// Returns the context that made a stream; for the default streams, the current one.
CUcontext owner_of_stream(CUstream stream);

/// Unloads a module because its context is destroyed.
void unload_module(CUmodule module) noexcept;

}  // namespace emu::driver
