#pragma once

/// @file
/// A picture on a card of its own, legible on light and dark pages alike.
///
/// Marks are named by what they mean ("used", "unused", "muted"); one style sheet, in svg.cpp, says
/// how each looks in both colour schemes.

#include <map>
#include <string>
#include <string_view>

namespace pictures {

constexpr double kPageWidth = 700;  ///< of every picture, in pixels
constexpr double kLeft = 56;        ///< where what is drawn begins; its labels end before
constexpr double kDrawnWidth = 624;
constexpr double kRight = kLeft + kDrawnWidth;

enum class Anchor { start, middle, end };

class Svg {
 public:
  /// `title` stands on the card as well; `description` is what is read out.
  /// @throws std::runtime_error if the title is too long for a line
  Svg(const std::string& title, const std::string& description);

  void rect(double x, double y, double width, double height, std::string_view marks,
            double radius = 0);
  void line(double x1, double y1, double x2, double y2, std::string_view marks);
  /// `y` is the baseline.
  void text(double x, double y, std::string_view words, std::string_view marks = "",
            Anchor anchor = Anchor::start);

  /// Squares of `size` pixels: for each colour the rows of them, as an SVG path in units of
  /// squares.
  void pixels(double x, double y, double size, const std::map<std::string, std::string>& runs);

  /// Whether a rectangle has these marks.
  bool shows(std::string_view marks) const;

  /// Where the next thing goes; whoever draws something moves it on.
  double y = 0;

  /// The whole file.
  std::string finish() const;

 private:
  std::string title_, description_, marks_;
};

/// The class of something that belongs to number `i` of a few: warps, requests.
std::string tint(std::size_t i);

}  // namespace pictures
