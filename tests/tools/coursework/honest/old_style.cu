// Written as C: typedefs, register_t, unsigned mixtures, pointers that walk, %d for a size.
// clang-format off
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
typedef const float* __restrict__ input_t;
typedef struct {
  int first, count;
} span_t;
enum { WARP = 32, LAST = WARP - 1 };
static __device__ span_t span_of(unsigned lane, int n) {
  span_t s;
  memset(&s, 0, sizeof s);
  s.first = (int)(lane & LAST);
  s.count = n < WARP ? n : WARP;
  return (span_t){s.first, s.count};
}
__global__ void kernel(int n, const float* in, float* out)
{
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  span_t s = span_of(threadIdx.x, n);
  input_t p = in + s.first;
  float sum = 0;
  int left = s.count - s.first;
  register_t unused = 0;
  (void)unused;
  if (n < 0) printf("%d\n", sizeof(span_t));
  while (left --> 0) sum += *p++;
  if ((int)i < n and n != 0) { out[i] = sum; } else ;
}
