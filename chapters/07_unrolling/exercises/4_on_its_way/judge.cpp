#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "../sums.hpp"
#include "tools/coursework/judging/questions.hpp"

namespace exercise_07_4 {

using coursework::Trial;

constexpr int kWays = 4, kPairs = 4, kFloatBytes = 4;
constexpr int kEnoughBytes = 28 * 1024, kRoomForWarps = 64;
/// What a thread has on its way as add_four was given: digests of the right answers.
constexpr std::uint64_t kAsGiven[kWays] = {0x27eca69058aac8f7, 0x5af66daf3fdbf0b5,
                                           0xbcc7132539f77414, 0x50b1d2f2bd1bb3ea};

/// What to say to wrong answers that have a reason, for each way. The right one is not told.
const std::map<int, std::string> kReasons[kWays] = {
    {{4, "A thread that has asked for an element of A goes on, and asks for one of B."},
     {12, "A store is not waited for. How much has been loaded before it?"},
     {32, "Can the second pair be loaded before the first sum is stored? C might overlap A."}},
    {{8, "It does not wait after two loads: look for the first addition."},
     {24, "A store is not waited for. How much has been loaded before it?"},
     {32, "The second round begins when the first has stored its sums."}},
    {{16, "Four elements of A, that is right. But what else is loaded before the first addition?"},
     {24, "Loads of B count one by one: which of them come before the first store?"},
     {32, "Only the first element of B is loaded before the first store: C might overlap B."}},
    {{4, "A float has 4 bytes. How many of them are loaded before the first addition?"},
     {8, "That is the number of loads. A float has 4 bytes."},
     {16, "Four elements of A, and how many of B?"},
     {48, "A store is not waited for. How much has been loaded before it?"}}};

/// Launches add_four so that C overlaps A, or B, by all rows but one. Returns how many rows of that
/// array a thread has loaded before its first store: the next one is what has been stored there.
int rows_before_store(Trial& trial, int way, bool overlaps_a) {
  const int threads = trial["threads"], elements = kPairs * threads;
  const auto a = course::random_floats(elements + threads, trial.seed(1));
  const auto b = course::random_floats(elements + threads, trial.seed(2));
  const auto device_a = trial.input(a), device_b = trial.input(b);
  const auto& memory = overlaps_a ? device_a : device_b;
  trial.launch("add_four", {1, threads}, way, device_a, device_b, memory.from(threads));
  const auto sums = trial.read(memory);
  int rows = 0;
  while (rows < kPairs && sums[(rows + 1) * threads] == a[rows * threads] + b[rows * threads])
    ++rows;
  return rows;
}

/// Finds out how many bytes of loads a thread has on their way before its first store. Ends the
/// trial if add_four is not as it was given.
int bytes_before_store(Trial& trial, int way) {
  const int threads = trial["threads"];
  const auto a = course::random_floats(kPairs * threads, trial.seed(1));
  const auto b = course::random_floats(kPairs * threads, trial.seed(2));
  const auto c = trial.output<float>(a.size());
  trial.launch("add_four", {1, threads}, way, trial.input(a), trial.input(b), c);
  const auto sums = trial.read(c);
  for (std::size_t i = 0; i < sums.size(); ++i)
    trial.expect(sums[i] == a[i] + b[i],
                 "add_four is not as it was given: it does not add every pair.");

  const int loads = rows_before_store(trial, way, true) + rows_before_store(trial, way, false);
  const int bytes = kFloatBytes * loads;
  trial.expect(coursework::answer_digest("07_4", way, bytes) == kAsGiven[way],
               "add_four is not as it was given: in way " + std::to_string(way) +
                   ", it loads more before its first store, or less.");
  return bytes;
}

void judge(Trial& trial) {
  const int way = trial["way"];
  const auto device_bytes = trial.output<int>(kWays), device_warps = trial.output<int>(2);
  trial.launch("answers", {1, 1}, device_bytes, device_warps);
  const int bytes = bytes_before_store(trial, way);

  if (trial.group() != "warps") {
    const int said = trial.read(device_bytes)[way];
    const auto reason = kReasons[way].find(said);
    const std::string words =
        "bytes[" + std::to_string(way) + "]: you say " + std::to_string(said) + ". ";
    return trial.expect(said == bytes,
                        words + (reason == kReasons[way].end() ? "The check counts another number."
                                                               : reason->second));
  }
  const int needed = course::divide_up(kEnoughBytes, course::kWarpSize * bytes);
  const int index = way == 0 ? 1 : 0, said = trial.read(device_warps)[index];
  const std::string words =
      "warps[" + std::to_string(index) + "]: you say " + std::to_string(said) + ". ";
  trial.expect(said <= kRoomForWarps, words + "A multiprocessor has room for 64 warps.");
  trial.expect(said == (needed > kRoomForWarps ? 0 : needed),
               words + (said * course::kWarpSize * bytes < kEnoughBytes && said != 0
                            ? "That is not enough for 28 KiB."
                            : "How many warps bring 28 KiB, and do they all fit?"));
}

const coursework::Registered registered("07_4", judge);

}  // namespace exercise_07_4
