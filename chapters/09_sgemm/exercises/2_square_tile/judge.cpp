#include "tools/coursework/judging/matrices.hpp"

namespace exercise_09_2 {

void judge(coursework::Trial& trial) {
  coursework::judge_tiled_product(trial, "sgemm_square_tile", 64);
}

const coursework::Registered registered("09_2", judge);

}  // namespace exercise_09_2
