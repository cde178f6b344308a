#pragma once

/// @file
/// Pictures to paint, for the tests of chapters whose kernels do so: steps and colours are random,
/// so that no two points look alike.

#include <cstdint>
#include <optional>
#include <vector>

#include "chapters/request_model.hpp"
#include "course/backend.hpp"
#include "course/device_buffer.hpp"
#include "course/error.hpp"
#include "course/inputs.hpp"
#include "course/mandelbrot.hpp"

namespace course_test {

/// A picture of wide x high points.
struct Painting {
  static constexpr int kColours = course::mandelbrot::kMost + 1;

  Painting(int points_wide, int points_high)
      : wide(points_wide),
        high(points_high),
        steps(course::random_ints(points_wide * points_high, /*seed=*/3, 0, kColours - 1)) {
    constexpr int kMostOfColour = 0xffffff;
    for (const int colour : course::random_ints(kColours, /*seed=*/4, 0, kMostOfColour))
      palette.push_back(static_cast<unsigned>(colour));
    palette.front() = kMostOfColour;  // sums of bytes are as large as they can be
  }

  std::vector<unsigned> painted() const { return course::mandelbrot::paint(steps, palette); }
  std::vector<unsigned> softened() const {
    return course::mandelbrot::soften(painted(), wide, high);
  }

  int wide, high;
  std::vector<int> steps;
  std::vector<unsigned> palette;
};

/// Sizes that are a block, less and more than one, thin, and large.
inline std::vector<Painting> paintings() {
  std::vector<Painting> all;
  for (const auto& [wide, high] : std::vector<std::pair<int, int>>{
           {4, 2}, {4, 40}, {64, 4}, {60, 2}, {68, 6}, {128, 16}, {132, 18}, {200, 34}})
    all.emplace_back(wide, high);
  return all;
}

/// What a kernel stored, and its costs.
template <class T>
struct Painted {
  std::vector<T> picture;
  std::optional<course::Counters> counted;
};

/// Runs `launch(steps, palette, picture)` for a picture of so many elements.
template <class T, class Launch>
Painted<T> run_painting(const Painting& p, std::size_t elements, Launch launch) {
  const course::DeviceBuffer<int> steps(p.steps, "steps");
  const course::DeviceBuffer<unsigned> palette(p.palette, "palette");
  course::DeviceBuffer<T> picture(elements, "picture");
  picture.poison();
  const auto counted = course::count([&] {
    launch(steps.data(), palette.data(), picture.data());
    course::check_launch();
  });
  return {picture.to_host(), counted};
}

}  // namespace course_test
