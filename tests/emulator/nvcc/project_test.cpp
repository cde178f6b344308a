/// Tests projects that know nothing of the emulator, with CMake and a makefile, and the driver as
/// nvcc.

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <vector>

#include "in_folder.hpp"
#include "support/long_tests.hpp"
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

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

/// Returns the path that `option` prints.
fs::path printed(const std::string& option, const fs::path& folder = {}) {
  const CommandResult result = run({EMULATOR_NVCC, option}, folder);
  CHECK(result.err == "");
  REQUIRE(result.status == 0);
  const Words lines = tools::lines_of(result.out);
  REQUIRE(lines.size() == 1);
  return lines.front();
}

/// A copy of a project, so that a test may change its files. The folder's name contains a blank.
class Project {
 public:
  Project(const std::string& name, std::string generator) : generator_(std::move(generator)) {
    fs::copy(fs::path(COURSE_PROJECTS_FOLDER) / name, sources(), fs::copy_options::recursive);
  }
  fs::path sources() const { return folder_.path() / "my project"; }
  fs::path build() const { return folder_.path() / "my build"; }

  CommandResult configure(const Words& options = {}) const {
    Words command = {COURSE_CMAKE, "-S", sources().string(), "-B", build().string()};
    command.insert(command.end(),
                   {"-G", generator_, "-DCMAKE_CUDA_COMPILER=" + printed("--print-path").string(),
                    "-DCMAKE_CXX_COMPILER=" COURSE_CXX_COMPILER,
                    std::string("-DCMAKE_MAKE_PROGRAM=") +
                        (generator_ == "Ninja" ? COURSE_NINJA : COURSE_MAKE)});
    command.insert(command.end(), options.begin(), options.end());
    return run(command);
  }
  CommandResult make(const Words& more = {}) const {
    Words command = {COURSE_CMAKE, "--build", build().string()};
    command.insert(command.end(), more.begin(), more.end());
    return run(command);
  }
  CommandResult test() const {
    return run(
        {COURSE_CTEST, "--test-dir", build().string(), "--output-on-failure", "--no-tests=error"});
  }
  /// Configures, builds and tests, which must succeed.
  void expect_success(const Words& options = {}) const {
    const CommandResult configured = configure(options);
    CAPTURE(configured.out);
    CHECK(configured.err == "");
    REQUIRE(configured.status == 0);
    const CommandResult made = make();
    CAPTURE(made.out);
    CHECK(made.err == "");
    REQUIRE(made.status == 0);
    const CommandResult tested = test();
    CAPTURE(tested.out);
    CHECK(tested.status == 0);
  }

 private:
  TemporaryFolder folder_{"project test"};
  std::string generator_;
};

}  // namespace

TEST_CASE("the printed compiler and toolkit are there, whatever the folder") {
  const TemporaryFolder other_folder;
  const fs::path compiler = printed("--print-path", other_folder.path());
  const fs::path toolkit = printed("--print-toolkit", other_folder.path());
  CHECK(compiler.is_absolute());
  CHECK(compiler == toolkit / "bin/nvcc");
  CHECK(fs::exists(toolkit / "include/cuda_runtime.h"));
  CHECK(fs::exists(toolkit / "lib64/libcudart.so"));
  CHECK(fs::exists(toolkit / "include/cublas_v2.h") == (EMULATOR_HAS_CUBLAS != 0));
  CHECK(fs::exists(toolkit / "include/cufft.h") == (EMULATOR_HAS_CUFFT != 0));
  CHECK(fs::exists(toolkit / "include/curand_kernel.h"));
  CHECK_FALSE(fs::exists(toolkit / "include/cudnn.h"));
  other_folder.write("a.cu", "int main() { return cudaDeviceSynchronize(); }\n");
  REQUIRE(run({compiler.string(), "a.cu", "-o", "a"}, other_folder.path()).status == 0);
  CHECK(run({"./a"}, other_folder.path()).status == 0);
}

TEST_CASE("what nvcc says of itself with -v is said too, as CMake reads it") {
  const std::string toolkit = printed("--print-toolkit").string();
  const CommandResult asked = run({EMULATOR_NVCC, "-v", "__cmake_determine_cuda"});
  CHECK(asked.status == 1);
  CHECK(contains(asked.err, "#$ TOP=" + toolkit + "\n"));
  CHECK(contains(asked.err, "#$ _SPACE_= \n"));
  CHECK(contains(asked.err, "#$ NVVMIR_LIBRARY_DIR=" + toolkit + "/nvvm/libdevice\n"));
  CHECK(contains(asked.err, "/include\n"));
  CHECK(contains(asked.err, "nvcc fatal   : Don't know what to do with '__cmake_determine_cuda'"));
  CHECK(contains(run({EMULATOR_NVCC, "--version"}).out, "nvcc: NVIDIA (R) Cuda compiler driver\n"));

  const TemporaryFolder folder;
  folder.write("a.cu", "int main() {}\n");
  const auto link_line = [&](const std::string& runtime) {
    const CommandResult refusal =
        run({EMULATOR_NVCC, "--dryrun", "-cudart", runtime, "a.cu"}, folder.path());
    const Words lines = tools::lines_of(refusal.err);
    REQUIRE(lines.size() > 1);
    return lines.back();
  };
  CHECK(contains(link_line("static"), "-lcudadevrt -lcudart_static -lrt -lpthread -ldl"));
  CHECK(contains(link_line("shared"), "-lcudadevrt -lcudart -o"));
  CHECK_FALSE(contains(link_line("none"), "-lcudart"));
}

TEST_CASE("a CMake project with libraries, linked device code and tests") {
  if (std::string(COURSE_NINJA).empty() || !fs::exists(COURSE_NINJA)) return;
  const Project project("parts", "Ninja");
  project.expect_success({"-DCMAKE_EXPORT_COMPILE_COMMANDS=ON"});
  CHECK(contains(run({(project.build() / "app").string()}).out, "160 50 60 host 7 two words"));
  CHECK(contains(tools::read_file(project.build() / "compile_commands.json"), "-rdc=true -c "));
  const CommandResult counted =
      run({(project.build() / "user").string()}, {}, {{"COURSE_COUNTERS", "table"}});
  CHECK(contains(counted.out + counted.err, "read_table"));

  const CommandResult made_again = project.make({"--", "-d", "explain"});
  CAPTURE(made_again.err);
  CHECK(contains(made_again.out, "no work to do"));
  // After a change of a header, only files that include it are rebuilt.
  std::ofstream(project.sources() / "include/table.cuh", std::ios::app) << "static_assert(true);\n";
  const std::string again = project.make().out;
  CAPTURE(again);
  CHECK(contains(again, "closed.cu.o"));
  CHECK_FALSE(contains(again, "scaled.cu.o"));
  CHECK_FALSE(contains(again, "query"));
  CHECK(project.test().status == 0);
}

TEST_CASE("architectures, standards, runtime libraries and host compilers that projects choose") {
  if (!fs::exists(COURSE_MAKE)) return;
  std::vector<Words> cases = {{"-DCASE_ARCHITECTURES=80;90-real;90a-virtual",
                               "-DCASE_RUNTIME=Shared",
                               "-DCMAKE_CUDA_HOST_COMPILER=" COURSE_CXX_COMPILER}};
  if (test_support::is_long_run()) {
    cases.insert(cases.end(),
                 {{"-DCASE_ARCHITECTURES=native", "-DCASE_RUNTIME=None", "-DCASE_STANDARD=17"},
                  {"-DCASE_ARCHITECTURES=all", "-DCASE_STANDARD=14", "-DCMAKE_BUILD_TYPE=Release"},
                  {"-DCASE_ARCHITECTURES=all-major", "-DCMAKE_BUILD_TYPE=Debug"},
                  {"-DCASE_ARCHITECTURES=OFF", "-DCASE_RUNTIME=Static"}});
  }
  for (const Words& options : cases) {
    CAPTURE(options);
    Project("parts", "Unix Makefiles").expect_success(options);
  }
}

TEST_CASE("a shared library by nvcc's own hand, with a static one in it") {
  const std::string nvcc = printed("--print-path").string();
  const TemporaryFolder folder;  // its name contains a blank
  folder.write("part.cu",
               "__device__ int state = 3;\n__global__ void k(int* p) { *p = ++state; }\n"
               "int next() {\n  int* p;\n  cudaMallocManaged(&p, sizeof(int));\n"
               "  k<<<1, 1>>>(p);\n  cudaDeviceSynchronize();\n  return *p;\n}\n");
  folder.write("whole.cu", "int next();\nint two() { return next() + next(); }\n");
  folder.write("top.cu", "int two();\nint three() { return two(); }\n");
  folder.write("main.cpp", "int next();\nint three();\nint main() { return three() + next(); }\n");
  fs::create_directories(folder.path() / "top");
  for (const Words& command :
       {Words{nvcc, "-Xcompiler=-fPIC", "-lib", "part.cu", "-o", "libpart.a"},
        Words{nvcc, "-Xcompiler=-fPIC", "-shared", "whole.cu", "-Xlinker", "--whole-archive",
              "libpart.a", "-Xlinker", "--no-whole-archive", "-o", "libwhole.so"},
        Words{nvcc, "-Xcompiler=-fPIC", "-shared", "top.cu", "libwhole.so", "-o", "top/libtop.so"},
        Words{COURSE_CXX_COMPILER, "main.cpp", "-Ltop", "-ltop", "-o", "by_host",
              "-Wl,--dependency-file=needed"},
        Words{nvcc, "main.cpp", "top/libtop.so", "-o", "by_nvcc"}}) {
    const CommandResult result = run(command, folder.path());
    CAPTURE(command);
    CHECK(result.err == "");
    REQUIRE(result.status == 0);
  }
  CHECK(run({"./by_host"}, folder.path()).status == 15);
  CHECK(run({"./by_nvcc"}, folder.path()).status == 15);
  // ld does not escape the blank in the folder's name, so no file name may contain it.
  const std::string needed = tools::read_file(folder.path() / "needed");
  CHECK(contains(needed, "libwhole.so.a"));
  CHECK_FALSE(contains(needed, folder.path().string()));
}

TEST_CASE("a makefile that knows CUDA_HOME, and links with g++") {
  if (!fs::exists(COURSE_MAKE)) return;
  const TemporaryFolder folder;
  fs::copy(fs::path(COURSE_PROJECTS_FOLDER) / "makefile", folder.path(),
           fs::copy_options::recursive);
  for (const char* const library : {"cudart", "cudart_static"}) {
    CAPTURE(library);
    const CommandResult made = run(
        {COURSE_MAKE, "-B", "CUDART=" + std::string(library), "CXX=" COURSE_CXX_COMPILER, "check"},
        folder.path(), {{"CUDA_HOME", printed("--print-toolkit").string()}});
    CAPTURE(made.out);
    CHECK(made.err == "");
    CHECK(made.status == 0);
    CHECK(contains(made.out, "the device says 5\n"));
  }
}
