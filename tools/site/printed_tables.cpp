#include "tools/site/printed_tables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <sstream>
#include <stdexcept>
#include <utility>

#include "course/html.hpp"
#include "tools/support/pattern.hpp"
#include "tools/support/source_text.hpp"

namespace site {

using course::escape_html;
using tools::Match;
using tools::Pattern;

namespace {

using Lines = std::vector<std::string>;

/// A number as prose shows it: 1,048,576.
std::string with_commas(const std::string& number) {
  static const Pattern kLong(R"(^(\d{4,})(\.\d+)?$)");
  const Match match = kLong.matches(number);
  if (!match) return number;
  std::string digits = match.str(1);
  for (std::size_t at = digits.size(); at > 3;) digits.insert(at -= 3, ",");
  return digits + match.str(2);
}

/// A bar that is filled to so many percent.
std::string bar(const char* kind, double percent) {
  return fmt::format("<span class=\"{}\" style=\"--part: {:.1f}%\"></span>", kind,
                     std::clamp(percent, 0.0, 100.0));
}

/// What a line of the source asked of memory, as the profile prints it.
struct Access {
  std::string what;
  Lines figures;  ///< one for each of kFigures
};

constexpr const char* kFigures[] = {"requests", "per request", "ideal", "efficiency", "lanes"};
constexpr std::size_t kEfficiency = 3;

/// A line of the source, or a gap (without a number), and what stands below it.
struct Listed {
  std::string number, code;
  bool is_worst = false;
  std::vector<Access> accesses;
  std::vector<std::pair<std::size_t, std::string>> notes;  ///< behind how many of the accesses
  Lines reasons;
};

/// One source of a kernel.
struct Listing {
  std::string title;  ///< the kernel and its launches; empty if it goes on in another file
  std::string file;
  std::vector<Listed> lines;
};

/// Reads what stands behind an access: "8192      4 sectors         4    100.0 %     32".
Lines figures_of(const std::string& text) {
  Lines words;
  std::istringstream stream(text);
  for (std::string word; stream >> word;) words.push_back(word);
  // What has no cost has no ideal either.
  if (words.size() == 2 || words.size() == 3) return {words.front(), "", "", "", words.back()};
  if (words.size() != 7 || words[5] != "%") return {};
  return {words[0], words[1] + " " + words[2], words[3], words[4], words[6]};
}

std::vector<Listing> read_profile(const Lines& printed) {
  static const Pattern kTitle(R"(^(\S.*): (\d+ launch(?:es)?)$)");
  static const Pattern kHead(R"(^ +\| +requests +per request +ideal efficiency +lanes$)");
  static const Pattern kLine(R"(^([ >]) *(\d+|\?)(?:  (.*))?$)");
  static const Pattern kNote(R"(^      \|   (.+)$)");
  static const Pattern kAccess(R"(^      \| (\S.{39}) +(\d.*)$)");
  static const Pattern kReason(R"(^      \^ worst line: (.+)$)");
  std::vector<Listing> listings;
  if (std::ranges::none_of(printed, [](const auto& line) { return bool(kHead.matches(line)); }))
    return listings;
  std::string title;
  for (const std::string& line : printed) {
    const bool is_begun = !listings.empty();
    if (line.empty() || kHead.matches(line)) continue;
    if (const Match match = kTitle.matches(line)) {
      title = "<code>" + escape_html(match[1]) + "</code>, " + match.str(2);
    } else if (line == "no worst line") {
      title += ", " + line;
    } else if (line[0] != ' ' && line[0] != '>') {
      listings.push_back({std::exchange(title, ""), line, {}});
    } else if (line == "   ..." && is_begun) {
      listings.back().lines.emplace_back();
    } else if (const Match source = kLine.matches(line); source && is_begun) {
      listings.back().lines.push_back(
          {source.str(2), source.str(3), source.str(1) == ">", {}, {}, {}});
    } else if (!is_begun || listings.back().lines.empty()) {
      throw std::runtime_error("this line of a profile has no source: " + line);
    } else if (Listed& above = listings.back().lines.back();
               const Match note = kNote.matches(line)) {
      above.notes.emplace_back(above.accesses.size(), note.str(1));
    } else if (const Match reason = kReason.matches(line)) {
      above.reasons.push_back(reason.str(1));
    } else {
      const Match access = kAccess.matches(line);
      Lines figures = access ? figures_of(access.str(2)) : Lines();
      if (figures.empty())
        throw std::runtime_error("this line of a profile cannot be read: " + line);
      above.accesses.push_back({tools::trimmed(access.str(1)), std::move(figures)});
    }
  }
  return listings;
}

std::string code_of(const Listing& listing) {
  std::string code;
  for (const Listed& line : listing.lines) code += line.code + '\n';
  return code;
}

std::string access_row(const Access& access) {
  static const Pattern kKind(R"(^(\w+ \w+)(?: (.*))?$)");  // "global load in[i]"
  std::string html = "<tr class=\"profile-access\"><td>";
  const Match kind = kKind.matches(access.what);
  html += escape_html(kind ? kind.str(1) : access.what);
  if (kind && kind.has(2)) html += " <code>" + escape_html(kind[2]) + "</code>";
  html += "</td>";
  for (std::size_t i = 0; i < std::size(kFigures); ++i) {
    const std::string& figure = access.figures[i];
    html += fmt::format("<td class=\"profile-number\" data-head=\"{}\">", kFigures[i]);
    if (i == kEfficiency && !figure.empty())
      html += figure + " %" + bar("share", std::atof(figure.c_str()));
    else
      html += with_commas(figure);
    html += "</td>";
  }
  return html + "</tr>\n";
}

/// A line of the source and the rows below it. `code` is its text as HTML.
std::string rows_of(const Listed& line, const std::string& code) {
  constexpr std::size_t kColumns = std::size(kFigures) + 1;
  if (line.number.empty())
    return fmt::format("<tr class=\"profile-gap\"><td colspan=\"{}\"></td></tr>\n", kColumns + 1);
  std::string below;
  const auto wide_row = [&](const char* kind, const std::string& text) {
    below +=
        fmt::format("<tr class=\"{}\"><td colspan=\"{}\">{}</td></tr>\n", kind, kColumns, text);
  };
  for (std::size_t i = 0; i <= line.accesses.size(); ++i) {
    for (const auto& [behind, note] : line.notes)
      if (behind == i) wide_row("profile-access profile-note", escape_html(note));
    if (i < line.accesses.size()) below += access_row(line.accesses[i]);
  }
  for (const std::string& reason : line.reasons)
    wide_row("profile-reason", "<strong>worst line</strong>: " + escape_html(reason));
  const std::size_t height = 1 + line.accesses.size() + line.notes.size() + line.reasons.size();
  return fmt::format(
      "<tr{}><th scope=\"row\" class=\"profile-number\" rowspan=\"{}\">{}</th>"
      "<td colspan=\"{}\" class=\"fragment\">{}</td></tr>\n{}",
      line.is_worst ? " class=\"profile-worst\"" : "", height, line.number, kColumns, code, below);
}

/// A table as a program prints it: a title, heads, dashes below them, and rows.
struct Table {
  std::string title;
  std::vector<std::pair<std::size_t, std::size_t>> columns;  ///< where each begins, and its width
  Lines heads;
  std::vector<Lines> rows;
};

Lines cells_of(const Table& table, const std::string& line) {
  Lines cells;
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    const auto [begin, width] = table.columns[i];
    const bool is_last = i + 1 == table.columns.size();
    cells.push_back(begin < line.size()
                        ? tools::trimmed(line.substr(begin, is_last ? std::string::npos : width))
                        : "");
  }
  return cells;
}

/// The table whose dashes are line `at`, which becomes its last line.
Table table_at(const Lines& printed, std::size_t& at) {
  Table table;
  const std::string& dashes = printed[at];
  for (std::size_t begin = 0; (begin = dashes.find('-', begin)) != std::string::npos;) {
    const std::size_t end = std::min(dashes.find(' ', begin), dashes.size());
    table.columns.emplace_back(begin, end - begin);
    begin = end;
  }
  table.heads = cells_of(table, printed[at - 1]);
  while (at + 1 < printed.size() && printed[at + 1].starts_with("  "))
    table.rows.push_back(cells_of(table, printed[++at]));
  return table;
}

/// What is shown of a column.
struct Column {
  bool is_number = true;
  const char* bar = nullptr;
  double full = 0;  ///< what fills a bar
};

Column column_of(const Table& table, std::size_t index) {
  static const Pattern kNumber(R"(^-?\d+(?:\.\d+)?(?:e[-+]\d+)?$)");
  Column column;
  bool has_number = false;
  for (const Lines& row : table.rows) {
    const bool is_number = bool(kNumber.matches(row[index]));
    has_number |= is_number;
    column.is_number &= is_number || row[index] == "-";
    if (is_number) column.full = std::max(column.full, std::atof(row[index].c_str()));
  }
  column.is_number &= has_number;
  const std::string& head = table.heads[index];
  if (!column.is_number || column.full <= 0) return column;
  if (head.ends_with("%")) {
    column.bar = "share";
    column.full = 100;
  } else if (head.find('/') != std::string::npos && table.rows.size() > 1) {
    column.bar = "rate";
  }
  return column;
}

std::string html_of(const Table& table) {
  std::vector<Column> columns;
  for (std::size_t i = 0; i < table.heads.size(); ++i) columns.push_back(column_of(table, i));
  const auto align = [&](std::size_t i) { return columns[i].is_number ? " align=\"right\"" : ""; };
  std::string html = "<div class=\"table-scroll\"><table class=\"prose output\">\n<caption>" +
                     escape_html(table.title) + "</caption>\n<thead><tr>";
  for (std::size_t i = 0; i < columns.size(); ++i)
    html += fmt::format("<th scope=\"col\"{}>{}</th>", align(i), escape_html(table.heads[i]));
  html += "</tr></thead>\n<tbody>\n";
  for (const Lines& row : table.rows) {
    html += "<tr>";
    for (std::size_t i = 0; i < columns.size(); ++i) {
      const std::string& cell = row[i];
      if (i == 0) {
        html += "<th scope=\"row\">" + escape_html(cell) + "</th>";
        continue;
      }
      html += fmt::format("<td{} data-head=\"{}\">{}", align(i), escape_html(table.heads[i]),
                          columns[i].is_number ? with_commas(cell) : escape_html(cell));
      if (columns[i].bar && cell != "-")
        html += bar(columns[i].bar, 100 * std::atof(cell.c_str()) / columns[i].full);
      html += "</td>";
    }
    html += "</tr>\n";
  }
  return html + "</tbody></table></div>\n";
}

}  // namespace

std::vector<std::string> code_of_profile(const Lines& printed) {
  Lines pieces;
  for (const Listing& listing : read_profile(printed)) pieces.push_back(code_of(listing));
  return pieces;
}

std::string profile_tables(const Lines& printed, const ProfileLook& look) {
  std::string html;
  for (const Listing& listing : read_profile(printed)) {
    const auto first = std::ranges::find_if(
        listing.lines, [](const Listed& line) { return std::atoi(line.number.c_str()) > 0; });
    const int line = first == listing.lines.end() ? 1 : std::atoi(first->number.c_str());
    html += fmt::format(
        "<div class=\"profile-box in-lesson\" role=\"region\" tabindex=\"0\" aria-label=\"Profile, "
        "{0}\">\n"
        "<table>\n<caption>{1}{2}{3}</caption>\n<thead><tr><th scope=\"col\">line</th>"
        "<th scope=\"col\">source, and what it accesses</th>",
        escape_html(listing.file), listing.title, listing.title.empty() ? "" : "; ",
        look.file(listing.file, line));
    for (const char* figure : kFigures)
      html += fmt::format("<th scope=\"col\" class=\"profile-number\">{}</th>", figure);
    html += "</tr></thead>\n<tbody>\n";
    const Lines code = look.coloured(code_of(listing));
    for (std::size_t i = 0; i < listing.lines.size(); ++i)
      html += rows_of(listing.lines[i], code.at(i));
    html += "</tbody>\n</table>\n</div>\n";
  }
  return html;
}

std::string output_tables(const Lines& printed) {
  static const Pattern kDashes(R"(^  -+(?:  -+)*$)");
  std::string html;
  Lines text;
  const auto end_text = [&] {
    std::string lines;
    for (const std::string& line : text)
      if (!line.empty()) lines += (lines.empty() ? "" : "<br/>\n") + escape_html(line);
    if (!lines.empty()) html += "<p class=\"output-note\">" + lines + "</p>\n";
    text.clear();
  };
  bool has_table = false;
  for (std::size_t i = 0; i < printed.size(); ++i) {
    if (i < 2 || !kDashes.matches(printed[i])) {
      text.push_back(printed[i]);
      continue;
    }
    text.pop_back();  // the heads
    const std::string title = text.empty() ? "" : text.back();
    if (!text.empty()) text.pop_back();
    end_text();
    Table table = table_at(printed, i);
    table.title = title;
    html += html_of(table);
    has_table = true;
  }
  end_text();
  return has_table ? html : "";
}

}  // namespace site
