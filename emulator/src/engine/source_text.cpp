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

std::size_t end_of_word(std::string_view line, std::size_t begin) {
  return static_cast<std::size_t>(
      std::find_if_not(line.begin() + static_cast<std::ptrdiff_t>(begin), line.end(), is_word) -
      line.begin());
}

/// Behind the bracket that closes the one at `open`; 0 if that stands in a line below.
std::size_t end_of_bracket(std::string_view line, std::size_t open) {
  int depth = 0;
  for (std::size_t i = open; i < line.size(); ++i) {
    depth += line[i] == '[' || line[i] == '(' ? 1 : line[i] == ']' || line[i] == ')' ? -1 : 0;
    if (depth == 0) return i + 1;
  }
  return 0;
}

/// Written like a macro: two letters or more, none of them small.
bool is_capital(const std::string& word) {
  return word.size() > 1 && std::isupper(static_cast<unsigned char>(word[0])) != 0 &&
         std::none_of(word.begin(), word.end(),
                      [](char c) { return std::islower(static_cast<unsigned char>(c)) != 0; });
}

/// Whether the compiler saw another text than this, so that its columns are not the source's.
bool is_rewritten(std::string_view text, const std::set<std::string>& macros) {
  for (const char* token : {"<<<", "/*", "\""})
    if (text.find(token) != text.npos) return true;
  while (!text.empty()) {
    const std::size_t end = is_word(text[0]) ? end_of_word(text, 0) : 1;
    const std::string word(text.substr(0, end));
    if (macros.contains(word) || (word.starts_with("__") && word.ends_with("__"))) return true;
    text.remove_prefix(end);
  }
  return false;
}

/// Where a column of the preprocessed line is in the source's: behind the indentation, spaces have
/// become one space.
std::size_t source_index(std::string_view line, int column) {
  const auto is_space = [&](std::size_t i) { return line[i] == ' ' || line[i] == '\t'; };
  const std::size_t indent = std::min(line.find_first_not_of(" \t"), line.size());
  int seen = 0;
  for (std::size_t at = 0; at < line.size(); ++at) {
    if (at > indent && is_space(at) && is_space(at - 1)) continue;
    if (++seen == column) return at;
  }
  return line.size();
}

/// The bracket that opens what the one before `end` closes; `end` if it stands in a line above.
std::size_t begin_of_bracket(std::string_view line, std::size_t end) {
  int depth = 0;
  for (std::size_t i = end; i > 0; --i) {
    const char c = line[i - 1];
    depth += c == ']' || c == ')' ? 1 : c == '[' || c == '(' ? -1 : 0;
    if (depth == 0) return i - 1;
  }
  return end;
}

/// Where the expression that ends before `end` begins: names, members, subscripts, calls, casts.
std::size_t begin_of_expression(std::string_view line, std::size_t end, bool is_assigned_to) {
  std::size_t at = end;
  while (at > 0) {
    const char c = line[at - 1];
    if (c == ']' || c == ')') {
      const std::size_t open = begin_of_bracket(line, at);
      if (open == at) return end;
      at = open;
    } else if (c == '>' && line.substr(0, at).rfind("_cast<") != line.npos) {
      at = line.substr(0, at).rfind("_cast<");
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
  if (at > 0 && line[at - 1] == '*') {
    const std::string_view left = trimmed(line.substr(0, at - 1));
    constexpr std::string_view kBefore = ";{}(,=";
    if (is_assigned_to || left.empty() || kBefore.find(left.back()) != kBefore.npos) --at;
  }
  return at;
}

/// Behind the only thing that may be an access in the operand that begins at `at`; 0 if there is
/// none, or more than one.
std::size_t end_of_only_access(std::string_view line, std::size_t at) {
  at = std::min(line.find_first_not_of(' ', at), line.size());
  if (line.substr(at).starts_with("*reinterpret_cast<")) {
    const std::size_t open = line.find('(', at);
    const std::size_t end = open == line.npos ? 0 : end_of_bracket(line, open);
    return end != 0 && (line.substr(end).starts_with(";") || line.substr(end).starts_with(","))
               ? end
               : 0;
  }
  std::size_t found = 0;
  while (at < line.size() && std::string_view(";,)").find(line[at]) == std::string_view::npos) {
    if (line[at] == '(' || line[at] == '*' || line.substr(at).starts_with("->")) return 0;
    if (line[at] != '[') {
      ++at;
      continue;
    }
    if (found != 0) return 0;
    while (at < line.size()) {  // data[tile].x[slot]
      if (line[at] == '[')
        at = end_of_bracket(line, at);
      else if (line[at] == '.')
        at = end_of_word(line, at + 1);
      else
        break;
      if (at == 0) return 0;
    }
    found = at;
  }
  return found;
}

/// Behind the only argument that may be an access; behind the call if that cannot be told.
std::size_t end_of_loaded_argument(std::string_view line, std::size_t open) {
  const std::size_t end = end_of_bracket(line, open);
  std::size_t found = 0;
  for (std::size_t at = open; at < end; at = line.find(',', at + 1)) {
    const std::size_t access = end_of_only_access(line, at + 1);
    if (access != 0 && found != 0) return end;
    found = std::max(found, access);
  }
  return found != 0 ? found : end;
}

/// Behind what is assigned to, where `equals` is the end of an assignment's operator.
std::size_t end_of_target(std::string_view line, std::size_t equals) {
  const std::size_t last = line.substr(0, equals).find_last_not_of("=+-*/%&|^<> ");
  return last == line.npos ? 0 : last + 1;
}

/// Behind the expression whose access has column `at`; 0 if the line does not tell.
std::size_t end_of_expression(std::string_view line, std::size_t at, AccessKind kind) {
  const bool is_load = kind == AccessKind::load;
  if (line[at] == ']') return at + 1;
  if (line[at] == '(' && is_load) return end_of_loaded_argument(line, at);
  if (line[at] == '[' || line[at] == '(') return end_of_bracket(line, at);
  if (line[at] == '?') return is_load ? end_of_only_access(line, at + 1) : 0;
  if (line[at] == ')') {  // a call whose result is assigned has the column of its end
    std::size_t begin = begin_of_bracket(line, at + 1);
    while (begin > 0 && is_word(line[begin - 1])) --begin;
    const std::string_view before = trimmed(line.substr(0, begin));
    const bool is_assigned = before.ends_with(" =");
    return kind == AccessKind::store && is_assigned ? end_of_target(line, begin) : 0;
  }
  if (is_word(line[at])) {
    if (at > 0 && is_word(line[at - 1])) return 0;
    const std::size_t end = end_of_word(line, at);
    const std::string_view after = trimmed(line.substr(end));
    if (after.empty() || is_word(after[0]) || after[0] == '(' || after[0] == '{') return 0;
    if (after[0] != '=' || after.starts_with("==")) return end;
    return is_load ? end_of_only_access(line, line.find('=', end) + 1) : 0;
  }
  const std::size_t equals = line.find_first_not_of("+-*/%&|^", at);
  if (equals == line.npos || line[equals] != '=' || line.substr(equals).starts_with("==")) return 0;
  if (kind == AccessKind::store) return end_of_target(line, at);
  return is_load && equals == at ? end_of_only_access(line, at + 1) : 0;
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

std::set<std::string> possible_macros(const SourceLines& lines) {
  std::set<std::string> macros, capitals, declared;
  for (const std::string& line : lines) {
    std::string_view rest = trimmed(line);
    const bool is_directive = rest.starts_with("#");
    std::string before;  // the word before, if only spaces lie between
    while (!rest.empty()) {
      const std::size_t end = is_word(rest[0]) ? end_of_word(rest, 0) : 1;
      const std::string word(rest.substr(0, end));
      rest.remove_prefix(end);
      if (!is_word(word[0])) {
        if (word != " " && word != "\t") before.clear();
        continue;
      }
      if (is_directive && before == "define") macros.insert(word);
      if (is_capital(word)) capitals.insert(word);
      if (!is_directive && !before.empty() && before != "return") declared.insert(word);
      before = word;
    }
  }
  std::set_difference(capitals.begin(), capitals.end(), declared.begin(), declared.end(),
                      std::inserter(macros, macros.end()));
  return macros;
}

std::string expression_at(std::string_view line, int column, AccessKind kind,
                          const std::set<std::string>& macros) {
  const std::size_t at = source_index(line, column);
  if (at >= line.size() || is_rewritten(line.substr(0, at), macros)) return {};
  const std::size_t end = end_of_expression(line, at, kind);
  const std::size_t begin = begin_of_expression(line, end, end <= at);
  return std::string(line.substr(begin, end - begin));
}

}  // namespace emu
