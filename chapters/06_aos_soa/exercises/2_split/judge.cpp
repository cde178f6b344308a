#include <cmath>
#include <string>
#include <vector>

#include "../particles.hpp"
#include "course/counters.hpp"
#include "course/divide_up.hpp"
#include "tools/coursework/judging/trial.hpp"

namespace exercise_06_2 {

using namespace particles;
using course::divide_up;
using coursework::Trial;

void judge(Trial& trial) {
  const int n = trial["n"], threads = trial["threads"];
  const int warps = divide_up(n, course::kWarpSize);
  trial.set("warps", warps);
  trial.set("sectors", divide_up(kFields * n, course::kSectorBytes / sizeof(float)));
  const auto structure = [](int i, int field) { return kFields * i + field; };
  trial.set("sectors_of_structures",
            static_cast<double>(requests_for_fields(n, 0, structure).sectors()) / warps);

  const int pitch = warps * course::kWarpSize;
  const std::vector<float> particles = random_particles(n, trial.seed(1));
  const auto structures = trial.input(particles);
  const auto arrays = trial.output<float>(static_cast<std::size_t>(kFields) * pitch);
  const std::size_t tile_bytes = sizeof(float) * kFields * threads;
  trial.launch("split_particles", {divide_up(n, threads), threads, tile_bytes}, n, pitch,
               structures, arrays);

  const auto actual = trial.read(arrays);
  for (int i = 0; i < n; ++i) {
    for (int field = 0; field < kFields; ++field) {
      const float expected = particles[i * kFields + field];
      const float found = actual[field * pitch + i];
      trial.expect(
          found == expected,
          owner(i, field) + " should be " + std::to_string(expected) + ", but it is " +
              std::to_string(found) +
              (std::isnan(found)
                   ? ": no thread has written it, or one has read the tile before the block met."
                   : "."));
    }
  }
}

const coursework::Registered registered("06_2", judge);

}  // namespace exercise_06_2
