/// Tests every chapter's program: JSON matches the schema; bad usage gives status 2 and one line.

#include <doctest/doctest.h>

#include <cstdint>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "support/json_schema.hpp"
#include "support/markup.hpp"
#include "support/quick_sizes.hpp"
#include "tools/support/json.hpp"
#include "tools/support/project.hpp"
#include "tools/support/source_text.hpp"
#include "tools/support/subprocess.hpp"

using nlohmann::json;
using tools::CommandResult;

namespace {

using test_support::kQuickSizes;
using test_support::Words;

CommandResult run(const std::string& chapter, Words arguments,
                  std::map<std::string, std::string> environment = {}) {
  arguments.insert(arguments.begin(), COURSE_PROGRAM_FOLDER "/" + chapter);
  tools::CommandOptions options;
  options.environment = std::move(environment);
  return tools::run_command(arguments, options);
}

using Sums = std::map<std::string, std::uint64_t>;  // by counter

/// Adds counters, except averages and percentages.
void add(Sums& sums, const json& counters) {
  for (const auto& [name, value] : counters.items())
    if (value.is_number_integer()) sums[name] += value.get<std::uint64_t>();
}

Sums sums_of(const json& counters) {
  Sums sums;
  add(sums, counters);
  return sums;
}

std::string joined(const Words& words) {
  std::string text;
  for (const std::string& word : words) text += word + ' ';
  return text;
}

void check_refused(const std::string& chapter, const Words& arguments) {
  const CommandResult result = run(chapter, arguments);
  CAPTURE(chapter);
  CAPTURE(joined(arguments));
  CAPTURE(result.err);
  CHECK(result.status == 2);
  CHECK(result.out.empty());
  CHECK(tools::lines_of(result.err).size() == 1);
}

}  // namespace

TEST_CASE("each chapter's JSON is valid by docs/report.schema.json and every run is verified") {
  const json schema =
      tools::parse_json(tools::read_file(tools::source_folder() / "docs/report.schema.json"));
  CHECK(kQuickSizes.size() == tools::chapter_folders().size());
  for (const auto& [chapter, arguments] : kQuickSizes) {
    CAPTURE(chapter);
    Words with_json = arguments;
    with_json.insert(with_json.end(), {"--json", "-"});
    const CommandResult result = run(chapter, with_json);
    REQUIRE(result.status == 0);
    const json report = tools::parse_json(result.out);
    CHECK(test_support::schema_faults(schema, report) == Words{});
    CHECK(report["chapter"] == chapter);
    CHECK(report["backend"] == COURSE_BACKEND_NAME);
    REQUIRE(!report["runs"].empty());
    for (const json& one : report["runs"])
      CHECK_MESSAGE(
          (one["verified"] == true || one.contains("known_wrong") || one.contains("skipped")),
          one.dump());
  }
}

TEST_CASE("a chapter's kernels compute the same, counted or not") {
  if (std::string(COURSE_BACKEND_NAME) != "emulator") return;
  const auto results = [](const std::string& chapter, const Words& arguments,
                          const std::string& counters) {
    // One block at a time, so that atomics add in the same order.
    const CommandResult result =
        run(chapter, arguments, {{"COURSE_THREADS", "1"}, {"COURSE_COUNTERS", counters}});
    CHECK(result.status == 0);
    json report = tools::parse_json(result.out);
    for (json& one : report["runs"]) {
      CHECK(one["counters"].is_null() == (counters == "off" || one.contains("skipped")));
      one.erase("counters");
      one["parameters"].erase("gate");  // chapter 07: derived from the counters
      // Depends on a race
      if (one["kernel"] == "mirror_no_barrier") one["parameters"].erase("wrong");
    }
    return report["runs"];
  };
  const tools::TemporaryFolder folder;
  const std::string file = "json:" + (folder.path() / "counters.json").string();
  for (const auto& [chapter, arguments] : kQuickSizes) {
    CAPTURE(chapter);
    Words with_json = arguments;
    with_json.insert(with_json.end(), {"--json", "-"});
    const json off = results(chapter, with_json, "off"), on = results(chapter, with_json, file);
    REQUIRE(off.size() == on.size());
    for (std::size_t i = 0; i < on.size(); ++i) CHECK_MESSAGE(off[i] == on[i], on[i].dump());
  }
}

TEST_CASE("line by line, each kernel's counters add up to what was counted in all, exactly") {
  if (std::string(COURSE_BACKEND_NAME) != "emulator") return;
  const json schema =
      tools::parse_json(tools::read_file(tools::source_folder() / "docs/profile.schema.json"));
  const tools::TemporaryFolder folder;
  const std::string profile_file = (folder.path() / "profile.json").string();
  const std::string counters_file = (folder.path() / "counters.json").string();
  for (const auto& [chapter, arguments] : kQuickSizes) {
    CAPTURE(chapter);
    const json profile = [&] {
      run(chapter, arguments,
          {{"COURSE_PROFILE", "json:" + profile_file},
           {"COURSE_COUNTERS", "json:" + counters_file}});
      return tools::parse_json(tools::read_file(profile_file));
    }();
    CHECK(test_support::schema_faults(schema, profile) == Words{});
    std::map<std::string, Sums> sums;  // by kernel
    for (const json& kernel : profile["kernels"]) {
      CAPTURE(kernel["signature"]);
      Sums lines;
      for (const json& source : kernel["sources"]) {
        CHECK(source["file"].get<std::string>().starts_with(tools::source_folder().string()));
        for (const json& line : source["lines"]) {
          CHECK_FALSE(line["text"].is_null());
          Sums instructions;
          for (const json& one : line["instructions"]) add(instructions, one["counters"]);
          if (!line["counters"].is_null()) CHECK(instructions == sums_of(line["counters"]));
          for (const auto& [name, value] : instructions) lines[name] += value;
        }
      }
      CHECK(lines == sums_of(kernel["counters"]));
      add(sums[kernel["kernel"].get<std::string>()], kernel["counters"]);
    }
    const json counters = tools::parse_json(tools::read_file(counters_file));
    CHECK(counters["kernels"].size() == sums.size());
    for (const json& total : counters["kernels"]) {
      Sums& sum = sums[total["kernel"].get<std::string>()];
      CAPTURE(total["kernel"]);
      for (const auto& [name, value] : sums_of(total["counters"]))
        CHECK_MESSAGE(sum[name] == value, name);
    }
    run(chapter, arguments, {{"COURSE_PROFILE", "html:" + profile_file}});
    CHECK(test_support::markup_fault(tools::read_file(profile_file)) == "");
  }
}

TEST_CASE(
    "chapter 02: the worst line is the load that walks down a column, and then there is none") {
  if (std::string(COURSE_BACKEND_NAME) != "emulator") return;
  const tools::TemporaryFolder folder;
  const std::string file = (folder.path() / "profile.json").string();
  run("02_coalescing", {"--m", "64", "--n", "64", "--k", "64"},
      {{"COURSE_PROFILE", "json:" + file}});
  const json profile = tools::parse_json(tools::read_file(file));
  const auto worst_of = [&](const std::string& name) {
    for (const json& kernel : profile["kernels"])
      if (kernel["kernel"] == name) return kernel["worst"];
    return json();
  };
  const json naive = worst_of("sgemm_naive");
  REQUIRE(naive.size() == 1);
  CHECK(naive[0]["reason"] == "global load A[row * k + p]: 32 sectors per request; 4 would do");
  CHECK(worst_of("sgemm_coalesced") == json::array());
  CHECK(worst_of("copy_permuted") == json::array());
}

TEST_CASE("every kernel of a chapter can be asked for by name, and is run") {
  // Chapter 10 runs these in two shapes of block under different names.
  const std::set<std::string> in_two_shapes = {"direct", "wide", "staged", "unsynchronised"};
  for (const auto& [chapter, arguments] : kQuickSizes) {
    const CommandResult list = run(chapter, {"--list"});
    CHECK(list.status == 0);
    for (const std::string& kernel :
         tools::kernel_names(tools::source_folder() / "chapters" / chapter)) {
      if (in_two_shapes.contains(kernel)) continue;
      CAPTURE(kernel);
      CHECK(list.out.find(kernel) != std::string::npos);
      Words words = arguments;
      words.insert(words.end(), {"--kernel", kernel, "--json", "-"});
      const CommandResult result = run(chapter, words);
      REQUIRE(result.status == 0);
      for (const json& one : tools::parse_json(result.out)["runs"]) CHECK(one["kernel"] == kernel);
    }
  }
}

namespace {

/// Removes from a report what depends on the order of blocks: the positions of a compaction's
/// elements in memory, and the sectors that its stores touch.
std::string without_order(const std::string& report) {
  json parsed = tools::parse_json(report);
  for (json& run : parsed["runs"]) {
    if (!run["kernel"].get<std::string>().starts_with("compact_")) continue;
    for (auto counter = run["counters"].begin(); counter != run["counters"].end();)
      counter = counter.key().starts_with("global_store_") ? run["counters"].erase(counter)
                                                           : std::next(counter);
  }
  return parsed.dump();
}

}  // namespace

TEST_CASE("on the emulator, the same run gives the same counts on one thread and on many") {
  if (std::string(COURSE_BACKEND_NAME) != "emulator") return;
  for (const auto& [chapter, arguments] : kQuickSizes) {
    Words words = arguments;
    words.insert(words.begin(), COURSE_PROGRAM_FOLDER "/" + chapter);
    words.insert(words.end(), {"--json", "-"});
    std::vector<std::string> outputs;
    for (const char* threads : {"1", "2", "7"}) {
      tools::CommandOptions options;
      options.environment["COURSE_THREADS"] = threads;
      outputs.push_back(without_order(tools::run_command(words, options).out));
    }
    CHECK(outputs[0] == outputs[1]);
    CHECK(outputs[0] == outputs[2]);
  }
}

TEST_CASE("chapter 10: without __syncwarp() the result is wrong in whatever order lanes go") {
  if (std::string(COURSE_BACKEND_NAME) != "emulator") return;
  for (const char* seed : {"0", "1", "2", "3", "4", "5", "6", "7"}) {
    CAPTURE(seed);
    tools::CommandOptions options;
    options.environment["COURSE_SEED"] = seed;
    const auto wrong_elements = [&](const char* kernel) {
      const CommandResult result = tools::run_command(
          {COURSE_PROGRAM_FOLDER "/10_maxas_epilogue", "--kernel", kernel, "--json", "-"}, options);
      REQUIRE(result.status == 0);
      return tools::parse_json(result.out)["runs"][0]["parameters"].value("wrong", 0);
    };
    CHECK(wrong_elements("maxas_64_unsynchronised") > 0);
    CHECK(wrong_elements("maxas_64") == 0);
  }
}

TEST_CASE("chapter 09: sums of split tiles do not depend on which block is the last") {
  if (std::string(COURSE_BACKEND_NAME) != "emulator") return;
  const std::string program = COURSE_PROGRAM_FOLDER "/09_sgemm";
  std::set<std::string> outputs;
  const std::vector<std::pair<std::string, std::string>> orders = {
      {"0", "1"}, {"1", "3"}, {"2", "2"}};
  for (const auto& [seed, threads] : orders) {
    tools::CommandOptions options;
    options.environment["COURSE_SEED"] = seed;
    options.environment["COURSE_THREADS"] = threads;
    outputs.insert(tools::run_command({program, "--kernel", "even_shares", "--m", "1536", "--n",
                                       "768", "--k", "448", "--json", "-"},
                                      options)
                       .out);
  }
  CHECK(outputs.size() == 1);
  const json run = tools::parse_json(*outputs.begin())["runs"][0];
  CHECK(run["verified"] == true);
  CHECK(run["counters"]["global_load_requests"] > 0);  // of pieces
}

TEST_CASE("the hazard checker is silent about every chapter, but for kernels wrong on purpose") {
  if (std::string(COURSE_BACKEND_NAME) != "emulator") return;
  const std::set<std::string> with_wrong_kernels = {"05_shared_memory", "08_warp_primitives",
                                                    "10_maxas_epilogue"};
  for (const auto& [chapter, arguments] : kQuickSizes) {
    CAPTURE(chapter);
    Words words = arguments;
    words.push_back("--check");
    const CommandResult result = run(chapter, words);
    CAPTURE(result.err);
    const bool is_silent =
        result.err.find("checked: 0 errors, 0 warnings") != std::string::npos && result.status == 0;
    CHECK(is_silent == !with_wrong_kernels.contains(chapter));
  }
}

TEST_CASE("bad flags that every chapter has end with status 2 and one line") {
  for (const auto& folder : tools::chapter_folders()) {
    const std::string chapter = folder.filename().string();
    for (const Words& words : std::vector<Words>{{"--no-such-flag"},
                                                 {"--kernel", "no_such_kernel"},
                                                 {"--kernel"},
                                                 {"--repeat", "0"},
                                                 {"--repeat", "-1"},
                                                 {"--repeat", "many"},
                                                 {"--seed", "-3"},
                                                 {"--seed", "1.5"},
                                                 {"--json", "/no/such/folder/report.json"},
                                                 {"stray"}})
      check_refused(chapter, words);
  }
}

TEST_CASE("bad sizes end with status 2 and one line") {
  for (const Words& words : std::vector<Words>{{"--n", "-1"},
                                               {"--n", "x"},
                                               {"--n", ""},
                                               {"--n", "1e3"},
                                               {"--n", "99999999999999999999"},
                                               {"--n", "2147483647"},
                                               {"--rows", "-1"},
                                               {"--rows", "4096", "--n", "67108864"},
                                               {"--block-x", "0"},
                                               {"--block-x", "1025"},
                                               {"--block-z", "65"},
                                               {"--block-x", "32", "--block-y", "33"},
                                               {"--block-x", "1024", "--block-y", "1024"},
                                               {"--rounds", "-1"}})
    check_refused("01_warps", words);

  for (const Words& words :
       std::vector<Words>{{"--elements", "-1"},
                          {"--elements", "1000000000000"},
                          {"--elements", "nan"},
                          {"--stride", "0"},
                          {"--stride", "1,x"},
                          {"--stride", "1,"},
                          {"--stride", "1048576", "--elements", "65536"},
                          {"--m", "-1"},
                          {"--m", "1.5"},
                          {"--m", "2147483648"},
                          {"--m", "2147483647", "--n", "2147483647", "--k", "2147483647"},
                          {"--m", "65536", "--k", "65536"},
                          {"--m", "2147483647", "--n", "1", "--k", "1", "--block", "1"},
                          {"--alpha", "x"},
                          {"--beta", "nan"},
                          {"--block", "0"},
                          {"--block", "33"}})
    check_refused("02_coalescing", words);

  for (const Words& words : std::vector<Words>{{"--n", "-1"},
                                               {"--n", "1e6"},
                                               {"--n", "1073741825"},
                                               {"--n", "99999999999999999999"},
                                               {"--offset", "-1"},
                                               {"--offset", "0,"},
                                               {"--offset", "11,x"},
                                               {"--offset", "2147483648"},
                                               {"--rows", "-1"},
                                               {"--cols", "0"},
                                               {"--cols", "33", "--pitch", "32"},
                                               {"--rows", "16777216", "--pitch", "1024"},
                                               {"--header", "1025"},
                                               {"--block", "0"},
                                               {"--block", "1025"}})
    check_refused("03_alignment", words);

  for (const Words& words : std::vector<Words>{{"--elements", "-1"},
                                               {"--elements", "536870913"},
                                               {"--elements", "1e6"},
                                               {"--columns", "-1"},
                                               {"--rows", "x"},
                                               {"--rows", "1048576", "--columns", "4096"},
                                               {"--sums", "-1"},
                                               {"--rounds", "65537"},
                                               {"--distinct", "0"},
                                               {"--distinct", "33"},
                                               {"--distinct", "1,"},
                                               {"--readers", "4294967296"},
                                               {"--readers", "536870912", "--steps", "64"},
                                               {"--table-kib", "0"},
                                               {"--table-kib", "2097153"},
                                               {"--table-kib", "1,nan"}})
    check_refused("04_read_only_cache", words);

  for (const Words& words : std::vector<Words>{{"--n", "-1"},
                                               {"--n", "x"},
                                               {"--n", "1e6"},
                                               {"--n", "268435457"},
                                               {"--n", "2147483647"},
                                               {"--n", "99999999999999999999"},
                                               {"--block", "0"},
                                               {"--block", "1025"},
                                               {"--block", "-32"},
                                               {"--block", "1.5"},
                                               {"--block", "32,64"}})
    check_refused("06_aos_soa", words);

  for (const Words& words : std::vector<Words>{{"--n", "-1"},
                                               {"--n", "x"},
                                               {"--n", "1073741825"},
                                               {"--n", "99999999999999999999"},
                                               {"--n", "1000000000000"},
                                               {"--offset", "-1"},
                                               {"--offset", "0,"},
                                               {"--offset", "1073741825"},
                                               {"--block", "0"},
                                               {"--block", "1025"},
                                               {"--blocks", "256,0"},
                                               {"--waves", "0"},
                                               {"--resident", "0"},
                                               {"--hops", "-1"}})
    check_refused("07_unrolling", words);

  for (const Words& words : std::vector<Words>{{"--n", "-1"},
                                               {"--n", "1e3"},
                                               {"--n", "67108865"},
                                               {"--n", "2147483647"},
                                               {"--listing-n", "-1"},
                                               {"--listing-n", "1048577"},
                                               {"--keys", "0"},
                                               {"--keys", "65537"},
                                               {"--keys", "1,"},
                                               {"--rounds", "-1"},
                                               {"--rounds", "4097"},
                                               {"--tile-bytes", "-4"},
                                               {"--tile-bytes", "1025"}})
    check_refused("08_warp_primitives", words);

  for (const Words& words : std::vector<Words>{{"--m", "-1"},
                                               {"--m", "1.5"},
                                               {"--m", "1073741825"},
                                               {"--m", "65536", "--k", "65536", "--n", "1"},
                                               {"--m", "3000000", "--n", "1", "--k", "1"},
                                               {"--alpha", "x"},
                                               {"--beta", "inf"},
                                               {"--rounds", "0"},
                                               {"--rounds", "32769"},
                                               {"--size", "-1"},
                                               {"--size", "46341"},
                                               {"--size", "1,"},
                                               {"--rectangle", "1,2"},
                                               {"--rectangle", "65536,65536,1"},
                                               {"--tune-size", "x"},
                                               {"--tune", "/no/such/folder/parameters.hpp"}})
    check_refused("09_sgemm", words);

  for (const Words& words :
       std::vector<Words>{{"--m", "-1"},
                          {"--n", "1.5"},
                          {"--k", "2147483648"},
                          {"--m", "1073741825"},
                          {"--m", "65536", "--n", "65536"},
                          {"--m", "1073741824", "--n", "1073741824", "--k", "1073741824"},
                          {"--n", "4194240", "--m", "1", "--k", "1"},
                          {"--alpha", "x"},
                          {"--beta", "nan"},
                          {"--pad", "-4"},
                          {"--pad", "6"},
                          {"--pad", "36"},
                          {"--pad", "0,"},
                          {"--size", "-1"},
                          {"--size", "46341"},
                          {"--size", "64,x"}})
    check_refused("10_maxas_epilogue", words);

  for (const Words& words : std::vector<Words>{{"--n", "-1"},
                                               {"--n", "268435457"},
                                               {"--n", "1,"},
                                               {"--blocks", "0"},
                                               {"--blocks", "1048577"},
                                               {"--block", "0"},
                                               {"--block", "1025"},
                                               {"--width", "0"},
                                               {"--height", "8193"},
                                               {"--most", "65537"},
                                               {"--picture", "/no/such/folder/picture.ppm"}})
    check_refused("00_first_kernel", words);
}

TEST_CASE("sizes of nothing and of one are no errors") {
  const auto check_accepted = [](const std::string& chapter, const Words& words) {
    const CommandResult result = run(chapter, words);
    CAPTURE(joined(words));
    CAPTURE(result.err);
    CHECK(result.status == 0);
  };
  const Words small = {"--width", "1", "--height", "1", "--most", "1"};
  for (Words words : std::vector<Words>{
           {"--n", "0"}, {"--n", "1", "--block", "1"}, {"--n", "33", "--blocks", "1,100"}}) {
    words.insert(words.end(), small.begin(), small.end());
    check_accepted("00_first_kernel", words);
  }
  check_accepted("01_warps", {"--n", "0"});
  check_accepted("01_warps", {"--n", "1", "--rows", "0", "--rounds", "0"});
  check_accepted("01_warps", {"--n", "33", "--block-x", "1", "--block-y", "1", "--block-z", "1"});
  check_accepted("02_coalescing", {"--elements", "0", "--m", "0", "--n", "0", "--k", "0"});
  check_accepted("02_coalescing", {"--elements", "1", "--m", "1", "--n", "1", "--k", "0"});
  check_accepted("02_coalescing",
                 {"--elements", "33", "--m", "1", "--n", "100", "--k", "7", "--beta", "0"});
  check_accepted("02_coalescing", {"--elements", "31", "--m", "31", "--n", "33", "--k", "32",
                                   "--block", "5", "--alpha", "0"});
  check_accepted("02_coalescing", {"--passes", "1", "--lines", "1", "--l1-stride", "1,128"});
  check_accepted("02_coalescing", {"--stride", "8", "--l2-fetch", "32,128", "--lines", "1"});
  check_accepted("03_alignment", {"--n", "0"});
  check_accepted("03_alignment", {"--n", "1", "--offset", "0,1,2", "--block", "1"});
  check_accepted("03_alignment", {"--n", "31", "--offset", "30,31,32", "--block", "33"});
  check_accepted("03_alignment", {"--n", "33", "--offset", "2147483647", "--block", "1024"});
  check_accepted("03_alignment", {"--n", "1", "--rows", "0"});
  check_accepted("03_alignment", {"--n", "1", "--rows", "1", "--cols", "1", "--pitch", "1"});
  check_accepted("04_read_only_cache", {"--elements", "0", "--columns", "0", "--sums", "0",
                                        "--readers", "0", "--table-kib", "1"});
  check_accepted("04_read_only_cache",
                 {"--elements", "1", "--columns", "33", "--rows", "0", "--sums", "1", "--rounds",
                  "0", "--readers", "1", "--steps", "0", "--table-kib", "1"});
  check_accepted("04_read_only_cache",
                 {"--elements", "31", "--columns", "1", "--rows", "1", "--sums", "33", "--rounds",
                  "257", "--distinct", "3", "--readers", "33", "--steps", "1", "--table-kib", "1"});
  check_accepted("06_aos_soa", {"--n", "0"});
  check_accepted("06_aos_soa", {"--n", "1", "--block", "1"});
  check_accepted("06_aos_soa", {"--n", "31", "--block", "1024"});
  check_accepted("06_aos_soa", {"--n", "33", "--block", "31"});
  check_accepted("07_unrolling", {"--n", "0", "--hops", "0"});
  check_accepted("07_unrolling", {"--n", "1", "--hops", "1", "--block", "1"});
  check_accepted("07_unrolling",
                 {"--n", "31", "--offset", "0,31,32,1073741824", "--block", "1024"});
  check_accepted("07_unrolling",
                 {"--n", "33", "--offset", "3", "--block", "48", "--waves", "1024"});
  check_accepted("08_warp_primitives", {"--n", "0", "--listing-n", "0", "--rounds", "0"});
  check_accepted("08_warp_primitives", {"--n", "1", "--listing-n", "1", "--keys", "1"});
  check_accepted("08_warp_primitives", {"--n", "31", "--listing-n", "32", "--keys", "7,65536"});
  check_accepted("08_warp_primitives", {"--n", "257", "--listing-n", "33", "--tile-bytes", "256"});

  check_accepted("10_maxas_epilogue", {"--m", "0", "--n", "0", "--k", "0", "--size", "0"});
  check_accepted("10_maxas_epilogue",
                 {"--m", "1", "--n", "1", "--k", "0", "--size", "1", "--beta", "0.5"});
  check_accepted("10_maxas_epilogue", {"--m", "1", "--n", "100", "--k", "7", "--size", "65,63",
                                       "--pad", "4,32,0", "--alpha", "0"});
}
