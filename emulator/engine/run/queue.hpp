/// @file
/// What host code has asked the device for: kernels, copies, fills, records of events, functions of
/// the host. A call only puts it here. It is done once somebody waits for it, or for what comes
/// after it, so that a program which does not wait finds old values, as it may on a device.
#pragma once

#include <cstdint>
#include <functional>

#include "driver_types.h"

namespace emu {

/// How a stream is ordered: what is in one stream is done in turn, and the legacy default stream
/// and all blocking streams wait for each other.
struct StreamKey {
  enum class Kind : std::uint8_t { legacy, blocking, non_blocking };
  const void* stream = nullptr;  ///< no two streams have the same, nor one that is gone
  Kind kind = Kind::legacy;
};

/// Of a valid stream; the per-thread default stream is another one in each thread.
StreamKey key_of(cudaStream_t stream) noexcept;

/// Names something in the queue; what came later has a larger one. 0 names nothing.
using Ticket = std::uint64_t;

/// Whether what is put into the queue waits there. Else it is done at once: the checks and whatever
/// draws its own order go by the order of the calls.
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
  Ticket after = 0;  ///< of another stream, perhaps: is done first
};
/// Puts `task` behind everything that is in its stream, or into the graph that is being made of it.
/// @return 0 if there is nothing to wait for: it is done already, or it is a part of a graph
Ticket enqueue(const StreamKey& stream, Task task);

/// Whether what is put into the stream now is not done, but becomes a part of a graph. It may be
/// done any number of times.
bool is_captured(const StreamKey& stream) noexcept;
/// Puts `task` there. (Both in runtime/capture.cpp.)
void capture(const StreamKey& stream, Task task);
/// The error of a call that wants to put something into the stream, if a capture forbids it: into
/// the legacy default stream while a blocking stream is captured, which ends that capture without a
/// graph; or into a stream whose capture has been spoilt.
cudaError_t refusal_beside_capture(const StreamKey& stream) noexcept;
/// A launch into the stream has been refused: there will be no graph.
void spoil_capture(const StreamKey& stream) noexcept;

/// Waits for what is in the stream so far, by doing it here or while another thread does.
void finish(const StreamKey& stream);
void finish(Ticket ticket);
void finish_all();

/// The same for what a task would wait for that came into the stream now: in a blocking stream,
/// that is also what is in the legacy default stream.
void finish_before_next_in(const StreamKey& stream);
bool has_work_before_next_in(const StreamKey& stream);

bool is_finished(const StreamKey& stream);
bool is_finished(Ticket ticket);

/// Gets going what `finish` does, as a device gets on while the host asks how far it is. A kernel
/// or a function of the host runs in another thread, and is waited for only briefly.
/// @return whether it is all over
bool advance(const StreamKey& stream);
bool advance(Ticket ticket);

}  // namespace emu
