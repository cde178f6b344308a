/// @file
/// Streams whose work becomes a graph instead of being done.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "driver_types.h"
#include "engine/run/queue.hpp"

namespace emu::runtime {

/// What an event stands for that was recorded in a captured stream: the nodes before it.
struct CapturedEvent {
  std::uint64_t capture = 0;  ///< its number; 0: the event is no part of a graph
  std::vector<cudaGraphNode_t> nodes;
};
CapturedEvent event_in_capture(const StreamKey& stream);

/// Ends the captures that this stream is a part of, or all: there will be no graphs.
void forget_captures(const StreamKey& stream) noexcept;
void forget_captures() noexcept;

/// cudaStreamWaitEvent where the stream or the event belongs to a capture.
cudaError_t wait_in_capture(const StreamKey& stream, const CapturedEvent& event);

/// For calls that wait for a stream, or ask how far it is, while streams are captured.
cudaError_t refuse_wait_beside_capture(const StreamKey& stream);
/// The same for events.
cudaError_t refuse_wait(const CapturedEvent& event);
/// For calls that may wait for the device, allocate memory say, unless the capture or the thread
/// allows them.
cudaError_t refuse_unsafe_call();
/// For calls that no capture allows.
cudaError_t refuse_call_in_any_capture();

/// Adds a node to the graph that the stream is captured into; `make(node)` gives it what it is made
/// of. If that fails, there is no node.
cudaError_t capture_node(const StreamKey& stream, cudaGraphNodeType type,
                         const std::function<cudaError_t(cudaGraphNode_t node)>& make);

/// What `call` puts into the stream that it is told, which is not done; `error` is what the call
/// returns.
struct RecordedCall {
  cudaError_t error = cudaSuccess;
  Task task;
};
RecordedCall record(const std::function<cudaError_t(cudaStream_t stream)>& call);

}  // namespace emu::runtime
