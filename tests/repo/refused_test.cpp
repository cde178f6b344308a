/// Tests that the emulator's compiler refuses sources that nvcc refuses, including published
/// listings.

#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "support/side_by_side.hpp"
#include "tools/support/pattern.hpp"
#include "tools/support/project.hpp"
#include "tools/support/source_text.hpp"
#include "tools/support/subprocess.hpp"

using tools::CommandResult;

namespace {

using Words = std::vector<std::string>;

/// Returns the text after "// KEY: " in a listing.
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

/// Compiles `text` and returns the compiler's result.
CommandResult compile(const std::string& text, const Words& flags = {}) {
  const tools::TemporaryFolder work;
  const auto source = work.write("listing.cu", text);
  Words command = {COURSE_NVCC, "-c", source.string(), "-o", (work.path() / "object.o").string()};
  command.insert(command.end(), flags.begin(), flags.end());
  return tools::run_command(command);
}

/// Returns the lines of `listing.cu`, from 1, with errors; nvcc puts their numbers in parentheses.
std::set<std::size_t> lines_with_errors(const std::string& messages) {
  static const tools::Pattern kError(R"(listing\.cu[:(](\d+)[):].*error)");
  std::set<std::size_t> lines;
  for (const std::string& message : tools::lines_of(messages))
    if (const tools::Match error = kError.search(message)) lines.insert(std::stoul(error.str(1)));
  return lines;
}

/// Compiles all lines as one text; each is a declaration. Those of `refused` must have errors;
/// those of `taken` and `before` must not.
void check_lines(const Words& before, const Words& refused, const Words& taken,
                 const Words& flags = {"-std=c++20"}) {
  Words lines = before;
  lines.insert(lines.end(), taken.begin(), taken.end());
  const std::size_t first = lines.size() + 1;
  lines.insert(lines.end(), refused.begin(), refused.end());
  const CommandResult result = compile(text_of(lines), flags);
  const std::set<std::size_t> found = lines_with_errors(result.err + result.out);
  CHECK((result.status == 0) == refused.empty());
  CAPTURE(result.err);
  for (std::size_t line = 1; line <= lines.size(); ++line) {
    CAPTURE(lines[line - 1]);
    CHECK((found.count(line) == 1) == (line >= first));
  }
}

/// Returns `text` with the replacements "OLD -> NEW" of its line "// mended: " applied; empty if it
/// has none.
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

// A listing in tests/chapters/NN_name/refused states the expected error and how to mend it: "//
// refused: WORD" and "// mended: OLD -> NEW".
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

// Refused texts are compiled one by one, accepted ones together.
TEST_CASE("what no device can do is refused, and its twin is taken") {
  Words refused = {
      "__global__ void k(int* o) { try { *o = 1; } catch (...) { *o = 2; } }",
      "__device__ int f(int x) { if (x < 0) throw x; return x; }",
      "__global__ void k(int* o) { thread_local int n = 1; *o = n; }",
      "__global__ __device__ void k() {}",
      "__host__ __global__ void k() {}",
      "__global__ void k() {}\n__global__ void j() { k<<<1, 1>>>(); }",
      "__global__ void k() {}\n__host__ __device__ void f() { k<<<1, 1>>>(); }",
  };
  const Words refused_by_types = {
      // the emulator's compiler needs its plugin for these
      "__global__ void k(int* o, int n) { int a[n]; a[0] = n; *o = a[0]; }",
      "template <typename T> __global__ void k(T* o, int n) { T a[n]; a[0] = T(n); *o = a[0]; }\n"
      "void run(int* o) { k<<<1, 1>>>(o, 2); }",
      "__constant__ int c; __global__ void k(int i) { c = i; }",
      "__constant__ int c; __global__ void k() { ++c; }",
      "template <typename T> __constant__ T c = T(1); __global__ void k() { c<int> = 2; }",
      "__global__ void k() { cudaDeviceSynchronize(); }",
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

// nvcc omits some errors if it finds others of these kinds.
TEST_CASE("a call of what is the other side's is refused") {
  if (!KNOWS_TYPES) return;  // the emulator's compiler needs its plugin for this
  const Words before = {
      "#include <cmath>",
      "#include <cstdio>",
      "#include <cstdlib>",
      "#include <cstring>",
      "#include <ctime>",
      "#include <initializer_list>",
      "#include <memory>",
      "#include <new>",
      "#include <string>",
      "#include <utility>",
      "#include <vector>",
      "int of_host(int x) { return x + 1; }",
      "template <typename T> T of_host_too(T x) { return x; }",
      "extern \"C\" int of_c(int x) { return x; }",
      "struct Host { int v; Host() : v(3) {} int get() { return v; } static int four() { return 4; "
      "} "
      "~Host() {} Host& operator+=(int x) { v += x; return *this; } };",
      "struct Implicit { int v = 3; };",
      "struct Defaulted { int v; Defaulted() = default; };",
      "struct Both { int v; __host__ __device__ Both() : v(3) {} __device__ int get() const; };",
      "__device__ int Both::get() const { return v; }",
      "template <typename T> struct Box { T x; __device__ Box(T y) : x(y) {} __device__ T twice(); "
      "};",
      "template <typename T> __device__ T Box<T>::twice() { return x + x; }",
      "__device__ int later(int);",
      "template <typename T> __host__ __device__ T for_all(T x) { return x + T(1); }",
      "__host__ __device__ int of_all(int x) { return of_host(x); }",  // a warning, with nvcc
      "template <typename F> __global__ void takes(F) {}",
  };
  const Words taken = {
      "__global__ void t0(int* o) { Both b; *o = b.get() + Box<int>(3).twice() + later(*o); }",
      "__global__ void t1(int* o) { Implicit a; Defaulted b; b.v = 1; *o = a.v + b.v + "
      "for_all(*o); }",
      "__global__ void t2(float* f, int i) { *f = std::sqrt(*f) + std::abs(*f) + std::pow(*f, i); "
      "}",
      "__global__ void t3(float* f) { *f = sqrtf(*f) + fmaxf(*f, 2.0f) + std::fma(*f, *f, *f); }",
      "__global__ void t4(char* c, int i) { memcpy(c, c + 9, i); std::memset(c, 1, i); free(c); }",
      "__global__ void t5(int* o) { printf(\"%d\\n\", *o); printf(\"a line\\n\"); *o = clock(); }",
      "__global__ void t6(int* o) { int* p = new int(3); *o = *p; delete p; *o = std::move(*o); }",
      "__global__ void t7(char* c) { new (c) int(3); auto l = {1, 2}; c[0] += *l.begin(); }",
      "__global__ void t8(int* o) { auto f = [](int x) { return x + 1; }; *o = f(*o); }",
      "__device__ int later(int x) { return x > 3 ? later(x - 1) : __popc(x) + atomicAdd(&x, 1); }",
      "__global__ void t9(int* o) { struct L { __device__ int f() { return 2; } }; *o = L().f(); }",
      "__global__ void t10(int* o) { int a[3] = {1, 2, 3}; for (int x : a) *o += x + "
      "__shfl_sync(~0u, x, 0); }",
      "__global__ void t11(int* o) { *o = sizeof(of_host(3)) + sizeof(decltype(of_host_too(3))); }",
      "void launches(int* o) { t0<<<1, 1>>>(o); if (o) t1<<<1, 1>>>(o + of_host(1)); of_all(3); }",
      "void more(int* o, int n) { t0<<<n ? 2 : 1, 1>>>(n ? o : nullptr); for_all(n); (void)&t1; }",
      "struct Unused { int v; __device__ int f() { return of_host(v); } };",
      "static __device__ int unused(int x) { return of_host(x); }",
      "__device__ __forceinline__ int unused_too(int x) { return of_host(x); }",
      "template <int k> __device__ int never_made(int x) { return of_host(x); }",
      "void lambdas(int* o) { [&] { t0<<<1, 1>>>(o); }(); }",
  };
  const Words refused = {
      "__global__ void r0(int* o) { *o = of_host(*o); }",
      "__global__ void r1(int* o) { *o = of_host_too(*o); }",
      "__global__ void r2(int* o) { *o = of_c(*o); }",
      "__global__ void r3(int* o) { Host h; *o = h.v; }",
      "__global__ void r4(int* o, Host* h) { *o = h->get(); }",
      "__global__ void r5(int* o) { *o = Host::four(); }",
      "__global__ void r6(Host* h) { *h += 2; }",
      "static __device__ int r7(int x) { return of_host(x); } __global__ void r7_of(int* o) { *o = "
      "r7(*o); }",
      "template <typename T> __global__ void r8_of(T* o) { *o = of_host_too(*o); } template "
      "__global__ "
      "void r8_of(float*);",
      "__global__ void r9(int* o) { auto f = [](int x) { return of_host(x); }; *o = f(*o); }",
      "__global__ void r10(int* o) { *o = rand(); }",
      "__global__ void r11(int* o, char* c) { *o = strlen(c); }",
      "__global__ void r12(int* o, char* c) { *o = memcmp(c, c + 3, 3); }",
      "__global__ void r13(int* o) { *o = time(nullptr); }",
      "__global__ void r14() { exit(1); }",
      "__global__ void r15(char* c) { puts(c); }",
      "__global__ void r16(char* c) { sprintf(c, \"%d\", 3); }",
      "__global__ void r17(char* c) { strcpy(c, c + 1); }",
      "__global__ void r18(int* o) { std::unique_ptr<int> p(o); }",
      "__global__ void r19(int* o, char* c) { *o = atoi(c); }",
      "struct R { __device__ int r21(); }; __device__ int R::r21() { return of_host(3); }",
      "__global__ void r20(int* o) { *o = o ? 1 : of_host(2); }",
  };
  const Words refused_in_host_code = {
      "int h0(int x) { return later(x); }",
      "int h1() { return Box<int>(3).twice(); }",
      "void h2(int* o) { t0(o); }",
      "void h3(int* o) { t0<<<1, 1>>>(o); t1(o); }",
      "void h4() { __syncthreads(); }",
      "int h5() { return __popc(3); }",
      "void h6(int* o) { atomicAdd(o, 1); }",
      "void h7(int* o) { auto k = t0; k<<<1, 1>>>(o); (t1)(o); }",
  };
  check_lines(before, {}, taken);
  check_lines(before, refused, taken);
  check_lines(before, {"void h8() { takes<<<1, 1>>>([](int x) { return x + 1; }); }"}, taken);
  check_lines(before, {"__device__ int other_files_may_call(int x) { return of_host(x); }"}, taken);
  check_lines(before, refused_in_host_code, taken);
}

TEST_CASE("a constexpr function is the host's, unless --expt-relaxed-constexpr says otherwise") {
  if (!KNOWS_TYPES) return;
  const Words before = {
      "#include <algorithm>",
      "#include <array>",
      "#include <limits>",
      "#include <string>",
      "#include <utility>",
      "#include <vector>",
      "constexpr int twice(int x) { return 2 * x; }",
      "__host__ __device__ constexpr int of_all(int x) { return x + 1; }",
      "struct Member { int v; constexpr int get() const { return v; } };",
      "template <int kSize> struct Array { int all[kSize]; };",
      "constexpr int kFour = twice(2);",
  };
  const Words taken = {
      "__global__ void t0(int* o) { *o = of_all(*o) + kFour; }",
      "__global__ void t1(int* o) { Array<kFour> a; a.all[0] = 1; *o = a.all[0]; }",
      "__global__ void t2(int* o) { if constexpr (false) *o = twice(*o); }",
      "template <typename T> __global__ void never_made(T* o) { *o = std::max(*o, T(0)); }",
      "constexpr int in_host(int x) { return std::max(twice(x), 3); }",
  };
  const Words constexpr_calls = {
      "__global__ void r0(int* o) { *o = twice(*o); }",
      "__global__ void r1(int* o) { *o = twice(3); }",
      "__global__ void r2(int* o) { *o = std::max(*o, 3); }",
      "__global__ void r3(int* o) { std::swap(o[0], o[1]); }",
      "__global__ void r4(float* o) { *o = std::numeric_limits<float>::max(); }",
      "__global__ void r5(int* o) { std::array<int, 3> a; a[1] = 3; *o = a[*o]; }",
      "__global__ void r6(int* o, Member m) { *o = m.get(); }",
      "__device__ int r7(int x) { return std::min(x, 3); }",
      "template <typename T> __global__ void r8_of(T* o) { *o = std::numeric_limits<T>::max(); } "
      "template __global__ void r8_of(float*);",
      "__global__ void r9(int* o) { *o = std::clamp(*o, 1, 3); }",
  };
  const Words of_containers = {
      "__global__ void c0(int* o) { std::vector<int> v(4); *o = v.size(); }",
      "__global__ void c1(int* o) { std::string s(\"x\"); *o = s.size(); }",
  };
  check_lines(before, {}, taken);
  Words refused = constexpr_calls;
  refused.insert(refused.end(), of_containers.begin(), of_containers.end());
  check_lines(before, refused, taken);
  Words relaxed = taken;
  relaxed.insert(relaxed.end(), constexpr_calls.begin(), constexpr_calls.end());
  check_lines(before, {}, relaxed, {"-std=c++20", "--expt-relaxed-constexpr"});
}

TEST_CASE("constexpr functions of the host compute types and what the host's classes have") {
  if (!KNOWS_TYPES) return;
  const Words before = {
      "#include <algorithm>",
      "#include <array>",
      "#include <limits>",
      "#include <type_traits>",
      "#include <utility>",
      "constexpr int f(int x) { return x * 2; }",
      "struct S { int v; constexpr S(int x) : v(x) {} constexpr int get() const { return v; } };",
      "constexpr S operator+(S a, S b) { return S(a.v + b.v); }",
      "constexpr unsigned long long operator\"\"_k(unsigned long long v) { return v * 1024; }",
      "template <int n> struct A { int v; };",
      "template <int n> __device__ int value() { return n; }",
      "template <class F> __global__ void runs(F g, int* p) { *p = g(1); }",
      "constexpr S four(4);",
  };
  const Words taken = {
      "__global__ void t0(int* p) { *p = sizeof(f(3)); decltype(f(3)) n = 2; *p += n; }",
      "__global__ void t1(int* p) { *p = noexcept(f(3)) + four.v; }",
      "template <class T, std::enable_if_t<f(sizeof(T)) == 8, int> = 0> __device__ int by_type(T "
      "t) "
      "{ return t; }",
      "template <class T, int n = f(2)> __device__ int by_default(T t) { return t + n; }",
      "template <class T> constexpr int kTwice = f(sizeof(T));",
      "template <class T> struct Holds { static constexpr int n = f(sizeof(T)); };",
      "template <class T> using Alias = A<f(sizeof(T))>;",
      "__global__ void t2(int* p) { *p = by_type(3) + by_default(3) + kTwice<int> + Holds<int>::n; "
      "}",
      "__global__ void t3(int* p) { Alias<int> a; a.v = 1; *p = a.v; }",
      "__global__ void t4(int* p) { if constexpr (false) *p = f(2); }",
      "template <class T> __global__ void t5(T* p) { if constexpr (sizeof(T) > 4) { constexpr int "
      "n "
      "= f(2); *p = n; } } template __global__ void t5<int>(int*);",
      "template <class T> __device__ int never_made(T* p) { constexpr int n = f(2); return n; }",
      "__host__ __device__ constexpr int of_both(int x) { return f(x); }",
      "__global__ void t6(int* p) { constexpr int n = of_both(2); *p = n; }",
      "__host__ __device__ int t7() { constexpr int n = f(2); return n; }",
      "struct Begins { int v = f(1); };",
      "__global__ void t8(int* p) { Begins b; *p = b.v; }",
      "__global__ void __launch_bounds__(f(32)) t9(A<f(2)> a, int* p) { *p = a.v; }",
      "int in_host() { constexpr int n = f(2); return n + (four + S(2)).get(); }",
  };
  check_lines(before, {}, taken, {"-std=c++17", "--extended-lambda"});
}

// The list in emulator/README.md, "What nvcc refuses".
TEST_CASE("what is judged otherwise than by nvcc is known") {
  if (!KNOWS_TYPES) return;
  const std::string doubles = "constexpr int f(int x) { return x * 2; }\n";
  const Words refused_here_alone = {
      "__global__ void k(int* p) { int x = {1.5}; *p = x; }",
      "__global__ void k(int* p) { switch (*p) { case 1: int x = 2; *p = x; break; case 2: *p = 3; "
      "} "
      "}",
      "__global__ void k(int* p) { int a[3] = {[1] = 2}; *p = a[1]; }",
      doubles +
          "__device__ int g(int t = f(2)) { return t; } __global__ void k(int* p) { *p = g(); "
          "}",
      "#ifdef __CUDA_ARCH__\n#define N 3\n#else\n#define N 4\n#endif\nstruct S { int a[N]; };\n"
      "__global__ void k(int* p) { *p = sizeof(S); }\nint g() { return sizeof(S); }",
  };
  const Words taken_here_alone = {
      "#include <vector>\n__global__ void k(int*) {}\nint main() { printf(\"x\"); }",
      doubles + "__global__ void k(int* p) { constexpr int n = f(2); *p = n; }",
      doubles + "__global__ void k(int* p) { int a[f(2)]; a[0] = 1; *p = a[0]; }",
      doubles + "__global__ void k(int* p) { static_assert(f(2) == 4); *p = 1; }",
      doubles + "__global__ void k(int* p) { switch (*p) { case f(3): *p = 1; } }",
      "#include <algorithm>\n__global__ void k(int* p) { constexpr int n = std::max(1, 2); *p = n; "
      "}",
      "struct S { int v; constexpr operator int() const { return v; } };\nconstexpr S s{2};\n"
      "__global__ void k(int* p) { int a[s]; a[0] = 1; *p = a[0]; }",
      doubles +
          "template <int n> struct A { int v; };\n__global__ void k(int* p) { "
          "decltype(A<f(2)>{}) n; n.v = 2; *p = n.v; }",
      "__global__ void k(int* p) { struct L { int f() { return 2; } }; *p = L().f(); }",
      "struct S { int v; constexpr S(int x) : v(x) {} };\n__device__ S s(3);\n__global__ void "
      "k(int* p) { *p = s.v; }",
      "__global__ void k(int* p) { *p = __CUDA_ARCH__; }",
      "__global__ void k(int* p, int n) {\n#pragma unroll n\n  for (int i = 0; i < n; ++i) p[i] = "
      "i;\n}",
  };
  Words all = refused_here_alone;
  all.insert(all.end(), taken_here_alone.begin(), taken_here_alone.end());
  const auto results = test_support::side_by_side(
      all.size(), [&](std::size_t i) { return compile(all[i] + '\n', {"-std=c++17"}); });
  for (std::size_t i = 0; i < all.size(); ++i) {
    CAPTURE(all[i]);
    const bool is_taken_here = i >= refused_here_alone.size();
    CHECK_MESSAGE((results[i].status == 0) == (is_taken_here == IS_EMULATOR), results[i].err);
  }
}

TEST_CASE("a program may have a shuffle of its own under a name that CUDA no longer has") {
  check_lines({"#include <cuda_runtime.h>"}, {},
              {
                  "__device__ float2 __shfl_down(const float2 v, const unsigned delta, const "
                  "unsigned width = 32) { return make_float2(__shfl_down_sync(~0u, v.x, delta, "
                  "width), v.y); }",
                  "__global__ void uses(float2* o) { *o = __shfl_down(*o, 1); }",
              });
}

TEST_CASE("a constant of the host has a value on a device, and no address") {
  if (!KNOWS_TYPES) return;
  const Words before = {
      "const int number = 8; constexpr float half = 0.5f; const int table[3] = {6, 28, 496};",
      "struct S { static constexpr int one = 6; static constexpr int three[3] = {6, 28, 496}; };",
      "__constant__ int of_device[3] = {1, 2, 3};",
  };
  const Words taken = {
      "__global__ void t0(int* o) { *o = number + S::one + of_device[*o]; }",
      "__global__ void t1(float* o) { *o = half; constexpr int own[3] = {1, 2, 3}; *o = own[1]; }",
      "__global__ void t2(int* o) { int a[number]; a[0] = S::three[1]; *o = a[0]; }",
      "__global__ void t3(int* o, int i) { constexpr int own[3] = {1, 2, 3}; *o = own[i]; }",
      "int in_host(int i) { return table[i] + S::three[i] + *(&number); }",
  };
  const Words refused = {
      "__global__ void r0(int* o) { const int* p = &number; *o = *p; o[1] = p[*o]; }",
      "__global__ void r1(int* o, int i) { *o = S::three[i]; }",
      "__global__ void r2(int* o, int i) { *o = table[i]; }",
  };
  check_lines(before, {}, taken);
  check_lines(before, refused, taken);
}

TEST_CASE("a variable of the device begins with a constant") {
  if (!KNOWS_TYPES) return;
  const Words before = {
      "int f(int x) { return x + 1; }",
      "struct Works { int v; __device__ Works() : v(3) {} };",
      "#include <cuda_fp16.h>",
      "struct Empty { int v; __device__ Empty() {} };",
      "struct Either { int v; Either() = default; __device__ Either(int x) : v(x) {} };",
      "struct Member { int v = 3; };",
      "struct Constant { int v; __host__ __device__ constexpr Constant() : v(3) {} };",
      "struct Ends { int v; __device__ ~Ends() { v = 1; } };",
      "template <typename T> struct Box { T v; __host__ __device__ Box() {} };",
  };
  const Words taken = {
      "__device__ Empty d0; __device__ Member d1; __device__ Constant d2; __device__ Box<int> d3;",
      "__constant__ float c0 = 2.5f * 3; __device__ int d4[2] = {1, sizeof(int)}; __managed__ int "
      "m0 = 3;",
      "__global__ void t0(int* o) { __shared__ Empty e; __shared__ Member m; e.v = 1; m.v = *o; }",
      "__global__ void t1(int* o) { static int s = 3; static Member m; *o = s + m.v; }",
      "__device__ half d5[4]; __constant__ half2 c1[2][2]; __device__ Either d6[3], d7;",
      "__device__ Empty d8[2]; __device__ Member d9[2]; __device__ Constant d10[2];",
      "__global__ void t2(int i) { static half a[4]; static Either e[3]; a[i] = half(i); e[i].v = "
      "i; }",
      "int in_host(int n) { static int s = f(n); return s; } static int of_host = f(3);",
      "int use() { return of_host; }",
  };
  const Words refused = {
      "__device__ Works r0;",
      "__constant__ Works r1;",
      "__managed__ Works r2;",
      "__device__ int r3 = f(2);",
      "__device__ int r4[2] = {1, f(3)};",
      "__device__ Ends r5;",
      "template <typename T> __device__ T r6 = f(2); __global__ void k6() { r6<int> = 3; }",
  };
  check_lines(before, {}, taken);
  check_lines(before, refused, taken);
  check_lines(before, {"__global__ void r7(int n) { static int s = n; s = 2; }"}, taken);
}

TEST_CASE("what a kernel cannot be, take or do") {
  const Words before = {
      "#include <cstddef>",
      "struct Fits { char bytes[32764]; }; struct TooLarge { char bytes[32768]; };",
      "struct Base { virtual ~Base() {} }; struct Derived : Base {};",
  };
  const Words taken = {
      "__global__ void t0(Fits f) {} __global__ static void t1() {}",
      "template <typename T> __global__ void t2(T* o) { extern __shared__ int s[]; *o = T(s[0]); }",
      "__global__ void t3(int* o) { extern __shared__ int s[]; *o = s[0]; goto end; end: *o = 1; }",
      "namespace other { __global__ void t4(float* o) { extern __shared__ float s[]; *o = s[0]; } "
      "}",
      "__global__ void t5() { __shared__ float s[32]; static __device__ int n; s[0] = ++n; }",
      "void launches(int* o) { t2<<<1, 1>>>(o); t1<<<1>>>(); t3<<<dim3(1, 2), 3, 4, nullptr>>>(o); "
      "}",
      "__launch_bounds__(sizeof(int) * 32) __global__ void t6() {}",
  };
  const Words refused = {
      "__global__ int r0() { return 1; }",
      "__global__ void r1(int n, ...) {}",
      "struct R4 { static __device__ int n; };",
      "struct R5 { __global__ void k() {} };",
      "__global__ void r6() { auto f = [] __device__ { return 1; }; f(); }",
      "void r7() { t1<<<>>>(); }",
      "void r8() { t1<<<1, 1, 0, 0, 5>>>(); }",
      "__global__ void r9() { __shared__ float s[warpSize]; s[0] = 1; }",
  };
  const Words refused_variables = {
      "__global__ void r2() { __device__ int n; n = 1; }",
      "__global__ void r3() { __constant__ int n; }",
  };
  check_lines(before, {}, taken);
  check_lines(before, refused, taken);
  check_lines(before, refused_variables, taken);
  if (!KNOWS_TYPES) return;
  const Words refused_by_types = {
      "__global__ void r10(Base* b, bool* o) { *o = dynamic_cast<Derived*>(b) != nullptr; }",
      "__global__ void r11(int* o) { void* a[] = {&&x}; goto *a[0]; x: *o = 1; }",
      "__global__ void r12(float* o) { extern __shared__ float s[]; *o = s[0]; }",
  };
  for (const std::string& line : refused_by_types) check_lines(before, {line}, taken);
  CHECK(compile(text_of(before) + "__global__ void r13(TooLarge t) {}\n").status != 0);
}

TEST_CASE("a variable of the host is not there for device code") {
  if (!KNOWS_TYPES) return;  // the emulator's compiler needs its plugin for this
  const Words before = {
      "int counter; static int size = 8; int* pointer; extern int elsewhere;",
      "const int constant = 4; constexpr float pi = 3.0f;",
      "__device__ int on_device; __constant__ int in_constant; __managed__ int managed;",
      "extern __device__ int device_elsewhere; template <class T> __device__ T of_template;",
      "struct S { static int count; static const int three = 3; }; int S::count;",
      "namespace n { int inside; }",
  };
  const Words taken = {
      "__global__ void t0(int* o) { *o = on_device + in_constant + managed + of_template<int>; }",
      "__global__ void t1(int* o) { *o = constant + S::three; *o += pi; int counter = 1; *o += "
      "counter; }",
      "template <class T> __global__ void t2(T* o) { *o = sizeof(counter); static int kept; "
      "++kept; "
      "__shared__ int shared; shared = 1; *o += shared + kept; }",
      "int in_host() { t2<<<1, 1>>>(pointer); return counter + size + *pointer + elsewhere; }",
      "static __device__ int unused() { return counter; }",
  };
  const Words refused = {
      "__global__ void r0(int* o) { *o = counter; }",
      "__global__ void r1(int* o) { o[size] = 1; }",
      "__global__ void r2(int* o) { *o = S::count + n::inside; }",
      "__global__ void r3(int* o) { *o = *pointer; }",
      "__global__ void r5(int* o) { counter = *o; }",
      "template <class T> __global__ void r6(T* o) { *o = counter; } template __global__ void "
      "r6(int*);",
      "__global__ void r7(int* o) { auto f = [] { return counter; }; *o = f(); }",
      "static __device__ int used() { return counter; } __global__ void r8(int* o) { *o = used(); "
      "}",
  };
  check_lines(before, {}, taken);
  check_lines(before, refused, taken);
  check_lines(before, {"__device__ int* of_other_files() { return &counter; }"}, taken);
}

TEST_CASE("more memory than a block or a source can have is refused") {
  if (!KNOWS_TYPES) return;  // the emulator's compiler needs its plugin for this
  const std::string kStore = "a[threadIdx.x] = 1; *p = a[0]; }";
  const Words refused = {"__global__ void k(float* p) { __shared__ float a[12289]; " + kStore,
                         "template <int n> __global__ void k(double* p) { __shared__ double a[n], "
                         "b[n]; b[threadIdx.x] = *p; *p = b[n / 2]; " +
                             kStore + " template __global__ void k<3073>(double* p);",
                         "__constant__ float a[8192], b[8192]; __constant__ char c; __global__ "
                         "void k(float* p) { *p = "
                         "a[threadIdx.x] + b[threadIdx.x] + c; }"};
  const Words taken = {
      "__global__ void k(float* p) { __shared__ float a[12288]; " + kStore,
      "template <int n> __global__ void k(double* p) { __shared__ double a[n], b[n]; b[n / 2] = "
      "*p; " +
          kStore + " template __global__ void k<3072>(double* p);",
      "__constant__ float a[8192], b[8192]; __global__ void k(float* p) { *p = a[threadIdx.x] + "
      "b[threadIdx.x]; }",
      "__global__ void k(float* p) { __shared__ float a[20000]; *p = 1; }",
      "static thread_local float of_host[20000]; float* f() { return of_host; }"};
  for (const std::string& text : refused) {
    CAPTURE(text);
    CHECK(compile(text).status != 0);
  }
  for (const std::string& text : taken) {
    CAPTURE(text);
    CHECK(compile(text).status == 0);
  }
}

// nvcc refuses the first text of each pair and accepts the second.
TEST_CASE("qualifiers that a declaration cannot have are refused, and their twins are taken") {
  struct Pair {
    std::string refused, taken;
    bool by_types = true;  // the emulator's compiler needs its plugin to refuse it
  };
  const std::string kernel = "template <class F> __global__ void k(F f, int* p) { *p = f(2); }\n";
  const std::vector<Pair> pairs = {
      {"__global__ void k() noexcept {}", "void k() noexcept {}", false},
      {"struct S { int x; }; __global__ void operator+(S, S) {}",
       "struct S { int x; }; __device__ void operator+(S, S) {}", false},
      {"struct S { friend __global__ void k(S*) {} };",
       "struct S { friend __global__ void k(S*); }; __global__ void k(S*) {}", false},
      {"template <class... T, int n> __global__ void k(T...) {}",
       "template <int n, class... T> __global__ void k(T...) {}", false},
      {"__launch_bounds__(128) __device__ void f() {}",
       "__launch_bounds__(128) __global__ void f() {}", false},
      {"__launch_bounds__(128) void f() {}", "__launch_bounds__(128, 2) __global__ void f() {}",
       false},
      {"__global__ void __launch_bounds__() k() {}",
       "__global__ void __launch_bounds__(64, 1) k() {}", false},
      {"int n = 64; __global__ void __launch_bounds__(n) k() {}",
       "const int n = 64; __global__ void __launch_bounds__(n > 32 ? n : 32) k() {}", false},
      {"struct S { static __shared__ int n; };",
       "__device__ int f() { __shared__ int n; return n; }", false},
      {"int f() { __shared__ int n; n = 1; return n; }", "int f() { static int n; return n; }",
       false},
      {"__managed__ __constant__ int n;", "__managed__ int n; __constant__ int m;", false},
      {"__managed__ const int n = 3;", "__managed__ int n = 3;"},
      {"int x; __managed__ int& n = x;", "int x; __managed__ int* n;"},
      {"struct S { int a; }; __global__ void k(__grid_constant__ S s) {}",
       "struct S { int a; }; __global__ void k(const __grid_constant__ S s) {}"},
      {"struct S { int a; }; __global__ void k(const __grid_constant__ S& s) {}",
       "struct S { int a; }; __global__ void k(__grid_constant__ const S s) {}"},
      {"struct S { int a; }; __device__ int f(const __grid_constant__ S s) { return s.a; }",
       "struct S { int a; }; __device__ int f(const S s) { return s.a; }"},
      {"__global__ void k(int&& x) { x = 1; }", "__global__ void k(int& x) { x = 1; }"},
      {"#include <initializer_list>\n__global__ void k(std::initializer_list<int> l) {}",
       "#include <initializer_list>\n__device__ void f(std::initializer_list<int> l) {}"},
      {"#include <cstdarg>\n__global__ void k(va_list l) {}",
       "#include <cstdarg>\nvoid k(va_list l) {}"},
      {"int a; __device__ int* p = &a;", "__device__ int a; __device__ int* p = &a;"},
      {"int h() { return 1; } __device__ int (*p)() = h;",
       "__device__ int d() { return 1; } __device__ int (*p)() = d;"},
      {"__constant__ int c; void f() { c = 3; }",
       "__constant__ int c; int f(int c) { c = 3; return c; }"},
      {"struct B { __device__ virtual int f() { return 1; } }; struct D : B { int f() override { "
       "return "
       "2; } }; __global__ void k(int* p) { D d; B* b = &d; *p = b->f(); }",
       "struct B { __device__ virtual int f() { return 1; } }; struct D : B { __device__ int f() "
       "override { return 2; } }; __global__ void k(int* p) { D d; B* b = &d; *p = b->f(); }"},
      {"struct B { virtual int f() { return 1; } }; __global__ void k(int* p, B* b) { *p = b->f(); "
       "}",
       "struct B { virtual int f() { return 1; } }; int k(B* b) { return b->f(); }"},
      {"struct In { int v; In() : v(1) {} }; struct A { In i; }; __global__ void k(int* p) { A a; "
       "*p = "
       "a.i.v; }",
       "struct In { int v; __device__ In() : v(1) {} }; struct A { In i; }; __global__ void k(int* "
       "p) { "
       "A a; *p = a.i.v; }"},
      {"__global__ void k(int* p) { __sync_fetch_and_add(p, 1); }",
       "void k(int* p) { __sync_fetch_and_add(p, 1); }"},
      {"__global__ void k() { cudaDeviceSynchronize(); }", "void k() { cudaDeviceSynchronize(); }"},
      {"int h(int x); __global__ void k(int (**p)(int)) { *p = h; }",
       "__device__ int h(int x) { return x; } __global__ void k(int (**p)(int)) { *p = h; }"},
      {"template <class T> __global__ void k(T t, int* p) { *p = t.x; } void f(int* p) { struct L "
       "{ int "
       "x; }; k<<<1, 1>>>(L{1}, p); }",
       "struct L { int x; }; template <class T> __global__ void k(T t, int* p) { *p = t.x; } void "
       "f(int* "
       "p) { k<<<1, 1>>>(L{1}, p); }"},
      // declarations that do not fit
      {"__global__ void k(int*); void k(int* p) {}", "__global__ void k(int*); void k(float* p) {}",
       false},
      {"void k(int*); __global__ void k(int* p) {}",
       "void k(int*); __global__ void k(int* p, int) {}", false},
      {"template <class T> __global__ void k(T*); template <class T> void k(T* p) {}",
       "template <class T> __global__ void k(T*); template <class T> __global__ void k(T* p) {} "
       "template <class T, int n> void k(T* p) {}",
       false},
      {"namespace m { __global__ void k(int*); } void m::k(int* p) {}",
       "namespace m { __global__ void k(int*); } __global__ void m::k(int* p) {}", false},
      {"__device__ int f(int); __global__ void k(int* p) { *p = f(1); }",
       "__device__ int f(int); __device__ int g() { return f(1); }"},
      {"int f(int* p) { return p; } __device__ int f(int x) { return x; }",
       "int f(int); __device__ int f(int x) { return x; } __host__ __device__ int g(int); "
       "__device__ int g(int x) { return x; } __global__ void k(int* p) { *p = f(1) + g(1); }",
       false},
      {"__global__ void __maxnreg__(32) __launch_bounds__(64) k() {}",
       "__global__ void __maxnreg__(32) k() {}", false},
      {"__maxnreg__(32) __device__ void f() {}", "__maxnreg__(32) __global__ void f() {}", false},
      // variables
      {"inline __device__ int n = 3;", "static inline __device__ int n = 3;", false},
      {"inline constexpr __constant__ int n = 3;",
       "namespace { inline __constant__ int n = 3; } __global__ void k(int* p) { *p = n; }", false},
      {"__host__ __device__ int f() { __shared__ int n; n = 1; return n; }",
       "__host__ __device__ int f() { extern __shared__ int n[]; return n[0]; }", false},
      {"template <class T> struct S { static T v; }; template <class T> T S<T>::v = 3; __global__ "
       "void k(int* p) { *p = S<int>::v; }",
       "template <class T> struct S { static const T v; }; template <class T> const T S<T>::v = 3; "
       "__global__ void k(int* p) { *p = S<int>::v; }"},
      {"template <class T> T v = T(3); __global__ void k(int* p) { *p = v<int>; }",
       "template <class T> constexpr T v = T(3); __global__ void k(int* p) { *p = v<int>; }"},
      {"template <class T> struct S { static inline T v = 3; }; __global__ void k(int* p) { *p = "
       "S<int>::v; }",
       "template <class T> struct S { static constexpr T v = 3; }; __global__ void k(int* p) { *p "
       "= "
       "S<int>::v; }"},
      {"thread_local int n; __global__ void k(int* p) { *p = n; }",
       "thread_local int n; int* f() { return &n; }"},
      {"__device__ void f(__shared__ int p) { p = \"x\"; }",
       "__device__ void f(const __shared__ int* p, __shared__ int* q, __constant__ int* r) { *q = "
       "*p + *r; } typedef __shared__ int of_block;",
       false},
      // warpSize, which is no constant
      {"__global__ void k(int* p) { int a[warpSize]; a[0] = 1; *p = a[0]; }",
       "__global__ void k(int* p) { int a[32]; a[warpSize - 1] = 1; *p = a[*p]; }"},
      {"__global__ void k(int* p) { const int w = warpSize; int a[w]; a[0] = 1; *p = a[0]; }",
       "__global__ void k(int* p) { const int w = warpSize; const int& x = warpSize; *p = w + x; "
       "}"},
      {"__global__ void k(int* p) { constexpr int w = warpSize; *p = w; }",
       "int f(int x) { return x * warpSize; }", false},
      {"__global__ void k(int* p) { switch (*p) { case warpSize: *p = 1; } }",
       "__global__ void k(int* p) { if (*p == warpSize) *p = 1; }", false},
      // addresses of built-in variables
      {"__global__ void k(int* p) { const unsigned* q = &threadIdx.x; *p = *q; }",
       "__device__ unsigned f(const uint3& i) { return i.x; } __global__ void k(int* p) { const "
       "auto& i = threadIdx.x; *p = i + f(blockIdx); uint3 c = threadIdx; *p += c.y; }"},
      {"__global__ void k(int* p) { int* q = (int*)&threadIdx.x; *p = *q; }",
       "__device__ unsigned f(const unsigned& i) { return i; } __global__ void k(int* p) { *p = "
       "f(threadIdx.x) + max(blockDim.x, 3u); }"},
      // types of kernels' arguments
      {"template <class T> __global__ void k(T) {} void f() { enum E { a }; k<<<1, 1>>>(a); }",
       "enum E { a }; template <class T> __global__ void k(T) {} void f() { k<<<1, 1>>>(a); }"},
      {"template <class T> __global__ void k(T) {} class C { struct S {}; void f() { k<<<1, "
       "1>>>(S{}); } };",
       "template <class T> __global__ void k(T) {} class C { public: struct S {}; void f() { "
       "k<<<1, "
       "1>>>(S{}); } };"},
      {"#include <crt/no_such_header.h>",
       "#include <crt/host_defines.h>\n#include <crt/device_functions.h>\n#include "
       "<crt/math_functions.h>\n#include <crt/common_functions.h>\n#include "
       "<crt/host_config.h>\n#include <crt/mma.h>\n#include <crt/sm_90_rt.h>\n#include "
       "<crt/device_double_functions.h>\n#include <sm_35_intrinsics.h>\n#include "
       "<vector_functions.hpp>\n#include <cudaProfiler.h>\n#include <cuda_stdint.h>\n#include "
       "<cudart_platform.h>",
       false},
      // launches
      {"__global__ void a(int*); __global__ void b(int* p) { a(p); }",
       "__global__ void a(int*); void b(int* p) { a<<<1, 1>>>(p); }"},
      {"__global__ void a(int*); __host__ __device__ void b(int* p) { a(p); }",
       "__global__ void a(int*); void b(int* p) { auto f = &a; f<<<1, 1>>>(p); }"},
      {"void h(int); void f() { h<<<1, 1>>>(1); }",
       "__global__ void h(int); void f() { h<<<1, 1>>>(1); }"},
      // lambdas
      {kernel +
           "void g(int* p) { int a = 3; k<<<1, 1>>>([&] __device__(int x) { return a + x; }, p); }",
       kernel + "void g(int* p) { int a = 3; k<<<1, 1>>>([=] __device__(int x) { return a + x; }, "
                "p); }"},
      {kernel + "void g(int* p) { int a = 3; k<<<1, 1>>>([&a] __host__ __device__(int x) { return "
                "a + x; "
                "}, p); }",
       kernel + "void g(int* p) { int a = 3; k<<<1, 1>>>([a] __host__ __device__(int x) mutable { "
                "return "
                "a++ + x; }, p); }"},
      {kernel +
           "class C { void g(int* p) { k<<<1, 1>>>([=] __device__(int x) { return x; }, p); } };",
       kernel +
           "struct C { void g(int* p) { k<<<1, 1>>>([=] __device__(int x) { return x; }, p); } };"},
      {kernel + "auto g(int* p) { k<<<1, 1>>>([=] __device__(int x) { return x; }, p); return 1; }",
       kernel + "int g(int* p) { k<<<1, 1>>>([=] __device__(int x) -> int { return x; }, p); "
                "return 1; }"},
      {kernel + "void g(int* p) { struct L { int v; }; L l{1}; k<<<1, 1>>>([=] __device__(int x) { "
                "return "
                "l.v + x; }, p); }",
       kernel + "struct L { int v; }; void g(int* p) { L l{1}; k<<<1, 1>>>([=] __device__(int x) { "
                "return "
                "l.v + x; }, p); }"},
      {kernel +
           "int n; void g(int* p) { k<<<1, 1>>>([=] __device__(int x) { return n + x; }, p); }",
       kernel + "void g(int* p) { int n = 2; k<<<1, 1>>>([n] __device__(int x) { return n + x; }, "
                "p); }"},
      {kernel + "void g(int* p) { int a = 3; k<<<1, 1>>>([b = a] __host__ __device__(int x) { "
                "return b + x; }, p); }",
       kernel + "void g(int* p) { int a = 3; k<<<1, 1>>>([b = a] __device__(int x) { return b + x; "
                "}, p); }"},
      {kernel + "void g(int* p) { k<<<1, 1>>>([] __host__ __device__(auto x) { return x; }, p); }",
       kernel + "void g(int* p) { k<<<1, 1>>>([] __device__(auto x) { return x; }, p); }"},
      {kernel + "template <class... T> void g(int* p, T... v) { k<<<1, 1>>>([=] __device__(int x) "
                "{ return (x + ... + v); }, p); } void h(int* p) { g(p, 1, 2); }",
       kernel + "template <class T> void g(int* p, T v) { k<<<1, 1>>>([=] __device__(int x) { "
                "return x + v; }, p); } void h(int* p) { g(p, 1); }"},
      {kernel + "struct S { S(int* p) { k<<<1, 1>>>([] __device__(int x) { return x; }, p); } };",
       kernel + "struct S { void f(int* p) { k<<<1, 1>>>([] __device__(int x) { return x; }, p); } "
                "};"},
      {kernel + "class C { struct In { int v; }; public: void h(int* p) { In i{1}; k<<<1, 1>>>([=] "
                "__device__(int x) { return x + i.v; }, p); } };",
       kernel + "class C { public: struct In { int v; }; void h(int* p) { In i{1}; k<<<1, 1>>>([=] "
                "__device__(int x) { return x + i.v; }, p); } };"},
      {kernel +
           "auto f = [] __device__(int x) { return x; }; void g(int* p) { k<<<1, 1>>>(f, p); }",
       kernel + "void g(int* p) { auto f = [] __device__(int x) { return x; }; k<<<1, 1>>>(f, p); "
                "}"},
      {"__device__ auto f = [](int x) { return x; }; __global__ void k(int* p) { *p = f(2); }",
       "__global__ void k(int* p) { auto f = [](int x) { return x; }; *p = f(2); }"},
      {"int g() { auto f = [] __device__(int x) { return x; }; return f(1); }",
       "int g() { auto f = [] __host__ __device__(int x) { return x; }; return f(1); }"},
      // constants of the host
      {"const double w[2] = {.5, 1}; __global__ void k(double* p) { *p = w[1]; }",
       "const double w = 1; __global__ void k(double* p) { *p = w; }"},
      {"namespace n { constexpr int w[2] = {1, 2}; } __global__ void k(int* p) { *p = n::w[1]; }",
       "struct S { int x; }; constexpr S s{1}; __global__ void k(int* p) { *p = s.x; }"},
      {"const char* const name = \"x\"; __global__ void k(char* p) { *p = name[0]; }",
       "constexpr const char* name = \"x\"; __global__ void k(char* p) { *p = name[0]; }"},
  };
  // Accepted texts are compiled together, each in its own namespace after all includes.
  std::string includes, taken;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    taken += "namespace of_pair_" + std::to_string(i) + " {\n";
    for (const std::string& line : tools::lines_of(pairs[i].taken))
      (line.starts_with('#') ? includes : taken) += line + '\n';
    taken += "}\n";
  }
  const Words flags = {"-std=c++17", "--extended-lambda"};
  const auto results = test_support::side_by_side(pairs.size() + 1, [&](std::size_t i) {
    return compile(i < pairs.size() ? pairs[i].refused + '\n' : includes + taken, flags);
  });
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    if (!KNOWS_TYPES && pairs[i].by_types) continue;
    CAPTURE(pairs[i].refused);
    CHECK(results[i].status != 0);
    // nvcc's assembler, which misses functions, calls its errors fatal.
    const bool says_so = results[i].err.find("error") != std::string::npos ||
                         results[i].err.find("fatal") != std::string::npos;
    CHECK_MESSAGE(says_so, results[i].err);
  }
  CHECK_MESSAGE(results.back().status == 0, results.back().err);
}

TEST_CASE("a function of both sides calls device functions only where it knows that it is there") {
  if (!KNOWS_TYPES) return;  // the emulator's compiler needs its plugin for this
  const Words before = {
      "#include <cooperative_groups.h>",
      "#include <cuda_fp16.h>",
      "#include <nv/target>",
      "__device__ int of_device(int x) { return x; }",
      "struct F { __device__ int operator()(int x) const { return x; } };",
      "__device__ int takes(F f) { return f(1); }",
      "int of_host(int x) { return x; }",
      "int variable = 3;",
  };
  const Words taken = {
      "__host__ __device__ int t0(int x) { return of_host(x); }",
      "template <class T> __host__ __device__ int t1(T f) { return f(1) + takes(f); }",
      "template <class T> struct T2 { T f; __host__ __device__ int call(int x) { return f(x); } };",
      "int uses() { T2<F> w; return t1(F{}) + w.call(1); }",
      "__host__ __device__ float t3(float x) { return rsqrtf(x) + __half2float(__float2half(x)); }",
      "inline __host__ __device__ int t4() { return variable; }",
      "__host__ __device__ int t5(int x) { return sizeof(of_device(x)); }",
      "__host__ __device__ int t6(int x) { NV_IF_TARGET(NV_IS_DEVICE, (x = of_device(x);)) return "
      "x; }",
      "__host__ __device__ int t7(int x) { return x + min(x, 3); }",
  };
  const Words refused = {
      "__host__ __device__ int r0(int x) { return of_device(x); }",
      "__host__ __device__ void r1(int* p) { atomicAdd(p, 1); }",
      "__host__ __device__ int r2(const int* p) { return __ldg(p); }",
      "inline __host__ __device__ int r3(int p) { return __popc(p) + __shfl_sync(~0u, p, 1); }",
      "__host__ __device__ float r4(float x) { return __fdividef(x, 2) + __expf(x); }",
      "template <class T> __host__ __device__ int r5(T) { return of_device(1); } int r5_of() { "
      "return "
      "r5(1); }",
      "struct R6 { __host__ __device__ int f(int x) { return of_device(x); } };",
      "template <class T> struct R7 { __host__ __device__ int f(T) { F f; return f(1); } }; int "
      "r7_of() "
      "{ R7<int> r; return r.f(1); }",
      "void r8() { auto l = [=] __host__ __device__(int x) { return of_device(x); }; l(1); }",
      "__host__ __device__ constexpr int r9(int x) { return x > 3 ? of_device(x) : 1; }",
      "__host__ __device__ void r10() { __syncthreads(); }",
      "__host__ __device__ long long r11() { return clock64(); }",
      "__half r12(__half h) { return hexp(h); }",
      "void r13() { cooperative_groups::this_thread_block().sync(); }",
      "double r14(double x) { return norm3d(x, x, x); }",
  };
  const Words flags = {"-std=c++17", "--extended-lambda"};
  check_lines(before, {}, taken, flags);
  check_lines(before, refused, taken, flags);
  const Words used_on_device = {
      "__host__ __device__ int r0() { return variable; }",
      "inline __host__ __device__ int f1() { return variable; } __global__ void r1(int* p) { *p = "
      "f1(); }",
      "inline __host__ __device__ int f2() { return variable; } int r3() { return f2(); }",
      "__host__ __device__ void r2(int x) { if (x) throw x; }",
  };
  for (const std::string& line : used_on_device) check_lines(before, {line}, taken, flags);
  const std::string guarded =
      "__host__ __device__ int f(int x) {\n#ifdef __CUDA_ARCH__\n  return of_device(x);\n#else\n  "
      "return of_host(x);\n#endif\n}\n";
  CHECK(compile(text_of(before) + guarded, flags).status == 0);
}
