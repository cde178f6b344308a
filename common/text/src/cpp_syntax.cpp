#include "course/cpp_syntax.hpp"

#include <algorithm>
#include <unordered_set>

namespace course::cpp {
namespace {

using Words = std::unordered_set<std::string_view>;

const Words kTypeKeywords = {"void",     "bool",     "char",   "char8_t",  "char16_t",
                             "char32_t", "wchar_t",  "short",  "int",      "long",
                             "signed",   "unsigned", "float",  "double",   "auto",
                             "__int128", "decltype", "typeof", "_Float16", "__float128"};
const Words kQualifiers = {
    "const",        "volatile",   "__restrict__",      "__restrict",   "restrict",
    "__volatile__", "__const__",  "register",          "typename",     "constexpr",
    "__const",      "__volatile", "__grid_constant__", "__extension__"};
const Words kClassKeys = {"struct", "class", "union", "enum"};
const Words kOtherKeywords = {"alignas",
                              "alignof",
                              "asm",
                              "break",
                              "case",
                              "catch",
                              "co_await",
                              "co_return",
                              "co_yield",
                              "concept",
                              "const_cast",
                              "consteval",
                              "constinit",
                              "continue",
                              "default",
                              "delete",
                              "do",
                              "dynamic_cast",
                              "else",
                              "explicit",
                              "export",
                              "extern",
                              "false",
                              "for",
                              "friend",
                              "goto",
                              "if",
                              "inline",
                              "mutable",
                              "namespace",
                              "new",
                              "noexcept",
                              "nullptr",
                              "operator",
                              "private",
                              "protected",
                              "public",
                              "requires",
                              "return",
                              "sizeof",
                              "static",
                              "static_assert",
                              "switch",
                              "static_cast",
                              "template",
                              "this",
                              "thread_local",
                              "throw",
                              "true",
                              "try",
                              "typedef",
                              "typeid",
                              "using",
                              "reinterpret_cast",
                              "virtual",
                              "while",
                              "__inline__",
                              "__inline",
                              "__attribute__",
                              "__thread",
                              "__global__",
                              "__device__",
                              "__host__",
                              "__shared__",
                              "__constant__",
                              "__managed__",
                              "__noinline__",
                              "__forceinline__"};

// Words that never stand inside template arguments outside brackets. A `<` without end before one
// of them is a comparison.
const Words kNeverInAngles = {"__global__",  "__device__", "__host__", "__shared__", "__constant__",
                              "__managed__", "static",     "extern",   "inline",     "namespace",
                              "return",      "using",      "if",       "for",        "while",
                              "friend",      "typedef",    "public",   "private",    "protected",
                              "else",        "do",         "switch",   "case",       "virtual"};

// Limits the attempts on hopeless input, where every `<` may be a bracket or a comparison.
constexpr int kMostSteps = 100000;

/// Distinguishes brackets from comparisons by trial: a `<` after a name is a bracket if an end can
/// be found, else a comparison.
class AngleReader {
 public:
  explicit AngleReader(const Source& source) : s_(source) {}

  // Returns the end of a template argument list, from inside it.
  std::optional<std::size_t> close_list(std::size_t i) {
    return scan(
        i, [this](std::size_t j) { return s_.is(j, ">"); }, false);
  }

  // Returns the end of a launch configuration, from inside it.
  std::optional<std::size_t> close_configuration(std::size_t i) {
    return scan(
        i, [this](std::size_t j) { return closes_launch(j); }, true);
  }

 private:
  bool closes_launch(std::size_t j) const {
    return s_.is(j, ">") && s_.is(j + 1, ">") && s_.is(j + 2, ">") && s_.is(j + 3, "(");
  }

  template <class Closes>
  std::optional<std::size_t> scan(std::size_t i, Closes closes, bool shifts_right) {
    for (; i < s_.size(); ++i) {
      if (++steps_ > kMostSteps) return std::nullopt;
      const TokenKind kind = s_.tokens()[i].kind;
      if (kind == TokenKind::identifier) {
        if (kNeverInAngles.count(s_.spelling(i))) return std::nullopt;
        continue;
      }
      if (kind != TokenKind::punctuator) continue;
      if (closes(i)) return i;
      if (s_.is(i, "(") || s_.is(i, "[") || s_.is(i, "{")) {
        if (s_.partner(i) == kNoToken) return std::nullopt;
        i = s_.partner(i);
      } else if (s_.is(i, ")") || s_.is(i, "]") || s_.is(i, "}") || s_.is(i, ";")) {
        return std::nullopt;
      } else if (s_.is(i, "<")) {
        if (opens_launch(s_, i)) return std::nullopt;
        if (s_.is(i + 1, "<") && s_.touches_next(i)) {
          ++i;  // a shift
        } else if (may_open(i)) {
          if (const auto close = close_list(i + 1)) {
            if (const auto rest = scan(*close + 1, closes, shifts_right)) return rest;
          }
        }
      } else if (shifts_right && s_.is(i, ">") && s_.is(i + 1, ">") && s_.touches_next(i)) {
        ++i;
      }
    }
    return std::nullopt;
  }

  bool may_open(std::size_t i) const {
    if (i == 0) return false;
    const std::string_view before = s_.spelling(i - 1);
    return before == "template" || before == "]" ||
           (s_.is_identifier(i - 1) &&
            (!is_keyword(before) || before.starts_with("operator") || before.ends_with("_cast")));
  }

  const Source& s_;
  int steps_ = 0;
};

// Returns the `<` of the template arguments that `close` ends.
std::optional<std::size_t> open_angle(const Source& s, std::size_t close) {
  for (std::size_t i = close; i-- > 0;) {
    if (s.is(i, ")") || s.is(i, "]") || s.is(i, "}")) {
      if (s.partner(i) == kNoToken) return std::nullopt;
      i = s.partner(i);
    } else if (s.is(i, "(") || s.is(i, "[") || s.is(i, "{") || s.is(i, ";")) {
      return std::nullopt;
    } else if (s.is(i, "<") && s.is_identifier(i - 1) && close_angle(s, i) == close) {
      return i;
    }
  }
  return std::nullopt;
}

bool is_function_pointer_group(const Source& s, std::size_t open) {
  if (!s.is(open, "(") || s.partner(open) == kNoToken) return false;
  std::size_t i = open + 1;
  if (is_name(s, i)) {  // a pointer to member: (Type::*name)
    std::size_t after = skip_qualified_name(s, i);
    if (s.is(after, "::")) ++after;
    i = after;
  }
  return s.is(i, "*") || s.is(i, "&") || s.is(i, "&&") || s.is(i, "^");
}

// Reads a declarator's name from tokens with a type and perhaps a name, without default or array.
Parameter read_declarator(const Source& s, Range tokens) {
  Parameter result;
  std::size_t last = tokens.last;

  for (std::size_t i = tokens.first; i < last; ++i) {
    if (s.is(i, "...")) result.pack = true;
    if (const std::size_t after = skip_attribute(s, i); after != i) {
      if (after >= last) last = i;  // trailing attributes
      i = after - 1;
    } else if (s.is(i, "decltype") || s.is(i, "typeof")) {
      if (s.closing(i + 1) != kNoToken) i = s.closing(i + 1);
    } else if (s.is(i, "<") && s.is_identifier(i - 1)) {
      if (const auto close = close_angle(s, i)) i = *close;
    } else if (is_function_pointer_group(s, i)) {
      const std::size_t close = s.partner(i);
      std::size_t j = i + 1;
      std::size_t star = j;
      for (; j < close && !s.is(j, "(") && !s.is(j, "["); ++j) {
        if (s.is(j, "*") || s.is(j, "&") || s.is(j, "&&") || is_qualifier(s.spelling(j))) star = j;
        if (s.is(j, "...")) result.pack = true, star = j;
        if (is_name(s, j) && !s.is(j + 1, "::")) result.name = j;
      }
      result.insert_name = star;
      return result;
    } else if (i > tokens.first && s.is(i, "(") && is_name(s, i + 1) && s.partner(i) == i + 2) {
      result.name = i + 1;  // int (x)
      return result;
    } else if (s.is(i, "[")) {
      last = i;  // an array: the name precedes it
    }
  }
  if (tokens.first >= last) return result;

  result.insert_name = last - 1;
  if (!is_name(s, last - 1)) return result;
  if (last - 1 > tokens.first && s.is(last - 2, "::")) return result;
  if (last - 1 > tokens.first && is_class_key(s.spelling(last - 2))) return result;

  // The last identifier is a name if a type precedes it.
  for (std::size_t i = tokens.first; i + 1 < last; ++i) {
    if (const std::size_t after = skip_attribute(s, i); after != i) {
      i = after - 1;
    } else if (!is_qualifier(s.spelling(i)) && !is_class_key(s.spelling(i)) && !s.is(i, "::") &&
               !s.is(i, "...")) {
      result.name = last - 1;
      break;
    }
  }
  return result;
}

// Returns the range without its default argument.
Range without_default(const Source& s, Range tokens) {
  for (std::size_t i = tokens.first; i < tokens.last; ++i) {
    if (s.is(i, "=")) return {tokens.first, i};
    if (s.closing(i) != kNoToken) {
      i = s.closing(i);
    } else if (s.is(i, "<") && i > tokens.first && s.is_identifier(i - 1)) {
      if (const auto close = close_angle(s, i); close && *close < tokens.last) i = *close;
    }
  }
  return tokens;
}

}  // namespace

bool is_type_keyword(std::string_view word) { return kTypeKeywords.count(word) != 0; }
bool is_qualifier(std::string_view word) { return kQualifiers.count(word) != 0; }
bool is_class_key(std::string_view word) { return kClassKeys.count(word) != 0; }
bool is_keyword(std::string_view word) {
  return is_type_keyword(word) || is_qualifier(word) || is_class_key(word) ||
         kOtherKeywords.count(word) != 0;
}

bool is_name(const Source& s, std::size_t token) {
  return s.is_identifier(token) && !is_keyword(s.spelling(token));
}

bool opens_launch(const Source& s, std::size_t token) {
  return s.is(token, "<") && s.is(token + 1, "<") && s.is(token + 2, "<") &&
         s.touches_next(token) && token > 0;
}

std::optional<std::size_t> close_angle(const Source& s, std::size_t open) {
  return AngleReader(s).close_list(open + 1);
}

std::optional<std::size_t> close_launch(const Source& s, std::size_t open) {
  return AngleReader(s).close_configuration(open + 3);
}

std::size_t qualified_name_begin(const Source& s, std::size_t last) {
  std::size_t begin = last;
  if (begin > 1 && s.is(begin - 1, "template") && s.is(begin - 2, "::")) --begin;
  while (begin > 0 && s.is(begin - 1, "::")) {
    --begin;
    if (begin == 0) break;
    if (is_name(s, begin - 1)) {
      --begin;
    } else if (s.is(begin - 1, ">")) {
      const auto open = open_angle(s, begin - 1);
      if (!open) break;
      begin = *open - 1;
    } else if (s.is(begin - 1, ")") && s.partner(begin - 1) != kNoToken &&
               s.partner(begin - 1) > 0 && s.is(s.partner(begin - 1) - 1, "decltype")) {
      begin = s.partner(begin - 1) - 1;
    } else {
      break;
    }
    if (begin > 1 && s.is(begin - 1, "template") && s.is(begin - 2, "::")) --begin;
  }
  return begin;
}

std::size_t postfix_begin(const Source& s, std::size_t end) {
  std::size_t i = end;  // the expression is i...end-1 so far
  while (i > 0) {
    std::size_t p = i - 1;
    if (s.is(p, "]") || s.is(p, ")")) {
      const std::size_t open = s.partner(p);
      if (open == kNoToken || open == 0) return open == 0 ? 0 : i;
      i = open;
      // The operand of the bracket belongs to the expression; a keyword (if, return) does not.
      const bool applied = is_name(s, open - 1) || s.is(open - 1, "]") || s.is(open - 1, ">") ||
                           s.is(open - 1, "this");
      const bool call_of_group =
          s.is(open - 1, ")") && s.partner(open - 1) != kNoToken &&
          (s.partner(open - 1) == 0 ||
           !(s.is(s.partner(open - 1) - 1, "if") || s.is(s.partner(open - 1) - 1, "while") ||
             s.is(s.partner(open - 1) - 1, "for") || s.is(s.partner(open - 1) - 1, "switch") ||
             s.is(s.partner(open - 1) - 1, "constexpr")));
      if (!applied && !call_of_group) return i;
      continue;
    }
    if (s.is(p, ">")) {
      const auto open = open_angle(s, p);
      if (!open) return i;
      p = *open - 1;
    } else if (!is_name(s, p) && !s.is(p, "this")) {
      return i;
    }
    i = qualified_name_begin(s, p);
    if (i > 0 && s.is(i - 1, "template")) --i;
    if (i > 0 && (s.is(i - 1, ".") || s.is(i - 1, "->"))) {
      --i;
      continue;
    }
    return i;
  }
  return i;
}

std::size_t skip_qualified_name(const Source& s, std::size_t first, std::size_t* name) {
  std::size_t i = first;
  if (s.is(i, "::")) ++i;
  while (true) {
    if (s.is(i, "template")) ++i;
    if (!is_name(s, i) && !s.spelling(i).starts_with("operator")) return first;
    if (name) *name = i;
    ++i;
    if (s.is(i, "<") && !opens_launch(s, i)) {
      if (const auto close = close_angle(s, i)) i = *close + 1;
    }
    if (!s.is(i, "::") || (!is_name(s, i + 1) && !s.is(i + 1, "template"))) return i;
    ++i;
  }
}

std::size_t skip_attribute(const Source& s, std::size_t first) {
  if (s.is(first, "[") && s.is(first + 1, "[") && s.partner(first) != kNoToken) {
    return s.partner(first) + 1;
  }
  const std::string_view word = s.spelling(first);
  if ((word == "__attribute__" || word == "__attribute" || word == "alignas" ||
       word == "_Alignas" || word == "__align__" || word == "__declspec") &&
      s.is(first + 1, "(") && s.partner(first + 1) != kNoToken) {
    return s.partner(first + 1) + 1;
  }
  return first;
}

std::size_t skip_requires_clause(const Source& s, std::size_t first) {
  std::size_t i = first + 1;
  while (true) {
    if (s.is(i, "!")) ++i;
    if (s.is(i, "requires")) {  // a requires-expression: parameters, then requirements
      ++i;
      if (s.is(i, "(") && s.partner(i) != kNoToken) i = s.partner(i) + 1;
      if (s.is(i, "{") && s.partner(i) != kNoToken) i = s.partner(i) + 1;
    } else if (s.is(i, "(") && s.partner(i) != kNoToken) {
      i = s.partner(i) + 1;
    } else {
      const std::size_t after = skip_qualified_name(s, i);
      i = after != i ? after : i + 1;  // or true, false
    }
    if (!s.is(i, "&&") && !s.is(i, "||")) return i;
    ++i;
  }
}

std::vector<Range> split_at_commas(const Source& s, Range list) {
  std::vector<Range> parts;
  list.last = std::min(list.last, s.size());
  std::size_t begin = list.first;
  for (std::size_t i = list.first; i < list.last; ++i) {
    if (s.is(i, ",")) {
      parts.push_back({begin, i});
      begin = i + 1;
    } else if (s.closing(i) != kNoToken && s.closing(i) < list.last) {
      i = s.closing(i);
    } else if (s.is(i, "<") && i > 0 && s.is_identifier(i - 1)) {
      const auto close = close_angle(s, i);
      if (close && *close < list.last) i = *close;
    }
  }
  if (begin < list.last || !parts.empty()) parts.push_back({begin, list.last});
  return parts;
}

Parameter read_function_parameter(const Source& s, Range tokens) {
  return read_declarator(s, without_default(s, tokens));
}

Parameter read_template_parameter(const Source& s, Range tokens) {
  std::size_t i = tokens.first;
  if (s.is(i, "template")) {
    if (const auto close = close_angle(s, i + 1)) i = *close + 1;
  }
  const bool type_parameter = (s.is(i, "class") || s.is(i, "typename")) &&
                              (i + 1 >= tokens.last || s.is(i + 1, "...") || s.is(i + 1, "=") ||
                               (is_name(s, i + 1) && (i + 2 >= tokens.last || s.is(i + 2, "="))));
  if (!type_parameter) return read_declarator(s, without_default(s, tokens));

  Parameter result;
  result.insert_name = i++;
  if (s.is(i, "...") && i < tokens.last) {
    result.pack = true;
    result.insert_name = i++;
  }
  if (i < tokens.last && is_name(s, i)) result.name = i;
  return result;
}

bool looks_like_parameters(const Source& s, Range tokens) {
  if (tokens.empty()) return true;
  for (const Range& part : split_at_commas(s, tokens)) {
    const std::size_t first = part.first;
    if (part.empty()) return false;
    if (s.tokens()[first].kind == TokenKind::number ||
        s.tokens()[first].kind == TokenKind::literal) {
      return false;
    }
    const std::string_view word = s.spelling(first);
    if (is_type_keyword(word)) {
      // `float x` declares; `float(3)` and `int{}` initialise.
      if (s.is(first + 1, "{")) return false;
      if (s.is(first + 1, "(") && !is_function_pointer_group(s, first + 1)) return false;
      continue;
    }
    if (is_qualifier(word) || is_class_key(word) || word == "...") continue;
    if (is_keyword(word) || (!s.is_identifier(first) && word != "::" && word != "[")) return false;
    std::size_t after = skip_qualified_name(s, first);
    if (after == part.last) continue;  // a lone name: a type, one hopes
    if (s.is(after, "*") || s.is(after, "&") || s.is(after, "&&")) {
      ++after;
      if (after == part.last || s.is(after, "*") || is_qualifier(s.spelling(after))) continue;
      if (after + 1 == part.last || s.is(after + 1, "=")) continue;
      return false;
    }
    if (is_name(s, after) || is_qualifier(s.spelling(after)) || s.is(after, "...")) continue;
    return false;
  }
  return true;
}

}  // namespace course::cpp
