// Kernels get the bytes of objects, whatever constructors those have. Each row adds what is wrong.
#include <cstdio>
#include <utility>
#include <vector>

constexpr int kCount = 200, kThreads = 64, kBlocks = 4;

class Copied {
 public:
  Copied(float* data, int count) : data_(data), count_(count) {}
  explicit Copied(const Copied& other) : data_(other.data_), count_(other.count_) {}
  __device__ int count() const { return count_; }
  __device__ float& operator[](int i) const { return data_[i]; }

 private:
  float* data_;
  int count_;
};

class Destroyed : public Copied {
 public:
  using Copied::Copied;
  ~Destroyed() { ++ended; }
  static int ended;
};
int Destroyed::ended = 0;

class Moved {
 public:
  Moved(float* data, int count) : data_(data), count_(count) {}
  Moved(const Moved&) = delete;
  Moved(Moved&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)), count_(std::exchange(other.count_, 0)) {}
  __device__ int count() const { return count_; }
  __device__ float& operator[](int i) const { return data_[i]; }

 private:
  float* data_;
  int count_;
};

class Fixed : public Copied {
 public:
  using Copied::Copied;
  Fixed(const Fixed&) = delete;
  Fixed(Fixed&&) = delete;
};

struct HasMoved {
  Moved rows;
  float step;
  __device__ int count() const { return rows.count(); }
  __device__ float& operator[](int i) const { return rows[i]; }
};

using Real = float;
enum class Sign { plus, minus };

__device__ int thread() { return static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x); }

template <class T>
__device__ void add(const T& rows, float value) {
  if (thread() < rows.count()) rows[thread()] += value;
}

__global__ void of_copied(Copied rows) { add(rows, 1); }
__global__ void of_destroyed(const float* __restrict__ one, Destroyed rows) { add(rows, *one); }
__global__ void of_moved(Moved rows) { add(rows, 1); }
__global__ void of_fixed(const Fixed rows, Real value) { add(rows, value); }
__global__ void of_member(HasMoved rows, Sign sign) {
  add(rows, sign == Sign::plus ? rows.step : -rows.step);
}
__global__ void restricted(const Real* __restrict__ one, Moved rows, Real* __restrict__ const two) {
  add(rows, *one + *two - 2);
}
template <class T, class... Values>
__global__ void of_template(T rows, Values... values) {
  add(rows, (values + ...));
}
template <class T>
__global__ void specialised(Moved rows, T value) {
  add(rows, value);
}
template <>
__global__ void specialised<int>(Moved rows, int value) {
  add(rows, static_cast<float>(2 * value));
}
__global__ void with_barrier(Moved rows) {
  __shared__ float values[kThreads];
  values[threadIdx.x] = static_cast<float>(threadIdx.x);
  __syncthreads();
  add(rows, values[kThreads - 1 - threadIdx.x] + static_cast<float>(threadIdx.x) - kThreads + 2);
}
__global__ void with_shuffle(Moved rows) {
  add(rows, 1 + __shfl_sync(~0u, static_cast<float>(threadIdx.x % 32), 0));
}

int main() {
  float* data = nullptr;
  float* ones = nullptr;
  cudaMalloc(&data, kCount * sizeof(float));
  cudaMalloc(&ones, 2 * sizeof(float));
  const float host_ones[2] = {1, 2};
  cudaMemcpy(ones, host_ones, sizeof host_ones, cudaMemcpyHostToDevice);

  int wrong = 0;
  const auto begin = [&] { cudaMemset(data, 0, kCount * sizeof(float)); };
  const auto end = [&](const char* name) {
    std::vector<float> result(kCount);
    cudaMemcpy(result.data(), data, kCount * sizeof(float), cudaMemcpyDeviceToHost);
    for (const float one : result)
      if (one != 1) {
        std::printf("%s: %g\n", name, one);
        ++wrong;
        break;
      }
  };
  begin(), of_copied<<<kBlocks, kThreads>>>(Copied(data, kCount)), end("copied");
  begin(), of_destroyed<<<kBlocks, kThreads>>>(ones, Destroyed(data, kCount)), end("destroyed");
  begin(), of_moved<<<kBlocks, kThreads>>>(Moved(data, kCount)), end("moved");
  Moved named(data, kCount);
  begin(), of_moved<<<kBlocks, kThreads>>>(std::move(named)), end("moved from a name");
  begin(), of_fixed<<<kBlocks, kThreads>>>(Fixed(data, kCount), 1), end("fixed");
  begin(), of_member<<<kBlocks, kThreads>>>({Moved(data, kCount), 1}, Sign::plus), end("member");
  begin(), restricted<<<kBlocks, kThreads>>>(ones, Moved(data, kCount), ones + 1), end("restrict");
  begin(), of_template<<<kBlocks, kThreads>>>(Moved(data, kCount), 3, -2.0f), end("template");
  begin(), specialised<<<kBlocks, kThreads>>>(Moved(data, kCount), 1.0f), end("primary");
  begin(), specialised<<<kBlocks, kThreads>>>(Moved(data, kCount / 2), 1);
  specialised<<<kBlocks, kThreads>>>(Moved(data, kCount / 2), -1);
  specialised<<<kBlocks, kThreads>>>(Moved(data, kCount), 1.0f), end("specialised");
  begin(), with_barrier<<<kBlocks, kThreads>>>(Moved(data, kCount)), end("barrier");
  begin(), with_shuffle<<<kBlocks, kThreads>>>(Moved(data, kCount)), end("shuffle");
  if (Destroyed::ended == 0) ++wrong;
  cudaFree(data);
  cudaFree(ones);
  std::printf("objects_by_value: %d wrong\n", wrong);
  return wrong != 0;
}
