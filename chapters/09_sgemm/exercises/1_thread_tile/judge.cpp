#include "tools/coursework/judging/matrices.hpp"

namespace exercise_09_1 {

void judge(coursework::Trial& trial) {
  coursework::judge_tiled_product(trial, "sgemm_thread_tile", 512);
}

const coursework::Registered registered("09_1", judge);

}  // namespace exercise_09_1
