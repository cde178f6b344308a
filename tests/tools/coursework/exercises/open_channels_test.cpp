#include "open_channels.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "tools/support/project.hpp"

using namespace coursework;
using course_test::open_channels;

namespace {

using Names = std::vector<std::string>;

Requirement measure(const std::string& name, const std::string& expression) {
  Requirement one;
  one.name = name;
  one.kind = Requirement::Kind::measure;
  one.measure = expression;
  return one;
}

Names open_in(std::vector<Requirement> requirements) {
  Exercise exercise;
  exercise.requirements = std::move(requirements);
  return open_channels(exercise);
}

}  // namespace

TEST_CASE("no exercise bounds a channel and leaves another one to the same end open") {
  for (const Exercise& exercise : read_exercises(tools::source_folder())) {
    CAPTURE(exercise.id);
    for (const std::string& open : open_channels(exercise)) FAIL_CHECK(open);
  }
}

TEST_CASE("a measure that forgets a channel is told which") {
  CHECK(open_in({measure("loads", "global_load_sectors / k")}) ==
        Names{"loads: global atomics", "loads: bulk copies"});
  CHECK(open_in({measure("loads", "global_load_requests + bulk_copies")}) ==
        Names{"loads: global atomics"});
  CHECK(open_in({measure("stores", "32 * global_store_sectors")}) ==
        Names{"stores: global atomics", "stores: bulk stores"});
  CHECK(open_in({measure("banks", "shared_load_wavefronts / shared_load_wavefronts_ideal")}) ==
        Names{"banks: shared atomics", "banks: other blocks' shared loads",
              "banks: other blocks' shared atomics"});
  CHECK(open_in({measure("meetings", "barriers / warps")}) == Names{"meetings: mbarriers"});
  CHECK(open_in({measure("loads", "read_sectors"), measure("stores", "written_sectors / n"),
                 measure("banks", "shared_read_requests + shared_written_requests"),
                 measure("meetings", "meetings / warps")}) == Names{});
}

TEST_CASE("what is subtracted makes a channel free") {
  CHECK(open_in({measure("loads", "busiest_warp_global_requests - written_requests / warps")}) ==
        Names{"loads: global atomics"});
  CHECK(open_in({measure(
            "loads", "busiest_warp_global_requests - global_store_requests / warps")}) == Names{});
  CHECK(open_in({measure("loads", "read_sectors - global_atomic_sectors")}) ==
        Names{"loads: global atomics"});
}

TEST_CASE("bulk copies count as the busiest warp's, unless the figure is that of lanes alone") {
  CHECK(open_in({measure("loads", "busiest_warp_global_requests")}) == Names{});
  CHECK(open_in({measure("loads", "busiest_warp_lane_requests")}) ==
        Names{"loads: bulk copies", "loads: bulk stores"});
  CHECK(open_in({measure("loads", "busiest_warp_lane_requests"),
                 measure("copies", "bulk_sectors + bulk_store_sectors")}) == Names{});
}

TEST_CASE("another requirement may close what one leaves open") {
  CHECK(open_in({measure("loads", "read_sectors - global_atomic_sectors"),
                 measure("tickets", "global_atomic_sectors")}) == Names{});
  CHECK(open_in({measure("loads", "global_load_sectors"), measure("copies", "bulk_sectors")}) ==
        Names{"loads: global atomics"});
}

TEST_CASE("who looks for races looks in other orders, too") {
  Requirement race;
  race.name = "race";
  race.kind = Requirement::Kind::clean;
  race.tools = {"racecheck"};
  CHECK(open_in({race}) == Names{"race: other orders"});
  race.tools.push_back("schedules");
  CHECK(open_in({race}) == Names{});
}
