#include "tools/site/prepare.hpp"

#include <fstream>
#include <functional>
#include <set>
#include <stdexcept>

#include "course/html.hpp"
#include "tools/site/counted.hpp"
#include "tools/site/lesson.hpp"
#include "tools/site/text.hpp"
#include "tools/support/pattern.hpp"
#include "tools/support/source_text.hpp"
#include "tools/support/subprocess.hpp"

namespace site {

namespace fs = std::filesystem;
using course::escape_html;

namespace {

void write(const fs::path& file, const std::string& text) {
  fs::create_directories(file.parent_path());
  std::ofstream stream(file);
  stream << text;
  if (!stream.flush()) throw std::runtime_error("cannot write " + file.string());
}

/// Returns the list of pages that every page shows.
std::string navigation(const Book& book) {
  std::string html, part;
  const auto open = [&](const std::string& title) {
    if (!part.empty()) html += "</ul>\n";
    part = title;
    html += "<h2>" + title + "</h2>\n<ul>\n";
  };
  const auto item = [&](const std::string& address, const std::string& label) {
    html += "<li><a href=\"$relpath^" + address + "\">" + escape_html(label) + "</a></li>\n";
  };
  for (const Page& page : book.pages()) {
    if (page.part != part) {
      open(page.part);
      if (part == "Background" && book.has_explorer()) item("explorer/index.html", "Explorer");
    }
    item(page.id + ".html", page.label);
  }
  open("Reference");
  item("kernels.html", "All kernels");
  item("library.html", "Course library");
  item("emulator_api.html", "Emulator interface");
  return html + "</ul>\n";
}

/// Returns the newest heading of the changes: "0.2.0 of 2026-11-28".
std::string edition(const Book& book) {
  static const tools::Pattern kHeading(R"(^## (\d+\.\d+\.\d+), (\d{4}-\d\d-\d\d)$)");
  for (const std::string& line : tools::read_lines(book.root() / "CHANGELOG.md"))
    if (const tools::Match heading = kHeading.search(line))
      return heading.str(1) + " of " + heading.str(2);
  throw std::runtime_error("CHANGELOG.md: no heading names a version and its date");
}

/// Returns a page with every kernel of the course, by chapter.
std::string kernels_page(const Book& book) {
  std::string html =
      "<p>What each kernel of the course does. The name leads to its documentation, "
      "the lines to its source.</p>\n";
  for (const fs::path& chapter : book.chapters()) {
    const std::vector<Kernel> kernels = kernels_of(book.root(), chapter);
    if (kernels.empty()) continue;
    const Page& page = *book.page_of(chapter / "README.md");
    html += "<h2 id=\"" + page.id + "\"><a href=\"" + page.id + ".html\">" + page.label +
            "</a></h2>\n" + kernel_table(chapter, kernels);
  }
  return html;
}

std::string headers_page(const Book& book, const std::string& introduction, bool is_of_emulator) {
  std::string html = "<p>" + introduction +
                     "</p>\n<div class=\"table-scroll\"><table class=\"prose\">\n"
                     "<thead><tr><th>header</th><th>what it is for</th></tr></thead>\n<tbody>\n";
  for (const fs::path& header : public_headers(book.root())) {
    if (header.string().starts_with("emulator") != is_of_emulator) continue;
    html += "<tr><td><a href=\"doc:" + header.string() + "\"><code>" + header.filename().string() +
            "</code></a></td><td>" + with_code(summary_of(book.root() / header)) + "</td></tr>\n";
  }
  return html + "</tbody></table></div>\n";
}

/// Returns comments that make Doxygen document the chapters' files.
std::string file_comments(const Book& book) {
  struct Kind {
    const char* file;
    const char* what;
  };
  constexpr Kind kKinds[] = {{"kernels.cuh", "The kernels of chapter "},
                             {"main.cu", "The experiment of chapter "},
                             {"alone.cu", "A whole program, of chapter "}};
  std::string text;
  const auto comment = [&](const fs::path& file, const std::string& brief) {
    text += "/** @file " + file.string() + "\n *  @brief " + brief + "\n */\n";
  };
  for (const fs::path& chapter : book.chapters()) {
    const std::string label = book.page_of(chapter / "README.md")->label;
    for (const auto& [file, what] : kKinds)
      if (fs::exists(book.root() / chapter / file)) comment(chapter / file, what + label);
    std::string before;
    for (const Kernel& kernel : kernels_of(book.root(), chapter)) {
      if (kernel.file.parent_path() == chapter || kernel.file.string() == before) continue;
      before = kernel.file.string();
      comment(kernel.file, "A step of chapter " + label);
    }
  }
  return text;
}

/// Copies the explorer, adding a link back to the site and the site's colours.
void copy_explorer(const fs::path& from, const fs::path& to) {
  fs::copy(from, to, fs::copy_options::recursive);
  const fs::path page = to / "index.html";
  std::string html = tools::read_file(page);
  html = replace_all(html, "</head>", "  <script src=\"../explorer.js\"></script>\n</head>");
  html = replace_all(html, "<body>",
                     "<body>\n  <nav aria-label=\"Pages\" style=\"padding: 16px 0 0\"><a "
                     "href=\"../index.html\">Warp by Warp</a></nav>");
  write(page, html);
}

/// Returns what a listing is made from: the names, sizes and hashes of programs and texts.
std::string origin_of(const fs::path& root, const fs::path& chapter, const fs::path& programs) {
  std::set<fs::path> files = {fs::read_symlink("/proc/self/exe"), programs / chapter.filename(),
                              root / "docs/measurements/experiments.json"};
  for (const Kernel& kernel : kernels_of(root, chapter)) files.insert(root / kernel.file);
  std::string origin;
  for (const fs::path& file : files) {
    const std::string text = tools::read_file(file);
    origin += file.string() + ' ' + std::to_string(text.size()) + ' ' +
              std::to_string(std::hash<std::string>()(text)) + '\n';
  }
  return origin;
}

fs::path listing_file(const fs::path& output, const fs::path& chapter) {
  return output / "counted" / (chapter.filename().string() + ".html");
}

}  // namespace

void count(const fs::path& root, const fs::path& chapter, const fs::path& programs,
           const fs::path& output) {
  const fs::path listing = listing_file(output, chapter);
  const fs::path record = fs::path(listing).replace_extension(".made_of");
  const std::string origin = origin_of(root, chapter, programs);
  if (fs::exists(listing) && fs::exists(record) && tools::read_file(record) == origin) {
    fs::last_write_time(listing, fs::file_time_type::clock::now());
    return;
  }
  fs::remove(record);
  write(listing, counted_listing(root, chapter, programs));
  write(record, origin);
}

void prepare(const Book& book, const fs::path& output) {
  const fs::path pages = output / "pages", html = output / "html";
  for (const Page& page : book.pages()) {
    const Lesson lesson = make_lesson(book, page);
    write(pages / (page.id + ".md"), lesson.doxygen);
    for (const fs::path& file : lesson.copied) {
      fs::create_directories((html / "files" / file).parent_path());
      fs::copy_file(book.root() / file, html / "files" / file,
                    fs::copy_options::overwrite_existing);
    }
  }
  for (const fs::path& chapter : book.chapters())
    write(pages / (counted_id(chapter) + ".md"),
          counted_page(book, chapter, tools::read_file(listing_file(output, chapter))));
  write(pages / "kernels.md", doxygen_page("kernels", "All kernels", kernels_page(book)));
  write(pages / "library.md",
        doxygen_page("library", "Course library",
                     headers_page(book,
                                  "What the chapters have in common: timing, checking, device "
                                  "memory, inputs, reports. One small header for each idea, in the "
                                  "folder <code>common</code>; what the emulator must know too, in "
                                  "<code>counters</code>.",
                                  /*is_of_emulator=*/false)));
  write(pages / "emulator_api.md",
        doxygen_page("emulator_api", "Emulator interface",
                     headers_page(book,
                                  "What a program can ask the emulator, beside CUDA itself, and "
                                  "what the rewritten sources call. <a href=\"emulator.html\">How "
                                  "the emulator counts</a> is told elsewhere.",
                                  /*is_of_emulator=*/true)));
  write(pages / "files.dox", file_comments(book));
  if (book.has_explorer()) copy_explorer(book.root() / "docs/explorer", html / "explorer");

  const fs::path theme = book.root() / "tools/site/theme";
  const std::string header = tools::read_file(theme / "header.html");
  write(output / "header.html", replace_all(header, "@NAVIGATION@", navigation(book)));
  const std::string footer = tools::read_file(theme / "footer.html");
  write(output / "footer.html", replace_all(footer, "@EDITION@", edition(book)));
}

}  // namespace site
