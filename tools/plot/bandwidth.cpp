/// Kinds of pictures that show GB/s, with a line for the driver's copy.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "course/counters.hpp"
#include "tools/plot/kinds.hpp"
#include "tools/prose/number.hpp"

namespace plot {

using nlohmann::json;
using prose::show_number;

namespace {

/// Returns the data with the picture's height and the copy's bandwidth, if that was measured.
Data below_the_copy(const std::string& data, const json& picture, const Measured& measured) {
  if (measured.copy_gb_per_s == 0.0) return std::nullopt;
  return data + fmt::format("height = {}\ncopy = {}\n", picture.at("height").get<int>(),
                            measured.copy_gb_per_s);
}

/// Returns the words below a group of bars.
std::string note_of(const json& note, double x) {
  return note.at(std::fmod(x, note.at("multiple_of").get<double>()) == 0.0 ? "then" : "else");
}

}  // namespace

Data use_and_movement(const json& picture, const Measured& measured) {
  const std::string chapter = picture.at("chapter"), x = picture.at("x"), size = picture.at("size");
  std::vector<std::string> rows;
  for (const MeasuredRun& run : measured.of(chapter, picture.at("kernel"))) {
    for (const json& counted : measured.counted.at(chapter)) {
      if (counted.at("kernel") != run.kernel || !counted.at("counters").is_object()) continue;
      const json &parameters = counted.at("parameters"), &counters = counted.at("counters");
      const double elements = parameters.at(size);
      constexpr double kWholeWarps = 32.0;
      if (parameters.at(x) != run.parameters.at(x) || elements < kWholeWarps) continue;
      const double bytes_per_element = course::kSectorBytes *
                                       (counters.at("global_load_sectors").get<double>() +
                                        counters.at("global_store_sectors").get<double>()) /
                                       elements;
      rows.push_back(fmt::format("{} {} {:.6g}", run.parameter(x), run.gb_per_s,
                                 bytes_per_element * run.parameter(size) / run.ms / 1e6));
      break;
    }
  }
  constexpr std::size_t kFewest = 3;
  if (rows.size() < kFewest) return std::nullopt;
  return below_the_copy(block("runs", rows), picture, measured);
}

Data bars(const json& picture, const Measured& measured) {
  const std::vector<std::string> kernels = picture.at("kernels");
  const std::string x = picture.at("x");
  std::map<double, std::map<std::string, double>> gb_per_s;  // x -> kernel -> GB/s
  for (const std::string& kernel : kernels)
    for (const MeasuredRun& run : measured.of(picture.at("chapter"), kernel))
      gb_per_s[run.parameter(x)][kernel] = run.gb_per_s;
  std::vector<std::string> rows;
  for (const auto& [value, by_kernel] : gb_per_s) {
    if (by_kernel.size() != kernels.size()) continue;
    std::string row = in_quotes(fmt::format("{} {}", x, value)) + " " +
                      in_quotes(note_of(picture.at("note"), value));
    for (const std::string& kernel : kernels)
      row += fmt::format(" {} {}", by_kernel.at(kernel),
                         in_quotes(show_number(by_kernel.at(kernel), 0)));
    rows.push_back(row);
  }
  if (rows.size() < 2) return std::nullopt;
  return below_the_copy(block("runs", rows), picture, measured);
}

Data curves(const json& picture, const Measured& measured) {
  const std::string x = picture.at("x");
  std::string text;
  for (const std::string kernel : picture.at("kernels")) {
    std::vector<std::string> rows;
    std::vector<MeasuredRun> runs = measured.of(picture.at("chapter"), kernel);
    std::ranges::sort(runs, {}, [&](const MeasuredRun& run) { return run.parameter(x); });
    for (const MeasuredRun& run : runs)
      rows.push_back(fmt::format("{} {}", run.parameter(x), run.gb_per_s));
    if (rows.size() < 2) return std::nullopt;
    text += block(kernel, rows);
  }
  return below_the_copy(text, picture, measured);
}

}  // namespace plot
