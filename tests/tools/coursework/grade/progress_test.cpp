/// Tests the progress of a class and the estimate of the remaining time.

#include "tools/coursework/grade/progress.hpp"

#include <doctest/doctest.h>

using namespace coursework;

TEST_CASE("the rest takes as long as what is done, or as what is under way has taken already") {
  CHECK(seconds_left(60, 0, 12, 15) == 15);
  CHECK(seconds_left(360, 300, 14, 15) == 300);
  CHECK(seconds_left(10, 1, 15, 15) == 1);
}

TEST_CASE("a duration is in the words of somebody who waits") {
  CHECK(duration_in_words(0.2) == "1 s");
  CHECK(duration_in_words(119) == "119 s");
  CHECK(duration_in_words(150) == "3 min");
  CHECK(duration_in_words(7500) == "2 h 5 min");
}
