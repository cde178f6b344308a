// Tests kernels whose results depend on how lanes, warps and blocks are run.
#include <cuda_runtime.h>
#include <doctest/doctest.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cuda/ptx>
#include <numeric>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "emulator/counters.h"
#include "emulator/memory.h"

namespace {

[[maybe_unused]] const bool counts = (emu::set_counting(true), true);

template <class T>
class Device {
 public:
  explicit Device(std::size_t count, T value = {}) : host(count, value) {
    REQUIRE(cudaMalloc(&data, count * sizeof(T)) == cudaSuccess);
    REQUIRE(cudaMemcpy(data, host.data(), count * sizeof(T), cudaMemcpyHostToDevice) ==
            cudaSuccess);
  }
  ~Device() { cudaFree(data); }
  const std::vector<T>& read() {
    REQUIRE(cudaMemcpy(host.data(), data, host.size() * sizeof(T), cudaMemcpyDeviceToHost) ==
            cudaSuccess);
    return host;
  }
  T* data = nullptr;
  std::vector<T> host;
};

__global__ void reverse_in_block(int* values) {
  __shared__ int tile[256];
  const unsigned i = threadIdx.x;
  tile[i] = values[blockIdx.x * blockDim.x + i];
  __syncthreads();
  values[blockIdx.x * blockDim.x + i] = tile[blockDim.x - 1 - i];
}

__global__ void reverse_without_barrier(int* values) {
  __shared__ int tile[256];
  const unsigned i = threadIdx.x;
  tile[i] = values[blockIdx.x * blockDim.x + i];
  values[blockIdx.x * blockDim.x + i] = tile[blockDim.x - 1 - i];
}

__global__ void many_barriers(int* out, int turns) {
  __shared__ int turn_of[128];
  for (int turn = 0; turn < turns; ++turn) {
    turn_of[threadIdx.x] = turn + static_cast<int>(threadIdx.x);
    __syncthreads();
    out[threadIdx.x] += turn_of[(threadIdx.x + 1) % blockDim.x] - turn;
    __syncthreads();
  }
}

constexpr int kHalfABarrierLine = __LINE__ + 2;
__global__ void half_a_barrier(int* out) {
  if (threadIdx.x < 16) __syncthreads();
  __syncwarp();
  out[threadIdx.x] = 1;
}

__global__ void warp_waits_for_warp(int* out) {
  __shared__ volatile int flag;
  if (threadIdx.x == 0) flag = 0;
  __syncthreads();
  if (threadIdx.x == 0) {
    while (atomicAdd(const_cast<int*>(&flag), 0) == 0) {
    }
    out[0] = 7;
  } else if (threadIdx.x == 63) {
    atomicExch(const_cast<int*>(&flag), 1);
  }
}

__global__ void lock_inside_a_warp(int* lock, int* sum) {
  bool done = false;
  while (!done) {
    if (atomicCAS(lock, 0, 1) == 0) {
      *sum += 1;
      __threadfence();
      atomicExch(lock, 0);
      done = true;
    }
  }
}

__global__ void exits_early(int* out, int n) {
  if (static_cast<int>(threadIdx.x) >= n) return;
  __syncthreads();
  out[threadIdx.x] = __syncthreads_count(1);
}

__global__ void out_of_bounds(int* values) { values[1 << 28] = 1; }
constexpr int kNullPointerLine = __LINE__ + 1;
__global__ void null_pointer(int* values) { values[threadIdx.x] = 1; }
constexpr int kMisalignedLine = __LINE__ + 3;
__global__ void misaligned(int* values) {
  char* const place = reinterpret_cast<char*>(values + threadIdx.x);
  *reinterpret_cast<int*>(place + (threadIdx.x == 3 ? 2 : 0)) = 1;
}
/// Computes quotients and remainders of values by 0, and of the lowest number by -1.
template <typename T>
__global__ void divides(const T* values, T* quotients, T* remainders, T by) {
  quotients[threadIdx.x] = values[threadIdx.x] / by;
  remainders[threadIdx.x] = values[threadIdx.x] % by;
}
template <typename T>
__device__ T of_type = T(1.5);
template <typename T, int kCount>
__device__ T array_of[kCount];
template <typename T>
__constant__ T factor = T(3);
template <typename T>
__device__ T next() {
  static T number = T(8);
  return number += T(1);
}

__global__ void change_made_by_templates(float* out) {
  of_type<float> += 1;
  array_of<int, 5>[3] += 2;
  array_of<float, 7>[6] += 3;
  out[0] = of_type<float>;
  out[1] = static_cast<float>(array_of<int, 5>[3]);
  out[2] = array_of<float, 7>[6];
  out[3] = factor<float> + static_cast<float>(factor<int>);
  out[4] = next<float>() + static_cast<float>(next<int>());
}

__global__ void fill_with_index(int* values) {
  values[threadIdx.x] = static_cast<int>(threadIdx.x);
}

__global__ void deep(int* out, int depth) {
  volatile char big[400000];
  big[depth] = 1;
  volatile char more[400000];
  more[depth] = big[depth];
  out[0] = more[depth];
}

__global__ void long_loop(const int* in, int* out, int turns) {
  int sum = 0;
  for (int turn = 0; turn < turns; ++turn) sum += in[(turn + threadIdx.x) % 1024];
  out[threadIdx.x] = sum;
}

}  // namespace

TEST_CASE("a barrier lets every thread see what the others wrote, for any schedule") {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    emu::set_schedule_seed(seed);
    Device<int> values(1024);
    std::iota(values.host.begin(), values.host.end(), 0);
    cudaMemcpy(values.data, values.host.data(), 4096, cudaMemcpyHostToDevice);
    reverse_in_block<<<4, 256>>>(values.data);
    REQUIRE(cudaGetLastError() == cudaSuccess);
    const auto& result = values.read();
    for (int i = 0; i < 1024; ++i) REQUIRE(result[i] == i / 256 * 256 + 255 - i % 256);
  }
  emu::set_schedule_seed(0);
}

TEST_CASE("a missing barrier does not pass by luck") {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    emu::set_schedule_seed(seed);
    Device<int> values(256);
    std::iota(values.host.begin(), values.host.end(), 0);
    cudaMemcpy(values.data, values.host.data(), 1024, cudaMemcpyHostToDevice);
    reverse_without_barrier<<<1, 256>>>(values.data);
    int wrong = 0;
    const auto& result = values.read();
    for (int i = 0; i < 256; ++i) wrong += result[i] != 255 - i;
    CHECK(wrong > 0);
  }
  emu::set_schedule_seed(0);
}

TEST_CASE("thousands of barriers") {
  Device<int> out(128);
  many_barriers<<<1, 128>>>(out.data, 2000);
  REQUIRE(cudaGetLastError() == cudaSuccess);
  for (int i = 0; i < 128; ++i) CHECK(out.read()[i] == 2000 * ((i + 1) % 128));
}

TEST_CASE("threads that returned are not waited for") {
  for (const int n : {1, 31, 32, 33, 100, 128}) {
    CAPTURE(n);
    Device<int> out(128, -1);
    exits_early<<<1, 128>>>(out.data, n);
    REQUIRE(cudaGetLastError() == cudaSuccess);
    for (int i = 0; i < 128; ++i) CHECK(out.read()[i] == (i < n ? n : -1));
  }
}

TEST_CASE("waiting in a loop lets the others go on") {
  Device<int> out(1);
  warp_waits_for_warp<<<1, 64>>>(out.data);
  REQUIRE(cudaGetLastError() == cudaSuccess);
  CHECK(out.read()[0] == 7);

  Device<int> lock(1), sum(1);
  lock_inside_a_warp<<<8, 64>>>(lock.data, sum.data);
  REQUIRE(cudaGetLastError() == cudaSuccess);
  CHECK(sum.read()[0] == 512);
}

TEST_CASE("counters are the same for any number of workers and any schedule") {
  Device<int> in(1024, 1), out(64);
  std::vector<std::uint64_t> sectors, requests;
  for (const unsigned workers : {1u, 2u, 7u})
    for (const std::uint64_t seed : {0u, 1u, 99u}) {
      emu::set_worker_count(workers);
      emu::set_schedule_seed(seed);
      long_loop<<<20, 64>>>(in.data, out.data, 50);
      REQUIRE(cudaGetLastError() == cudaSuccess);
      sectors.push_back(emu::last_launch()->counters.global_load.sectors);
      requests.push_back(emu::last_launch()->counters.global_load.requests);
    }
  emu::set_worker_count(2);
  emu::set_schedule_seed(0);
  for (const auto value : requests) CHECK(value == 20 * 2 * 50);
  for (const auto value : sectors) CHECK(value == sectors.front());
}

TEST_CASE("a long loop is counted in pieces and to the end") {
  Device<int> in(1024, 1), out(32);
  constexpr int kTurns = 100000;
  long_loop<<<1, 32>>>(in.data, out.data, kTurns);
  REQUIRE(cudaGetLastError() == cudaSuccess);
  CHECK(out.read()[31] == kTurns);
  CHECK(emu::last_launch()->counters.global_load.requests == kTurns);
  CHECK(emu::last_launch()->counters.lane_instructions == 32ull * (kTurns + 1));
}

TEST_CASE("without counting, kernels compute the same and nothing is counted") {
  Device<int> in(1024, 1), out(32);
  emu::set_counting(false);
  long_loop<<<1, 32>>>(in.data, out.data, 10);
  emu::set_counting(true);
  CHECK(out.read()[0] == 10);
  CHECK(emu::last_launch()->counters.warp_instructions == 0);
}

/// Captures stderr during its lifetime.
class Stderr {
 public:
  Stderr() : file_(std::tmpfile()), before_(dup(STDERR_FILENO)) {
    std::fflush(stderr);
    dup2(fileno(file_), STDERR_FILENO);
  }
  ~Stderr() {
    dup2(before_, STDERR_FILENO);
    close(before_);
    std::fclose(file_);
  }
  std::string text() {
    std::fflush(stderr);
    std::string all(static_cast<std::size_t>(std::ftell(file_)), ' ');
    std::rewind(file_);
    const std::size_t read = std::fread(all.data(), 1, all.size(), file_);
    REQUIRE(read == all.size());
    return all;
  }

 private:
  std::FILE* file_;
  int before_;
};

// Copies are made late: a thread that does not wait reads the old contents.
__global__ void read_before_copy(const unsigned* in, unsigned* out, bool waits) {
  namespace ptx = cuda::ptx;
  __shared__ alignas(16) unsigned tile[64];
  __shared__ std::uint64_t barrier;
  if (threadIdx.x == 0) {
    ptx::mbarrier_init(&barrier, 1u);
    ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &barrier,
                                   std::uint32_t{sizeof tile});
    ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, tile, in, std::uint32_t{sizeof tile},
                       &barrier);
  }
  __syncthreads();
  while (waits && !ptx::mbarrier_test_wait_parity(&barrier, 0)) {
  }
  out[blockIdx.x * 64 + threadIdx.x] = tile[63 - threadIdx.x];
}

TEST_CASE("a bulk copy is made when somebody waits for it, whatever the number of threads") {
  constexpr unsigned kBlocks = 40;
  Device<unsigned> in(64, 7), out(64 * kBlocks);
  for (const unsigned workers : {1u, 3u}) {
    emu::set_worker_count(workers);
    read_before_copy<<<kBlocks, 64>>>(in.data, out.data, true);
    CHECK(out.read() == std::vector<unsigned>(64 * kBlocks, 7));
    read_before_copy<<<kBlocks, 64>>>(in.data, out.data, false);
    CHECK(out.read() == std::vector<unsigned>(64 * kBlocks, ~0u));
  }
  emu::set_worker_count(1);
}

// Two copies, one of which is waited for, and an empty copy, which does not count.
__global__ void wait_for_the_second(const unsigned* in, unsigned* out) {
  namespace ptx = cuda::ptx;
  __shared__ alignas(16) unsigned tiles[2][32];
  __shared__ std::uint64_t barriers[2];
  if (threadIdx.x == 0) {
    for (int i = 0; i < 2; ++i) {
      ptx::mbarrier_init(&barriers[i], 1u);
      ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared,
                                     &barriers[i], std::uint32_t{sizeof tiles[i]});
      ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, tiles[i], in,
                         std::uint32_t{sizeof tiles[i]}, &barriers[i]);
    }
    ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, tiles[0], in, 0u, &barriers[0]);
  }
  __syncwarp();
  while (!ptx::mbarrier_try_wait_parity(&barriers[1], 0)) {
  }
  for (int i = 0; i < 2; ++i) out[i * 32 + threadIdx.x] = tiles[i][threadIdx.x];
}

TEST_CASE("a bulk copy that nobody waits for does not come with one that somebody waits for") {
  Device<unsigned> in(32, 7), out(64);
  wait_for_the_second<<<1, 32>>>(in.data, out.data);
  std::vector<unsigned> expected(32, ~0u);
  expected.insert(expected.end(), 32, 7);
  CHECK(out.read() == expected);
  CHECK(emu::last_launch()->counters.bulk.copies == 2);
}

// A try_wait may return false; its caller may give up.
__global__ void give_up(int* tries) {
  __shared__ std::uint64_t barrier;
  if (threadIdx.x == 0) cuda::ptx::mbarrier_init(&barrier, 1u);
  __syncthreads();
  while (tries[threadIdx.x] < 100 && !cuda::ptx::mbarrier_try_wait_parity(&barrier, 0))
    ++tries[threadIdx.x];
}

TEST_CASE("who waits at an mbarrier may give up") {
  Device<int> tries(64);
  give_up<<<1, 64>>>(tries.data);
  CHECK(tries.read() == std::vector<int>(64, 100));
}

constexpr int kHalfAPhaseLine = __LINE__ + 6;
__global__ void half_a_phase() {
  __shared__ std::uint64_t barrier;
  if (threadIdx.x == 0) cuda::ptx::mbarrier_init(&barrier, 64u);
  __syncthreads();
  if (threadIdx.x < 32) cuda::ptx::mbarrier_arrive(&barrier);
  while (!cuda::ptx::mbarrier_try_wait_parity(&barrier, 0)) {
  }
}

// The cases below make the device unusable. A program cannot recover it, but this test can.
void revive() {
  emu::set_sticky_error(cudaSuccess);
  cudaGetLastError();
}

TEST_CASE("an mbarrier's phase that never ends is an error that says what is missing") {
  std::string said;
  {
    Stderr captured;
    half_a_phase<<<1, 64>>>();
    CHECK(cudaDeviceSynchronize() == cudaErrorLaunchTimeout);
    said = captured.text();
  }
  revive();
  CHECK(said ==
        "emulator: kernel half_a_phase, block (0,0,0): can never go on: 64 threads wait at an "
        "mbarrier (execution_test.cu:" +
            std::to_string(kHalfAPhaseLine) + "), which waits for 32 arrivals\n");
}

TEST_CASE("a barrier that never completes is an error that says where, not a hang") {
  Device<int> out(32);
  std::string said;
  {
    Stderr captured;
    half_a_barrier<<<1, 32>>>(out.data);
    CHECK(cudaGetLastError() == cudaSuccess);
    CHECK(cudaDeviceSynchronize() == cudaErrorLaunchTimeout);
    said = captured.text();
  }
  revive();
  CHECK(said ==
        "emulator: kernel half_a_barrier, block (0,0,0): can never go on: 16 threads wait at "
        "__syncthreads (execution_test.cu:" +
            std::to_string(kHalfABarrierLine) +
            "); 16 threads wait at __syncwarp (execution_test.cu:" +
            std::to_string(kHalfABarrierLine + 1) + ") with mask 0xffffffff\n");
}

TEST_CASE("a bad address is named with its kernel, thread and line") {
  Stderr captured;
  null_pointer<<<1, 1>>>(nullptr);
  CHECK(cudaDeviceSynchronize() == cudaErrorIllegalAddress);
  const std::string said = captured.text();
  revive();
  CHECK(said == "emulator: kernel null_pointer, block (0,0,0), thread (0,0,0), execution_test.cu:" +
                    std::to_string(kNullPointerLine) +
                    ": illegal address 0x0: a null pointer, or near one\n");
}

TEST_CASE("a misaligned address is named with its kernel, thread and line") {
  Device<int> memory(64);
  std::ostringstream address;
  address << "0x" << std::hex << reinterpret_cast<std::uintptr_t>(memory.data + 3) + 2;
  for (const bool counted : {true, false}) {
    CAPTURE(counted);
    emu::set_counting(counted);
    Stderr captured;
    misaligned<<<1, 32>>>(memory.data);
    CHECK(cudaDeviceSynchronize() == cudaErrorMisalignedAddress);
    const std::string said = captured.text();
    revive();
    CHECK(said == "emulator: kernel misaligned, block (0,0,0), thread (3,0,0), execution_test.cu:" +
                      std::to_string(kMisalignedLine) + ": misaligned address " + address.str() +
                      ": 4 bytes move only from and to multiples of 4\n");
  }
  emu::set_counting(true);
}

TEST_CASE("bad addresses: success at launch, cudaErrorIllegalAddress from then on") {
  for (const bool counted : {true, false}) {
    CAPTURE(counted);
    emu::set_counting(counted);
    int* memory = nullptr;
    REQUIRE(cudaMalloc(&memory, 4096) == cudaSuccess);
    out_of_bounds<<<1, 1>>>(memory);
    CHECK(cudaGetLastError() == cudaSuccess);
    CHECK(cudaDeviceSynchronize() == cudaErrorIllegalAddress);
    CHECK(cudaMalloc(&memory, 16) == cudaErrorIllegalAddress);
    revive();

    null_pointer<<<4, 64>>>(nullptr);
    CHECK(cudaDeviceSynchronize() == cudaErrorIllegalAddress);
    revive();
  }
  emu::set_counting(true);
}

TEST_CASE("host memory is not the device's") {
  std::vector<int> host(32);
  null_pointer<<<1, 32>>>(host.data());
  CHECK(cudaDeviceSynchronize() == cudaErrorIllegalAddress);
  revive();
}

#if defined(__x86_64__)  // other processors do not trap, so kernels end (cuda_compilation.cpp)
namespace {

/// Divides values by `by`. A quotient by 0 has all bits set, or only the lower 32 if the upper half
/// of a 64-bit dividend is 0; a remainder is the dividend. Results of an H100 on 2026-11-28.
template <typename T>
void check_divisions(T by) {
  constexpr int kBits = sizeof(T) * 8;
  const T lowest = T(T(1) << (kBits - 1));
  const std::vector<T> values = {7, T(-7), 0, 1, T(-1), lowest, T(~lowest), T(123456789012345)};
  const auto n = static_cast<unsigned>(values.size());
  Device<T> given(n), quotients(n), remainders(n);
  REQUIRE(cudaMemcpy(given.data, values.data(), n * sizeof(T), cudaMemcpyHostToDevice) ==
          cudaSuccess);
  divides<<<1, n>>>(given.data, quotients.data, remainders.data, by);
  CHECK(cudaDeviceSynchronize() == cudaSuccess);
  const std::vector<T>& found = quotients.read();
  const std::vector<T>& left = remainders.read();
  for (unsigned i = 0; i < n; ++i) {
    CAPTURE(i);
    if (by == 0) {
      const bool is_short = kBits == 64 && static_cast<std::uint64_t>(values[i]) >> 32 == 0;
      CHECK(found[i] == T(is_short ? 0xffffffffu : ~std::uint64_t{0}));
      CHECK(left[i] == values[i]);
    } else if (values[i] == lowest && by == T(-1)) {
      CHECK(found[i] == lowest);
      CHECK(left[i] == 0);
    } else {
      CHECK(found[i] == T(values[i] / by));
      CHECK(left[i] == T(values[i] % by));
    }
  }
}

}  // namespace

TEST_CASE_TEMPLATE("a division by zero goes on, as on a device", T, signed char, unsigned char,
                   short, unsigned short, int, unsigned, long long, unsigned long long) {
  for (const bool counting : {true, false}) {
    emu::set_counting(counting);
    check_divisions<T>(0);
    if constexpr (std::is_signed_v<T>) check_divisions<T>(-1);
    check_divisions<T>(3);
  }
  emu::set_counting(true);
}
#endif

TEST_CASE("variables that templates make are the device's, counted or not" *
          doctest::skip(!EMULATOR_HAS_PLUGIN)) {
  float* out = nullptr;
  REQUIRE(cudaMallocManaged(&out, 5 * sizeof(float)) == cudaSuccess);
  float first = 1.5f;
  REQUIRE(cudaMemcpyToSymbol(of_type<float>, &first, sizeof(first)) == cudaSuccess);
  for (const bool counted : {false, true}) {
    emu::set_counting(counted);
    change_made_by_templates<<<1, 1>>>(out);
    REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
    const float times = counted ? 2.0f : 1.0f;
    CHECK(out[0] == 1.5f + times);
    CHECK(out[1] == 2 * times);
    CHECK(out[2] == 3 * times);
    CHECK(out[3] == 6);
    CHECK(out[4] == 16 + 2 * times);
  }
  emu::set_counting(true);
  REQUIRE(cudaDeviceReset() == cudaSuccess);  // variables have their initial values again
  REQUIRE(cudaMallocManaged(&out, 5 * sizeof(float)) == cudaSuccess);
  change_made_by_templates<<<1, 1>>>(out);
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  CHECK(out[0] == 2.5f);
  CHECK(out[4] == 18);
  cudaFree(out);
}

TEST_CASE("a kernel that is called like a function does not run, and others still do") {
  Device<int> values(64, 7);
  const std::vector<int> before = values.read();
  const auto call = [](auto kernel, auto... arguments) { kernel(arguments...); };
  call(reverse_without_barrier, values.data);
  call(&reverse_without_barrier, values.data);
  std::thread([&] { call(reverse_without_barrier, values.data); }).join();
  CHECK(cudaGetLastError() == cudaSuccess);
  CHECK(values.read() == before);
  fill_with_index<<<1, 64>>>(values.data);
  CHECK(cudaDeviceSynchronize() == cudaSuccess);
  CHECK(values.read()[63] == 63);
  call(fill_with_index, values.data);
  std::thread([&] { fill_with_index<<<1, 64>>>(values.data + 0); }).join();
  CHECK(cudaDeviceSynchronize() == cudaSuccess);
}

TEST_CASE("too much local memory ends the kernel, not the program") {
  Device<int> out(1);
  deep<<<1, 1>>>(out.data, 10);
  CHECK(cudaDeviceSynchronize() == cudaErrorLaunchFailure);
  revive();
}
