#include <string>
#include <vector>

#include "course/inputs.hpp"
#include "tools/coursework/judging/questions.hpp"
#include "tools/coursework/judging/trial.hpp"

namespace exercise_01_3 {

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

/// How many lanes load in a question, worked out on paper.
constexpr double kLoads[] = {16, 64, 224, 224, 64, 64};

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

    const auto& counted = trial.values();
    const double requests = counted.at("global_load_requests");
    const double lanes = counted.at("lane_instructions") - kThreads;  // without the stores
    trial.expect(lanes == kLoads[question - 1] && counted.at("global_store_requests") == 2,
                 "The experiment is not as given: in question " + std::to_string(question) +
                     ", it loads or stores more or less often.");
    coursework::set_answer(trial, question, answers[question - 1], requests);
  }
}

const coursework::Registered registered("01_3", judge);

}  // namespace exercise_01_3
