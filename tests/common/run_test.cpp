#include "course/run.hpp"

#include <cuda_runtime_api.h>
#include <doctest/doctest.h>

#include <stdexcept>

#include "common/device_for_test.hpp"
#include "course/error.hpp"

using course::Run;
using course::RunRecord;

namespace {

constexpr course::Timing kTwice{.repeat = 2, .warm_up = 1, .flush_l2 = false};

/// Copies on the host as a copy kernel would.
void copy(const course::DeviceBuffer<float>& from, course::DeviceBuffer<float>& to) {
  course::check(cudaMemcpyAsync(to.data(), from.data(), from.size() * sizeof(float),
                                cudaMemcpyDeviceToDevice, nullptr));
}

}  // namespace

TEST_CASE("a right run is verified and keeps its parameters in order") {
  REQUIRE_DEVICE();
  Run run("copy", kTwice, 42, {});
  CHECK(run.seed() == 42);
  run.parameters({{"n", 3}, {"alpha", 0.5f}});
  run.parameter("n", 4);
  const std::vector<float> values = {1, 2, 3, 4};
  auto& in = run.input("in", values);
  auto& out = run.output<float>("out", 4);
  run.launch({}, [&] { copy(in, out); });
  run.verify(out, values);
  const RunRecord record = run.finish();
  CHECK(record.verified);
  CHECK(record.failure.empty());
  CHECK(record.max_error == 0.0);
  CHECK(record.kernel == "copy");
  REQUIRE(record.parameters.size() == 2);
  CHECK(record.parameters[0].name == "n");
  CHECK(record.parameters[0].value == course::ParameterValue(4));
  CHECK(record.parameters[1].value == course::ParameterValue(0.5));
  CHECK(record.time.has_value() == course::backend().reports_time);
  CHECK(record.counters.has_value() == course::backend().reports_counters);
}

TEST_CASE("outputs are poisoned before every launch, not only the first") {
  REQUIRE_DEVICE();
  Run run("lazy", kTwice, 1, {});
  const std::vector<float> values = {1, 2};
  auto& in = run.input("in", values);
  auto& out = run.output<float>("out", 2);
  out.from_host(values);  // a right answer that the kernel did not write
  int launches = 0;
  run.launch({}, [&] {
    if (launches++ == 0 && course::backend().reports_time) copy(in, out);
  });
  run.verify(out, values);
  const RunRecord record = run.finish();
  CHECK_FALSE(record.verified);
  CHECK(record.failure == "out[0] is nan, expected 1 (2 of 2 wrong)");
  CHECK_FALSE(record.max_error.has_value());
  CHECK_FALSE(record.time.has_value());
}

TEST_CASE("an in_out is put back before every launch") {
  REQUIRE_DEVICE();
  Run run("add", kTwice, 1, {});
  auto& values = run.in_out("values", std::vector<int>{1, 2});
  values.from_host(std::vector<int>{7, 8});  // the value that an earlier launch would leave
  bool was_put_back = true;
  run.launch({}, [&] {
    was_put_back = was_put_back && values.to_host() == std::vector<int>{1, 2};
    values.from_host(std::vector<int>{5, 6});
  });
  CHECK(was_put_back);
  run.verify(values, {5, 6});
  CHECK(run.finish().verified);
}

TEST_CASE("a run that is known to be wrong shows its first wrong element, and can still fail") {
  REQUIRE_DEVICE();
  const std::vector<float> values = {1, 2, 3};
  const auto run_it = [&](const std::vector<float>& right, const std::vector<float>& sure) {
    Run run("listing", kTwice, 1, {});
    auto& in = run.input("in", values);
    auto& out = run.output<float>("out", 3);
    run.launch({}, [&] { copy(in, out); });
    run.verify(out, sure);
    run.known_wrong(out, right);
    return run.finish();
  };
  const RunRecord wrong = run_it({1, 5, 6}, values), lucky = run_it(values, values);
  for (const RunRecord& record : {wrong, lucky}) {
    CHECK(record.known_wrong);
    CHECK_FALSE(record.verified);
    CHECK(record.failure.empty());
    CHECK_FALSE(record.time.has_value());
    REQUIRE(record.parameters.size() == 3);
    CHECK(record.parameters[0].name == "wrong_elements");
    CHECK(record.parameters[1].name == "should_be");
    CHECK(record.parameters[2].name == "came_out");
  }
  CHECK(wrong.parameters[0].value == course::ParameterValue(2));
  CHECK(wrong.parameters[1].value == course::ParameterValue(5.0));
  CHECK(wrong.parameters[2].value == course::ParameterValue(2.0));
  CHECK(lucky.parameters[0].value == course::ParameterValue(0));
  CHECK(lucky.parameters[1].value == course::ParameterValue(1.0));
  CHECK(lucky.parameters[2].value == course::ParameterValue(1.0));
  CHECK(run_it({1, 5, 6}, {1, 2, 4}).failure == "out[2] is 3, expected 4 (1 of 3 wrong)");

  Run early("early", kTwice, 1, {});
  auto& out = early.output<float>("out", 3);
  CHECK_THROWS_AS(early.known_wrong(out, values), std::logic_error);
}

TEST_CASE("every comparison counts, and every failure is told") {
  REQUIRE_DEVICE();
  Run run("two", kTwice, 1, {});
  auto& first = run.in_out("first", std::vector<float>{1.0f});
  auto& second = run.in_out("second", std::vector<float>{2.0f});
  run.launch({}, [] {});
  run.verify(first, {1.5f}, {.absolute = 0.5, .relative = 0.0});
  run.verify(second, {2.25f});
  run.fail("and more");
  const RunRecord record = run.finish();
  CHECK(record.max_error == 0.5);
  CHECK(record.failure == "second[0] is 2, expected 2.25 (1 of 1 wrong); and more");
}

TEST_CASE("a NaN is the greatest error of a run, whichever comparison saw it") {
  REQUIRE_DEVICE();
  for (const bool is_first : {true, false}) {
    Run run("two", kTwice, 1, {});
    auto& poisoned = run.output<float>("poisoned", 1);
    auto& fine = run.in_out("fine", std::vector<float>{2.0f});
    run.launch({}, [] {});
    if (is_first) run.verify(poisoned, {1.0f});
    run.verify(fine, {2.5f});
    if (!is_first) run.verify(poisoned, {1.0f});
    CHECK_FALSE(run.finish().max_error.has_value());
  }
}

TEST_CASE("a guard band's damage is the run's failure") {
  REQUIRE_DEVICE();
  Run run("stray", kTwice, 1, {});
  auto& out = run.output<int>("out", 4);
  const int value = 0;
  run.launch({}, [&] {
    course::check(cudaMemcpy(out.data() + 5, &value, sizeof(value), cudaMemcpyHostToDevice));
  });
  run.verify(out, {-1, -1, -1, -1});
  CHECK(run.finish().failure == "the kernel wrote 4 bytes behind the end of out");
}

TEST_CASE("an impossible time or count is the run's failure") {
  REQUIRE_DEVICE();
  // A device that moves one byte per second, and a launch that moves nothing.
  Run run("boast", kTwice, 1,
          {.dram_bytes_per_s = 1.0,
           .l2_bytes_per_s = 0,
           .l1_bytes_per_s = 0,
           .fp32_flop_per_s = 0,
           .l2_bytes = 0});
  auto& out = run.in_out("out", std::vector<int>{1});
  run.launch({.read_bytes = 1e9}, [] {});
  run.verify(out, {1});
  const RunRecord record = run.finish();
  CHECK_FALSE(record.verified);
  CHECK(record.failure.find("credited with") != std::string::npos);
  CHECK_FALSE(record.gb_per_s().has_value());
}

TEST_CASE("a launch may be asked what other work it can have done") {
  REQUIRE_DEVICE();
  Run run("idle", kTwice, 1,
          {.dram_bytes_per_s = 1.0,
           .l2_bytes_per_s = 0,
           .l1_bytes_per_s = 0,
           .fp32_flop_per_s = 0,
           .l2_bytes = 0});
  CHECK_FALSE(run.impossible({.read_bytes = 1e9}).has_value());  // not launched yet
  auto& out = run.in_out("out", std::vector<int>{1});
  run.launch({}, [] {});
  CHECK_FALSE(run.impossible({}).has_value());
  REQUIRE(run.impossible({.read_bytes = 1e9}).has_value());
  CHECK(run.impossible({.read_bytes = 1e9})->find("credited with") != std::string::npos);
  run.verify(out, {1});
  CHECK(run.finish().verified);  // earlier queries change nothing
}

TEST_CASE("a run without a launch or a check is wrong") {
  REQUIRE_DEVICE();
  CHECK(Run("idle", kTwice, 1, {}).finish().failure == "nothing was launched");
  Run unchecked("unchecked", kTwice, 1, {});
  unchecked.launch({}, [] {});
  CHECK(unchecked.finish().failure == "no result was checked");
}

TEST_CASE("a run is one launch, and is verified after it") {
  REQUIRE_DEVICE();
  Run run("twice", kTwice, 1, {});
  auto& out = run.output<int>("out", 1);
  CHECK_THROWS_AS(run.verify(out, {1}), std::logic_error);
  run.launch({}, [] {});
  CHECK_THROWS_AS(run.launch({}, [] {}), std::logic_error);
}

TEST_CASE("a launch in turn with a rival: what is verified is a launch of its own") {
  REQUIRE_DEVICE();
  const std::vector<float> values = {1, 2};
  for (const bool is_right : {true, false}) {
    Run run("copy", kTwice, 1, {});
    auto& in = run.input("in", values);
    auto& out = run.output<float>("out", 2);
    const auto copy_on = [&](cudaStream_t stream) {
      course::check(cudaMemcpyAsync(out.data(), in.data(), 2 * sizeof(float),
                                    cudaMemcpyDeviceToDevice, stream));
    };
    // A wrong kernel does not pass because a rival leaves the right answer.
    const course::StreamLaunch mine = is_right ? copy_on : course::StreamLaunch([](auto) {});
    run.launch_in_turn({.flops = 1.0}, mine, {.parameter = "rival_ms", .launch = copy_on});
    run.verify(out, values);
    CHECK(run.gflop_per_s().has_value() == course::backend().reports_time);
    const RunRecord record = run.finish();
    CHECK(record.verified == is_right);
    CHECK(record.parameters.size() == (course::backend().reports_time ? 1 : 0));
    CHECK(record.time.has_value() == (is_right && course::backend().reports_time));
  }
}

TEST_CASE("a run that is skipped needs neither launch nor check, and is not verified") {
  Run run("copy", kTwice, 1, {});
  run.parameter("n", 3);
  run.skip("needs another device");
  const RunRecord record = run.finish();
  CHECK_FALSE(record.verified);
  CHECK(record.failure.empty());
  CHECK(record.skipped == "needs another device");
  CHECK(record.parameters.size() == 1);
}
