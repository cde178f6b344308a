#include "course/cpp_source.hpp"

#include <utility>

#include "cpp_lexer.hpp"

namespace course::cpp {

Source::Source(std::string text, std::string name) : text_(std::move(text)) {
  files_.push_back(std::move(name));
  Lexer(*this).run();
  merge_operator_names();
  pair_brackets();
}

// Merges `operator <<` into one identifier, so that its characters are not taken for brackets or
// launches.
void Source::merge_operator_names() {
  std::vector<Token> merged;
  merged.reserve(tokens_.size());
  for (std::size_t i = 0; i < tokens_.size(); ++i) {
    merged.push_back(tokens_[i]);
    if (!is(i, "operator") || i + 1 >= tokens_.size()) continue;
    if (tokens_[i + 1].kind != TokenKind::punctuator || is(i + 1, "::")) continue;
    std::size_t last = i + 1;
    const bool pair = is(last, "(") || is(last, "[");
    const bool shift = (is(last, "<") || is(last, ">")) && touches_next(last) &&
                       spelling(last + 1) == spelling(last);
    if (pair || shift) ++last;
    merged.back().end = tokens_[last].end;
    i = last;
  }
  tokens_ = std::move(merged);
}

void Source::pair_brackets() {
  partners_.assign(tokens_.size(), kNoToken);
  std::vector<std::size_t> open;
  for (std::size_t i = 0; i < tokens_.size(); ++i) {
    if (tokens_[i].kind != TokenKind::punctuator) continue;
    if (is(i, "(") || is(i, "[") || is(i, "{")) {
      open.push_back(i);
      continue;
    }
    const std::string_view wanted = is(i, ")") ? "(" : is(i, "]") ? "[" : is(i, "}") ? "{" : "";
    if (wanted.empty()) continue;
    // In broken code, a brace closes everything that is still open inside it.
    std::size_t back = open.size();
    while (back > 0 && !is(open[back - 1], wanted)) --back;
    if (back == 0 || (back != open.size() && wanted != "{")) continue;
    partners_[i] = open[back - 1];
    partners_[open[back - 1]] = i;
    open.resize(back - 1);
  }
}

}  // namespace course::cpp
