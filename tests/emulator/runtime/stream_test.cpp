// Tests streams and events: handles, flags, priorities, times, as with CUDA 13.0 on an H100. Uses
// only the runtime API, and passes on a device, too.
#include <cuda_runtime.h>
#include <doctest/doctest.h>

#include <chrono>
#include <thread>

#include "cuda_error_text.hpp"

namespace {

struct Stream {
  Stream() { REQUIRE(cudaStreamCreate(&handle) == cudaSuccess); }
  ~Stream() { cudaStreamDestroy(handle); }
  cudaStream_t handle = nullptr;
};

struct Event {
  explicit Event(unsigned flags = cudaEventDefault) {
    REQUIRE(cudaEventCreateWithFlags(&handle, flags) == cudaSuccess);
  }
  ~Event() { cudaEventDestroy(handle); }
  cudaEvent_t handle = nullptr;
};

}  // namespace

TEST_CASE("streams are created with known flags") {
  cudaStream_t stream = nullptr;
  CHECK(cudaStreamCreate(nullptr) == cudaErrorInvalidValue);
  CHECK(cudaStreamCreateWithFlags(&stream, 2) == cudaErrorInvalidValue);
  REQUIRE(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking) == cudaSuccess);
  unsigned flags = 0;
  CHECK(cudaStreamGetFlags(stream, &flags) == cudaSuccess);
  CHECK(flags == cudaStreamNonBlocking);
  CHECK(cudaStreamGetFlags(nullptr, &flags) == cudaSuccess);
  CHECK(flags == cudaStreamDefault);
  CHECK(cudaStreamQuery(stream) == cudaSuccess);
  CHECK(cudaStreamSynchronize(stream) == cudaSuccess);
  CHECK(cudaStreamDestroy(stream) == cudaSuccess);
}

TEST_CASE("the default streams exist always and cannot be destroyed") {
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  for (const cudaStream_t stream : {cudaStream_t{}, cudaStreamLegacy, cudaStreamPerThread}) {
    CHECK(cudaStreamQuery(stream) == cudaSuccess);
    CHECK(cudaStreamSynchronize(stream) == cudaSuccess);
    CHECK(cudaStreamDestroy(stream) == cudaErrorInvalidResourceHandle);
  }
}

TEST_CASE("priorities are clamped to the device's range") {
  int least = 99;
  int greatest = 99;
  REQUIRE(cudaDeviceGetStreamPriorityRange(&least, &greatest) == cudaSuccess);
  CHECK(least == 0);
  CHECK(greatest == -5);
  CHECK(cudaDeviceGetStreamPriorityRange(nullptr, nullptr) == cudaSuccess);
  struct Case {
    int asked, given;
  };
  for (const Case c : {Case{-100, -5}, Case{-3, -3}, Case{100, 0}}) {
    cudaStream_t stream = nullptr;
    REQUIRE(cudaStreamCreateWithPriority(&stream, cudaStreamNonBlocking, c.asked) == cudaSuccess);
    int priority = 99;
    CHECK(cudaStreamGetPriority(stream, &priority) == cudaSuccess);
    CHECK(priority == c.given);
    CHECK(cudaStreamGetPriority(stream, nullptr) == cudaErrorInvalidValue);
    CHECK(cudaStreamDestroy(stream) == cudaSuccess);
  }
}

TEST_CASE("streams have different numbers, and a device") {
  const Stream one;
  const Stream two;
  unsigned long long ids[4] = {};
  CHECK(cudaStreamGetId(one.handle, &ids[0]) == cudaSuccess);
  CHECK(cudaStreamGetId(two.handle, &ids[1]) == cudaSuccess);
  CHECK(cudaStreamGetId(nullptr, &ids[2]) == cudaSuccess);
  CHECK(cudaStreamGetId(cudaStreamPerThread, &ids[3]) == cudaSuccess);
  for (int i = 0; i < 4; ++i) {
    for (int j = 0; j < i; ++j) CHECK(ids[i] != ids[j]);
  }
  int device = 99;
  CHECK(cudaStreamGetDevice(one.handle, &device) == cudaSuccess);
  CHECK(device == 0);
}

TEST_CASE("attributes of streams") {
  const Stream stream;
  cudaStreamAttrValue value{};
  CHECK(cudaStreamGetAttribute(stream.handle, cudaStreamAttributeAccessPolicyWindow, &value) ==
        cudaSuccess);
  CHECK(cudaStreamGetAttribute(stream.handle, cudaStreamAttributePriority, &value) == cudaSuccess);
  CHECK(value.priority == 0);
  CHECK(cudaStreamGetAttribute(stream.handle, cudaLaunchAttributeCooperative, &value) ==
        cudaErrorInvalidValue);
  cudaStreamCaptureStatus status = cudaStreamCaptureStatusActive;
  CHECK(cudaStreamIsCapturing(stream.handle, &status) == cudaSuccess);
  CHECK(status == cudaStreamCaptureStatusNone);
}

TEST_CASE("host functions run, and may not call the runtime") {
  const Stream stream;
  CHECK(cudaLaunchHostFunc(stream.handle, nullptr, nullptr) == cudaErrorInvalidValue);
  CHECK(cudaStreamAddCallback(stream.handle, nullptr, nullptr, 0) == cudaErrorInvalidValue);
  const cudaStreamCallback_t callback = [](cudaStream_t, cudaError_t status, void* data) {
    *static_cast<cudaError_t*>(data) = status;
  };
  CHECK(cudaStreamAddCallback(stream.handle, callback, nullptr, 1) == cudaErrorInvalidValue);

  struct Seen {
    cudaError_t from_malloc, from_device, from_last, from_query;
  } seen{};
  REQUIRE(cudaLaunchHostFunc(
              stream.handle,
              [](void* data) {
                auto& result = *static_cast<Seen*>(data);
                void* pointer = nullptr;
                int device = 0;
                result.from_malloc = cudaMalloc(&pointer, 4);
                result.from_device = cudaGetDevice(&device);
                result.from_last = cudaGetLastError();
                result.from_query = cudaStreamQuery(nullptr);
              },
              &seen) == cudaSuccess);
  CHECK(cudaStreamSynchronize(stream.handle) == cudaSuccess);
  CHECK(seen.from_malloc == cudaErrorNotPermitted);
  CHECK(seen.from_device == cudaErrorNotPermitted);
  CHECK(seen.from_last == cudaErrorNotPermitted);
  CHECK(seen.from_query == cudaErrorNotPermitted);

  cudaError_t status = cudaErrorUnknown;
  REQUIRE(cudaStreamAddCallback(stream.handle, callback, &status, 0) == cudaSuccess);
  CHECK(cudaStreamSynchronize(stream.handle) == cudaSuccess);
  CHECK(status == cudaSuccess);
}

TEST_CASE("events are created with known flags") {
  cudaEvent_t event = nullptr;
  CHECK(cudaEventCreate(nullptr) == cudaErrorInvalidValue);
  CHECK(cudaEventCreateWithFlags(&event, 8) == cudaErrorInvalidValue);
  CHECK(cudaEventCreateWithFlags(&event, cudaEventInterprocess) == cudaErrorInvalidValue);
  CHECK(cudaEventCreate(&event, cudaEventBlockingSync) == cudaSuccess);
  CHECK(cudaEventDestroy(event) == cudaSuccess);
}

TEST_CASE("a null event is no event") {
  const Event event;
  float ms = 0;
  CHECK(cudaEventRecord(nullptr) == cudaErrorInvalidResourceHandle);
  CHECK(cudaEventQuery(nullptr) == cudaErrorInvalidResourceHandle);
  CHECK(cudaEventSynchronize(nullptr) == cudaErrorInvalidResourceHandle);
  CHECK(cudaEventDestroy(nullptr) == cudaErrorInvalidResourceHandle);
  CHECK(cudaEventElapsedTime(&ms, nullptr, event.handle) == cudaErrorInvalidResourceHandle);
  CHECK(cudaStreamWaitEvent(nullptr, nullptr, 0) == cudaErrorInvalidResourceHandle);
}

TEST_CASE("events before their record are done, and have no time") {
  const Event start;
  const Event stop;
  float ms = 0;
  CHECK(cudaEventQuery(start.handle) == cudaSuccess);
  CHECK(cudaEventSynchronize(start.handle) == cudaSuccess);
  CHECK(cudaStreamWaitEvent(nullptr, start.handle, 0) == cudaSuccess);
  CHECK(cudaEventElapsedTime(&ms, start.handle, stop.handle) == cudaErrorInvalidResourceHandle);
  CHECK(cudaEventRecord(start.handle) == cudaSuccess);
  CHECK(cudaEventElapsedTime(&ms, start.handle, stop.handle) == cudaErrorInvalidResourceHandle);
}

TEST_CASE("elapsed time is the time between two records") {
  const Stream stream;
  const Event start;
  const Event stop;
  const Event without_time(cudaEventDisableTiming);
  constexpr auto kPause = std::chrono::milliseconds(20);
  CHECK(cudaEventRecord(start.handle, stream.handle) == cudaSuccess);
  CHECK(cudaEventSynchronize(start.handle) == cudaSuccess);
  std::this_thread::sleep_for(kPause);
  CHECK(cudaEventRecord(stop.handle, stream.handle) == cudaSuccess);
  CHECK(cudaEventRecord(without_time.handle) == cudaSuccess);
  CHECK(cudaDeviceSynchronize() == cudaSuccess);
  float ms = 0;
  CHECK(cudaEventElapsedTime(&ms, start.handle, stop.handle) == cudaSuccess);
  CHECK(ms >= 19.5f);
  CHECK(ms < 20'000.0f);
  float back = 0;
  CHECK(cudaEventElapsedTime(&back, stop.handle, start.handle) == cudaSuccess);
  CHECK(back == doctest::Approx(-ms));
  CHECK(cudaEventElapsedTime(&ms, start.handle, start.handle) == cudaSuccess);
  CHECK(ms == 0);
  CHECK(cudaEventElapsedTime(nullptr, start.handle, stop.handle) == cudaErrorInvalidValue);
  CHECK(cudaEventElapsedTime(&ms, start.handle, without_time.handle) ==
        cudaErrorInvalidResourceHandle);
}

TEST_CASE("flags of records and waits") {
  const Stream stream;
  const Event event;
  CHECK(cudaEventRecordWithFlags(event.handle, stream.handle, cudaEventRecordDefault) ==
        cudaSuccess);
  CHECK(cudaEventRecordWithFlags(event.handle, stream.handle, 2) == cudaErrorInvalidValue);
  CHECK(cudaEventRecordWithFlags(event.handle, stream.handle, cudaEventRecordExternal) ==
        cudaErrorIllegalState);
  CHECK(cudaStreamWaitEvent(stream.handle, event.handle, 2) == cudaErrorInvalidValue);
}
