// Exercise 06.5: what the profile says. `./course check 06 --exercise 5` says how far you are.

constexpr int kFields = 8;    // of a particle
constexpr int kPitch = 1024;  // floats from one field's array to the next

/// Six kernels in one. A warp loads fields of 32 points or particles, and every lane adds up its
/// own. This is what `./course profile` says of their loads:
///
///     kernel         requests   sectors of each   efficiency
///     0 both                2                 8         50 %
///     1 one                 1                 8         50 %
///     2 wide                1                 8        100 %
///     3 padded              1                16        100 %
///     4 arrays              8                32       12.5 %
///     5 structures          2                32         50 %
///
/// Given: leave it as it is. The check launches it, and counts.
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
    for (int field = 0; field < kFields; ++field) sum += in[field * kPitch + order[lane]];
  }
  if (kernel == 5) {  // particles from anywhere, each of them 32 bytes
    const float4* particle = reinterpret_cast<const float4*>(in) + 2 * order[lane];
    const float4 half = particle[0], rest = particle[1];
    sum += half.x + half.y + half.z + half.w + rest.x + rest.y + rest.z + rest.w;
  }
  out[lane] = sum;
}

/// Four questions. What a request finds in L1 need not come from L2 again.
///
/// 0. The loads of `both` and of `one` are 50 % efficient. Which of these two kernels makes memory
///    send bytes that no lane uses?
///      a  both of them           b  `both` alone
///      c  `one` alone            d  neither
/// 1. You replace `both` by `wide`. What goes down?
///      a  the sectors that memory has to send      b  the requests
///      c  sectors as well as requests              d  nothing
/// 2. Packed points of three floats take 3 requests of 12 sectors, at 33 %. `padded` is at 100 %.
///    For which does memory have to send more?
///      a  packed: two thirds of each request are wasted
///      b  packed: it touches 36 sectors, padded only 16
///      c  padded: it asks for bytes that nobody needs
///      d  the same for both: the points are the same
/// 3. `arrays` and `structures` fetch the same particles. How many times as many sectors does
///    memory send for `arrays`?
///      a  4, because 50 % is 4 times 12.5 %
///      b  8, because the two requests of `structures` share their sectors
///      c  the same, because both use every byte they ask for
///      d  2, because that many requests of `structures` do for one particle
__global__ void answers(char* choice) {  // [4]
#ifdef COURSE_SOLUTION
  choice[0] = 'c';
  choice[1] = 'b';
  choice[2] = 'c';
  choice[3] = 'b';
#else
  choice[0] = '?';  // TODO: 'a', 'b', 'c' or 'd'
  choice[1] = '?';
  choice[2] = '?';
  choice[3] = '?';
#endif
}
