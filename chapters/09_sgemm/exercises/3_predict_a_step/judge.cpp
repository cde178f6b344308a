#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "course/divide_up.hpp"
#include "measured.hpp"
#include "tools/coursework/judging/trial.hpp"

namespace exercise_09_3 {

using course::divide_up;
using coursework::Trial;

constexpr double kSameNumber = 0.01;  // rounding, and the order of additions
constexpr double kSameTime = 0.15;    // what the chapter asks of a prediction

bool is_near(double said, double expected, double tolerance) {
  return std::isfinite(said) && std::abs(said - expected) <= tolerance * std::abs(expected);
}

/// A term of the model with a flaw, and what to tell somebody who has it so.
struct Flaw {
  double cycles;
  std::string advice;
};

/// Ends the trial unless `said` is `right`. What is right stays untold.
void expect_cycles(const Trial& trial, const std::string& what, double said, double right,
                   const std::vector<Flaw>& flaws) {
  if (is_near(said, right, kSameNumber)) return;
  std::string advice;
  for (const Flaw& flaw : flaws)
    if (advice.empty() && is_near(said, flaw.cycles, kSameNumber / 10)) advice = " " + flaw.advice;
  const char* direction = !std::isfinite(said) ? "no number"
                          : said < right       ? "too few"
                                               : "too many";
  trial.expect(false, what + ": these are " + direction + " cycles." + advice);
}

double issue(const Known& of) { return of.instructions / 4.0; }
double busiest(const Known& of) { return std::max<double>(issue(of), of.wavefronts); }
double wait(const Known& of) { return of.waits * (kL2 + kShared + kBarrier); }

/// Units in a panel.
double units(const Known& of) { return of.tile_m * of.tile_n * of.tile_k / 2048.0; }

/// Latency of shared memory that nobody hides.
double bare(const Known& of, int blocks) {
  return blocks * of.threads <= 128 ? of.tile_k * kShared : 0.0;
}

double panel(const Known& of, int blocks) {
  return units(of) * blocks * busiest(of) + wait(of) + bare(of, blocks);
}

struct Size {
  int m, n, k;
};

int tiles_of_an_sm(const Known& of, const Size& size) {
  return divide_up(divide_up(size.m, of.tile_m) * divide_up(size.n, of.tile_n), kMultiprocessors);
}

double time_of(const Known& of, const Size& size) {
  const double depth = divide_up(size.k, of.tile_k);
  const int tiles = tiles_of_an_sm(of, size), rest = tiles % of.blocks;
  const double last = rest == 0 ? 0.0 : kDram + depth * panel(of, rest);
  return kLaunch + tiles / of.blocks * (kDram + depth * panel(of, of.blocks)) + last;
}

std::vector<Flaw> flaws_of_work(const Known& of) {
  return {
      {issue(of) + of.wavefronts,
       "You add the two. But schedulers issue while shared memory serves: whoever has less to do "
       "waits for the other."},
      {std::min<double>(issue(of), of.wavefronts),
       "That is the one that is done sooner. Which of them does the SM wait for?"},
      {std::max<float>(of.instructions, of.wavefronts),
       "An SM has four schedulers, and each issues an instruction in a cycle."},
      {16.0, "That is for FFMA alone. A warp issues others, too."},
  };
}

std::vector<Flaw> flaws_of_panel(const Known& of) {
  const int blocks = of.blocks;
  const double right = panel(of, blocks), busy = units(of) * blocks * busiest(of);
  return {
      {right - wait(of), "The blocks load their tiles, too, and wait for them."},
      {right + (blocks - 1) * wait(of),
       "You let one block wait after the other. They fall into step, and wait together."},
      {right - wait(of) + wait(of) / std::max(of.waits, 1),
       "A block may wait more than once: see step.waits."},
      {right - of.waits * (kShared + kBarrier),
       "Behind L2 comes a trip through shared memory, and a barrier."},
      {right - bare(of, blocks),
       "Each scheduler has one warp here, at most. Who works while that one waits for shared "
       "memory?"},
      {right + of.tile_k * kShared,
       "Schedulers have several warps here: while one waits for shared memory, another works."},
      {right - busy + busy / blocks, "The blocks share the SM: all of them want their work done."},
      {right - busy + 64.0 * busy, "work() is for a unit, 64 FFMA of a warp, not for one."},
      {right - busy + 32.0 * busy, "An FFMA is one instruction for the 32 lanes of a warp."},
  };
}

std::vector<Flaw> flaws_of_product(const Known& of, const Size& size) {
  const double depth = divide_up(size.k, of.tile_k), round = kDram + depth * panel(of, of.blocks);
  const int tiles = tiles_of_an_sm(of, size);
  const double all = divide_up(size.m, of.tile_m) * divide_up(size.n, of.tile_n);
  const double fraction = all / kMultiprocessors / of.blocks;
  return {
      {kLaunch + divide_up(tiles, of.blocks) * round,
       "The last round need not be full: with fewer blocks on the SM, it is over sooner."},
      {kLaunch + fraction * round,
       "You count a part of a round. Tiles are whole, and so are the blocks of the SM with most "
       "of them."},
      {kLaunch + tiles * (kDram + depth * panel(of, 1)),
       "You take one tile after the other. An SM works at step.blocks of them at a time."},
      {kLaunch + tiles * round, "panel_cycles() is for all blocks of a round together."},
      {kLaunch + tiles / of.blocks * round, "What is left for the last round counts, too."},
      {kLaunch + all / kMultiprocessors * (kDram + panel(of, 1)), "And the rest of k?"},
  };
}

struct Said {
  float work, panel, product;
};

Said ask(Trial& trial, const Known& of, const Size& size) {
  const std::vector<float> known = {of.instructions,
                                    of.wavefronts,
                                    static_cast<float>(of.tile_m),
                                    static_cast<float>(of.tile_n),
                                    static_cast<float>(of.tile_k),
                                    static_cast<float>(of.threads),
                                    static_cast<float>(of.blocks),
                                    static_cast<float>(of.waits)};
  const auto cycles = trial.output<float>(3);
  trial.launch("predict", {1, 1}, trial.input(known), size.m, size.n, size.k, cycles);
  const auto said = trial.read(cycles);
  return {said[0], said[1], said[2]};
}

void judge_measured(Trial& trial) {
  const int step = trial["step"];
  const auto one = std::ranges::find(kMeasured, step, &Measured::step);
  const double flop = 2.0 * one->size * one->size * one->size;
  const double cycles = ask(trial, one->known, {one->size, one->size, one->size}).product;
  const double tflop_per_s = flop / (cycles / kGigahertz) / 1000.0;
  const std::string name = "Step " + std::to_string(step) + " at " + std::to_string(one->size);
  trial.expect(std::isfinite(tflop_per_s) && cycles > 0,
               name + ": that is no time. Is product_cycles() there?");
  trial.expect(is_near(tflop_per_s, one->tflop_per_s, kSameTime),
               name + ": an H200 is more than 15 % " +
                   (tflop_per_s > one->tflop_per_s ? "slower" : "faster") + " than you predict.");

  // A list of published times is no model: this shape is in none.
  const Size other = {2 * one->size, one->size + 640, 3 * one->size};
  trial.expect(
      is_near(ask(trial, one->known, other).product, time_of(one->known, other), kSameTime),
      name +
          " fits. But for another shape of the same step, your functions say what the "
          "model does not.");
}

Known known_of(Trial& trial) {
  return {static_cast<float>(trial["instructions"]),
          static_cast<float>(trial["wavefronts"]),
          trial["tile_m"],
          trial["tile_n"],
          trial["tile_k"],
          trial["threads"],
          trial["blocks"],
          trial["waits"]};
}

void judge(Trial& trial) {
  constexpr Size kAnySize = {512, 512, 512};
  if (trial.group() == "h200") {
    judge_measured(trial);
  } else if (trial.group() == "work") {
    Known of = kMeasured.front().known;
    of.instructions = static_cast<float>(trial["instructions"]);
    of.wavefronts = static_cast<float>(trial["wavefronts"]);
    expect_cycles(trial, "work()", ask(trial, of, kAnySize).work, busiest(of), flaws_of_work(of));
  } else if (trial.group() == "panel") {
    const Known of = known_of(trial);
    expect_cycles(trial, "panel_cycles()", ask(trial, of, kAnySize).panel, panel(of, of.blocks),
                  flaws_of_panel(of));
  } else {
    const Known of = known_of(trial);
    const Size size = {trial["m"], trial["n"], trial["k"]};
    expect_cycles(trial, "product_cycles()", ask(trial, of, size).product, time_of(of, size),
                  flaws_of_product(of, size));
  }
}

const coursework::Registered registered("09_3", judge);

}  // namespace exercise_09_3
