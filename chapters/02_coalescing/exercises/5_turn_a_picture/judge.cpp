#include <algorithm>
#include <string>
#include <vector>

#include "course/counters.hpp"
#include "course/divide_up.hpp"
#include "course/inputs.hpp"
#include "tools/coursework/judging/requests.hpp"
#include "tools/coursework/judging/trial.hpp"

namespace {

using course::divide_up;
using course::kWarpSize;
using coursework::Trial;

constexpr int kTileWidth = 32, kTileHeight = 8;
constexpr int kNeverWritten = -1;  // what output() leaves: bytes 0xff

/// Where a pixel of the picture stands in the turned one.
std::int64_t turned_place(int height, int row, int col) {
  return std::int64_t{col} * height + (height - 1 - row);
}

/// Sectors of a picture that is turned.
struct Cost {
  std::int64_t loaded = 0, stored = 0;
};

/// What it costs if each warp has a patch so wide of the picture, [height, width]; or,
/// with `of_turned`, of the turned one, [width, height].
Cost cost_of_patches(int width, int height, int patch_width, bool of_turned) {
  coursework::PaperRequests loads, stores;
  const int patch_height = kWarpSize / patch_width;
  const int rows = of_turned ? width : height, cols = of_turned ? height : width;
  for (int top = 0; top < rows; top += patch_height) {
    for (int left = 0; left < cols; left += patch_width) {
      for (int lane = 0; lane < kWarpSize; ++lane) {
        const int y = top + lane / patch_width, x = left + lane % patch_width;
        if (y >= rows || x >= cols) continue;
        const int row = of_turned ? height - 1 - x : y, col = of_turned ? y : x;
        loads.lane(std::int64_t{row} * width + col);
        stores.lane(turned_place(height, row, col));
      }
      loads.end_request();
      stores.end_request();
    }
  }
  return {loads.sectors(), stores.sectors()};
}

/// The most that a right answer needs: its patches have 8 x 4 or 4 x 8 pixels. Or it loads rows of
/// 32 pixels into shared memory, and stores patches from there.
double most_sectors(int width, int height) {
  const auto rows = cost_of_patches(width, height, kTileWidth, false);
  std::int64_t most = rows.loaded + cost_of_patches(width, height, 4, false).stored;
  for (const int patch_width : {8, 4}) {
    for (const bool of_turned : {false, true}) {
      const auto [loaded, stored] = cost_of_patches(width, height, patch_width, of_turned);
      most = std::max(most, loaded + stored);
    }
  }
  return static_cast<double>(most);
}

void judge(Trial& trial) {
  const int width = trial["width"], height = trial["height"];
  trial.set("most_sectors", most_sectors(width, height));
  trial.set("warps", 1.0 * width * height / kWarpSize);

  std::vector<int> picture;
  for (const float shade : course::random_floats(std::size_t(width) * height, trial.seed(1)))
    picture.push_back(static_cast<int>(1'000'000 * (shade + 2)));
  const auto in = trial.input(picture);
  const auto out = trial.output<int>(picture.size());
  const dim3 grid(divide_up(width, kTileWidth), divide_up(height, kTileHeight));
  trial.launch("turn", {grid, dim3(kTileWidth, kTileHeight)}, width, height, in, out);

  const auto found = trial.read(out);
  bool is_right = true, is_mirrored = true, is_turned_back = true;
  for (int row = 0; row < height; ++row) {
    for (int col = 0; col < width; ++col) {
      const int pixel = picture[std::size_t(row) * width + col];
      is_right &= found[turned_place(height, row, col)] == pixel;
      is_mirrored &= found[std::size_t(col) * height + row] == pixel;
      is_turned_back &= found[std::size_t(width - 1 - col) * height + row] == pixel;
    }
  }
  trial.expect(is_right || !is_mirrored,
               "This is the picture's mirror image: rows have become "
               "columns, but the first row should be the last column.");
  trial.expect(is_right || !is_turned_back, "The picture is turned counterclockwise.");
  for (int row = 0; row < width; ++row) {
    for (int col = 0; col < height; ++col) {
      const int shade = found[std::size_t(row) * height + col];
      const std::string pixel =
          "Of out, the pixel in row " + std::to_string(row) + ", column " + std::to_string(col);
      trial.expect(shade != kNeverWritten, pixel + " was never written.");
      trial.expect(shade == picture[std::size_t(height - 1 - col) * width + row],
                   pixel + " is another one's.");
    }
  }
}

const coursework::Registered registered("02_5", judge);

}  // namespace
