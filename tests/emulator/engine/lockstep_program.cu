// Kernels whose lanes communicate through shared memory, with and without a barrier.
#include <algorithm>
#include <cstdio>
#include <cstring>

namespace {

constexpr int kWarp = 32;
constexpr int kThreads = 128;
constexpr int kBlocks = 5;

// As written before Volta: the last steps run in one warp and have no barrier.
__global__ void reduce(const int* in, int* out) {
  __shared__ volatile int s[kThreads];
  const unsigned t = threadIdx.x;
  s[t] = in[blockIdx.x * kThreads + t];
  __syncthreads();
  if (t < 64) s[t] = s[t] + s[t + 64];
  __syncthreads();
  if (t < kWarp) {
    s[t] = s[t] + s[t + 32];  // writes first
    s[t] = s[t] + s[t + 16];  // reads first
    s[t] = s[t] + s[t + 8];
    s[t] = s[t] + s[t + 4];
    s[t] = s[t] + s[t + 2];
    s[t] = s[t] + s[t + 1];
  }
  if (t == 0) out[blockIdx.x] = s[0];
}

__global__ void reduce_synced(const int* in, int* out) {
  __shared__ int s[kThreads];
  const unsigned t = threadIdx.x;
  s[t] = in[blockIdx.x * kThreads + t];
  __syncthreads();
  for (unsigned k = kThreads / 2; k >= kWarp; k /= 2) {
    if (t < k) s[t] += s[t + k];
    __syncthreads();
  }
  for (unsigned k = kWarp / 2; k > 0; k /= 2) {
    if (t < k) s[t] += s[t + k];
    __syncwarp();
  }
  if (t == 0) out[blockIdx.x] = s[0];
}

// Every lane computes a sum in a loop.
__global__ void scan(const int* in, int* out) {
  __shared__ volatile int s[kWarp];
  const unsigned t = threadIdx.x;
  s[t] = in[t];
  for (unsigned k = 1; k < kWarp; k *= 2)
    if (t >= k) s[t] = s[t] + s[t - k];
  out[t] = s[t];
}

// A warp sorts: a lane's source line does not tell its progress, its iterations of two loops do.
__global__ void sort(const int* in, int* out) {
  __shared__ volatile int s[kWarp];
  const unsigned t = threadIdx.x;
  s[t] = in[t];
  for (unsigned k = 2; k <= kWarp; k *= 2)
    for (unsigned apart = k / 2; apart > 0; apart /= 2) {
      const unsigned other = t ^ apart;
      if (other < t) continue;
      const bool goes_up = (t & k) == 0;
      if ((s[t] > s[other]) != goes_up) continue;
      const int own = s[t];
      s[t] = s[other];
      s[other] = own;
    }
  out[t] = s[t];
}

// A function that a part of the warp calls first, and then all lanes.
__device__ void add_neighbours(volatile int* s, unsigned t, unsigned apart) {
  s[t] = s[t] + s[t + apart];
}
__global__ void reduce_in_calls(const int* in, int* out) {
  __shared__ volatile int s[2 * kWarp];
  const unsigned t = threadIdx.x;
  s[t] = in[t];
  s[t + kWarp] = 0;
  if (t < 16) add_neighbours(s, t, 16);
  add_neighbours(s, t, 8);
  add_neighbours(s, t, 4);
  add_neighbours(s, t, 2);
  add_neighbours(s, t, 1);
  if (t == 0) out[0] = s[0];
}

// Loops of different lengths: finished lanes wait.
__global__ void unlike_loops(const int* in, int* out) {
  __shared__ volatile int s[kWarp];
  const unsigned t = threadIdx.x;
  int rounds = 0;
  for (unsigned i = 0; i <= t; ++i) {
    s[t] = rounds;
    rounds = s[t] + 1;
  }
  s[t] = rounds;
  out[t] = s[kWarp - 1 - t] + static_cast<int>(t) - kWarp + in[t];
}

// One lane does more than the others, which need its result.
__global__ void one_for_all(const int* in, int* out) {
  __shared__ volatile int found;
  const unsigned t = threadIdx.x;
  if (t == 7) {
    int sum = 0;
    for (int i = 0; i < kWarp; ++i) sum += in[i];
    found = sum;
  }
  out[t] = found;
}

// A lane waits for one that reaches its line later: before Volta, forever.
__global__ void wait_in_loop(const int* in, int* out) {
  __shared__ volatile int flag;
  const unsigned t = threadIdx.x;
  if (t == 0) flag = 0;
  __syncwarp();
  if (t == 3)
    while (flag == 0) {
    }
  if (t == 5) flag = in[5] + 1;
  out[t] = in[t];
}

// Lanes of a warp wait for each other's lock: before Volta, forever.
__global__ void wait_for_lock(const int* in, int* out) {
  __shared__ int lock, sum;
  const unsigned t = threadIdx.x;
  if (t == 0) lock = sum = 0;
  __syncthreads();
  while (atomicCAS(&lock, 0, 1) != 0) {
  }
  sum += in[t];
  __threadfence_block();
  atomicExch(&lock, 0);
  __syncthreads();
  if (t == 0) out[0] = sum;
}

// The same as written then: a lane releases the lock before the others try again.
__global__ void take_lock_in_turn(const int* in, int* out) {
  __shared__ int lock, sum;
  const unsigned t = threadIdx.x;
  if (t == 0) lock = sum = 0;
  __syncthreads();
  for (bool is_done = false; !is_done;)
    if (atomicCAS(&lock, 0, 1) == 0) {
      sum += in[t];
      __threadfence_block();
      atomicExch(&lock, 0);
      is_done = true;
    }
  __syncthreads();
  if (t == 0) out[0] = sum;
}

// Values that no lane gets from another: its own values, values before a barrier, bytes of one
// word, results of atomics, values that each lane writes for itself.
__global__ void keep_apart(const int* in, int* out) {
  __shared__ int own[kWarp], all, count;
  __shared__ char bytes[2 * kWarp];
  const unsigned t = threadIdx.x;
  if (t == 0) count = 0;
  bytes[2 * t + 1] = 1;
  __syncwarp();
  own[t] = in[t];
  bytes[2 * t] = static_cast<char>(in[t] + bytes[2 * ((t + 1) % kWarp) + 1] - 1);
  all = in[0];
  atomicAdd(&count, 1);
  out[t] = own[t] + (all - in[0]) + (bytes[2 * t] - own[t]);
}

using Kernel = void (*)(const int*, int*);

struct Case {
  const char* name;
  Kernel kernel;
  int blocks, threads;
  int (*wanted)(const int* in, int i);
  int results;
};

int block_sum(const int* in, int block) {
  int sum = 0;
  for (int i = 0; i < kThreads; ++i) sum += in[block * kThreads + i];
  return sum;
}
int sum_up_to(const int* in, int last) {
  int sum = 0;
  for (int i = 0; i <= last; ++i) sum += in[i];
  return sum;
}
int sum_of_warp(const int* in, int) { return sum_up_to(in, kWarp - 1); }
int same(const int* in, int i) { return in[i]; }
int sorted(const int* in, int i) {
  int copy[kWarp];
  std::copy_n(in, kWarp, copy);
  std::nth_element(copy, copy + i, copy + kWarp);
  return copy[i];
}

const Case kCases[] = {
    {"reduce", reduce, kBlocks, kThreads, block_sum, kBlocks},
    {"reduce_synced", reduce_synced, kBlocks, kThreads, block_sum, kBlocks},
    {"scan", scan, 1, kWarp, sum_up_to, kWarp},
    {"sort", sort, 1, kWarp, sorted, kWarp},
    {"reduce_in_calls", reduce_in_calls, 1, kWarp, sum_of_warp, 1},
    {"unlike_loops", unlike_loops, 1, kWarp, same, kWarp},
    {"one_for_all", one_for_all, 1, kWarp, sum_of_warp, kWarp},
    {"wait_for_lock", wait_for_lock, 1, kWarp, sum_of_warp, 1},
    {"take_lock_in_turn", take_lock_in_turn, 1, kWarp, sum_of_warp, 1},
    {"wait_in_loop", wait_in_loop, 1, kWarp, same, kWarp},
    {"keep_apart", keep_apart, 1, kWarp, same, kWarp},
};

int run(const Case& one) {
  int *in = nullptr, *out = nullptr;
  cudaMallocManaged(&in, kBlocks * kThreads * sizeof(int));
  cudaMallocManaged(&out, kBlocks * kThreads * sizeof(int));
  for (int i = 0; i < kBlocks * kThreads; ++i) in[i] = 1 + i % 11;
  one.kernel<<<one.blocks, one.threads>>>(in, out);
  if (cudaDeviceSynchronize() != cudaSuccess) return -1;
  int wrong = 0;
  for (int i = 0; i < one.results; ++i) wrong += out[i] != one.wanted(in, i);
  cudaFree(in);
  cudaFree(out);
  return wrong;
}

}  // namespace

int main(int argc, char** argv) {
  for (int i = 1; i < argc; ++i)
    for (const Case& one : kCases)
      if (std::strcmp(argv[i], one.name) == 0)
        std::printf("%s: %s\n", one.name, run(one) == 0 ? "right" : "wrong");
}
