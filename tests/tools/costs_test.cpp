/// Tests how tools/predict fits costs to times of step 17's ways.

#include "tools/predict/costs.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "tools/predict/records.hpp"
#include "tools/support/json.hpp"
#include "tools/support/pattern.hpp"
#include "tools/support/project.hpp"
#include "tools/support/subprocess.hpp"

namespace {

using predict::CostVector, predict::WayRun;
using tools::Match, tools::Pattern;

constexpr CostVector kTrue = {2.5, 1.25, 0.75, 0.5, 3.0, 0.25, 0.05};

/// Returns runs of a tile with these costs; memory limits every fifth run.
std::vector<WayRun> runs_of(const CostVector& costs, int count) {
  std::mt19937 random(17);
  const auto up_to = [&](int most) { return static_cast<double>(random() % (most + 1)); };
  std::vector<WayRun> runs;
  for (int i = 0; i < count; ++i) {
    WayRun run;
    run.tile = "Tile";
    run.shape = fmt::format("{} x 1 x 1", i);
    const double tiles = 1.0 + up_to(8), panels = tiles * (1.0 + up_to(40));
    const double pieces = up_to(2);
    run.times = {
        1.0, tiles, panels, std::ceil(panels / 3.0), pieces, pieces * (1.0 + up_to(10)), up_to(30)};
    run.memory_us = i % 5 == 0 ? 500.0 + up_to(100) : 0.5;
    run.copies_us = i % 3 == 0 ? 1.5 : 0.0;
    run.measured_us = run.predicted_us = predict::predicted_us(costs, run);
    runs.push_back(run);
  }
  return runs;
}

predict::TileFit fitted(const std::vector<WayRun>& runs) {
  return predict::fit_tile(runs, std::vector<double>(runs.size(), 1.0));
}

void check_near(const CostVector& costs, const CostVector& expected) {
  for (std::size_t i = 0; i < predict::kCosts; ++i) {
    CAPTURE(std::string(predict::kCostNames[i]));
    CHECK(costs[i] == doctest::Approx(expected[i]).epsilon(0.01));
  }
}

/// Returns a report of one run, with a part of its text replaced.
std::string report_with(const std::string& part = "", const std::string& other = "") {
  std::string report =
      R"({"device": {"name": "GPU"}, "runs": [{"kernel": "ways", "parameters": {"m": 1, "n": 2, "k": 3,
      "tile": "Tile", "tiles": 1, "panels": 2, "waits": 2, "pieces": 0, "added_pieces": 0,
      "megabytes_again": 0, "memory_us": 0.1, "copies_us": 0, "predicted_us": 3},
      "time_ms": {"median": 0.004}}]})";
  if (!part.empty()) report.replace(report.find(part), part.size(), other);
  return report;
}

tools::CommandResult run_predict(const std::filesystem::path& file, const std::string& report) {
  tools::CommandOptions options;
  options.input = report;
  const std::string program = COURSE_PROGRAM_FOLDER "/predict";
  return tools::run_command({program, "--costs", file.string()}, options);
}

}  // namespace

TEST_CASE("costs are found again, also where memory decides") {
  const predict::TileFit fit = fitted(runs_of(kTrue, 200));
  check_near(fit.costs, kTrue);
  CHECK(fit.runs == 200);
  CHECK(fit.median_error < 0.002);
  CHECK(fit.most_error < 0.01);
}

TEST_CASE("some outliers do not decide") {
  std::vector<WayRun> runs = runs_of(kTrue, 200);
  for (std::size_t i = 0; i < runs.size(); i += 20)
    runs[i + 1].measured_us *= i % 40 == 0 ? 3.0 : 0.4;
  check_near(fitted(runs).costs, kTrue);
}

TEST_CASE("costs that the runs do not tell are 0") {
  CostVector costs = kTrue;
  std::vector<WayRun> runs = runs_of(costs, 100);
  for (WayRun& run : runs) {
    run.times[3] = run.times[2];        // one wait per panel
    run.times[4] = run.times[5] = 0.0;  // never split
    run.measured_us = predict::predicted_us(costs, run);
  }
  const predict::TileFit fit = fitted(runs);
  check_near(fit.costs, {2.5, 1.25, 1.25, 0.0, 0.0, 0.0, 0.05});
  CHECK(fit.is_determined == std::array{true, true, true, false, false, false, true});
  const predict::CostReport report = predict::fit_report({"GPU", runs});
  CHECK(predict::table_of(report).find("not determined: wait, piece, per_piece") !=
        std::string::npos);
}

TEST_CASE("no cost is negative") {
  using predict::solve_nonnegative;
  std::array<CostVector, predict::kCosts> squared = {};
  squared[0] = {2.0, 1.0};
  squared[1] = {1.0, 2.0};
  CHECK(solve_nonnegative(squared, {3.0, 3.0})[0] == doctest::Approx(1.0));
  CHECK(solve_nonnegative(squared, {3.0, 3.0})[1] == doctest::Approx(1.0));
  // Without the bound: 7/3 and -2/3.
  const CostVector bounded = solve_nonnegative(squared, {4.0, 1.0});
  CHECK(bounded[0] == doctest::Approx(2.0));
  CHECK(bounded[1] == 0.0);
  CHECK(solve_nonnegative(squared, {-1.0, -1.0}) == CostVector{});
}

TEST_CASE("a tile with few runs keeps its costs") {
  const CostVector known = {1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0};
  const std::vector<WayRun> runs = runs_of(kTrue, 19), more = runs_of(kTrue, 20);
  CHECK(predict::fit_tiles(runs, {{"Tile", known}}).at("Tile").costs == known);
  CHECK(predict::fit_tiles(runs, {{"Tile", known}}).at("Tile").is_kept);
  CHECK_FALSE(predict::fit_tiles(runs).at("Tile").is_kept);
  CHECK_FALSE(predict::fit_tiles(more, {{"Tile", known}}).at("Tile").is_kept);
  CHECK(predict::fit_tiles(more, {{"Other", known}}).at("Other").costs == known);
  CHECK(predict::fit_tiles(more, {{"Other", known}}).at("Other").is_kept);
}

TEST_CASE("regret is that of the chosen way") {
  std::vector<WayRun> runs(4);
  const double measured_us[] = {2.0, 1.0, 3.0, 9.0};
  for (std::size_t i = 0; i < runs.size(); ++i) {
    runs[i].shape = i < 2 ? "first" : "second";
    runs[i].measured_us = measured_us[i];
  }
  const predict::Regret regret = predict::regret_of(runs, std::vector<double>{1.0, 2.0, 1.0, 2.0});
  CHECK(regret.geometric_mean == doctest::Approx(std::sqrt(2.0)));
  REQUIRE(regret.worst.size() == 2);
  CHECK(regret.worst[0] == std::pair<double, std::string>(2.0, "first"));
  CHECK(regret.worst[1].first == 1.0);
}

TEST_CASE("reading a matrix again costs what makes the choice right") {
  std::vector<WayRun> runs(2);
  runs[0] = {.tile = "again", .shape = "one", .times = {1.0}, .measured_us = 2.0};
  runs[0].times[6] = 10.0;  // megabytes
  runs[1] = {.tile = "once", .shape = "one", .times = {1.0}, .measured_us = 1.0};
  predict::Fits fits;
  fits["again"].costs = {1.0};
  fits["once"].costs = {1.1};
  const predict::Fits chosen = predict::with_chosen_again(runs, fits);
  CHECK(chosen.at("again").costs[6] == 0.02);                      // the first candidate above 0.1
  CHECK(chosen.at("again").median_error == doctest::Approx(0.4));  // 1.2 instead of 2
  CHECK(chosen.at("once").costs == fits["once"].costs);
  fits["again"].is_kept = true;
  CHECK(predict::with_chosen_again(runs, fits).at("again").costs == fits["again"].costs);
  fits["again"].is_kept = false;
  runs[0].measured_us = 1.0;  // both ways are equally good
  CHECK(predict::with_chosen_again(runs, fits).at("again").costs[6] == 0.0);
}

TEST_CASE("another memory model changes what the matrices cost") {
  std::vector<WayRun> runs(2);
  runs[0].memory_us = 8.0;
  runs[0].copies_us = 5.0;
  const std::vector<WayRun> other = predict::rescaled(runs, {2.0e6, 0.5}, {4.0e6, 1.0});
  CHECK(other[0].memory_us == 16.0);
  CHECK(other[0].copies_us == 8.5);
  CHECK(other[1].copies_us == 0.0);
}

TEST_CASE("predict --costs writes a record that it can read again") {
  const tools::TemporaryFolder folder;
  const std::filesystem::path file = folder.path() / "costs.json";
  for (int i = 0; i < 2; ++i) {
    const tools::CommandResult result = run_predict(file, report_with());
    CHECK(result.status == 0);
    CHECK(result.err == "");
    CHECK(result.out.find("kCost = {") != std::string::npos);
    CHECK((result.out.find("earlier costs") != std::string::npos) == (i == 1));
  }
  const nlohmann::json record = tools::parse_json(tools::read_file(file));
  CHECK(record["device"] == "GPU");
  CHECK(record["shapes"] == nlohmann::json{"1 x 2 x 3"});
  CHECK(record["tiles"][0]["name"] == "Tile");
}

TEST_CASE("predict --costs says in a line what is wrong with a report") {
  const tools::TemporaryFolder folder;
  const std::filesystem::path file = folder.path() / "costs.json";
  const auto complaint = [&](const std::string& report) {
    const tools::CommandResult result = run_predict(file, report);
    CHECK(result.status == 2);
    CHECK(result.out == "");
    CHECK_FALSE(std::filesystem::exists(file));
    return result.err;
  };
  CHECK(complaint("") == "predict: the report is not JSON\n");
  CHECK(complaint("{\"runs\": [") == "predict: the report is not JSON\n");
  CHECK(complaint("[]") == "predict: the report has no list of runs\n");
  CHECK(complaint("{\"runs\": 1}") == "predict: the report has no list of runs\n");
  CHECK(complaint("{\"runs\": [1]}") == "predict: the report has no runs of ways\n");
  CHECK(complaint(report_with("ways", "sizes")) == "predict: the report has no runs of ways\n");
  CHECK(complaint(report_with("\"waits\": 2,", "")) ==
        "predict: run 0 of the report has no number waits\n");
  CHECK(complaint(report_with("\"panels\": 2", "\"panels\": \"2\"")) ==
        "predict: run 0 of the report has no number panels\n");
  CHECK(complaint(report_with("\"tile\": \"Tile\",", "")) ==
        "predict: run 0 of the report has no tile\n");
  CHECK(complaint(report_with("{\"median\": 0.004}", "null")) ==
        "predict: run 0 of the report has no number median\n");
  CHECK(complaint(report_with("0.004", "0")) == "predict: run 0 of the report took no time\n");
}

TEST_CASE("predict --costs does not write over what is no record of costs") {
  const tools::TemporaryFolder folder;
  const std::filesystem::path file = folder.write("other.json", "{\"chapters\": {}}");
  const tools::CommandResult result = run_predict(file, report_with());
  CHECK(result.status == 2);
  CHECK(result.err == "predict: the record has no list of tiles\n");
  CHECK(tools::read_file(file) == "{\"chapters\": {}}");
}

TEST_CASE("step 17's page has the costs of tile_costs.json, and says in words how many") {
  const std::filesystem::path chapter = tools::source_folder() / "chapters/09_sgemm";
  const std::string record = tools::read_file(predict::measurements_folder() / "tile_costs.json");
  const std::string figures = tools::read_file(chapter / "figures.txt");
  const std::string page =
      Pattern(R"(\s+)").replace(tools::read_file(chapter / "ladder_5_any_shape.md"), " ");
  predict::KnownCosts known = predict::known_costs(record);
  const auto says = [](const std::string& text, const std::string& words) {
    CAPTURE(words);
    CHECK(text.find(words) != std::string::npos);
  };
  const CostVector &thin = known["Tile16x64"], &square = known["Tile64x64"],
                   &step_16 = known["Tile128x64"], &three = known["Three32x64"];
  const auto sum = [](const CostVector& cost, const char* times, int panels) {
    return fmt::format("{0} + {1} + {6} {7} {2} + {4} + 2 {7} {5}", cost[0], cost[1], cost[2],
                       cost[3], cost[4], cost[5], panels, times);
  };
  says(figures, "paper_thin = " + sum(thin, "*", 16) + "\n");
  says(figures, "paper_64 = " + sum(square, "*", 16) + "\n");
  says(figures, "{" + sum(step_16, "*", 32) + ": 1}");
  says(figures, fmt::format("{{{0} + 3 * ({1} + 64 / 6 * {2}) + 64 / 6 * {3} + {4} + 6 * {5}: 1}}",
                            three[0], three[1], three[2], three[3], three[4], three[5]));
  for (const double cost : thin)
    if (cost != 0.0) says(figures, fmt::format("{{{}: ", cost));
  says(page, sum(square, "x", 16) + " = ");
  says(page, fmt::format("its costs are {}, {}, {}, {:g}, {} and {}.", square[0], square[1],
                         square[2], square[3], square[4], square[5]));

  const auto shapes = tools::parse_json(record)["shapes"].size();
  says(page, fmt::format("timed the tiles at {} shapes", shapes));
  says(page, fmt::format("a family of {},", known.size()));
  const auto with_again = std::ranges::count_if(
      known, [](const auto& tile) { return tile.second[predict::kCosts - 1] != 0.0; });
  CHECK(with_again == 9);
  says(page, "nine of the tiles have a seventh cost");
}

TEST_CASE("step 17 has the costs of tile_costs.json, and the memory of the fit") {
  const std::string source =
      tools::read_file(tools::source_folder() / "chapters/09_sgemm/steps/17_any_shape.cuh");
  const predict::KnownCosts known =
      predict::known_costs(tools::read_file(predict::measurements_folder() / "tile_costs.json"));
  predict::KnownCosts stated;
  const Pattern tile_with_costs(
      R"(struct (\w+) : [^{]*\{\s*static constexpr Cost kCost = \{([^}]*)\})");
  const Pattern between_commas("[^,]+");
  for (const Match& tile : tile_with_costs.all(source)) {
    CostVector& costs = stated[tile.str(1)];
    std::size_t i = 0;
    for (const Match& cost : between_commas.all(tile[2])) {
      REQUIRE(i < predict::kCosts);
      costs[i++] = std::stod(cost.str());
    }
  }
  std::vector<std::string> used;
  for (const Match& use : Pattern(R"(  use\((\w+)\{\}\);)").all(source)) used.push_back(use.str(1));
  std::ranges::sort(used);
  std::vector<std::string> with_costs;
  for (const auto& [name, costs] : stated) with_costs.push_back(name);
  CHECK(used == with_costs);
  for (const auto& [name, costs] : stated) {
    CAPTURE(name);
    REQUIRE(known.contains(name));
    CHECK(known.at(name) == costs);
  }
  CHECK(known.size() == stated.size());

  const auto constant = [&](const std::string& name) {
    const auto found = Pattern("constexpr double " + name + " = ([^;]*);").all(source);
    REQUIRE(found.size() == 1);
    return std::stod(found[0].str(1));
  };
  CHECK(constant("kBytesPerUs") == predict::MemoryModel{}.bytes_per_us);
  CHECK(constant("kCopyUs") == predict::MemoryModel{}.copy_us);
}
