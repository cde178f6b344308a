// Prints the device's results of conversions out of range and of shifts by large counts.
// conversions_h200.txt is its output:
//   nvcc -std=c++20 -O2 -arch=sm_90 -o record conversion_record.cu && ./record >
//   conversions_h200.txt
#include "conversion_results.cuh"

int main() {
  cudaDeviceProp properties{};
  conversions::require(cudaGetDeviceProperties(&properties, 0));
  std::printf("# %s, CUDA %d\n", properties.name, CUDART_VERSION);
  for (const std::string& line : conversions::run()) std::printf("%s\n", line.c_str());
}
