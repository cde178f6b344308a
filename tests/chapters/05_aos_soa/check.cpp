/// Checks the exercises of chapter 05.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "../exercise_check.hpp"
#include "../launch.hpp"
#include "course/counters.hpp"
#include "course/device_buffer.hpp"
#include "course/divide_up.hpp"
#include "course/inputs.hpp"

/// What exercise.cuh defines, as pointers, so that this check serves every answer.
struct Submission {
  int (*place)(int n, int i, int field);
  int (*floats_for)(int n);
  void (*move_particles)(int n, float dt, float* particles);
  void (*split_particles)(int n, int pitch, const float* particles, float* arrays);
};

Submission submission();

using course::DeviceBuffer;
using course_test::expect;
using course_test::launch;
using course_test::number;

namespace {

using course::kWarpSize;
constexpr int kFields = 7, kPosition = 1, kVelocity = 4, kDimensions = 3;  // as in exercise.cuh
constexpr int kThreads = 128;
constexpr double kFewestSectors = 4.0;      // for 32 neighbouring floats
constexpr double kStructureSectors = 28.0;  // for 32 floats, 7 apart
constexpr int kSizes[] = {1, 31, 32, 33, 100, 1001, 4096};
const char* const kFieldNames[] = {
    "mass", "x", "y", "z", "velocity along x", "velocity along y", "velocity along z"};

using course::divide_up;

std::string owner(int i, int field) {
  return std::string(kFieldNames[field]) + " of particle " + std::to_string(i);
}

std::string with_n(int n) { return "With n = " + std::to_string(n) + ", "; }

/// Random particles, [n, kFields].
std::vector<float> random_particles(int n) {
  return course::random_floats(static_cast<std::size_t>(kFields) * n, /*seed=*/7);
}

/// Every float of every particle has a place of its own, and not too many floats are spent.
void check_layout(int n) {
  const int floats = submission().floats_for(n);
  const int most = kFields * kWarpSize * divide_up(n, kWarpSize);
  expect(floats <= most, with_n(n) + "floats_for() asks for " + std::to_string(floats) +
                             " floats; " + std::to_string(most) +
                             " are enough, every field rounded up to whole warps.");
  std::vector<std::string> owners(std::max(floats, 0));
  for (int i = 0; i < n; ++i) {
    for (int field = 0; field < kFields; ++field) {
      const int index = submission().place(n, i, field);
      expect(index >= 0 && index < floats,
             with_n(n) + owner(i, field) + " is at float " + std::to_string(index) +
                 ", but floats_for() asks for " + std::to_string(floats) + ".");
      expect(owners[index].empty(), with_n(n) + owner(i, field) + " is at float " +
                                        std::to_string(index) + ", where " + owners[index] +
                                        " is already.");
      owners[index] = owner(i, field);
    }
  }
}

/// Moves n particles in the reader's layout; returns the counters where the back end counts.
std::optional<course::Counters> check_move(int n) {
  constexpr float kTimeStep = 0.5f;  // a power of two: products are exact, fused or not
  const std::vector<float> particles = random_particles(n);
  std::vector<float> before(submission().floats_for(n));
  for (int i = 0; i < n; ++i)
    for (int field = 0; field < kFields; ++field)
      before[submission().place(n, i, field)] = particles[i * kFields + field];

  DeviceBuffer<float> device(before, "particles");
  const auto counted = course::count([&] {
    launch(submission().move_particles, {divide_up(n, kThreads), kThreads}, n, kTimeStep,
           device.data());
    course::check_launch();
  });

  const auto after = device.to_host();
  for (int i = 0; i < n; ++i) {
    for (int field = 0; field < kFields; ++field) {
      float expected = particles[i * kFields + field];
      if (field >= kPosition && field < kPosition + kDimensions)
        expected += kTimeStep * particles[i * kFields + field - kPosition + kVelocity];
      const float actual = after[submission().place(n, i, field)];
      expect(actual == expected, with_n(n) + owner(i, field) + " should be " +
                                     std::to_string(expected) + " after the move, but it is " +
                                     std::to_string(actual) + ".");
    }
  }
  return counted;
}

/// Returns what it costs, in words, where that is counted.
std::string check_move_counters(int n) {
  const auto counted = check_move(n);
  if (!counted) return "";
  const double requests = counted->global_load.requests + counted->global_store.requests;
  const double sectors = (counted->global_load.sectors + counted->global_store.sectors) / requests;
  expect(requests == 3.0 * kDimensions * divide_up(n, kWarpSize),
         "move_particles is given: 6 load and 3 store requests per warp.");
  expect(sectors != kStructureSectors,
         "The result is right, but a request touches 28 sectors: neighbouring lanes are 7 floats "
         "apart, and most of a sector belongs to fields that the request does not ask for.");
  expect(sectors <= kFewestSectors,
         with_n(n) + "the result is right, but a request touches " + number(sectors) +
             " sectors on average. 32 floats fit into 4, if they are neighbours and the first of "
             "them begins a sector.");
  return number(sectors) + " sectors per request";
}

/// Splits n particles; returns the counters where the back end counts.
std::optional<course::Counters> check_split(int n, int threads) {
  const std::vector<float> particles = random_particles(n);
  const int pitch = divide_up(n, kWarpSize) * kWarpSize;
  const DeviceBuffer<float> device_particles(particles, "particles");
  DeviceBuffer<float> arrays(static_cast<std::size_t>(kFields) * pitch, "arrays");
  const auto counted = course::count([&] {
    const std::size_t tile_bytes = sizeof(float) * kFields * threads;
    launch(submission().split_particles, {divide_up(n, threads), threads, tile_bytes}, n, pitch,
           device_particles.data(), arrays.data());
    course::check_launch();
  });

  const auto actual = arrays.to_host();
  for (int i = 0; i < n; ++i) {
    for (int field = 0; field < kFields; ++field) {
      const float expected = particles[i * kFields + field];
      const float found = actual[field * pitch + i];
      expect(found == expected,
             with_n(n) + "in blocks of " + std::to_string(threads) + ", the " + owner(i, field) +
                 " should be " + std::to_string(expected) + ", but it is " + std::to_string(found) +
                 (std::isnan(found)
                      ? ": no thread has written it, or one has read the tile before the block met."
                      : "."));
    }
  }
  return counted;
}

/// Returns what it costs, in words, where that is counted.
std::string check_split_counters(int n) {
  const auto counted = check_split(n, kThreads);
  if (!counted) return "";
  const double warps = divide_up(n, kWarpSize);
  const double load_sectors = counted->global_load.sectors / warps;
  const double store_sectors = counted->global_store.sectors / warps;
  expect(load_sectors <= kFewestSectors * kFields,
         "The result is right, but a warp loads " + number(load_sectors) +
             " sectors for its 32 particles. They are 7 x 32 floats side by side: 28 sectors, if "
             "neighbouring lanes read neighbouring floats.");
  expect(counted->global_load.requests <= kFields * warps,
         "The result is right, but a warp makes " + number(counted->global_load.requests / warps) +
             " load requests for its 32 particles; 7 are enough.");
  expect(store_sectors <= kFewestSectors * kFields,
         "The result and the loads are right, but a warp stores " + number(store_sectors) +
             " sectors for its 32 particles; 28 are enough.");
  expect(counted->shared_load.wavefronts <= counted->shared_load.requests &&
             counted->shared_store.wavefronts <= counted->shared_store.requests,
         "The result and the sectors are right, but lanes meet in the same bank of the tile.");
  return number(load_sectors) + " sectors loaded and " + number(store_sectors) +
         " stored per warp of particles";
}

}  // namespace

int main(int argc, char** argv) {
  course_test::ExerciseCheck check("05", argc, argv);
  check.exercise(
      "1: a layout for particles of seven floats",
      {"All lanes of a request ask for the same field. Where should the fields of 32 neighbouring "
       "particles be, so that they fill 4 sectors?",
       "Either an array per field, n floats each, or tiles as in aosoa_update. If an array per "
       "field: with n = 1001, where does the second one begin?",
       "An array of n floats, rounded up to 32, begins at a sector like the one before. In a "
       "layout of tiles, only the last tile has floats to spare.",
       "Tile i / 32 begins at float 7 x 32 x (i / 32); within it, field f begins at 32 x f."},
      [] {
        for (const int n : kSizes) check_layout(n);
        for (const int n : kSizes) check_move(n);
        const auto cost = check_move_counters(4096);
        check_move_counters(1001);
        return cost;
      });
  check.exercise(
      "2: split structures into arrays",
      {"The stores are as they should be. What do neighbouring lanes read at the same time?",
       "The structures of a block are 7 x count floats side by side. It does not matter which "
       "thread brings which of them into shared memory: aos3_staged_update does the same.",
       "for (int k = threadIdx.x; k < kFields * count; k += blockDim.x) visits them all. Before a "
       "thread reads what another one has written, the block has to meet."},
      [] {
        for (const int n : kSizes)
          for (const int threads : {32, kThreads, 1024}) check_split(n, threads);
        const auto cost = check_split_counters(4096);
        check_split_counters(1001);
        return cost;
      });
  return check.finish();
}
