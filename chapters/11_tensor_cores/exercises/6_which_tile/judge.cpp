#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <string>

#include "course/divide_up.hpp"
#include "tools/coursework/judging/trial.hpp"

namespace exercise_11_6 {

using course::divide_up;
using coursework::Trial;

constexpr int kMultiprocessors = 132, kTileRows = 128, kTwoSpans = 64;
constexpr double kSameTime = 1e-4;  // sums and products of floats

struct Tile {
  int columns;
  double start, span;
};
constexpr std::array<Tile, 3> kTiles = {{{64, 4.29, 0.511}, {128, 7.14, 0.914}, {192, 9.53, 1.36}}};

struct Product {
  int m, n, k;
};

double time_of(const Tile& tile, const Product& p) {
  const int tiles = divide_up(p.m, kTileRows) * divide_up(p.n, tile.columns);
  return divide_up(tiles, kMultiprocessors) * (tile.start + divide_up(p.k, kTwoSpans) * tile.span);
}

/// What somebody has forgotten who says this time for that tile; empty: nobody knows.
std::string likely_flaw(const Tile& tile, const Product& p, double said) {
  const auto is_said = [&](double us) { return std::abs(said - us) <= kSameTime * us; };
  const double tiles = 1.0 * divide_up(p.m, kTileRows) * divide_up(p.n, tile.columns);
  const double round = tile.start + divide_up(p.k, kTwoSpans) * tile.span;
  if (is_said(tiles / kMultiprocessors * round))
    return " A round that is not full takes as long as a full one.";
  if (is_said(tiles * round)) return " The multiprocessors work at the same time.";
  if (is_said(round) && tiles > kMultiprocessors) return " That is one round. How many are there?";
  if (is_said(std::ceil(tiles / kMultiprocessors) *
              (tile.start + 1.0 * p.k / kTwoSpans * tile.span)))
    return " Two spans of fewer than 64 k take as long as any others.";
  return "";
}

void judge(Trial& trial) {
  const Product p = {trial["m"], trial["n"], trial["k"]};
  const auto columns = trial.output<int>(1);
  const auto us = trial.output<float>(1);
  trial.launch("choose_tile", {1, 1}, p.m, p.n, p.k, columns, us);
  const int said = trial.read(columns)[0];
  const double said_us = trial.read(us)[0];

  const std::string of = std::to_string(p.m) + " x " + std::to_string(p.n) + " x " +
                         std::to_string(p.k) + ": you choose " + std::to_string(said) + " columns";
  const auto chosen = std::ranges::find(kTiles, said, &Tile::columns);
  trial.expect(chosen != kTiles.end(), of + ", and there is no such tile.");

  const double expected = time_of(*chosen, p);
  trial.expect(std::isfinite(said_us) && std::abs(said_us - expected) <= kSameTime * expected,
               of + ", and say that these take " + std::to_string(said_us) + " us. They take " +
                   (said_us < expected ? "more." : "less.") + likely_flaw(*chosen, p, said_us));
  double best = expected;
  for (const Tile& tile : kTiles) best = std::min(best, time_of(tile, p));
  trial.expect(expected <= best * (1 + kSameTime),
               of + ", and your time for these is right, but another tile takes less.");
}

const coursework::Registered registered("11_6", judge);

}  // namespace exercise_11_6
