// Kernels whose counters per line can be worked out on paper: 4 warps of 32 lanes, floats.
#include <cooperative_groups.h>
#include <cuda_runtime.h>

#include <cstdio>
#include <cstring>

#include "profiled_helper.cuh"

namespace {

__constant__ float factors[2] = {1.0f, 2.0f};

__global__ void lines(int n, const float* in,  // [2 n]
                      float* out) {            // [n]
  __shared__ float tile[128 * 32];
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const float near = in[i], far = in[2 * i];  // [two loads]
  tile[threadIdx.x * 32] = near;              // [shared store]
  __syncthreads();
  const float back = tile[threadIdx.x * 32];                  // [shared load]
  if (threadIdx.x % 32 < 8) out[i] = far;                     // [eight lanes]
  out[n - 1 - i] = two_apart(in, i) * factors[n % 2] + back;  // [helper and constant]
  atomicAdd(&out[0], 1.0f);                                   // [atomic]
}

template <class T>
__global__ void copy(const T* in, T* out) {
  out[threadIdx.x] = in[threadIdx.x];  // [perfect]
}

// Another kernel with a line of the same helper.
__global__ void helped(const float* in, float* out) {
  out[threadIdx.x] = two_apart(in, threadIdx.x);
}

// Every second float of what the other block of the cluster has.
__global__ void __cluster_dims__(2, 1, 1) borrowed(float* out) {
  const auto cluster = cooperative_groups::this_cluster();
  __shared__ float lent[64];
  lent[threadIdx.x] = lent[threadIdx.x + 32] = 1.0f;
  const float* const theirs = cluster.map_shared_rank(lent, cluster.block_rank() ^ 1);
  cluster.sync();
  out[blockIdx.x * blockDim.x + threadIdx.x] = theirs[2 * threadIdx.x];  // [other block]
  cluster.sync();
}

// Loads that a compiler may leave out, and their like that it must not.
constexpr unsigned kRounds = 4;
__global__ void again(const float* in, float* out) {
  const unsigned i = 8 + kRounds * threadIdx.x;
  for (unsigned round = 0; round < kRounds; ++round) {
    out[threadIdx.x] += in[0];      // [the same in each round]
    out[32 + threadIdx.x] = in[i];  // [written between]
    const_cast<float*>(in)[i] = 1.0f;
    const float* const window = in + 128 + i + round;
    out[64 + threadIdx.x] = window[0] + window[1] + window[2];         // [a window that moves]
    out[96 + threadIdx.x] = const_cast<const volatile float*>(in)[1];  // [volatile]
    if (threadIdx.x % 2 == round % 2) out[0] += in[2];                 // [other lanes each time]
  }
}

__global__ void nothing() {}

// Two kernels of one name.
namespace forth {
__global__ void go(float* out) { out[threadIdx.x] = 1.0f; }
}  // namespace forth
namespace back {
__global__ void go(float* out) { out[31 - threadIdx.x] = blockIdx.x; }
}  // namespace back

}  // namespace

int main(int argc, char** argv) {
  constexpr int n = 128;
  float *in = nullptr, *out = nullptr;
  if (cudaMalloc(&in, 4 * n * sizeof(float)) != cudaSuccess ||
      cudaMalloc(&out, 2 * n * sizeof(float)) != cudaSuccess)
    return 2;
  cudaMemset(in, 0, 4 * n * sizeof(float));
  const char* const wish = argc > 1 ? argv[1] : "";
  if (std::strcmp(wish, "idle") != 0) {
    for (int launch = 0; launch < 3; ++launch) lines<<<2, n / 2>>>(n, in, out);
    copy<<<1, n>>>(in, out);
    copy<<<1, n>>>(reinterpret_cast<const double*>(in), reinterpret_cast<double*>(out));
    helped<<<1, 32>>>(in, out);
    borrowed<<<2, 32>>>(out);
    again<<<2, 32>>>(in, out);
    nothing<<<1, 32>>>();
    forth::go<<<1, 32>>>(out);
    back::go<<<2, 32>>>(out);
  }
  std::puts(cudaGetErrorName(cudaDeviceSynchronize()));
  cudaFree(in);
  cudaFree(out);
  return std::strcmp(wish, "fail") == 0 ? 1 : 0;
}
