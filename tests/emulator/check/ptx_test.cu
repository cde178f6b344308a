// Mistakes in inline PTX are found as in C++, in the asm statement's own line.
#include "checked.hpp"

using namespace check_tests;

namespace {

constexpr unsigned kThreads = 64;

std::string at(const char* tag) { return line_of(__FILE__, tag); }

__device__ unsigned address_of(const void* shared) {
  return static_cast<unsigned>(__cvta_generic_to_shared(shared));
}

__global__ void store_beyond(unsigned* out, unsigned shift) {
  const unsigned* const place = out + threadIdx.x + shift;
  asm volatile(  // @store beyond
      "st.global.u32 [%0], %1;\n"
      :
      : "l"(place), "r"(threadIdx.x)
      : "memory");
}

__global__ void load_misaligned(const char* in, unsigned* out, unsigned shift) {
  unsigned a, b, c, d;
  asm volatile("ld.global.v4.u32 {%0, %1, %2, %3}, [%4];"  // @load misaligned
               : "=r"(a), "=r"(b), "=r"(c), "=r"(d)
               : "l"(in + shift));
  out[threadIdx.x] = a + b + c + d;
}

__global__ void atomic_misaligned(char* in, unsigned shift) {
  asm volatile("red.global.add.u32 [%0], 1;" ::"l"(in + shift) : "memory");  // @atomic misaligned
}

__global__ void beyond_shared(unsigned* out, unsigned shift) {
  __shared__ unsigned tile[kThreads];
  tile[threadIdx.x] = 1;
  unsigned value;
  asm volatile("ld.shared.u32 %0, [%1];"  // @beyond shared
               : "=r"(value)
               : "r"(address_of(tile + threadIdx.x) + shift));
  out[threadIdx.x] = value;
}

template <bool right>
__global__ void reverse(unsigned* out) {
  __shared__ unsigned tile[kThreads];
  asm volatile("st.shared.u32 [%0], %1;"  // @reverse write
               :
               : "r"(address_of(tile + threadIdx.x)), "r"(threadIdx.x)
               : "memory");
  if (right) __syncthreads();
  unsigned value;
  asm volatile("ld.shared.u32 %0, [%1];"  // @reverse read
               : "=r"(value)
               : "r"(address_of(tile + kThreads - 1 - threadIdx.x))
               : "memory");
  out[threadIdx.x] = value;
}

__global__ void uninitialised(const unsigned* in, unsigned* out) {
  unsigned value;
  asm("ld.global.nc.u32 %0, [%1];" : "=r"(value) : "l"(in + threadIdx.x));  // @uninitialised
  if (value == 3) value = 4;
  out[threadIdx.x] = value;
}

// The first warp writes what the second one reads; it arrives at the barrier without waiting.
template <bool right>
__global__ void hand_over(unsigned* out) {
  __shared__ unsigned tile[32];
  const unsigned lane = threadIdx.x % 32;
  if (threadIdx.x < 32) {
    if (!right) asm volatile("bar.arrive 1, 64;" ::: "memory");
    tile[lane] = lane;  // @hand over
    if (right) asm volatile("bar.arrive 1, 64;" ::: "memory");
  } else {
    asm volatile("bar.sync 1, 64;" ::: "memory");
    out[lane] = tile[31 - lane];  // @take over
  }
}

__global__ void shuffle_of_half(unsigned* out) {
  unsigned value = 1;
  asm volatile("shfl.sync.bfly.b32 %0, %0, 1, 0x1f, 0xffff;" : "+r"(value));  // @half
  out[threadIdx.x] = value;
}

// Copies without registers: the block reads them after its threads have waited.
template <bool right>
__global__ void own_copies(const unsigned* in, unsigned* out) {
  __shared__ unsigned stage[kThreads];
  const unsigned i = threadIdx.x;
  asm volatile("cp.async.ca.shared.global [%0], [%1], 4;"  // @own copy
               :
               : "r"(address_of(stage + i)), "l"(in + i)
               : "memory");
  asm volatile("cp.async.commit_group;" ::: "memory");
  if (right) asm volatile("cp.async.wait_group 0;" ::: "memory");
  __syncthreads();
  out[i] = stage[kThreads - 1 - i];  // @own read
  asm volatile("cp.async.wait_all;" ::: "memory");
}

__device__ void wait(unsigned barrier, unsigned parity) {
  asm volatile(
      "{\n\t.reg .pred P1;\n"
      "LAB_WAIT:\n\tmbarrier.try_wait.parity.shared::cta.b64 P1, [%0], %1;\n"
      "\t@P1 bra DONE;\n\tbra LAB_WAIT;\nDONE:\n}"
      :
      : "r"(barrier), "r"(parity)
      : "memory");
}

template <bool right>
__global__ void bulk_copy(const unsigned* in, unsigned* out) {
  __shared__ __align__(16) unsigned stage[kThreads];
  __shared__ unsigned long long full;
  const unsigned i = threadIdx.x, barrier = address_of(&full);
  if (i == 0) asm volatile("mbarrier.init.shared.b64 [%0], 1;" ::"r"(barrier) : "memory");
  __syncthreads();
  if (i == 0) {
    asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], 256;" ::"r"(barrier) : "memory");
    asm volatile(  // @bulk copy
        "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], 256, [%2];"
        :
        : "r"(address_of(stage)), "l"(in), "r"(barrier)
        : "memory");
  }
  if (right) wait(barrier, 0);
  out[i] = stage[i];  // @bulk read
  wait(barrier, 0);
}

// No thread arrives, so every thread waits forever.
__global__ void never_over() {
  __shared__ unsigned long long full;
  if (threadIdx.x == 0)
    asm volatile("mbarrier.init.shared.b64 [%0], 2;" ::"r"(address_of(&full)) : "memory");
  __syncthreads();
  wait(address_of(&full), 0);
}

}  // namespace

TEST_CASE("memcheck: loads, stores and atomics of inline PTX") {
  Device<unsigned> out(kThreads, 0);
  Device<char> in(1024, 0);
  check_finding(run_checked([&] { store_beyond<<<1, kThreads>>>(out, 1); }).findings,
                {.kind = "out_of_bounds", .line = at("store beyond"), .thread = "(63,0,0)"});
  const Result misaligned = run_checked([&] { load_misaligned<<<1, 1>>>(in, out, 8); });
  CHECK(misaligned.error == cudaErrorMisalignedAddress);
  check_finding(misaligned.findings, {.kind = "misaligned", .line = at("load misaligned")});
  check_silent(run_checked([&] { load_misaligned<<<1, 1>>>(in, out, 16); }));
  check_finding(run_checked([&] { atomic_misaligned<<<1, 1>>>(in, 2); }).findings,
                {.kind = "misaligned", .line = at("atomic misaligned")});
  check_finding(run_checked([&] { beyond_shared<<<1, 1>>>(out, 256); }).findings,
                {.kind = "out_of_bounds", .line = at("beyond shared")});
  check_silent(run_checked([&] { beyond_shared<<<1, kThreads>>>(out, 0); }));
}

TEST_CASE("initcheck: loads of inline PTX") {
  const Result wrong = run_checked([&] {
    Device<unsigned> in(kThreads), out(kThreads, 0);
    uninitialised<<<1, kThreads>>>(in, out);
    cudaDeviceSynchronize();
  });
  check_finding(wrong.findings, {.kind = "uninitialized_read", .line = at("uninitialised")});
}

TEST_CASE("racecheck: shared memory by 32-bit addresses") {
  Device<unsigned> out(kThreads, 0);
  check_finding(
      run_checked([&] { reverse<false><<<1, kThreads>>>(out); }).findings,
      {.kind = "race_raw", .line = at("reverse read"), .other_line = at("reverse write")});
  check_silent(run_checked([&] { reverse<true><<<1, kThreads>>>(out); }));
}

TEST_CASE("racecheck: inline PTX that arrives at a barrier and goes on") {
  Device<unsigned> out(kThreads, 0);
  check_finding(run_checked([&] { hand_over<false><<<1, kThreads>>>(out); }).findings,
                {.kind = "race_raw", .line = at("take over"), .other_line = at("hand over")});
  check_silent(run_checked([&] { hand_over<true><<<1, kThreads>>>(out); }));
}

TEST_CASE("racecheck: copies of inline PTX that nobody has waited for") {
  Device<unsigned> in(kThreads, 0), out(kThreads, 0);
  const auto has = [](const Result& result, const std::string& line, const std::string& other) {
    for (const emu::Finding& f : result.findings)
      if (f.kind == "race_raw" && f.first.line == line && f.second.line == other) return true;
    return false;
  };
  const Result unread = run_checked([&] { own_copies<false><<<1, kThreads>>>(in, out); });
  REQUIRE(!unread.findings.empty());
  CHECK(unread.findings[0].first.line == at("own read"));
  check_silent(run_checked([&] { own_copies<true><<<1, kThreads>>>(in, out); }));
  CHECK(has(run_checked([&] { bulk_copy<false><<<1, kThreads>>>(in, out); }), at("bulk read"),
            at("bulk copy")));
  check_silent(run_checked([&] { bulk_copy<true><<<1, kThreads>>>(in, out); }));
}

TEST_CASE("a wait loop of inline PTX that nobody ends is an error, not a hang") {
  never_over<<<1, kThreads>>>();
  CHECK(cudaDeviceSynchronize() == cudaErrorLaunchTimeout);
  emu::set_sticky_error(cudaSuccess);
  cudaGetLastError();
}

TEST_CASE("synccheck: a shuffle of inline PTX whose mask lacks who calls it") {
  Device<unsigned> out(kThreads, 0);
  check_finding(run_checked([&] { shuffle_of_half<<<1, 32>>>(out); }).findings,
                {.kind = "mask_lacks_caller", .line = at("half"), .thread = "(16,0,0)"});
}

TEST_CASE("bad addresses of inline PTX end a kernel that nobody looks at") {
  Device<unsigned> out(kThreads, 0);
  Device<char> in(1024, 0);
  const auto error_of = [](auto&& launch) {
    launch();
    const cudaError_t error = cudaDeviceSynchronize();
    emu::set_sticky_error(cudaSuccess);
    cudaGetLastError();
    return error;
  };
  CHECK(error_of([&] { load_misaligned<<<1, 1>>>(in, out, 16); }) == cudaSuccess);
  CHECK(error_of([&] { load_misaligned<<<1, 1>>>(in, out, 8); }) == cudaErrorMisalignedAddress);
  CHECK(error_of([&] { atomic_misaligned<<<1, 1>>>(in, 2); }) == cudaErrorMisalignedAddress);
  CHECK(error_of([&] { store_beyond<<<1, 1>>>(out, 1u << 28); }) == cudaErrorIllegalAddress);
  CHECK(error_of([&] { beyond_shared<<<1, 1>>>(out, 0xf00000); }) == cudaErrorIllegalAddress);
}
