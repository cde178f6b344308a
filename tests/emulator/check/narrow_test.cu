// Hazards of halves and 8-bit floats are found per number, even if several share a word.
#include <cuda_fp16.h>
#include <cuda_fp8.h>

#include "checked.hpp"

using namespace check_tests;

namespace {

std::string at(const char* tag) { return line_of(__FILE__, tag); }

template <bool right>
__global__ void reverse(__half* values) {
  __shared__ __half tile[64];
  const unsigned i = threadIdx.x;
  tile[i] = values[i];  // @write
  if (right) __syncthreads();
  values[i] = tile[63 - i];  // @read
}

// Threads of different warps write the two halves of one word.
__global__ void two_writers(__half2* pairs) {
  auto* const halves = reinterpret_cast<__half*>(pairs);
  halves[threadIdx.x % 32 * 2 + threadIdx.x / 32] = __half(static_cast<int>(threadIdx.x));
}

template <class T>
__global__ void copy(const T* in, T* out, int shift) {
  out[threadIdx.x] = in[static_cast<int>(threadIdx.x) + shift];  // @copy
}

__global__ void sum_up(__half* sum) { atomicAdd(sum, __half(1)); }  // @sum

template <bool right>
__global__ void atomic_and_plain(__half* sum) {
  if (right || threadIdx.x < 32)
    atomicAdd(sum, __half(1));
  else
    *sum = *sum + __half(1);  // @plain
}

}  // namespace

TEST_CASE("racecheck: halves in shared memory without a barrier") {
  Device<__half> values(64, 0);
  check_finding(run_checked([&] { reverse<false><<<1, 64>>>(values); }).findings,
                {.kind = "race_raw",
                 .line = at("read"),
                 .thread = "(32,0,0)",
                 .other_line = at("write"),
                 .other_thread = "(31,0,0)",
                 .count = 32});
  check_silent(run_checked([&] { reverse<true><<<1, 64>>>(values); }));
}

TEST_CASE("racecheck: neighbours in a word are no race, atomic and plain sums are") {
  Device<__half2> pairs(32, 0);
  check_silent(run_checked([&] { two_writers<<<1, 64>>>(pairs); }));
  Device<__half> sum(1, 0);
  check_silent(run_checked([&] { atomic_and_plain<true><<<1, 64>>>(sum); }));
  const Result wrong = run_checked([&] { atomic_and_plain<false><<<1, 64>>>(sum); });
  CHECK_FALSE(wrong.findings.empty());
  if (!EMULATOR_HAS_PLUGIN) return;  // otherwise the line of an argument is only approximate
  for (const emu::Finding& finding : wrong.findings)
    CHECK((finding.first.line == at("plain") || finding.second.line == at("plain")));
}

TEST_CASE("memcheck: one half, one pair or one code too far") {
  Device<__half> halves(32, 0), out(32, 0);
  check_finding(run_checked([&] { copy<<<1, 32>>>(halves.data, out.data, 1); }).findings,
                {.kind = "out_of_bounds", .line = at("copy"), .thread = "(31,0,0)", .count = 1});
  Device<__half2> pairs(32, 0), pairs_out(32, 0);
  check_finding(run_checked([&] { copy<<<1, 32>>>(pairs.data, pairs_out.data, 1); }).findings,
                {.kind = "out_of_bounds", .line = at("copy"), .thread = "(31,0,0)", .count = 1});
  Device<__nv_fp8_e5m2> codes(32, 0), codes_out(32, 0);
  check_finding(run_checked([&] { copy<<<1, 32>>>(codes.data, codes_out.data, 1); }).findings,
                {.kind = "out_of_bounds", .line = at("copy"), .thread = "(31,0,0)", .count = 1});
}

TEST_CASE("initcheck: a sum of halves that starts from garbage") {
  check_finding(run_checked([&] {
                  Device<__half> sum(1);
                  sum_up<<<1, 32>>>(sum);
                }).findings,
                {.kind = "uninitialized_read", .line = at("sum"), .thread = "(0,0,0)"});
  check_silent(run_checked([&] {
    Device<__half> sum(1, 0);
    sum_up<<<1, 32>>>(sum);
  }));
}
