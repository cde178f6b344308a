#pragma once

/// @file
/// Draws a picture on a card that is legible on light and dark pages.
///
/// Marks are named by their meaning ("used", "unused", "muted"); the style sheet in svg.cpp defines
/// their looks in both colour schemes.

#include <map>
#include <string>
#include <string_view>

namespace pictures {

constexpr double kPageWidth = 700;  ///< of every picture, in pixels
constexpr double kLeft = 56;        ///< left edge of the drawing; labels end before it
constexpr double kDrawnWidth = 624;
constexpr double kRight = kLeft + kDrawnWidth;

enum class Anchor { start, middle, end };

class Svg {
 public:
  /// Prints `title` on the card; screen readers read `description`.
  /// @throws std::runtime_error if the title does not fit on a line
  Svg(const std::string& title, const std::string& description);

  void rect(double x, double y, double width, double height, std::string_view marks,
            double radius = 0);
  void line(double x1, double y1, double x2, double y2, std::string_view marks);
  /// `y` is the baseline.
  void text(double x, double y, std::string_view words, std::string_view marks = "",
            Anchor anchor = Anchor::start);

  /// Draws squares of `size` pixels: for each colour an SVG path in units of squares.
  void pixels(double x, double y, double size, const std::map<std::string, std::string>& runs);

  /// Adds rules to the style sheet of this picture alone.
  void style(std::string_view rules) { rules_ += rules; }

  /// Returns whether a rectangle has these marks.
  bool shows(std::string_view marks) const;

  /// Position of the next element; drawing functions move it down.
  double y = 0;

  /// Returns the whole file.
  std::string finish() const;

 private:
  std::string title_, description_, marks_, rules_;
};

/// Returns the class of item `i` among a few: warps, requests.
std::string tint(std::size_t i);

}  // namespace pictures
