/// Quicksort: a single thread parts the numbers and launches a kernel for either side, in streams
/// of their own. Deep down, a selection sort does the rest.
#include <cstdio>
#include <cstdlib>
#include <vector>

constexpr int kMostDepth = 16;
constexpr int kFew = 32;

template <class T>
__device__ void selection_sort(T* data, int left, int right) {
  for (int i = left; i <= right; ++i) {
    int least = i;
    for (int j = i + 1; j <= right; ++j)
      if (data[j] < data[least]) least = j;
    const T value = data[i];
    data[i] = data[least];
    data[least] = value;
  }
}

template <class T>
__global__ void quicksort(T* data, int left, int right, int depth);

/// Sorts [left, right] in a kernel of its own, beside what else the thread launches.
template <class T>
__device__ void sort_beside(T* data, int left, int right, int depth) {
  cudaStream_t stream;
  cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
  quicksort<T><<<1, 1, 0, stream>>>(data, left, right, depth);
  cudaStreamDestroy(stream);
}

template <class T>
__global__ void quicksort(T* data, int left, int right, int depth) {
  if (depth >= kMostDepth || right - left <= kFew) return selection_sort(data, left, right);
  const T pivot = data[(left + right) / 2];
  int low = left, high = right;
  while (low <= high) {
    while (data[low] < pivot) ++low;
    while (pivot < data[high]) --high;
    if (low > high) break;
    const T value = data[low];
    data[low++] = data[high];
    data[high--] = value;
  }
  if (left < high) sort_beside(data, left, high, depth + 1);
  if (low < right) sort_beside(data, low, right, depth + 1);
}

template <class T>
bool sorts(int n) {
  std::vector<T> numbers(n);
  std::srand(7);
  for (T& number : numbers) number = static_cast<T>(std::rand() % n);
  T* data;
  cudaMalloc(&data, n * sizeof(T));
  cudaMemcpy(data, numbers.data(), n * sizeof(T), cudaMemcpyHostToDevice);
  quicksort<<<1, 1>>>(data, 0, n - 1, 0);
  std::vector<T> sorted(n);
  const cudaError_t error = cudaMemcpy(sorted.data(), data, n * sizeof(T), cudaMemcpyDeviceToHost);
  cudaFree(data);
  std::vector<int> count(n);
  for (const T number : numbers) ++count[static_cast<int>(number)];
  for (const T number : sorted) --count[static_cast<int>(number)];
  bool is_right = error == cudaSuccess;
  for (int i = 0; i < n; ++i)
    is_right = is_right && count[i] == 0 && (i == 0 || !(sorted[i] < sorted[i - 1]));
  return is_right;
}

int main() {
  for (const int n : {1, 2, 33, 1000, 5000})
    std::printf("%d: %s %s\n", n, sorts<unsigned>(n) ? "sorted" : "WRONG",
                sorts<double>(n) ? "sorted" : "WRONG");
}
