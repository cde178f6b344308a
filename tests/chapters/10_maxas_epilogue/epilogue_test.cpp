/// Checks the claims of chapters/10_maxas_epilogue/README.md.

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <string>
#include <vector>

#include "chapters/counters_text.hpp"
#include "chapters/sgemm_expectations.hpp"
#include "chapters/size_text.hpp"
#include "variants.hpp"

using course_test::kWarpSize;
using course_test::Layout;
using course_test::Outcome;
using course_test::RequestModel;
using maxas_test::Epilogue;
using maxas_test::kOwn;
using maxas_test::kQuad;
using maxas_test::SgemmSize;
using maxas_test::Thread;
using maxas_test::thread_of;
using maxas_test::Variant;

namespace {

constexpr int kDepth = 8;   // columns of A in a tile
constexpr int kBanks = 32;  // of shared memory

/// The global loads and stores of a launch, according to the README's tables.
struct Expected {
  RequestModel loads, stores;
};

/// Adds a request for the elements inside the matrix; each lane accesses `width` of them.
void request_inside(RequestModel* model, const std::vector<std::pair<int, int>>& elements, int m,
                    int n, const Layout& layout, int width = 1) {
  std::vector<std::int64_t> found;
  for (const auto& [row, col] : elements)
    if (row < m && col < n)
      found.push_back(layout.offset + std::int64_t(col) * (m + layout.gap) + row);
  if (width == 1) {
    model->request(found, sizeof(float));
    return;
  }
  for (std::int64_t& first : found) {
    REQUIRE(first % width == 0);
    first /= width;
  }
  model->request(found, width * static_cast<int>(sizeof(float)));
}

/// Adds the epilogue of one warp; `first` is the warp's first thread in the block.
void expect_epilogue(Expected* expected, const Variant& v, SgemmSize s, const Layout& layout,
                     int first, int tile_row, int tile_col, bool reads_c) {
  const bool aligned = (s.m + layout.gap) % kQuad == 0 && layout.offset % kQuad == 0;
  const auto request = [&](const std::vector<std::pair<int, int>>& elements, int width = 1) {
    if (reads_c) request_inside(&expected->loads, elements, s.m, s.n, layout, width);
    request_inside(&expected->stores, elements, s.m, s.n, layout, width);
  };
  for (int j = 0; j < kOwn; ++j) {
    for (int i = 0; i < kOwn; ++i) {
      std::vector<std::pair<int, int>> elements;
      for (int lane = 0; lane < kWarpSize; ++lane) {
        const Thread t = thread_of(first + lane, v.tile);
        if (v.epilogue == Epilogue::staged) {
          // cs[i]: a row per lane, and that of the other half; columns 0, 4, 8 and 12 of the strip.
          elements.emplace_back(
              tile_row + 32 * t.side + lane + i % 2 * v.tile / 2,
              tile_col + 16 * t.strip + i / 2 * kQuad + maxas_test::own_index(0, j, v.tile));
        } else {
          elements.emplace_back(tile_row + maxas_test::own_index(t.row_group, i, v.tile),
                                tile_col + maxas_test::own_index(t.col_group, j, v.tile));
        }
      }
      if (v.epilogue != Epilogue::wide || !aligned) {
        request(elements);
        continue;
      }
      if (i % kQuad != 0) continue;
      std::vector<std::pair<int, int>> whole;
      for (const auto& element : elements)
        if (element.first + kQuad <= s.m) whole.push_back(element);
      request(whole, kQuad);
      for (int rest = 0; rest < kQuad; ++rest) {
        std::vector<std::pair<int, int>> single;
        for (const auto& [row, col] : elements)
          if (row + kQuad > s.m) single.emplace_back(row + rest, col);
        request(single);
      }
    }
  }
}

/// Adds the loads of a block's tiles of A and B.
void expect_tiles(Expected* expected, const Variant& v, SgemmSize s, const Layout& layout,
                  int tile_row, int tile_col) {
  const Layout dense = {.gap = layout.gap};
  for (int first = 0; first < s.k; first += kDepth) {
    for (int start = 0; start < kDepth * v.tile; start += kWarpSize) {
      std::vector<std::pair<int, int>> of_a, of_b;
      for (int i = start; i < start + kWarpSize; ++i) {
        of_a.emplace_back(tile_row + i % v.tile, first + i / v.tile);
        of_b.emplace_back(first + i % kDepth, tile_col + i / kDepth);
      }
      request_inside(&expected->loads, of_a, s.m, s.k, dense);
      request_inside(&expected->loads, of_b, s.k, s.n, dense);
    }
  }
}

Expected expected_requests(const Variant& v, SgemmSize s, const Layout& layout, bool reads_c) {
  Expected expected;
  for (int tile_row = 0; tile_row < s.m; tile_row += v.tile) {
    for (int tile_col = 0; tile_col < s.n; tile_col += v.tile) {
      expect_tiles(&expected, v, s, layout, tile_row, tile_col);
      for (int first = 0; first < v.threads(); first += kWarpSize)
        expect_epilogue(&expected, v, s, layout, first, tile_row, tile_col, reads_c);
    }
  }
  return expected;
}

void check_variant(const Variant& v, SgemmSize size, float alpha, float beta,
                   const Layout& layout = {}, int pad = maxas_test::kPad) {
  CAPTURE(v.name);
  CAPTURE(size);
  CAPTURE(alpha);
  CAPTURE(beta);
  CAPTURE(layout.gap);
  CAPTURE(layout.offset);
  CAPTURE(pad);
  const auto problem = course::make_sgemm_problem(size, /*seed=*/8, alpha, beta);
  const Outcome outcome = maxas_test::run(v, problem, layout, pad);
  CHECK(course::check_sgemm(problem, outcome.c).failure == "");
  CHECK(outcome.gaps_intact);
  if (!outcome.counted) return;
  const Expected expected = expected_requests(v, size, layout, beta != 0.0f);
  const course::GlobalCounters &loads = outcome.counted->global_load,
                               &stores = outcome.counted->global_store;
  CHECK(stores.bytes == expected.stores.counters().bytes);
  CHECK(loads.bytes == expected.loads.counters().bytes);
  // At the edge of C, a thread that stores directly from registers skips some iterations of a loop.
  // How the other threads then form requests depends on how the compiler unrolls the loop.
  if (v.epilogue != Epilogue::staged && (size.m % v.tile != 0 || size.n % v.tile != 0)) return;
  CHECK(loads == expected.loads.counters());
  CHECK(stores == expected.stores.counters());
}

/// Checks a step's documentation, for whole tiles and columns that begin at a sector.
void check_promises(const std::string& step, const Variant& v) {
  if (!course::backend().reports_counters) return;
  CAPTURE(v.name);
  const SgemmSize size = {2 * v.tile, v.tile, 16};
  const course::Counters counted =
      maxas_test::run(v, course::make_sgemm_problem(size, /*seed=*/8)).counted.value();
  const auto promised = sgemm_test::expectations_of("10_maxas_epilogue/steps/" + step);
  CHECK(promised.size() == 2);
  sgemm_test::check_counters(
      promised, {{"m", size.m}, {"n", size.n}, {"k", size.k}},
      [&](const std::string& name) { return course::counter(counted, name).value(); });
}

void check_at_sizes(const Variant& v) {
  const int tile = v.tile;
  for (const SgemmSize& size :
       {SgemmSize{0, 0, 0}, SgemmSize{0, 5, 3}, SgemmSize{5, 0, 3}, SgemmSize{5, 3, 0},
        SgemmSize{1, 1, 1}, SgemmSize{tile, tile, 8}, SgemmSize{tile - 1, tile - 1, 7},
        SgemmSize{tile + 1, tile + 1, 9}, SgemmSize{1, 3 * tile, 5}, SgemmSize{3 * tile, 1, 5},
        SgemmSize{1, 1, 200}, SgemmSize{33, tile + 36, 17}, SgemmSize{2 * tile, 31, 16}})
    check_variant(v, size, 1.5f, 0.5f);
  check_variant(v, {tile - 3, 40, 11}, -2.0f, 1.0f);
  check_variant(v, {tile - 4, 40, 11}, 0.0f, 0.5f);
  for (const int gap : {1, 4, 7}) check_variant(v, {tile + 4, 37, 10}, 1.0f, 2.0f, {.gap = gap});
  // The last quad of a column is incomplete.
  check_variant(v, {tile + 2, 37, 10}, 1.0f, 2.0f, {.gap = 2});
  check_variant(v, {tile, tile, 3}, 1.0f, 0.5f, {.gap = 1});
  for (const int offset : {1, 2, 4})
    check_variant(v, {tile, tile, 3}, 1.0f, 0.5f, {.gap = 0, .offset = offset});
}

/// Checks that beta = 0 leaves C unread: make_sgemm_problem() fills it with NaN.
void check_beta_zero(const Variant& v) {
  for (const SgemmSize& size :
       {SgemmSize{v.tile + 4, 31, 20}, SgemmSize{v.tile + 3, 31, 20}, SgemmSize{5, 5, 0}}) {
    const auto problem = course::make_sgemm_problem(size, /*seed=*/8, 1.5f, 0.0f);
    for (const float before : problem.c) REQUIRE(std::isnan(before));
    check_variant(v, size, 1.5f, 0.0f);
  }
}

void check_all(const Variant& v) {
  check_at_sizes(v);
  check_beta_zero(v);
}

/// Returns the wavefronts of a warp's 16-byte store, which is served a quarter of the lanes at a
/// time; the busiest bank decides. Addresses are in floats.
int wavefronts_of_store(const std::array<int, kWarpSize>& first_floats) {
  constexpr int kQuarter = kWarpSize / 4;
  int wavefronts = 0;
  for (int start = 0; start < kWarpSize; start += kQuarter) {
    std::array<std::set<int>, kBanks> words;
    for (int lane = start; lane < start + kQuarter; ++lane)
      for (int word = first_floats[lane]; word < first_floats[lane] + kQuad; ++word)
        words[word % kBanks].insert(word);
    std::size_t busiest = 0;
    for (const auto& bank : words) busiest = std::max(busiest, bank.size());
    wavefronts += static_cast<int>(busiest);
  }
  return wavefronts;
}

/// Returns the counters of the epilogue alone: with k = 0 there is no main loop.
course::Counters epilogue_counters(const Variant& v, int tiles, int pad) {
  const auto problem =
      course::make_sgemm_problem({tiles * v.tile, v.tile, 0}, /*seed=*/8, 1.0f, 0.0f);
  return maxas_test::run(v, problem, {}, pad).counted.value();
}

bool counts() { return course::backend().reports_counters; }

}  // namespace

TEST_CASE("staged is right at and around the edge of tiles of 64, by the tables' requests") {
  check_all(maxas_test::maxas_64());
}

TEST_CASE("staged is right at and around the edge of tiles of 128, by the tables' requests") {
  check_all(maxas_test::maxas_256());
}

TEST_CASE("direct is right at and around the edge of tiles of 64, by the tables' requests") {
  check_all(maxas_test::direct_64());
}

TEST_CASE("direct is right at and around the edge of tiles of 128, by the tables' requests") {
  check_all(maxas_test::direct_256());
}

TEST_CASE("wide is right at and around the edge of tiles of 64, by the tables' requests") {
  check_all(maxas_test::wide_64());
}

TEST_CASE("wide is right at and around the edge of tiles of 128, by the tables' requests") {
  check_all(maxas_test::wide_256());
}

TEST_CASE("every counter that the documentation of a step in fp32 names is what it says") {
  check_promises("01_direct", maxas_test::direct_64());
  check_promises("01_direct", maxas_test::direct_256());
  check_promises("02_wide", maxas_test::wide_64());
  check_promises("02_wide", maxas_test::wide_256());
  check_promises("03_staged", maxas_test::maxas_64());
  check_promises("03_staged", maxas_test::maxas_256());
  course::without_checking(
      [] { check_promises("04_unsynchronised", maxas_test::unsynchronised()); });
}

TEST_CASE("any padding gives the right result") {
  for (const Variant& v : {maxas_test::maxas_64(), maxas_test::maxas_256()})
    for (int pad = 0; pad <= 32; pad += kQuad)
      check_variant(v, {v.tile + 3, v.tile + 5, 9}, 1.0f, 0.5f, {}, pad);
}

TEST_CASE("the tables: the threads of a block have each element of its tile once") {
  for (const int tile : {64, 128}) {
    CAPTURE(tile);
    std::set<std::pair<int, int>> own, stored;
    for (int thread = 0; thread < tile * tile / (kOwn * kOwn); ++thread) {
      const Thread t = thread_of(thread, tile);
      for (int j = 0; j < kOwn; ++j) {
        for (int i = 0; i < kOwn; ++i) {
          own.emplace(maxas_test::own_index(t.row_group, i, tile),
                      maxas_test::own_index(t.col_group, j, tile));
          stored.emplace(32 * t.side + thread % kWarpSize + i % 2 * tile / 2,
                         16 * t.strip + i / 2 * kQuad + maxas_test::own_index(0, j, tile));
        }
      }
    }
    CHECK(own.size() == std::size_t(tile) * tile);
    CHECK(stored == own);
    // After four columns, the next one is half a tile from the first: 28 or 60 further than usual.
    CHECK(maxas_test::own_index(0, kQuad, tile) - maxas_test::own_index(0, kQuad - 1, tile) ==
          1 + (tile == 64 ? 28 : 60));
  }
}

TEST_CASE("the tables: which thread is where, as maxas computes it from the bits of its number") {
  for (const int tile : {64, 128}) {
    for (int thread = 0; thread < tile * tile / (kOwn * kOwn); ++thread) {
      const Thread t = thread_of(thread, tile);
      CHECK(t.row_group == (((thread & 0x80) >> 4) | ((thread >> 1) & 7)));
      CHECK(t.col_group == (((thread & 0x70) >> 3) | (thread & 1)));
    }
  }
  // Lanes 0, 1, 2 and 16 of warp 1 of 64 threads, as the README shows them.
  CHECK(thread_of(32, 64).row_group == 0);
  CHECK(thread_of(32, 64).col_group == 4);
  CHECK(thread_of(33, 64).col_group == 5);
  CHECK(thread_of(34, 64).row_group == 1);
  CHECK(thread_of(48, 64).row_group == 0);
  CHECK(thread_of(48, 64).col_group == 6);
}

TEST_CASE("stores to C: 4 sectors per request through shared memory, 16 straight from registers") {
  if (!counts()) return;
  for (const Variant& v : {maxas_test::maxas_64(), maxas_test::maxas_256()}) {
    const course::GlobalCounters stores = epilogue_counters(v, 2, 16).global_store;
    CHECK(stores.requests == std::uint64_t(2) * v.tile * v.tile / kWarpSize);
    CHECK(stores.sectors == 4 * stores.requests);
    CHECK(stores.efficiency_pct() == 100.0);
  }
  for (const Variant& v : {maxas_test::direct_64(), maxas_test::direct_256()}) {
    const course::GlobalCounters stores = epilogue_counters(v, 2, 0).global_store;
    CHECK(stores.requests == std::uint64_t(2) * v.tile * v.tile / kWarpSize);
    CHECK(stores.sectors == 16 * stores.requests);
    CHECK(stores.efficiency_pct() == 25.0);
  }
  const Variant wide = maxas_test::wide_256();
  const course::GlobalCounters stores = epilogue_counters(wide, 2, 0).global_store;
  CHECK(stores.requests == std::uint64_t(2) * wide.tile * wide.tile / kWarpSize / kQuad);
  CHECK(stores.sectors == 16 * stores.requests);
  CHECK(stores.efficiency_pct() == 100.0);
}

TEST_CASE("columns that do not begin at a sector: 5 sectors, and 16-byte stores are given up") {
  if (!counts()) return;
  const auto problem = course::make_sgemm_problem({128, 128, 0}, /*seed=*/8);
  const Layout shifted = {.gap = 0, .offset = 1};
  const auto staged = maxas_test::run(maxas_test::maxas_256(), problem, shifted).counted;
  CHECK(staged->global_store.sectors == 5 * staged->global_store.requests);
  const auto direct = maxas_test::run(maxas_test::direct_256(), problem, shifted).counted;
  const auto wide = maxas_test::run(maxas_test::wide_256(), problem, shifted).counted;
  CHECK(wide->global_store == direct->global_store);
}

TEST_CASE("shared memory: 8 wavefronts per 16-byte store, and 4 only where 16 banks are skipped") {
  if (!counts()) return;
  for (const Variant& v : {maxas_test::maxas_64(), maxas_test::maxas_256()}) {
    CAPTURE(v.name);
    for (int pad = 0; pad <= 32; pad += kQuad) {
      CAPTURE(pad);
      const std::uint64_t warps = v.threads() / kWarpSize;
      const course::Counters counted = epilogue_counters(v, 1, pad);
      std::uint64_t expected = 0;
      for (int first = 0; first < v.threads(); first += kWarpSize) {
        std::array<int, kWarpSize> addresses;
        for (int lane = 0; lane < kWarpSize; ++lane) {
          const Thread t = thread_of(first + lane, v.tile);
          addresses[lane] = t.col_group * (v.tile + pad) + t.row_group * kQuad;
        }
        expected += 2 * kOwn * wavefronts_of_store(addresses);
      }
      const course::SharedCounters& stores = counted.shared_store;
      CHECK(stores.requests == warps * 2 * kOwn);
      CHECK(stores.wavefronts == expected);
      CHECK(stores.wavefronts_ideal == 4 * stores.requests);
      CHECK(stores.wavefronts == (pad == 16 ? 4 : 8) * stores.requests);
      // The eight loads of 32 adjacent floats have no conflicts, whatever the padding.
      CHECK(counted.shared_load.requests == warps * kOwn * kOwn);
      CHECK(counted.shared_load.wavefronts == counted.shared_load.requests);
    }
  }
}

TEST_CASE("the main loop has no bank conflicts: the lanes are arranged for it") {
  if (!counts()) return;
  for (const Variant& v : {maxas_test::maxas_64(), maxas_test::maxas_256(), maxas_test::direct_64(),
                           maxas_test::direct_256(), maxas_test::wide_256()}) {
    CAPTURE(v.name);
    const auto problem = course::make_sgemm_problem({v.tile, v.tile, kDepth}, /*seed=*/8);
    const course::Counters counted = maxas_test::run(v, problem).counted.value();
    const std::uint64_t warps = v.threads() / kWarpSize;
    const bool is_staged = v.epilogue == Epilogue::staged;
    const std::uint64_t staged_loads = is_staged ? warps * kOwn * kOwn : 0;
    const std::uint64_t staged_stores = is_staged ? warps * 2 * kOwn : 0;
    // Two 16-byte loads each for A and B per step.
    CHECK(counted.shared_load.requests == warps * kDepth * 4 + staged_loads);
    CHECK(counted.shared_load.wavefronts == counted.shared_load.wavefronts_ideal);
    CHECK(counted.shared_store.requests ==
          std::uint64_t(2) * kDepth * v.tile / kWarpSize + staged_stores);
    CHECK(counted.shared_store.wavefronts == counted.shared_store.wavefronts_ideal);
  }
}

TEST_CASE("a tile of 128 x 128 loads half as much for each element as one of 64 x 64") {
  if (!counts()) return;
  const auto problem = course::make_sgemm_problem({128, 128, 16}, /*seed=*/8);
  const auto small = maxas_test::run(maxas_test::maxas_64(), problem).counted->global_load;
  const auto large = maxas_test::run(maxas_test::maxas_256(), problem).counted->global_load;
  CHECK(small.sectors == 2 * large.sectors);
  CHECK(small.requests == 2 * large.requests);
}

TEST_CASE("row-major is the same kernel with A and B exchanged: equal results, equal stores") {
  for (const Variant& v : {maxas_test::maxas_64(), maxas_test::maxas_256(), maxas_test::direct_64(),
                           maxas_test::direct_256(), maxas_test::wide_256()}) {
    CAPTURE(v.name);
    for (const SgemmSize& s : {SgemmSize{128, 128, 16}, SgemmSize{70, 33, 9}}) {
      const auto problem = course::make_sgemm_problem(s, /*seed=*/8, 1.5f, 0.5f);
      const Outcome by_row = course_test::multiply(problem.a, problem.b, problem.c,
                                                   [&](const float* a, const float* b, float* c) {
                                                     v.launch({.m = s.n,
                                                               .n = s.m,
                                                               .k = s.k,
                                                               .alpha = problem.alpha,
                                                               .A = b,
                                                               .lda = std::size_t(s.n),
                                                               .B = a,
                                                               .ldb = std::size_t(s.k),
                                                               .beta = problem.beta,
                                                               .C = c,
                                                               .ldc = std::size_t(s.n),
                                                               .pad = maxas_test::kPad},
                                                              v.tile, nullptr);
                                                   });
      CHECK(course::check_sgemm(problem, by_row.c).failure == "");
      const Outcome by_column = maxas_test::run(v, problem);
      CHECK(by_row.c == by_column.c);
      if (by_row.counted && s.m == s.n)
        CHECK(by_row.counted->global_store == by_column.counted->global_store);
    }
  }
}

TEST_CASE("without __syncwarp() the result is wrong wherever lanes do not go in step") {
  for (const auto& [size, gap] :
       {std::pair{SgemmSize{128, 64, 16}, 0}, std::pair{SgemmSize{100, 50, 9}, 4}}) {
    for (const int pad : {0, 16}) {
      CAPTURE(size.m);
      CAPTURE(pad);
      const Layout layout = {.gap = gap};
      const auto problem = course::make_sgemm_problem(size, /*seed=*/8);
      const Outcome with = maxas_test::run(maxas_test::maxas_64(), problem, layout, pad);
      Outcome without;
      course::without_checking(
          [&] { without = maxas_test::run(maxas_test::unsynchronised(), problem, layout, pad); });
      CHECK(course::check_sgemm(problem, with.c).ok());
      CHECK(without.gaps_intact);
      if (!counts()) continue;  // on a GPU, warps may happen to stay together
      CHECK(course::check_sgemm(problem, without.c).mismatches > problem.c.size() / 2);
      // The requests are equal: no counter shows the mistake.
      CHECK(without.counted->global_load == with.counted->global_load);
      CHECK(without.counted->global_store.bytes == with.counted->global_store.bytes);
      if (gap == 0) CHECK(without.counted->global_store == with.counted->global_store);
      CHECK(without.counted->shared_store == with.counted->shared_store);
      CHECK(without.counted->shared_load == with.counted->shared_load);
    }
  }
}
