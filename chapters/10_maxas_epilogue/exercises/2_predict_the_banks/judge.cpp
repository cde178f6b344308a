#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

#include "tools/coursework/judging/questions.hpp"
#include "tools/coursework/judging/trial.hpp"

namespace exercise_10_2 {

using coursework::Trial;

constexpr int kWarp = 32, kResults = 32 * 16, kQuestions = 5;
constexpr int kSteps = 4;          // 16-byte stores of a staged tile
constexpr int kMostPadding = 32;   // that shared memory has room for
constexpr int kFewestOfAWarp = 4;  // wavefronts of a 16-byte store
/// What the experiment costs as it was given: digests of the right answers.
constexpr std::array<std::uint64_t, kQuestions> kAsGiven = {0xc14bd43613543503, 0x59437b2c4095fcdc,
                                                            0xa2335eb2b45f765e, 0x0c0136a76acdb7ff,
                                                            0x48a138b3ef3218b3};

/// Launches one of the experiments, and returns how much of `counter` it costs; -1 where nothing
/// counts. Ends the trial if results are missing.
template <class... Arguments>
double cost(Trial& trial, const char* counter, const char* kernel, const Arguments&... arguments) {
  const auto device_c = trial.output<float>(kResults);
  trial.count_from_here();
  trial.launch(kernel, {1, kWarp}, arguments..., device_c);
  const auto c = trial.read(device_c);
  for (int i = 0; i < kResults; ++i)
    trial.expect(c[i] == static_cast<float>(i),
                 std::string(kernel) + " is not as it was given: C[" + std::to_string(i) +
                     "] is wrong. Only answers() is yours to change.");
  return trial.counted() ? trial.values().at(counter) : -1.0;
}

double wavefronts(Trial& trial, int order, int pad) {
  return cost(trial, "shared_store_wavefronts", "staged", order, pad) / kSteps;
}

void judge(Trial& trial) {
  const auto said = coursework::answers_to<int>(trial, kQuestions);

  int least = 0;
  while (least < kMostPadding && wavefronts(trial, 2, least) > kFewestOfAWarp) least += 4;
  const std::array<double, kQuestions> found = {
      cost(trial, "global_store_sectors", "straight", 1) / 16, wavefronts(trial, 1, 0),
      wavefronts(trial, 0, 8), wavefronts(trial, 2, 0), static_cast<double>(least)};
  for (std::size_t i = 0; i < kQuestions; ++i)
    trial.expect(
        !trial.counted() || coursework::answer_digest("10_2", i, found[i]) == kAsGiven[i],
        "The experiment is not as it was given: it costs something else. Only answers() is "
        "yours to change.");
  for (int i = 0; i < kQuestions; ++i) {
    trial.set("said_" + std::to_string(i), said[i]);
    trial.set("found_" + std::to_string(i), found[i]);
  }
}

const coursework::Registered registered("10_2", judge);

}  // namespace exercise_10_2
