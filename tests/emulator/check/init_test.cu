// initcheck: each wrong kernel is reported, its fixed twin is not.
#include "checked.hpp"

using namespace check_tests;

namespace {

std::string at(const char* tag) { return line_of(__FILE__, tag); }

__global__ void accumulate(float* sum, const float* in) {
  sum[threadIdx.x] += in[threadIdx.x];  // @accumulate
}

__global__ void count_values(unsigned* bins, const unsigned char* in) {
  atomicAdd(&bins[in[threadIdx.x] % 8], 1u);  // @histogram
}

__global__ void shared_sum_wrong(int* out) {
  __shared__ int sums[64];
  sums[threadIdx.x] += 1;  // @shared sum
  out[threadIdx.x] = sums[threadIdx.x];
}
__global__ void shared_sum_right(int* out) {
  __shared__ int sums[64];
  sums[threadIdx.x] = 0;
  sums[threadIdx.x] += 1;
  out[threadIdx.x] = sums[threadIdx.x];
}

__global__ void halo_wrong(const int* in, int* out) {
  __shared__ int tile[66];
  const unsigned i = threadIdx.x;
  tile[i + 1] = in[i];
  __syncthreads();
  out[i] = tile[i] + tile[i + 1];  // @halo
}
__global__ void halo_right(const int* in, int* out) {
  __shared__ int tile[66];
  const unsigned i = threadIdx.x;
  tile[i + 1] = in[i];
  if (i == 0) tile[0] = 0;
  __syncthreads();
  out[i] = tile[i] + tile[i + 1];
}

__global__ void bytes_wrong(unsigned char* bytes, int* out) {
  if (threadIdx.x != 3) bytes[threadIdx.x] = 1;
  __syncthreads();
  out[threadIdx.x] = bytes[threadIdx.x];  // @one byte
}
__global__ void bytes_right(unsigned char* bytes, int* out) {
  bytes[threadIdx.x] = 1;
  __syncthreads();
  out[threadIdx.x] = bytes[threadIdx.x];
}

__global__ void dynamic_wrong(int* out) {
  extern __shared__ int buffer[];
  if (threadIdx.x < 32) buffer[threadIdx.x] = 1;
  __syncthreads();
  out[threadIdx.x] = buffer[threadIdx.x];  // @dynamic
}
__global__ void dynamic_right(int* out) {
  extern __shared__ int buffer[];
  buffer[threadIdx.x] = 1;
  __syncthreads();
  out[threadIdx.x] = buffer[threadIdx.x];
}

// Four bytes of padding, and a size that is not a power of two: it is copied in pieces.
struct Padded {
  int key;
  double value;
  int count;
};
__global__ void make_padded(Padded* out) {
  out[threadIdx.x].key = 1;
  out[threadIdx.x].value = 2;
  out[threadIdx.x].count = 3;
}
__global__ void copy_padded(const Padded* in, Padded* out) {
  out[threadIdx.x] = in[threadIdx.x];  // @struct
}

__device__ int zeros[32];
__global__ void read_variable(int* out) { out[threadIdx.x] = zeros[threadIdx.x]; }
__global__ void copy(const int* in, int* out) { out[threadIdx.x] = in[threadIdx.x]; }  // @copy
__global__ void copy_all(const int* in, int* out) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[i];
}
__global__ void exchange(int* place, int* out) { out[0] = atomicExch(place, 1); }

}  // namespace

TEST_CASE("initcheck: a sum that starts from garbage") {
  Device<float> sum(64), in(64, 0), zeroed(64, 0);
  check_finding(run_checked([&] {
                  Device<float> fresh(64);
                  accumulate<<<1, 64>>>(fresh, in);
                }).findings,
                {.kind = "uninitialized_read",
                 .line = at("accumulate"),
                 .thread = "(0,0,0)",
                 .block = "(0,0,0)",
                 .count = 64});
  check_silent(run_checked([&] {
    Device<float> fresh(64, 0);
    accumulate<<<1, 64>>>(fresh, in);
  }));
}

TEST_CASE("initcheck: atomic operations on counters that nobody cleared") {
  Device<unsigned char> in(64, 1);
  check_finding(run_checked([&] {
                  Device<unsigned> bins(8);
                  count_values<<<1, 64>>>(bins, in);
                }).findings,
                {.kind = "uninitialized_read", .line = at("histogram"), .count = 32});
  check_silent(run_checked([&] {
    Device<unsigned> bins(8, 0);
    count_values<<<1, 64>>>(bins, in);
  }));
  check_silent(run_checked([&] {  // an exchange does not depend on the old value
    Device<int> place(1), out(1);
    exchange<<<1, 1>>>(place, out);
  }));
}

TEST_CASE("initcheck: shared memory holds nothing when a block begins") {
  Device<int> in(64, 0), out(64);
  check_finding(
      run_checked([&] { shared_sum_wrong<<<2, 64>>>(out); }, {.init = true}).findings,
      {.kind = "uninitialized_read", .line = at("shared sum"), .thread = "(0,0,0)", .count = 128});
  check_silent(run_checked([&] { shared_sum_right<<<2, 64>>>(out); }, {.init = true}));
  check_finding(
      run_checked([&] { halo_wrong<<<1, 64>>>(in, out); }).findings,
      {.kind = "uninitialized_read", .line = at("halo"), .thread = "(0,0,0)", .count = 1});
  check_silent(run_checked([&] { halo_right<<<1, 64>>>(in, out); }));
  check_finding(run_checked([&] { dynamic_wrong<<<1, 64, 256>>>(out); }).findings,
                {.kind = "uninitialized_read", .line = at("dynamic"), .thread = "(32,0,0)"});
  check_silent(run_checked([&] { dynamic_right<<<1, 64, 256>>>(out); }));
}

TEST_CASE("initcheck: to the byte") {
  Device<int> out(64);
  const Result wrong = run_checked([&] {
    Device<unsigned char> bytes(64);
    bytes_wrong<<<1, 64>>>(bytes, out);
  });
  check_finding(
      wrong.findings,
      {.kind = "uninitialized_read", .line = at("one byte"), .thread = "(3,0,0)", .count = 1});
  CHECK(wrong.findings[0].bytes == 1);
  check_silent(run_checked([&] {
    Device<unsigned char> bytes(64);
    bytes_right<<<1, 64>>>(bytes, out);
  }));
}

TEST_CASE("initcheck: copies carry what they copy") {
  Device<int> out(64);
  check_finding(
      run_checked([&] {
        Device<int> half(64), all(64);
        cudaMemset(half, 0, 128);
        cudaMemcpy(all, half, 256, cudaMemcpyDeviceToDevice);
        copy<<<1, 64>>>(all, out);
      }).findings,
      {.kind = "uninitialized_read", .line = at("copy"), .thread = "(32,0,0)", .count = 32});
  check_silent(run_checked([&] {
    Device<int> half(64), all(64);
    cudaMemset(half, 0, 256);
    cudaMemcpy(all, half, 256, cudaMemcpyDeviceToDevice);
    copy<<<1, 64>>>(all, out);
  }));
}

TEST_CASE("initcheck: a struct copied whole may have padding, but not all of it") {
  Device<Padded> out(32);
  check_finding(run_checked([&] {
                  Device<Padded> in(32);
                  copy_padded<<<1, 32>>>(in, out);
                }).findings,
                {.kind = "uninitialized_read", .line = at("struct"), .count = 32});
  check_silent(run_checked([&] {
    Device<Padded> in(32);
    make_padded<<<1, 32>>>(in);
    copy_padded<<<1, 32>>>(in, out);
  }));
}

TEST_CASE("initcheck: the host gets what nobody wrote") {
  std::vector<int> host(1024);
  const Result short_grid = run_checked([&] {
    Device<int> in(1024, 0), out(1024);
    copy_all<<<24, 32>>>(in, out);
    cudaMemcpy(host.data(), out, 4096, cudaMemcpyDeviceToHost);  // @short grid
    cudaMemcpy(host.data(), out, 3072, cudaMemcpyDeviceToHost);  // only the written part
  });
  check_finding(short_grid.findings,
                {.kind = "uninitialized_read", .line = at("short grid"), .count = 1});
  CHECK(short_grid.findings[0].bytes == 1024);
  CHECK(short_grid.findings[0].title ==
        "cudaMemcpy copies to the host 1024 bytes that nothing wrote");

  const Result last_one = run_checked([&] {
    Device<int> out(1024);
    cudaMemset(out, 0, 4092);
    for (int again = 0; again < 3; ++again)
      cudaMemcpyAsync(host.data(), out, 4096, cudaMemcpyDefault);  // @last one
  });
  check_finding(last_one.findings,
                {.kind = "uninitialized_read", .line = at("last one"), .count = 3});

  const Result single = run_checked([&] {
    Device<int> out(1);
    cudaMemcpy(host.data(), out, 4, cudaMemcpyDeviceToHost);  // @single
  });
  check_finding(single.findings, {.kind = "uninitialized_read", .line = at("single"), .count = 1});

  const Result column = run_checked([&] {
    Device<char> image(64 * 64);
    cudaMemset2D(image, 64, 0, 32, 64);
    cudaMemcpy2D(host.data(), 64, image, 64, 64, 64, cudaMemcpyDeviceToHost);  // @column
    cudaMemcpy2D(host.data(), 64, image, 64, 32, 64, cudaMemcpyDeviceToHost);
  });
  check_finding(column.findings, {.kind = "uninitialized_read", .line = at("column"), .count = 1});
  CHECK(column.findings[0].bytes == 32 * 64);

  check_silent(run_checked([&] {
    Device<Padded> structs(32);
    make_padded<<<1, 32>>>(structs);
    std::vector<Padded> on_host(32);
    cudaMemcpy(on_host.data(), structs, 32 * sizeof(Padded), cudaMemcpyDeviceToHost);
    cudaMemcpy(on_host.data(), structs, sizeof(Padded), cudaMemcpyDeviceToHost);
  }));
}

TEST_CASE("initcheck: what counts as written") {
  Device<int> out(32);
  int host[32] = {};
  check_silent(run_checked([&] {
    read_variable<<<1, 32>>>(out);  // zero from the start
    int* managed = nullptr;
    cudaMallocManaged(&managed, 128);  // written by the host, which is not recorded
    copy<<<1, 32>>>(managed, out);
    cudaFree(managed);
    Device<int> in(32);
    cudaMemcpy(in, host, 128, cudaMemcpyHostToDevice);
    copy<<<1, 32>>>(in, out);
    Device<int> by_kernel(32);
    copy<<<1, 32>>>(out, by_kernel);
    copy<<<1, 32>>>(by_kernel, out);
  }));
}
