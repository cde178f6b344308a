// Tests the files that COURSE_TRACE writes.
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "support/json_schema.hpp"
#include "tools/support/json.hpp"
#include "tools/support/subprocess.hpp"

using nlohmann::json;

namespace {

using Environment = std::map<std::string, std::string>;

tools::CommandResult run(const std::string& what, Environment environment) {
  tools::CommandOptions options;
  options.environment = std::move(environment);
  return tools::run_command({TRACED_PROGRAM, what}, options);
}

/// Returns the file that a traced run writes.
std::string trace_text(const std::string& what = "", Environment environment = {}) {
  const tools::TemporaryFolder folder;
  environment["COURSE_TRACE"] = (folder.path() / "trace.json").string();
  const auto result = run(what, environment);
  CHECK_MESSAGE(result.status == 0, result.err);
  return tools::read_file(environment["COURSE_TRACE"]);
}

json launch_of(const json& trace, const std::string& kernel) {
  for (const json& launch : trace["launches"])
    if (launch["kernel"] == kernel) return launch;
  FAIL("there is no launch of " << kernel);
  return {};
}

/// Returns the requests of the launch's first warp.
json requests_of(const json& trace, const std::string& kernel) {
  return launch_of(trace, kernel)["warps"][0]["requests"];
}

/// Returns the active lanes.
std::vector<int> lanes_of(const json& request) {
  std::vector<int> lanes;
  for (int lane = 0; lane < 32; ++lane)
    if (!request["lanes"][lane].is_null()) lanes.push_back(lane);
  return lanes;
}

}  // namespace

TEST_CASE("a trace is what its schema says, the same bytes in every order") {
  const std::string text = trace_text();
  const auto schema = tools::parse_json(tools::read_file(TRACE_SCHEMA));
  for (const std::string& fault : test_support::schema_faults(schema, tools::parse_json(text)))
    FAIL_CHECK(fault);
  for (const char* seed : {"0", "1", "99"})
    for (const char* threads : {"1", "2", "7"})
      CHECK(trace_text("", {{"COURSE_SEED", seed}, {"COURSE_THREADS", threads}}) == text);
  CHECK(trace_text("", {{"COURSE_COUNTERS", "off"}}) == text);
  CHECK(trace_text("", {{"COURSE_CHECK", "initcheck"}}) == text);
  CHECK(trace_text("", {{"COURSE_SCHEDULES", "2"}}) == text);
}

TEST_CASE("a request has the address of every lane, in its allocation") {
  const json launch = launch_of(tools::parse_json(trace_text()), "twice");
  CHECK(launch["launch"] == 0);
  CHECK(launch["signature"].get<std::string>().find("twice(int*)") != std::string::npos);
  CHECK(launch["grid"] == json({16, 1, 1}));
  CHECK(launch["block"] == json({64, 1, 1}));
  CHECK(launch["traced_block"] == json({0, 0, 0}));
  REQUIRE(launch["objects"].size() == 1);
  CHECK(launch["objects"][0] ==
        json({{"space", "global"}, {"name", nullptr}, {"bytes", 4000}, {"begin_in_line", 0}}));
  REQUIRE(launch["warps"].size() == 2);
  const json& second = launch["warps"][1];
  CHECK(second["threads"][31] == json({63, 0, 0}));
  REQUIRE(second["requests"].size() == 2);
  for (const json& request : second["requests"]) {
    CHECK(request["line"] == "traced_program.cu:21");
    CHECK(request["space"] == "global");
    CHECK(request["phase"] == 0);
    CHECK(request["access_bytes"] == 4);
    CHECK(request["sectors"] == 4);
    CHECK(request["lines"] == 1);
    CHECK(request["bytes"] == 128);
    for (int lane = 0; lane < 32; ++lane)
      CHECK(request["lanes"][lane] == json({0, 128 + 4 * lane}));
  }
  CHECK(second["requests"][0]["kind"] == "load");
  CHECK(second["requests"][1]["kind"] == "store");
}

TEST_CASE("the last block has lanes and warps that take no part") {
  const json launch =
      launch_of(tools::parse_json(trace_text("", {{"COURSE_TRACE_BLOCK", "15"}})), "twice");
  CHECK(launch["traced_block"] == json({15, 0, 0}));
  CHECK(lanes_of(launch["warps"][0]["requests"][0]).size() == 32);
  CHECK(lanes_of(launch["warps"][1]["requests"][0]) == std::vector<int>{0, 1, 2, 3, 4, 5, 6, 7});
  CHECK(launch["warps"][1]["requests"][0]["lanes"][7] == json({0, 3996}));
  CHECK(launch_of(tools::parse_json(trace_text("", {{"COURSE_TRACE_BLOCK", "16"}})),
                  "twice")["warps"] == json::array());
}

TEST_CASE("the sides of a branch stand one after the other, before what follows them") {
  const json trace = tools::parse_json(trace_text());
  const json requests = requests_of(trace, "two_sides");
  REQUIRE(requests.size() == 3);
  CHECK(lanes_of(requests[0]).front() == 0);
  CHECK(lanes_of(requests[0]).size() == 16);
  CHECK(lanes_of(requests[1]).front() == 1);
  CHECK(lanes_of(requests[1]).size() == 16);
  CHECK(lanes_of(requests[2]).size() == 32);
  CHECK(requests[0]["phase"] == 0);
  CHECK(requests[1]["phase"] == 0);
  CHECK(requests[2]["phase"] == 1);

  // Other lanes iterate longer, but lane 0, which leaves first, comes first.
  const json turns = requests_of(trace, "ragged");
  REQUIRE(turns.size() == 4);
  CHECK(lanes_of(turns[0]).size() == 32);
  CHECK(lanes_of(turns[1]).size() == 21);
  CHECK(lanes_of(turns[2]).size() == 10);
  CHECK(turns[2]["lanes"][2] == json({0, 4 * (64 + 2)}));
  CHECK(lanes_of(turns[3]).size() == 32);
}

TEST_CASE("shared variables have names, and barriers show") {
  const json launch = launch_of(tools::parse_json(trace_text()), "reverse");
  const json& requests = launch["warps"][1]["requests"];
  REQUIRE(requests.size() == 6);
  const auto name_of = [&](const json& request, int lane) -> json {
    return launch["objects"][request["lanes"][lane][0].get<std::size_t>()]["name"];
  };
  int stores = 0;
  for (const json& request : requests) {
    const bool is_before = request["line"].get<std::string>() != "traced_program.cu:44";
    CHECK(request["phase"] == (is_before ? 0 : 1));
    if (request["space"] != "shared" || request["kind"] != "store") continue;
    if (request["access_bytes"] == 8) {
      CHECK(name_of(request, 0) == "dynamic memory");
      CHECK(request["lanes"][1][1] == (32 + 1) * 32 * 8);
      CHECK(request["wavefronts"] == 32);
      CHECK(request["wavefronts_ideal"] == 2);
    } else {
      CHECK(name_of(request, 0) == "tile");
      CHECK(request["lanes"][1][1] == (32 + 1) * 4);
      CHECK(request["wavefronts"] == 1);
    }
    ++stores;
  }
  CHECK(stores == 2);
}

TEST_CASE("another block's shared memory is a space of its own, and says which block's") {
  const json launch = launch_of(tools::parse_json(trace_text()), "to_neighbours");
  const auto inbox = [](json extra) {
    extra.update({{"name", "inbox"}, {"bytes", 256}, {"begin_in_line", 0}});
    return extra;
  };
  REQUIRE(launch["objects"].size() == 2);
  CHECK(launch["objects"][0] == inbox({{"space", "dshared"}, {"rank", 1}}));
  CHECK(launch["objects"][1] == inbox({{"space", "shared"}}));
  const json& requests = launch["warps"][0]["requests"];
  REQUIRE(requests.size() == 3);
  CHECK(requests[0]["space"] == "dshared");
  CHECK(requests[0]["kind"] == "store");
  CHECK(requests[0]["phase"] == 1);
  CHECK(requests[0]["sectors"] == 8);
  CHECK(requests[0]["bytes"] == 128);
  CHECK_FALSE(requests[0].contains("lines"));
  CHECK(requests[0]["lanes"][31] == json({0, 8 * 31}));
  // An instruction that accesses both spaces makes two requests.
  CHECK(requests[1]["space"] == "shared");
  CHECK(requests[1]["wavefronts"] == 1);
  CHECK(requests[1]["lanes"][30] == json({1, 4 * 30}));
  CHECK(requests[1]["lanes"][31].is_null());
  CHECK(requests[2]["space"] == "dshared");
  CHECK(requests[2]["sectors"] == 4);
  CHECK(requests[2]["lanes"][30].is_null());
  CHECK(requests[2]["lanes"][31] == json({0, 4 * 31}));
}

TEST_CASE("of every instruction the first few; constants are no requests; variables have names") {
  const json trace = tools::parse_json(trace_text());
  const json launch = launch_of(trace, "rounds");
  const json requests = requests_of(trace, "rounds");
  REQUIRE(requests.size() == 8 + 8 + 1);
  CHECK(requests[15]["lanes"][3] == json({0, 4 * (3 + 32 * 7)}));
  CHECK(requests[16]["kind"] == "atomic");
  CHECK(lanes_of(requests[16]) == std::vector<int>{5});
  CHECK(launch["objects"][1]["name"] == "total");
  CHECK(requests[16]["lanes"][5] == json({1, 0}));
  const json few = tools::parse_json(trace_text("", {{"COURSE_TRACE_REQUESTS", "3"}}));
  CHECK(requests_of(few, "rounds").size() == 3 + 3 + 1);
}

TEST_CASE("a struct that no instruction can move is several requests") {
  const json requests = requests_of(tools::parse_json(trace_text()), "copy_points");
  REQUIRE(requests.size() == 6);
  for (const char* kind : {"load", "store"}) {
    int part = 0;
    for (const json& request : requests) {
      if (request["kind"] != kind) continue;
      const int first = request["kind"] == "load" ? 0 : 400;
      CHECK(request["lanes"][2] == json({0, first + 2 * 12 + 4 * part++}));
    }
    CHECK(part == 3);
  }
}

TEST_CASE("threads of a block in two dimensions; of a kernel the first sixteen launches") {
  const json trace = tools::parse_json(trace_text("often"));
  REQUIRE(trace["launches"].size() == 16);
  CHECK(trace["launches"][15]["launch"] == 15);
  CHECK(trace["launches"][0]["warps"][1]["threads"][9] == json({1, 5, 0}));
}

TEST_CASE("what did not complete is not told; a program without a kernel has an empty trace") {
  const json trace = tools::parse_json(trace_text("astray"));
  CHECK(trace["launches"].size() == 7);
  CHECK(tools::parse_json(trace_text("nothing"))["launches"] == json::array());
}

TEST_CASE("what cannot be traced or written ends with status 2 and one line") {
  struct Case {
    std::string name, value, complaint;
  };
  for (const Case& one : std::vector<Case>{
           {"COURSE_TRACE", "", "COURSE_TRACE= is not the name of a file"},
           {"COURSE_TRACE", "/nowhere/trace.json", "cannot write /nowhere/trace.json"},
           {"COURSE_TRACE_BLOCK", "first", "COURSE_TRACE_BLOCK=first is not a whole number"},
           {"COURSE_TRACE_REQUESTS", "0", "COURSE_TRACE_REQUESTS=0 is not a whole number"}}) {
    CAPTURE(one.name);
    const auto result = run("", {{one.name, one.value}});
    CHECK(result.status == 2);
    CHECK(tools::lines_of(result.err).size() == 1);
    CHECK(result.err.find(one.complaint) != std::string::npos);
  }
}
