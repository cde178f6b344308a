/// Tests how tools/predict reads machine code, and whether its predictions hold.

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "chapters/09_sgemm/exercises/3_predict_a_step/measured.hpp"
#include "tools/predict/machine_code.hpp"
#include "tools/predict/model.hpp"
#include "tools/predict/records.hpp"
#include "tools/support/json.hpp"
#include "tools/support/project.hpp"
#include "tools/support/subprocess.hpp"

namespace {

constexpr double kTolerance = 0.15;

/// Parses instructions in cuobjdump's format.
std::vector<predict::Instruction> instructions(const std::vector<std::string>& texts) {
  std::string sass = "\tFunction : kernel\n";
  int address = 0;
  for (const std::string& text : texts) {
    char line[200];
    std::snprintf(line, sizeof line, "        /*%04x*/  %s ;  /* 0x0 */\n", address, text.c_str());
    sass += line;
    address += 16;
  }
  return predict::kernels_in(sass).at(0).instructions;
}

/// Returns the slots per FFMA if the sequence is repeated with other sums.
double slots_per_ffma(const std::vector<std::string>& texts) {
  std::vector<std::string> repeated;
  for (int i = 0; i < 16; ++i) repeated.insert(repeated.end(), texts.begin(), texts.end());
  return 1.0 * predict::issue_slots(instructions(repeated)) / static_cast<double>(repeated.size());
}

double gflop_per_s(const prose::Measurements& measured, const std::string& step, int size) {
  const std::string side = std::to_string(size);
  return measured.value(
      {"h200", predict::kChapter, "sizes", {{"step", step}, {"m", side}, {"n", side}, {"k", side}}},
      "gflop_per_s");
}

/// Returns whether the model is inaccurate here: at 1024, blocks of these steps are so short that
/// their beginning and end matter, which the model hardly covers.
bool is_known_to_miss(const predict::Step& step, int size) {
  return size == 1024 && (step.name == "slices" || step.name == "even_shares");
}

}  // namespace

TEST_CASE("register banks cost what was measured of them") {
  // Rates of docs/measurements/sgemm_notes.json: 0.98, 0.51, 0.98, 0.66 and 0.34 FFMA a cycle.
  CHECK(slots_per_ffma({"FFMA R8, R2.reuse, R5, R8", "FFMA R10, R2.reuse, R7, R10"}) ==
        doctest::Approx(1.0).epsilon(0.05));  // the first one cannot reuse anything
  CHECK(slots_per_ffma({"FFMA R8, R2.reuse, R4, R8", "FFMA R10, R2.reuse, R6, R10"}) ==
        doctest::Approx(2.0).epsilon(0.05));
  CHECK(slots_per_ffma({"FFMA R8, R2.reuse, R4, R8", "FFMA R9, R2.reuse, R5, R9"}) ==
        doctest::Approx(1.0).epsilon(0.05));
  CHECK(slots_per_ffma({"FFMA R8, R2, R5, R8", "FFMA R9, R2, R5, R9"}) == doctest::Approx(1.5));
  CHECK(slots_per_ffma({"FFMA R8, R2, R4, R8"}) == doctest::Approx(3.0));
}

TEST_CASE("loops, and how often stores wait for loads") {
  const std::vector<predict::Kernel> kernels = {
      {"kernel", instructions({"MOV R1, c[0x0][0x28]",            // 0x00
                               "LDG.E.128 R4, desc[UR4][R2.64]",  // 0x10: the outer loop
                               "LDG.E R8, desc[UR4][R2.64]",      // 0x20
                               "STS.128 [R9], R4",                // 0x30: waits for both
                               "STS [R9], R8",                    // 0x40
                               "LDG.E R8, desc[UR4][R2.64]",      // 0x50
                               "STS [R9], R8",                    // 0x60: waits again
                               "FFMA R20, R21, R22, R20",         // 0x70: the inner one
                               "FFMA R20, R21, R22, R20",         // 0x80
                               "@P0 BRA 0x70",                    // 0x90
                               "@P1 BRA 0x10",                    // 0xa0
                               "EXIT"})}};
  CHECK(predict::loops_of(kernels[0]).size() == 2);
  const predict::MachineCode code = predict::examine(kernels[0]);
  CHECK(code.loop_instructions == 3);
  CHECK(code.loop_ffma == 2);
  CHECK(code.rest_instructions == 7);
  CHECK(code.batches == 2);
  CHECK(code.batch_loads == 3);
  CHECK_THROWS(predict::examine({"empty", instructions({"EXIT"})}));
}

TEST_CASE("every step is predicted within 15 %") {
  const prose::Measurements measured(predict::measurements_folder());
  for (const predict::Step& step : predict::steps())
    for (const int size : {1024, 2048, 4096, 8192}) {
      if (is_known_to_miss(step, size)) continue;
      const double predicted = 1000.0 * predict::predict_step(measured, step, size).tflop_per_s;
      const double reached = gflop_per_s(measured, step.name, size);
      CAPTURE(step.name);
      CAPTURE(size);
      CAPTURE(predicted);
      CAPTURE(reached);
      CHECK(std::abs(predicted / reached - 1.0) < kTolerance);
    }
}

TEST_CASE("the pages' formula has the model's numbers") {
  const prose::Measurements measured(predict::measurements_folder());
  const auto latency = [&](const char* of) {
    return measured.value({"h200", "latencies", "latencies", {}}, of);
  };
  const auto millions = [](double n) {  // TFLOP/s times cycles
    constexpr double kBillionCycles = 1.98;
    return 2.0 * n * n * n * kBillionCycles / 1e9;
  };
  const double wait = latency("l2_cycles") + latency("barrier_cycles") + latency("shared_cycles");
  for (const char* page : {"ladder_2_time.md", "ladder_3_loading_ahead.md"}) {
    CAPTURE(page);
    const std::string text =
        tools::read_file(tools::source_folder() / "chapters" / predict::kChapter / page);
    for (const std::string& part :
         {fmt::format("waits x {:.0f}  +  alone", wait),
          fmt::format("depth of the panel x {:.1f},", latency("shared_cycles")),
          fmt::format("a panel + {:.0f})  +  1,{:03.0f}", latency("dram_cycles"),
                      latency("launch_cycles") - 1000.0),
          fmt::format("{:.0f} million / cycles at 4096", millions(4096))}) {
      CAPTURE(part);
      CHECK(text.find(part) != std::string::npos);
    }
    if (std::string(page) == "ladder_2_time.md")  // the page asks for other sizes, too
      CHECK(text.find(fmt::format("{:.0f} million at 3072, {:.3g} million at 1024", millions(3072),
                                  millions(1024))) != std::string::npos);
  }
}

TEST_CASE("exercise 09.3 has the model's numbers, and an H200's") {
  using namespace exercise_09_3;
  const prose::Measurements measured(predict::measurements_folder());
  const auto latency = [&](const char* of) {
    return measured.value({"h200", "latencies", "latencies", {}}, of);
  };
  CHECK(kL2 == std::round(latency("l2_cycles")));
  CHECK(kShared == std::round(latency("shared_cycles")));
  CHECK(kBarrier == std::round(latency("barrier_cycles")));
  CHECK(kDram == std::round(latency("dram_cycles")));
  CHECK(kLaunch == std::round(latency("launch_cycles")));
  for (const Measured& one : kMeasured) {
    CAPTURE(one.kernel);
    const auto step = std::ranges::find(predict::steps(), one.kernel, &predict::Step::name);
    REQUIRE(step != predict::steps().end());
    CHECK(one.step == step - predict::steps().begin() + 1);
    CHECK(one.known.tile_m == step->tiles.front().m);
    CHECK(one.known.tile_n == step->tiles.front().n);
    CHECK(one.known.tile_k == step->depth);
    CHECK(one.known.threads == step->threads);
    CHECK(one.known.blocks == step->blocks);
    const predict::Prediction prediction = predict::predict_step(measured, *step, one.size);
    constexpr double kRounded = 0.051;  // rounded to one decimal
    CHECK(std::abs(one.known.instructions - 4.0 * prediction.costs.issue) < kRounded);
    CHECK(std::abs(one.known.wavefronts - prediction.costs.wavefronts) < kRounded);
    CHECK(one.known.waits == std::round(prediction.waits / (kL2 + kShared + kBarrier)));
    CHECK(std::abs(one.tflop_per_s - gflop_per_s(measured, one.kernel, one.size) / 1000.0) <
          kRounded);
  }
}

/// Returns the FFMA of exercise 09.8's thread tile in a given order, with all useful reuse marks.
std::vector<std::string> thread_tile(const std::vector<int>& order) {
  constexpr int kSums[] = {8, 14, 15, 20, 9, 13, 17, 21, 10, 12, 18, 22, 11, 16, 19, 23};
  std::vector<std::string> texts;
  for (const int one : order) {
    const std::string sum = "R" + std::to_string(kSums[one]);
    texts.push_back("FFMA " + sum + ", R" + std::to_string(one / 4) + ".reuse, R" +
                    std::to_string(4 + one % 4) + ".reuse, " + sum);
  }
  return texts;
}

TEST_CASE("exercise 09.8 counts as the model does") {
  const auto slots = [](const std::vector<int>& order) {
    return predict::issue_slots(instructions(thread_tile(order)));
  };
  CHECK(slots({0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}) == 26);
  CHECK(slots({0, 1, 2, 3, 7, 6, 5, 4, 8, 9, 10, 11, 15, 14, 13, 12}) == 23);
  CHECK(slots({0, 4, 8, 12, 13, 9, 5, 1, 2, 6, 10, 14, 15, 11, 7, 3}) == 19);
  CHECK(slots({0, 4, 8, 12, 14, 10, 6, 2, 1, 5, 9, 13, 15, 11, 7, 3}) == 17);
}

TEST_CASE("step 17 at 78 shapes: what the text says in words") {
  int aligned = 0, aligned_fast = 0, others = 0, vectors = 0, predicted = 0;
  std::pair<double, std::string> best, worst = {10.0, ""}, worst_vector = {10.0, ""};
  const nlohmann::json report =
      tools::parse_json(tools::read_file(predict::measurements_folder() / "h200.json"));
  for (const nlohmann::json& run : report["chapters"][predict::kChapter]) {
    if (run["kernel"] != "shapes") continue;
    const nlohmann::json& shape = run["parameters"];
    const int m = shape["m"], n = shape["n"], k = shape["k"];
    const double ms = run["time_ms"]["median"];
    const double times_cublas = shape["cublas_ms"].get<double>() / ms;
    const std::pair one = {times_cublas, fmt::format("{} x {} x {}", m, n, k)};
    if (m == 1 || n == 1) {
      ++vectors;
      worst_vector = std::min(worst_vector, one);
    } else if (n % 4 == 0 && k % 4 == 0) {
      ++aligned;
      aligned_fast += times_cublas >= 0.95;
      best = std::max(best, one);
      worst = std::min(worst, one);
    } else {
      ++others;
    }
    predicted += std::abs(shape["predicted_us"].get<double>() / (1000.0 * ms) - 1.0) < kTolerance;
  }
  CHECK(aligned == 60);
  CHECK(others == 11);
  CHECK(vectors == 7);
  CHECK(aligned_fast == 60);
  CHECK(predicted == 74);
  CHECK(best.second == "4 x 4096 x 4096");
  CHECK(worst.second == "512 x 768 x 3072");
  CHECK(worst_vector.second == "1 x 11008 x 4096");
}

TEST_CASE("sgemm_model.json is what the model says") {
  const prose::Measurements measured(predict::measurements_folder());
  CHECK_MESSAGE(tools::read_file(predict::measurements_folder() / "sgemm_model.json") ==
                    predict::predictions(measured).dump(2) + "\n",
                "to bring it up to date: build/emulator/bin/predict "
                "docs/measurements/sgemm_model.json");
}
