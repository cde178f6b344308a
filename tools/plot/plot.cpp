/// Draws the pictures of docs/plots from docs/measurements, with gnuplot.
///
///     ./course --backend emulator test -R plots   compares docs/plots/*.svg
///     build/emulator/bin/plot                     makes them again
///
/// A picture is made of three things: the data that this program picks, `style.gp`, and the script
/// of the picture's name. Where measurements are missing, there is no picture.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iostream>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>
#include <string>
#include <tuple>
#include <vector>

#include "tools/plot/svg_card.hpp"
#include "tools/prose/number.hpp"
#include "tools/support/subprocess.hpp"

namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using prose::show_number;

/// A run that was timed.
struct Run {
  std::string chapter;
  std::string kernel;  ///< as the file has it
  std::string name;  ///< of the kernel, where the file names a sweep: "sizes", "sizes_of_maxas_64"
  json parameters;
  double ms = 0.0;
  double gb_per_s = 0.0;     ///< 0 if unknown
  double gflop_per_s = 0.0;  ///< 0 for a kernel without floating-point operations

  double parameter(const char* key) const { return parameters.value(key, 0.0); }
};

/// What the pictures are drawn from: h200.json.
struct Measured {
  std::string machine;  ///< "NVIDIA H200, CUDA 13.0, 2026-11-21"
  double clock_mhz = 0.0;
  std::vector<Run> runs;  ///< all that were timed, but for mistakes on purpose and candidates
  json counted;           ///< chapter -> all of its runs, those with counters among them

  /// The timed runs of a chapter's kernel.
  std::vector<Run> of(const std::string& chapter, const std::string& kernel) const {
    std::vector<Run> found;
    for (const Run& run : runs)
      if (run.chapter == chapter && run.kernel == kernel) found.push_back(run);
    return found;
  }

  /// GB/s of the driver's copy from device to device, read and written; 0 if not measured.
  double copy_gb_per_s() const {
    const auto copies = of("06_unrolling", "copy_device_to_device");
    return copies.empty() ? 0.0 : copies.front().gb_per_s;
  }
};

/// The kernel that a run of a sweep is of.
std::string kernel_name(const std::string& kernel, const json& parameters) {
  static const std::string kSizesOf = "sizes_of_";
  if (kernel.starts_with(kSizesOf)) return kernel.substr(kSizesOf.size());
  return parameters.value("step", kernel);
}

Measured read_measured(const fs::path& file) {
  std::ifstream stream(file);
  if (!stream) throw std::runtime_error("cannot read " + file.string());
  const json all = json::parse(stream);
  Measured measured;
  measured.machine =
      fmt::format("{}, CUDA {}, {}", all.at("device").get<std::string>(),
                  all.at("toolkit").get<std::string>(), all.at("date").get<std::string>());
  measured.clock_mhz = std::stod(all.at("clock_sm_max_mhz").get<std::string>());
  measured.counted = all.at("chapters");
  for (const auto& [chapter, runs] : measured.counted.items()) {
    for (const json& run : runs) {
      const json& parameters = run.at("parameters");
      if (!run.at("time_ms").is_object() || run.contains("known_wrong") ||
          parameters.contains("wrong") || parameters.value("gate", "") == "refuses" ||
          run.at("kernel") == "candidates")
        continue;
      const auto number = [&](const char* name) {
        return run.at(name).is_number() ? run.at(name).get<double>() : 0.0;
      };
      const std::string kernel = run.at("kernel");
      measured.runs.push_back({chapter, kernel, kernel_name(kernel, parameters), parameters,
                               run.at("time_ms").at("median"), number("gb_per_s"),
                               number("gflop_per_s")});
    }
  }
  return measured;
}

/// A text as gnuplot reads it between double quotes.
std::string in_quotes(const std::string& text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    result += c;
  }
  return result + '"';
}

/// A block of data, a row a line.
std::string block(const std::string& name, const std::vector<std::string>& rows) {
  std::string text = "$" + name + " << END\n";
  for (const std::string& row : rows) text += row + "\n";
  return text + "END\n";
}

// --- the pictures ---

/// What a picture adds to the scripts, the height in pixels among it: gnuplot's text, or nothing
/// where measurements are missing.
using Data = std::optional<std::string>;

struct Picture {
  const char* name;  ///< of the script and of the picture
  plot::Caption caption;
  const char* conditions;  ///< what was measured
  std::function<Data(const Measured&)> data;
};

/// 02: what a stride leaves of the bandwidth, and what the caches move meanwhile.
Data stride_data(const Measured& measured) {
  constexpr double kSectorBytes = 32.0;
  std::vector<std::string> rows;
  for (const Run& run : measured.of("02_coalescing", "copy_strided")) {
    for (const json& counted : measured.counted.at("02_coalescing")) {
      if (counted.at("kernel") != run.kernel || !counted.at("counters").is_object()) continue;
      const json &parameters = counted.at("parameters"), &counters = counted.at("counters");
      const double elements = parameters.at("elements");
      constexpr double kWholeWarps = 32.0;
      if (parameters.at("stride") != run.parameters.at("stride") || elements < kWholeWarps)
        continue;
      const double bytes_per_element = kSectorBytes *
                                       (counters.at("global_load_sectors").get<double>() +
                                        counters.at("global_store_sectors").get<double>()) /
                                       elements;
      rows.push_back(fmt::format("{} {} {:.6g}", run.parameter("stride"), run.gb_per_s,
                                 bytes_per_element * run.parameter("elements") / run.ms / 1e6));
      break;
    }
  }
  constexpr std::size_t kFewest = 3;
  if (rows.size() < kFewest || measured.copy_gb_per_s() == 0.0) return std::nullopt;
  return block("runs", rows) + fmt::format("height = 410\ncopy = {}\n", measured.copy_gb_per_s());
}

/// 03: a bar for each kernel and offset.
Data offset_data(const Measured& measured) {
  const std::vector<std::string> kernels = {"read_offset", "read_offset_l2_only", "write_offset"};
  std::map<double, std::map<std::string, double>> gb_per_s;  // offset -> kernel -> GB/s
  for (const std::string& kernel : kernels)
    for (const Run& run : measured.of("03_alignment", kernel))
      gb_per_s[run.parameter("offset")][kernel] = run.gb_per_s;
  std::vector<std::string> rows;
  for (const auto& [offset, by_kernel] : gb_per_s) {
    if (by_kernel.size() != kernels.size()) continue;
    // 32 floats are 4 sectors if they begin at one, else 5.
    constexpr int kFloatsPerSector = 8;
    const int sectors = static_cast<int>(offset) % kFloatsPerSector == 0 ? 4 : 5;
    std::string row = in_quotes(fmt::format("offset {}", offset)) + " " +
                      in_quotes(fmt::format("{} sectors per request", sectors));
    for (const std::string& kernel : kernels)
      row += fmt::format(" {} {}", by_kernel.at(kernel),
                         in_quotes(show_number(by_kernel.at(kernel), 0)));
    rows.push_back(row);
  }
  if (rows.size() < 2 || measured.copy_gb_per_s() == 0.0) return std::nullopt;
  return block("runs", rows) + fmt::format("height = 410\ncopy = {}\n", measured.copy_gb_per_s());
}

/// 06: a curve for each kernel.
Data block_size_data(const Measured& measured) {
  std::string text;
  for (const char* kernel : {"blocks_of_read_offset", "blocks_of_unroll4"}) {
    std::vector<std::string> rows;
    std::vector<Run> runs = measured.of("06_unrolling", kernel);
    std::ranges::sort(runs, {}, [](const Run& run) { return run.parameter("block"); });
    for (const Run& run : runs)
      rows.push_back(fmt::format("{} {}", run.parameter("block"), run.gb_per_s));
    if (rows.size() < 2) return std::nullopt;
    text += block(kernel, rows);
  }
  if (measured.copy_gb_per_s() == 0.0) return std::nullopt;
  return text + fmt::format("height = 410\ncopy = {}\n", measured.copy_gb_per_s());
}

// --- SGEMM ---

bool is_square(const Run& run) {
  return run.parameter("m") > 0.0 && run.parameter("m") == run.parameter("n") &&
         run.parameter("m") == run.parameter("k");
}

bool is_cublas(const Run& run) { return run.name == "cublas"; }

/// A kernel that does nothing but fused multiply-adds on registers.
bool is_ffma_ceiling(const Run& run) { return run.name == "ffma_ceiling"; }

struct Ceiling {
  double gflop_per_s = 0.0;
  std::string label;
};

/// What the FP32 lanes can do: as measured, else what the clock allows.
Ceiling arithmetic_ceiling(const Measured& measured) {
  for (const Run& run : measured.runs)
    if (is_ffma_ceiling(run)) return {run.gflop_per_s, "nothing but FFMA"};
  constexpr double kMultiprocessors = 132.0, kLanes = 128.0, kFlopsPerFma = 2.0;
  return {measured.clock_mhz * kMultiprocessors * kLanes * kFlopsPerFma / 1e3,
          fmt::format("an FFMA per lane and clock at {} MHz", show_number(measured.clock_mhz, 0))};
}

/// 08: a bar for each step, all at one size.
Data sgemm_ladder_data(const Measured& measured) {
  std::vector<Run> steps;
  for (const Run& run : measured.runs)
    if (run.chapter == "08_sgemm" && run.name == run.kernel && is_square(run) &&
        (steps.empty() || run.parameter("m") == steps.front().parameter("m")))
      steps.push_back(run);
  constexpr std::size_t kFewest = 3;
  if (steps.size() < kFewest) return std::nullopt;
  std::ranges::stable_partition(steps, std::not_fn(is_cublas));  // the yardstick stands last

  std::vector<std::string> ours, theirs;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const Run& step = steps[i];
    (is_cublas(step) ? theirs : ours)
        .push_back(fmt::format("{} {} {} {}", i, step.gflop_per_s, in_quotes(step.name),
                               in_quotes(show_number(step.gflop_per_s, 0))));
  }
  if (theirs.empty()) theirs.push_back("NaN NaN \"\" \"\"");
  const Ceiling ceiling = arithmetic_ceiling(measured);
  return block("steps", ours) + block("cublas", theirs) +
         fmt::format(
             "height = {}\nbars = {}\nsize = {}\nceiling = {:.6g}\nceiling_label = {}\n",
             96 + 26 * steps.size(), steps.size(), steps.front().parameter("m"),
             ceiling.gflop_per_s,
             in_quotes(fmt::format("{}: {}", ceiling.label, show_number(ceiling.gflop_per_s, 0))));
}

/// Moves numbers apart, as little as it takes, so that neighbours are `distance` from each other;
/// the order stays.
void spread(std::vector<double>* places, double distance) {
  std::vector<std::size_t> order(places->size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::ranges::sort(order, {}, [&](std::size_t i) { return (*places)[i]; });
  constexpr int kRounds = 1000;
  for (int round = 0; round < kRounds; ++round) {
    bool moved = false;
    for (std::size_t i = 1; i < order.size(); ++i) {
      double &low = (*places)[order[i - 1]], &high = (*places)[order[i]];
      const double missing = distance - (high - low);
      if (missing <= 1e-9) continue;
      low -= missing / 2.0;
      high += missing / 2.0;
      moved = true;
    }
    if (!moved) break;
  }
}

/// 08 and 09: a curve for the three fastest steps, for the fastest of 09, and for cuBLAS.
Data sgemm_sizes_data(const Measured& measured) {
  struct Curve {
    std::string name, chapter;
    std::map<double, double> points;  // size -> GFLOP/s
    std::string colour;               // as style.gp names it
    double last() const { return points.rbegin()->second; }
  };
  const std::string kCublas = "cublas";
  constexpr double kWholeTiles = 256.0;  // other sizes leave parts of tiles unused
  std::vector<Curve> curves;
  for (const Run& run : measured.runs) {
    if ((run.chapter != "08_sgemm" && run.chapter != "09_maxas_epilogue") || !is_square(run) ||
        std::fmod(run.parameter("m"), kWholeTiles) != 0.0)
      continue;
    auto curve = std::ranges::find(curves, run.name, &Curve::name);
    if (curve == curves.end())
      curve = curves.insert(curve, {run.name, is_cublas(run) ? kCublas : run.chapter, {}, ""});
    double& best = curve->points[run.parameter("m")];
    best = std::max(best, run.gflop_per_s);
  }
  constexpr std::size_t kFewestSizes = 3;
  std::map<std::string, std::vector<std::string>> colours = {
      {kCublas, {"two"}}, {"08_sgemm", {"four", "three", "one"}}, {"09_maxas_epilogue", {"muted"}}};
  std::ranges::stable_sort(curves, std::ranges::greater(), &Curve::last);
  for (Curve& curve : curves) {
    std::vector<std::string>& left = colours.at(curve.chapter);
    if (left.empty() || curve.points.size() < kFewestSizes) continue;
    curve.colour = left.back();
    left.pop_back();
  }
  std::erase_if(curves, [](const Curve& curve) { return curve.colour.empty(); });
  if (!colours.at(kCublas).empty()) return std::nullopt;

  const Ceiling ceiling = arithmetic_ceiling(measured);
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
             "height = 450\ncurves = {}\nsmallest = {}\nlargest = {}\n"
             "top = {:.6g}\nceiling = {:.6g}\nceiling_label = {}\n",
             curves.size(), smallest, largest, top, ceiling.gflop_per_s,
             in_quotes(fmt::format("{}: {}", ceiling.label, show_number(ceiling.gflop_per_s, 0))));
}

// --- the roofline ---

/// Operations per byte, every element moved once; 0 for a kernel that computes nothing with floats.
///
/// Most programs report bytes alone. A sum of two arrays makes one addition for its 12 bytes; a
/// shifted coordinate, one for the 4 that are read and the 4 that are written; a cubic polynomial,
/// three products and three sums for as many.
double flops_per_byte(const Run& run) {
  if (const double m = run.parameter("m"), n = run.parameter("n"), k = run.parameter("k");
      m > 0.0) {
    const double times_c = run.parameter("beta") == 0.0 ? 1.0 : 2.0;  // written, and maybe read
    return 2.0 * m * n * k / (sizeof(float) * (m * k + k * n + times_c * m * n));
  }
  struct Arithmetic {
    const char* chapter;
    const char* part_of_name;
    double flops_per_byte;
  };
  static constexpr Arithmetic kArithmetic[] = {{"03_alignment", "_offset", 1.0 / 12},
                                               {"04_read_only_cache", "polynomial", 6.0 / 8},
                                               {"05_aos_soa", "update", 1.0 / 8},
                                               {"06_unrolling", "read_offset", 1.0 / 12}};
  for (const Arithmetic& one : kArithmetic)
    if (run.chapter == one.chapter && run.kernel.find(one.part_of_name) != std::string::npos)
      return one.flops_per_byte;
  return 0.0;
}

/// A kernel's place under the roof.
struct Point {
  std::string chapter;
  std::string name;
  double flops_per_byte = 0.0;
  double gflop_per_s = 0.0;
  double ms = 0.0;
  int number = 0;

  double flops() const { return gflop_per_s * ms * 1e6; }
};

/// Each kernel's largest run, and of these the fastest.
std::vector<Point> roofline_points(const Measured& measured) {
  std::map<std::string, std::size_t> place;  // chapter and kernel -> index
  std::vector<Point> points;
  for (const Run& run : measured.runs) {
    const double intensity = flops_per_byte(run);
    // Kernels swept over block sizes are there under their own names; of sizes, squares will do.
    if (intensity == 0.0 || run.kernel.starts_with("blocks_of_") ||
        (run.name != run.kernel && !is_square(run)))
      continue;
    const double gflop_per_s = run.gflop_per_s > 0.0 ? run.gflop_per_s : intensity * run.gb_per_s;
    Point point = {run.chapter, run.name, intensity, gflop_per_s, run.ms, 0};
    const double k = run.parameter("k");
    if (k > 0.0 && !is_square(run)) point.name += fmt::format(", k = {}", k);
    const auto [at, is_new] = place.try_emplace(point.chapter + "/" + point.name, points.size());
    if (is_new) {
      points.push_back(point);
      continue;
    }
    Point& best = points[at->second];
    constexpr double kAsLarge = 1.01;  // an offset takes a few elements away
    const double larger = point.flops() / best.flops();
    if (larger > kAsLarge || (larger * kAsLarge > 1.0 && point.gflop_per_s > best.gflop_per_s))
      best = point;
  }
  // Where points of a chapter lie close together, their numbers go up with them.
  std::ranges::stable_sort(points, {}, [](const Point& point) {
    return std::tuple(point.chapter, point.flops_per_byte, point.gflop_per_s);
  });
  for (std::size_t i = 0; i < points.size(); ++i) points[i].number = static_cast<int>(i) + 1;
  return points;
}

/// "4-6, 20" for 4, 5, 6 and 20.
std::string ranges_of(std::vector<int> numbers) {
  std::ranges::sort(numbers);
  std::string text;
  for (std::size_t first = 0; first < numbers.size();) {
    std::size_t last = first;
    while (last + 1 < numbers.size() && numbers[last + 1] == numbers[last] + 1) ++last;
    if (!text.empty()) text += ", ";
    text += std::to_string(numbers[first]);
    if (last > first) text += (last == first + 1 ? ", " : "\u2013") + std::to_string(numbers[last]);
    first = last + 1;
  }
  return text;
}

/// A rectangle of the picture, in pixels, and the decades that it shows.
struct LogLogPlane {
  double left = 68.0, right = 676.0, top = 92.0, bottom = 446.0;
  double x_min, x_max, y_min, y_max;

  double x_pixel(double x) const {
    return left + (right - left) * std::log(x / x_min) / std::log(x_max / x_min);
  }
  double y_pixel(double y) const {
    return bottom - (bottom - top) * std::log(y / y_min) / std::log(y_max / y_min);
  }
  double y_at(double pixel) const {
    return y_min * std::pow(y_max / y_min, (bottom - pixel) / (bottom - top));
  }
};

/// The points' numbers, set beside them: points that lie on each other share a label.
std::vector<std::string> roofline_labels(std::vector<Point> points, const LogLogPlane& plane) {
  constexpr double kSameColumn = 9.0, kSameLabel = 13.0, kLabelHeight = 14.0;  // pixels
  std::ranges::sort(points, {}, &Point::flops_per_byte);
  struct Column {
    double left, right;
    std::vector<Point> points;
  };
  std::vector<Column> columns;
  for (const Point& point : points) {
    const double x = plane.x_pixel(point.flops_per_byte);
    if (columns.empty() || x - columns.back().right > kSameColumn) columns.push_back({x, x, {}});
    columns.back().right = x;
    columns.back().points.push_back(point);
  }
  std::vector<std::string> labels;
  for (std::size_t c = 0; c < columns.size(); ++c) {
    Column& column = columns[c];
    std::ranges::sort(column.points, {}, &Point::gflop_per_s);
    struct Label {
      double lowest, highest;  // pixels, counted upwards
      std::vector<int> numbers;
    };
    std::vector<Label> found;
    for (const Point& point : column.points) {
      const double y = -plane.y_pixel(point.gflop_per_s);
      if (found.empty() || y - found.back().highest > kSameLabel) found.push_back({y, y, {}});
      found.back().highest = y;
      found.back().numbers.push_back(point.number);
    }
    std::vector<double> places;
    for (const Label& label : found) places.push_back((label.lowest + label.highest) / 2.0);
    spread(&places, kLabelHeight);
    // To the right, unless the next column, or the frame, is too near.
    constexpr double kRoomForLabel = 50.0;
    const double next = c + 1 < columns.size() ? columns[c + 1].left : plane.right;
    const bool is_left = next - column.right < kRoomForLabel &&
                         (c == 0 || column.left - columns[c - 1].right > kRoomForLabel);
    constexpr double kGap = 9.0;
    for (std::size_t i = 0; i < found.size(); ++i)
      labels.push_back(fmt::format("{:.2f} {:.2f} {} {}",
                                   is_left ? column.left - kGap : column.right + kGap, -places[i],
                                   is_left ? 1 : 0, in_quotes(ranges_of(found[i].numbers))));
  }
  return labels;
}

/// Number, name and part of the roof of every point, in columns below the plot.
std::vector<std::string> roofline_table(const std::vector<Point>& points, const Ceiling& ceiling,
                                        double copy_gb_per_s, double top) {
  constexpr double kLeft = 20.0, kColumn = 224.0, kRow = 16.0;
  constexpr std::size_t kColumns = 3;
  std::vector<std::array<std::string, 3>> cells;  // number, name, part of the roof
  std::string chapter;
  for (const Point& point : points) {
    if (point.chapter != chapter) {
      chapter = point.chapter;
      std::string title = chapter;
      std::ranges::replace(title, '_', ' ');
      cells.push_back({"", title, ""});
    }
    const double roof = std::min(ceiling.gflop_per_s, point.flops_per_byte * copy_gb_per_s);
    cells.push_back({std::to_string(point.number), point.name,
                     fmt::format("{:.{}f} %", 100.0 * point.gflop_per_s / roof,
                                 point.gflop_per_s < 0.1 * roof ? 1 : 0)});
  }
  const std::size_t rows = (cells.size() + kColumns - 1) / kColumns;
  std::vector<std::string> table;
  for (std::size_t i = 0; i < cells.size(); ++i)
    table.push_back(fmt::format("{} {} {} {} {}", kLeft + kColumn * static_cast<double>(i / rows),
                                top + kRow * static_cast<double>(i % rows), in_quotes(cells[i][0]),
                                in_quotes(cells[i][1]), in_quotes(cells[i][2])));
  return table;
}

/// Every kernel that computes with floats: operations per byte against operations per second.
Data roofline_data(const Measured& measured) {
  const std::vector<Point> points = roofline_points(measured);
  const double copy = measured.copy_gb_per_s();
  if (points.empty() || copy == 0.0) return std::nullopt;
  const Ceiling ceiling = arithmetic_ceiling(measured);

  LogLogPlane plane{};
  const auto [low_x, high_x] = std::ranges::minmax(points, {}, &Point::flops_per_byte);
  plane.x_min = low_x.flops_per_byte / 6.0;
  plane.x_max = high_x.flops_per_byte * 8.0;
  plane.y_min = std::ranges::min(points, {}, &Point::gflop_per_s).gflop_per_s / 2.0;
  plane.y_max = 2.0 * ceiling.gflop_per_s;

  std::vector<std::string> rows;
  for (const Point& point : points)
    rows.push_back(fmt::format("{:.6g} {:.6g}", point.flops_per_byte, point.gflop_per_s));
  const double ridge = ceiling.gflop_per_s / copy;
  constexpr double kDegrees = 180.0 / 3.14159265358979;
  const double slope = kDegrees * std::atan((plane.y_pixel(1.0) - plane.y_pixel(10.0)) /
                                            (plane.x_pixel(10.0) - plane.x_pixel(1.0)));
  constexpr double kTableGap = 94.0;  // pixels, for the axis and the table's heading
  const auto table = roofline_table(points, ceiling, copy, plane.bottom + kTableGap);
  return block("points", rows) + block("labels", roofline_labels(points, plane)) +
         block("table", table) +
         block("roof", {fmt::format("{:.6g} {:.6g}", plane.x_min, plane.x_min * copy),
                        fmt::format("{:.6g} {:.6g}", ridge, ceiling.gflop_per_s),
                        fmt::format("{:.6g} {:.6g}", plane.x_max, ceiling.gflop_per_s)}) +
         fmt::format(
             "height = {}\nleft = {}\nright = {}\ntop = {}\nbottom = {}\nx_min = {:.6g}\nx_max = "
             "{:.6g}\n"
             "y_min = {:.6g}\ny_max = {:.6g}\ncopy = {}\nceiling = {:.6g}\nslope = {:.1f}\n"
             "copy_label = {}\nceiling_label = {}\n",
             plane.bottom + kTableGap + 16.0 * static_cast<double>((table.size() + 2) / 3) + 8.0,
             plane.left, plane.right, plane.top, plane.bottom, plane.x_min, plane.x_max,
             plane.y_min, plane.y_max, copy, ceiling.gflop_per_s, slope,
             in_quotes(fmt::format("the driver's copy: {} GB/s", show_number(copy, 0))),
             in_quotes(fmt::format("{}: {} GFLOP/s", ceiling.label,
                                   show_number(ceiling.gflop_per_s, 0))));
}

// --- all of them ---

const std::vector<Picture>& pictures() {
  static const std::vector<Picture> all = {
      {"stride",
       {"A stride wastes bandwidth",
        "A copy that reads every second, fourth, eighth or 32nd float: the bytes of use per second "
        "fall with the stride, while whole sectors keep the memory busy. From stride 8 on every "
        "float costs a sector of its own; at 32 the sectors that come in pairs are wasted as "
        "well."},
       "copy of 2\u00b2\u00b3 floats, each sector counted by Nsight Compute",
       stride_data},
      {"offset",
       {"A misaligned offset costs a sector per request, and hardly any time",
        "Bars of the bandwidth of three kernels that begin to read or write at an offset. At "
        "offset "
        "11 a request touches five sectors instead of four, and yet the bars are all but equal."},
       "sums of 2\u00b2\u2076 floats, 12 bytes each",
       offset_data},
      {"block_size",
       {"Small blocks need more to do",
        "Bandwidth over the number of threads per block. The plain sum is fastest with 256 threads "
        "and slow with 32; with eight loads in flight per thread, every size from 128 on is as "
        "fast "
        "as the driver's copy."},
       "sums of 2\u00b2\u2076 floats, 12 bytes each",
       block_size_data},
      {"sgemm_ladder",
       {"The SGEMM ladder, step by step",
        "A bar for each step of the SGEMM ladder, from the naive kernel to the last one, with "
        "cuBLAS "
        "below and the limit of the arithmetic units as a line."},
       "GFLOP/s",
       sgemm_ladder_data},
      {"sgemm_sizes",
       {"SGEMM from small matrices to large ones",
        "GFLOP/s of the course's fastest SGEMM kernels and of cuBLAS over the size of square "
        "matrices, below the limit of the arithmetic units."},
       "square matrices of whole tiles",
       sgemm_sizes_data},
      {"roofline",
       {"Every kernel under its roof",
        "A roofline: operations per byte against operations per second, both logarithmic. Sums and "
        "other streaming kernels lie on the slope that the memory's bandwidth allows; matrix "
        "products lie to the right, where only the arithmetic units are a limit, and climb towards "
        "it. A table below numbers the kernels and says which part of the roof each one reaches."},
       "bytes: every element moved once",
       roofline_data}};
  return all;
}

std::string gnuplot_output(const std::vector<std::string>& arguments, const std::string& input) {
  std::vector<std::string> command = {"gnuplot"};
  command.insert(command.end(), arguments.begin(), arguments.end());
  tools::CommandOptions options;
  options.input = input;
  options.environment["LC_ALL"] = "C.UTF-8";
  tools::CommandResult result;
  try {
    result = tools::run_command(command, options);
  } catch (const std::system_error&) {
    throw std::runtime_error("there is no gnuplot: apt-get install gnuplot-nox");
  }
  // It says warnings, and what a script refers to in vain, on stderr alone.
  if (result.status != 0 || !result.err.empty())
    throw std::runtime_error("gnuplot says:\n" + result.err);
  return result.out;
}

/// The picture as SVG, or nothing where measurements are missing.
std::optional<std::string> drawn(const Picture& picture, const Measured& measured,
                                 const fs::path& scripts) {
  const Data data = picture.data(measured);
  if (!data) return std::nullopt;
  const std::string script =
      *data + "heading = " + in_quotes(picture.caption.title) +
      "\nsubheading = " + in_quotes(fmt::format("{}; {}", measured.machine, picture.conditions)) +
      "\n\n" + tools::read_file(scripts / "style.gp") + "\n" +
      tools::read_file(scripts / (std::string(picture.name) + ".gp"));
  const std::string version = gnuplot_output({"--version"}, "");
  return plot::as_card(gnuplot_output({"-"}, script), picture.caption, version + "\n" + script);
}

}  // namespace

int main(int argc, char** argv) {
  const fs::path source = COURSE_SOURCE_DIR;
  const std::vector<std::string> arguments(argv + 1, argv + argc);
  if (arguments.size() > 2 || (!arguments.empty() && arguments[0].starts_with("-"))) {
    std::cerr << "usage: plot [MEASUREMENTS.json [FOLDER]]\n";
    return 2;
  }
  const fs::path file =
      arguments.empty() ? source / "docs/measurements/h200.json" : fs::path(arguments[0]);
  const fs::path folder = arguments.size() < 2 ? source / "docs/plots" : fs::path(arguments[1]);
  try {
    const Measured measured = read_measured(file);
    for (const Picture& picture : pictures()) {
      const fs::path target = folder / (std::string(picture.name) + ".svg");
      const auto svg = drawn(picture, measured, source / "tools/plot");
      if (!svg) {
        std::cerr << "plot: no " << target.filename().string() << ": not measured\n";
        fs::remove(target);
        continue;
      }
      std::ofstream out(target);
      out << *svg;
      if (!out.flush()) throw std::runtime_error("cannot write " + target.string());
    }
    return 0;
  } catch (const std::exception& error) {
    std::cerr << "plot: " << error.what() << '\n';
    return 2;
  }
}
