#pragma once

/// @file
/// The picture that runs through the course: the Mandelbrot set, as the CPU draws and paints it.
/// Chapters hold their kernels against it.

#include <cstddef>
#include <string>
#include <vector>

#include "course/counters.hpp"
#include "course/error.hpp"
#include "course/program.hpp"
#include "course/run.hpp"

namespace course::mandelbrot {

/// A colour, 0xRRGGBB.
using Colour = unsigned;
/// Red, green and blue.
constexpr int kChannels = 3;
/// The steps after which a point is given up, unless somebody chooses other ones.
constexpr int kMost = 200;

/// Returns the steps of each point, row by row: how often z = z^2 + c can be applied before z is
/// more than 2 away from the origin, `most` times at most.
///
/// The points c lie between (-2.25, -1.25) and (0.75, 1.25). Products are fused with the sums that
/// follow, so that a GPU counts alike.
std::vector<int> steps_of(int wide, int high, int most);

/// Returns a colour that lies between those of `stops`, which divide [0, 1] evenly.
Colour between(const std::vector<Colour>& stops, double share);

/// Returns the colour of each number of steps from 0 to `most`: from night over daylight to embers.
/// Points that are given up are black.
std::vector<Colour> palette_of(int most);

/// Returns the palette's colours of these steps.
std::vector<Colour> paint(const std::vector<int>& steps, const std::vector<Colour>& palette);

/// Returns a picture of half as many rows and columns, whose pixels are the means of two by two
/// pixels of this one, rounded down.
std::vector<Colour> soften(const std::vector<Colour>& pixels, int wide, int high);

/// Returns the bytes of a picture: all reds, then all greens, then all blues.
std::vector<unsigned char> planes_of(const std::vector<Colour>& pixels);
/// Returns the picture whose bytes lie so.
std::vector<Colour> from_planes(const std::vector<unsigned char>& planes);

/// Returns the bytes of a picture, pixel by pixel: red, green, blue.
std::vector<unsigned char> bytes_of(const std::vector<Colour>& pixels);
/// Returns the picture whose bytes lie so.
std::vector<Colour> from_bytes(const std::vector<unsigned char>& bytes);

/// Writes the picture as a PPM file. A picture of no pixels finds out whether the file can be
/// written.
void write_ppm(const std::string& file, int wide, int high, const std::vector<Colour>& pixels);

/// What the command line chose, for chapters that paint.
class Drawing {
 public:
  /// Adds the options --wide, --high and --picture to the program; must outlive its run().
  explicit Drawing(Program& program);

  int wide() const { return wide_; }
  int high() const { return high_; }
  std::size_t points() const { return std::size_t(wide_) * high_; }
  /// Returns the steps of all points, which are counted once.
  const std::vector<int>& steps();

  /// Returns the picture that `launch(steps, palette, picture)` paints of the steps, after it was
  /// compared with `expected`.
  template <class T, class Launch>
  std::vector<T> run(Run& run, const std::vector<T>& expected, Launch launch) {
    auto& steps = run.input("steps", this->steps());
    return paint(
        run, 1.0 * sizeof(int) * points(), expected,
        [&](const Colour* palette, T* picture) { launch(steps.data(), palette, picture); });
  }

  /// Returns the picture that `launch(palette, picture)` draws, after it was compared with
  /// `expected`.
  template <class T, class Launch>
  std::vector<T> run_without_steps(Run& run, const std::vector<T>& expected, Launch launch) {
    return paint(run, 0.0, expected, launch);
  }

  /// Writes the picture if the command line asks for it. A pixel stands for `per_pixel` x
  /// `per_pixel` points.
  void write(const std::vector<Colour>& pixels, int per_pixel) const;

 private:
  template <class T, class Launch>
  std::vector<T> paint(Run& run, double read_bytes, const std::vector<T>& expected, Launch launch) {
    run.parameters({{"wide", wide_}, {"high", high_}});
    run.parameter("pieces", points() / static_cast<double>(kWarpSize));
    auto& palette = run.input("palette", palette_of(kMost));
    auto& picture = run.output<T>("picture", expected.size());
    run.launch({.read_bytes = read_bytes, .written_bytes = 1.0 * sizeof(T) * expected.size()}, [&] {
      launch(palette.data(), picture.data());
      check_launch();
    });
    run.verify(picture, expected);
    return picture.to_host();
  }

  int wide_, high_;
  std::string file_;
  std::vector<int> steps_;
};

}  // namespace course::mandelbrot
