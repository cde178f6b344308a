#include <map>
#include <string>
#include <vector>

#include "course/counters.hpp"
#include "course/inputs.hpp"
#include "tools/coursework/judging/questions.hpp"
#include "tools/coursework/judging/requests.hpp"
#include "tools/coursework/judging/trial.hpp"

namespace exercise_02_3 {

using course::kWarpSize;
using coursework::Trial;

constexpr int kPatternCount = 5, kElements = 4 * 640;

/// Which element a lane loads, as exercise.cu gives it; -1: none.
int element_of(int pattern, int lane) {
  switch (pattern) {
    case 0:
      return 3 * lane;
    case 1:
      return lane % 2 == 0 ? lane : -1;
    case 2:
      return lane / 4 * 100;
    case 3:
      return lane / 8 * 640 + lane % 8;
    default:
      return lane / 16 * 640 + lane % 16 * 2;
  }
}

/// What to say to wrong answers that have a reason, for each pattern. The right one is not told.
const std::map<int, std::string> kReasons[kPatternCount] = {
    {{4, "Four sectors hold 32 floats. How far does lane 31 reach?"},
     {8, "That is what every second float costs."},
     {11,
      "Lane 31 takes the float at byte 372. In which sector is that, if the first is number 0?"},
     {32, "Lanes 0, 1 and 2 take the floats at bytes 0, 12 and 24. Do they need a sector each?"}},
    {{2, "Half of the floats are wanted. But is there a sector in which none is?"},
     {8, "A lane takes in[lane], not in[2 * lane]. How far does lane 30 reach?"},
     {16, "16 lanes load. Some of them share a sector: how many?"}},
    {{1, "in[0] and in[100] are 400 bytes apart."},
     {4, "How many values does lane / 4 have?"},
     {32, "Lanes 0 to 3 all take in[0]. A sector moves once, however many lanes want it."}},
    {{1, "The rows of the patch are 640 floats apart."},
     {8, "Which side of the patch is 8: its width or its height?"},
     {16, "640 is a multiple of 8: so each row of the patch begins where a sector does."},
     {32, "Lanes 0 to 7 stand side by side in one row. How many bytes is that?"}},
    {{4, "With gaps, 16 lanes reach twice as far as without."},
     {16, "Every second float of a sector is wanted. So how many lanes share it?"},
     {32, "Every second float of a sector is wanted. So how many lanes share it?"}}};

/// Launches load_once, and returns how many sectors it touches. Ends the trial if it is not the
/// kernel that was given.
int sectors_of_load(Trial& trial, int pattern) {
  trial.count_from_here();
  const auto values = course::random_floats(kElements, trial.seed(1));
  const auto in = trial.input(values);
  const auto out = trial.output<float>(kWarpSize);
  trial.launch("load_once", {1, kWarpSize}, pattern, in, out);

  coursework::PaperRequests as_given;
  const auto loaded = trial.read(out);
  for (int lane = 0; lane < kWarpSize; ++lane) {
    const int element = element_of(pattern, lane);
    trial.expect(loaded[lane] == (element < 0 ? 0.0f : values[element]),
                 "load_once is not as it was given: lane " + std::to_string(lane) +
                     " loads something else.");
    if (element >= 0) as_given.lane(element);
  }
  as_given.end_request();
  if (!trial.counted()) return static_cast<int>(as_given.sectors());
  const auto counted = static_cast<int>(trial.values().at("global_load_sectors"));
  trial.expect(counted == as_given.sectors(),
               "load_once is not as it was given: it loads more than once, or less.");
  return counted;
}

void judge(Trial& trial) {
  const int pattern = trial["pattern"];
  const int said = coursework::answers_to<int>(trial, kPatternCount)[pattern];
  coursework::expect_counted(trial, said, sectors_of_load(trial, pattern), kReasons[pattern]);
}

const coursework::Registered registered("02_3", judge);

}  // namespace exercise_02_3
