// Plain C++ that draws numbers into host memory.
#include <curand.h>

int main() {
  double numbers[6];
  curandGenerator_t generator;
  if (curandCreateGeneratorHost(&generator, CURAND_RNG_PSEUDO_MRG32K3A) != CURAND_STATUS_SUCCESS)
    return 2;
  curandGenerateUniformDouble(generator, numbers, 6);
  curandDestroyGenerator(generator);
  for (const double number : numbers)
    if (!(number > 0 && number <= 1)) return 1;
  return 0;
}
