/// Checks what chapters/05_shared_memory/README.md says of the mirrored picture.

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <optional>
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
using course::divide_up;
using course_test::kWarpSize;
using course_test::launch;
using course_test::RequestModel;

namespace {

constexpr int kTile = 32, kFour = 4, kRegisterRows = 128;
constexpr int kWide = 4, kHigh = 8;  // a piece
constexpr int kEight = 8;            // bytes of a thread
using Byte = unsigned char;

struct Size {
  int width, height;
  int pixels() const { return width * height; }
  Size mirrored() const { return {height, width}; }
  dim3 tiles() const { return dim3(divide_up(width, kTile), divide_up(height, kTile)); }
};

const std::vector<Size> kSizes = {{0, 0},   {0, 5},   {5, 0},   {1, 1},   {32, 32}, {31, 33},
                                  {33, 31}, {64, 32}, {1, 100}, {100, 1}, {70, 45}, {96, 128}};

std::vector<int> mirrored(const std::vector<int>& in, Size s) {
  std::vector<int> out;
  for (int col = 0; col < s.width; ++col)
    for (int row = 0; row < s.height; ++row) out.push_back(in[row * s.width + col]);
  return out;
}

/// Calls `warp(cols, row)` for every warp that processes a picture of this size in tiles: its row,
/// and the columns of its lanes inside the picture.
template <class Warp>
void for_each_row(Size s, Warp warp) {
  for (int top = 0; top < s.height; top += kTile)
    for (int left = 0; left < s.width; left += kTile)
      for (int row = top; row < std::min(top + kTile, s.height); ++row) {
        std::vector<int> cols(std::min(kTile, s.width - left));
        std::iota(cols.begin(), cols.end(), left);
        warp(cols, row);
      }
}

/// Returns the requests along the rows of a picture.
course::GlobalCounters along_rows(Size s, int pixel_bytes = sizeof(int)) {
  RequestModel model;
  for_each_row(s, [&](const std::vector<int>& cols, int row) {
    std::vector<std::int64_t> elements;
    for (const int col : cols) elements.push_back(row * s.width + col);
    model.request(elements, pixel_bytes);
  });
  return model.counters();
}

/// Returns the requests for the same pixels at their positions in the mirrored picture.
course::GlobalCounters down_columns(Size s) {
  RequestModel model;
  for_each_row(s, [&](const std::vector<int>& cols, int row) {
    std::vector<std::int64_t> elements;
    for (const int col : cols) elements.push_back(col * s.height + row);
    model.request(elements, sizeof(int));
  });
  return model.counters();
}

/// Returns the requests for pieces of kWide x kHigh pixels, each by a warp, at
/// `position(col, row)`.
template <class Position>
course::GlobalCounters in_pieces(Size s, Position position, int pixel_bytes = sizeof(int)) {
  RequestModel model;
  for (int top = 0; top < s.height; top += kHigh)
    for (int left = 0; left < s.width; left += kWide) {
      std::vector<std::int64_t> elements;
      for (int row = top; row < std::min(top + kHigh, s.height); ++row)
        for (int col = left; col < std::min(left + kWide, s.width); ++col)
          elements.push_back(position(col, row));
      model.request(elements, pixel_bytes);
    }
  return model.counters();
}

/// Returns the wavefronts of loads that read rows of the mirrored picture from tiles of this pitch.
std::uint64_t column_wavefronts(Size s, int pitch) {
  std::uint64_t wavefronts = 0;
  for_each_row(s.mirrored(), [&](const std::vector<int>& cols, int) {
    std::array<std::uint64_t, kWarpSize> words{};
    for (std::size_t lane = 0; lane < cols.size(); ++lane) ++words[lane * pitch % kWarpSize];
    wavefronts += *std::max_element(words.begin(), words.end());
  });
  return wavefronts;
}

/// The output of a kernel and its costs.
struct Result {
  std::vector<int> out;
  std::optional<course::Counters> counted;
};

template <class Launch>
Result run(Size s, Launch start) {
  const DeviceBuffer<int> in(course::random_ints(s.pixels(), /*seed=*/6, 0, 1 << 30), "in");
  DeviceBuffer<int> out(s.pixels(), "out");
  out.poison();
  const auto counted = course::count([&] {
    if (s.pixels() > 0) start(in.data(), out.data());
    course::check_launch();
  });
  return {out.to_host(), counted};
}

std::vector<int> pixels_of(Size s) {
  return course::random_ints(s.pixels(), /*seed=*/6, 0, 1 << 30);
}

Result run_in_tiles(Mirror* kernel, Size s, const dim3& block = dim3(kTile, kTile)) {
  return run(s, [&](const int* in, int* out) {
    launch(kernel, {s.tiles(), block}, s.width, s.height, in, out);
  });
}

Result run_pitch(Size s, int pitch) {
  return run(s, [&](const int* in, int* out) {
    launch(kernels_under_test().mirror_pitch,
           {s.tiles(), dim3(kTile, kTile), kTile * pitch * sizeof(int)}, s.width, s.height, pitch,
           in, out);
  });
}

Result run_registers(Size s) {
  return run(s, [&](const int* in, int* out) {
    const dim3 grid(divide_up(s.width, kTile), divide_up(s.height, kRegisterRows));
    launch(kernels_under_test().mirror_in_registers, {grid, dim3(kTile / 4, kTile)}, s.width,
           s.height, reinterpret_cast<const int4*>(in), reinterpret_cast<int4*>(out));
  });
}

/// Checks the costs of a kernel that uses a tile of this pitch.
void check_tile_cost(const course::Counters& c, Size s, int pitch) {
  CHECK(c.global_load == along_rows(s));
  CHECK(c.global_store == along_rows(s.mirrored()));
  CHECK(c.shared_store.requests == c.global_load.requests);
  CHECK(c.shared_store.wavefronts == c.global_load.requests);
  CHECK(c.shared_load.requests == c.global_store.requests);
  CHECK(c.shared_load.wavefronts == column_wavefronts(s, pitch));
}

}  // namespace

TEST_CASE("copy_picture copies, along rows on both sides") {
  for (const Size s : kSizes) {
    CAPTURE(s.width);
    CAPTURE(s.height);
    const Result result = run_in_tiles(kernels_under_test().copy_picture, s);
    CHECK(result.out == pixels_of(s));
    if (!result.counted) continue;
    CHECK(result.counted->global_load == along_rows(s));
    CHECK(result.counted->global_store == along_rows(s));
  }
}

TEST_CASE("mirror_by_rows loads rows, and stores down columns") {
  for (const Size s : kSizes) {
    CAPTURE(s.width);
    CAPTURE(s.height);
    const Result result = run_in_tiles(kernels_under_test().mirror_by_rows, s);
    CHECK(result.out == mirrored(pixels_of(s), s));
    if (!result.counted) continue;
    CHECK(result.counted->global_load == along_rows(s));
    CHECK(result.counted->global_store == down_columns(s));
  }
}

TEST_CASE("mirror_by_columns loads down columns, and stores rows") {
  for (const Size s : kSizes) {
    CAPTURE(s.width);
    CAPTURE(s.height);
    const Result result = run(s, [&](const int* in, int* out) {
      launch(kernels_under_test().mirror_by_columns, {s.mirrored().tiles(), dim3(kTile, kTile)},
             s.width, s.height, in, out);
    });
    CHECK(result.out == mirrored(pixels_of(s), s));
    if (!result.counted) continue;
    CHECK(result.counted->global_load == down_columns(s.mirrored()));
    CHECK(result.counted->global_store == along_rows(s.mirrored()));
  }
}

namespace {

/// Checks a kernel whose warps take pieces on both sides.
void check_pieces(Mirror* kernel, const dim3& block) {
  for (const Size s : kSizes) {
    CAPTURE(s.width);
    CAPTURE(s.height);
    const Result result = run_in_tiles(kernel, s, block);
    CHECK(result.out == mirrored(pixels_of(s), s));
    if (!result.counted) continue;
    CHECK(result.counted->global_load ==
          in_pieces(s, [&](int col, int row) { return row * s.width + col; }));
    CHECK(result.counted->global_store ==
          in_pieces(s, [&](int col, int row) { return col * s.height + row; }));
    CHECK(result.counted->shared_load.requests == 0);
  }
  const Result whole = run_in_tiles(kernel, {64, 96}, block);
  if (!whole.counted) return;
  CHECK(whole.counted->global_load.requests == 64 * 96 / kWarpSize);
  CHECK(whole.counted->global_load.sectors == 8 * whole.counted->global_load.requests);
  CHECK(whole.counted->global_store.sectors == 4 * whole.counted->global_store.requests);
}

}  // namespace

TEST_CASE("mirror_by_pieces loads 8 sectors for a warp, and stores 4") {
  check_pieces(kernels_under_test().mirror_by_pieces, dim3(kTile, kTile));
}

TEST_CASE("mirror_pieces_four costs the same, with a quarter of the threads") {
  check_pieces(kernels_under_test().mirror_pieces_four, dim3(kTile, kTile / kFour));
}

TEST_CASE("mirror_in_registers mirrors pictures of 4 x 4 pixels and more, in full sectors") {
  for (const Size s : {Size{0, 0}, {4, 4}, {32, 128}, {36, 132}, {28, 124}, {100, 4}, {4, 200}}) {
    CAPTURE(s.width);
    CAPTURE(s.height);
    const Result result = run_registers(s);
    CHECK(result.out == mirrored(pixels_of(s), s));
  }
  const Size s = {64, 256};
  const Result result = run_registers(s);
  if (!result.counted) return;
  const std::uint64_t requests = s.pixels() / (4 * kWarpSize);
  for (const auto& side : {result.counted->global_load, result.counted->global_store}) {
    CHECK(side.requests == requests);
    CHECK(side.sectors == 16 * requests);
    CHECK(side.bytes == 4ull * s.pixels());
  }
  CHECK(result.counted->shared_load.requests == 0);
}

TEST_CASE("mirror_tile goes along rows on both sides: 32 wavefronts for a column of its tile") {
  for (const Size s : kSizes) {
    CAPTURE(s.width);
    CAPTURE(s.height);
    const Result result = run_in_tiles(kernels_under_test().mirror_tile, s);
    CHECK(result.out == mirrored(pixels_of(s), s));
    if (result.counted) check_tile_cost(*result.counted, s, kTile);
  }
  const Result whole = run_in_tiles(kernels_under_test().mirror_tile, {64, 96});
  if (!whole.counted) return;
  CHECK(whole.counted->global_load.sectors == 4 * whole.counted->global_load.requests);
  CHECK(whole.counted->global_store.sectors == 4 * whole.counted->global_store.requests);
  CHECK(whole.counted->shared_load.wavefronts == 32 * whole.counted->shared_load.requests);
}

TEST_CASE("mirror_padded: a column more, and one wavefront is enough") {
  for (const Size s : kSizes) {
    CAPTURE(s.width);
    CAPTURE(s.height);
    const Result result = run_in_tiles(kernels_under_test().mirror_padded, s);
    CHECK(result.out == mirrored(pixels_of(s), s));
    if (!result.counted) continue;
    check_tile_cost(*result.counted, s, kTile + 1);
    CHECK(result.counted->shared_load.wavefronts == result.counted->shared_load.requests);
  }
}

TEST_CASE("mirror_four costs what mirror_padded does, with a quarter of the warps at its barrier") {
  for (const Size s : kSizes) {
    CAPTURE(s.width);
    CAPTURE(s.height);
    const Result result =
        run_in_tiles(kernels_under_test().mirror_four, s, dim3(kTile, kTile / kFour));
    CHECK(result.out == mirrored(pixels_of(s), s));
    if (!result.counted) continue;
    check_tile_cost(*result.counted, s, kTile + 1);
    CHECK(result.counted->barriers == s.tiles().x * s.tiles().y * kTile / kFour);
  }
}

TEST_CASE("mirror_pitch: as many wavefronts as pitch and 32 have for a common divisor") {
  for (const int pitch : {32, 33, 34, 35, 36, 40, 48, 64, 65}) {
    CAPTURE(pitch);
    for (const Size s : kSizes) {
      CAPTURE(s.width);
      CAPTURE(s.height);
      const Result result = run_pitch(s, pitch);
      CHECK(result.out == mirrored(pixels_of(s), s));
      if (result.counted) check_tile_cost(*result.counted, s, pitch);
    }
    const Result whole = run_pitch({64, 64}, pitch);
    if (!whole.counted) continue;
    CHECK(whole.counted->shared_load.wavefronts ==
          std::gcd(pitch, kWarpSize) * whole.counted->shared_load.requests);
  }
}

namespace {

struct ByteResult {
  std::vector<Byte> out, expected;
  std::optional<course::Counters> counted;
};

/// Mirrors pixels of a byte. None is 255, which is what poison leaves.
ByteResult run_bytes(MirrorBytes* kernel, Size s) {
  const std::vector<int> pixels = course::random_ints(s.pixels(), /*seed=*/6, 0, 254);
  const DeviceBuffer<Byte> in(std::vector<Byte>(pixels.begin(), pixels.end()), "in");
  DeviceBuffer<Byte> out(s.pixels(), "out");
  out.poison();
  const auto counted = course::count([&] {
    if (s.pixels() > 0)
      launch(kernel, {s.tiles(), dim3(kTile, kTile / kEight)}, s.width, s.height, in.data(),
             out.data());
    course::check_launch();
  });
  const std::vector<int> expected = mirrored(pixels, s);
  return {out.to_host(), {expected.begin(), expected.end()}, counted};
}

}  // namespace

TEST_CASE("mirror_bytes_pieces loads 8 sectors and stores 4, of which it uses an eighth") {
  for (const Size s : kSizes) {
    CAPTURE(s.width);
    CAPTURE(s.height);
    const ByteResult result = run_bytes(kernels_under_test().mirror_bytes_pieces, s);
    CHECK(result.out == result.expected);
    if (!result.counted) continue;
    CHECK(result.counted->global_load ==
          in_pieces(
              s, [&](int col, int row) { return row * s.width + col; }, sizeof(Byte)));
    CHECK(result.counted->global_store ==
          in_pieces(
              s, [&](int col, int row) { return col * s.height + row; }, sizeof(Byte)));
  }
  const ByteResult whole = run_bytes(kernels_under_test().mirror_bytes_pieces, {64, 96});
  if (!whole.counted) return;
  CHECK(whole.counted->global_load.sectors == 8 * whole.counted->global_load.requests);
  CHECK(whole.counted->global_store.sectors == 4 * whole.counted->global_store.requests);
}

TEST_CASE("mirror_bytes_tile loads and stores a sector for each warp, without bank conflicts") {
  for (const Size s : kSizes) {
    CAPTURE(s.width);
    CAPTURE(s.height);
    const ByteResult result = run_bytes(kernels_under_test().mirror_bytes_tile, s);
    CHECK(result.out == result.expected);
    if (!result.counted) continue;
    CHECK(result.counted->global_load == along_rows(s, sizeof(Byte)));
    CHECK(result.counted->global_store == along_rows(s.mirrored(), sizeof(Byte)));
    CHECK(result.counted->shared_store.wavefronts == result.counted->shared_store.requests);
    CHECK(result.counted->shared_load.wavefronts == result.counted->shared_load.requests);
  }
  const ByteResult whole = run_bytes(kernels_under_test().mirror_bytes_tile, {64, 96});
  if (!whole.counted) return;
  CHECK(whole.counted->global_load.sectors == whole.counted->global_load.requests);
  CHECK(whole.counted->global_store.sectors == whole.counted->global_store.requests);
}

TEST_CASE("mirror_no_barrier costs what mirror_padded does, but for a barrier") {
  for (const Size s : kSizes) {
    CAPTURE(s.width);
    CAPTURE(s.height);
    Result result;
    course::without_checking(
        [&] { result = run_in_tiles(kernels_under_test().mirror_no_barrier, s); });
    if (!result.counted) return;
    check_tile_cost(*result.counted, s, kTile + 1);
    CHECK(result.counted->barriers == 0);
    const Result right = run_in_tiles(kernels_under_test().mirror_padded, s);
    CHECK(right.counted->barriers == s.tiles().x * s.tiles().y * kTile);
  }
}
