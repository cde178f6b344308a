// Structures of several sizes, copied whole, in arrays, in unions; bit fields; 64-bit integers.
struct Particle {
  float x, y, z;
  int id;
  float history[6];
};
union Word {
  float f;
  unsigned u;
  struct {
    unsigned low : 16, high : 16;
  } halves;
};
__device__ Particle advance(Particle p, float dt) {
  for (int k = 5; k > 0; --k) p.history[k] = p.history[k - 1];
  p.history[0] = p.x;
  p.x += dt * p.y;
  ++p.id;
  return p;
}
__global__ void kernel(int n, const float* in, float* out) {
  __shared__ Particle particles[128];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  Particle p = {i < n ? in[i] : 0.0f, 1.0f, 2.0f, i, {}};
  for (int k = 0; k < 3; ++k) p = advance(p, 0.5f);
  particles[threadIdx.x] = p;
  __syncthreads();
  const Particle other = particles[(threadIdx.x + 1) % blockDim.x];
  Word word;
  word.f = other.x + other.history[threadIdx.x % 6];
  long long big = static_cast<long long>(word.halves.high) * 1000003 / (other.id % 7 + 1);
  if (i < n)
    out[i] = static_cast<float>(big % 4096) + p.history[1] + static_cast<float>(word.u % 5);
}
