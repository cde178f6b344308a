#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <vector>

#include "tools/coursework/judging/questions.hpp"
#include "tools/coursework/judging/trial.hpp"

namespace exercise_09_8 {

using coursework::Trial;

constexpr int kSide = 4, kFfma = kSide * kSide, kWindow = 4, kQuestions = 3;

// Where the operands are, as exercise.cu lists them.
constexpr std::array<int, kSide> kA = {0, 1, 2, 3}, kB = {4, 5, 6, 7};
constexpr std::array<int, kFfma> kSum = {8,  14, 15, 20, 9,  13, 17, 21,
                                         10, 12, 18, 22, 11, 16, 19, 23};

using Order = std::vector<int>;

/// What four FFMA that follow each other fetch.
struct Window {
  std::array<int, 2> fetched{};  // from the even bank, from the odd one
  int fresh = 0;                 // FFMA that share no operand with the one before
  int cycles() const { return std::max({kWindow, fetched[0], fetched[1]}); }
};

std::vector<Window> windows_of(const Order& order) {
  std::vector<Window> windows(order.size() / kWindow);
  int row = -1, col = -1;
  for (std::size_t i = 0; i < order.size(); ++i) {
    const int next_row = order[i] / kSide, next_col = order[i] % kSide;
    Window& window = windows[i / kWindow];
    const auto fetch = [&](int number) { ++window.fetched[number % 2]; };
    if (next_row != row) fetch(kA[next_row]);
    if (next_col != col) fetch(kB[next_col]);
    fetch(kSum[order[i]]);
    window.fresh += next_row != row && next_col != col;
    row = next_row;
    col = next_col;
  }
  return windows;
}

int cycles_of(const Order& order) {
  int cycles = 0;
  for (const Window& window : windows_of(order)) cycles += window.cycles();
  return cycles;
}

/// The orders of the questions.
const std::array<Order, kQuestions> kAsked = {
    {{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15},
     {0, 1, 2, 3, 7, 6, 5, 4, 8, 9, 10, 11, 15, 14, 13, 12},
     {0, 4, 8, 12, 13, 9, 5, 1, 2, 6, 10, 14, 15, 11, 7, 3}}};

/// What led to some of the wrong numbers, by question.
const std::array<std::map<int, std::string>, kQuestions> kReasons = {
    {{{16,
       "That would be without any wait. How many operands do the first four fetch from the even "
       "bank?"},
      {20,
       "Every row begins with three fetches, and that makes five cycles for four FFMA if the "
       "banks are even. Are they? Look at the sums of the first row."},
      {48, "Those are all operands, one after the other. Two banks deliver at the same time."},
      {36, "You count all fetches. Two banks deliver at the same time; which of them has more?"}},
     {{16,
       "That would be without any wait. How many operands do the first four fetch from the even "
       "bank?"},
      {17, "In this tile, back and forth is not enough: the sums of a row are mostly in one bank."},
      {26,
       "At the end of a row, the next FFMA takes the same column of B. What does it not fetch?"}},
     {{17, "Two of the columns have three sums in one bank. Who makes up for it?"},
      {20,
       "At the end of a column, the next FFMA takes the same row of A. What does it not fetch?"},
      {23, "The sums of a row are mostly in one bank. Are those of a column, too?"}}}};

/// Ends the trial unless `said` is right. What is right stays untold.
void expect_cycles(const Trial& trial, int said, int right,
                   const std::map<int, std::string>& reasons) {
  if (said == right) return;
  const auto reason = reasons.find(said);
  trial.expect(false, "You say " + std::to_string(said) + ", and by the rule these are too " +
                          (said < right ? "few" : "many") + " cycles." +
                          (reason == reasons.end() ? "" : " " + reason->second));
}

/// "5th to 8th"
std::string ordinal(std::size_t window) {
  constexpr std::array<const char*, kFfma / kWindow> kNames = {"1st to 4th", "5th to 8th",
                                                               "9th to 12th", "13th to 16th"};
  return kNames[window];
}

void judge_order(const Trial& trial, const Order& order, int most_cycles) {
  for (int one = 0; one < kFfma; ++one) {
    const auto times = std::ranges::count(order, one);
    trial.expect(times == 1, "FFMA " + std::to_string(one) + " is issued " + std::to_string(times) +
                                 " times; each of the 16 is needed once.");
  }
  const std::vector<Window> windows = windows_of(order);
  const int cycles = cycles_of(order);
  // The first FFMA fetches three operands in any order: that cycle is nobody's fault.
  std::size_t worst = 0;
  int most = -1;
  for (std::size_t i = 0; i < windows.size(); ++i)
    if (const int lost = windows[i].cycles() - kWindow - (i == 0); lost > most) {
      most = lost;
      worst = i;
    }
  const Window& window = windows[worst];
  // How many cycles it takes stays untold: the questions ask that of orders like it.
  const char* bank = window.fetched[0] > window.fetched[1] ? "even" : "odd";
  trial.expect(cycles <= most_cycles,
               "That takes too many cycles: for the " + ordinal(worst) +
                   " FFMA of your order, the " + bank +
                   " bank has more operands to deliver than there are cycles. " +
                   (window.fresh > (worst == 0)
                        ? "One of them shares neither a nor b with the FFMA before."
                        : "Can they trade places with others that fetch less from it?"));
}

void judge(Trial& trial) {
  const auto said = coursework::answers_to<int>(trial, kQuestions + kFfma);
  constexpr int kNearly = 20, kLeast = 17;
  const Order order(said.begin() + kQuestions, said.end());
  if (trial.group() == "better") {
    judge_order(trial, order, kNearly);
  } else if (trial.group() == "best") {
    judge_order(trial, order, kLeast);
  } else {
    const int question = trial["question"];
    expect_cycles(trial, said[question], cycles_of(kAsked[question]), kReasons[question]);
  }
}

const coursework::Registered registered("09_8", judge);

}  // namespace exercise_09_8
