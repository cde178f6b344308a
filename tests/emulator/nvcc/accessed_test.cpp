/// Tests what the rewriter records for the profile: expressions at positions, and functions' lines.
#include <doctest/doctest.h>

#include <algorithm>
#include <sstream>
#include <string>
#include <vector>

#include "rewriter.hpp"

namespace {

using emulator_nvcc::rewrite;

/// Returns the records in the rewritten text, one per line.
std::vector<std::string> records(const std::string& source) {
  const auto result = rewrite(source, {"a.cu", false, "/folder", "/cuda/include"});
  REQUIRE(result.errors.empty());
  std::vector<std::string> found;
  std::istringstream lines(result.records);
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with("\"")) continue;
    std::string text;
    for (std::size_t i = 1; i < line.size() && line[i] != '"'; ++i) {
      if (line[i] == '\\' && line[i + 1] == 'n') break;
      text += line[i] == '\\' ? line[++i] : line[i];
    }
    found.push_back(text);
  }
  return found;
}

/// Returns the recorded expression of a load (`l`) or store (`s`) at line:column.
std::string recorded(const std::string& source, int line, std::size_t column, char kind) {
  const std::string place = std::to_string(line) + ':' + std::to_string(column) + ' ';
  for (const std::string& one : records(source)) {
    if (!one.starts_with(place)) continue;
    if (one[place.size()] == kind || one[place.size()] == 'a') return one.substr(place.size() + 2);
  }
  return {};
}

/// Returns the expression at the first `|` of a line of device code; the `|` is removed first.
std::string expression(std::string line, char kind = 'l') {
  const std::size_t at = line.find('|');
  line.erase(at, 1);
  return recorded("__device__ void f() {\n" + line + "\n}\n", 2, at + 1, kind);
}

std::string stored(const std::string& line) { return expression(line, 's'); }

bool contains(const std::vector<std::string>& all, const std::string& one) {
  return std::find(all.begin(), all.end(), one) != all.end();
}

}  // namespace

TEST_CASE("the expression that an access is about") {
  CHECK(expression("  sum += A[row * k + p|] * B[p * n + col];") == "A[row * k + p]");
  CHECK(expression("  sum += A[row * k + p] * B[p * n + col|];") == "B[p * n + col]");
  CHECK(expression("  y = (a + b) * in[i|];") == "in[i]");
  CHECK(expression("  x = tile[threadIdx.x]|[0] + 1;") == "tile[threadIdx.x][0]");
  CHECK(stored("  out[at(i, j)] |= in[i];") == "out[at(i, j)]");
  CHECK(stored("  out[i] |+= in[i];") == "out[i]");
  CHECK(stored("  out[i] |<<= in[i];") == "out[i]");
  CHECK(stored("  if (lane == 0) out[i] |= in[i];") == "out[i]");
  CHECK(stored("  *out |= 1;") == "*out");
  CHECK(stored("  *out++ |= 1;") == "*out++");
  CHECK(stored("  for (;;) *out |= 1;") == "*out");
  CHECK(stored("  (p + 1)->x |= 1;") == "(p + 1)->x");
  CHECK(expression("  y = a * out[i|];") == "out[i]");
  CHECK(expression("  y = points[i].|x + 1;") == "points[i].x");
  CHECK(expression("  y = points->where->|x;") == "points->where->x");
  CHECK(expression("  y = this->|x;") == "this->x");
  CHECK(expression("  y = beta * |result;") == "result");
  CHECK(expression("  first = atomicAdd|(&counters[key], __popc(mask));", 's') ==
        "atomicAdd(&counters[key], __popc(mask))");
  CHECK(expression("  y = __shfl_sync|(mask, in[i], lane / 2);") == "in[i]");
  CHECK(expression("  y = __ldg|(&in[i]);") == "in[i]");
  CHECK(expression("  y = __ldg|(in + i);") == "__ldg(in + i)");
  CHECK(expression("  y = fma|(a[i], b[i], c);") == "fma(a[i], b[i], c)");
  CHECK(expression("  y = f|(g(x), c);") == "f(g(x), c)");
  CHECK(expression("  int sum = i < n |? in[i] : 0;") == "in[i]");
  CHECK(expression("  return row < n |? element(in, row) : 0;") == "element(in, row)");
  CHECK(expression("  int |sum = in[i];") == "in[i]");
  CHECK(expression("  int |sum = 2 * in[i];") == "in[i]");
  CHECK(expression("  int |sum = *in;") == "*in");
  CHECK(expression("  int |sum = (*in).x;") == "(*in).x");
  CHECK(expression("  sum |= in[i];") == "in[i]");
  CHECK(expression("  const float |x = data[tile].x[slot];") == "data[tile].x[slot]");
  CHECK(expression("  const float4 |a = *reinterpret_cast<const float4*>(&A[k]);") ==
        "*reinterpret_cast<const float4*>(&A[k])");
  CHECK(expression("  return *reinterpret_cast<const float4*>(shared|);") ==
        "*reinterpret_cast<const float4*>(shared)");
  CHECK(stored("  *reinterpret_cast<float4*>(C + i) |= c;") == "*reinterpret_cast<float4*>(C + i)");
  CHECK(stored("  reinterpret_cast<float4*>(C)[i|] = c;") == "reinterpret_cast<float4*>(C)[i]");
  CHECK(stored("  out[i] = make_float4(a.x, f(a.y)|);") == "out[i]");
  CHECK(stored("  out[i] = float4{a.x, f(a.y)|};") == "out[i]");
  CHECK(expression("  y = |*p + 1;") == "*p");
  CHECK(expression("  y = x * |*(p + 1);") == "*(p + 1)");
  CHECK(stored("  |++n[i];") == "n[i]");
  CHECK(expression("  n[i]|--;") == "n[i]");
  CHECK(expression("  as_float4(a) |= as_float4(tile[p]);") == "as_float4(tile[p])");
  CHECK(expression("  |as_float4(a) = as_float4(tile[p]);") == "as_float4(tile[p])");
  CHECK(stored("  |as_float4(a) = as_float4(tile[p]);") == "as_float4(a)");
}

TEST_CASE("no expression rather than a wrong one") {
  CHECK(expression("  int sum = i < n |? in[i] : other[i];") == "");
  CHECK(expression("  int sum = i < n |? in[i] : *other;") == "");
  CHECK(expression("  int sum = i < n |? in[i] : f(other);") == "");
  CHECK(expression("  out[i] |+= in[i];") == "");  // either of the two
  CHECK(stored("  int |sum = in[i];") == "");
  CHECK(stored("  y = f(in[i]) + g(in[i]|);") == "");
  CHECK(expression("  float4 |a = *reinterpret_cast<const float4*>(&A[k]) + b[k];") == "");
  CHECK(expression("  P |p = P{in[i]};") == "");
  CHECK(expression("  if (a[i] |== b[i]) return;") == "");
  CHECK(expression("  y = x |+ 1;") == "");
  CHECK(expression("  y = x |* p;") == "");
  CHECK(expression("  y = x|;") == "");
  CHECK(expression("  y = lo|ng_name;") == "");
  CHECK(expression("  |auto f = [=](int i) { return i; };") == "");
  CHECK(expression("  auto f = |[=](int i) { return i; };") == "");
  CHECK(expression("  y = |(a + b) * c;") == "");
  CHECK(expression("  |return;") == "");
}

TEST_CASE("places are the compiled text's, expressions what the preprocessor left") {
  // Inserted text moves the columns after it.
  const std::string kernel = "__global__ void k(int* p) { p[0] = p[1]; }\n";
  const std::string text = rewrite(kernel).text;
  const std::string line = text.substr(0, text.find('\n'));
  CHECK(recorded(kernel, 1, line.find("= p[1]") + 1, 's') == "p[0]");
  CHECK(recorded(kernel, 1, line.rfind("];") + 1, 'l') == "p[1]");
  // A loop's iterations are reported on separate lines, and the loop stays where it is.
  const std::string loop =
      "__device__ void f(int* p) {\n  int x; for (int i = 0; i < p[i] && x; ++i) x = p[2];\n}\n";
  REQUIRE(rewrite(loop).text.find("emu_rounds_") != std::string::npos);
  const std::size_t line_2 = loop.find('\n');
  CHECK(recorded(loop, 2, loop.find("] &&") - line_2, 'l') == "p[i]");
  CHECK(recorded(loop, 2, loop.find("];") - line_2, 'l') == "p[2]");
  // An expression over several lines has single blanks.
  const std::string two = "__device__ void f(int* p) {\n  *p = p[1 +\n      2];\n}\n";
  CHECK(recorded(two, 3, 8, 'l') == "p[1 + 2]");
  // Names and quotation marks are preserved.
  const std::string quoted = "__device__ void f(int* p) {\n  p[at(\"a\\\\b\", '\"')] = 1;\n}\n";
  CHECK(recorded(quoted, 2, quoted.find("= 1") - quoted.find('\n'), 's') ==
        "p[at(\"a\\\\b\", '\"')]");
}

TEST_CASE("device code only, file by file, with the lines of its functions") {
  const std::vector<std::string> all = records(
      "void host(int* p) { p[0] = 1; }\n"
      "template <class T>\n"
      "__device__ T\n"
      "twice(T* p) {\n"
      "  return 2 * p[0];\n"
      "}\n"
      "# 7 \"b.cuh\" 1\n"
      "constexpr int plain(const int* p) { return p[0]; }\n"
      "# 1 \"/usr/include/c.h\" 1 3\n"
      "__device__ inline void of_system(int* p) { p[0] = 1; }\n"
      "# 9 \"a.cu\" 2\n"
      "struct S { int* p; __device__ void set() { p[0] = 1; } };\n"
      "__device__ void declared(int*);\n");
  REQUIRE(all.size() > 3);
  CHECK(all[0] == "D /folder");
  CHECK(all[1] == "H /cuda/include");
  CHECK(all[2] == "F a.cu");
  CHECK(all[3] == "R 2 6");
  CHECK(contains(all, "5:17 a p[0]"));
  CHECK(contains(all, "F b.cuh"));
  CHECK(contains(all, "R 7 7"));
  CHECK(contains(all, "7:47 a p[0]"));
  CHECK(contains(all, "R 9 9"));
  CHECK(std::count(all.begin(), all.end(), "F a.cu") == 2);
  CHECK_FALSE(contains(all, "F /usr/include/c.h"));
  CHECK(std::count_if(all.begin(), all.end(),
                      [](const std::string& one) { return one.starts_with("1:"); }) == 0);
  CHECK(records("int main() { int a[2]; a[0] = 1; }\n").empty());
  CHECK(records("__device__ void cut_off(int* p) { p[0] = 1;\n").empty());
}
