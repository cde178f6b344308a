#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>

#include "tools/coursework/judging/questions.hpp"
#include "tools/coursework/judging/trial.hpp"

namespace exercise_09_7 {

using coursework::Trial;

constexpr int kWarp = 32, kQuestions = 5;
/// What the experiment costs as it was given: digests of the right answers.
constexpr std::array<std::uint64_t, kQuestions> kAsGiven = {0x57fbc1123f9e9c43, 0x640ddab49a23697a,
                                                            0x6a042e582f1662e4, 0x29f1a6246d463a99,
                                                            0xe580da7df89145fc};

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

/// What led to some of the wrong answers, by question.
const std::array<std::map<int, std::string>, kQuestions> kReasons = {
    {{{1,
       "With one float of padding it would be one. Here a row begins 8 banks after the row before. "
       "Where does the fifth row begin?"},
      {4, "The floats lie in four different banks. How many of the 32 lie in each of them?"},
      {32, "That is the number without padding, when all rows begin in bank 0."}},
     {{1,
       "A swizzle moves whole pieces of four floats. A float can come to eight of the banks: "
       "which?"},
      {8, "The floats lie in eight different banks. How many of the 32 lie in each of them?"},
      {32,
       "Without the swizzle they would all meet in one bank. Which piece does row 0 read, and "
       "which place has the same piece in row 1?"}},
     {{8,
       "That is one quarter of the warp, eight lanes, all in the same four banks. And the other "
       "quarters?"},
      {128,
       "A bank serves 4 bytes in each wavefront, and a piece lies in four banks, which serve it at "
       "the same time."},
      {4,
       "That would be the least, 512 bytes in wavefronts of 128. In which banks do the pieces of "
       "rows 0 to 7 lie?"}},
     {{1, "A wavefront has 128 bytes at most. The lanes read 16 each."},
      {8, "Rows 0 to 7 are a quarter. In how many different places do they have the piece?"},
      {16, "Rows 0 to 7 are a quarter. In how many different places do they have the piece?"}},
     {{4, "row & 3 is the same for row 0 and row 4. Both are in the first quarter."},
      {16, "Rows 0 to 7 have the piece in four different places. How many of them share a place?"},
      {2, "That is one quarter of the warp. And the other three?"}}}};

void judge(Trial& trial) {
  const auto said = coursework::answers_to<int>(trial, kQuestions);

  constexpr int kWhole = 7, kHalf = 3, kColumn = 5, kPiece = 6;
  const std::array<double, kQuestions> found = {
      wavefronts(trial, "read_floats", 1, kWarp + 8, 0, kColumn),
      wavefronts(trial, "read_floats", 1, kWarp, kWhole, kColumn),
      wavefronts(trial, "read_pieces", 4, kWarp, 0, kPiece),
      wavefronts(trial, "read_pieces", 4, kWarp, kWhole, kPiece),
      wavefronts(trial, "read_pieces", 4, kWarp, kHalf, kPiece)};
  for (std::size_t i = 0; i < kQuestions; ++i)
    trial.expect(
        !trial.counted() || coursework::answer_digest("09_7", i, found[i]) == kAsGiven[i],
        "The experiment is not as it was given: it costs something else. Only answers() is "
        "yours to change.");
  if (const int question = trial["question"]; question > 0 && trial.counted())
    coursework::expect_counted(trial, said[question - 1], static_cast<int>(found[question - 1]),
                               kReasons[question - 1]);
}

const coursework::Registered registered("09_7", judge);

}  // namespace exercise_09_7
