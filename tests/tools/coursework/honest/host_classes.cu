// Classes of the host beside one of the device, with members that the kernel does not need.
#include <memory>
#include <ostream>
#include <stdexcept>
#include <vector>
struct Problem {
  int n;
  std::vector<float> in, out;
  Problem(int count, float first) : n(count), in{first}, out(static_cast<std::size_t>(count)) {
    if (n < 0) throw std::runtime_error("n");
  }
  virtual ~Problem() { cudaFree(nullptr); }
  std::size_t bytes() const { return in.size() * sizeof(float); }
  friend std::ostream& operator<<(std::ostream& stream, const Problem& problem) {
    return stream << problem.n;
  }
};
template <class T>
std::unique_ptr<T> make(int n) {
  return std::make_unique<T>(n, 1.0f);
}
struct Timer {
  cudaEvent_t begin, end;
  Timer() { cudaEventCreate(&begin), cudaEventCreate(&end); }
  float stop() {
    float ms = 0;
    cudaEventRecord(end);
    cudaEventElapsedTime(&ms, begin, end);
    return ms;
  }
};
Timer timer;
template <class T>
class View {
 public:
  __device__ View(T* begin, int count) : begin_(begin), count_(count) {}
  __device__ T& operator[](int i) const { return begin_[i]; }
  __device__ int size() const { return count_; }
  View& resize(int count) {
    count_ = count;
    return *this;
  }

 private:
  T* begin_;
  int count_;
};
__global__ void kernel(int n, const float* in, float* out) {
  const View<const float> from(in, n);
  const View<float> to(out, n);
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < to.size()) to[i] = from[n - 1 - i];
}
