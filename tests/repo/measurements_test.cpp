/// docs/measurements: the emulator's figures come out again, and the hardware's agree with them.

#include <doctest/doctest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <string>

#include "repo/library.hpp"
#include "support/subprocess.hpp"

using nlohmann::json;

namespace {

json measurement(const std::string& name) {
  return json::parse(test_support::read_file(repo::source_folder() / "docs/measurements" / name));
}

}  // namespace

TEST_CASE("emulator.json comes out again to the byte") {
  if (std::string(COURSE_BACKEND_NAME) != "emulator") {
    MESSAGE("built for a GPU: nothing to count");
    return;
  }
  const test_support::TemporaryFolder folder;
  const auto file = folder.path() / "emulator.json";
  const auto result = test_support::run_command({COURSE_PROGRAM_FOLDER "/measure", file.string()});
  REQUIRE_MESSAGE(result.status == 0, result.err);
  CHECK_MESSAGE(
      test_support::read_file(file) ==
          test_support::read_file(repo::source_folder() / "docs/measurements/emulator.json"),
      "to accept the new figures: build/emulator/bin/measure docs/measurements/emulator.json, "
      "then build/emulator/bin/update_prose");
}

TEST_CASE("requests, sectors, lines and efficiency are those of the hardware, to the unit") {
  const json emulator = measurement("emulator.json"), hardware = measurement("h200.json");
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
          CHECK(ours[counter] == theirs[counter]);
        }
        for (const char* counter : {"global_load_efficiency_pct", "global_store_efficiency_pct"}) {
          CAPTURE(counter);
          if (ours[counter].is_number() && theirs[counter].is_number())
            CHECK(std::abs(ours[counter].get<double>() - theirs[counter].get<double>()) < 0.01);
        }
        if (theirs["global_lines"].is_number()) {
          CHECK(ours["global_load_lines"].get<std::uint64_t>() +
                    ours["global_store_lines"].get<std::uint64_t>() ==
                theirs["global_lines"].get<std::uint64_t>());
        }
      }
    }
  }
  CHECK(compared >= 10);
}

TEST_CASE("h200.json says where it comes from, and that compute-sanitizer found nothing") {
  const json hardware = measurement("h200.json");
  for (const char* name :
       {"device", "driver", "toolkit", "clock_sm_mhz", "clock_memory_mhz", "date", "command"}) {
    CAPTURE(name);
    CHECK(hardware[name].is_string());
  }
  for (const char* tool : {"memcheck", "racecheck", "initcheck", "synccheck"}) {
    for (const auto& folder : repo::chapter_folders()) {
      CAPTURE(tool);
      CHECK(hardware["compute_sanitizer"][tool][folder.filename().string()] == "0 errors");
    }
  }
}
