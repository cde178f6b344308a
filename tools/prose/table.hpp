#pragma once

/// @file
/// Writes the tables that figures.txt describes.
///
///     table sizes
///       | TFLOP/s on an H200 | cuBLAS               | times cuBLAS          |
///       |--------------------|---------------------:|----------------------:|
///       for n in squares
///       | side $n            | {tflops(cublas, $n)} | {times_cublas($n): 2} |
///
///     table copies
///       | copy of 2^23 elements    | µs               | GB/s       |
///       |--------------------------|-----------------:|-----------:|
///       run h200(elements=8388608)
///       | `copy_strided`, stride 1 | {time_ms * 1000} | {gb_per_s} |
///       | `copy_strided`, stride 2 | ... |
///
/// The lines of a table have the same indent; a line with a larger indent continues the one above.
/// A heading and the rule below it are followed by rows of words, and of expressions between
/// braces. `{expression: 2}` shows two decimals, `{expression: 3 digits}` three digits in all;
/// otherwise a published number keeps its decimals, and default_decimals() applies to others. `\{`
/// is a brace.
///
/// `for NAME in WORDS` repeats the next row for each word of a list; `for NAME NAME in WORDS` takes
/// two words at a time, and commas may separate such pairs. A cell `{expression for NAME in WORDS}`
/// becomes a cell for each word.
///
/// `run` names the run of fields without one in all rows below: either a measured run
/// ("h200/sizes(step=$step)") or, without a kernel, the run that the row's first cell names in
/// words: "`copy_strided`, stride 2" or, for another chapter, "02 `copy_strided`". In such rows,
/// `h200/time_ms` is a field of the same run in another file. A last cell `...` repeats the cells
/// of the row above for this row's run.

#include <string>
#include <vector>

#include "tools/prose/figures.hpp"

namespace prose {

/// A number in a cell.
struct CellFigure {
  std::size_t begin = 0, end = 0;  ///< position in the cell's text
  Figure figure;
};

struct Cell {
  std::string text;
  std::vector<CellFigure> figures;
};

struct TableRow {
  int line = 0;  ///< line of figures.txt
  std::vector<Cell> cells;
};

struct Table {
  std::string name;
  TableRow heading;
  std::vector<std::string> rule;  ///< "---", "---:", ":---" or ":---:" for each column
  std::vector<TableRow> rows;
};

/// Makes the table with this name. A figure that cannot be computed becomes "?", and `faults` gets
/// an entry "FILE:LINE: table, row, column: what".
/// @throws std::runtime_error if there is no such table, or its lines have another form
Table make_table(const Figures& figures, const std::string& name, std::vector<std::string>* faults);

/// Returns a cell's position: "last_step, row "side 1024", column "cuBLAS"".
std::string cell_position(const Table& table, const std::string& row, std::size_t column);

/// Returns the trimmed cells of a row in Markdown.
std::vector<std::string> cells_of(const std::string& row);

/// Returns the lines of the table in Markdown.
std::vector<std::string> table_lines(const Table& table);

}  // namespace prose
