/// Tests how a Markdown file becomes a page of the site, and which faults stop the build.

#include <doctest/doctest.h>

#include <cstdlib>
#include <filesystem>
#include <memory>
#include <set>
#include <string>

#include "tools/site/book.hpp"
#include "tools/site/counted.hpp"
#include "tools/site/doxygen.hpp"
#include "tools/site/figure_words.hpp"
#include "tools/site/frame.hpp"
#include "tools/site/ladder.hpp"
#include "tools/site/ladder_walk.hpp"
#include "tools/site/lesson.hpp"
#include "tools/site/old_addresses.hpp"
#include "tools/site/output_folder.hpp"
#include "tools/site/pages.hpp"
#include "tools/site/preview.hpp"
#include "tools/site/printed_book.hpp"
#include "tools/site/reference.hpp"
#include "tools/site/search_index.hpp"
#include "tools/site/text.hpp"
#include "tools/support/pattern.hpp"
#include "tools/support/project.hpp"
#include "tools/support/source_text.hpp"
#include "tools/support/subprocess.hpp"

namespace fs = std::filesystem;

namespace {

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

/// Where programs are looked for, until the end of the scope.
class SearchPath {
 public:
  explicit SearchPath(const std::string& path) { setenv("PATH", path.c_str(), 1); }
  ~SearchPath() { setenv("PATH", before_.c_str(), 1); }
  SearchPath(const SearchPath&) = delete;
  SearchPath& operator=(const SearchPath&) = delete;

 private:
  std::string before_ = std::getenv("PATH");
};

/// A project with one chapter and all pages of the book.
class SmallProject {
 public:
  SmallProject() {
    for (const char* page :
         {"README.md", "docs/setup.md", "docs/own_project.md", "docs/conformance.md",
          "docs/glossary.md", "docs/nvprof.md", "docs/measuring.md", "docs/teaching.md",
          "docs/architecture.md", "docs/inline_ptx.md", "docs/tensor_cores.md",
          "tools/coursework/confine/README.md", "tools/coursework/sandbox/README.md",
          "emulator/README.md", "CHANGELOG.md", "CONTRIBUTING.md"})
      write(page, "# Title\n\n## A section\n");
    write("docs/measurements/h200.json",
          R"({"chapters": {"02_sum": [{"kernel": "x<int>", "parameters": {"n": 1},
                                       "time_ms": {"median": 1.5}}]}})");
    write("README.md",
          "# Home\n\nBegin with [chapter 02](chapters/02_sum/README.md).\n\n| [02 the "
          "sum](chapters/02_sum/README.md) | why? |\n");
    write("chapters/02_sum/kernels.cuh",
          "#pragma once\n\n/// Adds one. Twice is two.\n/// @pre none\n"
          "__global__ void add_one(int n,\n                        int* x) {  // [n]\n"
          "  if (n > 0) x[0] += 1;\n}\n\n"
          "/// Adds `two`.\n__global__ void add_two(int n,\n                        int* x) {\n"
          "  if (n > 0) x[0] += 2;\n}\n");
  }

  void write(const std::string& file, const std::string& text) { folder_.write(file, text); }
  std::string root() const { return folder_.path().string(); }
  site::Book book() const { return site::Book(folder_.path()); }

  /// Returns the chapter's page for a README with this text below the title.
  site::Lesson lesson(const std::string& text) {
    write("chapters/02_sum/README.md", "# The sum\n\n" + text);
    return page("chapters/02_sum/README.md");
  }

  /// The page of that file.
  site::Lesson page(const std::string& file) {
    const site::Book book = this->book();
    const site::Draft draft(book, *book.page_of(file));
    site::ColouredCode colours(tools::source_folder() / "tools/site/cuda_blocks.py",
                               folder_.path() / "coloured.json");
    colours.prepare(draft.code());
    return site::make_lesson(draft, reference(), colours);
  }

  /// What the reference would have of the chapter.
  static site::Reference reference() {
    site::Reference reference;
    const std::string file = "chapters/02_sum/kernels.cuh";
    reference.add_file(file, "kernels_8cuh");
    reference.add_member(file, "add_one", "kernels_8cuh.html#a1");
    reference.add_member(file, "add_two", "kernels_8cuh.html#a2");
    return reference;
  }

 private:
  tools::TemporaryFolder folder_;
};

}  // namespace

TEST_CASE("HTML as text, headings as anchors, text as lines") {
  CHECK(site::plain_text("<p>a &lt; b<!-- <i> --> &amp;lt;</p>") == "a < b &lt;");
  CHECK(site::slug("Who coalesces? 4 x 8, `__shfl_sync`") == "who-coalesces-4-x-8-__shfl_sync");
  CHECK(site::split_lines("a\n\nb") == std::vector<std::string>{"a", "", "b"});
}

TEST_CASE("a book has its pages in reading order, named as the home page names them") {
  SmallProject project;
  project.write("chapters/02_sum/README.md", "# The sum\n");
  project.write("chapters/02_sum/details_1.md", "# Details\n");
  project.write("chapters/02_sum/details_2.md", "# More details\n");
  project.write("chapters/10_last_one/README.md", "# Last\n");
  const site::Book book = project.book();
  std::string labels;
  for (const site::Page& page : book.pages()) labels += page.label + "; ";
  CHECK(labels ==
        "Home; Set-up; 02 the sum; 02 the sum, details 1; 02 the "
        "sum, details 2; 10 last one; "
        "Glossary; From nvprof to Nsight Compute; "
        "Test your CUDA code without a GPU; What of CUDA the emulator has; How the emulator "
        "counts; Inline PTX; Tensor cores in "
        "the emulator; Architecture; How to "
        "measure on a GPU; Teaching; How answers are confined; The grader's sandbox; Changes; "
        "Contributing; ");
  CHECK(book.page_of("chapters/02_sum/README.md")->id == "chapter_02_sum");
  CHECK(book.page_of("chapters/02_sum/details_1.md")->id == "chapter_02_sum_details_1");
  CHECK(book.page_of("nothing.md") == nullptr);

  tools::TemporaryFolder empty;
  empty.write("README.md", "# Home\n");
  CHECK_THROWS_WITH(
      site::Book(empty.path()),
      ("there is no folder " + (empty.path() / "docs/measurements").string()).c_str());
  empty.write("docs/measurements/h200.json", "{}");
  CHECK_THROWS_WITH(site::Book(empty.path()), "a page of the site is missing: docs/setup.md");
}

TEST_CASE("a picture that can be moved is a live figure around the still one") {
  SmallProject project;
  for (const char* name : {"tile", "still"})
    project.write(std::string("docs/pictures/") + name + ".svg", "<svg/>");
  project.write(
      "docs/pictures/pictures.json",
      R"({"tile": {"title": "A \"tile\"", "live": {"kind": "banks"}}, "still": {"title": "B"}})");
  const std::string text =
      "![Some lanes](../../docs/pictures/still.svg)\n\n![A tile](../../docs/pictures/tile.svg)\n\n"
      "![A tile](../../docs/pictures/tile.svg)\n";
  CHECK_FALSE(contains(project.lesson(text).page.html, "live-figure"));  // nothing could move it

  project.write("docs/explorer/index.html", "<html></html>");
  const std::string page = project.lesson(text).page.html;
  const std::string figure =
      "<live-figure data-figure=\"{&quot;kind&quot;:&quot;banks&quot;,&quot;title&quot;:&quot;A "
      "\\&quot;tile\\&quot;&quot;}\"><p><img src=\"files/docs/pictures/tile.svg\" alt=\"A "
      "tile\" /></p></live-figure>";
  CHECK_MESSAGE(contains(page, figure), page);
  CHECK(contains(page, "<p><img src=\"files/docs/pictures/still.svg\""));
  const std::size_t scripts = page.find("explorer/live.js");
  CHECK(scripts < page.find("<live-figure"));
  CHECK(page.find("explorer/live.js", scripts + 1) == std::string::npos);  // loaded once
}

TEST_CASE("a short aside is marked, if it is a sentence in brackets behind a text") {
  SmallProject project;
  const std::string text(120, 'a');
  const auto html = [&](const std::string& markdown) { return project.lesson(markdown).page.html; };
  const auto noted = [](const std::string& before, const std::string& aside) {
    return "<p class=\"noted\"><span>" + before +
           "</span> <span class=\"aside\"><span class=\"bracket\">(</span>" + aside +
           "<span class=\"bracket\">)</span></span></p>\n";
  };
  CHECK(contains(html(text + ".\n(So *it* is (always).)\n"),
                 noted(text + ".", "So <em>it</em> is (always).")));
  CHECK(contains(html(text + ".\n\n(Is it?)\n\nMore.\n"),
                 noted(text + ".", "Is it?") + "<p>More.</p>"));
  const std::vector<std::string> plain_ones = {text + " (so it is.)",
                                               "Short. (So it is.)",
                                               text + ". (So it is). More.",
                                               text + ". (So.) And (more.)",
                                               text + ". (" + std::string(230, 'b') + ".)",
                                               "(It is.)",
                                               text + ".\n\n- (It is.)",
                                               text + ".\n\n(It.) Not (it.)"};
  for (const std::string& plain : plain_ones)
    CHECK_MESSAGE(!contains(html(plain + "\n"), "noted"), plain);
}

TEST_CASE("rows of a table with sentences are cards on small screens: cells name their columns") {
  SmallProject project;
  const std::string heads = "| name | much & more | why |\n|---|---:|---|\n";
  const std::string sentence = "a sentence of more than thirty-six letters";
  const std::string html =
      project.lesson(heads + "| one | 2 | " + sentence + " |\n| two | | no |\n").page.html;
  CHECK(contains(html, "<table class=\"prose cards\">"));
  CHECK(contains(html,
                 "<td>one</td>\n<td data-head=\"much &amp; more\" align=\"right\">2</td>\n"
                 "<td data-head=\"why\">" +
                     sentence + "</td>"));
  CHECK(
      contains(project.lesson(heads + "| one | 2 | no |\n").page.html, "<table class=\"prose\">"));
  CHECK(!contains(project.lesson("| a | b |\n|---|---|\n| one | " + sentence + " |\n").page.html,
                  "data-head"));
}

TEST_CASE("tables become a heat map and dots") {
  SmallProject project;
  const std::string figures =
      "table first\n  | | a | b |\n  |---|---:|---:|\n  | one | {1: 0} | {2: 0} |\n  | `two` | {4: "
      "0} | |\n"
      "table second\n  | | c |\n  |---|---:|\n  | one | {8: 0} |\n  | `two` | {3: 0} |\n"
      "table other\n  | | c |\n  |---|---:|\n  | one | {8: 0} |\n  | three | {3: 0} |\n";
  project.write("chapters/02_sum/figures.txt", figures);
  const auto named = [](const std::string& name) {
    return "<!--table " + name + "-->\n| x |\n|---|\n| y |\n<!--end-->\n\n";
  };
  const auto fold = [](const std::string& what) {
    return "<details>\n<summary>All of it</summary>\n\n" + what + "</details>\n";
  };
  const std::string html =
      project.lesson("<!-- heat: first second -->\n\n" + fold(named("first") + named("second")))
          .page.html;
  CHECK(contains(html, "<table class=\"prose heat\">\n<caption>All of it</caption>"));
  CHECK(contains(html, "<th align=\"right\">b</th>\n<th align=\"right\">c</th>\n</tr>"));
  CHECK(contains(html, " style=\"--heat: 0.125\" class=\"heat "));
  CHECK(contains(html, " style=\"--heat: 1.000\" class=\"heat best "));
  CHECK(contains(html, " style=\"--heat: 0.500\" class=\"heat best "));
  CHECK(!contains(html, "<summary>All of it"));
  CHECK_THROWS_WITH(project.lesson("<!-- heat: first -->\n\nNo fold.\n"),
                    "chapters/02_sum/README.md: the fold of a heat map has other tables: ");
  CHECK_THROWS_WITH(project.lesson("<!-- heat: first -->\n\n" + fold(named("second"))),
                    "chapters/02_sum/README.md: the fold of a heat map has other tables: second");
  CHECK_THROWS(
      project.lesson("<!-- heat: first other -->\n\n" + fold(named("first") + named("other"))));

  const std::string dots =
      project.lesson("<!-- dots: second; c; c -->\n\n" + fold(named("second"))).page.html;
  CHECK(contains(dots, "<figure class=\"dots\">"));
  CHECK(contains(dots, "data-tip=\"two&#10;c, µs: 3&#10;c, µs: 3\"/>"));
  CHECK(contains(dots, "<li class=\"group-0\">All of it</li>"));
  CHECK_THROWS_WITH(project.lesson("<!-- dots: none; a; b -->\n"),
                    "chapters/02_sum/README.md: there is no table for dots: none");
  CHECK_THROWS_WITH(project.lesson("<!-- dots: first; a; b -->\n\n" + named("first")),
                    "chapters/02_sum/README.md: table first: a number is missing at two");
  CHECK_THROWS_WITH(project.lesson("<!-- dots: first; a; z -->\n\n" + named("first")),
                    "chapters/02_sum/README.md: table first has no column z");
}

TEST_CASE("a page with a large table has the script that filters tables, once") {
  SmallProject project;
  const auto table = [](int rows) {
    std::string text = "| a | b |\n|---|---:|\n";
    for (int i = 0; i < rows; ++i) text += "| x | " + std::to_string(i) + " |\n";
    return text + "\n";
  };
  CHECK_FALSE(contains(project.lesson(table(11) + table(11)).page.html, "tables.js"));
  const std::string page = project.lesson(table(12) + "Words.\n\n" + table(20)).page.html;
  CHECK(contains(page, "</table></div>\n<script src=\"tables.js\" defer></script>\n<p>Words."));
  CHECK(page.find("tables.js") == page.rfind("tables.js"));
}

TEST_CASE("a chapter's pictures are numbered through its pages, and listed") {
  SmallProject project;
  for (const char* name : {"one", "two"})
    project.write(std::string("docs/pictures/") + name + ".svg", "<svg/>");
  project.write("docs/pictures/pictures.json", R"({"one": {"title": "The <first>"}, "two": {}})");
  const std::string pictures =
      "![One](../../docs/pictures/one.svg)\n\nWords ![inside](../../docs/pictures/two.svg) "
      "words.\n\n![Two](../../docs/pictures/two.svg)\n";
  project.write("chapters/02_sum/README.md", "# The sum\n\n" + pictures);
  project.write("chapters/02_sum/more.md", "# More\n\n" + pictures);
  project.write("docs/setup.md", "# Set-up\n\n![One](pictures/one.svg)\n");
  project.write("tools/site/cuda_blocks.py", "");
  const tools::TemporaryFolder output;
  std::string all;
  for (const site::Lesson& lesson :
       site::make_lessons(project.book(), SmallProject::reference(), output.path())) {
    for (const auto& [number, address, title] : lesson.figures)
      all += number + " " + address + " " + title + "; ";
    if (lesson.page.name == "chapter_02_sum_more.html")
      CHECK(contains(lesson.page.html,
                     "<figure id=\"figure-02-3\" class=\"picture\">\n<p><img "
                     "src=\"files/docs/pictures/one.svg\" alt=\"One\" /></p>\n<figcaption><a "
                     "href=\"#figure-02-3\">Figure 02.3<span class=\"aloud\">: The &lt;first&gt;"
                     "</span></a></figcaption>\n</figure>\n<p>Words <img"));
    if (lesson.page.name == "setup.html") CHECK_FALSE(contains(lesson.page.html, "<figure"));
  }
  CHECK(all ==
        "02.1 chapter_02_sum.html#figure-02-1 The <first>; 02.2 "
        "chapter_02_sum.html#figure-02-2 ; 02.3 chapter_02_sum_more.html#figure-02-3 The <first>; "
        "02.4 chapter_02_sum_more.html#figure-02-4 ; ");
}

TEST_CASE("a prediction is its question and its answer, with the value of its figure") {
  SmallProject project;
  project.write("chapters/02_sum/figures.txt",
                "ratio = 25 / 2 + 0.001\ncount = 3\n"
                "table sums\n  | a | b |\n  |---|---|\n  | all | {ratio: 2} |\n");
  const auto fold = [](const std::string& answer) {
    return "\n<details>\n<summary>The answer</summary>\n\n" + answer + "\n\n</details>\n\n";
  };
  const std::string page =
      project
          .lesson("## Predict\n\n<!-- predict: count; \"sums\"; exact -->\n1. How many?\n" +
                  fold("3<!--count--> of them.") +
                  "<!-- predict: ratio; times; 15 % -->\n**Predict:** by how much? Guess.\n" +
                  fold("<!--table sums-->\n<!--end-->") +
                  "More.\n\n<details>\n<summary>Else"
                  "</summary>\n\nNo answer.\n\n</details>\n")
          .page.html;
  CHECK_MESSAGE(
      contains(page,
               "<script src=\"predictions.js\" defer></script>\n"
               "<div class=\"prediction\" data-key=\"chapter_02_sum/count\" data-value=\"3\" "
               "data-number=\"3\" data-unit=\"&quot;sums&quot;\" data-near=\"0\">\n"
               "<ol>\n<li>How many?</li>\n</ol>\n<details>\n"),
      page);
  CHECK(contains(page, "of them.</p>\n</details>\n</div>\n<div class=\"prediction\""));
  CHECK(contains(page,
                 "data-key=\"chapter_02_sum/ratio\" data-value=\"12.501\" data-number=\"12.50\" "
                 "data-unit=\"times\" data-near=\"15\">\n<p><strong>Predict:</strong> by"));
  CHECK(contains(page, "</details>\n</div>\n<p>More.</p>\n<details>"));
  CHECK(contains(page, "No answer.</p>\n</details>\n<h2"));
  CHECK(page.find("predictions.js") == page.rfind("predictions.js"));
  CHECK_FALSE(contains(project.lesson("No question.\n").page.html, "predictions.js"));

  const std::string question = "<!-- predict: ratio; times; 15 % -->\n1. How many?\n";
  CHECK_THROWS_WITH(project.lesson(question + fold("Many.")),
                    doctest::Contains("README.md:12: the answer above this line does not show"));
  project.write("chapters/02_sum/figures.txt", "");
  CHECK_THROWS_WITH(project.lesson(question + fold("12.5<!--ratio-->")),
                    "chapters/02_sum/README.md: no figure is called \"ratio\"");
}

TEST_CASE("links lead to pages, sources and copies, and a link to nothing is an error") {
  SmallProject project;
  project.write("docs/measurements/h200.json", "{}");
  const site::Lesson lesson = project.lesson(
      "## A section\n\n[a](../../docs/glossary.md#a-section) [b](kernels.cuh) "
      "[c](../../docs/measurements/h200.json) [d](https://example.org/#x) [e](#a-section)\n");
  for (const char* link : {"href=\"glossary.html#a-section\"", "href=\"kernels_8cuh_source.html\"",
                           "href=\"files/docs/measurements/h200.json\"",
                           "href=\"https://example.org/#x\"", "href=\"#a-section\""})
    CHECK_MESSAGE(contains(lesson.page.html, link), link);
  CHECK(lesson.copied == std::vector<fs::path>{"docs/measurements/h200.json"});

  CHECK_THROWS_WITH(project.lesson("[a](../none.md)\n"),
                    "chapters/02_sum/README.md: a link leads nowhere: ../none.md");
  project.write("docs/notes.md", "# Notes\n");
  CHECK_THROWS_WITH(project.lesson("[a](../../docs/notes.md)\n"),
                    "chapters/02_sum/README.md: a link leads to a text that is no page: "
                    "../../docs/notes.md");
  CHECK_THROWS_WITH(project.lesson("[a](#none)\n"),
                    "chapters/02_sum/README.md: there is no heading for #none");
  CHECK_THROWS_WITH(project.lesson("![picture of it](none.svg)\n"),
                    "chapters/02_sum/README.md: a link leads nowhere: none.svg");
  CHECK_THROWS_WITH(project.lesson("# Again\n"),
                    "chapters/02_sum/README.md: it has a second title: Again");
  project.write("chapters/02_sum/README.md", "No title.\n");
  CHECK_THROWS_WITH(project.page("chapters/02_sum/README.md"),
                    "chapters/02_sum/README.md: it has no heading");
}

TEST_CASE("a page lists its sections, and no two have the same anchor") {
  SmallProject project;
  const std::string page = project.lesson("## One & two\n\n## Again\n\n### Again\n").page.html;
  CHECK(contains(page, "<li><a href=\"#one--two\">One &amp; two</a></li>\n"));
  CHECK(contains(page, "<h2 id=\"again\">Again<"));
  CHECK(contains(page, "<h3 id=\"again-1\">Again<"));
  CHECK_FALSE(contains(page, "<li><a href=\"#again-1\">"));
}

TEST_CASE("the home page says where to begin, and lists the chapters") {
  SmallProject project;
  project.write("README.md",
                "# Home\n\nWords.\n\n## Chapters\n\n| [02 <sum>](chapters/02_sum/README.md) |\n"
                "|---|\n| why? |\n\n## More\n\n| a |\n|---|\n");
  project.write("chapters/02_sum/README.md", "# The sum\n");
  const site::Lesson home = project.page("README.md");
  const std::string page = home.page.html;
  CHECK(home.page.name == "index.html");
  CHECK(home.page.title == "Home");
  CHECK(contains(page,
                 "you need no GPU.</p>\n<p class=\"begin\"><a href=\"chapter_02_sum.html\">"
                 "Begin with 02 &lt;sum&gt;</a></p>\n</div>\n<ul class=\"proofs\">\n<li><strong>"));
  CHECK(contains(page, "<script src=\"bars.js\" defer></script>\n<p>Words.</p>"));
  CHECK(contains(page, "<table class=\"prose chapters\">"));
  CHECK(contains(page, "<table class=\"prose\">"));
}

TEST_CASE("pictures are copied, also those for another colour scheme") {
  SmallProject project;
  project.write("docs/pictures/a.svg", "<svg/>");
  project.write("docs/pictures/b.svg", "<svg/>");
  const site::Lesson lesson = project.lesson(
      "![what it shows](../../docs/pictures/a.svg)\n\n<picture><source media=\"(x)\" "
      "srcset=\"../../docs/pictures/b.svg\"></picture>\n");
  CHECK(contains(lesson.page.html, "<img src=\"files/docs/pictures/a.svg\" alt=\"what it shows\""));
  CHECK(lesson.copied.size() == 2);
}

TEST_CASE("a figure tells in words where it comes from, and no comment is left") {
  SmallProject project;
  project.write("docs/measurements/h200.json",
                R"({"device": "NVIDIA H200", "toolkit": "13.0", "date": "2026-01-02",
                    "chapters": {"02_sum": [{"kernel": "x<int>", "parameters": {"n": 1},
                                             "time_ms": {"median": 1.5}}]}})");
  project.write("chapters/02_sum/figures.txt",
                "sum_us = 1000 * ms(1)\nms(n) = h200/x<int>(n=$n)/time_ms\n"
                "article_ms = published 15: an article\n"
                "ratio = article_ms / ms(1)\npaper = 3 * 4\n"
                "table sums\n  | kernel | ms | ratio |\n  |---|---:|---|\n"
                "  run h200/$kernel\n  for kernel in x<int>\n"
                "  | `$kernel` | **{time_ms}** | {paper} to {ratio: 1} |\n");
  const std::string page =
      project
          .lesson(
              "It takes 1,500<!--sum_us--> µs, not 15<!--article_ms-->, by 10<!--ratio--> or\n"
              "12<!--paper-->, which `?<!--nothing-->` is not.\n\n<!--table sums-->\n| old "
              "|\n|---|\n| 1 |\n<!--end-->\n\n"
              "<!--worked-->\n| a |\n|---|\n| 1 |\n")
          .page.html;
  const auto figure = [&](const std::string& tip, const std::string& number) {
    const std::string title = site::replace_all(tip, "\n", "&#10;");
    return contains(page, "<span class=\"figure\" title=\"" + title + "\">" + number + "</span>");
  };
  const std::string when = "\nMeasured on an NVIDIA H200 with CUDA 13.0, 2026-01-02.";
  const std::string run = "time of x&lt;int&gt; at n 1: 1.5 ms" + when;
  CHECK(figure("1,500\n= 1000 × a\na: " + run, "1,500"));
  CHECK(figure("15\nPublished: an article.", "15"));
  CHECK(figure("10\n= 15 / a\na: " + run + "\nPublished: 15: an article.", "10"));
  CHECK(figure("12\nWorked out: 3 × 4", "12"));
  CHECK(contains(page,
                 "<td align=\"right\"><strong><span class=\"figure\" title=\"x&lt;int&gt;, ms"
                 "&#10;time of x&lt;int&gt;: 1.5 ms&#10;Measured"));
  CHECK(figure("x&lt;int&gt;, ratio\nWorked out: 3 × 4", "12"));
  CHECK(
      figure("x&lt;int&gt;, ratio\n= 15 / a\na: " + run + "\nPublished: 15: an article.", "10.0"));
  CHECK(contains(page, "<code>?&lt;!--nothing--&gt;</code>"));
  CHECK_FALSE(contains(page, "old"));
  CHECK_FALSE(contains(page, "<!--"));
  CHECK_FALSE(contains(page, "worked-->"));
}

TEST_CASE("a figure's words name what was measured, counted, predicted or given") {
  SmallProject project;
  project.write("docs/measurements/h200.json",
                R"({"device": "H", "toolkit": "13.0", "date": "2026-01-02",
                    "measured_again": {"02_sum": "2026-01-03", "all of chapters 04 to 06": "2026-01-04"},
                    "chapters": {
      "02_sum": [{"kernel": "sizes", "parameters": {"step": "wide", "m": 8, "n": 8, "k": 8},
                  "gflop_per_s": 12345678, "cublas_us": 0.25},
                 {"kernel": "sizes", "parameters": {"step": "wide", "m": 8, "n": 8, "k": 4},
                  "gflop_per_s": 3, "cublas_us": 1}],
      "05_x": [{"kernel": "y", "parameters": {}, "used_pct": 50}]}})");
  project.write("docs/measurements/emulator.json",
                R"({"backend": "emulator", "chapters": {"02_sum": [
                    {"kernel": "add", "parameters": {"n": 1}, "counters": {"global_load_sectors": 4}}]}})");
  project.write("docs/measurements/model.json",
                R"({"about": "What a model says. And more.", "chapters": {"02_sum": [
                    {"kernel": "add", "parameters": {}, "us": 2}]}})");
  project.write("chapters/02_sum/figures.txt", "");
  const prose::Measurements measurements(project.root() + "/docs/measurements");
  const prose::Figures figures(project.root() + "/chapters/02_sum/figures.txt", project.root(),
                               measurements);
  const auto words = [&](const std::string& expression) {
    std::string text;
    const prose::Figure figure = figures.evaluate(expression, {});
    for (const std::string& line : site::figure_words(figure, figures, measurements))
      text += line + "|";
    return text;
  };
  CHECK(words("h200/sizes(step=wide,m=8,n=8,k=8)/gflop_per_s") ==
        "speed of wide at m = n = k = 8: 12,345,678 GFLOP/s|Measured on an H with CUDA 13.0, "
        "2026-01-03.|");
  CHECK(words("h200/sizes(step=wide,k=4)/cublas_us") ==
        "time of cuBLAS beside wide at k 4: 1 µs|Measured on an H with CUDA 13.0, 2026-01-03.|");
  CHECK(words("h200/05_x/y/used_pct") ==
        "used of y: 50 %|Measured on an H with CUDA 13.0, 2026-01-02 or 2026-01-04.|");
  CHECK(words("emulator/add(n=1)/global_load_sectors / 4") ==
        "= a / 4|a: global load sectors of add at n 1: 4|Counted by the course's emulator.|");
  CHECK(words("model/add/us + model/add/us") ==
        "= a + a|a: time of add: 2 µs|From docs/measurements/model.json: What a model says.|");
  CHECK(words("geomean(k in 4 8: h200/sizes(step=wide,k=$k)/gflop_per_s)") ==
        "geometric mean over 2 values of k: speed of wide at k $k|Measured on an H with CUDA 13.0, "
        "2026-01-03.|");
  CHECK(site::number_words(-1234567.25) == "-1.23457e+06");
  CHECK(site::number_words(1234.5) == "1,234.5");
  CHECK(site::number_words(-123456789) == "-123,456,789");
  CHECK(words("132") == "Given, not measured.|");
}

TEST_CASE("a figure that cannot be worked out stops the site, and says which") {
  SmallProject project;
  CHECK_THROWS_WITH(project.lesson("It takes 12<!--nothing--> ms\n"),
                    "chapters/02_sum/README.md: no figure is called \"nothing\"");
  project.write("chapters/02_sum/figures.txt",
                "table sums\n  | a | b |\n  |---|---|\n  | c | {h200/y/time_ms} |\n");
  CHECK_THROWS_WITH(
      project.lesson("<!--table sums-->\n<!--end-->\n"),
      "chapters/02_sum/README.md: chapters/02_sum/figures.txt:4: sums, row \"c\", column \"b\": "
      "docs/measurements has no time_ms of h200/02_sum/y");
}

TEST_CASE("a code block links its line, and its names; code has colours") {
  SmallProject project;
  const std::string source = project
                                 .lesson(
                                     "<!-- source: kernels.cuh#add_two -->\n```cuda\n"
                                     "  if (n > 0) x[0] += 2;\n```\n")
                                 .page.html;
  CHECK(contains(source,
                 "<a href=\"kernels_8cuh_source.html#l00013\">kernels.cuh: add_two, line 13"));
  CHECK(contains(source,
                 "<div class=\"fragment\"><div class=\"line\"><span class=\"kp\">if</span> (n &gt; "
                 "<span class=\"mi\">0</span>) x[<span class=\"mi\">0</span>] += "
                 "<span class=\"mi\">2</span>;</div>\n</div>"));

  const std::string launch =
      project.lesson("```cuda\nadd_one<<<1, n>>>(n, x);  // add_one\nint add_two = 3;\n```\n")
          .page.html;
  CHECK(contains(launch, "<a href=\"kernels_8cuh.html#a1\">add_one</a>&lt;&lt;&lt;"));
  CHECK(contains(launch, "<span class=\"c1\">// add_one</span>"));
  CHECK(contains(launch, "</span> add_two = "));  // a variable that has the kernel's name

  const std::string diff = project
                               .lesson(
                                   "<!-- source: kernels.cuh#add_one kernels.cuh#add_two "
                                   "-->\n```diff\n-  if (n > 0) x[0] += 1;\n"
                                   "+  if (n > 0) x[0] += 2;\n }\n```\n")
                               .page.html;
  CHECK(contains(diff, "#l00007\""));
  CHECK(contains(diff, "#l00013\""));
  CHECK(contains(diff, "<div class=\"line removed\">-  <span class=\"kp\">if</span> (n &gt; "));
  CHECK(contains(diff, "<div class=\"line added\">+  <span class=\"kp\">if</span> (n &gt; "));

  const std::string output =
      project.lesson("<!-- output: 02_sum --n '<4>' -->\n```\n16\n```\n").page.html;
  CHECK(contains(output, "printed by <code>02_sum --n '&lt;4&gt;'</code></div>"));
  CHECK(contains(output, "<div class=\"line\">16</div>\n</div>"));

  const std::string profile =
      project.lesson("<!-- profile: 02_sum#sum -->\n```\n> 4\n```\n").page.html;
  CHECK(contains(profile, "the profile of <code>02_sum#sum</code></div>"));
  CHECK(contains(profile, "<div class=\"line\">&gt; 4</div>\n</div>"));

  CHECK_THROWS_WITH(project.lesson("<!-- source: none.cuh#x -->\n```cuda\nx\n```\n"),
                    "chapters/02_sum/README.md: a code block is from nowhere: none.cuh#x");
}

TEST_CASE("code is coloured once, piece by piece, whatever a piece leaves open") {
  tools::TemporaryFolder folder;
  const fs::path calls = folder.path() / "calls", memory = folder.path() / "coloured.json";
  const std::string lexer = "the lexer\n";
  folder.write("lexer.py", lexer);
  folder.write_program("pygmentize", "#!/bin/bash\necho call >> '" + calls.string() +
                                         "'\nsed 's/int/<b>int<\\/b>/'\n");
  auto path = std::make_unique<SearchPath>(folder.path().string() + ":" + std::getenv("PATH"));
  const auto coloured = [&](const std::vector<std::string>& pieces, const std::string& piece) {
    site::ColouredCode colours(folder.path() / "lexer.py", memory);
    colours.prepare(pieces);
    std::string text;
    for (const std::string& line : colours.lines_of(piece, [](auto) { return std::nullopt; }))
      text += line + "|";
    return text;
  };
  const auto called = [&] { return tools::read_lines(calls).size(); };
  CHECK(coloured({"int a;\n\nint b;\n", "x", "x"}, "int a;\n\nint b;\n") ==
        "<b>int</b> a;||<b>int</b> b;|");
  CHECK(called() == 1);
  CHECK(coloured({"x", "int a;\n\nint b;\n"}, "x") == "x|");
  CHECK(called() == 1);
  CHECK(coloured({"x", "y"}, "y") == "y|");
  CHECK(called() == 2);
  folder.write("lexer.py", lexer + "another\n");
  CHECK(coloured({"x"}, "x") == "x|");
  CHECK(called() == 3);
  folder.write_program("pygmentize", "#!/bin/bash\necho no module >&2; exit 1\n");
  CHECK_THROWS_WITH(coloured({"z"}, "z"), "pygmentize cannot colour: no module\n");
  path.reset();

  SmallProject project;
  const std::string page =
      project
          .lesson("```cuda\n/* open\n```\n\n```cuda\n__shared__ float4 x = f(threadIdx.x);\n```\n")
          .page.html;
  CHECK(contains(page,
                 "<span class=\"k\">__shared__</span> <span class=\"kt\">float4</span> x = "
                 "f(<span class=\"nb\">threadIdx</span>.x);</div>"));
}

TEST_CASE("a chapter ends with its kernels, and each must have documentation") {
  SmallProject project;
  const std::string page = project.lesson("Text.\n").page.html;
  CHECK(contains(page, "href=\"kernels_8cuh.html#a1\""));
  CHECK(contains(page, "<td>Adds one.</td>"));
  CHECK(contains(page, "kernels_8cuh_source.html#l00005\">lines&#160;5–8</a>"));
  CHECK(contains(page, "<td>Adds <code>two</code>.</td>"));
  CHECK(contains(page, "kernels_8cuh_source.html#l00011\">lines&#160;11–14</a>"));

  project.write("chapters/02_sum/kernels.cuh", "__global__ void bare(int n) {\n  (void)n;\n}\n");
  CHECK_THROWS_WITH(project.lesson("Text.\n"),
                    "chapters/02_sum/kernels.cuh: bare has no documentation");
}

TEST_CASE("every page but the first and the last leads both ways") {
  SmallProject project;
  const std::string page = project.lesson("Text.\n").page.html;
  CHECK(contains(page, "<a rel=\"prev\" href=\"setup.html\""));
  CHECK(contains(page, "<a rel=\"next\" href=\"glossary.html\""));
}

TEST_CASE("where a page of the course says what is next, its pager leads there, too") {
  const fs::path root = tools::source_folder();
  const site::Book book(root);
  static const tools::Pattern kNext(R"re(^Next: \[[^\]]*\]\(([^)#]*)\))re");
  int said = 0;
  for (std::size_t i = 0; i + 1 < book.pages().size(); ++i) {
    const fs::path source = book.pages()[i].source;
    for (const std::string& line : tools::read_lines(root / source)) {
      if (!line.starts_with("Next: ")) continue;
      CAPTURE(source.string());
      const tools::Match next = kNext.search(line);
      REQUIRE(next);
      CHECK((source.parent_path() / next.str(1)).lexically_normal() == book.pages()[i + 1].source);
      ++said;
    }
  }
  CHECK(said >= 7);
}

TEST_CASE("the glossary's words are linked where a lesson introduces them") {
  SmallProject project;
  project.write("docs/glossary.md",
                "# Glossary\n\n### Bank conflict\n\nTwo [lanes](#line) at **once**,\nand `a`. "
                "[Chapter 02](../chapters/02_sum/README.md#x).\n\nMore.\n\n### Line\n");
  const std::string page =
      project
          .lesson(
              "A **bank conflict** is not a **line**, and **lines** are not **bold**, see\n"
              "[there](../../docs/glossary.md#bank-conflict).\n")
          .page.html;
  const std::string meaning = "title=\"Bank conflict&#10;Two lanes at once, and a.\">";
  CHECK_MESSAGE(contains(page, "<a class=\"term\" href=\"glossary.html#bank-conflict\" " + meaning +
                                   "<strong>bank conflict</strong></a>"),
                page);
  CHECK(contains(page, "<a href=\"glossary.html#bank-conflict\" " + meaning + "there</a>"));
  CHECK(contains(page, "href=\"glossary.html#line\" title=\"Line\"><strong>lines</strong></a>"));
  CHECK(contains(page, "not <strong>bold</strong>"));
}

TEST_CASE("the search index has a section for each heading, and the lines of a source") {
  site::SearchIndex index;
  index.add_sections({"chapter_02_sum.html", "Sums &amp; more",
                      "<nav class=\"pager\">other</nav><p>first &lt;1&gt;</p>\n"
                      "<h2 id=\"words\">The words<span class=\"permalink\">#</span></h2>\n"
                      "<!-- 2 > 1 --><ul><li>second</li><li>third</li></ul>\n"
                      "<h3 id=\"more\">More</h3>"},
                     "lesson");
  index.add_source({"kernels_8cuh_source.html", "a/<wbr>b.cuh",
                    "<p>its documentation</p>\n<div class=\"line\"><a id=\"l00001\"></a><span "
                    "class=\"lineno\">    1</span>"
                    "__global__</div>\n<div class=\"line\"><span class=\"lineno\"><a "
                    "href=\"x\">    2</a></span>}</div>\n"});
  index.add_sections({"classSum.html", "Sum", "<p>sums</p>"}, "reference");
  CHECK(
      index.script("all") ==
      R"(window.all = [)"
      R"({"address":"chapter_02_sum.html","kind":"lesson","section":"","text":"first <1> ","title":"Sums & more"},)"
      R"({"address":"chapter_02_sum.html#words","kind":"lesson","section":"The words","text":"second third ","title":"Sums & more"},)"
      R"({"address":"chapter_02_sum.html#more","kind":"lesson","section":"More","text":"","title":"Sums & more"},)"
      R"({"address":"kernels_8cuh_source.html","kind":"source","section":"","text":"__global__ \n} \n","title":"a/b.cuh"},)"
      R"({"address":"classSum.html","kind":"reference","section":"","text":"sums ","title":"Sum"}];)"
      "\n");
}

TEST_CASE("a frame says where the reader is, and stands around the page's own title and text") {
  const std::string frame =
      "<title>@TITLE@</title>@STYLES@<nav><a href=\"a.html\"><a href=\"b.html\"></nav>@CONTENTS@";
  const site::Contents page = {"a.html", "x/<wbr>y &amp; z", "<a href=\"a.html\">@TITLE@</a>\n"};
  CHECK(site::framed(frame, page, site::Styles::of_the_site) ==
        "<title>x/y &amp; z - Warp by Warp</title><nav><a href=\"a.html\" aria-current=\"page\">"
        "<a href=\"b.html\"></nav><div class=\"header\"><h1 class=\"title\">x/<wbr>y &amp; z</h1>"
        "</div>\n<div class=\"contents\">\n<a href=\"a.html\">@TITLE@</a>\n</div>\n");
  CHECK(contains(site::framed(frame, page, site::Styles::of_doxygen),
                 "<link href=\"doxygen.css\" rel=\"stylesheet\"/>"));
  CHECK(contains(site::framed(frame, {"index.html", "Warp by Warp", ""}, site::Styles::of_the_site),
                 "<title>Warp by Warp</title>"));
}

TEST_CASE("a page is described by its first sentence, or by its title") {
  const auto description = [](const std::string& html) {
    return site::framed("@DESCRIPTION@@CONTENTS@", {"a.html", "A &amp; b", html},
                        site::Styles::of_the_site);
  };
  const std::string sentence =
      "This <b>is</b> a sentence that says\nwhat the page &lt;has&gt; to say.";
  CHECK(
      description("<pre>no</pre><p>Too short.</p>\n<p class=\"x\">" + sentence + "</p><p>More.</p>")
          .starts_with("This is a sentence that says what the page &lt;has&gt; to say.<div"));
  std::string longer;
  for (int i = 0; i < 60; ++i) longer += "word ";
  CHECK(description("<p>" + longer + "</p>").starts_with(longer.substr(0, 159) + " …<div"));
  CHECK(description("").starts_with("A &amp; b: a page of Warp by Warp, "));
}

TEST_CASE(
    "a ladder has a rung for each section about a step, and its rail says how far up one is") {
  SmallProject project;
  project.write("docs/measurements/h200.json",
                R"({"device": "H", "toolkit": "13.0", "date": "2026-01-02",
      "chapters": {"02_sum": [
        {"kernel": "sizes", "parameters": {"step": "first", "m": 4096, "n": 4096, "k": 4096}, "gflop_per_s": 1000},
        {"kernel": "sizes", "parameters": {"step": "second_one", "m": 4096, "n": 4096, "k": 4096}, "gflop_per_s": 4000},
        {"kernel": "sizes", "parameters": {"step": "cublas", "m": 4096, "n": 4096, "k": 4096}, "gflop_per_s": 2000}
      ]}})");
  const auto step = [](const std::string& name) {
    return "namespace " + name + " {\n/// One.\n__global__ void sgemm() {\n}\n}\n";
  };
  fs::remove(fs::path(project.root()) / "chapters/02_sum/kernels.cuh");
  project.write("chapters/02_sum/steps/01_first.cuh", step("first"));
  project.write("chapters/02_sum/steps/02_second_one.cuh", step("second_one"));
  project.write("chapters/02_sum/README.md", "# The sum\n\n## 03 of nothing\n");
  project.write("chapters/02_sum/a.md", "# A\n\n## 01 first: `one` idea\n\n## Else\n");
  project.write("chapters/02_sum/b.md", "# B\n\nWords.\n");
  project.write("chapters/02_sum/c.md", "# C\n\n## 02 second <one>\n");
  project.write("chapters/02_sum/d.md", "# D\n");
  const site::Book book = project.book();
  const auto rungs = site::rungs_of(book, "chapters/02_sum");
  REQUIRE(rungs.size() == 2);
  CHECK(rungs[0].step == "first");
  CHECK(rungs[0].label == "01 first");
  CHECK(rungs[0].idea == "`one` idea");
  CHECK(rungs[0].page == "chapter_02_sum_a");
  CHECK(rungs[0].anchor == "01-first-one-idea");
  CHECK(rungs[0].gflop_per_s == 1000);
  CHECK(rungs[1].label == "02 second <one>");

  const auto rail = [&](const std::string& name) {
    return site::rail(book, *book.page_of("chapters/02_sum/" + name + ".md"));
  };
  CHECK(rail("README") == "");
  CHECK(rail("d") == "");
  CHECK(contains(rail("a"), ">Step 1 of 2</span> <a href=\"ladder_02_sum.html\">"));
  CHECK(contains(rail("a"), "<a href=\"#01-first-one-idea\" title=\"01 first&#10;`one` idea\""));
  CHECK(contains(rail("b"), ">1 of 2 steps are below you</span>"));
  CHECK(
      contains(rail("b"), "<a href=\"chapter_02_sum_a.html#01-first-one-idea\" class=\"climbed\""));
  CHECK(contains(rail("c"), ">Step 2 of 2</span>"));
  CHECK(contains(rail("c"), "data-speed=\"4.0\" style=\"--part: 1.000\""));

  const std::string plot = R"({"pictures": [
      {"name": "rungs", "kind": "ladder", "chapter": "02_sum", "yardstick": "cublas", "only": ["first", "second_one"]},
      {"name": "other", "kind": "curves"}]})";
  project.write("docs/plots/plots.json", plot);
  for (const char* name : {"rungs", "other"})
    project.write(std::string("docs/plots/") + name + ".svg", "<svg/>");
  project.write("README.md",
                "# Home\n\n![Two bars](docs/plots/rungs.svg)\n\n![Curves](docs/plots/"
                "other.svg)\n\nWords.\n\n## More\n\n![Bars](docs/plots/rungs.svg)\n");
  const std::string home = project.page("README.md").page.html;
  CHECK(contains(home, "<figure class=\"ladder\" aria-label=\"Two bars\">"));
  CHECK(contains(home, "4 times as fast</strong>"));
  CHECK(contains(home,
                 "<li><a href=\"chapter_02_sum_a.html#01-first-one-idea\">first</a><span "
                 "class=\"bar-room\"><span class=\"rung\" style=\"--part: 25.00%; --at: 0\">"));
  CHECK(contains(home,
                 "title=\"second one&#10;speed of second_one at m = n = k = 4096: 4,000 GFLOP/s"
                 "&#10;Measured on an H with CUDA 13.0, 2026-01-02.\">4,000</span>"));
  CHECK(contains(home, "<li class=\"yardstick\"><span>cuBLAS</span>"));
  CHECK(contains(home, "<img src=\"files/docs/plots/other.svg\""));
  CHECK(contains(home, "<img src=\"files/docs/plots/rungs.svg\" alt=\"Bars\""));
}

TEST_CASE(
    "the lines of a step are its source, and between them what is gone since the step before") {
  using Lines = std::vector<std::string>;
  const auto marked = [](const Lines& before, const Lines& after) {
    Lines lines;
    for (const site::StepLine& line : site::step_lines(before, after))
      lines.push_back(line.mark + line.text);
    return lines;
  };
  const Lines before = {"#pragma once", "namespace a {", "/// Old.", "f();", "  g();", "}"};
  CHECK(marked({}, before) ==
        Lines{"/#pragma once", "/namespace a {", "//// Old.", " f();", "   g();", " }"});
  CHECK(marked(before, {"namespace b {", "/// New.", "f();", "if (x)", "    g();"}) ==
        Lines{"/namespace b {", "//// New.", " f();", "+if (x)", "     g();", "-}"});
  CHECK(marked(before, {"h();", "/// New.", "}"}) ==
        Lines{"-f();", "-  g();", "+h();", "//// New.", " }"});
}

TEST_CASE("a step is shown by the parts of its chapter's pictures that have its number") {
  SmallProject project;
  const auto heading = [](int y, const std::string& words) {
    return "<text x=\"56\" y=\"" + std::to_string(y) + "\" class=\"code strong\">" + words +
           "</text>\n";
  };
  const std::string begin = "<svg xmlns=\"s\" width=\"700\" height=\"400\">\n";
  const auto swatch = [](int y, const std::string& words) {
    return "<rect x=\"56\" y=\"" + std::to_string(y) +
           "\" width=\"14\" height=\"11\" class=\"used\"/>\n<text x=\"75\" y=\"" +
           std::to_string(y + 10) + "\" class=\"small\">" + words + "</text>\n";
  };
  project.write(
      "docs/pictures/pictures.json",
      R"({"02_two": {"title": "Two"}, "02_own": {"title": "Own"}, "03_no": {"title": "N"}})");
  project.write("docs/pictures/02_two.svg",
                begin + heading(60, "01 one") + "<text x=\"60\" y=\"80\">load &lt;A&gt;</text>\n" +
                    "<text x=\"60\" y=\"90\">17</text>\n" + heading(160, "02 two") +
                    heading(260, "02 again") + swatch(370, "key") + "</svg>");
  project.write("docs/pictures/02_own.svg", begin + heading(60, "02 two") + swatch(300, "part's") +
                                                heading(350, "helper") + "</svg>");
  project.write("docs/pictures/03_no.svg", begin + heading(60, "01 one") + "</svg>");
  const site::Book book = project.book();
  const auto ones = site::picture_parts(book, "chapters/02_sum", "01");
  REQUIRE(ones.size() == 1);
  CHECK(ones[0].name == "02_two");
  CHECK(ones[0].words == "01 one; load <A>");
  CHECK(ones[0].top == 40);
  CHECK(ones[0].height == 100);
  CHECK(ones[0].key == 362);
  CHECK(ones[0].whole == 400);
  const auto twos = site::picture_parts(book, "chapters/02_sum", "02");
  REQUIRE(twos.size() == 2);
  CHECK(twos[0].top == 140);
  CHECK(twos[0].height == 222);
  CHECK(twos[1].name == "02_own");
  CHECK(twos[1].height == 290);
  CHECK(twos[1].key == 400);
  CHECK(site::picture_parts(book, "chapters/02_sum", "03").empty());
}

TEST_CASE("the picture of shared links shows the promise and the speeds of today") {
  const fs::path root = tools::source_folder();
  const std::string words = site::preview_words(site::Book(root));
  CHECK(contains(words, "cuBLAS"));
  CHECK_MESSAGE(tools::read_file(root / "tools/site/preview.txt") == words,
                "build/emulator/bin/site preview . draws it anew");
}

TEST_CASE("what a step does not write again is removed, and what stays the same keeps its time") {
  const tools::TemporaryFolder output;
  const auto write = [&](const std::vector<std::string>& names) {
    site::OutputFolder folder(output.path() / "html", output.path() / "list");
    for (const std::string& name : names) folder.write(name, "the same");
    folder.finish();
    return fs::last_write_time(output.path() / "html" / names[0]);
  };
  const auto before = write({"a", "deep/b"});
  CHECK(write({"a", "c"}) == before);
  CHECK_FALSE(fs::exists(output.path() / "html/deep/b"));
  CHECK(fs::exists(output.path() / "html/c"));
  CHECK(site::names_in(output.path() / "list") == std::set<std::string>{"a", "c"});
}

TEST_CASE("a name in code means what is next to it, and nothing if two have it") {
  site::Reference reference;
  reference.add_file("chapters/02_sum/kernels.cuh", "kernels_8cuh");
  reference.add_member("chapters/02_sum/kernels.cuh", "add", "a");
  reference.add_member("chapters/02_sum/steps/1.cuh", "add", "b");
  reference.add_member("common/include/course/x.hpp", "add", "c");
  reference.add_member("common/include/course/x.hpp", "time", "d");
  const std::string chapter = "chapters/02_sum";
  CHECK(reference.meaning_of("add", chapter + "/kernels.cuh", chapter) == "a");
  CHECK(reference.meaning_of("add", "", chapter) == std::nullopt);
  CHECK(reference.meaning_of("add", "", "docs") == "c");
  CHECK(reference.meaning_of("time", chapter + "/kernels.cuh", chapter) == "d");
  CHECK(reference.meaning_of("none", "", chapter) == std::nullopt);
  CHECK(reference.source(chapter + "/kernels.cuh", 17) == "kernels_8cuh_source.html#l00017");
  CHECK(reference.file(chapter + "/kernels.cuh") == "kernels_8cuh.html");
  CHECK_THROWS_WITH(reference.source("none.cuh"), "Doxygen does not list none.cuh");
  CHECK_THROWS_WITH(reference.member("none.cuh", "add"), "Doxygen does not know none.cuh#add");

  const tools::TemporaryFolder folder;
  reference.save(folder.path() / "reference.json");
  const site::Reference same(folder.path() / "reference.json");
  CHECK(same.files() == reference.files());
  CHECK(same.meaning_of("add", "", "docs") == "c");
}

TEST_CASE("of Doxygen's pages, those that document something get the site's frame") {
  SmallProject project;
  const tools::TemporaryFolder output;
  const auto compound = [](const std::string& kind, const std::string& name,
                           const std::string& more) {
    return "<compound kind=\"" + kind + "\">\n<name>" + name + "</name>\n" + more + "</compound>\n";
  };
  output.write("frame.html", "@CONTENTS@");
  output.write("doxygen/tags.xml",
               compound("file", "kernels.cuh",
                        "<path>chapters/02_sum/</path>\n<filename>kernels_8cuh.html</filename>\n"
                        "<class kind=\"struct\">sums::Sum</class>\n") +
                   // As older versions give it, in a folder that repeats where the project is.
                   compound("file", "deep.hpp",
                            "<path>" + project.root() + "/common" + project.root() +
                                "/</path>\n<filename>deep_8hpp.html</filename>\n") +
                   compound("struct", "sums::Sum", "<filename>structSum.html</filename>\n") +
                   compound("dir", "chapters", "<filename>dir_1.html</filename>\n"));
  const auto write = [&](const std::string& name, const std::string& text) {
    output.write(
        "doxygen/html/" + name,
        "<html><div id=\"nav-path\"><li class=\"navelem\"><a href=\"dir_1.html\">chapters</a></li>"
        "</div><div class=\"header\">"
        "<div class=\"title\">Sum Struct</div></div>\n<div class=\"contents\">\n" +
            text + "</div><!-- contents -->\n</html>");
  };
  write("kernels_8cuh.html",
        "<td class=\"memItemRight\" valign=\"bottom\"><a class=\"el\" "
        "href=\"structSum.html\">Sum</a></td>\n"
        "<td class=\"memItemRight\" valign=\"bottom\"><a class=\"el\" "
        "href=\"kernels_8cuh.html#a0\">add_one</a> (int n)</td>\n"
        "<td class=\"memTemplItemRight\" valign=\"bottom\"><a class=\"el\" "
        "href=\"namespacesums.html#a1\">add_two</a> (<a class=\"el\" "
        "href=\"structSum.html\">Sum</a> sum)</td>\n");
  write("kernels_8cuh_source.html",
        "<p>__global__</p>\n<div class=\"line\">"
        "<a title=\"int2\">__global__</a> float4 f(threadIdx) &int2; int5 "
        "<span class=\"comment\">// __global__</span></div>\n");
  write("structSum.html",
        "<tr class=\"inherit_header x\"><td onclick=\"javascript:toggleInherit('x')\"><img "
        "src=\"closed.png\" alt=\"-\"/>Members</td></tr>\n");
  for (const char* name : {"bare_8cu_source.html", "deep_8hpp.html", "deep_8hpp_source.html",
                           "dir_1.html", "structSum-members.html", "hierarchy.html"})
    write(name, "");
  output.write("doxygen/html/doxygen.css", "");
  output.write("doxygen/html/jquery.js", "");
  site::write_reference(project.root(), output.path());

  const auto page = [&](const std::string& name) {
    return tools::read_file(output.path() / "html" / name);
  };
  std::set<std::string> left;
  for (const auto& entry : fs::directory_iterator(output.path() / "html"))
    left.insert(entry.path().filename());
  CHECK(left == std::set<std::string>{"bare_8cu_source.html", "deep_8hpp.html",
                                      "deep_8hpp_source.html", "doxygen.css", "kernels_8cuh.html",
                                      "kernels_8cuh_source.html", "search_reference.js",
                                      "structSum.html"});
  CHECK(page("kernels_8cuh_source.html") ==
        "<div class=\"header\"><h1 class=\"title\">chapters/<wbr>02_sum/<wbr>kernels.cuh</h1></div>"
        "\n<div class=\"contents\">\n<p>__global__</p>\n"
        "<div class=\"line\"><a title=\"int2\"><span class=\"keyword\">__global__</span></a> "
        "<span class=\"keywordtype\">float4</span> f(<span class=\"builtin\">threadIdx</span>) "
        "&int2; int5 <span class=\"comment\">// __global__</span></div>\n</div>\n");
  CHECK(contains(page("structSum.html"),
                 "<h1 class=\"title\">Sum Struct</h1></div>\n<div class=\"contents\">\n"
                 "<tr class=\"inherit_header x\"><td>Members</td></tr>\n"));
  CHECK(page("search_reference.js").starts_with("window.courseSearchReference = [{\"address\":"));

  const site::Reference reference(output.path() / "reference.json");
  const std::string file = "chapters/02_sum/kernels.cuh";
  CHECK(reference.source("chapters/Sum Struct") == "bare_8cu_source.html");
  CHECK(reference.member(file, "add_one") == "kernels_8cuh.html#a0");
  CHECK(reference.member(file, "add_two") == "namespacesums.html#a1");
  CHECK(reference.member(file, "Sum") == "structSum.html");
  CHECK(reference.file("common" + project.root() + "/deep.hpp") == "deep_8hpp.html");
}

TEST_CASE("a profile is a table line by line, with its text folded") {
  SmallProject project;
  const std::string text =
      "<!-- profile: 02_sum -->\n```text\n"
      "add_one(int, int*): 2 launches\n\n"
      "chapters/02_sum/kernels.cuh\n"
      "      |                                          requests    per request     ideal "
      "efficiency  lanes\n"
      "   5  __global__ void add_one(int n,\n"
      "   ...\n"
      ">  7    if (n > 0) x[0] += 1;\n"
      "      | global load x[0]                          1048576     32 sectors         4     12.5 "
      "%  31.97\n"
      "      |   7 ask again\n"
      "      | local store                                    1                                    "
      "      32\n"
      "      ^ worst line: global load x[0]: 32 < 33\n"
      "```\n";
  const std::string page = project.lesson(text).page.html;
  CHECK(contains(page, "the profile of <code>02_sum</code></div>\n<div class=\"profile-box"));
  CHECK(contains(page,
                 "<caption><code>add_one(int, int*)</code>, 2 launches; <a "
                 "href=\"kernels_8cuh_source.html#l00005\">chapters/02_sum/kernels.cuh</a>"));
  CHECK(contains(page,
                 "<tr><th scope=\"row\" class=\"profile-number\" rowspan=\"1\">5</th><td "
                 "colspan=\"6\" class=\"fragment\"><span class=\"k\">__global__</span>"));
  CHECK(contains(page, "<tr class=\"profile-gap\">"));
  CHECK(contains(page,
                 "<tr class=\"profile-worst\"><th scope=\"row\" class=\"profile-number\" "
                 "rowspan=\"5\">7</th>"));
  CHECK(
      contains(page,
               "<tr class=\"profile-access\"><td>global load <code>x[0]</code></td>"
               "<td class=\"profile-number\" data-head=\"requests\">1,048,576</td>"
               "<td class=\"profile-number\" data-head=\"per request\">32 sectors</td>"
               "<td class=\"profile-number\" data-head=\"ideal\">4</td>"
               "<td class=\"profile-number\" data-head=\"efficiency\">12.5 %<span class=\"share\" "
               "style=\"--part: 12.5%\"></span></td>"
               "<td class=\"profile-number\" data-head=\"lanes\">31.97</td></tr>\n"
               "<tr class=\"profile-access profile-note\"><td colspan=\"6\">7 ask again</td>"));
  CHECK(contains(page,
                 "<td>local store</td><td class=\"profile-number\" data-head=\"requests\">1</td>"
                 "<td class=\"profile-number\" data-head=\"per request\"></td>"));
  CHECK(contains(page, "<strong>worst line</strong>: global load x[0]: 32 &lt; 33</td>"));
  const std::size_t folded = page.find("\n<details class=\"as-printed\">\n");
  CHECK(page.find("&gt;  7    if (n &gt; 0)") > folded);
  CHECK(contains(page.substr(folded), "ask again\n"));

  const std::string head = text.substr(0, text.find("   5  "));
  CHECK_THROWS_WITH(project.lesson(head + "   5  x\n      | 7\n```\n"),
                    "chapters/02_sum/README.md: this line of a profile cannot be read:       | 7");
  CHECK_THROWS_WITH(project.lesson(head + "      ^ worst line: x\n```\n"),
                    doctest::Contains("this line of a profile has no source:       ^ worst"));
}

TEST_CASE("a program's output has its tables, with bars for percents and rates") {
  SmallProject project;
  const std::string page = project
                               .lesson(
                                   "<!-- output: 02_sum -->\n```text\n02_sum: why?\nhere\n\n"
                                   "Sums & more\n"
                                   "  kernel  case     n  sectors/request  used %  verified\n"
                                   "  ------  ----  ----  ---------------  ------  --------\n"
                                   "  add     a     1234             16.5   12.50  yes\n"
                                   "  add     -        -             4.0    100.0  known wrong\n"
                                   "  bulk    b       12                -       -  yes\n"
                                   "a note\n\n3 runs\n```\n")
                               .page.html;
  CHECK(contains(page,
                 "<p class=\"output-note\">02_sum: why?<br/>\nhere</p>\n<div "
                 "class=\"table-scroll\"><table class=\"prose output\">\n<caption>Sums &amp; more"
                 "</caption>\n<thead><tr><th scope=\"col\">kernel</th><th scope=\"col\">case</th>"
                 "<th scope=\"col\" align=\"right\">n</th>"));
  CHECK(contains(page,
                 "<tr><th scope=\"row\">add</th><td data-head=\"case\">a</td><td align=\"right\" "
                 "data-head=\"n\">1,234</td><td align=\"right\" data-head=\"sectors/request\">16.5"
                 "<span class=\"rate\" style=\"--part: 100.0%\"></span></td><td align=\"right\" "
                 "data-head=\"used %\">12.50<span class=\"share\" style=\"--part: 12.5%\"></span>"
                 "</td><td data-head=\"verified\">yes</td></tr>"));
  CHECK(contains(page, "4.0<span class=\"rate\" style=\"--part: 24.2%\">"));
  CHECK(contains(page, "data-head=\"verified\">known wrong</td>"));
  CHECK(contains(page, "data-head=\"used %\">-</td>"));
  CHECK(contains(page, "<p class=\"output-note\">a note<br/>\n3 runs</p>\n<details class"));

  site::SearchIndex index;
  index.add_sections({"a.html", "A", page}, "lesson");
  const std::string script = index.script("x");
  CHECK(script.find("Sums & more") == script.rfind("Sums & more"));
}

TEST_CASE("a book has the lessons, with its own links, still pictures and answers at the end") {
  SmallProject project;
  project.write("CHANGELOG.md", "# Changes\n\n## 0.1.0, 2026-01-02\n");
  project.write("docs/pictures/a.svg", "<svg/>");
  project.write("chapters/02_sum/figures.txt", "count = 3\n");
  project.write("chapters/02_sum/README.md",
                "# The sum\n\n## Again\n\n![a picture of it](../../docs/pictures/a.svg)\n\n"
                "[a](../../docs/glossary.md#a-section) [b\nb](../../docs/teaching.md) [c](#again) "
                "[d](kernels.cuh) [e](https://example.org/#x)\n\n"
                "<!-- predict: count; \"sums\"; exact -->\n1. How many?\n\n<details>\n"
                "<summary>The answer</summary>\n\n3<!--count--> of them.\n\n</details>\n\n"
                "<details>\n<summary>A <em>hint</em></summary>\n\nLook.\n\n</details>\n\n"
                "```cuda\nint a;\n  int b;\n```\n\n<!-- output: 02_sum -->\n```text\n02_sum\n\n"
                "Sums\n  n\n  -\n  1\n```\n");
  const site::Book book = project.book();
  const tools::TemporaryFolder output;
  const auto lessons = [&] {
    std::vector<site::Lesson> all;
    for (const site::Page& page : book.pages()) all.push_back(project.page(page.source));
    return all;
  }();
  const std::string html = site::book_html(book, lessons, "../html/", site::Medium::paper,
                                           {.first_pages = {{"setup", 7}}, .tight = {"setup"}});
  CHECK(contains(html, "Edition 0.1.0 of 2026-01-02"));
  CHECK(contains(html,
                 "<li><a href=\"#setup\">Title<span>7</span></a></li>\n<li><a "
                 "href=\"#chapter_02_sum\">The sum<span></span></a></li>\n<li><a "
                 "href=\"#glossary\">Title<span></span></a></li>\n</ul>"));
  CHECK(contains(html, "<section class=\"chapter\">\n<h1 id=\"chapter_02_sum\">The sum</h1>"));
  CHECK(contains(html, "<section class=\"chapter tight\">\n<h1 id=\"setup\">"));
  CHECK(contains(html, "<a id=\"setup--end\" href=\"#setup--end\">"));
  CHECK(contains(html, "<h2 id=\"chapter_02_sum--again\">Again</h2>"));
  CHECK(contains(html, "<img src=\"../html/files/docs/pictures/a.svg\" alt=\"a picture of it\""));
  CHECK(contains(html,
                 "<p><a href=\"#glossary--a-section\">a</a> b\nb <a "
                 "href=\"#chapter_02_sum--again\">c</a> d <a "
                 "href=\"https://example.org/#x\">e</a></p>"));
  CHECK(contains(
      html,
      "<li>How many?</li>\n</ol>\n<div class=\"to-answer\" "
      "id=\"chapter_02_sum--question-1\"><p><a href=\"#chapter_02_sum--answer-1\">Answer 1"));
  CHECK(contains(html, "<p class=\"fold-title\">A hint</p>\n<p>Look.</p>\n</div>"));
  CHECK(contains(html,
                 "<pre class=\"cpp\"><code><span class=\"line\"><span class=\"kt\">int</span> "
                 "a;</span>\n<span class=\"line\">  <span class=\"kt\">int</span> b;</span>\n"
                 "</code></pre>\n<div class=\"code-caption\">printed by <code>02_sum</code>"));
  CHECK(contains(html,
                 "<tr><th scope=\"row\">1</th></tr>\n</tbody></table></div>\n<h2 "
                 "id=\"chapter_02_sum--answers\">Answers</h2>\n<div class=\"answers\">\n"));
  CHECK_FALSE(contains(html, "As it is printed"));
  CHECK(contains(html, "<p>3 of them.</p>\n</div>\n<p class=\"end\">"));
  CHECK_FALSE(contains(html, "kernels"));
  CHECK_FALSE(contains(html, "teaching"));
  CHECK_FALSE(contains(html, "<nav class=\"pager\""));
  CHECK_FALSE(contains(site::book_html(book, lessons, "", site::Medium::e_book, {}), "Contents"));
}

TEST_CASE("on paper a tall picture is cut above the names of its panels") {
  SmallProject project;
  project.write("CHANGELOG.md", "# Changes\n\n## 0.1.0, 2026-01-02\n");
  std::string svg = "<svg width=\"700\" height=\"1500\" viewBox=\"0 0 700 1500\">\n";
  for (const int y : {66, 400, 416, 1000})
    svg += "<text x=\"56\" y=\"" + std::to_string(y) + "\" class=\"code strong\">k</text>\n";
  project.write("docs/pictures/a.svg", svg + "</svg>\n");
  project.write("chapters/02_sum/README.md", "# The sum\n\n![all](../../docs/pictures/a.svg)\n");
  const site::Book book = project.book();
  std::vector<site::Lesson> lessons;
  for (const site::Page& page : book.pages()) lessons.push_back(project.page(page.source));
  const std::string paper = site::book_html(book, lessons, "", site::Medium::paper, {});
  CHECK(contains(paper, "a.svg#svgView(viewBox(0,0,700,380))\" style=\"width: 100%; "));
  CHECK(contains(paper, "a.svg#svgView(viewBox(0,380,700,600))"));
  CHECK(contains(paper, "a.svg#svgView(viewBox(0,980,700,520))"));
  const std::string e_book = site::book_html(book, lessons, "", site::Medium::e_book, {});
  CHECK(contains(
      e_book,
      "<img width=\"700\" height=\"1500\" src=\"files/docs/pictures/a.svg\" alt=\"all\" />"));
}

TEST_CASE("a PDF tells where the chapters begin, and which end with a few lines on a page") {
  SmallProject project;
  project.write("chapters/02_sum/README.md", "# The sum\n");
  const site::PaperLayout layout = site::layout_of(
      "/Kids [2 0 R 7 0 R]\n/Kids [9 0 R]\n/Kids [40 0 R 41 0 R]\n"
      "/setup [7 0 R /XYZ 6 841 0]\n/setup--end [7 0 R /XYZ 6 700.5 0]\n"
      "/chapter_02_sum [7 0 R /XYZ 6 841 0]\n/chapter_02_sum--end [9 0 R /XYZ 62.3 700.5 0]\n"
      "/glossary [7 0 R /XYZ 6 841 0]\n/glossary--end [9 0 R /XYZ 62.3 600 0]\n",
      project.book());
  CHECK(layout.first_pages ==
        std::map<std::string, int>{{"setup", 2}, {"chapter_02_sum", 2}, {"glossary", 2}});
  CHECK(layout.tight == std::set<std::string>{"chapter_02_sum"});
}

TEST_CASE("a book is made by Chromium and Pandoc, and who is missing is named") {
  SmallProject project;
  project.write("CHANGELOG.md", "# Changes\n\n## 0.1.0, 2026-01-02\n");
  project.write("chapters/02_sum/README.md", "# The sum\n");
  for (const char* file : {"cuda_blocks.py", "theme/book.css", "theme/paper.css"})
    project.write(std::string("tools/site/") + file, "");
  const site::Book book = project.book();
  const tools::TemporaryFolder output, programs;
  SmallProject::reference().save(output.path() / "reference.json");
  for (const char* name : {"cmark-gfm", "cp", "bash"}) {
    const auto where = tools::run_command({"sh", "-c", std::string("command -v ") + name});
    fs::create_symlink(tools::lines_of(where.out).at(0), programs.path() / name);
  }
  const SearchPath path(programs.path().string());
  CHECK_THROWS_WITH(site::write_pdf(book, output.path()), "the book needs chromium");
  CHECK_THROWS_WITH(site::write_epub(book, output.path()), "the book needs pandoc");
  programs.write_program("google-chrome",
                         "#!/bin/bash\npage=${!#}\nfor word; do\n  case $word in\n"
                         "    --print-to-pdf=*) cp \"${page#file://}\" \"${word#*=}\" ;;\n"
                         "  esac\ndone\n");
  programs.write_program("pandoc", "#!/bin/bash\ncp \"$1\" \"$7\"\n");
  CHECK(site::write_pdf(book, output.path()) == output.path() / "warp_by_warp.pdf");
  CHECK(contains(tools::read_file(output.path() / "warp_by_warp.pdf"), "Contents"));
  CHECK(site::write_epub(book, output.path()) == output.path() / "warp_by_warp.epub");
  CHECK(contains(tools::read_file(output.path() / "warp_by_warp.epub"), "The sum</h1>"));
  programs.write_program("google-chrome", "#!/bin/bash\necho no screen >&2; exit 1\n");
  CHECK_THROWS_WITH(site::write_pdf(book, output.path()),
                    "Chromium cannot print the book: no screen\n");
}

TEST_CASE("whoever comes to the old address of a renumbered chapter is led to the new one") {
  SmallProject project;
  project.write("chapters/02_sum/README.md", "# The sum\n");
  const auto leading = [&](const std::string& list) {
    project.write("docs/renumbered.txt", list);
    return site::old_addresses(project.book(),
                               {"index.html", "chapter_02_sum.html", "chapter_02_sum_more.html",
                                "counted_02_sum.html", "02__sum_2kernels_8cuh.html"});
  };
  const auto pages = leading("# old and new\n\n01_sum 02_sum\n");
  CHECK(pages.size() == 4);
  for (const char* page : {"chapter_0?_sum.html", "chapter_0?_sum_more.html", "counted_0?_sum.html",
                           "0?__sum_2kernels_8cuh.html"}) {
    const std::string before = site::replace_all(page, "?", "1");
    const std::string now = site::replace_all(page, "?", "2");
    CAPTURE(before);
    const std::string text = pages.at(before);
    CHECK(contains(text, "location.replace('" + now + "' + location.hash)"));
    CHECK(contains(text, "content=\"0; url=" + now + "\""));
    CHECK(contains(text, "<a href=\"" + now + "\">"));
  }

  CHECK_THROWS_WITH(leading("01_sum 03_sum\n"), "docs/renumbered.txt: there is no chapter 03_sum");
  CHECK_THROWS_WITH(leading("01_sum\n"),
                    "docs/renumbered.txt: not an old name and a new one: 01_sum");
  CHECK_THROWS_WITH(leading("02_sum_more 02_sum\n"),
                    "docs/renumbered.txt: there is a page chapter_02_sum_more.html today");
}

TEST_CASE("a listing shows all kernels of a chapter, each behind an anchor of its name") {
  SmallProject project;
  project.write("chapters/02_sum/README.md", "# The sum\n");
  project.write("chapters/02_sum/steps/01_first.cuh",
                "namespace first {\n/// One.\n__global__ void sgemm() {\n}\n}\n");
  project.write("docs/measurements/experiments.json", R"({"count": [
      {"chapter": "02_sum", "arguments": ["--kernel", "add_one", "--kernel", "add_two"]},
      {"chapter": "03_else", "arguments": ["--kernel", "add_two", "--n", "3"]},
      {"chapter": "02_sum", "arguments": ["--kernel", "add_two", "--n", "4"]}]})");
  // Writes a page with a section for each kernel, as the emulator does, containing its arguments.
  const auto program = [](const std::string& kernels_by_default) {
    return R"(#!/bin/bash
section() {
  echo "<section class='profile'><h2><code>$1</code></h2>"
  echo "<p class='profile-signature'><code>$2</code></p>$3</section>"
}
{ echo '<body>'
  if [ "$2" = add_two ]; then section add_two 'add_two(int)' "$*"; else )" +
           kernels_by_default +
           R"(
  fi
  echo '</body>'; } > "${COURSE_PROFILE#html:}"
)";
  };
  const auto listed = [&](const std::string& kernels_by_default, const std::string& ending = "") {
    tools::TemporaryFolder programs;
    programs.write_program("02_sum", program(kernels_by_default) + ending);
    return site::counted_listing(project.root(), "chapters/02_sum", programs.path());
  };
  const std::string two_kernels =
      "section 'add_one&lt;int&gt;' 'add_one&lt;int&gt;(int)'; "
      "section 'add_one&lt;float&gt;' 'add_one&lt;float&gt;(int)'; ";
  const std::string step = "section 'first::sgemm&lt;4&gt;' 'first::sgemm&lt;4&gt;(int)'";

  const std::string page = listed(two_kernels + step);
  const auto count = [&](const std::string& part) {
    int found = 0;
    for (std::size_t at = 0; (at = page.find(part, at)) != std::string::npos; ++at) ++found;
    return found;
  };
  CHECK(count("<section") == 4);
  CHECK(count("<span id=\"add_one\"></span>\n<section") == 1);
  CHECK(count("<span id=\"") == 3);
  CHECK(count("<span id=\"first::sgemm\"></span>\n<section "
              "class='profile'><h2><code>first::sgemm&lt;4") == 1);
  CHECK(count("--kernel add_two --n 4</section>") == 1);

  const tools::TemporaryFolder output;
  output.write("counted/02_sum.html", page);
  project.write("docs/measurements/h100.json", R"({"device": "H", "chapters": {"02_sum": [
      {"kernel": "add_one", "parameters": {"n": 4096, "cublas_ms": 1}, "time_ms": {"median": 0.25}},
      {"kernel": "add_one", "parameters": {"n": 1}, "time_ms": null},
      {"kernel": "add_two", "parameters": {}}]}})");
  project.write("chapters/02_sum/climb.md", "# Climb\n\n## 01 first: it\n");
  site::Reference reference = SmallProject::reference();
  reference.add_file("chapters/02_sum/steps/01_first.cuh", "first_8cuh");
  reference.add_member("chapters/02_sum/steps/01_first.cuh", "sgemm", "first_8cuh.html#s");
  const auto pages = [&] {
    return site::counted_pages(project.book(), reference, "chapters/02_sum", output.path());
  };
  const std::vector<site::Contents> counted = pages();
  std::string names;
  for (const site::Contents& one : counted) names += one.name + " ";
  CHECK(names ==
        "counted_02_sum.html counted_02_sum_add_one.html counted_02_sum_first_sgemm.html "
        "counted_02_sum_add_two.html ");
  CHECK(counted[0].title == "02 the sum, line by line");
  CHECK(contains(counted[0].html,
                 "<tr id=\"first::sgemm\" data-profile=\"\"><td><a "
                 "href=\"counted_02_sum_first_sgemm.html\"><code>first::<wbr>sgemm"));
  CHECK(contains(counted[0].html, "<td>Adds one.</td>"));
  CHECK(counted[1].title == "<code>add_one</code>, line by line");
  CHECK(contains(counted[1].html, "add_one&lt;int&gt;(int)"));
  CHECK(contains(counted[1].html, "add_one&lt;float&gt;(int)"));
  CHECK_FALSE(contains(counted[1].html, "rel=\"prev\""));
  CHECK(contains(counted[1].html, "<a href=\"kernels_8cuh.html#a1\">Documentation</a>"));
  CHECK(contains(counted[1].html, "Explained in <a href=\"chapter_02_sum.html\">02 the sum</a>"));
  CHECK(contains(counted[1].html, "<summary>Measured on an H</summary>"));
  CHECK(contains(counted[1].html,
                 "<tr><td>n 4,096</td><td align=\"right\">0.25</td></tr>\n</tbody>"));
  CHECK(contains(counted[1].html, "rel=\"next\" href=\"counted_02_sum_first_sgemm.html\""));
  CHECK(contains(counted[2].html,
                 "Explained in <a href=\"chapter_02_sum_climb.html#01-first-it\">01 first</a>"));
  CHECK_FALSE(contains(counted[2].html, "Measured"));
  CHECK(contains(counted[3].html, "rel=\"prev\" href=\"counted_02_sum_first_sgemm.html\""));

  // Many instances of a kernel stand on several pages.
  std::string many;
  for (int i = 0; i < 7; ++i) {
    many += "<section id='x'><h2><code>add_one&lt;" + std::to_string(i) + "&gt;</code></h2>";
    for (int j = 0; j < 1000; ++j) many += "<i></i>";
    many += "</section>";
  }
  output.write("counted/02_sum.html", many);
  const std::vector<site::Contents> parts = pages();
  REQUIRE(parts.size() == 5);
  CHECK(parts[4].name == "counted_02_sum_add_one_4.html");
  CHECK(parts[2].title == "<code>add_one</code>, line by line, part 2 of 4");
  CHECK(contains(parts[2].html, "rel=\"prev\" href=\"counted_02_sum_add_one.html\""));
  CHECK(contains(parts[2].html, "rel=\"next\" href=\"counted_02_sum_add_one_3.html\""));
  CHECK_FALSE(contains(parts[2].html, "Explained in"));
  fs::remove_all(output.path() / "counted");

  // It is made again for another program and for other kernels.
  const tools::TemporaryFolder programs;
  const std::string runs = (programs.path() / "runs").string();
  const auto is_made_again = [&](const std::string& ending) {
    fs::remove(runs);
    programs.write_program("02_sum",
                           program(two_kernels + step) + ending + "touch '" + runs + "'\n");
    site::count(project.root(), "chapters/02_sum", programs.path(), output.path());
    return fs::exists(runs);
  };
  CHECK(is_made_again(""));
  CHECK_FALSE(is_made_again(""));
  CHECK(is_made_again("true\n"));
  project.write("chapters/02_sum/steps/01_first.cuh",
                "namespace first {\n/// One.\n__global__ void sgemm() {  // more\n}\n}\n");
  CHECK(is_made_again("true\n"));
  CHECK_FALSE(is_made_again("true\n"));

  CHECK_THROWS_WITH(listed(two_kernels), "02_sum did not run first::sgemm");
  CHECK_THROWS_WITH(listed(step), "02_sum did not run add_one");
  CHECK_THROWS_WITH(listed("true"), doctest::Contains("wrote a listing without a kernel"));
  CHECK_THROWS_WITH(listed(two_kernels + step, "echo no memory >&2; exit 2"),
                    doctest::Contains("02_sum ended with 2: no memory"));
}
