/// Copies from global to shared memory that need no register in between. A device overlaps them
/// with other work. Here the source is read when the copy is asked for, and the target is written
/// when the thread waits for it: one load and one store of its size.
#ifndef _CUDA_PIPELINE_PRIMITIVES_H_
#define _CUDA_PIPELINE_PRIMITIVES_H_

#include <stddef.h>

#include <cstdint>

#include "emulator/async.h"
#include "emulator/device.h"
#include "emulator/pipeline_copy.h"
#include "host_defines.h"

/// Copies `bytes` (4, 8 or 16; both addresses aligned to it), the last `zero_bytes` of them zeros.
__forceinline__ void __pipeline_memcpy_async(void* __restrict__ shared_target,
                                             const void* __restrict__ global_source, size_t bytes,
                                             size_t zero_bytes = 0) {
  if (bytes != 4 && bytes != 8 && bytes != emu::detail::kPipelineMaxBytes)
    emu::device_trap("__pipeline_memcpy_async: the size must be 4, 8 or 16 bytes");
  if (zero_bytes > bytes)
    emu::device_trap("__pipeline_memcpy_async: more bytes to zero than to copy");
  if (((reinterpret_cast<std::uintptr_t>(shared_target) |
        reinterpret_cast<std::uintptr_t>(global_source)) &
       (bytes - 1)) != 0)
    emu::device_trap("__pipeline_memcpy_async: an address is not aligned to the size");
  switch (bytes) {
    case 4:
      emu::detail::pipeline_copy<emu::detail::Piece4>(shared_target, global_source, 4 - zero_bytes);
      break;
    case 8:
      emu::detail::pipeline_copy<emu::detail::Piece8>(shared_target, global_source, 8 - zero_bytes);
      break;
    default:
      emu::detail::pipeline_copy<emu::detail::Piece16>(shared_target, global_source,
                                                       emu::detail::kPipelineMaxBytes - zero_bytes);
  }
}

/// Closes the batch of copies since the last commit.
__forceinline__ void __pipeline_commit() { emu::close_late_batch(); }

/// Waits until all batches but the newest `count` are done.
__forceinline__ void __pipeline_wait_prior(size_t count) { emu::make_late_stores(count); }

#endif  // _CUDA_PIPELINE_PRIMITIVES_H_
