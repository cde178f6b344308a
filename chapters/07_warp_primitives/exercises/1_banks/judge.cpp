#include "../block_sums.hpp"

namespace exercise_07_1 {

void judge(coursework::Trial& trial) {
  block_sums::expect_sums(trial, "Does every warp's sum have a place of its own?");
}

const coursework::Registered registered("07_1", judge);

}  // namespace exercise_07_1
