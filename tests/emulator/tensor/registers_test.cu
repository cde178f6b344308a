// Tests the basis of inline PTX: mma.sync on registers, ldmatrix and stmatrix.
#include <doctest/doctest.h>

#include <cstdint>

#include "../device/device_array.hpp"
#include "emulator/device_tensor.h"

namespace {

constexpr int kLanes = 32;
constexpr unsigned kMatrixElements = 64;

/// Loads four matrices whose element e of matrix x is 64 x + e, and stores them.
__global__ void there_and_back(bool transposed, std::uint32_t* registers, unsigned short* out) {
  __shared__ __align__(16) unsigned short in[4 * kMatrixElements], back[4 * kMatrixElements];
  for (unsigned i = threadIdx.x; i < 4 * kMatrixElements; i += kLanes)
    in[i] = static_cast<unsigned short>(i);
  __syncwarp();
  std::uint32_t r[4];
  emu::detail::load_matrices(in + 8 * threadIdx.x, r, transposed);
  for (int x = 0; x < 4; ++x) registers[4 * threadIdx.x + x] = r[x];
  emu::detail::store_matrices(back + 8 * threadIdx.x, r, transposed);
  __syncwarp();
  for (unsigned i = threadIdx.x; i < 4 * kMatrixElements; i += kLanes) out[i] = back[i];
}

/// One lane has a 1 in element `i` of A; element n of B's row p is 8 p + n.
__global__ void pick_row(int lane, int i, float* d) {
  using emu::tensor::Type;
  std::uint32_t a[4] = {}, b[2] = {};
  float c[4] = {};
  if (static_cast<int>(threadIdx.x) == lane) a[i / 2] = i % 2 == 0 ? 0x3f80 : 0x3f800000;
  const float first = 8 * (2 * (threadIdx.x % 4)) + threadIdx.x / 4;
  for (int r = 0; r < 2; ++r) {
    const float low = first + 64 * static_cast<float>(r), high = low + 8;
    b[r] = __float_as_uint(low) >> 16 | (__float_as_uint(high) & 0xffff0000);
  }
  emu::detail::mma_sync({16, 8, 16, Type::bf16, Type::bf16, Type::f32}, a, b, c, c);
  const unsigned row = threadIdx.x / 4, column = 2 * (threadIdx.x % 4);
  for (unsigned j = 0; j < 4; ++j) d[(row + 8 * (j / 2)) * 8 + column + j % 2] = c[j];
}

__global__ void without_one_lane() {
  using emu::tensor::Type;
  const std::uint32_t a[4] = {}, b[2] = {};
  float c[4] = {};
  if (threadIdx.x == 3) return;
  emu::detail::mma_sync({16, 8, 16, Type::bf16, Type::bf16, Type::f32}, a, b, c, c);
}

}  // namespace

TEST_CASE("ldmatrix gives each lane two neighbours of a row, or of a column; stmatrix takes them") {
  for (const bool transposed : {false, true}) {
    CAPTURE(transposed);
    DeviceArray<std::uint32_t> registers(4 * kLanes);
    DeviceArray<unsigned short> out(4 * kMatrixElements);
    there_and_back<<<1, kLanes>>>(transposed, registers.data(), out.data());
    require_finished();
    for (unsigned lane = 0; lane < kLanes; ++lane)
      for (unsigned x = 0; x < 4; ++x) {
        const unsigned far = lane / 4, near = 2 * (lane % 4), step = transposed ? 8 : 1;
        const unsigned low = 64 * x + (transposed ? 8 * near + far : 8 * far + near);
        CHECK(registers[4 * lane + x] == (low | (low + step) << 16));
      }
    for (unsigned i = 0; i < 4 * kMatrixElements; ++i) CHECK(out[i] == i);
  }
}

TEST_CASE("mma.sync takes A's, B's and D's elements from where the PTX ISA says") {
  DeviceArray<float> d(16 * 8);
  for (int lane : {0, 5, 31})
    for (int i = 0; i < 8; ++i) {
      pick_row<<<1, kLanes>>>(lane, i, d.data());
      require_finished();
      const int row = lane / 4 + (i / 2 % 2 == 0 ? 0 : 8);   // a0 a1 a4 a5: the upper rows
      const int p = lane % 4 * 2 + i % 2 + (i < 4 ? 0 : 8);  // a4 and later: k >= 8
      for (int at_row = 0; at_row < 16; ++at_row)
        for (int n = 0; n < 8; ++n)
          CHECK(d[static_cast<std::size_t>(at_row * 8 + n)] ==
                (at_row == row ? static_cast<float>(8 * p + n) : 0));
    }
}

TEST_CASE("a product without one of the lanes ends the kernel") {
  without_one_lane<<<1, kLanes>>>();
  CHECK(cudaDeviceSynchronize() == cudaErrorIllegalInstruction);
}
