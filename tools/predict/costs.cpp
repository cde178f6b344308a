#include "tools/predict/costs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <limits>
#include <stdexcept>

#include "tools/support/json.hpp"

namespace predict {
namespace {

using json = nlohmann::ordered_json;

constexpr double kHuber = 0.15;    // relative errors beyond this count linearly
constexpr double kOutlier = 0.45;  // relative errors beyond this add nothing
constexpr double kGood = 1.3;      // ratio to the fastest run of a shape
constexpr double kWeightOfOthers = 0.25;
constexpr double kStable = 1e-6;  // relative change below which costs count as unchanged
constexpr int kMostRounds = 50;
constexpr std::array kTriedAgain = {0.01, 0.02, 0.04, 0.08};
constexpr double kLeastGain = 5e-4;  // least reduction of regret for which a cost is changed
constexpr std::size_t kFewestRuns = 20;
constexpr std::size_t kShownShapes = 5;
constexpr std::size_t kLaunch = 0, kAgain = 6;
constexpr double kTiny = 1e-10;  // relative: rounding errors of a zero

using Matrix = std::array<CostVector, kCosts>;

double number_in(const json& object, const char* name, std::size_t run) {
  const auto found = object.is_object() ? object.find(name) : object.end();
  if (found == object.end() || !found->is_number())
    throw std::runtime_error(fmt::format("run {} of the report has no number {}", run, name));
  return found->get<double>();
}

/// Returns the time of a tile's work. The memory's time replaces it if that is larger.
double work_us(const CostVector& costs, const WayRun& run) {
  double us = 0.0;
  for (std::size_t i = kLaunch + 1; i < kAgain; ++i) us += costs[i] * run.times[i];
  return us;
}

double relative_error(const CostVector& costs, const WayRun& run) {
  return predicted_us(costs, run) / run.measured_us - 1.0;
}

/// Solves the equations of the passive unknowns by Cholesky's method; all others are 0. An unknown
/// that depends linearly on earlier ones is 0, too.
CostVector solve_passive(const Matrix& a, const CostVector& b,
                         const std::array<bool, kCosts>& passive) {
  Matrix lower = {};
  CostVector y = {}, x = {};
  std::array<bool, kCosts> used = {};
  for (std::size_t i = 0; i < kCosts; ++i) {
    if (!passive[i]) continue;
    double pivot = a[i][i], rest = b[i];
    for (std::size_t j = 0; j < i; ++j) {
      if (!used[j]) continue;
      double sum = a[i][j];
      for (std::size_t p = 0; p < j; ++p) sum -= lower[i][p] * lower[j][p];
      lower[i][j] = sum / lower[j][j];
      pivot -= lower[i][j] * lower[i][j];
      rest -= lower[i][j] * y[j];
    }
    if (pivot <= kTiny * a[i][i]) {
      lower[i] = {};
      continue;
    }
    used[i] = true;
    lower[i][i] = std::sqrt(pivot);
    y[i] = rest / lower[i][i];
  }
  for (std::size_t i = kCosts; i-- > 0;) {
    if (!used[i]) continue;
    double rest = y[i];
    for (std::size_t j = i + 1; j < kCosts; ++j) rest -= lower[j][i] * x[j];
    x[i] = rest / lower[i][i];
  }
  return x;
}

/// Returns the weighted loss of all errors, which fit_tile() minimises.
double loss_of(const CostVector& costs, std::span<const WayRun> runs,
               std::span<const double> weights) {
  double loss = 0.0;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const double error = std::min(kOutlier, std::abs(relative_error(costs, runs[i])));
    loss += weights[i] * (error < kHuber ? error * error : kHuber * (2.0 * error - kHuber));
  }
  return loss;
}

/// Returns the weight of an error in addition to its square.
double weight_of(double error) {
  const double size = std::abs(error);
  return size > kOutlier ? 0.0 : size > kHuber ? kHuber / size : 1.0;
}

double quantile(std::vector<double> values, double part) {
  if (values.empty()) return 0.0;
  std::ranges::sort(values);
  return values[static_cast<std::size_t>(std::ceil(part * static_cast<double>(values.size() - 1)))];
}

void rate(TileFit& fit, std::span<const WayRun> runs) {
  std::vector<double> errors;
  for (const WayRun& run : runs) errors.push_back(std::abs(relative_error(fit.costs, run)));
  fit.runs = runs.size();
  fit.median_error = quantile(errors, 0.5);
  fit.most_error = quantile(errors, 0.9);
}

double mean_error_of(std::span<const WayRun> runs, std::span<const double> us) {
  double sum = 0.0;
  for (std::size_t i = 0; i < runs.size(); ++i) sum += std::abs(us[i] / runs[i].measured_us - 1.0);
  return sum / static_cast<double>(runs.size());
}

/// Returns the shortest time for each shape.
std::map<std::string, double> best_of(std::span<const WayRun> runs) {
  std::map<std::string, double> best_us;
  for (const WayRun& run : runs) {
    double& us = best_us.try_emplace(run.shape, run.measured_us).first->second;
    us = std::min(us, run.measured_us);
  }
  return best_us;
}

/// Rounds to three significant digits.
double three_digits(double value) { return std::stod(fmt::format("{:.3g}", value)); }

double four_decimals(double value) { return std::round(10000.0 * value) / 10000.0; }

/// Returns a cost as it is written in the source.
std::string literal(double cost) {
  const std::string digits = fmt::format("{}", cost);
  return digits.find('.') == std::string::npos ? digits + ".0" : digits;
}

/// Returns a remark about a tile's costs.
std::string remark_of(const TileFit& fit) {
  if (fit.is_kept) return ": too few, so these are its earlier costs";
  std::string unknown;
  for (std::size_t i = 0; i < kCosts; ++i)
    if (!fit.is_determined[i] && i != kAgain)
      unknown += fmt::format("{}{}", unknown.empty() ? "" : ", ", kCostNames[i]);
  return unknown.empty() ? "" : "; not determined: " + unknown;
}

}  // namespace

double predicted_us(const CostVector& costs, const WayRun& run) {
  return costs[kLaunch] * run.times[kLaunch] + std::max(work_us(costs, run), run.memory_us) +
         costs[kAgain] * run.times[kAgain] + run.copies_us;
}

MeasuredWays report_of(std::string_view text) {
  const json report = tools::parse_ordered_json(text, /*allow_exceptions=*/false);
  if (report.is_discarded()) throw std::runtime_error("the report is not JSON");
  const auto runs = report.is_object() ? report.find("runs") : report.end();
  if (runs == report.end() || !runs->is_array())
    throw std::runtime_error("the report has no list of runs");
  MeasuredWays result;
  if (const auto device = report.find("device"); device != report.end() && device->is_object())
    result.device = device->value("name", "");
  for (std::size_t i = 0; i < runs->size(); ++i) {
    const json& run = (*runs)[i];
    if (!run.is_object() || run.value("kernel", json()) != "ways") continue;
    const json parameters = run.value("parameters", json());
    const auto number = [&](const char* name) { return number_in(parameters, name, i); };
    WayRun way;
    const auto tile = parameters.is_object() ? parameters.find("tile") : parameters.end();
    if (tile == parameters.end() || !tile->is_string())
      throw std::runtime_error(fmt::format("run {} of the report has no tile", i));
    way.tile = tile->get<std::string>();
    way.shape = fmt::format("{} x {} x {}", number("m"), number("n"), number("k"));
    way.times = {1.0,
                 number("tiles"),
                 number("panels"),
                 number("waits"),
                 number("pieces"),
                 number("added_pieces"),
                 number("megabytes_again")};
    way.memory_us = number("memory_us");
    way.copies_us = number("copies_us");
    way.predicted_us = number("predicted_us");
    way.measured_us = 1000.0 * number_in(run.value("time_ms", json()), "median", i);
    if (way.measured_us <= 0.0)
      throw std::runtime_error(fmt::format("run {} of the report took no time", i));
    result.runs.push_back(way);
  }
  if (result.runs.empty()) throw std::runtime_error("the report has no runs of ways");
  return result;
}

std::vector<WayRun> rescaled(std::span<const WayRun> runs, const MemoryModel& model,
                             const MemoryModel& before) {
  std::vector<WayRun> result(runs.begin(), runs.end());
  const double slower = before.bytes_per_us / model.bytes_per_us;
  for (WayRun& run : result) {
    run.memory_us *= slower;
    if (run.copies_us > 0.0)
      run.copies_us = model.copy_us + (run.copies_us - before.copy_us) * slower;
  }
  return result;
}

CostVector solve_nonnegative(const Matrix& squared, const CostVector& right) {
  CostVector x = {};
  std::array<bool, kCosts> passive = {};
  for (int round = 0; round < kMostRounds; ++round) {
    // The unknown at zero whose increase reduces the loss most.
    std::size_t next = kCosts;
    double most = kTiny;
    for (std::size_t i = 0; i < kCosts; ++i) {
      if (passive[i] || squared[i][i] == 0.0) continue;
      double slope = right[i];
      for (std::size_t j = 0; j < kCosts; ++j) slope -= squared[i][j] * x[j];
      slope /= std::abs(right[i]) + kTiny;
      if (slope > most) {
        most = slope;
        next = i;
      }
    }
    if (next == kCosts) break;
    passive[next] = true;
    for (;;) {
      const CostVector wanted = solve_passive(squared, right, passive);
      double step = 1.0;  // as far as no unknown becomes negative
      for (std::size_t i = 0; i < kCosts; ++i)
        if (passive[i] && wanted[i] <= 0.0)
          step = std::min(step, x[i] == 0.0 ? 0.0 : x[i] / (x[i] - wanted[i]));
      for (std::size_t i = 0; i < kCosts; ++i) x[i] += step * (wanted[i] - x[i]);
      bool is_done = true;
      for (std::size_t i = 0; i < kCosts; ++i)
        if (passive[i] && wanted[i] <= 0.0 && x[i] <= kTiny * std::abs(wanted[i])) {
          passive[i] = false;
          x[i] = 0.0;
          is_done = false;
        }
      if (is_done) break;
    }
  }
  return x;
}

TileFit fit_tile(std::span<const WayRun> runs, std::span<const double> weights) {
  TileFit fit;
  for (std::size_t i = 0; i < kCosts; ++i) {
    const auto is_zero = [&](const WayRun& run) { return run.times[i] == 0.0; };
    fit.is_determined[i] = !std::ranges::all_of(runs, is_zero);
    for (std::size_t j = 0; j < i; ++j) {
      const auto is_same = [&](const WayRun& run) { return run.times[i] == run.times[j]; };
      if (std::ranges::all_of(runs, is_same)) fit.is_determined[i] = false;
    }
  }

  CostVector costs = {};
  std::vector<bool> memory_decides(runs.size(), false);
  std::vector<double> robust(runs.size(), 1.0);
  double least = std::numeric_limits<double>::infinity();
  for (int round = 0; round < kMostRounds; ++round) {
    Matrix squared = {};
    CostVector right = {};
    for (std::size_t r = 0; r < runs.size(); ++r) {
      const WayRun& run = runs[r];
      CostVector row = {};
      for (std::size_t i = 0; i < kCosts; ++i) {
        const bool counts = !memory_decides[r] || i == kLaunch || i == kAgain;
        if (fit.is_determined[i] && counts) row[i] = run.times[i] / run.measured_us;
      }
      const double rest = run.copies_us + (memory_decides[r] ? run.memory_us : 0.0);
      const double value = 1.0 - rest / run.measured_us;
      for (std::size_t i = 0; i < kCosts; ++i) {
        right[i] += weights[r] * robust[r] * row[i] * value;
        for (std::size_t j = 0; j < kCosts; ++j)
          squared[i][j] += weights[r] * robust[r] * row[i] * row[j];
      }
    }
    const CostVector before = costs;
    costs = solve_nonnegative(squared, right);
    const double loss = loss_of(costs, runs, weights);
    if (loss < least) {
      least = loss;
      fit.costs = costs;
    }
    bool is_stable = true;
    for (std::size_t i = 0; i < kCosts; ++i)
      is_stable = is_stable && std::abs(costs[i] - before[i]) <= kStable * costs[i];
    for (std::size_t r = 0; r < runs.size(); ++r) {
      const bool decides = runs[r].memory_us > work_us(costs, runs[r]);
      is_stable = is_stable && decides == memory_decides[r];
      memory_decides[r] = decides;
      robust[r] = weight_of(relative_error(costs, runs[r]));
    }
    if (is_stable) break;
  }
  for (double& cost : fit.costs) cost = three_digits(cost);
  rate(fit, runs);
  return fit;
}

Fits fit_tiles(std::span<const WayRun> runs, const KnownCosts& known) {
  const std::map<std::string, double> best_us = best_of(runs);
  std::map<std::string, std::pair<std::vector<WayRun>, std::vector<double>>> tiles;
  for (const WayRun& run : runs) {
    auto& [own, weights] = tiles[run.tile];
    own.push_back(run);
    const bool is_good = run.measured_us <= kGood * best_us.at(run.shape);
    weights.push_back(is_good ? 1.0 : kWeightOfOthers);
  }
  Fits fits;
  for (const auto& [tile, data] : tiles) {
    const auto& [own, weights] = data;
    const auto old = known.find(tile);
    TileFit& fit = fits[tile] = fit_tile(own, weights);
    if (own.size() >= kFewestRuns || old == known.end()) continue;
    fit.costs = old->second;
    fit.is_kept = true;
    rate(fit, own);
  }
  for (const auto& [tile, costs] : known)
    fits.try_emplace(tile, TileFit{.costs = costs, .is_kept = true});
  return fits;
}

std::vector<double> predictions_of(std::span<const WayRun> runs, const Fits& fits) {
  std::vector<double> us;
  for (const WayRun& run : runs) us.push_back(predicted_us(fits.at(run.tile).costs, run));
  return us;
}

Regret regret_of(std::span<const WayRun> runs, std::span<const double> us) {
  std::map<std::string, std::size_t> chosen;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    std::size_t& best = chosen.try_emplace(runs[i].shape, i).first->second;
    if (us[i] < us[best]) best = i;
  }
  const std::map<std::string, double> best_us = best_of(runs);
  Regret result;
  double logarithms = 0.0;
  for (const auto& [shape, run] : chosen) {
    const double regret = runs[run].measured_us / best_us.at(shape);
    logarithms += std::log(regret);
    result.worst.emplace_back(regret, shape);
  }
  std::ranges::sort(result.worst, std::greater());
  if (!chosen.empty())
    result.geometric_mean = std::exp(logarithms / static_cast<double>(chosen.size()));
  return result;
}

Fits with_chosen_again(std::span<const WayRun> runs, Fits fits) {
  double least = regret_of(runs, predictions_of(runs, fits)).geometric_mean;
  for (auto& [tile, fit] : fits) {
    if (fit.is_kept) continue;
    double best = fit.costs[kAgain];
    for (const double again : kTriedAgain) {
      fit.costs[kAgain] = again;
      const double regret = regret_of(runs, predictions_of(runs, fits)).geometric_mean;
      if (regret > least - kLeastGain) continue;
      least = regret;
      best = again;
    }
    fit.costs[kAgain] = best;
    std::vector<WayRun> own;
    std::ranges::copy_if(runs, std::back_inserter(own),
                         [&](const WayRun& run) { return run.tile == tile; });
    rate(fit, own);
  }
  return fits;
}

CostReport fit_report(const MeasuredWays& report, const KnownCosts& known) {
  CostReport result;
  result.device = report.device;
  result.runs = report.runs.size();
  std::vector<double> before_us;
  for (const WayRun& run : report.runs) {
    before_us.push_back(run.predicted_us);
    if (std::ranges::find(result.shapes, run.shape) == result.shapes.end())
      result.shapes.push_back(run.shape);
  }
  const Fits fits = fit_tiles(report.runs, known);
  result.fits = with_chosen_again(report.runs, fits);
  const std::vector<double> after_us = predictions_of(report.runs, result.fits);
  result.before = regret_of(report.runs, before_us);
  result.after = regret_of(report.runs, after_us);
  result.mean_error = result.best_mean_error =
      mean_error_of(report.runs, predictions_of(report.runs, fits));
  for (double tb_per_s = 2.0; tb_per_s < 5.05; tb_per_s += 0.1)
    for (double copy_us = 0.0; copy_us < 3.05; copy_us += 0.1) {
      const MemoryModel model = {1e6 * tb_per_s, copy_us};
      const std::vector<WayRun> runs = rescaled(report.runs, model);
      const double error = mean_error_of(runs, predictions_of(runs, fit_tiles(runs, known)));
      if (error >= result.best_mean_error) continue;
      result.best_mean_error = error;
      result.best_memory = model;
    }
  return result;
}

json record_of(const CostReport& report) {
  json tiles = json::array();
  for (const auto& [name, fit] : report.fits) {
    json tile = {{"name", name}};
    for (std::size_t i = 0; i < kCosts; ++i) tile[kCostNames[i]] = fit.costs[i];
    tile["runs"] = fit.runs;
    tile["median_error"] = three_digits(fit.median_error);
    tile["p90_error"] = three_digits(fit.most_error);
    if (fit.is_kept) tile["is_kept"] = true;
    tiles.push_back(tile);
  }
  return {
      {"about",
       "What each tile of chapter 09's step 17 costs, in microseconds, fitted to the times of "
       "all ways to multiply matrices of these shapes (m x n x k): tools/predict/costs.hpp. "
       "median_error and p90_error are of |predicted / measured - 1|, regret is how much longer "
       "the chosen ways take than the fastest. Where another cost of reading a matrix again makes "
       "the tiles choose better, that is what `again` is. A tile that is_kept had too few runs: "
       "its "
       "costs are older."},
      {"device", report.device},
      {"runs", report.runs},
      {"regret",
       {{"before", four_decimals(report.before.geometric_mean)},
        {"after", four_decimals(report.after.geometric_mean)}}},
      {"shapes", report.shapes},
      {"tiles", tiles}};
}

KnownCosts known_costs(std::string_view record) {
  const json parsed = tools::parse_ordered_json(record, /*allow_exceptions=*/false);
  const json tiles = parsed.is_object() ? parsed.value("tiles", json()) : json();
  if (!tiles.is_array()) throw std::runtime_error("the record has no list of tiles");
  KnownCosts known;
  for (std::size_t t = 0; t < tiles.size(); ++t) {
    if (!tiles[t].is_object() || !tiles[t].contains("name") || !tiles[t]["name"].is_string())
      throw std::runtime_error(fmt::format("tile {} of the record has no name", t));
    CostVector& costs = known[tiles[t]["name"].get<std::string>()];
    for (std::size_t i = 0; i < kCosts; ++i) {
      const auto cost = tiles[t].find(kCostNames[i]);
      if (cost == tiles[t].end() || !cost->is_number())
        throw std::runtime_error(
            fmt::format("tile {} of the record has no number {}", t, kCostNames[i]));
      costs[i] = cost->get<double>();
    }
  }
  return known;
}

std::string table_of(const CostReport& report) {
  std::string text;
  for (const auto& [name, fit] : report.fits) {
    const std::size_t shown = fit.costs[kAgain] == 0.0 ? kAgain : kCosts;
    std::string costs;
    for (std::size_t i = 0; i < shown; ++i) costs += (i == 0 ? "" : ", ") + literal(fit.costs[i]);
    text += fmt::format(
        "{:15}  kCost = {:<58} {:3} runs, off by {:4.1f} %, 90 % of them by {:4.1f} %{}\n", name,
        "{" + costs + "};", fit.runs, 100.0 * fit.median_error, 100.0 * fit.most_error,
        remark_of(fit));
  }
  const auto show = [&](const char* costs_name, const Regret& regret) {
    text += fmt::format("{} choose ways that take {:.4f} times as long as the fastest; worst:",
                        costs_name, regret.geometric_mean);
    for (std::size_t i = 0; i < std::min(kShownShapes, regret.worst.size()); ++i)
      text += fmt::format("{} {} {:.3f}", i == 0 ? "" : ",", regret.worst[i].second,
                          regret.worst[i].first);
    text += '\n';
  };
  show("The report's costs", report.before);
  show("These costs       ", report.after);
  text += fmt::format(
      "Mean error {:.2f} %; it would be {:.2f} % with kBytesPerUs = {:.1f}e6, kCopyUs = {:.1f}\n",
      100.0 * report.mean_error, 100.0 * report.best_mean_error,
      report.best_memory.bytes_per_us / 1e6, report.best_memory.copy_us);
  return text;
}

}  // namespace predict
