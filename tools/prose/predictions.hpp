#pragma once

/// @file
/// What a lesson asks its readers to guess before they read on, as data.
///
/// A prediction is a comment, the question below it, and the answer, which GitHub folds away:
///
///     <!-- predict: gain_at_32; times; 40 % -->
///     2. C is 8192 x 8192, and A has 32 columns. How many times as fast is it?
///
///     <details>
///     <summary>The answer</summary>
///
///     1.67<!--gain_at_32--> times. Stores hide behind products.
///
///     </details>
///
/// The comment names the figure that has the value (figures.txt), the unit in which the reader
/// answers, and how near is right: so many percent, or "exact" for what can be counted.
///
/// Within a lesson, a paragraph can ask, too. It begins with **Predict:**, and the answer can show
/// the value in a generated table:
///
///     <!-- predict: tflops_09; TFLOP/s at 4096; 5 % -->
///     **Predict:** a third fewer bytes. How much faster?

#include <filesystem>
#include <string>
#include <vector>

#include "tools/prose/figures.hpp"

namespace prose {

struct Prediction {
  int line = 0;           ///< of the comment
  std::string figure;     ///< a name in the figures.txt beside the text
  std::string unit;       ///< "times", "sectors"
  double near_pct = 0.0;  ///< how far off is still right; 0: not at all
  std::string question;   ///< Markdown, without the number of its item
  std::string answer;     ///< Markdown
  std::string number;     ///< the value as the answer's text shows it; empty if only a table does
};

/// Whether a line is the comment with which a prediction begins.
bool begins_prediction(const std::string& line);

/// The predictions of a Markdown file, in order.
/// @throws std::runtime_error "FILE:LINE: what is wrong" for one that is not complete
std::vector<Prediction> read_predictions(const std::filesystem::path& file);

/// What there is to predict.
struct PredictedValue {
  double value = 0.0;
  std::string number;  ///< as the answer shows it: "12.4"
};

/// The value of a prediction by the figures.txt beside its text.
/// @throws std::runtime_error if it cannot be worked out, or no table of the answer shows it
PredictedValue predicted_value(const Prediction& prediction, const Figures& figures);

}  // namespace prose
