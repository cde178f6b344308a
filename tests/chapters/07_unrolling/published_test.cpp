/// Tests the false threefold speed-up of chapters/07_unrolling/README.md: the result looks right,
/// and each of two checks alone finds the mistake.

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "chapters/launch.hpp"
#include "course/limits.hpp"
#include "course/run.hpp"
#include "sums.hpp"

using course::DeviceBuffer;
using course_test::launch;
using sums::make_problem;
using sums::Problem;

namespace {

constexpr int kThreads = 512;

/// Launches as the published program does: a quarter of the blocks, and n / 4 instead of n.
void launch_as_published(const Problem& problem, const float* a, const float* b, float* c) {
  launch(kernels_under_test().read_offset_unroll4_published, {problem.n / kThreads / 4, kThreads},
         problem.n / 4, problem.offset, a, b, c);
  course::check_launch();
}

/// Returns the work for all elements of C: two floats read and one written for each.
course::Work all_of(const Problem& problem) {
  return {.read_bytes = 8.0 * problem.count(), .written_bytes = 4.0 * problem.count()};
}

int written_in(const std::vector<float>& c) {
  return static_cast<int>(std::ranges::count_if(c, [](float value) { return !std::isnan(value); }));
}

/// Returns the device's limits; if it does not report its memory's clock, measured by a copy.
course::DeviceLimits limits_here() {
  const course::DeviceLimits nominal = course::nominal_limits(course::current_device());
  if (nominal.dram_bytes_per_s > 0.0) return nominal;
  return course::measured_limits(nominal, course::measure_copy_bytes_per_s());
}

course::Run make_run() {
  const course::Timing timing = {.repeat = 3, .warm_up = 1};
  return {"read_offset_unroll4_published", timing, /*seed=*/1, limits_here()};
}

/// Returns a small size for counting, and a size large enough for meaningful times.
int published_size() { return course::default_for({.counting = 1 << 16, .timing = 1 << 26}); }

}  // namespace

TEST_CASE("run as published, it verifies: the right result is still there") {
  for (const int offset : {0, 11, 128}) {
    const Problem problem = make_problem(published_size(), offset);
    const DeviceBuffer<float> a(problem.a, "A"), b(problem.b, "B");
    DeviceBuffer<float> c(problem.c.size(), "C");
    launch(kernels_under_test().read_offset, {problem.n / kThreads, kThreads}, problem.n, offset,
           a.data(), b.data(), c.data());
    launch_as_published(problem, a.data(), b.data(), c.data());
    CHECK(course::compare(c.to_host(), problem.c).ok());
  }
}

TEST_CASE("the poisoned buffer alone finds it out: three quarters were never written") {
  for (const int offset : {0, 11, 128}) {
    CAPTURE(offset);
    const Problem problem = make_problem(published_size(), offset);
    course::Run run = make_run();
    auto& a = run.input("A", problem.a);
    auto& b = run.input("B", problem.b);
    auto& c = run.output<float>("C", problem.c.size());  // poisoned before every launch
    run.launch({}, [&] { launch_as_published(problem, a.data(), b.data(), c.data()); });
    run.verify(c, problem.c);
    const auto record = run.finish();
    CHECK_FALSE(record.verified);
    CHECK(record.failure.find("is nan, expected") != std::string::npos);
    CHECK(4 * written_in(c.to_host()) <= problem.n);
  }
}

TEST_CASE("the gate alone finds it out, though the result looks right") {
  for (const int offset : {0, 11, 128}) {
    CAPTURE(offset);
    const Problem problem = make_problem(published_size(), offset);
    course::Run run = make_run();
    auto& a = run.input("A", problem.a);
    auto& b = run.input("B", problem.b);
    auto& c = run.in_out("C", problem.c);  // the right result, restored before every launch
    run.launch(all_of(problem),
               [&] { launch_as_published(problem, a.data(), b.data(), c.data()); });
    CHECK(course::compare(c.to_host(), problem.c).ok());
    run.verify(c, problem.c);
    const auto record = run.finish();
    CHECK_FALSE(record.verified);
    CHECK(record.failure.find("credited with") != std::string::npos);
    CHECK_FALSE(record.gb_per_s().has_value());  // so it gets no speed
  }
}

TEST_CASE("the gate passes the same launch if it is credited with a quarter") {
  const Problem problem = make_problem(published_size(), 0);
  course::Run run = make_run();
  auto& a = run.input("A", problem.a);
  auto& b = run.input("B", problem.b);
  auto& c = run.in_out("C", problem.c);
  run.launch({.read_bytes = 2.0 * problem.n, .written_bytes = 1.0 * problem.n},
             [&] { launch_as_published(problem, a.data(), b.data(), c.data()); });
  run.verify(c, problem.c);
  CHECK(run.finish().failure == "");
}

TEST_CASE("launched with all of n, the guard drops the tail: 33 elements at 11, 384 at 128") {
  for (const auto& [offset, dropped] : {std::pair{0, 0}, {11, 33}, {128, 384}}) {
    CAPTURE(offset);
    const Problem problem = make_problem(1 << 20, offset);
    const auto outcome =
        sums::run(kernels_under_test().read_offset_unroll4_published, problem, 4, kThreads);
    int right = 0;
    for (int i = 0; i < problem.count(); ++i) right += outcome.c[i] == problem.c[i];
    CHECK(problem.count() - right == dropped);
    CHECK(written_in(outcome.c) == right);
  }
}

TEST_CASE("the published transactions are those of a quarter of the work") {
  if (!course::backend().reports_counters) return;
  // nvprof on a Fermi GPU counted lines on some of the multiprocessors, and scaled the counts.
  constexpr double kPlainLoads = 132384, kPlainStores = 32928;
  constexpr double kUnrolledLoads = 33152, kUnrolledStores = 8064;
  const Problem problem = make_problem(1 << 20, 11);
  const auto near = [](double value) { return doctest::Approx(value).epsilon(0.02); };

  const auto plain = sums::run(kernels_under_test().read_offset, problem, 1, kThreads).counted;
  CHECK(plain->global_load.lines == near(kPlainLoads));
  CHECK(plain->global_store.lines == near(kPlainStores));

  const auto quarter = sums::run(kernels_under_test().read_offset_unroll4_published, problem,
                                 problem.n / 4, problem.n / kThreads / 4, kThreads)
                           .counted;
  CHECK(quarter->global_load.lines == near(kUnrolledLoads));
  CHECK(quarter->global_store.lines == near(kUnrolledStores));

  const auto whole =
      sums::run(kernels_under_test().read_offset_unroll4, problem, 4, kThreads).counted;
  CHECK(whole->global_load.lines == near(kPlainLoads));
  CHECK(whole->global_store.lines == near(kPlainStores));
}

TEST_CASE("the published times, held against the card that they were taken on") {
  // Tesla M2070: 384 bits at 1566 MHz, two transfers per clock, 768 KiB of L2.
  const course::Device m2070 = {.name = "Tesla M2070",
                                .multiprocessors = 14,
                                .compute_major = 2,
                                .compute_minor = 0,
                                .memory_bytes = std::size_t{6} << 30,
                                .l2_bytes = 768 << 10,
                                .clock_hz = 0.0,
                                .memory_clock_hz = 1.566e9,
                                .memory_bus_bits = 384};
  const course::DeviceLimits limits = course::nominal_limits(m2070);
  CHECK(limits.dram_bytes_per_s == doctest::Approx(150.3e9).epsilon(0.001));

  struct Published {
    int n, offset;
    double seconds;
  };
  const auto refusal = [&](const Published& run, double share) {
    const double count = run.n - run.offset;
    return course::physical_violation(
        {.read_bytes = 8 * count * share, .written_bytes = 4 * count * share}, run.seconds,
        /*l2_flushed=*/false, limits);
  };
  for (const Published& plain : {Published{1 << 24, 0, 0.001820},
                                 {1 << 24, 11, 0.001949},
                                 {1 << 24, 128, 0.001821},
                                 {1 << 24, 0, 0.001990},
                                 {1 << 24, 11, 0.002114},
                                 {1 << 24, 128, 0.001989}})
    CHECK_FALSE(refusal(plain, 1.0).has_value());
  for (const Published& unrolled : {Published{1 << 24, 0, 0.000599},
                                    {1 << 24, 11, 0.000615},
                                    {1 << 24, 128, 0.000598},
                                    {1 << 22, 0, 0.000169},
                                    {1 << 22, 0, 0.000159},
                                    {1 << 22, 0, 0.000157},
                                    {1 << 22, 0, 0.000158}}) {
    CAPTURE(unrolled.seconds);
    CHECK(refusal(unrolled, 1.0).value_or("").find("times what DRAM can do (150.34 GB/s)") !=
          std::string::npos);
    CHECK_FALSE(refusal(unrolled, 0.25).has_value());
    // Per element it is not faster than the plain kernel but slower.
    const double gb_per_s = 12e-9 * unrolled.n / 4 / unrolled.seconds;
    CHECK(gb_per_s < 12e-9 * (1 << 24) / 0.001820);
  }
}
