/// Tests the installed emulator, which is independent of this tree, in projects.
///
/// tests/systems/package tests Debian's package itself on fresh systems.

#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "support/long_tests.hpp"
#include "toolchain.hpp"
#include "tools/support/pattern.hpp"
#include "tools/support/project.hpp"
#include "tools/support/source_text.hpp"
#include "tools/support/subprocess.hpp"

namespace fs = std::filesystem;
using tools::CommandResult;

namespace {

using Words = std::vector<std::string>;

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

/// Runs a command without this process's environment.
CommandResult run(const Words& command, const fs::path& folder,
                  const std::map<std::string, std::string>& environment = {}) {
  Words all = {"env", "-i", "PATH=/usr/local/bin:/usr/bin:/bin", "LC_ALL=C.UTF-8"};
  for (const auto& [name, value] : environment) all.push_back(name + "=" + value);
  all.insert(all.end(), command.begin(), command.end());
  tools::CommandOptions options;
  options.directory = folder;
  options.time_limit = std::chrono::seconds(300);
  return tools::run_command(all, options);
}

CommandResult expect_success(const Words& command, const fs::path& folder,
                             const std::map<std::string, std::string>& environment = {}) {
  CommandResult result = run(command, folder, environment);
  CAPTURE(command);
  CAPTURE(result.out);
  CAPTURE(result.err);
  REQUIRE(result.status == 0);
  return result;
}

/// An installed emulator, shared by all tests. (Its folder's name contains no blank, because CMake
/// would not understand g++'s messages about it.)
class Installed {
 public:
  static const Installed& here() {
    static const Installed installed;
    return installed;
  }
  const fs::path& prefix() const { return prefix_; }
  fs::path toolkit() const { return prefix_ / "lib/warp-emulator"; }
  std::string nvcc() const { return (prefix_ / "bin/warp-nvcc").string(); }
  fs::path documents() const { return prefix_ / "share/doc/warp-emulator"; }
  /// Returns the text of a compressed file.
  std::string unpacked(const fs::path& file) const {
    return run({"gzip", "-dc", file.string()}, folder_.path()).out;
  }

 private:
  // Installed for one folder through another, as packages are, and then moved to a third.
  Installed() {
    const CommandResult result =
        run({COURSE_CMAKE, "--install", COURSE_BINARY_DIR, "--prefix", "/no/such/prefix"},
            folder_.path(), {{"DESTDIR", folder_.path().string()}});
    CAPTURE(result.err);
    REQUIRE(result.status == 0);
    prefix_ = folder_.path() / "moved";
    fs::rename(folder_.path() / "no/such/prefix", prefix_);
  }
  tools::TemporaryFolder folder_{"installed"};
  fs::path prefix_;
};

/// Returns the names of all files below a folder, without those behind links.
std::set<fs::path> files_below(const fs::path& folder) {
  std::set<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(folder))
    if (!entry.is_directory() || entry.is_symlink())
      files.insert(entry.path().lexically_relative(folder));
  return files;
}

/// A copy of the example, as a user would make it.
class Example {
 public:
  Example() {
    fs::copy(Installed::here().documents() / "examples", path(), fs::copy_options::recursive);
  }
  fs::path path() const { return folder_.path() / "my sums"; }

 private:
  tools::TemporaryFolder folder_{"example"};
};

/// Returns the matches of `pattern` in a text.
std::set<std::string> found(const char* pattern, const std::string& text) {
  std::set<std::string> all;
  for (const tools::Match& match : tools::Pattern(pattern).all(text)) all.insert(match.str(1));
  return all;
}

std::string manual() {
  std::string text =
      Installed::here().unpacked(Installed::here().prefix() / "share/man/man1/warp-nvcc.1.gz");
  std::erase(text, '\\');
  return text;
}

}  // namespace

TEST_CASE("a toolkit's folder that begins elsewhere than the working folder") {
  const tools::TemporaryFolder folder;
  folder.write("bin/emulator-nvcc.conf",
               "compiler = g++-99\ninclude = ../include\ninclude = /absolute\ntoolkit = ..\n"
               "plugin = ../lib64/p.so\n");
  const emulator_nvcc::Toolchain toolchain =
      emulator_nvcc::read_toolchain(folder.path() / "bin/emulator-nvcc.conf");
  CHECK(toolchain.compiler == "g++-99");
  CHECK(toolchain.includes == Words{(folder.path() / "include").string(), "/absolute"});
  CHECK(toolchain.toolkit == folder.path());
  CHECK(toolchain.plugin == (folder.path() / "lib64/p.so").string());
  CHECK(toolchain.precompiled.empty());
}

TEST_CASE("what is installed is the same for every prefix") {
  const tools::TemporaryFolder other;
  expect_success(
      {COURSE_CMAKE, "--install", COURSE_BINARY_DIR, "--prefix", (other.path() / "usr").string()},
      other.path());
  const fs::path one = Installed::here().prefix(), two = other.path() / "usr";
  const std::set<fs::path> files = files_below(one);
  CHECK(files == files_below(two));
  CHECK(files.size() > 100);
  for (const fs::path& file : files) {
    CAPTURE(file);
    if (fs::is_symlink(one / file)) {
      CHECK(fs::read_symlink(one / file) == fs::read_symlink(two / file));
      CHECK(fs::read_symlink(one / file).is_relative());
      // May link to other packages
      const bool may_lead_nowhere = file.parent_path().filename() == "cccl";
      CHECK((may_lead_nowhere || fs::exists(one / file)));
    } else {
      CHECK(tools::read_file(one / file) == tools::read_file(two / file));
      const fs::perms mode = fs::status(one / file).permissions();
      CHECK((mode & fs::perms::others_read) != fs::perms::none);
      CHECK((mode & (fs::perms::others_write | fs::perms::group_write)) == fs::perms::none);
    }
  }
}

TEST_CASE("nothing that is installed names a folder of the sources or of the build") {
  const Words folders = {tools::source_folder().string(), COURSE_BINARY_DIR};
  // The search works: it finds the names in a file that contains them.
  REQUIRE(contains(tools::read_file(fs::path(EMULATOR_NVCC).parent_path() / "emulator-nvcc.conf"),
                   folders[0]));
  const Installed& installed = Installed::here();
  for (const fs::path& name : files_below(installed.prefix())) {
    const fs::path file = installed.prefix() / name;
    if (fs::is_symlink(file)) continue;
    CAPTURE(name);
    const std::string text =
        file.extension() == ".gz" ? installed.unpacked(file) : tools::read_file(file);
    CHECK_FALSE(text.empty());
    for (const std::string& folder : folders) CHECK_FALSE(contains(text, folder));
    if (file.extension() == ".a" || file.extension() == ".so" || file.extension() == "")
      if (text.starts_with("!<arch>\n") || text.starts_with("\x7f"
                                                            "ELF"))
        CHECK_FALSE(contains(text, ".debug_info"));
  }
}

TEST_CASE("the example works with CMake") {
  const Example example;
  const std::string compiler =
      tools::lines_of(expect_success({Installed::here().nvcc(), "--print-path"}, "/").out).at(0);
  CHECK(compiler == (Installed::here().toolkit() / "bin/nvcc").string());
  expect_success({COURSE_CMAKE, "-S", ".", "-B", "build", "-DCMAKE_CUDA_COMPILER=" + compiler},
                 example.path());
  const CommandResult built = expect_success({COURSE_CMAKE, "--build", "build"}, example.path());
  CHECK(built.err == "");
  for (const char* check : {"off", "all"}) {
    const CommandResult tested = run({COURSE_CTEST, "--test-dir", "build", "--output-on-failure"},
                                     example.path(), {{"COURSE_CHECK", check}});
    CAPTURE(tested.out);
    CHECK(tested.status == 0);
    CHECK(contains(tested.out, "tests passed, 0 tests failed out of " +
                                   std::string(EMULATOR_HAS_CUBLAS ? "2" : "1")));
  }
  // A kernel that accesses past its array fails the test, and the line is reported.
  const CommandResult broken =
      expect_success({"sed", "-i", "s/if (i < n) y/if (i <= n) y/", "sums.cu"}, example.path());
  expect_success({COURSE_CMAKE, "--build", "build"}, example.path());
  const CommandResult tested =
      run({COURSE_CTEST, "--test-dir", "build", "--output-on-failure", "-R", "sums"},
          example.path(), {{"COURSE_CHECK", "memcheck"}});
  CHECK(tested.status != 0);
  CHECK(contains(tested.out, "what lies behind y"));
}

TEST_CASE("the example works with make, and by hand") {
  const Example example;
  const std::string toolkit =
      tools::lines_of(expect_success({Installed::here().nvcc(), "--print-toolkit"}, "/").out).at(0);
  CHECK(toolkit == Installed::here().toolkit().string());
  expect_success({Installed::here().nvcc(), "sums.cu", "sums_test.cu", "-o", "by_hand"},
                 example.path());
  CHECK(run({"./by_hand"}, example.path()).out == "all sums are right\n");

  // The profile distinguishes the program's lines from those of CUDA's headers.
  const CommandResult profiled = run({"./by_hand"}, example.path(), {{"COURSE_PROFILE", "text"}});
  CHECK(contains(profiled.err, "sums.cu\n"));
  CHECK(contains(profiled.err, "if (i < n) y[i] += a * x[i];"));
  CHECK_FALSE(contains(profiled.err, "lib/warp-emulator"));

  if (!fs::exists(COURSE_MAKE)) return;
  const CommandResult made =
      expect_success({COURSE_MAKE, "CUDA_HOME=" + toolkit, "check"}, example.path());
  CHECK(contains(made.out, "all sums are right\n"));
}

TEST_CASE("programs of other kinds: linked by g++, profiled through CUDA's headers") {
  const tools::TemporaryFolder folder;
  folder.write("k.cu",
               "#include <cuda_fp16.h>\n#include <cooperative_groups.h>\n#include <cstdio>\n"
               "__global__ void k(__half2* p) {\n"
               "  cooperative_groups::this_thread_block().sync();\n"
               "  p[threadIdx.x] = __ldg(p + threadIdx.x);\n"
               "  atomicAdd(reinterpret_cast<int*>(p), 1);\n}\n"
               "int main() {\n  __half2* p;\n  cudaMalloc(&p, 128);\n  cudaMemset(p, 0, 128);\n"
               "  k<<<1, 32>>>(p);\n  return cudaDeviceSynchronize();\n}\n");
  const Installed& installed = Installed::here();
  expect_success({installed.nvcc(), "-c", "k.cu", "-o", "k.o"}, folder.path());
  expect_success({COURSE_CXX_COMPILER, "k.o", "-L" + (installed.toolkit() / "lib64").string(),
                  "-lcudart", "-o", "k"},
                 folder.path());
  const CommandResult profiled = run({"./k"}, folder.path(), {{"COURSE_PROFILE", "text"}});
  CAPTURE(profiled.err);
  CHECK(profiled.status == 0);
  CHECK(contains(profiled.err, "    6    p[threadIdx.x] = __ldg(p + threadIdx.x);\n"));
  CHECK(contains(profiled.err, "| global load __ldg(p + threadIdx.x)  "));
  CHECK_FALSE(contains(profiled.err, "warp-emulator/include"));
}

TEST_CASE("each public header is there, and compiles alone without a warning") {
  const Installed& installed = Installed::here();
  const fs::path include = installed.toolkit() / "include";
  std::set<fs::path> all;
  for (const char* folder : {"emulator/include", "emulator/curand/include",
                             "emulator/cusparse/include", "emulator/nvrtc/include"}) {
    for (const fs::path& header : files_below(tools::source_folder() / folder)) {
      CAPTURE(header);
      CHECK(fs::exists(include / header));
      // Headers in `emulator` are included by others, except those for programs that query the
      // emulator.
      if (!header.string().starts_with("emulator/")) all.insert(header);
    }
  }
  all.insert("emulator/counters.h");
  if (EMULATOR_HAS_CUBLAS) all.insert({"cublas_v2.h", "cublas_api.h"});
  if (EMULATOR_HAS_CUFFT) all.insert("cufft.h");
  if (EMULATOR_HAS_CUSOLVER) all.insert({"cusolverDn.h", "cusolver_common.h"});
  CHECK(all.size() > 30);
  // One compilation suffices to check that no header is missing; compiling each alone takes a
  // minute.
  const tools::TemporaryFolder folder;
  std::string together;
  for (const fs::path& header : all) together += "#include <" + header.string() + ">\n";
  Words texts = {together};
  if (test_support::is_long_run()) {
    texts.clear();
    for (const fs::path& header : all) texts.push_back("#include <" + header.string() + ">\n");
  }
  for (const std::string& text : texts) {
    folder.write("a.cu", text);
    const CommandResult compiled =
        run({installed.nvcc(), "-Xcompiler=-Wall,-Wextra,-Wpedantic,-Wshadow,-Werror,-fsyntax-only",
             "-c", "a.cu"},
            folder.path());
    CAPTURE(text);
    CAPTURE(compiled.err);
    CHECK(compiled.status == 0);
  }
  // Any compiler can compile what host code includes.
  folder.write("a.cpp", std::string("#include <cuda_runtime.h>\n#include <cuda_fp16.h>\n"
                                    "#include <curand.h>\n") +
                            (EMULATOR_HAS_CUBLAS ? "#include <cublas_v2.h>\n" : "") +
                            (EMULATOR_HAS_CUFFT ? "#include <cufft.h>\n" : ""));
  expect_success({COURSE_CXX_COMPILER, "-std=c++17", "-I" + include.string(), "-Wall", "-Wextra",
                  "-Wpedantic", "-Wshadow", "-Werror", "-fsyntax-only", "a.cpp"},
                 folder.path());
}

TEST_CASE("one version: the project's, the compiler's, the newest in the changelog") {
  const Installed& installed = Installed::here();
  const std::string version = COURSE_VERSION;
  CHECK(contains(run({installed.nvcc(), "--version"}, "/").out, "emulator-nvcc " + version + ","));
  CHECK(contains(manual(), "\"Warp by Warp " + version + "\""));
  const std::string changes = installed.unpacked(installed.documents() / "changelog.gz");
  CAPTURE(changes);
  CHECK(changes.starts_with("warp-emulator (" + version + ") stable; urgency=medium\n\n  * "));
  static const tools::Pattern kHeading(R"(\n## ([0-9.]+), (\d{4}-\d\d-\d\d)\n)");
  const std::string text = tools::read_file(tools::source_folder() / "CHANGELOG.md");
  CHECK(kHeading.search(text)[1] == version);
  CHECK(kHeading.all(text).size() ==
        tools::Pattern(R"( -- .* <.*@.*>  \w{3}, \d\d )").all(changes).size());
  for (const char* workflow : {"github.yml", "gitlab.yml"})
    CHECK(contains(tools::read_file(installed.documents() / "examples" / workflow),
                   "warp-emulator-" + version + "-debian-13"));
  const std::string copyright = tools::read_file(installed.documents() / "copyright");
  CHECK(contains(copyright, "License: Expat\n Permission is hereby granted, free of charge,"));
  CHECK(contains(copyright, "\nCopyright: 20"));
}

TEST_CASE("the manual page has no fault, and names all options and all variables") {
  const Installed& installed = Installed::here();
  const std::string text = manual();
  const std::string help = run({installed.nvcc(), "--help"}, "/").out;
  const std::set<std::string> options = found(R"((--?[A-Za-z][\w-]*))", text);
  for (const std::string& option : found(R"(\n {2}(--?[\w-]+))", help)) {
    CAPTURE(option);
    if (option != "--launcher") CHECK(options.contains(option));  // used by the course only
  }
  const std::string readme = tools::read_file(tools::source_folder() / "emulator/README.md");
  const std::set<std::string> variables = found(R"(\n\.B (COURSE_\w+))", text);
  CHECK(variables == found(R"(\n\| `(COURSE_\w+)` )", readme));
  CHECK(variables.size() > 10);

  if (!fs::exists(COURSE_MAN)) return;
  const CommandResult shown = run({COURSE_MAN, "--warnings", "-E", "UTF-8", "-l",
                                   (installed.prefix() / "share/man/man1/warp-nvcc.1.gz").string()},
                                  "/", {{"MANROFFSEQ", ""}, {"MANWIDTH", "80"}});
  CHECK(shown.status == 0);
  CHECK(shown.err == "");
  CHECK(contains(shown.out, "COURSE_CHECK"));
}

TEST_CASE("bash completes options that the compiler has, their values, and sources") {
  const Installed& installed = Installed::here();
  const tools::TemporaryFolder folder;
  for (const char* file : {"kernel.cu", "kernel.txt", "main.cpp"}) folder.write(file, "");
  fs::create_directory(folder.path() / "kernels");
  const std::string script =
      (installed.prefix() / "share/bash-completion/completions/warp-nvcc").string();
  const auto completed = [&](const std::string& words) {
    const CommandResult result =
        run({"bash", "-euc",
             "compopt() { :; }; source \"$1\"; COMP_WORDS=(warp-nvcc " + words +
                 "); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _warp_nvcc\n"
                 "printf '%s\\n' \"${COMPREPLY[@]}\" | sort; complete -p warp-nvcc >&2",
             "bash", script},
            folder.path());
    CHECK(result.err == "complete -F _warp_nvcc warp-nvcc\n");
    return tools::lines_of(result.out);
  };
  CHECK(completed("ker") == Words{"kernel.cu", "kernels"});
  CHECK(completed("-std = c++2") == Words{"c++20"});
  CHECK(completed("-std =") == Words{"c++14", "c++17", "c++20"});
  CHECK(completed("--print-") == Words{"--print-path", "--print-toolkit"});
  CHECK(completed("-I ker") == Words{"kernels"});
  CHECK(completed("-o m") == Words{"main.cpp"});

  const Words options = completed("-");
  CHECK(options.size() > 40);
  for (const std::string& option : options) {
    CAPTURE(option);
    const CommandResult asked = run({installed.nvcc(), option}, folder.path());
    CHECK_FALSE(contains(asked.err, "Unknown option"));
  }
}
