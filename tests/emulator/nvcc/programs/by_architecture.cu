// flags: --extended-lambda --expt-relaxed-constexpr -arch=sm_90
// One source, two texts: what __CUDA_ARCH__ says differs between host code and device code.
#include <cstdio>
#include <vector>

// Names and numbers of either side.
#ifdef __CUDA_ARCH__
#define SIDE 'd'
#define ONE_SIDE __device__
constexpr int kTile = 32;
typedef float real;
__constant__ const float table[2] = {1, 2};
#else
#define SIDE 'h'
#define ONE_SIDE __host__
constexpr int kTile = 16;
typedef double real;
static const float table[2] = {3, 4};
#endif
constexpr int kTwice = 2 * kTile;

// Newer devices have it.
#if __CUDA_ARCH__ >= 600
#else
__device__ double atomicAdd(double* address, int value) { return *address += 1000 * value; }
#endif

// Each has functions that the other lacks.
#ifdef __CUDA_ARCH__
__device__ int own(int x) { return x + 5; }
#else
static int own(int x) { return static_cast<int>(std::vector<int>(x, 2).size()) + 100; }
#endif

__host__ __device__ int both(int x) {
#ifdef __CUDA_ARCH__
  return own(x);
#else
  return own(x) + 1000;
#endif
}

ONE_SIDE inline int one_side(int x) { return x + SIDE; }

constexpr int constant(int n) {
#if defined(__CUDA_ARCH__)
  return n * 10;
#else
  return n * 20;
#endif
}

__device__ int newest() {
#if __CUDA_ARCH__ >= 900
  return 9;
#elif __CUDA_ARCH__ >= 100
  return 1;
#else
  return 0;
#endif
}

namespace outer {
namespace inner {
#if __CUDA_ARCH__ >= 700
enum Stages { kStages = 4 };
__device__ int stages() { return kStages; }
#else
enum Stages { kStages = 2 };
__device__ int stages() { return -1; }
#endif
}  // namespace inner
template <class T>
__host__ __device__ T sided(T x) {
  return x + T(SIDE);
}
}  // namespace outer

class Counted {
 public:
#if defined(__CUDA_ARCH__)
  static constexpr int kStep = 2;
#else
  static constexpr int kStep = 7;
#endif
  __host__ __device__ explicit Counted(int value) : value_(value) {
#ifdef __CUDA_ARCH__
    value_ += 1;
#endif
  }
  __host__ __device__ ~Counted() {
#ifndef __CUDA_ARCH__
    ++destroyed();
#endif
  }
#ifdef __CUDA_ARCH__
  __device__ int value() const { return value_ * kStep; }
#else
  int value() const { return value_ * kStep; }
#endif
  static int& destroyed() {
    static int count = 0;
    return count;
  }

 private:
  int value_;
};

__host__ __device__ int rest(int i) {
  switch (i) {
    case 0: return kTile;
    case 1: return kTwice;
    case 2: return static_cast<int>(sizeof(real));
    case 3: return static_cast<int>(table[1]);
    case 4: return outer::inner::kStages;
    default: return constant(3);
  }
}

constexpr int kResults = 13;

__global__ void on_device(int* results, double* sum) {
  int i = 0;
#ifdef __CUDA_ARCH__
  results[i++] = both(1);
#else
  results[i++] = -1;
#endif
  results[i++] = one_side(1);
  results[i++] = newest();
  results[i++] = outer::inner::stages();
  results[i++] = outer::sided(1);
  const Counted counted(10);
  results[i++] = counted.value();
  for (int k = 0; k < 6; ++k) results[i++] = rest(k);
  __shared__ real tile[kTile];
  tile[0] = sizeof tile;
  results[i++] = static_cast<int>(tile[0]);
  atomicAdd(sum, 1.0);
}

template <class F>
__global__ void apply(F f, int* result) {
  *result = f(3);
}

int main() {
  int* results;
  double* sum;
  cudaMallocManaged(&results, kResults * sizeof(int));
  cudaMallocManaged(&sum, sizeof(double));
  *sum = 0.5;
  int wrong = 0;
  const auto expect = [&wrong](int line, int got, int wanted) {
    if (got == wanted) return;
    std::printf("line %d: %d, not %d\n", line, got, wanted);
    ++wrong;
  };

  on_device<<<1, 1>>>(results, sum);
  wrong += cudaDeviceSynchronize() != cudaSuccess;
  const int on_device_wanted[kResults] = {6, 1 + 'd', 9, 4, 1 + 'd', 22, 32, 64, 4, 2, 4, 30, 128};
  for (int i = 0; i < kResults; ++i) expect(i, results[i], on_device_wanted[i]);
  wrong += *sum != 1.5;

  const int on_host_wanted[6] = {16, 32, 8, 4, 2, 60};
  for (int i = 0; i < 6; ++i) expect(__LINE__, rest(i), on_host_wanted[i]);
  expect(__LINE__, both(1), 1101);
  expect(__LINE__, one_side(1), 1 + 'h');
  expect(__LINE__, outer::sided(1), 1 + 'h');
  expect(__LINE__, Counted(10).value(), 70);
  expect(__LINE__, Counted::destroyed(), 1);
  expect(174, __LINE__, 174);
#ifdef __CUDA_ARCH__
  ++wrong;
#endif

  const int base = 4;
  const auto of_device = [=] __device__(int x) {
#ifdef __CUDA_ARCH__
    return x + base + 1000;
#else
    return x + base;
#endif
  };
  const auto of_both = [=] __host__ __device__(int x) {
#ifdef __CUDA_ARCH__
    return x + base + 2000;
#else
    return x + base;
#endif
  };
  apply<<<1, 1>>>(of_device, results);
  apply<<<1, 1>>>(of_both, results + 1);
  wrong += cudaDeviceSynchronize() != cudaSuccess;
  expect(__LINE__, results[0], 1007);
  expect(__LINE__, results[1], 2007);
  expect(__LINE__, of_both(3), 7);
  std::printf("by_architecture: %d wrong\n", wrong);
  return wrong != 0;
}
