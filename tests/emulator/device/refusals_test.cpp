// Tests that unsupported uses of the device library are refused by name: by the compiler if it can
// see them, otherwise when the kernel runs.
#include <doctest/doctest.h>

#include <algorithm>
#include <fstream>
#include <string>
#include <vector>

#include "tools/support/subprocess.hpp"

namespace {

using tools::CommandResult;
using tools::run_command;

constexpr int kFirstLine = 10;  // line of the first statement

/// One program for many wrong statements, because starting a compiler takes longer than finding an
/// error.
class Program {
 public:
  /// Each statement is the body of a kernel on a line of its own.
  explicit Program(const std::vector<std::string>& statements, int threads = 32) {
    std::ofstream source(folder_.path() / "program.cu");
    source << "#include <cooperative_groups.h>\n"
              "#include <cuda.h>\n"
              "#include <cuda_bf16.h>\n"
              "#include <cuda_fp8.h>\n"
              "#include <cuda_pipeline.h>\n"
              "#include <cuda/ptx>\n"
              "#include <cstdio>\n"
              "#include <cstdlib>\n"
              "namespace cg = cooperative_groups; namespace ptx = cuda::ptx;\n";
    for (std::size_t i = 0; i < statements.size(); ++i)
      source << "__global__ void kernel_" << i
             << "(int* p, const __grid_constant__ CUtensorMap map) { " << statements[i] << " }\n";
    source
        << "int main(int, char** words) {\n"
           "  int* p = nullptr;\n"
           "  cudaMalloc(&p, 1024);\n"
           "  CUtensorMap map;  // of p as 16 rows of 16\n"
           "  const cuuint64_t sizes[] = {16, 16}, strides[] = {64};\n"
           "  const cuuint32_t box[] = {16, 8}, steps[] = {1, 1};\n"
           "  cuTensorMapEncodeTiled(&map, CU_TENSOR_MAP_DATA_TYPE_INT32, 2, p, sizes, strides,\n"
           "                         box, steps, CU_TENSOR_MAP_INTERLEAVE_NONE,\n"
           "                         CU_TENSOR_MAP_SWIZZLE_NONE, CU_TENSOR_MAP_L2_PROMOTION_NONE,\n"
           "                         CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);\n"
           "  switch (std::atoi(words[1])) {\n";
    for (std::size_t i = 0; i < statements.size(); ++i)
      source << "    case " << i << ": kernel_" << i << "<<<1, " << threads
             << ">>>(p, map); break;\n";
    source << "  }\n"
              "  std::printf(\"%s\\n\", cudaGetErrorName(cudaDeviceSynchronize()));\n"
              "}\n";
  }

  CommandResult compile() const {
    return run_command({EMULATOR_NVCC, "-std=c++17", "-o", file("program"), file("program.cu")});
  }
  /// Runs one kernel.
  CommandResult run(std::size_t statement) const {
    return run_command({file("program"), std::to_string(statement)});
  }

 private:
  std::string file(const char* name) const { return (folder_.path() / name).string(); }
  tools::TemporaryFolder folder_;
};

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

/// Returns "program.cu:12", the position of a statement.
std::string place_of(std::size_t statement) {
  return "program.cu:" + std::to_string(kFirstLine + statement);
}

/// Returns g++'s errors, each with its notes.
std::vector<std::string> errors_of(const std::string& messages) {
  std::vector<std::string> errors(1);
  bool has_error = false;
  for (const std::string& line : tools::lines_of(messages)) {
    const bool leads = contains(line, ": In ") || line.starts_with("In function ");
    if (has_error && (leads || contains(line, ": error: "))) {
      errors.emplace_back();
      has_error = false;
    }
    has_error = has_error || contains(line, ": error: ");
    errors.back() += line + "\n";
  }
  return errors;
}

struct Wrong {
  const char* statement;
  const char* message;    // the message or a part of it
  const char* name = "";  // a name that the message must contain, too
};

/// Compiles all statements at once: each must give an error with its message and its line.
void check_errors(const std::vector<Wrong>& wrongs) {
  std::vector<std::string> statements;
  for (const Wrong& wrong : wrongs) statements.push_back(wrong.statement);
  const CommandResult result = Program(statements).compile();
  CHECK(result.status != 0);
  const std::vector<std::string> errors = errors_of(result.err);
  for (std::size_t i = 0; i < wrongs.size(); ++i) {
    CAPTURE(std::string(wrongs[i].statement));
    CHECK(std::any_of(errors.begin(), errors.end(), [&](const std::string& error) {
      return contains(error, place_of(i) + ":") && contains(error, wrongs[i].message) &&
             contains(error, wrongs[i].name);
    }));
  }
}

struct Misuse {
  std::string statement;
  const char* error;
  const char* message;
  bool has_line = true;
};

/// Runs each statement in its own process, and checks the calls' error, the message and its line.
void check_misuses(const std::vector<Misuse>& misuses, int threads) {
  std::vector<std::string> statements;
  for (const Misuse& misuse : misuses) statements.push_back(misuse.statement);
  const Program program(statements, threads);
  const CommandResult compiled = program.compile();
  CAPTURE(compiled.err);
  REQUIRE(compiled.status == 0);
  for (std::size_t i = 0; i < misuses.size(); ++i) {
    CAPTURE(misuses[i].statement);
    const CommandResult result = program.run(i);
    CHECK(result.status == 0);
    CHECK(result.out == misuses[i].error + std::string("\n"));
    CHECK(contains(result.err, misuses[i].message));
    if (misuses[i].has_line) CHECK(contains(result.err, place_of(i)));
  }
}

}  // namespace

// The compiler reports these errors late: not at all if the source has others.
TEST_CASE("warp functions without _sync name the ones that replaced them") {
  check_errors({
      {"p[0] = __shfl(p[1], 0);",
       "CUDA no longer has __shfl: write __shfl_sync(mask, value, lane)"},
      {"p[0] = __shfl_up(p[1], 1, 16);", "CUDA no longer has __shfl_up: write __shfl_up_sync"},
      {"p[0] = static_cast<int>(__shfl_down(1.5f, 1));",
       "CUDA no longer has __shfl_down: write __shfl_down_sync"},
      {"p[0] = __shfl_xor(p[1], 1);", "CUDA no longer has __shfl_xor: write __shfl_xor_sync"},
      {"p[0] = __ballot(p[1]);",
       "CUDA no longer has __ballot: write __ballot_sync(mask, predicate)"},
      {"p[0] = __any(p[1]);", "CUDA no longer has __any: write __any_sync"},
      {"p[0] = __all(p[1]);", "CUDA no longer has __all: write __all_sync"},
  });
}

TEST_CASE(
    "tiles of other sizes, what is missing of cuda::ptx and ambiguous overloads stop the build") {
  check_errors({
      {"auto t = cg::tiled_partition<2048>(cg::this_thread_block()); t.sync();",
       "a tile has at most 1024 threads"},
      {"auto t = cg::tiled_partition<24>(cg::this_thread_block()); t.sync();",
       "a tile's size is a power of 2"},
      {"ptx::cp_reduce_async_bulk();", "is not a member of", "cp_reduce_async_bulk"},
      {"ptx::st_async();", "is not a member of", "st_async"},
      {"ptx::tcgen05_alloc();", "is not a member of", "tcgen05_alloc"},
      {"__shared__ int s[4]; ptx::cp_async_bulk(ptx::space_global, ptx::space_global, p, s, 16);",
       ": error: "},
      {"ptx::cp_async_bulk_wait_group(0);", ": error: "},
      // Overloads that are ambiguous or missing in nvcc are errors here, too.
      {"p[0] = static_cast<int>(max(1.0f, 2));", ": error: "},
      {"p[0] = static_cast<int>(min(3l, 4));", ": error: "},
      {"atomicAdd(reinterpret_cast<long long*>(p), 1ll);", ": error: "},
      {"atomicAdd(reinterpret_cast<char*>(p), 'a');", ": error: "},
      {"struct S { int a[3]; }; S s = __ldg(reinterpret_cast<S*>(p)); p[0] = s.a[0];", ": error: "},
  });
}

TEST_CASE("nvcc's own atomics take the types that nvcc takes") {
  check_errors({
      {"__nv_atomic_fetch_add(reinterpret_cast<short*>(p), short{1}, __NV_ATOMIC_RELAXED);",
       "valid only on objects of size 4, or 8"},
      {"__nv_atomic_fetch_sub(reinterpret_cast<long long*>(p), 1ll, __NV_ATOMIC_RELAXED);",
       "atomic operations add and sub are not valid on signed integer of size 8"},
      {"__nv_atomic_fetch_max(reinterpret_cast<float*>(p), 1.0f, __NV_ATOMIC_RELAXED);",
       "atomic operations min and max are not supported on any floating-point types"},
      {"__nv_atomic_or(reinterpret_cast<float*>(p), 1.0f, __NV_ATOMIC_RELAXED);",
       "for a logical atomic operation"},
      {"__nv_atomic_load_n(reinterpret_cast<float*>(p), __NV_ATOMIC_RELAXED);",
       "no matching function", "__nv_atomic_load_n"},
      {"struct S { int a[3]; } s; __nv_atomic_store(reinterpret_cast<S*>(p), &s, 0);",
       "valid only on objects of size 1, 2, 4, 8 and 16"},
      {"__nv_atomic_exchange_n(reinterpret_cast<short*>(p), short{1}, __NV_ATOMIC_RELAXED);",
       "atomic exchange is valid only on objects of size 4, 8 or 16 bytes"},
      {"char e = 0; __nv_atomic_compare_exchange_n(reinterpret_cast<char*>(p), &e, e, false, 0, "
       "0);",
       "atomic CAS is valid only on objects of size 2, 4, 8 or 16 bytes"},
  });
}

// These errors come late, too.
TEST_CASE("orders and scopes of nvcc's own atomics are literals that nvcc takes") {
  check_errors({
      {"__nv_atomic_fetch_add(p, 1, p[1]);",
       "atomic operation's memory order argument is not an integer literal"},
      {"__nv_atomic_fetch_add(p, 1, __NV_ATOMIC_RELAXED, p[1]);",
       "atomic operation's scope argument is not an integer literal"},
      {"__nv_atomic_add(p, 1, 6);", "invalid memory order value for atomic operations"},
      {"__nv_atomic_add(p, 1, __NV_ATOMIC_RELAXED, 5);",
       "invalid thread scope value for atomic operations"},
      {"p[0] = __nv_atomic_load_n(p, __NV_ATOMIC_RELEASE);",
       "atomic load's memory order cannot be release or acq_rel"},
      {"__nv_atomic_store_n(p, 1, __NV_ATOMIC_ACQUIRE);",
       "atomic store's memory order cannot be consume, acquire or acq_rel"},
  });
}

TEST_CASE("narrow numbers mix with others no more than nvcc lets them") {
  check_errors({
      {"__half h = 1; h = h + 1.0f;", "ambiguous overload for", "operator+"},
      {"__half h = 1; p[0] = h < 2;", "ambiguous overload for", "operator<"},
      {"__half h = 1; __nv_bfloat16 b = h;", ": error: "},
      {"__half h = 1; __nv_bfloat16 b(1); h = __hmul(h, b);", "no matching function", "__hmul"},
      {"__half2 v(1, 2); v = v * 2.0f;", ": error: "},
      {"__half2 v = __half(1);", ": error: "},
      {"__half h = 1; h = sqrt(h);", "is ambiguous", "sqrt"},
      {"__half h = 1; h = max(h, h);", "is ambiguous", "max"},
      {"__nv_fp8_e4m3 e = 1.0f;", ": error: "},
      {"__nv_fp8_e4m3 e(1); float f = e;", ": error: "},
      {"__nv_fp8_e4m3 e(1); e = e + e;", "no match for", "operator+"},
      {"atomicMax(reinterpret_cast<__half*>(p), __half(1));", ": error: "},
  });
}

TEST_CASE("a program may bring its own atomicAdd of double") {
  const Program program(
      {"}\n"
       "__device__ double atomicAdd(double* address, double value) {\n"
       "  auto* const bits = reinterpret_cast<unsigned long long*>(address);\n"
       "  unsigned long long old = *bits, seen;\n"
       "  do {\n"
       "    seen = old;\n"
       "    old = atomicCAS(bits, seen, __double_as_longlong(value + "
       "__longlong_as_double(seen)));\n"
       "  } while (seen != old);\n"
       "  return __longlong_as_double(old);\n"
       "}\n"
       "__global__ void sum(double* p) { atomicAdd(p, 1.0); atomicAdd(p, 1); }\n"
       "void unused() {\n"});
  const CommandResult compiled = program.compile();
  CAPTURE(compiled.err);
  CHECK(compiled.status == 0);
}

TEST_CASE("misuse ends the kernel with CUDA's error and says why") {
  std::vector<Misuse> misuses = {
      {"cg::this_grid().sync(); p[0] = 1;", "cudaErrorLaunchFailure",
       "the grid meets only where cudaLaunchCooperativeKernel has launched it"},
      {"auto token = cg::this_grid().barrier_arrive(); p[0] = 1;", "cudaErrorLaunchFailure",
       "barrier_arrive() without a cooperative launch", false},
      {"__shared__ int s[4]; __pipeline_memcpy_async(s, p, 12);", "cudaErrorLaunchFailure",
       "the size must be 4, 8 or 16 bytes", false},
      {"__shared__ alignas(16) int s[8]; __pipeline_memcpy_async(s, p + 1, 16);",
       "cudaErrorLaunchFailure", "not aligned to the size", false},
      {"__shared__ int s[4]; __pipeline_memcpy_async(s, p, 4, 5);", "cudaErrorLaunchFailure",
       "more bytes to zero than to copy", false},
      {"__trap();", "cudaErrorLaunchFailure", "__trap()", false},
      {"__brkpt();", "cudaErrorLaunchFailure", "__brkpt()", false},
      {"asm volatile(\"brkpt;\");", "cudaErrorLaunchFailure", "brkpt", false},
      {"auto t = cg::tiled_partition(cg::this_thread_block(), static_cast<unsigned>(blockDim.x) - "
       "29); t.sync();",
       "cudaErrorLaunchFailure", "the size must be a power of 2", false},
  };
  // s: 4 KiB of shared memory; b: an mbarrier that waits for two arrivals
  const std::string before =
      "__shared__ alignas(1024) char s[4096]; __shared__ std::uint64_t b, c[2];"
      "if (threadIdx.x == 0) { ptx::mbarrier_init(&b, 2u); c[0] = c[1] = 0; ";
  const Misuse copies[] = {
      {"ptx::mbarrier_arrive(c);", "cudaErrorIllegalInstruction", "there is no mbarrier here"},
      {"ptx::mbarrier_init(&b, 0u);", "cudaErrorIllegalInstruction",
       "an mbarrier of 0 arrivals: from 1 to 1048575 are possible"},
      {"ptx::mbarrier_arrive(&b, 3u);", "cudaErrorIllegalInstruction",
       "3 arrivals at an mbarrier that waits for 2"},
      {"ptx::mbarrier_expect_tx(ptx::sem_relaxed, ptx::scope_cta, ptx::space_shared, &b, 1u << "
       "20);",
       "cudaErrorIllegalInstruction", "cannot wait for more than 1048575 bytes"},
      {"ptx::mbarrier_init(reinterpret_cast<std::uint64_t*>(p), 1u);", "cudaErrorIllegalAddress",
       "an mbarrier must be in shared memory"},
      {"ptx::mbarrier_init(reinterpret_cast<std::uint64_t*>(s + 4), 1u);",
       "cudaErrorMisalignedAddress", "an mbarrier must be at a multiple of 8 bytes"},
      {"ptx::cp_async_bulk(ptx::space_shared, ptx::space_global, s + 8, p, 16, &b);",
       "cudaErrorMisalignedAddress", "must be multiples of 16 bytes"},
      {"ptx::cp_async_bulk(ptx::space_shared, ptx::space_global, s, p, 20, &b);",
       "cudaErrorMisalignedAddress", "must be multiples of 16 bytes"},
      {"ptx::cp_async_bulk(ptx::space_shared, ptx::space_global, p, p, 16, &b);",
       "cudaErrorIllegalAddress", "the target of a bulk copy must be in shared memory"},
      {"ptx::cp_async_bulk(ptx::space_shared, ptx::space_global, s, p + (1 << 30), 16, &b);",
       "cudaErrorIllegalAddress", "a bulk copy reads 16 bytes at 0x"},
      {"const int at[] = {0, 0}; ptx::cp_async_bulk_tensor(ptx::space_shared, ptx::space_global, s,"
       " s, at, &b);",
       "cudaErrorIllegalInstruction", "no tensor map that cuTensorMapEncodeTiled has written"},
      {"const int at[] = {0}; ptx::cp_async_bulk_tensor(ptx::space_shared, ptx::space_global, s,"
       " &map, at, &b);",
       "cudaErrorIllegalInstruction", "1 coordinates for a tensor of 2 dimensions"},
      {"const int at[] = {2, 0}; ptx::cp_async_bulk_tensor(ptx::space_shared, ptx::space_global, s,"
       " &map, at, &b);",
       "cudaErrorIllegalInstruction", "the box begins at element 2 of its rows"},
      {"const int at[] = {0, -1}; ptx::cp_async_bulk_tensor(ptx::space_global, ptx::space_shared, "
       "&map, at, s);",
       "cudaErrorIllegalInstruction", "cannot begin before its tensor, at -1"},
      {"const int at[] = {0, 0}; ptx::cp_async_bulk_tensor(ptx::space_shared, ptx::space_global,"
       " s + 64, &map, at, &b);",
       "cudaErrorMisalignedAddress", "must be at a multiple of 128 bytes"},
  };
  for (const Misuse& copy : copies)
    misuses.push_back({before + copy.statement + "}", copy.error, copy.message});

  check_misuses(misuses, 32);
}

TEST_CASE("tensor cores that are misused end the kernel, and say why") {
  const auto wgmma = [](const char* a, const char* b, const char* rest) {
    return std::string(
               "asm volatile(\"{ .reg .pred p; setp.ne.b32 p, 1, 0; "
               "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%0, %1, %2, %3}, %4, "
               "%5, p, ") +
           rest + "; }\" : \"+f\"(d[0]), \"+f\"(d[1]), \"+f\"(d[2]), \"+f\"(d[3]) : \"l\"(" + a +
           "), \"l\"(" + b + "));";
  };
  const std::string before =
      "__shared__ alignas(1024) char s[4096]; float d[4] = {}; s[threadIdx.x] = 0; "
      "const auto start = static_cast<unsigned long long>(__cvta_generic_to_shared(s) & 0x3ffff) "
      ">> 4 | 8ull << 16 | 16ull << 32; __syncthreads(); ";
  const std::string good = wgmma("start", "start", "1, 1, 0, 0");
  constexpr const char* kInstruction = "cudaErrorIllegalInstruction";
  check_misuses(
      {{before + "if (threadIdx.x % 32 < 20) { " + good + " }", kInstruction,
        "wgmma.mma_async takes all 32 lanes of the warp, at the same call"},
       {before + wgmma("start + threadIdx.x % 2", "start", "1, 1, 0, 0"), kInstruction,
        "lanes 0 and 1 of one warp bring different descriptors to wgmma"},
       {before + wgmma("start", "start | 1ull << 49", "1, 1, 0, 0"), kInstruction,
        "the descriptor of B has a base offset"},
       {before + wgmma("start | 1ull << 46", "start", "1, 1, 0, 0"), kInstruction,
        "the descriptor of A has bits set that mean nothing"},
       {before + wgmma("start + 256", "start", "1, 1, 0, 0"), "cudaErrorIllegalAddress",
        "wgmma reads A at 0x"},
       {before + wgmma("start", "start | 0x2000ull << 16", "1, 1, 0, 0"), "cudaErrorIllegalAddress",
        "which is not the block's shared memory: its descriptor begins at 0x"},
       {before + wgmma("start", "start", "2, 1, 0, 0"), kInstruction,
        "wgmma's factors of A and B are 1 or -1"},
       {before + wgmma("start", "start", "1, 1, 0, 2"), kInstruction,
        "wgmma's orders of A and B are 0 or 1"},
       {"asm volatile(\"setmaxnreg.dec.sync.aligned.u32 16;\");", kInstruction,
        "setmaxnreg takes multiples of 8 from 24 to 256, not 16"},
       {"asm volatile(\"setmaxnreg.inc.sync.aligned.u32 %0;\" :: \"n\"(100));", kInstruction,
        "setmaxnreg takes multiples of 8 from 24 to 256, not 100"},
       {"__shared__ alignas(16) int s[64]; "
        "ptx::cp_async_bulk(ptx::space_global, ptx::space_shared, p, p, 16);",
        "cudaErrorIllegalAddress", "the source of this copy must be the block's own"},
       {"__shared__ alignas(16) int s[64]; "
        "ptx::cp_async_bulk(ptx::space_global, ptx::space_shared, p + (1 << 30), s, 16);",
        "cudaErrorIllegalAddress", "a bulk copy writes 16 bytes at 0x"}},
      128);
  check_misuses({{before + good, kInstruction,
                  "wgmma takes the four warps of a warpgroup, and a block of 96 threads does not "
                  "have them all"},
                 {before + "if (threadIdx.x < 7) " + good + " else __syncthreads();",
                  "cudaErrorLaunchTimeout", "wgmma.mma_async"}},
                96);
}

TEST_CASE("instructions of tensor cores with too few registers stop the build") {
  check_errors({
      {"float d[4]; unsigned a = 0; asm(\"mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "
       "{%0, %1, %2, %3}, {%4, %4}, {%4, %4}, {%0, %1, %2, %3};\" : \"+f\"(d[0]), \"+f\"(d[1]), "
       "\"+f\"(d[2]), \"+f\"(d[3]) : \"r\"(a));",
       "these are not as many registers as mma.sync takes"},
      {"float d[4]; unsigned long long a = 0; asm(\"{ .reg .pred p; "
       "wgmma.mma_async.sync.aligned.m64n16k16.f32.f16.f16 {%0, %1, %2, %3}, %4, %4, p, 1, 1, 0, "
       "0; }\" : \"+f\"(d[0]), \"+f\"(d[1]), \"+f\"(d[2]), \"+f\"(d[3]) : \"l\"(a));",
       "these are not as many registers as wgmma takes for D"},
      {"unsigned d[3]; asm(\"ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0, %1, %2}, [%0];\" : "
       "\"+r\"(d[0]), \"+r\"(d[1]), \"+r\"(d[2]));",
       "ldmatrix has 1, 2 or 4 registers"},
  });
}

#if EMULATOR_HAS_PLUGIN
TEST_CASE("host code that names a variable of the device is warned of, as by nvcc") {
  const tools::TemporaryFolder folder;
  const std::string source = (folder.path() / "host.cu").string();
  std::ofstream(source) << "__device__ int number, table[4]; __constant__ float factors[2];\n"
                           "__managed__ int both; __device__ const int three = 3;\n"
                           "__host__ __device__ int on_both_sides() { return number; }\n"
                           "__global__ void kernel(int* to) { *to = number + on_both_sides(); }\n"
                           "int main() {\n"
                           "  both = three;\n"
                           "  cudaMemcpyToSymbol(number, &both, sizeof number);\n"
                           "  auto on_device = []\n"
                           "    __device__(int i) { table[i] = number; };\n"
                           "  (void)on_device;\n"
                           "  number = 3;\n"
                           "  float read = factors[1];\n"
                           "  table[2] = both;\n"
                           "  return read > 0.0f;\n"
                           "}\n";
  const CommandResult result = run_command({EMULATOR_NVCC, "--extended-lambda", "-c", "-o",
                                            (folder.path() / "host.o").string(), source});
  CHECK(result.status == 0);
  for (const char* warning : {"host.cu:11:", "host.cu:12:", "host.cu:13:"}) {
    CAPTURE(warning);
    CHECK(contains(result.err, warning));
  }
  CHECK(contains(result.err, "cannot be directly written in a host function"));
  CHECK(contains(result.err, "cannot be directly read in a host function"));
  std::size_t warnings = 0;
  for (std::size_t at = 0; (at = result.err.find("warning:", at)) != std::string::npos; ++at)
    ++warnings;
  CHECK(warnings == 3);
}
#endif
