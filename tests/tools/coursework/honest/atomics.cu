// Atomic operations on device memory, on shared memory and on device variables; a lock.
__device__ int lock = 0;
__device__ float protected_sum = 0.0f;
__global__ void kernel(int n, const float* in, float* out) {
  __shared__ int histogram[16];
  if (threadIdx.x < 16) histogram[threadIdx.x] = 0;
  __syncthreads();
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    atomicAdd(&histogram[static_cast<int>(in[i]) & 15], 1);
    atomicAdd(&out[20], 1.0f);
    atomicMax(reinterpret_cast<int*>(&out[21]), i);
  }
  __syncthreads();
  if (threadIdx.x < 16) atomicAdd(&out[threadIdx.x], static_cast<float>(histogram[threadIdx.x]));
  if (threadIdx.x == 0) {
    while (atomicCAS(&lock, 0, 1) != 0) {
    }
    __threadfence();
    protected_sum += 1.0f;
    __threadfence();
    atomicExch(&lock, 0);
    if (blockIdx.x == gridDim.x - 1) out[22] = 1.0f;
  }
}
