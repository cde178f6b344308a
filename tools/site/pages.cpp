#include "tools/site/pages.hpp"

#include <functional>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "course/html.hpp"
#include "tools/site/counted.hpp"
#include "tools/site/frame.hpp"
#include "tools/site/ladder_walk.hpp"
#include "tools/site/lesson.hpp"
#include "tools/site/old_addresses.hpp"
#include "tools/site/output_folder.hpp"
#include "tools/site/reference.hpp"
#include "tools/site/search_index.hpp"
#include "tools/site/text.hpp"
#include "tools/support/subprocess.hpp"

namespace site {

namespace fs = std::filesystem;
using course::escape_html;

namespace {

/// Returns a list of every kernel of the course, by chapter.
std::string kernels_page(const Book& book, const Reference& reference) {
  std::string html =
      "<p>What each kernel of the course does. The name leads to its documentation, "
      "the lines to its source.</p>\n";
  for (const fs::path& chapter : book.chapters()) {
    const std::vector<Kernel> kernels = kernels_of(book.root(), chapter);
    if (kernels.empty()) continue;
    const Page& page = *book.page_of(chapter / "README.md");
    html += "<h2 id=\"" + page.id + "\"><a href=\"" + page.id + ".html\">" + page.label +
            "</a></h2>\n" + kernel_table(reference, chapter, kernels);
  }
  return html;
}

std::string headers_page(const Book& book, const Reference& reference,
                         const std::string& introduction, bool is_of_emulator) {
  std::string html = "<p>" + introduction +
                     "</p>\n<div class=\"table-scroll\"><table class=\"prose\">\n"
                     "<thead><tr><th>header</th><th>what it is for</th></tr></thead>\n<tbody>\n";
  for (const fs::path& header : public_headers(book.root())) {
    if (header.string().starts_with("emulator") != is_of_emulator) continue;
    html += "<tr><td><a href=\"" + reference.file(header) + "\"><code>" +
            header.filename().string() + "</code></a></td><td>" +
            with_code(summary_of(book.root() / header)) + "</td></tr>\n";
  }
  return html + "</tbody></table></div>\n";
}

/// Returns a list of every source that the reference has, folder by folder.
std::string sources_page(const Reference& reference) {
  std::string html = "<p>Each file leads to its documentation, if it has any.</p>\n", before;
  for (const auto& [file, page] : reference.files()) {
    const std::string folder = fs::path(file).parent_path(), name = fs::path(file).filename();
    if (folder != before)
      html += (before.empty() ? "" : "</ul>\n") + ("<h2 id=\"" + slug(folder) + "\">") +
              replace_all(folder, "/", "/<wbr>") + "</h2>\n<ul>\n";
    before = folder;
    html += "<li><a href=\"" + reference.source(file) + "\"><code>" + escape_html(name) +
            "</code></a></li>\n";
  }
  return html + (before.empty() ? "" : "</ul>\n");
}

/// Returns a list of the numbered figures, by chapter.
std::string figures_page(const std::vector<NumberedFigure>& figures) {
  std::string
      html =
          "<p>The pictures and plots of the chapters, in reading order. Some of them can be moved "
          "where they stand.</p>\n",
      chapter;
  for (const NumberedFigure& figure : figures) {
    const std::string own = figure.number.substr(0, figure.number.find('.'));
    if (own != chapter)
      html += (chapter.empty() ? "" : "</ol>\n") + ("<h2 id=\"chapter-" + own + "\">Chapter ") +
              own + "</h2>\n<ol class=\"figures\">\n";
    chapter = own;
    html += "<li><a href=\"" + figure.address + "\">" + figure.number + "</a> " +
            escape_html(figure.title) + "</li>\n";
  }
  return "<div class=\"textblock\">" + html + (chapter.empty() ? "" : "</ol>\n") + "</div>\n";
}

/// Writes the page and the script of each chapter whose steps are a ladder.
void write_ladders(const Book& book, const Reference& reference,
                   const std::vector<NumberedFigure>& figures, const fs::path& output,
                   OutputFolder& html, const std::function<void(const Contents&)>& write) {
  std::map<std::string, std::string> addresses;  // of pictures, by name
  for (const auto& [name, title] : book.picture_titles())
    for (const NumberedFigure& figure : figures)
      if (figure.title == title) addresses[name] = figure.address;
  std::vector<LadderWalk> walks;
  std::vector<std::string> code;
  for (const fs::path& chapter : book.chapters()) {
    LadderWalk walk(book, chapter);
    if (walk.is_empty()) continue;
    for (std::string& piece : walk.code()) code.push_back(std::move(piece));
    walks.push_back(std::move(walk));
  }
  ColouredCode colours(book.root() / "tools/site/cuda_blocks.py", output / "coloured_steps.json");
  colours.prepare(code);
  for (const LadderWalk& walk : walks) {
    const Contents page = walk.page(reference);
    write(page);
    html.write(fs::path(page.name).stem().string() + ".js",
               walk.script(reference, colours, addresses));
  }
}

/// Copies the explorer, adding a link back to the site and the site's colours.
void copy_explorer(const fs::path& from, OutputFolder& html) {
  for (const auto& entry : fs::directory_iterator(from)) {
    const std::string name = "explorer/" + entry.path().filename().string();
    if (name != "explorer/index.html") {
      html.copy(entry.path(), name);
      continue;
    }
    const std::string page = replace_all(tools::read_file(entry.path()), "</head>",
                                         "  <script src=\"../explorer.js\"></script>\n</head>");
    html.write(name, replace_all(page, "<body>",
                                 "<body>\n  <nav aria-label=\"Pages\" style=\"padding: 16px 0 "
                                 "0\"><a href=\"../index.html\">Warp by Warp</a></nav>"));
  }
}

/// Returns the pages that list what the reference has.
std::vector<Contents> lists(const Book& book, const Reference& reference) {
  std::vector<Contents> pages = {
      {"kernels.html", "All kernels", kernels_page(book, reference)},
      {"library.html", "Course library",
       headers_page(book, reference,
                    "What the chapters have in common: timing, checking, device memory, inputs, "
                    "reports. One small header for each idea, in the folder <code>common</code>; "
                    "what the emulator must know too, in <code>counters</code>.",
                    /*is_of_emulator=*/false)},
      {"emulator_api.html", "Emulator interface",
       headers_page(book, reference,
                    "What a program can ask the emulator, beside CUDA itself, and what the "
                    "rewritten sources call. <a href=\"emulator.html\">How the emulator counts</a> "
                    "is told elsewhere.",
                    /*is_of_emulator=*/true)},
      {"sources.html", "All sources", sources_page(reference)}};
  for (Contents& page : pages) page.html = "<div class=\"textblock\">" + page.html + "</div>\n";
  return pages;
}

}  // namespace

void write_pages(const Book& book, const fs::path& output) {
  const std::string frame = tools::read_file(output / "frame.html");
  const Reference reference(output / "reference.json");
  const fs::path theme = book.root() / "tools/site/theme";
  OutputFolder html(output / "html", output / "pages.list");
  const auto write = [&](const Contents& page) {
    html.write(page.name, framed(frame, page, Styles::of_the_site));
  };

  SearchIndex index;
  std::vector<NumberedFigure> figures;
  for (const Lesson& lesson : make_lessons(book, reference, output)) {
    write(lesson.page);
    figures.insert(figures.end(), lesson.figures.begin(), lesson.figures.end());
    index.add_sections(lesson.page, "lesson");
    for (const fs::path& file : lesson.copied)
      html.copy(book.root() / file, "files/" + file.generic_string());
  }
  std::set<std::string> pages = names_in(output / "reference.list");
  std::set<std::string> kernel_pages;  // their addresses are younger than any renumbering
  for (const fs::path& chapter : book.chapters())
    for (const Contents& page : counted_pages(book, reference, chapter, output)) {
      write(page);
      if (page.name != counted_id(chapter) + ".html") kernel_pages.insert(page.name);
    }
  for (const Contents& page : lists(book, reference)) write(page);
  write_ladders(book, reference, figures, output, html, write);
  write({"figures.html", "All figures", figures_page(figures)});
  html.write("search_index.js", index.script("courseSearchIndex"));
  for (const auto& entry : fs::directory_iterator(theme))
    if (entry.path().extension() != ".html") html.copy(entry.path(), entry.path().filename());
  if (book.has_explorer()) copy_explorer(book.root() / "docs/explorer", html);

  pages.insert(html.names().begin(), html.names().end());
  std::erase_if(pages, [&](const std::string& name) {
    return !name.ends_with(".html") || name.find('/') != std::string::npos ||
           kernel_pages.contains(name);
  });
  for (const auto& [name, text] : old_addresses(book, pages)) html.write(name, text);
  html.finish();
}

}  // namespace site
