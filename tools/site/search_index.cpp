#include "tools/site/search_index.hpp"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "tools/site/text.hpp"
#include "tools/support/pattern.hpp"
#include "tools/support/source_text.hpp"

namespace site {

namespace {

/// Beginnings of the names of Doxygen's pages about types and namespaces.
constexpr std::array<std::string_view, 3> kReference = {"class", "struct", "namespace"};

/// A part of a page below one anchor.
struct Section {
  std::string anchor, heading, text;
};

/// Returns the text between Doxygen's marks for a page's contents.
std::string contents_of(const std::string& html) {
  const std::size_t begin = html.find("<div class=\"contents\">");
  const std::size_t end = html.find("<!-- contents -->");
  if (begin == std::string::npos) return "";
  std::string contents = html.substr(begin, end - begin);
  for (std::size_t at = 0; (at = contents.find("<nav ", at)) != std::string::npos;)
    contents.erase(at, contents.find("</nav>", at) - at);
  return contents;
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

void SearchIndex::add(const std::string& name, const std::string& html, const std::string& file) {
  static const tools::Pattern kTitle(R"re(<h1 class="title">(.*)</h1>)re");
  static const tools::Pattern kLineNumber(
      R"re(<span class="lineno">(<a [^>]*>)?[^<]*(</a>)?</span>)re");
  const tools::Match found = kTitle.search(html);
  if (!found) return;
  const std::string title = tools::trimmed(plain_text(found[1]));
  const auto entry = [&](const std::string& kind, const Section& section, const std::string& text) {
    entries_.push_back({.address = name + (section.anchor.empty() ? "" : "#" + section.anchor),
                        .title = title,
                        .section = section.heading,
                        .kind = kind,
                        .text = text});
  };
  const std::string contents = contents_of(html);
  if (name.ends_with("_source.html")) {
    std::string lines;
    for (const std::string& line : split_lines(contents))
      if (line.find("<div class=\"line\">") != std::string::npos)
        lines += tidy(kLineNumber.replace(line, "")) + '\n';
    entry("source", {}, lines);
    return;
  }
  const auto& pages = book_.pages();
  const bool is_lesson = std::any_of(pages.begin(), pages.end(),
                                     [&](const Page& page) { return page.id + ".html" == name; });
  const bool is_reference =
      !file.empty() ||
      (kReference.end() != std::find_if(kReference.begin(), kReference.end(),
                                        [&](const auto& kind) { return name.starts_with(kind); }) &&
       !name.ends_with("-members.html"));
  if (!is_lesson && !is_reference) return;
  for (const Section& section : sections_of(contents)) {
    const std::string text = tidy(section.text);
    if (!section.heading.empty() || text.size() > 1)
      entry(is_lesson ? "lesson" : "reference", section, text);
  }
}

std::string SearchIndex::script() const {
  auto array = nlohmann::json::array();
  for (const Entry& entry : entries_)
    array.push_back({{"address", entry.address},
                     {"title", entry.title},
                     {"section", entry.section},
                     {"kind", entry.kind},
                     {"text", entry.text}});
  return "window.courseSearchIndex = " + array.dump() + ";\n";
}

}  // namespace site
