#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>
#include <iterator>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#include "course/counters.hpp"
#include "tools/draw/panels.hpp"
#include "tools/support/subprocess.hpp"

namespace pictures {

namespace {

/// A PPM image with one byte each for red, green and blue.
struct Image {
  int width = 0, height = 0;
  std::vector<unsigned char> bytes;  // [height, width, 3]

  unsigned char* pixel(int row, int col) { return &bytes[3 * (std::size_t(row) * width + col)]; }

  std::string colour(int row, int col) const {
    const unsigned char* const pixel = &bytes[3 * (std::size_t(row) * width + col)];
    return fmt::format("#{:02x}{:02x}{:02x}", pixel[0], pixel[1], pixel[2]);
  }

  Image mirrored() const {
    Image other{height, width, std::vector<unsigned char>(bytes.size())};
    for (int row = 0; row < height; ++row)
      for (int col = 0; col < width; ++col)
        std::copy_n(&bytes[3 * (std::size_t(row) * width + col)], 3, other.pixel(col, row));
    return other;
  }
};

Image read_ppm(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  std::string magic;
  Image image;
  int most = 0;
  stream >> magic >> image.width >> image.height >> most;
  stream.get();
  image.bytes.assign(std::istreambuf_iterator<char>(stream), {});
  if (magic != "P6" || most != 255 ||
      image.bytes.size() != std::size_t(3) * image.width * image.height)
    throw std::runtime_error("not a picture: " + file.string());
  return image;
}

/// Returns the image that the panel's program writes.
Image image_of(const Scene& scene) {
  const tools::TemporaryFolder folder("course picture");
  const std::string file = (folder.path() / "image.ppm").string();
  auto command = scene.panel.at("program").get<std::vector<std::string>>();
  command[0] = (scene.programs / command[0]).string();
  command.insert(command.end(), {"--kernel", option_of(scene.panel.at("kernel")),
                                 scene.panel.value("option", "--picture"), file});
  const tools::CommandResult result = tools::run_command(command);
  if (result.status != 0) throw std::runtime_error(result.err);
  return read_ppm(file);
}

/// Draws a square of `scale` pixels for each pixel of an image.
void draw_pixels(Svg& svg, double x, double y, double scale, const Image& image) {
  std::map<std::string, std::string> runs;  // SVG paths by colour
  for (int row = 0; row < image.height; ++row) {
    for (int col = 0; col < image.width;) {
      const std::string colour = image.colour(row, col);
      const int first = col;
      while (col < image.width && image.colour(row, col) == colour) ++col;
      runs[colour] += fmt::format("M{} {}h{}", first, row, col - first);
    }
  }
  svg.pixels(x, y, scale, runs);
}

/// Moves each colour towards another one: all of the way if `share` is 1.
void blend(unsigned char* pixel, const std::array<double, 3>& towards, double share) {
  for (std::size_t k = 0; k < towards.size(); ++k)
    pixel[k] = static_cast<unsigned char>(std::lround(pixel[k] + (towards[k] - pixel[k]) * share));
}

}  // namespace

void draw_image(Svg& svg, const Scene& scene) {
  const Image image = image_of(scene);
  draw_heading(svg, scene.launch().kernel, scene.panel.at("words"));
  const double scale = kDrawnWidth / image.width;
  draw_pixels(svg, kLeft, svg.y, scale, image);
  svg.y += scale * image.height;
}

void draw_mirror(Svg& svg, const Scene& scene) {
  constexpr std::array<double, 3> kDark = {0, 0, 0}, kBright = {255, 232, 150};
  constexpr double kDimmed = 0.45, kLit = 0.8, kApart = 24;
  Image image = image_of(scene);
  const int warp_row = scene.panel.at("row"), first = scene.panel.at("first");
  for (int row = 0; row < image.height; ++row)
    for (int col = 0; col < image.width; ++col) {
      const bool is_lit = row == warp_row && col >= first && col < first + course::kWarpSize;
      blend(image.pixel(row, col), is_lit ? kBright : kDark, is_lit ? kLit : kDimmed);
    }
  const Image mirrored = image.mirrored();
  const double scale = (kDrawnWidth - kApart) / (image.width + mirrored.width);
  draw_heading(svg, scene.panel.at("heading"), scene.panel.at("words"));
  draw_pixels(svg, kLeft, svg.y, scale, image);
  draw_pixels(svg, kRight - scale * mirrored.width, svg.y, scale, mirrored);
  svg.y += scale * std::max(image.height, mirrored.height);
}

}  // namespace pictures
