// Thrust: vectors of the device, and a kernel that uses one.
#include <thrust/device_vector.h>
#include <thrust/functional.h>
#include <thrust/host_vector.h>
#include <thrust/reduce.h>
#include <thrust/sort.h>
#include <thrust/transform.h>

#include <algorithm>
#include <cstdio>

struct Square {
  __host__ __device__ int operator()(int x) const { return x * x; }
};

__global__ void add_one(int* values, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) values[i] += 1;
}

int main() {
  constexpr int kCount = 3000;
  thrust::host_vector<int> host(kCount);
  for (int i = 0; i < kCount; ++i) host[i] = (i * 7919) % 1009;
  thrust::device_vector<int> device = host;

  thrust::sort(device.begin(), device.end());
  std::sort(host.begin(), host.end());
  bool is_right = thrust::host_vector<int>(device) == host;

  add_one<<<(kCount + 255) / 256, 256>>>(thrust::raw_pointer_cast(device.data()), kCount);
  thrust::transform(device.begin(), device.end(), device.begin(), Square());
  const int sum = thrust::reduce(device.begin(), device.end(), 0, thrust::plus<int>());
  int expected = 0;
  for (const int x : host) expected += (x + 1) * (x + 1);
  is_right &= sum == expected && device[0] == (host[0] + 1) * (host[0] + 1);
  std::puts(is_right ? "right" : "wrong");
  return !is_right;
}
