#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include "course/counters.hpp"
#include "course/divide_up.hpp"
#include "course/inputs.hpp"
#include "tools/coursework/judging/requests.hpp"
#include "tools/coursework/judging/trial.hpp"

namespace exercise_06_4 {

using course::divide_up;
using course::kWarpSize;
using coursework::Trial;
using Bytes = std::vector<unsigned char>;

constexpr int kChannels = 3;

Bytes random_bytes(int count, std::uint64_t seed) {
  const auto values = course::random_ints(static_cast<std::size_t>(count), seed, 0, 255);
  return {values.begin(), values.end()};
}

/// What it costs if each lane loads its own pixel, byte by byte.
double sectors_of_pixels(int n) {
  coursework::PaperRequests requests;
  for (int first = 0; first < n; first += kWarpSize) {
    for (int channel = 0; channel < kChannels; ++channel) {
      for (int i = first; i < n && i < first + kWarpSize; ++i)
        requests.lane((kChannels * i + channel) / static_cast<int>(sizeof(float)));
      requests.end_request();
    }
  }
  return static_cast<double>(requests.sectors());
}

void judge(Trial& trial) {
  const int width = trial["width"], n = width * trial["height"], threads = trial["threads"];
  // The last block may have too few pixels to do as the others do. If it has a warp's, its bytes
  // may lie askew, but nobody has to load them one by one.
  const int full = n / threads * threads, last = n - full;
  const double of_last = last < kWarpSize ? sectors_of_pixels(last)
                                          : 2.0 * divide_up(kChannels * last, course::kSectorBytes);
  trial.set("sectors", divide_up(kChannels * n, course::kSectorBytes));
  trial.set("sectors_at_most", kChannels * full / course::kSectorBytes + of_last + 2);
  trial.set("sectors_of_pixels", sectors_of_pixels(n));
  trial.set("warps", divide_up(n, kWarpSize));

  const Bytes rgb = random_bytes(kChannels * n, trial.seed(1));
  const auto device_rgb = trial.input(rgb);
  const auto device_shade = trial.output<unsigned char>(n);
  const std::size_t tile_bytes = static_cast<std::size_t>(kChannels) * threads;
  trial.launch("grey", {divide_up(n, threads), threads, tile_bytes}, n, device_rgb, device_shade);

  const Bytes shade = trial.read(device_shade);
  for (int i = 0; i < n; ++i) {
    const unsigned char* pixel = rgb.data() + kChannels * i;
    const int expected = (77 * pixel[0] + 150 * pixel[1] + 29 * pixel[2]) / 256;
    const int block = i / threads, pixels = std::min(threads, n - block * threads);
    trial.expect(
        shade[i] == expected,
        "The pixel in row " + std::to_string(i / width) + ", column " + std::to_string(i % width) +
            " has shade " + std::to_string(shade[i]) + " instead of " + std::to_string(expected) +
            ". It belongs to block " + std::to_string(block) +
            (pixels == threads ? ", which is full."
                               : ", the last one, which has " + std::to_string(pixels) +
                                     " pixels for its " + std::to_string(threads) + " threads."));
  }
}

const coursework::Registered registered("06_4", judge);

}  // namespace exercise_06_4
