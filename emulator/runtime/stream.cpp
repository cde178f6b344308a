// Streams and events. The engine's queue holds the work of streams; an event is a position in it.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <map>
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <utility>

#include "capture.hpp"
#include "cuda_runtime_api.h"
#include "engine/check/check_host.hpp"
#include "engine/run/queue.hpp"
#include "event.hpp"
#include "graph.hpp"
#include "handles.hpp"
#include "lane_call.hpp"
#include "runtime.hpp"

struct CUstream_st {
  unsigned flags = cudaStreamDefault;
  int priority = 0;
  unsigned long long id = 0;
  std::map<cudaLaunchAttributeID, cudaLaunchAttributeValue> attributes;
};

struct CUevent_st {
  using Clock = std::chrono::steady_clock;
  unsigned flags = cudaEventDefault;
  emu::Ticket record = 0;                   ///< the newest one
  emu::runtime::CapturedEvent captured;     ///< if the newest record is part of a graph
  std::shared_ptr<Clock::time_point> time;  ///< of the newest record; null: none
};

using namespace emu;
using runtime::api_call;
using runtime::Handles;
using runtime::lane_call;
using runtime::newest_record;

namespace {

Handles<CUstream_st>& streams() {
  static Handles<CUstream_st>& handles = *new Handles<CUstream_st>;
  return handles;
}
Handles<CUevent_st>& events() {
  static Handles<CUevent_st>& handles = *new Handles<CUevent_st>;
  return handles;
}

constexpr unsigned kEventFlags =
    cudaEventBlockingSync | cudaEventDisableTiming | cudaEventInterprocess;
constexpr unsigned long long kLegacyId = 1, kPerThreadId = 2, kFirstId = 3;

bool is_default(cudaStream_t stream) {
  return stream == nullptr || stream == cudaStreamLegacy || stream == cudaStreamPerThread;
}

/// Returns one of the streams that always exist: legacy or per-thread.
CUstream_st& default_stream(cudaStream_t stream) {
  static CUstream_st legacy{cudaStreamDefault, 0, kLegacyId, {}};
  static CUstream_st per_thread{cudaStreamDefault, 0, kPerThreadId, {}};
  return stream == cudaStreamPerThread ? per_thread : legacy;
}

/// Calls `body(CUstream_st&)` for a valid stream.
template <class F>
cudaError_t with_stream(cudaStream_t stream, F&& body) {
  if (sticky_error() != cudaSuccess) return sticky_error();
  static std::mutex default_streams;
  if (is_default(stream)) {
    const std::lock_guard lock(default_streams);
    body(default_stream(stream));
    return cudaSuccess;
  }
  return streams().with(stream, body) ? cudaSuccess : cudaErrorInvalidResourceHandle;
}

cudaError_t check_stream(cudaStream_t stream) {
  if (sticky_error() != cudaSuccess) return sticky_error();
  return valid_stream(stream) ? cudaSuccess : cudaErrorInvalidResourceHandle;
}

cudaError_t check_event(cudaEvent_t event) {
  if (event == nullptr) return cudaErrorInvalidResourceHandle;
  if (sticky_error() != cudaSuccess) return sticky_error();
  return events().contains(event) ? cudaSuccess : cudaErrorInvalidResourceHandle;
}

cudaError_t create_stream(cudaStream_t* stream, unsigned flags, int priority) {
  if (stream == nullptr || (flags & ~unsigned{cudaStreamNonBlocking}) != 0) {
    return cudaErrorInvalidValue;
  }
  int lowest = 0;
  int highest = 0;
  const cudaError_t error = cudaDeviceGetStreamPriorityRange(&lowest, &highest);
  if (error != cudaSuccess) return error;
  static std::atomic<unsigned long long> next_id{kFirstId};
  *stream = streams().create({flags, std::clamp(priority, highest, lowest), next_id++, {}});
  return cudaSuccess;
}

/// Waits for a stream or an event's record. Racecheck assumes that the host has waited for
/// everything, so that it reports no false races.
template <class Awaited>
cudaError_t wait_for(const Awaited& awaited) {
  finish(awaited);
  note_host_waited();
  return sticky_error();
}

/// Queries whether a stream or an event's record is complete. If not, the device continues with its
/// work.
template <class Awaited>
cudaError_t ask_for(const Awaited& awaited) {
  if (!advance(awaited)) return cudaErrorNotReady;
  note_host_waited();
  return cudaSuccess;
}

runtime::CapturedEvent captured_part(cudaEvent_t event) {
  runtime::CapturedEvent captured;
  events().with(event, [&](const CUevent_st& object) { captured = object.captured; });
  return captured;
}

/// Returns the error of a call that waits for or queries a stream or event.
cudaError_t check_wait(cudaStream_t stream) {
  const cudaError_t error = check_stream(stream);
  return error != cudaSuccess ? error : runtime::refuse_wait_beside_capture(key_of(stream));
}
cudaError_t check_wait(cudaEvent_t event) {
  const cudaError_t error = check_event(event);
  return error != cudaSuccess ? error : runtime::refuse_wait(captured_part(event));
}

/// Puts a function of the host into a stream. `parameters` are those of the node that it becomes in
/// a graph, if it does.
void call_later(cudaStream_t stream, std::function<void()> function,
                std::shared_ptr<const TaskParameters> parameters = nullptr) {
  const auto run = [function = std::move(function)] {
    const runtime::HostFunctionScope scope;
    note_host_waited();  // it runs after all earlier work of the stream
    function();
  };
  enqueue(key_of(stream),
          {.run = run, .kind = TaskKind::host_function, .parameters = std::move(parameters)});
}

/// An external record or wait is a node of its own in a graph, and makes no sense elsewhere.
/// @param flags  of a record or a wait, whose values are the same
cudaError_t check_external_flag(unsigned flags, const StreamKey& stream) {
  if (flags == cudaEventRecordDefault) return cudaSuccess;
  if (flags != cudaEventRecordExternal) return cudaErrorInvalidValue;
  return is_captured(stream) ? cudaSuccess : cudaErrorIllegalState;
}

/// Puts an external record or wait into a captured stream.
cudaError_t capture_event(cudaEvent_t event, const StreamKey& stream, cudaGraphNodeType type) {
  if (const cudaError_t error = refusal_beside_capture(stream); error != cudaSuccess) return error;
  return runtime::capture_node(
      stream, type, [&](cudaGraphNode_t node) { return runtime::set_event(*node, event); });
}

bool known_attribute(cudaLaunchAttributeID attribute) {
  switch (attribute) {
    case cudaLaunchAttributeAccessPolicyWindow:
    case cudaLaunchAttributeSynchronizationPolicy:
    case cudaLaunchAttributePriority:
    case cudaLaunchAttributeMemSyncDomainMap:
    case cudaLaunchAttributeMemSyncDomain:
      return true;
    default:
      return false;
  }
}

}  // namespace

bool emu::valid_stream(cudaStream_t stream) noexcept {
  return is_default(stream) || streams().contains(stream);
}

StreamKey emu::key_of(cudaStream_t stream) noexcept {
  using Kind = StreamKey::Kind;
  if (stream == nullptr || stream == cudaStreamLegacy) return {nullptr, Kind::legacy};
  // Addresses are reused, numbers are not.
  const auto key = [](unsigned long long number, Kind kind) {
    return StreamKey{reinterpret_cast<const void*>(number), kind};
  };
  if (stream == cudaStreamPerThread) {
    constexpr unsigned long long kOfThreads = 1ull << 63;
    static std::atomic<unsigned long long> threads{0};
    static thread_local const unsigned long long number = kOfThreads + ++threads;
    return key(number, Kind::blocking);
  }
  StreamKey of_stream = key(0, Kind::blocking);
  streams().with(stream, [&](const CUstream_st& object) {
    const bool is_apart = (object.flags & cudaStreamNonBlocking) != 0;
    of_stream = key(object.id, is_apart ? Kind::non_blocking : Kind::blocking);
  });
  return of_stream;
}

bool runtime::is_event(cudaEvent_t event) { return events().contains(event); }

bool runtime::record_event(cudaEvent_t event, const StreamKey& stream) {
  const bool captured = is_captured(stream);
  const auto time = captured ? nullptr : std::make_shared<CUevent_st::Clock::time_point>();
  const Ticket record =
      captured ? 0 : enqueue(stream, {.run = [time] { *time = CUevent_st::Clock::now(); }});
  return events().with(event, [&](CUevent_st& object) {
    object.record = record;
    object.time = time;
    object.captured = event_in_capture(stream);
  });
}

Ticket runtime::newest_record(cudaEvent_t event) {
  Ticket record = 0;
  events().with(event, [&](const CUevent_st& object) { record = object.record; });
  return record;
}

void runtime::destroy_streams_and_events() noexcept {
  streams().destroy_all();
  events().destroy_all();
}

// --------------------------------------------------------------------------------------- streams

cudaError_t cudaStreamCreate(cudaStream_t* stream) {
  return api_call([&] { return create_stream(stream, cudaStreamDefault, 0); });
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned int flags) {
  if (in_kernel())
    return lane_call([&] {
      if (stream == nullptr || (flags & ~unsigned{cudaStreamNonBlocking}) != 0)
        return cudaErrorInvalidValue;
      *stream = queue_of_running_grid().create_stream();
      return cudaSuccess;
    });
  return api_call([&] { return create_stream(stream, flags, 0); });
}

cudaError_t cudaStreamCreateWithPriority(cudaStream_t* stream, unsigned int flags, int priority) {
  return api_call([&] { return create_stream(stream, flags, priority); });
}

cudaError_t cudaStreamDestroy(cudaStream_t stream) {
  if (in_kernel()) return lane_call([&] { return queue_of_running_grid().destroy(stream); });
  return api_call([&] {
    if (sticky_error() != cudaSuccess) return sticky_error();
    if (valid_stream(stream)) runtime::forget_captures(key_of(stream));
    return !is_default(stream) && streams().destroy(stream) ? cudaSuccess
                                                            : cudaErrorInvalidResourceHandle;
  });
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
  return api_call([&] {
    const cudaError_t error = check_wait(stream);
    return error != cudaSuccess ? error : wait_for(key_of(stream));
  });
}

cudaError_t cudaStreamQuery(cudaStream_t stream) {
  return api_call([&] {
    const cudaError_t error = check_wait(stream);
    return error != cudaSuccess ? error : ask_for(key_of(stream));
  });
}

cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned int flags) {
  if (in_kernel())
    return lane_call(
        [&] { return queue_of_running_grid().wait(running_grid_thread().block, stream, event); });
  return api_call([&] {
    if (const cudaError_t error = check_stream(stream); error != cudaSuccess) return error;
    if (const cudaError_t error = check_event(event); error != cudaSuccess) return error;
    const StreamKey key = key_of(stream);
    if (const cudaError_t error = check_external_flag(flags, key); error != cudaSuccess)
      return error;
    if (flags == cudaEventWaitExternal)
      return capture_event(event, key, cudaGraphNodeTypeWaitEvent);
    const runtime::CapturedEvent captured = captured_part(event);
    if (captured.capture != 0 || is_captured(key)) return runtime::wait_in_capture(key, captured);
    enqueue(key, {.run = [] {}, .after = newest_record(event)});
    return cudaSuccess;
  });
}

cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback,
                                  void* userData, unsigned int flags) {
  return api_call([&] {
    if (callback == nullptr || flags != 0) return cudaErrorInvalidValue;
    if (const cudaError_t error = check_stream(stream); error != cudaSuccess) return error;
    call_later(stream, [=] { callback(stream, sticky_error(), userData); });
    return cudaSuccess;
  });
}

cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void* userData) {
  return api_call([&] {
    if (function == nullptr) return cudaErrorInvalidValue;
    if (const cudaError_t error = check_stream(stream); error != cudaSuccess) return error;
    const auto call = [=] {
      if (sticky_error() == cudaSuccess) function(userData);
    };
    call_later(stream, call,
               is_captured(key_of(stream))
                   ? std::make_shared<const TaskParameters>(cudaHostNodeParams{function, userData})
                   : nullptr);
    return cudaSuccess;
  });
}

cudaError_t cudaStreamGetFlags(cudaStream_t stream, unsigned int* flags) {
  return api_call([&] {
    if (flags == nullptr) return cudaErrorInvalidValue;
    return with_stream(stream, [&](const CUstream_st& object) { *flags = object.flags; });
  });
}

cudaError_t cudaStreamGetPriority(cudaStream_t stream, int* priority) {
  return api_call([&] {
    if (priority == nullptr) return cudaErrorInvalidValue;
    return with_stream(stream, [&](const CUstream_st& object) { *priority = object.priority; });
  });
}

cudaError_t cudaStreamGetId(cudaStream_t stream, unsigned long long* id) {
  return api_call([&] {
    if (id == nullptr) return cudaErrorInvalidValue;
    return with_stream(stream, [&](const CUstream_st& object) { *id = object.id; });
  });
}

cudaError_t cudaStreamGetDevice(cudaStream_t stream, int* device) {
  return api_call([&] {
    if (device == nullptr) return cudaErrorInvalidValue;
    return with_stream(stream, [&](const CUstream_st&) { *device = 0; });
  });
}

cudaError_t cudaStreamGetAttribute(cudaStream_t stream, cudaStreamAttrID attribute,
                                   cudaStreamAttrValue* value) {
  return api_call([&] {
    if (value == nullptr || !known_attribute(attribute)) return cudaErrorInvalidValue;
    return with_stream(stream, [&](const CUstream_st& object) {
      const auto found = object.attributes.find(attribute);
      *value = found != object.attributes.end() ? found->second : cudaStreamAttrValue{};
      if (attribute == cudaLaunchAttributePriority) value->priority = object.priority;
    });
  });
}

cudaError_t cudaStreamSetAttribute(cudaStream_t stream, cudaStreamAttrID attribute,
                                   const cudaStreamAttrValue* value) {
  return api_call([&] {
    if (value == nullptr || !known_attribute(attribute) ||
        attribute == cudaLaunchAttributePriority) {
      return cudaErrorInvalidValue;
    }
    return with_stream(stream, [&](CUstream_st& object) { object.attributes[attribute] = *value; });
  });
}

cudaError_t cudaStreamCopyAttributes(cudaStream_t target, cudaStream_t source) {
  return api_call([&] {
    std::map<cudaLaunchAttributeID, cudaLaunchAttributeValue> attributes;
    const cudaError_t error =
        with_stream(source, [&](const CUstream_st& object) { attributes = object.attributes; });
    if (error != cudaSuccess) return error;
    return with_stream(target, [&](CUstream_st& object) { object.attributes = attributes; });
  });
}

// ---------------------------------------------------------------------------------------- events

cudaError_t cudaEventCreate(cudaEvent_t* event) {
  return api_call([&] { return cudaEventCreateWithFlags(event, cudaEventDefault); });
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned int flags) {
  if (in_kernel())
    return lane_call([&] {
      if (event == nullptr || (flags & ~unsigned{cudaEventBlockingSync}) != cudaEventDisableTiming)
        return cudaErrorInvalidValue;
      *event = queue_of_running_grid().create_event();
      return cudaSuccess;
    });
  return api_call([&] {
    // Only events without timing can be shared with other processes.
    const bool shared_with_time =
        (flags & cudaEventInterprocess) != 0 && (flags & cudaEventDisableTiming) == 0;
    if (event == nullptr || (flags & ~kEventFlags) != 0 || shared_with_time) {
      return cudaErrorInvalidValue;
    }
    if (sticky_error() != cudaSuccess) return sticky_error();
    *event = events().create({flags, 0, {}, nullptr});
    return cudaSuccess;
  });
}

cudaError_t cudaEventDestroy(cudaEvent_t event) {
  if (in_kernel()) return lane_call([&] { return queue_of_running_grid().destroy(event); });
  return api_call([&] {
    if (event == nullptr) return cudaErrorInvalidResourceHandle;
    if (sticky_error() != cudaSuccess) return sticky_error();
    return events().destroy(event) ? cudaSuccess : cudaErrorInvalidResourceHandle;
  });
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
  if (in_kernel()) return cudaEventRecordWithFlags(event, stream, cudaEventRecordDefault);
  return api_call([&] { return cudaEventRecordWithFlags(event, stream, cudaEventRecordDefault); });
}

cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream, unsigned int flags) {
  if (in_kernel())
    return lane_call(
        [&] { return queue_of_running_grid().record(running_grid_thread().block, event, stream); });
  return api_call([&] {
    if (const cudaError_t error = check_event(event); error != cudaSuccess) return error;
    if (!valid_stream(stream)) return cudaErrorInvalidResourceHandle;
    const StreamKey key = key_of(stream);
    if (const cudaError_t error = check_external_flag(flags, key); error != cudaSuccess)
      return error;
    if (flags == cudaEventRecordExternal)
      return capture_event(event, key, cudaGraphNodeTypeEventRecord);
    if (const cudaError_t error = refusal_beside_capture(key); error != cudaSuccess) return error;
    return runtime::record_event(event, key) ? cudaSuccess : cudaErrorInvalidResourceHandle;
  });
}

cudaError_t cudaEventSynchronize(cudaEvent_t event) {
  return api_call([&] {
    const cudaError_t error = check_wait(event);
    return error != cudaSuccess ? error : wait_for(newest_record(event));
  });
}

cudaError_t cudaEventQuery(cudaEvent_t event) {
  return api_call([&] {
    const cudaError_t error = check_wait(event);
    return error != cudaSuccess ? error : ask_for(newest_record(event));
  });
}

cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t start, cudaEvent_t end) {
  return api_call([&] {
    if (milliseconds == nullptr) return cudaErrorInvalidValue;
    if (const cudaError_t error = check_event(start); error != cudaSuccess) return error;
    if (const cudaError_t error = check_event(end); error != cudaSuccess) return error;
    CUevent_st first;
    CUevent_st last;
    events().with(start, [&](const CUevent_st& object) { first = object; });
    events().with(end, [&](const CUevent_st& object) { last = object; });
    if (first.captured.capture != 0 || last.captured.capture != 0) return cudaErrorCapturedEvent;
    const bool timed =
        first.time && last.time && ((first.flags | last.flags) & cudaEventDisableTiming) == 0;
    if (!timed) return cudaErrorInvalidResourceHandle;
    if (!is_finished(first.record) || !is_finished(last.record)) return cudaErrorNotReady;
    *milliseconds = std::chrono::duration<float, std::milli>(*last.time - *first.time).count();
    return cudaSuccess;
  });
}
