// Tests which work a call waits for, and which is deferred, as with CUDA 13.0 on an H200. Uses only
// the runtime API, and passes on a device, too.
#include <cuda_runtime.h>
#include <doctest/doctest.h>

#include <atomic>
#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "cuda_error_text.hpp"

namespace {

constexpr int kMilliseconds = 8;
constexpr std::size_t kMegabyte = 1 << 20;

/// Runs for at least half of `milliseconds` or so, then sets `*flag`.
__global__ void set_late(volatile int* flag, int value, int milliseconds) {
  const long long begin = clock64();
  while (clock64() - begin < milliseconds * 1'000'000ll) {
  }
  if (flag) *flag = value;
}

__global__ void copy_number(int* to, const volatile int* from) { *to = *from; }

/// Runs until another thread sets `*flag`.
__global__ void wait_for(const volatile int* flag, int* answer) {
  while (*flag == 0) {
  }
  if (answer) *answer = *flag + 1;
}

__device__ int variable;

/// Memory and streams of each kind, shared by all tests.
struct Things {
  Things() {
    REQUIRE(cudaMallocHost(&flag, 4) == cudaSuccess);
    REQUIRE(cudaMallocHost(&pinned, kMegabyte) == cudaSuccess);
    REQUIRE(cudaMalloc(&device, kMegabyte) == cudaSuccess);
    REQUIRE(cudaMallocManaged(&managed, 4096) == cudaSuccess);
    REQUIRE(cudaStreamCreate(&blocking) == cudaSuccess);
    REQUIRE(cudaStreamCreate(&other) == cudaSuccess);
    REQUIRE(cudaStreamCreateWithFlags(&non_blocking, cudaStreamNonBlocking) == cudaSuccess);
    REQUIRE(cudaEventCreate(&event) == cudaSuccess);
    REQUIRE(cudaEventCreate(&end) == cudaSuccess);
    pageable.resize(kMegabyte / 4);
    // Done on a device at the first call only: loading kernels, creating a memory pool.
    set_late<<<1, 1>>>(flag, 0, 0);
    copy_number<<<1, 1>>>(device, flag);
    void* memory = nullptr;
    REQUIRE(cudaMallocAsync(&memory, 4096, blocking) == cudaSuccess);
    REQUIRE(cudaFreeAsync(memory, blocking) == cudaSuccess);
    REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  }
  int *flag = nullptr, *pinned = nullptr, *device = nullptr, *managed = nullptr;
  cudaStream_t blocking = nullptr, other = nullptr, non_blocking = nullptr;
  cudaEvent_t event = nullptr, end = nullptr;
  std::vector<int> pageable;
};
Things& things() {
  static Things& all = *new Things;
  return all;
}

int now(const int& number) { return *static_cast<const volatile int*>(&number); }

/// Returns whether `call` returns only after the kernel launched before in `stream`.
bool waits(cudaStream_t stream, const std::function<void()>& call) {
  Things& t = things();
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  *t.flag = 0;
  set_late<<<1, 1, 0, stream>>>(t.flag, 1, kMilliseconds);
  call();
  const bool is_over = now(*t.flag) != 0;
  CHECK(cudaDeviceSynchronize() == cudaSuccess);
  CHECK(now(*t.flag) == 1);
  CHECK(cudaGetLastError() == cudaSuccess);
  return is_over;
}

struct Case {
  std::string name;
  std::function<void()> call;
};

#define CASE(...)                            \
  Case {                                     \
#__VA_ARGS__, [&] { (void)__VA_ARGS__; } \
  }

}  // namespace

TEST_CASE("calls that wait for the stream they are put into, and others that do not") {
  Things& t = things();
  const void* const source = t.pageable.data();
  int* const host = t.pageable.data();
  const auto d2h = cudaMemcpyDeviceToHost;
  const auto h2d = cudaMemcpyHostToDevice;
  for (const cudaStream_t s : {cudaStream_t{}, t.blocking, t.non_blocking, cudaStreamPerThread}) {
    CAPTURE(s);
    const Case waiting[] = {
        CASE(cudaDeviceSynchronize()),
        CASE(cudaStreamSynchronize(s)),
        CASE(cudaMemcpyAsync(host, t.device, 4, d2h, s)),
        CASE(cudaMemcpyAsync(host, t.device, kMegabyte, d2h, s)),
        CASE(cudaMemcpyAsync(host, host + 8, 4, cudaMemcpyHostToHost, s)),
        CASE(cudaMemcpyAsync(t.pinned, source, 4, cudaMemcpyHostToHost, s)),
        CASE(cudaMemcpyAsync(host, t.pinned, 4, cudaMemcpyDefault, s)),
        CASE(cudaMemcpyAsync(host, t.managed, 4, cudaMemcpyDefault, s)),
        {"an event", [&] { cudaEventRecord(t.event, s), cudaEventSynchronize(t.event); }},
        {"an event in another stream",
         [&] {
           cudaEventRecord(t.event, s);
           cudaStreamWaitEvent(t.other, t.event, 0);
           cudaStreamSynchronize(t.other);
         }},
    };
    for (const Case& c : waiting) {
      CAPTURE(c.name);
      CHECK(waits(s, c.call));
    }
    void *memory = nullptr, *pinned = nullptr, *managed = nullptr;
    const Case going_on[] = {
        CASE(cudaMemcpyAsync(t.device, source, 4, h2d, s)),
        CASE(cudaMemcpyAsync(t.device, source, kMegabyte, h2d, s)),
        CASE(cudaMemcpyAsync(t.device, t.device + 8, 4, cudaMemcpyDeviceToDevice, s)),
        CASE(cudaMemcpyAsync(t.pinned, t.device, 4, d2h, s)),
        CASE(cudaMemcpyAsync(t.device, t.pinned, 4, h2d, s)),
        CASE(cudaMemcpyAsync(t.managed, source, 4, cudaMemcpyDefault, s)),
        CASE(cudaMemcpy2DAsync(t.device, 64, source, 64, 4, 4, h2d, s)),
        CASE(cudaMemcpyToSymbolAsync(variable, source, 4, 0, h2d, s)),
        CASE(cudaMemsetAsync(t.device, 0, 4, s)),
        CASE(cudaMemsetAsync(t.pinned, 0, 4, s)),
        CASE(cudaMemsetAsync(t.managed, 0, 4, s)),
        CASE(cudaMemcpy(t.device, t.device + 8, 4, cudaMemcpyDeviceToDevice)),
        CASE(cudaMemset(t.device, 0, 4)),
        CASE(cudaEventRecord(t.event, s)),
        CASE(cudaLaunchHostFunc(
            s, [](void*) {}, nullptr)),
        {"a stream made and destroyed",
         [&] {
           cudaStream_t stream;
           cudaStreamCreate(&stream);
           cudaStreamDestroy(stream);
         }},
        {"stream-ordered memory",
         [&] {
           void* ordered = nullptr;
           cudaMallocAsync(&ordered, 4096, s);
           cudaMemsetAsync(ordered, 0, 4096, s);
           cudaFreeAsync(ordered, s);
         }},
        CASE(cudaFree(nullptr)),
        CASE(cudaMalloc(&memory, 4096)),
        CASE(cudaMallocHost(&pinned, 4096)),
        CASE(cudaMallocManaged(&managed, 4096)),
    };
    for (const Case& c : going_on) {
      CAPTURE(c.name);
      CHECK(!waits(s, c.call));
    }
    const Case freeing[] = {
        CASE(cudaFree(memory)),
        CASE(cudaFreeHost(pinned)),
        CASE(cudaFree(managed)),
    };
    for (const Case& c : freeing) {
      CAPTURE(c.name);
      CHECK(waits(s, c.call));
    }
  }
}

TEST_CASE("what waits for the legacy default stream waits for blocking streams") {
  Things& t = things();
  int* const host = t.pageable.data();
  struct Stream {
    cudaStream_t handle;
    bool is_blocking;
  };
  for (const Stream s : {Stream{nullptr, true}, Stream{t.blocking, true},
                         Stream{cudaStreamPerThread, true}, Stream{t.non_blocking, false}}) {
    CAPTURE(s.handle);
    const Case in_legacy[] = {
        CASE(cudaStreamSynchronize(nullptr)),
        CASE(cudaMemcpy(host, t.device, 4, cudaMemcpyDeviceToHost)),
        CASE(cudaMemcpy(t.device, host, 4, cudaMemcpyHostToDevice)),
        CASE(cudaMemcpy(t.device, t.pinned, 4, cudaMemcpyHostToDevice)),
        CASE(cudaMemcpy(t.pinned, t.device, 4, cudaMemcpyDeviceToHost)),
        CASE(cudaMemcpy(host, host + 8, 4, cudaMemcpyHostToHost)),
        CASE(cudaMemcpy2D(t.device, 64, host, 64, 4, 4, cudaMemcpyHostToDevice)),
        CASE(cudaMemcpyToSymbol(variable, host, 4)),
        CASE(cudaMemcpyFromSymbol(host, variable, 4)),
        CASE(cudaMemset(t.pinned, 0, 4)),
        CASE(cudaMemset(t.managed, 0, 4)),
        {"an event", [&] { cudaEventRecord(t.event), cudaEventSynchronize(t.event); }},
        {"a kernel",
         [&] {
           set_late<<<1, 1>>>(nullptr, 0, 0);
           cudaStreamSynchronize(nullptr);
         }},
    };
    for (const Case& c : in_legacy) {
      CAPTURE(c.name);
      CHECK(waits(s.handle, c.call) == s.is_blocking);
    }
    const auto kernel_in_other = [&] {
      set_late<<<1, 1, 0, t.other>>>(nullptr, 0, 0);
      cudaStreamSynchronize(t.other);
    };
    CHECK(waits(s.handle, kernel_in_other) == (s.handle == nullptr));
    CHECK(!waits(s.handle, CASE(cudaStreamSynchronize(t.other)).call));
  }
}

TEST_CASE("queries tell what is not over, and leave no error") {
  Things& t = things();
  for (const cudaStream_t s : {cudaStream_t{}, t.blocking, t.non_blocking, cudaStreamPerThread}) {
    CAPTURE(s);
    const auto begin = [&] {
      REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
      CHECK(cudaEventRecord(t.event, s) == cudaSuccess);
      set_late<<<1, 1, 0, s>>>(nullptr, 0, kMilliseconds);
      CHECK(cudaEventRecord(t.end, s) == cudaSuccess);
    };
    begin();
    CHECK(cudaStreamQuery(s) == cudaErrorNotReady);
    begin();
    CHECK(cudaStreamQuery(nullptr) == (s == t.non_blocking ? cudaSuccess : cudaErrorNotReady));
    begin();
    CHECK(cudaStreamQuery(t.other) == cudaSuccess);
    CHECK(cudaEventQuery(t.end) == cudaErrorNotReady);
    begin();
    float ms = -1;
    CHECK(cudaEventElapsedTime(&ms, t.event, t.end) == cudaErrorNotReady);
    CHECK(cudaGetLastError() == cudaSuccess);
    while (cudaEventQuery(t.end) == cudaErrorNotReady) {
    }
    CHECK(cudaEventElapsedTime(&ms, t.event, t.end) == cudaSuccess);
    CHECK(ms >= kMilliseconds / 4.0f);
    CHECK(ms < 1000.0f);
    CHECK(cudaStreamQuery(s) == cudaSuccess);
    CHECK(cudaEventQuery(t.end) == cudaSuccess);
  }
}

TEST_CASE("memory that the host reads or writes too early") {
  Things& t = things();
  for (const cudaStream_t s : {cudaStream_t{}, t.blocking, t.non_blocking, cudaStreamPerThread}) {
    CAPTURE(s);
    const auto spin = [&](int* flag) { set_late<<<1, 1, 0, s>>>(flag, 7, kMilliseconds); };
    for (int* const shared : {t.pinned, t.managed}) {
      CHECK(cudaDeviceSynchronize() == cudaSuccess);
      *shared = 3;
      spin(shared);
      CHECK(now(*shared) == 3);
      CHECK(cudaStreamSynchronize(s) == cudaSuccess);
      CHECK(now(*shared) == 7);
    }
    // A copy reads pinned memory when it is executed, and pageable memory before the call returns.
    int result = 0;
    int& ordinary = t.pageable[0];
    spin(nullptr);
    *t.pinned = 5;
    CHECK(cudaMemcpyAsync(t.device, t.pinned, 4, cudaMemcpyHostToDevice, s) == cudaSuccess);
    *t.pinned = 6;
    CHECK(cudaDeviceSynchronize() == cudaSuccess);
    CHECK(cudaMemcpy(&result, t.device, 4, cudaMemcpyDeviceToHost) == cudaSuccess);
    CHECK(result == 6);
    spin(nullptr);
    ordinary = 5;
    CHECK(cudaMemcpyAsync(t.device, &ordinary, 4, cudaMemcpyHostToDevice, s) == cudaSuccess);
    ordinary = 6;
    CHECK(cudaDeviceSynchronize() == cudaSuccess);
    CHECK(cudaMemcpy(&result, t.device, 4, cudaMemcpyDeviceToHost) == cudaSuccess);
    CHECK(result == 5);
  }
}

TEST_CASE("a function of the host runs in its turn") {
  Things& t = things();
  static std::atomic<int> turns, seen;
  turns = seen = 0;
  *t.flag = 0;
  set_late<<<1, 1, 0, t.blocking>>>(t.flag, 1, kMilliseconds);
  const auto look = [](void* flag) { seen = *static_cast<const volatile int*>(flag), ++turns; };
  CHECK(cudaLaunchHostFunc(t.blocking, look, t.flag) == cudaSuccess);
  CHECK(turns == 0);
  CHECK(cudaStreamSynchronize(t.blocking) == cudaSuccess);
  CHECK(turns == 1);
  CHECK(seen == 1);
}

TEST_CASE("streams wait for the events that they are told to wait for") {
  Things& t = things();
  *t.flag = *t.pinned = 0;
  set_late<<<1, 1, 0, t.non_blocking>>>(t.flag, 1, kMilliseconds);
  CHECK(cudaEventRecord(t.event, t.non_blocking) == cudaSuccess);
  CHECK(cudaStreamWaitEvent(t.other, t.event, 0) == cudaSuccess);
  copy_number<<<1, 1, 0, t.other>>>(t.pinned, t.flag);
  CHECK(cudaEventRecord(t.event, t.blocking) == cudaSuccess);  // not involved
  CHECK(cudaStreamSynchronize(t.other) == cudaSuccess);
  CHECK(now(*t.pinned) == 1);
}

TEST_CASE("a program may look at memory until a kernel has written there") {
  Things& t = things();
  *t.flag = 0;
  set_late<<<1, 1, 0, t.blocking>>>(t.flag, 1, kMilliseconds);
  while (now(*t.flag) == 0) std::this_thread::yield();
  CHECK(cudaStreamQuery(t.non_blocking) == cudaSuccess);
  CHECK(cudaDeviceSynchronize() == cudaSuccess);
}

TEST_CASE("kernels that wait for the host, and calls that do not wait for kernels") {
  Things& t = things();
  const auto begin = [&] {
    REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
    *t.flag = *t.pinned = 0;
    wait_for<<<1, 1, 0, t.non_blocking>>>(t.flag, t.pinned);
    CHECK(cudaStreamQuery(t.non_blocking) == cudaErrorNotReady);
  };
  const auto end = [&] {
    CHECK(now(*t.pinned) == 0);
    *static_cast<volatile int*>(t.flag) = 1;
    CHECK(cudaStreamSynchronize(t.non_blocking) == cudaSuccess);
    CHECK(now(*t.pinned) == 2);
  };
  begin();
  end();
  // Other streams continue meanwhile.
  begin();
  set_late<<<1, 1, 0, t.other>>>(nullptr, 0, 0);
  CHECK(cudaMemsetAsync(t.device, 0, 4, t.other) == cudaSuccess);
  CHECK(cudaStreamQuery(t.non_blocking) == cudaErrorNotReady);
  end();
  // So do copies that the kernel waits for.
  REQUIRE(cudaMemset(t.device, 0, 4) == cudaSuccess);
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  *t.flag = 1, *t.pinned = 0;
  wait_for<<<1, 1, 0, t.non_blocking>>>(t.device, t.pinned);
  CHECK(cudaStreamQuery(t.non_blocking) == cudaErrorNotReady);
  CHECK(cudaMemcpyAsync(t.device, t.flag, 4, cudaMemcpyHostToDevice, t.other) == cudaSuccess);
  CHECK(cudaDeviceSynchronize() == cudaSuccess);
  CHECK(now(*t.pinned) == 2);
  // A query does not run work that the caller blocks.
  static std::mutex held;
  {
    const std::lock_guard lock(held);
    const auto wait = [](void*) { const std::lock_guard lock_too(held); };
    CHECK(cudaLaunchHostFunc(t.other, wait, nullptr) == cudaSuccess);
    CHECK(cudaEventRecord(t.event, t.other) == cudaSuccess);
    CHECK(cudaEventQuery(t.event) == cudaErrorNotReady);
  }
  CHECK(cudaStreamSynchronize(t.other) == cudaSuccess);
}

TEST_CASE("threads of the host wait for each other's work, too") {
  Things& t = things();
  *t.flag = 0;
  std::thread([&] { set_late<<<1, 1, 0, t.blocking>>>(t.flag, 1, kMilliseconds); }).join();
  std::thread([&] { CHECK(cudaStreamSynchronize(t.blocking) == cudaSuccess); }).join();
  CHECK(now(*t.flag) == 1);
  // The per-thread default stream differs between threads.
  *t.flag = 0;
  std::thread([&] { set_late<<<1, 1, 0, cudaStreamPerThread>>>(t.flag, 1, kMilliseconds); }).join();
  CHECK(cudaStreamQuery(cudaStreamPerThread) == cudaSuccess);
  CHECK(cudaDeviceSynchronize() == cudaSuccess);
  CHECK(now(*t.flag) == 1);
}

TEST_CASE("more launches than a queue holds") {
  Things& t = things();
  CHECK(cudaMemset(t.device, 0, 4) == cudaSuccess);
  constexpr int kLaunches = 5000;
  for (int i = 0; i < kLaunches; ++i) copy_number<<<1, 1>>>(t.device + 1 + i % 2, t.device);
  CHECK(cudaDeviceSynchronize() == cudaSuccess);
}
