int launches_so_far();

static __global__ void twice(int* value) { *value *= 2; }

int twice_the_launches() {
  int* value;
  cudaMallocManaged(&value, sizeof(int));
  *value = launches_so_far();
  twice<<<1, 1>>>(value);
  cudaDeviceSynchronize();
  const int result = *value;
  cudaFree(value);
  return result;
}
