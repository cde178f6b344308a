#pragma once

/// @file
/// Reads figures.txt, which names the figures of the Markdown files in its folder.
///
///     # What one H200 reaches: a comment is a line of its own.
///     squares = list 256 512 1024
///     peak_tflops = multiprocessors * 128 * 2 * 1.98 / 1000
///     multiprocessors = 132
///     tflops(step, n) = h200/sizes(step=$step,m=$n,n=$n,k=$n)/gflop_per_s / 1000
///     naive_share = 100 * tflops(naive, 1024) / peak_tflops
///     mean_tflops = geomean(n in squares: tflops(naive, $n))
///     aligned_ms = published 1.820: the article, with L1
///
/// A definition that is too long for a line continues in indented lines. Operators stand between
/// blanks (support/arithmetic.hpp). A definition may use others, in any order. In a definition with
/// parameters, `$n` stands for the argument n, a word or number, and is replaced before anything is
/// computed. In a geometric mean, `$n` is replaced by each word of one or several lists; words may
/// also be written in place of a list's name. `geomean(m n in WORDS: ...)` takes two words at a
/// time, and so on.
///
/// A measured value is named SOURCE/KERNEL(PARAMETERS)/FIELD: a file in docs/measurements, a run of
/// this chapter, and a field of that run (measurements.hpp). Outside of a chapter's folder, or for
/// another chapter, the name is SOURCE/CHAPTER/KERNEL(PARAMETERS)/FIELD.
///
/// table.hpp describes tables.

#include <compare>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "tools/prose/measurements.hpp"

namespace prose {

/// A line of figures.txt with its continuation lines.
struct FiguresLine {
  int number = 0;  ///< from 1
  std::string text;
};

/// A name and its definition.
struct Definition {
  int line = 0;
  std::vector<std::string> parameters;
  std::string expression;    ///< for a published figure its digits, for a list its words
  std::string published_in;  ///< empty for a computed figure
  bool is_list = false;
};

/// The lines that describe a table (table.hpp).
struct TableDescription {
  int line = 0;
  std::vector<FiguresLine> lines;
};

/// A number that someone else published.
struct PublishedNumber {
  std::string digits, where;

  auto operator<=>(const PublishedNumber&) const = default;
};

/// The value of an expression and its sources.
struct Figure {
  double value = 0.0;
  std::string resolved;                 ///< the expression in terms of runs and numbers
  std::set<PublishedNumber> published;  ///< published numbers that it uses
};

/// The values of `$n` during an evaluation.
using Words = std::map<std::string, std::string>;

/// Replaces each `$n` in `text` that `words` contains.
std::string with_words(const std::string& text, const Words& words);

/// Splits `text` at separators outside of parentheses, and trims the parts.
std::vector<std::string> split_outside_parentheses(std::string_view text, char separator);

/// A figures.txt file.
class Figures {
 public:
  /// Reads the file; a missing file defines nothing. `root` is the project's folder.
  Figures(const std::filesystem::path& file, const std::filesystem::path& root,
          const Measurements& measurements);

  /// Returns the faults of the file itself, as "FILE:LINE: what".
  const std::vector<std::string>& faults() const { return faults_; }

  /// Returns the definition or table with this name.
  /// @throws std::runtime_error that suggests the nearest name if there is none
  const Definition& definition(const std::string& name) const;
  const TableDescription& table(const std::string& name) const;

  /// Returns the value of a name without parameters.
  /// @throws std::runtime_error that names what is missing
  Figure figure(const std::string& name) const;

  /// Evaluates an expression. A name without a definition is a field of `run`, if given.
  /// @throws std::runtime_error also if a name is both, because its meaning would be unclear
  Figure evaluate(const std::string& expression, const std::optional<RunName>& run) const;

  /// Returns the digits of a published figure; nothing if `name` is not one.
  std::optional<std::string> published(const std::string& name) const;

  /// Returns the words of a list, given by name or as words.
  std::vector<std::string> list(const std::string& text) const;

  /// Parses "SOURCE/KERNEL(PARAMETERS)" or "SOURCE/CHAPTER/KERNEL(PARAMETERS)"; without a kernel,
  /// "SOURCE(PARAMETERS)".
  RunName run_named(const std::string& text) const;

  /// Returns a line's position: "chapters/09_sgemm/figures.txt:12".
  std::string place(int line) const;

  /// Returns all names that the file defines, including tables.
  std::vector<std::string> names() const;
  const std::set<std::string>& used() const { return used_; }

  /// Returns the line that defines the name.
  int line_of(const std::string& name) const;

  const std::filesystem::path& root() const { return root_; }

 private:
  void read(const std::vector<std::string>& lines);
  std::size_t read_table(const std::vector<std::string>& lines, std::size_t first);
  void read_name(const FiguresLine& line);
  bool is_new(const std::string& name, int line);
  void fault(int line, const std::string& what);
  std::string resolve(const std::string& expression, const std::optional<RunName>& run,
                      std::set<PublishedNumber>* published, int depth) const;
  std::string resolve_name(const std::string& name, const std::optional<RunName>& run,
                           std::set<PublishedNumber>* published, int depth) const;
  std::string resolve_measured(const std::string& name, const std::optional<RunName>& run) const;
  double value_of(const std::string& resolved_name) const;

  std::filesystem::path file_, root_;
  std::string chapter_;
  const Measurements& measurements_;
  std::map<std::string, Definition> definitions_;
  std::map<std::string, TableDescription> tables_;
  mutable std::set<std::string> used_;
  std::vector<std::string> faults_;
};

}  // namespace prose
