/// Tests programs that load modules as other people write them (in C, with CMake, with the
/// emulator's reports), messages about modules that cannot be loaded, and NVTX in a program.
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

CommandResult run(const Words& command, const fs::path& folder = {},
                  const std::map<std::string, std::string>& environment = {}) {
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

std::string toolkit() {
  const Words lines = tools::lines_of(run({EMULATOR_NVCC, "--print-toolkit"}).out);
  REQUIRE(lines.size() == 1);
  return lines[0];
}

/// The project's program and a module of one kind, in a folder.
struct Program {
  explicit Program(const std::string& kind) : module("doubled." + kind) {
    succeed({EMULATOR_NVCC, "-" + kind, DRIVER_PROJECT "/doubled.cu"}, folder.path());
    succeed({COURSE_CXX_COMPILER, "-I" + toolkit() + "/include", DRIVER_PROJECT "/main.cpp", "-o",
             "main", "-L" + toolkit() + "/lib64/stubs", "-lcuda"},
            folder.path());
  }
  CommandResult operator()(const std::map<std::string, std::string>& environment = {}) const {
    return run({"./main", module}, folder.path(), environment);
  }

  TemporaryFolder folder;
  std::string module;
};

}  // namespace

TEST_CASE("a program that g++ links, and the reports of its module's kernel") {
  const Program program("ptx");
  CHECK(program().out == "0 wrong\n");
  CHECK(program().err == "");
  const CommandResult counted = program({{"COURSE_COUNTERS", "table"}});
  CHECK(contains(counted.err, "doubled         1  global load              2"));
  CHECK(contains(counted.err, "doubled         1  shared store             2"));
  const CommandResult profiled = program({{"COURSE_PROFILE", "text"}});
  CHECK(contains(profiled.err, "global load data[threadIdx.x]"));
  CHECK(contains(profiled.err, "tile[threadIdx.x] = data[threadIdx.x] * factor;"));
  const CommandResult checked = program({{"COURSE_CHECK", "all"}});
  CHECK(checked.out == "0 wrong\n");
  CHECK(checked.err == "========= checked: 0 errors, 0 warnings\n");
  CHECK(program({{"COURSE_LOCKSTEP", "1"}}).out == "0 wrong\n");
  CHECK(program({{"COURSE_SCHEDULES", "2"}}).out == "0 wrong\n");
}

TEST_CASE("the checks name lines and variables of a module") {
  const TemporaryFolder folder;
  folder.write("a.cu",
               "extern \"C\" __global__ void doubled(int* data) {\n"
               "  __shared__ int tile[64];\n"
               "  tile[threadIdx.x] = data[threadIdx.x];\n"
               "  data[threadIdx.x] = 2 * tile[63 - threadIdx.x];\n"
               "}\n"
               "__constant__ int factor;\n");
  succeed({EMULATOR_NVCC, "-cubin", "a.cu"}, folder.path());
  const Program program("cubin");
  const CommandResult checked = run({(program.folder.path() / "main").string(), "a.cubin"},
                                    folder.path(), {{"COURSE_CHECK", "all"}});
  CAPTURE(checked.err);
  CHECK(contains(checked.err, "racecheck error"));
  CHECK(contains(checked.err, "a.cu:4"));
  CHECK(contains(checked.err, "of __shared__ tile (256 bytes)"));
  CHECK(checked.status == 1);
}

TEST_CASE("a program in C") {
  const TemporaryFolder folder;
  folder.write("main.c",
               "#include <cuda.h>\n#include <stdio.h>\nint main(void) {\n"
               "  CUdevice device;\n  CUcontext context;\n  char name[100];\n"
               "  if (cuInit(0) || cuDeviceGet(&device, 0)) return 1;\n"
               "  if (cuCtxCreate(&context, NULL, 0, device)) return 1;\n"
               "  cuDeviceGetName(name, sizeof name, device);\n  puts(name);\n"
               "  return cuCtxDestroy(context);\n}\n");
  succeed({"gcc", "-std=c11", "-Wall", "-I" + toolkit() + "/include", "main.c", "-o", "main",
           "-L" + toolkit() + "/lib64/stubs", "-lcuda"},
          folder.path());
  CHECK(run({"./main"}, folder.path()).out == "Warp by Warp emulator (H100-like)\n");
}

TEST_CASE("a project with CMake that compiles to PTX") {
  const TemporaryFolder folder;
  const Words lines = tools::lines_of(run({EMULATOR_NVCC, "--print-path"}).out);
  REQUIRE(lines.size() == 1);
  for (const Words& command :
       {Words{COURSE_CMAKE, "-S", DRIVER_PROJECT, "-B", "build",
              "-DCMAKE_CUDA_COMPILER=" + lines[0], "-DCMAKE_CXX_COMPILER=" COURSE_CXX_COMPILER},
        Words{COURSE_CMAKE, "--build", "build"},
        Words{COURSE_CTEST, "--test-dir", "build", "--output-on-failure", "--no-tests=error"}})
    succeed(command, folder.path());
}

TEST_CASE("modules that are not the emulator's are refused in one line") {
  const Program program("fatbin");
  const std::string reason =
      ": the emulator runs only modules that its own nvcc has compiled (-ptx, -cubin, -fatbin)\n";
  const auto load = [&](const std::string& name, const std::string& text) {
    program.folder.write(name, text);
    return run({"./main", name}, program.folder.path());
  };
  const CommandResult ptx = load("a.ptx", "//\n.version 8.0\n.target sm_90\n.address_size 64\n");
  CHECK(ptx.out == "CUDA_ERROR_INVALID_PTX\n");
  CHECK(ptx.err == "emulator: cuModuleLoad of a.ptx" + reason);
  const CommandResult text = load("a.txt", "hello");
  CHECK(text.out == "CUDA_ERROR_INVALID_IMAGE\n");
  CHECK(text.err == "emulator: cuModuleLoad of a.txt" + reason);
  const CommandResult object = load("a.cubin", tools::read_file(EMULATOR_NVCC));
  CHECK(object.out == "CUDA_ERROR_INVALID_IMAGE\n");
  CHECK(contains(object.err, "emulator: cuModuleLoad of a.cubin: the emulator runs only modules"));
  const CommandResult cut =
      load("b.cubin", tools::read_file(program.folder.path() / program.module).substr(0, 20000));
  CHECK(cut.out == "CUDA_ERROR_INVALID_IMAGE\n");
  CHECK(cut.err == "emulator: cuModuleLoad of b.cubin: the file is cut off\n");
  const CommandResult missing = run({"./main", "none"}, program.folder.path());
  CHECK(missing.out == "CUDA_ERROR_FILE_NOT_FOUND\n");
  CHECK(missing.err == "");
}

TEST_CASE("nvcc refuses what it cannot make one module of") {
  const TemporaryFolder folder;
  folder.write("a.cu", "__global__ void k() {}\n");
  const Words two = {"-gencode", "arch=compute_80,code=sm_80", "-gencode",
                     "arch=compute_90,code=sm_90", "a.cu"};
  const auto compile = [&](const std::string& kind) {
    Words command = {EMULATOR_NVCC, kind};
    command.insert(command.end(), two.begin(), two.end());
    return run(command, folder.path());
  };
  CHECK(compile("-ptx").err ==
        "nvcc fatal   : Option '--ptx (-ptx)' is not allowed when compiling for multiple GPU "
        "architectures\n");
  CHECK(compile("-cubin").err ==
        "nvcc fatal   : Option '--cubin' is not allowed when compiling for multiple GPU code "
        "instances\n");
  CHECK(compile("-fatbin").status == 0);
  CHECK(fs::exists(folder.path() / "a.fatbin"));
}

TEST_CASE("modules with debug information") {
  const TemporaryFolder folder;
  folder.write("a.cu", "extern \"C\" __global__ void k(int* p) { *p = 1; }\n");
  for (const char* flag : {"-g", "-G", "-lineinfo"})
    succeed({EMULATOR_NVCC, "-cubin", flag, "a.cu", "-o", "a.cubin"}, folder.path());
}

TEST_CASE("NVTX in C and C++") {
  const TemporaryFolder folder;
  folder.write(
      "a.cu",
      "#include <nvtx3/nvToolsExt.h>\n#include <nvtx3/nvToolsExtCuda.h>\n"
      "#include <nvtx3/nvToolsExtCudaRt.h>\n#include <nvtx3/nvtx3.hpp>\n#include <cstdio>\n"
      "int main() {\n  NVTX3_FUNC_RANGE();\n"
      "  nvtx3::scoped_range range{\"work\", nvtx3::rgb{1, 2, 3}};\n"
      "  nvtxEventAttributes_t event = {};\n  event.version = NVTX_VERSION;\n"
      "  event.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;\n"
      "  event.messageType = NVTX_MESSAGE_TYPE_ASCII;\n  event.message.ascii = \"m\";\n"
      "  nvtxMark(\"here\");\n  nvtxRangePushEx(&event);\n  nvtxRangePop();\n"
      "  nvtxDomainHandle_t domain = nvtxDomainCreate(\"d\");\n"
      "  nvtxDomainRangePushEx(domain, &event);\n  nvtxDomainRangePop(domain);\n"
      "  nvtxNameCudaStreamA(0, \"stream\");\n"
      "  std::printf(\"%d\\n\", nvtxRangePush(\"x\"));\n}\n");
  succeed({EMULATOR_NVCC, "-Xcompiler", "-Wall", "a.cu", "-o", "a", "-lnvToolsExt"}, folder.path());
  CHECK(run({"./a"}, folder.path()).out == "-2\n");
  folder.write("b.c",
               "#include <nvtx3/nvToolsExt.h>\n"
               "int main(void) { nvtxRangePushA(\"x\"); return nvtxRangePop() != -2; }\n");
  succeed({"gcc", "-Wall", "-I" + toolkit() + "/include", "b.c", "-o", "b",
           "-L" + toolkit() + "/lib64", "-lnvToolsExt"},
          folder.path());
  CHECK(run({"./b"}, folder.path()).status == 0);
}

// NVIDIA H200, driver 580.159.04, CUDA 13.0: driver_record.cpp, compiled by nvcc.
TEST_CASE("calls that are wrong are answered as an H200's driver does") {
  // By line: the difference and its reason.
  const std::map<std::size_t, std::string> different = {
      // peer-to-peer tokens: there is no peer
      {120, "attribute of memory: CUDA_ERROR_NOT_SUPPORTED"},
  };
  const Words recorded = tools::read_lines(DRIVER_RECORDED);
  const CommandResult result = run({DRIVER_RECORD});
  CHECK(result.status == 0);
  const Words answers = tools::lines_of(result.out);
  REQUIRE(answers.size() == recorded.size());
  for (std::size_t i = 0; i < recorded.size(); ++i) {
    CAPTURE(i + 1);
    const auto one = different.find(i + 1);
    CHECK(answers[i] == (one == different.end() ? recorded[i] : one->second));
  }
}
