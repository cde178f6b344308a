/// Prints what NVRTC answers: one line for each call. recorded_toolkit13.txt has the lines of the
/// CUDA Toolkit's own library, which needs no GPU; programs_test.cpp compares.
///
///     g++ -std=c++20 nvrtc_record.cpp -I/usr/local/cuda/include -L/usr/local/cuda/lib64 -lnvrtc
#include <nvrtc.h>

#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

namespace {

using Words = std::vector<const char*>;

void print(const char* what, nvrtcResult result) {
  std::printf("%s: %s\n", what, nvrtcGetErrorString(result));
}

/// What a program's output is, in words that do not depend on who compiles.
const char* in_words(std::size_t bytes) {
  if (bytes == 0) return "no";
  return bytes == 1 ? "empty" : "some";
}

nvrtcProgram create(const char* source, const char* name = nullptr) {
  nvrtcProgram program = nullptr;
  if (nvrtcCreateProgram(&program, source, name, 0, nullptr, nullptr) != NVRTC_SUCCESS)
    std::puts("WRONG: a program cannot be created");
  return program;
}

nvrtcResult compile(nvrtcProgram program, const Words& options = {}) {
  return nvrtcCompileProgram(program, static_cast<int>(options.size()), options.data());
}

/// The sizes of a program's outputs: PTX, cubin, LTO IR and log.
void print_outputs(const char* what, nvrtcProgram program) {
  std::size_t ptx = 99, cubin = 99, ltoir = 99, log = 99;
  const bool known = nvrtcGetPTXSize(program, &ptx) == NVRTC_SUCCESS &&
                     nvrtcGetCUBINSize(program, &cubin) == NVRTC_SUCCESS &&
                     nvrtcGetLTOIRSize(program, &ltoir) == NVRTC_SUCCESS &&
                     nvrtcGetProgramLogSize(program, &log) == NVRTC_SUCCESS;
  std::printf("%s: %s%s PTX, %s cubin, %s LTO IR, %s log\n", what,
              known ? "" : "WRONG: ", in_words(ptx), in_words(cubin), in_words(ltoir),
              in_words(log));
}

constexpr const char* kKernel = "extern \"C\" __global__ void twice(int* p) { *p *= 2; }\n";

void record_compilations() {
  struct Case {
    const char* what;
    const char* source;
    Words options;
  };
  const Case cases[] = {
      {"a kernel", kKernel, {}},
      {"empty", "", {}},
      {"for a virtual architecture", kKernel, {"--gpu-architecture=compute_90"}},
      {"for a real architecture", kKernel, {"--gpu-architecture=sm_90"}},
      {"-arch in two words", kKernel, {"-arch", "sm_90"}},
      {"-arch=sm_90", kKernel, {"-arch=sm_90"}},
      {"an old architecture", kKernel, {"-arch=compute_35"}},
      {"no architecture", kKernel, {"-arch=fast"}},
      {"two architectures", kKernel, {"-arch=sm_80", "-arch=sm_90"}},
      {"an error", "__global__ void k() { int a = ; }\n", {}},
      {"a warning", "__global__ void k() { int a; }\n", {}},
      {"a warning that is off", "__global__ void k() { int a; }\n", {"-w"}},
      {"an unknown option", kKernel, {"--make-it-fast"}},
      {"a number that is none", kKernel, {"--maxrregcount=many"}},
      {"a standard", kKernel, {"-std=c++17"}},
      {"a standard, in long", kKernel, {"--std=c++20"}},
      {"no standard", kKernel, {"-std=c++31"}},
      {"a macro", "__device__ int a[N];\n", {"-DN=3"}},
      {"a macro in two words", "__device__ int a[N];\n", {"-D", "N=3"}},
      {"a macro, in long", "__device__ int a[N];\n", {"--define-macro=N=3"}},
      {"a macro less", "#ifdef N\n#error\n#endif\n", {"-DN=3", "-UN"}},
      {"flags that a device knows",
       kKernel,
       {"-ftz=true", "-prec-sqrt=false", "-prec-div=false", "-fmad=false", "-lineinfo",
        "--use_fast_math", "--restrict", "--extra-device-vectorization", "-rdc=true"}},
      {"-ptxas-options", kKernel, {"--ptxas-options=-v"}},
      {"a value that is no truth", kKernel, {"-ftz=perhaps"}},
      {"a value for a flag without", kKernel, {"-use_fast_math=true"}},
      {"one dash for two", kKernel, {"-define-macro=N=3", "-gpu-architecture=compute_90"}},
      {"two dashes for one", kKernel, {"--arch=compute_90", "--D=N"}},
      {"an option's value in the next word", kKernel, {"--gpu-architecture", "compute_90"}},
      {"an input", kKernel, {"other.cu"}},
      {"an empty option", kKernel, {""}},
      {"flags of the language",
       kKernel,
       {"--builtin-move-forward=true", "--builtin-initializer-list=true", "--device-int128",
        "--disable-warnings", "--display-error-number", "--no-source-include", "--minimal"}},
      {"debug", kKernel, {"-G"}},
      {"a dialect of nvcc's alone", kKernel, {"--expt-relaxed-constexpr"}},
      {"-O2", kKernel, {"-O2"}},
      {"-Xptxas", kKernel, {"-Xptxas", "-v"}},
      {"two variables of the language",
       "static_assert(sizeof(size_t) == 8 && __CUDACC_RTC__);\n",
       {}},
      {"CUDA's types and functions",
       "__global__ void k(float4* p, dim3 d) { p[threadIdx.x].x = sqrtf(p->y); __syncthreads(); "
       "printf(\"%d\", d.x); }\n",
       {}},
      {"a function of both sides",
       "__host__ __device__ int f() { return 1; }\n"
       "__global__ void k(int* p) { *p = f(); }\n",
       {}},
      {"a function of the host",
       "int f() { return 1; }\n__global__ void k(int* p) { *p = f(); }\n",
       {}},
      {"the same with -default-device",
       "int f() { return 1; }\n__global__ void k(int* p) { *p = f(); }\n",
       {"-default-device"}},
      {"a global with --device-as-default-execution-space",
       "int g = 4;\n__global__ void k(int* p) { *p = g; }\n",
       {"--device-as-default-execution-space"}},
      {"a header that is missing", "#include \"missing.cuh\"\n", {}},
      {"a warning by #warning", "#warning slow\n", {}},
  };
  for (const Case& c : cases) {
    const nvrtcProgram program = create(c.source);
    print(c.what, compile(program, c.options));
    print_outputs(c.what, program);
    nvrtcProgram gone = program;
    nvrtcDestroyProgram(&gone);
  }
}

void record_wrong_calls() {
  int major = 0, minor = 0;
  print("version", nvrtcVersion(&major, &minor));
  std::printf("the version's first number: %d\n", major);
  print("version into nothing", nvrtcVersion(nullptr, &minor));
  print("count of architectures into nothing", nvrtcGetNumSupportedArchs(nullptr));
  print("architectures into nothing", nvrtcGetSupportedArchs(nullptr));
  std::printf("an error that there is not: %s\n",
              nvrtcGetErrorString(static_cast<nvrtcResult>(99)));
  for (int i = 0; i < 18; ++i)
    std::printf("%d: %s\n", i, nvrtcGetErrorString(static_cast<nvrtcResult>(i)));

  nvrtcProgram program = nullptr;
  print("create into nothing", nvrtcCreateProgram(nullptr, kKernel, nullptr, 0, nullptr, nullptr));
  print("create of nothing", nvrtcCreateProgram(&program, nullptr, nullptr, 0, nullptr, nullptr));
  print("less than no headers",
        nvrtcCreateProgram(&program, kKernel, nullptr, -1, nullptr, nullptr));
  print("headers that are not there",
        nvrtcCreateProgram(&program, kKernel, nullptr, 1, nullptr, nullptr));
  print("destroy at nothing", nvrtcDestroyProgram(nullptr));
  program = nullptr;
  print("destroy nothing", nvrtcDestroyProgram(&program));

  std::size_t bytes = 0;
  const char* lowered = nullptr;
  print("compile nothing", nvrtcCompileProgram(nullptr, 0, nullptr));
  print("size of nothing", nvrtcGetPTXSize(nullptr, &bytes));
  print("log of nothing", nvrtcGetProgramLogSize(nullptr, &bytes));
  print("a name for nothing", nvrtcAddNameExpression(nullptr, "twice"));
  print("a name of nothing", nvrtcGetLoweredName(nullptr, "twice", &lowered));

  program = create(kKernel);
  print_outputs("before the compilation", program);
  print("PTX into nothing", nvrtcGetPTX(program, nullptr));
  print("size into nothing", nvrtcGetPTXSize(program, nullptr));
  print("log's size into nothing", nvrtcGetProgramLogSize(program, nullptr));
  print("no name", nvrtcAddNameExpression(program, nullptr));
  print("a lowered name before", nvrtcGetLoweredName(program, "twice", &lowered));
  print("less than no options", nvrtcCompileProgram(program, -1, nullptr));
  print("options that are not there", nvrtcCompileProgram(program, 1, nullptr));
  print("compile", compile(program));
  print("compile again", compile(program));
  print_outputs("compiled twice", program);
  print("cubin where there is none", nvrtcGetCUBIN(program, nullptr));
  print("a name afterwards", nvrtcAddNameExpression(program, "twice"));
  print("a lowered name that was not asked for", nvrtcGetLoweredName(program, "twice", &lowered));
  print("destroy", nvrtcDestroyProgram(&program));
  std::printf("the handle afterwards: %s\n", program == nullptr ? "null" : "as it was");
}

void record_names() {
  constexpr const char* kSource = R"(
template <class T, int N> __global__ void fill(T* p) { p[threadIdx.x] = N; }
namespace inner { __global__ void plain(int* p) { *p = 1; } __device__ int variable = 3; }
static __global__ void own(int* p) { *p = 2; }
__constant__ float table[4];
template <class T> __device__ T holder = 5;
__global__ void both(int*) {}
__global__ void both(float*) {}
extern "C" __global__ void c(int* p) { *p = 3; }
)";
  const char* const expressions[] = {"fill<float, 3>",
                                     "&fill<int, 4>",
                                     "fill< unsigned char,1 + 1 >",
                                     "inner::plain",
                                     "&inner::variable",
                                     "&table",
                                     "own",
                                     "&holder<short>",
                                     "c",
                                     "(void (*)(int*))both"};
  const nvrtcProgram program = create(kSource, "names.cu");
  for (const char* expression : expressions)
    print(expression, nvrtcAddNameExpression(program, expression));
  print("twice the same", nvrtcAddNameExpression(program, "c"));
  print("compile with names", compile(program));
  for (const char* expression : expressions) {
    const char* lowered = "nothing";
    const nvrtcResult result = nvrtcGetLoweredName(program, expression, &lowered);
    // Names with internal linkage have parts that depend on the file.
    const bool is_own = std::strstr(lowered, "own") != nullptr;
    std::printf("%s: %s, %s\n", expression, nvrtcGetErrorString(result), is_own ? "own" : lowered);
  }
  const char* lowered = nullptr;
  print("other blanks", nvrtcGetLoweredName(program, "fill<float,3>", &lowered));
  print("into nothing", nvrtcGetLoweredName(program, "c", nullptr));

  for (const char* wrong :
       {"missing", "fill<float>", "both", "1 + 1", "holder<short>", "fill<float, 3"}) {
    const nvrtcProgram other = create(kSource);
    nvrtcAddNameExpression(other, wrong);
    print(wrong, compile(other));
    lowered = "nothing";
    const nvrtcResult result = nvrtcGetLoweredName(other, wrong, &lowered);
    std::printf("%s, lowered: %s, %s\n", wrong, nvrtcGetErrorString(result),
                lowered ? lowered : "null");
  }
}

void record_headers() {
  const char* const texts[] = {"#pragma once\n#include \"deep/two.cuh\"\n",
                               "#pragma once\n#define TWO 2\n"};
  const char* const names[] = {"one.cuh", "deep/two.cuh"};
  nvrtcProgram program = nullptr;
  print("with headers", nvrtcCreateProgram(&program,
                                           "#include \"one.cuh\"\n#include <one.cuh>\n"
                                           "__global__ void k(int* p) { *p = TWO; }\n",
                                           "a.cu", 2, texts, names));
  print("compile with headers", compile(program));
  nvrtcDestroyProgram(&program);
  print("a header before all",
        nvrtcCreateProgram(&program, "__device__ int a[TWO];\n", nullptr, 2, texts, names));
  print("compile with a header before all", compile(program, {"--pre-include=one.cuh"}));
  nvrtcDestroyProgram(&program);
}

}  // namespace

int main() {
  record_wrong_calls();
  record_compilations();
  record_names();
  record_headers();
  return 0;
}
