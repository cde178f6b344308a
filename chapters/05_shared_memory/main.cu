/// Shared memory: a picture is mirrored at its diagonal without it and through it, in tiles of
/// several pitches; single loads from its banks; and a table that a block copies there.

#include <algorithm>
#include <climits>
#include <cstdint>
#include <string>
#include <vector>

#include "course/backend.hpp"
#include "course/counters.hpp"
#include "course/divide_up.hpp"
#include "course/error.hpp"
#include "course/inputs.hpp"
#include "course/look_up.hpp"
#include "course/mandelbrot.hpp"
#include "course/memory.hpp"
#include "course/program.hpp"
#include "kernels.cuh"

namespace {

using course::divide_up;
using course::kWarpSize;

static_assert(course::look_up::kEntries == kTableEntries);
constexpr int kMostOfASide = 65535 * kTile;  // the blocks of a grid along y
constexpr int kRegisterRows = 128;           // of pixels, for a block of mirror_in_registers
constexpr int kBytesPerKib = 1024;
constexpr int kMostKib = 227;  // of shared memory, for a block of a Hopper GPU

/// A picture of random pixels.
struct Picture {
  int width, height;

  int pixels() const { return width * height; }
  /// For tiles of `in`.
  dim3 tiles() const { return dim3(divide_up(width, kTile), divide_up(height, kTile)); }
  Picture mirrored() const { return {height, width}; }
};

const dim3 kBlock(kTile, kTile);

using Byte = unsigned char;
constexpr int kMostByte = 254;  // of the pixels: 255 is what an output begins with

/// Returns random pixels, ints or bytes.
template <class Pixel = int>
std::vector<Pixel> pixels_of(const course::Run& run, const Picture& picture) {
  constexpr std::uint64_t kCopies = 5;  // on host and device
  course::require_host_memory(kCopies * sizeof(int) * static_cast<std::uint64_t>(picture.pixels()),
                              "the picture");
  constexpr int kMost = sizeof(Pixel) == sizeof(Byte) ? kMostByte : INT_MAX;
  const std::vector<int> pixels = course::random_ints(picture.pixels(), run.seed(), 0, kMost);
  return {pixels.begin(), pixels.end()};
}

template <class Pixel>
std::vector<Pixel> mirror(const std::vector<Pixel>& in, const Picture& picture) {
  std::vector<Pixel> out(in.size());
  for (int row = 0; row < picture.height; ++row)
    for (int col = 0; col < picture.width; ++col)
      out[static_cast<std::size_t>(col) * picture.height + row] =
          in[static_cast<std::size_t>(row) * picture.width + col];
  return out;
}

void describe(course::Run& run, const Picture& picture) {
  run.parameters({{"width", picture.width}, {"height", picture.height}});
  run.parameter("pieces", picture.pixels() / static_cast<double>(kWarpSize));
}

/// Runs `launch(in, out)`, and returns what it stores.
template <class Pixel, class Launch>
std::vector<Pixel> launched(course::Run& run, const Picture& picture,
                            const std::vector<Pixel>& pixels, Launch launch) {
  auto& in = run.input("in", pixels);
  auto& out = run.output<Pixel>("out", pixels.size());
  const double bytes = 1.0 * sizeof(Pixel) * picture.pixels();
  run.launch({.read_bytes = bytes, .written_bytes = bytes}, [&] {
    if (picture.pixels() > 0) launch(in.data(), out.data());
    course::check_launch();
  });
  return out.to_host();
}

void run_copy(course::Run& run, const Picture& p) {
  describe(run, p);
  const std::vector<int> pixels = pixels_of(run, p);
  const auto out = launched(run, p, pixels, [&](const int* in, int* to) {
    copy_picture<<<p.tiles(), kBlock>>>(p.width, p.height, in, to);
  });
  run.verify("out", course::compare(out, pixels));
}

/// Mirrors by `launch(in, out)`.
template <class Pixel = int, class Launch>
void run_mirror(course::Run& run, const Picture& p, Launch launch) {
  describe(run, p);
  const std::vector<Pixel> pixels = pixels_of<Pixel>(run, p);
  run.verify("out", course::compare(launched(run, p, pixels, launch), mirror(pixels, p)));
}

/// Mirrors by a kernel that wants tiles of `in`.
void run_tiles(course::Run& run, const Picture& p, decltype(mirror_tile)& kernel,
               const dim3& block = kBlock) {
  run_mirror(run, p, [&](const int* in, int* out) {
    kernel<<<p.tiles(), block>>>(p.width, p.height, in, out);
  });
}

/// Mirrors pixels of a byte by a kernel that wants tiles of `in`, with kEight for each thread.
void run_bytes(course::Run& run, const Picture& p, decltype(mirror_bytes_tile)& kernel) {
  run_mirror<Byte>(run, p, [&](const Byte* in, Byte* out) {
    kernel<<<p.tiles(), dim3(kTile, kTile / kEight)>>>(p.width, p.height, in, out);
  });
}

void run_columns(course::Run& run, const Picture& p) {
  run_mirror(run, p, [&](const int* in, int* out) {
    mirror_by_columns<<<p.mirrored().tiles(), kBlock>>>(p.width, p.height, in, out);
  });
}

void run_registers(course::Run& run, const Picture& p) {
  run_mirror(run, p, [&](const int* in, int* out) {
    const dim3 grid(divide_up(p.width, kTile), divide_up(p.height, kRegisterRows));
    mirror_in_registers<<<grid, dim3(kTile / 4, kTile)>>>(
        p.width, p.height, reinterpret_cast<const int4*>(in), reinterpret_cast<int4*>(out));
  });
}

/// How mirror_pitch is launched: the pitch of its tile, and how many KiB of shared memory it asks
/// for; 0: as many as the tile needs.
struct Tile {
  int pitch = kTile + 1;
  int kib = 0;

  int bytes() const {
    const int needed = kTile * pitch * static_cast<int>(sizeof(int));
    return std::max(needed, kib * kBytesPerKib);
  }
};

/// The most KiB of shared memory that a block can ask this device for.
int most_kib() {
  int device = 0, bytes = 0;
  course::check(cudaGetDevice(&device));
  course::check(cudaDeviceGetAttribute(&bytes, cudaDevAttrMaxSharedMemoryPerBlockOptin, device));
  return bytes / kBytesPerKib;
}

void run_pitch(course::Run& run, const Picture& p, Tile tile) {
  tile.kib = std::min(tile.kib, most_kib());  // not every GPU has as much as a Hopper GPU
  run.parameters({{"pitch", tile.pitch}, {"kib", tile.kib}});
  course::check(cudaFuncSetAttribute(mirror_pitch, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                     tile.bytes()));
  int blocks = 0;
  course::check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(
      &blocks, mirror_pitch, static_cast<int>(kBlock.x * kBlock.y), tile.bytes()));
  run.parameter("blocks", blocks);
  run_mirror(run, p, [&](const int* in, int* out) {
    mirror_pitch<<<p.tiles(), kBlock, tile.bytes()>>>(p.width, p.height, tile.pitch, in, out);
  });
}

/// The kernel that need not be right: counts what is wrong, and verifies that every pixel was
/// stored.
void run_no_barrier(course::Run& run, const Picture& p) {
  constexpr int kNotStored = INT_MIN;  // no pixel is, nor what shared memory begins with
  describe(run, p);
  const std::vector<int> pixels = pixels_of(run, p);
  auto& in = run.input("in", pixels);
  auto& out = run.in_out("out", std::vector<int>(pixels.size(), kNotStored));
  const double bytes = 1.0 * sizeof(int) * p.pixels();
  run.launch({.read_bytes = bytes, .written_bytes = bytes}, [&] {
    if (p.pixels() > 0)
      mirror_no_barrier<<<p.tiles(), kBlock>>>(p.width, p.height, in.data(), out.data());
    course::check_launch();
  });
  const std::vector<int> result = out.to_host();
  run.parameter("wrong", course::compare(result, mirror(pixels, p)).mismatches);
  std::vector<int> is_stored(result.size());
  std::ranges::transform(result, is_stored.begin(), [](int pixel) { return pixel != kNotStored; });
  run.verify("stored", course::compare(is_stored, std::vector<int>(result.size(), 1)));
}

/// One warp reads from shared memory.
template <class T, class Expected>
void run_read(course::Run& run, int stride, void (*kernel)(int, T*), Expected expected) {
  run.parameters({{"stride", stride}, {"bytes", static_cast<int>(sizeof(T))}});
  auto& out = run.output<int>("out", kWarpSize * sizeof(T) / sizeof(int));
  run.launch({.written_bytes = 1.0 * sizeof(T) * kWarpSize}, [&] {
    kernel<<<1, kWarpSize>>>(stride, reinterpret_cast<T*>(out.data()));
    course::check_launch();
  });
  std::vector<int> all;
  for (int lane = 0; lane < kWarpSize; ++lane)
    for (const int value : expected(lane * stride)) all.push_back(value);
  run.verify(out, all);
}

/// Paints a picture with soft edges, with blocks of this shape and a grid that covers width x
/// height.
void run_soften(course::Run& run, course::mandelbrot::Drawing& drawing, const dim3& block,
                int width, int height, decltype(soften_alone)& kernel) {
  namespace mandelbrot = course::mandelbrot;
  const auto palette = mandelbrot::palette_of(mandelbrot::kMost);
  const int wide = drawing.wide(), high = drawing.high();
  const auto expected = mandelbrot::soften(mandelbrot::paint(drawing.steps(), palette), wide, high);
  const dim3 grid(divide_up(width, static_cast<int>(block.x)),
                  divide_up(height, static_cast<int>(block.y)));
  drawing.write(drawing.run(run, expected,
                            [&](const int* steps, const unsigned* colours, unsigned* picture) {
                              kernel<<<grid, block>>>(wide, high, steps, colours, picture);
                            }),
                2);
}

/// What is wrong with the sizes, in one line; nothing if they can be run.
std::string complaint(const Picture& p) {
  if (1LL * p.width * p.height > INT_MAX) return "--width x --height: at most 2147483647";
  if (p.width % 4 != 0 || p.height % 4 != 0) return "--width, --height: multiples of 4";
  return "";
}

const std::vector<course::Column> kMirrorColumns = {
    "kernel",
    {"sectors loaded", "global_load_sectors / pieces"},
    {"sectors stored", "global_store_sectors / pieces"},
    {"wavefronts in", "shared_store_wavefronts / pieces"},
    {"wavefronts out", "shared_load_wavefronts / pieces"},
    "verified",
    {"ms", "time_ms"},
    {"GB/s", "gb_per_s"}};

const std::vector<course::Column> kPitchColumns = {
    "kernel",
    "pitch",
    {"KiB asked for", "kib"},
    {"blocks per SM", "blocks"},
    {"wavefronts out", "shared_load_wavefronts / pieces"},
    "verified",
    {"ms", "time_ms"},
    {"GB/s", "gb_per_s"}};

const std::vector<course::Column> kReadColumns = {"kernel",
                                                  {"bytes a lane", "bytes"},
                                                  "stride",
                                                  {"wavefronts", "shared_load_wavefronts"},
                                                  {"at best", "shared_load_wavefronts_ideal"},
                                                  "verified"};

const std::vector<course::Column> kLookUpColumns = {"kernel",
                                                    {"entries/warp", "distinct"},
                                                    {"global requests", "global_load_requests"},
                                                    {"global sectors", "global_load_sectors"},
                                                    {"shared requests", "shared_load_requests"},
                                                    "verified",
                                                    {"ms", "time_ms"}};

const std::vector<course::Column> kNoBarrierColumns = {
    "kernel", {"wrong pixels", "wrong"}, "verified", {"ms", "time_ms"}};

const std::vector<course::Column> kPaintColumns = {
    "kernel",
    {"sectors loaded", "global_load_sectors / pieces"},
    {"sectors stored", "global_store_sectors / pieces"},
    "verified",
    {"ms", "time_ms"}};

}  // namespace

int main(int argc, char** argv) {
  course::Program program("05_shared_memory", "What is a memory worth that you fill yourself?",
                          argc, argv);

  Picture picture = {course::default_for({.counting = 256, .timing = 8192}),
                     course::default_for({.counting = 128, .timing = 8192})};
  std::vector<int> pitches = {32, 33, 34, 36, 40, 48};
  std::vector<int> kibs = {120};
  std::vector<int> strides = {1, 2, 32, 33};
  int sums = course::default_for({.counting = 1 << 14, .timing = 1 << 22});
  int rounds = 32;
  std::vector<int> distinct = {1, 4, kWarpSize};
  course::mandelbrot::Drawing drawing(program);
  program.option("width", picture.width, "pixels of a row", {0, kMostOfASide});
  program.option("height", picture.height, "rows of the picture", {0, kMostOfASide});
  program.option("pitch", pitches, "words from row to row of the tile", {kTile, 128});
  program.option("kib", kibs, "KiB of shared memory that a block asks for", {0, kMostKib});
  program.option("stride", strides, "between what neighbouring lanes read", {1, 33});
  program.option("sums", sums, "sums of table entries, one per thread", {0, 1 << 29});
  program.option("rounds", rounds, "entries in a sum", {0, 1 << 16});
  program.option("distinct", distinct, "different entries that a warp reads at a time",
                 {1, kWarpSize});

  std::vector<Tile> tiles;
  program.require([&] {
    for (const int pitch : pitches) tiles.push_back({.pitch = pitch});
    for (const int kib : kibs) tiles.push_back({.kib = kib});
    return complaint(picture);
  });

  program.section("A picture, mirrored at its diagonal: for each 32 pixels", kMirrorColumns);
  program.experiment("copy_picture", "as many bytes, nothing to rearrange",
                     [&](course::Run& run) { run_copy(run, picture); });
  program.experiment("mirror_by_rows",
                     "along rows of the picture, down columns of the mirrored one",
                     [&](course::Run& run) { run_tiles(run, picture, mirror_by_rows); });
  program.experiment("mirror_by_columns", "down columns of the picture, along rows of the other",
                     [&](course::Run& run) { run_columns(run, picture); });
  program.experiment("mirror_by_pieces", "a piece of 4 x 8 pixels for each warp",
                     [&](course::Run& run) { run_tiles(run, picture, mirror_by_pieces); });
  program.experiment("mirror_pieces_four", "the same with four pixels for each thread",
                     [&](course::Run& run) {
                       run_tiles(run, picture, mirror_pieces_four, dim3(kTile, kTile / kFour));
                     });
  program.experiment("mirror_in_registers", "4 x 4 pixels for each thread",
                     [&](course::Run& run) { run_registers(run, picture); });
  program.experiment("mirror_tile", "through a tile in shared memory",
                     [&](course::Run& run) { run_tiles(run, picture, mirror_tile); });
  program.experiment("mirror_padded", "through a tile with a column more",
                     [&](course::Run& run) { run_tiles(run, picture, mirror_padded); });
  program.experiment(
      "mirror_four", "through that tile with four pixels for each thread",
      [&](course::Run& run) { run_tiles(run, picture, mirror_four, dim3(kTile, kTile / kFour)); });

  program.section("The same with pixels of one byte, eight for each thread", kMirrorColumns);
  program.experiment("mirror_bytes_pieces", "a piece of 4 x 8 pixels for each warp",
                     [&](course::Run& run) { run_bytes(run, picture, mirror_bytes_pieces); });
  program.experiment("mirror_bytes_tile", "through a tile in shared memory",
                     [&](course::Run& run) { run_bytes(run, picture, mirror_bytes_tile); });

  program.section("The pitch of the tile, and how much shared memory a block asks for",
                  kPitchColumns);
  program.experiment("mirror_pitch", "through a tile whose rows have any pitch", tiles,
                     [&](course::Run& run, const Tile& tile) { run_pitch(run, picture, tile); });

  program.section("One load of a warp from shared memory", kReadColumns);
  using Values = std::vector<int>;
  program.experiment("read_4_bytes", "an int for each lane", strides,
                     [&](course::Run& run, int stride) {
                       run_read(run, stride, read_4_bytes, [](int k) { return Values{k}; });
                     });
  program.experiment("read_8_bytes", "two ints for each lane", strides,
                     [&](course::Run& run, int stride) {
                       run_read(run, stride, read_8_bytes, [](int k) { return Values{k, -k}; });
                     });
  program.experiment(
      "read_16_bytes", "four ints for each lane", strides, [&](course::Run& run, int stride) {
        run_read(run, stride, read_16_bytes, [](int k) { return Values{k, -k, 2 * k, 3}; });
      });

  program.section("A table of 256 floats, copied by each block", kLookUpColumns);
  program.experiment("look_up_shared", "a copy of chapter 04's table in each block's shared memory",
                     distinct, [&](course::Run& run, int entries) {
                       course::look_up::run_sums(
                           run, {sums, rounds, entries},
                           [&](int blocks, const float* table, const int* first, float* out) {
                             look_up_shared<<<blocks, course::look_up::kThreads>>>(
                                 sums, rounds, table, first, out);
                           });
                     });

  program.section("The picture with soft edges: for each 32 points", kPaintColumns);
  program.experiment("soften_alone", "four points for each thread", [&](course::Run& run) {
    run_soften(run, drawing, dim3(32, 8), drawing.wide() / 2, drawing.high() / 2, soften_alone);
  });
  program.experiment("soften_together", "a point for each thread, and a tile of colours",
                     [&](course::Run& run) {
                       run_soften(run, drawing, dim3(kPointsWide, kPointsHigh), drawing.wide(),
                                  drawing.high(), soften_together);
                     });

  program.section("A tile without its barrier", kNoBarrierColumns);
  program.experiment("mirror_no_barrier", "mirror_padded without its barrier",
                     [&](course::Run& run) { run_no_barrier(run, picture); });
  program.note("verified here: every pixel was stored, rightly or not");
  return program.run();
}
