// memcheck: each wrong kernel is reported, its fixed twin is not.
#include "checked.hpp"

using namespace check_tests;
using emu::Severity;

namespace {

std::string at(const char* tag) { return line_of(__FILE__, tag); }

__global__ void fill_wrong(int* out, int n) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i <= n) out[i] = i;  // @one past
}
__global__ void fill_right(int* out, int n) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n) out[i] = i;
}

__global__ void shift_wrong(const int* in, int* out) {
  out[threadIdx.x] = in[static_cast<int>(threadIdx.x) - 1];  // @one before
}
__global__ void shift_right(const int* in, int* out) {
  out[threadIdx.x] = threadIdx.x == 0 ? 0 : in[threadIdx.x - 1];
}

__global__ void far_wrong(int* out) { out[threadIdx.x << 24] = 1; }  // @far
__global__ void far_right(int* out) { out[threadIdx.x] = 1; }

__global__ void store(int* out) { out[threadIdx.x] = 1; }  // @store

__global__ void wide_wrong(const float* in, float* out) {
  const float4 v = *reinterpret_cast<const float4*>(in + threadIdx.x);  // @misaligned
  out[threadIdx.x] = v.x;
}
__global__ void wide_right(const float* in, float* out) {
  const float4 v = *reinterpret_cast<const float4*>(in + 4 * threadIdx.x);
  out[threadIdx.x] = v.x;
}

__global__ void short_wrong(char* bytes) {
  *reinterpret_cast<short*>(bytes + threadIdx.x) = 1;  // @misaligned short
}
__global__ void short_right(char* bytes) { *reinterpret_cast<short*>(bytes + 2 * threadIdx.x) = 1; }

__global__ void shared_wrong(int* out) {
  __shared__ int tile[64];
  tile[threadIdx.x] = 1;  // @shared past
  __syncthreads();
  out[threadIdx.x] = tile[63 - threadIdx.x % 64];
}
__global__ void shared_right(int* out) {
  __shared__ int tile[128];
  tile[threadIdx.x] = 1;
  __syncthreads();
  out[threadIdx.x] = tile[127 - threadIdx.x];
}

__global__ void dynamic_kernel(int* out) {
  extern __shared__ int buffer[];
  buffer[threadIdx.x] = static_cast<int>(threadIdx.x);  // @dynamic past
  __syncthreads();
  out[threadIdx.x] = buffer[blockDim.x - 1 - threadIdx.x];
}

__device__ int table[8];
__global__ void table_wrong(int* out) {
  out[threadIdx.x] = table[threadIdx.x + 8000];  // @variable
}
__global__ void table_right(int* out) { out[threadIdx.x] = table[threadIdx.x]; }

__global__ void atomic_wrong(int* counters, int n) { atomicAdd(&counters[n], 1); }  // @atomic past

__global__ void local_wrong(int* out) {
  __shared__ int* pointer;
  int mine[4] = {1, 2, 3, static_cast<int>(threadIdx.x)};
  if (threadIdx.x == 0) pointer = mine;
  __syncthreads();
  out[threadIdx.x] = pointer[3];  // @foreign local
  __syncthreads();
}
__global__ void local_right(int* out) {
  __shared__ int copied[4];
  int mine[4] = {1, 2, 3, static_cast<int>(threadIdx.x)};
  if (threadIdx.x == 0)
    for (int i = 0; i < 4; ++i) copied[i] = mine[i];
  __syncthreads();
  out[threadIdx.x] = copied[3];
  __syncthreads();
}

__global__ void pieces_wrong(float3* out, int n) {
  const int i = static_cast<int>(threadIdx.x);
  if (i <= n) out[i] = make_float3(1, 2, 3);  // @struct past
}

#if EMULATOR_HAS_PLUGIN
__global__ void own_memory(int bytes, bool frees_early, bool frees) {
  auto* const mine = static_cast<char*>(malloc(10));  // @allocated by a kernel
  if (frees_early) free(mine);
  for (int i = 0; i < bytes; ++i) mine[i] = 1;  // @own memory
  if (frees) free(mine);
}
#endif

}  // namespace

TEST_CASE("memcheck: one element too many, in memory that a device would let pass") {
  Device<int> out(100);
  const Result wrong = run_checked([&] { fill_wrong<<<4, 32>>>(out, 100); });
  check_finding(wrong.findings, {.kind = "out_of_bounds",
                                 .line = at("one past"),
                                 .thread = "(4,0,0)",
                                 .block = "(3,0,0)",
                                 .count = 1});
  CHECK(wrong.findings[0].memory.find("0 bytes past the end of an allocation of 400 bytes") !=
        std::string::npos);
  CHECK(wrong.findings[0].kernel == "fill_wrong");
  CHECK(wrong.findings[0].bytes == 4);
  CHECK(wrong.error == cudaSuccess);
  check_silent(run_checked([&] { fill_right<<<4, 32>>>(out, 100); }));
}

TEST_CASE("memcheck: every lane that is out of bounds counts, also those that follow a pattern") {
  Device<int> out(1000);
  const Result wrong = run_checked([&] { fill_wrong<<<8, 128>>>(out, 1020); });
  check_finding(wrong.findings,
                {.kind = "out_of_bounds", .line = at("one past"), .block = "(7,0,0)", .count = 21});
  Device<float3> threes(10);
  const Result pieces = run_checked([&] { pieces_wrong<<<1, 32>>>(threes, 10); });
  check_finding(
      pieces.findings,
      {.kind = "out_of_bounds", .line = at("struct past"), .thread = "(10,0,0)", .count = 3});
  check_silent(run_checked([&] { pieces_wrong<<<1, 32>>>(threes, 9); }));
}

TEST_CASE("memcheck: before the beginning") {
  Device<int> in(256, 0), out(256);
  check_finding(
      run_checked([&] { shift_wrong<<<1, 256>>>(in, out); }).findings,
      {.kind = "out_of_bounds", .line = at("one before"), .thread = "(0,0,0)", .count = 1});
  check_silent(run_checked([&] { shift_right<<<1, 256>>>(in, out); }));
}

TEST_CASE("memcheck: far away, where a device faults") {
  Device<int> out(32);
  const Result wrong = run_checked([&] { far_wrong<<<1, 32>>>(out); });
  check_finding(wrong.findings, {.kind = "out_of_bounds", .line = at("far"), .thread = ""});
  CHECK(wrong.error == cudaErrorIllegalAddress);
  check_silent(run_checked([&] { far_right<<<1, 32>>>(out); }));
}

TEST_CASE("memcheck: null, freed and host memory") {
  int host = 0;
  int* freed = nullptr;
  cudaMalloc(&freed, 128);
  cudaFree(freed);
  struct Case {
    const char* kind;
    int* pointer;
  };
  for (const Case& c :
       {Case{"null_pointer", nullptr}, Case{"use_after_free", freed}, Case{"host_memory", &host}}) {
    CAPTURE(c.kind);
    const Result wrong = run_checked([&] { store<<<1, 1>>>(c.pointer); });
    check_finding(wrong.findings, {.kind = c.kind, .line = at("store"), .thread = "(0,0,0)"});
    CHECK(wrong.error == cudaErrorIllegalAddress);
  }
  Device<int> out(1);
  check_silent(run_checked([&] { store<<<1, 1>>>(out); }));
}

TEST_CASE("memcheck: an address that is no multiple of the size") {
  Device<float> in(128, 0), out(32);
  const Result wrong = run_checked([&] { wide_wrong<<<1, 32>>>(in, out); });
  check_finding(wrong.findings, {.kind = "misaligned", .line = at("misaligned")});
  CHECK(wrong.error == cudaErrorMisalignedAddress);
  check_silent(run_checked([&] { wide_right<<<1, 32>>>(in, out); }));

  Device<char> bytes(64, 0);
  check_finding(run_checked([&] { short_wrong<<<1, 2>>>(bytes); }).findings,
                {.kind = "misaligned", .line = at("misaligned short"), .thread = "(1,0,0)"});
  check_silent(run_checked([&] { short_right<<<1, 32>>>(bytes); }));
}

TEST_CASE("memcheck: past a shared array, static or dynamic") {
  Device<int> out(128);
  const Result wrong = run_checked([&] { shared_wrong<<<1, 128>>>(out); });
  check_finding(wrong.findings, {.kind = "out_of_bounds", .line = at("shared past")});
  CHECK(wrong.findings[0].memory.find("past the end of __shared__ tile (256 bytes)") !=
        std::string::npos);
  CHECK(wrong.error == cudaErrorIllegalAddress);
  check_silent(run_checked([&] { shared_right<<<1, 128>>>(out); }));

  check_finding(run_checked([&] { dynamic_kernel<<<1, 128, 500>>>(out); }).findings,
                {.kind = "out_of_bounds", .line = at("dynamic past"), .thread = "(125,0,0)"});
  check_silent(run_checked([&] { dynamic_kernel<<<1, 128, 512>>>(out); }));
  const Result without = run_checked([&] { dynamic_kernel<<<1, 128>>>(out); });
  check_finding(without.findings, {.kind = "out_of_bounds", .line = at("dynamic past")});
  CHECK(without.findings[0].memory ==
        "where dynamic shared memory would be, but the launch asks for none");
}

TEST_CASE("memcheck: past a __device__ variable") {
  Device<int> out(8);
  const Result wrong = run_checked([&] { table_wrong<<<1, 1>>>(out); });
  check_finding(wrong.findings,
                {.kind = "out_of_bounds", .line = at("variable"), .thread = "(0,0,0)"});
  check_silent(run_checked([&] { table_right<<<1, 8>>>(out); }));
}

TEST_CASE("memcheck: an atomic operation past the end") {
  Device<int> counters(4, 0);
  check_finding(run_checked([&] { atomic_wrong<<<1, 1>>>(counters, 4); }).findings,
                {.kind = "out_of_bounds", .line = at("atomic past"), .thread = "(0,0,0)"});
  check_silent(run_checked([&] { atomic_wrong<<<1, 1>>>(counters, 3); }));
}

TEST_CASE("memcheck: another thread's local memory") {
  Device<int> out(64);
  const Result wrong = run_checked([&] { local_wrong<<<1, 64>>>(out); });
  check_finding(wrong.findings, {.kind = "foreign_local", .line = at("foreign local")});
  check_silent(run_checked([&] { local_right<<<1, 64>>>(out); }));
}

TEST_CASE("memcheck: freed twice, or never allocated") {
  int host = 0;
  int* pointer = nullptr;
  const Result twice = run_checked([&] {
    cudaMalloc(&pointer, 64);
    cudaFree(pointer);
    cudaFree(pointer);  // @freed twice
  });
  check_finding(twice.findings, {.kind = "double_free", .line = at("freed twice")});
  const Result invented = run_checked([&] { cudaFree(&host); });  // @invented
  check_finding(invented.findings, {.kind = "invalid_free", .line = at("invented")});
  check_silent(run_checked([&] {
    cudaMalloc(&pointer, 64);
    cudaFree(pointer);
  }));
}

#if EMULATOR_HAS_PLUGIN
TEST_CASE("memcheck: memory that a kernel has allocated") {
  check_silent(run_checked([&] { own_memory<<<2, 2>>>(10, false, true); }));
  check_finding(run_checked([&] { own_memory<<<1, 1>>>(11, false, true); }).findings,
                {.kind = "out_of_bounds", .line = at("own memory"), .thread = "(0,0,0)"});
  check_finding(run_checked([&] { own_memory<<<1, 1>>>(1, true, false); }).findings,
                {.kind = "use_after_free", .line = at("own memory"), .thread = "(0,0,0)"});
}
#endif
