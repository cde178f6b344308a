#include "cpp_lexer.hpp"

#include <algorithm>
#include <array>
#include <cctype>

namespace course::cpp {
namespace {

bool starts_word(char c) {
  return std::isalpha(static_cast<unsigned char>(c)) || c == '_' || c == '$' ||
         static_cast<unsigned char>(c) >= 0x80;
}
bool continues_word(char c) {
  return starts_word(c) || std::isdigit(static_cast<unsigned char>(c));
}

// Returns how many characters at `begin` form a universal character name, \u00e9 or \U000000e9, as
// g++ -E writes characters beyond ASCII; 0 if there is none.
std::size_t named_character(std::string_view text, std::size_t begin) {
  if (begin + 1 >= text.size() || text[begin] != '\\') return 0;
  const std::size_t digits = text[begin + 1] == 'u' ? 4 : text[begin + 1] == 'U' ? 8 : 0;
  if (digits == 0 || begin + 2 + digits > text.size()) return 0;
  const std::string_view number = text.substr(begin + 2, digits);
  const bool hexadecimal = std::all_of(number.begin(), number.end(), [](char c) {
    return std::isxdigit(static_cast<unsigned char>(c)) != 0;
  });
  return hexadecimal ? 2 + digits : 0;
}

bool is_raw_prefix(std::string_view word) {
  return word == "R" || word == "LR" || word == "uR" || word == "UR" || word == "u8R";
}
bool is_literal_prefix(std::string_view word) {
  return word == "L" || word == "u" || word == "U" || word == "u8";
}

}  // namespace

Lexer::Lexer(Source& source) : source_(source), text_(source.text_) {}

void Lexer::run() {
  while (true) {
    skip_blanks_and_comments();
    if (position_ >= text_.size()) return;
    const char c = text_[position_];
    if (c == '#' && at_line_begin()) {
      read_directive();
    } else if (starts_word(c) || named_character(text_, position_) > 0) {
      read_word();
    } else if (std::isdigit(static_cast<unsigned char>(c)) ||
               (c == '.' && std::isdigit(static_cast<unsigned char>(at(position_ + 1))))) {
      read_number();
    } else if (c == '"' || c == '\'') {
      read_quoted(position_);
    } else {
      read_punctuator();
    }
  }
}

bool Lexer::at_line_begin() const {
  std::size_t p = position_;
  while (p > 0 && (text_[p - 1] == ' ' || text_[p - 1] == '\t')) --p;
  return p == 0 || text_[p - 1] == '\n';
}

void Lexer::count_lines(std::size_t from, std::size_t to) {
  line_ += static_cast<std::uint32_t>(std::count(text_.begin() + from, text_.begin() + to, '\n'));
}

void Lexer::skip_blanks_and_comments() {
  while (position_ < text_.size()) {
    const char c = text_[position_];
    if (c == '\n') {
      ++line_;
      ++position_;
    } else if (std::isspace(static_cast<unsigned char>(c)) ||
               (c == '\\' && at(position_ + 1) == '\n')) {
      ++position_;
    } else if (c == '/' && at(position_ + 1) == '/') {
      position_ = std::min(text_.find('\n', position_), text_.size());
    } else if (c == '/' && at(position_ + 1) == '*') {
      const std::size_t close = text_.find("*/", position_ + 2);
      const std::size_t end = close == text_.npos ? text_.size() : close + 2;
      count_lines(position_, end);
      position_ = end;
    } else {
      return;
    }
  }
}

void Lexer::read_directive() {
  const std::size_t begin = position_;
  std::size_t end = begin;
  while (end < text_.size() && text_[end] != '\n') {
    end += text_[end] == '\\' && at(end + 1) == '\n' ? 2 : 1;
  }
  end = std::min(end, text_.size());
  source_.directives_.push_back(
      {static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end)});
  count_lines(begin, end);
  position_ = end;
  follow_line_marker(text_.substr(begin, end - begin));
}

// Follows `# 12 "file" 1 3` or `#line 12 "file"`, which has the number of the next line.
void Lexer::follow_line_marker(std::string_view directive) {
  std::size_t p = 1;
  const auto skip_blanks = [&] {
    while (p < directive.size() && (directive[p] == ' ' || directive[p] == '\t')) ++p;
  };
  skip_blanks();
  if (directive.substr(p, 4) == "line") p += 4;
  skip_blanks();
  if (p >= directive.size() || !std::isdigit(static_cast<unsigned char>(directive[p]))) return;
  std::uint32_t number = 0;
  while (p < directive.size() && std::isdigit(static_cast<unsigned char>(directive[p]))) {
    number = number * 10 + static_cast<std::uint32_t>(directive[p++] - '0');
  }
  line_ = number - 1;  // the directive's own line end adds one
  skip_blanks();
  if (p >= directive.size() || directive[p] != '"') return;
  std::string name;
  for (++p; p < directive.size() && directive[p] != '"'; ++p) {
    if (directive[p] == '\\' && p + 1 < directive.size()) ++p;
    name += directive[p];
  }
  system_header_ = false;
  for (++p; p < directive.size(); ++p) system_header_ |= directive[p] == '3';

  auto& files = source_.files_;
  const auto known = std::find(files.rbegin(), files.rend(), name);
  if (known != files.rend()) {
    file_ = static_cast<std::uint32_t>(files.rend() - known - 1);
  } else {
    file_ = static_cast<std::uint32_t>(files.size());
    files.push_back(std::move(name));
  }
}

void Lexer::read_word() {
  const std::size_t begin = position_;
  while (continues_word(at(position_)) || named_character(text_, position_) > 0)
    position_ += std::max<std::size_t>(named_character(text_, position_), 1);
  const std::string_view word = text_.substr(begin, position_ - begin);
  if (at(position_) == '"' && is_raw_prefix(word)) return read_raw_string(begin);
  if ((at(position_) == '"' || at(position_) == '\'') && is_literal_prefix(word)) {
    return read_quoted(begin);
  }
  add(TokenKind::identifier, begin);
}

// Reads a number with digit separators, signed exponents and suffixes.
void Lexer::read_number() {
  const std::size_t begin = position_++;
  while (true) {
    const char c = at(position_);
    const char previous = text_[position_ - 1];
    const bool sign_of_exponent = (c == '+' || c == '-') && (previous == 'e' || previous == 'E' ||
                                                             previous == 'p' || previous == 'P');
    const bool separator = c == '\'' && continues_word(at(position_ + 1));
    if (!continues_word(c) && c != '.' && !sign_of_exponent && !separator) break;
    ++position_;
  }
  add(TokenKind::number, begin);
}

void Lexer::read_quoted(std::size_t begin) {
  const char quote = text_[position_++];
  while (position_ < text_.size() && text_[position_] != quote && text_[position_] != '\n') {
    position_ += text_[position_] == '\\' ? 2 : 1;
  }
  position_ = std::min(position_ + 1, text_.size());
  while (continues_word(at(position_))) ++position_;  // a user-defined suffix
  add(TokenKind::literal, begin);
}

void Lexer::read_raw_string(std::size_t begin) {
  const std::size_t open = text_.find('(', position_);
  std::string close = ")";
  if (open != text_.npos) close += text_.substr(position_ + 1, open - position_ - 1);
  close += '"';
  const std::size_t end = open == text_.npos ? text_.npos : text_.find(close, open);
  position_ = end == text_.npos ? text_.size() : end + close.size();
  while (continues_word(at(position_))) ++position_;
  add(TokenKind::literal, begin);
  count_lines(begin, position_);
}

// Replaces `<%` and the other digraphs by their brackets and a blank, so that no other code has to
// know them.
void Lexer::replace_digraph() {
  struct Digraph {
    std::string_view spelling;
    char bracket;
  };
  static constexpr std::array<Digraph, 4> kDigraphs = {
      {{"<%", '{'}, {"%>", '}'}, {"<:", '['}, {":>", ']'}}};
  const std::string_view next = text_.substr(position_, 4);
  for (const auto& [spelling, bracket] : kDigraphs) {
    if (!next.starts_with(spelling)) continue;
    // `<::` is a `<` and a `::`, unless a `:` or a `>` follows.
    if (next.starts_with("<::") && !next.starts_with("<:::") && !next.starts_with("<::>")) return;
    source_.text_[position_] = bracket;
    source_.text_[position_ + 1] = ' ';
  }
}

void Lexer::read_punctuator() {
  replace_digraph();
  // Without `<<` and `>>`, which may be parts of a launch or of nested template arguments.
  static constexpr std::array<std::string_view, 23> kLong = {
      "<=>", "<<=", ">>=", "->*", "...", "<=", ">=", "==", "!=", "&&", "||", "->",
      "++",  "--",  "::",  "+=",  "-=",  "*=", "/=", "%=", "&=", "|=", "^="};
  const std::size_t begin = position_;
  const auto found = std::find_if(kLong.begin(), kLong.end(), [&](std::string_view p) {
    return text_.substr(begin, p.size()) == p;
  });
  position_ += found == kLong.end() ? 1 : found->size();
  add(TokenKind::punctuator, begin);
}

void Lexer::add(TokenKind kind, std::size_t begin) {
  source_.tokens_.push_back({kind, system_header_, static_cast<std::uint32_t>(begin),
                             static_cast<std::uint32_t>(position_), line_, file_});
}

}  // namespace course::cpp
