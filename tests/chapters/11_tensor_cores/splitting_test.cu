/// Tests the splitting pass: its output, its decisions and its costs.

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <limits>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "course/backend.hpp"
#include "course/divide_up.hpp"
#include "inputs.hpp"
#include "tensor_ladder.hpp"

namespace tensor_test {
namespace {

/// The contents of a step's workspace.
struct Split {
  std::vector<float> workspace;
  split::Parts parts;  ///< copied to the host
};

Split split_by(const Step& step, const SgemmProblem& problem,
               const sgemm_test::Layout& layout = {}) {
  Split result;
  sgemm_test::run(step, problem, layout, {.workspace = &result.workspace});
  CHECK(is_zero_again(result.workspace, problem.size));
  const auto& [m, n, k] = problem.size;
  Sgemm s{};
  s.m = m;
  s.n = n;
  s.k = k;
  s.workspace = result.workspace.data();
  result.parts = split::parts_of(s);
  return result;
}

/// Returns the sum of an element's two parts.
double sum_of_parts(split::Halves, const unsigned char* row, int p) {
  constexpr int kSpan = split::Halves::kSpan;
  const unsigned char* const span = row + p / kSpan * split::kSpanBytes;
  __half high, low;
  std::memcpy(&high, span + p % kSpan * sizeof(high), sizeof(high));
  std::memcpy(&low, span + split::kSpanBytes / 2 + p % kSpan * sizeof(low), sizeof(low));
  return double(__half2float(high)) + __half2float(low);
}
double sum_of_parts(split::Tf32s, const unsigned char* row, int p) {
  constexpr int kSpan = split::Tf32s::kSpan;
  const unsigned char* const span = row + p / kSpan * split::kSpanBytes;
  float high, low;
  std::memcpy(&high, span + p % kSpan * sizeof(high), sizeof(high));
  std::memcpy(&low, span + split::kSpanBytes / 2 + p % kSpan * sizeof(low), sizeof(low));
  return double(high) + low;
}

/// Compares parts with their matrix, [rows, k].
template <typename Type>
void check_parts(const std::vector<float>& matrix, int rows, int k, const unsigned char* parts,
                 const int* exponents) {
  const int spans = split::spans<Type>(k);
  int wrong = 0;
  for (int row = 0; row < rows; ++row) {
    CAPTURE(row);
    const float* const x = matrix.data() + std::size_t(row) * k;
    float largest = 0.0f;
    for (int p = 0; p < k; ++p) largest = std::max(largest, std::abs(x[p]));
    const bool is_divided = Type::kVerdict == split::kHalves && largest != 0.0f;
    const int exponent = is_divided ? std::ilogb(largest) - split::kHighestExponent : 0;
    CHECK(exponents[row] == exponent);
    const unsigned char* const of_row = parts + std::size_t(row) * spans * split::kSpanBytes;
    for (int p = 0; p < spans * Type::kSpan; ++p) {
      const double divided = p < k ? std::ldexp(double(x[p]), -exponent) : 0.0;
      const double error = std::abs(sum_of_parts(Type{}, of_row, p) - divided);
      // 22 bits of the element, or half of the last bit of a small half, relative to at least 2^14
      const double lost = Type::kVerdict == split::kHalves ? 0x1p-25 : 0.0;
      const double tolerated = std::max(std::ldexp(std::abs(divided), -22), lost);
      wrong += !(error <= tolerated);
    }
  }
  CHECK(wrong == 0);
}

template <typename Type>
void check_split(const Split& split, const SgemmProblem& problem) {
  const auto& [m, n, k] = problem.size;
  check_parts<Type>(problem.a, m, k, split.parts.a, split.parts.exponent_a);
  check_parts<Type>(course_test::transposed(problem.b, k, n), n, k, split.parts.b,
                    split.parts.exponent_b);
}

/// Fills `m`, [rows, k], with numbers of all magnitudes; the first row is zeros.
void make_extreme(std::vector<float>& m, int rows, int k) {
  static constexpr int kExponents[] = {0, -149, -130, -126, -100, 0, 100, 126, 127};
  for (int row = 0; row < rows; ++row)
    for (int p = 0; p < k; ++p) {
      float& x = m[std::size_t(row) * k + p];
      x = row == 0 ? 0.0f : std::ldexp(x, kExponents[row % std::size(kExponents)]);
      if (row % 4 == 3 && p != k - 1) x = std::ldexp(x, -20);  // all but one element are small
    }
}

/// Returns a problem in which `small` elements of each row of A and column of B are 2^-6 of the
/// others.
SgemmProblem with_small_ones(int k, int small_a, int small_b) {
  SgemmProblem problem = course::make_sgemm_problem({20, 70, k}, /*seed=*/8);
  const auto& [m, n, unused] = problem.size;
  for (std::size_t i = 0; i < problem.a.size(); ++i)
    problem.a[i] = int(i % k) < small_a ? 0x1p-6f : 1.0f;
  for (std::size_t i = 0; i < problem.b.size(); ++i)
    problem.b[i] = int(i / n) < small_b ? 0x1p-6f : 1.0f;
  return problem;
}

}  // namespace

TEST_CASE("the parts of an element are it, to 22 bits or to what is small beside the largest") {
  const Step one = step("three_products");
  if (!is_tested(one)) return;
  for (const SgemmSize& size : {SgemmSize{33, 70, 101}, {5, 3, 64}, {9, 130, 33}, {2, 65, 300}}) {
    CAPTURE(size);
    SgemmProblem problem = course::make_sgemm_problem(size, /*seed=*/8);
    check_split<split::Halves>(split_by(one, problem), problem);
    make_extreme(problem.a, size.m, size.k);
    std::vector<float> columns = course_test::transposed(problem.b, size.k, size.n);
    make_extreme(columns, size.n, size.k);
    problem.b = course_test::transposed(columns, size.n, size.k);
    check_split<split::Halves>(split_by(one, problem, {.gap = 3, .offset = 1}), problem);
  }
}

TEST_CASE("a second pass splits into tf32 what halves cannot hold") {
  const Step one = step("any_input");
  if (!is_tested(one)) return;
  for (const SgemmSize& size : {SgemmSize{33, 70, 101}, {2, 65, 140}}) {
    const SgemmProblem problem = inputs::make(inputs::Kind::opposed, size, /*seed=*/8);
    const Split split = split_by(one, problem);
    CHECK(*split.parts.verdict == split::kTf32s);
    CHECK(*split.parts.second_verdict == split::kTf32s);
    check_split<split::Tf32s>(split, problem);
  }
}

TEST_CASE("tf32 holds what lies between 2^-112 and 2^127, and zero") {
  const Step one = step("any_input");
  if (!is_tested(one)) return;
  struct Case {
    float x;
    bool fails;
  };
  for (const auto& [x, fails] :
       {Case{0x1p-112f, false}, Case{0x1.fffffep-113f, true}, Case{0x1p-149f, true},
        Case{-0x1.fffffep126f, false}, Case{-0x1p127f, true}, Case{0.0f, false}})
    for (const bool in_a : {true, false}) {
      CAPTURE(x);
      CAPTURE(in_a);
      SgemmProblem problem = inputs::make(inputs::Kind::opposed, {70, 70, 140}, /*seed=*/8);
      std::vector<float>& matrix = in_a ? problem.a : problem.b;
      matrix[matrix.size() - 3] = x;
      const Split split = split_by(one, problem);
      CHECK(*split.parts.verdict == split::kTf32s);
      CHECK(*split.parts.second_verdict == (fails ? split::kFfma : split::kTf32s));
      if (!fails) check_split<split::Tf32s>(split, problem);
    }
}

TEST_CASE("halves multiply what they can hold, tf32 the rest, FFMA infinities and NaN") {
  const Step one = step("three_products");
  if (!is_tested(one)) return;
  using inputs::Kind;
  for (const inputs::Name& kind : inputs::kAll) {
    CAPTURE(kind.name);
    const SgemmProblem problem = inputs::make(kind.kind, {40, 50, 128}, /*seed=*/8);
    const bool fits = kind.kind < Kind::elements;
    const Split split = split_by(one, problem);
    CHECK(*split.parts.verdict == (fits ? split::kHalves : split::kTf32s));
    CHECK(*split.parts.second_verdict == *split.parts.verdict);
  }
  for (const float x : {INFINITY, -INFINITY, NAN})
    for (const bool in_a : {true, false}) {
      SgemmProblem problem = course::make_sgemm_problem({40, 70, 72}, /*seed=*/8);
      std::vector<float>& matrix = in_a ? problem.a : problem.b;
      matrix[matrix.size() - 3] = x;
      CHECK(*split_by(one, problem).parts.verdict == split::kFfma);
    }
}

TEST_CASE("halves multiply while an eighth of all products has no small factor") {
  const Step one = step("three_products");
  if (!is_tested(one)) return;
  struct Case {
    int k, small_a, small_b;
    split::Verdict verdict;
  };
  for (const auto& [k, small_a, small_b, verdict] :
       {Case{64, 56, 0, split::kHalves}, Case{64, 57, 0, split::kTf32s},
        Case{64, 0, 56, split::kHalves}, Case{64, 0, 57, split::kTf32s},
        Case{64, 28, 28, split::kHalves}, Case{64, 28, 29, split::kTf32s},
        Case{136, 19, 100, split::kHalves}, Case{136, 20, 100, split::kTf32s},
        Case{67, 58, 0, split::kHalves}, Case{67, 0, 58, split::kHalves}}) {
    CAPTURE(k);
    CAPTURE(small_a);
    CAPTURE(small_b);
    CHECK(*split_by(one, with_small_ones(k, small_a, small_b)).parts.verdict == verdict);
  }
}

TEST_CASE("a row of zeros has no small elements") {
  const Step one = step("three_products");
  if (!is_tested(one)) return;
  SgemmProblem problem = with_small_ones(64, 0, 0);
  std::fill_n(problem.a.begin() + 64, 64, 0.0f);
  for (int p = 0; p < 64; ++p) problem.b[p * problem.size.n + 5] = 0.0f;
  CHECK(*split_by(one, problem).parts.verdict == split::kHalves);
}

TEST_CASE("the splitting kernels cost what their documentation says") {
  if (!course::backend().reports_counters) return;
  constexpr SgemmSize kSize = {128, 256, 128};
  const SgemmProblem problem = course::make_sgemm_problem(kSize, /*seed=*/8);
  const course::DeviceBuffer<float> a(problem.a, "A"), b(problem.b, "B");
  Sgemm s = {.m = kSize.m,
             .n = kSize.n,
             .k = kSize.k,
             .alpha = 1.0f,
             .A = a.data(),
             .lda = kSize.k,
             .B = b.data(),
             .ldb = kSize.n,
             .beta = 0.0f,
             .C = nullptr,
             .ldc = kSize.n};
  course::DeviceBuffer<float> workspace(std::vector<float>(split::workspace_floats(s)),
                                        "workspace");
  s.workspace = workspace.data();
  const split::Parts parts = split::parts_of(s);
  const auto expectations = sgemm_test::expectations_of("11_tensor_cores/steps/split");
  const auto check = [&](const std::string& kernel, const auto& launch) {
    std::vector<sgemm_test::Expectation> of_kernel;
    for (const auto& one : expectations)
      if (one.kernel == kernel) of_kernel.push_back(one);
    CHECK(of_kernel.size() >= 2);
    const auto counted = course::count(launch);
    if (!counted) return;
    sgemm_test::check_counters(
        of_kernel, {{"m", kSize.m}, {"n", kSize.n}, {"k", kSize.k}},
        [&](const std::string& name) { return course::counter(*counted, name).value(); });
  };
  constexpr int kStrips = kSize.n / split::kStripCols * (kSize.k / split::kStripRows);
  check("split_rows", [&] {
    split::split_rows<<<kSize.m + kStrips, split::kThreads>>>(s.m, s.n, s.k, s.A, s.lda, s.B, s.ldb,
                                                              parts);
  });
  check("split_columns", [&] {
    split::split_columns<<<dim3(kSize.n / split::kBlockN, kSize.k / split::kBlockK),
                           split::kThreads>>>(s.n, s.k, s.B, s.ldb, parts);
  });
}

}  // namespace tensor_test
