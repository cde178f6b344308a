#pragma once

/// @file
/// How a step of a ladder is run: random matrices, the vendor's library beside it.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "course/backend.hpp"
#include "course/device_buffer.hpp"
#include "course/error.hpp"
#include "course/memory.hpp"
#include "course/program.hpp"
#include "course/sgemm_check.hpp"
#include "course/vendor_sgemm.hpp"
#include "step.hpp"

/// Sizes and factors of one product.
struct Choice {
  int m, n, k;
  float alpha = 1.0f;
  float beta = 0.0f;
};

/// What the runs of one execution share.
class Bench {
 public:
  /// Random matrices; those of the last run again where nothing has changed.
  const course::SgemmProblem& problem(const Choice& choice, std::uint64_t seed) {
    const auto& [m, n, k, alpha, beta] = choice;
    const bool is_kept = problem_ && problem_->size.m == m && problem_->size.n == n &&
                         problem_->size.k == k && problem_->alpha == alpha &&
                         problem_->beta == beta && problem_->seed == seed;
    if (is_kept) return *problem_;
    problem_.reset();
    constexpr std::uint64_t kCopies = 4;  // of each matrix, on host and device, beside the problem
    const std::uint64_t elements = 1ull * m * k + 1ull * k * n + 1ull * m * n;
    course::require_host_memory(kCopies * sizeof(float) * elements, "the multiplication");
    problem_ = course::make_sgemm_problem({m, n, k}, seed, alpha, beta);
    return *problem_;
  }

  /// The vendor's library as a step to compare with; its launch is empty where there is none.
  Step vendor() {
    if (!has_vendor) return {"cublas", "the vendor's library", {}};
    return vendor(course::VendorSgemm::Math::fp32, "cublas", "the vendor's library");
  }

  /// The same with what it may multiply with.
  Step vendor(course::VendorSgemm::Math math, const char* name, const char* help) {
    return {name, help, [this, math](const Sgemm& s, cudaStream_t stream) {
              library(math)({s.m, s.n, s.k}, s.alpha, s.A, s.lda, s.B, s.ldb, s.beta, s.C, s.ldc,
                            stream);
            }};
  }

  /// The vendor's library, which begins where it is first asked for.
  const course::VendorSgemm& library(course::VendorSgemm::Math math) {
    return libraries_.try_emplace(math, math).first->second;
  }

  std::optional<double> ceiling_gflop_per_s;        ///< measured in this execution
  bool has_vendor = course::VendorSgemm::exists();  ///< its library is to be timed beside each step

 private:
  std::optional<course::SgemmProblem> problem_;
  std::map<course::VendorSgemm::Math, course::VendorSgemm> libraries_;
};

/// Multiplies with one step, beside the vendor's library. @return C, or nothing where this device
/// cannot run the step
inline const course::DeviceBuffer<float>* launch_step(course::Run& run, Bench& bench,
                                                      const Step& step,
                                                      const course::SgemmProblem& problem) {
  const auto& [m, n, k] = problem.size;
  const auto& [alpha, beta] = std::pair(problem.alpha, problem.beta);
  run.parameters({{"m", m}, {"n", n}, {"k", k}, {"alpha", alpha}, {"beta", beta}});
  if (step.lack != nullptr) {
    const std::string lack = step.lack();
    if (!lack.empty()) {
      run.skip(lack);
      return nullptr;
    }
  }

  auto& a = run.input("A", problem.a);
  auto& b = run.input("B", problem.b);
  auto& c = beta == 0.0f ? run.output<float>("C", problem.c.size()) : run.in_out("C", problem.c);
  Sgemm s = {.m = m,
             .n = n,
             .k = k,
             .alpha = alpha,
             .A = a.data(),
             .lda = std::max(1, k),  // cuBLAS insists
             .B = b.data(),
             .ldb = std::max(1, n),
             .beta = beta,
             .C = c.data(),
             .ldc = std::max(1, n),
             .multiprocessors = course::current_device().multiprocessors};
  if (step.plan && m != 0 && n != 0) {
    const Plan plan = step.plan(s);
    run.parameters({{"tile_m", plan.tile_m}, {"tile_n", plan.tile_n}, {"blocks", plan.blocks}});
    if (course::backend().reports_time) run.parameter("predicted_us", plan.predicted_us);
  }
  const std::size_t floats = step.workspace_floats ? step.workspace_floats(s) : 0;
  course::DeviceBuffer<float> workspace(std::vector<float>(floats), "the workspace");
  s.workspace = workspace.data();

  const double c_elements = 1.0 * m * n;
  const double c_reads = beta == 0.0f ? 0.0 : c_elements;
  const bool multiplies = c_elements != 0.0 && alpha != 0.0f;
  const double ab_elements = multiplies ? 1.0 * m * k + 1.0 * k * n : 0.0;
  const double flops = multiplies ? problem.size.flops() : 0.0;
  const auto launch_of = [&s](const Step& some) -> course::StreamLaunch {
    if (!some.launch) return {};
    return [&s, launch = some.launch](cudaStream_t stream) {
      launch(s, stream);
      course::check_launch();
    };
  };
  run.launch_in_turn({.read_bytes = sizeof(float) * (ab_elements + c_reads),
                      .written_bytes = sizeof(float) * c_elements,
                      .flops = flops,
                      .tensor_flops = flops * step.tensor_products},
                     launch_of(step),
                     {.parameter = "cublas_ms", .launch = launch_of(bench.vendor())});
  if (!workspace.guards_intact()) run.fail("the kernel wrote outside its workspace");
  return &c;
}
