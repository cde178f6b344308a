// The first rows that are no four, then fours, by names instead of an array.
__global__ void polynomial(int n, int rows, const float* c, const float* in, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float c0 = c[0], c1 = c[1], c2 = c[2], c3 = c[3];
  int row = 0;
  const int odd = rows % 4;
  const float a = odd > 0 ? in[i] : 0, b = odd > 1 ? in[n + i] : 0, d = odd > 2 ? in[2 * n + i] : 0;
  const auto result = [&](float x) { return ((c3 * x + c2) * x + c1) * x + c0; };
  if (odd > 0) out[i] = result(a);
  if (odd > 1) out[n + i] = result(b);
  if (odd > 2) out[2 * n + i] = result(d);
  for (row = odd; row < rows; row += 4) {
    const float* const from = in + row * n + i;
    float* const to = out + row * n + i;
    const float p = from[0], q = from[n], r = from[2 * n], s = from[3 * n];
    to[0] = result(p);
    to[n] = result(q);
    to[2 * n] = result(r);
    to[3 * n] = result(s);
  }
}
