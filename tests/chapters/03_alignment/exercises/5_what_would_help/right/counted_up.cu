// The three letters follow one another.

__global__ void add_from(int n, int offset, int shift, int backwards, int past_l1, const float* a,
                         const float* b, float* c) {
  const int thread = blockIdx.x * blockDim.x + threadIdx.x - shift;
  if (thread < 0 || thread >= n - offset) return;

  const int i = backwards ? n - offset - 1 - thread : thread;
  const float* const left = a + i + offset;
  const float* const right = b + i + offset;
  c[i] = past_l1 ? __ldcg(left) + __ldcg(right) : *left + *right;
}

__global__ void copy_doubles(int n, int offset, const double* in, double* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i + offset];
}

__global__ void answers(char* answer) {
  char letter = 'a';
  for (int question = 0; question < 3; ++question) answer[question] = ++letter;
}
