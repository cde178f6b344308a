// mma.sync on registers that ldmatrix fills, and a product of a warpgroup.
#include <cuda_fp16.h>
__global__ void kernel(int n, const float* in, float* out) {
  __shared__ alignas(1024) __half tile[64 * 16];
  const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  for (int j = t; j < 64 * 16; j += blockDim.x) tile[j] = __float2half_rn(in[j % n]);
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  __syncthreads();
  const unsigned begin = static_cast<unsigned>(__cvta_generic_to_shared(tile));
  unsigned a[4], b[2];
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(a[0]), "=r"(a[1]), "=r"(a[2]), "=r"(a[3])
               : "r"(begin + t % 32 * 16));
  asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0, %1}, [%2];"
               : "=r"(b[0]), "=r"(b[1])
               : "r"(begin + t % 16 * 16));
  float d[4] = {};
  asm volatile(
      "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "
      "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
      : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
  // Rows of 8 k lie side by side; the next 8 k are 1024 bytes further, the next 8 rows 128.
  const unsigned long long matrix = (begin & 0x3ffff) >> 4 | 64ull << 16 | 8ull << 32;
  float w[4] = {};
  asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
  asm volatile(
      "{ .reg .pred p; setp.ne.b32 p, 1, 0;\n"
      "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%0, %1, %2, %3}, %4, %4, p, 1, 1, 0, 0; }"
      : "+f"(w[0]), "+f"(w[1]), "+f"(w[2]), "+f"(w[3])
      : "l"(matrix));
  asm volatile("wgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned 0;" ::: "memory");
  if (i < n) out[i] = d[0] + d[1] + d[2] + d[3] + w[0] + w[3];
}
