// Draws a session at a shell: what is typed, and what is printed.
#include <fmt/format.h>

#include <stdexcept>
#include <string>

#include "tools/draw/panels.hpp"

namespace pictures {

namespace {

constexpr double kLineHeight = 19, kLetter = 7.3, kPad = 14, kFrameLeft = 24;
constexpr double kFrameWidth = kPageWidth - 2 * kFrameLeft, kBarHeight = 22, kDot = 9, kApart = 15;
constexpr int kDots = 3;
/// Seconds: for a line that is typed, for one that is printed, and for the reader of what was
/// printed. The first line is there from the beginning, so that the screen is never empty.
constexpr double kToType = 0.65, kToPrint = 0.06, kToRead = 1.5;

constexpr const char* kStyle = R"css(
.screen{fill:#0d1117;stroke:#3d444d}
.dot{fill:#57606a}
.shell{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace;white-space:pre;fill:#adbac7}
.typed{fill:#fff;font-weight:600}
.fault{fill:#ff8f87}
.right{fill:#6fdd8b}
@keyframes appear{from{opacity:0}to{opacity:1}}
@media screen and (prefers-reduced-motion:no-preference){.shell{animation:appear .01s linear both}}
)css";

}  // namespace

void draw_terminal(Svg& svg, const nlohmann::json& panel) {
  const auto lines = panel.at("lines").get<std::vector<std::string>>();
  const double height = kBarHeight + kLineHeight * static_cast<double>(lines.size()) + kPad;
  svg.style(kStyle);
  svg.rect(kFrameLeft, svg.y, kFrameWidth, height, "screen", 6);
  for (int i = 0; i < kDots; ++i)
    svg.rect(kFrameLeft + kPad + i * kApart, svg.y + kBarHeight / 2 - kDot / 2, kDot, kDot, "dot",
             kDot / 2);
  svg.y += kBarHeight;
  double seconds = 0;
  int number = 0;
  bool was_printed = false;
  for (const std::string& line : lines) {
    if (kLetter * static_cast<double>(line.size()) > kFrameWidth - 2 * kPad)
      throw std::runtime_error("a line of the terminal is too long: " + line);
    const bool is_typed = line.starts_with("$ ");
    if (is_typed && was_printed) seconds += kToRead;
    was_printed = !is_typed;
    std::string marks = fmt::format("shell line{}", ++number);
    if (is_typed) marks += " typed";
    if (line.find(" error:") != std::string::npos || line.find("  where ") != std::string::npos)
      marks += " fault";
    if (line.find(" 0 wrong") != std::string::npos) marks += " right";
    svg.style(fmt::format(".line{}{{animation-delay:{:.2f}s!important}}\n", number, seconds));
    seconds += is_typed ? kToType : kToPrint;
    svg.y += kLineHeight;
    svg.text(kFrameLeft + kPad, svg.y, line, marks);
  }
  svg.y += kPad;
}

}  // namespace pictures
