#include <algorithm>
#include <string>
#include <vector>

#include "course/counters.hpp"
#include "course/divide_up.hpp"
#include "course/inputs.hpp"
#include "tools/coursework/judging/requests.hpp"
#include "tools/coursework/judging/trial.hpp"

namespace exercise_05_1 {

using course::divide_up;
using course::kWarpSize;
using coursework::PaperRequests;
using coursework::Trial;

constexpr int kColours = 256;
constexpr unsigned kNotPainted = 0x1000000;  // neither a colour nor what shared memory begins with
constexpr int kWhite = 0xffffff;

/// What a grid-stride loop costs, with the palette in shared memory and without.
void set_cost(Trial& trial, const std::vector<int>& steps) {
  const int threads = trial["threads"], blocks = trial["blocks"];
  const int pixels = static_cast<int>(steps.size());
  PaperRequests of_steps, of_colours, of_palette;
  for (int block = 0; block < pixels; block += threads)
    for (int warp = 0; warp < threads && block + warp < pixels; warp += kWarpSize) {
      const int end = std::min({block + warp + kWarpSize, block + threads, pixels});
      for (int i = block + warp; i < end; ++i) {
        of_steps.lane(i);
        of_colours.lane(steps[i]);
      }
      of_steps.end_request();
      of_colours.end_request();
    }
  for (int begin = 0; begin < kColours; begin += threads)
    for (int warp = 0; warp < threads; warp += kWarpSize) {
      const int end = std::min({begin + warp + kWarpSize, begin + threads, kColours});
      for (int k = begin + warp; k < end; ++k) of_palette.lane(k);
      of_palette.end_request(blocks);
    }
  trial.set("steps_sectors", of_steps.sectors());
  trial.set("palette_sectors", of_palette.sectors());
  trial.set("colour_sectors", of_colours.sectors());
  trial.set("pixel_requests", of_steps.requests());
  trial.set("rounds", divide_up(pixels, threads * blocks));
}

void judge(Trial& trial) {
  const int pixels = trial["pixels"];
  const auto steps = course::random_ints(pixels, trial.seed(1), 0, kColours - 1);
  std::vector<unsigned> palette;
  for (const int colour : course::random_ints(kColours, trial.seed(2), 0, kWhite))
    palette.push_back(static_cast<unsigned>(colour));
  set_cost(trial, steps);

  const auto device_steps = trial.input(steps);
  const auto device_palette = trial.input(palette);
  const auto device_picture = trial.input(std::vector<unsigned>(pixels, kNotPainted));
  trial.launch("paint", {trial["blocks"], trial["threads"]}, pixels, device_steps, device_palette,
               device_picture);

  const auto picture = trial.read(device_picture);
  for (int i = 0; i < pixels; ++i) {
    const std::string pixel = "Pixel " + std::to_string(i);
    trial.expect(picture[i] != kNotPainted, pixel + " was never painted.");
    trial.expect(picture[i] == palette[steps[i]],
                 pixel +
                     " has the wrong colour. Is the whole palette there before anybody uses it, "
                     "however many threads a block has?");
  }
}

const coursework::Registered registered("05_1", judge);

}  // namespace exercise_05_1
