#include "tools/prose/prose.hpp"

#include <algorithm>
#include <regex>
#include <sstream>
#include <stdexcept>

#include "tools/prose/line_diff.hpp"
#include "tools/support/project.hpp"
#include "tools/support/source_text.hpp"
#include "tools/support/subprocess.hpp"

namespace prose {
namespace {

namespace fs = std::filesystem;
using tools::passage_named;
using tools::read_lines;
using tools::trimmed;

const std::regex kComment(R"(^<!-- (source|diff|output|format|figures|worked):? ?(.*?) ?-->$)");
const std::regex kInline(R"((\d[\d,]*(?:\.\d+)?|\?)<!-- (figure|published): (.*?) -->)");
const std::regex kNumber(R"(\d[\d,]*(?:\.\d+)?|\?)");
const std::regex kUnboundUnit(
    R"(\d[\d,.]* ?(%|[GT]B/s|[GT]FLOP/s|[GT]FLOPS|[KMG]i?B\b|ms\b|µs|[MG]Hz|times (as|faster|slower)))");
const std::regex kUnboundCount(R"(\b\d{1,3}(,\d{3})+\b|\b\d{5,}\b)");

std::vector<std::string> words_in(const std::string& text) {
  std::stringstream stream(text);
  std::vector<std::string> words;
  for (std::string word; stream >> word;) words.push_back(word);
  return words;
}

std::vector<std::string> cells_of(const std::string& row) {
  std::vector<std::string> cells;
  std::stringstream stream(row.substr(1));
  for (std::string cell; std::getline(stream, cell, '|');) cells.push_back(cell);
  return cells;
}

/// Without the blanks that all lines begin with.
std::vector<std::string> dedented(std::vector<std::string> lines) {
  std::size_t indent = std::string::npos;
  for (const std::string& line : lines)
    if (!line.empty()) indent = std::min(indent, line.find_first_not_of(' '));
  for (std::string& line : lines)
    if (!line.empty()) line.erase(0, indent);
  return lines;
}

/// Whether the lines of `part` stand in `whole` one after the other, whatever their common indent.
bool is_excerpt(const std::vector<std::string>& part, const std::vector<std::string>& whole) {
  if (part.empty()) return false;
  for (std::size_t first = 0; first + part.size() <= whole.size(); ++first) {
    const auto begin = whole.begin() + static_cast<std::ptrdiff_t>(first);
    const auto end = begin + static_cast<std::ptrdiff_t>(part.size());
    if (dedented({begin, end}) == dedented(part)) return true;
  }
  return false;
}

constexpr std::size_t kDiffContext = 1;
constexpr std::size_t kScreenLines = 45;

/// What a change of code is about: without documentation, and without what frames a header.
std::vector<std::string> code_of(std::vector<std::string> lines) {
  static const std::regex kFrame(R"(^ *///|^#pragma once|^namespace |^\}  // namespace )");
  std::erase_if(lines, [](const std::string& line) { return std::regex_search(line, kFrame); });
  return lines;
}

class Proofreader {
 public:
  Proofreader(const fs::path& file, const Library& library)
      : file_(file), library_(library), lines_(read_lines(file)) {
    const fs::path folder = file.parent_path();
    if (folder.parent_path().filename() == "chapters") row_.chapter = folder.filename().string();
  }

  Proof run() {
    for (line_ = 0; line_ < lines_.size(); ++line_) {
      std::smatch match;
      if (lines_[line_].starts_with("```")) {
        read_block();
      } else if (std::regex_match(lines_[line_], match, kComment)) {
        comment_kind_ = match[1];
        comment_ = match[2];
        continue;  // it speaks of what follows
      } else if (lines_[line_].starts_with("|")) {
        read_table();
      } else {
        read_text();
        if (lines_[line_].empty()) continue;
      }
      if (!comment_kind_.empty() && !comment_used_)
        fault("the comment \"" + comment_kind_ + "\" above speaks of nothing");
      comment_kind_.clear();
      comment_used_ = false;
    }
    for (const std::string& line : lines_) proof_.corrected += line + '\n';
    return std::move(proof_);
  }

 private:
  void fault(const std::string& what) {
    proof_.faults.push_back(fs::relative(file_, library_.root).string() + ":" +
                            std::to_string(line_ + 1) + ": " + what);
  }

  /// Takes the comment that precedes this place if it is one of `kinds`.
  std::string take_comment(const std::vector<std::string>& kinds) {
    if (std::find(kinds.begin(), kinds.end(), comment_kind_) == kinds.end()) return "";
    comment_used_ = true;
    return comment_kind_;
  }

  /// `shown` if it is right, else the right number; counts and complains.
  std::string corrected(const std::string& shown, const std::string& expression,
                        const RunName& row) {
    ++proof_.figures;
    try {
      const double value = evaluate(expression, *library_.measurements, row);
      if (shown == "?") {
        fault("a figure is missing: " + expression);
        return show_number(value, default_decimals(value));
      }
      const ShownNumber number = read_number(shown);
      if (is_rounded(number, value)) return shown;
      const std::string right = show_number(value, number.decimals);
      fault(shown + " should be " + right + ": " + expression);
      return right;
    } catch (const std::exception& error) {
      fault(error.what());
      return shown;
    }
  }

  void read_text() {
    std::string rest = lines_[line_], result, plain;
    for (std::smatch match; std::regex_search(rest, match, kInline); rest = match.suffix()) {
      std::string number = match[1];
      if (match[2] == "figure") number = corrected(number, match[3], row_);
      result +=
          match.prefix().str() + number + "<!-- " + match[2].str() + ": " + match[3].str() + " -->";
      plain += match.prefix().str();
    }
    lines_[line_] = result + rest;
    require_bound(plain + rest);
  }

  /// Complains of numbers with units, and of large ones, that no comment binds.
  void require_bound(const std::string& text) {
    static const std::regex kNotProse(R"(`[^`]*`|\]\([^)]*\)|https?://\S+|<!--.*?-->)");
    const std::string prose = std::regex_replace(text, kNotProse, " ");
    std::smatch match;
    if (std::regex_search(prose, match, kUnboundUnit) ||
        std::regex_search(prose, match, kUnboundCount))
      fault("\"" + match[0].str() + "\" is bound to no figure");
  }

  void read_table() {
    const bool measured = take_comment({"figures"}) != "";
    const bool worked = !measured && take_comment({"worked"}) != "";
    const std::size_t first = line_;
    for (; line_ < lines_.size() && lines_[line_].starts_with("|"); ++line_) {
      if (line_ < first + 2) continue;  // the heading and the rule below it
      if (measured) {
        read_measured_row();
      } else if (!worked) {
        const std::string before = lines_[line_];
        read_text();
        const std::string unbound = std::regex_replace(before, kInline, "");
        if (std::regex_search(unbound, std::regex(R"(\|[ *]*\d[\d,.]*[ *%]*\|)")))
          fault("a table of numbers that no comment binds");
      }
    }
    --line_;
  }

  void read_measured_row() {
    std::vector<std::string> cells = cells_of(lines_[line_]);
    std::vector<std::string> figures;
    std::stringstream stream(comment_);
    for (std::string figure; std::getline(stream, figure, ';');) figures.push_back(trimmed(figure));
    if (cells.size() != figures.size()) {
      fault("a row of " + std::to_string(cells.size()) + " cells under a comment for " +
            std::to_string(figures.size()));
      return;
    }
    RunName row = row_;
    try {
      read_kernel(figures[0], &row);
      row.source = std::exchange(row.kernel, "");
      read_row_name(cells[0], &row);
    } catch (const std::exception& error) {
      fault(error.what());
      return;
    }
    for (std::size_t i = 1; i < cells.size(); ++i) {
      if (figures[i] == "-") continue;
      std::smatch match;
      if (!std::regex_search(cells[i], match, kNumber)) {
        fault("no figure in \"" + trimmed(cells[i]) + "\"");
        continue;
      }
      cells[i] = match.prefix().str() + corrected(match[0], figures[i], row) + match.suffix().str();
    }
    lines_[line_] = "|";
    for (const std::string& cell : cells) lines_[line_] += cell + "|";
  }

  /// "`copy_strided`, stride 2" or, in another chapter's README, "02 `copy_strided`, stride 2".
  void read_row_name(const std::string& cell, RunName* row) const {
    static const std::regex kName(R"(^\s*(?:(\d\d) )?`(\w+)`(.*)$)");
    std::smatch match;
    if (!std::regex_match(cell, match, kName))
      throw std::runtime_error("the row's first cell names no `kernel`: " + trimmed(cell));
    row->kernel = match[2];
    if (match[1].matched) row->chapter = chapter_numbered(match[1]);
    std::stringstream stream(match[3]);
    for (std::string pair; std::getline(stream, pair, ',');) {
      const std::vector<std::string> words = words_in(pair);
      if (words.empty()) continue;
      if (words.size() != 2) throw std::runtime_error("not \"name value\": " + trimmed(pair));
      row->parameters[words[0]] = words[1];
    }
  }

  std::string chapter_numbered(const std::string& number) const {
    for (const auto& entry : fs::directory_iterator(library_.root / "chapters"))
      if (entry.path().filename().string().starts_with(number + "_"))
        return entry.path().filename().string();
    throw std::runtime_error("there is no chapter " + number);
  }

  void read_block() {
    const std::string language = trimmed(lines_[line_].substr(3));
    const std::string kind = take_comment({"source", "diff", "output", "format"});
    const std::size_t begin = line_ + 1;
    std::size_t end = begin;
    while (end < lines_.size() && lines_[end] != "```") ++end;
    const std::vector<std::string> block(lines_.begin() + static_cast<std::ptrdiff_t>(begin),
                                         lines_.begin() + static_cast<std::ptrdiff_t>(end));
    try {
      if (kind == "source") {
        compare_source(language, block);
      } else if (kind == "diff") {
        compare_diff(language, begin, end, block);
      } else if (kind == "output") {
        compare_output(begin, end, block);
      } else if (kind.empty() && language == "sh") {
        check_commands(block);
      } else if (kind.empty()) {
        fault("a code block without a comment that says where it comes from");
      }
    } catch (const std::exception& error) {
      fault(error.what());
    }
    while (line_ < lines_.size() && (line_ < begin || lines_[line_] != "```")) ++line_;
  }

  std::vector<std::string> source_lines(const std::string& place) const {
    const std::size_t hash = place.find('#');
    const fs::path beside = file_.parent_path() / place.substr(0, hash);
    const fs::path path = fs::exists(beside) ? beside : library_.root / place.substr(0, hash);
    if (hash == std::string::npos) return read_lines(path);
    return passage_named(path, place.substr(hash + 1));
  }

  void compare_source(const std::string& language, const std::vector<std::string>& block) {
    ++proof_.blocks;
    const std::vector<std::string> places = words_in(comment_);
    const bool is_diff = language == "diff";
    if (places.size() != (is_diff ? 2u : 1u)) {
      fault("a block names one source, a diff two");
      return;
    }
    for (std::size_t side = 0; side < places.size(); ++side) {
      std::vector<std::string> part;
      for (const std::string& line : block) {
        if (!is_diff) {
          part.push_back(line);
        } else if (line.empty() || line[0] != (side == 0 ? '+' : '-')) {
          part.push_back(line.empty() ? line : line.substr(1));
        }
      }
      if (!is_excerpt(part, source_lines(places[side])))
        fault("the code is not what stands in " + places[side]);
    }
  }

  void compare_diff(const std::string& language, std::size_t begin, std::size_t end,
                    const std::vector<std::string>& block) {
    ++proof_.blocks;
    const std::vector<std::string> places = words_in(comment_);
    if (places.size() != 2 || language != "diff") {
      fault("a diff is a block of `diff` and names two sources");
      return;
    }
    const std::vector<std::string> diff =
        line_diff(code_of(source_lines(places[0])), code_of(source_lines(places[1])), kDiffContext);
    if (diff.empty()) fault("nothing changes from " + places[0] + " to " + places[1]);
    if (diff.size() > kScreenLines)
      fault("a diff of " + std::to_string(diff.size()) + " lines is more than a screen, " +
            std::to_string(kScreenLines));
    if (diff == block) return;
    fault("the diff is another one: " + comment_);
    replace(begin, end, diff);
  }

  void compare_output(std::size_t begin, std::size_t end, const std::vector<std::string>& block) {
    if (!library_.output_of) return;
    ++proof_.blocks;
    std::stringstream stream(library_.output_of(words_in(comment_)));
    std::vector<std::string> output;
    for (std::string line; std::getline(stream, line);) output.push_back(line);
    if (output == block) return;
    fault("the program prints something else: " + comment_);
    replace(begin, end, output);
  }

  /// Puts other lines in the place of those from `begin` to `end`.
  void replace(std::size_t begin, std::size_t end, const std::vector<std::string>& with) {
    const auto at = lines_.begin() + static_cast<std::ptrdiff_t>(begin);
    lines_.erase(at, lines_.begin() + static_cast<std::ptrdiff_t>(end));
    lines_.insert(lines_.begin() + static_cast<std::ptrdiff_t>(begin), with.begin(), with.end());
  }

  /// Commands are for this project's front door, and name chapters that there are.
  void check_commands(const std::vector<std::string>& block) {
    ++proof_.blocks;
    for (const std::string& line : block) {
      const std::vector<std::string> words = words_in(line);
      if (words.size() < 3 || words[0] != "./course") continue;
      if (words[1] != "run" && words[1] != "check") continue;
      if (std::isdigit(static_cast<unsigned char>(words[2][0])))
        chapter_numbered(words[2].substr(0, 2));
    }
  }

  fs::path file_;
  const Library& library_;
  std::vector<std::string> lines_;
  std::size_t line_ = 0;
  std::string comment_kind_, comment_;
  bool comment_used_ = false;
  RunName row_;
  Proof proof_;
};

}  // namespace

Proof proofread(const fs::path& file, const Library& library) {
  return Proofreader(file, library).run();
}

Library project_library(const Measurements& measurements) {
  Library library = {tools::source_folder(), &measurements, {}};
  if (std::string(COURSE_BACKEND_NAME) != "emulator") return library;
  library.output_of = [](const std::vector<std::string>& command) {
    std::vector<std::string> words = command;
    words.at(0) = COURSE_PROGRAM_FOLDER "/" + words[0];
    const auto result = tools::run_command(words);
    if (result.status != 0) throw std::runtime_error(words[0] + " failed: " + result.err);
    return result.out;
  };
  return library;
}

}  // namespace prose
