#include "tools/coursework/judging/matrices.hpp"

namespace exercise_08_2 {

void judge(coursework::Trial& trial) {
  coursework::judge_tiled_product(trial, "sgemm_square_tile", 64);
}

const coursework::Registered registered("08_2", judge);

}  // namespace exercise_08_2
