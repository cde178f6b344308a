#include "../block_sums.hpp"

namespace exercise_07_3 {

void judge(coursework::Trial& trial) {
  block_sums::expect_sums(trial,
                          "the mask of the last tree names lanes that do not come, or a lane reads "
                          "from one that the mask "
                          "does not name.");
}

const coursework::Registered registered("07_3", judge);

}  // namespace exercise_07_3
