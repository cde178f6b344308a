// Prints a digest of the results of each function in cuda_fp16.h, cuda_bf16.h and cuda_fp8.h.
// narrow_h200.txt is its output:
//   nvcc -std=c++20 -O2 -arch=sm_90a -o record narrow_record.cu && ./record > narrow_h200.txt
// With a function's name it prints every operand and result, so that the outputs of two machines
// can be compared.
#include "narrow_results.cuh"

namespace {

void print_values(const narrow::Results& one) {
  const std::vector<narrow::Operands> operands = narrow::make_operands();
  std::printf("# x a b c real wide integer: %s\n", one.name.c_str());
  for (std::size_t i = 0; i < operands.size(); ++i) {
    const narrow::Operands& in = operands[i];
    std::printf("%04x %04x %04x %04x %a %a %lld: %" PRIx64 "\n", in.x, in.a, in.b, in.c,
                static_cast<double>(in.real), in.wide, in.integer, one.bits[i]);
  }
}

}  // namespace

int main(int argc, char** argv) {
  const std::string wanted = argc > 1 ? argv[1] : "";
  int driver = 0;
  cudaDeviceProp properties{};
  narrow::require(cudaDriverGetVersion(&driver));
  narrow::require(cudaGetDeviceProperties(&properties, 0));
  const std::vector<narrow::Results> all = narrow::run();
  if (wanted.empty()) {
    std::printf("# %s, driver for CUDA %d.%d, toolkit %d.%d\n", properties.name, driver / 1000,
                driver % 1000 / 10, CUDART_VERSION / 1000, CUDART_VERSION % 1000 / 10);
    std::printf("# digest (FNV-1a of 65536 results) group: function\n");
  }
  bool found = wanted.empty();
  for (const narrow::Results& one : all) {
    if (wanted.empty()) std::printf("%s\n", narrow::record_line(one).c_str());
    if (one.name != wanted) continue;
    print_values(one);
    found = true;
  }
  if (!found) std::fprintf(stderr, "record: no function is called \"%s\"\n", wanted.c_str());
  return found ? 0 : 2;
}
