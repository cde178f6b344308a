// Prints a digest of each experiment's reads in reads.cuh. reads_h200.txt is its output:
//   nvcc -std=c++20 -O2 -arch=sm_90 -o record reads_record.cu && ./record > reads_h200.txt
// With an experiment's name it prints each of its reads, so that the outputs of two machines can be
// compared.
#include <cinttypes>

#include "reads.cuh"

int main(int argc, char** argv) {
  if (argc > 1) {
    reads::run(argv[1]);
    return 0;
  }
  int driver = 0;
  cudaDeviceProp properties{};
  reads::require(cudaDriverGetVersion(&driver));
  reads::require(cudaGetDeviceProperties(&properties, 0));
  std::printf("# %s, driver for CUDA %d.%d, toolkit %d.%d\n", properties.name, driver / 1000,
              driver % 1000 / 10, CUDART_VERSION / 1000, CUDART_VERSION % 1000 / 10);
  std::printf("# digest (FNV-1a of %d results) experiment\n", reads::kReads);
  for (const reads::Digest& one : reads::run())
    std::printf("%016" PRIx64 " %s\n", one.bits, one.name.c_str());
}
