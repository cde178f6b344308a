// kind: uncounted access
// rule: include
// says: immintrin.h
#include <immintrin.h>
__global__ void kernel(int n, const float* in, float* out) {
  _mm_storeu_ps(out, _mm_loadu_ps(in));
}
