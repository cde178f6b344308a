// Tests that all forms of a kernel give the same results and the same errors.
#include <doctest/doctest.h>
#include <unistd.h>

#include <cassert>
#include <cstdio>
#include <string>
#include <vector>

#include "emulator/counters.h"
#include "emulator/memory.h"

namespace {

constexpr int kThreads = 96;
constexpr int kBlocks = 5;
constexpr int kElements = kThreads * kBlocks;

/// Returns a thread's index in the grid.
__device__ int place() {
  return static_cast<int>((blockIdx.x * blockDim.z + threadIdx.z) * blockDim.y * blockDim.x +
                          threadIdx.y * blockDim.x + threadIdx.x);
}

__device__ unsigned rank_in_block() {
  return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
}

__global__ void without_barrier(const int* in, int* out, int n) {
  const int i = place();
  if (i >= n) return;
  int sum = 0;
  for (int k = 0; k < i % 7; ++k) sum += in[(i + k) % n] * (k + 1);
  out[i] = sum;
}

/// A thread's own array is separate from the next thread's.
__global__ void own_array(const int* in, int* out, int n) {
  const int i = place();
  int own[4] = {i, 2 * i, 3, 4};
  for (int k = 0; k < 3; ++k) own[(i + k) & 3] += in[(i + k) % n];
  own[in[i] & 3] -= 7;
  out[i] = own[0] + 10 * own[1] + own[i & 3] * own[3];
}

/// A vector that is built by members and moved as a whole.
__global__ void own_vector(const int* in, int* out, int n) {
  const int i = place();
  int4 four = {in[i], i, 1, 2};
  if (i % 3 == 0) four.z = in[(i + 1) % n];
  const int4 copy = four;
  four = {copy.w, copy.z, copy.y, copy.x};
  out[i] = four.x + 3 * four.y + 5 * four.z + 7 * four.w;
}

__global__ void barrier_in_loop(const int* in, int* out, int n) {
  __shared__ int s[kThreads];
  const unsigned t = rank_in_block();
  int mine = in[place() % n];
  for (int round = 0; round < 5; ++round) {
    s[t] = mine;
    __syncthreads();
    mine += s[(t + 7) % kThreads] - round;
    __syncthreads();
  }
  out[place()] = mine + static_cast<int>(threadIdx.x);
}

/// Some threads return before the barrier, some wait in different lines.
__global__ void some_leave(const int* in, int* out, int n) {
  __shared__ int s[kThreads];
  const unsigned t = rank_in_block();
  s[t] = in[place() % n];
  if (t % 3 == 0) return;
  if (t % 2 == 0) {
    s[t] += 2;
    __syncthreads();
  } else {
    s[t] -= 3;
    __syncthreads();
  }
  out[place()] = s[(t + 1) % kThreads / 3 * 3 + 1];
}

__device__ int turned(int* s, int mine, unsigned t) {
  s[t] = mine;
  __syncthreads();
  const int other = s[kThreads - 1 - t];
  __syncthreads();
  return other;
}

__global__ void barrier_in_function(const int* in, int* out, int n) {
  extern __shared__ int dynamic[];
  const unsigned t = rank_in_block();
  int mine = in[place() % n];
  mine = turned(dynamic, mine, t) - mine;
  mine += turned(dynamic, mine * 2, t);
  out[place()] = mine;
}

struct Pair {
  float first;
  double second;
};

/// A struct and an array that a thread keeps across a barrier.
__global__ void keeps_memory(const int* in, int* out, int n) {
  __shared__ int s[kThreads];
  const unsigned t = rank_in_block();
  int own[9];
  Pair pair{static_cast<float>(t), 2.5};
  for (int k = 0; k < 9; ++k) own[k] = in[(place() + k * k) % n];
  s[t] = own[t % 9];
  __syncthreads();
  pair.second += s[(t + 1) % kThreads];
  own[s[t] & 7] += 5;
  __syncthreads();
  out[place()] = own[(t + 3) % 9] + static_cast<int>(pair.first + pair.second);
}

/// An array whose address is used across a barrier.
__global__ void keeps_address(const int* in, int* out, int n) {
  __shared__ int s[kThreads];
  const unsigned t = rank_in_block();
  int one[3] = {in[place() % n], 5, 7}, other[3] = {1, 2, in[t]};
  int* const chosen = in[t] % 2 == 0 ? one : other;
  s[t] = *chosen;
  __syncthreads();
  chosen[1] += s[(t + 5) % kThreads];
  __syncthreads();
  out[place()] = chosen[0] + chosen[1] * 3 + chosen[2];
}

__global__ void counts_values(const int* in, int* out, int n) {
  __shared__ int bins[8];
  const unsigned t = rank_in_block();
  if (t < 8) bins[t] = 0;
  __syncthreads();
  atomicAdd(&bins[in[place() % n] & 7], 1);
  __syncthreads();
  out[place()] = bins[t & 7];
}

/// The result of an atomic differs between threads, and a lane waits for another's.
__global__ void takes_tickets(const int* in, int* out, int n) {
  __shared__ int ticket, turn;
  if (rank_in_block() == 0) ticket = turn = 0;
  __syncthreads();
  const int mine = atomicAdd(&ticket, 1);
  while (atomicAdd(&turn, 0) != mine) {
  }
  out[place()] = mine >= 0 ? in[place() % n] : -1;
  atomicAdd(&turn, 1);
}

/// Functions that are always inlined have addresses, too.
__device__ __forceinline__ int doubled(int x) { return 2 * x; }
__device__ __forceinline__ int less_one(int x) { return x - 1; }
__device__ int (*const kFunctions[])(int) = {doubled, less_one};
__device__ int (*chosen)(int) = less_one;
__device__ int by_address(int x, int (*function)(int)) { return function(x) + doubled(x); }

__global__ void calls_by_address(const int* in, int* out, int n) {
  const int i = place();
  int x = by_address(in[i % n], doubled) + by_address(i, less_one);
  x = kFunctions[x & 1](x) + (chosen == less_one ? chosen(x) : 1000);
  out[i] = x;
}

template <int kStep>
__global__ void counts_backwards(const int* in, int* out, int n) {
  __shared__ int s[2 * kThreads];
  const unsigned t = rank_in_block();
  s[t] = s[t + kThreads] = in[place() % n];
  for (int k = kStep; k > 0; k -= 3) {
    __syncthreads();
    const int next = s[t + static_cast<unsigned>(k)];
    __syncthreads();
    s[t] += next;
    if (k % 2 == 0) continue;
    __syncthreads();
    s[t + kThreads] -= next;
  }
  __syncthreads();
  out[place()] = s[t] + s[t + kThreads];
}

using Kernel = void (*)(const int*, int*, int);

std::vector<int> results_of(Kernel kernel, dim3 block, bool counted) {
  std::vector<int> values(kElements);
  for (int i = 0; i < kElements; ++i) values[i] = i * 37 % 101 - 20;
  int *in = nullptr, *out = nullptr;
  const std::size_t bytes = kElements * sizeof(int);
  REQUIRE(cudaMalloc(&in, bytes) == cudaSuccess);
  REQUIRE(cudaMalloc(&out, bytes) == cudaSuccess);
  cudaMemcpy(in, values.data(), bytes, cudaMemcpyHostToDevice);
  cudaMemset(out, 0x77, bytes);
  emu::set_counting(counted);
  kernel<<<kBlocks, block, kThreads * sizeof(int)>>>(in, out, kElements);
  emu::set_counting(false);
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  cudaMemcpy(values.data(), out, bytes, cudaMemcpyDeviceToHost);
  cudaFree(in);
  cudaFree(out);
  return values;
}

// --------------------------------------------------------------------------------------- errors

constexpr int kWrongThread = 2 * kThreads + 41;

__global__ void far_away(int* out, int wrong) {
  const int i = place();
  out[i == wrong ? 1ll << 40 : i] = 1;
}
__global__ void between_words(int* out, int wrong) {
  __shared__ int s[kThreads];
  const int i = place();
  s[threadIdx.x] = i;
  __syncthreads();
  char* const to = reinterpret_cast<char*>(out + i) + (i == wrong ? 2 : 0);
  *reinterpret_cast<int*>(to) = s[kThreads - 1 - threadIdx.x];
}
__global__ void between_vectors(int* out, int wrong) {
  const int i = place();
  if (i == wrong) *reinterpret_cast<int4*>(out + 2) = int4{1, 2, 3, 4};
}
__global__ void by_zero(int* out, int wrong) { out[place()] = 7 / (place() - wrong); }
__global__ void asserts(int* out, int wrong) {
  __syncthreads();
  assert(place() != wrong);
  out[place()] = 1;
}
__global__ void traps(int*, int wrong) {
  if (place() == wrong) __trap();
}

// Loops that may run ahead of a row's threads.
__global__ void sums_past_end(int* out, int) {
  if (blockIdx.x != 2) return;
  int sum = 0;
  for (int p = 0; p < 20; ++p) sum += out[p * (1 << 24) + threadIdx.x];
  out[place()] = sum;
}
__global__ void sums_between_words(int* out, int) {
  if (blockIdx.x != 2) return;
  const int* const in = reinterpret_cast<const int*>(reinterpret_cast<const char*>(out) + 2);
  int sum = 0;
  for (int p = 0; p < 20; ++p) sum += in[p * 3 + threadIdx.x];
  out[place()] = sum;
}
__global__ void sums_by_zero(int* out, int) {
  if (blockIdx.x != 2) return;
  int sum = 0;
  for (int p = 0; p < 20; ++p) sum += out[p * 3 + threadIdx.x] / (p - 11);
  out[place()] = sum;
}

/// Returns a launch's output on stderr and its error.
std::string outcome(void (*kernel)(int*, int), bool counted) {
  int* out = nullptr;
  REQUIRE(cudaMalloc(&out, kElements * sizeof(int)) == cudaSuccess);
  std::FILE* const file = std::tmpfile();
  const int before = dup(STDERR_FILENO);
  dup2(fileno(file), STDERR_FILENO);
  emu::set_counting(counted);
  emu::set_worker_count(1);
  kernel<<<kBlocks, kThreads>>>(out, kWrongThread);
  emu::set_counting(false);
  std::string text = cudaGetErrorName(cudaDeviceSynchronize());
  std::fflush(stderr);
  dup2(before, STDERR_FILENO);
  close(before);
  std::rewind(file);
  for (int c = std::getc(file); c != EOF; c = std::getc(file)) text += static_cast<char>(c);
  std::fclose(file);
  emu::set_sticky_error(cudaSuccess);
  cudaGetLastError();
  cudaFree(out);
  return text;
}

}  // namespace

TEST_CASE("kernels compute the same, counted or not") {
  const Kernel kernels[] = {without_barrier,     own_array,           own_vector,
                            keeps_address,       barrier_in_loop,     some_leave,
                            barrier_in_function, keeps_memory,        counts_values,
                            takes_tickets,       counts_backwards<4>, counts_backwards<17>,
                            calls_by_address};
  for (const Kernel kernel : kernels)
    for (const dim3 block : {dim3(kThreads), dim3(8, 12), dim3(3, 4, 8)}) {
      CAPTURE(block.x);
      const std::vector<int> counted = results_of(kernel, block, true);
      CHECK(results_of(kernel, block, false) == counted);
      CHECK(counted != std::vector<int>(kElements, 0x77777777));
    }
}

#if defined(__x86_64__)  // other processors do not trap, so kernels end (cuda_compilation.cpp)
TEST_CASE("a division by zero is told, and goes on, counted or not") {
  // Lines that no other test case runs, because each is reported once.
  const std::string counted = outcome(by_zero, true), quick = outcome(sums_by_zero, false);
  for (const std::string& text : {counted, quick}) {
    CAPTURE(text);
    CHECK(text.starts_with("cudaSuccess"));
    CHECK(text.find("warning: kernel ") != text.npos);
    CHECK(text.find("by_zero, block (2,0,0), thread (") != text.npos);
    CHECK(text.find("forms_test.cu:") != text.npos);
    CHECK(text.find("integer division by zero") != text.npos);
  }
  CHECK(outcome(by_zero, false) == "cudaSuccess");
  CHECK(outcome(sums_by_zero, true) == "cudaSuccess");
}
#endif

TEST_CASE("errors are told alike, with the thread and the line, counted or not") {
  struct Case {
    void (*kernel)(int*, int);
    const char *error, *text;
    const char* place = "block (2,0,0), thread (41,0,0)";
  };
  constexpr const char* kAny = "block (2,0,0), thread (";
  const Case cases[] = {
      {far_away, "cudaErrorIllegalAddress", "illegal address"},
      {between_words, "cudaErrorMisalignedAddress", "4 bytes move only from"},
      {between_vectors, "cudaErrorMisalignedAddress", "16 bytes move only from"},
      {asserts, "cudaErrorAssert", "Assertion `place() != wrong` failed"},
      {traps, "cudaErrorLaunchFailure", "__trap()"},
      {sums_past_end, "cudaErrorIllegalAddress", "illegal address", kAny},
      {sums_between_words, "cudaErrorMisalignedAddress", "4 bytes move only from", kAny},
  };
  for (const Case& one : cases) {
    const std::string counted = outcome(one.kernel, true), quick = outcome(one.kernel, false);
    CHECK(quick.starts_with(one.error));
    CHECK(quick.find(one.text) != quick.npos);
    CHECK(quick.find(one.place) != quick.npos);
    CHECK(quick.find("forms_test.cu:") != quick.npos);
    // Addresses belong to different allocations.
    const auto without_address = [](std::string text) {
      const std::size_t at = text.find(" 0x");
      return at == text.npos ? text : text.erase(at, text.find(':', at) - at);
    };
    CHECK(without_address(quick) == without_address(counted));
  }
}
