#include <algorithm>

#include "context.hpp"

namespace emulator_nvcc {
namespace {

// The most loops inside each other that count rounds. Each must restore something at its end, and
// g++'s time grows with the cube of the nesting: 10 s for 200.
constexpr std::size_t kMostNested = 24;

struct Loop {
  Range condition{0, 0};
  std::size_t body = 0;  // first token of the body
  Range repeated{0, 0};  // tokens that a round may run, including the condition
};

bool is_one_of(std::string_view word, std::initializer_list<std::string_view> words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

// Returns the first `;` outside brackets, or the end.
std::size_t find_semicolon(const Source& s, Range tokens) {
  std::size_t i = tokens.first;
  for (; i < tokens.last && !s.is(i, ";"); ++i)
    if (const std::size_t close = s.closing(i); close != kNoToken) i = close;
  return std::min(i, tokens.last);
}

// Returns the end of the statement that begins at `first`; for an if or a loop without braces, the
// end of its first part at least.
std::size_t statement_end(const Source& s, std::size_t first) {
  if (s.is(first, "{") && s.closing(first) != kNoToken) return s.closing(first) + 1;
  return std::min(find_semicolon(s, {first, s.size()}) + 1, s.size());
}

// Reads a loop. Returns false if nothing can be inserted because its condition is not between `;`
// or parentheses.
bool read_loop(const Source& s, std::size_t token, Loop* loop) {
  std::size_t open = token + 1;
  if (s.is(token, "do")) {
    const std::size_t close = s.is(open, "{") ? s.closing(open) : kNoToken;
    if (close == kNoToken || !s.is(close + 1, "while")) return false;
    open = close + 2;
  }
  const std::size_t close = s.is(open, "(") ? s.closing(open) : kNoToken;
  if (close == kNoToken) return false;
  if (s.is(token, "for")) {
    const std::size_t first = find_semicolon(s, {open + 1, close});
    if (first == close) return false;  // a loop over a range
    const std::size_t second = find_semicolon(s, {first + 1, close});
    loop->condition = {first + 1, second};
    loop->repeated = {first + 1, statement_end(s, close + 1)};
    loop->body = close + 1;
    return true;
  }
  loop->condition = {open + 1, close};
  loop->repeated = {token + 1, close};
  loop->body = token + 1;
  if (s.is(token, "do")) return true;
  loop->repeated = {open, statement_end(s, close + 1)};
  loop->body = close + 1;
  return !s.is(close + 1, ";");  // a `;` ends a do-loop, or is an empty body
}

// Returns whether lanes may do different things in a round: it has a branch, a loop or a call.
bool may_differ(const Source& s, Range tokens) {
  for (std::size_t i = tokens.first; i < tokens.last; ++i) {
    if (is_one_of(s.spelling(i), {"if", "?", "&&", "||", "and", "or", "switch", "for", "while",
                                  "do", "break", "continue", "return"}))
      return true;
    if (s.is(i + 1, "(") && (is_name(s, i) || s.is(i, ">"))) return true;
  }
  return false;
}

// Returns whether the loop ends only from inside. g++ must still recognise such a condition.
bool is_endless(const Source& s, const Loop& loop) {
  const auto [first, last] = loop.condition;
  return loop.condition.empty() || (last == first + 1 && (s.is(first, "true") || s.is(first, "1")));
}

// Returns whether code could jump over the begin of the loop, or its condition declares a variable.
bool must_stay(const Source& s, const Loop& loop) {
  for (std::size_t i = loop.condition.first; i < loop.condition.last; ++i)
    if (s.is(i, "=")) return true;
  bool in_switch = false;
  for (std::size_t i = loop.repeated.first; i < loop.repeated.last; ++i) {
    in_switch = in_switch || s.is(i, "switch");
    if (s.is(i, "goto") || (!in_switch && is_one_of(s.spelling(i), {"case", "default"})))
      return true;
    const bool begins = i > 0 && is_one_of(s.spelling(i - 1), {";", "{", "}"});
    if (begins && is_name(s, i) && s.is(i + 1, ":")) return true;
  }
  return false;
}

// Returns whether a pragma for g++ precedes the loop.
bool follows_pragma(const Source& s, std::size_t token) {
  if (token == 0) return false;
  if (s.is(token - 1, ")") && s.partner(token - 1) != kNoToken &&
      s.is(s.partner(token - 1) - 1, "_Pragma"))
    return true;
  return std::any_of(s.directives().begin(), s.directives().end(), [&](const Directive& directive) {
    return directive.begin >= s.tokens()[token - 1].end &&
           directive.end <= s.tokens()[token].begin &&
           s.text().compare(directive.begin, 11, "#pragma GCC") == 0;
  });
}

// Inserts text so that every token keeps its line and column.
void insert_in_place(Context& c, std::size_t token, const std::string& text) {
  const Source& s = c.s;
  const Token& t = s.tokens()[token];
  std::string file;
  for (const char letter : s.file(token)) {
    if (letter == '"' || letter == '\\') file += '\\';
    file += letter;
  }
  const std::size_t line_begin = t.begin == 0 ? 0 : s.text().rfind('\n', t.begin - 1) + 1;
  const std::string marker =
      "\n# " + std::to_string(t.line) + " \"" + file + '"' + (t.system_header ? " 3\n" : "\n");
  c.edits.insert_before(token, text + marker + std::string(t.begin - line_begin, ' '));
}

}  // namespace

void rewrite_loop(Context& c, std::size_t token) {
  const Source& s = c.s;
  if (!c.scope().device || c.scope().constant || c.in_system_header(token)) return;
  Loop loop;
  if (!read_loop(s, token, &loop) || !may_differ(s, loop.repeated) || must_stay(s, loop) ||
      follows_pragma(s, token))
    return;
  const bool endless = is_endless(s, loop);
  if (endless && !s.is(loop.body, "{")) return;
  while (!c.loop_ends.empty() && c.loop_ends.back() <= token) c.loop_ends.pop_back();
  if (c.loop_ends.size() == kMostNested) return;
  c.loop_ends.push_back(loop.repeated.last);
  const std::string rounds = "emu_rounds_" + std::to_string(token);
  // A switch, unlike an if, takes no `else` from the code around it, and a `break` in the loop
  // still belongs to the loop.
  insert_in_place(
      c, token,
      "switch (::emu::Rounds " + rounds + "(" + std::to_string(token + 1) + "); 0) default:");
  if (endless)
    insert_in_place(c, loop.body + 1, rounds + ".next();");
  else
    insert_in_place(c, loop.condition.first, rounds + ".next(), ");
}

}  // namespace emulator_nvcc
