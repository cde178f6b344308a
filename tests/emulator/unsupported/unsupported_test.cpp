/// Tests the answers of the list of unsupported features.
#include "unsupported.hpp"
#include "tools/support/pattern.hpp"

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "tools/support/subprocess.hpp"

namespace fs = std::filesystem;

using emu::Sign;
using emu::unsupported_feature;
using emu::unsupported_message;

namespace {

// The messages about missing CUDA headers.
const std::string kHeaderMessages[] = {
    "cuBLAS's other interfaces (<cublas.h>)",
    "cuBLAS's other interfaces (<cublasLt.h>)",
    "cuBLAS without OpenBLAS, which was missing when the emulator was built (<cublas_v2.h>)",
    "asynchronous barriers: nvcuda::experimental::awbarrier (<cuda_awbarrier.h>)",
    "OpenGL (<cuda_gl_interop.h>)",
    "cuDNN (<cudnn.h>)",
    "cuFFT without FFTW, which was missing when the emulator was built (<cufft.h>)",
    "this part of cuFFT (<cufftXt.h>)",
    "this part of cuRAND (<curand_mtgp32_host.h>)",
    "cuSOLVER without OpenBLAS and its LAPACK, which were missing when the emulator was built "
    "(<cusolverDn.h>)",
    "this part of cuSOLVER (<cusolverRf.h>)",
    "this part of cuSPARSE (<cusparseLt.h>)",
    "NCCL (<nccl.h>)"};

/// Returns all of the emulator's C++ except the readers of the list.
std::string emulator_sources() {
  std::string text;
  for (const char* part : {"cufft", "curand", "cusparse", "device", "driver", "driver_api",
                           "engine", "include", "nvrtc", "rewriter", "runtime"}) {
    for (const auto& entry : fs::recursive_directory_iterator(fs::path(EMULATOR_FOLDER) / part))
      if (entry.is_regular_file()) text += tools::read_file(entry.path()) + '\n';
  }
  return text;
}

/// Returns the names in one kind of line of the list: the whole line, or each word.
std::vector<std::string> listed(const std::string& kind, bool whole_line) {
  std::vector<std::string> names;
  std::ifstream list(fs::path(EMULATOR_FOLDER) / "unsupported/features.txt");
  for (std::string line; std::getline(list, line);) {
    if (!line.starts_with("  " + kind + " ")) continue;
    line.erase(0, line.find_first_not_of(' ', kind.size() + 2));
    std::istringstream words(line);
    if (whole_line) names.push_back(line);
    for (std::string word; !whole_line && words >> word;) names.push_back(word);
  }
  return names;
}

}  // namespace

TEST_CASE("each header of CUDA's that is not here is named with what it belongs to") {
  for (const std::string& message : kHeaderMessages) {
    CAPTURE(message);
    const std::size_t open = message.rfind('<');
    const std::string header = message.substr(open + 1, message.rfind('>') - open - 1);
    CHECK(unsupported_message(Sign::of_header, header, "<" + header + ">") == message);
  }
}

TEST_CASE("of the headers that a name begins with, the longest counts") {
  CHECK(unsupported_feature(Sign::of_header, "cuda_awbarrier.h").starts_with("asynchronous"));
  CHECK(unsupported_feature(Sign::of_header, "cuda_anything.h") == "a part of the CUDA Toolkit");
  CHECK(unsupported_feature(Sign::of_header, "cooperative_groups/more.h") ==
        "a part of cooperative groups");
  CHECK(unsupported_feature(Sign::of_header, "cutlass/gemm/gemm.h") == "CUTLASS");
  CHECK(unsupported_feature(Sign::of_header, "my_cuda.h") == "");
}

TEST_CASE("words, libraries and options are whole names, each of its own kind") {
  CHECK(unsupported_message(Sign::of_word, "CUgreenCtx") ==
        "this part of the CUDA driver API (CUgreenCtx)");
  CHECK(unsupported_message(Sign::of_word, "CUgreenCtxs") == "");
  for (const std::string word :
       {"cudaGetFuncBySymbol", "cudaGetKernel", "cudaLibrary_t", "cudaLibraryLoadData",
        "cudaMemcpy3DPeer", "cudaMemcpy3DPeerAsync", "cudaMemcpyBatchAsync",
        "cudaMemcpy3DBatchAsync", "cudaImportExternalMemory", "cudaMemPoolExportPointer"})
    CHECK(unsupported_message(Sign::of_word, word) ==
          "this part of the CUDA runtime API (" + word + ")");
  CHECK(unsupported_message(Sign::of_word, "__block_size__") ==
        "blocks of a fixed size (__block_size__)");
  CHECK(unsupported_message(Sign::of_option, "CUgreenCtx") == "");
  CHECK(unsupported_feature(Sign::of_library, "cublasLt") == "cuBLAS's other interfaces");
  CHECK(unsupported_feature(Sign::of_library, "cublasX") == "");
  CHECK(unsupported_message(Sign::of_option, "--ltoir") == "GPU code (--ltoir)");
  CHECK(unsupported_message(Sign::of_file, ".ptx", "a.ptx") == "GPU code (a.ptx)");
}

TEST_CASE("a case has no name that a message could show") {
  CHECK(unsupported_message(Sign::of_case, "asm") == "inline assembly");
  CHECK(unsupported_message(Sign::of_code, "cudaLaunchAttributeProgrammaticEvent") ==
        "events that a kernel records before it ends (cudaLaunchAttributeProgrammaticEvent)");
  CHECK(unsupported_message(Sign::of_code, "cudaLaunchAttributeProgrammaticEvent", "shown") ==
        "events that a kernel records before it ends (shown)");
}

TEST_CASE("the list and the code that goes by it name the same things") {
  const std::string sources = emulator_sources();
  for (const char* kind : {"code", "case"}) {
    for (const std::string& name : listed(kind, true)) {
      CAPTURE(name);
      const bool is_reference = name.ends_with("<");  // the rewriter appends the `<` to the word
      const std::string word = name.substr(0, name.size() - (is_reference ? 1 : 0));
      CHECK(sources.find('"' + word + '"') != sources.npos);
    }
  }
  for (const std::string& name : listed("call", false)) {
    CAPTURE(name);
    CHECK(sources.find(" " + name + "(") != sources.npos);  // its declaration
  }
  for (const std::string& name : listed("option", false)) {
    CAPTURE(name);
    CHECK(sources.find("{\"" + name + "\", ") != sources.npos);
  }
  // Only misuse stops a program with a name that is not in the list.
  int calls = 0;
  const tools::Pattern pattern(R"x(unsupported\("([^"]+)")x");
  for (const tools::Match& call : pattern.all(sources)) {
    const std::string name = call.str(1);
    CAPTURE(name);
    ++calls;
    CHECK_FALSE((unsupported_feature(Sign::of_code, name).empty() &&
                 unsupported_feature(Sign::of_case, name).empty()));
  }
  CHECK(calls > 10);
}

TEST_CASE("the list becomes a table and functions; a line that cannot be read is named") {
  const tools::TemporaryFolder folder;
  const fs::path table = folder.path() / "table.hpp", calls = folder.path() / "calls.cpp";
  const auto write = [&](const std::string& list) {
    fs::remove(table);
    return tools::run_command({COURSE_PROGRAM_FOLDER "/write_unsupported",
                               folder.write("features.txt", list).string(), table.string(),
                               calls.string()});
  };
  const auto has = [](const fs::path& file, const std::string& line) {
    return tools::read_file(file).find(line + "\n") != std::string::npos;
  };
  CHECK(write("# A comment.\n\na \"feature\"\n  call     cudaOne cudaTwo\n"
              "  case     two words\nanother\n  option   --three\n")
            .status == 0);
  CHECK(has(table, R"(    {Sign::of_call, "cudaTwo", "a \"feature\""},)"));
  CHECK(has(table, R"(    {Sign::of_case, "two words", "a \"feature\""},)"));
  CHECK(has(table, R"(    {Sign::of_option, "--three", "another"},)"));
  CHECK(has(calls, R"(extern "C" void cudaTwo() { emu::unsupported("cudaTwo"); })"));
  CHECK_FALSE(has(calls, "--three"));

  const auto is_refused = [&](const std::string& list, const std::string& words) {
    const auto result = write(list);
    CAPTURE(result.err);
    CHECK(result.status == 2);
    CHECK(result.err == (folder.path() / "features.txt").string() + ":" + words + "\n");
    CHECK_FALSE(fs::exists(table));
  };
  is_refused("a\n  word b\n  wrod c\n", "3: \"wrod\" is no kind of sign");
  is_refused("# a\n  word b\n", "2: no feature stands above it");
  is_refused("a\n  code\n", "2: it names nothing");
  is_refused("a\n  word \n", "2: it names nothing");
  is_refused("a\n  call f g()\n", "2: \"g()\" is no function");
  is_refused("# a\n", " it lists nothing");
}
