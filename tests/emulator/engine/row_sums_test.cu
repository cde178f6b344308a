// Tests loops that all threads of a row run in the same way and that may run ahead of the threads
// (emulator/compiler/row_sums.cpp): results are equal to the bit.
#include <doctest/doctest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <string>
#include <type_traits>
#include <vector>

#include "emulator/counters.h"

namespace {

constexpr int kEdge = 70;  // not a multiple of any block
constexpr int kElements = kEdge * kEdge;
constexpr int kTile = 16;

__device__ int column() { return static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x); }
__device__ int row() {
  return static_cast<int>((blockIdx.z * blockDim.z + threadIdx.z) * gridDim.y * blockDim.y +
                          blockIdx.y * blockDim.y + threadIdx.y);
}

#define IN_RANGE                          \
  const int col = column(), line = row(); \
  if (line >= n || col >= n) return

template <class T>
__global__ void product(const T* A, const T* B, T* C, int n, int rounds) {
  IN_RANGE;
  T sum = 0;
  for (int p = 0; p < rounds; ++p) sum += A[line * n + p] * B[p * n + col];
  C[line * n + col] = sum;
}

/// Indices that may wrap.
template <class T>
__global__ void product_unsigned(const T* A, const T* B, T* C, int n, int rounds) {
  IN_RANGE;
  const unsigned c = col, edge = n;
  T sum = 1;
  for (unsigned p = 0; p < static_cast<unsigned>(rounds); ++p)
    sum += A[line * edge + p] * B[p * edge + c];
  C[line * edge + c] = sum;
}

/// Neighbouring threads use memory that is far apart.
template <class T>
__global__ void product_of_columns(const T* A, const T* B, T* C, int n, int rounds) {
  IN_RANGE;
  T sum = 0;
  for (int p = 0; p < rounds; ++p) sum += A[col * n + p] * B[p * n + line];
  C[line * n + col] = sum;
}

/// Backwards, from neighbours in reverse order.
template <class T>
__global__ void mirrored(const T* A, const T* B, T* C, int n, int rounds) {
  IN_RANGE;
  T sum = 0;
  for (int p = rounds - 1; p >= 0; --p) sum = sum / 2 + A[p * n + n - 1 - col] - B[p * n + col];
  C[line * n + col] = sum;
}

template <class T>
__global__ void by_pointer(const T* A, const T* B, T* C, int n, int rounds) {
  IN_RANGE;
  const T *a = A + line * n, *b = B + col;
  T sum = 0;
  for (int p = 0; p < rounds; ++p, ++a, b += n) sum += *a * *b;
  C[line * n + col] = sum;
}

/// Each thread starts with a different value from memory.
template <class T>
__global__ void distances(const T* A, const T* B, T* C, int n, int rounds) {
  IN_RANGE;
  const T mine = A[line * n + col];
  T sum = 0;
  for (int p = 0; p < rounds; ++p) {
    const T away = mine - B[p];
    sum += away * away * static_cast<T>(p + col);
  }
  C[line * n + col] = sum;
}

/// The same with a square root, which is a processor instruction.
template <class T>
__global__ void roots(const T* A, const T* B, T* C, int n, int rounds) {
  IN_RANGE;
  using Real = std::conditional_t<std::is_same_v<T, double>, double, float>;
  const Real x = static_cast<Real>(A[col]), y = static_cast<Real>(A[line]);
  Real sum = 0;
  for (int p = 0; p < rounds; ++p) {
    const Real across = static_cast<Real>(B[p]) - x, along = static_cast<Real>(B[p * n]) - y;
    sum += across / std::sqrt(across * across + along * along + 1);
  }
  C[line * n + col] = static_cast<T>(sum);
}

/// Values are swapped in each iteration, and one comes from the previous iteration.
template <class T>
__global__ void exchanged(const T* A, const T* B, T* C, int n, int rounds) {
  IN_RANGE;
  T first = A[col], second = B[line], before = 3;
  for (int p = 0; p < rounds; ++p) {
    const T next = first + B[p * n + col];
    before = first;
    first = second;
    second = next;
  }
  C[line * n + col] = first * 2 + second * 5 + before * 7;
}

template <class T>
__global__ void smallest_and_largest(const T* A, const T* B, T* C, int n, int rounds) {
  IN_RANGE;
  T smallest = A[col], largest = smallest;
  for (int p = 0; p < rounds; ++p) {
    const T one = B[p * n + col];
    smallest = one < smallest ? one : smallest;
    largest = largest < one ? one : largest;
  }
  T sum = 0;  // a second loop uses the first one's result
  for (int p = 0; p < rounds; ++p) sum += (B[p * n + col] - smallest) * A[p];
  C[line * n + col] = sum + largest;
}

/// The number of iterations depends on the thread.
template <class T>
__global__ void begins_where_it_is(const T* A, const T* B, T* C, int n, int rounds) {
  IN_RANGE;
  T sum = 0;
  for (int p = col % 3; p < rounds; ++p) sum += A[p] * B[p * n + col];
  C[line * n + col] = sum;
}
template <class T>
__global__ void ends_where_it_is(const T* A, const T* B, T* C, int n, int rounds) {
  IN_RANGE;
  T sum = 0;
  for (int p = 0; p < rounds - col % 5; ++p) sum += A[p] * B[p * n + col];
  C[line * n + col] = sum;
}

/// The number of iterations depends on the block.
template <class T>
__global__ void blocks_rounds(const T* A, const T* B, T* C, int n, int rounds) {
  IN_RANGE;
  T sum = 0;
  for (unsigned p = blockIdx.y; p < rounds + blockIdx.x % 2; ++p)
    sum += A[p + threadIdx.y] * B[p * n + col];
  C[line * n + col] = sum;
}

template <class T>
__global__ void breaks(const T* A, const T* B, T* C, int n, int rounds) {
  IN_RANGE;
  T sum = 0;
  for (int p = 0; p < rounds; ++p) {
    if (p % 4 == 1) continue;
    sum += A[p] * B[p * n + col];
    if (sum > 9) break;
  }
  for (int p = 0; p < rounds; ++p) {
    if (B[p * n + col] > 1) continue;
    sum -= B[p * n + col];
  }
  C[line * n + col] = sum;
}

/// Some threads of a row return early.
template <class T>
__global__ void some_leave(const T* A, const T* B, T* C, int n, int rounds) {
  IN_RANGE;
  if (line % 3 == 0 && col % 7 == 5) return;
  T sum = 0;
  for (int p = 0; p < rounds; ++p) sum += A[line * n + p] * B[p * n + col];
  C[line * n + col] = sum + 1;
}

/// Some threads skip the loop.
template <class T>
__global__ void some_go_around(const T* A, const T* B, T* C, int n, int rounds) {
  IN_RANGE;
  T sum = 0;
  if (line % 4 != 1 || col > 40)
    for (int p = 0; p < rounds; ++p) sum += A[line * n + p] * B[p * n + col];
  C[line * n + col] = sum + 1;
}

/// The loop writes what it reads.
template <class T>
__global__ void writes_in_loop(const T* A, const T* B, T* C, int n, int rounds) {
  IN_RANGE;
  for (int p = 0; p < rounds; ++p)
    C[line * n + col] += C[line * n + col] / 2 + A[p] * B[p * n + col];
}

/// The loop reads what the thread has just written, which g++ cannot know: n is kEdge.
template <class T>
__global__ void writes_before(const T* A, const T* B, T* C, int n, int rounds) {
  IN_RANGE;
  C[line * n + col] = A[col] + 1;
  T sum = 0;
  for (int p = 0; p < rounds; ++p) sum += C[line * kEdge + col + p * (n - kEdge)] * B[p * n + col];
  C[line * n + col] = sum;
}

/// The step of an unsigned index acts as a negative one: it wraps.
template <class T>
__global__ void descends(const T* A, const T* B, T* C, int n, int rounds) {
  IN_RANGE;
  const unsigned c = col, edge = n, last = rounds - 1;
  T sum = 0;
  for (unsigned p = 0; p < static_cast<unsigned>(rounds); ++p)
    sum = sum / 2 + A[p] * B[(last - p) * edge + c];
  C[line * n + col] = sum;
}

/// The next threads' neighbours are far away.
template <class T>
__global__ void neighbours_in_pairs(const T* A, const T* B, T* C, int n, int rounds) {
  IN_RANGE;
  const int from = col ^ 1;
  T sum = 0;
  for (int p = 0; p < rounds; ++p) sum += A[p] * B[p * n + from];
  C[line * n + col] = sum;
}

/// As many results as fit beside those of other loops, and more.
template <class T, int kResults>
__device__ void sum_into_many(const T* A, const T* B, T* C, int n, int rounds) {
  IN_RANGE;
  T sums[kResults] = {};
  for (int p = 0; p < rounds; ++p)
    for (int k = 0; k < kResults; ++k) sums[k] += A[p * n + k] * B[p * n + col];
  T all = 0;
  for (int k = 0; k < kResults; ++k) all = all / 2 + sums[k];
  C[line * n + col] = all;
}
template <class T>
__global__ void four_results(const T* A, const T* B, T* C, int n, int rounds) {
  sum_into_many<T, 4>(A, B, C, n, rounds);
}
template <class T>
__global__ void nine_results(const T* A, const T* B, T* C, int n, int rounds) {
  sum_into_many<T, 9>(A, B, C, n, rounds);
}

/// An index that would overflow in threads that do not reach the loop.
template <class T>
__global__ void far_apart(const T* A, const T* B, T* C, int n, int rounds) {
  IN_RANGE;
  C[line * n + col] = A[line];
  if (col * kEdge >= kEdge) return;
  T sum = 0;
  for (int p = 0; p < rounds; ++p) sum += A[col * 100000000 + p] * B[line * n + p];
  C[line * n + col] = sum;
}

/// Indices of one or two bytes, which wrap.
template <class T>
__global__ void narrow_indices(const T* A, const T* B, T* C, int n, int rounds) {
  IN_RANGE;
  T sum = 0, other = 1;
  for (int p = 0; p < rounds; ++p) {
    sum += A[static_cast<unsigned char>(p * n + col)] * B[static_cast<unsigned char>(col + p)];
    other -= A[static_cast<unsigned short>(p * 1000 + col) % kElements];
  }
  for (unsigned char p = 200; p != static_cast<unsigned char>(200 + rounds); ++p)
    sum += B[p * 8 + col];
  C[line * n + col] = sum - other;
}

/// Records whether something was found, its last position, and a pointer to it.
template <class T>
__global__ void finds(const T* A, const T* B, T* C, int n, int rounds) {
  IN_RANGE;
  bool any = false;
  int last = -1;
  const T* at = A;
  for (int p = 0; p < rounds; ++p) {
    const bool is_larger = B[p * n + col] > A[p];
    any |= is_larger;
    last = is_larger ? p : last;
    at = is_larger ? B + p : at;
  }
  C[line * n + col] = any ? *at + static_cast<T>(last) : A[col];
}

/// Steps given by the launch or the block, with starts that depend on the thread or not.
template <class T>
__global__ void strides(const T* A, const T* B, T* C, int n, int rounds) {
  IN_RANGE;
  T sum = 0, other = 0;
  for (int p = static_cast<int>(threadIdx.x); p < n; p += static_cast<int>(blockDim.x))
    sum += A[line * n + p];
  for (long long p = threadIdx.y; p < rounds; p += 2) other += B[p * n + col] - sum;
  C[line * n + col] = other;
}

__constant__ double table[kTile * kTile];

/// Memory of all kinds: constant, shared, and one value of the block.
template <class T>
__global__ void other_memory(const T* A, const T* B, T* C, int n, int rounds) {
  __shared__ T s[kTile], factor;
  if (threadIdx.y == 0 && threadIdx.z == 0) {
    if (threadIdx.x == 0) factor = B[blockIdx.x];
    for (unsigned i = threadIdx.x; i < kTile; i += blockDim.x) s[i] = A[i + blockIdx.y];
  }
  __syncthreads();
  IN_RANGE;
  T sum = 0;
  for (int p = 0; p < rounds; ++p)
    sum += (s[p % kTile] - factor) * static_cast<T>(table[(p + col) % kTile]) +
           B[p * n + col] * static_cast<T>(table[p]);
  C[line * n + col] = sum;
}

template <class T>
__device__ __noinline__ T called(T x, int p) {
  return p % 2 == 0 ? x / 2 : x + 1;
}
/// Loops that call functions, divide, read changing values, and contain loops.
template <class T>
__global__ void other_rounds(const T* A, const T* B, T* C, int n, int rounds) {
  IN_RANGE;
  T sum = 0;
  for (int p = 0; p < rounds; ++p) sum += called(A[p * n + col], p) / static_cast<T>(p + 1);
  const volatile T* const seen = B;
  for (int p = 0; p < rounds; ++p) sum -= seen[p * n + col];
  for (int p = 0; p < rounds; ++p)
    for (int k = 0; k < p; ++k) sum += B[k * n + col] - A[p];
  C[line * n + col] = sum;
}

/// A loop around the loop, and several exits.
template <class T>
__global__ void in_loop(const T* A, const T* B, T* C, int n, int rounds) {
  IN_RANGE;
  T sum = 0;
  for (int part = 0; part < 3; ++part) {
    for (int p = part; p < rounds; ++p) sum += A[line * n + p] * B[p * n + col];
    if (sum > 5) break;
    C[line * n + col] = sum;
    if (sum == 3) return;
  }
  C[line * n + col] = sum;
}

/// A thread's own memory, by an unknown index and by address.
template <class T>
__global__ void own_memory(const T* A, const T* B, T* C, int n, int rounds) {
  IN_RANGE;
  T own[4] = {A[col], B[col], 1, 2}, sum = 0;
  own[(col + line) & 3] += A[line];
  T* const at = B[col] > 1 ? &own[1] : &sum;
  for (int p = 0; p < rounds; ++p) *at += own[p & 3] * B[p * n + col];
  C[line * n + col] = sum + own[1];
}

/// Adds to values that other threads add to. (Only `int` has that; it stands in for the others.)
template <class T>
__global__ void adds_up(const T* A, const T* B, T* C, int n, int rounds) {
  IN_RANGE;
  T sum = 0;
  for (int p = 0; p < rounds; ++p) sum += A[line * n + p] * B[p * n + col];
  if constexpr (sizeof(T) == sizeof(int) && T(1) / 2 == 0) {
    atomicAdd(&C[line], sum);
  } else {
    C[line * n + col] = sum;
  }
}

/// Each thread changes in place what it reads.
template <class T>
__global__ void in_place(const T* A, const T*, T* C, int n, int rounds) {
  IN_RANGE;
  T sum = 0;
  for (int p = 0; p < rounds / 8 + 8; ++p) sum += C[line * n + col + 0 * p] * A[p * n + col];
  C[line * n + col] = sum;
  for (int p = 0; p < rounds; ++p) sum = sum / 2 + C[line * n + col] * A[p * n + col];
  C[line * n + col] = sum;
}

template <class T>
__global__ void tiled(const T* A, const T* B, T* C, int n, int rounds) {
  __shared__ T tile_a[kTile][kTile], tile_b[kTile][kTile];
  const int x = threadIdx.x, y = threadIdx.y;
  const int line = static_cast<int>(blockIdx.y) * kTile + y, col = column();
  T sum = 0;
  for (int first = 0; first < rounds; first += kTile) {
    tile_a[y][x] = line < n && first + x < rounds ? A[line * n + first + x] : T(0);
    tile_b[y][x] = first + y < rounds && col < n ? B[(first + y) * n + col] : T(0);
    __syncthreads();
    for (int p = 0; p < kTile; ++p) sum += tile_a[y][p] * tile_b[p][x];
    __syncthreads();
  }
  if (line < n && col < n) C[line * n + col] = sum;
}

/// Loops between other barriers, after some threads have returned.
template <class T>
__global__ void in_phases(const T* A, const T* B, T* C, int n, int rounds) {
  __shared__ T s[2 * kTile * kTile];
  const int col = column(), line = static_cast<int>(blockIdx.y) * kTile + threadIdx.y;
  const int t = static_cast<int>(threadIdx.y * kTile + threadIdx.x);
  T sum = 0;
  if (col >= n) return;
  for (int p = 0; p < rounds; ++p) sum += A[p] * B[p * n + col];
  s[t] = s[t + kTile * kTile] = sum;
  __syncthreads();
  T other = 0;
  for (int p = 0; p < 12; ++p) other += s[p * kTile + threadIdx.x] * A[p];
  if (line >= n) return;
  __syncthreads();
  s[t] = other;
  for (int p = 0; p < kTile; ++p) sum += s[kTile * kTile + t] / 2;
  __syncthreads();
  for (int p = 0; p < rounds; ++p) sum -= B[p * n + col] * s[t];
  C[line * n + col] = sum;
}

template <class T>
using Kernel = void (*)(const T*, const T*, T*, int, int);

template <class T>
std::vector<T> results_of(Kernel<T> kernel, dim3 grid, dim3 block, int rounds, bool counted) {
  std::vector<T> a(kElements), b(kElements), c(kElements, T(3));
  for (int i = 0; i < kElements; ++i) {
    a[i] = static_cast<T>(i * 37 % 101 - 20) / static_cast<T>(7);
    b[i] = static_cast<T>(i * 53 % 97 - 40) / static_cast<T>(3);
  }
  if constexpr (std::numeric_limits<T>::has_infinity) {  // in columns that few threads read
    using Limits = std::numeric_limits<T>;
    a[3 * kEdge + 60] = b[kEdge + 61] = Limits::infinity();
    a[5 * kEdge + 62] = -Limits::infinity();
    b[6 * kEdge + 63] = Limits::quiet_NaN();
    a[7 * kEdge + 64] = b[7 * kEdge + 65] = Limits::denorm_min();
    b[8 * kEdge + 66] = Limits::max();
    b[9 * kEdge + 67] = T(-0.0);
  }
  T *in_a = nullptr, *in_b = nullptr, *out = nullptr;
  constexpr std::size_t kBytes = kElements * sizeof(T);
  for (T** const one : {&in_a, &in_b, &out}) REQUIRE(cudaMalloc(one, kBytes) == cudaSuccess);
  cudaMemcpy(in_a, a.data(), kBytes, cudaMemcpyHostToDevice);
  cudaMemcpy(in_b, b.data(), kBytes, cudaMemcpyHostToDevice);
  cudaMemcpy(out, c.data(), kBytes, cudaMemcpyHostToDevice);
  emu::set_counting(counted);
  kernel<<<grid, block>>>(in_a, in_b, out, kEdge, rounds);
  emu::set_counting(false);
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  cudaMemcpy(c.data(), out, kBytes, cudaMemcpyDeviceToHost);
  for (T* const one : {in_a, in_b, out}) cudaFree(one);
  return c;
}

/// Compares bits; all NaN count as equal.
template <class T>
bool are_same(const std::vector<T>& one, const std::vector<T>& other) {
  for (int i = 0; i < kElements; ++i)
    if (std::memcmp(&one[i], &other[i], sizeof(T)) != 0 &&
        (one[i] == one[i] || other[i] == other[i]))
      return false;
  return true;
}

template <class T>
void check(const char* name, Kernel<T> kernel, dim3 block) {
  const auto blocks = [](unsigned edge) { return (kEdge + edge - 1) / edge; };
  const dim3 grid(blocks(block.x), blocks(block.y * block.z));
  for (const int rounds : {0, 7, 8, 33}) {
    CAPTURE(std::string(name));
    CAPTURE(block.x);
    CAPTURE(block.y);
    CAPTURE(block.z);
    CAPTURE(rounds);
    const std::vector<T> counted = results_of(kernel, grid, block, rounds, true);
    const std::vector<T> uncounted = results_of(kernel, grid, block, rounds, false);
    CHECK(are_same(counted, uncounted));
  }
}

template <class T>
void check_all() {
#define KERNEL(name) \
  { #name, name < T> }
  const struct {
    const char* name;
    Kernel<T> kernel;
  } kernels[] = {KERNEL(product),
                 KERNEL(product_unsigned),
                 KERNEL(mirrored),
                 KERNEL(product_of_columns),
                 KERNEL(by_pointer),
                 KERNEL(distances),
                 KERNEL(roots),
                 KERNEL(exchanged),
                 KERNEL(smallest_and_largest),
                 KERNEL(begins_where_it_is),
                 KERNEL(ends_where_it_is),
                 KERNEL(blocks_rounds),
                 KERNEL(breaks),
                 KERNEL(some_leave),
                 KERNEL(writes_in_loop),
                 KERNEL(writes_before),
                 KERNEL(some_go_around),
                 KERNEL(descends),
                 KERNEL(neighbours_in_pairs),
                 KERNEL(four_results),
                 KERNEL(nine_results),
                 KERNEL(far_apart),
                 KERNEL(narrow_indices),
                 KERNEL(finds),
                 KERNEL(strides),
                 KERNEL(other_rounds),
                 KERNEL(in_loop),
                 KERNEL(own_memory),
                 KERNEL(adds_up),
                 KERNEL(in_place)};
  for (const auto& [name, kernel] : kernels)
    for (const dim3 block : {dim3(32, 4), dim3(16, 2, 3), dim3(7, 5), dim3(8, 3), dim3(13, 2),
                             dim3(70), dim3(1, 9), dim3(33, 2)})
      check(name, kernel, block);
  check("tiled", tiled<T>, dim3(kTile, kTile));
  check("in_phases", in_phases<T>, dim3(kTile, kTile));
  double values[kTile * kTile];
  for (int i = 0; i < kTile * kTile; ++i) values[i] = i % 11 - 4;
  REQUIRE(cudaMemcpyToSymbol(table, values, sizeof values) == cudaSuccess);
  for (const dim3 block : {dim3(32, 4), dim3(8, 3), dim3(13, 2)})
    check("other_memory", other_memory<T>, block);
}

}  // namespace

TEST_CASE("sums of rows are the same to the bit, counted or not") {
  SUBCASE("float") { check_all<float>(); }
  SUBCASE("double") { check_all<double>(); }
  SUBCASE("int") { check_all<int>(); }
  SUBCASE("signed char") { check_all<signed char>(); }
  SUBCASE("long long") { check_all<long long>(); }
}
