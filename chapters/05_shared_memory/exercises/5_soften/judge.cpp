#include <algorithm>
#include <string>
#include <vector>

#include "course/counters.hpp"
#include "course/divide_up.hpp"
#include "course/inputs.hpp"
#include "tools/coursework/judging/requests.hpp"
#include "tools/coursework/judging/trial.hpp"

namespace exercise_05_5 {

using course::divide_up;
using course::kWarpSize;
using coursework::Trial;

constexpr int kTile = 32;
constexpr int kMostOfAPixel = 100'000'000;  // nine of them are an int
constexpr int kNeverWritten = -1;           // what output() leaves: bytes 0xff

/// The sectors of a kernel that loads each row three times, each time with its neighbours.
double sectors_of_three_rows(int width, int height) {
  coursework::PaperRequests loads;
  for (int row = 0; row < height; ++row)
    for (int left = 0; left < width; left += kTile)
      for (int y = std::max(row - 1, 0); y <= std::min(row + 1, height - 1); ++y) {
        for (int x = std::max(left - 1, 0); x < std::min(left + kTile + 1, width); ++x)
          loads.lane(std::int64_t{y} * width + x);
        loads.end_request();
      }
  return static_cast<double>(loads.sectors());
}

/// The sectors that blocks load at most which fetch their tiles with their halos once: ten for 32
/// pixels in the group "cost"; elsewhere half as many again as a tile takes row by row, as there
/// are several ways to fetch a halo.
double most_sectors(const Trial& trial, int width, int height) {
  constexpr double kOfAWarp = 10, kMore = 1.5, kFew = 8;
  if (trial.group() == "cost") return kOfAWarp * width * height / kWarpSize;
  coursework::PaperRequests loads;
  for (int top = 0; top < height; top += kTile)
    for (int left = 0; left < width; left += kTile)
      for (int y = std::max(top - 1, 0); y <= std::min(top + kTile, height - 1); ++y)
        for (const int begin : {left - 1, left - 1 + kWarpSize}) {
          const int end = std::min({begin + kWarpSize, left + kTile + 1, width});
          for (int x = std::max(begin, 0); x < end; ++x) loads.lane(std::int64_t{y} * width + x);
          loads.end_request();
        }
  return kMore * static_cast<double>(loads.sectors()) + kFew;
}

void judge(Trial& trial) {
  const int width = trial["width"], height = trial["height"];
  trial.set("warps", 1.0 * width * height / kWarpSize);
  trial.set("most_sectors", most_sectors(trial, width, height));
  trial.set("three_rows", sectors_of_three_rows(width, height));

  const auto picture = course::random_ints(width * height, trial.seed(1), 0, kMostOfAPixel);
  const auto out = trial.output<int>(picture.size());
  const dim3 grid(divide_up(width, kTile), divide_up(height, kTile));
  trial.launch("soften", {grid, dim3(kTile, kTile)}, width, height, trial.input(picture), out);

  const auto found = trial.read(out);
  for (int row = 0; row < height; ++row)
    for (int col = 0; col < width; ++col) {
      int sum = 0;
      for (int y = std::max(row - 1, 0); y <= std::min(row + 1, height - 1); ++y)
        for (int x = std::max(col - 1, 0); x <= std::min(col + 1, width - 1); ++x)
          sum += picture[std::size_t(y) * width + x];
      const int one = found[std::size_t(row) * width + col];
      const std::string pixel =
          "The pixel in row " + std::to_string(row) + ", column " + std::to_string(col);
      const bool at_edge = col % kTile == 0 || col % kTile == kTile - 1 || row % kTile == 0 ||
                           row % kTile == kTile - 1 || row == height - 1 || col == width - 1;
      trial.expect(one != kNeverWritten || sum == kNeverWritten, pixel + " was never written.");
      trial.expect(one == sum, pixel + " should be " + std::to_string(sum) + ", and it is " +
                                   std::to_string(one) + "." +
                                   (at_edge ? " It lies at the edge of a tile or of the picture: "
                                              "who has fetched its neighbours?"
                                            : ""));
    }
}

const coursework::Registered registered("05_5", judge);

}  // namespace exercise_05_5
