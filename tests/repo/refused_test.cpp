/// Published listings that do not compile: nvcc refuses them, and so does the emulator's.

#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "support/side_by_side.hpp"
#include "tools/support/project.hpp"
#include "tools/support/source_text.hpp"
#include "tools/support/subprocess.hpp"

using tools::CommandResult;

namespace {

using Words = std::vector<std::string>;

/// The text after "// KEY: " in a listing.
std::string field_of(const Words& listing, const std::string& key) {
  for (const std::string& line : listing)
    if (line.starts_with("// " + key + ": ")) return line.substr(key.size() + 5);
  return "";
}

std::vector<std::filesystem::path> listings() {
  std::vector<std::filesystem::path> all;
  for (const auto& chapter : tools::chapter_folders()) {
    const auto folder = tools::source_folder() / "tests/chapters" / chapter.filename() / "refused";
    if (!std::filesystem::exists(folder)) continue;
    for (const auto& entry : std::filesystem::directory_iterator(folder))
      all.push_back(entry.path());
  }
  return all;
}

std::string text_of(const Words& lines) {
  std::string text;
  for (const std::string& line : lines) text += line + '\n';
  return text;
}

/// What the compiler says of `text`.
CommandResult compile(const std::string& text) {
  const tools::TemporaryFolder work;
  const auto source = work.write("listing.cu", text);
  return tools::run_command(
      {COURSE_NVCC, "-c", source.string(), "-o", (work.path() / "object.o").string()});
}

/// `text` with the first OLD of "OLD -> NEW" replaced; nothing where there is none.
std::string mend(std::string text, const std::string& how) {
  constexpr std::string_view kArrow = " -> ";
  const std::size_t arrow = how.find(kArrow);
  if (arrow == std::string::npos) return {};
  const std::string from = how.substr(0, arrow), to = how.substr(arrow + kArrow.size());
  std::size_t begin = text.find('\n', text.find("// mended: ")), replaced = 0;
  for (; (begin = text.find(from, begin)) != std::string::npos; begin += to.size(), ++replaced)
    text.replace(begin, from.size(), to);
  return replaced == 0 ? std::string() : text;
}

}  // namespace

// A listing in tests/chapters/NN_name/refused says what the compiler must complain of, and how it
// is mended: "// refused: WORD" and "// mended: OLD -> NEW".
TEST_CASE("a published listing that does not compile is refused, and taken once it is mended") {
  const std::vector<std::filesystem::path> all = listings();
  REQUIRE(!all.empty());
  const auto results = test_support::side_by_side(2 * all.size(), [&](std::size_t i) {
    const Words listing = tools::read_lines(all[i / 2]);
    return compile(i % 2 == 0 ? text_of(listing)
                              : mend(text_of(listing), field_of(listing, "mended")));
  });
  for (std::size_t i = 0; i < all.size(); ++i) {
    CAPTURE(all[i].string());
    const Words listing = tools::read_lines(all[i]);
    const std::string refused = field_of(listing, "refused");
    REQUIRE(!refused.empty());
    REQUIRE(!mend(text_of(listing), field_of(listing, "mended")).empty());
    const CommandResult &published = results[2 * i], &mended = results[2 * i + 1];
    CHECK(published.status != 0);
    CHECK_MESSAGE(published.err.find(refused) != std::string::npos, published.err);
    CHECK_MESSAGE(mended.status == 0, mended.err);
  }
}

// Each refused text is compiled alone, and those that are taken as one.
TEST_CASE("what no device can do is refused, and its twin is taken") {
  Words refused = {
      "__global__ void k(int* o) { try { *o = 1; } catch (...) { *o = 2; } }",
      "__device__ int f(int x) { if (x < 0) throw x; return x; }",
      "__global__ void k(int* o) { thread_local int n = 1; *o = n; }",
      "__global__ __device__ void k() {}",
      "__host__ __global__ void k() {}",
  };
  const Words refused_by_types = {
      // the emulator's compiler needs its plugin for these
      "__global__ void k(int* o, int n) { int a[n]; a[0] = n; *o = a[0]; }",
      "template <typename T> __global__ void k(T* o, int n) { T a[n]; a[0] = T(n); *o = a[0]; }\n"
      "void run(int* o) { k<<<1, 1>>>(o, 2); }",
      "__constant__ int c; __global__ void k(int i) { c = i; }",
      "__constant__ int c; __global__ void k() { ++c; }",
      "template <typename T> __constant__ T c = T(1); __global__ void k() { c<int> = 2; }",
  };
  if (KNOWS_TYPES) refused.insert(refused.end(), refused_by_types.begin(), refused_by_types.end());
  const Words taken = {
      "int in_host(int x) { try { if (x < 0) throw x; } catch (...) { return 2; } return x; }",
      "int per_thread() { thread_local int n = 1; return ++n; }",
      "__host__ __device__ int f(int x) { return x; }",
      "template <typename T> __device__ int never_made(T x) { try { return x; } catch (...) { } }",
      "__constant__ int elements[4]; struct S { int x; }; __constant__ S s;",
      "__global__ void changes(int i) { elements[i] = i; s.x = i; }",
      "__global__ void sizes(int* o) { const int n = 5; int a[n]; a[4] = 1; *o = a[4]; }",
      "__global__ void k() {}",
      "__device__ void g() {}",
  };
  const auto results = test_support::side_by_side(refused.size() + 1, [&](std::size_t i) {
    return compile(i < refused.size() ? refused[i] + '\n' : text_of(taken));
  });
  for (std::size_t i = 0; i < refused.size(); ++i) {
    CAPTURE(refused[i]);
    CHECK(results[i].status != 0);
    CHECK_MESSAGE(results[i].err.find("error") != std::string::npos, results[i].err);
  }
  CHECK_MESSAGE(results.back().status == 0, results.back().err);
}
