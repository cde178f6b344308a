#include "source_text.hpp"

#include <algorithm>
#include <cctype>
#include <fstream>
#include <iterator>

namespace emu {

namespace {

constexpr std::string_view kReplacement = "\xef\xbf\xbd";  // U+FFFD

/// Bytes of the UTF-8 character at the beginning of `text`; 0 if it is none.
std::size_t character_bytes(std::string_view text) {
  const auto byte = [&](std::size_t i) {
    return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u;
  };
  const auto follows = [&](std::size_t i) { return (byte(i) & 0xc0) == 0x80; };
  const unsigned first = byte(0), second = byte(1);
  if (first < 0x80) return (first >= 0x20 && first != 0x7f) || first == '\t' ? 1 : 0;
  if (first >= 0xc2 && first <= 0xdf) return follows(1) ? 2 : 0;
  if (first >= 0xe0 && first <= 0xef) {
    const bool is_overlong = first == 0xe0 && second < 0xa0;
    const bool is_surrogate = first == 0xed && second >= 0xa0;
    const bool is_no_character = first == 0xef && second == 0xbf && byte(2) >= 0xbe;
    return follows(1) && follows(2) && !is_overlong && !is_surrogate && !is_no_character ? 3 : 0;
  }
  if (first >= 0xf0 && first <= 0xf4) {
    const bool is_overlong = first == 0xf0 && second < 0x90;
    const bool is_beyond = first == 0xf4 && second >= 0x90;
    return follows(1) && follows(2) && follows(3) && !is_overlong && !is_beyond ? 4 : 0;
  }
  return 0;
}

std::string printable(std::string_view text) {
  std::string result;
  while (!text.empty()) {
    const std::size_t bytes = character_bytes(text);
    result += bytes != 0 ? text.substr(0, bytes) : kReplacement;
    text.remove_prefix(std::max<std::size_t>(bytes, 1));
  }
  return result;
}

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t");
  if (first == text.npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

/// Whether a declaration may go on from this line to the next.
bool leads_on(std::string_view line) {
  const std::string_view text = trimmed(line);
  if (text.empty() || text.starts_with("//") || text.starts_with("/*") || text.starts_with("*") ||
      text.starts_with("#") || text.ends_with("*/"))
    return false;
  return std::string_view(";{}:").find(text.back()) == std::string_view::npos;
}

/// Walks through code, past comments, strings and characters.
class CodeWalk {
 public:
  CodeWalk(const SourceLines& lines, std::size_t line) : lines_(lines), line_(line) {}

  /// The next character of code, 0 at the end; line() says where it is.
  char next() {
    while (line_ < lines_.size()) {
      const std::string_view rest = std::string_view(lines_[line_]).substr(at_);
      if (rest.empty() || (!in_comment_ && rest.starts_with("//"))) {
        ++line_;
        at_ = 0;
        continue;
      }
      if (in_comment_) {
        const std::size_t end = rest.find("*/");
        in_comment_ = end == rest.npos;
        at_ += in_comment_ ? rest.size() : end + 2;
      } else if (rest.starts_with("/*")) {
        in_comment_ = true;
        at_ += 2;
      } else if (rest[0] == '"' || (rest[0] == '\'' && !is_digit_separator())) {
        skip_quoted(rest);
      } else {
        ++at_;
        return rest[0];
      }
    }
    return 0;
  }

  int line() const { return static_cast<int>(line_) + 1; }

 private:
  bool is_digit_separator() const { return at_ > 0 && is_word(lines_[line_][at_ - 1]); }

  void skip_quoted(std::string_view rest) {
    std::size_t end = 1;
    while (end < rest.size() && rest[end] != rest[0]) end += rest[end] == '\\' ? 2 : 1;
    at_ = std::min(lines_[line_].size(), at_ + end + 1);
  }

  const SourceLines& lines_;
  std::size_t line_, at_ = 0;
  bool in_comment_ = false;
};

/// Where the expression that ends before `end` begins: names, members, subscripts, calls.
std::size_t begin_of_expression(std::string_view line, std::size_t end) {
  std::size_t at = end;
  while (at > 0) {
    const char c = line[at - 1];
    if (c == ']' || c == ')') {
      int depth = 0;
      std::size_t open = at;
      do {
        if (open == 0) return end;  // it begins in a line above
        --open;
        depth += line[open] == ']' || line[open] == ')'   ? 1
                 : line[open] == '[' || line[open] == '(' ? -1
                                                          : 0;
      } while (depth > 0);
      at = open;
    } else if (is_word(c)) {
      while (at > 0 && is_word(line[at - 1])) --at;
      const std::string_view before = line.substr(0, at);
      if (before.ends_with("->") || before.ends_with("::"))
        at -= 2;
      else if (before.ends_with("."))
        at -= 1;
      else
        break;
    } else {
      break;
    }
  }
  // `*p`, but not `a * p`: then something stands before the star.
  const std::string_view before = trimmed(line.substr(0, at));
  if (before.ends_with("*") && at > 0 && line[at - 1] == '*') {
    const std::string_view left = trimmed(before.substr(0, before.size() - 1));
    if (left.empty() || std::string_view(";{}(,=").find(left.back()) != std::string_view::npos)
      --at;
  }
  return at;
}

}  // namespace

std::optional<SourceLines> read_source(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  if (!in) return std::nullopt;
  SourceLines lines;
  for (std::string line; std::getline(in, line);) {
    if (line.ends_with('\r')) line.pop_back();
    lines.push_back(printable(line));
  }
  if (in.bad()) return std::nullopt;
  return lines;
}

LineRange function_range(const SourceLines& lines, int declared) {
  const auto index = static_cast<std::size_t>(declared - 1);
  if (declared < 1 || index >= lines.size()) return {declared, declared};
  std::size_t first = index;
  while (first > 0 && leads_on(lines[first - 1])) --first;
  LineRange range{static_cast<int>(first) + 1, declared};
  CodeWalk code(lines, index);
  int braces = 0, parentheses = 0;
  while (const char c = code.next()) {
    parentheses += c == '(' ? 1 : c == ')' ? -1 : 0;
    if (parentheses > 0) continue;
    if (c == ';' && braces == 0) return range;  // only declared here
    if (c == '{') ++braces;
    if (c == '}' && --braces <= 0) {
      range.last = code.line();
      return range;
    }
  }
  return range;
}

std::string expression_at(std::string_view line, int column) {
  if (column < 1 || static_cast<std::size_t>(column) > line.size()) return {};
  std::size_t end = static_cast<std::size_t>(column) - 1;
  constexpr std::string_view kOperators = "+-*/%&|^";
  if (line[end] == ']') {
    ++end;
  } else if (is_word(line[end])) {
    const std::string_view before = line.substr(0, end);
    if (!before.ends_with(".") && !before.ends_with("->")) return {};
    while (end < line.size() && is_word(line[end])) ++end;
  } else if (const std::size_t equals = line.find_first_not_of(kOperators, end);
             equals != line.npos && line[equals] == '=') {
    if (line.substr(equals).starts_with("==")) return {};
    while (end > 0 && line[end - 1] == ' ') --end;
  } else {
    return {};
  }
  const std::size_t begin = begin_of_expression(line, end);
  return std::string(line.substr(begin, end - begin));
}

}  // namespace emu
