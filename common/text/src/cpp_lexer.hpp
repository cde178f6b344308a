/// Cuts preprocessed C++ into tokens and follows its line markers.
#pragma once

#include <string_view>

#include "course/cpp_source.hpp"

namespace course::cpp {

/// Fills a Source from its text; used by Source's constructor.
class Lexer {
 public:
  explicit Lexer(Source& source);
  void run();

 private:
  char at(std::size_t position) const { return position < text_.size() ? text_[position] : '\0'; }
  bool at_line_begin() const;
  void skip_blanks_and_comments();
  void read_directive();
  void follow_line_marker(std::string_view directive);
  void read_word();
  void read_number();
  void read_quoted(std::size_t begin);
  void read_raw_string(std::size_t begin);
  void replace_digraph();
  void read_punctuator();
  void add(TokenKind kind, std::size_t begin);
  void count_lines(std::size_t from, std::size_t to);

  Source& source_;
  std::string_view text_;
  std::size_t position_ = 0;
  std::uint32_t line_ = 1;
  std::uint32_t file_ = 0;
  bool system_header_ = false;
};

}  // namespace course::cpp
