#include <string>
#include <vector>

#include "course/inputs.hpp"
#include "tools/coursework/judging/questions.hpp"
#include "tools/coursework/judging/trial.hpp"

namespace exercise_03_4 {

using coursework::Trial;

constexpr int kCols = 32, kQuestions = 4;
constexpr int kSectorBytes = 32;
const std::string kNotAsGiven = "The kernels that cut are not as given any more";

/// One question: which picture, and where the window begins.
struct Window {
  int width, left;
};

/// Cuts one window, and checks it.
template <class Pixel>
void cut(Trial& trial, const std::string& kernel, Window w, int rows) {
  std::vector<Pixel> picture(static_cast<std::size_t>(w.width) * rows);
  const auto shades = course::random_ints(picture.size(), trial.seed(1), 0, 200);
  for (std::size_t i = 0; i < picture.size(); ++i) picture[i] = static_cast<Pixel>(shades[i]);
  const auto device_picture = trial.input(picture);
  const auto device_window = trial.output<Pixel>(std::size_t(kCols) * rows);
  trial.count_from_here();
  trial.launch(kernel, {1, dim3(kCols, rows)}, w.width, w.left, device_picture, device_window);

  const auto window = trial.read(device_window);
  double sectors = 0;
  for (int row = 0; row < rows; ++row) {
    for (int col = 0; col < kCols; ++col)
      trial.expect(window[row * kCols + col] == picture[std::size_t(row) * w.width + w.left + col],
                   kNotAsGiven + ": row " + std::to_string(row) + " of the window is wrong.");
    const int first = (row * w.width + w.left) * int(sizeof(Pixel));
    const int last = first + kCols * int(sizeof(Pixel)) - 1;
    sectors += last / kSectorBytes - first / kSectorBytes + 1;
  }
  if (!trial.counted()) return;
  const auto& counted = trial.values();
  trial.expect(counted.at("global_load_requests") == rows &&
                   counted.at("global_load_sectors") == sectors &&
                   counted.at("global_store_requests") == rows,
               kNotAsGiven + ": they load or store more or less than they did.");
}

void judge(Trial& trial) {
  const int rows = trial["rows"];
  const auto answers = coursework::answers_to<int>(trial, kQuestions);

  const Window windows[kQuestions] = {{896, 0}, {896, 11}, {900, 0}, {896, 11}};
  for (int question = 0; question < kQuestions; ++question) {
    if (question < 3) cut<unsigned char>(trial, "cut_bytes", windows[question], rows);
    if (question == 3) cut<float>(trial, "cut_floats", windows[question], rows);
    if (!trial.counted()) continue;

    coursework::set_answer(trial, question + 1, answers[question],
                           trial.values().at("global_load_sectors"));
  }
}

const coursework::Registered registered("03_4", judge);

}  // namespace exercise_03_4
