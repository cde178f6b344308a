#pragma once

/// @file
/// Regular expressions. A source that uses `<regex>` takes a second longer to compile, so
/// pattern.cpp alone includes it.

#include <concepts>
#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace tools {

/// What a Pattern has found in a text, or nothing. Its groups are views of that text, which has to
/// outlive it.
class Match {
 public:
  /// Whether anything was found.
  explicit operator bool() const { return !groups_.empty(); }

  /// What group `group` matched, or the whole pattern where `group` is 0. Empty if the group took
  /// no part.
  std::string_view operator[](std::size_t group) const;

  /// The same as a string of its own.
  std::string str(std::size_t group = 0) const { return std::string((*this)[group]); }

  /// Whether the group took part: in "a(b)?", group 1 does so only where there is a "b".
  bool has(std::size_t group) const;

  /// Where the whole match begins in the text, and where what follows it begins.
  std::size_t begin() const { return groups_.at(0).begin; }
  std::size_t end() const { return groups_.at(0).end; }

  /// The text before the match, and behind it.
  std::string_view before() const { return text_.substr(0, begin()); }
  std::string_view after() const { return text_.substr(end()); }

 private:
  friend class Pattern;

  struct Group {
    std::size_t begin = std::string_view::npos;  ///< npos: it took no part
    std::size_t end = std::string_view::npos;
  };

  std::string_view text_;
  std::vector<Group> groups_;
};

/// A temporary string, whose end a Match would outlive.
template <class T>
concept TemporaryString = std::same_as<std::remove_const_t<T>, std::string>;

/// A regular expression as ECMAScript writes them. `.` is any character but the end of a line, and
/// `^` and `$` are the two ends of the text.
///
/// Texts may be long. But where a single repetition takes more characters than a page has,
/// std::length_error may be thrown.
class Pattern {
 public:
  /// Whether "a" also means "A".
  enum class Case { matters, is_ignored };

  /// @throws std::invalid_argument if `expression` is no regular expression
  explicit Pattern(std::string_view expression, Case letters = Case::matters);
  ~Pattern();
  Pattern(const Pattern&) = delete;
  Pattern& operator=(const Pattern&) = delete;

  /// Matches the text as a whole.
  Match matches(std::string_view text) const;
  void matches(TemporaryString auto&& text) const = delete;

  /// Finds the first match at `from` or behind it. What stands before `from` still counts as
  /// context: `^` does not match there.
  Match search(std::string_view text, std::size_t from = 0) const;
  void search(TemporaryString auto&& text, std::size_t from = 0) const = delete;

  /// Finds every match in order; none overlaps another.
  std::vector<Match> all(std::string_view text) const;
  void all(TemporaryString auto&& text) const = delete;

  /// Returns `text` with `replacement` for every match; "$1" stands for group 1, and "$&" for the
  /// match.
  std::string replace(std::string_view text, std::string_view replacement) const;

  /// Returns `text` with what `replacement` returns for every match.
  std::string replace(std::string_view text,
                      const std::function<std::string(const Match&)>& replacement) const;

 private:
  class Expression;

  std::unique_ptr<const Expression> expression_;
};

}  // namespace tools
