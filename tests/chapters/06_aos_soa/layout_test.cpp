/// Checks what chapters/06_aos_soa/README.md says of layouts.

#include <doctest/doctest.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <functional>
#include <set>
#include <vector>

#include "chapters/counters_text.hpp"
#include "chapters/launch.hpp"
#include "chapters/request_model.hpp"
#include "course/backend.hpp"
#include "course/device_buffer.hpp"
#include "course/divide_up.hpp"
#include "course/error.hpp"
#include "course/inputs.hpp"
#include "kernels_under_test.hpp"

using course::DeviceBuffer;
using course_test::for_each_warp;
using course_test::kWarpSize;
using course_test::launch;
using course_test::RequestModel;

namespace {

const std::vector<int> kSizes = {0, 1, 2, 31, 32, 33, 63, 64, 65, 127, 128, 129, 255, 257, 1000};
constexpr float kSteps[] = {0.5f, -2.0f, 3.0f};

using course::divide_up;
int round_up(int n) { return divide_up(n, kWarpSize) * kWarpSize; }

using Lanes = std::vector<std::int64_t>;

/// A kernel: the positions of a point's floats, and the requests that move them.
struct Variant {
  const char* name;
  int fields;  ///< floats per point
  int moved;   ///< how many of them are moved; if fewer than all, in place
  int width;   ///< floats per load or store of a lane
  std::function<int(int n)> floats;
  std::function<int(int n, int i, int field)> place;
  std::function<void(int blocks, int threads, int n, const float* in, float* out)> launch;
  bool staged = false;  ///< the floats of a block are assigned to its threads in order
};

template <class T>
const T* as(const float* floats) {
  return reinterpret_cast<const T*>(floats);
}
template <class T>
T* as(float* floats) {
  return reinterpret_cast<T*>(floats);
}

/// Returns the positions in points of `pitch` floats, one after the other.
std::function<int(int)> structure_floats(int pitch) {
  return [=](int n) { return pitch * n; };
}
std::function<int(int, int, int)> structure_place(int pitch) {
  return [=](int, int i, int field) { return pitch * i + field; };
}

/// Returns the positions in one array per field, each beginning at a line.
std::function<int(int)> array_floats(int fields) {
  return [=](int n) { return fields * round_up(n); };
}
int array_place(int n, int i, int field) { return field * round_up(n) + i; }

const Variant kAos = {"aos_update",
                      2,
                      2,
                      1,
                      structure_floats(2),
                      structure_place(2),
                      [](int blocks, int threads, int n, const float* in, float* out) {
                        launch(kernels_under_test().aos_update, {blocks, threads}, n, kSteps[0],
                               kSteps[1], as<Point>(in), as<Point>(out));
                      }};
const Variant kAosX = {
    "aos_update_x",
    2,
    1,
    1,
    structure_floats(2),
    structure_place(2),
    [](int blocks, int threads, int n, const float*, float* out) {
      launch(kernels_under_test().aos_update_x, {blocks, threads}, n, kSteps[0], as<Point>(out));
    }};
const Variant kAosAligned = {"aos_aligned_update",
                             2,
                             2,
                             2,
                             structure_floats(2),
                             structure_place(2),
                             [](int blocks, int threads, int n, const float* in, float* out) {
                               launch(kernels_under_test().aos_aligned_update, {blocks, threads}, n,
                                      kSteps[0], kSteps[1], as<AlignedPoint>(in),
                                      as<AlignedPoint>(out));
                             }};
const Variant kSoa = {"soa_update",
                      2,
                      2,
                      1,
                      array_floats(2),
                      array_place,
                      [](int blocks, int threads, int n, const float* in, float* out) {
                        const int y = round_up(n);
                        launch(kernels_under_test().soa_update, {blocks, threads}, n, kSteps[0],
                               kSteps[1], in, in + y, out, out + y);
                      }};
const Variant kSoaX = {
    "soa_update_x",
    2,
    1,
    1,
    array_floats(2),
    array_place,
    [](int blocks, int threads, int n, const float*, float* out) {
      launch(kernels_under_test().soa_update_x, {blocks, threads}, n, kSteps[0], out);
    }};
const Variant kAosoa = {
    "aosoa_update",
    2,
    2,
    1,
    array_floats(2),
    [](int, int i, int field) { return (2 * (i / kWarpSize) + field) * kWarpSize + i % kWarpSize; },
    [](int blocks, int threads, int n, const float* in, float* out) {
      launch(kernels_under_test().aosoa_update, {blocks, threads}, n, kSteps[0], kSteps[1],
             as<PointTile>(in), as<PointTile>(out));
    }};
const Variant kAos3 = {"aos3_update",
                       3,
                       3,
                       1,
                       structure_floats(3),
                       structure_place(3),
                       [](int blocks, int threads, int n, const float* in, float* out) {
                         launch(kernels_under_test().aos3_update, {blocks, threads}, n, kSteps[0],
                                kSteps[1], kSteps[2], as<Point3>(in), as<Point3>(out));
                       }};
const Variant kAos3Padded = {"aos3_padded_update",
                             3,
                             3,
                             4,
                             structure_floats(4),
                             structure_place(4),
                             [](int blocks, int threads, int n, const float* in, float* out) {
                               launch(kernels_under_test().aos3_padded_update, {blocks, threads}, n,
                                      kSteps[0], kSteps[1], kSteps[2], as<PaddedPoint3>(in),
                                      as<PaddedPoint3>(out));
                             }};
const Variant kAos3Staged = {"aos3_staged_update",
                             3,
                             3,
                             1,
                             structure_floats(3),
                             structure_place(3),
                             [](int blocks, int threads, int n, const float* in, float* out) {
                               const std::size_t tile_bytes = 3 * sizeof(float) * threads;
                               launch(kernels_under_test().aos3_staged_update,
                                      {blocks, threads, tile_bytes}, n, kSteps[0], kSteps[1],
                                      kSteps[2], in, out);
                             },
                             true};
const Variant kSoa3 = {"soa3_update",
                       3,
                       3,
                       1,
                       array_floats(3),
                       array_place,
                       [](int blocks, int threads, int n, const float* in, float* out) {
                         const int y = round_up(n), z = 2 * y;
                         launch(kernels_under_test().soa3_update, {blocks, threads}, n, kSteps[0],
                                kSteps[1], kSteps[2], in, in + y, in + z, out, out + y, out + z);
                       }};

/// Returns the requests of one direction, each as the elements of `width` floats that lanes access.
std::vector<Lanes> requests_of(const Variant& variant, int n, int threads) {
  std::vector<Lanes> requests;
  if (variant.staged) {
    // In each round, the threads of a block take its next floats.
    for (int first = 0; first < n; first += threads) {
      const int floats = variant.fields * std::min(threads, n - first);
      for (int round = 0; round < variant.fields; ++round) {
        for_each_warp(threads, threads, [&](int thread, int lanes) {
          Lanes elements;
          for (int k = round * threads + thread; k < round * threads + thread + lanes; ++k)
            if (k < floats) elements.push_back(std::int64_t(variant.fields) * first + k);
          requests.push_back(elements);
        });
      }
    }
    return requests;
  }
  for_each_warp(n, threads, [&](int first, int lanes) {
    for (int field = 0; field < variant.moved; field += variant.width) {
      Lanes elements;
      for (int i = first; i < first + lanes; ++i)
        elements.push_back(variant.place(n, i, field) / variant.width);
      requests.push_back(elements);
    }
  });
  return requests;
}

/// Returns the bits, so that poison compares equal.
std::vector<std::uint32_t> bits_of(const std::vector<float>& values) {
  std::vector<std::uint32_t> bits;
  for (const float value : values) bits.push_back(std::bit_cast<std::uint32_t>(value));
  return bits;
}

std::optional<course::Counters> check(const Variant& variant, int n, int threads) {
  CAPTURE(variant.name);
  CAPTURE(n);
  CAPTURE(threads);
  const int floats = variant.floats(n);
  const bool in_place = variant.moved < variant.fields;
  const auto before = course::random_floats(floats, /*seed=*/5);
  const DeviceBuffer<float> in(before, "in");
  DeviceBuffer<float> out(floats, "out");
  if (in_place) out.from_host(before);
  std::vector<float> expected = out.to_host();
  for (int i = 0; i < n; ++i) {
    for (int field = 0; field < std::max(variant.fields, variant.width); ++field) {
      float& value = expected[variant.place(n, i, field)];
      value = before[variant.place(n, i, field)];
      if (field < variant.moved) value += kSteps[field];
    }
  }

  const auto counted = course::count([&] {
    if (n > 0) variant.launch(divide_up(n, threads), threads, n, in.data(), out.data());
    course::check_launch();
  });
  // Compare every float: floats that belong to no point must be unchanged.
  CHECK(bits_of(out.to_host()) == bits_of(expected));

  if (counted) {
    RequestModel model;
    for (const Lanes& lanes : requests_of(variant, n, threads))
      model.request(lanes, variant.width * static_cast<int>(sizeof(float)));
    CHECK(counted->global_load == model.counters());
    CHECK(counted->global_store == model.counters());
  }
  return counted;
}

void check_at_sizes(const Variant& variant) {
  for (const int n : kSizes) check(variant, n, 128);
  for (const int threads : {1, 31, 32, 33, 96, 1024}) check(variant, 2100, threads);
}

// Particles of eight floats, of which these kernels update only some fields.
constexpr int kParticleFields = 8, kX = 0, kVx = 4;
constexpr float kTimeStep = 0.25f;  // a power of two: products are exact, with or without FMA

/// Position of a field of particle `i` of `n`, in an array per field or in a structure.
using Place = std::function<int(int n, int i, int field)>;

/// Returns the elements of `width` floats at which a warp's requests to `field` start, by lane.
/// `order` gives the particle of each lane.
Lanes lanes_at(const Place& place, int n, int first, int lanes, int field, int width,
               const std::vector<int>& order = {}) {
  Lanes elements;
  for (int i = first; i < first + lanes; ++i)
    elements.push_back(place(n, order.empty() ? i : order[i], field) / width);
  return elements;
}

std::optional<course::Counters> check_drift(bool structures, int n, int threads) {
  CAPTURE(structures);
  CAPTURE(n);
  CAPTURE(threads);
  const Place place = structures ? structure_place(kParticleFields) : array_place;
  const int floats = structures ? kParticleFields * n : kParticleFields * round_up(n);
  const auto before = course::random_floats(floats, /*seed=*/5);
  DeviceBuffer<float> particles(before, "particles");
  std::vector<float> expected = before;
  for (int i = 0; i < n; ++i) expected[place(n, i, kX)] += kTimeStep * before[place(n, i, kVx)];

  const auto counted = course::count([&] {
    const course_test::Shape shape = {divide_up(n, threads), threads};
    if (n > 0 && structures) {
      launch(kernels_under_test().aos8_drift, shape, n, kTimeStep, as<Particle>(particles.data()));
    } else if (n > 0) {
      launch(kernels_under_test().soa8_drift, shape, n, kTimeStep, particles.data(),
             particles.data() + kVx * round_up(n));
    }
    course::check_launch();
  });
  CHECK(bits_of(particles.to_host()) == bits_of(expected));

  if (counted) {
    RequestModel loads, stores;
    for_each_warp(n, threads, [&](int first, int lanes) {
      for (const int field : {kX, kVx})
        loads.request(lanes_at(place, n, first, lanes, field, 1), sizeof(float));
      stores.request(lanes_at(place, n, first, lanes, kX, 1), sizeof(float));
    });
    CHECK(counted->global_load == loads.counters());
    CHECK(counted->global_store == stores.counters());
  }
  return counted;
}

std::optional<course::Counters> check_reorder(bool structures, int n, int threads,
                                              const std::vector<int>& order) {
  CAPTURE(structures);
  CAPTURE(n);
  CAPTURE(threads);
  const Place place = structures ? structure_place(kParticleFields) : array_place;
  const int floats = structures ? kParticleFields * n : kParticleFields * round_up(n);
  const auto before = course::random_floats(floats, /*seed=*/5);
  const DeviceBuffer<int> from(order, "order");
  const DeviceBuffer<float> in(before, "in");
  DeviceBuffer<float> out(floats, "out");
  std::vector<float> expected = out.to_host();
  for (int i = 0; i < n; ++i)
    for (int field = 0; field < kParticleFields; ++field)
      expected[place(n, i, field)] = before[place(n, order[i], field)];

  const auto counted = course::count([&] {
    const course_test::Shape shape = {divide_up(n, threads), threads};
    if (n > 0 && structures) {
      launch(kernels_under_test().aos8_reorder, shape, n, from.data(), as<Particle>(in.data()),
             as<Particle>(out.data()));
    } else if (n > 0) {
      launch(kernels_under_test().soa8_reorder, shape, n, round_up(n), from.data(), in.data(),
             out.data());
    }
    course::check_launch();
  });
  // Compare the floats after the n of each array, too: they must be unchanged.
  CHECK(bits_of(out.to_host()) == bits_of(expected));

  if (counted) {
    const int width = structures ? 4 : 1;
    const int bytes = width * static_cast<int>(sizeof(float));
    RequestModel loads, stores;
    for_each_warp(n, threads, [&](int first, int lanes) {
      Lanes mine;
      for (int i = first; i < first + lanes; ++i) mine.push_back(i);
      loads.request(mine, sizeof(int));
      for (int field = 0; field < kParticleFields; field += width) {
        loads.request(lanes_at(place, n, first, lanes, field, width, order), bytes);
        stores.request(lanes_at(place, n, first, lanes, field, width), bytes);
      }
    });
    CHECK(counted->global_load == loads.counters());
    CHECK(counted->global_store == stores.counters());
  }
  return counted;
}

std::optional<course::Counters> check_reorder(bool structures, int n, int threads) {
  return check_reorder(structures, n, threads, course::random_permutation(n, /*seed=*/7));
}

/// Returns the sectors that the requests of one full warp touch, each counted once.
std::size_t distinct_sectors(const Variant& variant) {
  std::set<std::int64_t> sectors;
  for (const Lanes& lanes : requests_of(variant, kWarpSize, kWarpSize)) {
    for (const std::int64_t element : lanes)
      for (std::int64_t f = element * variant.width; f < (element + 1) * variant.width; ++f)
        sectors.insert(f * static_cast<std::int64_t>(sizeof(float)) / course::kSectorBytes);
  }
  return sectors.size();
}

void check_one_warp(const Variant& variant, unsigned requests, unsigned sectors, double efficiency,
                    unsigned distinct) {
  CAPTURE(variant.name);
  CHECK(distinct_sectors(variant) == distinct);
  const auto counted = check(variant, kWarpSize, kWarpSize);
  if (!counted) return;
  for (const course::GlobalCounters& side : {counted->global_load, counted->global_store}) {
    CHECK(side.requests == requests);
    CHECK(side.sectors == sectors);
    CHECK(side.efficiency_pct().value() == doctest::Approx(efficiency));
  }
}

}  // namespace

TEST_CASE("aos_update moves every point, at the sectors that the rules give") {
  check_at_sizes(kAos);
}

TEST_CASE("aos_update_x moves every x and leaves every y alone") { check_at_sizes(kAosX); }

TEST_CASE("aos_aligned_update takes a point with one 8-byte access") {
  check_at_sizes(kAosAligned);
}

TEST_CASE("soa_update moves both arrays") { check_at_sizes(kSoa); }

TEST_CASE("soa_update_x moves the array of x alone") { check_at_sizes(kSoaX); }

TEST_CASE("aosoa_update moves the tiles and leaves the rest of the last one alone") {
  check_at_sizes(kAosoa);
}

TEST_CASE("aos3_update moves every packed point") { check_at_sizes(kAos3); }

TEST_CASE("aos3_padded_update takes a point with one 16-byte access and copies the padding") {
  check_at_sizes(kAos3Padded);
}

TEST_CASE("aos3_staged_update moves every packed point through shared memory") {
  check_at_sizes(kAos3Staged);
}

TEST_CASE("soa3_update moves all three arrays") { check_at_sizes(kSoa3); }

TEST_CASE("aos8_drift and soa8_drift move every x by its velocity and leave the rest alone") {
  for (const bool structures : {true, false}) {
    for (const int n : kSizes) check_drift(structures, n, 128);
    for (const int threads : {1, 31, 32, 33, 96, 1024}) check_drift(structures, 2100, threads);
  }
}

TEST_CASE("aos8_reorder and soa8_reorder put whole particles in their places") {
  for (const bool structures : {true, false}) {
    for (const int n : kSizes) check_reorder(structures, n, 128);
    for (const int threads : {1, 31, 32, 33, 96, 1024}) check_reorder(structures, 2100, threads);
  }
}

TEST_CASE("a warp that uses two fields of eight: 64 + 32 sectors of structures, 8 + 4 of arrays") {
  for (const bool structures : {true, false}) {
    const auto counted = check_drift(structures, kWarpSize, kWarpSize);
    if (!counted) return;
    CHECK(counted->global_load.requests == 2);
    CHECK(counted->global_load.sectors == (structures ? 64 : 8));
    CHECK(counted->global_store.sectors == (structures ? 32 : 4));
    CHECK(counted->global_load.efficiency_pct() == (structures ? 12.5 : 100.0));
  }
}

TEST_CASE("a warp that uses whole particles from anywhere: 2 x 32 sectors, or 8 x 32 of arrays") {
  // Particles eight apart: no two of a warp share a sector of an array.
  constexpr int kParticles = 8 * kWarpSize;
  std::vector<int> order;
  for (int i = 0; i < kParticles; ++i) order.push_back(8 * i % kParticles + i / kWarpSize);
  for (const bool structures : {true, false}) {
    const auto counted = check_reorder(structures, kParticles, kWarpSize, order);
    if (!counted) return;
    constexpr unsigned kWarps = kParticles / kWarpSize;
    CHECK(counted->global_load.requests == kWarps * (1 + (structures ? 2 : 8)));
    CHECK(counted->global_load.sectors == kWarps * (4 + 32 * (structures ? 2 : 8)));
    CHECK(counted->global_store.sectors == kWarps * 32 * (structures ? 2 : 1));
  }
}

TEST_CASE("one full warp: requests, sectors, efficiency, and sectors each counted once") {
  check_one_warp(kAos, 2, 16, 50.0, 8);  // both requests touch the same 8
  check_one_warp(kAosX, 1, 8, 50.0, 8);
  check_one_warp(kAosAligned, 1, 8, 100.0, 8);
  check_one_warp(kSoa, 2, 8, 100.0, 8);
  check_one_warp(kSoaX, 1, 4, 100.0, 4);
  check_one_warp(kAosoa, 2, 8, 100.0, 8);
  check_one_warp(kAos3, 3, 36, 100.0 / 3, 12);  // all three requests touch the same 12
  check_one_warp(kAos3Padded, 1, 16, 100.0, 16);
  check_one_warp(kAos3Staged, 3, 12, 100.0, 12);
  check_one_warp(kSoa3, 3, 12, 100.0, 12);
}

TEST_CASE("aos3_staged_update: 6 shared loads and 6 stores per warp, no two lanes in one bank") {
  const auto counted = check(kAos3Staged, 4096, 128);
  if (!counted) return;
  constexpr unsigned kWarps = 4096 / kWarpSize;
  for (const course::SharedCounters& side : {counted->shared_load, counted->shared_store}) {
    CHECK(side.requests == 6 * kWarps);
    CHECK(side.wavefronts == side.requests);
  }
}

TEST_CASE("2^20 points, blocks of 128: the counts of an H200 for an array of structures") {
  if (!course::backend().reports_counters) return;
  const auto counted = check(kAos, 1 << 20, 128);
  for (const course::GlobalCounters& side : {counted->global_load, counted->global_store}) {
    CHECK(side.requests == 65536);
    CHECK(side.sectors == 524288);
    CHECK(side.efficiency_pct() == 50.0);
  }
}
