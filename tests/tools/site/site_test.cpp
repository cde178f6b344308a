/// Tests how a Markdown file becomes a page of the site, and which faults stop the build.

#include <doctest/doctest.h>

#include <filesystem>
#include <set>
#include <string>

#include "tools/site/book.hpp"
#include "tools/site/counted.hpp"
#include "tools/site/finish.hpp"
#include "tools/site/lesson.hpp"
#include "tools/site/prepare.hpp"
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
    const site::Book book = this->book();
    return site::make_lesson(book, *book.page_of("chapters/02_sum/README.md"));
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
  // The browser has no data for it.
  CHECK_FALSE(contains(project.lesson(text).doxygen, "live-figure"));

  project.write("docs/explorer/index.html", "<html></html>");
  const std::string page = project.lesson(text).doxygen;
  const std::string figure =
      "<live-figure data-figure=\"{&quot;kind&quot;:&quot;banks&quot;,&quot;title&quot;:&quot;A "
      "&#92;&quot;tile&#92;&quot;&quot;}\"><p><img src=\"files/docs/pictures/tile.svg\" alt=\"A "
      "tile\" /></p></live-figure>";
  CHECK_MESSAGE(contains(page, figure), page);
  CHECK(contains(page, "<p><img src=\"files/docs/pictures/still.svg\""));
  const std::size_t scripts = page.find("explorer/live.js");
  CHECK(scripts < page.find("<live-figure"));
  CHECK(page.find("explorer/live.js", scripts + 1) == std::string::npos);  // loaded once
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
          .doxygen;
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
  CHECK_FALSE(contains(project.lesson("No question.\n").doxygen, "predictions.js"));

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
  for (const char* link :
       {"href=\"glossary.html#a-section\"", "href=\"src:chapters/02_sum/kernels.cuh\"",
        "href=\"files/docs/measurements/h200.json\"", "href=\"https://example.org/#x\"",
        "href=\"#a-section\""})
    CHECK_MESSAGE(contains(lesson.doxygen, link), link);
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
  const site::Book book = project.book();
  CHECK_THROWS_WITH(site::make_lesson(book, *book.page_of("chapters/02_sum/README.md")),
                    "chapters/02_sum/README.md: it has no heading");
}

TEST_CASE("a page lists its sections, and no two have the same anchor") {
  SmallProject project;
  const std::string page = project.lesson("## One & two\n\n## Again\n\n### Again\n").doxygen;
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
  const site::Book book = project.book();
  const std::string page = site::make_lesson(book, *book.page_of("README.md")).doxygen;
  CHECK(page.starts_with("@mainpage Home\n"));
  CHECK(contains(page,
                 "you need no GPU.</p>\n<p class=\"begin\"><a href=\"chapter_02_sum.html\">"
                 "Begin with 02 &lt;sum&gt;</a></p>\n<p>Words.</p>"));
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
  CHECK(contains(lesson.doxygen, "<img src=\"files/docs/pictures/a.svg\" alt=\"what it shows\""));
  CHECK(lesson.copied.size() == 2);
}

TEST_CASE("a figure tells its name and where it comes from, and no comment is left") {
  SmallProject project;
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
          .doxygen;
  const auto figure = [&](const std::string& tip, const std::string& number) {
    return contains(page, "<span class=\"figure\" title=\"" + tip + "\">" + number + "</span>");
  };
  const std::string run = "h200/x&lt;int&gt;(n=1)/time_ms";
  CHECK(figure("sum_us, measured: 1000 * " + run, "1,500"));
  CHECK(figure("article_ms, published: an article", "15"));
  CHECK(figure("ratio, measured: 15 / " + run + "; published: 15, an article", "10"));
  CHECK(figure("paper, worked out: 3 * 4", "12"));
  CHECK(contains(page,
                 "<td align=\"right\"><strong><span class=\"figure\" title=\"x&lt;int&gt;, ms, "
                 "measured: h200/x&lt;int&gt;/time_ms\">1.50</span></strong></td>"));
  CHECK(figure("x&lt;int&gt;, ratio, worked out: 3 * 4", "12"));
  CHECK(
      figure("x&lt;int&gt;, ratio, measured: 15 / " + run + "; published: 15, an article", "10.0"));
  CHECK(contains(page, "<code>?&lt;!--nothing--&gt;</code>"));
  CHECK_FALSE(contains(page, "old"));
  CHECK_FALSE(contains(page, "<!--"));
  CHECK_FALSE(contains(page, "worked-->"));
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

TEST_CASE("a code block links its line; CUDA is left to Doxygen to highlight") {
  SmallProject project;
  const std::string source = project
                                 .lesson(
                                     "<!-- source: kernels.cuh#add_two -->\n```cuda\n"
                                     "if (n > 0) x[0] += 2;\n```\n")
                                 .doxygen;
  CHECK(contains(source,
                 "<a href=\"src:chapters/02_sum/kernels.cuh#L13\">kernels.cuh: add_two, line 13"));
  CHECK(contains(source, "```{.cu}\nif (n > 0) x[0] += 2;\n```\n"));

  const std::string diff = project
                               .lesson(
                                   "<!-- source: kernels.cuh#add_one kernels.cuh#add_two "
                                   "-->\n```diff\n-  if (n > 0) x[0] += 1;\n"
                                   "+  if (n > 0) x[0] += 2;\n }\n```\n")
                               .doxygen;
  CHECK(contains(diff, "#L7\""));
  CHECK(contains(diff, "#L13\""));
  CHECK(contains(diff, "<div class=\"line removed\">-  if (n &gt; 0) x[0] += 1;</div>"));
  CHECK(contains(diff, "<div class=\"line added\">+  if (n &gt; 0) x[0] += 2;</div>"));

  const std::string output =
      project.lesson("<!-- output: 02_sum --n '<4>' -->\n```\n16\n```\n").doxygen;
  CHECK(contains(output, "printed by <code>02_sum --n '&lt;4&gt;'</code></div>"));
  CHECK(contains(output, "<div class=\"line\">16</div>\n</div>"));

  const std::string profile =
      project.lesson("<!-- profile: 02_sum#sum -->\n```\n> 4\n```\n").doxygen;
  CHECK(contains(profile, "the profile of <code>02_sum#sum</code></div>"));
  CHECK(contains(profile, "<div class=\"line\">&gt; 4</div>\n</div>"));

  CHECK_THROWS_WITH(project.lesson("<!-- source: none.cuh#x -->\n```cuda\nx\n```\n"),
                    "chapters/02_sum/README.md: a code block is from nowhere: none.cuh#x");
}

TEST_CASE("nothing in a page is a command to Doxygen") {
  SmallProject project;
  const std::string page = project.lesson("`@expect` and `\\n` and `@endhtmlonly`\n").doxygen;
  CHECK(contains(page, "&#64;expect"));
  CHECK(contains(page, "&#92;n"));
  CHECK_FALSE(contains(page, "@expect"));
}

TEST_CASE("a chapter ends with its kernels, and each must have documentation") {
  SmallProject project;
  const std::string page = project.lesson("Text.\n").doxygen;
  CHECK(contains(page, "href=\"doc:chapters/02_sum/kernels.cuh#add_one\""));
  CHECK(contains(page, "<td>Adds one.</td>"));
  CHECK(contains(page, "#L5\">lines&#160;5–8</a>"));
  CHECK(contains(page, "<td>Adds <code>two</code>.</td>"));
  CHECK(contains(page, "#L11\">lines&#160;11–14</a>"));

  project.write("chapters/02_sum/kernels.cuh", "__global__ void bare(int n) {\n  (void)n;\n}\n");
  CHECK_THROWS_WITH(project.lesson("Text.\n"),
                    "chapters/02_sum/kernels.cuh: bare has no documentation");
}

TEST_CASE("every page but the first and the last leads both ways") {
  SmallProject project;
  const std::string page = project.lesson("Text.\n").doxygen;
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
                "# Glossary\n\n### Bank conflict\n\nTwo at once.\n\n### Line\n");
  const std::string page =
      project.lesson("A **bank conflict** is not a **line**, and **lines** are not **bold**.\n")
          .doxygen;
  CHECK(contains(page,
                 "<a class=\"term\" href=\"glossary.html#bank-conflict\"><strong>bank "
                 "conflict</strong></a>"));
  CHECK(contains(page, "href=\"glossary.html#line\"><strong>lines</strong></a>"));
  CHECK(contains(page, "not <strong>bold</strong>"));
}

TEST_CASE("the search index has a section for each heading, and the lines of a source") {
  SmallProject project;
  project.write("chapters/02_sum/README.md", "# The sum\n");
  const site::Book book = project.book();
  site::SearchIndex index(book);
  const std::string head = "<h1 class=\"title\">Sums</h1><div class=\"contents\">";
  index.add("chapter_02_sum.html",
            head +
                "<nav class=\"pager\">other</nav><p>first &lt;1&gt;</p>\n"
                "<h2 id=\"words\">The words<span class=\"permalink\">#</span></h2>\n"
                "<!-- 2 > 1 --><ul><li>second</li><li>third</li></ul>\n"
                "<h3 id=\"more\">More</h3><!-- contents -->",
            "");
  index.add("glossary.html", head + "<h2 id=\"line\">Line</h2><p>128 bytes</p><!-- contents -->",
            "");
  index.add("kernels_8cuh_source.html",
            head +
                "<p>its documentation</p>\n<div class=\"line\"><a id=\"l00001\"></a><span "
                "class=\"lineno\">    1</span>"
                "__global__</div>\n<div class=\"line\"><span class=\"lineno\"><a "
                "href=\"x\">    2</a></span>}</div>\n<!-- contents -->",
            "chapters/02_sum/kernels.cuh");
  index.add("functions.html", head + "all functions<!-- contents -->", "");
  index.add("classSum-members.html", head + "all of Sum<!-- contents -->", "");
  index.add("classSum.html", head + "<p>sums</p><!-- contents -->", "");
  CHECK(
      index.script() ==
      R"(window.courseSearchIndex = [)"
      R"({"address":"chapter_02_sum.html","kind":"lesson","section":"","text":"first <1> ","title":"Sums"},)"
      R"({"address":"chapter_02_sum.html#words","kind":"lesson","section":"The words","text":"second third ","title":"Sums"},)"
      R"({"address":"chapter_02_sum.html#more","kind":"lesson","section":"More","text":"","title":"Sums"},)"
      R"({"address":"glossary.html#line","kind":"lesson","section":"Line","text":"128 bytes ","title":"Sums"},)"
      R"({"address":"kernels_8cuh_source.html","kind":"source","section":"","text":"__global__ \n} \n","title":"Sums"},)"
      R"({"address":"classSum.html","kind":"reference","section":"","text":"sums ","title":"Sums"}];)"
      "\n");
}

TEST_CASE("behind Doxygen, links lead to its pages, and CUDA's words are coloured") {
  SmallProject project;
  project.write("chapters/02_sum/README.md", "# The sum\n");
  const tools::TemporaryFolder output;
  output.write("tags.xml",
               "<compound kind=\"file\">\n<name>kernels.cuh</name>\n<path>chapters/02_sum/</path>\n"
               "<filename>kernels_8cuh.html</filename>\n</compound>\n"
               // The path format of older versions, in a folder whose path repeats the project's.
               "<compound kind=\"file\">\n<name>deep.hpp</name>\n<path>" +
                   project.root() + "/common" + project.root() +
                   "/</path>\n<filename>deep_8hpp.html</filename>\n</compound>\n");
  output.write("html/kernels_8cuh.html",
               "<td class=\"memItemRight\" valign=\"bottom\"><a class=\"el\" "
               "href=\"structSum.html\">Sum</a></td>\n"
               "<td class=\"memItemRight\" valign=\"bottom\"><a class=\"el\" "
               "href=\"kernels_8cuh.html#a0\">add_one</a> (int n)</td>\n"
               "<td class=\"memTemplItemRight\" valign=\"bottom\"><a class=\"el\" "
               "href=\"namespacesums.html#a1\">add_two</a> (<a class=\"el\" "
               "href=\"structSum.html\">Sum</a> sum)</td>\n");
  const auto finished = [&](const std::string& page, const std::string& text) {
    const fs::path file = output.write("html/" + page, text);
    output.write("html/index.html", "<a href=\"" + page + "\"><a href=\"kernels_8cuh.html#a0\">");
    site::finish(project.book(), output.path());
    const std::string result = tools::read_file(file);
    fs::remove(file);
    return result;
  };
  CHECK(finished("chapter_02_sum.html",
                 "<nav id=\"site-nav\">\n<a href=\"chapter_02_sum.html\"><a href=\"setup.html\">\n"
                 "</nav>\n<a href=\"chapter_02_sum.html\"><div class=\"title\">Sums</div>\n"
                 "<a href=\"doc:chapters/02_sum/kernels.cuh\">"
                 "<a href=\"doc:chapters/02_sum/kernels.cuh#add_one\">\n"
                 "<a href=\"doc:chapters/02_sum/kernels.cuh#add_two\">\n"
                 "<a href=\"src:chapters/02_sum/kernels.cuh\">"
                 "<a href=\"src:chapters/02_sum/kernels.cuh#L17\">\n") ==
        "<nav id=\"site-nav\">\n<a href=\"chapter_02_sum.html\" aria-current=\"page\">"
        "<a href=\"setup.html\">\n</nav>\n"
        "<a href=\"chapter_02_sum.html\"><h1 class=\"title\">Sums</h1>\n"
        "<a href=\"kernels_8cuh.html\"><a href=\"kernels_8cuh.html#a0\">\n"
        "<a href=\"namespacesums.html#a1\">\n"
        "<a href=\"kernels_8cuh_source.html\"><a href=\"kernels_8cuh_source.html#l00017\">\n");
  CHECK(finished("kernels_8cuh_source.html",
                 "<div class=\"title\">kernels.cuh</div>\n<p>__global__</p>\n<div class=\"line\">"
                 "<a title=\"int2\">__global__</a> float4 f(threadIdx) &int2; int5 "
                 "<span class=\"comment\">// __global__</span></div>\n") ==
        "<h1 class=\"title\">chapters/<wbr>02_sum/<wbr>kernels.cuh</h1>\n<p>__global__</p>\n"
        "<div class=\"line\"><a title=\"int2\"><span class=\"keyword\">__global__</span></a> "
        "<span class=\"keywordtype\">float4</span> f(<span class=\"builtin\">threadIdx</span>) "
        "&int2; int5 <span class=\"comment\">// __global__</span></div>\n");
  CHECK(tools::read_file(output.path() / "html/search_index.js")
            .starts_with("window.courseSearchIndex = [{\"address\":\"kernels_8cuh_source.html\""));

  CHECK(finished("a.html", "<a href=\"doc:common" + project.root() + "/deep.hpp\">\n") ==
        "<a href=\"deep_8hpp.html\">\n");
  CHECK_THROWS_WITH(finished("a.html", "<a href=\"src:none.cuh\">"),
                    "Doxygen does not list none.cuh");
  CHECK_THROWS_WITH(finished("a.html", "<a href=\"doc:chapters/02_sum/kernels.cuh#none\">"),
                    "Doxygen does not know chapters/02_sum/kernels.cuh#none");
}

TEST_CASE("pages that no link leads to are not part of the site") {
  SmallProject project;
  const tools::TemporaryFolder output;
  output.write("tags.xml", "");
  const std::string title = "<div class=\"title\">Sums</div><div class=\"contents\"><p>words</p>";
  output.write("html/index.html", "<a href=\"glossary.html#sum\">");
  output.write("html/glossary.html", title + "<a href=\"classSum.html\"><!-- contents -->");
  output.write("html/classSum.html", title + "<!-- contents -->");
  output.write("html/hierarchy.html", "<a href=\"structOnly.html\"><a href=\"classSum.html\">");
  output.write("html/structOnly.html", title + "<!-- contents -->");
  output.write("html/site.css", "");
  site::finish(project.book(), output.path());
  std::set<std::string> left;
  for (const auto& entry : fs::directory_iterator(output.path() / "html"))
    left.insert(entry.path().filename());
  CHECK(left == std::set<std::string>{"classSum.html", "glossary.html", "index.html", "site.css",
                                      "search_index.js"});
  const std::string index = tools::read_file(output.path() / "html/search_index.js");
  CHECK(contains(index, "\"classSum.html\""));
  CHECK_FALSE(contains(index, "structOnly"));
}

TEST_CASE("whoever comes to the old address of a renumbered chapter is led to the new one") {
  SmallProject project;
  project.write("chapters/02_sum/README.md", "# The sum\n");
  const tools::TemporaryFolder output;
  output.write("tags.xml", "");
  const auto finish = [&](const std::string& list) {
    project.write("docs/renumbered.txt", list);
    std::string links;
    for (const char* page :
         {"chapter_02_sum", "chapter_02_sum_more", "counted_02_sum", "02__sum_2kernels_8cuh"}) {
      output.write(std::string("html/") + page + ".html", "<p>words</p>");
      links += std::string("<a href=\"") + page + ".html\">";
    }
    output.write("html/index.html", links);
    site::finish(project.book(), output.path());
  };
  finish("# old and new\n\n01_sum 02_sum\n");
  for (const char* page : {"chapter_0?_sum.html", "chapter_0?_sum_more.html", "counted_0?_sum.html",
                           "0?__sum_2kernels_8cuh.html"}) {
    const std::string before = site::replace_all(page, "?", "1");
    const std::string now = site::replace_all(page, "?", "2");
    CAPTURE(before);
    REQUIRE(fs::exists(output.path() / "html" / before));
    const std::string text = tools::read_file(output.path() / "html" / before);
    CHECK(contains(text, "location.replace('" + now + "' + location.hash)"));
    CHECK(contains(text, "content=\"0; url=" + now + "\""));
    CHECK(contains(text, "<a href=\"" + now + "\">"));
  }
  CHECK_FALSE(contains(tools::read_file(output.path() / "html/search_index.js"), "01_sum"));

  CHECK_THROWS_WITH(finish("01_sum 03_sum\n"), "docs/renumbered.txt: there is no chapter 03_sum");
  CHECK_THROWS_WITH(finish("01_sum\n"),
                    "docs/renumbered.txt: not an old name and a new one: 01_sum");
  CHECK_THROWS_WITH(finish("02_sum_more 02_sum\n"),
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
    return site::counted_page(
        project.book(), "chapters/02_sum",
        site::counted_listing(project.root(), "chapters/02_sum", programs.path()));
  };
  const std::string two_kernels =
      "section 'add_one&lt;int&gt;' 'add_one&lt;int&gt;(int)'; "
      "section 'add_one&lt;float&gt;' 'add_one&lt;float&gt;(int)'; ";
  const std::string step = "section 'first::sgemm&lt;4&gt;' 'first::sgemm&lt;4&gt;(int)'";

  const std::string page = listed(two_kernels + step);
  CHECK(page.starts_with("# 02 the sum, line by line {#counted_02_sum}\n"));
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

  // Another program or other kernels make a new page.
  const tools::TemporaryFolder output, programs;
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
