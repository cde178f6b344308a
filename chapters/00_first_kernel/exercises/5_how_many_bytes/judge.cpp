#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "course/divide_up.hpp"
#include "course/inputs.hpp"
#include "tools/coursework/judging/questions.hpp"
#include "tools/coursework/judging/trial.hpp"

namespace exercise_00_5 {

using course::divide_up;
using coursework::Trial;

constexpr int kQuestions = 5, kThreads = 256, kFewThreads = 64;
constexpr int kSectorBytes = 32;
constexpr int kMost = 1000;  // small whole numbers: no sum is rounded
constexpr float kFactor = 3.0f, kValue = 42.0f;
const char* const kNames[kQuestions] = {"add", "scale", "fill", "add_half", "add_to"};

/// What a kernel moves for n elements, as exercise.cu gives it.
struct Bytes {
  int loaded, stored;
  int all() const { return loaded + stored; }
};

Bytes as_given(int kernel, int n) {
  switch (kernel) {
    case 0:
      return {8 * n, 4 * n};
    case 1:
      return {4 * n, 4 * n};
    case 2:
      return {0, 4 * n};
    case 3:
      return {4 * n, 2 * n};
    default:
      return {8 * n, 4 * n};
  }
}

/// What to say to wrong answers that have a reason. The right one is not told.
std::map<int, std::string> reasons_for(int kernel, int n) {
  const std::string elements_only = "That is how many elements there are. How large is a float?";
  switch (kernel) {
    case 0:
      return {{n, elements_only},
              {3 * n, "That many floats are loaded and stored. How many bytes has a float?"},
              {4 * n, "That is one of the three arrays."},
              {8 * n, "Loads and stores together: is c among them?"},
              {96 * n, "That counts bits. How many bytes has a float?"}};
    case 1:
      return {
          {n, elements_only},
          {2 * n, "That many floats are loaded and stored. How many bytes has a float?"},
          {4 * n, "In place, but it is loaded and stored: does only one of the two move bytes?"},
          {12 * n, "How many arrays does this kernel have?"}};
    case 2:
      return {{n, elements_only},
              {8 * n, "Does this kernel need to know what was in c before?"},
              {12 * n, "How many arrays does this kernel have?"}};
    case 3:
      return {{12 * n, "Does a thread load a[i] whose guard is false?"},
              {10 * n, "Which comes first: the guard, or the loads?"},
              {4 * n, "Loads and stores together: half of how many arrays is moved?"},
              {3 * n / 2, "That many floats are loaded and stored. How many bytes has a float?"}};
    default:
      return {{24 * n, "Half of 2 n threads find no element below n. What do they move?"},
              {8 * n, "What does += do before it can store?"},
              {4 * n, "What does += do before it can store? And is b loaded?"},
              {3 * n, "That many floats are loaded and stored. How many bytes has a float?"},
              {12 * kFewThreads, "With 64 threads, each goes on until all n elements are done."},
              {24 * kFewThreads, "With 64 threads, each goes on until all n elements are done."}};
  }
}

std::vector<float> whole_floats(int n, std::uint64_t seed) {
  const auto whole = course::random_ints(n, seed, 1, kMost);
  return {whole.begin(), whole.end()};
}

/// Launches the kernel, and returns how many bytes it moves. Ends the trial if it is not the kernel
/// that was given.
int bytes_moved(Trial& trial, int kernel, int n, coursework::Shape shape) {
  const std::string not_as_given = std::string(kNames[kernel]) + " is not as it was given: ";
  const auto a = whole_floats(n, trial.seed(1)), b = whole_floats(n, trial.seed(2));
  const auto device_a = trial.input(a), device_b = trial.input(b);
  const auto device_c = trial.output<float>(n);
  trial.count_from_here();
  if (kernel == 0 || kernel == 3)
    trial.launch(kNames[kernel], shape, n, device_a, device_b, device_c);
  if (kernel == 1) trial.launch(kNames[kernel], shape, n, kFactor, device_a);
  if (kernel == 2) trial.launch(kNames[kernel], shape, n, kValue, device_c);
  if (kernel == 4) trial.launch(kNames[kernel], shape, n, device_b, device_a);

  const bool is_in_place = kernel == 1 || kernel == 4;
  const auto result = trial.read(is_in_place ? device_a : device_c);
  for (int i = 0; i < n; ++i) {
    const float wanted = kernel == 1 ? kFactor * a[i] : kernel == 2 ? kValue : a[i] + b[i];
    const bool is_left_out = kernel == 3 && i >= n / 2;
    trial.expect(is_left_out ? std::isnan(result[i]) : result[i] == wanted,
                 not_as_given + "element " + std::to_string(i) + " comes out differently.");
  }
  const Bytes given = as_given(kernel, n);
  if (!trial.counted()) return given.all();
  const auto loaded = static_cast<int>(kSectorBytes * trial.values().at("global_load_sectors"));
  const auto stored = static_cast<int>(kSectorBytes * trial.values().at("global_store_sectors"));
  trial.expect(loaded == given.loaded && stored == given.stored,
               not_as_given + "it loads or stores more than it did, or less.");
  return loaded + stored;
}

void judge(Trial& trial) {
  const int kernel = trial["kernel"], n = trial["n"];
  const auto answers = trial.output<int>(kQuestions);
  trial.launch("answers", {1, 1}, n, answers);
  const int said = trial.read(answers)[kernel];

  int moved = 0;
  if (kernel == 4) {
    bytes_moved(trial, kernel, n, {1, kFewThreads});
    moved = bytes_moved(trial, kernel, n, {2 * divide_up(n, kThreads), kThreads});
  } else {
    moved = bytes_moved(trial, kernel, n, {divide_up(n, kThreads), kThreads});
  }
  coursework::expect_counted(trial, said, moved, reasons_for(kernel, n));
}

const coursework::Registered registered("00_5", judge);

}  // namespace exercise_00_5
