// A checked launch uses all workers, and its results do not depend on their number: the report, the
// memory afterwards, the output.
#include <unistd.h>

#include <cstdio>
#include <cstring>
#include <numeric>

#include "checked.hpp"

using namespace check_tests;

namespace {

[[maybe_unused]] const bool counts = (emu::set_counting(true), true);

constexpr unsigned kThreads = 64, kBlocks = 40;
constexpr int kValues = kThreads * kBlocks;

__device__ int visits;

// Kernels whose blocks are independent.

// Every block but the first has a race, reads uninitialised memory, and accesses past the end.
__global__ void wrong_alone(const int* in, const int* empty, int* out) {
  __shared__ int tile[kThreads];
  const unsigned i = blockIdx.x * kThreads + threadIdx.x;
  tile[threadIdx.x] = in[i];
  if (blockIdx.x == 0) __syncthreads();
  out[i] = tile[kThreads - 1 - threadIdx.x];
  if (blockIdx.x % 7 == 3) out[i] += empty[i];
  if (blockIdx.x == 31 && threadIdx.x == 5) out[i] += in[kValues + 2];
}

__global__ void count_all(const int* in, unsigned* bins) { atomicAdd(&bins[in[0] % 8], 1u); }

// Kernels whose blocks depend on one another.

// Each block adds to its own values, and looks at its neighbour's.
// The same with values that the library copies.
__global__ void copy_and_look(int* values) {
  int* const own = values + (blockIdx.x * kThreads + threadIdx.x);
  int pair[3] = {};
  std::memcpy(pair, own, sizeof(int) * (1 + pair[1]));
  ++pair[0];
  std::memcpy(own, pair, sizeof(int) * (1 + pair[2]));
  if (values[(own - values + kThreads) % kValues] < 0) *own = -1;
}

template <bool all_checks>
__global__ void look_at_neighbour(int* values) {
  const unsigned i = blockIdx.x * kThreads + threadIdx.x;
  values[i] += 1;
  if (values[(i + kThreads) % kValues] < 0) values[i] = -1;
}

__global__ void count_visits(int* all) {
  if (threadIdx.x == 0) visits = visits + 1;
  all[blockIdx.x * kThreads + threadIdx.x] += 1;
}

// The order of blocks decides which block gets which place; one of them reads past the end.
__global__ void take_a_place(const int* in, unsigned* places, int* out) {
  __shared__ unsigned place;
  if (threadIdx.x == 0) {
    int sum = 0;
    // Lets other blocks overtake
    for (int i = 0; blockIdx.x == 0 && i < 50000; ++i) sum += in[i % kValues];
    place = atomicAdd(places, 1u + (sum < 0));
  }
  __syncthreads();
  out[place * kThreads + threadIdx.x] = static_cast<int>(blockIdx.x);
  if (place == 17 && threadIdx.x == 3) out[place * kThreads + threadIdx.x] += in[kValues + 2];
}

__global__ void tell(int* out) {
  out[blockIdx.x * kThreads + threadIdx.x] += 1;
  if (threadIdx.x == 0) std::printf("block %u\n", blockIdx.x);
}

__global__ void ends_early(int* values, const int* nowhere) {
  const unsigned i = blockIdx.x * kThreads + threadIdx.x;
  values[i] += 1;
  if (blockIdx.x == 20 && threadIdx.x == 7) values[i] = *nowhere;
}

// ------------------------------------------------------------------------------------------ to run

/// Returns all parts of a finding as text.
std::string text_of(const emu::Finding& f) {
  std::string text = f.tool + "|" + f.kind + "|" + f.title + "|" + f.kernel;
  for (const emu::Culprit& who : {f.first, f.second})
    text += "|" + who.action + "|" + who.line + "|" + who.block + "|" + who.thread;
  return text + "|" + f.memory + "|" + f.hint + "|" + std::to_string(f.count) + "|" +
         std::to_string(f.bytes);
}

std::string text_of(const std::vector<emu::Finding>& findings) {
  std::string text;
  for (const emu::Finding& f : findings) text += text_of(f) + "\n";
  return text;
}

/// The observable results of a run.
struct Trace {
  std::string findings;
  std::vector<int> values;
  cudaError_t error = cudaSuccess;
  bool operator==(const Trace&) const = default;
};

/// Runs `launch` with this number of workers; `values` hold 0, 1, 2, ...
template <class Launch>
Trace run_with(unsigned workers, const Device<int>& values, Launch&& launch,
               emu::Checks checks = emu::kAllChecks) {
  emu::set_worker_count(workers);
  std::vector<int> host(kValues);
  std::iota(host.begin(), host.end(), 0);
  cudaMemcpy(values, host.data(), sizeof(int) * kValues, cudaMemcpyDefault);
  Trace trace;
  const Result result = run_checked([&] { launch(values.data); }, checks);
  trace.findings = text_of(result.findings);
  trace.error = result.error;
  cudaMemcpy(host.data(), values, sizeof(int) * kValues, cudaMemcpyDefault);
  trace.values = host;
  emu::set_worker_count(2);
  return trace;
}

/// Checks that all numbers of workers give the same trace, and returns it.
template <class Launch>
Trace run_alike(Launch&& launch, emu::Checks checks = emu::kAllChecks) {
  const Device<int> values(kValues);
  const Trace alone = run_with(1, values, launch, checks);
  for (const unsigned workers : {2u, 3u, 4u, 7u, 4u, 2u}) {
    CAPTURE(workers);
    const Trace together = run_with(workers, values, launch, checks);
    CHECK(together.findings == alone.findings);
    CHECK(together.values == alone.values);
    CHECK(together.error == alone.error);
  }
  return alone;
}

}  // namespace

TEST_CASE("findings of many blocks are put together as if these had run in turn") {
  const Device<int> in(kValues + 1, 1);
  const emu::Checks none;
  emu::set_checking(emu::kAllChecks);  // from now on, writes are recorded
  const Device<int> empty(kValues);
  emu::set_checking(none);
  const Trace trace =
      run_alike([&](int* out) { wrong_alone<<<kBlocks, kThreads>>>(in, empty, out); });
  CAPTURE(trace.findings);
  CHECK(trace.findings.starts_with("initcheck|"));
  CHECK(trace.findings.find("|(1,0,0)|") < trace.findings.find('\n'));
  CHECK(trace.findings.find("\nracecheck|") != std::string::npos);
  CHECK(trace.findings.find("\nmemcheck|") != std::string::npos);
}

TEST_CASE("blocks that meet at atomic operations alone run at the same time") {
  const Device<int> in(1, 0);
  const Device<unsigned> bins(8, 0);
  const Trace trace = run_alike([&](int*) {
    cudaMemset(bins, 0, 8 * sizeof(unsigned));
    count_all<<<kBlocks, kThreads>>>(in, bins);
    unsigned total = 0;
    cudaMemcpy(&total, bins, sizeof(unsigned), cudaMemcpyDefault);
    CHECK(total == kBlocks * kThreads);
  });
  CHECK(trace.findings.empty());
}

TEST_CASE("where blocks look at one another's values, each has run once in the end") {
  const Trace all =
      run_alike([](int* values) { look_at_neighbour<true><<<kBlocks, kThreads>>>(values); });
  CHECK(!all.findings.empty());
  const Trace of_memory =
      run_alike([](int* values) { look_at_neighbour<false><<<kBlocks, kThreads>>>(values); },
                emu::Checks{.memory = true});
  CHECK(of_memory.findings.empty());
  for (int i = 0; i < kValues; ++i) {
    REQUIRE(all.values[static_cast<std::size_t>(i)] == i + 1);
    REQUIRE(of_memory.values[static_cast<std::size_t>(i)] == i + 1);
  }
}

TEST_CASE("what memcpy has overwritten is there again, too") {
  const Trace trace = run_alike([](int* values) { copy_and_look<<<kBlocks, kThreads>>>(values); });
  CHECK(!trace.findings.empty());
  for (int i = 0; i < kValues; ++i) REQUIRE(trace.values[static_cast<std::size_t>(i)] == i + 1);
}

TEST_CASE("a variable is what it would be, too") {
  const Trace trace = run_alike([](int* values) {
    const int zero = 0;
    cudaMemcpyToSymbol(visits, &zero, sizeof(zero));
    count_visits<<<kBlocks, kThreads>>>(values);
    int seen = 0;
    cudaMemcpyFromSymbol(&seen, visits, sizeof(seen));
    CHECK(seen == kBlocks);
  });
  CHECK(!trace.findings.empty());
  for (int i = 0; i < kValues; ++i) REQUIRE(trace.values[static_cast<std::size_t>(i)] == i + 1);
}

TEST_CASE("what is found where the order of atomic operations decides is found in turn") {
  const Device<int> in(kValues + 1, 1);
  const Device<unsigned> places(1, 0);
  const Trace trace = run_alike([&](int* out) {
    cudaMemset(places, 0, sizeof(unsigned));
    take_a_place<<<kBlocks, kThreads>>>(in, places, out);
  });
  CHECK(!trace.findings.empty());
}

TEST_CASE("a kernel that ends early has done the same before") {
  const Trace trace =
      run_alike([](int* values) { ends_early<<<kBlocks, kThreads>>>(values, nullptr); });
  CHECK(trace.findings.starts_with("memcheck|null_pointer"));
  CHECK(trace.error == cudaErrorIllegalAddress);
}

TEST_CASE("what kernels print is printed once, in the order of the blocks") {
  std::string expected;
  for (unsigned block = 0; block < kBlocks; ++block)
    expected += "block " + std::to_string(block) + "\n";
  for (const unsigned workers : {1u, 2u, 4u}) {
    CAPTURE(workers);
    std::fflush(stdout);
    std::FILE* const file = std::tmpfile();
    const int real = dup(STDOUT_FILENO);
    dup2(fileno(file), STDOUT_FILENO);
    const Device<int> memory(kValues);
    const Trace trace =
        run_with(workers, memory, [](int* values) { tell<<<kBlocks, kThreads>>>(values); });
    std::fflush(stdout);
    dup2(real, STDOUT_FILENO);
    close(real);
    std::rewind(file);
    std::string printed;
    for (int c = std::fgetc(file); c != EOF; c = std::fgetc(file)) printed += static_cast<char>(c);
    std::fclose(file);
    CHECK(printed == expected);
    CHECK(trace.values[5] == 6);
  }
}

TEST_CASE("counters of a checked launch do not depend on the number of workers") {
  for (const unsigned workers : {1u, 2u, 4u}) {
    CAPTURE(workers);
    const Device<int> memory(kValues);
    run_with(workers, memory,
             [](int* values) { look_at_neighbour<true><<<kBlocks, kThreads>>>(values); });
    CHECK(emu::last_launch()->counters.global_load.requests == 2 * kValues / 32);
    CHECK(emu::last_launch()->counters.global_store.sectors == kValues / 8);
  }
}
