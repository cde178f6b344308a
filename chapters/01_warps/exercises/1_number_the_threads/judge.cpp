#include <algorithm>
#include <string>
#include <vector>

#include "course/counters.hpp"
#include "course/divide_up.hpp"
#include "tools/coursework/judging/trial.hpp"

namespace exercise_01_1 {

using course::kWarpSize;
using coursework::Trial;

constexpr int kNeverWritten = -1;  // what output() leaves: bytes 0xff
const std::string kKernel = "describe_threads";

std::string shape(dim3 block) {
  return std::to_string(block.x) + " x " + std::to_string(block.y) + " x " +
         std::to_string(block.z);
}

std::string place(int thread, dim3 block) {
  const int x = thread % block.x, y = thread / block.x % block.y, z = thread / block.x / block.y;
  return "thread (" + std::to_string(x) + ", " + std::to_string(y) + ", " + std::to_string(z) +
         ") of a block of " + shape(block);
}

std::string describe(int warp, int lane) {
  return "lane " + std::to_string(lane) + " of warp " + std::to_string(warp);
}

/// Whether `leader` is another lane's number where the shuffle brings another lane's.
bool leader_comes_by_shuffle(Trial& trial, dim3 block) {
  const int threads = static_cast<int>(block.x * block.y * block.z);
  const auto leader = trial.output<int>(threads);
  const int turn = static_cast<int>(trial.launch_with_turned_lanes(
      kKernel, {1, block}, trial.output<int>(threads), trial.output<int>(threads),
      trial.output<int>(threads), leader));
  if (turn == 0) return true;
  const auto found = trial.read(leader);
  for (int thread = 0; thread < threads; ++thread) {
    const int first = thread - thread % kWarpSize;
    if (found[thread] != first + turn % std::min(threads - first, kWarpSize)) return false;
  }
  return true;
}

void judge(Trial& trial) {
  const dim3 block(trial["x"], trial["y"], trial["z"]);
  const int threads = static_cast<int>(block.x * block.y * block.z);
  constexpr int kSectorInts = course::kSectorBytes / sizeof(int);
  trial.set("sectors", course::divide_up(threads, kSectorInts));
  trial.set("warps", course::divide_up(threads, kWarpSize));
  const auto out_warp = trial.output<int>(threads), out_lane = trial.output<int>(threads);
  const auto out_lanes = trial.output<int>(threads), out_leader = trial.output<int>(threads);
  trial.launch(kKernel, {1, block}, out_warp, out_lane, out_lanes, out_leader);

  const auto warp = trial.read(out_warp), lane = trial.read(out_lane);
  const auto lanes = trial.read(out_lanes), leader = trial.read(out_leader);
  for (int thread = 0; thread < threads; ++thread) {
    const std::string who = place(thread, block) + " is number " + std::to_string(thread);
    const std::string wanted = describe(thread / kWarpSize, thread % kWarpSize);
    const std::string found = warp[thread] == kNeverWritten || lane[thread] == kNeverWritten
                                  ? "was never written"
                                  : "says " + describe(warp[thread], lane[thread]);
    trial.expect(found == "says " + wanted, who + ": element " + std::to_string(thread) +
                                                " should say " + wanted + ", but it " + found +
                                                ".");
    const int wanted_leader = thread - thread % kWarpSize;
    trial.expect(leader[thread] == wanted_leader,
                 "In a block of " + shape(block) + ", the thread that you number " +
                     std::to_string(thread) + " runs in a warp whose lane 0 you number " +
                     std::to_string(leader[thread]) + "; by the formula that would be number " +
                     std::to_string(wanted_leader) +
                     ". The machine numbers threads in another order.");
    const int wanted_lanes = std::min(threads - wanted_leader, kWarpSize);
    trial.expect(lanes[thread] == wanted_lanes,
                 who + "; its warp has " + std::to_string(wanted_lanes) + " lanes, but lanes[" +
                     std::to_string(thread) + "] is " + std::to_string(lanes[thread]) + ".");
  }
  trial.set("of_shuffles", leader_comes_by_shuffle(trial, block));
}

const coursework::Registered registered("01_1", judge);

}  // namespace exercise_01_1
