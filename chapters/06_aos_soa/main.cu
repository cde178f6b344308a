/// Array of structures or structure of arrays: the same points in other places, the same update.

#include <cstdint>
#include <functional>
#include <numeric>
#include <vector>

#include "course/backend.hpp"
#include "course/counters.hpp"
#include "course/divide_up.hpp"
#include "course/error.hpp"
#include "course/inputs.hpp"
#include "course/mandelbrot.hpp"
#include "course/memory.hpp"
#include "course/program.hpp"
#include "kernels.cuh"

namespace {

using course::kWarpSize;
constexpr int kBlockLimit = 1024;                  // threads of a block
constexpr float kSteps[] = {10.0f, 20.0f, 30.0f};  // how far to move along x, y, z

std::size_t round_up(std::size_t n, std::size_t multiple) {
  return (n + multiple - 1) / multiple * multiple;
}

/// Where the floats of n points lie, counted in floats from the start of a buffer.
struct Layout {
  int fields;  ///< of a point that are of use
  std::size_t (*floats)(std::size_t n);
  std::size_t (*place)(std::size_t n, std::size_t i, int field);
};

/// `Fields` floats next to each other, the next point `Pitch` floats on.
template <int Fields, int Pitch = Fields>
constexpr Layout kStructures = {
    Fields, [](std::size_t n) { return Pitch * n; },
    [](std::size_t, std::size_t i, int field) { return Pitch * i + field; }};

/// An array per field, each of which begins at a line.
template <int Fields>
constexpr Layout kArrays = {
    Fields, [](std::size_t n) { return Fields * round_up(n, kWarpSize); },
    [](std::size_t n, std::size_t i, int field) { return field * round_up(n, kWarpSize) + i; }};

/// Tiles of 32 x and 32 y.
constexpr Layout kTiles = {2, [](std::size_t n) { return 2 * round_up(n, kWarpSize); },
                           [](std::size_t, std::size_t i, int field) {
                             return (2 * (i / kWarpSize) + field) * kWarpSize + i % kWarpSize;
                           }};

/// The points of a buffer in order: [n, fields].
std::vector<float> in_order(const Layout& layout, std::size_t n, const std::vector<float>& buffer) {
  std::vector<float> points;
  points.reserve(n * layout.fields);
  for (std::size_t i = 0; i < n; ++i)
    for (int field = 0; field < layout.fields; ++field)
      points.push_back(buffer[layout.place(n, i, field)]);
  return points;
}

/// Sectors in which one of these fields of any point lies: each has to be moved once.
std::size_t distinct_sectors(const Layout& layout, std::size_t n, const std::vector<int>& fields) {
  constexpr std::size_t kSectorFloats = course::kSectorBytes / sizeof(float);
  std::vector<bool> touched(layout.floats(n) / kSectorFloats + 1);
  std::size_t count = 0;
  for (std::size_t i = 0; i < n; ++i) {
    for (const int field : fields) {
      auto sector = touched[layout.place(n, i, field) / kSectorFloats];
      count += !sector;
      sector = true;
    }
  }
  return count;
}

/// What the command line chose.
struct Choice {
  int n;
  int block;
};

int blocks_for(const Choice& choice) {
  return static_cast<int>(round_up(choice.n, choice.block) / choice.block);
}

/// Reports what has to be loaded at least, where `fields` of n points are used.
void report_use(course::Run& run, const Choice& choice, const Layout& layout,
                const std::vector<int>& fields) {
  const std::size_t n = choice.n, distinct = distinct_sectors(layout, n, fields);
  run.parameters({{"n", choice.n}, {"block", choice.block}, {"distinct_sectors", distinct}});
  const double used_bytes = 1.0 * sizeof(float) * fields.size() * n;
  run.parameter("used_pct",
                n == 0 ? 100.0 : 100.0 * used_bytes / (course::kSectorBytes * distinct));
}

/// Launches a kernel on points that lie at `in` and are to lie at `out`.
using Launch = std::function<void(int blocks, const float* in, float* out)>;

/// Moves the points along their first `moved` coordinates.
///
/// In place unless every field is moved: `in` and `out` are then one buffer.
void run_update(course::Run& run, const Choice& choice, const Layout& layout, int moved,
                const Launch& launch) {
  const std::size_t n = choice.n, floats = layout.floats(n);
  // Input and output, copies of both, and the points in order twice.
  course::require_host_memory((4 * floats + 2 * n * layout.fields) * sizeof(float), "the points");
  std::vector<int> fields(moved);
  std::iota(fields.begin(), fields.end(), 0);
  report_use(run, choice, layout, fields);

  const std::vector<float> before = course::random_floats(floats, run.seed());
  std::vector<float> expected = in_order(layout, n, before);
  for (std::size_t i = 0; i < n; ++i)
    for (int field = 0; field < moved; ++field)
      expected[i * layout.fields + field] += kSteps[field];

  const bool in_place = moved < layout.fields;
  auto& result = in_place ? run.in_out("result", before) : run.output<float>("result", floats);
  const float* data = in_place ? result.data() : run.input("data", before).data();
  const double sums = 1.0 * moved * n, used_bytes = sizeof(float) * sums;
  run.launch({.read_bytes = used_bytes, .written_bytes = used_bytes, .flops = sums}, [&] {
    if (n > 0) launch(blocks_for(choice), data, result.data());
    course::check_launch();
  });
  run.verify("result", course::compare(in_order(layout, n, result.to_host()), expected));
}

/// Fields of a `Particle`, and of the arrays that stand for one.
constexpr int kX = 0, kVx = 4, kParticleFields = 8;
constexpr float kTimeStep = 0.5f;  // a power of two: products are exact, fused or not

/// Moves particles along x, in place.
void run_drift(course::Run& run, const Choice& choice, const Layout& layout,
               const std::function<void(int blocks, float* particles)>& launch) {
  const std::size_t n = choice.n, floats = layout.floats(n);
  // The particles and two copies, and the particles in order twice.
  course::require_host_memory((3 * floats + 2 * n * kParticleFields) * sizeof(float),
                              "the particles");
  report_use(run, choice, layout, {kX, kVx});

  const std::vector<float> before = course::random_floats(floats, run.seed());
  std::vector<float> expected = in_order(layout, n, before);
  for (std::size_t i = 0; i < n * kParticleFields; i += kParticleFields)
    expected[i + kX] += kTimeStep * expected[i + kVx];

  auto& particles = run.in_out("particles", before);
  const double array_bytes = 1.0 * sizeof(float) * n;
  run.launch({.read_bytes = 2 * array_bytes, .written_bytes = array_bytes, .flops = 2.0 * n}, [&] {
    if (n > 0) launch(blocks_for(choice), particles.data());
    course::check_launch();
  });
  run.verify("particles", course::compare(in_order(layout, n, particles.to_host()), expected));
}

/// Launches a kernel that puts the particles at `in` into this order at `out`.
using Reorder = std::function<void(int blocks, const int* order, const float* in, float* out)>;

/// Puts particles into a random order.
void run_reorder(course::Run& run, const Choice& choice, const Layout& layout,
                 const Reorder& launch) {
  const std::size_t n = choice.n, floats = layout.floats(n);
  // Input and output, a copy of either, the particles in order three times, and two orders.
  course::require_host_memory((4 * floats + 3 * n * kParticleFields + 2 * n) * sizeof(float),
                              "the particles");
  run.parameters({{"n", choice.n}, {"block", choice.block}});

  const std::vector<float> before = course::random_floats(floats, run.seed());
  const std::vector<int> order = course::random_permutation(choice.n, run.seed());
  const std::vector<float> particles = in_order(layout, n, before);
  std::vector<float> expected;
  expected.reserve(particles.size());
  for (const std::size_t from : order) {
    const auto particle = particles.begin() + kParticleFields * from;
    expected.insert(expected.end(), particle, particle + kParticleFields);
  }

  const auto& from = run.input("order", order);
  const auto& data = run.input("particles", before);
  auto& result = run.output<float>("result", floats);
  const double particle_bytes = 1.0 * sizeof(float) * kParticleFields * n;
  const double order_bytes = 1.0 * sizeof(int) * n;
  run.launch(
      {.read_bytes = particle_bytes + order_bytes, .written_bytes = particle_bytes, .flops = 0},
      [&] {
        if (n > 0) launch(blocks_for(choice), from.data(), data.data(), result.data());
        course::check_launch();
      });
  run.verify("result", course::compare(in_order(layout, n, result.to_host()), expected));
}

/// A buffer of floats as what a kernel takes it for.
template <class T>
const T* as(const float* floats) {
  return reinterpret_cast<const T*>(floats);
}
template <class T>
T* as(float* floats) {
  return reinterpret_cast<T*>(floats);
}

/// Paints a picture with soft edges in bytes. `bytes_of` says where the bytes of a picture lie, and
/// `picture_of` finds them there.
void run_soften(course::Run& run, course::mandelbrot::Drawing& drawing,
                decltype(soften_bytes)& kernel, decltype(course::mandelbrot::bytes_of)& bytes_of,
                decltype(course::mandelbrot::from_bytes)& picture_of) {
  namespace mandelbrot = course::mandelbrot;
  const auto palette = mandelbrot::palette_of(mandelbrot::kMost);
  const int wide = drawing.wide(), high = drawing.high();
  const auto pixels = mandelbrot::soften(mandelbrot::paint(drawing.steps(), palette), wide, high);
  constexpr int kWide = 32, kHigh = 8;  // a block
  const dim3 grid(course::divide_up(wide / 2, kWide), course::divide_up(high / 2, kHigh));
  drawing.write(picture_of(drawing.run(
                    run, bytes_of(pixels),
                    [&](const int* steps, const unsigned* colours, unsigned char* rgb) {
                      kernel<<<grid, dim3(kWide, kHigh)>>>(wide, high, steps, colours, rgb);
                    })),
                2);
}

const std::vector<course::Column> kColumns = {"kernel",
                                              {"load requests", "global_load_requests"},
                                              {"load sectors", "global_load_sectors"},
                                              {"efficiency %", "global_load_efficiency_pct"},
                                              {"distinct sectors", "distinct_sectors"},
                                              {"used %", "used_pct"},
                                              {"store sectors", "global_store_sectors"},
                                              "verified",
                                              {"ms", "time_ms"},
                                              {"used GB/s", "gb_per_s"}};

const std::vector<course::Column> kReorderColumns = {"kernel",
                                                     {"load requests", "global_load_requests"},
                                                     {"load sectors", "global_load_sectors"},
                                                     {"store requests", "global_store_requests"},
                                                     {"store sectors", "global_store_sectors"},
                                                     "verified",
                                                     {"ms", "time_ms"},
                                                     {"used GB/s", "gb_per_s"}};

const std::vector<course::Column> kPaintColumns = {
    "kernel",
    {"sectors loaded", "global_load_sectors / pieces"},
    {"sectors stored", "global_store_sectors / pieces"},
    "verified",
    {"ms", "time_ms"}};

}  // namespace

int main(int argc, char** argv) {
  course::Program program("06_aos_soa", "The same points in other places: what does a field cost?",
                          argc, argv);

  Choice c = {.n = course::default_for({.counting = 1 << 20, .timing = 1 << 25}), .block = 128};
  course::mandelbrot::Drawing drawing(program);
  program.option("n", c.n, "points", {0, 1 << 28});
  program.option("block", c.block, "threads of a block", {1, kBlockLimit});
  const auto update = [&](const char* kernel, const char* help, const Layout& layout, int moved,
                          const Launch& launch) {
    program.experiment(kernel, help, [&c, layout, moved, launch](course::Run& run) {
      run_update(run, c, layout, moved, launch);
    });
  };
  const float dx = kSteps[0], dy = kSteps[1], dz = kSteps[2];

  program.section("Points of two floats", kColumns);
  update("aos_update", "array of {x, y}", kStructures<2>, 2,
         [&](int blocks, const float* in, float* out) {
           aos_update<<<blocks, c.block>>>(c.n, dx, dy, as<Point>(in), as<Point>(out));
         });
  update("aos_update_x", "array of {x, y}, only x is moved", kStructures<2>, 1,
         [&](int blocks, const float*, float* out) {
           aos_update_x<<<blocks, c.block>>>(c.n, dx, as<Point>(out));
         });
  update("aos_aligned_update", "array of {x, y}, aligned to 8 bytes", kStructures<2>, 2,
         [&](int blocks, const float* in, float* out) {
           aos_aligned_update<<<blocks, c.block>>>(c.n, dx, dy, as<AlignedPoint>(in),
                                                   as<AlignedPoint>(out));
         });
  update("soa_update", "an array of x and one of y", kArrays<2>, 2,
         [&](int blocks, const float* in, float* out) {
           const std::size_t y = round_up(c.n, kWarpSize);
           soa_update<<<blocks, c.block>>>(c.n, dx, dy, in, in + y, out, out + y);
         });
  update("soa_update_x", "an array of x and one of y, only x is moved", kArrays<2>, 1,
         [&](int blocks, const float*, float* out) {
           soa_update_x<<<blocks, c.block>>>(c.n, dx, out);
         });
  update("aosoa_update", "array of {x[32], y[32]}", kTiles, 2,
         [&](int blocks, const float* in, float* out) {
           aosoa_update<<<blocks, c.block>>>(c.n, dx, dy, as<PointTile>(in), as<PointTile>(out));
         });

  program.section("Points of three floats", kColumns);
  update("aos3_update", "array of {x, y, z}", kStructures<3>, 3,
         [&](int blocks, const float* in, float* out) {
           aos3_update<<<blocks, c.block>>>(c.n, dx, dy, dz, as<Point3>(in), as<Point3>(out));
         });
  update("aos3_padded_update", "array of {x, y, z, unused}, aligned to 16 bytes", kStructures<3, 4>,
         3, [&](int blocks, const float* in, float* out) {
           aos3_padded_update<<<blocks, c.block>>>(c.n, dx, dy, dz, as<PaddedPoint3>(in),
                                                   as<PaddedPoint3>(out));
         });
  update("aos3_staged_update", "array of {x, y, z}, through shared memory", kStructures<3>, 3,
         [&](int blocks, const float* in, float* out) {
           const std::size_t tile_bytes = sizeof(Point3) * c.block;
           aos3_staged_update<<<blocks, c.block, tile_bytes>>>(c.n, dx, dy, dz, in, out);
         });
  update("soa3_update", "arrays of x, y and z", kArrays<3>, 3,
         [&](int blocks, const float* in, float* out) {
           const std::size_t y = round_up(c.n, kWarpSize), z = 2 * y;
           soa3_update<<<blocks, c.block>>>(c.n, dx, dy, dz, in, in + y, in + z, out, out + y,
                                            out + z);
         });

  program.section("Particles of eight floats, of which two are used", kColumns);
  program.experiment("aos8_drift", "array of particles, x moved by vx", [&](course::Run& run) {
    run_drift(run, c, kStructures<kParticleFields>, [&](int blocks, float* particles) {
      aos8_drift<<<blocks, c.block>>>(c.n, kTimeStep, as<Particle>(particles));
    });
  });
  program.experiment("soa8_drift", "an array per field, x moved by vx", [&](course::Run& run) {
    run_drift(run, c, kArrays<kParticleFields>, [&](int blocks, float* fields) {
      const std::size_t pitch = round_up(c.n, kWarpSize);
      soa8_drift<<<blocks, c.block>>>(c.n, kTimeStep, fields + kX * pitch, fields + kVx * pitch);
    });
  });

  program.section("Whole particles, in a random order", kReorderColumns);
  program.experiment("aos8_reorder", "array of particles", [&](course::Run& run) {
    run_reorder(run, c, kStructures<kParticleFields>,
                [&](int blocks, const int* order, const float* in, float* out) {
                  aos8_reorder<<<blocks, c.block>>>(c.n, order, as<Particle>(in),
                                                    as<Particle>(out));
                });
  });
  program.experiment("soa8_reorder", "an array per field", [&](course::Run& run) {
    run_reorder(run, c, kArrays<kParticleFields>,
                [&](int blocks, const int* order, const float* in, float* out) {
                  const int pitch = static_cast<int>(round_up(c.n, kWarpSize));
                  soa8_reorder<<<blocks, c.block>>>(c.n, pitch, order, in, out);
                });
  });

  program.section("The picture in bytes: for each 32 points", kPaintColumns);
  program.experiment("soften_bytes", "three bytes for each pixel", [&](course::Run& run) {
    run_soften(run, drawing, soften_bytes, course::mandelbrot::bytes_of,
               course::mandelbrot::from_bytes);
  });
  program.experiment("soften_planes", "an array for each colour", [&](course::Run& run) {
    run_soften(run, drawing, soften_planes, course::mandelbrot::planes_of,
               course::mandelbrot::from_planes);
  });
  return program.run();
}
