// Tests the emulator's counters against calculations by hand and against an H200's counts.
#include <doctest/doctest.h>

#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>

#include "emulator/counters.h"
#include "microkernel_counts.hpp"

namespace {

using emu::Counters;

// Runs every microkernel once; returns counters by name.
const std::map<std::string, Counters>& counted() {
  static const std::map<std::string, Counters> all = [] {
    std::map<std::string, Counters> result;
    for (const auto& [name, counters] : microkernel_counts()) {
      const bool is_new = result.emplace(name, counters).second;
      REQUIRE_MESSAGE(is_new, name << " stands twice in the table");
    }
    return result;
  }();
  return all;
}

struct Global {
  const char* name;
  std::uint64_t requests, sectors, lines, bytes;
};
struct Shared {
  const char* name;
  std::uint64_t load_wavefronts, store_wavefronts;
};

// Calculated by hand: 32 lanes; a sector is 8 floats, a line 32.
const Global kLoads[] = {
    {"load_aligned", 1, 4, 1, 128},         // floats 0..31
    {"load_offset_1", 1, 5, 2, 128},        // 1..32: the last one is in the next sector and line
    {"load_offset_11", 1, 5, 2, 128},       // 11..42: sectors 1..5
    {"load_offset_31", 1, 5, 2, 128},       // 31..62: sectors 3..7
    {"load_offset_128", 1, 4, 1, 128},      // a whole number of lines away
    {"load_stride_2", 1, 8, 2, 128},        // 0..62
    {"load_stride_3", 1, 12, 3, 128},       // 0..93: 12 sectors without a gap
    {"load_stride_8", 1, 32, 8, 128},       // one float a sector
    {"load_stride_32", 1, 32, 32, 128},     // one float a line
    {"load_stride_33", 1, 32, 32, 128},     // lane 31 is at 1023, still one line each
    {"load_stride_minus_1", 1, 4, 1, 128},  // backwards
    {"load_broadcast", 1, 1, 1, 4},         // float 5 for all
    {"load_two_words", 1, 2, 2, 8},         // floats 0 and 64
    {"load_permuted_xor_5", 1, 4, 1, 128},
    {"load_rows_8_pitch_100", 1, 6, 4,
     128},  // at 0, 100, 200, 300: 100 and 300 straddle two sectors
    {"load_rows_16_pitch_1000", 1, 4, 2,
     128},  // at 0 and 1000 = 31 lines + 8 floats: aligned sectors
    {"load_columns_8_pitch_64", 1, 8, 8, 128},  // 8 rows, 4 floats each
    {"load_1_byte", 1, 1, 1, 32},
    {"load_1_byte_stride_32", 1, 32, 8, 32},
    {"load_2_bytes", 1, 2, 1, 64},
    {"load_2_bytes_offset_9", 1, 3, 1, 64},  // bytes 18..81
    {"load_8_bytes", 1, 8, 2, 256},
    {"load_8_bytes_offset_1", 1, 9, 3, 256},  // bytes 8..263
    {"load_8_bytes_stride_2", 1, 16, 4, 256},
    {"load_16_bytes", 1, 16, 4, 512},
    {"load_16_bytes_offset_1", 1, 17, 5, 512},  // bytes 16..527
    {"load_16_bytes_stride_2", 1, 32, 8, 512},
    {"load_16_bytes_stride_9", 1, 32, 32,
     512},  // 144 bytes apart: lane 31 at 4464, 35 lines, 3 of them skipped
    {"load_16_bytes_broadcast", 1, 1, 1, 16},
    {"load_lanes_0_to_19", 1, 3, 1, 80},
    {"load_even_lanes", 1, 4, 1, 64},
    {"load_one_lane", 1, 1, 1, 4},
    {"load_16_bytes_odd_lanes", 1, 16, 4, 256},
    {"load_both_sides", 2, 8, 2, 128},      // 16 lanes each, every second float
    {"load_triangle", 32, 528, 528, 2112},  // iteration p: 32 - p lanes, a row each
    {"load_ragged", 12, 240, 96, 960},     // a row: 32, 24, 16, 8 lanes, a sector each, 4 to a line
    {"load_three_floats", 3, 36, 9, 384},  // 12 bytes a lane: 12 sectors, 3 lines, three times
    {"copy_1000_in_blocks_of_96", 32, 125, 32,
     4000},  // 10 blocks of 3 warps, then 40 elements: 32 + 8
    {"copy_2_d_block_8_by_4", 3, 5, 3,
     160},  // x is the linear index: 8, 8 and 4 elements, four rows alike
};

const Global kStores[] = {
    {"store_in_thirds", 8, 32, 8, 340},      // a round: 11, 10 or 11 lanes in all four sectors
    {"store_by_function", 12, 48, 12, 512},  // the same eight, and rounds 8, 10, 12 and 14
};

const Shared kShared[] = {
    {"shared_linear", 1, 1},
    {"shared_stride_2", 2, 2},
    {"shared_stride_3", 1, 1},
    {"shared_stride_4", 4, 4},
    {"shared_stride_32", 32, 32},
    {"shared_stride_33", 1, 1},
    {"shared_broadcast", 1, 1},
    {"shared_two_words_one_bank", 2, 2},
    {"shared_xor_31", 1, 1},
    {"shared_stride_32_even_lanes", 16, 32},  // all lanes store
    {"shared_1_byte", 1, 1},
    {"shared_1_byte_stride_128", 32, 32},
    {"shared_2_bytes_stride_2", 1, 1},
    {"shared_8_bytes", 2, 2},           // 256 bytes, 128 a pass
    {"shared_8_bytes_stride_2", 4, 4},  // each half-warp uses every second pair of banks twice
    {"shared_8_bytes_stride_16", 32, 32},
    {"shared_8_bytes_stride_17", 2, 2},
    {"shared_8_bytes_broadcast", 1, 2},  // loads of equal neighbours: the whole warp at once
    {"shared_8_bytes_by_neighbours", 1, 2},
    {"shared_16_bytes", 4, 4},  // 512 bytes
    {"shared_16_bytes_stride_2", 8, 8},
    {"shared_16_bytes_stride_8", 32, 32},
    {"shared_16_bytes_stride_9", 4, 4},
    {"shared_16_bytes_broadcast", 2, 4},  // half a warp at once
    {"shared_16_bytes_rows_4_pitch_8", 8, 8},
    {"shared_16_bytes_rows_4_pitch_12", 4, 4},
};

}  // namespace

TEST_CASE("global loads and stores cost what arithmetic on paper says") {
  const auto check = [](const Global& expected,
                        const course::GlobalCounters course::Counters::*which) {
    CAPTURE(expected.name);
    REQUIRE(counted().count(expected.name) == 1);
    const course::GlobalCounters& memory = counted().at(expected.name).*which;
    CHECK(memory.requests == expected.requests);
    CHECK(memory.sectors == expected.sectors);
    CHECK(memory.lines == expected.lines);
    CHECK(memory.bytes == expected.bytes);
  };
  for (const Global& expected : kLoads) check(expected, &Counters::global_load);
  for (const Global& expected : kStores) check(expected, &Counters::global_store);
}

TEST_CASE("shared accesses cost what arithmetic on paper says") {
  for (const Shared& expected : kShared) {
    CAPTURE(expected.name);
    REQUIRE(counted().count(expected.name) == 1);
    const Counters& counters = counted().at(expected.name);
    CHECK(counters.shared_load.requests == 1);
    CHECK(counters.shared_store.requests == 1);
    CHECK(counters.shared_load.wavefronts == expected.load_wavefronts);
    CHECK(counters.shared_store.wavefronts == expected.store_wavefronts);
  }
}

// Nsight Compute does not report these for asynchronous copies (emulator/README.md, on where counts
// can differ): shared requests, efficiency, and the sectors of most 16-byte copies.
bool is_asynchronous(const std::string& name) { return name.starts_with("async_"); }
bool has_own_sectors(const std::string& name) {
  static const std::set<std::string> names = {"async_16_bytes_broadcast", "async_16_bytes_offset_1",
                                              "async_16_bytes_offset_1_lanes_0_to_16",
                                              "async_16_bytes_scattered",
                                              "async_16_bytes_stride_2"};
  return names.contains(name);
}

TEST_CASE("every microkernel counts what an H200 counted") {
  std::ifstream file(COURSE_HARDWARE_COUNTERS);
  const nlohmann::json hardware = nlohmann::json::parse(file);
  std::set<std::string> measured;
  for (const auto& [name, theirs] : hardware.at("microkernels").items()) {
    CAPTURE(name);
    measured.insert(name);
    REQUIRE(counted().count(name) == 1);
    const Counters& ours = counted().at(name);
    CHECK(ours.global_load.requests == theirs.at("global_load_requests"));
    CHECK((ours.global_load.sectors == theirs.at("global_load_sectors")) != has_own_sectors(name));
    CHECK(ours.global_store.requests == theirs.at("global_store_requests"));
    CHECK(ours.global_store.sectors == theirs.at("global_store_sectors"));
    CHECK(ours.global_atomic.requests == theirs.at("global_atomic_requests"));
    CHECK(ours.global_atomic.sectors == theirs.at("global_atomic_sectors"));
    CHECK(ours.global_load.lines + ours.global_store.lines + ours.global_atomic.lines ==
          theirs.at("global_lines"));
    if (is_asynchronous(name)) continue;
    CHECK(ours.shared_load.requests == theirs.at("shared_load_requests"));
    CHECK(ours.shared_load.wavefronts == theirs.at("shared_load_wavefronts"));
    CHECK(ours.shared_store.requests == theirs.at("shared_store_requests"));
    CHECK(ours.shared_store.wavefronts == theirs.at("shared_store_wavefronts"));
    CHECK(ours.shared_atomic.requests == theirs.at("shared_atomic_requests"));
    CHECK(ours.shared_atomic.wavefronts == theirs.at("shared_atomic_wavefronts"));
    CHECK(ours.shared_load.wavefronts_ideal + ours.shared_store.wavefronts_ideal +
              ours.shared_atomic.wavefronts_ideal ==
          theirs.at("shared_wavefronts_ideal"));
    constexpr double kPrintedTo = 0.006;  // Nsight Compute prints two decimals
    CHECK(std::abs(ours.global_load.efficiency_pct().value_or(0) -
                   theirs.at("global_load_efficiency_pct").get<double>()) < kPrintedTo);
    CHECK(std::abs(ours.global_store.efficiency_pct().value_or(0) -
                   theirs.at("global_store_efficiency_pct").get<double>()) < kPrintedTo);
  }
  for (const auto& [name, counters] : counted())
    CHECK_MESSAGE(measured.count(name) == 1, name << " was not measured");
}
