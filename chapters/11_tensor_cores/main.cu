/// Tensor cores multiply short numbers. Can they multiply floats as accurately as FFMA do?

#include <algorithm>
#include <climits>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "../09_sgemm/bench.hpp"
#include "course/backend.hpp"
#include "course/program.hpp"
#include "course/sgemm_check.hpp"
#include "digest.hpp"
#include "eight_bit_matrices.hpp"
#include "eight_bit_steps.hpp"
#include "gemm_steps.hpp"
#include "inputs.hpp"
#include "short_matrices.hpp"
#include "tensor_steps.hpp"
#include "three_calls.cuh"
#include "tolerances.hpp"

namespace {

constexpr std::size_t kMostInDigest = 1 << 20;
constexpr int kMostOfASide = 1 << 30;  // a tile more still fits into an int

constexpr int kShortMultiple = 8;       // numbers of 16 bits in 16 bytes
constexpr int kEightBitMultiple = 16;   // numbers of 8 bits there
constexpr int kMostOfEightBits = 8192;  // the host rounds larger squares for minutes

/// Products of large language models: tokens of a batch by outputs by inputs of a layer.
constexpr course::SgemmSize kLayers[] = {
    {512, 4096, 4096},  {512, 12288, 4096},  {512, 22016, 4096},  {512, 4096, 11008},
    {1024, 4096, 4096}, {1024, 14336, 4096}, {1024, 4096, 14336}, {1024, 28672, 8192},
    {2048, 2560, 2560}, {2048, 10240, 2560}, {2048, 6144, 4096},  {2048, 28672, 4096},
    {4096, 3072, 768},  {4096, 768, 3072},   {4096, 4096, 4096},  {4096, 11008, 4096},
    {4096, 8192, 8192}, {8192, 10240, 8192}, {8192, 5120, 13824}, {16384, 4096, 1024}};

/// m, n, k of matrices for which tensor cores are sometimes faster, and sometimes FFMA.
const std::vector<int> kShapes = {
    128,  128,  128,    256,   256,  256,   512,  512,  512,   768,  768,   768,  1024, 1024,
    1024, 1536, 1536,   1536,  2048, 2048,  2048, 4096, 4096,  4096, 8192,  8192, 8192,  //
    64,   4096, 4096,   4096,  64,   4096,  256,  4096, 4096,  1,    4096,  4096, 16,   11008,
    4096,  //
    32,   32,   100000, 256,   256,  32768, 1024, 1024, 16384, 4096, 4096,  16,   4096, 4096,
    64,  //
    4096, 4096, 256,    20000, 128,  128,   2039, 2039, 2039,  1001, 1003,  1007, 617,  873,
    80,  //
    3001, 2999, 21,     4099,  65,   257,   7682, 3878, 2680,  1374, 16255, 5394};

constexpr std::string_view kUnpromoted = "large_tile";  // the last step whose sums are cut off

constexpr std::string_view kShortSums = "short_sums";  // 14 bits a sum, and nothing is promoted

/// How far a product of 8-bit floats may be off. Rounding to 8 bits costs 2^-9 of an element; a
/// tensor core that adds up all k in 14 bits may cut off far more where no term is negative.
course::Comparison check_eight_bits(const course::SgemmProblem& problem, inputs::Kind kind,
                                    bool has_short_sums, const std::vector<float>& result) {
  const int k = problem.size.k;
  if (kind != inputs::Kind::positive) {
    // Elements of C have a spread of sqrt(k) / 3.
    course::SgemmProblem tolerant = problem;
    tolerant.tolerance_factor =
        (has_short_sums ? 0x1p-6 : 0x1p-7) * std::sqrt(k) / course::sgemm_tolerance(k).absolute;
    return course::check_sgemm(tolerant, result);
  }
  course::Comparison comparison;
  comparison.compared = result.size();
  comparison.max_error = course::sgemm_error(problem, result).frobenius;
  if (!(comparison.max_error <= 0x1p-8 + (has_short_sums ? k * 0x1p-15 : 0.0)))
    comparison.failure = " is off by more than short sums explain";
  return comparison;
}

/// A step at some size.
struct Case {
  Step step;
  Choice choice;
};

/// A step, and matrices of some kind.
struct ErrorCase {
  Step step;
  inputs::Name kind;
  int size;
};

/// Shows the error of C by three measures. @return the largest, in roundings
double report_error(course::Run& run, const std::vector<float>& c,
                    const course::SgemmProblem& problem) {
  const course::SgemmError error = course::sgemm_error(problem, c);
  run.parameters({{"error", error.frobenius},
                  {"largest_error", error.largest},
                  {"roundings", error.roundings}});
  return error.roundings;
}

/// Multiplies random matrices with one step, beside the vendor's library.
void run_step(course::Run& run, Bench& bench, const Step& step, const Choice& choice) {
  course::SgemmProblem problem = bench.problem(choice, run.seed());
  problem.tolerance_factor = step.tolerance_factor;
  const auto* c = launch_step(run, bench, step, problem);
  if (c == nullptr) return;
  run.verify_sgemm(*c, problem);
  report_error(run, c->to_host(), problem);
  if (c->size() <= kMostInDigest) run.parameter("digest", digest_of(c->to_host()));
}

/// A step that multiplies matrices of bfloat16, at some size.
struct ShortCase {
  GemmStep step;
  course::SgemmSize size;
};

/// Random matrices of bfloat16; those of the last run again where they are the same.
class ShortProblems {
 public:
  const short_matrices::Problem& of(const course::SgemmSize& size, std::uint64_t seed) {
    const auto& [m, n, k] = size;
    if (!problem_ || problem_->floats.size.m != m || problem_->floats.size.n != n ||
        problem_->floats.size.k != k || problem_->floats.seed != seed) {
      problem_.reset();
      problem_ = short_matrices::make(size, seed);
    }
    return *problem_;
  }

 private:
  std::optional<short_matrices::Problem> problem_;
};

/// Multiplies random matrices of bfloat16 with one step, beside the vendor's library.
void run_short(course::Run& run, Bench& bench, ShortProblems& problems, const ShortCase& one) {
  const auto& [m, n, k] = one.size;
  run.parameters({{"m", m}, {"n", n}, {"k", k}});
  if (n % kShortMultiple != 0 || k % kShortMultiple != 0) {
    run.skip("needs rows that begin on 16 bytes: n and k are multiples of 8");
    return;
  }
  if (const std::string lack = one.step.lack(); !lack.empty()) {
    run.skip(lack);
    return;
  }
  const short_matrices::Problem& problem = problems.of(one.size, run.seed());
  const auto& a = run.input("A", problem.a);
  const auto& b = run.input("B", problem.b);
  auto& c = run.output<__nv_bfloat16>("C", problem.floats.c.size());
  const Gemm gemm = {.m = m,
                     .n = n,
                     .k = k,
                     .A = a.data(),
                     .B = b.data(),
                     .C = c.data(),
                     .multiprocessors = course::current_device().multiprocessors};
  const double flops = one.size.flops(), bytes = sizeof(__nv_bfloat16);
  const auto by_library = [&](cudaStream_t stream) {
    bench.library(course::VendorSgemm::Math::tf32)(one.size, gemm.A, gemm.B, gemm.C, stream);
  };
  course::Run::Rival rival = {.parameter = "cublas_ms", .launch = {}};
  if (bench.has_vendor) rival.launch = by_library;
  run.launch_in_turn(
      {.read_bytes = bytes * (m != 0 && n != 0 ? 1.0 * m * k + 1.0 * k * n : 0.0),
       .written_bytes = bytes * m * n,
       .flops = flops,
       .tensor_flops = flops},
      [&](cudaStream_t stream) { one.step.launch(gemm, stream); }, rival);
  const std::vector<float> result = short_matrices::widened(c.to_host());
  run.verify("C", course::check_sgemm(problem.floats, result));
  report_error(run, result, problem.floats);
  if (result.size() <= kMostInDigest) run.parameter("digest", digest_of(result));
}

/// A step that multiplies matrices of 8-bit floats, at some size.
struct EightBitCase {
  EightBitStep step;
  course::SgemmSize size;
  inputs::Name kind;
};

/// Random matrices of 8-bit floats; those of the last run again where they are the same.
class EightBitProblems {
 public:
  const eight_bit_matrices::Problem& of(const EightBitCase& one, std::uint64_t seed) {
    using eight_bit_matrices::Scaling;
    const auto& [m, n, k] = one.size;
    const Scaling scaling = one.step.has_block_scales ? Scaling::blocks : Scaling::matrix;
    if (!problem_ || problem_->floats.size.m != m || problem_->floats.size.n != n ||
        problem_->floats.size.k != k || problem_->floats.seed != seed || scaling_ != scaling ||
        kind_ != one.kind.kind) {
      problem_.reset();
      problem_ = eight_bit_matrices::make(one.kind.kind, one.size, scaling, seed);
      scaling_ = scaling;
      kind_ = one.kind.kind;
    }
    return *problem_;
  }

 private:
  std::optional<eight_bit_matrices::Problem> problem_;
  eight_bit_matrices::Scaling scaling_{};
  inputs::Kind kind_{};
};

/// Multiplies random matrices of 8-bit floats with one step, beside the vendor's library, which
/// scales whole matrices only: where blocks have scales, it multiplies the same 8-bit floats.
void run_eight_bits(course::Run& run, Bench& bench, EightBitProblems& problems,
                    const EightBitCase& one) {
  const auto& [m, n, k] = one.size;
  run.parameters({{"m", m}, {"n", n}, {"k", k}});
  if (n % kShortMultiple != 0 || k % kEightBitMultiple != 0) {
    run.skip("needs rows that begin on 16 bytes: n is a multiple of 8, k one of 16");
    return;
  }
  if (const std::string lack = one.step.lack(); !lack.empty()) {
    run.skip(lack);
    return;
  }
  const eight_bit_matrices::Problem& problem = problems.of(one, run.seed());
  const course::SgemmProblem& floats = problem.floats;
  const auto& a = run.input("A", problem.a);
  const auto& b = run.input("B", problem.b);
  const auto& scale_a = run.input("the scales of A", problem.scale_a);
  const auto& scale_b = run.input("the scales of B", problem.scale_b);
  auto& c = run.output<__nv_bfloat16>("C", floats.c.size());
  const EightBitGemm gemm = {.m = m,
                             .n = n,
                             .k = k,
                             .A = a.data(),
                             .B = b.data(),
                             .scale_a = scale_a.data(),
                             .scale_b = scale_b.data(),
                             .C = c.data(),
                             .multiprocessors = course::current_device().multiprocessors};
  const auto by_library = [&](cudaStream_t stream) {
    bench.library(course::VendorSgemm::Math::tf32)(one.size, gemm.A, gemm.B, gemm.scale_a,
                                                   gemm.scale_b, gemm.C, stream);
  };
  const auto error_of_c = [&](const char* name) {
    run.parameter(name,
                  course::sgemm_error(floats, short_matrices::widened(c.to_host())).frobenius);
  };
  const bool has_rival = bench.has_vendor && m != 0 && n != 0 && k != 0;
  if (has_rival && !one.step.has_block_scales) {
    by_library(nullptr);
    error_of_c("cublas_error");
  }
  course::Run::Rival rival = {.parameter = "cublas_ms", .launch = {}};
  if (has_rival) rival.launch = by_library;
  const double elements_c = 1.0 * m * n, flops = one.size.flops();
  run.launch_in_turn(
      {.read_bytes = elements_c != 0.0 ? 1.0 * m * k + 1.0 * k * n : 0.0,
       .written_bytes = sizeof(__nv_bfloat16) * elements_c,
       .flops = flops,
       .tensor_flops = flops / 2},  // in half of the time of as many of 16 bits
      [&](cudaStream_t stream) { one.step.launch(gemm, stream); }, rival);
  const std::vector<float> result = short_matrices::widened(c.to_host());
  run.verify("C", check_eight_bits(floats, one.kind.kind, one.step.name == kShortSums, result));
  report_error(run, result, floats);
  if (result.size() <= kMostInDigest) run.parameter("digest", digest_of(result));
}

/// Matrices of some kind; those of the last run again where they are the same.
class Problems {
 public:
  const course::SgemmProblem& of(const ErrorCase& one, std::uint64_t seed) {
    if (!problem_ || kind_ != one.kind.kind || problem_->size.m != one.size ||
        problem_->seed != seed) {
      problem_ = inputs::make(one.kind.kind, {one.size, one.size, one.size}, seed);
      kind_ = one.kind.kind;
    }
    return *problem_;
  }

 private:
  std::optional<course::SgemmProblem> problem_;
  inputs::Kind kind_{};
};

/// What comes of matrices of some kind. A wrong product is off by far more roundings than there are
/// terms.
void run_errors(course::Run& run, Bench& bench, Problems& problems, const ErrorCase& one) {
  run.parameter("inputs", std::string(one.kind.name));
  run.parameter("step", one.step.name);
  const course::SgemmProblem& problem = problems.of(one, run.seed());
  const auto* c = launch_step(run, bench, one.step, problem);
  if (c == nullptr) return;
  const double roundings = report_error(run, c->to_host(), problem);
  const bool is_right = roundings <= one.step.tolerance_factor * (one.size + 1.0);
  // Halves cannot hold these matrices, and this step does not ask.
  const bool should_be_wrong =
      one.step.name == kUnpromoted &&
      (one.kind.kind == inputs::Kind::opposed || one.kind.kind == inputs::Kind::far);
  course::Comparison comparison;
  comparison.compared = c->size();
  comparison.max_error = roundings;
  if (!is_right && !should_be_wrong)
    comparison.failure = " is off by more roundings than it has terms";
  if (is_right && should_be_wrong)
    comparison.failure = " is right, though halves cannot hold A and B";
  run.verify("C", comparison);
}

/// What is wrong with sizes, in one line; nothing if they can be run.
std::string complaint(const std::vector<Choice>& choices) {
  for (const auto& [m, n, k, alpha, beta] : choices)
    for (const long long size : {1LL * m * k, 1LL * k * n, 1LL * m * n})
      if (size > INT_MAX) return "a matrix has at most 2147483647 elements";
  return "";
}

std::vector<course::Column> columns(std::vector<course::Column> first) {
  first.insert(first.end(), {"verified",
                             {"error", "error"},
                             {"largest", "largest_error"},
                             {"ms", "time_ms"},
                             {"GFLOP/s", "gflop_per_s"}});
  if (course::VendorSgemm::exists()) first.emplace_back("x cuBLAS", "cublas_ms / time_ms");
  return first;
}

}  // namespace

int main(int argc, char** argv) {
  course::Program program(
      "11_tensor_cores",
      "Tensor cores multiply short numbers: can the answer stay as accurate as fp32?", argc, argv);

  const int edge = course::default_for({.counting = 256, .timing = 8192});
  Choice ladder = {.m = edge, .n = edge, .k = edge};
  std::vector<int> sizes = course::default_for<std::vector<int>>(
      {.counting = {200}, .timing = {1024, 2048, 3072, 4096, 6144, 8192, 16384}});
  std::vector<int> shapes =
      course::default_for<std::vector<int>>({.counting = {100, 60, 70}, .timing = kShapes});
  std::vector<int> error_sizes =
      course::default_for<std::vector<int>>({.counting = {128}, .timing = {1024, 4096}});
  const int sum_edge = course::default_for({.counting = 128, .timing = 1024});
  std::vector<int> sum_lengths = course::default_for<std::vector<int>>(
      {.counting = {64, 512}, .timing = {64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384, 32768}});
  int beside_vendor = 1;
  program.option("vendor", beside_vendor, "0: do not time the vendor's library beside each kernel",
                 {0, 1});
  program.option("m", ladder.m, "rows of A and C", {0, kMostOfASide});
  program.option("n", ladder.n, "columns of B and C", {0, kMostOfASide});
  program.option("k", ladder.k, "columns of A, rows of B", {0, kMostOfASide});
  program.option("alpha", ladder.alpha, "factor of A B");
  program.option("beta", ladder.beta, "factor of C; 0 does not read C");
  program.option("size", sizes, "squares, m = n = k, to compare the last step at",
                 {0, kMostOfASide});
  program.option("shape", shapes, "m,n,k of matrices of any proportions, one after the other",
                 {0, kMostOfASide});
  program.option("sum", sum_lengths, "terms of a sum, to measure errors at", {1, kMostOfASide});
  program.option("error-size", error_sizes, "squares to measure errors at", {0, kMostOfASide});

  Bench bench;
  Problems problems;
  ShortProblems short_problems;
  std::vector<Step> steps = tensor_steps();
  const Step any_input = steps.back(), any_size = any_size_step();
  if (course::VendorSgemm::exists()) steps.push_back(bench.vendor());
  std::vector<Step> compared = {any_input, *std::ranges::find(steps, "persistent", &Step::name),
                                clusters_of_two()};
  if (course::VendorSgemm::exists()) {
    using Math = course::VendorSgemm::Math;
    compared.push_back(bench.vendor());
    compared.push_back(bench.vendor(Math::tf32, "cublas_tf32", "one product of tf32"));
    compared.back().tensor_products = 1;
    compared.back().tolerance_factor = tensor_steps().front().tolerance_factor;
    compared.push_back(bench.vendor(Math::nine_bf16, "cublas_nine_bf16", "nine of bfloat16"));
    compared.back().tensor_products = 1;  // where there are none, it multiplies in fp32
    compared.push_back({"cublas_three_halves", "three products of halves, a call for each",
                        [&bench](const Sgemm& s, cudaStream_t stream) {
                          three_calls::launch(bench.library(Math::tf32), s, stream);
                        },
                        three_calls::workspace_floats});
    compared.back().tensor_products = 3;
    compared.back().tolerance_factor = kCutOffFactor;
  }
  std::vector<Case> cases, shape_cases;
  std::vector<ShortCase> short_cases, layers;
  for (const course::SgemmSize& size : kLayers) layers.push_back({gemm_steps().back(), size});
  EightBitProblems eight_bit_problems;
  const inputs::Name kEven = inputs::kAll[0], kPositive = inputs::kAll[2];
  std::vector<EightBitCase> eight_bit_cases, eight_bit_sums;
  std::vector<Case> sum_cases;
  std::vector<ErrorCase> error_cases, size_error_cases;
  program.require([&] {
    bench.has_vendor = bench.has_vendor && beside_vendor != 0;
    if (shapes.size() % 3 != 0) return std::string("--shape: three numbers each");
    std::vector<Choice> choices = {ladder};
    for (const int size : sizes) {
      choices.push_back({size, size, size});
      for (const Step& step : compared) cases.push_back({step, choices.back()});
      for (const GemmStep& step : {gemm_steps().back(), clusters_of_bf16()})
        short_cases.push_back({step, {size, size, size}});
      for (const EightBitStep& step : eight_bit_steps())
        if (size <= kMostOfEightBits) eight_bit_cases.push_back({step, {size, size, size}, kEven});
    }
    for (std::size_t i = 0; i + 2 < shapes.size(); i += 3) {
      choices.push_back({shapes[i], shapes[i + 1], shapes[i + 2]});
      for (const Step& step : {any_size, any_input}) shape_cases.push_back({step, choices.back()});
    }
    for (const int terms : sum_lengths) {
      choices.push_back({sum_edge, sum_edge, terms});
      for (const Step& step : steps)
        if (step.name == kUnpromoted || step.name == "longer_pieces" || step.name == "cublas")
          sum_cases.push_back({step, choices.back()});
      for (const inputs::Name& kind : {kEven, kPositive})
        for (const EightBitStep& step : eight_bit_steps())
          if (!step.has_block_scales)
            eight_bit_sums.push_back({step, {sum_edge, sum_edge, terms}, kind});
    }
    for (const int size : error_sizes) {
      choices.push_back({size, size, size});
      for (const inputs::Name& kind : inputs::kAll)
        for (const Step& step : steps)
          if (step.name == "one_product" || step.name == kUnpromoted || step.name == "any_input" ||
              step.name == "cublas")
            error_cases.push_back({step, kind, size});
      for (const inputs::Name& kind : inputs::kAll)
        size_error_cases.push_back({any_size, kind, size});
    }
    return complaint(choices);
  });

  program.section("The ladder", columns({"kernel",
                                         {"tensor instructions", "tensor_instructions"},
                                         {"bulk copies", "bulk_copies"}}));
  for (const Step& step : steps)
    program.experiment(step.name, step.help,
                       [&](course::Run& run) { run_step(run, bench, step, ladder); });

  program.section("One product of bfloat16",
                  columns({"kernel",
                           {"tensor instructions", "tensor_instructions"},
                           {"bulk copies", "bulk_copies"}}));
  for (const GemmStep& step : gemm_steps())
    program.experiment(step.name, step.help, [&, step](course::Run& run) {
      run_short(run, bench, short_problems, {step, {ladder.m, ladder.n, ladder.k}});
    });

  program.section("One product of bfloat16 at several sizes", columns({"m", "n", "k", "step"}));
  const auto run_case = [&](course::Run& run, const ShortCase& one) {
    run.parameter("step", one.step.name);
    run_short(run, bench, short_problems, one);
  };
  program.experiment("short_sizes", "its last step, and clusters", short_cases, run_case);
  if (course::backend().reports_time)
    program.experiment("layers", "the last step at shapes of language models", layers, run_case);

  program.section("One product of 8-bit floats",
                  columns({"kernel",
                           {"tensor instructions", "tensor_instructions"},
                           {"bulk copies", "bulk_copies"}}));
  for (const EightBitStep& step : eight_bit_steps())
    program.experiment(step.name, step.help, [&, step](course::Run& run) {
      run_eight_bits(run, bench, eight_bit_problems, {step, {ladder.m, ladder.n, ladder.k}, kEven});
    });

  program.section("One product of 8-bit floats at several sizes",
                  columns({"m", "n", "k", "step", "inputs"}));
  const auto run_eight_bit_case = [&](course::Run& run, const EightBitCase& one) {
    run.parameter("step", one.step.name);
    run.parameter("inputs", std::string(one.kind.name));
    run_eight_bits(run, bench, eight_bit_problems, one);
  };
  program.experiment("eight_bit_sizes", "all steps", eight_bit_cases, run_eight_bit_case);
  program.experiment("eight_bit_sums", "the error over the length of a sum", eight_bit_sums,
                     run_eight_bit_case);

  program.section("The last step and its neighbours at several sizes", columns({"m", "step"}));
  program.experiment("sizes", "the last step, clusters, and the vendor's library", cases,
                     [&](course::Run& run, const Case& one) {
                       run.parameter("step", one.step.name);
                       run_step(run, bench, one.step, one.choice);
                     });

  program.section("Any size", columns({"m", "n", "k", "step"}));
  program.experiment("shapes", "tensor cores or FFMA, whichever is faster", shape_cases,
                     [&](course::Run& run, const Case& one) {
                       run.parameter("step", one.step.name);
                       run_step(run, bench, one.step, one.choice);
                     });

  program.section("Sums that are cut off, and sums that are rounded", columns({"k", "step"}));
  program.experiment("error_over_k", "the error over the length of a sum", sum_cases,
                     [&](course::Run& run, const Case& one) {
                       run.parameter("step", one.step.name);
                       run_step(run, bench, one.step, one.choice);
                     });

  program.section("What is left of the answer", columns({"inputs", "m", "step"}));
  program.experiment(
      "errors", "matrices that are easy or hard to multiply", error_cases,
      [&](course::Run& run, const ErrorCase& one) { run_errors(run, bench, problems, one); });
  program.experiment(
      "errors_of_any_size", "the same with the product for any size", size_error_cases,
      [&](course::Run& run, const ErrorCase& one) { run_errors(run, bench, problems, one); });
  return program.run();
}
