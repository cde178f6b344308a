/// @file
/// The queue of work that host code has asked the device for: kernels, copies, fills, event
/// records, host functions. A call only adds to it. The work is done when the program waits for it,
/// or for work after it, so that a program which does not wait finds old values, as it may on a
/// device.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>

#include "driver_types.h"
#include "engine/run/task_parameters.hpp"

namespace emu {

/// A stream and how it is ordered. Work in one stream is done in turn; the legacy default stream
/// and all blocking streams wait for each other.
struct StreamKey {
  enum class Kind : std::uint8_t { legacy, blocking, non_blocking };
  const void* stream = nullptr;  ///< unique for each stream, also among destroyed ones
  Kind kind = Kind::legacy;
};

/// Returns the key of a valid stream. Each thread has its own per-thread default stream.
StreamKey key_of(cudaStream_t stream) noexcept;

/// Identifies an entry of the queue. Later entries have larger tickets; 0 identifies none.
using Ticket = std::uint64_t;

/// Returns whether new work waits in the queue. It is done at once under the checks, schedules,
/// preemption and lockstep, which go by the order of the calls.
bool is_done_later() noexcept;

enum class TaskKind : std::uint8_t {
  kernel,
  copy,
  fill,
  host_function,
  other,
};
struct Task {
  std::function<void()> run;
  TaskKind kind = TaskKind::other;
  Ticket after = 0;  ///< a ticket, perhaps of another stream, that must be done first
  /// Of what becomes a node of a graph; else null.
  std::shared_ptr<const TaskParameters> parameters{};
};
/// Adds `task` behind all work in its stream, or to the graph that the stream is being captured
/// into.
/// @return 0 if there is nothing to wait for: the task is done, or became part of a graph
Ticket enqueue(const StreamKey& stream, Task task);

/// Returns whether new work in the stream becomes part of a graph instead of being done. The graph
/// may run it any number of times.
bool is_captured(const StreamKey& stream) noexcept;
/// Adds `task` to that graph. (This and is_captured() are in runtime/capture.cpp.)
void capture(const StreamKey& stream, Task task);
/// Returns the error of a call that adds work to the stream, if a capture forbids it: work in the
/// legacy default stream while a blocking stream is captured, which also invalidates that capture;
/// or work in a stream whose capture is already invalid.
cudaError_t refusal_beside_capture(const StreamKey& stream) noexcept;
/// Invalidates the capture of the stream after a launch into it was refused.
void spoil_capture(const StreamKey& stream) noexcept;

/// Waits until all work that is in the stream now is done, here or in another thread.
void finish(const StreamKey& stream);
void finish(Ticket ticket);
void finish_all();

/// Waits for what a new task in the stream would wait for: for a blocking stream, that includes the
/// legacy default stream.
void finish_before_next_in(const StreamKey& stream);
bool has_work_before_next_in(const StreamKey& stream);

bool is_finished(const StreamKey& stream);
bool is_finished(Ticket ticket);

/// Starts what `finish` does, as a device makes progress while the host queries it. A kernel or a
/// host function runs in another thread, and is waited for only briefly.
/// @return whether all of it is done
bool advance(const StreamKey& stream);
bool advance(Ticket ticket);

}  // namespace emu
