#include "tools/prose/predictions.hpp"

#include <algorithm>
#include <stdexcept>

#include "tools/prose/markdown.hpp"
#include "tools/prose/number.hpp"
#include "tools/support/pattern.hpp"
#include "tools/support/source_text.hpp"

namespace prose {
namespace {

/// Reads the lines of a text from a position on.
class Reader {
 public:
  Reader(const std::filesystem::path& file, std::vector<std::string> lines)
      : file_(file.string()), lines_(std::move(lines)) {}

  bool is_at_end() const { return at_ == lines_.size(); }
  const std::string& line() const { return lines_[at_]; }
  int number() const { return static_cast<int>(at_) + 1; }
  void next() { ++at_; }

  /// Returns the lines up to `end` as one text; none of them may begin another part.
  std::string until(const std::string& end) {
    std::string text;
    for (; !is_at_end() && line() != end; next()) {
      if (line().starts_with("## ") || begins_prediction(line())) break;
      if (!line().empty()) text += (text.empty() ? "" : " ") + tools::trimmed(line());
    }
    if (is_at_end() || line() != end) throw_at_line("there is no " + end + " before this line");
    next();
    return text;
  }

  void expect(const std::string& wanted) {
    if (is_at_end() || line() != wanted) throw_at_line("a prediction has \"" + wanted + "\" here");
    next();
  }

  [[noreturn]] void throw_at_line(const std::string& what) const {
    throw std::runtime_error(file_ + ":" + std::to_string(number()) + ": " + what);
  }

 private:
  std::string file_;
  std::vector<std::string> lines_;
  std::size_t at_ = 0;
};

}  // namespace

namespace {

const tools::Pattern kTable("<!--table ([a-z0-9_]+)-->");

/// Returns the question above an answer, without its number or "Predict:".
std::string question_in(const std::string& text) {
  static const tools::Pattern kItem(R"(^\d+\. (.*\?)$)");
  static const tools::Pattern kParagraph(R"(^\*\*Predict:\*\* (.*\?.*)$)");
  for (const tools::Pattern* pattern : {&kItem, &kParagraph})
    if (const tools::Match match = pattern->search(text)) return match.str(1);
  return "";
}

}  // namespace

bool begins_prediction(const std::string& line) { return line.starts_with("<!-- predict"); }

std::vector<Prediction> read_predictions(const std::filesystem::path& file) {
  static const tools::Pattern kComment(R"(^<!-- predict: (\w+); ([^;]+); (?:(\d+) %|exact) -->$)");
  std::vector<Prediction> predictions;
  Reader reader(file, tools::read_lines(file));
  while (!reader.is_at_end()) {
    if (!begins_prediction(reader.line())) {
      reader.next();
      continue;
    }
    const tools::Match comment = kComment.search(reader.line());
    if (!comment)
      reader.throw_at_line("a prediction is <!-- predict: FIGURE; UNIT; N % --> or ...; exact -->");
    Prediction one;
    one.line = reader.number();
    one.figure = comment.str(1);
    one.unit = comment.str(2);
    const std::string near = comment.str(3);
    one.near_pct = near.empty() ? 0.0 : std::stod(near);
    reader.next();
    const std::string question = reader.until("<details>");
    one.question = question_in(question);
    if (one.question.empty())
      reader.throw_at_line(
          "the question above this line is no numbered item that ends with \"?\", "
          "and no paragraph that asks behind **Predict:**");
    reader.expect("<summary>The answer</summary>");
    one.answer = reader.until("</details>");
    const std::vector<BoundNumber> numbers = bound_numbers(one.answer);
    const auto shown = std::find_if(numbers.begin(), numbers.end(), [&](const BoundNumber& bound) {
      return bound.name == one.figure;
    });
    if (shown != numbers.end())
      one.number = shown->number;
    else if (!kTable.search(one.answer))
      reader.throw_at_line("the answer above this line does not show " + one.figure);
    predictions.push_back(one);
  }
  return predictions;
}

PredictedValue predicted_value(const Prediction& prediction, const Figures& figures) {
  const double value = figures.figure(prediction.figure).value;
  if (!prediction.number.empty()) return {value, prediction.number};
  const tools::Pattern cell("\\{" + prediction.figure + R"((?:: (\d+)( digits)?)?\})");
  for (const tools::Match& table : kTable.all(prediction.answer))
    for (const FiguresLine& line : figures.table(table.str(1)).lines)
      if (const tools::Match shown = cell.search(line.text)) {
        const int digits = shown[1].empty() ? 0 : std::stoi(shown.str(1));
        const int decimals = shown[1].empty()   ? default_decimals(value)
                             : shown[2].empty() ? digits
                                                : decimals_for(value, digits);
        return {value, show_number(value, decimals)};
      }
  throw std::runtime_error("the answer to line " + std::to_string(prediction.line) +
                           " does not show " + prediction.figure);
}

}  // namespace prose
