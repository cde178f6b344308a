#pragma once

/// @file
/// Other forms of the tables that a page has: a heat map in the place of one or several tables,
/// dots of two columns, and cards for small screens.
///
///     <!-- heat: first_sizes last_sizes -->           before the fold with these tables
///     <!-- dots: shapes; predicted, µs; measured -->  anywhere on the page

#include <string>
#include <string_view>
#include <vector>

namespace site {

/// The first line of a plot of dots, which ends with the figure.
inline constexpr std::string_view kDots = "<figure class=\"dots\">";

/// A cell of a rendered table.
struct ChartCell {
  std::string html;  ///< the whole cell: "<td align=\"right\">0.24</td>"
  std::string text;
};

/// A rendered table.
struct ChartTable {
  std::string name;
  std::string title;  ///< of the fold that it stands in
  std::vector<std::string> heads;
  std::vector<std::vector<ChartCell>> rows;

  /// Returns where the column with this head is. @throws std::runtime_error if there is none
  std::size_t column(const std::string& head) const;
};

/// Reads a table as cmark-gfm writes it, line by line.
ChartTable read_chart_table(const std::string& name, const std::string& html);

/// Returns a rendered table, marked as one whose rows are cards on small screens if it has
/// sentences: there, each cell but the first names its column.
std::string with_cards(const std::string& html);

/// Returns one table of several with the same first column. Its numbers are coloured by their size,
/// and the largest of each row is marked.
/// @throws std::runtime_error if the first columns differ
std::string heat_map(const std::vector<ChartTable>& tables, const std::string& title);

/// Returns a picture with a dot for each row of these tables, whose place says two of its numbers,
/// on logarithmic scales. A line shows where both are equal; for "times" something, where it is 1.
/// @throws std::runtime_error if a table has no such column, or a number is missing
std::string dot_plot(const std::vector<ChartTable>& tables, const std::string& x,
                     const std::string& y);

}  // namespace site
