#include "tools/draw/svg.hpp"

#include <fmt/format.h>

#include <stdexcept>

#include "course/html.hpp"

namespace pictures {

namespace {

constexpr double kTopMargin = 14, kTitleHeight = 26, kBottomMargin = 10, kSideMargin = 20;
constexpr std::size_t kTints = 8, kMostTitleLetters = 74;

constexpr const char* kStyle = R"css(
svg{--paper:#fff;--edge:#d0d7de;--ink:#1f2328;--muted:#57606a;--faint:#d8dee4;--grid:#6e7781;
--used:#1f5fc4;--on-used:#fff;--second:#0b7468;--third:#7a3fb8;--waste:#b35900;--pale:#fdebd3;
--t0:#cfe3ff;--t1:#ffe0bf;--t2:#c9efd9;--t3:#e8dbff;--t4:#ffd7de;--t5:#d6f1f5;--t6:#f3eab5;--t7:#e3e6ea}
@media (prefers-color-scheme:dark){
svg{--paper:#161b22;--edge:#3d444d;--ink:#e6edf3;--muted:#a3adb8;--faint:#30363d;--grid:#8b949e;
--used:#6cb0ff;--on-used:#0a1628;--second:#4fd0bd;--third:#c8a2ff;--waste:#f0a04b;--pale:#402a12;
--t0:#1f4173;--t1:#65400f;--t2:#1c5136;--t3:#4b3579;--t4:#6b2737;--t5:#17505b;--t6:#574c0f;--t7:#444c56}}
text{font:12px system-ui,-apple-system,"Segoe UI","DejaVu Sans",Helvetica,Arial,sans-serif;fill:var(--ink)}
.title{font-size:15px;font-weight:600}
.small{font-size:11px}
.code{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace}
.strong{font-weight:600}
.muted{fill:var(--muted)}
.waste{fill:var(--waste)}
.card{fill:var(--paper);stroke:var(--edge)}
.cell{fill:none;stroke:var(--grid)}
.idle{fill:none;stroke:var(--faint)}
.used{fill:var(--used);stroke:var(--paper);stroke-width:.7}
.second{fill:var(--second);stroke:var(--paper);stroke-width:.7}
.conflict{fill:var(--waste);stroke:var(--paper);stroke-width:.7}
.third{fill:var(--third);stroke:var(--paper);stroke-width:.7}
.on{fill:var(--on-used)}
.many{text-decoration:underline}
.unused{fill:url(#waste);stroke:none}
.sector{fill:none;stroke:var(--ink);stroke-width:1.3}
.border{stroke:var(--ink);stroke-width:2}
.rule{stroke:var(--grid)}
.to-used{stroke:var(--used);stroke-width:1.1;opacity:.75}
.to-second{stroke:var(--second);stroke-width:1.1;opacity:.75}
.marked{fill:none;stroke:var(--ink);stroke-width:2}
.halo{paint-order:stroke;stroke:var(--paper);stroke-width:4px;stroke-linejoin:round}
.t0{fill:var(--t0)}.t1{fill:var(--t1)}.t2{fill:var(--t2)}.t3{fill:var(--t3)}
.t4{fill:var(--t4)}.t5{fill:var(--t5)}.t6{fill:var(--t6)}.t7{fill:var(--t7)}
.tile{stroke:var(--paper);stroke-width:1}
)css";

/// Returns a number with at most two decimals, without trailing zeros.
std::string number(double value) {
  std::string text = fmt::format("{:.2f}", value);
  while (text.back() == '0') text.pop_back();
  if (text.back() == '.') text.pop_back();
  return text == "-0" ? "0" : text;
}

}  // namespace

Svg::Svg(const std::string& title, const std::string& description)
    : title_(title), description_(description) {
  if (title.size() > kMostTitleLetters) throw std::runtime_error("a title is too long: " + title);
  y = kTopMargin + kTitleHeight;
  text(kSideMargin, kTopMargin + 13, title, "title");
}

void Svg::rect(double x, double top, double width, double height, std::string_view marks,
               double radius) {
  marks_ += fmt::format(R"(<rect x="{}" y="{}" width="{}" height="{}" class="{}")", number(x),
                        number(top), number(width), number(height), marks);
  if (radius > 0) marks_ += fmt::format(R"( rx="{}")", number(radius));
  marks_ += "/>\n";
}

void Svg::line(double x1, double y1, double x2, double y2, std::string_view marks) {
  marks_ += fmt::format(R"(<line x1="{}" y1="{}" x2="{}" y2="{}" class="{}"/>)", number(x1),
                        number(y1), number(x2), number(y2), marks) +
            "\n";
}

void Svg::text(double x, double baseline, std::string_view words, std::string_view marks,
               Anchor anchor) {
  marks_ += fmt::format(R"(<text x="{}" y="{}")", number(x), number(baseline));
  if (!marks.empty()) marks_ += fmt::format(R"( class="{}")", marks);
  if (anchor != Anchor::start)
    marks_ += fmt::format(R"( text-anchor="{}")", anchor == Anchor::middle ? "middle" : "end");
  marks_ += fmt::format(">{}</text>\n", course::escape_html(words));
}

void Svg::pixels(double x, double top, double size,
                 const std::map<std::string, std::string>& runs) {
  marks_ += fmt::format(
      "<g fill=\"none\" shape-rendering=\"crispEdges\" "
      "transform=\"translate({} {}) scale({})\">\n",
      number(x), number(top + size / 2), number(size));
  for (const auto& [colour, path] : runs)
    marks_ += fmt::format("<path stroke=\"{}\" d=\"{}\"/>\n", colour, path);
  marks_ += "</g>\n";
}

bool Svg::shows(std::string_view marks) const {
  return marks_.find(fmt::format(R"(class="{}")", marks)) != std::string::npos;
}

std::string Svg::finish() const {
  const std::string height = number(y + kBottomMargin);
  std::string file = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" "
      "viewBox=\"0 0 {0} {1}\" role=\"img\" aria-labelledby=\"title desc\">\n"
      "<title id=\"title\">{2}</title>\n<desc id=\"desc\">{3}</desc>\n",
      number(kPageWidth), height, course::escape_html(title_), course::escape_html(description_));
  file += fmt::format("<style>{}{}</style>\n", kStyle, rules_);
  file +=
      "<defs><pattern id=\"waste\" width=\"5\" height=\"5\" patternUnits=\"userSpaceOnUse\" "
      "patternTransform=\"rotate(45)\"><rect width=\"5\" height=\"5\" style=\"fill:var(--pale)\"/>"
      "<rect width=\"1.6\" height=\"5\" style=\"fill:var(--waste)\"/></pattern></defs>\n";
  file += fmt::format(R"(<rect x="0.5" y="0.5" width="{}" height="{}" rx="8" class="card"/>)",
                      number(kPageWidth - 1), number(y + kBottomMargin - 1));
  return file + "\n" + marks_ + "</svg>\n";
}

std::string tint(std::size_t i) { return fmt::format("t{}", i % kTints); }

}  // namespace pictures
