// Tests programs from before Volta: a plain run warns of them, and COURSE_LOCKSTEP=1 runs them as
// their authors intended.
#include <doctest/doctest.h>

#include <fstream>
#include <string>
#include <vector>

#include "tools/support/subprocess.hpp"

namespace {

using Environment = std::map<std::string, std::string>;

tools::CommandResult run(std::vector<std::string> cases, Environment environment = {}) {
  tools::CommandOptions options;
  options.environment = std::move(environment);
  options.unset = {"COURSE_CHECK", "COURSE_LOCKSTEP", "COURSE_COUNTERS"};
  for (const auto& [name, value] : options.environment) std::erase(options.unset, name);
  cases.insert(cases.begin(), LOCKSTEP_PROGRAM);
  return tools::run_command(cases, options);
}

/// Returns how often `text` contains `part`.
int count(const std::string& text, const std::string& part) {
  int times = 0;
  for (std::size_t at = text.find(part); at != text.npos; at = text.find(part, at + 1)) ++times;
  return times;
}

std::string line_of(const std::string& part) {
  std::ifstream in("lockstep_program.cu");
  int number = 1;
  for (std::string line; std::getline(in, line); ++number)
    if (line.find(part) != line.npos) return "lockstep_program.cu:" + std::to_string(number);
  return {};
}

}  // namespace

TEST_CASE("a plain run warns once of what lanes have from each other without a barrier") {
  const std::string reads = line_of("// reads first"), writes = line_of("// writes first");
  for (const char* const threads : {"1", "3"}) {
    const auto warned = run({"reduce", "scan", "one_for_all"}, {{"COURSE_THREADS", threads}});
    CHECK(count(warned.err, "emulator: warning: ") == 1);
    CHECK(count(warned.err, "\n") == 1);
    CHECK(count(warned.err, "kernel reduce: lane 0 of a warp reads at " + reads +
                                " the shared memory that lane 16 writes at " + writes) == 1);
    CHECK(count(warned.err, "COURSE_LOCKSTEP=1") == 1);
    CHECK(warned.status == 0);
  }
  for (const char* const counters : {"off", "table"})
    CHECK(count(run({"scan"}, {{"COURSE_COUNTERS", counters}}).err,
                "emulator: warning: kernel scan: lane") == 1);
  CHECK(count(run({"scan"}).err, "emulator: warning: kernel scan: lane") == 1);
  CHECK(count(run({"one_for_all"}).err, "that lane 7 writes at") == 1);
}

TEST_CASE("nothing is said where a barrier is, or where lanes keep apart") {
  for (const char* const seed : {"0", "3"}) {
    const auto quiet = run({"reduce_synced", "keep_apart"}, {{"COURSE_SEED", seed}});
    CHECK(quiet.err.empty());
    CHECK(quiet.out == "reduce_synced: right\nkeep_apart: right\n");
  }
}

TEST_CASE("in lockstep, they compute what they did") {
  CHECK(run({"reduce"}).out == "reduce: wrong\n");
  CHECK(run({"scan"}, {{"COURSE_SEED", "1"}}).out == "scan: wrong\n");
  CHECK(run({"sort"}).out == "sort: wrong\n");
  CHECK(run({"unlike_loops"}, {{"COURSE_SEED", "1"}}).out == "unlike_loops: wrong\n");
  const std::vector<std::string> cases = {"reduce",          "scan",         "sort",
                                          "reduce_in_calls", "unlike_loops", "one_for_all",
                                          "reduce_synced",   "keep_apart",   "take_lock_in_turn"};
  std::string right;
  for (const std::string& one : cases) right += one + ": right\n";
  for (const char* const threads : {"1", "3"}) {
    const auto together = run(cases, {{"COURSE_LOCKSTEP", "1"}, {"COURSE_THREADS", threads}});
    CHECK(together.out == right);
    CHECK(together.err.empty());
    CHECK(together.status == 0);
  }
}

TEST_CASE("in lockstep, lanes that would wait for each other for ever are let go, with a warning") {
  struct Wait {
    const char *name, *lanes, *line;
  };
  for (const auto& [name, lanes, line] :
       {Wait{"wait_in_loop", "1 of 32", "while (flag == 0)"},
        Wait{"wait_for_lock", "31 of 32", "while (atomicCAS(&lock, 0, 1) != 0)"}}) {
    const auto waited = run({name}, {{"COURSE_LOCKSTEP", "1"}});
    CHECK(waited.out == std::string(name) + ": right\n");
    CHECK(count(waited.err, "\n") == 1);
    CHECK(count(waited.err, std::string("kernel ") + name + ": " + lanes +
                                " lanes of a warp seem to wait at " + line_of(line)) == 1);
  }
}

TEST_CASE("lockstep is on or off, and nothing is counted or checked meanwhile") {
  CHECK(run({"reduce_synced"}, {{"COURSE_LOCKSTEP", "0"}, {"COURSE_CHECK", "all"}}).status == 0);
  for (const Environment& wrong :
       std::vector<Environment>{{{"COURSE_LOCKSTEP", "2"}},
                                {{"COURSE_LOCKSTEP", "1"}, {"COURSE_CHECK", "all"}},
                                {{"COURSE_LOCKSTEP", "1"}, {"COURSE_SCHEDULES", "3"}},
                                {{"COURSE_LOCKSTEP", "1"}, {"COURSE_PREEMPT", "3"}},
                                {{"COURSE_LOCKSTEP", "1"}, {"COURSE_PROFILE", "text"}},
                                {{"COURSE_LOCKSTEP", "1"}, {"COURSE_COUNTERS", "table"}},
                                {{"COURSE_LOCKSTEP", "1"}, {"COURSE_TRACE", "x"}}}) {
    const auto refused = run({"keep_apart"}, wrong);
    CHECK(refused.status == 2);
    CHECK(refused.err.starts_with("emulator: COURSE_LOCKSTEP="));
    CHECK(count(refused.err, "\n") == 1);
  }
}
