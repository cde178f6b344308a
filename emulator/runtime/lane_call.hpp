/// @file
/// Calls of the runtime that a kernel's threads make: those that a device has, with dynamic
/// parallelism. What they ask for goes into the queue of their grid, and each thread has a last
/// error of its own.
#pragma once

#include <functional>
#include <utility>

#include "driver_types.h"
#include "emulator/device.h"
#include "emulator/memory.h"
#include "engine/count/hot_state.hpp"
#include "engine/run/grid_queue.hpp"
#include "runtime/runtime.hpp"

namespace emu::runtime {

/// Runs `body`, which does what the call does in a kernel, and remembers its error for the thread.
template <class F>
cudaError_t lane_call(F&& body) {
  const Unrecorded unrecorded;
  const cudaError_t error = body();
  if (error != cudaSuccess)
    queue_of_running_grid().exchange_last_error(running_grid_thread(), error);
  return error;
}

/// A call that does the same in host code and in a kernel.
template <class F>
[[gnu::always_inline]] inline cudaError_t api_call_anywhere(
    F&& body, const char* call = __builtin_FUNCTION()) {
  return in_kernel() ? lane_call(body) : api_call(call, body);
}

/// The same for a call whose error a kernel's thread is told, and does not remember.
template <class F>
[[gnu::always_inline]] inline cudaError_t query_anywhere(F&& body,
                                                         const char* call = __builtin_FUNCTION()) {
  return in_kernel() ? body() : api_call(call, body);
}

/// Adds work, no kernel, to a stream of the running thread's grid.
inline cudaError_t enqueue_for_lane(cudaStream_t stream, std::function<void()> work) {
  return queue_of_running_grid().add(running_grid_thread(), stream,
                                     [work = std::move(work)](GridQueue&) {
                                       if (sticky_error() == cudaSuccess) work();
                                     });
}

}  // namespace emu::runtime
