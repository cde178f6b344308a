#include "tools/prose/table.hpp"

#include <algorithm>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <utility>

#include "tools/prose/markdown.hpp"
#include "tools/prose/number.hpp"
#include "tools/support/pattern.hpp"
#include "tools/support/project.hpp"
#include "tools/support/source_text.hpp"

namespace prose {
namespace {

namespace fs = std::filesystem;
using tools::Match;
using tools::Pattern;
using tools::trimmed;

const Pattern kRule(R"(\|[ :|-]+\|)");
const Pattern kFor(R"(for ([a-z][a-z0-9_ ]*) in (.+))");
const Pattern kForCells(R"((\{.*) for ([a-z][a-z0-9_]*) in ([^{}]*)\})");

/// Parses "`copy_strided`, stride 2" or, for another chapter, "02 `copy_strided`, stride 2".
void read_run_in_words(const std::string& cell, const fs::path& root, RunName* run) {
  static const Pattern kName(R"(\s*(?:(\d\d) )?`(\w+)`(.*))");
  const Match match = kName.matches(cell);
  if (!match) throw std::runtime_error("the row's first cell names no `kernel`");
  run->kernel = match[2];
  if (match.has(1)) run->chapter = tools::chapter_numbered(root, match.str(1));
  for (const std::string& pair : split_outside_parentheses(match[3], ',')) {
    std::stringstream stream(pair);
    std::string key, value, rest;
    if (!(stream >> key)) continue;
    if (!(stream >> value) || stream >> rest)
      throw std::runtime_error("not \"name value\": " + pair);
    run->parameters[key] = value;
  }
}

class TableMaker {
 public:
  TableMaker(const Figures& figures, const std::string& name, std::vector<std::string>* faults)
      : figures_(figures), description_(figures.table(name)), faults_(faults) {
    table_.name = name;
  }

  Table run() {
    for (const FiguresLine& line : description_.lines) {
      if (line.text.starts_with("|")) {
        read_row(line);
      } else if (line.text.starts_with("run ")) {
        run_ = trimmed(line.text.substr(std::string_view("run ").size()));
      } else if (const Match match = kFor.matches(line.text)) {
        read_for(line, match[1], match.str(2));
      } else {
        throw_at_line(line, "neither a row, nor `run`, nor `for NAME in WORDS`: " + line.text);
      }
    }
    if (table_.rule.empty())
      throw_at_line(description_.lines.at(0), "a table begins with heading and rule");
    return std::move(table_);
  }

 private:
  [[noreturn]] void throw_at_line(const FiguresLine& line, const std::string& what) const {
    throw std::runtime_error(figures_.place(line.number) + ": " + what);
  }

  void add_fault(const FiguresLine& line, const std::string& label, std::size_t column,
                 const std::string& what) {
    faults_->push_back(figures_.place(line.number) + ": " + cell_position(table_, label, column) +
                       ": " + what);
  }

  void read_row(const FiguresLine& line) {
    if (!line.text.ends_with("|")) throw_at_line(line, "a row ends with |");
    std::vector<std::string> cells = expanded(cells_of(line.text));
    if (table_.heading.cells.empty()) {
      table_.heading.line = line.number;
      for (const std::string& cell : cells) table_.heading.cells.push_back({cell, {}});
    } else if (table_.rule.empty()) {
      read_rule(line, cells);
    } else {
      if (cells.back() == "...") ditto(line, &cells);
      if (cells.size() != table_.rule.size())
        throw_at_line(line, "a row of " + std::to_string(cells.size()) + " cells in a table of " +
                                std::to_string(table_.rule.size()) + " columns");
      above_ = cells;
      for (std::size_t column = 1; column < cells.size(); ++column)
        require_bound(line, cells, column);
      for (const Words& words : repeated_) add_row(line, cells, words);
      repeated_ = {{}};
    }
  }

  /// Parses "for m n in 256 512, 1024 64": one name, or groups of words separated by commas, one
  /// word for each name.
  void read_for(const FiguresLine& line, std::string_view names, const std::string& words) {
    const std::vector<std::string> variables = split_outside_parentheses(names, ' ');
    std::vector<std::string> values = figures_.list(words);
    for (std::string& value : values) std::erase(value, ',');
    if (values.size() % variables.size() != 0)
      throw_at_line(line, "as many words as names, or a multiple of it: " + line.text);
    repeated_.clear();
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (i % variables.size() == 0) repeated_.emplace_back();
      repeated_.back()[variables[i % variables.size()]] = values[i];
    }
  }

  /// Expands a cell "{expression for step in steps}" to a cell for each step.
  std::vector<std::string> expanded(const std::vector<std::string>& cells) const {
    std::vector<std::string> all;
    for (const std::string& cell : cells) {
      const Match match = kForCells.matches(cell);
      if (!match) {
        all.push_back(cell);
        continue;
      }
      for (const std::string& word : figures_.list(match.str(3)))
        all.push_back(with_words(match.str(1) + "}", {{match.str(2), word}}));
    }
    return all;
  }

  void read_rule(const FiguresLine& line, const std::vector<std::string>& cells) {
    if (!kRule.matches(line.text) || cells.size() != table_.heading.cells.size())
      throw_at_line(line, "below the heading, a rule with as many columns");
    for (const std::string& cell : cells)
      table_.rule.push_back(std::string(cell.starts_with(":") ? ":" : "") + "---" +
                            (cell.ends_with(":") ? ":" : ""));
  }

  /// Requires that cells after the first contain no unbound number.
  void require_bound(const FiguresLine& line, const std::vector<std::string>& cells,
                     std::size_t column) {
    static const Pattern kExpression(R"(\{[^}]*\})"), kAlone(R"([ *]*\d[\d,.]*[ *%]*)");
    const std::string words = kExpression.replace(cells[column], "@");
    const auto unbound = unbound_number(words);
    if (unbound || kAlone.matches(words))
      add_fault(line, cells[0], column,
                "\"" + unbound.value_or(cells[column]) + "\" is bound to no figure");
  }

  /// Replaces the last cell "..." by the rest of the row above.
  void ditto(const FiguresLine& line, std::vector<std::string>* cells) const {
    if (above_.size() < cells->size()) throw_at_line(line, "`...` stands below no row");
    cells->pop_back();
    cells->insert(cells->end(), above_.begin() + static_cast<std::ptrdiff_t>(cells->size()),
                  above_.end());
  }

  void add_row(const FiguresLine& line, const std::vector<std::string>& cells, const Words& words) {
    TableRow row = {line.number, {}};
    std::optional<RunName> run;
    const std::string label = with_words(cells[0], words);
    const auto fault = [&](std::size_t column, const std::exception& error) {
      add_fault(line, label, column, error.what());
    };
    try {
      run = run_of(label, words);
    } catch (const std::exception& error) {
      fault(0, error);
    }
    for (std::size_t column = 0; column < cells.size(); ++column) {
      try {
        row.cells.push_back(make_cell(with_words(cells[column], words), run));
      } catch (const std::exception& error) {
        fault(column, error);
        row.cells.push_back({"?", {}});
      }
    }
    table_.rows.push_back(std::move(row));
  }

  std::optional<RunName> run_of(const std::string& label, const Words& words) const {
    if (run_.empty()) return {};
    RunName run = figures_.run_named(with_words(run_, words));
    if (run.kernel.empty()) read_run_in_words(label, figures_.root(), &run);
    return run;
  }

  Cell make_cell(const std::string& pattern, const std::optional<RunName>& run) const {
    Cell cell;
    for (std::size_t at = 0; at < pattern.size(); ++at) {
      if (pattern.compare(at, 2, "\\{") == 0) {
        cell.text += pattern[++at];
      } else if (pattern[at] != '{') {
        cell.text += pattern[at];
      } else {
        const std::size_t close = pattern.find('}', at);
        if (close == std::string::npos) throw std::runtime_error("a brace is not closed");
        append_figure(pattern.substr(at + 1, close - at - 1), run, &cell);
        at = close;
      }
    }
    return cell;
  }

  /// Appends a figure; `inside` is the text between the braces: "expression", "expression: 2",
  /// "expression: 3 digits".
  void append_figure(const std::string& inside, const std::optional<RunName>& run,
                     Cell* cell) const {
    static const Pattern kFormat(R"((.*): *(\d)( digits)?)");
    const Match format = kFormat.matches(inside);
    const std::string expression = trimmed(format ? format[1] : inside);
    CellFigure figure = {cell->text.size(), 0, figures_.evaluate(expression, run)};
    const double value = figure.figure.value;
    const auto published = figures_.published(expression);
    if (format) {
      const int number = std::stoi(format.str(2));
      cell->text += show_number(value, format.has(3) ? decimals_for(value, number) : number);
    } else {
      cell->text += published ? *published : show_number(value, default_decimals(value));
    }
    figure.end = cell->text.size();
    cell->figures.push_back(std::move(figure));
  }

  const Figures& figures_;
  const TableDescription& description_;
  std::vector<std::string>* faults_;
  Table table_;
  std::string run_;
  /// The values of `for` for the next row, one for each repetition
  std::vector<Words> repeated_ = {{}};
  std::vector<std::string> above_;
};

}  // namespace

Table make_table(const Figures& figures, const std::string& name,
                 std::vector<std::string>* faults) {
  return TableMaker(figures, name, faults).run();
}

std::string cell_position(const Table& table, const std::string& row, std::size_t column) {
  return table.name + ", row \"" + row + "\", column \"" + table.heading.cells.at(column).text +
         "\"";
}

std::vector<std::string> cells_of(const std::string& row) {
  std::vector<std::string> cells;
  std::stringstream stream(row.substr(1));
  for (std::string cell; std::getline(stream, cell, '|');) cells.push_back(trimmed(cell));
  return cells;
}

std::vector<std::string> table_lines(const Table& table) {
  const auto line_of = [](const TableRow& row) {
    std::string line = "|";
    for (const Cell& cell : row.cells) line += cell.text.empty() ? " |" : " " + cell.text + " |";
    return line;
  };
  std::vector<std::string> lines = {line_of(table.heading), "|"};
  for (const std::string& column : table.rule) lines.back() += column + "|";
  for (const TableRow& row : table.rows) lines.push_back(line_of(row));
  return lines;
}

}  // namespace prose
