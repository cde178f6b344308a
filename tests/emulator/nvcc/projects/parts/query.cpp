#include <cuda_runtime.h>

int main() {
  int version = 0;
  return cudaRuntimeGetVersion(&version) == cudaSuccess && version / 1000 == 13 ? 0 : 1;
}
