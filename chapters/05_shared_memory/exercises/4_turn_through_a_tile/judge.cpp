#include <algorithm>
#include <string>
#include <vector>

#include "course/counters.hpp"
#include "course/divide_up.hpp"
#include "course/inputs.hpp"
#include "tools/coursework/judging/requests.hpp"
#include "tools/coursework/judging/trial.hpp"

namespace exercise_05_4 {

using course::divide_up;
using course::kWarpSize;
using coursework::PaperRequests;
using coursework::Trial;

constexpr int kTile = 32;
constexpr int kNeverWritten = -1;  // what output() leaves: bytes 0xff

/// The requests of warps that go along the rows of a picture, in tiles that begin `shift` pixels
/// before its first column.
PaperRequests along_rows(int width, int height, int shift) {
  PaperRequests requests;
  for (int row = 0; row < height; ++row)
    for (int left = -shift; left < width; left += kTile) {
      for (int col = std::max(left, 0); col < std::min(left + kTile, width); ++col)
        requests.lane(std::int64_t{row} * width + col);
      requests.end_request();
    }
  return requests;
}

/// What a right answer costs whose tiles begin at the first row and column of the picture, or of
/// the turned one: the larger of both.
void set_cost(Trial& trial, int width, int height) {
  const auto shift = [](int side) { return divide_up(side, kTile) * kTile - side; };
  const auto loads = along_rows(width, height, 0);
  const auto shifted_stores = along_rows(height, width, shift(height));
  const auto stores = along_rows(height, width, 0);
  trial.set(
      "most_sectors",
      static_cast<double>(loads.sectors() + std::max(stores.sectors(), shifted_stores.sectors())));
  trial.set("most_wavefronts",
            static_cast<double>(loads.requests() +
                                std::max(stores.requests(), shifted_stores.requests())));
  trial.set("warps", 1.0 * width * height / kWarpSize);
}

void judge(Trial& trial) {
  const int width = trial["width"], height = trial["height"];
  set_cost(trial, width, height);

  const auto picture = course::random_ints(width * height, trial.seed(1), 0, 1 << 30);
  const auto in = trial.input(picture);
  const auto out = trial.output<int>(picture.size());
  const dim3 grid(divide_up(width, kTile), divide_up(height, kTile));
  trial.launch("turn_through_tile", {grid, dim3(kTile, kTile)}, width, height, in, out);

  const auto found = trial.read(out);
  const auto is_everywhere = [&](auto expected) {
    for (int row = 0; row < width; ++row)
      for (int col = 0; col < height; ++col)
        if (found[std::size_t(row) * height + col] != expected(row, col)) return false;
    return true;
  };
  const auto pixel_of = [&](int row, int col) { return picture[std::size_t(row) * width + col]; };
  const auto turned = [&](int row, int col) { return pixel_of(height - 1 - col, row); };
  const bool is_right = is_everywhere(turned);
  trial.expect(is_right || !is_everywhere([&](int row, int col) { return pixel_of(col, row); }),
               "This is the picture's mirror image, as the lesson's kernel makes it: the first row "
               "should be the last column.");
  trial.expect(
      is_right || !is_everywhere([&](int row, int col) { return pixel_of(col, width - 1 - row); }),
      "The picture is turned counterclockwise.");
  for (int row = 0; row < width; ++row)
    for (int col = 0; col < height; ++col) {
      const int one = found[std::size_t(row) * height + col];
      const std::string pixel =
          "Of out, the pixel in row " + std::to_string(row) + ", column " + std::to_string(col);
      trial.expect(one != kNeverWritten, pixel + " was never written.");
      trial.expect(one == turned(row, col), pixel + " is another one's.");
    }
}

const coursework::Registered registered("05_4", judge);

}  // namespace exercise_05_4
