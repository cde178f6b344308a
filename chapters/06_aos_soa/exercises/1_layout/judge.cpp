#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include "../particles.hpp"
#include "course/counters.hpp"
#include "course/divide_up.hpp"
#include "tools/coursework/judging/sums.hpp"
#include "tools/coursework/judging/trial.hpp"

namespace exercise_06_1 {

using namespace particles;
using course::divide_up;
using coursework::Trial;

/// The submission's layout.
struct Layout {
  std::vector<int> places;  // [n, kFields]
  int floats = 0;
};

/// Asks for the layout. Every float of every particle has a place of its own there.
Layout layout_of(Trial& trial, int n) {
  const auto places = trial.output<int>(static_cast<std::size_t>(kFields) * n);
  const auto floats = trial.output<int>(1);
  trial.launch("list_places", {divide_up(n, kThreads), kThreads}, n, places, floats);
  const Layout layout = {trial.read(places), trial.read(floats)[0]};

  constexpr int kMostPerParticle = 1024;  // no layout needs more, and memory is not endless
  const std::string asks = "floats_for() asks for " + std::to_string(layout.floats);
  trial.expect(layout.floats >= 0 && layout.floats <= kMostPerParticle * n, asks + " floats.");
  std::vector<std::string> owners(layout.floats);
  for (int i = 0; i < n; ++i) {
    for (int field = 0; field < kFields; ++field) {
      const int index = layout.places[i * kFields + field];
      const std::string who = owner(i, field) + " is at float " + std::to_string(index);
      trial.expect(index >= 0 && index < layout.floats, who + ", but " + asks + ".");
      trial.expect(owners[index].empty(), who + ", where " + owners[index] + " is already.");
      owners[index] = owner(i, field);
    }
  }
  return layout;
}

void judge(Trial& trial) {
  constexpr float kTimeStep = 0.5f;  // a power of two: products are exact, fused or not
  const int n = trial["n"];
  const Layout layout = layout_of(trial, n);
  const int warps = divide_up(n, course::kWarpSize);
  trial.set("warps", warps);
  trial.set("floats", layout.floats);
  // What layouts that come to mind first would cost, for each load request.
  const auto sectors_per_request = [&](const std::function<int(int, int)>& place) {
    const auto requests = requests_for_fields(n, kPosition, place);
    return static_cast<double>(requests.sectors()) / static_cast<double>(requests.requests());
  };
  trial.set("structures",
            sectors_per_request([](int i, int field) { return kFields * i + field; }));
  trial.set("unaligned", sectors_per_request([n](int i, int field) { return field * n + i; }));

  const std::vector<float> particles = random_particles(n, trial.seed(1));
  std::vector<float> before(layout.floats);
  for (std::size_t k = 0; k < particles.size(); ++k) before[layout.places[k]] = particles[k];
  const auto memory = trial.input(before);
  trial.count_from_here();
  trial.launch("move_particles", {divide_up(n, kThreads), kThreads}, n, kTimeStep, memory);

  // What the layout costs if each thread moves a particle, as in the kernel that is given, whatever
  // the kernel does now; or what the kernel costs, if that is more.
  const auto in_layout = [&](int from, int fields) {
    coursework::PaperRequests requests;
    for (int field = from; field < from + fields; ++field)
      for (int first = 0; first < n; first += course::kWarpSize) {
        for (int i = first; i < std::min(n, first + course::kWarpSize); ++i)
          requests.lane(layout.places[i * kFields + field]);
        requests.end_request();
      }
    return static_cast<double>(requests.sectors());
  };
  auto counted = trial.values();
  coursework::add_sums(counted);
  trial.set("load_sectors",
            std::max(in_layout(kPosition, 2 * kDimensions), counted.at("read_sectors")));
  trial.set("store_sectors",
            std::max(in_layout(kPosition, kDimensions), counted.at("written_sectors")));

  const auto after = trial.read(memory);
  for (int i = 0; i < n; ++i) {
    for (int field = 0; field < kFields; ++field) {
      float expected = particles[i * kFields + field];
      if (field >= kPosition && field < kPosition + kDimensions)
        expected += kTimeStep * particles[i * kFields + field - kPosition + kVelocity];
      const float actual = after[layout.places[i * kFields + field]];
      trial.expect(actual == expected, owner(i, field) + " should be " + std::to_string(expected) +
                                           " after the move, but it is " + std::to_string(actual) +
                                           ".");
    }
  }
}

const coursework::Registered registered("06_1", judge);

}  // namespace exercise_06_1
