#include <map>
#include <set>
#include <string>
#include <vector>

#include "course/counters.hpp"
#include "course/inputs.hpp"
#include "tools/coursework/judging/questions.hpp"
#include "tools/coursework/judging/trial.hpp"

namespace exercise_06_5 {

using course::kWarpSize;
using coursework::Trial;

constexpr int kQuestionCount = 4, kFields = 8, kPitch = 1024;
constexpr int kSectorFloats = course::kSectorBytes / static_cast<int>(sizeof(float));
enum Kernel { kBoth, kOne, kWide, kPadded, kArrays, kStructures };

/// What exercise.cu gives of one of its kernels.
struct Given {
  int requests;  ///< for `in`
  int width;     ///< floats of a lane's request
  int used;      ///< floats of a lane that are added up
};
constexpr Given kGiven[] = {{2, 1, 2}, {1, 1, 1}, {1, 2, 2}, {1, 4, 3}, {8, 1, 8}, {2, 4, 8}};

/// The first float of `in` that a lane's request loads.
int float_of(Kernel kernel, int request, int who) {
  switch (kernel) {
    case kBoth:
      return 2 * who + request;
    case kOne:
    case kWide:
      return 2 * who;
    case kPadded:
      return 4 * who;
    case kArrays:
      return kPitch * request + who;
    default:
      return kFields * who + 4 * request;
  }
}

/// What memory has to send for a kernel: sectors, and how many of their floats are of use.
struct Sent {
  int sectors = 0;
  int floats_used = 0;
  int requests = 0;
};

/// Launches a kernel, and works out what memory sends. Ends the trial if it is not as given.
Sent sent_for(Trial& trial, Kernel kernel) {
  trial.count_from_here();
  const auto values = course::random_ints(kFields * kPitch, trial.seed(1), 1, 1000);
  const std::vector<float> memory(values.begin(), values.end());  // no sum is rounded
  std::vector<int> order(kWarpSize);
  for (int lane = 0; lane < kWarpSize; ++lane) order[lane] = kSectorFloats * (lane * 7 % kWarpSize);
  const auto in = trial.input(memory);
  const auto device_order = trial.input(order);
  const auto out = trial.output<float>(kWarpSize);
  trial.launch("load", {1, kWarpSize}, static_cast<int>(kernel), in, device_order, out);

  const Given& given = kGiven[kernel];
  const bool anywhere = kernel == kArrays || kernel == kStructures;
  const auto sums = trial.read(out);
  std::set<int> sectors;
  std::size_t looked_up = 0;
  for (int request = 0; request < given.requests; ++request) {
    std::set<int> of_request;
    for (int lane = 0; lane < kWarpSize; ++lane)
      of_request.insert(float_of(kernel, request, anywhere ? order[lane] : lane) / kSectorFloats);
    looked_up += of_request.size();
    sectors.insert(of_request.begin(), of_request.end());
  }
  for (int lane = 0; lane < kWarpSize; ++lane) {
    float expected = 0.0f;
    for (int i = 0; i < given.used; ++i)
      expected += memory[float_of(kernel, i / given.width, anywhere ? order[lane] : lane) +
                         i % given.width];
    trial.expect(sums[lane] == expected, "load is not as it was given: in kernel " +
                                             std::to_string(kernel) + ", lane " +
                                             std::to_string(lane) + " has another sum.");
  }
  if (trial.counted()) {
    // `order` is loaded once or, where the compiler does not keep it, for every field.
    const double found = trial.values().at("global_load_sectors") - double(looked_up);
    const bool order_alone = found == 4 || found == 4.0 * given.requests;
    trial.expect(anywhere ? order_alone : found == 0, "load is not as it was given: kernel " +
                                                          std::to_string(kernel) +
                                                          " touches other sectors.");
  }
  return {static_cast<int>(sectors.size()), given.used * kWarpSize, given.requests};
}

bool wastes(const Sent& sent) { return sent.floats_used < kSectorFloats * sent.sectors; }

/// The letter that what was counted speaks for.
char right_choice(Trial& trial, int question) {
  switch (question) {
    case 0: {
      const bool both = wastes(sent_for(trial, kBoth)), one = wastes(sent_for(trial, kOne));
      return both && one ? 'a' : both ? 'b' : one ? 'c' : 'd';
    }
    case 1: {
      const Sent before = sent_for(trial, kBoth), after = sent_for(trial, kWide);
      const bool sectors = after.sectors < before.sectors;
      const bool requests = after.requests < before.requests;
      return sectors && requests ? 'c' : sectors ? 'a' : requests ? 'b' : 'd';
    }
    case 2: {
      constexpr int kPacked = 3 * kWarpSize / kSectorFloats;
      const int padded = sent_for(trial, kPadded).sectors;
      return padded > kPacked ? 'c' : padded < kPacked ? 'b' : 'd';
    }
    default: {
      const int arrays = sent_for(trial, kArrays).sectors;
      const int structures = sent_for(trial, kStructures).sectors;
      return arrays == 4 * structures   ? 'a'
             : arrays == 8 * structures ? 'b'
             : arrays == 2 * structures ? 'd'
                                        : 'c';
    }
  }
}

/// What to say to each choice while it is wrong. Those that are right have words as well, which
/// nobody hears: a choice without any would tell them.
const std::map<char, std::string> kReasons[kQuestionCount] = {
    {{'a', "Efficiency is about one request. Of `both`, who comes for the other half?"},
     {'b', "The second request of `both` comes for what the first has left."},
     {'c', "Write down which floats of a sector each request of the two kernels adds up."},
     {'d', "Nobody comes for y in `one`. Can a sector be sent in part?"}},
    {{'a',
      "The points lie where they lay, and all of them are needed. Which sector could be missing?"},
     {'b', "Write down how many loads a warp makes, and which sectors lie below its points."},
     {'c', "One load instead of two, yes. But which sector need not be sent any more?"},
     {'d', "How many load instructions does a warp of `wide` execute?"}},
    {{'a', "What one request leaves of a sector, the next two take. Count each sector once."},
     {'b', "The 36 are 12 sectors, looked up three times. How often must memory send them?"},
     {'c', "Count the sectors below 32 points, once for each layout."},
     {'d', "32 points have 384 bytes when they are packed. How many when they are padded?"}},
    {{'a',
      "The two requests of `structures` waste half each, but the same sectors serve both of them."},
     {'b', "Count the sectors that a lane needs for one particle, once for each layout."},
     {'c', "`arrays` uses 4 bytes of each sector. Who comes for the other 28?"},
     {'d', "Compare sectors: how many does a lane need for one particle, in each layout?"}}};

void judge(Trial& trial) {
  const int question = trial["question"];
  const char said = coursework::answers_to<char>(trial, kQuestionCount)[question];

  const char right = right_choice(trial, question);
  if (said == right) return;
  const std::string which = "choice[" + std::to_string(question) + "]";
  trial.expect(said >= 'a' && said <= 'd', which + " should be 'a', 'b', 'c' or 'd'.");
  const auto reason = kReasons[question].find(said);
  trial.expect(false, which + " is not '" + said + "'. " +
                          (reason == kReasons[question].end() ? "" : reason->second));
}

const coursework::Registered registered("06_5", judge);

}  // namespace exercise_06_5
