#include "course/report.hpp"

#include <doctest/doctest.h>

#include <limits>
#include <nlohmann/json.hpp>
#include <string>

#include "course/error.hpp"
#include "course/report_printer.hpp"
#include "support/json_schema.hpp"
#include "tools/support/json.hpp"
#include "tools/support/subprocess.hpp"

using course::Report;
using course::RunRecord;
using nlohmann::json;

namespace {

course::Counters some_counters(std::uint64_t sectors) {
  course::Counters counters;
  counters.global_load = {.requests = 32, .sectors = sectors, .lines = 64, .bytes = 4096};
  counters.warp_instructions = 64;
  counters.lane_instructions = 2000;
  return counters;
}

RunRecord counted_run(int stride, std::uint64_t sectors) {
  return {.kernel = "copy_strided",
          .parameters = {{"n", 1024}, {"stride", stride}},
          .verified = true,
          .max_error = 0.0,
          .failure = "",
          .work = {},
          .time = std::nullopt,
          .counters = some_counters(sectors)};
}

RunRecord timed_run(const char* kernel, double median_ms) {
  return {
      .kernel = kernel,
      .parameters = {{"n", 1 << 20}},
      .verified = true,
      .max_error = 1.5e-6,
      .failure = "",
      .work = {.read_bytes = 4e6, .written_bytes = 4e6, .flops = 1e9},
      .time =
          course::TimeSummary{
              .median_ms = median_ms, .min_ms = median_ms / 2, .max_ms = median_ms * 2, .runs = 10},
      .counters = std::nullopt};
}

Report report_of(std::string backend, std::vector<RunRecord> runs,
                 std::vector<course::Column> columns = {"kernel"}) {
  Report report;
  report.chapter = "02_coalescing";
  report.question = "How many sectors?";
  report.backend = std::move(backend);
  report.device.name = "a device";
  report.device.multiprocessors = 132;
  report.sections.push_back({.title = "Strides",
                             .columns = std::move(columns),
                             .notes = {"A note."},
                             .runs = std::move(runs)});
  return report;
}

std::string to_json(const Report& report) { return course::make_json_printer()->print(report); }
std::string to_table(const Report& report) { return course::make_table_printer()->print(report); }

std::vector<std::string> faults_of(const Report& report) {
  static const json schema = tools::parse_json(tools::read_file(COURSE_REPORT_SCHEMA));
  return test_support::schema_faults(schema, tools::parse_json(to_json(report)));
}

std::vector<std::string> faults_of(json value) {
  static const json schema = tools::parse_json(tools::read_file(COURSE_REPORT_SCHEMA));
  return test_support::schema_faults(schema, value);
}

}  // namespace

TEST_CASE("a counted run as JSON: counters, and no time") {
  const Report report = report_of("emulator", {counted_run(2, 256)});
  CHECK(faults_of(report).empty());
  const json value = tools::parse_json(to_json(report));
  CHECK(value["schema"] == 1);
  CHECK(value["chapter"] == "02_coalescing");
  CHECK(value["device"] == json{{"name", "a device"}, {"multiprocessors", 132}});
  const json& run = value["runs"][0];
  CHECK(run["parameters"].dump() == R"({"n":1024,"stride":2})");
  CHECK(run["time_ms"].is_null());
  CHECK(run["gb_per_s"].is_null());
  CHECK(run["gflop_per_s"].is_null());
  CHECK(run["counters"]["global_load_sectors"] == 256);
  CHECK(run["counters"]["global_load_efficiency_pct"] == 50.0);
  CHECK(run["counters"]["global_store_efficiency_pct"].is_null());
  CHECK(run["counters"]["active_lanes_avg"] == 31.25);
  CHECK_FALSE(run.contains("failure"));
}

TEST_CASE("a timed run as JSON: time and rates, and no counters") {
  const Report report = report_of("cuda", {timed_run("copy", 0.5)});
  CHECK(faults_of(report).empty());
  const json run = tools::parse_json(to_json(report))["runs"][0];
  CHECK(run["time_ms"] == json{{"median", 0.5}, {"min", 0.25}, {"max", 1.0}, {"runs", 10}});
  CHECK(run["gb_per_s"] == 16.0);
  CHECK(run["gflop_per_s"] == 2000.0);
  CHECK(run["flops_per_byte"] == 125.0);
  CHECK(run["counters"].is_null());
  CHECK(run["max_error"] == 1.5e-6);
}

TEST_CASE("operations per byte are told of timed runs that compute, and whose bytes are DRAM's") {
  const RunRecord known = timed_run("sum", 0.5);
  CHECK(known.flops_per_byte() == 125.0);
  RunRecord untimed = known, idle = known, in_cache = known, nothing_moved = known;
  untimed.time.reset();
  idle.work.flops = 0.0;
  in_cache.work.level = course::MemoryLevel::l1;
  nothing_moved.work.read_bytes = nothing_moved.work.written_bytes = 0.0;
  for (const RunRecord& run : {untimed, idle, in_cache, nothing_moved}) {
    CHECK_FALSE(run.flops_per_byte().has_value());
    const Report report = report_of("cuda", {run});
    CHECK_FALSE(tools::parse_json(to_json(report))["runs"][0].contains("flops_per_byte"));
  }
}

TEST_CASE("names come in a fixed order, and equal reports give equal bytes") {
  const std::string text = to_json(report_of("emulator", {counted_run(2, 256)}));
  CHECK(text == to_json(report_of("emulator", {counted_run(2, 256)})));
  CHECK(text.ends_with("}\n"));
  std::size_t last = 0;
  for (const char* name : {"\"schema\"", "\"chapter\"", "\"backend\"", "\"device\"", "\"runs\"",
                           "\"kernel\"", "\"parameters\"", "\"n\"", "\"stride\"", "\"verified\"",
                           "\"max_error\"", "\"time_ms\"", "\"gb_per_s\"", "\"gflop_per_s\"",
                           "\"counters\"", "\"global_load_requests\"", "\"active_lanes_avg\""}) {
    const std::size_t at = text.find(name);
    REQUIRE_MESSAGE(at != std::string::npos, name);
    CHECK_MESSAGE(at > last, name);
    last = at;
  }
}

TEST_CASE("nothing that is not a number reaches the JSON as one") {
  RunRecord run = timed_run("copy", 0.5);
  run.max_error = std::numeric_limits<double>::quiet_NaN();
  CHECK(tools::parse_json(to_json(report_of("cuda", {run})))["runs"][0]["max_error"].is_null());
  run.max_error = std::numeric_limits<double>::infinity();
  CHECK(tools::parse_json(to_json(report_of("cuda", {run})))["runs"][0]["max_error"].is_null());
  run.max_error = std::nullopt;
  CHECK(tools::parse_json(to_json(report_of("cuda", {run})))["runs"][0]["max_error"].is_null());
  run.parameters = {{"alpha", std::numeric_limits<double>::infinity()}};
  CHECK(tools::parse_json(to_json(report_of("cuda", {run})))["runs"][0]["parameters"]["alpha"] ==
        "inf");
}

TEST_CASE("parameters of every kind; a float reads as it was written") {
  RunRecord run = counted_run(1, 128);
  run.parameters = {{"whole", std::int64_t{1} << 40},
                    {"real", 0.5},
                    {"float", 0.1f},
                    {"flag", true},
                    {"word", "cg"},
                    {"string", std::string("ca")},
                    {"size", std::size_t{7}}};
  CHECK(faults_of(report_of("emulator", {run})).empty());
  CHECK(tools::parse_json(to_json(report_of("emulator", {run})))["runs"][0]["parameters"] ==
        json{{"whole", std::int64_t{1} << 40},
             {"real", 0.5},
             {"float", 0.1},
             {"flag", true},
             {"word", "cg"},
             {"string", "ca"},
             {"size", 7}});
}

TEST_CASE("text that is not UTF-8 does not break the JSON") {
  RunRecord run = counted_run(1, 128);
  run.parameters = {{"word", "\xff"}};
  CHECK(faults_of(report_of("emulator", {run})).empty());
}

TEST_CASE("the schema refuses what a report must not be") {
  const json counted = tools::parse_json(to_json(report_of("emulator", {counted_run(2, 256)})));
  const json timed = tools::parse_json(to_json(report_of("cuda", {timed_run("copy", 0.5)})));
  REQUIRE(faults_of(counted).empty());
  REQUIRE(faults_of(timed).empty());
  const auto is_refused = [](json value, const char* pointer, const json& replacement) {
    value[json::json_pointer(pointer)] = replacement;
    return !faults_of(value).empty();
  };
  CHECK(is_refused(counted, "/schema", 2));
  CHECK(is_refused(counted, "/chapter", "coalescing"));
  CHECK(is_refused(counted, "/backend", "opencl"));
  CHECK(is_refused(counted, "/device/multiprocessors", 0));
  CHECK(is_refused(counted, "/more", 1));
  CHECK(is_refused(counted, "/runs/0/more", 1));
  CHECK(is_refused(counted, "/runs/0/max_error", -1.0));
  CHECK(is_refused(counted, "/runs/0/max_error", nullptr));
  CHECK(is_refused(counted, "/runs/0/parameters/n", nullptr));
  CHECK(is_refused(counted, "/runs/0/failure", "but verified"));
  CHECK(is_refused(counted, "/runs/0/verified", false));  // without a reason
  CHECK(is_refused(counted, "/runs/0/counters/global_load_sectors", 1.5));
  CHECK(is_refused(counted, "/runs/0/counters/global_load_efficiency_pct", 101));
  CHECK(is_refused(counted, "/runs/0/counters/active_lanes_avg", 33));
  CHECK(is_refused(counted, "/runs/0/counters/more", 1));
  CHECK(is_refused(timed, "/runs/0/time_ms/runs", 0));
  CHECK(is_refused(timed, "/runs/0/time_ms", nullptr));
  CHECK(is_refused(timed, "/backend", "emulator"));  // an emulated time
  CHECK(is_refused(timed, "/runs/0/counters", counted["runs"][0]["counters"]));
  CHECK(is_refused(counted, "/backend", "cuda"));
  json without = counted;
  without["runs"][0]["counters"].erase("shared_atomic_wavefronts");
  CHECK_FALSE(faults_of(without).empty());
}

TEST_CASE("a wrong run says why, and has no time") {
  RunRecord run = counted_run(2, 256);
  run.verified = false;
  run.failure = "out[3] is nan, expected 1";
  run.max_error = std::nullopt;
  const Report report = report_of("emulator", {run, counted_run(4, 512)}, {"kernel", "stride"});
  CHECK(faults_of(report).empty());
  CHECK_FALSE(report.all_verified());
  CHECK(tools::parse_json(to_json(report))["runs"][0]["failure"] == "out[3] is nan, expected 1");
  const std::string table = to_table(report);
  CHECK(table.find("  copy_strided       2  WRONG\n  copy_strided       4\n") != std::string::npos);
  CHECK(table.ends_with("\nWRONG: copy_strided (n 1024, stride 2): out[3] is nan, expected 1\n"));
}

TEST_CASE("a run that is known to be wrong is neither verified nor a failure") {
  RunRecord run = counted_run(2, 256);
  run.verified = false;
  run.known_wrong = true;
  run.max_error = std::nullopt;
  Report report = report_of("emulator", {run, counted_run(4, 512)}, {"kernel", "verified"});
  CHECK(faults_of(report).empty());
  CHECK(report.all_verified());
  json written = tools::parse_json(to_json(report));
  CHECK(written["runs"][0]["known_wrong"] == true);
  CHECK(written["runs"][0]["verified"] == false);
  CHECK_FALSE(written["runs"][0].contains("failure"));
  CHECK_FALSE(written["runs"][1].contains("known_wrong"));
  written["runs"][0]["verified"] = true;
  CHECK_FALSE(faults_of(written).empty());
  const std::string table = to_table(report);
  CHECK(table.find("  copy_strided  known wrong\n  copy_strided  yes\n") != std::string::npos);
  CHECK(table.ends_with("\n2 runs: 1 verified, 1 known to be wrong\n"));

  report.sections[0].runs[0].failure = "the launch failed";
  CHECK(faults_of(report).empty());
  CHECK_FALSE(report.all_verified());
  CHECK(tools::parse_json(to_json(report))["runs"][0]["failure"] == "the launch failed");
  CHECK(to_table(report).ends_with("the launch failed\n"));
}

TEST_CASE("a run that was skipped is neither verified nor a failure, and says why") {
  RunRecord run;
  run.kernel = "copy_bulk";
  run.skipped = "needs a newer device";
  const Report report = report_of("emulator", {run, counted_run(4, 512)}, {"kernel", "verified"});
  CHECK(faults_of(report).empty());
  CHECK(report.all_verified());
  json written = tools::parse_json(to_json(report));
  CHECK(written["runs"][0]["skipped"] == "needs a newer device");
  CHECK(written["runs"][0]["verified"] == false);
  CHECK_FALSE(written["runs"][1].contains("skipped"));
  written["runs"][0].erase("skipped");
  CHECK_FALSE(faults_of(written).empty());
  const std::string table = to_table(report);
  CHECK(table.find("  copy_bulk     skipped\n  copy_strided  yes\n") != std::string::npos);
  CHECK(table.find("\nskipped: copy_bulk: needs a newer device\n") != std::string::npos);
  CHECK(table.ends_with("\n2 runs: 1 verified, 1 skipped\n"));
}

TEST_CASE("the table: aligned, with ratios and sums") {
  const Report report =
      report_of("emulator", {counted_run(1, 128), counted_run(2, 256), counted_run(32, 1024)},
                {"kernel",
                 "stride",
                 {"requests", "global_load_requests"},
                 {"sectors/request", "global_load_sectors / global_load_requests"},
                 {"lines", "global_load_lines + global_store_lines"},
                 {"efficiency %", "global_load_efficiency_pct"},
                 {"GB/s", "gb_per_s"}});
  CHECK(to_table(report) ==
        "02_coalescing: How many sectors?\n"
        "emulator: a device, 132 multiprocessors\n"
        "\n"
        "Strides\n"
        "  kernel        stride  requests  sectors/request  lines  efficiency %\n"
        "  ------------  ------  --------  ---------------  -----  ------------\n"
        "  copy_strided       1        32                4     64         100.0\n"
        "  copy_strided       2        32                8     64          50.0\n"
        "  copy_strided      32        32               32     64          12.5\n"
        "A note.\n"
        "\n"
        "3 runs, all verified\n");
}

TEST_CASE("the table: products before sums, and no value where there is none") {
  const Report report = report_of("emulator", {counted_run(2, 256), counted_run(0, 128)},
                                  {"kernel",
                                   {"sum", "stride + global_load_sectors / 32"},
                                   {"of both", "(stride + global_load_sectors) / 32 - 1"},
                                   {"by 0", "8 / stride"},
                                   {"ms", "2 * time_ms"}});
  CHECK(course::unknown_sources(report).empty());
  const std::string table = to_table(report);
  CHECK(table.find("  kernel        sum  of both  by 0\n") != std::string::npos);
  CHECK(table.find("  copy_strided   10     7.06     4\n") != std::string::npos);
  CHECK(table.find("  copy_strided    4     3.00     -\n") != std::string::npos);
}

TEST_CASE("the table: efficiency by line, of loads and of stores") {
  RunRecord run = counted_run(1, 160);
  run.counters->global_load.lines = 64;
  run.counters->global_load.bytes = 4096;
  run.counters->global_store.lines = 64;
  run.counters->global_store.bytes = 2048;
  const std::string table = to_table(report_of("emulator", {run},
                                               {"kernel",
                                                {"load %", "global_load_line_efficiency_pct"},
                                                {"store %", "global_store_line_efficiency_pct"}}));
  CHECK(table.find("  kernel        load %  store %\n") != std::string::npos);
  CHECK(table.find("  copy_strided      50       25\n") != std::string::npos);
  CHECK(to_table(report_of("cuda", {timed_run("copy", 1.0)},
                           {"kernel", {"load %", "global_load_line_efficiency_pct"}}))
            .find("load %") == std::string::npos);
}

TEST_CASE("the table: decimals that show the smallest value, words to the left, blanks as dashes") {
  RunRecord named = timed_run("tuned", 0.0123);
  named.parameters.push_back({"layout", "row"});
  const std::string table = to_table(report_of("cuda", {timed_run("naive", 1.5), named},
                                               {"kernel",
                                                "layout",
                                                {"ms", "time_ms"},
                                                {"least", "time_min_ms"},
                                                {"most", "time_max_ms"},
                                                {"GFLOP/s", "gflop_per_s"},
                                                {"error", "max_error"},
                                                "verified"}));
  CHECK(table.find("  naive   -       1.5000  0.75000  3.0000    666.67  1.5e-06  yes\n") !=
        std::string::npos);
  CHECK(table.find("  tuned   row     0.0123  0.00615  0.0246  81300.81  1.5e-06  yes\n") !=
        std::string::npos);
}

TEST_CASE("the table: a column may compare with a kernel's first run") {
  const std::vector<RunRecord> runs = {timed_run("copy", 0.5), timed_run("slow", 2.0),
                                       timed_run("copy", 1.0)};
  const course::Column share = {"share", "gb_per_s / copy:gb_per_s"};
  const Report report = report_of("cuda", runs, {"kernel", share});
  CHECK(course::unknown_sources(report).empty());
  CHECK(to_table(report).find("  copy     1.00\n  slow     0.25\n  copy     0.50\n") !=
        std::string::npos);

  const Report alone = report_of("cuda", {runs[1]}, {"kernel", share});
  CHECK(course::unknown_sources(alone) == std::vector<std::string>{"copy:gb_per_s"});
  CHECK(to_table(alone).find("share") == std::string::npos);
}

TEST_CASE("a column that no run has is found, unless all were skipped") {
  RunRecord run = counted_run(2, 256);
  CHECK(course::unknown_sources(report_of("emulator", {run}, {"kernel", {"x", "misspelt"}})) ==
        std::vector<std::string>{"misspelt"});
  run.skipped = "needs a newer device";
  CHECK(
      course::unknown_sources(report_of("emulator", {run}, {"kernel", {"x", "misspelt"}})).empty());
}

TEST_CASE("a section without runs is left out") {
  Report report = report_of("cuda", {});
  CHECK(to_table(report).find("Strides") == std::string::npos);
  CHECK(report.all_verified());
  CHECK(faults_of(report).empty());
}

TEST_CASE("a misspelt column is found") {
  const std::vector<RunRecord> runs = {counted_run(1, 128)};
  CHECK(course::unknown_sources(report_of("emulator", runs,
                                          {"kernel",
                                           "stride",
                                           "gb_per_s",
                                           "verified",
                                           {"x", "global_load_sectors/global_load_requests"}}))
            .empty());
  CHECK(course::unknown_sources(
            report_of("emulator", runs, {{"x", "global_load_sectors / request + strde"}})) ==
        std::vector<std::string>{"request", "strde"});
  CHECK(course::unknown_sources(report_of("emulator", runs, {{"x", "stride /"}, {"y", "2 *"}})) ==
        std::vector<std::string>{"stride /", "2 *"});
}

TEST_CASE("text is written whole or refused") {
  const tools::TemporaryFolder folder;
  const std::string file = folder.path() / "report.json";
  course::write_text(file, "one\n");
  course::write_text(file, "two\n");
  CHECK(tools::read_file(file) == "two\n");
  CHECK_THROWS_WITH_AS(course::write_text("/no/such/folder/x", "x"),
                       "cannot write to /no/such/folder/x: No such file or directory",
                       course::UsageError);
  CHECK_THROWS_WITH_AS(course::write_text("/dev/full", "x"),
                       "cannot write to /dev/full: No space left on device", course::UsageError);
  CHECK_THROWS_AS(course::write_text("/dev/full", std::string(1 << 20, 'x')), course::UsageError);
}

TEST_CASE("a file is found to be writable without losing what it holds") {
  const tools::TemporaryFolder folder;
  const std::string file = (folder.path() / "report").string();
  course::write_text(file, "kept\n");
  course::check_writable(file);
  CHECK(tools::read_file(file) == "kept\n");
  CHECK_THROWS_WITH_AS(course::check_writable("/no/such/folder/x"),
                       "cannot write to /no/such/folder/x: No such file or directory",
                       course::UsageError);
}
