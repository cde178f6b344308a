#include "course/arithmetic.hpp"

#include <cctype>
#include <cmath>
#include <stdexcept>

namespace course {
namespace {

/// Recursive descent.
class Evaluator {
 public:
  Evaluator(std::string_view expression,
            const std::function<double(const std::string& name)>& value_of, Names names)
      : expression_(expression), rest_(expression), value_of_(value_of), names_(names) {}

  double run() {
    const double value = sum();
    skip_blanks();
    if (!rest_.empty()) fail("cannot read \"" + std::string(rest_) + "\"");
    return value;
  }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    throw std::runtime_error(what + " in \"" + std::string(expression_) + "\"");
  }

  void skip_blanks() {
    while (!rest_.empty() && std::isspace(static_cast<unsigned char>(rest_.front())) != 0)
      rest_.remove_prefix(1);
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
      if (!take(')')) fail("a parenthesis is not closed");
      return value;
    }
    const std::string word = take_word();
    if (word.empty()) fail("a number or a name is missing");
    if (std::isdigit(static_cast<unsigned char>(word[0])) == 0) return value_of_(word);
    std::size_t read = 0;
    const double value = std::stod(word, &read);
    if (read != word.size()) fail("\"" + word + "\" is not a number");
    return value;
  }

  /// Up to a blank, or to a parenthesis that closes none of its own; or to an operator.
  std::string take_word() {
    constexpr std::string_view kOperators = "+-*/^()";
    const bool may_hold_operators = names_ == Names::end_at_blanks;
    int open = 0;
    std::size_t length = 0;
    for (; length < rest_.size(); ++length) {
      const char c = rest_[length];
      if (std::isspace(static_cast<unsigned char>(c)) != 0) break;
      if (!may_hold_operators && kOperators.find(c) != kOperators.npos) break;
      if (c == '(') ++open;
      if (c == ')' && --open < 0) break;
    }
    const std::string word(rest_.substr(0, length));
    rest_.remove_prefix(length);
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

}  // namespace course
