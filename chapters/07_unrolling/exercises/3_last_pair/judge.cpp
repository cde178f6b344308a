#include "../sums.hpp"
#include "course/backend.hpp"

namespace exercise_07_3 {

using course::divide_up;
using sums::kThreads;

constexpr double kLoads = 2;  // of a pair

void judge(coursework::Trial& trial) {
  const std::string kernel = "sum_ahead";
  const int n = trial["n"], blocks = trial["blocks"], row = blocks * kThreads;
  coursework::PaperRequests loads;
  for (int first = 0; first < n; first += course::kWarpSize) {
    for (int i = first; i < std::min(first + course::kWarpSize, n); ++i) loads.lane(i);
    loads.end_request();
  }
  trial.set("load_sectors", 2.0 * static_cast<double>(loads.sectors()));

  // In "ahead", C overlaps A by all but one row: a sum that is stored before the next pair is asked
  // for stands in the place of that pair.
  // A GPU may copy later than it is told to, and then even a right answer brings them.
  const bool overlaps = trial.group() == "ahead" && course::backend().reports_counters;
  if (overlaps) trial.keep_to_one_order();
  const auto a = course::random_floats(overlaps ? n + row : n, trial.seed(1));
  const auto b = course::random_floats(n, trial.seed(2));
  const auto memory = trial.input(a);
  const auto c = overlaps ? memory.from(row) : trial.output<float>(n);
  trial.launch(kernel, {blocks, kThreads}, n, memory, trial.input(b), c);

  const auto result = trial.read(overlaps ? memory : c);
  const int rows = divide_up(n, row);
  for (int i = 0; i < n; ++i) {
    const float found = result[overlaps ? row + i : i], expected = a[i] + b[i];
    const std::string sum = "C[" + std::to_string(i) + "] is " + std::to_string(found) +
                            " instead of " + std::to_string(expected) + ". ";
    trial.expect(found == expected || i / row + 1 < rows,
                 sum + "It is the last pair of its thread: was it there when the thread added it?");
    trial.expect(found == expected || overlaps, sum);
    trial.expect(found == expected,
                 "A sum is stored before the thread's next pair is asked for. (C overlaps A here, "
                 "so that a copy that comes too late brings the sum.)");
  }
  const double warps = row / course::kWarpSize, whole_rows = n / row;
  const double early =
      warps * kLoads * std::max(0.0, whole_rows - 1);  // for all pairs but the last
  sums::set_misplaced_loads(trial, n, warps, warps, whole_rows, 1, early);
  trial.set("last_sums", std::min(n, row));
}

const coursework::Registered registered("07_3", judge);

}  // namespace exercise_07_3
