/// Kinds of pictures that show the speed of multiplying square matrices.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>

#include "tools/plot/kinds.hpp"
#include "tools/prose/number.hpp"

namespace plot {

using nlohmann::json;
using prose::show_number;

namespace {

/// Returns whether the picture shows a run: the yardstick, and the kernels in the picture's list,
/// if it has one.
bool is_wanted(const json& picture, const MeasuredRun& run) {
  return !picture.contains("only") || picture.at("yardstick") == run.name ||
         std::ranges::find(picture["only"], json(run.name)) != picture["only"].end();
}

}  // namespace

Data ladder(const json& picture, const Measured& measured) {
  const std::string chapter = picture.at("chapter"), yardstick = picture.at("yardstick");
  const auto is_yardstick = [&](const MeasuredRun& run) { return run.name == yardstick; };
  std::vector<MeasuredRun> steps;
  for (const MeasuredRun& run : measured.runs)
    if (run.chapter == chapter && run.name == run.kernel && run.is_square() &&
        is_wanted(picture, run) &&
        (steps.empty() || run.parameter("m") == steps.front().parameter("m")))
      steps.push_back(run);
  constexpr std::size_t kFewest = 3;
  if (steps.size() < kFewest) return std::nullopt;
  std::ranges::stable_partition(steps, std::not_fn(is_yardstick));  // the yardstick comes last

  std::vector<std::string> ours, theirs;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const MeasuredRun& step = steps[i];
    (is_yardstick(step) ? theirs : ours)
        .push_back(fmt::format("{} {} {} {}", i, step.gflop_per_s, in_quotes(step.name),
                               in_quotes(show_number(step.gflop_per_s, 0))));
  }
  if (theirs.empty()) theirs.push_back("NaN NaN \"\" \"\"");
  Ceiling ceiling = measured.ceiling;
  if (picture.contains("ceiling"))
    ceiling = {picture["ceiling"].at("gflop_per_s"), picture["ceiling"].at("label")};
  return block("steps", ours) + block(yardstick, theirs) +
         fmt::format(
             "height = {}\nbars = {}\nsize = {}\nceiling = {:.6g}\nceiling_label = {}\n",
             96 + 26 * steps.size(), steps.size(), steps.front().parameter("m"),
             ceiling.gflop_per_s,
             in_quotes(fmt::format("{}: {}", ceiling.label, show_number(ceiling.gflop_per_s, 0))));
}

Data errors(const json& picture, const Measured& measured) {
  const std::string x = picture.at("x");
  std::vector<MeasuredRun> runs = measured.of(picture.at("chapter"), picture.at("kernel"));
  std::ranges::sort(runs, {}, [&](const MeasuredRun& run) { return run.parameter(x); });
  std::string text;
  std::vector<std::string> labels;
  for (const auto& [step, words] : picture.at("labels").items()) {
    std::vector<std::string> rows;
    for (const MeasuredRun& run : runs)
      if (run.name == step)
        rows.push_back(fmt::format("{} {}", run.parameter(x), run.parameter("error")));
    if (rows.size() < 2) return std::nullopt;
    labels.push_back(rows.back() + " " + in_quotes(words));
    text += block(fmt::format("curve{}", labels.size()), rows);
  }
  return text + block("labels", labels) +
         fmt::format("height = {}\n", picture.at("height").get<int>());
}

Data sizes(const json& picture, const Measured& measured) {
  struct Curve {
    std::string name, group;          // a chapter, or the yardstick alone
    std::map<double, double> points;  // size -> GFLOP/s
    std::string colour;               // name in style.gp
    double last() const { return points.rbegin()->second; }
  };
  const std::string yardstick = picture.at("yardstick");
  const double whole_tiles = picture.at("whole_tiles");  // other sizes leave parts of tiles unused
  std::map<std::string, std::vector<std::string>> colours = picture.at("colours");
  std::vector<Curve> curves;
  for (const MeasuredRun& run : measured.runs) {
    if (!colours.contains(run.chapter) || !run.is_square() || !is_wanted(picture, run) ||
        std::fmod(run.parameter("m"), whole_tiles) != 0.0)
      continue;
    auto curve = std::ranges::find(curves, run.name, &Curve::name);
    if (curve == curves.end())
      curve =
          curves.insert(curve, {run.name, run.name == yardstick ? yardstick : run.chapter, {}, ""});
    double& best = curve->points[run.parameter("m")];
    best = std::max(best, run.gflop_per_s);
  }
  constexpr std::size_t kFewestSizes = 3;
  std::ranges::stable_sort(curves, std::ranges::greater(), &Curve::last);
  for (Curve& curve : curves) {
    std::vector<std::string>& left = colours.at(curve.group);
    if (left.empty() || curve.points.size() < kFewestSizes) continue;
    curve.colour = left.front();
    left.erase(left.begin());
  }
  std::erase_if(curves, [](const Curve& curve) { return curve.colour.empty(); });
  if (!colours.at(yardstick).empty()) return std::nullopt;

  const Ceiling& ceiling = measured.ceiling;
  const double top = 1.12 * ceiling.gflop_per_s;
  std::vector<double> places;
  double largest = 0.0, smallest = INFINITY;
  for (const Curve& curve : curves) {
    places.push_back(curve.last());
    largest = std::max(largest, curve.points.rbegin()->first);
    smallest = std::min(smallest, curve.points.begin()->first);
  }
  constexpr double kPlotPixels = 330.0, kLabelPixels = 16.0;
  spread(&places, top * kLabelPixels / kPlotPixels);

  std::string text;
  std::vector<std::string> labels;
  for (std::size_t i = 0; i < curves.size(); ++i) {
    std::vector<std::string> rows;
    for (const auto& [size, gflop_per_s] : curves[i].points)
      rows.push_back(fmt::format("{} {}", size, gflop_per_s));
    text += block(fmt::format("curve{}", i + 1), rows);
    labels.push_back(fmt::format("{} {:.6g} {} {}", largest, places[i], in_quotes(curves[i].name),
                                 curves[i].colour));
  }
  return text + block("labels", labels) +
         fmt::format(
             "height = {}\ncurves = {}\nsmallest = {}\nlargest = {}\n"
             "top = {:.6g}\nceiling = {:.6g}\nceiling_label = {}\n",
             picture.at("height").get<int>(), curves.size(), smallest, largest, top,
             ceiling.gflop_per_s,
             in_quotes(fmt::format("{}: {}", ceiling.label, show_number(ceiling.gflop_per_s, 0))));
}

}  // namespace plot
