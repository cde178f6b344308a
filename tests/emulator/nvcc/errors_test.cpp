/// Tests that unsupported CUDA is reported by name, with file and line.

#include <doctest/doctest.h>

#include <string>

#include "rewriter.hpp"

using emulator_nvcc::rewrite;

namespace {

struct Wrong {
  std::string source;
  unsigned line;
  std::string message;
};

const std::string kLaunch = "a kernel launch in device code needs separate compilation: -rdc=true";
const std::string kAssembly = "the emulator does not support inline assembly";

}  // namespace

TEST_CASE("each is one error, at its line") {
  const Wrong wrongs[] = {
      {"__global__ void k() {}\n__global__ void j() {\n  k<<<1, 1>>>();\n}", 3, kLaunch},
      {"__global__ void k() {}\n__device__ void f() { k<<<1, 1>>>(); }", 2, kLaunch},
      {"__global__ void k() {}\n__host__ __device__ void f() {\n if (true) { k<<<1, 1>>>(); } }", 3,
       kLaunch},
      {"__global__ void k();\nstruct S {\n __device__ void f() { auto l = [] { k<<<1, 1>>>(); }; } "
       "};",
       3, kLaunch},
      {"__global__ void k();\nvoid f() { auto l = [] __device__ () {\n k<<<1, 1>>>(); }; }", 3,
       kLaunch},
      {"__device__ int f() {\n  int x;\n  asm(\"mov.u32 %0, % laneid;\" : \"=r\"(x));\n  return x; "
       "}",
       3, "after % in asm the emulator expects an operand's number, a register's name or %"},
      {"__device__ int f() {\n  int x;\n  asm(\"mov.u32 %0, %lane;\" : \"=r\"(x));\n  return x; }",
       3, "the emulator does not support the PTX register %lane"},
      {"__device__ void f(int x) {\n asm(\"add.u32 %0, %0;\" : \"+r\"(x)); }", 2,
       "the PTX instruction add.u32 does not take 2 operands"},
      {"__device__ void f(int x) {\n asm(\"add.u32 %0, %0, %1;\" : \"+r\"(x)); }", 2,
       "asm has no operand %1"},
      {"__device__ void f(int x) {\n asm(\"add.u32 %0, %0, y;\" : \"+r\"(x)); }", 2,
       "inline PTX has no register or number y"},
      {"__device__ void f() { asm(\"add.u99 a, b, c;\"); }", 1,
       "the emulator does not support the PTX instruction add.u99"},
      {"__device__ void f() { asm(\"bra loop;\"); }", 1, "asm has no label loop"},
      {"__device__ void f() { asm(\"a: bra a; a: bra a;\"); }", 1,
       "the label a stands twice in asm"},
      {"__device__ void f(int x) {\n asm(\"ld.global.u32 %0, %0;\" : \"+r\"(x)); }", 2,
       "the emulator does not support such operands of the PTX instruction ld.global.u32"},
      {"__device__ void f(int x, long p) {\n asm(\"ld.v4.u32 {%0, %0}, [%1];\" : \"+r\"(x) : "
       "\"l\"(p)); }",
       2, "the emulator does not support such operands of the PTX instruction ld.v4.u32"},
      {"__device__ void f(int x, long p) {\n asm(\"st.wide.u32 [%1], %0;\" :: \"r\"(x), "
       "\"l\"(p)); }",
       2, "the emulator does not support the PTX instruction st.wide.u32"},
      {"__device__ void f(long p) {\n asm(\"red.add.L2::cache_hint.u32 [%0];\" :: \"l\"(p)); }", 2,
       "the PTX instruction red.add.L2::cache_hint.u32 lacks its cache policy"},
      {"__device__ void f(int x) {\n asm(\"bar.arrive %0;\" :: \"r\"(x)); }", 2,
       "the PTX instruction bar.arrive does not take 1 operand"},
      {"__device__ void f(int x, long p) {\n asm(\"cp.async.cg.shared.global [%0], [%1];\" :: "
       "\"r\"(x), \"l\"(p)); }",
       2, "the PTX instruction cp.async.cg.shared.global does not take 2 operands"},
      {"template <class T> __global__ void k(T* p) { asm "
       "volatile(\"tcgen05.wait::ld.sync.aligned;\"); "
       "}",
       1, "the emulator does not support the PTX instruction tcgen05.wait::ld.sync.aligned"},
      {"__global__ void k() { __asm__ __volatile__(\"nop\" ::: \"memory\"); }", 1,
       "the emulator does not support the PTX instruction nop"},
      {"__device__ int f() {\n register int x asm(\"x\"); return x; }", 2, kAssembly},
      {"\n__global__ void __block_size__((32, 1, 1), (2, 1, 1)) k() {}", 2,
       "the emulator does not support blocks of a fixed size (__block_size__)"},
      {"texture<float, 2> t;", 1, "the emulator does not support texture references"},
      {"surface<void, 2> s;", 1, "the emulator does not support surface references"},
      {"void f() {\n  cuGreenCtxDestroy(0);\n}", 2,
       "the emulator does not support this part of the CUDA driver API (cuGreenCtxDestroy)"},
      {"int f(const cudaMemcpy3DPeerParms* p);", 1,
       "the emulator does not support this part of the CUDA runtime API (cudaMemcpy3DPeerParms)"},
      {"int f() {\n\n  return cudaMemcpyBatchAsync();\n}", 3,
       "the emulator does not support this part of the CUDA runtime API (cudaMemcpyBatchAsync)"},
      {"struct S {\n  __global__ void k();\n};", 2,
       "a __global__ function cannot be a member function"},
      {"struct S { static\n__global__ void k() {} };", 2,
       "a __global__ function cannot be a member function"},
      {"\n__global__ int x;", 2, "__global__ belongs to the declaration of a function"},
      {"__global__ void k() {\n  __shared__ int x = 3; }", 2,
       "an initializer is not allowed for a __shared__ variable"},
      {"__global__ void k() { __shared__ int x, y[2] =\n {1, 2}; }", 1,
       "an initializer is not allowed for a __shared__ variable"},
      {"__global__ void k() {\n\n __shared__ float4 x{1}; }", 3,
       "an initializer is not allowed for a __shared__ variable"},
      {"__global__ void k() {\n\n __shared__ float2 x(1, 2); }", 3,
       "an initializer is not allowed for a __shared__ variable"},
      {"void f() {\n  k<<<1, 1>>>;\n}", 2,
       "this launch has no closing \">>>\" followed by arguments in parentheses"},
      {"void f() {\n  k<<<1, 1(3);\n}", 2,
       "this launch has no closing \">>>\" followed by arguments in parentheses"},
      {"void f() {\n  = <<<1, 1>>>(3);\n}", 2, "there is no kernel before \"<<<\""},
  };
  for (const Wrong& w : wrongs) {
    CAPTURE(w.source);
    const auto result = rewrite(w.source);
    REQUIRE(result.errors.size() == 1);
    CHECK(result.errors[0].message == w.message);
    CHECK(result.errors[0].line == w.line);
    CHECK(result.errors[0].file == "<source>");
  }
}

TEST_CASE("clusters are refused where somebody else launches the kernels") {
  emulator_nvcc::RewriteOptions options;
  options.plain_kernels = true;
  for (const std::string size : {"2", "2, 1", "1, 1, 4", "kSize"}) {
    CAPTURE(size);
    const auto result =
        emulator_nvcc::rewrite("\n__global__ void __cluster_dims__(" + size + ") k() {}", options);
    REQUIRE(result.errors.size() == 1);
    CHECK(result.errors[0].message ==
          "this kernel is launched without clusters, so __cluster_dims__ can only be (1, 1, 1)");
    CHECK(result.errors[0].line == 2);
  }
  for (const std::string size : {"1", "1, 1", "1, 1, 1"}) {
    CAPTURE(size);
    CHECK(emulator_nvcc::rewrite("__global__ void __cluster_dims__(" + size + ") k() {}", options)
              .errors.empty());
  }
}

TEST_CASE("wgmma has 32 numbers of columns, and integers have fewer") {
  const auto statement = [](int n, const std::string& types) {
    return "__device__ void f(float d, long a) { asm(\"{ .reg .pred p; wgmma.mma_async.sync.aligned"
           ".m64n" +
           std::to_string(n) + types + " {%0}, %1, %1, p" +
           (types.find("s8") == std::string::npos ? ", 1, 1, 0, 0" : "") +
           "; }\" : \"+f\"(d) : \"l\"(a)); }";
  };
  for (int n = 1; n <= 264; ++n) {
    CAPTURE(n);
    const bool is_shape = n % 8 == 0 && n <= 256;
    CHECK(rewrite(statement(n, "k16.f32.f16.f16")).errors.empty() == is_shape);
    CHECK(rewrite(statement(n, "k32.s32.s8.s8")).errors.empty() ==
          (is_shape && (n % 16 == 0 || n == 8 || n == 24)));
  }
  CHECK(rewrite(statement(16, "k16.f32.f16.f16")).text.find("shape_<64,16,16>") !=
        std::string::npos);
}

TEST_CASE("the line markers say which file it is") {
  const auto result = rewrite(
      "# 1 \"a.cu\"\n# 1 \"dir/b \\\"x\\\".cuh\" 1\n\n\n__device__ void f() { asm(\"x\"); }\n# 2 "
      "\"a.cu\" 2\n"
      "__device__ void g() {\n#line 40 \"c.cuh\"\n  asm(\"y\"); }\n");
  REQUIRE(result.errors.size() == 2);
  CHECK(result.errors[0].file == "dir/b \"x\".cuh");
  CHECK(result.errors[0].line == 3);
  CHECK(result.errors[1].file == "c.cuh");
  CHECK(result.errors[1].line == 40);
}

TEST_CASE("assembly in system headers is their own business") {
  CHECK(rewrite("# 1 \"sys.h\" 3\n__device__ inline void f() { asm(\"x\"); }\n").errors.empty());
}

TEST_CASE("several errors come in the order of the source") {
  const auto result = rewrite(
      "__device__ void f() { asm(\"x\"); }\ntexture<int> t;\n__device__ void g() { k<<<1, 1>>>(); "
      "}");
  REQUIRE(result.errors.size() == 3);
  for (unsigned i = 0; i < 3; ++i) CHECK(result.errors[i].line == i + 1);
}
