#include <cstring>
#include <map>
#include <string>
#include <vector>

#include "course/counters.hpp"
#include "course/inputs.hpp"
#include "tools/coursework/judging/questions.hpp"
#include "tools/coursework/judging/requests.hpp"
#include "tools/coursework/judging/trial.hpp"

namespace exercise_06_3 {

using course::kWarpSize;
using coursework::Trial;

constexpr int kLayoutCount = 5, kFloats = 1001 + kWarpSize;
constexpr int kPixels = 4;  // the layout whose fields are bytes

/// At which byte a lane loads, as exercise.cu gives it.
int byte_of(int layout, int lane) {
  constexpr int kFloat = sizeof(float);
  switch (layout) {
    case 0:
      return 16 * lane + 8;
    case 1:
      return 12 * lane + 8;
    case 2:
      return kFloat * (1001 + lane);
    case 3:
      return kFloat * (lane / 8 * 16 + 8 + lane % 8);
    default:
      return 3 * lane + 1;
  }
}

/// What to say to wrong answers that have a reason, for each layout. The right one is not told.
const std::map<int, std::string> kReasons[kLayoutCount] = {
    {{4, "The values are not neighbours: a time stands between each and the next."},
     {12, "8 and 4 bytes are 12, but sizeof(Sample) is not: where must the next double begin?"},
     {32, "Do two samples not fit into one sector?"}},
    {{4, "The z are not neighbours: an x and a y stand between each and the next."},
     {11,
      "Lane 31 takes the float at byte 380. In which sector is that, if the first is number 0?"},
     {16, "Nobody has padded these points: sizeof(Point) is 12."},
     {32, "Do two points not fit into one sector?"},
     {36, "That is what x, y and z cost together, counted one by one."}},
    {{4, "They would be 4 if the first y began a sector. At which byte does it begin?"},
     {8, "The y are neighbours of each other: how many bytes are 32 of them?"}},
    {{2, "A tile is two sectors. How many tiles do 32 lanes visit?"},
     {5, "Each tile begins at a multiple of 64 bytes, and so its y begin a sector."},
     {8, "Each tile is two sectors, but one of them has nothing but x."}},
    {{1, "32 greens are 32 bytes, but they are not neighbours."},
     {4, "That is for pixels of 4 bytes. sizeof(Pixel) is 3, because bytes may begin anywhere."},
     {32, "How many pixels fit into one sector?"}}};

/// Launches load_field, and returns how many sectors it touches. Ends the trial if it is not the
/// kernel that was given.
int sectors_of_load(Trial& trial, int layout) {
  trial.count_from_here();
  const auto memory = course::random_floats(kFloats, trial.seed(1));
  const auto in = trial.input(memory);
  const auto out = trial.output<float>(kWarpSize);
  trial.launch("load_field", {1, kWarpSize}, layout, in, out);

  coursework::PaperRequests as_given;
  const auto loaded = trial.read(out);
  for (int lane = 0; lane < kWarpSize; ++lane) {
    const int byte = byte_of(layout, lane);
    const auto* from = reinterpret_cast<const unsigned char*>(memory.data()) + byte;
    float expected = *from;
    if (layout != kPixels) std::memcpy(&expected, from, sizeof expected);
    trial.expect(loaded[lane] == expected, "load_field is not as it was given: lane " +
                                               std::to_string(lane) + " loads something else.");
    as_given.lane(byte / static_cast<int>(sizeof(float)));
  }
  as_given.end_request();
  if (!trial.counted()) return static_cast<int>(as_given.sectors());
  const auto counted = static_cast<int>(trial.values().at("global_load_sectors"));
  trial.expect(counted == as_given.sectors(),
               "load_field is not as it was given: it loads more than once, or less.");
  return counted;
}

void judge(Trial& trial) {
  const int layout = trial["layout"];
  const int said = coursework::answers_to<int>(trial, kLayoutCount)[layout];
  coursework::expect_counted(trial, said, sectors_of_load(trial, layout), kReasons[layout]);
}

const coursework::Registered registered("06_3", judge);

}  // namespace exercise_06_3
