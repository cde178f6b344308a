// Tests malloc, free, new and delete in kernels, in all forms.
#include <doctest/doctest.h>

#include <cstdint>
#include <cstdlib>
#include <new>
#include <vector>

#include "emulator/check.h"
#include "emulator/counters.h"
#include "emulator/memory.h"

namespace {

constexpr unsigned kBlocks = 3, kThreads = 64, kAll = kBlocks * kThreads;

struct Node {
  int value;
  Node* next;
};
__device__ Node* lists[kAll];

__device__ unsigned place() { return blockIdx.x * blockDim.x + threadIdx.x; }

__global__ void make_lists(int length) {
  Node* list = nullptr;
  for (int i = 0; i < length; ++i) list = new Node{i, list};
  lists[place()] = list;
}
__global__ void drop_lists(int* sums) {
  int sum = 0;
  for (Node* node = lists[place()]; node != nullptr;) {
    sum += node->value;
    Node* const next = node->next;
    delete node;
    node = next;
  }
  sums[place()] = sum;
}

/// Lanes that wait for each other while they own memory.
__global__ void scratch(int* sums, unsigned n) {
  auto* const mine = static_cast<int*>(malloc(n * sizeof(int)));
  __shared__ int* of_thread[kThreads];
  of_thread[threadIdx.x] = mine;
  for (unsigned i = 0; i < n; ++i) mine[i] = static_cast<int>(threadIdx.x + i);
  __syncthreads();
  const int* const other = of_thread[kThreads - 1 - threadIdx.x];
  int sum = 0;
  for (unsigned i = 0; i < n; ++i) sum += other[i];
  __syncthreads();
  free(mine);
  sums[place()] = sum;
}

struct Shape {
  __device__ virtual int area() const = 0;
  __device__ virtual ~Shape() {}
};
struct Square : Shape {  // with an implicit destructor
  __device__ explicit Square(int a) : side(a) {}
  __device__ int area() const override { return side * side; }
  int side;
};
struct Rectangle : Shape {
  __device__ Rectangle(int a, int b) : width(a), height(b), more(new (std::nothrow) int[4]{b}) {}
  __device__ ~Rectangle() override { delete[] more; }
  __device__ int area() const override { return width * more[0]; }
  int width, height;
  int* more;
};
__global__ void areas(int* sums) {
  Shape* const shape = place() % 2 ? static_cast<Shape*>(new Square(static_cast<int>(place())))
                                   : new Rectangle(static_cast<int>(place()), 2);
  sums[place()] = shape->area();
  delete shape;
}

__global__ void take(int** pointers, std::size_t bytes) {
  pointers[threadIdx.x] = static_cast<int*>(malloc(bytes));
}
__global__ void give(int** pointers) { free(pointers[threadIdx.x]); }

/// Runs on both sides, each with its own memory.
__host__ __device__ int sum_of_squares(int n) {
  int* const squares = new int[n];
  for (int i = 0; i < n; ++i) squares[i] = i * i;
  int sum = 0;
  for (int i = 0; i < n; ++i) sum += squares[i];
  delete[] squares;
  return sum;
}
__global__ void sums_of_squares(int* sums) { sums[place()] = sum_of_squares(10); }

struct Sums {
  Sums() { REQUIRE(cudaMallocManaged(&values, kAll * sizeof(int)) == cudaSuccess); }
  ~Sums() { cudaFree(values); }
  int* values = nullptr;
};

void run_all() {
  const Sums sums;
  const auto synchronise = [] { REQUIRE(cudaDeviceSynchronize() == cudaSuccess); };
  make_lists<<<kBlocks, kThreads>>>(20);
  drop_lists<<<kBlocks, kThreads>>>(sums.values);
  synchronise();
  for (unsigned i = 0; i < kAll; ++i) REQUIRE(sums.values[i] == 190);
  scratch<<<kBlocks, kThreads>>>(sums.values, 5);
  synchronise();
  for (unsigned i = 0; i < kAll; ++i)
    REQUIRE(sums.values[i] == static_cast<int>(5 * (kThreads - 1 - i % kThreads) + 10));
  areas<<<kBlocks, kThreads>>>(sums.values);
  synchronise();
  for (unsigned i = 0; i < kAll; ++i)
    REQUIRE(sums.values[i] == static_cast<int>(i % 2 ? i * i : 2 * i));
  sums_of_squares<<<kBlocks, kThreads>>>(sums.values);
  synchronise();
  for (unsigned i = 0; i < kAll; ++i) REQUIRE(sums.values[i] == sum_of_squares(10));
}

}  // namespace

TEST_CASE("kernels allocate memory, counted or not" * doctest::skip(!EMULATOR_HAS_PLUGIN)) {
  for (const bool counted : {false, true}) {
    CAPTURE(counted);
    emu::set_counting(counted);
    run_all();
    emu::set_counting(false);
  }
}

TEST_CASE("kernels allocate memory under the checks, blocks in turn or at the same time" *
          doctest::skip(!EMULATOR_HAS_PLUGIN)) {
  for (const unsigned workers : {1u, 4u}) {
    CAPTURE(workers);
    emu::set_worker_count(workers);
    emu::set_checking(emu::kAllChecks);
    run_all();
    emu::set_checking({});
    CHECK(emu::take_findings().empty());
  }
  emu::set_worker_count(1);
}

TEST_CASE("the heap of kernels has the size that the program asked for" *
          doctest::skip(!EMULATOR_HAS_PLUGIN)) {
  int** pointers = nullptr;
  REQUIRE(cudaMallocManaged(&pointers, kThreads * sizeof(int*)) == cudaSuccess);
  std::size_t before = 0;
  cudaDeviceGetLimit(&before, cudaLimitMallocHeapSize);
  cudaDeviceSetLimit(cudaLimitMallocHeapSize, 1 << 20);
  for (int round = 0; round < 3; ++round) {
    take<<<1, kThreads>>>(pointers, 1 << 17);
    REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
    unsigned given = 0;
    for (unsigned i = 0; i < kThreads; ++i) given += pointers[i] != nullptr;
    CHECK(given == 8);
    give<<<1, kThreads>>>(pointers);
  }
  // More allocations than have address ranges of their own.
  for (int round = 0; round < 2; ++round) {
    make_lists<<<kBlocks, kThreads>>>(60);
    const Sums sums;
    drop_lists<<<kBlocks, kThreads>>>(sums.values);
    REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
    for (unsigned i = 0; i < kAll; ++i) REQUIRE(sums.values[i] == 59 * 30);
  }
  cudaDeviceSetLimit(cudaLimitMallocHeapSize, before);
  cudaFree(pointers);
}

TEST_CASE("what a kernel has allocated is not for the host's calls" *
          doctest::skip(!EMULATOR_HAS_PLUGIN)) {
  int** pointers = nullptr;
  REQUIRE(cudaMallocManaged(&pointers, sizeof(int*)) == cudaSuccess);
  take<<<1, 1>>>(pointers, 64);
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  CHECK(reinterpret_cast<std::uintptr_t>(pointers[0]) % 16 == 0);
  int host = 0;
  CHECK(cudaMemcpy(&host, pointers[0], 4, cudaMemcpyDeviceToHost) == cudaErrorInvalidValue);
  CHECK(cudaMemset(pointers[0], 0, 4) == cudaErrorInvalidValue);
  CHECK(cudaFree(pointers[0]) == cudaErrorInvalidValue);
  cudaGetLastError();
  give<<<1, 1>>>(pointers);
  CHECK(cudaDeviceSynchronize() == cudaSuccess);
  give<<<1, 1>>>(pointers);  // frees again
  CHECK(cudaDeviceSynchronize() == cudaErrorLaunchFailure);
  emu::set_sticky_error(cudaSuccess);
  cudaGetLastError();
  cudaFree(pointers);
}
