/// Tests emulator-nvcc as people call it: files in, objects and programs out.

#include <doctest/doctest.h>

#include <filesystem>
#include <iterator>
#include <string>
#include <vector>

#include "in_folder.hpp"
#include "support/side_by_side.hpp"
#include "tools/support/subprocess.hpp"

namespace fs = std::filesystem;
using tools::CommandResult;
using tools::run_command;
using tools::TemporaryFolder;

namespace {

const std::string kAdd =
    "__global__ void add(int* p, int n) { *p += n; }\n"
    "int added(int n) {\n"
    "  int *p, result = 0;\n"
    "  cudaMalloc(&p, sizeof(int)); cudaMemset(p, 0, sizeof(int));\n"
    "  add<<<1, 1>>>(p, n);\n"
    "  cudaMemcpy(&result, p, sizeof(int), cudaMemcpyDeviceToHost); cudaFree(p);\n"
    "  return result;\n"
    "}\n";
const std::string kMain = "int added(int);\nint main() { return added(7) == 7 ? 0 : 1; }\n";

/// A folder to compile in, with its own folder for temporary files.
class Workshop {
 public:
  Workshop() { fs::create_directories(temporary()); }
  fs::path operator/(const std::string& name) const { return folder_.path() / name; }
  void write(const std::string& name, const std::string& text) const { folder_.write(name, text); }
  fs::path temporary() const { return folder_.path() / "tmp of its own"; }

  CommandResult run(std::vector<std::string> command,
                    std::map<std::string, std::string> environment = {}) const {
    environment["TMPDIR"] = temporary().string();
    return run_command(command, nvcc_tests::in_folder(folder_.path(), environment));
  }
  CommandResult nvcc(std::vector<std::string> arguments,
                     const std::map<std::string, std::string>& environment = {}) const {
    arguments.insert(arguments.begin(), EMULATOR_NVCC);
    const CommandResult result = run(arguments, environment);
    CHECK(fs::is_empty(temporary()));  // no temporary file is left, even after errors
    return result;
  }
  void expect_success(const std::vector<std::string>& arguments) const {
    const CommandResult result = nvcc(arguments);
    CHECK(result.err == "");
    CHECK(result.out == "");
    CHECK(result.status == 0);
  }
  /// Runs independent commands, as many at a time as there are cores; all must succeed.
  void expect_successes(const std::vector<std::vector<std::string>>& commands) const {
    const auto results = test_support::side_by_side(commands.size(), [&](std::size_t i) {
      std::vector<std::string> command = commands[i];
      command.insert(command.begin(), EMULATOR_NVCC);
      return run(command);
    });
    for (std::size_t i = 0; i < results.size(); ++i) {
      CAPTURE(i);
      CHECK(results[i].err == "");
      CHECK(results[i].out == "");
      CHECK(results[i].status == 0);
    }
    CHECK(fs::is_empty(temporary()));
  }
  bool exists(const std::string& name) const { return fs::exists(folder_.path() / name); }
  std::string read(const std::string& name) const {
    return tools::read_file(folder_.path() / name);
  }

 private:
  TemporaryFolder folder_{"nvcc test"};
};

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("one file becomes a.out, or what -o names") {
  const Workshop w;
  w.write("a.cu", kAdd + kMain);
  w.expect_successes({{"a.cu"}, {"a.cu", "-o", "a program", "-O3", "-arch=sm_90", "-lcudart"}});
  CHECK(w.run({"./a.out"}).status == 0);
  CHECK(w.run({"./a program"}).status == 0);
}

TEST_CASE("objects are made apart and linked, with C++, C and libraries") {
  const Workshop w;
  w.write("add.cu", kAdd);
  w.write("main.cpp",
          "#include <cuda_runtime.h>\nint added(int); extern \"C\" int c_part(int);\n"
          "int main() { return cudaDeviceSynchronize() == cudaSuccess && added(7) == c_part(3) ? 0 "
          ": 1; }\n");
  w.write("c_part.c", "int c_part(int class) { return class + 4; }\n");
  fs::create_directories(w / "objects");
  w.expect_successes({{"-c", "add.cu", "main.cpp", "c_part.c"},
                      {"-c", "add.cu", "-odir", "objects"},
                      {"-c", "add.cu", "-o", "objects/other name.o"}});
  CHECK(w.exists("add.o"));
  CHECK(w.exists("main.o"));
  CHECK(w.exists("objects/add.o"));
  CHECK(w.exists("objects/other name.o"));
  w.expect_successes({{"add.o", "main.o", "c_part.o", "-o", "prog"},
                      {"-lib", "add.cu", "c_part.o", "-o", "libadd.a"}});
  CHECK(w.run({"./prog"}).status == 0);
  w.expect_successes({{"main.cpp", "libadd.a", "-o", "with_archive"},
                      {"main.o", "-L.", "-ladd", "-o", "with_library"}});
  CHECK(w.run({"./with_archive"}).status == 0);
  CHECK(w.run({"./with_library"}).status == 0);
}

TEST_CASE("C sources have the runtime's types, makers and functions") {
  const Workshop w;
  w.write("add.cu", "extern \"C\" int added(int);\n" + kAdd);
  w.write("main.c", R"(
    #include <cuComplex.h>
    #include <cuda_fp16.h>
    #include <cuda_profiler_api.h>
    #include <cuda_runtime.h>
    #include <stdio.h>
    int added(int n);
    int main(void) {
      struct cudaDeviceProp properties;
      struct cudaMemcpy3DParms copy = {0};
      enum cudaMemcpyKind kind = cudaMemcpyHostToDevice;
      const float4 four = make_float4(1, 2, 3, 4);
      const uchar2 two = make_uchar2(5, 44);
      const dim3 grid = {2, 3, 4};
      const cuDoubleComplex product =
          cuCmul(make_cuDoubleComplex(0, 1), make_cuDoubleComplex(0, 1));
      __half_raw half;
      float* data;
      float back[2] = {0, 0};
      cudaStream_t stream;
      half.x = 0x3c00;
      copy.srcPtr = make_cudaPitchedPtr(NULL, 8, 2, 1);
      copy.extent = make_cudaExtent(8, 1, 1);
      if (cudaGetDeviceProperties(&properties, 0) != cudaSuccess) return 1;
      if (cudaStreamCreate(&stream) || cudaMalloc((void**)&data, 8)) return 2;
      if (cudaMemcpyAsync(data, &four, 8, kind, stream)) return 3;
      if (cudaStreamWaitEvent(stream, NULL, 0) == cudaSuccess) return 4;
      if (cudaMemcpy(back, data, 8, cudaMemcpyDeviceToHost) || cudaFree(data)) return 5;
      printf("%g %d %u %g %d %d %d %d\n", back[1], two.y, grid.z, product.x, (int)sizeof(float3),
             (int)sizeof(struct short4), (int)__alignof__(float4), (int)copy.extent.width);
      return added(7) == 7 && properties.warpSize == 32 && half.x ? 0 : 6;
    }
  )");
  w.expect_successes({{"add.cu", "main.c", "-Xcompiler", "-Wall,-Wextra", "-o", "prog"}});
  const CommandResult ran = w.run({"./prog"});
  CHECK(ran.out == "2 44 4 -1 12 8 16 8\n");
  CHECK(ran.status == 0);
}

TEST_CASE("two sources of one name, and -x") {
  const Workshop w;
  w.write("one/part.cu", kAdd);
  w.write("two/part.cu", kMain);
  w.write("add.txt", kAdd);
  w.write("main.inc", kMain);
  w.write("plain.cu", "#ifdef __CUDACC__\n#error CUDA\n#endif\nint main() { return 0; }\n");
  w.expect_successes({{"one/part.cu", "two/part.cu", "-o", "prog"},
                      {"-x", "cu", "add.txt", "main.inc", "-o", "from_text"},
                      {"-x", "c++", "plain.cu", "-o", "plain"}});
  CHECK(w.run({"./prog"}).status == 0);
  CHECK(w.run({"./from_text"}).status == 0);
}

TEST_CASE("each file has device code of its own; with -rdc=true it is shared") {
  const Workshop w;
  const std::string half =
      "__device__ int helper() { return VALUE; }\n__device__ int variable = VALUE;\n__constant__ "
      "int constant = VALUE;\n"
      "static __global__ void k(int* p) { *p = helper() + variable + constant; }\n"
      "int FUNCTION() { int *p, r = 0; cudaMallocManaged(&p, 4); k<<<1, 1>>>(p); "
      "cudaDeviceSynchronize(); r = *p; cudaFree(p); return r; }\n";
  w.write("one.cu", "#define VALUE 1\n#define FUNCTION one\n" + half);
  w.write("two.cu", "#define VALUE 10\n#define FUNCTION two\n" + half +
                        "int one();\nint main() { return one() == 3 && two() == 30 ? 0 : 1; }\n");
  w.write("lib.cu",
          "__device__ int shared_variable = 5;\n__device__ int helper(int x) { return x + "
          "shared_variable; }\n");
  w.write("use.cu",
          "extern __device__ int shared_variable;\n__device__ int helper(int);\n"
          "__global__ void k(int* p) { shared_variable = 6; *p = helper(1); }\n"
          "int main() { int* p; cudaMallocManaged(&p, 4); k<<<1, 1>>>(p); cudaDeviceSynchronize(); "
          "return *p == 7 ? 0 : 1; }\n");
  w.expect_successes({{"one.cu", "two.cu", "-o", "own"},
                      {"-rdc=true", "lib.cu", "use.cu", "-o", "shared"},
                      {"-dc", "lib.cu", "use.cu"}});
  CHECK(w.run({"./own"}).status == 0);
  CHECK(w.run({"./shared"}).status == 0);
  w.expect_success({"-dlink", "lib.o", "use.o", "-o", "link.o"});
  w.expect_success({"lib.o", "use.o", "link.o", "-o", "linked"});
  CHECK(w.run({"./linked"}).status == 0);
}

TEST_CASE("macros, include folders, standards and the host compiler's options arrive") {
  const Workshop w;
  w.write("inc dir/h.h", "#define FROM_HEADER 3\n");
  w.write("a.cu",
          "#include \"h.h\"\n#include <cmath>\n#if FROM_HEADER != 3 || A != 1 || B != 2 || "
          "defined(C) || !defined(D)\n#error flags\n#endif\n"
          "#if __cplusplus != 202002L || !defined(__CUDACC__) || !defined(__NVCC__) || "
          "__CUDACC_VER_MAJOR__ != 13\n#error predefined\n#endif\n"
          "#ifdef __SANITIZE_THREAD__\n#error instrumentation shows\n#endif\n__global__ void k() "
          "{}\nint main() { k<<<1, 1>>>(); return 0; }\n");
  w.expect_success({"a.cu", "-Iinc dir", "-DA=1,B=2", "-DC", "-UC", "-D", "D", "-std=c++20",
                    "-Xcompiler", "-Wall,-Wextra", "-lm", "-Xlinker", "-z,now"});
  const CommandResult warned = [&] {
    w.write("w.cu", "int f(int unused) { return 1; }\n");
    return w.nvcc({"-c", "w.cu", "-Xcompiler", "-Wall,-Wextra,-Werror"});
  }();
  CHECK(contains(warned.err, "w.cu:1:11: error: unused parameter"));
  CHECK(warned.status == 1);
  w.write("options", "-DA=1 -DB=2 -DD -std=c++20 -I \"inc dir\"");
  w.expect_success({"-optf", "options", "-c", "a.cu"});
  CHECK(w.nvcc({"-c", "a.cu", "-Iinc dir"},
               {{"NVCC_PREPEND_FLAGS", "-DA=1 -DB=2"}, {"NVCC_APPEND_FLAGS", "-DD -std=c++20"}})
            .status == 0);
}

TEST_CASE("device code knows its architecture, and host code has none") {
  const Workshop w;
  w.write("side.h",
          "#ifdef __CUDA_ARCH__\n#define SIDE __CUDA_ARCH__\n#else\n#define SIDE 1\n#endif\n");
  w.write("a.cu", R"(#include "side.h"
#include <cstdio>
__constant__ int list[] = {__CUDA_ARCH_LIST__};
__host__ __device__ int side() { return SIDE; }
__global__ void print() {
  int sum = 0, features = 0;
  for (int one : list) sum += one;
#ifdef __CUDA_ARCH_FEAT_SM90_ALL
  features = 1;
#endif
#ifdef __CUDA_ARCH_FAMILY_SPECIFIC__
  features += 2;
#endif
  std::printf("%d %d %d ", side(), features, sum);
}
int main() {
  print<<<1, 1>>>();
  cudaDeviceSynchronize();
  std::printf("%d\n", side());
}
)");
  const struct {
    std::vector<std::string> flags;
    std::string output;
  } cases[] = {
      {{}, "900 0 900 1\n"},
      {{"-arch=native"}, "900 0 900 1\n"},
      {{"-arch=sm_75", "--keep"}, "750 0 750 1\n"},
      {{"-arch", "sm_90a"}, "900 3 900 1\n"},
      // The newest one that the device can run.
      {{"-gencode", "arch=compute_80,code=sm_80",
        "-gencode=arch=compute_90,code=[sm_90,compute_90]", "-gencode",
        "arch=compute_100f,code=sm_100"},
       "900 0 2700 1\n"},
      {{"-gencode", "arch=compute_120,code=sm_120", "-gencode=arch=compute_100f,code=sm_100"},
       "1000 2 2200 1\n"},
  };
  for (const auto& c : cases) {
    std::vector<std::string> words = {"a.cu", "-o", "a"};
    words.insert(words.end(), c.flags.begin(), c.flags.end());
    CAPTURE(words);
    w.expect_success(words);
    CHECK(w.run({"./a"}).out == c.output);
  }

  w.write("wrong.cu", "struct S {\n#ifdef __CUDA_ARCH__\n  int member;\n#endif\n};\n");
  const CommandResult refused = w.nvcc({"-c", "wrong.cu"});
  CHECK(refused.status != 0);
  CHECK(contains(refused.err, "wrong.cu:3: error: a member of the class is not the same"));
  w.write("asked.cu", "int f() { return __CUDA_ARCH__; }\n");
  CHECK(w.nvcc({"-c", "asked.cu"}).status == 1);
  w.write("device.cu", "#if __CUDA_ARCH__ == 900\n#error device\n#endif\n");
  CHECK(contains(w.nvcc({"-c", "device.cu"}).err, "device.cu:2:2: error: #error device"));
  CHECK(w.nvcc({"-c", "device.cu", "-arch=sm_80"}).status == 0);
}

TEST_CASE("a program may ask the emulator what its kernels cost") {
  const Workshop w;
  w.write("a.cu", R"(#include "emulator/counters.h"
__global__ void fill(int* out) { out[threadIdx.x] = 1; }
int main() {
  int* out;
  if (cudaMalloc(&out, 128) != cudaSuccess) return 1;
  fill<<<1, 32>>>(out);
  if (emu::last_launch()->counters.global_store.requests != 0) return 3;
  emu::set_counting(true);
  fill<<<1, 32>>>(out);
  return *emu::last_launch()->counters.global_store.efficiency_pct() == 100.0 ? 0 : 2;
}
)");
  w.expect_success({"a.cu"});
  CHECK(w.run({"./a.out"}).status == 0);
}

TEST_CASE("older standards are lifted to what the headers need") {
  const Workshop w;
  w.write("a.cu", "#if __cplusplus != 201703L\n#error standard\n#endif\nint main() {}\n");
  std::vector<std::vector<std::string>> commands;
  for (const std::string standard : {"c++03", "c++11", "c++14", "c++17"})
    commands.push_back({"-c", "-std=" + standard, "a.cu", "-o", standard + ".o"});
  w.expect_successes(commands);
}

TEST_CASE("the user's -O0, -g and -G do not turn the instrumentation off") {
  const Workshop w;
  w.write("a.cu", kAdd + kMain);
  w.expect_success(
      {"-O0", "-g", "-G", "-Xcompiler", "-O0,-fno-sanitize=thread", "a.cu", "-o", "prog"});
  const CommandResult result = w.run({"./prog"}, {{"COURSE_COUNTERS", "json"}});
  CHECK(result.status == 0);
  CHECK(contains(result.out + result.err, "\"global_load_requests\": 1"));
}

TEST_CASE("where locals are is told to those who ask for debug information") {
  const Workshop w;
  w.write("a.cu", kAdd + kMain);
  const auto leaves_out = [&](const std::vector<std::string>& flags) {
    std::vector<std::string> command = {"--dryrun", "a.cu", "-o", "prog"};
    command.insert(command.end(), flags.begin(), flags.end());
    return contains(w.nvcc(command).err, "-fno-var-tracking");
  };
  CHECK(leaves_out({}));
  CHECK(leaves_out({"-lineinfo"}));
  CHECK_FALSE(leaves_out({"-g"}));
  CHECK_FALSE(leaves_out({"-G"}));
}

TEST_CASE("dependencies name the headers, as Make wants them") {
  const Workshop w;
  w.write("inner.cuh", "#define N 7\n");
  w.write("outer.cuh", "#include \"inner.cuh\"\n");
  w.write("a.cu", "#include \"outer.cuh\"\n" + kAdd);
  w.expect_success({"-MD", "-c", "a.cu"});
  CHECK(w.read("a.d").rfind("a.o:", 0) == 0);
  CHECK(contains(w.read("a.d"), "inner.cuh"));
  CHECK(contains(w.read("a.d"), "cuda_runtime.h"));
  w.expect_success({"-MMD", "-MF", "my.d", "-MT", "target", "-MP", "-c", "a.cu", "-o", "x.o"});
  CHECK(w.read("my.d").rfind("target:", 0) == 0);
  CHECK(contains(w.read("my.d"), "inner.cuh:\n"));
  const CommandResult listed = w.nvcc({"-MM", "a.cu"});
  CHECK(listed.out.rfind("a.o:", 0) == 0);
  CHECK(contains(listed.out, "outer.cuh"));
}

TEST_CASE("precompiled headers fit the usual flags, and others read the headers") {
  const Workshop w;
  w.write("a.cu", kAdd + kMain);
  const auto precompiled = [&](std::vector<std::string> flags) {  // in -H's output: "! FILE"
    flags.insert(flags.end(), {"-Xcompiler", "-H", "-c", "a.cu"});
    const std::string messages = w.nvcc(flags).err;
    const std::size_t valid = messages.find("! ");
    return valid == messages.npos ? "" : messages.substr(valid, messages.find('\n', valid) - valid);
  };
  CHECK(precompiled({}).ends_with("/default"));
  CHECK(precompiled({"-std=c++20", "-O3", "-g", "-DROUNDS=4", "-arch=sm_90"}).ends_with("/c++20"));
  CHECK(precompiled({"-DNDEBUG"}) == "");
  CHECK(precompiled({"-keep"}) == "");

  w.write("asserts.cu", R"(
    __global__ void fails() { assert(threadIdx.x == 1); }
    int main() { fails<<<1, 1>>>(); return cudaDeviceSynchronize() != cudaSuccess; }
  )");
  w.expect_success({"asserts.cu", "-o", "asserts"});
  CHECK(w.run({"./asserts"}).status == 1);
  w.expect_success({"-DNDEBUG", "asserts.cu", "-o", "asserts"});
  CHECK(w.run({"./asserts"}).status == 0);
}

TEST_CASE("-E preprocesses, -dryrun only talks, -v talks as well, -run runs") {
  const Workshop w;
  w.write("a.cu", "#define N 7\nint n = N;\n" + kAdd + kMain);
  CHECK(contains(w.nvcc({"-E", "a.cu"}).out, "int n = 7;"));
  const CommandResult dry = w.nvcc({"--dryrun", "a.cu", "-o", "prog"});
  CHECK(dry.status == 0);
  CHECK(contains(dry.err, "#$ "));
  CHECK(contains(dry.err, "-fsanitize=thread"));
  CHECK_FALSE(w.exists("prog"));
  const CommandResult loud = w.nvcc({"-v", "a.cu", "-o", "prog"});
  CHECK(contains(loud.err, "-fsanitize=thread"));
  CHECK(w.exists("prog"));
  w.write("b.cu",
          "#include <cstdio>\nint main(int n, char** v) { std::printf(\"%d %s\\n\", n, v[1]); "
          "return 3; }\n");
  const CommandResult ran = w.nvcc({"-run", "-run-args", "x,y", "b.cu", "-o", "b"});
  CHECK(ran.out == "3 x\n");
  CHECK(ran.status == 3);
}

TEST_CASE("-run with nothing but a program runs it, also in quotation marks, as Meson asks") {
  const Workshop w;
  w.write("tool.exe", "#!/bin/sh\necho ran \"$@\"\nexit 4\n");
  w.write("a.cu", "int main() { return 5; }\n");
  w.write("text.exe", "no program\n");
  for (const char* const name : {"tool.exe", "a.cu"})
    fs::permissions(w / name, fs::perms::owner_exec, fs::perm_options::add);
  for (const std::string name : {"tool.exe", "./tool.exe", "\"tool.exe\""}) {
    CAPTURE(name);
    const CommandResult ran = w.nvcc({"--run", "-run-args", "x", name});
    CHECK(ran.out == "ran x\n");
    CHECK(ran.err == "");
    CHECK(ran.status == 4);
  }
  CHECK(w.nvcc({"-run", "a.cu"}).status == 5);  // a source file is not a program
  for (const char* const name : {"text.exe", "\"", "\"\""})
    CHECK(w.nvcc({"-run", name}).status == 1);
}

TEST_CASE("--keep keeps the preprocessed and the rewritten source") {
  const Workshop w;
  w.write("a.cu", kAdd);
  w.expect_success({"-c", "a.cu", "--keep"});
  CHECK(contains(w.read("a.emulator.ii"), "push_launch"));
  CHECK(contains(w.read("a.cpp1.ii"), "<<<1, 1>>>"));
  fs::create_directories(w / "kept");
  w.expect_success({"-c", "a.cu", "-save-temps", "-keep-dir", "kept"});
  CHECK(w.exists("kept/a.emulator.ii"));
}

TEST_CASE("a file that is not there is named in one line, in every phase") {
  const Workshop w;
  const std::vector<std::vector<std::string>> cases = {
      {"-c", "missing.cu"}, {"missing.o", "-o", "prog"}, {"-dlink", "missing.o"},
      {"-E", "missing.cu"}, {"-M", "missing.cu"},        {"-lib", "missing.o"}};
  for (const auto& words : cases) {
    CAPTURE(words);
    const CommandResult result = w.nvcc(words);
    const std::string file =
        contains(words.back() + words.front(), ".cu") ? "missing.cu" : "missing.o";
    CHECK(result.err == "emulator-nvcc: there is no file '" + file + "'\n");
    CHECK(result.out == "");
    CHECK(result.status == 1);
  }
}

TEST_CASE("the architectures that there are") {
  const Workshop w;
  CHECK(w.nvcc({"--list-gpu-arch"}).out == "compute_90\n");
  CHECK(w.nvcc({"--list-gpu-code"}).out == "sm_90\n");
}

TEST_CASE("--version and --help") {
  const Workshop w;
  CHECK(contains(w.nvcc({"--version"}).out, "release 13.0, V13.0"));
  CHECK(contains(w.nvcc({"-h"}).out, "usage: emulator-nvcc"));
}

TEST_CASE("g++'s messages point at the lines of the .cu file") {
  const Workshop w;
  w.write("bad.cuh", "\n__global__ void in_header(int* p) {\n  *p = missing_a;\n}\n");
  w.write("a.cu",
          "#include \"bad.cuh\"\n"                                     // 1
          "__global__ void k(int, int) {}\n"                           // 2
          "template <class T> __global__ void t(T* p) { *p = {}; }\n"  // 3
          "void f(int* p) {\n"                                         // 4
          "  k<<<dim3(1,\n"                                            // 5
          "           2),\n"                                           // 6
          "      missing_b>>>(1,\n"                                    // 7
          "                   missing_c);\n"                           // 8
          "  missing_d<<<1,\n"                                         // 9
          "    2>>>(3);\n"                                             // 10
          "  t<<<1, 1>>>(p); int x = __LINE__; missing_e(x);\n"        // 11
          "#pragma unroll\n"                                           // 12
          "  for (;;) missing_f();\n"                                  // 13
          "}\n"
          "static_assert(__LINE__ == 15);\n");
  const CommandResult result = w.nvcc({"-c", "a.cu"});
  CHECK(result.status == 1);
  CHECK(contains(result.err, "bad.cuh:3:"));
  for (const char* line : {"a.cu:7:", "a.cu:8:", "a.cu:9:", "a.cu:11:", "a.cu:13:"}) {
    CAPTURE(line);
    CHECK(contains(result.err, line));
  }
  CHECK(contains(result.err, "missing_a"));
  CHECK_FALSE(contains(result.err, "static assertion"));
  CHECK_FALSE(w.exists("a.o"));
}

TEST_CASE("what is not supported is named, with file and line") {
  const Workshop w;
  w.write(
      "a.cu",
      "#include \"b.cuh\"\n__global__ void k() {}\n__global__ void j() {\n  k<<<1, 1>>>();\n}\n");
  w.write("b.cuh", "\n__device__ void f() {\n  asm(\"brx.idx x, y;\");\n}\n");
  const CommandResult result = w.nvcc({"-c", "a.cu"});
  CHECK(result.err ==
        "b.cuh:3: error: the emulator does not support the PTX instruction brx.idx\n"
        "a.cu:4: error: a kernel launch in device code needs separate compilation: -rdc=true\n");
  CHECK(result.status == 2);
}

TEST_CASE("headers that the emulator does not have are named") {
  const Workshop w;
  const std::vector<std::pair<std::string, std::string>> headers = {
      {"cublasXt.h", "cuBLAS's other interfaces"},
      {"curand_mtgp32_host.h", "this part of cuRAND"},
      {"cuda_awbarrier.h", "asynchronous barriers"},
      {"cudnn.h", "cuDNN"}};
  for (const auto& [header, name] : headers) {
    CAPTURE(header);
    w.write("a.cu", "\n#include <" + header + ">\nint main() {}\n");
    const CommandResult result = w.nvcc({"-c", "a.cu"});
    CHECK(contains(result.err, "the emulator does not support " + name));
    CHECK(contains(result.err, "<" + header + ">"));
    CHECK(contains(result.err, "a.cu:2"));
    CHECK(result.status == 1);
  }
  // Colour codes stand between the message's words.
  w.write("a.cu", "#include <cusolverRf.h>\n");
  CHECK(contains(
      w.nvcc({"-c", "-Xcompiler", "-fdiagnostics-color=always", "a.cu"}).err,
      "\nemulator-nvcc: the emulator does not support this part of cuSOLVER (<cusolverRf.h>)\n"));
  // Host code, and text that is only preprocessed.
  w.write("a.cpp", "#include <nccl.h>\n");
  for (const char* phase : {"-c", "-E", "-M"}) {
    const CommandResult result = w.nvcc({phase, "a.cpp"});
    CHECK(contains(result.err, "a.cpp:1"));
    CHECK(contains(result.err, "emulator-nvcc: the emulator does not support NCCL (<nccl.h>)\n"));
    CHECK(result.status == 1);
  }
  w.write("a.cu", "#include \"helper_cuda.h\"\n");
  CHECK(contains(w.nvcc({"-c", "a.cu"}).err,
                 "emulator-nvcc: <helper_cuda.h> is helper code of NVIDIA's samples"));
  w.write("a.cu", "#include \"my_own.h\"\n");
  CHECK_FALSE(contains(w.nvcc({"-c", "a.cu"}).err, "emulator-nvcc"));
}

TEST_CASE("a program may ask for such a header, and may bring its own") {
  const char* const headers[] = {
      "cublas.h",          "cublasLt.h",   "cublasXt.h", "cuda_awbarrier.h",
      "cuda_gl_interop.h", "cudnn.h",      "cufftXt.h",  "curand_mtgp32_host.h",
      "cusolverRf.h",      "cusparseLt.h", "nccl.h",
  };
  const Workshop w;
  std::string asked;
  for (const std::string header : headers)
    if (!fs::exists("/usr/include/" + header))  // where a Toolkit may have put it
      asked += "#if __has_include(<" + header + ">)\n#error " + header + "\n#endif\n";
  w.write("a.cu", asked);
  w.expect_success({"-E", "a.cu", "-o", "a.ii"});

  std::string used;
  for (const std::string header : headers) {
    w.write("own/" + header, "OWN\n");
    used += "#include <" + header + ">\n";
  }
  w.write("a.cu", "#define OWN + 1\nstatic_assert(0\n" + used +
                      "== " + std::to_string(std::size(headers)) + ");\n");
  w.expect_success({"-c", "-Iown", "a.cu"});
}

TEST_CASE("files that are not there, and GPU code") {
  const Workshop w;
  const CommandResult missing = w.nvcc({"nothing.cu"});
  CHECK(missing.err == "emulator-nvcc: there is no file 'nothing.cu'\n");
  CHECK(missing.status == 1);
  CHECK(w.nvcc({"a.ptx"}).err == "emulator-nvcc: the emulator does not support GPU code (a.ptx)\n");
  w.write("a.cu", "int f();\nint main() { return f(); }\n");
  const CommandResult unlinked = w.nvcc({"a.cu"});
  CHECK(contains(unlinked.err, "undefined reference to "));
  CHECK(contains(unlinked.err, "f()'"));
  CHECK(unlinked.status == 1);
}

TEST_CASE("a folder for temporary files that is not there: one line") {
  const Workshop w;
  w.write("a.cu", "int main() {}\n");
  const CommandResult result =
      run_command({EMULATOR_NVCC, "-c", "a.cu"},
                  nvcc_tests::in_folder(w / "", {{"TMPDIR", "/nowhere/at all"}}));
  CHECK(result.err ==
        "emulator-nvcc: cannot make a temporary folder in /nowhere/at all: No such file or "
        "directory\n");
  CHECK(result.status == 2);
}

TEST_CASE("whoever starts the driver may ignore the ends of children") {
  const Workshop w;
  w.write("right.cu", "int main() {}\n");
  w.write("wrong.cu", "int main() { return nothing; }\n");
  const auto compile = [&](const std::string& source) {
    return w.run({"env", "--ignore-signal=CHLD", EMULATOR_NVCC, "-c", source});
  };
  const CommandResult right = compile("right.cu"), wrong = compile("wrong.cu");
  CHECK(right.status == 0);
  CHECK(right.err == "");
  CHECK(wrong.status == 1);
  CHECK(contains(wrong.err, "was not declared in this scope"));
  CHECK_FALSE(contains(wrong.err, "No child processes"));
}

TEST_CASE("a signal ends the compiler first and leaves nothing behind") {
  const Workshop w;
  w.write("a.cu", "int main() {}\n");
  const fs::path slow = w / "slow";
  w.write("slow", "#!/bin/sh\necho $$ > started\nexec sleep 60\n");
  fs::permissions(slow, fs::perms::owner_all);
  const CommandResult result =
      w.run({"sh", "-c",
             "\"$0\" -ccbin ./slow -c a.cu & while [ ! -s started ]; do sleep 0.05; done; "
             "kill -TERM $!; wait $!; status=$?; kill -0 $(cat started) 2>/dev/null && echo alive; "
             "exit $status",
             EMULATOR_NVCC});
  CHECK(result.status == 128 + 15);
  CHECK(result.out == "");
  CHECK(fs::is_empty(w.temporary()));
}
