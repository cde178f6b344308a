// Tests nvcuda::wmma: the lanes' elements as on an H200, products, and counters.
#include <doctest/doctest.h>
#include <mma.h>

#include <cstring>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "../device/device_array.hpp"

namespace {

namespace wmma = nvcuda::wmma;

constexpr int kLanes = 32;

template <class Fragment, class Memory>
__global__ void load_operand(const Memory* matrix, int stride, Memory* elements) {
  Fragment f;
  wmma::load_matrix_sync(f, matrix, static_cast<unsigned>(stride));
  for (int i = 0; i < f.num_elements; ++i)
    elements[static_cast<int>(threadIdx.x) * f.num_elements + i] = f.x[i];
}
template <class Fragment, class Memory>
__global__ void load_accumulator(const Memory* matrix, int stride, Memory* elements) {
  Fragment f;
  wmma::load_matrix_sync(f, matrix, static_cast<unsigned>(stride), wmma::mem_row_major);
  for (int i = 0; i < f.num_elements; ++i)
    elements[static_cast<int>(threadIdx.x) * f.num_elements + i] = f.x[i];
}

/// Returns the record's line of a fragment: the number of elements per lane, and their indices.
std::vector<unsigned> recorded(const std::string& name) {
  std::ifstream record("tensor_h200.txt");
  const std::string start = "layout " + name + " ";
  for (std::string line; std::getline(record, line);) {
    if (!line.starts_with(start)) continue;
    std::istringstream in(line.substr(start.size()));
    std::size_t elements = 0;
    in >> elements >> std::hex;
    std::vector<unsigned> numbers;
    for (unsigned number = 0; in >> number;) numbers.push_back(number);
    REQUIRE(numbers.size() == elements * kLanes);
    return numbers;
  }
  return {};
}

/// Returns the indices in memory of the elements that `kernel` gives to each lane.
template <class Fragment, class Memory, class Kernel>
std::vector<unsigned> dealt(Kernel kernel, int elements, int stride) {
  constexpr int kParts = sizeof(Memory) == 1 ? 2 : 1;  // a byte holds half of an index
  constexpr int kBits = 8;
  std::vector<unsigned> numbers(static_cast<std::size_t>(kLanes) * Fragment::num_elements);
  for (int part = 0; part < kParts; ++part) {
    DeviceArray<Memory> matrix(static_cast<std::size_t>(elements)), out(numbers.size());
    for (int i = 0; i < elements; ++i) {
      const int number = i >> (kBits * part);
      std::memcpy(static_cast<void*>(&matrix[static_cast<std::size_t>(i)]), &number,
                  sizeof(Memory));
    }
    kernel<<<1, kLanes>>>(matrix.data(), stride, out.data());
    require_finished();
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      unsigned bits = 0;
      std::memcpy(&bits, &out[i], sizeof(Memory));
      numbers[i] |= bits << (kBits * part);
    }
  }
  return numbers;
}

template <class Use, int m, int n, int k, class T, class Layout, class Memory>
void check_operand(const std::string& name, int elements, int stride) {
  CAPTURE(name);
  using Fragment = wmma::fragment<Use, m, n, k, T, Layout>;
  CHECK(dealt<Fragment, Memory>(load_operand<Fragment, Memory>, elements, stride) ==
        recorded(name));
}
template <int m, int n, int k, class T, class Memory>
void check_operands(const std::string& name) {
  using wmma::matrix_a, wmma::matrix_b, wmma::row_major, wmma::col_major;
  check_operand<matrix_a, m, n, k, T, row_major, Memory>(name + " a row", m * k, k);
  check_operand<matrix_a, m, n, k, T, col_major, Memory>(name + " a col", m * k, m);
  check_operand<matrix_b, m, n, k, T, row_major, Memory>(name + " b row", k * n, n);
  check_operand<matrix_b, m, n, k, T, col_major, Memory>(name + " b col", k * n, k);
}
template <int m, int n, int k, class T>
void check_accumulator(const std::string& name) {
  CAPTURE(name);
  using Fragment = wmma::fragment<wmma::accumulator, m, n, k, T>;
  CHECK(dealt<Fragment, T>(load_accumulator<Fragment, T>, m * n, n) == recorded(name));
}
template <int m, int n>
void check_size(const std::string& size) {
  check_operands<m, n, 16, __half, __half>(size + "k16 f16");
  check_operands<m, n, 16, __nv_bfloat16, __nv_bfloat16>(size + "k16 bf16");
  check_operands<m, n, 16, signed char, signed char>(size + "k16 s8");
  check_operands<m, n, 16, unsigned char, unsigned char>(size + "k16 u8");
  check_accumulator<m, n, 16, __half>(size + "k16 f16 c row");
  check_accumulator<m, n, 16, float>(size + "k16 f32 c row");
  check_accumulator<m, n, 16, int>(size + "k16 s32 c row");
}

template <int m, int n, int k, class T, class C, class Memory>
__global__ void multiply(const Memory* a, const Memory* b, C* c) {
  wmma::fragment<wmma::matrix_a, m, n, k, T, wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b, m, n, k, T, wmma::col_major> fb;
  wmma::fragment<wmma::accumulator, m, n, k, C> fc;
  wmma::fill_fragment(fc, static_cast<C>(1.0f));
  wmma::load_matrix_sync(fa, a, k);
  wmma::load_matrix_sync(fb, b, k);
  wmma::mma_sync(fc, fa, fb, fc);
  wmma::store_matrix_sync(c, fc, n, wmma::mem_row_major);
}

/// Multiplies small integers, which are exact in every format.
template <int m, int n, int k, class T, class C, class Memory>
void check_product() {
  DeviceArray<Memory> a(m * k), b(n * k);
  DeviceArray<C> c(m * n);
  const auto of_a = [](int i) { return i * 7 % 5; };
  const auto of_b = [](int i) { return i * 11 % 3; };
  for (int i = 0; i < m * k; ++i)
    a[static_cast<std::size_t>(i)] = static_cast<Memory>(static_cast<float>(of_a(i)));
  for (int i = 0; i < n * k; ++i)
    b[static_cast<std::size_t>(i)] = static_cast<Memory>(static_cast<float>(of_b(i)));
  multiply<m, n, k, T><<<1, kLanes>>>(a.data(), b.data(), c.data());
  require_finished();
  for (int i = 0; i < m; ++i)
    for (int j = 0; j < n; ++j) {
      int sum = 1;
      for (int p = 0; p < k; ++p) sum += of_a(i * k + p) * of_b(j * k + p);
      CAPTURE(i);
      CAPTURE(j);
      CHECK(static_cast<float>(c[static_cast<std::size_t>(i * n + j)]) == static_cast<float>(sum));
    }
}
template <int m, int n>
void check_products() {
  check_product<m, n, 16, __half, float, __half>();
  check_product<m, n, 16, __half, __half, __half>();
  check_product<m, n, 16, __nv_bfloat16, float, __nv_bfloat16>();
  check_product<m, n, 16, signed char, int, signed char>();
  check_product<m, n, 16, unsigned char, int, unsigned char>();
}

}  // namespace

TEST_CASE("each lane has the elements that it has on an H200") {
  check_size<16, 16>("m16n16");
  check_size<32, 8>("m32n8");
  check_size<8, 32>("m8n32");
  check_operands<16, 16, 8, wmma::precision::tf32, float>("m16n16k8 tf32");
  check_accumulator<16, 16, 8, float>("m16n16k8 f32 c row");
}

TEST_CASE("products of every shape and type") {
  check_products<16, 16>();
  check_products<32, 8>();
  check_products<8, 32>();
  check_product<16, 16, 8, wmma::precision::tf32, float, float>();
}

TEST_CASE("__float_to_tf32 rounds to 10 bits, ties away from zero") {
  CHECK(__float_to_tf32(1 + 0x1p-11f) == 1 + 0x1p-10f);
  CHECK(__float_to_tf32(-1 - 0x1p-11f) == -1 - 0x1p-10f);
  CHECK(__float_to_tf32(1 + 0x1.ffep-12f) == 1);
}
