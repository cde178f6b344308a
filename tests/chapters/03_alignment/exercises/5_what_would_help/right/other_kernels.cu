// The same experiments, written otherwise.

__device__ float load(const float* from, bool past_l1) { return past_l1 ? __ldcg(from) : *from; }

__global__ void add_from(int n, int offset, int shift, int backwards, int past_l1, const float* a,
                         const float* b, float* c) {
  const int sums = n - offset;
  int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x) - shift;
  if (i >= 0 && i < sums) {
    if (backwards != 0) i = sums - 1 - i;
    c[i] = load(&a[offset + i], past_l1 != 0) + load(&b[offset + i], past_l1 != 0);
  }
}

__global__ void copy_doubles(int n, int offset, const double* in, double* out) {
  in += offset;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    out[i] = in[i];
}

__global__ void answers(char* answer) {
  *answer++ = 98;
  *answer++ = 99;
  *answer = 100;
}
