// Tests that wgmma by inline PTX reads the host's matrices from shared memory, and adds like the
// model.
#include <cuda_fp16.h>
#include <doctest/doctest.h>

#include <iterator>
#include <utility>

#include "../device/device_array.hpp"
#include "ptx_digests.hpp"
#include "tensor/multiply.hpp"
#include "types.hpp"
#include "wgmma_cases.cuh"

namespace {

/// Returns D computed by the model, step by step of k.
std::vector<std::uint32_t> expected(const wgmma::Case& one, const wgmma::Matrices& m) {
  emu::tensor::Shape shape = tensor::shape_of(one.shape);
  shape.saturates = one.saturates;
  std::vector<std::uint32_t> d = m.c;
  if (!one.adds) d.assign(d.size(), 0);
  const auto part = [&](const std::vector<std::uint32_t>& all, int rows, int first, int sign,
                        const tensor::Format& format) {
    std::vector<std::uint32_t> words;
    for (int row = 0; row < rows; ++row)
      for (int p = 0; p < shape.k; ++p)
        words.push_back(all[static_cast<std::size_t>(row * one.k + first + p)] ^
                        (sign < 0 ? tensor::detail::sign_bit(format) : 0));
    return words;
  };
  for (int first = 0; first < one.k; first += shape.k) {
    const auto a = part(m.a, shape.m, first, one.a_sign, one.shape.a);
    const auto b = part(m.b, shape.n, first, one.b_sign, one.shape.b);
    emu::tensor::multiply(emu::tensor::kHopper, shape, a.data(), b.data(), d.data(), d.data());
  }
  return d;
}

constexpr int kK = 16, kWidths = 32;

/// Multiplies with n columns, A and B without a swizzle, each as a column of core matrices.
template <int n>
__global__ void multiply(const std::uint32_t* a, const std::uint32_t* b, float* d) {
  __shared__ __align__(16) std::uint32_t staged[(64 + n) * kK / 2];
  for (int i = threadIdx.x; i < 64 * kK / 2; i += wgmma::kThreads) staged[i] = a[i];
  for (int i = threadIdx.x; i < n * kK / 2; i += wgmma::kThreads) staged[64 * kK / 2 + i] = b[i];
  __syncthreads();
  const auto start = static_cast<std::uint64_t>(__cvta_generic_to_shared(staged));
  const auto descriptor = [&](std::uint64_t begins, std::uint64_t leading) {
    return (start + begins) >> 4 | leading >> 4 << 16 | std::uint64_t{128 >> 4} << 32;
  };
  std::uint32_t registers[n / 2] = {};
  emu::ptx::wgmma<emu::ptx::shape_<64, n, kK>, emu::ptx::none_, emu::ptx::f32_, emu::ptx::f16_,
                  emu::ptx::f16_>(registers, descriptor(0, 1024),
                                  descriptor(64 * kK * 2, n / 8 * 128), false, 1ll, 1ll, 0ll, 0ll);
  for (int i = 0; i < n / 2; ++i) d[threadIdx.x * (n / 2) + i] = __uint_as_float(registers[i]);
}

/// Row i of A has i + 1 in column i % 16; B's element in row p and column j is 1 + p + 2 j.
template <int n>
void check_columns() {
  CAPTURE(n);
  DeviceArray<std::uint32_t> a(64 * kK / 2), b(n * kK / 2);
  DeviceArray<float> d(64 * n);
  const auto put = [](DeviceArray<std::uint32_t>& image, int rows, int row, int p, int value) {
    auto* const halves = reinterpret_cast<__half*>(image.data());
    halves[p / 8 * rows * 8 + row * 8 + p % 8] = __half(value);
  };
  for (int p = 0; p < kK; ++p) {
    for (int i = 0; i < 64; ++i) put(a, 64, i, p, p == i % kK ? i + 1 : 0);
    for (int j = 0; j < n; ++j) put(b, n, j, p, 1 + p + 2 * j);
  }
  multiply<n><<<1, wgmma::kThreads>>>(a.data(), b.data(), d.data());
  require_finished();
  int wrong = 0;
  for (int thread = 0; thread < wgmma::kThreads; ++thread)
    for (int i = 0; i < n / 2; ++i) {
      const auto [row, column] = wgmma::place_in_d(thread, i);
      wrong += d[static_cast<std::size_t>(thread * (n / 2) + i)] !=
               static_cast<float>((row + 1) * (1 + row % kK + 2 * column));
    }
  CHECK(wrong == 0);
}

template <int... eighths>
void check_all_columns(std::integer_sequence<int, eighths...>) {
  (check_columns<8 * (eighths + 1)>(), ...);
}

constexpr int kDynamicBytes = 180000;

/// Returns the begin and end of dynamic memory, and whether its last byte can be read back.
__global__ void ends_of_dynamic(unsigned long long* out) {
  extern __shared__ char dynamic[];
  char* const last = dynamic + kDynamicBytes - 1;
  out[0] = __cvta_generic_to_shared(dynamic);
  out[1] = __cvta_generic_to_shared(last);
  out[2] = __cvta_shared_to_generic(out[1]) == last;
}

}  // namespace

TEST_CASE("wgmma has every number of columns from 8 to 256") {
  check_all_columns(std::make_integer_sequence<int, kWidths>());
}

TEST_CASE("wgmma reads A and B as their descriptors say, in every layout") {
  for (const wgmma::Case& one : wgmma::all_cases()) {
    INFO(one.name);
    const wgmma::Matrices m = wgmma::matrices(one.shape, one.k, one.seed());
    CHECK(one.run(one, m) == expected(one, m));
  }
}

TEST_CASE("what ptx_record.cu compares a GPU with is what the emulator gives") {
  std::size_t i = 0;
  tensor_ptx::for_results([&](const tensor_ptx::Result& result) {
    REQUIRE(i < std::size(tensor_ptx::kDigests));
    CHECK(result.first == tensor_ptx::kDigests[i].name);
    CHECK(tensor_ptx::digest_of(result) == tensor_ptx::kDigests[i].digest);
    ++i;
  });
  CHECK(i == std::size(tensor_ptx::kDigests));
}

TEST_CASE("what a kernel adds to a descriptor of dynamic memory does not carry") {
  // The kernels above use some 200,000 bytes of shared memory, at lower addresses.
  constexpr unsigned long long kDescribed = 1 << 18;  // bytes that a descriptor can address
  DeviceArray<unsigned long long> out(3);
  REQUIRE(cudaFuncSetAttribute(ends_of_dynamic, cudaFuncAttributeMaxDynamicSharedMemorySize,
                               kDynamicBytes) == cudaSuccess);
  ends_of_dynamic<<<1, 1, kDynamicBytes>>>(out.data());
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  CHECK(out[0] / kDescribed == out[1] / kDescribed);
  CHECK(out[1] == out[0] + kDynamicBytes - 1);
  CHECK(out[2] == 1);
}
