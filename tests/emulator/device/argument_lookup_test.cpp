/// Tests that a program's calls of its own functions find none of the emulator's.
///
/// When a program calls `bits_of(x)` for a __half x, g++ also looks for functions of this name in
/// the namespaces in which the type and its bases are declared. So no helper of the emulator's may
/// stand there, whatever its name.
#include <doctest/doctest.h>

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "course/cpp_syntax.hpp"
#include "tools/support/pattern.hpp"
#include "tools/support/project.hpp"
#include "tools/support/subprocess.hpp"

namespace fs = std::filesystem;

namespace {

using Names = std::set<std::string>;

constexpr std::string_view kIncludes = R"(
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cuComplex.h>
#include <cuda.h>
#include <cuda/ptx>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp4.h>
#include <cuda_fp6.h>
#include <cuda_fp8.h>
#include <cuda_pipeline.h>
#include <cuda_runtime.h>
#include <curand_kernel.h>
#include <mma.h>
)";

/// Types that are not found by how they are named.
constexpr std::string_view kOtherTypes =
    "dim3, float2, int4, uint3, cuFloatComplex, cudaError_t, cudaMemcpyKind, cudaStream_t, "
    "cudaEvent_t, cudaGraph_t, cudaTextureObject_t, CUcontext, CUresult, CUtensorMap, curandState, "
    "cooperative_groups::coalesced_group, cooperative_groups::grid_group, "
    "cooperative_groups::cluster_group, cooperative_groups::thread_block, "
    "cooperative_groups::thread_block_tile<32>, cooperative_groups::plus<int>, "
    "nvcuda::wmma::fragment<nvcuda::wmma::accumulator, 16, 16, 16, float>, "
    "nvcuda::wmma::fragment<nvcuda::wmma::matrix_a, 16, 16, 16, __half, nvcuda::wmma::row_major>";

/// Functions of cooperative groups that take anything, in CUDA, too.
const Names kTakeAnything = {"group_size", "sync", "thread_rank", "wait"};

/// Returns whether a function may stand beside CUDA's types although docs/conformance.md does not
/// list it: those of C, those that make values, complex numbers, what kernels call for other
/// kernels; and the emulator's own by names that no program has.
bool may_stand_there(const std::string& name) {
  static const tools::Pattern kForms("^(cu|curand|cuda|make_|skipahead|emu_)[A-Za-z0-9_]*$");
  static const Names kOfC = {"ceil",  "clock", "cosf",    "exp",       "exp10f", "exp2",  "exp2f",
                             "expf",  "fabs",  "fabsf",   "floor",     "fmaf",   "hypot", "hypotf",
                             "j0f",   "j1f",   "jnf",     "lgamma",    "log",    "log10", "log10f",
                             "log2",  "log2f", "logf",    "memcpy",    "memset", "sinf",  "sqrtf",
                             "tanhf", "trunc", "memmove", "nearbyint", "y0f",    "y1f",   "ynf"};
  return kForms.search(name) || kOfC.contains(name);
}

bool is_of_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

/// The text of the emulator's public headers.
std::string headers() {
  std::string text;
  for (const char* folder : {"emulator/include", "emulator/curand/include"})
    for (const auto& entry : fs::recursive_directory_iterator(tools::source_folder() / folder))
      if (entry.is_regular_file()) text += tools::read_file(entry.path()) + "\n";
  return text;
}

/// Returns all words of a text that a bracket follows, as a function's name is, and that a program
/// may use.
Names names_before_brackets(const std::string& text) {
  Names names;
  for (std::size_t bracket = text.find('('); bracket != text.npos;
       bracket = text.find('(', bracket + 1)) {
    std::size_t begin = bracket;
    while (begin > 0 && is_of_word(text[begin - 1])) --begin;
    const std::string name = text.substr(begin, bracket - begin);
    const bool is_name = !name.empty() && std::isalpha(static_cast<unsigned char>(name[0])) != 0;
    if (is_name && !course::cpp::is_keyword(name)) names.insert(name);
  }
  for (const char* word : {"alignas", "alignof", "asm", "catch", "decltype", "defined", "noexcept",
                           "requires", "sizeof", "static_assert", "typeid"})
    names.erase(word);
  return names;
}

/// Returns CUDA's types, between commas.
std::string types_in(const std::string& text) {
  static const tools::Pattern kType(
      R"(\n(?:struct|class) (?:alignas\(\d+\) )?(__\w+|cu\w+|CU\w+)[\s:;])");
  Names types;
  for (const tools::Match& match : kType.all(text)) types.insert(match.str(1));
  CHECK(types.size() > 50);
  std::string list(kOtherTypes);
  for (const std::string& type : types) list += ", " + type;
  return list;
}

/// What g++ says of one call.
struct Call {
  std::string name;
  bool is_of_macro = false;
  bool fits_none = false;  ///< g++ lists what it has found; else it calls something
  Names found;             ///< functions besides the program's own
};

/// Returns the function that g++ names as a candidate: `name` with its namespaces.
std::string qualified(const std::string& candidate, const std::string& name) {
  for (std::size_t at = candidate.find(name + "("); at != candidate.npos;
       at = candidate.find(name + "(", at + 1)) {
    if (at > 0 && is_of_word(candidate[at - 1])) continue;
    std::size_t begin = at;
    while (begin > 0 && (is_of_word(candidate[begin - 1]) || candidate[begin - 1] == ':')) --begin;
    return candidate.substr(begin, at - begin) + name;
  }
  return candidate;
}

/// Compiles a call of each name that fits no function. g++ then lists the functions that it has
/// found. Their one argument is associated with all types: it is a template's instance for them.
std::vector<Call> calls_of(const Names& names, const std::string& types) {
  std::string text(kIncludes);
  text += "namespace program {\nstruct Own;\ntemplate <class... T> struct Of {};\n";
  text += "using Types = Of<" + types + ">;\n";
  for (const std::string& name : names)
    text +=
        "#ifndef " + name + "\nvoid " + name + "(Own&);\nvoid " + name + "(Own&, Own&);\n#endif\n";
  text += "void calls(Types& types) {\n";
  const std::ptrdiff_t lines_before = std::count(text.begin(), text.end(), '\n');
  constexpr std::ptrdiff_t kLines = 5, kLineOfCall = 2, kLineOfMacro = 4;
  for (const std::string& name : names)
    text += "#ifndef " + name + "\n" + name + "(types);\n#else\nit_is_a_macro;\n#endif\n";
  text += "}\n}\n";

  const tools::TemporaryFolder folder("lookup");
  folder.write("program.cu", text);
  tools::CommandOptions options;
  options.directory = folder.path();
  options.environment = {{"LC_ALL", "C"}};
  const tools::CommandResult result = tools::run_command(
      {EMULATOR_NVCC, "-std=c++20", "-Xcompiler=-fdiagnostics-plain-output,-fmax-errors=0", "-c",
       "program.cu", "-o", "program.o"},
      options);

  static const tools::Pattern kError(R"(^\S*program\.cu:(\d+):\d+: error: )"),
      kCandidate(R"(: note: .*candidate[ 0-9]*: '(.*)')");
  std::vector<Call> calls;
  for (const std::string& name : names) calls.push_back({.name = name, .found = {}});
  Call* call = nullptr;
  for (const std::string& line : tools::lines_of(result.err)) {
    if (const auto error = kError.search(line)) {
      const std::ptrdiff_t below = std::stol(error.str(1)) - lines_before - 1;
      const auto index = static_cast<std::size_t>(below / kLines);
      call = below >= 0 && index < calls.size() ? &calls[index] : nullptr;
      if (call && below % kLines + 1 == kLineOfMacro) call->is_of_macro = true;
      if (call && below % kLines + 1 != kLineOfCall) call = nullptr;
    } else if (const auto candidate = kCandidate.search(line); candidate && call) {
      const std::string found = qualified(candidate.str(1), call->name);
      if (found == "program::" + call->name)
        call->fits_none = true;
      else
        call->found.insert(found);
    }
  }
  return calls;
}

}  // namespace

TEST_CASE("a call for CUDA's types finds CUDA's functions and no other ones") {
  const std::string text = headers(),
                    conformance = tools::read_file(tools::source_folder() / "docs/conformance.md");
  static const tools::Pattern kWord(R"(\w+)");
  Names listed;
  for (const tools::Match& word : kWord.all(conformance)) listed.insert(word.str());
  const std::vector<Call> calls = calls_of(names_before_brackets(text), types_in(text));
  CHECK(calls.size() > 1000);
  int functions_of_cuda = 0;
  for (const Call& call : calls) {
    CAPTURE(call.name);
    const bool says_what_it_found =
        call.fits_none || call.is_of_macro || kTakeAnything.contains(call.name);
    CHECK(says_what_it_found);
    for (const std::string& found : call.found) {
      CAPTURE(found);
      const bool is_helper = found.starts_with("emu::") || found.find("detail") != found.npos;
      CHECK_FALSE(is_helper);
      if (found != call.name) continue;  // in a namespace of CUDA's
      const bool is_of_cuda = may_stand_there(found) || listed.contains(found);
      CHECK(is_of_cuda);
      functions_of_cuda += is_of_cuda;
    }
  }
  CHECK(functions_of_cuda > 500);
}
