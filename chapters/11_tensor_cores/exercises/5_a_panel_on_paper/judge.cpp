#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

#include "tools/coursework/judging/questions.hpp"
#include "tools/coursework/judging/trial.hpp"

namespace exercise_11_5 {

using coursework::Trial;

constexpr std::size_t kAnswers = 10, kOfATile = 5;
constexpr std::array<const char*, kOfATile> kKinds = {"wrong_cycles", "wrong_loads", "wrong_rate",
                                                      "wrong_stages", "wrong_sums"};
/// Digests of the right answers.
constexpr std::array<std::uint64_t, kAnswers> kRight = {
    0xb052d23bda0968c5, 0x669f189f6bd5a49b, 0xd0ad3049915635bb, 0xbeeef1615134799a,
    0x5b71cc817e267672, 0xc57ab0126879afbb, 0x945e1724c9698dd9, 0xf1a2dd27e18e8605,
    0xd7830e16582afcfd, 0x4fbd06b80415d016};

/// There is nothing to count: a panel is worked out.
void judge(Trial& trial) {
  const auto said = coursework::answers_to<int>(trial, kAnswers);
  std::array<int, kOfATile> wrong{};
  for (std::size_t i = 0; i < kAnswers; ++i) {
    trial.set("said_" + std::to_string(i), said[i]);
    wrong[i % kOfATile] += coursework::answer_digest("11_5", i, said[i]) != kRight[i];
  }
  for (std::size_t kind = 0; kind < kOfATile; ++kind) trial.set(kKinds[kind], wrong[kind]);
}

const coursework::Registered registered("11_5", judge);

}  // namespace exercise_11_5
