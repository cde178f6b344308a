// All answers stand in one word.
__global__ void load(int kernel, const float* in, const int* order, float* out) {
  const int lane = threadIdx.x;
  float sum = 0.0f;
  if (kernel == 0) {  // array of {x, y}
    sum += in[2 * lane];
    sum += in[2 * lane + 1];
  }
  if (kernel == 1) sum = in[2 * lane];  // the same, x alone
  if (kernel == 2) {                    // array of {x, y}, aligned to 8 bytes
    const float2 point = reinterpret_cast<const float2*>(in)[lane];
    sum += point.x + point.y;
  }
  if (kernel == 3) {  // array of {x, y, z, unused}, aligned to 16 bytes
    const float4 point = reinterpret_cast<const float4*>(in)[lane];
    sum += point.x + point.y + point.z;
  }
  if (kernel == 4) {  // particles from anywhere, an array per field
    for (int field = 0; field < 8; ++field) sum += in[field * 1024 + order[lane]];
  }
  if (kernel == 5) {  // particles from anywhere, each of them 32 bytes
    const float4* particle = reinterpret_cast<const float4*>(in) + 2 * order[lane];
    const float4 half = particle[0], rest = particle[1];
    sum += half.x + half.y + half.z + half.w + rest.x + rest.y + rest.z + rest.w;
  }
  out[lane] = sum;
}

__global__ void answers(char* choice) {
  const char* word = "cbcb";
  for (int i = 0; i < 4; ++i) choice[i] = word[i];
}
