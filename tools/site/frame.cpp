#include "tools/site/frame.hpp"

#include <algorithm>
#include <cstddef>

#include "course/html.hpp"
#include "tools/site/ladder.hpp"
#include "tools/site/ladder_walk.hpp"
#include "tools/site/text.hpp"
#include "tools/support/pattern.hpp"
#include "tools/support/source_text.hpp"
#include "tools/support/subprocess.hpp"

namespace site {

using course::escape_html;

namespace {

/// Returns the list of pages that every page shows.
std::string navigation(const Book& book) {
  std::string html, part;
  const auto open = [&](const std::string& title) {
    if (!part.empty()) html += "</ul>\n";
    part = title;
    html += "<h2>" + title + "</h2>\n<ul>\n";
  };
  const auto item = [&](const std::string& address, const std::string& label) {
    html += "<li><a href=\"" + address + "\">" + escape_html(label) + "</a></li>\n";
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
  item("figures.html", "All figures");
  for (const std::filesystem::path& chapter : book.chapters())
    if (!rungs_of(book, chapter).empty()) item(walk_id(chapter) + ".html", "The ladder, by step");
  item("library.html", "Course library");
  item("emulator_api.html", "Emulator interface");
  item("sources.html", "All sources");
  return html + "</ul>\n";
}

/// Returns what a search engine or a shared link says of a page: the beginning of its first
/// paragraph that is a sentence.
std::string description_of(const Contents& page) {
  constexpr std::size_t kShortest = 50, kLongest = 160;
  for (std::size_t at = 0; (at = page.html.find("<p", at)) != std::string::npos; ++at) {
    if (page.html.compare(at, 3, "<p>") != 0 && page.html.compare(at, 3, "<p ") != 0) continue;
    const std::size_t end = std::min(page.html.find("</p>", at), page.html.size());
    std::string text = replace_all(plain_text(page.html.substr(at, end - at)), "\n", " ");
    text = tools::trimmed(text);
    if (text.size() < kShortest) continue;
    if (text.size() <= kLongest) return text;
    return text.substr(0, text.rfind(' ', kLongest)) + " …";
  }
  return plain_text(page.title) + ": a page of Warp by Warp, a course about fast CUDA kernels.";
}

}  // namespace

std::string make_frame(const Book& book) {
  const std::filesystem::path theme = book.root() / "tools/site/theme";
  std::string frame = tools::read_file(theme / "header.html") + "@CONTENTS@" +
                      tools::read_file(theme / "footer.html");
  frame = replace_all(frame, "@NAVIGATION@", navigation(book));
  return replace_all(frame, "@EDITION@", book.edition());
}

std::string framed(const std::string& frame, const Contents& page, Styles styles) {
  const std::string course = "Warp by Warp";
  const std::string title = escape_html(plain_text(page.title));
  std::string sheets;
  if (styles == Styles::of_doxygen)
    for (const char* sheet : {"doxygen.css", "doxygen-awesome.css"})
      sheets += std::string("<link href=\"") + sheet + "\" rel=\"stylesheet\"/>\n";
  const std::string here = "href=\"" + page.name + "\"";
  std::string html = replace_all(frame, here, here + " aria-current=\"page\"");
  html = replace_all(html, "@TITLE@", title == course ? title : title + " - " + course);
  html = replace_all(html, "@DESCRIPTION@", escape_html(description_of(page)));
  html = replace_all(html, "@STYLES@", sheets);
  const std::string mark = "@CONTENTS@";
  return html.replace(html.find(mark), mark.size(),
                      "<div class=\"header\"><h1 class=\"title\">" + page.title +
                          "</h1></div>\n<div class=\"contents\">\n" + page.html + "</div>\n");
}

}  // namespace site
