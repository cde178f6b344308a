/// A preprocessed C++ source as tokens with the user's files and lines.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace course::cpp {

enum class TokenKind : std::uint8_t {
  identifier,  // keywords too, and an operator function's name as one token: "operator<<"
  number,
  literal,     // a string or character, its prefix and suffix included
  punctuator,  // `<` and `>` always singly, but <=, >=, <<=, >>= and <=> whole
};

struct Token {
  TokenKind kind;
  bool system_header;
  std::uint32_t begin;  // offsets in the text
  std::uint32_t end;
  std::uint32_t line;  // as the line markers say
  std::uint32_t file;  // index into Source::files
};

/// A `#` line that is left by the preprocessor, without its line end.
struct Directive {
  std::uint32_t begin;
  std::uint32_t end;
};

constexpr std::size_t kNoToken = static_cast<std::size_t>(-1);

/// The text and its tokens. Comments and line markers are only in the text.
class Source {
 public:
  /// @param text  what `g++ -E` printed, or any C++ without directives but `#line` and `#pragma`
  /// @param name  file of the lines before the first line marker
  explicit Source(std::string text, std::string name = "<source>");

  const std::string& text() const { return text_; }
  const std::vector<Token>& tokens() const { return tokens_; }
  const std::vector<Directive>& directives() const { return directives_; }
  const std::string& file(std::size_t token) const { return files_[tokens_[token].file]; }

  std::size_t size() const { return tokens_.size(); }

  /// Returns the spelling of a token; empty past the end.
  std::string_view spelling(std::size_t token) const {
    if (token >= tokens_.size()) return {};
    const Token& t = tokens_[token];
    return std::string_view(text_).substr(t.begin, t.end - t.begin);
  }
  bool is(std::size_t token, std::string_view spelling_wanted) const {
    return spelling(token) == spelling_wanted;
  }
  bool is_identifier(std::size_t token) const {
    return token < tokens_.size() && tokens_[token].kind == TokenKind::identifier;
  }
  /// Returns whether nothing stands between a token and the next one.
  bool touches_next(std::size_t token) const {
    return token + 1 < tokens_.size() && tokens_[token].end == tokens_[token + 1].begin;
  }
  /// Returns the other bracket of a pair of (), [] or {}; kNoToken for other tokens and unpaired
  /// brackets.
  std::size_t partner(std::size_t token) const {
    return token < partners_.size() ? partners_[token] : kNoToken;
  }
  /// Returns the closing bracket of the opening one at `token`; kNoToken for other tokens.
  std::size_t closing(std::size_t token) const {
    const std::size_t other = partner(token);
    return other != kNoToken && other > token ? other : kNoToken;
  }

 private:
  void merge_operator_names();
  void pair_brackets();

  std::string text_;
  std::vector<Token> tokens_;
  std::vector<Directive> directives_;
  std::vector<std::size_t> partners_;
  std::vector<std::string> files_;

  friend class Lexer;
};

}  // namespace course::cpp
