#include "tools/prose/prose.hpp"

#include <algorithm>
#include <sstream>
#include <stdexcept>
#include <utility>

#include "tools/prose/code_block.hpp"
#include "tools/prose/figures.hpp"
#include "tools/prose/limits.hpp"
#include "tools/prose/markdown.hpp"
#include "tools/prose/number.hpp"
#include "tools/prose/predictions.hpp"
#include "tools/prose/table.hpp"
#include "tools/support/pattern.hpp"
#include "tools/support/project.hpp"
#include "tools/support/source_text.hpp"
#include "tools/support/subprocess.hpp"

namespace prose {
namespace {

namespace fs = std::filesystem;
using tools::Match;
using tools::Pattern;
using tools::read_lines;
using tools::trimmed;

const Pattern kOfBlock(kBlockComment);
const Pattern kOfTable(R"(<!--(table|worked|end)(?: ([a-z][a-z0-9_]*))?-->)");
const Pattern kChart{kChartComment};
const Pattern kOnlyComment(R"(\s*<!--.*-->\s*)");

class Proofreader {
 public:
  Proofreader(const fs::path& file, const Library& library)
      : file_(file),
        library_(library),
        figures_(file.parent_path() / "figures.txt", library.root, *library.measurements),
        lines_(read_lines(file)) {}

  Proof run() {
    for (line_ = 0; line_ < lines_.size(); ++line_) {
      if (lines_[line_].starts_with("```")) {
        read_block();
      } else if (read_comment()) {
        continue;  // the comment applies to the next block
      } else if (lines_[line_].starts_with("|")) {
        read_table();
      } else if (lines_[line_].empty()) {
        continue;
      } else {
        read_paragraph();
      }
      if (!comment_kind_.empty() && !comment_used_)
        fault("the comment \"" + comment_kind_ + "\" above speaks of nothing");
      comment_kind_.clear();
      comment_used_ = false;
    }
    for (const std::string& line : lines_) proof_.corrected += line + '\n';
    proof_.used = figures_.used();
    return std::move(proof_);
  }

 private:
  void fault(const std::string& what) {
    proof_.faults.push_back(fs::relative(file_, library_.root).string() + ":" +
                            std::to_string(line_ + 1) + ": " + what);
  }

  /// Reports a fault that `corrected` mends; `where` is the sentence or the table's row.
  void correct(const std::string& what, const std::string& where) {
    fault(what + (where.empty() ? "" : "\n    " + where));
    proof_.corrections.push_back(proof_.faults.back());
  }

  /// Reads a comment on a line of its own; for a generated table, also the table.
  bool read_comment() {
    if (const Match match = kOfBlock.matches(lines_[line_])) {
      comment_kind_ = match[1];
      comment_ = match[2];
      return true;
    }
    const Match match = kOfTable.matches(lines_[line_]);
    if (!match) return false;
    const std::string kind = match.str(1);
    if (kind == "end") {
      fault("<!--end--> ends no table");
    } else if (kind == "worked") {
      comment_kind_ = kind;
    } else {
      read_generated_table(match.str(2));
    }
    return true;
  }

  /// Returns the preceding comment's kind if it is one of `kinds`, and marks it as used.
  std::string take_comment(const std::vector<std::string>& kinds) {
    if (std::find(kinds.begin(), kinds.end(), comment_kind_) == kinds.end()) return "";
    comment_used_ = true;
    return comment_kind_;
  }

  /// Returns `shown` if it agrees with the figure `name`; otherwise reports a fault and returns the
  /// right number.
  std::string corrected(const std::string& shown, const std::string& name,
                        const std::string& sentence) {
    ++proof_.figures;
    try {
      const Definition& definition = figures_.definition(name);
      const Figure figure = figures_.figure(name);
      const bool is_published = !definition.published_in.empty();
      const int decimals =
          shown == "?" ? default_decimals(figure.value) : read_number(shown).decimals;
      const bool is_right = is_published
                                ? shown == definition.expression
                                : shown != "?" && is_rounded(read_number(shown), figure.value);
      if (is_right) return shown;
      const std::string right =
          is_published ? definition.expression : show_number(figure.value, decimals);
      correct(shown + " should be " + right + ": " + name + " = " + figure.resolved + " (" +
                  figures_.place(definition.line) + ")",
              sentence);
      return right;
    } catch (const std::exception& error) {
      fault("<!--" + name + "-->: " + error.what());
      return shown;
    }
  }

  /// Reads text up to an empty line or up to something that is not text.
  void read_paragraph() {
    const std::size_t first = line_;
    std::size_t end = first;
    while (end < lines_.size() && is_text(lines_[end])) ++end;
    if (end == first) ++end;  // a comment of unknown kind
    std::string paragraph, unbound;
    for (std::size_t i = first; i < end; ++i) paragraph += lines_[i] + " ";
    std::size_t begin = 0;  // start of the line within the paragraph
    for (line_ = first; line_ < end; ++line_) {
      const std::size_t length = lines_[line_].size();
      unbound += read_line(paragraph, begin) + " ";
      begin += length + 1;
    }
    line_ = first;
    if (const auto number = unbound_number(unbound))
      fault("\"" + *number + "\" is bound to no figure");
    line_ = end - 1;
  }

  /// Corrects a line of text, which starts at `begin` of its paragraph; returns its unbound part.
  std::string read_line(const std::string& paragraph, std::size_t begin) {
    const std::string line = lines_[line_];
    if (is_too_long(line)) fault(too_long_line());
    if (std::count(line.begin(), line.end(), '`') % 2 != 0)
      fault("code between backticks that does not end in its line");
    if (const auto comment = stray_comment(line);
        comment && !begins_prediction(line) && !kChart.matches(line))
      fault("a comment that binds no number: " + *comment);
    std::string result, unbound;
    std::size_t done = 0;
    for (const BoundNumber& bound : bound_numbers(line)) {
      const std::string comment = "<!--" + bound.name + "-->";
      if (comment.size() > kMaxComment)
        fault("a comment of more than " + std::to_string(kMaxComment) +
              " characters inside text: " + comment);
      const std::string between = line.substr(done, bound.begin - done);
      unbound += between;
      result +=
          between +
          corrected(bound.number, bound.name, sentence_around(paragraph, begin + bound.begin)) +
          comment;
      done = bound.end;
    }
    lines_[line_] = result + line.substr(done);
    return unbound + line.substr(done);
  }

  static bool is_text(const std::string& line) {
    return !line.empty() && !line.starts_with("```") && !line.starts_with("|") &&
           !kOnlyComment.matches(line);
  }

  /// Reads a table written by hand; its numbers must not be measured ones.
  void read_table() {
    static const Pattern kNumberAlone(R"(\|[ *]*\d[\d,.]*[ *%]*\|)");
    const bool is_worked = take_comment({"worked"}) != "";
    const std::size_t first = line_;
    for (; line_ < lines_.size() && lines_[line_].starts_with("|"); ++line_) {
      if (lines_[line_].find("<!--") != std::string::npos) fault("a comment in a row of a table");
      if (is_worked || line_ < first + 2) continue;  // the heading and its rule
      if (const auto number = unbound_number(lines_[line_]))
        fault("\"" + *number + "\" is bound to no figure");
      if (kNumberAlone.search(lines_[line_]))
        fault("a table of numbers that is neither generated nor marked as <!--worked-->");
    }
    --line_;
  }

  /// Reads a table from <!--table NAME--> to <!--end-->.
  void read_generated_table(const std::string& name) {
    const std::size_t first = line_ + 1;
    std::size_t end = first;
    while (end < lines_.size() && lines_[end].starts_with("|")) ++end;
    if (end == lines_.size() || lines_[end] != "<!--end-->") {
      fault("<!--table " + name + "--> without <!--end--> below the table");
      return;
    }
    try {
      const std::size_t before = proof_.faults.size();
      const Table table = make_table(figures_, name, &proof_.faults);
      for (const TableRow& row : table.rows)
        for (const Cell& cell : row.cells) proof_.figures += static_cast<int>(cell.figures.size());
      if (proof_.faults.size() > before) {
        line_ = end;  // a table with unknown figures is not written
        return;
      }
      compare_table(table, first, end);
    } catch (const std::exception& error) {
      fault(error.what());
      line_ = end;
    }
  }

  void compare_table(const Table& table, std::size_t first, std::size_t end) {
    const std::vector<std::string> right = table_lines(table);
    const auto at = [&](std::size_t i) { return lines_.begin() + static_cast<std::ptrdiff_t>(i); };
    if (!std::equal(at(first), at(end), right.begin(), right.end())) {
      if (end - first == right.size()) {
        for (line_ = first; line_ < end; ++line_)
          if (lines_[line_] != right[line_ - first]) compare_row(table, line_ - first);
      } else {
        line_ = first;
        correct("the table has other rows than its description (" +
                    figures_.place(table.heading.line) + ")",
                "");
      }
    }
    lines_.erase(at(first), at(end));
    lines_.insert(at(first), right.begin(), right.end());
    line_ = first + right.size();  // <!--end-->
  }

  /// Reports which cells of the table's line `index` differ; rows begin with line 2.
  void compare_row(const Table& table, std::size_t index) {
    const std::vector<std::string> shown = cells_of(lines_[line_]);
    const TableRow& row = index < 2 ? table.heading : table.rows[index - 2];
    const std::string place = " (" + figures_.place(row.line) + ")";
    if (index < 2 || shown.size() != row.cells.size()) {
      correct("the table's line is another one" + place, lines_[line_]);
      return;
    }
    const std::size_t before = proof_.corrections.size();
    for (std::size_t column = 0; column < shown.size(); ++column) {
      const Cell& cell = row.cells[column];
      if (shown[column] == cell.text) continue;
      std::string what = cell_position(table, row.cells[0].text, column) + ": " + shown[column] +
                         " should be " + cell.text;
      for (const CellFigure& figure : cell.figures) what += ": " + figure.figure.resolved;
      correct(what + place, lines_[line_]);
    }
    if (proof_.corrections.size() == before)
      correct("a row with other blanks" + place, lines_[line_]);
  }

  void read_block() {
    CodeBlock block;
    block.language = trimmed(lines_[line_].substr(3));
    block.kind = take_comment({"source", "diff", "output", "profile", "printed", "format"});
    block.comment = comment_;
    const std::size_t begin = line_ + 1;
    std::size_t end = begin;
    while (end < lines_.size() && lines_[end] != "```") ++end;
    const auto at = [&](std::size_t i) { return lines_.begin() + static_cast<std::ptrdiff_t>(i); };
    block.lines.assign(at(begin), at(end));
    try {
      const BlockProof proof = compare_block(block, file_.parent_path(), library_);
      if (proof.is_compared) ++proof_.blocks;
      for (const std::string& what : proof.faults) fault(what);
      if (proof.right) {
        correct(proof.correction, "");
        lines_.erase(at(begin), at(end));
        lines_.insert(at(begin), proof.right->begin(), proof.right->end());
      }
    } catch (const std::exception& error) {
      fault(error.what());
    }
    while (line_ < lines_.size() && (line_ < begin || lines_[line_] != "```")) ++line_;
  }

  fs::path file_;
  const Library& library_;
  Figures figures_;
  std::vector<std::string> lines_;
  std::size_t line_ = 0;
  std::string comment_kind_, comment_;
  bool comment_used_ = false;
  Proof proof_;
};

}  // namespace

Proof proofread(const fs::path& file, const Library& library) {
  return Proofreader(file, library).run();
}

std::vector<std::string> check_figures(const fs::path& file, const std::set<std::string>& used,
                                       const Library& library) {
  const Figures figures(file, library.root, *library.measurements);
  std::vector<std::string> faults = figures.faults();
  for (const std::string& name : figures.names())
    if (!used.contains(name))
      faults.push_back(figures.place(figures.line_of(name)) + ": nothing shows \"" + name + "\"");
  return faults;
}

Library project_library(const Measurements& measurements) {
  Library library = {tools::source_folder(), &measurements, {}, {}};
  if (std::string(COURSE_BACKEND_NAME) != "emulator") return library;
  const auto run = [](std::vector<std::string> words, const std::string& profile) {
    words.at(0) = COURSE_PROGRAM_FOLDER "/" + words[0];
    tools::CommandOptions options;
    options.directory = tools::source_folder();  // profiles name files relative to this folder
    if (!profile.empty()) options.environment["COURSE_PROFILE"] = profile;
    const auto result = tools::run_command(words, options);
    if (result.status != 0) throw std::runtime_error(words[0] + " failed: " + result.err);
    return result;
  };
  library.output_of = [run](const auto& command) { return run(command, "").out; };
  library.profile_of = [run](const auto& command) { return run(command, "text").err; };
  return library;
}

}  // namespace prose
