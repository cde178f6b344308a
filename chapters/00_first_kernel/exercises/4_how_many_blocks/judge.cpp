#include <string>

#include "tools/coursework/judging/trial.hpp"

namespace exercise_00_4 {

using coursework::Trial;

void judge(Trial& trial) {
  const int n = trial["n"], threads = trial["threads"];
  const auto device_blocks = trial.output<int>(1), device_idle = trial.output<int>(1);
  trial.launch("report", {1, 1}, n, threads, device_blocks, device_idle);

  const int blocks = trial.read(device_blocks)[0], idle = trial.read(device_idle)[0];
  const int left_over = n % threads;
  const int wanted_blocks = n / threads + (left_over == 0 ? 0 : 1);
  const int wanted_idle = left_over == 0 ? 0 : threads - left_over;
  const std::string case_words =
      std::to_string(n) + " elements in blocks of " + std::to_string(threads) + ": ";
  trial.expect(blocks == wanted_blocks, case_words + "you start " + std::to_string(blocks) +
                                            " blocks, and " + std::to_string(wanted_blocks) +
                                            " are needed.");
  trial.expect(idle == wanted_idle, case_words + "you count " + std::to_string(idle) +
                                        " idle threads, and there are " +
                                        std::to_string(wanted_idle) + ".");
}

const coursework::Registered registered("00_4", judge);

}  // namespace exercise_00_4
