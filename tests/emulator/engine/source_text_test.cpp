#include "source_text.hpp"

#include <doctest/doctest.h>

#include "tools/support/subprocess.hpp"

using namespace emu;

namespace {

/// The expression at the first `|` of a line, which is taken out before.
std::string expression(std::string line, AccessKind kind = AccessKind::load,
                       const std::set<std::string>& macros = {}) {
  const std::size_t at = line.find('|');
  line.erase(at, 1);
  return expression_at(line, static_cast<int>(at) + 1, kind, macros);
}

std::string stored(const std::string& line) { return expression(line, AccessKind::store); }

}  // namespace

TEST_CASE("a source's lines: without line ends, printable whatever the file holds") {
  const tools::TemporaryFolder folder;
  const std::string bad = "\xef\xbf\xbd";
  const auto file = folder.write(
      "a.cu",
      "one\r\n\ttwo \xc3\xa4 \xe2\x82\xac \xf0\x9f\x98\x80\n\nfo\x01ur\xff \xc3(\xed\xa0\x80");
  const auto lines = read_source(file.string());
  REQUIRE(lines.has_value());
  CHECK(*lines == SourceLines{"one", "\ttwo \xc3\xa4 \xe2\x82\xac \xf0\x9f\x98\x80", "",
                              "fo" + bad + "ur" + bad + " " + bad + "(" + bad + bad + bad});
  CHECK_FALSE(read_source((folder.path() / "none.cu").string()).has_value());
  CHECK_FALSE(read_source(folder.path().string()).has_value());
}

TEST_CASE("a function goes from its template header to the brace that closes it") {
  const SourceLines lines = {
      /*  1 */ "/// Copies.",
      /*  2 */ "template <class T>",
      /*  3 */ "__global__ void",
      /*  4 */ "copy(int n = int{1},  // {",
      /*  5 */ "     const T* in) {",
      /*  6 */ "  const char* text = \"}\\\"}\";  /* } */",
      /*  7 */ "  if (n > 1'000) { in[0] = '}'; }",
      /*  8 */ "  /* }",
      /*  9 */ "   } */",
      /* 10 */ "}",
      /* 11 */ "",
      /* 12 */ "__device__ float later(float x);",
      /* 13 */ "__device__ float one(float x) { return x; }",
      /* 14 */ "#define OPEN {",
      /* 15 */ "__device__ int last() {",
  };
  CHECK(function_range(lines, 4) == LineRange{2, 10});
  CHECK(function_range(lines, 12) == LineRange{12, 12});
  CHECK(function_range(lines, 13) == LineRange{13, 13});
  CHECK(function_range(lines, 15) == LineRange{15, 15});  // never closed
  CHECK(function_range(lines, 99) == LineRange{99, 99});  // another file than was compiled
  CHECK(function_range(lines, 0) == LineRange{0, 0});
}

TEST_CASE("the expression that an access is about") {
  CHECK(expression("  sum += A[row * k + p|] * B[p * n + col];") == "A[row * k + p]");
  CHECK(expression("  sum += A[row * k + p] * B[p * n + col|];") == "B[p * n + col]");
  CHECK(expression("  y = (a + b) * in[i|];") == "in[i]");
  CHECK(expression("  x = tile[threadIdx.x]|[0] + 1;") == "tile[threadIdx.x][0]");
  CHECK(stored("  out[at(i, j)] |= in[i];") == "out[at(i, j)]");
  CHECK(stored("  out[i] |+= in[i];") == "out[i]");
  CHECK(stored("  if (lane == 0) out[i] |= in[i];") == "out[i]");
  CHECK(stored("  *out |= 1;") == "*out");
  CHECK(stored("  for (;;) *out |= 1;") == "*out");
  CHECK(expression("  y = a * out[i|];") == "out[i]");
  CHECK(expression("  y = points[i].|x + 1;") == "points[i].x");
  CHECK(expression("  y = points->where->|x;") == "points->where->x");
  CHECK(expression("  y = beta * |result;") == "result");
  CHECK(expression("  first = atomicAdd|(&counters[key], __popc(mask));", AccessKind::atomic) ==
        "atomicAdd(&counters[key], __popc(mask))");
  CHECK(expression("  y = __shfl_sync|(mask, in[i], lane / 2);") == "in[i]");
  CHECK(expression("  y = __ldg|(&in[i]);") == "in[i]");
  CHECK(expression("  y = __ldg|(in + i);") == "__ldg(in + i)");
  CHECK(expression("  y = fma|(a[i], b[i], c);") == "fma(a[i], b[i], c)");
  CHECK(expression("  int sum = i < n |? in[i] : 0;") == "in[i]");
  CHECK(expression("  int |sum = in[i];") == "in[i]");
  CHECK(expression("  sum |= in[i];") == "in[i]");
  CHECK(expression("  const float |x = data[tile].x[slot];") == "data[tile].x[slot]");
  CHECK(expression("  const float4 |a = *reinterpret_cast<const float4*>(&A[k]);") ==
        "*reinterpret_cast<const float4*>(&A[k])");
  CHECK(stored("  *reinterpret_cast<float4*>(C + i) |= c;") == "*reinterpret_cast<float4*>(C + i)");
  CHECK(stored("  out[i] = make_float4(a.x, f(a.y)|);") == "out[i]");
}

TEST_CASE("no expression rather than a wrong one") {
  CHECK(expression("  int sum = i < n |? in[i] : other[i];") == "");
  CHECK(expression("  int sum = i < n |? in[i] : *other;") == "");
  CHECK(expression("  out[i] |+= in[i];") == "");  // of the one or of the other
  CHECK(stored("  int |sum = in[i];") == "");
  CHECK(stored("  y = f(in[i]) + g(in[i]|);") == "");
  CHECK(expression("  float4 |a = *reinterpret_cast<const float4*>(&A[k]) + b[k];") == "");
  CHECK(expression("  if (a[i] |== b[i]) return;") == "");
  CHECK(expression("  y = x |+ 1;") == "");
  CHECK(expression("  y = x|;") == "");
  CHECK(expression("  y = lo|ng_name;") == "");
  CHECK(expression("  i + 1|];") == "");  // begins in the line above
  CHECK(expression("  y = in|[i +") == "");
  CHECK(expression("|") == "");
  CHECK(expression_at("  y = in[i];", 0, AccessKind::load, {}) == "");
  CHECK(expression_at("  y = in[i];", 99, AccessKind::load, {}) == "");
}

TEST_CASE("columns are the preprocessed line's: one space between words, and no macro") {
  CHECK(expression_at("  y     = in[i];", 11, AccessKind::load, {}) == "in[i]");
  CHECK(expression_at("\ty \t = in[i];", 10, AccessKind::load, {}) == "in[i]");
  CHECK(expression("  y[TILE * i] = in[i|];") == "in[i]");
  CHECK(expression("  y[TILE * i] = in[i|];", AccessKind::load, {"TILE"}) == "");
  CHECK(expression("  y = in[i|] * TILE;", AccessKind::load, {"TILE"}) ==
        "in[i]");  // behind it nothing has moved
  CHECK(expression("  y /* to */ = in[i|];") == "");
  CHECK(expression("  auto f = [=] __device__(int i) { return in[i|]; };") == "");
}

TEST_CASE("words that the preprocessor may replace") {
  const SourceLines lines = {
      "#define TILE 16",
      "#  define square(x) ((x) * (x))",
      "template <int BM, int BN>",
      "constexpr int K = 3, TM = 8;",
      "return WIDTH + BM + kRows + K;",
  };
  CHECK(possible_macros(lines) == std::set<std::string>{"TILE", "square", "TM", "WIDTH"});
}
