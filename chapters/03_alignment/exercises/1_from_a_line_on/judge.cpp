#include <algorithm>
#include <string>
#include <vector>

#include "course/counters.hpp"
#include "course/divide_up.hpp"
#include "course/inputs.hpp"
#include "tools/coursework/judging/trial.hpp"

namespace exercise_03_1 {

using course::divide_up;
using course::kWarpSize;
using coursework::Trial;

constexpr int kSectorFloats = course::kSectorBytes / sizeof(float);
constexpr int kLineFloats = course::kLineBytes / sizeof(float);
constexpr int kThreads = 128;
constexpr float kFactor = 3.0f;

/// How many pieces of `piece` floats [first, n) touches.
int pieces(int first, int n, int piece) {
  return first < n ? divide_up(n, piece) - first / piece : 0;
}

/// The same, added up over warps of which the first begins at `first`.
int pieces_of_warps(int first, int n, int piece) {
  int sum = 0;
  for (int begin = first; begin < n; begin += kWarpSize)
    sum += pieces(begin, std::min(begin + kWarpSize, n), piece);
  return sum;
}

void judge(Trial& trial) {
  const int n = trial["n"], first = trial["first"];
  trial.set("sectors", pieces(first, n, kSectorFloats));
  trial.set("lines", pieces(first, n, kLineFloats));
  trial.set("sectors_unaligned", pieces_of_warps(first, n, kSectorFloats));
  const int first_sector = first / kSectorFloats * kSectorFloats;
  trial.set("lines_unaligned", pieces_of_warps(first_sector, n, kLineFloats));

  const auto before = course::random_floats(n, trial.seed(1));
  const auto data = trial.input(before);
  const int blocks = divide_up(std::max(n - first, 0) + kWarpSize, kThreads);
  trial.launch("scale_from", {blocks, kThreads}, n, first, kFactor, data);

  const auto after = trial.read(data);
  for (int k = 0; k < n; ++k) {
    const std::string element = "data[" + std::to_string(k) + "]";
    if (k < first) {
      trial.expect(after[k] == before[k],
                   element + " was changed, but it lies in front of `first`.");
      continue;
    }
    trial.expect(after[k] != before[k], element + " was not scaled.");
    trial.expect(after[k] == kFactor * before[k],
                 element + " was scaled, but not by the factor, or not just once.");
  }
}

const coursework::Registered registered("03_1", judge);

}  // namespace exercise_03_1
