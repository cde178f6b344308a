/// Changes to a source, kept per token and made all at once at the end.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "course/cpp_source.hpp"

namespace emulator_nvcc {

using namespace course::cpp;  // the rewrites are about tokens

class Edits {
 public:
  explicit Edits(const Source& source) : source_(source) {}

  void replace(std::size_t token, std::string text);
  void erase(std::size_t token) { replace(token, {}); }
  /// Erases first...last, both included; line ends and directives between them stay.
  void erase(std::size_t first, std::size_t last);
  /// Forgets what was to become of first...last, both included.
  void drop(std::size_t first, std::size_t last) {
    changes_.erase(changes_.lower_bound(first), changes_.upper_bound(last));
  }
  void insert_before(std::size_t token, std::string_view text) { changes_[token].before += text; }
  void insert_after(std::size_t token, std::string_view text) { changes_[token].after += text; }
  void erase_directive(const Directive& directive) { directives_.push_back(directive); }

  bool erased(std::size_t token) const;

  /// Tokens first...last with their changes, on one line; without what was inserted around them.
  std::string on_one_line(std::size_t first, std::size_t last) const;

  /// The whole text with all changes.
  /// @param columns  becomes, by token, the column from 1 where it or what replaces it begins
  std::string apply(std::vector<std::size_t>* columns = nullptr) const;

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
