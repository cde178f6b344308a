// Tests cuda::std in kernels.
#include <doctest/doctest.h>

#include <cuda/std/algorithm>
#include <cuda/std/array>
#include <cuda/std/bit>
#include <cuda/std/cassert>
#include <cuda/std/cfloat>
#include <cuda/std/climits>
#include <cuda/std/cmath>
#include <cuda/std/complex>
#include <cuda/std/concepts>
#include <cuda/std/cstddef>
#include <cuda/std/cstdint>
#include <cuda/std/cstdlib>
#include <cuda/std/cstring>
#include <cuda/std/functional>
#include <cuda/std/initializer_list>
#include <cuda/std/iterator>
#include <cuda/std/limits>
#include <cuda/std/numbers>
#include <cuda/std/numeric>
#include <cuda/std/optional>
#include <cuda/std/ratio>
#include <cuda/std/span>
#include <cuda/std/tuple>
#include <cuda/std/type_traits>
#include <cuda/std/utility>

#include <cuda/ptx>

namespace {

namespace standard = cuda::std;

template <cuda::std::floating_point T>
__device__ cuda::std::optional<T> half_of(T x) {
  return x > 0 ? cuda::std::optional<T>(x / 2) : cuda::std::nullopt;
}

__global__ void use(cuda::std::span<float> out, cuda::std::array<int, 3> in) {
  static_assert(cuda::std::is_same_v<cuda::std::int32_t, int>);
  const auto [a, b] = cuda::std::make_tuple(in[0], in[2]);
  out[0] = static_cast<float>(a + b);
  out[1] = half_of(3.0f).value_or(0);
  out[2] = standard::bit_cast<float>(0x3f800000) + cuda::std::min(in[1], 7);
  out[3] = cuda::std::sqrt(cuda::std::numeric_limits<int>::max() > 0 ? 16.0f : 0.0f);
}

}  // namespace

TEST_CASE("cuda::std has the standard library's small parts, on the device as on the host") {
  cuda::std::array<int, 3> in{1, 20, 4};
  float* out = nullptr;
  REQUIRE(cudaMallocManaged(&out, 4 * sizeof(float)) == cudaSuccess);
  use<<<1, 1>>>({out, 4}, in);
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  CHECK(out[0] == 5);
  CHECK(out[1] == 1.5f);
  CHECK(out[2] == 8);
  CHECK(out[3] == 4);
  cudaFree(out);
}
