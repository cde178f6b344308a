#include "course/arithmetic.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <stdexcept>

namespace course {
namespace {

bool is_blank(char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; }

constexpr std::string_view kOperators = "+-*/^()";

/// Returns the length of the number or name at the begin of `text`. It ends at a blank outside its
/// own parentheses, at a parenthesis that closes none of them, or at an operator.
std::size_t word_length(std::string_view text, Names names) {
  int open = 0;
  std::size_t length = 0;
  for (; length < text.size(); ++length) {
    const char c = text[length];
    if (open == 0 && is_blank(c)) break;
    if (names == Names::end_at_operators && kOperators.find(c) != std::string_view::npos) break;
    if (c == '(') ++open;
    if (c == ')' && --open < 0) break;
  }
  return length;
}

/// Evaluates an expression by recursive descent.
class Evaluator {
 public:
  Evaluator(std::string_view expression,
            const std::function<double(const std::string& name)>& value_of, Names names)
      : expression_(expression), rest_(expression), value_of_(value_of), names_(names) {}

  double run() {
    const double value = sum();
    skip_blanks();
    if (!rest_.empty()) throw_expression_error("cannot read \"" + std::string(rest_) + "\"");
    return value;
  }

 private:
  [[noreturn]] void throw_expression_error(const std::string& what) const {
    throw std::runtime_error(what + " in \"" + std::string(expression_) + "\"");
  }

  void skip_blanks() {
    while (!rest_.empty() && is_blank(rest_.front())) rest_.remove_prefix(1);
  }

  bool take(char wanted) {
    skip_blanks();
    if (!rest_.starts_with(wanted)) return false;
    rest_.remove_prefix(1);
    return true;
  }

  double sum() {
    double value = product();
    while (true) {
      if (take('+')) {
        value += product();
      } else if (take('-')) {
        value -= product();
      } else {
        return value;
      }
    }
  }

  double product() {
    double value = power();
    while (true) {
      if (take('*')) {
        value *= power();
      } else if (take('/')) {
        value /= power();
      } else {
        return value;
      }
    }
  }

  double power() {
    const double base = term();
    return take('^') ? std::pow(base, term()) : base;
  }

  double term() {
    if (take('(')) {
      const double value = sum();
      if (!take(')')) throw_expression_error("a parenthesis is not closed");
      return value;
    }
    const std::string word = take_word();
    if (word.empty()) throw_expression_error("a number or a name is missing");
    if (std::isdigit(static_cast<unsigned char>(word[0])) == 0) return value_of_(word);
    std::size_t read = 0;
    const double value = std::stod(word, &read);
    if (read != word.size()) throw_expression_error("\"" + word + "\" is not a number");
    return value;
  }

  std::string take_word() {
    const std::string word(rest_.substr(0, word_length(rest_, names_)));
    rest_.remove_prefix(word.size());
    return word;
  }

  std::string_view expression_, rest_;
  const std::function<double(const std::string& name)>& value_of_;
  Names names_;
};

}  // namespace

double evaluate(std::string_view expression,
                const std::function<double(const std::string& name)>& value_of, Names names) {
  return Evaluator(expression, value_of, names).run();
}

std::string replace_names(
    std::string_view expression,
    const std::function<std::string(const std::string& name)>& replacement_of) {
  std::string result;
  for (std::size_t at = 0; at < expression.size();) {
    const char c = expression[at];
    const std::size_t length = is_blank(c) || kOperators.find(c) != std::string_view::npos
                                   ? 0
                                   : word_length(expression.substr(at), Names::end_at_blanks);
    const std::string word(expression.substr(at, std::max<std::size_t>(length, 1)));
    const bool is_name = length > 0 && std::isdigit(static_cast<unsigned char>(c)) == 0;
    result += is_name ? replacement_of(word) : word;
    at += word.size();
  }
  return result;
}

}  // namespace course
