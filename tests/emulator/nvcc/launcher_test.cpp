/// Tests emulator-nvcc --launcher, which CMake puts before g++.

#include <doctest/doctest.h>

#include <filesystem>
#include <iterator>
#include <sstream>
#include <string>
#include <vector>

#include "in_folder.hpp"
#include "tools/support/subprocess.hpp"

namespace fs = std::filesystem;
using tools::CommandResult;
using tools::read_file;
using tools::run_command;
using tools::TemporaryFolder;

namespace {

const std::string kCompiler = COURSE_CXX_COMPILER;

const std::string kKernel =
    "#include \"size.cuh\"\n__global__ void k(float* p) {\n  __shared__ float s[kSize];\n#pragma "
    "unroll\n  for (int i = 0; i < kSize; ++i) s[i] = p[i];\n"
    "  *p = s[0];\n}\ntemplate <class T, class = void> __global__ void t(T*, int) {}\nvoid "
    "run(float* p) { k<<<1, 1>>>(p); t<<<1, 1>>>(p, 1); }\n";

CommandResult launch(const TemporaryFolder& folder, std::vector<std::string> command,
                     std::map<std::string, std::string> environment = {}) {
  command.insert(command.begin(), {EMULATOR_NVCC, "--launcher"});
  const fs::path temporary = folder.path() / "tmp";
  fs::create_directories(temporary);
  environment["TMPDIR"] = temporary.string();
  const CommandResult result =
      run_command(command, nvcc_tests::in_folder(folder.path(), environment));
  CHECK(fs::is_empty(temporary));
  return result;
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("a .cu file is compiled with all warnings as errors, and its dependencies are written") {
  const TemporaryFolder folder("launcher test");
  folder.write("inc/size.cuh", "constexpr int kSize = 4;\n");
  folder.write("src/a.cu", kKernel);
  const CommandResult result = launch(
      folder, {kCompiler,  "-DX=1",      "-Iinc",   "-O2", "-g",  "-std=c++20", "-Wall", "-Wextra",
               "-Wshadow", "-Wpedantic", "-Werror", "-MD", "-MT", "dir/a.cu.o", "-MF",   "a.cu.o.d",
               "-o",       "a.cu.o",     "-x",      "c++", "-c",  "src/a.cu"});
  CHECK(result.err == "");
  CHECK(result.status == 0);
  CHECK(fs::exists(folder.path() / "a.cu.o"));
  const std::string dependencies = read_file(folder.path() / "a.cu.o.d");
  CHECK(dependencies.rfind("dir/a.cu.o:", 0) == 0);
  CHECK(contains(dependencies, "inc/size.cuh"));
  CHECK(contains(dependencies, "src/a.cu"));
  CHECK(contains(dependencies, "cuda_runtime.h"));
}

TEST_CASE("dependencies that are not spelled out get g++'s defaults") {
  const TemporaryFolder folder;
  folder.write("size.cuh", "constexpr int kSize = 4;\n");
  folder.write("a.cu", kKernel);
  CHECK(launch(folder, {kCompiler, "-MMD", "-c", "a.cu", "-o", "out.o"}).status == 0);
  CHECK(read_file(folder.path() / "out.d").rfind("out.o:", 0) == 0);
  CHECK(launch(folder, {kCompiler, "-c", "a.cu"}).status == 0);
  CHECK(fs::exists(folder.path() / "a.o"));
}

TEST_CASE("a header that a build chooses stands before the source") {
  const TemporaryFolder folder("launcher test");
  folder.write("first.h", "#include <cuda_runtime.h>\nconstexpr int kFirst = 5;\n");
  folder.write("a.cu", "__global__ void k(int* p) { *p = kFirst; }\n");
  const std::vector<std::string> command = {kCompiler, "-std=c++20", "-MD", "-o",  "a.cu.o",
                                            "-x",      "c++",        "-c",  "a.cu"};
  CHECK(launch(folder, command).status == 1);
  std::vector<std::string> with_header = command;
  with_header.insert(with_header.begin() + 1,
                     "--precompiled=" + (folder.path() / "first.h").string());
  const CommandResult result = launch(folder, with_header);
  CHECK(result.err == "");
  CHECK(result.status == 0);
  CHECK(contains(read_file(folder.path() / "a.cu.d"), "first.h"));
}

TEST_CASE("the headers of the course's own tests are precompiled for just their flags") {
  const TemporaryFolder folder("launcher test");
  folder.write("a.cu", "__global__ void k(int* p) { *p = 5; }\n");
  folder.write_program("look",
                       "#!/bin/sh\nfor word; do case $word in *.emulator.ii) "
                       "grep -c pch_preprocess \"$word\" > found;; esac; done\nexec \"$@\"\n");
  std::vector<std::string> command = {"./look", kCompiler, "-O1", "-std=c++20"};
  std::istringstream warnings(COURSE_WARNINGS);
  command.insert(command.end(), std::istream_iterator<std::string>(warnings), {});
  const auto is_precompiled = [&](std::vector<std::string> flags) {
    flags.insert(flags.end(),
                 {"--precompiled=" COURSE_HEADERS_OF_CUDA_TESTS, "-MD", "-c", "a.cu", "-o", "a.o"});
    CHECK(launch(folder, flags).status == 0);
    return read_file(folder.path() / "found") == "1\n";
  };
  CHECK(is_precompiled(command));
  command.push_back("-std=c++17");
  CHECK_FALSE(is_precompiled(command));
}

TEST_CASE("another launcher may stand before the compiler") {
  const TemporaryFolder folder;
  folder.write("size.cuh", "constexpr int kSize = 4;\n");
  folder.write("a.cu", kKernel);
  folder.write_program("cache", "#!/bin/sh\necho \"$1\" >> calls\nexec \"$@\"\n");
  CHECK(launch(folder, {"./cache", kCompiler, "-c", "a.cu", "-o", "a.o"}).status == 0);
  CHECK(read_file(folder.path() / "calls") == kCompiler + "\n" + kCompiler + "\n");
}

TEST_CASE("an object that was made of the same but for comments is kept, as good as new") {
  const TemporaryFolder folder;
  folder.write("size.cuh", "constexpr int kSize = 4;  // four\n");
  folder.write("a.cu", kKernel);
  folder.write_program("cache", "#!/bin/sh\necho \"$1\" >> calls\nexec \"$@\"\n");
  std::string flag = "-O1";
  const auto calls = [&] {  // the preprocessor always runs
    fs::remove(folder.path() / "calls");
    CHECK(launch(folder, {"./cache", kCompiler, flag, "-MD", "-c", "a.cu", "-o", "a.o"}).status ==
          0);
    return tools::lines_of(read_file(folder.path() / "calls")).size();
  };
  const auto made = [&] { return fs::last_write_time(folder.path() / "a.o"); };
  CHECK(calls() == 2);
  const auto first = made();
  const std::string object = read_file(folder.path() / "a.o");
  folder.write("size.cuh", "constexpr int kSize = 4;  // or five?\n");
  CHECK(calls() == 1);
  CHECK(made() > first);
  CHECK(read_file(folder.path() / "a.o") == object);
  for (int i = 0; i < 20; ++i) {  // not in the future, because the linked program must be newer
    CHECK(calls() == 1);
    folder.write("linked", "");
    CHECK(made() <= fs::last_write_time(folder.path() / "linked"));
  }

  folder.write("size.cuh", "constexpr int kSize = 5;  // or five?\n");
  CHECK(calls() == 2);
  folder.write("size.cuh", "\nconstexpr int kSize = 5;  // a line further down\n");
  CHECK(calls() == 2);
  flag = "-O0";
  CHECK(calls() == 2);
  fs::remove(folder.path() / "a.o");
  CHECK(calls() == 2);
  folder.write_program("cache", "#!/bin/sh\ncase \"$*\" in *cpp-output*) exit 3;; esac; \"$@\"");
  folder.write("size.cuh", "constexpr int kSize = 6;\n");
  CHECK(launch(folder, {"./cache", kCompiler, flag, "-MD", "-c", "a.cu", "-o", "a.o"}).status == 3);
  folder.write("size.cuh", "\nconstexpr int kSize = 5;\n");
  CHECK(launch(folder, {"./cache", kCompiler, flag, "-MD", "-c", "a.cu", "-o", "a.o"}).status == 3);
}

TEST_CASE("everything else passes through untouched") {
  const TemporaryFolder folder;
  folder.write_program("compiler", "#!/bin/sh\nfor word; do echo \"[$word]\"; done\nexit 7\n");
  const std::vector<std::vector<std::string>> commands = {
      {"./compiler", "-c", "a b.cpp", "-o", "x.o"},
      {"./compiler", "a.o", "-o", "prog"},
      {"./compiler", "--version"}};
  for (const auto& command : commands) {
    const CommandResult result = launch(folder, command);
    std::string expected;
    for (std::size_t i = 1; i < command.size(); ++i) expected += "[" + command[i] + "]\n";
    CHECK(result.out == expected);
    CHECK(result.status == 7);
  }
}

TEST_CASE("failures: the compiler's status, the named error, no compiler") {
  const TemporaryFolder folder;
  folder.write("bad.cu", "int x = ;\n");
  const CommandResult bad = launch(folder, {kCompiler, "-c", "bad.cu", "-o", "bad.o"});
  CHECK(bad.status == 1);
  CHECK(contains(bad.err, "bad.cu:1:9: error: expected primary-expression"));
  CHECK_FALSE(fs::exists(folder.path() / "bad.o"));
  folder.write("unsupported.cu", "\n__device__ void f() { asm(\"x\"); }\n");
  const CommandResult unsupported = launch(folder, {kCompiler, "-c", "unsupported.cu"});
  CHECK(unsupported.err ==
        "unsupported.cu:2: error: the emulator does not support the PTX instruction x\n");
  CHECK(unsupported.status == 2);
  const CommandResult none = launch(folder, {"/no/such/compiler", "-c", "bad.cu"});
  CHECK(none.err == "emulator-nvcc: cannot run /no/such/compiler: No such file or directory\n");
  CHECK(none.status == 2);
  const CommandResult empty = launch(folder, {});
  CHECK(empty.status == 1);
}

TEST_CASE("-save-temps keeps the intermediate files beside the object") {
  const TemporaryFolder folder;
  folder.write("size.cuh", "constexpr int kSize = 4;\n");
  folder.write("a.cu", kKernel);
  fs::create_directories(folder.path() / "out");
  CHECK(launch(folder, {kCompiler, "-save-temps=obj", "-c", "a.cu", "-o", "out/a.o"}).status == 0);
  CHECK(contains(read_file(folder.path() / "out/a.emulator.ii"), "push_launch"));
}

TEST_CASE("with CMake, by Ninja and by Make, a changed header compiles its sources again, once") {
  const TemporaryFolder folder("cmake test");
  folder.write("size.cuh", "constexpr int kSize = 4;\n");
  folder.write("a.cu", kKernel);
  folder.write("plain.cpp", "int plain() { return 1; }\n");
  folder.write("CMakeLists.txt",
               "cmake_minimum_required(VERSION 3.25)\nproject(p LANGUAGES CXX)\n"
               "add_library(p STATIC a.cu plain.cpp)\n"
               "set_source_files_properties(a.cu PROPERTIES LANGUAGE CXX)\n"
               "set_target_properties(p PROPERTIES CXX_COMPILER_LAUNCHER \"" +
                   std::string(EMULATOR_NVCC) + ";--launcher\")\n");
  for (const std::string generator : {"Ninja", "Unix Makefiles"}) {
    CAPTURE(generator);
    const std::string build = (folder.path() / ("build " + generator)).string();
    const auto cmake = [&](std::vector<std::string> arguments) {
      arguments.insert(arguments.begin(), COURSE_CMAKE);
      const CommandResult result = run_command(arguments, nvcc_tests::in_folder(folder.path()));
      CHECK(result.status == 0);
      return result.out;
    };
    cmake({"-G", generator, "-DCMAKE_CXX_COMPILER=" + kCompiler, "-S", ".", "-B", build});
    CHECK(contains(cmake({"--build", build}), "a.cu.o"));
    CHECK_FALSE(contains(cmake({"--build", build}), "Building"));
    const fs::path header = folder.path() / "size.cuh";
    fs::last_write_time(header, fs::file_time_type::clock::now());
    const std::string again = cmake({"--build", build});
    CHECK(contains(again, "a.cu.o"));
    CHECK_FALSE(contains(again, "plain.cpp.o"));
  }
}
