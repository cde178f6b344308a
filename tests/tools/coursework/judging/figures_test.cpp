/// Tests figures in verdicts, and the choice of the trial that they come from.

#include "tools/coursework/judging/figures.hpp"

#include <doctest/doctest.h>

#include <limits>

using namespace coursework;

TEST_CASE("whole numbers stand there in full, others with two places, none with an exponent") {
  CHECK(figure(4, 5) == "4");
  CHECK(figure(0, 0) == "0");
  CHECK(figure(-1e-12, 0) == "0");
  CHECK(figure(199930, 199930) == "199930");
  CHECK(figure(2e12, 0) == "2000000000000");
  CHECK(figure(4 + 1e-12, 5) == "4");
  CHECK(figure(37.673, 18.085) == "37.67");
  CHECK(figure(0.5, 1) == "0.5");
  CHECK(figure(0.03125, 1) == "0.031");
  CHECK(figure(1e-20, 1) == "0");
  CHECK(figure(std::numeric_limits<double>::infinity(), 1) == "no");
  CHECK(figure(std::numeric_limits<double>::quiet_NaN(), 1) == "no");
}

TEST_CASE("a figure and its bound differ in what is shown if they differ at all") {
  CHECK(figure(18.0852, 18.0851) == "18.0852");
  CHECK(figure(18.0851, 18.0852) == "18.0851");
  CHECK(figure(18.003, 18) == "18.003");
  CHECK(figure(18.5, 18.5) == "18.5");
}

TEST_CASE("one is singular, where one thing is counted") {
  CHECK(figure_with_unit("1", "trials") == "1 trial");
  CHECK(figure_with_unit("2", "trials") == "2 trials");
  CHECK(figure_with_unit("1", "wrong answers") == "1 wrong answer");
  CHECK(figure_with_unit("1", "sectors stored per warp") == "1 sector stored per warp");
  CHECK(figure_with_unit("1", "passes for each that is needed") ==
        "1 pass for each that is needed");
  CHECK(figure_with_unit("1", "load requests, you say") == "1 load request, you say");
  CHECK(figure_with_unit("1", "barriers, all blocks together") == "1 barrier, all blocks together");
  CHECK(figure_with_unit("1", "barriers of warps and operations") ==
        "1 barrier of warps and operations");
  CHECK(figure_with_unit("1.5", "sectors per row") == "1.5 sectors per row");
  // If a unit counts several things or none, it stays as it is.
  for (const char* const unit :
       {"shuffles, votes, matches and reductions", "times the sectors of C",
        "requests and wavefronts to read a tile", "x 2^-24 of the result"})
    CHECK(figure_with_unit("1", unit) == std::string("1 ") + unit);
}

TEST_CASE("the trial that fails is shown; of several, the one with round figures") {
  const MeasuredTrial crooked = {37.673, 18.085}, round = {36, 12};
  MeasuredTrial holds = {12, 12}, drawn = round, with_clue = round;
  holds.holds = true;
  drawn.drawn = true;
  with_clue.has_clue = true;
  CHECK(clearest_trial({holds, crooked, holds}) == 1);
  CHECK(clearest_trial({crooked, round}) == 1);
  CHECK(clearest_trial({crooked, drawn}) == 1);
  CHECK(clearest_trial({round, with_clue}) == 1);
  CHECK(clearest_trial({drawn, round, round}) == 1);
  CHECK(clearest_trial({holds, holds}) == 1);
  MeasuredTrial crooked_holds = crooked;
  crooked_holds.holds = true;
  CHECK(clearest_trial({holds, crooked_holds}) == 0);
}
