#include <algorithm>
#include <string>
#include <vector>

#include "course/divide_up.hpp"
#include "course/inputs.hpp"
#include "tools/coursework/judging/trial.hpp"

namespace exercise_07_5 {

using course::divide_up;
using coursework::Trial;

constexpr int kThreads = 64, kBytesPerThread = 4, kMost = 255;
constexpr int kBytesPerRequest = 4 * 32;

/// How many load requests a kernel makes that takes a thread's four bytes one by one.
int requests_by_bytes(int bytes) {
  int requests = 0;
  for (int first = 0; first < bytes; first += kBytesPerRequest)
    requests += std::min(kBytesPerThread, bytes - first);
  return requests;
}

void judge(Trial& trial) {
  const int bytes = 3 * trial["width"] * trial["height"], more = trial["more"];
  trial.set("bytes", bytes);
  trial.set("bytes_per_128", divide_up(bytes, kBytesPerRequest));
  trial.set("by_bytes", requests_by_bytes(bytes));

  std::vector<unsigned char> picture;
  for (const int value : course::random_ints(bytes, trial.seed(1), 0, kMost))
    picture.push_back(static_cast<unsigned char>(value));
  const auto brighter = trial.output<unsigned char>(bytes);
  trial.launch("brighten", {divide_up(bytes, kThreads * kBytesPerThread), kThreads}, bytes, more,
               trial.input(picture), brighter);

  const auto result = trial.read(brighter);
  for (int i = 0; i < bytes; ++i) {
    const int expected = std::min(picture[i] + more, kMost);
    trial.expect(result[i] == expected,
                 "Byte " + std::to_string(i) + " of " + std::to_string(bytes) + " was " +
                     std::to_string(picture[i]) + " and should become " + std::to_string(expected) +
                     ", but it is " + std::to_string(result[i]) + ".");
  }
}

const coursework::Registered registered("07_5", judge);

}  // namespace exercise_07_5
