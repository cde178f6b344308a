// Switches, do-while, goto, early exits, references to built-in variables, a dim3.
__device__ int pick(int i) {
  switch (i % 9) {
    case 0:
      return 4;
    case 1:
      return 17;
    case 2:
      return -3;
    case 3:
      return 8;
    case 4:
      return 100;
    case 5:
      return 6;
    case 7:
      return 21;
    default:
      return 0;
  }
}
__global__ void kernel(int n, const float* in, float* out) {
  const uint3& place = threadIdx;
  const dim3 size = blockDim;
  const int i = blockIdx.x * size.x + place.x;
  if (i >= n) return;
  int value = pick(i), steps = 0;
  do {
    if (value > 50) goto done;
    value = value * 2 + 1;
    ++steps;
  } while (value != 0 && steps < 20);
done:
  out[i] = in[i] + static_cast<float>(value + steps);
}
