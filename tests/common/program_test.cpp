#include "course/program.hpp"

#include <doctest/doctest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "common/device_for_test.hpp"
#include "course/error.hpp"
#include "support/json_schema.hpp"
#include "tools/support/json.hpp"
#include "tools/support/subprocess.hpp"

namespace {

using tools::CommandOptions;
using tools::CommandResult;
using tools::lines_of;
using tools::TemporaryFolder;

CommandResult probe(std::vector<std::string> arguments, const CommandOptions& options = {}) {
  arguments.insert(arguments.begin(), COURSE_PROBE_PROGRAM);
  return tools::run_command(arguments, options);
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

/// Checks for one line of error, status 2, and an empty standard output.
void check_refused(const CommandResult& result, const std::string& part) {
  CAPTURE(result.err);
  CHECK(result.status == course::kExitUsage);
  CHECK(result.out.empty());
  CHECK(lines_of(result.err).size() == 1);
  CHECK(result.err.starts_with("00_probe: "));
  CHECK(contains(result.err, part));
}

nlohmann::json report_of(const CommandResult& result) {
  const nlohmann::json schema = tools::parse_json(tools::read_file(COURSE_REPORT_SCHEMA));
  const nlohmann::json report = tools::parse_json(result.out);
  const std::vector<std::string> faults = test_support::schema_faults(schema, report);
  CHECK_MESSAGE(faults.empty(), (faults.empty() ? "" : faults.front()));
  return report;
}

/// Returns the failure of the only run of `kernel`, whose result must be wrong.
std::string failure_of(const std::string& kernel, const std::vector<std::string>& more = {}) {
  std::vector<std::string> arguments = {"--kernel", kernel, "--json", "-"};
  arguments.insert(arguments.end(), more.begin(), more.end());
  const CommandResult result = probe(arguments);
  CAPTURE(result.err);
  CHECK(result.status == course::kExitWrong);
  const nlohmann::json report = report_of(result);
  REQUIRE(report["runs"].size() == 1);
  CHECK(report["runs"][0]["kernel"] == kernel);
  CHECK(report["runs"][0]["verified"] == false);
  CHECK(report["runs"][0]["time_ms"].is_null());
  CHECK(contains(result.err, "WRONG: " + kernel));
  return report["runs"][0]["failure"];
}

}  // namespace

TEST_CASE("a word is taken as it is") {
  const CommandResult result = probe({"--kernel", "copy", "--label", "-a b", "--json", "-"});
  CHECK(result.status == course::kExitVerified);
  CHECK(report_of(result)["runs"][0]["parameters"]["label"] == "-a b");
  CHECK(contains(probe({"--help"}).out, "--label [none]"));
}

TEST_CASE("--help shows every option with its default, and the exit statuses") {
  const CommandResult result = probe({"--help"});
  CHECK(result.status == course::kExitVerified);
  CHECK(result.err.empty());
  std::string shown;  // some versions of CLI11 end lines with a blank
  for (const std::string& line : lines_of(result.out))
    shown += line.substr(0, line.find_last_not_of(' ') + 1) + '\n';
  for (const char* part : {"What goes wrong?", "--help", "--list", "--kernel NAME", "--repeat [10]",
                           "--seed [1]", "--json FILE|-", "--n [", "--stride [1,2]",
                           "--alpha [0.1]", "elements to copy (from 0 to 1073741824)\n",
                           "a number\n", "(of at least 0)\n", "Exit status"}) {
    CHECK_MESSAGE(contains(shown, part), part);
  }
}

TEST_CASE("--list shows a line for every kernel") {
  const CommandResult result = probe({"--list"});
  CHECK(result.status == course::kExitVerified);
  CHECK(result.err.empty());
  const std::vector<std::string> lines = lines_of(result.out);
  REQUIRE(lines.size() == 17);
  CHECK(lines.front() == "copy              out = in");
}

TEST_CASE("bad usage is one line and status 2") {
  check_refused(probe({"--n", "-1"}), "--n takes a whole number from 0 to 1073741824, not '-1'");
  check_refused(probe({"--n=-1"}), "not '-1'");
  check_refused(probe({"--n", "99999999999999999999"}), "not '99999999999999999999'");
  check_refused(probe({"--n", "1073741825"}), "not '1073741825'");
  check_refused(probe({"--n", "many"}), "not 'many'");
  check_refused(probe({"--n", "1e3"}), "not '1e3'");
  check_refused(probe({"--n", ""}), "not ''");
  check_refused(probe({"--n"}), "--n");
  check_refused(probe({"--n", "1", "--n", "2"}), "--n");
  check_refused(probe({"--n", "13"}), "13 elements bring bad luck");
  check_refused(probe({"--stride", "1,33"}),
                "--stride takes a whole number from 1 to 32, not '33'");
  check_refused(probe({"--stride", "1,"}), "not ''");
  check_refused(probe({"--shift", "9223372036854775808"}), "not '9223372036854775808'");
  check_refused(probe({"--alpha", "nan"}), "--alpha takes a number, not 'nan'");
  check_refused(probe({"--alpha", "1e99"}), "not '1e99'");
  check_refused(probe({"--tolerance", "-0.5"}),
                "--tolerance takes a number of at least 0, not '-0.5'");
  check_refused(probe({"--repeat", "0"}),
                "--repeat takes a whole number from 1 to 1000000, not '0'");
  check_refused(probe({"--seed", "-1"}), "--seed");
  check_refused(probe({"--unknown"}), "--unknown");
  check_refused(probe({"stray"}), "stray");
  check_refused(probe({"--kernel"}), "--kernel");
}

TEST_CASE("an unknown kernel is refused, and the known ones are named") {
  check_refused(probe({"--kernel", "copy", "--kernel", "cpoy"}),
                "no kernel 'cpoy' here; there are: copy, copy_short,");
}

TEST_CASE("a report that cannot be written is refused before the work") {
  check_refused(probe({"--kernel", "copy", "--json", "/no/such/folder/report.json"}),
                "cannot write to /no/such/folder/report.json: No such file or directory");
  const TemporaryFolder folder;
  check_refused(probe({"--kernel", "copy", "--json", folder.path()}), "Is a directory");
}

TEST_CASE("without a device: one line, status 2") {
  if (test_support::has_device()) return;
  check_refused(probe({"--kernel", "copy"}), "no usable GPU");
  check_refused(probe({"--kernel", "copy"}), "./course run --backend emulator");
}

TEST_CASE("a right kernel is verified: table, JSON, status 0") {
  REQUIRE_DEVICE();
  const CommandResult table = probe({"--kernel", "copy"});
  CHECK(table.status == course::kExitVerified);
  CHECK(table.err.empty());
  CHECK(contains(table.out, "00_probe: What goes wrong?\n"));
  CHECK(contains(table.out, "\nCopies\n  kernel"));
  CHECK(contains(table.out, "\nOnly the first is right.\n"));
  CHECK(contains(table.out, "\n1 run, all verified\n"));

  const CommandResult json = probe({"--kernel", "copy", "--json", "-"});
  CHECK(json.status == course::kExitVerified);
  CHECK(json.err.empty());
  const nlohmann::json report = report_of(json);
  CHECK(report["chapter"] == "00_probe");
  REQUIRE(report["runs"].size() == 1);
  const nlohmann::json& run = report["runs"][0];
  CHECK(run["verified"] == true);
  CHECK(run["max_error"] == 0.0);
  CHECK(run["parameters"]["alpha"] == 0.1);
  if (course::backend().reports_time) {
    CHECK(run["time_ms"]["runs"] == 10);
    CHECK(run["gb_per_s"] > 0.0);
  } else {
    // 1000 elements: 32 warps, the last with 8 lanes, which need one sector.
    CHECK(run["parameters"]["n"] == 1000);
    CHECK(run["counters"]["global_load_requests"] == 32);
    CHECK(run["counters"]["global_load_sectors"] == 31 * 4 + 1);
    CHECK(run["counters"]["global_load_bytes"] == 4000);
    CHECK(run["counters"]["global_store_efficiency_pct"] == 100.0);
  }
}

TEST_CASE("equal runs write equal bytes where kernels are counted") {
  REQUIRE_DEVICE();
  if (course::backend().reports_time) return;
  const std::vector<std::string> arguments = {"--kernel",   "copy",   "--kernel",
                                              "copy_short", "--json", "-"};
  const CommandResult first = probe(arguments);
  tools::CommandOptions one_thread;
  one_thread.environment["COURSE_THREADS"] = "1";
  const CommandResult second = probe(arguments, one_thread);
  CHECK(first.out == second.out);
  CHECK(probe({"--kernel", "copy", "--seed", "2", "--json", "-"}).out ==
        probe({"--kernel", "copy", "--json", "-"}).out);
}

TEST_CASE("--json FILE writes what --json - prints, and the table stays on standard output") {
  REQUIRE_DEVICE();
  const TemporaryFolder folder;
  const std::filesystem::path file = folder.path() / "report.json";
  const CommandResult to_file = probe({"--kernel", "copy", "--json", file});
  CHECK(to_file.status == course::kExitVerified);
  CHECK(contains(to_file.out, "all verified"));
  CHECK(tools::parse_json(tools::read_file(file))["runs"].size() == 1);
  if (!course::backend().reports_time) {
    CHECK(tools::read_file(file) == probe({"--kernel", "copy", "--json", "-"}).out);
  }
}

TEST_CASE("a full disk is one line and status 2") {
  REQUIRE_DEVICE();
  for (const char* arguments : {"--list", "--help", "--kernel copy", "--kernel copy --json -"}) {
    CAPTURE(arguments);
    const std::string script = std::string("exec \"$0\" ") + arguments + " > /dev/full";
    const CommandResult result = tools::run_command({"sh", "-c", script, COURSE_PROBE_PROGRAM});
    CHECK(result.status == course::kExitUsage);
    CHECK(result.err == "00_probe: cannot write to standard output: No space left on device\n");
  }
  const CommandResult result = probe({"--kernel", "copy", "--json", "/dev/full"});
  CHECK(result.status == course::kExitUsage);
  CHECK(result.err == "00_probe: cannot write to /dev/full: No space left on device\n");
}

TEST_CASE("sizes around nothing") {
  REQUIRE_DEVICE();
  for (const char* n : {"0", "1", "31", "32", "33", "127", "128", "129"}) {
    CAPTURE(n);
    CHECK(probe({"--kernel", "copy", "--n", n}).status == course::kExitVerified);
  }
}

TEST_CASE("an element that the kernel skips cannot pass") {
  REQUIRE_DEVICE();
  const std::string failure = failure_of("copy_short", {"--n", "1000"});
  CHECK(contains(failure, "out[999] is nan, expected "));
  CHECK(contains(failure, "(1 of 1000 wrong)"));
  CHECK(contains(failure_of("copy_nothing", {"--n", "5"}),
                 "out[0] is nan, expected 0 (5 of 5 wrong)"));
}

TEST_CASE("a write outside the output is seen") {
  REQUIRE_DEVICE();
  CHECK(failure_of("copy_beyond", {"--n", "1000"}) ==
        "the kernel wrote directly behind the end of out");
  CHECK(failure_of("copy_both_beyond", {"--n", "1000"}) ==
        "the kernel wrote directly behind the end of out");
  CHECK(failure_of("copy_before", {"--n", "1000"}) ==
        "the kernel wrote directly before the start of out");
}

TEST_CASE("a quarter of the work is not credited as the whole") {
  REQUIRE_DEVICE();
  if (course::backend().reports_counters) {
    CHECK(failure_of("copy_quarter", {"--n", "4096"}) ==
          "the kernel read 4096 bytes of the 16384 that it is credited with");
  } else {
    CHECK(contains(failure_of("copy_quarter", {"--n", "268435456"}), "times what DRAM can do"));
  }
}

TEST_CASE("a run without a launch or a check is a wrong run") {
  REQUIRE_DEVICE();
  CHECK(failure_of("unchecked") == "no result was checked");
  CHECK(failure_of("idle") == "nothing was launched");
}

TEST_CASE("what a kernel reads and writes is put back before every launch") {
  REQUIRE_DEVICE();
  const CommandResult result =
      probe({"--kernel", "increment", "--stride", "1,2,4", "--repeat", "3", "--json", "-"});
  CHECK(result.status == course::kExitVerified);
  const nlohmann::json report = report_of(result);
  REQUIRE(report["runs"].size() == 3);
  CHECK(report["runs"][2]["parameters"]["stride"] == 4);
}

TEST_CASE("an SGEMM is checked against its problem") {
  REQUIRE_DEVICE();
  CHECK(probe({"--kernel", "sgemm"}).status == course::kExitVerified);
}

TEST_CASE("a refused launch is bad usage") {
  REQUIRE_DEVICE();
  check_refused(probe({"--kernel", "refused"}),
                "the device refuses the launch of refused: probe_program.cu:");
}

TEST_CASE("any other exception is one line") {
  REQUIRE_DEVICE();
  const CommandResult result = probe({"--kernel", "throws"});
  CHECK(result.status == course::kExitUsage);
  CHECK(result.err == "00_probe: first line\n");
}

TEST_CASE("too much memory is one line and status 2") {
  REQUIRE_DEVICE();
  check_refused(probe({"--kernel", "greedy"}), "choose smaller sizes");
  check_refused(probe({"--kernel", "overflowing"}), "choose smaller sizes");
}

TEST_CASE("every row is counted from zero") {
  REQUIRE_DEVICE();
  if (!course::backend().reports_counters) return;
  const nlohmann::json report =
      report_of(probe({"--kernel", "copy", "--kernel", "copy_before", "--json", "-"}));
  REQUIRE(report["runs"].size() == 2);
  for (const nlohmann::json& run : report["runs"]) {
    CHECK(run["counters"]["global_load_sectors"] >= 125);
    CHECK(run["counters"]["global_load_sectors"] <= 126);  // copy_before loads one element twice
  }
}

TEST_CASE("a kernel that fails ends the runs, and the report says so") {
  REQUIRE_DEVICE();
  const CommandResult result =
      probe({"--kernel", "astray", "--kernel", "copy", "--kernel", "after", "--json", "-"});
  CHECK(result.status == course::kExitWrong);
  const nlohmann::json report = report_of(result);
  REQUIRE(report["runs"].size() == 2);
  CHECK(report["runs"][0]["kernel"] == "copy");
  CHECK(report["runs"][0]["verified"] == true);
  CHECK(contains(report["runs"][1]["failure"], "cudaErrorIllegalAddress"));
  CHECK(contains(report["runs"][1]["failure"], "probe_program.cu:"));
  CHECK(contains(report["runs"][1]["failure"], "nothing can run after this"));
}

TEST_CASE(
    "all kernels together: status 1 wins over the right ones, and every failure has its line") {
  REQUIRE_DEVICE();
  const CommandResult result =
      probe({"--kernel", "copy", "--kernel", "copy_short", "--kernel", "unchecked", "--n", "1000"});
  CHECK(result.status == course::kExitWrong);
  CHECK(contains(result.out, "  WRONG\n"));
  CHECK(contains(result.out, "\nWRONG: copy_short (n 1000, alpha 0.1): out[999] is nan"));
  CHECK(contains(result.out, "\nWRONG: unchecked: no result was checked\n"));
  CHECK_FALSE(contains(result.out, "all verified"));
}
