// kind: engine
// run: cudaErrorIllegalAddress
// An atomic operation is made by the engine itself, on an address of the lane's own stack.
__global__ void kernel(int n, const float* in, float* out) {
  int local[2] = {1, 2};
  int* p = local;
  atomicAdd(p + n, 1);
  out[threadIdx.x] = static_cast<float>(local[0]);
}
