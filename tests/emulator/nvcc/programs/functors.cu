// flags: --extended-lambda
// A small algorithms library of templates: functors, packs, policies and device lambdas.
#include <cstdio>
#include <type_traits>
#include <utility>
#include <vector>

template <class T>
class Vector {
 public:
  explicit Vector(const std::vector<T>& host) : size_(host.size()) {
    cudaMalloc(&data_, size_ * sizeof(T));
    cudaMemcpy(data_, host.data(), size_ * sizeof(T), cudaMemcpyHostToDevice);
  }
  ~Vector() { cudaFree(data_); }
  Vector(const Vector&) = delete;
  Vector& operator=(const Vector&) = delete;
  std::vector<T> host() const {
    std::vector<T> result(size_);
    cudaMemcpy(result.data(), data_, size_ * sizeof(T), cudaMemcpyDeviceToHost);
    return result;
  }
  T* data() { return data_; }
  std::size_t size() const { return size_; }

 private:
  T* data_ = nullptr;
  std::size_t size_;
};

template <int kThreads, int kItems>
struct Policy {
  static constexpr int threads = kThreads, items = kItems;
};

template <class P, class T, class F, class... In>
__global__ void __launch_bounds__(P::threads) transform_kernel(std::size_t n, T* out, F f, const In*... in) {
#pragma unroll
  for (int k = 0; k < P::items; ++k) {
    const std::size_t i = (blockIdx.x * std::size_t{P::items} + k) * blockDim.x + threadIdx.x;
    if (i < n) out[i] = f(in[i]...);
  }
}

template <class P = Policy<64, 2>, class T, class F, class... In>
void transform(Vector<T>& out, F f, Vector<In>&... in) {
  constexpr int per_block = P::threads * P::items;
  const auto blocks = static_cast<unsigned>((out.size() + per_block - 1) / per_block);
  transform_kernel<P><<<blocks, P::threads>>>(out.size(), out.data(), f, in.data()...);
}

template <class T, template <class> class Op, std::enable_if_t<std::is_arithmetic<T>::value, int> = 0>
__global__ void fold(const T* in, int n, T* out, Op<T> op = {}) {
  T value = Op<T>::start();
  for (int i = 0; i < n; ++i) value = op(value, in[i]);
  *out = value;
}

template <class T>
struct Sum {
  __host__ __device__ static constexpr T start() { return T(0); }
  __host__ __device__ T operator()(T a, T b) const { return a + b; }
};
template <class T>
struct Most {
  __host__ __device__ static constexpr T start() { return T(-1000000); }
  __host__ __device__ T operator()(T a, T b) const { return a < b ? b : a; }
};

template <int... Is>
__global__ void squares(int* out, std::integer_sequence<int, Is...>) {
  ((out[Is] = Is * Is), ...);
}

template <int kTag>
__global__ void tag(int* out) {
  *out = kTag;
}
template <>
__global__ void tag<7>(int* out) {
  *out = -1;
}

struct Affine {
  float a, b;
  __host__ __device__ Affine(float slope, float offset) : a{slope}, b{offset} {}
  __device__ float operator()(float x) const;
};
__device__ float Affine::operator()(float x) const { return fmaf(a, x, b); }

int main() {
  const int n = 1000;
  std::vector<float> host(n);
  std::vector<int> integers(n);
  for (int i = 0; i < n; ++i) host[i] = i * 0.5f, integers[i] = (i * 37) % 1001;
  Vector<float> x(host), y(host), z(host);
  Vector<int> w(integers);
  const float scale = 3.0f;
  const Affine offset(1.0f, 20.0f);

  transform(y, Affine(2.0f, 1.0f), x);
  transform<Policy<32, 4>>(z, [=] __device__(float a, float b, int c) { return scale * a + b + c + offset.b; }, x, y, w);
  transform(w, [] __host__ __device__(int v) { return v << 1 >= 100 ? v >> 1 : -v; }, w);

  int wrong = 0;
  const auto ys = y.host(), zs = z.host();
  const auto ws = w.host();
  int sum = 0, most = -1000000;
  for (int i = 0; i < n; ++i) {
    const int v = integers[i], new_v = v << 1 >= 100 ? v >> 1 : -v;
    wrong += ys[i] != i + 1.0f;
    wrong += zs[i] != scale * host[i] + ys[i] + v + 20.0f;
    wrong += ws[i] != new_v;
    sum += new_v;
    most = new_v > most ? new_v : most;
  }
  Vector<int> results(std::vector<int>(8));
  fold<int, Sum><<<1, 1>>>(w.data(), n, results.data());
  fold<<<1, 1>>>(w.data(), n, results.data() + 1, Most<int>{});
  squares<<<1, 1>>>(results.data() + 2, std::make_integer_sequence<int, 4>{});
  tag<7><<<1, 1>>>(results.data() + 6);
  tag<(8 > 7 ? 5 : 4)><<<1, 1>>>(results.data() + 7);
  const auto r = results.host();
  wrong += r[0] != sum || r[1] != most || r[2] != 0 || r[3] != 1 || r[4] != 4 || r[5] != 9 || r[6] != -1 || r[7] != 5;
  wrong += cudaGetLastError() != cudaSuccess;
  std::printf("functors: %d wrong\n", wrong);
  return wrong != 0;
}
