#include "tools/plot/svg_card.hpp"

#include <array>
#include <stdexcept>
#include <string_view>

#include "course/html.hpp"
#include "tools/support/pattern.hpp"

namespace plot {
namespace {

using tools::Match;
using tools::Pattern;

/// A colour of style.gp. There it is written #00000N, where N is its position in this table, from
/// 1.
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

/// Returns the colour that gnuplot wrote: one of ours, or one of the few that it uses by itself.
const Colour& colour_written(std::string_view text) {
  static const Pattern kOurs(R"(rgb\(\s*0,\s*0,\s*(\d+)\)|#00000(\d))");
  if (const Match match = kOurs.matches(text)) {
    const unsigned long place = std::stoul(match.str(match.has(1) ? 1 : 2));
    if (place == 0) return kColours[1];
    if (place <= kColours.size()) return kColours[place - 1];
  } else if (text == "black") {
    return kColours[1];
  } else if (text == "gray") {
    return kColours[3];
  }
  throw std::runtime_error("style.gp names no colour " + std::string(text));
}

/// Turns a tag's colour attributes into classes: `stroke="rgb(0,0,2)"` becomes stroke-ink.
std::string with_classes(const std::string& tag) {
  static const Pattern kAttribute(
      R"re(\s+(stroke|fill|color)\s*=\s*(["'])\s*(rgb\([^)]*\)|#[0-9A-Fa-f]{6}|black|gray)\s*\2)re");
  static const Pattern kClass(R"re(\s+class="[^"]*")re");
  std::string classes;
  std::string rest = kAttribute.replace(tag, [&](const Match& match) {
    classes += (classes.empty() ? "" : " ") + match.str(1) + "-" + colour_written(match[3]).name;
    return "";
  });
  if (classes.empty()) return tag;
  rest = kClass.replace(rest, "");
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

/// Replaces the first match of `what` by `by`.
std::string replaced(const std::string& text, const Pattern& what, const std::string& by) {
  const Match match = what.search(text);
  if (!match) throw std::runtime_error("this is no SVG as gnuplot writes it");
  return std::string(match.before()) + by + std::string(match.after());
}

}  // namespace

std::string as_card(const std::string& svg, const Caption& caption, const std::string& origin) {
  std::string text = svg;
  // Remove defaults that our style sheet sets, and unnecessary groups and definitions.
  for (const auto& [what, by] : {std::pair{R"re( font-family="[^"]*")re", ""},
                                 {R"re(<filter[\s\S]*?</filter>\s*)re", ""},
                                 {R"re( class="gridline")re", ""},
                                 {R"re(<title>(?!Gnuplot)[^<]*</title>)re", ""}})
    text = Pattern(what).replace(text, by);
  const Pattern empty_group(R"re([ \t]*<g [^>]*>\s*</g>\n?)re");
  for (std::string before; before != text;) text = empty_group.replace(before = text, "");

  std::string result = Pattern("<[a-z][^>]*>").replace(text, [](const Match& tag) {
    return with_classes(tag.str());
  });
  result =
      replaced(result, Pattern("<svg "), "<svg role=\"img\" aria-labelledby=\"title description\"");
  result = replaced(result, Pattern(R"(<title>[^<]*</title>\s*<desc>[^<]*</desc>\n?)"),
                    "<title id=\"title\">" + course::escape_html(caption.title) +
                        "</title>\n<desc id=\"description\">" +
                        course::escape_html(caption.description) + "</desc>\n<metadata>\n" +
                        course::escape_html(origin) + "</metadata>\n" + style_sheet());
  // A line one pixel wide is sharp at half a pixel.
  static const Pattern kPaper(
      R"re(<rect class="fill-paper" x="0" y="0" width="(\d+)" height="(\d+)"/>)re");
  const Match size = kPaper.search(result);
  if (!size) throw std::runtime_error("gnuplot painted no background");
  return replaced(result, kPaper,
                  "<rect class=\"fill-paper stroke-grid\" x=\"0.5\" y=\"0.5\" width=\"" +
                      std::to_string(std::stoi(size.str(1)) - 1) + "\" height=\"" +
                      std::to_string(std::stoi(size.str(2)) - 1) + "\" rx=\"6\"/>");
}

std::string origin_of(const std::string& card) {
  const std::string open = "<metadata>\n", close = "</metadata>";
  const std::size_t begin = card.find(open), end = card.find(close);
  if (begin == std::string::npos || end == std::string::npos) return "";
  return course::unescape_html(
      std::string_view(card).substr(begin + open.size(), end - begin - open.size()));
}

}  // namespace plot
