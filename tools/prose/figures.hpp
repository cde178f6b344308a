#pragma once

/// @file
/// The figures of a text by name: a figures.txt beside the Markdown files that show them.
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
/// A definition that is too long for a line goes on in lines that are indented. Operators stand
/// between blanks (support/arithmetic.hpp). A definition may use others, wherever in the file they
/// stand. Within one with parameters, `$n` stands for what is written in the place of n, a word or
/// a number: it is replaced before anything is worked out. So are the `$n` within a geometric mean,
/// by each word of a list or of several, or of the words that stand there instead of their names;
/// `geomean(m n in WORDS: ...)` takes two words at a time, and so on.
///
/// What was measured is named SOURCE/KERNEL(PARAMETERS)/FIELD: the file in docs/measurements, the
/// kernel's run of this chapter, and a field of that run (measurements.hpp). In another folder
/// than a chapter's, or for another chapter, it is SOURCE/CHAPTER/KERNEL(PARAMETERS)/FIELD.
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

/// A line of figures.txt, with those that continue it.
struct FiguresLine {
  int number = 0;  ///< from 1
  std::string text;
};

/// A name with what it stands for.
struct Definition {
  int line = 0;
  std::vector<std::string> parameters;
  std::string expression;    ///< of a published figure, its digits; of a list, its words
  std::string published_in;  ///< empty for what is worked out
  bool is_list = false;
};

/// The lines that describe a table, as table.hpp reads them.
struct TableDescription {
  int line = 0;
  std::vector<FiguresLine> lines;
};

/// A number that someone else has published.
struct PublishedNumber {
  std::string digits, where;

  auto operator<=>(const PublishedNumber&) const = default;
};

/// What an expression comes to.
struct Figure {
  double value = 0.0;
  std::string resolved;                 ///< the expression down to runs and numbers
  std::set<PublishedNumber> published;  ///< those in it
};

/// The values of `$n` while something is worked out.
using Words = std::map<std::string, std::string>;

/// `text` with each `$n` that `words` knows replaced.
std::string with_words(const std::string& text, const Words& words);

/// The parts of `text` between separators that stand outside of parentheses, without blanks around.
std::vector<std::string> split_outside_parentheses(std::string_view text, char separator);

/// A figures.txt.
class Figures {
 public:
  /// Reads the file; one that is not there defines nothing. `root` is the project's folder.
  Figures(const std::filesystem::path& file, const std::filesystem::path& root,
          const Measurements& measurements);

  /// What is wrong with the file itself, as "FILE:LINE: what".
  const std::vector<std::string>& faults() const { return faults_; }

  /// The definition, or the table, called so.
  /// @throws std::runtime_error that suggests the nearest name if there is none
  const Definition& definition(const std::string& name) const;
  const TableDescription& table(const std::string& name) const;

  /// The value of a name without parameters.
  /// @throws std::runtime_error if it cannot be worked out, naming what is missing
  Figure figure(const std::string& name) const;

  /// The value of an expression. A name that is not defined is a field of `run`, if there is one.
  /// @throws std::runtime_error also for a name that is both: nobody could tell what it means
  Figure evaluate(const std::string& expression, const std::optional<RunName>& run) const;

  /// The digits of a published figure, if `name` is one.
  std::optional<std::string> published(const std::string& name) const;

  /// "squares", or words between blanks, as words.
  std::vector<std::string> list(const std::string& text) const;

  /// "SOURCE/KERNEL(PARAMETERS)" or "SOURCE/CHAPTER/KERNEL(PARAMETERS)"; without a kernel
  /// "SOURCE(PARAMETERS)".
  RunName run_named(const std::string& text) const;

  /// "chapters/09_sgemm/figures.txt:12".
  std::string place(int line) const;

  /// Every name of the file, tables too, and those that have been asked for so far.
  std::vector<std::string> names() const;
  const std::set<std::string>& used() const { return used_; }

  /// The line in which the name is defined.
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
