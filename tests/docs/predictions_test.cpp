/// Tests that every lesson asks for predictions, and that each has a measured value.

#include <doctest/doctest.h>

#include <cmath>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "tools/prose/figures.hpp"
#include "tools/prose/measurements.hpp"
#include "tools/prose/number.hpp"
#include "tools/prose/predictions.hpp"
#include "tools/support/project.hpp"
#include "tools/support/source_text.hpp"
#include "tools/support/subprocess.hpp"

namespace fs = std::filesystem;
using prose::Prediction;

namespace {

/// Returns the line in which a section of a lesson begins; the line after the last if there is
/// none.
int line_of(const std::vector<std::string>& lines, const std::string& heading) {
  std::size_t at = 0;
  while (at < lines.size() && !lines[at].starts_with(heading)) ++at;
  return static_cast<int>(at) + 1;
}

}  // namespace

TEST_CASE("every lesson has two or three predictions, before anything tells") {
  for (const fs::path& chapter : tools::chapter_folders()) {
    CAPTURE(chapter.filename().string());
    const fs::path lesson = chapter / "README.md";
    const std::vector<Prediction> predictions = prose::read_predictions(lesson);
    CHECK(predictions.size() >= 2);
    CHECK(predictions.size() <= 3);
    const std::vector<std::string> lines = tools::read_lines(lesson);
    const int begin = line_of(lines, "## Predict");
    for (const Prediction& one : predictions) {
      CAPTURE(one.question);
      CHECK(one.line > begin);
      CHECK(one.line < line_of(lines, "## See it"));
    }
  }
}

TEST_CASE("the value of each prediction is known, and its answer shows it") {
  const fs::path root = tools::source_folder();
  const prose::Measurements measurements(root / "docs/measurements");
  int on_further_pages = 0;
  for (const fs::path& chapter : tools::chapter_folders()) {
    const prose::Figures figures(chapter / "figures.txt", root, measurements);
    for (const auto& entry : fs::directory_iterator(chapter)) {
      if (entry.path().extension() != ".md") continue;
      std::set<std::string> names;
      for (const Prediction& one : prose::read_predictions(entry.path())) {
        CAPTURE(entry.path().string());
        CAPTURE(one.question);
        const auto [value, number] = prose::predicted_value(one, figures);
        CHECK(std::isfinite(value));
        CHECK(prose::is_rounded(prose::read_number(number), value));
        if (one.near_pct == 0.0)
          CHECK(value == std::round(value));  // a countable value
        else
          CHECK(value != 0.0);  // a percentage of 0 would leave no tolerance
        CHECK(one.near_pct <= 60.0);
        CHECK(names.insert(one.figure).second);  // the site stores guesses under this name
        on_further_pages += entry.path().filename() != "README.md";
      }
    }
  }
  CHECK(on_further_pages >= 15);
}

TEST_CASE("an answer shows its value in a sentence or in a table") {
  const tools::TemporaryFolder folder;
  const fs::path measurements = folder.write("measurements/h200.json", "{}").parent_path();
  const fs::path file = folder.write(
      "figures.txt",
      "gain = 2 / 3\nother = 5\ntable some\n  | a | b |\n  |---|---|\n  | c | {gain: 1} |\n"
      "table digits\n  | a | b |\n  |---|---|\n  | {other} | {gain: 4 digits} |\n");
  const prose::Measurements none(measurements);
  const prose::Figures figures(file, folder.path(), none);
  const auto shown = [&](const std::string& figure, const std::string& answer) {
    const fs::path text = folder.write("README.md", "<!-- predict: " + figure +
                                                        "; times; 9 % -->\n**Predict:** more, or "
                                                        "not? Or what?\n\n<details>\n<summary>The "
                                                        "answer</summary>\n\n" +
                                                        answer + "\n\n</details>\n");
    return prose::predicted_value(prose::read_predictions(text).at(0), figures).number;
  };
  CHECK(shown("gain", "No: 0.67<!--gain--> times, or 0.7<!--gain-->.") == "0.67");
  CHECK(shown("gain", "<!--table some-->\n<!--end-->") == "0.7");
  CHECK(shown("gain", "<!--table digits-->\n<!--end-->") == "0.667");
  CHECK(shown("other", "<!--table some-->\n\n<!--table digits-->") == "5");
  CHECK_THROWS_WITH(shown("other", "<!--table some-->"),
                    "the answer to line 1 does not show other");
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
            .find("is no numbered item that ends with \"?\"") != std::string::npos);
  CHECK(read(comment + "1. So much.\n" + fold + answer + end)
            .find("is no numbered item that ends with \"?\"") != std::string::npos);
  CHECK(read(comment + question + "\n## See it\n" + fold + answer + end) ==
        "README.md:6: there is no <details> before this line");
  CHECK(read(comment + question + "\n<details>\n" + answer + end)
            .ends_with("a prediction has \"<summary>The answer</summary>\" here"));
  CHECK(read(comment + question + fold + "Twice.\n" + end)
            .ends_with("the answer above this line does not show gain"));
  CHECK(read(comment + question + fold + answer)
            .ends_with("there is no </details> before this line"));
}
