// One loop, and a list of answers.
constexpr int kTable = 1024;

__global__ void look_up(int n, int rounds, const int* table, const int* first, int* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;

  const int start = first[i];
  int sum = 0;
  for (int round = 0; round < rounds; ++round) sum += table[(start + round) % kTable];
  out[i] = sum;
}

__global__ void look_up_copied(int n, int rounds, const int* table, const int* first, int* out) {
  __shared__ int copy[kTable];
  for (int entry = threadIdx.x; entry < kTable; entry += blockDim.x) copy[entry] = table[entry];
  __syncthreads();

  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;

  const int start = first[i];
  int sum = 0;
  for (int round = 0; round < rounds; ++round) sum += copy[(start + round) % kTable];
  out[i] = sum;
}

__global__ void answers(int* requests) {
  constexpr int kAnswers[] = {88, 40, 36, 4, 1};
  for (int question = 0; question < 5; ++question) requests[question] = kAnswers[question];
}
