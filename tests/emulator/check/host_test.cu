// Mistakes of host code: failing calls, refused launches, and memory that a kernel may still be
// using.
#include "checked.hpp"

#include <numeric>

using namespace check_tests;

namespace {

std::string at(const char* tag) { return line_of(__FILE__, tag); }

__global__ void __cluster_dims__(2) pairs(int* out) { out[threadIdx.x] = 1; }

__global__ void number(int* out) {
  out[blockIdx.x * blockDim.x + threadIdx.x] = static_cast<int>(threadIdx.x);  // @number
}
__global__ void twice(const int* in, int* out) {
  out[threadIdx.x] = 2 * in[threadIdx.x];  // @twice
}
__global__ void __launch_bounds__(64) small_blocks(int* out) { out[threadIdx.x] = 1; }

__managed__ int shared_with_the_host[64];

/// Memory for both host and device.
class Managed {
 public:
  Managed() { REQUIRE(cudaMallocManaged(&data_, 256 * sizeof(int)) == cudaSuccess); }
  ~Managed() { cudaFree(data_); }
  Managed(const Managed&) = delete;
  Managed& operator=(const Managed&) = delete;
  operator int*() const { return data_; }

 private:
  int* data_ = nullptr;
};

volatile int seen = 0;

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("memcheck: a call that fails is reported, with the line that makes it") {
  Device<int> memory(64);
  int host[64] = {};
  const Result swapped = run_checked([&] {
    cudaMemcpy(host, memory.data, sizeof host, cudaMemcpyHostToDevice);  // @swapped
  });
  check_finding(swapped.findings, {.kind = "failed_call", .line = at("swapped"), .count = 1});
  CHECK(
      swapped.findings[0].title ==
      "Program hit cudaErrorInvalidValue (error 1) due to \"invalid argument\" on CUDA API call to "
      "cudaMemcpy");
  CHECK(contains(swapped.findings[0].hint, "the target comes first, and this one is host memory"));
  const Result source = run_checked([&] {
    cudaMemcpy(memory, host, sizeof host, cudaMemcpyDeviceToHost);  // @wrong kind
  });
  check_finding(source.findings, {.kind = "failed_call", .line = at("wrong kind")});
  CHECK(contains(source.findings[0].hint, "the source comes second, and this one is host memory"));
  const Result too_much = run_checked([&] {
    cudaMemcpy(memory, host, 2 * sizeof host, cudaMemcpyHostToDevice);  // @too much
  });
  check_finding(too_much.findings, {.kind = "failed_call", .line = at("too much")});
  CHECK(contains(too_much.findings[0].hint, "beyond an allocation"));
  check_silent(run_checked([&] {
    cudaMemcpy(memory, host, sizeof host, cudaMemcpyHostToDevice);
    cudaMemcpy(host, memory, sizeof host, cudaMemcpyDeviceToHost);
  }));
}

TEST_CASE("memcheck: calls of one line are told once if they fail alike, else each") {
  Device<int> memory(64);
  int host[64] = {};
  const auto copy = [&](int* to, cudaMemcpyKind kind) { cudaMemcpy(to, host, 4, kind); };
  Result result = run_checked([&] {
    for (int i = 0; i < 3; ++i) copy(memory, cudaMemcpyDeviceToHost);
  });
  REQUIRE(result.findings.size() == 1);
  CHECK(result.findings[0].count == 3);
  // clang-format off
  result = run_checked([&] {
    cudaSetDevice(7); cudaEventRecord(nullptr); number<<<1, 2048>>>(memory); number<<<0, 32>>>(memory);  // @one line
  });
  // clang-format on
  std::vector<std::string> words;
  for (const emu::Finding& one : result.findings) {
    CHECK(one.first.line == at("one line"));
    CHECK(one.count == 1);
    words.push_back(one.title + one.hint);
  }
  REQUIRE(words.size() == 4);
  CHECK(contains(words[0], "call to cudaSetDevice"));
  CHECK(contains(words[1], "call to cudaEventRecord"));
  CHECK(contains(words[2], "2048 threads in a block"));
  CHECK(contains(words[3], "call to cudaLaunchKernel"));
  CHECK(words[2] != words[3]);
}

TEST_CASE("memcheck: a failure has the name of the call that the program made") {
  int* memory = nullptr;
  const auto title_of = [](auto&& call) {
    const Result result = run_checked(call);
    REQUIRE(result.findings.size() == 1);
    return result.findings[0].title;
  };
  CHECK(
      contains(title_of([&] { cudaMalloc(&memory, std::size_t{1} << 50); }), "call to cudaMalloc"));
  CHECK(contains(title_of([&] { cudaMemset(nullptr, 0, 4); }), "call to cudaMemset"));
  CHECK(contains(title_of([&] { cudaMemcpyToSymbol(shared_with_the_host, nullptr, 1 << 20); }),
                 "call to cudaMemcpyToSymbol"));
  CHECK(contains(title_of([&] { cudaEventRecord(nullptr); }), "call to cudaEventRecord"));
  CHECK(contains(title_of([&] { cudaSetDevice(7); }), "call to cudaSetDevice"));
}

TEST_CASE("memcheck: the answer of a query, and a look at the last error, are no failures") {
  check_silent(run_checked([&] {
    emu::set_last_error(cudaErrorInvalidValue);
    CHECK(cudaPeekAtLastError() == cudaErrorInvalidValue);
    CHECK(cudaGetLastError() == cudaErrorInvalidValue);
    cudaEvent_t event = nullptr;
    cudaEventCreate(&event);
    cudaEventQuery(event);
    cudaEventDestroy(event);
  }));
}

TEST_CASE("memcheck: a launch that is refused is reported though nobody asks") {
  Device<int> out(64);
  const Result many = run_checked([&] { number<<<1, 2048>>>(out); });  // @many threads
  check_finding(many.findings, {.kind = "failed_call", .line = at("many threads")});
  CHECK(many.findings[0].kernel == "number");
  CHECK(contains(many.findings[0].title, "call to cudaLaunchKernel"));
  CHECK(contains(many.findings[0].hint, "2048 threads in a block, and there may be 1024 at most"));
  check_finding(run_checked([&] { number<<<0, 32>>>(out); }).findings,  // @no blocks
                {.kind = "failed_call", .line = at("no blocks")});
  const Result bounds = run_checked([&] { small_blocks<<<1, 65>>>(out); });  // @bounds
  check_finding(bounds.findings, {.kind = "failed_call", .line = at("bounds")});
  CHECK(contains(bounds.findings[0].hint, "there may be 64 at most"));
  check_finding(run_checked([&] { number<<<1, 32, 1 << 20>>>(out); }).findings,  // @much shared
                {.kind = "failed_call", .line = at("much shared")});
  check_finding(run_checked([&] { number<<<dim3(1, 70000), 32>>>(out); }).findings,  // @high grid
                {.kind = "failed_call", .line = at("high grid")});
  check_finding(run_checked([&] { number<<<1, dim3(1, 1, 65)>>>(out); }).findings,  // @deep block
                {.kind = "failed_call", .line = at("deep block")});
  const Result odd = run_checked([&] { pairs<<<3, 32>>>(out); });  // @odd grid
  check_finding(odd.findings, {.kind = "failed_call", .line = at("odd grid")});
  CHECK(contains(odd.findings[0].title, "cudaErrorInvalidClusterSize"));
  CHECK(contains(odd.findings[0].hint,
                 "a grid of (3, 1, 1) blocks, which do not divide into clusters of (2, 1, 1)"));
  check_silent(run_checked([&] { number<<<1, 64>>>(out); }));
}

TEST_CASE("memcheck: a cooperative launch that does not fit is told, with the room there is") {
  Device<int> out(64);
  int* pointer = out;
  void* arguments[] = {&pointer};
  const Result result = run_checked([&] {
    cudaLaunchCooperativeKernel(number, dim3(265), dim3(1024), arguments);  // @too many
  });
  check_finding(result.findings, {.kind = "failed_call", .line = at("too many")});
  CHECK(contains(result.findings[0].title, "cudaErrorCooperativeLaunchTooLarge (error 720)"));
  CHECK(contains(result.findings[0].title, "call to cudaLaunchCooperativeKernel"));
  CHECK(contains(result.findings[0].hint,
                 "265 blocks that shall run at the same time, and the device has room for 264"));
}

TEST_CASE("memcheck: a launch by a call of the runtime is told once, as a launch") {
  Device<int> out(64);
  int* pointer = out;
  void* arguments[] = {&pointer};
  const void* const kernel = reinterpret_cast<const void*>(number);
  const Result many = run_checked([&] {
    cudaLaunchKernel(kernel, 1, 2048, arguments, 0, nullptr);  // @by a call
  });
  check_finding(many.findings, {.kind = "failed_call", .line = at("by a call"), .count = 1});
  check_silent(run_checked([&] { cudaLaunchKernel(kernel, 1, 64, arguments, 0, nullptr); }));
}

TEST_CASE("memcheck: what a failed kernel leaves behind is no failure of later calls") {
  const Result result = run_checked([&] {
    number<<<1, 1>>>(nullptr);
    cudaDeviceSynchronize();
    int* memory = nullptr;
    cudaMalloc(&memory, 4);
  });
  check_finding(result.findings, {.kind = "null_pointer", .line = at("number"), .count = 1});
}

TEST_CASE("memcheck: a question whose answer is no has not failed") {
  check_silent(run_checked([&] {
    cudaGetLastError();
    cudaPeekAtLastError();
    cudaPointerAttributes attributes;
    cudaPointerGetAttributes(&attributes, &attributes);
  }));
}

TEST_CASE("racecheck: the host reads managed memory before it has waited for the kernel") {
  Managed memory;
  const Result wrong = run_checked([&] {
    number<<<4, 64>>>(memory);
    for (int i = 0; i < 256; ++i) seen = seen + memory[i];  // @early
  });
  check_finding(
      wrong.findings,
      {.kind = "host_race", .line = at("early"), .other_line = at("number"), .count = 256});
  CHECK(wrong.findings[0].kernel == "number");
  CHECK(contains(wrong.findings[0].title, "host code reads memory"));

  const auto waits_with = [&](auto&& wait) {
    check_silent(run_checked([&] {
      number<<<4, 64>>>(memory);
      wait();
      for (int i = 0; i < 256; ++i) seen = seen + memory[i];
    }));
  };
  waits_with([] { cudaDeviceSynchronize(); });
  waits_with([] { cudaStreamSynchronize(nullptr); });
  waits_with([&] {
    int copied[256];
    cudaMemcpy(copied, memory, sizeof copied, cudaMemcpyDeviceToHost);
  });
  waits_with([] {
    cudaEvent_t event{};
    cudaEventCreate(&event);
    cudaEventRecord(event);
    cudaEventSynchronize(event);
    cudaEventDestroy(event);
  });
}

TEST_CASE("racecheck: a fill does not wait, and waiting holds until the next launch") {
  Managed memory;
  const Result filled = run_checked([&] {
    number<<<1, 64>>>(memory);
    cudaMemsetAsync(memory, 0, 4);
    seen = memory[1];  // @after a fill
  });
  check_finding(
      filled.findings,
      {.kind = "host_race", .line = at("after a fill"), .other_line = at("number"), .count = 1});
  const Result again = run_checked([&] {
    number<<<1, 64>>>(memory);
    cudaDeviceSynchronize();
    seen = memory[1];
    number<<<1, 64>>>(memory);
    seen = memory[1];  // @after the second
  });
  check_finding(again.findings, {.kind = "host_race",
                                 .line = at("after the second"),
                                 .other_line = at("number"),
                                 .count = 1});
}

TEST_CASE("racecheck: the host may touch what the kernel does not") {
  Managed memory, others;
  check_silent(run_checked([&] {
    number<<<1, 64>>>(memory);
    others[0] = 1;
    seen = others[0] + memory[64];
  }));
  // Both may read at the same time, but the host must not write yet.
  std::iota(&memory[0], &memory[256], 0);
  check_silent(run_checked([&] {
    twice<<<1, 64>>>(memory, others);
    seen = memory[3];
  }));
  const Result overwritten = run_checked([&] {
    twice<<<1, 64>>>(memory, others);
    memory[3] = 0;  // @overwritten
  });
  check_finding(
      overwritten.findings,
      {.kind = "host_race", .line = at("overwritten"), .other_line = at("twice"), .count = 1});
  CHECK(contains(overwritten.findings[0].title, "host code writes"));
}

TEST_CASE("racecheck: managed variables and pinned memory are no different") {
  const Result variable = run_checked([&] {
    int* address = nullptr;
    cudaGetSymbolAddress(reinterpret_cast<void**>(&address), shared_with_the_host);
    number<<<1, 64>>>(address);
    seen = shared_with_the_host[2];  // @variable
  });
  check_finding(variable.findings,
                {.kind = "host_race", .line = at("variable"), .other_line = at("number")});
  int* pinned = nullptr;
  REQUIRE(cudaMallocHost(&pinned, 64 * sizeof(int)) == cudaSuccess);
  const Result early = run_checked([&] {
    number<<<1, 64>>>(pinned);
    seen = pinned[2];  // @pinned
  });
  check_finding(early.findings,
                {.kind = "host_race", .line = at("pinned"), .other_line = at("number")});
  check_silent(run_checked([&] {
    number<<<1, 64>>>(pinned);
    cudaDeviceSynchronize();
    seen = pinned[2];
  }));
  cudaFreeHost(pinned);
}

TEST_CASE("racecheck: an asynchronous copy or fill uses memory until the host has waited for it") {
  Device<int> memory(64);
  int* pinned = nullptr;
  REQUIRE(cudaMallocHost(&pinned, 64 * sizeof(int)) == cudaSuccess);
  Managed managed;
  cudaStream_t stream = nullptr;
  REQUIRE(cudaStreamCreate(&stream) == cudaSuccess);
  const std::size_t half = 32 * sizeof(int);

  const Result read = run_checked([&] {
    cudaMemcpyAsync(pinned, memory, half, cudaMemcpyDeviceToHost, stream);  // @copy to the host
    seen = pinned[31];                                                      // @read too early
  });
  check_finding(read.findings, {.kind = "host_race",
                                .line = at("read too early"),
                                .other_line = at("copy to the host"),
                                .count = 1});
  CHECK(read.findings[0].title ==
        "host code reads memory that cudaMemcpyAsync may still be writing to");
  CHECK(contains(read.findings[0].hint, "cudaStreamSynchronize()"));

  const Result written = run_checked([&] {
    cudaMemcpyAsync(memory, pinned, half, cudaMemcpyHostToDevice, stream);  // @copy from the host
    pinned[0] = 10;                                                         // @written too early
  });
  check_finding(written.findings, {.kind = "host_race",
                                   .line = at("written too early"),
                                   .other_line = at("copy from the host"),
                                   .count = 1});
  CHECK(contains(written.findings[0].title, "host code writes to memory"));
  CHECK(contains(written.findings[0].title, "cudaMemcpyAsync may still be reading"));

  const Result filled = run_checked([&] {
    cudaMemsetAsync(managed, 0, half);  // @fill
    seen = managed[0];                  // @read of a fill
  });
  check_finding(
      filled.findings,
      {.kind = "host_race", .line = at("read of a fill"), .other_line = at("fill"), .count = 1});

  const Result rows = run_checked([&] {
    cudaMemcpy2DAsync(pinned, 32, memory, 16, 16, 3, cudaMemcpyDeviceToHost);  // @rows
    seen = pinned[4] + pinned[12] + pinned[24];                                // @between rows
    seen = pinned[16];                                                         // @in a row
  });
  check_finding(
      rows.findings,
      {.kind = "host_race", .line = at("in a row"), .other_line = at("rows"), .count = 1});

  check_silent(run_checked([&] {
    cudaMemcpyAsync(pinned, memory, half, cudaMemcpyDeviceToHost, stream);
    seen = pinned[32];  // beside it
    cudaStreamSynchronize(stream);
    seen = pinned[31];
    cudaMemcpyAsync(memory, pinned, half, cudaMemcpyHostToDevice, stream);
    seen = pinned[31];  // also read by the copy
    cudaStreamSynchronize(stream);
    pinned[31] = 1;
  }));
  // When the call returns, such a copy has finished with pageable memory.
  int ordinary[32] = {};
  check_silent(run_checked([&] {
    cudaMemcpyAsync(memory, ordinary, half, cudaMemcpyHostToDevice, stream);
    ordinary[0] = 1;
    cudaMemcpyAsync(ordinary, memory, half, cudaMemcpyDeviceToHost, stream);
    seen = ordinary[0];
  }));
  cudaStreamDestroy(stream);
  cudaFreeHost(pinned);
}
