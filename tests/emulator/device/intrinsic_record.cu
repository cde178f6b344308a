// Prints the results of the device's own functions: a digest for functions whose bits must match,
// and a quarter of the values for others; with `all`, every value. intrinsics_h200.txt is its
// output:
//   nvcc -std=c++20 -O2 -arch=sm_90 -o record intrinsic_record.cu && ./record > intrinsics_h200.txt
#include <cinttypes>

#include "intrinsic_results.cuh"

int main(int argc, char** argv) {
  const bool everything = argc > 1 && std::strcmp(argv[1], "all") == 0;
  cudaDeviceProp properties{};
  intrinsics::require(cudaGetDeviceProperties(&properties, 0));
  std::printf("# %s, CUDA %d\n", properties.name, CUDART_VERSION);
  std::printf(
      "# bytes, is a float, largest error in units in the last place, name: values or digest\n");
  const std::vector<intrinsics::Results> all = intrinsics::run();
  for (std::size_t i = 0; i < all.size(); ++i) {
    const intrinsics::Results& one = all[i];
    std::printf("%d %d %d %s:", one.bytes, one.is_float, one.max_ulps, one.name.c_str());
    if (everything)
      for (const std::uint64_t bits : one.bits) std::printf(" %" PRIx64, bits);
    else if (one.max_ulps > 0)
      for (const std::uint64_t bits : intrinsics::kept_values(one, i))
        std::printf(" %" PRIx64, bits);
    else
      std::printf(" %" PRIx64, intrinsics::digest(one.bits));
    std::printf("\n");
  }
}
