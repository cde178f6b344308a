#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <tuple>

#include "tools/plot/kinds.hpp"
#include "tools/prose/number.hpp"

namespace plot {

using nlohmann::json;
using prose::show_number;

namespace {

/// A kernel's point below the roof.
struct Point {
  std::string chapter;
  std::string name;
  double flops_per_byte = 0.0;
  double gflop_per_s = 0.0;
  double ms = 0.0;
  int number = 0;

  double flops() const { return gflop_per_s * ms * 1e6; }
};

bool begins_with_one_of(const std::string& text, const std::vector<std::string>& beginnings) {
  return std::ranges::any_of(
      beginnings, [&](const std::string& beginning) { return text.starts_with(beginning); });
}

/// Returns each kernel's largest run; among equal sizes, the fastest.
std::vector<Point> points_of(const Measured& measured, const std::vector<std::string>& leave_out) {
  std::map<std::string, std::size_t> place;  // chapter and kernel -> index
  std::vector<Point> points;
  for (const MeasuredRun& run : measured.runs) {
    const double k = run.parameter("k");
    const bool is_rectangle = k > 0.0 && !run.is_square();
    const std::string name = is_rectangle ? fmt::format("{}, k = {}", run.name, k) : run.name;
    // For kernels swept over sizes, only square matrices.
    if (run.flops_per_byte == 0.0 || begins_with_one_of(run.kernel, leave_out) ||
        begins_with_one_of(run.chapter + "/" + run.kernel, leave_out) ||
        (is_rectangle && begins_with_one_of(run.chapter + "/" + name, leave_out)) ||
        (run.name != run.kernel && !run.is_square()))
      continue;
    const Point point = {run.chapter, name, run.flops_per_byte, run.gflop_per_s, run.ms, 0};
    const auto [at, is_new] = place.try_emplace(point.chapter + "/" + point.name, points.size());
    if (is_new) {
      points.push_back(point);
      continue;
    }
    Point& best = points[at->second];
    constexpr double kAsLarge = 1.001;  // an offset leaves out a few elements
    const double larger = point.flops() / best.flops();
    if (larger > kAsLarge || (larger * kAsLarge > 1.0 && point.gflop_per_s > best.gflop_per_s))
      best = point;
  }
  // Number points of a chapter in this order, so that numbers of close points rise with them.
  std::ranges::stable_sort(points, {}, [](const Point& point) {
    return std::tuple(point.chapter, point.flops_per_byte, point.gflop_per_s);
  });
  for (std::size_t i = 0; i < points.size(); ++i) points[i].number = static_cast<int>(i) + 1;
  return points;
}

/// Returns "4-6, 20" for 4, 5, 6 and 20.
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

/// A rectangle of the picture in pixels, and the decades that it shows.
struct LogLogPlane {
  double left = 68.0, right = 676.0, top = 92.0, bottom = 446.0;
  double x_min, x_max, y_min, y_max;

  double x_pixel(double x) const {
    return left + (right - left) * std::log(x / x_min) / std::log(x_max / x_min);
  }
  double y_pixel(double y) const {
    return bottom - (bottom - top) * std::log(y / y_min) / std::log(y_max / y_min);
  }
};

/// Returns the points' numbers as labels beside them; coinciding points share a label.
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
    // Place the label to the right, unless the next column or the frame is too close.
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

/// Returns number, name and share of the roof for every point, in columns below the plot.
std::vector<std::string> roofline_table(const std::vector<Point>& points, const Ceiling& ceiling,
                                        double copy_gb_per_s, double top) {
  constexpr double kLeft = 20.0, kColumn = 224.0, kRow = 16.0;
  constexpr std::size_t kColumns = 3;
  std::vector<std::array<std::string, 3>> cells;  // number, name, share of the roof
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

}  // namespace

Data roofline(const json& picture, const Measured& measured) {
  const std::vector<Point> points = points_of(measured, picture.at("leave_out"));
  const double copy = measured.copy_gb_per_s;
  if (points.empty() || copy == 0.0) return std::nullopt;
  const Ceiling& ceiling = measured.ceiling;

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
  constexpr double kTableGap = 94.0;  // pixels for the axis and the table's heading
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

}  // namespace plot
