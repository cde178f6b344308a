// Tests work waiting in streams: what the engine's calls wait for, and orders chosen by a seed.
#include <cuda_runtime.h>
#include <doctest/doctest.h>

#include <set>
#include <string>

#include "emulator/counters.h"

namespace {

struct Log {
  int entries;
  int numbers[64];
};

__global__ void note(Log* log, int number) { log->numbers[log->entries++] = number; }

struct Streams {
  Streams() {
    REQUIRE(cudaMallocManaged(&log, sizeof(Log)) == cudaSuccess);
    log->entries = 0;
    for (cudaStream_t& stream : apart)
      REQUIRE(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking) == cudaSuccess);
    REQUIRE(cudaStreamCreate(&blocking) == cudaSuccess);
    REQUIRE(cudaEventCreate(&event) == cudaSuccess);
  }
  ~Streams() {
    emu::set_schedule_seed(0);
    for (const cudaStream_t stream : apart) cudaStreamDestroy(stream);
    cudaStreamDestroy(blocking);
    cudaEventDestroy(event);
    cudaFree(log);
  }

  void put(cudaStream_t stream, int number) { note<<<1, 1, 0, stream>>>(log, number); }
  std::string finished() {
    REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
    std::string text;
    for (int i = 0; i < log->entries; ++i) text += std::to_string(log->numbers[i]);
    log->entries = 0;
    return text;
  }

  Log* log = nullptr;
  cudaStream_t apart[2] = {}, blocking = nullptr;
  cudaEvent_t event = nullptr;
};

constexpr int kSeeds = 40;

}  // namespace

TEST_CASE("streams are done in the order of the calls, or in one that a seed draws") {
  Streams s;
  const auto run = [&] {
    for (int i = 0; i < 2; ++i) {
      s.put(s.apart[0], 1 + i);
      s.put(s.apart[1], 3 + i);
    }
    return s.finished();
  };
  CHECK(run() == "1324");
  std::set<std::string> orders;
  for (int seed = 1; seed <= kSeeds; ++seed) {
    emu::set_schedule_seed(seed);
    const std::string order = run();
    CHECK(order.find('1') < order.find('2'));
    CHECK(order.find('3') < order.find('4'));
    orders.insert(order);
  }
  CHECK(orders.size() == 6);
}

TEST_CASE("no seed changes what depends on something else") {
  Streams s;
  for (int seed = 1; seed <= kSeeds; ++seed) {
    emu::set_schedule_seed(seed);
    s.put(s.apart[0], 1);
    CHECK(cudaEventRecord(s.event, s.apart[0]) == cudaSuccess);
    CHECK(cudaStreamWaitEvent(s.apart[1], s.event, 0) == cudaSuccess);
    s.put(s.apart[1], 2);
    CHECK(s.finished() == "12");
    s.put(s.blocking, 1);
    s.put(nullptr, 2);
    s.put(s.blocking, 3);
    CHECK(s.finished() == "123");
  }
}

TEST_CASE("who waits for one stream does not wait for another") {
  Streams s;
  s.put(s.apart[0], 1);
  s.put(s.apart[1], 2);
  CHECK(cudaStreamSynchronize(s.apart[1]) == cudaSuccess);
  CHECK(s.log->entries == 1);
  CHECK(s.log->numbers[0] == 2);
  CHECK(s.finished() == "21");
}

TEST_CASE("what the engine is asked or told comes after what was launched") {
  Streams s;
  emu::set_counting(true);
  const std::uint64_t before = emu::total_counters().global_store.requests;
  s.put(nullptr, 1);
  CHECK(emu::total_counters().global_store.requests == before + 2);
  s.put(nullptr, 2);
  REQUIRE(emu::last_launch() != nullptr);
  CHECK(emu::last_launch()->kernel == "note");
  CHECK(s.log->entries == 2);
  s.put(nullptr, 3);
  emu::set_counting(false);  // the launch was not counted
  CHECK(emu::total_counters().global_store.requests == before + 6);
  s.put(nullptr, 4);
  CHECK(emu::total_counters().global_store.requests == before + 6);
  CHECK(s.finished() == "1234");
}
