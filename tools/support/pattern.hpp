#pragma once

/// @file
/// Regular expressions. Only pattern.cpp includes `<regex>`, because that adds a second to
/// compiling a source.

#include <concepts>
#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace tools {

/// A match of a Pattern in a text, or none. Groups are views of the text, which must outlive the
/// Match.
class Match {
 public:
  /// Returns whether there is a match.
  explicit operator bool() const { return !groups_.empty(); }

  /// Returns the text of a group; group 0 is the whole match. Empty if the group did not take part.
  std::string_view operator[](std::size_t group) const;

  /// Returns the text of a group as a string.
  std::string str(std::size_t group = 0) const { return std::string((*this)[group]); }

  /// Returns whether the group took part: in "a(b)?", group 1 does only if there is a "b".
  bool has(std::size_t group) const;

  /// Positions in the text where the match begins and ends.
  std::size_t begin() const { return groups_.at(0).begin; }
  std::size_t end() const { return groups_.at(0).end; }

  /// The text before the match, and the text after it.
  std::string_view before() const { return text_.substr(0, begin()); }
  std::string_view after() const { return text_.substr(end()); }

 private:
  friend class Pattern;

  struct Group {
    std::size_t begin = std::string_view::npos;  ///< npos: the group did not take part
    std::size_t end = std::string_view::npos;
  };

  std::string_view text_;
  std::vector<Group> groups_;
};

/// Excludes temporary strings, which the Match would outlive.
template <class T>
concept TemporaryString = std::same_as<std::remove_const_t<T>, std::string>;

/// An ECMAScript regular expression. `.` matches any character except line ends; `^` and `$` match
/// the two ends of the text.
///
/// Texts may be long, but a single repetition of more than about a page may throw
/// std::length_error.
class Pattern {
 public:
  /// Whether "a" also means "A".
  enum class Case { matters, is_ignored };

  /// @throws std::invalid_argument if `expression` is not a regular expression
  explicit Pattern(std::string_view expression, Case letters = Case::matters);
  ~Pattern();
  Pattern(const Pattern&) = delete;
  Pattern& operator=(const Pattern&) = delete;

  /// Matches the whole text.
  Match matches(std::string_view text) const;
  void matches(TemporaryString auto&& text) const = delete;

  /// Finds the first match at or after `from`. Text before `from` still counts as context: `^` does
  /// not match there.
  Match search(std::string_view text, std::size_t from = 0) const;
  void search(TemporaryString auto&& text, std::size_t from = 0) const = delete;

  /// Finds all matches in order, without overlap.
  std::vector<Match> all(std::string_view text) const;
  void all(TemporaryString auto&& text) const = delete;

  /// Replaces every match by `replacement`, in which "$1" stands for group 1 and "$&" for the
  /// match.
  std::string replace(std::string_view text, std::string_view replacement) const;

  /// Replaces every match by what `replacement` returns for it.
  std::string replace(std::string_view text,
                      const std::function<std::string(const Match&)>& replacement) const;

 private:
  class Expression;

  std::unique_ptr<const Expression> expression_;
};

}  // namespace tools
