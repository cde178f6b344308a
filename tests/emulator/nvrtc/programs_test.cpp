/// Programs that compile kernels while they run: what NVRTC answers, and the reports of kernels
/// that were compiled so.
#include <doctest/doctest.h>

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "in_folder.hpp"
#include "tools/support/source_text.hpp"
#include "tools/support/subprocess.hpp"

namespace fs = std::filesystem;
using tools::CommandResult;
using tools::TemporaryFolder;

namespace {

using Words = std::vector<std::string>;
using Environment = std::map<std::string, std::string>;

CommandResult run(const Words& command, const fs::path& folder = {},
                  const Environment& environment = {}) {
  return tools::run_command(command, nvcc_tests::in_folder(folder, environment));
}

void succeed(const Words& command, const fs::path& folder) {
  const CommandResult result = run(command, folder);
  CAPTURE(result.out);
  CHECK(result.err == "");
  REQUIRE(result.status == 0);
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

/// A program that compiles the text in source.cu with the options that it is given, prints the log
/// and runs the kernel `k` with one int, which it prints.
constexpr const char* kCompilesAndRuns = R"(
#include <cuda.h>
#include <nvrtc.h>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <string>
int main(int argc, char** argv) {
  std::ifstream in("source.cu");
  const std::string source(std::istreambuf_iterator<char>(in), {});
  nvrtcProgram program;
  nvrtcCreateProgram(&program, source.c_str(), "deep/source.cu", 0, nullptr, nullptr);
  const nvrtcResult compiled = nvrtcCompileProgram(program, argc - 1, argv + 1);
  size_t bytes = 0;
  nvrtcGetProgramLogSize(program, &bytes);
  std::string log(bytes, ' '), ptx;
  nvrtcGetProgramLog(program, log.data());
  std::printf("%s\n%s", nvrtcGetErrorString(compiled), log.c_str());
  if (compiled != NVRTC_SUCCESS) return 0;
  nvrtcGetPTXSize(program, &bytes);
  ptx.resize(bytes);
  nvrtcGetPTX(program, ptx.data());
  CUdevice device;
  CUcontext context;
  CUmodule module;
  CUfunction kernel;
  CUdeviceptr result;
  int value = -1;
  cuInit(0);
  cuDeviceGet(&device, 0);
  cuDevicePrimaryCtxRetain(&context, device);
  cuCtxSetCurrent(context);
  if (cuModuleLoadData(&module, ptx.c_str()) || cuModuleGetFunction(&kernel, module, "k")) return 2;
  cuMemAlloc(&result, sizeof value);
  void* arguments[] = {&result};
  cuLaunchKernel(kernel, 1, 1, 1, 32, 1, 1, 0, nullptr, arguments, nullptr);
  const CUresult copied = cuMemcpyDtoH(&value, result, sizeof value);
  std::printf("%d %d\n", value, copied);
  cuMemFree(result);
}
)";

struct Program {
  Program() {
    folder.write("main.cpp", kCompilesAndRuns);
    succeed({EMULATOR_NVCC, "main.cpp", "-o", "main", "-lnvrtc", "-lcuda"}, folder.path());
  }
  CommandResult operator()(const std::string& source, const Words& options = {},
                           const Environment& environment = {}) const {
    folder.write("source.cu", source);
    Words command = {"./main"};
    command.insert(command.end(), options.begin(), options.end());
    return run(command, folder.path(), environment);
  }
  TemporaryFolder folder;
};

}  // namespace

// CUDA Toolkit 13.0.88: nvrtc_record.cpp with its library.
TEST_CASE("calls are answered as by the CUDA Toolkit's own library") {
  // What differs, and why.
  const std::map<std::string, std::string> different = {
      // g++ is not asked for this warning
      {"a warning: some PTX, no cubin, no LTO IR, some log",
       "a warning: some PTX, no cubin, no LTO IR, empty log"},
      // variables keep their side
      {"a global with --device-as-default-execution-space: NVRTC_SUCCESS",
       "a global with --device-as-default-execution-space: NVRTC_ERROR_COMPILATION"},
      {"a global with --device-as-default-execution-space: some PTX, no cubin, no LTO IR, empty "
       "log",
       "a global with --device-as-default-execution-space: empty PTX, no cubin, no LTO IR, some "
       "log"},
  };
  const Words recorded = tools::read_lines(NVRTC_RECORDED);
  const CommandResult result = run({NVRTC_RECORD});
  CHECK(result.status == 0);
  CHECK(result.err == "");
  const Words answers = tools::lines_of(result.out);
  REQUIRE(answers.size() == recorded.size());
  for (std::size_t i = 0; i < recorded.size(); ++i) {
    const auto one = different.find(recorded[i]);
    CHECK(answers[i] == (one == different.end() ? recorded[i] : one->second));
  }
}

TEST_CASE("a project with CMake, a template, a header in memory, and reports of its kernel") {
  const TemporaryFolder folder;
  const Words lines = tools::lines_of(run({EMULATOR_NVCC, "--print-path"}).out);
  REQUIRE(lines.size() == 1);
  for (const Words& command :
       {Words{COURSE_CMAKE, "-S", NVRTC_PROJECT, "-B", "build", "-DCMAKE_CUDA_COMPILER=" + lines[0],
              "-DCMAKE_CXX_COMPILER=" COURSE_CXX_COMPILER},
        Words{COURSE_CMAKE, "--build", "build"},
        Words{COURSE_CTEST, "--test-dir", "build", "--output-on-failure", "--no-tests=error"}})
    succeed(command, folder.path());

  const std::string right =
      "polynomial<float, 3>: _Z10polynomialIfLi3EEvPKT_S2_PS0_i, 0 wrong\n"
      "polynomial<int, 5>: _Z10polynomialIiLi5EEvPKT_S2_PS0_i, 0 wrong\n";
  const Words program = {(folder.path() / "build/main").string()};
  CHECK(run(program).out == right);
  const CommandResult checked = run(program, {}, {{"COURSE_CHECK", "all"}});
  CHECK(checked.out == right);
  CHECK(checked.err == "========= checked: 0 errors, 0 warnings\n");
  const CommandResult counted = run(program, {}, {{"COURSE_COUNTERS", "table"}});
  CHECK(contains(counted.err, "polynomial<float, 3>"));
  CHECK(contains(run(program, {}, {{"COURSE_PROFILE", "text"}}).err, "polynomial.cu"));
}

TEST_CASE("options reach the compiler, and its messages the log") {
  const Program program;
  const std::string kernel = "extern \"C\" __global__ void k(int* p) { *p = VALUE; }\n";
  CHECK(program(kernel, {"-DVALUE=40 + 2"}).out == "NVRTC_SUCCESS\n42 0\n");
  CHECK(program(kernel, {"-D", "VALUE=7"}).out == "NVRTC_SUCCESS\n7 0\n");
  CHECK(program("#define VALUE __CUDA_ARCH__\n" + kernel, {"-arch=compute_80"}).out ==
        "NVRTC_SUCCESS\n800 0\n");
  CHECK(program("#define VALUE __CUDA_ARCH__\n" + kernel).out == "NVRTC_SUCCESS\n750 0\n");
  CHECK(
      program("#ifdef __CUDA_ARCH__\n#define VALUE 3\n#else\n#error host\n#endif\n" + kernel).out ==
      "NVRTC_SUCCESS\n3 0\n");
  CHECK(program("int f() { return 9; }\n#define VALUE f()\n" + kernel, {"-default-device"}).out ==
        "NVRTC_SUCCESS\n9 0\n");

  CHECK(
      program("typedef unsigned long long uint64_t;\ntypedef long long\n int64_t ;\n"
              "typedef unsigned char uint8_t;\n#define VALUE int(sizeof(uint64_t) + int64_t{3})\n" +
              kernel)
          .out == "NVRTC_SUCCESS\n11 0\n");
  CHECK(program("using uint64_t = unsigned long long;\n#define VALUE int(uint64_t{4})\n" + kernel)
            .out == "NVRTC_SUCCESS\n4 0\n");

  const std::string refused = program(kernel).out;
  CAPTURE(refused);
  CHECK(refused.starts_with("NVRTC_ERROR_COMPILATION\n"));
  CHECK(contains(refused, "deep/source.cu:1:"));
  CHECK(contains(refused, "VALUE"));
  const std::string host = program("int f() { return 9; }\n#define VALUE f()\n" + kernel).out;
  CAPTURE(host);
  CHECK(contains(host, "deep/source.cu:3:"));
  CHECK(contains(host, "a host function"));

  program.folder.write("deep/value.cuh", "#define VALUE 5\n");
  CHECK(program("#include \"value.cuh\"\n" + kernel).out == "NVRTC_SUCCESS\n5 0\n");
  CHECK(program("#include \"value.cuh\"\n" + kernel, {"-no-source-include"})
            .out.starts_with("NVRTC_ERROR_COMPILATION\n"));
  CHECK(program(kernel, {"-include=deep/value.cuh"}).out == "NVRTC_SUCCESS\n5 0\n");
  CHECK(program(kernel, {"-dlto"}).out ==
        "NVRTC_ERROR_INVALID_OPTION\n"
        "nvrtc: error: --dlink-time-opt (-dlto): the emulator makes no LTO IR\n");
}

TEST_CASE("checks name lines of the text") {
  const Program program;
  const CommandResult checked = program(
      "extern \"C\" __global__ void k(int* p) {\n"
      "  *p = threadIdx.x;\n"
      "}\n",
      {}, {{"COURSE_CHECK", "all"}});
  CAPTURE(checked.err);
  CHECK(contains(checked.err, "racecheck error"));
  CHECK(contains(checked.err, "write at source.cu:2 by"));
}

TEST_CASE("a program may ignore the ends of its children") {
  const Program program;
  const auto output = [&](const std::string& statement) {
    program.folder.write("source.cu",
                         "extern \"C\" __global__ void k(int* p) { " + statement + " }");
    return run({"env", "--ignore-signal=CHLD", "./main"}, program.folder.path()).out;
  };
  CHECK(output("*p = 7;") == "NVRTC_SUCCESS\n7 0\n");
  const std::string wrong = output("*p = seven;");
  CHECK(wrong.starts_with("NVRTC_ERROR_COMPILATION\n"));
  CHECK(contains(wrong, "was not declared in this scope"));
}

TEST_CASE("a compiler that is not there is named in the log") {
  const Program program;
  CHECK(program("", {}, {{"EMULATOR_NVCC", "/nowhere/nvcc"}}).out ==
        "NVRTC_ERROR_BUILTIN_OPERATION_FAILURE\n"
        "nvrtc: error: the emulator's compiler cannot be started: /nowhere/nvcc; EMULATOR_NVCC in "
        "the environment names it\n");
}
