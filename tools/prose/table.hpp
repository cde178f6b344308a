#pragma once

/// @file
/// Tables that figures.txt describes.
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
/// The lines of a table are indented alike; a line that is indented further continues the one above
/// it. A heading and the rule below it are followed by rows of words, and of expressions between
/// braces. `{expression: 2}` asks for two decimals, `{expression: 3 digits}` for three digits in
/// all; without either, a published number keeps its own, and default_decimals() decides for
/// others. `\{` is a brace.
///
/// `for NAME in WORDS` repeats the row below it for each word of a list; `for NAME NAME in WORDS`
/// takes two words at a time, and a comma may stand between such pairs. A cell that reads
/// `{expression for NAME in WORDS}` makes as many cells.
///
/// `run` says which run is meant by fields that stand alone, in all rows below it: a run that is
/// measured so ("h200/sizes(step=$step)"), or, without a kernel, the one that the row's first cell
/// names in words: "`copy_strided`, stride 2" or, of another chapter, "02 `copy_strided`". There,
/// `h200/time_ms` is a field of the same run in another file. A last cell of `...` stands for the
/// cells of the row above, with this row's run.

#include <string>
#include <vector>

#include "tools/prose/figures.hpp"

namespace prose {

/// A number within a cell.
struct CellFigure {
  std::size_t begin = 0, end = 0;  ///< where it stands in the cell's text
  Figure figure;
};

struct Cell {
  std::string text;
  std::vector<CellFigure> figures;
};

struct TableRow {
  int line = 0;  ///< of figures.txt
  std::vector<Cell> cells;
};

struct Table {
  std::string name;
  TableRow heading;
  std::vector<std::string> rule;  ///< "---", "---:", ":---" or ":---:" for each column
  std::vector<TableRow> rows;
};

/// The table called so; what cannot be worked out is "?", and added to `faults`, as
/// "FILE:LINE: table, row, column: what".
/// @throws std::runtime_error if there is none, or if its lines are no table
Table make_table(const Figures& figures, const std::string& name, std::vector<std::string>* faults);

/// "last_step, row "side 1024", column "cuBLAS"".
std::string place_in(const Table& table, const std::string& row, std::size_t column);

/// The cells of a row in Markdown, without the blanks around their texts.
std::vector<std::string> cells_of(const std::string& row);

/// The lines of the table in Markdown.
std::vector<std::string> table_lines(const Table& table);

}  // namespace prose
