// Letters are worked out, and the six kernels are cases of a switch.
__global__ void load(int kernel, const float* in, const int* order, float* out) {
  const int lane = threadIdx.x;
  float sum = 0.0f;
  switch (kernel) {
    case 0:
      for (int field = 0; field < 2; ++field) sum += in[2 * lane + field];
      break;
    case 1:
      sum = in[2 * lane];
      break;
    case 2: {
      const float2 point = reinterpret_cast<const float2*>(in)[lane];
      sum = point.x + point.y;
      break;
    }
    case 3: {
      const float4 point = reinterpret_cast<const float4*>(in)[lane];
      sum = point.x + point.y + point.z;
      break;
    }
    case 4: {
      const int who = order[lane];
      for (int field = 8; field-- > 0;) sum += in[field * 1024 + who];
      break;
    }
    default:
      for (int half = 0; half < 2; ++half) {
        const float4 four = reinterpret_cast<const float4*>(in)[2 * order[lane] + half];
        sum += four.x + four.y + four.z + four.w;
      }
  }
  out[lane] = sum;
}

__global__ void answers(char* choice) {
  const int packed = 3 * 32 / 8, padded = 4 * 32 / 8, arrays = 8 * 32, structures = 32;
  choice[0] = 'a' + 2;
  choice[1] = 'a' + 1;
  choice[2] = padded > packed ? 'c' : 'b';
  choice[3] = arrays == 8 * structures ? 'b' : 'a';
}
