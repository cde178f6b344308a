#include <string>
#include <vector>

#include "course/counters.hpp"
#include "course/inputs.hpp"
#include "tools/coursework/judging/questions.hpp"
#include "tools/coursework/judging/requests.hpp"
#include "tools/coursework/judging/trial.hpp"

namespace exercise_01_3 {

using course::kWarpSize;
using coursework::Trial;

constexpr int kQuestions = 6, kThreads = 64, kInputs = 512;

/// What a thread finds in question 1 to 6, in blocks of 64 or of 8 x 8.
float expected(int question, int thread, const std::vector<float>& in) {
  float x = 0.0f;
  switch (question) {
    case 1:
      return thread % 4 == 0 ? in[thread] : 0.0f;
    case 2:
      return float(thread % 4 + 1) * in[thread % 4 * kThreads + thread];
    case 3:
      for (int round = 0; round < thread % 8; ++round) x += in[kThreads * round + thread];
      return x;
    case 4:
      for (int round = 0; round < thread / 8; ++round) x += in[kThreads * round + thread];
      return x;
    case 5:
      return thread % 8 < 4 ? in[thread] : 2 * in[kThreads + thread];
    default:
      return thread / 8 < 4 ? in[thread] : 2 * in[kThreads + thread];
  }
}

/// The element that a thread loads in a step of a question, a side of a branch or a round of a
/// loop; -1: none.
int element_of(int question, int step, int thread) {
  const auto side = [&](bool takes) { return takes ? kThreads * step + thread : -1; };
  switch (question) {
    case 1:
      return side(step == 0 && thread % 4 == 0);
    case 2:
      return side(step == thread % 4);
    case 3:
      return side(step < thread % 8);
    case 4:
      return side(step < thread / 8);
    case 5:
      return side(step == (thread % 8 < 4 ? 0 : 1));
    default:
      return side(step == (thread / 8 < 4 ? 0 : 1));
  }
}

/// Whether a question's experiment loads and stores what it did: counted on paper, warp by warp.
bool is_as_given(const Trial& trial, int question) {
  coursework::PaperRequests loads, stores;
  for (int first = 0; first < kThreads; first += kWarpSize) {
    for (int step = 0; step < kInputs / kThreads; ++step) {
      for (int thread = first; thread < first + kWarpSize; ++thread)
        if (const int element = element_of(question, step, thread); element >= 0)
          loads.lane(element);
      loads.end_request();
    }
    for (int thread = first; thread < first + kWarpSize; ++thread) stores.lane(thread);
    stores.end_request();
  }
  return coursework::off_from(trial, loads, stores) == 0;
}

void judge(Trial& trial) {
  const auto answers = coursework::answers_to<int>(trial, kQuestions);

  const auto in = course::random_floats(kInputs, trial.seed(1));
  for (int question = 1; question <= kQuestions; ++question) {
    trial.count_from_here();
    const auto device_in = trial.input(in);
    const auto device_out = trial.output<float>(kThreads);
    const dim3 block = question < 5 ? dim3(kThreads) : dim3(8, 8);
    trial.launch("experiment", {1, block}, question, device_in, device_out);
    const auto out = trial.read(device_out);
    for (int thread = 0; thread < kThreads; ++thread)
      trial.expect(out[thread] == expected(question, thread, in),
                   "The experiment is not as given: in question " + std::to_string(question) +
                       ", thread " + std::to_string(thread) + " found something else.");
    if (!trial.counted()) continue;

    trial.expect(is_as_given(trial, question),
                 "The experiment is not as given: in question " + std::to_string(question) +
                     ", it loads or stores more or less often, or otherwise.");
    coursework::set_answer(trial, question, answers[question - 1],
                           trial.values().at("global_load_requests"));
  }
}

const coursework::Registered registered("01_3", judge);

}  // namespace exercise_01_3
