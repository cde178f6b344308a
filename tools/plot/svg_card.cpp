#include "tools/plot/svg_card.hpp"

#include <array>
#include <regex>
#include <stdexcept>
#include <string_view>

#include "course/html.hpp"

namespace plot {
namespace {

/// A colour of style.gp: there it is #00000N, N being its place in this table from 1 on.
///
/// Blue, vermilion, green and purple differ for every kind of colour blindness; all but paper and
/// grid have a contrast of at least 4.5 : 1 with the paper, so that text may have them.
struct Colour {
  const char* name;
  const char* light;
  const char* dark;
};

constexpr std::array<Colour, 8> kColours = {{{"paper", "#ffffff", "#161b22"},
                                             {"ink", "#1f2328", "#e6edf3"},
                                             {"muted", "#59636e", "#a0abb7"},
                                             {"grid", "#dfe3e8", "#30363d"},
                                             {"one", "#0064a8", "#62b0ff"},
                                             {"two", "#b34700", "#ff9f5a"},
                                             {"three", "#007058", "#4fd0a5"},
                                             {"four", "#8f3d77", "#e3a3d0"}}};

/// The colour that gnuplot wrote: one of ours, or one of the few that it uses by itself.
const Colour& colour_written(const std::string& text) {
  static const std::regex kOurs(R"(rgb\(\s*0,\s*0,\s*(\d+)\)|#00000(\d))");
  std::smatch match;
  if (std::regex_match(text, match, kOurs)) {
    const unsigned long place = std::stoul(match[1].matched ? match[1] : match[2]);
    if (place == 0) return kColours[1];
    if (place <= kColours.size()) return kColours[place - 1];
  } else if (text == "black") {
    return kColours[1];
  } else if (text == "gray") {
    return kColours[3];
  }
  throw std::runtime_error("style.gp names no colour " + text);
}

/// Colours as attributes of one tag become classes: `stroke="rgb(0,0,2)"`, stroke-ink.
std::string with_classes(const std::string& tag) {
  static const std::regex kAttribute(
      R"re(\s+(stroke|fill|color)\s*=\s*(["'])\s*(rgb\([^)]*\)|#[0-9A-Fa-f]{6}|black|gray)\s*\2)re");
  static const std::regex kClass(R"re(\s+class="[^"]*")re");
  std::string classes, rest;
  std::string left = tag;
  for (std::smatch match; std::regex_search(left, match, kAttribute); left = match.suffix()) {
    classes += (classes.empty() ? "" : " ") + match[1].str() + "-" + colour_written(match[3]).name;
    rest += match.prefix();
  }
  rest += left;
  if (classes.empty()) return tag;
  rest = std::regex_replace(rest, kClass, "");
  return rest.insert(rest.find_first_of(" \t\n/>", 1), " class=\"" + classes + "\"");
}

std::string style_sheet() {
  const auto rules = [](const char* Colour::*shade) {
    std::string text;
    for (const Colour& colour : kColours)
      for (const char* property : {"fill", "stroke", "color"})
        text += "." + std::string(property) + "-" + colour.name + "{" + property + ":" +
                colour.*shade + "}";
    return text;
  };
  return "<style>\n" + rules(&Colour::light) +
         "\ntext{font-family:system-ui,'Segoe UI',Roboto,'DejaVu Sans',sans-serif}" +
         "\n@media (prefers-color-scheme:dark){" + rules(&Colour::dark) + "}\n</style>\n";
}

std::string replaced(std::string text, const std::regex& what, const std::string& by) {
  std::smatch match;
  if (!std::regex_search(text, match, what))
    throw std::runtime_error("this is no SVG as gnuplot writes it");
  return text.replace(static_cast<std::size_t>(match.position()),
                      static_cast<std::size_t>(match.length()), by);
}

}  // namespace

std::string as_card(const std::string& svg, const Caption& caption, const std::string& origin) {
  std::string text = svg;
  // Defaults that our style sheet gives, and groups and definitions that nothing needs.
  for (const auto& [what, by] : {std::pair{R"re( font-family="[^"]*")re", ""},
                                 {R"re(<filter[\s\S]*?</filter>\s*)re", ""},
                                 {R"re( class="gridline")re", ""},
                                 {R"re(<title>(?!Gnuplot)[^<]*</title>)re", ""}})
    text = std::regex_replace(text, std::regex(what), by);
  const std::regex empty_group(R"re([ \t]*<g [^>]*>\s*</g>\n?)re");
  for (std::string before; before != text;)
    text = std::regex_replace(before = text, empty_group, "");

  std::string result;
  const std::regex tag(R"(<[a-z][^>]*>)");
  std::string left = text;
  std::size_t done = 0;
  for (auto at = std::sregex_iterator(text.begin(), text.end(), tag); at != std::sregex_iterator();
       ++at) {
    const auto begin = static_cast<std::size_t>(at->position());
    result += text.substr(done, begin - done) + with_classes(at->str());
    done = begin + static_cast<std::size_t>(at->length());
  }
  result += text.substr(done);

  result = replaced(result, std::regex(R"(<svg )"),
                    "<svg role=\"img\" aria-labelledby=\"title description\"");
  result = replaced(result, std::regex(R"(<title>[^<]*</title>\s*<desc>[^<]*</desc>\n?)"),
                    "<title id=\"title\">" + course::escape_html(caption.title) +
                        "</title>\n<desc id=\"description\">" +
                        course::escape_html(caption.description) + "</desc>\n<metadata>\n" +
                        course::escape_html(origin) + "</metadata>\n" + style_sheet());
  // A line of one pixel is sharp half a pixel inside.
  static const std::regex kPaper(
      R"re(<rect class="fill-paper" x="0" y="0" width="(\d+)" height="(\d+)"/>)re");
  std::smatch size;
  if (!std::regex_search(result, size, kPaper))
    throw std::runtime_error("gnuplot painted no background");
  return replaced(result, kPaper,
                  "<rect class=\"fill-paper stroke-grid\" x=\"0.5\" y=\"0.5\" width=\"" +
                      std::to_string(std::stoi(size[1]) - 1) + "\" height=\"" +
                      std::to_string(std::stoi(size[2]) - 1) + "\" rx=\"6\"/>");
}

std::string origin_of(const std::string& card) {
  const std::string open = "<metadata>\n", close = "</metadata>";
  const std::size_t begin = card.find(open), end = card.find(close);
  if (begin == std::string::npos || end == std::string::npos) return "";
  return course::unescape_html(
      std::string_view(card).substr(begin + open.size(), end - begin - open.size()));
}

}  // namespace plot
