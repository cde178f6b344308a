/// Tests that attacks are refused or stopped, with the reason named, and that honest submissions
/// give the same results and counters as unconfined. The first comment of a file states what is
/// expected:
///
///     // kind: uncounted access       of attack
///     // rule: include                the rule that refuses it ...
///     // says: passwd                 ... and a part of the message
///     // run: a load that is not      it compiles; a part of its run's message
///     // shared: 1024                 bytes of dynamic shared memory
///
/// Runs take the longest, so only a few of each kind are run unless COURSE_LONG_TESTS is 1.
#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <fstream>
#include <functional>
#include <future>
#include <string>
#include <vector>

#include "support/long_tests.hpp"
#include "tools/coursework/confine/confine.hpp"
#include "tools/support/subprocess.hpp"

namespace {

namespace fs = std::filesystem;
using namespace coursework::confine;

const fs::path kCorpus = fs::path(COURSE_SOURCE_DIR) / "tests" / "tools" / "coursework";
constexpr const char* kKernel = "void kernel(int n, const float* in, float* out)";

/// Returns the text after `// word: ` in the file's first lines.
std::string field_of(const std::string& text, const std::string& word) {
  const std::string mark = "// " + word + ": ";
  const std::size_t begin = text.find(mark);
  if (begin == text.npos) return {};
  return text.substr(begin + mark.size(), text.find('\n', begin) - begin - mark.size());
}

struct Outcome {
  ConfinedObject compiled;
  std::string confined, plain;  ///< output of the two runs
};

class Trial {
 public:
  explicit Trial(const fs::path& file) : Trial(file.filename(), tools::read_file(file)) {}
  Trial(fs::path name, std::string text) : name_(std::move(name)), text_(std::move(text)) {
    const std::string here = "@COURSE@";
    if (const std::size_t at = text_.find(here); at != text_.npos)
      text_.replace(at, here.size(), COURSE_SOURCE_DIR);
    folder_.write(name_, text_);
  }
  const std::string& text() const { return text_; }

  ConfinedObject compile() const {
    return compile_confined({folder_.path() / name_, {kKernel}, folder_.path() / "confined", {}});
  }
  std::string run_confined(const ConfinedObject& compiled) const {
    std::vector<std::string> inputs = {compiled.object.string()};
    for (const fs::path& library : link_inputs()) inputs.push_back(library.string());
    return run("confined_program", inputs);
  }
  std::string run_plain() const {
    const std::string object = (folder_.path() / "plain.o").string();
    const auto compiled = tools::run_command(
        {COURSE_NVCC, "-c", "-std=c++20", (folder_.path() / name_).string(), "-o", object});
    if (compiled.status != 0) return compiled.err;
    return run("plain_program", {object, link_inputs().front().string()});
  }

 private:
  std::string run(const std::string& name, const std::vector<std::string>& inputs) const {
    const std::string program = (folder_.path() / name).string();
    std::vector<std::string> link = {COURSE_NVCC, COURSE_TRIAL_OBJECT};
    link.insert(link.end(), inputs.begin(), inputs.end());
    link.insert(link.end(), {"-o", program});
    const auto linked = tools::run_command(link);
    if (linked.status != 0) return linked.err;
    const std::string shared = field_of(text_, "shared");
    const auto ran =
        tools::run_command({program, "1000", "8", "128", shared.empty() ? "0" : shared, "1"});
    // The kernel's own output comes first; a confined kernel prints nothing.
    const std::size_t begin = ran.out.find("error ");
    return begin == ran.out.npos ? ran.out + ran.err : ran.out.substr(begin);
  }

  fs::path name_;
  std::string text_;
  tools::TemporaryFolder folder_;
};

std::vector<fs::path> files_in(const std::string& folder) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(kCorpus / folder))
    if (entry.path().extension() == ".cu") files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

/// Returns results in the order of the files; runs two at a time.
template <class Result>
std::vector<Result> for_all(const std::vector<fs::path>& files,
                            const std::function<Result(const fs::path&)>& work) {
  std::vector<Result> results(files.size());
  std::atomic<std::size_t> next{0};
  const auto worker = [&] {
    for (std::size_t i; (i = next++) < files.size();) results[i] = work(files[i]);
  };
  auto other = std::async(std::launch::async, worker);
  worker();
  other.get();
  return results;
}

/// Returns roughly every third file, always the same ones.
std::vector<fs::path> some_of(std::vector<fs::path> files, std::size_t every) {
  if (test_support::is_long_run()) return files;
  std::vector<fs::path> some;
  for (std::size_t i = 0; i < files.size(); i += every) some.push_back(files[i]);
  return some;
}

bool is_run(const fs::path& file) { return !field_of(tools::read_file(file), "run").empty(); }

/// Returns a word of the message that means nothing to a student, unless the student's file has it.
std::string internal_word_in(const std::string& message, const std::string& text) {
  for (const char* const word : {"emu", "confined_", "tsan", "_Z", "symbol", "@PLT"})
    if (message.find(word) != std::string::npos && text.find(word) == std::string::npos)
      return word;
  return {};
}

std::string answer_of(const ConfinedObject& compiled) {
  if (compiled.refusal)
    return compiled.refusal->rule + ", line " + std::to_string(compiled.refusal->line) + ": " +
           compiled.refusal->message;
  return compiled.compiles ? "compiles" : compiled.compiler_output;
}

/// Honest device code that a rule might refuse by mistake.
struct Form {
  const char* name;
  const char* harmless;     ///< why it cannot be used to cheat
  const char* code;         ///< a function's body, which may use `in`, `i` and `shared`
  const char* before = "";  ///< text outside of functions
};

constexpr const char* kIsCounted = "each byte is counted, and checked before it is touched";
constexpr const char* kIsCompiled = "it is compiled and confined with the submission";
constexpr const char* kIsNothing = "nothing of it is left in the code, or registers alone";
constexpr const char* kIsNumber = "numbers go in, and a number comes out";

const std::vector<Form>& forms() {
  static const std::vector<Form> all = {
      {"clock", kIsNumber, "const clock_t begin = clock(); return clock() < begin ? 1 : in[i];"},
      {"clock64", kIsNumber, "return clock64() == 0 ? 1 : in[i];"},
      {"std::clock", kIsNumber, "return std::clock() == 0 ? 1 : in[i];"},
      {"malloc", "what it returns is device memory, counted as such",
       "float* const p = static_cast<float*>(malloc(8)); if (!p) return 0; p[1] = in[i];"
       "const float x = p[1]; free(p); return x;"},
      {"malloc for a block", "what it returns is device memory, counted as such",
       "__shared__ float* p; if (threadIdx.x == 0) p = (float*)malloc(blockDim.x * sizeof(float));"
       "__syncthreads(); p[threadIdx.x] = in[i]; __syncthreads();"
       "const float x = p[threadIdx.x ^ 1]; __syncthreads(); if (threadIdx.x == 0) free(p);"
       "return x;"},
      {"free of nothing", "free takes what malloc returned, and nothing else",
       "free(nullptr); return in[i];"},
      {"std::malloc", "what it returns is device memory, counted as such",
       "void* const p = std::malloc(0); std::free(p); return in[i];"},
      {"map_shared_rank", "an address comes out, which is checked when it is used",
       "shared[threadIdx.x] = in[i]; auto all = cooperative_groups::this_cluster(); all.sync();"
       "return *all.map_shared_rank(&shared[threadIdx.x], all.block_rank());"},
      {"mapa", "an address comes out, which is checked when it is used",
       "shared[threadIdx.x] = in[i]; unsigned to;"
       "asm(\"mapa.shared::cluster.u32 %0, %1, 0;\" : \"=r\"(to)"
       " : \"r\"((unsigned)__cvta_generic_to_shared(&shared[threadIdx.x])));"
       "float x; asm volatile(\"ld.shared::cluster.f32 %0, [%1];\" : \"=f\"(x) : \"r\"(to));"
       "return x;"},
      {"cluster rank", kIsNumber,
       "return in[i] + cooperative_groups::this_cluster().num_blocks() +"
       " cooperative_groups::this_cluster().query_shared_rank(shared);"},
      {"std::memcpy", kIsCounted, "float x; std::memcpy(&x, in + i, sizeof x); return x;"},
      {"memcpy of bits", kIsCounted,
       "unsigned bits; memcpy(&bits, &in[i], 4); float x; std::memcpy(&x, &bits, 4); return x;"},
      {"memcpy of a run-time length", kIsCounted,
       "float x[4] = {}; memcpy(x, in + i / 4 * 4, (1 + i % 4) * sizeof(float)); return x[i % 4];"},
      {"memmove", kIsCounted,
       "float x[6] = {in[i], 1, 2, 3, 4, 5}; std::memmove(x + 1, x, (i % 4 + 1) * 4);"
       "return x[1];"},
      {"memset of shared memory", kIsCounted,
       "memset(&shared[threadIdx.x], 0, blockDim.x / 32); return shared[threadIdx.x] + in[i];"},
      {"memcpy of a struct", kIsCounted,
       "Three three; memcpy(&three, in + i / 3 * 3 % 900, sizeof three); return three.y;",
       "struct Three { float x, y, z; };"},
      {"std::memset", kIsCounted,
       "int x[9]; std::memset(x, 0, sizeof x); return x[i % 9] + in[i];"},
      {"assume_aligned", "a promise about an address; the access itself is checked",
       "return static_cast<const float*>(__builtin_assume_aligned(in, 16))[i];"},
      {"assume_aligned with an offset", "a promise about an address; the access is checked",
       "return *(const float*)__builtin_assume_aligned(in + 1, 16, 4) + in[i];"},
      {"assume and expect", kIsNothing,
       "__builtin_assume(i >= 0); if (__builtin_expect(i < 0, 0)) __builtin_unreachable();"
       "return in[i];"},
      {"a float that is kept", kIsNothing,
       "float x = in[i]; asm volatile(\"\" : \"+f\"(x)); return x;"},
      {"a double that is kept", kIsNothing,
       "double x = in[i]; asm volatile(\"\" : \"+d\"(x)); return (float)x;"},
      {"numbers that are kept", kIsNothing,
       "int a = i; long long b = i; short c = 3; asm volatile(\"\" : \"+r\"(a), \"+l\"(b),"
       " \"+h\"(c)); return in[a] + b + c;"},
      {"a value that is used", kIsNothing,
       "const float x = in[i]; asm volatile(\"\" :: \"f\"(x), \"r\"(i)); return x;"},
      {"a pointer that is kept", "an address may be any; it is checked when it is used",
       "const float* p = in; asm volatile(\"\" : \"+l\"(p) :: \"memory\"); return p[i];"},
      {"a barrier for the compiler", kIsNothing,
       "asm volatile(\"\" ::: \"memory\"); return in[i];"},
      {"a concept", kIsNothing, "return doubled(in[i]);",
       "template <std::floating_point T> __device__ T doubled(T x) { return 2 * x; }"},
      {"requires", kIsNothing, "return added(in[i], 3);",
       "template <class A, class B> requires(std::convertible_to<B, A> && std::integral<B>)"
       " __device__ A added(A a, B b) { return a + b; }"},
      {"an own concept", kIsNothing, "return first_of(Pair{in[i], 2});",
       "template <class T> concept HasFirst = requires(T t) { { t.first } -> std::same_as<float&>; "
       "};"
       "struct Pair { float first, second; };"
       "template <HasFirst T> __device__ float first_of(T t) { return t.first; }"},
      {"constrained auto", kIsNothing, "return halved(in[i]);",
       "__device__ auto halved(std::floating_point auto x) { return x / 2; }"},
      {"a span", kIsCompiled, "const std::span<const float> all(in, 1000); return all[i];"},
      {"a span of shared memory", kIsCompiled,
       "std::span<float, 128> all(shared, 128); all[threadIdx.x] = in[i];"
       "return all.subspan(threadIdx.x).front();"},
      {"a span in a loop", kIsCompiled,
       "float sum = 0; for (const float x : std::span(in, 5)) sum += x; return sum + i;"},
      {"tuples", kIsCompiled,
       "const auto [a, b] = std::make_tuple(in[i], 2); return std::get<0>(std::tuple(a)) + b;"},
      {"optional", kIsCompiled,
       "const std::optional<float> x = i % 2 ? std::optional(in[i]) : std::nullopt;"
       "return x ? *x : 1;"},
      {"typeof", kIsNothing, "__typeof__(in[0] + 1) x = in[i]; return x;"},
      {"attributes of one vendor", kIsNothing, "return twice(in[i]);",
       "[[using gnu: always_inline, const]] __device__ inline float twice(float x)"
       " { return 2 * x; }"},
      {"pure", "what such a function reads is counted where it is read", "return read(in, i);",
       "[[gnu::pure]] __device__ float read(const float* p, int i) { return p[i]; }"},
      {"unroll", "it only says how often the compiler writes a loop down",
       "float x = 0; \n#pragma GCC unroll 4\n for (int k = 0; k < 8; ++k) x += in[(i + k) % 9];"
       "return x;"},
      {"float4 by reference", kIsCounted,
       "const auto& v = reinterpret_cast<const float4&>(in[i / 4 * 4]); return v.x + v.y * v.w;"},
      {"sums of headers", kIsCompiled,
       "return std::accumulate(in, in + 5, 0.0f) + i +"
       " std::inner_product(in, in + 3, in + i / 4, 1.0f, std::plus<>(), std::minus<>());"},
      {"loops of headers", kIsCompiled,
       "float x[8]; std::iota(std::begin(x), std::end(x), 1.0f);"
       "std::transform(x, x + 8, in, x, [](float a, float b) { return a - b; });"
       "std::reverse(x, x + 3); std::for_each(x, x + 8, [](float& a) { a *= 2; });"
       "return *std::max_element(x, x + 8) + std::any_of(in, in + 4, [](float a) { return a > 5; })"
       " + std::distance(x, std::find_if(x, std::next(x, 8), [](float a) { return a > 3; }))"
       " + std::count_if(x, x + 8, [](float a) { return a < 0; }) + std::minmax(i, 3).second;"},
      {"a search of headers", kIsCompiled,
       "constexpr int kSorted[] = {1, 3, 5, 7, 9, 11, 400};"
       "return in[std::lower_bound(kSorted, kSorted + 7, i) - kSorted];"},
      {"cuda::std", kIsCompiled,
       "const cuda::std::span<const float> all(in, 1000); const cuda::std::int32_t k = i;"
       "return cuda::std::max(all[k], cuda::std::get<1>(cuda::std::make_tuple(1, 2.0f)));"},
      {"bits of C++20", kIsNumber,
       "return std::rotl(std::bit_cast<unsigned>(in[i]), 3) % 7 + std::midpoint(1, i);"},
  };
  return all;
}

/// Returns one submission with all forms, each in a function that starts on its own line.
std::string text_of_forms() {
  std::string text =
      "#include <algorithm>\n#include <bit>\n#include <concepts>\n#include <cstdlib>\n#include "
      "<cstring>\n"
      "#include <ctime>\n#include <functional>\n#include <numeric>\n#include <optional>\n#include "
      "<span>\n"
      "#include <tuple>\n#include <cooperative_groups.h>\n#include <cuda/std/algorithm>\n"
      "#include <cuda/std/cstdint>\n#include <cuda/std/span>\n#include <cuda/std/tuple>\n";
  std::string calls;
  for (std::size_t k = 0; k < forms().size(); ++k) {
    const Form& form = forms()[k];
    const std::string number = std::to_string(k);
    text += "// form " + number + "\nnamespace form_" + number + " {\n" + form.before +
            "\n__device__ float run(const float* in, int i, float* shared) {\n" + form.code +
            "\n}\n}\n";
    calls += "  sum += form_" + number + "::run(in, i, shared);\n  __syncthreads();\n";
  }
  return text +
         "__global__ void __cluster_dims__(1, 1, 1) kernel(int n, const float* in, float* out) {\n"
         "  __shared__ float shared[256];\n"
         "  const int own = blockIdx.x * blockDim.x + threadIdx.x, i = own < n ? own : 0;\n"
         "  float sum = 0;\n" +
         calls + "  if (own < n) out[own] = sum;\n}\n";
}

}  // namespace

TEST_CASE("forms that honest people write are taken, and cost what they cost elsewhere") {
  CHECK(forms().size() >= 31);
  const Trial trial("forms.cu", text_of_forms());
  const ConfinedObject compiled = trial.compile();
  if (compiled.refusal) {
    const std::vector<std::string> lines = tools::lines_of(trial.text());
    std::string last;
    for (int i = 0; i < compiled.refusal->line; ++i)
      if (lines[static_cast<std::size_t>(i)].starts_with("// form "))
        last = forms()[std::stoul(lines[static_cast<std::size_t>(i)].substr(8))].name;
    CAPTURE(last);
    FAIL(answer_of(compiled));
  }
  CAPTURE(answer_of(compiled));
  REQUIRE(compiled.ok());
  const std::string confined = trial.run_confined(compiled);
  CHECK(confined.starts_with("error cudaSuccess\nout 1000 floats"));
  CHECK(confined == trial.run_plain());
}

TEST_CASE("an attack that a rule refuses is refused by that rule, with the reason and the line") {
  std::vector<fs::path> files = files_in("attacks");
  files.erase(std::remove_if(files.begin(), files.end(), is_run), files.end());
  CHECK(files.size() >= 60);
  const auto answers =
      for_all<ConfinedObject>(files, [](const fs::path& file) { return Trial(file).compile(); });
  for (std::size_t i = 0; i < files.size(); ++i) {
    const std::string text = tools::read_file(files[i]);
    CAPTURE(files[i].filename().string());
    CAPTURE(answer_of(answers[i]));
    REQUIRE(answers[i].refusal.has_value());
    CHECK(answers[i].refusal->rule == field_of(text, "rule"));
    CHECK(answers[i].refusal->message.find(field_of(text, "says")) != std::string::npos);
    CHECK(internal_word_in(answers[i].refusal->message, text) == "");
    if (answers[i].refusal->rule != "kernel-missing") CHECK(answers[i].refusal->line > 2);
  }
}

TEST_CASE("what switches the counting off is refused, however it is spelled") {
  struct Spelling {
    const char* rule;
    const char* code;
  };
  for (const Spelling& one : {
           Spelling{"attribute", "<\\\n:<\\\n:gnu::no_sanitize(\"thread\"):\\\n>:>"},
           Spelling{"attribute", "[\\\n[gnu::no_sani\\\ntize(\"thread\")]\\\n]"},
           Spelling{"attribute", "[<: gnu :: no_sanitize(\"thread\") :>]"},
           Spelling{"attribute", "<:<:using gnu : unused, no_sanitize(\"thread\"):>:>"},
           Spelling{"attribute",
                    "#define P(a, b) a##b\nP(<, :) P(<, :) gnu::no_sanitize(\"thread\") :> :>"},
           Spelling{"attribute",
                    "#define P(a, b) a##b\nP(__attri, bute__)((P(no_sanitize, _thread)))"},
           Spelling{"attribute", "%:define Q __attribute__((unused, no_sanitize_thread))\nQ"},
           Spelling{"pragma", "%:pragma GCC optimize(\"O0\")\n"},
           Spelling{"pragma", "#\\\npragma GCC optimize(\"O0\")\n"},
           Spelling{"pragma", "#define P(a, b) a##b\nP(_Prag, ma)(\"GCC optimize(\\\"O0\\\")\")\n"},
       }) {
    CAPTURE(one.code);
    const std::string text = std::string(one.code) +
                             " __device__ float peek(const float* p) { return *p; }\n"
                             "__global__ void kernel(int n, const float* in, float* out) {\n"
                             "  if (n > 0) out[0] = peek(in);\n}\n";
    const ConfinedObject compiled = Trial("spelling.cu", text).compile();
    CAPTURE(answer_of(compiled));
    REQUIRE(compiled.refusal.has_value());
    CHECK(compiled.refusal->rule == one.rule);
  }
}

// Functions that CUDA's headers call here but submissions may not: the refusal names none of them.
TEST_CASE("what cannot be confined is refused without a name that nobody knows") {
  struct Call {
    const char* code;
    const char* says;
  };
  for (const Call& call : {
           Call{"new float[n];", "`new` is not allowed"},
           Call{"std::vector<float> all(n);", "`std::vector` is not among the names"},
           Call{"using namespace std; vector<float> all(n); out[0] = all[0];", "`"},
           Call{"out[0] = rand();", "device code uses `rand`"},
           Call{"out[0] = strlen(reinterpret_cast<const char*>(in));", "device code uses `strlen`"},
           Call{"float* p; cudaMalloc(&p, n);", "`cudaMalloc` calls the CUDA runtime"},
           Call{"alignas(32) float x[8]; for (int i = 0; i < 8; ++i) x[i] = in[i];"
                "out[0] = x[n % 8];",
                "aligned to at most 16 bytes"},
           Call{"float x[n]; x[n - 1] = in[0]; out[0] = x[n / 2];", "local arrays need a size"},
           Call{"__nv_relfunc(n);", "reserved, and none of the names of CUDA"},
           Call{"extern float x;", "before __shared__ and before \"C\" only"},
       }) {
    CAPTURE(call.code);
    const std::string text =
        "#include <cstdlib>\n#include <cstring>\n#include <vector>\n"
        "__global__ void kernel(int n, const float* in, float* out) {\n" +
        std::string(call.code) + "\n}\n";
    const ConfinedObject compiled = Trial("call.cu", text).compile();
    CAPTURE(answer_of(compiled));
    REQUIRE(compiled.refusal.has_value());
    CHECK(compiled.refusal->message.find(call.says) != std::string::npos);
    CHECK(internal_word_in(compiled.refusal->message, text) == "");
    CHECK(compiled.refusal->line >= 4);
  }
}

TEST_CASE("whose a header is that is not there is told, as it is outside of the grader") {
  for (const auto& [header, says] :
       {std::pair{"cudnn.h", "the emulator does not support cuDNN (<cudnn.h>)"},
        std::pair{"cuda/barrier", "<cuda/barrier> belongs to CCCL, whose headers were not found"},
        std::pair{"thrust/no_such.h", "<thrust/no_such.h> belongs to CCCL"}}) {
    if (std::filesystem::exists("/usr/include/" + std::string(header))) continue;
    const ConfinedObject compiled =
        Trial("header.cu", "#include <" + std::string(header) + ">\n").compile();
    CAPTURE(answer_of(compiled));
    CHECK_FALSE(compiled.compiles);
    CHECK(compiled.compiler_output.find("header.cu:1:") != std::string::npos);
    CHECK(compiled.compiler_output.find("emulator-nvcc: " + std::string(says)) !=
          std::string::npos);
  }
}

TEST_CASE("an attack that only a run can tell ends with its reason, or comes to nothing") {
  std::vector<fs::path> files = files_in("attacks");
  files.erase(std::remove_if(files.begin(), files.end(), std::not_fn(is_run)), files.end());
  CHECK(files.size() >= 16);
  files = some_of(files, 3);
  const auto outcomes = for_all<Outcome>(files, [](const fs::path& file) {
    const Trial trial(file);
    Outcome outcome{trial.compile(), {}, {}};
    if (outcome.compiled.ok()) outcome.confined = trial.run_confined(outcome.compiled);
    return outcome;
  });
  for (std::size_t i = 0; i < files.size(); ++i) {
    CAPTURE(files[i].filename().string());
    CAPTURE(answer_of(outcomes[i].compiled));
    CAPTURE(outcomes[i].confined);
    const std::string wanted = field_of(tools::read_file(files[i]), "run");
    CHECK(outcomes[i].confined.find(wanted) != std::string::npos);
    const std::size_t violation = outcomes[i].confined.find("violation ");
    if (violation != std::string::npos)
      CHECK(internal_word_in(outcomes[i].confined.substr(violation), tools::read_file(files[i])) ==
            "");
  }
}

TEST_CASE("honest submissions give the results, counters and findings that they give unconfined") {
  const std::vector<fs::path> all = files_in("honest");
  CHECK(all.size() >= 36);
  const std::vector<fs::path> files = some_of(all, 4);
  const auto outcomes = for_all<Outcome>(files, [](const fs::path& file) {
    const Trial trial(file);
    Outcome outcome{trial.compile(), {}, {}};
    if (!outcome.compiled.ok()) return outcome;
    outcome.confined = trial.run_confined(outcome.compiled);
    outcome.plain = trial.run_plain();
    return outcome;
  });
  for (std::size_t i = 0; i < files.size(); ++i) {
    CAPTURE(files[i].filename().string());
    CAPTURE(answer_of(outcomes[i].compiled));
    CHECK(outcomes[i].compiled.ok());
    CHECK(outcomes[i].confined.starts_with("error cudaSuccess\nout 1000 floats"));
    CHECK(outcomes[i].confined == outcomes[i].plain);
  }
}
