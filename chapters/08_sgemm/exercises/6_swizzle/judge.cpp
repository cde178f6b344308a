#include <array>
#include <string>

#include "tools/coursework/judging/questions.hpp"
#include "tools/coursework/judging/trial.hpp"

namespace exercise_08_6 {

using coursework::Trial;

constexpr int kWarp = 32, kQuestions = 5;

/// Launches an experiment that reads `width` floats a lane, from column or piece `first` on, and
/// returns the wavefronts of the read; -1 where nothing counts. Ends the trial if it reads others.
double wavefronts(Trial& trial, const std::string& kernel, int width, int pitch, int mask,
                  int first) {
  const auto out = trial.output<float>(kWarp * width);
  trial.count_from_here();
  trial.launch(kernel, {1, kWarp}, pitch, mask, first, out);
  const auto read = trial.read(out);
  for (int i = 0; i < kWarp * width; ++i)
    trial.expect(read[i] == static_cast<float>(i / width * kWarp + first * width + i % width),
                 kernel +
                     " is not as it was given: it reads something else. Only answers() is "
                     "yours to change.");
  return trial.counted() ? trial.values().at("shared_load_wavefronts") : -1.0;
}

void judge(Trial& trial) {
  const auto said = coursework::answers_to<int>(trial, kQuestions);

  constexpr int kWhole = 7, kHalf = 3, kColumn = 5, kPiece = 6;
  const std::array<double, kQuestions> found = {
      wavefronts(trial, "read_floats", 1, kWarp + 8, 0, kColumn),
      wavefronts(trial, "read_floats", 1, kWarp, kWhole, kColumn),
      wavefronts(trial, "read_pieces", 4, kWarp, 0, kPiece),
      wavefronts(trial, "read_pieces", 4, kWarp, kWhole, kPiece),
      wavefronts(trial, "read_pieces", 4, kWarp, kHalf, kPiece)};
  constexpr std::array<double, kQuestions> kAsGiven = {8, 4, 32, 4, 8};
  trial.expect(!trial.counted() || found == kAsGiven,
               "The experiment is not as it was given: it costs something else. Only answers() is "
               "yours to change.");
  for (int i = 0; i < kQuestions; ++i) {
    trial.set("said_" + std::to_string(i), said[i]);
    trial.set("found_" + std::to_string(i), found[i]);
  }
}

const coursework::Registered registered("08_6", judge);

}  // namespace exercise_08_6
