/// Changes to a source, stored per token and applied all at once at the end.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "course/cpp_source.hpp"

namespace emulator_nvcc {

using namespace course::cpp;  // the rewrites work on tokens

/// Returns a line marker as g++ -E writes it: the text behind it is in the line of `token`.
std::string line_marker(const Source& s, std::size_t token);

class Edits {
 public:
  explicit Edits(const Source& source) : source_(source) {}

  void replace(std::size_t token, std::string text);
  void erase(std::size_t token) { replace(token, {}); }
  /// Erases the tokens first...last, both included; line ends and directives between them stay.
  void erase(std::size_t first, std::size_t last);
  /// Discards the changes of the tokens first...last, both included.
  void drop(std::size_t first, std::size_t last) {
    changes_.erase(changes_.lower_bound(first), changes_.upper_bound(last));
  }
  void insert_before(std::size_t token, std::string_view text) { changes_[token].before += text; }
  void insert_after(std::size_t token, std::string_view text) { changes_[token].after += text; }
  void erase_directive(const Directive& directive) { directives_.push_back(directive); }

  bool erased(std::size_t token) const;

  /// Returns the tokens first...last with their changes on one line, without text inserted around
  /// them.
  std::string on_one_line(std::size_t first, std::size_t last) const;

  /// Returns the whole text with all changes.
  /// @param columns set to the column, from 1, of each token or of its replacement
  /// @param keeps_columns whether tokens behind a change get the column that they had
  std::string apply(std::vector<std::size_t>* columns = nullptr, bool keeps_columns = false) const;

 private:
  struct Change {
    std::string before, after, replacement;
    bool replaced = false;
  };
  const Source& source_;
  std::map<std::size_t, Change> changes_;
  std::vector<Directive> directives_;
};

}  // namespace emulator_nvcc
