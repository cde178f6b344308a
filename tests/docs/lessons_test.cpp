/// Tests the form of lessons: structure, few numbers per sentence, no term before its introduction.

#include <doctest/doctest.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "tools/support/pattern.hpp"
#include "tools/support/project.hpp"
#include "tools/support/source_text.hpp"
#include "tools/support/subprocess.hpp"

namespace fs = std::filesystem;
using tools::Match;
using tools::Pattern;

namespace {

std::string without(const std::string& text, const char* pattern) {
  return Pattern(pattern).replace(text, "");
}

/// Returns the lines of a chapter's lesson. The end of a long lesson is on a page of its own, after
/// the pages in between.
std::vector<std::string> lesson_of(const fs::path& chapter) {
  std::vector<std::string> lines = tools::read_lines(chapter / "README.md");
  if (fs::exists(chapter / "looking_back.md"))
    for (const std::string& line : tools::read_lines(chapter / "looking_back.md"))
      lines.push_back(line);
  return lines;
}

/// Returns the lesson's text without code blocks, tables, pictures, comments and inline code.
std::string sentences_of(const fs::path& chapter) {
  std::string text;
  bool is_code = false;
  for (const std::string& line : lesson_of(chapter)) {
    if (line.starts_with("```")) is_code = !is_code;
    const bool is_figure = line.starts_with("|") || line.starts_with("![");
    const bool is_formula = line.starts_with("    ");
    if (!is_code && !is_figure && !is_formula && !line.starts_with("```")) text += line + '\n';
  }
  return without(without(text, "<!--[^>]*-->"), "`[^`]*`");
}

std::vector<std::string> headings_of(const fs::path& chapter) {
  std::vector<std::string> headings;
  for (const std::string& line : lesson_of(chapter))
    if (line.starts_with("## ")) headings.push_back(line.substr(3));
  return headings;
}

std::size_t count(const std::string& text, const char* pattern) {
  return Pattern(pattern).all(text).size();
}

/// A term of the glossary, and the chapter that introduces it.
struct Term {
  std::string word;
  std::string chapter;  ///< "04"; empty if the entry names none
};

std::vector<Term> glossary() {
  static const Pattern kChapter(R"(\(\.\./chapters/(\d\d)_)");
  std::vector<Term> terms;
  for (const std::string& line : tools::read_lines(tools::source_folder() / "docs/glossary.md")) {
    if (line.starts_with("### ")) {
      terms.push_back({line.substr(4), ""});
    } else if (!terms.empty() && terms.back().chapter.empty()) {
      if (const Match chapter = kChapter.search(line)) terms.back().chapter = chapter[1];
    }
  }
  return terms;
}

/// Words with a common meaning besides the technical one.
const std::set<std::string> kEverydayWords = {"Race", "Shuffle", "Match", "Line", "Mask", "Stage"};

}  // namespace

TEST_CASE("every lesson has the same shape: question, predict, see it, why, when, exercises") {
  const std::vector<std::string> order = {"The question", "Predict",   "See it",
                                          "Why",          "When it",   "Exercises",
                                          "What you can", "Further re"};
  for (const fs::path& folder : tools::chapter_folders()) {
    CAPTURE(folder.filename().string());
    const auto headings = headings_of(folder);
    auto place = headings.begin();
    for (const std::string& wanted : order) {
      CAPTURE(wanted);
      place = std::find_if(place, headings.end(),
                           [&](const std::string& heading) { return heading.starts_with(wanted); });
      REQUIRE(place != headings.end());
    }
    CHECK(tools::read_lines(folder / "README.md").front().ends_with("?"));
  }
}

TEST_CASE("every lesson shows a profile, and lists its exercises") {
  for (const fs::path& folder : tools::chapter_folders()) {
    CAPTURE(folder.filename().string());
    std::string text;
    for (const std::string& line : lesson_of(folder)) text += line + '\n';
    CHECK(text.find("<!-- profile: ") != std::string::npos);
    const std::size_t begin = text.find("\n## Exercises\n"), end = text.find("\n## What you can");
    REQUIRE(begin < end);
    std::size_t exercises = 0;
    for (const auto& entry : fs::directory_iterator(folder / "exercises"))
      exercises += entry.is_directory();
    CHECK(count(text.substr(begin, end - begin), R"(\n\d+\. \*\*)") == exercises);
  }
}

TEST_CASE("code ends on a line of its own") {
  static const Pattern kBegin("```[a-z]+");
  for (const fs::path& folder : tools::chapter_folders())
    for (const auto& entry : fs::directory_iterator(folder)) {
      if (entry.path().extension() != ".md") continue;
      CAPTURE(entry.path().string());
      bool is_code = false;
      for (const std::string& line : tools::read_lines(entry.path())) {
        if (!line.starts_with("```")) continue;
        CAPTURE(line);
        CHECK((is_code ? line == "```" : bool(kBegin.matches(line))));
        is_code = !is_code;
      }
      CHECK_FALSE(is_code);
    }
}

TEST_CASE("sentences have at most 60 numbers per 1000 words") {
  for (const fs::path& folder : tools::chapter_folders()) {
    CAPTURE(folder.filename().string());
    const std::string text = without(sentences_of(folder), R"(\]\([^)]*\)|^\d\. |\[|0x\w+)");
    const std::size_t words = count(text, "[A-Za-z']+");
    const std::size_t numbers = count(text, R"((^|[^\w.,])[0-9][0-9.,]*)");
    REQUIRE(words > 500);
    CHECK(1000 * numbers <= 60 * words);
  }
}

TEST_CASE("a word from a later chapter is a link where it first stands") {
  std::size_t introduced = 0;
  std::map<std::string, std::string> texts;  // by the chapter's number
  for (const fs::path& folder : tools::chapter_folders()) {
    const std::string text = sentences_of(folder);
    texts[folder.filename().string().substr(0, 2)] =
        text.substr(0, text.find("\n## Further reading"));
  }
  for (const Term& term : glossary()) {
    if (term.chapter.empty() || kEverydayWords.contains(term.word)) continue;
    ++introduced;
    CAPTURE(term.word);
    CAPTURE(term.chapter);
    // The link or the word itself, whichever comes first.
    static const Pattern kSpaces(" +");
    const std::string alone = "\\b" + kSpaces.replace(term.word, "\\s+") + "s?\\b";
    const Pattern place("\\[[^\\]]*\\]\\([^)]*\\)|" + alone, Pattern::Case::is_ignored);
    const Pattern word(alone, Pattern::Case::is_ignored);
    for (const auto& [chapter, text] : texts) {
      if (chapter >= term.chapter) break;
      CAPTURE(chapter);
      for (const Match& found : place.all(text)) {
        if (!word.search(found[0])) continue;  // a link to something else
        CAPTURE(text.substr(found.begin() - std::min<std::size_t>(found.begin(), 30), 60));
        CHECK(found[0].front() == '[');
        break;
      }
    }
  }
  CHECK(introduced >= 45);
}

TEST_CASE("the teacher's page has the old numbers of every chapter that was renumbered") {
  static const Pattern kRenumbered(R"((\d\d)_\w+ (\d\d)_\w+)");
  const std::string teaching = tools::read_file(tools::source_folder() / "docs/teaching.md");
  std::size_t found = 0;
  for (const std::string& line : tools::read_lines(tools::source_folder() / "docs/renumbered.txt"))
    if (const Match chapter = kRenumbered.matches(line)) {
      ++found;
      CAPTURE(line);
      const std::string before = chapter.str(1), now = chapter.str(2);
      const Pattern row("\\| " + before + "\\.1 to " + before + "\\.\\d+ [^|]*\\| " + now +
                        "\\.1 to " + now + "\\.\\d+ \\|");
      CHECK(row.search(teaching));
    }
  CHECK(found >= 6);
}

TEST_CASE("what is folded away ends with an empty line, or the next heading would be part of it") {
  std::size_t folded = 0;
  for (const fs::path& folder : tools::chapter_folders()) {
    for (const auto& entry : fs::directory_iterator(folder)) {
      if (entry.path().extension() != ".md") continue;
      const std::vector<std::string> lines = tools::read_lines(entry.path());
      for (std::size_t i = 0; i + 1 < lines.size(); ++i) {
        const bool ends = lines[i] == "</details>", begins = lines[i].starts_with("<summary>");
        folded += ends;
        CAPTURE(entry.path().string());
        CAPTURE(i + 1);
        if (ends || begins) CHECK(lines[i + 1].empty());
      }
    }
  }
  CHECK(folded > 20);
}
