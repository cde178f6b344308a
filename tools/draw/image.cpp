#include <fmt/format.h>

#include <fstream>
#include <iterator>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#include "tools/draw/panels.hpp"
#include "tools/support/subprocess.hpp"

namespace pictures {

namespace {

/// A PPM image with one byte each for red, green and blue.
struct Image {
  int width = 0, height = 0;
  std::vector<unsigned char> bytes;  // [height, width, 3]

  std::string colour(int row, int col) const {
    const unsigned char* const pixel = &bytes[3 * (std::size_t(row) * width + col)];
    return fmt::format("#{:02x}{:02x}{:02x}", pixel[0], pixel[1], pixel[2]);
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

}  // namespace

void draw_image(Svg& svg, const Scene& scene) {
  const Image image = image_of(scene);
  draw_heading(svg, scene.launch().kernel, scene.panel.at("words"));
  std::map<std::string, std::string> runs;  // SVG paths by colour
  for (int row = 0; row < image.height; ++row) {
    for (int col = 0; col < image.width;) {
      const std::string colour = image.colour(row, col);
      const int first = col;
      while (col < image.width && image.colour(row, col) == colour) ++col;
      runs[colour] += fmt::format("M{} {}h{}", first, row, col - first);
    }
  }
  const double scale = kDrawnWidth / image.width;
  svg.pixels(kLeft, svg.y, scale, runs);
  svg.y += scale * image.height;
}

}  // namespace pictures
