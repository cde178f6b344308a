// What the device library does not do is refused by name: by the compiler where it can be seen
// there, else when the kernel runs.
#include <doctest/doctest.h>

#include <fstream>
#include <string>

#include "tools/support/subprocess.hpp"

namespace {

using tools::CommandResult;
using tools::run_command;

struct Wrong {
  const char* statement;
  const char* message;
};

class Program {
 public:
  /// A program whose only kernel has `statement` for a body.
  explicit Program(const std::string& statement) {
    std::ofstream source(folder_.path() / "program.cu");
    source
        << "#include <cooperative_groups.h>\n"
           "#include <cuda.h>\n"
           "#include <cuda_pipeline.h>\n"
           "#include <cuda/ptx>\n"
           "#include <cstdio>\n"
           "namespace cg = cooperative_groups; namespace ptx = cuda::ptx;\n"
           "__global__ void kernel(int* p, const __grid_constant__ CUtensorMap map) {\n"
        << statement  // line 8
        << "\n}\n"
           "int main() {\n"
           "  int* p = nullptr;\n"
           "  cudaMalloc(&p, 1024);\n"
           "  CUtensorMap map;  // of p as 16 rows of 16\n"
           "  const cuuint64_t sizes[] = {16, 16}, strides[] = {64};\n"
           "  const cuuint32_t box[] = {16, 8}, steps[] = {1, 1};\n"
           "  cuTensorMapEncodeTiled(&map, CU_TENSOR_MAP_DATA_TYPE_INT32, 2, p, sizes, strides,\n"
           "                         box, steps, CU_TENSOR_MAP_INTERLEAVE_NONE,\n"
           "                         CU_TENSOR_MAP_SWIZZLE_NONE, CU_TENSOR_MAP_L2_PROMOTION_NONE,\n"
           "                         CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);\n"
           "  kernel<<<1, 32>>>(p, map);\n"
           "  std::printf(\"%s\\n\", cudaGetErrorName(cudaDeviceSynchronize()));\n"
           "}\n";
  }

  CommandResult compile() const {
    return run_command({EMULATOR_NVCC, "-std=c++17", "-o", file("program"), file("program.cu")});
  }
  CommandResult run() const { return run_command({file("program")}); }

 private:
  std::string file(const char* name) const { return (folder_.path() / name).string(); }
  tools::TemporaryFolder folder_;
};

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("warp functions without _sync name the ones that replaced them") {
  const Wrong wrongs[] = {
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
      {"auto t = cg::tiled_partition<64>(cg::this_thread_block()); t.sync();",
       "the emulator does not support tiles larger than a warp"},
      {"auto t = cg::tiled_partition<24>(cg::this_thread_block()); t.sync();",
       "a tile's size is a power of 2"},
  };
  for (const Wrong& wrong : wrongs) {
    CAPTURE(wrong.statement);
    const CommandResult result = Program(wrong.statement).compile();
    CHECK(result.status != 0);
    CHECK(contains(result.err, wrong.message));
    CHECK(contains(result.err, "program.cu:8"));
  }
}

TEST_CASE("what is missing of cuda::ptx stops the build, by its name") {
  for (const std::string name :
       {"cp_async_bulk_commit_group", "cp_reduce_async_bulk", "getctarank", "tcgen05_alloc"}) {
    CAPTURE(name);
    const CommandResult result = Program("ptx::" + name + "();").compile();
    CHECK(result.status != 0);
    CHECK(contains(result.err, name));
    CHECK(contains(result.err, "is not a member of"));
    CHECK(contains(result.err, "program.cu:8"));
  }
  // From shared to global memory.
  CHECK(Program("__shared__ int s[4];"
                "ptx::cp_async_bulk(ptx::space_global, ptx::space_shared, p, s, 16);")
            .compile()
            .status != 0);
}

TEST_CASE("overloads that nvcc finds ambiguous or lacks are no better here") {
  for (const char* statement :
       {"p[0] = static_cast<int>(max(1.0f, 2));", "p[0] = static_cast<int>(min(3l, 4));",
        "atomicAdd(reinterpret_cast<long long*>(p), 1ll);",
        "atomicAdd(reinterpret_cast<char*>(p), 'a');",
        "struct S { int a[3]; }; S s = __ldg(reinterpret_cast<S*>(p)); p[0] = s.a[0];"}) {
    CAPTURE(statement);
    CHECK(Program(statement).compile().status != 0);
  }
}

TEST_CASE("a program may bring its own atomicAdd of double") {
  const Program program(
      "}\n"
      "__device__ double atomicAdd(double* address, double value) {\n"
      "  auto* const bits = reinterpret_cast<unsigned long long*>(address);\n"
      "  unsigned long long old = *bits, seen;\n"
      "  do {\n"
      "    seen = old;\n"
      "    old = atomicCAS(bits, seen, __double_as_longlong(value + __longlong_as_double(seen)));\n"
      "  } while (seen != old);\n"
      "  return __longlong_as_double(old);\n"
      "}\n"
      "__global__ void sum(double* p) { atomicAdd(p, 1.0); atomicAdd(p, 1); }\n"
      "void unused() {\n");
  const CommandResult compiled = program.compile();
  CAPTURE(compiled.err);
  CHECK(compiled.status == 0);
}

TEST_CASE("synchronising the grid stops the program by name") {
  const Program program("cg::this_grid().sync(); p[0] = 1;");
  const CommandResult compiled = program.compile();
  CAPTURE(compiled.err);
  REQUIRE(compiled.status == 0);
  const CommandResult result = program.run();
  CHECK(result.status == 2);
  CHECK(contains(result.err, "cooperative_groups::this_grid().sync()"));
}

TEST_CASE("misused mbarriers and bulk copies end the kernel with CUDA's error and say why") {
  struct Misuse {
    const char* statement;  // s: 4 KiB of shared memory; b: an mbarrier that waits for two arrivals
    const char* error;
    const char* message;
  };
  const Misuse misuses[] = {
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
      {"const int at[] = {0, 0}; ptx::cp_async_bulk_tensor(ptx::space_shared, ptx::space_global,"
       " s + 64, &map, at, &b);",
       "cudaErrorMisalignedAddress", "must be at a multiple of 128 bytes"},
  };
  for (const Misuse& misuse : misuses) {
    CAPTURE(misuse.statement);
    const Program program(
        std::string("__shared__ alignas(1024) char s[4096]; __shared__ std::uint64_t b, c[2];"
                    "if (threadIdx.x == 0) { ptx::mbarrier_init(&b, 2u); c[0] = c[1] = 0; ") +
        misuse.statement + "}");
    const CommandResult compiled = program.compile();
    CAPTURE(compiled.err);
    REQUIRE(compiled.status == 0);
    const CommandResult result = program.run();
    CHECK(contains(result.out, misuse.error));
    CHECK(contains(result.err, misuse.message));
    CHECK(contains(result.err, "program.cu:8"));
  }
}

TEST_CASE("misused functions end the kernel and say why") {
  const Wrong wrongs[] = {
      {"__shared__ int s[4]; __pipeline_memcpy_async(s, p, 12);",
       "the size must be 4, 8 or 16 bytes"},
      {"__shared__ alignas(16) int s[8]; __pipeline_memcpy_async(s, p + 1, 16);",
       "not aligned to the size"},
      {"__shared__ int s[4]; __pipeline_memcpy_async(s, p, 4, 5);",
       "more bytes to zero than to copy"},
      {"__trap();", "__trap()"},
      {"auto t = cg::tiled_partition(cg::this_thread_block(), static_cast<unsigned>(blockDim.x) - "
       "29); t.sync();",
       "the size must be a power of 2"},
  };
  for (const Wrong& wrong : wrongs) {
    CAPTURE(wrong.statement);
    const Program program(wrong.statement);
    const CommandResult compiled = program.compile();
    CAPTURE(compiled.err);
    REQUIRE(compiled.status == 0);
    const CommandResult result = program.run();
    CHECK(contains(result.out, "cudaErrorLaunchFailure"));
    CHECK(contains(result.err, wrong.message));
  }
}
