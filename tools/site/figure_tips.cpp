#include "tools/site/figure_tips.hpp"

#include <stdexcept>

#include "tools/prose/markdown.hpp"
#include "tools/prose/table.hpp"
#include "tools/site/figure_words.hpp"
#include "tools/site/text.hpp"
#include "tools/support/pattern.hpp"

namespace site {
namespace {

/// Returns a cell's words without Markdown's marks.
std::string words_of(const std::string& cell) {
  static const tools::Pattern kLink(R"(\[([^\]]*)\]\([^)]*\))");
  std::string words = kLink.replace(cell, "$1");
  std::erase_if(words, [](char c) { return c == '`' || c == '*'; });
  return words;
}

}  // namespace

FigureTips::FigureTips(const std::filesystem::path& page, const std::filesystem::path& root,
                       const prose::Measurements& measurements)
    : figures_(page.parent_path() / "figures.txt", root, measurements),
      measurements_(measurements) {}

std::string FigureTips::mark(const std::string& name, const prose::Figure& figure) {
  std::string tip = name;
  for (const std::string& line : figure_words(figure, figures_, measurements_)) tip += '\n' + line;
  tips_.push_back(tip);
  return "<!--@" + std::to_string(tips_.size() - 1) + "-->";
}

std::string FigureTips::mark_exactly(const prose::Figure& figure) {
  return mark(number_words(figure.value), figure);
}

std::string FigureTips::marked(const std::string& markdown) {
  static const tools::Pattern kTable("<!--table ([a-z0-9_]+)-->");
  std::string text;
  bool is_code = false, is_table = false;
  for (const std::string& line : split_lines(markdown)) {
    if (line.starts_with("```")) is_code = !is_code;
    if (is_code) {
      text += line + '\n';
    } else if (const tools::Match match = kTable.matches(line)) {
      text += marked_table(match.str(1));
      is_table = true;
    } else if (line == "<!--end-->") {
      is_table = false;
    } else if (!is_table) {
      text += marked_line(line) + '\n';
    }
  }
  return text;
}

std::string FigureTips::marked_line(const std::string& line) {
  std::string text;
  std::size_t done = 0;
  for (const prose::BoundNumber& bound : prose::bound_numbers(line)) {
    text += line.substr(done, bound.begin - done) + bound.number +
            mark_exactly(figures_.figure(bound.name));
    done = bound.end;
  }
  return text + line.substr(done);
}

/// Returns the table with marked figures, and an empty line after it.
std::string FigureTips::marked_table(const std::string& name) {
  std::vector<std::string> faults;
  prose::Table table = prose::make_table(figures_, name, &faults);
  if (!faults.empty()) throw std::runtime_error(faults[0]);
  for (prose::TableRow& row : table.rows) {
    const std::string row_words = words_of(row.cells[0].text);
    for (std::size_t column = 0; column < row.cells.size(); ++column) {
      prose::Cell& cell = row.cells[column];
      const std::string place = row_words + ", " + words_of(table.heading.cells[column].text);
      std::size_t inserted = 0;
      for (const prose::CellFigure& figure : cell.figures) {
        const std::string comment = mark(place, figure.figure);
        cell.text.insert(figure.end + inserted, comment);
        inserted += comment.size();
      }
    }
  }
  std::string text = "\n<!--of " + name + "-->\n\n";
  for (const std::string& line : prose::table_lines(table)) text += line + '\n';
  return text + '\n';
}

}  // namespace site
