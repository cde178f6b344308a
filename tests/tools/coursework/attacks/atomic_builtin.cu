// kind: uncounted access
// rule: reserved-name
// says: __atomic_load_n
__global__ void kernel(int n, const float* in, float* out) {
  out[threadIdx.x] = static_cast<float>(__atomic_load_n(reinterpret_cast<const int*>(in), 0));
}
