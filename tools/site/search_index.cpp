#include "tools/site/search_index.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>

#include "tools/site/lesson.hpp"
#include "tools/site/text.hpp"
#include "tools/support/pattern.hpp"
#include "tools/support/source_text.hpp"

namespace site {

namespace {

/// A piece of a page below one anchor.
struct Section {
  std::string anchor, heading, text;
};

/// The text of a page without its lists of other pages and sections, and without what it says
/// twice.
std::string without_repetition(std::string html) {
  const std::pair<std::string_view, std::string_view> left_out[] = {{"<nav ", "</nav>"},
                                                                    {kAsPrinted, "</details>"}};
  for (const auto& [begin, end] : left_out)
    for (std::size_t at = 0; (at = html.find(begin, at)) != std::string::npos;)
      html.erase(at, html.find(end, at) - at);
  return html;
}

/// Splits a page at headings. A section's anchor is the heading's own or the one just before it.
std::vector<Section> sections_of(const std::string& contents) {
  static const tools::Pattern kId(R"re( id="([^"]+)")re");
  static const tools::Pattern kPermalink(R"re(<span class="permalink">.*?</span>)re");
  std::vector<Section> sections(1);
  std::string anchor;
  for (std::size_t at = 0; at < contents.size();) {
    const std::size_t tag = std::min(contents.find('<', at), contents.size());
    sections.back().text += contents.substr(at, tag - at);
    if (tag == contents.size()) break;
    const bool is_comment = contents.compare(tag, 4, "<!--") == 0;
    const std::size_t close = contents.find(is_comment ? "-->" : ">", tag);
    if (close == std::string::npos) break;
    const std::string text = contents.substr(tag, close + 1 - tag);
    at = close + (is_comment ? 3 : 1);
    const bool is_heading = text.starts_with("<h2") || text.starts_with("<h3");
    if (is_heading || text.starts_with("<a "))
      if (const tools::Match id = kId.search(text)) anchor = id[1];
    if (is_heading) {
      const std::size_t end = contents.find("</h", at);
      const std::string heading = kPermalink.replace(contents.substr(at, end - at), "");
      sections.push_back({anchor, tools::trimmed(plain_text(heading)), ""});
      at = end;
    } else if (text == "</p>" || text == "</div>" || text == "</td>" || text == "</th>" ||
               text == "</li>") {
      sections.back().text += '\n';
    }
  }
  return sections;
}

/// Joins words with single blanks.
std::string tidy(const std::string& text) {
  std::string result;
  for (const std::string& line : split_lines(plain_text(text))) {
    bool blank = false;
    for (const char c : line) {
      if (c == ' ' || c == '\t') {
        blank = true;
        continue;
      }
      if (blank && !result.empty() && result.back() != ' ') result += ' ';
      blank = false;
      result += c;
    }
    if (!result.empty() && result.back() != ' ') result += ' ';
  }
  return result;
}

}  // namespace

void SearchIndex::add(const Contents& page, const std::string& kind, const std::string& anchor,
                      const std::string& section, const std::string& text) {
  entries_.push_back({.address = page.name + (anchor.empty() ? "" : "#" + anchor),
                      .title = tools::trimmed(plain_text(page.title)),
                      .section = section,
                      .kind = kind,
                      .text = text});
}

void SearchIndex::add_sections(const Contents& page, const std::string& kind) {
  for (const auto& [anchor, heading, html] : sections_of(without_repetition(page.html))) {
    const std::string text = tidy(html);
    if (!heading.empty() || text.size() > 1) add(page, kind, anchor, heading, text);
  }
}

void SearchIndex::add_source(const Contents& page) {
  static const tools::Pattern kLineNumber(
      R"re(<span class="lineno">(<a [^>]*>)?[^<]*(</a>)?</span>)re");
  std::string lines;
  for (const std::string& line : split_lines(page.html))
    if (line.find("<div class=\"line\">") != std::string::npos)
      lines += tidy(kLineNumber.replace(line, "")) + '\n';
  add(page, "source", "", "", lines);
}

std::string SearchIndex::script(const std::string& variable) const {
  auto array = nlohmann::json::array();
  for (const Entry& entry : entries_)
    array.push_back({{"address", entry.address},
                     {"title", entry.title},
                     {"section", entry.section},
                     {"kind", entry.kind},
                     {"text", entry.text}});
  return "window." + variable + " = " + array.dump() + ";\n";
}

}  // namespace site
