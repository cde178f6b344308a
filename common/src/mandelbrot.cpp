#include "course/mandelbrot.hpp"

#include <algorithm>
#include <cmath>
#include <fstream>

#include "course/backend.hpp"

namespace course::mandelbrot {

namespace {

constexpr int kBits = 8;  // of a channel
constexpr unsigned kMostOfChannel = 255;

unsigned channel_of(Colour colour, int channel) {
  return colour >> (kBits * (kChannels - 1 - channel)) & kMostOfChannel;
}

/// The colour whose channels are `value(channel)`.
template <class Value>
Colour make_colour(Value value) {
  Colour colour = 0;
  for (int channel = 0; channel < kChannels; ++channel) colour = colour << kBits | value(channel);
  return colour;
}

}  // namespace

std::vector<int> steps_of(int wide, int high, int most) {
  std::vector<int> steps;
  steps.reserve(std::size_t(wide) * high);
  for (int row = 0; row < high; ++row) {
    for (int col = 0; col < wide; ++col) {
      const float c_x = std::fmaf(3.0f / wide, col, -2.25f);
      const float c_y = std::fmaf(2.5f / high, row, -1.25f);
      float x = 0.0f, y = 0.0f;
      int step = 0;
      while (step < most && std::fmaf(y, y, x * x) <= 4.0f) {
        const float next_y = std::fmaf(x + x, y, c_y);
        x = std::fmaf(y, -y, x * x) + c_x;
        y = next_y;
        ++step;
      }
      steps.push_back(step);
    }
  }
  return steps;
}

Colour between(const std::vector<Colour>& stops, double share) {
  const int spans = static_cast<int>(stops.size()) - 1;
  const int below = std::min(static_cast<int>(share * spans), spans - 1);
  const double part = share * spans - below;
  return make_colour([&](int channel) {
    return static_cast<unsigned>(
        std::lerp(channel_of(stops[below], channel), channel_of(stops[below + 1], channel), part));
  });
}

std::vector<Colour> palette_of(int most) {
  static const std::vector<Colour> kStops = {0x00073c, 0x143c96, 0x78bef0,
                                             0xfffae1, 0xffaa1e, 0x78140a};
  std::vector<Colour> palette;
  for (int step = 0; step < most; ++step)
    palette.push_back(between(kStops, std::log1p(step) / std::log1p(most)));
  palette.push_back(0);
  return palette;
}

std::vector<Colour> paint(const std::vector<int>& steps, const std::vector<Colour>& palette) {
  std::vector<Colour> pixels(steps.size());
  std::ranges::transform(steps, pixels.begin(), [&](int step) { return palette.at(step); });
  return pixels;
}

std::vector<Colour> soften(const std::vector<Colour>& pixels, int wide, int high) {
  std::vector<Colour> soft;
  for (int row = 0; row + 1 < high; row += 2) {
    for (int col = 0; col + 1 < wide; col += 2) {
      const std::size_t first = std::size_t(row) * wide + col;
      soft.push_back(make_colour([&](int channel) {
        unsigned sum = 0;
        for (const std::size_t pixel : {first, first + 1, first + wide, first + wide + 1})
          sum += channel_of(pixels[pixel], channel);
        return sum / 4;
      }));
    }
  }
  return soft;
}

std::vector<unsigned char> planes_of(const std::vector<Colour>& pixels) {
  std::vector<unsigned char> planes;
  for (int channel = 0; channel < kChannels; ++channel)
    for (const Colour pixel : pixels)
      planes.push_back(static_cast<unsigned char>(channel_of(pixel, channel)));
  return planes;
}

std::vector<Colour> from_planes(const std::vector<unsigned char>& planes) {
  std::vector<Colour> pixels(planes.size() / kChannels);
  for (std::size_t i = 0; i < pixels.size(); ++i)
    pixels[i] = make_colour([&](int channel) { return planes[channel * pixels.size() + i]; });
  return pixels;
}

std::vector<unsigned char> bytes_of(const std::vector<Colour>& pixels) {
  std::vector<unsigned char> bytes;
  for (const Colour pixel : pixels)
    for (int channel = 0; channel < kChannels; ++channel)
      bytes.push_back(static_cast<unsigned char>(channel_of(pixel, channel)));
  return bytes;
}

std::vector<Colour> from_bytes(const std::vector<unsigned char>& bytes) {
  std::vector<Colour> pixels(bytes.size() / kChannels);
  for (std::size_t i = 0; i < pixels.size(); ++i)
    pixels[i] = make_colour([&](int channel) { return bytes[i * kChannels + channel]; });
  return pixels;
}

void write_ppm(const std::string& file, int wide, int high, const std::vector<Colour>& pixels) {
  std::ofstream out(file, std::ios::binary);
  out << "P6\n" << wide << ' ' << high << "\n255\n";
  for (const unsigned char byte : bytes_of(pixels)) out << static_cast<char>(byte);
  if (!out.flush()) throw UsageError("cannot write the picture " + file);
}

Drawing::Drawing(Program& program)
    : wide_(default_for({.counting = 960, .timing = 4800})),
      high_(default_for({.counting = 800, .timing = 4000})) {
  constexpr int kMostOfSide = 1 << 13;
  program.option("wide", wide_, "points of a row of the Mandelbrot set", {4, kMostOfSide});
  program.option("high", high_, "its rows", {2, kMostOfSide});
  program.option("picture", file_, "file for its picture, as PPM");
  program.require([this]() -> std::string {
    if (wide_ % 4 != 0) return "--wide: a multiple of 4";
    if (high_ % 2 != 0) return "--high: a multiple of 2";
    return "";
  });
}

const std::vector<int>& Drawing::steps() {
  if (!file_.empty()) write_ppm(file_, 0, 0, {});  // a wrong name is no news for later
  if (steps_.empty()) steps_ = steps_of(wide_, high_, kMost);
  return steps_;
}

void Drawing::write(const std::vector<Colour>& pixels, int per_pixel) const {
  if (!file_.empty()) write_ppm(file_, wide_ / per_pixel, high_ / per_pixel, pixels);
}

}  // namespace course::mandelbrot
