// Captures of streams. Which calls a capture forbids, and what becomes of it then, is as an H200
// has it (tests/emulator/runtime/graph_test.cu).
#include "capture.hpp"

#include <algorithm>
#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <thread>
#include <utility>
#include <vector>

#include "cuda_runtime_api.h"
#include "graph.hpp"
#include "runtime.hpp"

using namespace emu;
using runtime::api_call;
using runtime::CapturedEvent;

// All thread-local variables of the emulator are in its namespace. Reports take those of other
// namespaces for __shared__ variables of the program.
namespace emu {
namespace {

/// What the running thread records instead of putting it into a stream; null: nothing.
thread_local Task* recorded = nullptr;
thread_local cudaStreamCaptureMode thread_mode = cudaStreamCaptureModeGlobal;

}  // namespace
}  // namespace emu

namespace {

using Nodes = std::vector<CUgraphNode_st*>;

struct Capture {
  /// One of its streams, and the nodes that the next one comes after.
  struct Part {
    StreamKey stream;
    Nodes last;
    std::vector<cudaGraphEdgeData> edges{};  ///< to the next one: ordinary ones, for who asks
  };
  std::uint64_t number = 0;
  const void* origin = nullptr;  ///< the stream in which it began
  cudaStreamCaptureMode mode = cudaStreamCaptureModeGlobal;
  std::thread::id thread;
  std::unique_ptr<CUgraph_st> own;  ///< if the capture makes the graph
  CUgraph_st* graph = nullptr;
  bool is_spoilt = false;
  std::vector<Part> parts;

  Part* part_of(const StreamKey& stream) {
    const auto found = std::find_if(parts.begin(), parts.end(), [&](const Part& part) {
      return part.stream.stream == stream.stream;
    });
    return found == parts.end() ? nullptr : &*found;
  }
  bool has_blocking_stream() const {
    return std::any_of(parts.begin(), parts.end(), [](const Part& part) {
      return part.stream.kind == StreamKey::Kind::blocking;
    });
  }
};

std::mutex captures_mutex;
std::atomic<int> how_many{0};  // captures are there

/// By number.
std::map<std::uint64_t, Capture>& captures() {
  static auto& all = *new std::map<std::uint64_t, Capture>;
  return all;
}

Capture* capture_of(const StreamKey& stream) {
  for (auto& [number, one] : captures())
    if (one.part_of(stream)) return &one;
  return nullptr;
}

/// Spoils the captures that `is_meant(capture)`; whether there are any.
template <class IsMeant>
bool spoil(const IsMeant& is_meant) {
  if (how_many == 0) return false;
  const std::lock_guard lock(captures_mutex);
  bool any = false;
  for (auto& [number, one] : captures()) {
    if (!is_meant(one)) continue;
    one.is_spoilt = true;
    any = true;
  }
  return any;
}

bool all_are_of(const CUgraph_st& graph, const Nodes& nodes) {
  return std::all_of(nodes.begin(), nodes.end(),
                     [&](const CUgraphNode_st* node) { return runtime::has_node(graph, node); });
}

void add(Nodes& to, const Nodes& nodes) {
  for (CUgraphNode_st* const node : nodes)
    if (std::find(to.begin(), to.end(), node) == to.end()) to.push_back(node);
}

/// Whether the stream in which it began has waited for all others.
bool is_joined(Capture& capture) {
  Nodes open = capture.part_of({capture.origin, {}})->last;
  std::set<const CUgraphNode_st*> before(open.begin(), open.end());
  while (!open.empty()) {
    const CUgraphNode_st* const node = open.back();
    open.pop_back();
    for (CUgraphNode_st* const one : node->after)
      if (before.insert(one).second) open.push_back(one);
  }
  return std::all_of(capture.parts.begin(), capture.parts.end(), [&](const Capture::Part& part) {
    return std::all_of(part.last.begin(), part.last.end(),
                       [&](const CUgraphNode_st* node) { return before.contains(node); });
  });
}

cudaError_t begin(cudaStream_t stream, cudaStreamCaptureMode mode, std::unique_ptr<CUgraph_st> made,
                  CUgraph_st* graph, Nodes last) {
  if (mode < cudaStreamCaptureModeGlobal || mode > cudaStreamCaptureModeRelaxed)
    return cudaErrorInvalidValue;
  if (sticky_error() != cudaSuccess) return sticky_error();
  if (!valid_stream(stream)) return cudaErrorInvalidResourceHandle;
  const StreamKey key = key_of(stream);
  if (key.kind == StreamKey::Kind::legacy) return cudaErrorStreamCaptureUnsupported;
  const std::lock_guard lock(captures_mutex);
  if (capture_of(key)) return cudaErrorIllegalState;
  static std::uint64_t newest = 0;
  Capture& capture = captures()[++newest];
  capture.number = newest;
  capture.origin = key.stream;
  capture.mode = mode;
  capture.thread = std::this_thread::get_id();
  capture.graph = graph;
  capture.own = std::move(made);
  capture.parts.push_back({key, std::move(last)});
  ++how_many;
  return cudaSuccess;
}

/// Under the lock.
cudaError_t end(const StreamKey& stream, std::unique_ptr<CUgraph_st>& made, CUgraph_st*& graph) {
  Capture* const capture = capture_of(stream);
  if (!capture) return cudaErrorIllegalState;
  if (capture->origin != stream.stream) {
    capture->is_spoilt = true;
    return cudaErrorStreamCaptureUnmatched;
  }
  const bool is_elsewhere = capture->mode != cudaStreamCaptureModeRelaxed &&
                            capture->thread != std::this_thread::get_id();
  const cudaError_t error = is_elsewhere           ? cudaErrorStreamCaptureWrongThread
                            : capture->is_spoilt   ? cudaErrorStreamCaptureInvalidated
                            : !is_joined(*capture) ? cudaErrorStreamCaptureUnjoined
                                                   : cudaSuccess;
  if (error == cudaSuccess) {
    made = std::move(capture->own);
    graph = capture->graph;
  }
  captures().erase(capture->number);
  --how_many;
  return error;
}

}  // namespace

bool emu::is_captured(const StreamKey& stream) noexcept {
  if (recorded) return true;
  if (how_many == 0) return false;
  const std::lock_guard lock(captures_mutex);
  return capture_of(stream) != nullptr;
}

void emu::capture(const StreamKey& stream, Task task) {
  if (recorded) {
    *recorded = std::move(task);
    return;
  }
  const std::lock_guard lock(captures_mutex);
  Capture* const capture = capture_of(stream);
  if (!capture || capture->is_spoilt) return;
  Nodes& last = capture->part_of(stream)->last;
  last = {capture->graph->add(runtime::node_type(task.kind), std::move(task), last)};
}

cudaError_t runtime::capture_node(const StreamKey& stream, cudaGraphNodeType type,
                                  const std::function<cudaError_t(cudaGraphNode_t node)>& make) {
  const std::lock_guard lock(captures_mutex);
  Capture* const capture = capture_of(stream);
  if (capture->is_spoilt) return cudaErrorStreamCaptureInvalidated;
  Nodes& last = capture->part_of(stream)->last;
  CUgraphNode_st* const node = capture->graph->add(type, {}, last);
  const cudaError_t error = make(node);
  if (error == cudaSuccess)
    last = {node};
  else
    capture->graph->nodes.pop_back();
  return error;
}

void emu::spoil_capture(const StreamKey& stream) noexcept {
  if (!recorded) spoil([&](Capture& one) { return one.part_of(stream) != nullptr; });
}

cudaError_t emu::refusal_beside_capture(const StreamKey& stream) noexcept {
  if (recorded || how_many == 0) return cudaSuccess;
  if (stream.kind != StreamKey::Kind::legacy) {
    const std::lock_guard lock(captures_mutex);
    const Capture* const capture = capture_of(stream);
    return capture && capture->is_spoilt ? cudaErrorStreamCaptureInvalidated : cudaSuccess;
  }
  return spoil([](Capture& one) { return one.has_blocking_stream(); })
             ? cudaErrorStreamCaptureImplicit
             : cudaSuccess;
}

CapturedEvent runtime::event_in_capture(const StreamKey& stream) {
  if (how_many == 0) return {};
  const std::lock_guard lock(captures_mutex);
  Capture* const capture = capture_of(stream);
  return capture ? CapturedEvent{capture->number, capture->part_of(stream)->last} : CapturedEvent();
}

void runtime::forget_captures(const StreamKey& stream) noexcept {
  if (how_many == 0) return;
  const std::lock_guard lock(captures_mutex);
  const Capture* const capture = capture_of(stream);
  if (!capture) return;
  captures().erase(capture->number);
  --how_many;
}

void runtime::forget_captures() noexcept {
  const std::lock_guard lock(captures_mutex);
  captures().clear();
  how_many = 0;
}

cudaError_t runtime::wait_in_capture(const StreamKey& stream, const CapturedEvent& event) {
  const std::lock_guard lock(captures_mutex);
  Capture* const present = capture_of(stream);
  if (event.capture == 0) {
    present->is_spoilt = true;
    return cudaErrorStreamCaptureIsolation;
  }
  const auto found = captures().find(event.capture);
  if (found == captures().end()) return cudaErrorInvalidValue;
  Capture& capture = found->second;
  if (stream.kind == StreamKey::Kind::legacy) {
    capture.is_spoilt = true;
    return cudaErrorStreamCaptureImplicit;
  }
  if (present && present != &capture) {
    present->is_spoilt = capture.is_spoilt = true;
    return cudaErrorStreamCaptureMerge;
  }
  if (!present) capture.parts.push_back({stream, {}});
  add(capture.part_of(stream)->last, event.nodes);
  return cudaSuccess;
}

cudaError_t runtime::refuse_wait_beside_capture(const StreamKey& stream) {
  if (how_many == 0) return cudaSuccess;
  if (const cudaError_t error = refusal_beside_capture(stream); error != cudaSuccess) return error;
  if (spoil([&](Capture& one) { return one.part_of(stream) != nullptr; }))
    return cudaErrorStreamCaptureUnsupported;
  return refuse_unsafe_call();
}

cudaError_t runtime::refuse_wait(const CapturedEvent& event) {
  if (event.capture == 0) return refuse_unsafe_call();
  return spoil([&](Capture& one) { return one.number == event.capture; }) ? cudaErrorCapturedEvent
                                                                          : cudaErrorInvalidValue;
}

cudaError_t runtime::refuse_unsafe_call() {
  if (how_many == 0 || thread_mode == cudaStreamCaptureModeRelaxed) return cudaSuccess;
  const bool only_own = thread_mode == cudaStreamCaptureModeThreadLocal;
  const bool forbidden = spoil([&](Capture& one) {
    const bool is_own = one.thread == std::this_thread::get_id();
    return is_own ? one.mode != cudaStreamCaptureModeRelaxed
                  : one.mode == cudaStreamCaptureModeGlobal && !only_own;
  });
  return forbidden ? cudaErrorStreamCaptureUnsupported : cudaSuccess;
}

cudaError_t runtime::refuse_call_in_any_capture() {
  return spoil([](Capture&) { return true; }) ? cudaErrorStreamCaptureUnsupported : cudaSuccess;
}

runtime::RecordedCall runtime::record(const std::function<cudaError_t(cudaStream_t stream)>& call) {
  RecordedCall result;
  Task* const before = std::exchange(recorded, &result.task);
  result.error = call(cudaStreamLegacy);
  recorded = before;
  return result;
}

// ------------------------------------------------------------------------- calls of programs

cudaError_t cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode mode) {
  return api_call([&] {
    auto made = std::make_unique<CUgraph_st>();
    CUgraph_st* const graph = made.get();
    return begin(stream, mode, std::move(made), graph, {});
  });
}

cudaError_t cudaStreamBeginCaptureToGraph(cudaStream_t stream, cudaGraph_t graph,
                                          const cudaGraphNode_t* dependencies,
                                          const cudaGraphEdgeData*, size_t count,
                                          cudaStreamCaptureMode mode) {
  return api_call([&] {
    CUgraph_st* const known = runtime::graph_of(graph);
    if (!known || (count > 0 && !dependencies)) return cudaErrorInvalidValue;
    const Nodes after(dependencies, dependencies + count);
    if (!all_are_of(*known, after)) return cudaErrorInvalidValue;
    return begin(stream, mode, nullptr, known, after);
  });
}

cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t* graph) {
  return api_call([&] {
    if (graph) *graph = nullptr;
    if (!valid_stream(stream)) return cudaErrorInvalidResourceHandle;
    std::unique_ptr<CUgraph_st> made;
    CUgraph_st* known = nullptr;
    {
      const std::lock_guard lock(captures_mutex);
      const StreamKey key = key_of(stream);
      // A graph that the program has need not be told.
      if (const Capture* const capture = capture_of(key); !graph && (!capture || capture->own))
        return cudaErrorInvalidValue;
      if (const cudaError_t error = end(key, made, known); error != cudaSuccess) return error;
    }
    if (made) known = runtime::publish(std::move(made));
    if (graph) *graph = known;
    return cudaSuccess;
  });
}

cudaError_t cudaStreamIsCapturing(cudaStream_t stream, cudaStreamCaptureStatus* status) {
  return api_call([&] { return cudaStreamGetCaptureInfo(stream, status); });
}

cudaError_t cudaStreamGetCaptureInfo(cudaStream_t stream, cudaStreamCaptureStatus* status,
                                     unsigned long long* id, cudaGraph_t* graph,
                                     const cudaGraphNode_t** dependencies,
                                     const cudaGraphEdgeData** edgeData, size_t* count) {
  return api_call([&] {
    if (status == nullptr) return cudaErrorInvalidValue;
    if (!valid_stream(stream)) return cudaErrorInvalidResourceHandle;
    const StreamKey key = key_of(stream);
    const std::lock_guard lock(captures_mutex);
    if (key.kind == StreamKey::Kind::legacy)
      for (const auto& [number, one] : captures())
        if (one.has_blocking_stream()) return cudaErrorStreamCaptureImplicit;
    Capture* const capture = capture_of(key);
    *status = !capture             ? cudaStreamCaptureStatusNone
              : capture->is_spoilt ? cudaStreamCaptureStatusInvalidated
                                   : cudaStreamCaptureStatusActive;
    if (!capture || capture->is_spoilt) return cudaSuccess;
    const Nodes& last = capture->part_of(key)->last;
    if (id) *id = capture->number;
    if (graph) *graph = capture->graph;
    if (dependencies) *dependencies = last.data();
    if (edgeData) {
      std::vector<cudaGraphEdgeData>& edges = capture->part_of(key)->edges;
      edges.assign(last.size(), {});
      *edgeData = edges.data();
    }
    if (count) *count = last.size();
    return cudaSuccess;
  });
}

cudaError_t cudaStreamUpdateCaptureDependencies(cudaStream_t stream, cudaGraphNode_t* dependencies,
                                                const cudaGraphEdgeData*, size_t count,
                                                unsigned int flags) {
  return api_call([&] {
    if (!valid_stream(stream)) return cudaErrorInvalidResourceHandle;
    const StreamKey key = key_of(stream);
    const std::lock_guard lock(captures_mutex);
    Capture* const capture = capture_of(key);
    if (!capture || capture->is_spoilt) return cudaErrorIllegalState;
    if ((count > 0 && !dependencies) || flags > cudaStreamSetCaptureDependencies)
      return cudaErrorInvalidValue;
    if (!all_are_of(*capture->graph, Nodes(dependencies, dependencies + count)))
      return cudaErrorInvalidValue;
    Nodes& last = capture->part_of(key)->last;
    if (flags == cudaStreamSetCaptureDependencies) last.clear();
    add(last, Nodes(dependencies, dependencies + count));
    return cudaSuccess;
  });
}

cudaError_t cudaThreadExchangeStreamCaptureMode(cudaStreamCaptureMode* mode) {
  return api_call([&] {
    if (mode == nullptr || *mode < cudaStreamCaptureModeGlobal ||
        *mode > cudaStreamCaptureModeRelaxed)
      return cudaErrorInvalidValue;
    *mode = std::exchange(thread_mode, *mode);
    return cudaSuccess;
  });
}
