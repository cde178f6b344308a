/// Predictions are data: every lesson asks for some, and each has a value that was measured.

#include <doctest/doctest.h>

#include <cmath>
#include <filesystem>
#include <string>
#include <vector>

#include "tools/prose/figures.hpp"
#include "tools/prose/measurements.hpp"
#include "tools/prose/predictions.hpp"
#include "tools/support/project.hpp"
#include "tools/support/source_text.hpp"
#include "tools/support/subprocess.hpp"

namespace fs = std::filesystem;
using prose::Prediction;

namespace {

/// The line of a lesson in which a section begins, or the one behind its last.
int line_of(const std::vector<std::string>& lines, const std::string& heading) {
  std::size_t at = 0;
  while (at < lines.size() && !lines[at].starts_with(heading)) ++at;
  return static_cast<int>(at) + 1;
}

}  // namespace

TEST_CASE("every lesson has two or three predictions, and the figures know their values") {
  const fs::path root = tools::source_folder();
  const prose::Measurements measurements(root / "docs/measurements");
  for (const fs::path& chapter : tools::chapter_folders()) {
    CAPTURE(chapter.filename().string());
    const fs::path lesson = chapter / "README.md";
    const std::vector<Prediction> predictions = prose::read_predictions(lesson);
    CHECK(predictions.size() >= 2);
    CHECK(predictions.size() <= 3);
    const std::vector<std::string> lines = tools::read_lines(lesson);
    const int begin = line_of(lines, "## Predict");
    const prose::Figures figures(chapter / "figures.txt", root, measurements);
    for (const Prediction& one : predictions) {
      CAPTURE(one.question);
      CHECK(one.line > begin);
      CHECK(one.line < line_of(lines, "## See it"));
      const double value = figures.figure(one.figure).value;
      CHECK(std::isfinite(value));
      if (one.near_pct == 0.0)
        CHECK(value == std::round(value));  // it can be counted
      else
        CHECK(value != 0.0);  // no share of nothing is near
      CHECK(one.near_pct <= 60.0);
    }
  }
}

TEST_CASE("a prediction that lacks something is refused, with its line") {
  const std::string comment = "<!-- predict: gain; times; 10 % -->\n", question = "1. How much?\n",
                    fold = "\n<details>\n<summary>The answer</summary>\n\n",
                    answer = "2<!--gain--> times.\n", end = "\n</details>\n";
  const auto read = [](const std::string& text) {
    const tools::TemporaryFolder folder;
    const fs::path file = folder.write("README.md", "# A lesson\n\n" + text);
    try {
      return std::to_string(prose::read_predictions(file).size());
    } catch (const std::exception& error) {
      const std::string what = error.what();
      return what.substr(what.find("README.md"));
    }
  };
  CHECK(read("Nothing to guess.\n") == "0");
  CHECK(read(comment + question + fold + answer + end) == "1");
  CHECK(read("<!-- predict: gain; times; exact -->\n1. How\n   much?\n" + fold + answer + end) ==
        "1");
  CHECK(read("<!-- predict: gain; times; about -->\n" + question + fold + answer + end) ==
        "README.md:3: a prediction is <!-- predict: FIGURE; UNIT; N % --> or ...; exact -->");
  CHECK(read("<!-- predict: gain; 10 % -->\n" + question + fold + answer + end)
            .starts_with("README.md:3: a prediction is"));
  CHECK(read(comment + "How much?\n" + fold + answer + end)
            .ends_with("is no numbered item that ends with \"?\""));
  CHECK(read(comment + "1. So much.\n" + fold + answer + end)
            .ends_with("is no numbered item that ends with \"?\""));
  CHECK(read(comment + question + "\n## See it\n" + fold + answer + end) ==
        "README.md:6: there is no <details> before this line");
  CHECK(read(comment + question + "\n<details>\n" + answer + end)
            .ends_with("a prediction has \"<summary>The answer</summary>\" here"));
  CHECK(read(comment + question + fold + "Twice.\n" + end)
            .ends_with("the answer above this line does not show gain"));
  CHECK(read(comment + question + fold + answer)
            .ends_with("there is no </details> before this line"));
}
