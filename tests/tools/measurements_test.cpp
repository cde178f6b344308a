/// Tests that docs/measurements has the emulator's current figures, and that the GPU's agree with
/// them.

#include <doctest/doctest.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <string>

#include "tools/support/json.hpp"
#include "tools/support/project.hpp"
#include "tools/support/subprocess.hpp"

using nlohmann::json;

namespace {

json measurement(const std::string& name) {
  return tools::parse_json(tools::read_file(tools::source_folder() / "docs/measurements" / name));
}

/// Returns whether a kernel copies from global to shared memory. Nsight Compute leaves such copies
/// out of its efficiency, and counts sectors of 16-byte copies differently (emulator/README.md, on
/// where counts can differ).
bool copies_to_shared(const json& run) { return run["kernel"] == "double_buffer"; }

/// Returns whether memory positions, and so the stored sectors, depend on the order of warps.
bool order_decides(const json& run) {
  return run["kernel"].get<std::string>().starts_with("compact_");
}

}  // namespace

TEST_CASE("emulator.json comes out again to the byte") {
  if (std::string(COURSE_BACKEND_NAME) != "emulator") {
    MESSAGE("built for a GPU: nothing to count");
    return;
  }
  const tools::TemporaryFolder folder;
  const auto file = folder.path() / "emulator.json";
  tools::CommandOptions options;
  options.time_limit = std::chrono::minutes(30);  // takes half a minute on a quiet machine
  const auto result =
      tools::run_command({COURSE_PROGRAM_FOLDER "/measure", file.string()}, options);
  REQUIRE_MESSAGE(result.status == 0, result.err);
  CHECK_MESSAGE(
      tools::read_file(file) ==
          tools::read_file(tools::source_folder() / "docs/measurements/emulator.json"),
      "to accept the new figures: build/emulator/bin/measure docs/measurements/emulator.json, "
      "then build/emulator/bin/update_prose");
}

namespace {

/// Compares our counts with a GPU's file. @return the number of runs in both
int compare_counters(const std::string& file) {
  CAPTURE(file);
  const json emulator = measurement("emulator.json"), hardware = measurement(file);
  int compared = 0;
  for (const auto& [chapter, runs] : hardware["chapters"].items()) {
    for (const json& measured : runs) {
      if (!measured["counters"].is_object()) continue;
      for (const json& emulated : emulator["chapters"][chapter]) {
        if (emulated["kernel"] != measured["kernel"] ||
            emulated["parameters"] != measured["parameters"])
          continue;
        CAPTURE(chapter);
        CAPTURE(measured["kernel"].dump());
        CAPTURE(measured["parameters"].dump());
        const json &ours = emulated["counters"], &theirs = measured["counters"];
        ++compared;
        for (const char* counter : {"global_load_requests", "global_load_sectors",
                                    "global_store_requests", "global_store_sectors"}) {
          CAPTURE(counter);
          if (order_decides(measured) && std::string(counter).starts_with("global_store")) continue;
          const auto our_count = ours[counter].get<double>(),
                     their_count = theirs[counter].get<double>();
          constexpr double kMostOff = 0.05;
          const bool at_edges = measured["parameters"].value("m", 0) == 129;
          if (copies_to_shared(measured) && at_edges &&
              std::string(counter) == "global_load_sectors")
            CHECK(our_count == doctest::Approx(their_count).epsilon(kMostOff));
          else
            CHECK(our_count == their_count);
        }
        for (const char* counter : {"global_load_efficiency_pct", "global_store_efficiency_pct"}) {
          CAPTURE(counter);
          if (copies_to_shared(measured) || order_decides(measured)) continue;
          if (ours[counter].is_number() && theirs[counter].is_number())
            CHECK(std::abs(ours[counter].get<double>() - theirs[counter].get<double>()) < 0.01);
        }
        if (theirs["global_lines"].is_number() && !order_decides(measured)) {
          std::uint64_t lines = 0;
          for (const char* kind : {"load", "store", "atomic"})
            lines += ours["global_" + std::string(kind) + "_lines"].get<std::uint64_t>();
          CHECK(lines == theirs["global_lines"].get<std::uint64_t>());
        }
      }
    }
  }
  return compared;
}

}  // namespace

TEST_CASE("requests, sectors, lines and efficiency are those of the hardware, to the unit") {
  CHECK(compare_counters("h200.json") >= 10);
  CHECK(compare_counters("h100.json") >= 16);
}

TEST_CASE("a GPU's file says where it comes from, and that compute-sanitizer found nothing") {
  for (const char* file : {"h200.json", "h100.json"}) {
    CAPTURE(file);
    const json hardware = measurement(file);
    for (const char* name :
         {"device", "driver", "toolkit", "clock_sm_mhz", "clock_memory_mhz", "date", "command"}) {
      CAPTURE(name);
      CHECK(hardware[name].is_string());
    }
    for (const char* tool : {"memcheck", "racecheck", "initcheck", "synccheck"}) {
      for (const auto& folder : tools::chapter_folders()) {
        const std::string chapter = folder.filename().string();
        if (!hardware["chapters"].contains(chapter)) continue;
        CAPTURE(tool);
        CAPTURE(chapter);
        CHECK(hardware["compute_sanitizer"][tool].value(chapter, "never run") == "0 errors");
      }
    }
  }
  CHECK(measurement("h200.json")["chapters"].size() > tools::chapter_folders().size());
}

namespace {

/// Returns the tools of compute-sanitizer with findings, followed by "?" if they only warned.
std::string tools_that_found(const json& suspect) {
  std::string tools;
  for (const char* tool : {"memcheck", "racecheck", "initcheck", "synccheck"}) {
    const std::string summary = suspect[tool]["summary"];
    if (summary.rfind("0 ", 0) == 0) continue;
    tools += std::string(tool) + (summary.find("(0 errors") == std::string::npos ? " " : "? ");
  }
  return tools;
}

}  // namespace

TEST_CASE("compute-sanitizer warns of the races in chapter 10's epilogue as published") {
  int found = 0;
  const json hardware = measurement("h200.json");
  for (const json& suspect : hardware["suspects"]) {
    if (suspect["chapter"] != "10_maxas_epilogue") continue;
    ++found;
    CHECK(suspect["arguments"][1] == "maxas_64_unsynchronised");
    CHECK(tools_that_found(suspect) == "racecheck? ");
  }
  CHECK(found == 1);
}

TEST_CASE(
    "compute-sanitizer finds the race in chapter 05's kernel without a barrier, and its lines") {
  int found = 0;
  const json hardware = measurement("h200.json");
  for (const json& suspect : hardware["suspects"]) {
    if (suspect["chapter"] != "05_shared_memory") continue;
    ++found;
    CHECK(suspect["arguments"][1] == "mirror_no_barrier");
    CHECK(tools_that_found(suspect) == "racecheck ");
    const std::string first = suspect["racecheck"]["first"];
    CHECK(first.find("Race reported between Write access at mirror_no_barrier") !=
          std::string::npos);
    CHECK(first.find("and Read access at mirror_no_barrier") != std::string::npos);
  }
  CHECK(found == 1);
}

TEST_CASE("compute-sanitizer says of chapter 08's wrong listings what its README tells") {
  const std::map<std::string, std::string> reported = {{"listing_03", ""},
                                                       {"listing_05", ""},
                                                       {"listing_06", "racecheck "},
                                                       {"listing_06, 128 bytes", "memcheck "},
                                                       {"listing_07", "racecheck? "},  // a warning
                                                       {"listing_07, 128 bytes", "memcheck "},
                                                       {"listing_08", ""},
                                                       {"listing_09", ""},
                                                       {"listing_14", ""}};
  const json hardware = measurement("h200.json");
  std::map<std::string, std::string> found;
  for (const json& suspect : hardware["suspects"]) {
    if (suspect["chapter"] != "08_warp_primitives") continue;
    const json& arguments = suspect["arguments"];  // --kernel NAME [--tile-bytes 128]
    std::string name = arguments[1];
    if (arguments.size() > 2) name += ", " + arguments[3].get<std::string>() + " bytes";
    found[name] = tools_that_found(suspect);
  }
  CHECK(found.size() == reported.size());
  for (const auto& [listing, tools] : reported) {
    CAPTURE(listing);
    CHECK(found[listing] == tools);
  }
}

namespace {

/// A program that always reports two runs, on a GPU unless BACKEND is set.
constexpr const char* kStandInProgram = R"sh(#!/bin/sh
echo '{"schema": 1, "chapter": "x", "backend": "'${BACKEND-cuda}'", "device": {"name": "Stand-in 9000"}, "runs": [
  {"kernel": "copy", "parameters": {"stride": 1}, "verified": true, "max_error": 0.0,
   "time_ms": {"median": 2.0, "min": 1.0, "max": 3.0, "runs": 10}, "gb_per_s": 7.5,
   "gflop_per_s": null, "counters": null},
  {"kernel": "copy", "parameters": {"stride": 2}, "verified": '${VERIFIED-true}', "max_error": 0.0,
   "time_ms": null, "gb_per_s": null, "gflop_per_s": null, "counters": null}]}'
)sh";

/// Nsight Compute's CSV for four launches of each run, with a value that identifies the launch.
constexpr const char* kStandInProfiler = R"sh(#!/bin/sh
while [ "$1" != --metrics ]; do shift; done
echo '==PROF== Connected to process 1'
columns=$(echo "$2" | tr , '\n')
printf '"ID","Kernel Name"'; for c in $columns; do printf ',"%s"' "$c"; done; echo
printf '"",""'; for c in $columns; do printf ',"unit"'; done; echo
for launch in 1 2 3 4 5 6 7 8; do
  printf '"%s","%s"' $launch ${KERNEL-_Z4copyiPKfPf}
  for c in $columns;
do printf ',"1,00%s"' $launch;
done; echo
done
)sh";

/// Prints as many microkernels as the profiler reports launches.
constexpr const char* kStandInMicrokernels = R"sh(#!/bin/sh
printf '%s\n' one two three four five six seven eight
)sh";

/// Prints ordinary kernels with their results.
constexpr const char* kStandInOrdinaryKernels = R"sh(#!/bin/sh
printf '%s 1234abcd\n' one two three four five six seven eight
)sh";

constexpr const char* kStandInSanitizer = R"sh(#!/bin/sh
echo '========= COMPUTE-SANITIZER'
case "$*" in
  *--error-exitcode*) ;;
  *)
    echo 'what the program prints'
    echo "========= Invalid __shared__ write of size 4 bytes"
    echo "=========     at listing_06+0x80 in kernels.cuh:123"
    echo "=========     by thread (0,1,0)"
    echo "========= ERROR SUMMARY: 32 errors"
    exit 0 ;;
esac
case "$2" in
  racecheck) echo '========= RACECHECK SUMMARY: 0 hazards displayed (0 errors, 0 warnings)' ;;
  *) echo "========= ERROR SUMMARY: ${ERRORS-0} errors" ;;
esac
)sh";

/// A folder with `measure`, programs, and tools that stand in for a machine with a GPU.
class StandInMachine {
 public:
  StandInMachine() {
    std::filesystem::create_directories(folder_.path() / "bin");
    std::filesystem::copy_file(COURSE_PROGRAM_FOLDER "/measure", folder_.path() / "bin/measure");
    for (const auto& chapter : tools::chapter_folders())
      folder_.write_program("bin/" + chapter.filename().string(), kStandInProgram);
    folder_.write_program("bin/microkernels", kStandInMicrokernels);
    folder_.write_program("bin/ordinary_kernels", kStandInOrdinaryKernels);
    folder_.write_program("bin/latencies", "#!/bin/sh\necho '{\"l2_cycles\": 400}'\n");
    folder_.write_program("tools/ncu", kStandInProfiler);
    folder_.write_program("tools/compute-sanitizer", kStandInSanitizer);
    folder_.write_program("tools/nvidia-smi",
                          "#!/bin/sh\necho '580.1, 345, 1980, 3201, 3201, 700.00'\n");
    folder_.write_program("tools/nvcc",
                          "#!/bin/sh\necho 'Cuda compilation tools, release 13.0, V13.0.88'\n");
  }

  tools::CommandResult measure(std::map<std::string, std::string> environment = {},
                               const std::vector<std::string>& chapters = {}) const {
    tools::CommandOptions options;
    options.environment = std::move(environment);
    options.environment["PATH"] = (folder_.path() / "tools").string() + ":" + std::getenv("PATH");
    std::vector<std::string> command = {(folder_.path() / "bin/measure").string(), out().string()};
    command.insert(command.end(), chapters.begin(), chapters.end());
    return tools::run_command(command, options);
  }

  /// Replaces the driver by another version.
  void update_driver() {
    folder_.write_program("tools/nvidia-smi",
                          "#!/bin/sh\necho '590.2, 345, 1980, 3201, 3201, 700.00'\n");
  }

  std::filesystem::path out() const { return folder_.path() / (card + ".json"); }

  std::string card = "h200";

 private:
  tools::TemporaryFolder folder_;
};

}  // namespace

TEST_CASE("measure writes down times, Nsight Compute's figures, and the machine") {
  const StandInMachine machine;
  const auto result = machine.measure();
  REQUIRE_MESSAGE(result.status == 0, result.err);
  const json written = tools::parse_json(tools::read_file(machine.out()));
  CHECK(written["command"] == "build/cuda/bin/measure docs/measurements/h200.json");
  CHECK(written["device"] == "Stand-in 9000");
  CHECK(written["driver"] == "580.1");
  CHECK(written["clock_sm_max_mhz"] == "1980");
  CHECK(written["power_limit_w"] == "700.00");
  CHECK(written["toolkit"] == "13.0");
  CHECK(written["date"].get<std::string>().size() == 10);
  CHECK(written["compute_sanitizer"]["racecheck"]["01_warps"] == "0 errors");

  REQUIRE(!written["suspects"].empty());
  const json& suspect = written["suspects"][0];
  CHECK(suspect["chapter"] == "05_shared_memory");
  CHECK(suspect["arguments"][1] == "mirror_no_barrier");
  for (const char* tool : {"memcheck", "racecheck", "initcheck", "synccheck"}) {
    CHECK(suspect[tool]["summary"] == "32 errors");
    CHECK(suspect[tool]["first"] ==
          "Invalid __shared__ write of size 4 bytes; at listing_06+0x80 in kernels.cuh:123");
  }

  const json& runs = written["chapters"]["01_warps"];
  REQUIRE(runs.size() >= 4);
  CHECK(runs[0]["time_ms"]["median"] == 2.0);
  CHECK(runs[0]["counters"].is_null());
  // The last of four launches counts.
  CHECK(runs[2]["parameters"]["stride"] == 1);
  CHECK(runs[2]["time_ms"].is_null());
  CHECK(runs[2]["counters"]["global_load_requests"] == 1004);
  CHECK(runs[3]["parameters"]["stride"] == 2);
  CHECK(runs[3]["counters"]["dram_read_bytes"] == 1008);
  CHECK(runs[3]["counters"]["registers_per_thread"] == 1008);
  // Atomics with and without a return value are one counter.
  CHECK(written["microkernels"]["three"]["global_atomic_requests"] == 2 * 1003);
  CHECK(written["microkernels"]["eight"]["shared_load_wavefronts"] == 1008);
  CHECK(written["ordinary_kernels"]["two"]["global_load_requests"] == 1002);
  CHECK(written["chapters"]["latencies"][0]["l2_cycles"] == 400);
}

TEST_CASE("measure writes nothing if a result is wrong or a tool finds a fault") {
  const StandInMachine machine;
  CHECK(machine.measure({{"VERIFIED", "false"}}).status == 1);
  CHECK(machine.measure({{"ERRORS", "3"}}).status == 1);
  CHECK_FALSE(std::filesystem::exists(machine.out()));
}

TEST_CASE(
    "measure knows which kernel a program means: a function, an instance, a step's function") {
  const StandInMachine machine;
  REQUIRE(machine.measure().status == 0);
  for (const char* copy :
       {"_Z4copyILi4EEvPf", "_ZN4copy5sgemmEiPf", "_ZN4copy5sgemmINS_5ShapeEEvi"})
    CHECK(machine.measure({{"KERNEL", copy}}, {"01_warps"}).status == 0);
  for (const char* other : {"_Z8copy_alliPf", "_Z3copiPf", "_ZN5sgemm4copyEi", "copy"}) {
    const auto refused = machine.measure({{"KERNEL", other}}, {"01_warps"});
    CHECK(refused.status == 1);
    CHECK(refused.err.find("expected \"copy\", found " + std::string(other)) != std::string::npos);
  }
}

TEST_CASE("measure runs what belongs to its file") {
  const json experiments = measurement("experiments.json");
  for (const char* card : {"h100", "h200"}) {
    CAPTURE(card);
    StandInMachine machine;
    machine.card = card;
    REQUIRE(machine.measure({}, {"11_tensor_cores"}).status == 0);
    std::size_t timed = 0;
    for (const json& one : experiments["time"])
      if (one["chapter"] == "11_tensor_cores") {
        const json files = one.value("files", json::array());
        timed += files.empty() || std::ranges::find(files, json(card)) != files.end();
      }
    const json written = tools::parse_json(tools::read_file(machine.out()));
    const json& runs = written["chapters"]["11_tensor_cores"];
    CHECK(std::ranges::count_if(runs, [](const json& run) { return run["counters"].is_null(); }) ==
          static_cast<std::ptrdiff_t>(2 * timed));  // the stand-in reports two runs each time
  }
}

TEST_CASE("measure makes a new file of single chapters") {
  const StandInMachine machine;
  const auto result = machine.measure({}, {"01_warps"});
  REQUIRE_MESSAGE(result.status == 0, result.err);
  const json written = tools::parse_json(tools::read_file(machine.out()));
  CHECK(written["device"] == "Stand-in 9000");
  REQUIRE(written["chapters"].size() == 1);
  CHECK(written["chapters"]["01_warps"].size() >= 4);
  CHECK_FALSE(written.contains("microkernels"));
}

TEST_CASE("measure takes single chapters anew on the emulator, where no date is kept") {
  const StandInMachine machine;
  const std::map<std::string, std::string> emulator = {{"BACKEND", "emulator"}};
  REQUIRE(machine.measure(emulator).status == 0);
  const json all = tools::parse_json(tools::read_file(machine.out()));
  json old = all;
  CHECK_FALSE(old.contains("date"));
  old["chapters"]["01_warps"] = json::array();
  std::ofstream(machine.out()) << old;
  const auto result = machine.measure(emulator, {"01_warps"});
  REQUIRE_MESSAGE(result.status == 0, result.err);
  CHECK(tools::parse_json(tools::read_file(machine.out())) == all);
}

TEST_CASE("measure takes single chapters anew, on the machine that the file is of") {
  StandInMachine machine;
  REQUIRE(machine.measure().status == 0);
  const json all = tools::parse_json(tools::read_file(machine.out()));

  json old = all;
  for (const char* chapter : {"01_warps", "02_coalescing"})
    old["chapters"][chapter] = json::array();
  old["compute_sanitizer"]["memcheck"].erase("01_warps");
  old["microkernels"]["three"]["global_atomic_requests"] = 1;
  std::ofstream(machine.out()) << old;
  const auto result = machine.measure({}, {"01_warps"});
  REQUIRE_MESSAGE(result.status == 0, result.err);
  json expected = all;
  expected["chapters"]["02_coalescing"] = json::array();
  expected["microkernels"]["three"]["global_atomic_requests"] = 1;
  CHECK(tools::parse_json(tools::read_file(machine.out())) == expected);

  const auto microkernels = machine.measure({}, {"microkernels"});
  REQUIRE_MESSAGE(microkernels.status == 0, microkernels.err);
  expected["microkernels"] = all["microkernels"];
  CHECK(tools::parse_json(tools::read_file(machine.out())) == expected);

  CHECK(machine.measure({}, {"latencies"}).status == 0);
  CHECK(tools::parse_json(tools::read_file(machine.out())) == expected);

  const std::string before = tools::read_file(machine.out());
  CHECK(machine.measure({}, {"99_nothing"}).status == 1);
  machine.update_driver();
  const auto refused = machine.measure({}, {"01_warps"});
  CHECK(refused.status == 1);
  CHECK(refused.err.find("another machine, whose driver is \"580.1\"") != std::string::npos);
  CHECK(tools::read_file(machine.out()) == before);
}
