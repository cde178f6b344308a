/// What becomes of a Markdown file on its way into the site, and what stops the build.

#include <doctest/doctest.h>

#include <filesystem>
#include <string>

#include "html.hpp"
#include "site/book.hpp"
#include "site/lesson.hpp"
#include "site/prepare.hpp"
#include "site/search_index.hpp"
#include "site/text.hpp"
#include "support/subprocess.hpp"

namespace fs = std::filesystem;

namespace {

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

/// A project with one chapter and all the pages that a book has.
class SmallProject {
 public:
  SmallProject() {
    for (const char* page : {"README.md", "docs/setup.md", "docs/glossary.md", "docs/nvprof.md",
                             "docs/measuring.md", "emulator/README.md", "CONTRIBUTING.md"})
      write(page, "# Title\n\n## A section\n");
    write("README.md", "# Home\n\n| [02 the sum](chapters/02_sum/README.md) | why? |\n");
    write("chapters/02_sum/kernels.cuh",
          "#pragma once\n\n/// Adds one. Twice is two.\n/// @pre none\n"
          "__global__ void add_one(int n,\n                        int* x) {  // [n]\n"
          "  if (n > 0) x[0] += 1;\n}\n\n"
          "/// Adds `two`.\n__global__ void add_two(int n,\n                        int* x) {\n"
          "  if (n > 0) x[0] += 2;\n}\n");
  }

  void write(const std::string& file, const std::string& text) { folder_.write(file, text); }
  site::Book book() const { return site::Book(folder_.path()); }

  /// The chapter's page if its README reads like this below the title.
  site::Lesson lesson(const std::string& text) {
    write("chapters/02_sum/README.md", "# The sum\n\n" + text);
    const site::Book book = this->book();
    return site::make_lesson(book, *book.page_of("chapters/02_sum/README.md"));
  }

 private:
  test_support::TemporaryFolder folder_;
};

}  // namespace

TEST_CASE("HTML as text, and text as HTML") {
  CHECK(docs::escape_html("a<b> & \"c\"") == "a&lt;b&gt; &amp; &quot;c&quot;");
  CHECK(docs::unescape_html("&lt;&gt;&quot;&#39;&#160;&nbsp;& &amp;amp; &x;") ==
        "<>\"'  & &amp; &x;");
  CHECK(site::plain_text("<p>a &lt; b<!-- <i> --> &amp;lt;</p>") == "a < b &lt;");
  CHECK(site::slug("Who coalesces? 4 x 8, `__shfl_sync`") == "who-coalesces-4-x-8-__shfl_sync");
  CHECK(site::split_lines("a\n\nb") == std::vector<std::string>{"a", "", "b"});
}

TEST_CASE("a book has its pages in reading order, named as the home page names them") {
  SmallProject project;
  project.write("chapters/02_sum/README.md", "# The sum\n");
  project.write("chapters/10_last_one/README.md", "# Last\n");
  const site::Book book = project.book();
  std::string labels;
  for (const site::Page& page : book.pages()) labels += page.label + "; ";
  CHECK(labels ==
        "Home; Set-up; 02 the sum; 10 last one; Glossary; From nvprof to Nsight Compute; "
        "How the emulator counts; How to measure on a GPU; Contributing; ");
  CHECK(book.page_of("chapters/02_sum/README.md")->id == "chapter_02_sum");
  CHECK(book.page_of("nothing.md") == nullptr);

  test_support::TemporaryFolder empty;
  empty.write("README.md", "# Home\n");
  CHECK_THROWS_WITH(site::Book(empty.path()), "a page of the site is missing: docs/setup.md");
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
  CHECK_THROWS_WITH(project.lesson("[a](#none)\n"),
                    "chapters/02_sum/README.md: there is no heading for #none");
  CHECK_THROWS_WITH(project.lesson("![picture of it](none.svg)\n"),
                    "chapters/02_sum/README.md: a link leads nowhere: none.svg");
  CHECK_THROWS_WITH(project.lesson("# Again\n"),
                    "chapters/02_sum/README.md: it has a second title: Again");
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

TEST_CASE("a figure tells where it comes from, and no comment is left") {
  SmallProject project;
  const site::Lesson lesson = project.lesson(
      "It takes 1,234<!-- figure: h200/x(n=1)/time_ms --> ms, not "
      "15<!-- published: an article -->.\n\n<!-- worked: by hand -->\n| a |\n|---|\n| 1 |\n");
  CHECK(contains(lesson.doxygen,
                 "<span class=\"figure\" title=\"measured: h200/x(n=1)/time_ms\">1,234</span> ms"));
  CHECK(contains(lesson.doxygen, "title=\"published: an article\">15</span>."));
  CHECK_FALSE(contains(lesson.doxygen, "<!--"));
  CHECK_FALSE(contains(lesson.doxygen, "worked"));
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
                "<h2 id=\"words\">The words</h2>\n<p>second</p><!-- contents -->",
            "");
  index.add("kernels_8cuh_source.html",
            head +
                "<div class=\"line\"><a id=\"l00001\"></a><span class=\"lineno\">    1</span>"
                "__global__</div>\n<div class=\"line\"><span class=\"lineno\"><a "
                "href=\"x\">    2</a></span>}</div>\n<!-- contents -->",
            "chapters/02_sum/kernels.cuh");
  index.add("functions.html", head + "all functions<!-- contents -->", "");
  CHECK(
      index.script() ==
      R"(window.courseSearchIndex = [)"
      R"({"address":"chapter_02_sum.html","kind":"lesson","section":"","text":"first <1> ","title":"Sums"},)"
      R"({"address":"chapter_02_sum.html#words","kind":"lesson","section":"The words","text":"second ","title":"Sums"},)"
      R"({"address":"kernels_8cuh_source.html","kind":"source","section":"","text":"__global__ \n} \n","title":"Sums"}];)"
      "\n");
}
