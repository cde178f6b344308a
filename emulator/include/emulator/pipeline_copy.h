/// @file
/// An asynchronous copy by one thread from global to shared memory, the common part of
/// cuda_pipeline_primitives.h and of cp.async in inline PTX.
#pragma once

#include <cstddef>
#include <cstdint>

#include "emulator/async.h"
#include "host_defines.h"

namespace emu::detail {

constexpr std::size_t kPipelineMaxBytes = 16;

using Piece4 = std::uint32_t __attribute__((may_alias));
using Piece8 = std::uint64_t __attribute__((may_alias));
using Piece16 = std::uint64_t __attribute__((may_alias, vector_size(kPipelineMaxBytes)));

/// Copies `source_bytes` bytes of the source, followed by zeros.
template <class Piece>
__forceinline__ void pipeline_copy(void* target, const void* source, std::size_t source_bytes) {
  Piece whole = {};
  if (source_bytes == sizeof(Piece)) {
    whole = *static_cast<const Piece*>(source);
  } else {
    auto* const bytes = reinterpret_cast<unsigned char*>(&whole);
    for (std::size_t i = 0; i < source_bytes; ++i)
      bytes[i] = static_cast<const unsigned char*>(source)[i];
  }
  emu::store_late(target, &whole, sizeof(Piece));
}

}  // namespace emu::detail
