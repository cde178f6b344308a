#include "tools/site/charts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>
#include <stdexcept>
#include <utility>

#include "course/html.hpp"
#include "tools/site/text.hpp"
#include "tools/support/pattern.hpp"

namespace site {

using course::escape_html;
using tools::Match;
using tools::Pattern;

namespace {

/// Returns a cell's number; nothing if it is another text.
std::optional<double> number_in(const ChartCell& cell) {
  static const Pattern kNumber(R"(^-?\d[\d,]*(\.\d+)?$)");
  if (!kNumber.matches(cell.text)) return {};
  return std::stod(replace_all(cell.text, ",", ""));
}

/// A logarithmic axis.
class Axis {
 public:
  /// @param from, to  where the least and the largest value are, in pixels
  Axis(double least, double largest, double from, double to)
      : least_(least), largest_(largest), from_(from), to_(to) {}

  double at(double value) const {
    return from_ + (to_ - from_) * std::log(value / least_) / std::log(largest_ / least_);
  }
  double least() const { return least_; }
  double largest() const { return largest_; }

  /// Returns round numbers between the ends: 1, 2 and 5 times powers of ten, or 1 and 3.
  std::vector<double> ticks() const {
    const bool is_short = largest_ / least_ < 30;
    const std::vector<double> steps =
        is_short ? std::vector<double>{1, 1.5, 2, 3, 5, 7} : std::vector<double>{1, 3};
    std::vector<double> ticks;
    for (int power = -3; power < 7; ++power)
      for (const double step : steps)
        if (const double tick = step * std::pow(10, power); tick >= least_ && tick <= largest_)
          ticks.push_back(tick);
    return ticks;
  }

 private:
  double least_, largest_, from_, to_;
};

}  // namespace

std::size_t ChartTable::column(const std::string& head) const {
  const auto found = std::ranges::find(heads, head);
  if (found == heads.end()) throw std::runtime_error("table " + name + " has no column " + head);
  return static_cast<std::size_t>(found - heads.begin());
}

ChartTable read_chart_table(const std::string& name, const std::string& html) {
  static const Pattern kHead(R"re(^<th[^>]*>(.*)</th>$)re");
  static const Pattern kCell(R"re(^<td[^>]*>.*</td>$)re");
  ChartTable table{.name = name, .title = "", .heads = {}, .rows = {}};
  bool is_body = false;
  for (const std::string& line : split_lines(html)) {
    if (line.starts_with("<tbody")) is_body = true;
    if (const Match head = kHead.matches(line)) table.heads.push_back(plain_text(head.str(1)));
    if (is_body && line == "<tr>") table.rows.emplace_back();
    if (kCell.matches(line)) table.rows.back().push_back({line, plain_text(line)});
  }
  return table;
}

std::string with_cards(const std::string& html) {
  constexpr std::size_t kFewestColumns = 3, kSentence = 36;  // letters
  const ChartTable table = read_chart_table("", html);
  const bool has_sentence = std::ranges::any_of(table.rows, [](const auto& row) {
    return std::ranges::any_of(row,
                               [](const ChartCell& cell) { return cell.text.size() > kSentence; });
  });
  if (table.heads.size() < kFewestColumns || !has_sentence) return html;
  std::string text;
  std::size_t column = 0;
  for (const std::string& line : split_lines(html)) {
    if (line == "<tr>") column = 0;
    if (line.starts_with("<td")) {
      const std::string& head = table.heads.at(column++);
      text += column == 1 ? line : "<td data-head=\"" + escape_html(head) + "\"" + line.substr(3);
    } else {
      text += replace_all(line, "<table class=\"prose\">", "<table class=\"prose cards\">");
    }
    text += '\n';
  }
  return text;
}

std::string heat_map(const std::vector<ChartTable>& tables, const std::string& title) {
  std::string html = "<div class=\"table-scroll\"><table class=\"prose heat\">\n<caption>" + title +
                     "</caption>\n<thead>\n<tr>\n";
  double most = 0;
  for (const ChartTable& table : tables) {
    for (std::size_t i = &table == tables.data() ? 0 : 1; i < table.heads.size(); ++i)
      html += std::string("<th") + (i > 0 ? " align=\"right\"" : "") + ">" +
              escape_html(table.heads[i]) + "</th>\n";
    for (const auto& row : table.rows)
      for (const ChartCell& cell : row) most = std::max(most, number_in(cell).value_or(0));
  }
  html += "</tr>\n</thead>\n<tbody>\n";
  for (std::size_t at = 0; at < tables.at(0).rows.size(); ++at) {
    std::vector<ChartCell> cells;
    for (const ChartTable& table : tables) {
      const auto& row = table.rows.at(at);
      if (row[0].text != tables[0].rows[at][0].text)
        throw std::runtime_error("table " + table.name + " has other rows than " + tables[0].name);
      cells.insert(cells.end(), row.begin() + (&table == tables.data() ? 0 : 1), row.end());
    }
    double best = 0;
    for (const ChartCell& cell : cells) best = std::max(best, number_in(cell).value_or(0));
    html += "<tr>\n";
    for (const ChartCell& cell : cells) {
      const auto number = number_in(cell);
      const std::string kind = number && *number == best ? "heat best" : "heat";
      const std::string style =
          number ? fmt::format(" style=\"--heat: {:.3f}\"", most > 0 ? *number / most : 0.0) : "";
      if (!number)
        html += cell.html;
      else if (cell.html.find(" class=\"") != std::string::npos)
        html += replace_all(cell.html, "<td align=\"right\" class=\"",
                            "<td align=\"right\"" + style + " class=\"" + kind + " ");
      else
        html += replace_all(cell.html, "<td align=\"right\"",
                            "<td align=\"right\"" + style + " class=\"" + kind + "\"");
      html += '\n';
    }
    html += "</tr>\n";
  }
  return html + "</tbody>\n</table></div>\n";
}

std::string dot_plot(const std::vector<ChartTable>& tables, const std::string& x,
                     const std::string& y) {
  constexpr double kWidth = 700, kHeight = 400, kLeft = 56, kRight = 684, kTop = 34, kBottom = 352;
  constexpr double kRoom = 1.12;  // beyond the outermost dots, as a factor
  struct Dot {
    double x, y;
    std::size_t group;
    std::string name;
  };
  std::vector<Dot> dots;
  for (std::size_t group = 0; group < tables.size(); ++group) {
    const ChartTable& table = tables[group];
    const std::size_t columns[] = {table.column(x), table.column(y)};
    for (const auto& row : table.rows) {
      const auto across = number_in(row.at(columns[0])), up = number_in(row.at(columns[1]));
      if (!across || !up || *across <= 0 || *up <= 0)
        throw std::runtime_error("table " + table.name + ": a number is missing at " + row[0].text);
      dots.push_back({*across, *up, group, row[0].text});
    }
  }
  if (dots.empty()) throw std::runtime_error("a plot of dots has none");
  const auto ends = [&](auto value) {
    const auto [least, largest] = std::ranges::minmax_element(dots, {}, value);
    return std::pair(std::invoke(value, *least) / kRoom, std::invoke(value, *largest) * kRoom);
  };
  auto [left, right] = ends(&Dot::x);
  auto [low, high] = ends(&Dot::y);
  const bool is_times = y.starts_with("times");
  if (!is_times) {
    left = low = std::min(left, low);
    right = high = std::max(right, high);
  }
  const Axis across(left, right, kLeft, kRight), up(low, high, kBottom, kTop);

  const auto title_of = [](const std::string& head) {
    return head.find(',') == std::string::npos ? head + (head.starts_with("times") ? "" : ", µs")
                                               : head;
  };
  std::string svg = fmt::format(
      "<svg viewBox=\"0 0 {} {}\" width=\"{}\" height=\"{}\" role=\"img\" aria-label=\"{} dots: {} "
      "over {}. The tables below have their numbers.\">\n",
      kWidth, kHeight, kWidth, kHeight, dots.size(), escape_html(title_of(y)),
      escape_html(title_of(x)));
  std::string grid, numbers;
  for (const double tick : across.ticks()) {
    grid += fmt::format("M{:.1f} {}V{}", across.at(tick), kTop, kBottom);
    numbers += fmt::format("<text x=\"{:.1f}\" y=\"{}\" text-anchor=\"middle\">{:g}</text>\n",
                           across.at(tick), kBottom + 18, tick);
  }
  for (const double tick : up.ticks()) {
    grid += fmt::format("M{} {:.1f}H{}", kLeft, up.at(tick), kRight);
    numbers += fmt::format("<text x=\"{}\" y=\"{:.1f}\" text-anchor=\"end\">{:g}</text>\n",
                           kLeft - 8, up.at(tick) + 4, tick);
  }
  svg += "<path class=\"grid\" d=\"" + grid + "\"/>\n" + numbers;
  svg += is_times
             ? fmt::format("<path class=\"even\" d=\"M{} {:.1f}H{}\"/>\n", kLeft, up.at(1), kRight)
             : fmt::format("<path class=\"even\" d=\"M{} {}L{} {}\"/>\n", kLeft, kBottom, kRight,
                           kTop);
  svg += fmt::format("<text x=\"{}\" y=\"{}\" text-anchor=\"end\">{}</text>\n", kRight,
                     kBottom + 38, escape_html(title_of(x)));
  svg += fmt::format("<text x=\"8\" y=\"18\">{}</text>\n", escape_html(title_of(y)));
  for (const Dot& dot : dots)
    svg += fmt::format(
        "<circle class=\"dot group-{}\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"4.5\" data-tip=\"{}\"/>\n",
        dot.group, across.at(dot.x), up.at(dot.y),
        popover_text({dot.name, fmt::format("{}: {:g}", title_of(x), dot.x),
                      fmt::format("{}: {:g}", title_of(y), dot.y)}));
  std::string html = std::string(kDots) + "\n<div class=\"dots-scroll\">" + svg +
                     "</svg></div>\n<ul class=\"dots-key\">\n";
  for (std::size_t group = 0; group < tables.size(); ++group)
    html +=
        fmt::format("<li class=\"group-{}\">{}</li>\n", group, escape_html(tables[group].title));
  return html + "</ul>\n</figure>\n";
}

}  // namespace site
