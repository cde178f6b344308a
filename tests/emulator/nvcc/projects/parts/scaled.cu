__global__ void scale(int* values, int factor) { values[threadIdx.x] *= factor; }

void scale_on_device(int* values, int n, int factor) { scale<<<1, n>>>(values, factor); }
