#pragma once

/// @file
/// Reads predictions: questions that a lesson's readers answer before they read on.
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
/// The comment names the figure with the value (figures.txt), the unit of the reader's answer, and
/// the tolerance: a percentage, or "exact" for values that can be counted.
///
/// A paragraph within a lesson can be a prediction, too. It begins with **Predict:**, and its
/// answer may show the value in a generated table:
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
  double near_pct = 0.0;  ///< tolerance; 0: exact
  std::string question;   ///< Markdown, without the number of its item
  std::string answer;     ///< Markdown
  std::string number;  ///< the value as the answer's text shows it; empty if only a table shows it
};

/// Returns whether a line is the comment that begins a prediction.
bool begins_prediction(const std::string& line);

/// Reads the predictions of a Markdown file, in order.
/// @throws std::runtime_error "FILE:LINE: what is wrong" for an incomplete one
std::vector<Prediction> read_predictions(const std::filesystem::path& file);

/// The value of a prediction.
struct PredictedValue {
  double value = 0.0;
  std::string number;  ///< as the answer shows it: "12.4"
};

/// Returns the value of a prediction, from the figures.txt in its text's folder.
/// @throws std::runtime_error if it cannot be computed, or no table of the answer shows it
PredictedValue predicted_value(const Prediction& prediction, const Figures& figures);

}  // namespace prose
