#include "tools/support/pattern.hpp"

#include <cstdint>
#include <iterator>
#include <regex>
#include <stdexcept>

namespace tools {
namespace {

/// Most stack that a search may use: half of a thread's default.
constexpr std::uintptr_t kMostStackBytes = 4 << 20;

/// Returns the current stack address; the stack grows downwards.
std::uintptr_t stack_pointer() {
  return reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
}

/// Lowest stack address allowed in this thread's current search.
thread_local std::uintptr_t deepest = 0;

[[noreturn]] void fail_too_long() {
  throw std::length_error("a match is too long for a regular expression");
}

/// An iterator over the text.
///
/// Up to g++ 15, libstdc++ recurses for every character that a repetition matches. A long match
/// would overflow the stack, so dereferencing a Position throws before that. Its only member is a
/// pointer, because each recursive call keeps several copies.
class Position {
 public:
  using iterator_category = std::bidirectional_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;

  Position() = default;
  explicit Position(const char* at) : at_(at) {}

  const char& operator*() const {
    if (stack_pointer() < deepest) fail_too_long();
    return *at_;
  }
  Position& operator++() {
    ++at_;
    return *this;
  }
  Position operator++(int) { return Position(at_++); }
  Position& operator--() {
    --at_;
    return *this;
  }
  Position operator--(int) { return Position(at_--); }
  bool operator==(const Position& other) const { return at_ == other.at_; }

  const char* at() const { return at_; }

 private:
  const char* at_ = nullptr;
};

using Found = std::match_results<Position>;

/// The part of a text to search.
struct Range {
  explicit Range(std::string_view text) : begin(text.data()), end(text.data() + text.size()) {
    deepest = stack_pointer() - kMostStackBytes;
  }

  Position begin, end;
};

}  // namespace

class Pattern::Expression {
 public:
  Expression(std::string_view expression, Case letters)
      : regex_(expression.data(), expression.size(),
               letters == Case::matters ? std::regex::ECMAScript
                                        : std::regex::ECMAScript | std::regex::icase) {}

  const std::regex& regex() const { return regex_; }

  static Match match_of(std::string_view text, const Found& found) {
    Match match;
    match.text_ = text;
    for (const auto& group : found) {
      match.groups_.emplace_back();
      if (!group.matched) continue;
      match.groups_.back() = {static_cast<std::size_t>(group.first.at() - text.data()),
                              static_cast<std::size_t>(group.second.at() - text.data())};
    }
    return match;
  }

 private:
  std::regex regex_;
};

std::string_view Match::operator[](std::size_t group) const {
  if (!has(group)) return {};
  return text_.substr(groups_[group].begin, groups_[group].end - groups_[group].begin);
}

bool Match::has(std::size_t group) const {
  return groups_.at(group).begin != std::string_view::npos;
}

Pattern::Pattern(std::string_view expression, Case letters) try
    : expression_(std::make_unique<Expression>(expression, letters)) {
} catch (const std::regex_error& error) {
  throw std::invalid_argument("\"" + std::string(expression) +
                              "\" is no regular expression: " + error.what());
}

Pattern::~Pattern() = default;

Match Pattern::matches(std::string_view text) const {
  const Range range(text);
  Found found;
  std::regex_match(range.begin, range.end, found, expression_->regex());
  return Expression::match_of(text, found);
}

Match Pattern::search(std::string_view text, std::size_t from) const {
  const Range rest(text.substr(from));
  Found found;
  std::regex_search(
      rest.begin, rest.end, found, expression_->regex(),
      from == 0 ? std::regex_constants::match_default : std::regex_constants::match_prev_avail);
  return Expression::match_of(text, found);
}

std::vector<Match> Pattern::all(std::string_view text) const {
  const Range range(text);
  std::vector<Match> matches;
  for (std::regex_iterator<Position> at(range.begin, range.end, expression_->regex()), end;
       at != end; ++at)
    matches.push_back(Expression::match_of(text, *at));
  return matches;
}

std::string Pattern::replace(std::string_view text, std::string_view replacement) const {
  const Range range(text);
  std::string result;
  std::regex_replace(std::back_inserter(result), range.begin, range.end, expression_->regex(),
                     std::string(replacement));
  return result;
}

std::string Pattern::replace(std::string_view text,
                             const std::function<std::string(const Match&)>& replacement) const {
  std::string result;
  std::size_t done = 0;
  for (const Match& match : all(text)) {
    result.append(text.substr(done, match.begin() - done)).append(replacement(match));
    done = match.end();
  }
  return result.append(text.substr(done));
}

}  // namespace tools
