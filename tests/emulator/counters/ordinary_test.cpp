// Compares the counts of fifty ordinary kernels here and by Nsight Compute on an H200. Most
// counters are equal; emulator/README.md explains why the others differ.
#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "tools/support/json.hpp"
#include "tools/support/source_text.hpp"
#include "tools/support/subprocess.hpp"

namespace {

using nlohmann::json;
using Names = std::set<std::string>;

/// Why a kernel's counters differ. nvcc merges neighbouring accesses or members, merges an access
/// that both sides of a branch have, reloads only after a write, duplicates a loop's body,
/// predicates shared accesses (so that warps without active lanes execute them, too), or combines
/// additions of ones. Or a sector of atomics contains one word twice and another once.
enum class Reason {
  merged,
  both_sides,
  read_again,
  unrolled,
  predicated,
  adds_ones,
  order_of_atomics
};

struct Difference {
  Reason reason;
  std::string kernel;
  Names counters;
};

const Names kLoads = {"global_load_requests", "global_load_sectors", "global_lines"};
const Names kSharedRequests = {"shared_load_requests", "shared_store_requests"};

// If a kernel has several reasons, the first one in the code is listed.
const std::vector<Difference> kDifferences = {
    {Reason::predicated, "dot_product_tree", kSharedRequests},
    {Reason::both_sides,
     "scan_hillis_steele",
     {"shared_load_requests", "shared_load_wavefronts", "shared_wavefronts_ideal"}},
    {Reason::predicated,
     "scan_blelloch",
     {"shared_load_requests", "shared_store_requests", "shared_load_wavefronts",
      "shared_store_wavefronts"}},
    {Reason::predicated, "scan_exclusive_shuffle", {"shared_load_requests"}},
    {Reason::adds_ones, "histogram_shared", {"shared_atomic_wavefronts"}},
    {Reason::predicated, "transpose_padded", {"shared_store_requests"}},
    {Reason::merged,
     "matmul_tiled",
     {"shared_load_requests", "shared_load_wavefronts", "shared_wavefronts_ideal"}},
    {Reason::merged,
     "matmul_register_tile",
     {"shared_load_requests", "shared_load_wavefronts", "shared_store_requests",
      "shared_wavefronts_ideal"}},
    {Reason::unrolled, "spmv_csr_scalar", kLoads},
    {Reason::read_again, "bfs_step", kLoads},
    {Reason::predicated, "bitonic_sort_shared", {"shared_store_requests"}},
    {Reason::both_sides, "bitonic_step_global", {"global_load_requests", "global_lines"}},
    {Reason::merged,
     "attention_row",
     {"shared_load_requests", "shared_load_wavefronts", "shared_store_requests",
      "shared_wavefronts_ideal"}},
    {Reason::merged,
     "update_particles",
     {"global_load_requests", "global_load_sectors", "global_store_requests",
      "global_store_sectors", "global_lines"}},
    {Reason::merged,
     "copy_records",
     {"global_load_requests", "global_load_sectors", "global_store_requests",
      "global_store_sectors", "global_lines"}},
    {Reason::both_sides, "branch_gather", kLoads},
    {Reason::order_of_atomics, "union_hook", {"global_atomic_sectors"}},
};

/// Returns the report that the program writes to a file if this variable is set.
json report_of(const std::string& variable) {
  const tools::TemporaryFolder work;
  tools::CommandOptions options;
  options.environment[variable] = "json:" + (work.path() / "report.json").string();
  const tools::CommandResult result = tools::run_command({ORDINARY_KERNELS}, options);
  REQUIRE_MESSAGE(result.status == 0, result.err);
  return tools::parse_json(tools::read_file(work.path() / "report.json"));
}

/// Returns the program's kernels in order, with counters under the record's names.
json counted() {
  json kernels;
  const json report = report_of("COURSE_COUNTERS");
  for (const json& one : report.at("kernels")) {
    json counters = one.at("counters");
    const auto sum = [&](const std::string& begin, const std::string& end) {
      int all = 0;
      for (const std::string kind : {"load", "store", "atomic"})
        all += counters.at(begin + kind + end).get<int>();
      return all;
    };
    counters["global_lines"] = sum("global_", "_lines");
    counters["shared_wavefronts_ideal"] = sum("shared_", "_wavefronts_ideal");
    kernels[one.at("kernel").get<std::string>()] = counters;
  }
  return kernels;
}

/// Returns Nsight Compute's counts.
json recorded() {
  return tools::parse_json(tools::read_file(COURSE_HARDWARE_COUNTERS)).at("ordinary_kernels");
}

const Names kCompared = {"global_load_requests",
                         "global_load_sectors",
                         "global_store_requests",
                         "global_store_sectors",
                         "global_atomic_requests",
                         "global_atomic_sectors",
                         "global_lines",
                         "shared_load_requests",
                         "shared_load_wavefronts",
                         "shared_store_requests",
                         "shared_store_wavefronts",
                         "shared_atomic_requests",
                         "shared_atomic_wavefronts",
                         "shared_wavefronts_ideal"};

}  // namespace

TEST_CASE("fifty ordinary kernels count what an H200 counted, but for what has a reason") {
  const json theirs = recorded();
  const json ours = counted();
  REQUIRE(theirs.size() == 50);
  REQUIRE(ours.size() == theirs.size());
  int equal = 0, equal_in_global_memory = 0;
  for (const auto& [kernel, counters] : theirs.items()) {
    CAPTURE(kernel);
    Names different;
    for (const std::string& name : kCompared)
      if (ours.at(kernel).at(name) != counters.at(name)) different.insert(name);
    Names expected;
    for (const Difference& one : kDifferences)
      if (one.kernel == kernel) expected = one.counters;
    CHECK(different == expected);
    equal += different.empty();
    equal_in_global_memory += std::none_of(different.begin(), different.end(), [](const auto& one) {
      return one.starts_with("global");
    });
  }
  CHECK(equal == 33);  // emulator/README.md states both numbers
  CHECK(equal_in_global_memory == 43);
}

// Requests to shared memory may differ for several reasons at once, so their direction is checked
// for predication only.
TEST_CASE("merged accesses count more here than on an H200, predicated and unrolled ones less") {
  const json theirs = recorded();
  const json ours = counted();
  for (const Difference& one : kDifferences) {
    CAPTURE(one.kernel);
    for (const std::string& name : one.counters) {
      CAPTURE(name);
      const double here = ours.at(one.kernel).at(name), there = theirs.at(one.kernel).at(name);
      const bool is_shared_request = kSharedRequests.contains(name);
      if (one.reason == Reason::unrolled) CHECK(here < there);
      if (one.reason == Reason::read_again) CHECK(here > there);
      if (one.reason == Reason::both_sides && !is_shared_request) CHECK(here > there);
      if (one.reason == Reason::merged && !is_shared_request) CHECK(here > there);
      if (one.reason == Reason::predicated && is_shared_request) CHECK(here < there);
      if (one.reason == Reason::order_of_atomics)
        CHECK(here / there == doctest::Approx(1).epsilon(0.02));
    }
  }
}

// nvcc is allowed to leave them out, but need not.
TEST_CASE("a profile says of which loads nvcc may make fewer, and it makes no fewer than that") {
  const json theirs = recorded();
  const json report = report_of("COURSE_PROFILE");
  Names with_such_loads;
  for (const json& one : report.at("kernels")) {
    const std::string kernel = one.at("kernel");
    CAPTURE(kernel);
    const int repeated = one.at("counters").value("global_load_repeated", 0);
    if (repeated == 0) continue;
    with_such_loads.insert(kernel);
    const int here = one.at("counters").at("global_load_requests");
    const int there = theirs.at(kernel).at("global_load_requests");
    CHECK(there <= here);
    CHECK(there >= here - repeated);
  }
  for (const Difference& one : kDifferences)
    if (one.reason == Reason::read_again) CHECK(with_such_loads.contains(one.kernel));
  CHECK(with_such_loads.size() == 4);
}
