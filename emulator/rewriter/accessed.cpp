#include "accessed.hpp"

#include <algorithm>
#include <array>

#include "course/cpp_syntax.hpp"

namespace emulator_nvcc {
namespace {

std::string text_of(const Source& s, Range tokens) {
  std::string text;
  for (std::size_t i = tokens.first; i < tokens.last; ++i) {
    text += s.spelling(i);
    if (i + 1 < tokens.last && !s.touches_next(i)) text += ' ';
  }
  return text;
}

bool is_assignment(std::string_view sign) {
  constexpr std::array<std::string_view, 11> kSigns = {
      "=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>="};
  return std::find(kSigns.begin(), kSigns.end(), sign) != kSigns.end();
}

// Returns whether the token may end an operand; a sign behind it is then binary.
bool ends_operand(const Source& s, std::size_t token) {
  if (token >= s.size()) return false;
  if (s.is(token, ")")) {
    const std::string_view before = s.spelling(s.partner(token) - 1);
    return before != "if" && before != "for" && before != "while" && before != "switch";
  }
  const TokenKind kind = s.tokens()[token].kind;
  return kind == TokenKind::number || kind == TokenKind::literal || is_name(s, token) ||
         s.is(token, "this") || s.is(token, "]");
}

bool is_cast(const Source& s, std::size_t token) { return s.spelling(token).ends_with("_cast"); }

bool is_dereference(const Source& s, std::size_t token) {
  return s.is(token, "*") && (token == 0 || !ends_operand(s, token - 1));
}

// Returns the end of the names, members, subscripts and calls from `first` on; `first` if there are
// none.
std::size_t postfix_end(const Source& s, std::size_t first) {
  std::size_t i = first;
  if (s.is(i, "this")) {
    ++i;
  } else if (s.is(i, "(") && s.closing(i) != kNoToken) {
    i = s.closing(i) + 1;
  } else if (is_cast(s, i)) {
    const auto close = close_angle(s, i + 1);
    if (!close || s.closing(*close + 1) == kNoToken) return first;
    i = s.closing(*close + 1) + 1;
  } else {
    i = skip_qualified_name(s, i);
  }
  while (i != first) {
    if ((s.is(i, "[") || s.is(i, "(")) && s.closing(i) != kNoToken) {
      i = s.closing(i) + 1;
    } else if ((s.is(i, ".") || s.is(i, "->")) && is_name(s, i + 1)) {
      i = skip_qualified_name(s, i + 1);
    } else {
      break;
    }
  }
  return i;
}

// Returns the expression that ends before `end`: names, members, subscripts, calls, casts,
// dereferences.
Range expression_before(const Source& s, std::size_t end) {
  if (s.is(end - 1, "++") || s.is(end - 1, "--"))
    return {expression_before(s, end - 1).first, end};  // *p++
  std::size_t begin = postfix_begin(s, end);
  if (begin < end && begin > 0 && s.is(begin, "(") && s.is(begin - 1, ">")) {
    for (std::size_t i = begin - 1; i > 0 && !s.is(i, ";") && !s.is(i, "{"); --i)
      if (is_cast(s, i) && s.is(i + 1, "<") && close_angle(s, i + 1) == begin - 1) begin = i;
  }
  if (begin < end && begin > 0 && is_dereference(s, begin - 1)) --begin;
  return {begin, end};
}

// Returns whether the operand contains a call.
bool calls(const Source& s, Range operand) {
  for (std::size_t i = operand.first; i < operand.last; ++i) {
    if (s.is(i, "(") && i > operand.first && !is_cast(s, operand.first)) return true;
    if (s.closing(i) != kNoToken) i = s.closing(i);
  }
  return false;
}

bool subscripts(const Source& s, Range operand) {
  for (std::size_t i = operand.first; i < operand.last; ++i) {
    if (s.is(i, "[") || s.is(i, "->")) return true;
    if (s.closing(i) != kNoToken) i = s.closing(i);
  }
  return false;
}

// Returns the only operand of an expression that may be an access or a call; empty if there is none
// or more than one. The expression extends from `first` to a comma, a semicolon or a closing
// bracket.
Range only_access(const Source& s, std::size_t first) {
  Range found{0, 0};
  int depth = 0;
  for (std::size_t i = first; i < s.size();) {
    if (s.is(i, "{")) return {0, 0};
    if (s.is(i, ";") || s.is(i, "}") || (depth == 0 && s.is(i, ","))) break;
    if (s.is(i, ")") && depth-- == 0) break;
    const bool dereferenced = is_dereference(s, i);
    const std::size_t begin = dereferenced ? i + 1 : i;
    const std::size_t end = postfix_end(s, begin);
    // A group is one operand if something follows it: `(*p).x`, but not `(a + b[i])`.
    const bool is_group = s.is(begin, "(") && !dereferenced && end == s.closing(begin) + 1;
    const Range operand{begin, is_group ? begin : end};
    if (operand.empty()) {
      if (s.is(i, "(")) ++depth;
      ++i;
      continue;
    }
    if (is_cast(s, begin) && !dereferenced && !subscripts(s, operand)) return {0, 0};
    if (dereferenced || s.is(begin, "(") || calls(s, operand) || subscripts(s, operand)) {
      if (!found.empty()) return {0, 0};
      found = {i, operand.last};
    }
    i = operand.last;
  }
  return found;
}

// Returns the only argument of a call that may be an access; the call itself if there is none.
Range loaded_by_call(const Source& s, std::size_t open, Range call) {
  Range found{0, 0};
  for (const Range& argument : split_at_commas(s, {open + 1, s.closing(open)})) {
    const Range access = only_access(s, argument.first);
    if (access.empty()) continue;
    if (!found.empty() || calls(s, access)) return call;
    found = access;
  }
  return found.empty() ? call : found;
}

Accessed both(const Source& s, Range tokens) {
  const std::string text = text_of(s, tokens);
  return {text, text};
}

// Returns the target of the assignment whose right side begins at `value`.
Accessed target_before(const Source& s, std::size_t value) {
  if (!s.is(value - 1, "=")) return {};
  return {{}, text_of(s, expression_before(s, value - 1))};
}

Accessed at_bracket(const Source& s, std::size_t token) {
  const std::size_t open = s.closing(token) != kNoToken ? token : s.partner(token);
  const Range whole = expression_before(s, s.closing(open) + 1);
  if (whole.first == open || whole.empty()) return {};  // `[` of a lambda, or `(` of a group
  if (s.is(open, "[")) return both(s, whole);
  if (token == open) return {text_of(s, loaded_by_call(s, open, whole)), text_of(s, whole)};
  if (is_dereference(s, whole.first)) return {text_of(s, whole), {}};
  return target_before(s, whole.first);  // the result of a call is assigned
}

Accessed at_brace(const Source& s, std::size_t token) {
  const std::size_t open = s.partner(token);
  if (open == kNoToken || !is_name(s, open - 1)) return {};
  return target_before(s, qualified_name_begin(s, open - 1));  // out[i] = float4{...}
}

Accessed at_assignment(const Source& s, std::size_t token) {
  Accessed result{{}, text_of(s, expression_before(s, token))};
  if (s.is(token, "=")) result.loaded = text_of(s, only_access(s, token + 1));
  return result;
}

Accessed at_name(const Source& s, std::size_t token) {
  const std::size_t next = token + 1;
  if (s.is(next, "=")) return {text_of(s, only_access(s, next + 1)), {}};
  if (s.is(next, "(")) {  // an assignment to the result of a call may have the column of the call
    const std::size_t end = postfix_end(s, token);
    return is_assignment(s.spelling(end)) ? at_assignment(s, end) : Accessed{};
  }
  if (s.is_identifier(next) || s.is(next, "{") || s.is(next, "::")) return {};
  return both(s, expression_before(s, next));
}

}  // namespace

Accessed accessed_at(const Source& s, std::size_t token) {
  if (is_name(s, token)) return at_name(s, token);
  if (s.tokens()[token].kind != TokenKind::punctuator) return {};
  const std::string_view sign = s.spelling(token);
  if (sign == "[" || sign == "]" || sign == "(" || sign == ")")
    return s.partner(token) != kNoToken ? at_bracket(s, token) : Accessed{};
  if (sign == "}") return at_brace(s, token);
  if (sign == "?") return {text_of(s, only_access(s, token + 1)), {}};
  if (is_assignment(sign)) return at_assignment(s, token);
  if (is_dereference(s, token)) return both(s, {token, postfix_end(s, token + 1)});
  if (sign == "++" || sign == "--")
    return both(s, ends_operand(s, token - 1) ? expression_before(s, token)
                                              : Range{token + 1, postfix_end(s, token + 1)});
  return {};
}

}  // namespace emulator_nvcc
