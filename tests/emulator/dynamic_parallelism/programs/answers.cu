/// What a device answers where kernels launch kernels. The program's argument is the name of a
/// case; answers_h200.txt has what an H200 answered.
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace {

constexpr int kMostNotes = 4096;
__device__ int counter;
__device__ int notes[kMostNotes];
__device__ int note_count;

__device__ void note(int what) { notes[atomicAdd(&note_count, 1)] = what; }

__global__ void nothing() {}
__global__ void mark(int what) { note(what); }
__global__ void add_one() { atomicAdd(&counter, 1); }
__global__ void __launch_bounds__(64) bounded() { atomicAdd(&counter, 1); }
__global__ void __cluster_dims__(2, 1, 1) clustered() { atomicAdd(&counter, 1); }
__global__ void shared_user() {
  extern __shared__ int words[];
  words[threadIdx.x] = 1;
  atomicAdd(&counter, words[threadIdx.x]);
}
__global__ void reader(const int* p) { printf("child reads %d\n", *p); }
__global__ void writer(int* p) { *p = 7; }

__device__ void say(const char* call, cudaError_t error) {
  printf("  %s: %d %s\n", call, static_cast<int>(error), cudaGetErrorName(error));
}
__device__ void say_last(const char* what) {
  const cudaError_t peeked = cudaPeekAtLastError(), first = cudaGetLastError(),
                    second = cudaGetLastError();
  printf("  %s: peek %d, last %d %s (%s), then %d\n", what, static_cast<int>(peeked),
         static_cast<int>(first), cudaGetErrorName(first), cudaGetErrorString(first),
         static_cast<int>(second));
}

__global__ void bad_configurations() {
  nothing<<<1, 0>>>();
  say_last("block 0");
  nothing<<<0, 1>>>();
  say_last("grid 0");
  nothing<<<1, 1025>>>();
  say_last("block 1025");
  nothing<<<1, dim3(1, 1, 65)>>>();
  say_last("block z 65");
  nothing<<<dim3(1, 65536), 1>>>();
  say_last("grid y 65536");
  nothing<<<1, 1, 49153>>>();
  say_last("shared 48K + 1");
  nothing<<<1, 1, 300000>>>();
  say_last("shared 300000");
  bounded<<<1, 65>>>();
  say_last("beyond launch bounds");
  clustered<<<3, 1>>>();
  say_last("cluster of 2, grid 3");
  clustered<<<4, 1>>>();
  say_last("cluster of 2, grid 4");
  nothing<<<1, 1, 0, cudaStreamLegacy>>>();
  say_last("legacy stream");
  nothing<<<1, 1, 0, cudaStreamPerThread>>>();
  say_last("per-thread stream");
  nothing<<<1, 1>>>();
  say_last("good");
  nothing<<<1, 0>>>();
  nothing<<<1, 1>>>();
  say_last("bad, then good");
  nothing<<<1, 0>>>();
  nothing<<<1, 1, 300000>>>();
  say_last("bad, then bad otherwise");
  nothing<<<1, 0>>>();
  int device;
  cudaGetDevice(&device);
  say_last("bad, then a good call");
  say("cudaGetDeviceCount(nullptr)", cudaGetDeviceCount(nullptr));
  say_last("after a failed call");
}

__global__ void leaves_error() { nothing<<<1, 0>>>(); }

__global__ void launches_many(int n) {
  int first = -1, failed = 0;
  cudaError_t error = cudaSuccess;
  for (int i = 0; i < n; ++i) {
    add_one<<<1, 1>>>();
    const cudaError_t now = cudaGetLastError();
    if (now == cudaSuccess) continue;
    if (failed++ == 0) first = i;
    error = now;
  }
  printf("  of %d launches, the first error at %d, %d errors: %d %s (%s)\n", n, first, failed,
         static_cast<int>(error), cudaGetErrorName(error), cudaGetErrorString(error));
}
__global__ void launch_each() {
  add_one<<<1, 1>>>();
  if (cudaGetLastError() != cudaSuccess) atomicAdd(&note_count, 1);
}
__global__ void launches_many_into(int n, int which) {
  const cudaStream_t stream = which == 1 ? cudaStreamFireAndForget : cudaStreamTailLaunch;
  int first = -1, failed = 0;
  cudaError_t error = cudaSuccess;
  for (int i = 0; i < n; ++i) {
    add_one<<<1, 1, 0, stream>>>();
    const cudaError_t now = cudaGetLastError();
    if (now == cudaSuccess) continue;
    if (failed++ == 0) first = i;
    error = now;
  }
  printf("  stream %d, of %d launches, the first error at %d, %d errors: %d %s\n", which, n, first,
         failed, static_cast<int>(error), cudaGetErrorName(error));
}

__global__ void null_order_of_threads() {
  if (threadIdx.x == 0) {
    mark<<<1, 1>>>(1);
    mark<<<1, 1>>>(2);
  }
  __syncthreads();
  if (threadIdx.x == 33) {
    mark<<<1, 1>>>(3);
    mark<<<1, 1>>>(4);
  }
}
__global__ void tail_in_tail() {
  note(200);
  mark<<<1, 1, 0, cudaStreamTailLaunch>>>(201);
  mark<<<1, 1>>>(202);
}
__global__ void tails() {
  tail_in_tail<<<1, 1, 0, cudaStreamTailLaunch>>>();
  mark<<<1, 1, 0, cudaStreamTailLaunch>>>(203);
  note(1);
}
__global__ void child_with_tail() {
  mark<<<1, 1, 0, cudaStreamTailLaunch>>>(301);
  note(300);
}
__global__ void tail_of_child() {
  child_with_tail<<<1, 1>>>();
  mark<<<1, 1>>>(302);
  mark<<<1, 1, 0, cudaStreamTailLaunch>>>(303);
}
__global__ void two_streams_and_event() {
  cudaStream_t a, b;
  cudaEvent_t e;
  say("cudaStreamCreateWithFlags(&a, cudaStreamNonBlocking)",
      cudaStreamCreateWithFlags(&a, cudaStreamNonBlocking));
  say("cudaStreamCreateWithFlags(&b, cudaStreamNonBlocking)",
      cudaStreamCreateWithFlags(&b, cudaStreamNonBlocking));
  say("cudaEventCreateWithFlags(&e, cudaEventDisableTiming)",
      cudaEventCreateWithFlags(&e, cudaEventDisableTiming));
  mark<<<1, 1, 0, a>>>(1);
  say("cudaEventRecord(e, a)", cudaEventRecord(e, a));
  say("cudaStreamWaitEvent(b, e, 0)", cudaStreamWaitEvent(b, e, 0));
  mark<<<1, 1, 0, b>>>(2);
  say("cudaEventDestroy(e)", cudaEventDestroy(e));
  say("cudaStreamDestroy(a)", cudaStreamDestroy(a));
  say("cudaStreamDestroy(b)", cudaStreamDestroy(b));
}

__global__ void stream_calls() {
  cudaStream_t s = nullptr, t = nullptr;
  cudaEvent_t e = nullptr;
  say("cudaStreamCreateWithFlags(&s, cudaStreamDefault)",
      cudaStreamCreateWithFlags(&s, cudaStreamDefault));
  say_last("after default stream");
  say("cudaStreamCreateWithFlags(&s, 5)", cudaStreamCreateWithFlags(&s, 5));
  say("cudaStreamCreateWithFlags(&t, cudaStreamNonBlocking)",
      cudaStreamCreateWithFlags(&t, cudaStreamNonBlocking));
  say("cudaEventCreateWithFlags(&e, cudaEventDefault)",
      cudaEventCreateWithFlags(&e, cudaEventDefault));
  say_last("after default event");
  say("cudaEventCreateWithFlags(&e, cudaEventBlockingSync | cudaEventDisableTiming)",
      cudaEventCreateWithFlags(&e, cudaEventBlockingSync | cudaEventDisableTiming));
  say("cudaEventCreateWithFlags(&e, cudaEventDisableTiming | cudaEventInterprocess)",
      cudaEventCreateWithFlags(&e, cudaEventDisableTiming | cudaEventInterprocess));
  say("cudaEventCreateWithFlags(&e, cudaEventDisableTiming)",
      cudaEventCreateWithFlags(&e, cudaEventDisableTiming));
  say("cudaStreamWaitEvent(t, e, 0)", cudaStreamWaitEvent(t, e, 0));  // before any record
  say("cudaStreamWaitEvent(nullptr, e, 0)", cudaStreamWaitEvent(nullptr, e, 0));
  say("cudaEventRecord(e, nullptr)", cudaEventRecord(e, nullptr));
  say("cudaStreamWaitEvent(nullptr, e, 0)", cudaStreamWaitEvent(nullptr, e, 0));
  say("cudaEventRecord(e, cudaStreamFireAndForget)", cudaEventRecord(e, cudaStreamFireAndForget));
  say("cudaEventRecord(e, cudaStreamTailLaunch)", cudaEventRecord(e, cudaStreamTailLaunch));
  say("cudaStreamWaitEvent(cudaStreamFireAndForget, e, 0)",
      cudaStreamWaitEvent(cudaStreamFireAndForget, e, 0));
  say("cudaStreamWaitEvent(cudaStreamTailLaunch, e, 0)",
      cudaStreamWaitEvent(cudaStreamTailLaunch, e, 0));
  say("cudaStreamDestroy(nullptr)", cudaStreamDestroy(nullptr));
  say_last("before the null event");
  say("cudaEventDestroy(nullptr)", cudaEventDestroy(nullptr));
  say("cudaEventDestroy(e)", cudaEventDestroy(e));
  say("cudaStreamDestroy(t)", cudaStreamDestroy(t));
  say_last("end");
}
__global__ void special_destroy() {
  say("cudaStreamDestroy(cudaStreamFireAndForget)", cudaStreamDestroy(cudaStreamFireAndForget));
  say("cudaStreamDestroy(cudaStreamTailLaunch)", cudaStreamDestroy(cudaStreamTailLaunch));
  say_last("end");
}
__global__ void double_destroy() {
  cudaStream_t t;
  cudaStreamCreateWithFlags(&t, cudaStreamNonBlocking);
  say("cudaStreamDestroy(t)", cudaStreamDestroy(t));
  say("cudaStreamDestroy(t)", cudaStreamDestroy(t));
  nothing<<<1, 1, 0, t>>>();
  say_last("launch into destroyed stream");
}
__global__ void host_stream(cudaStream_t s) {
  nothing<<<1, 1, 0, s>>>();
  say_last("launch into host's stream");
}
__device__ cudaStream_t kept_stream;
__global__ void uses_kept() {
  add_one<<<1, 1, 0, kept_stream>>>();
  say_last("stream of another grid");
}
__global__ void keeps_stream() {
  cudaStreamCreateWithFlags(&kept_stream, cudaStreamNonBlocking);
  uses_kept<<<1, 1>>>();
}
__global__ void stream_of_other_thread() {
  __shared__ cudaStream_t s;
  if (threadIdx.x == 0) cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);
  __syncthreads();
  if (threadIdx.x != 40) return;
  add_one<<<1, 1, 0, s>>>();
  say_last("stream of another thread");
  cudaStreamDestroy(s);
}

__global__ void bad_function_query() {
  cudaFuncAttributes a;
  say("cudaFuncGetAttributes(&a, (const void*)0)",
      cudaFuncGetAttributes(&a, static_cast<const void*>(nullptr)));
  say_last("end");
}

__global__ void frees_twice() {
  int* p = nullptr;
  say("cudaMalloc((void**)&p, 64)", cudaMalloc(&p, 64));
  printf("   null %d\n", p == nullptr);
  *p = 5;
  say("cudaFree(p)", cudaFree(p));
  say("cudaFree(nullptr)", cudaFree(nullptr));
  say("cudaMalloc((void**)&p, 0)", cudaMalloc(&p, 0));
  printf("   null %d\n", p == nullptr);
  say("cudaFree(p)", cudaFree(p));
}
__global__ void frees_hosts(int* host) { say("cudaFree(host)", cudaFree(host)); }

__global__ void copies(int* a, int* b, int* pinned) {
  a[0] = 1, a[1] = 2;
  b[0] = b[1] = 0;
  say("cudaMemcpyAsync(b, a, 8, cudaMemcpyDeviceToDevice, 0)",
      cudaMemcpyAsync(b, a, 8, cudaMemcpyDeviceToDevice, nullptr));
  say("cudaMemsetAsync(a, 0, 4, 0)", cudaMemsetAsync(a, 0, 4, nullptr));
  say("cudaMemcpyAsync(b, a, 0, cudaMemcpyDeviceToDevice, 0)",
      cudaMemcpyAsync(b, a, 0, cudaMemcpyDeviceToDevice, nullptr));
  say("cudaMemcpyAsync(b, a, 4, cudaMemcpyDefault, 0)",
      cudaMemcpyAsync(b, a, 4, cudaMemcpyDefault, nullptr));
  say_last("so far");
  say("cudaMemcpyAsync(b, pinned, 4, cudaMemcpyHostToDevice, 0)",
      cudaMemcpyAsync(b, pinned, 4, cudaMemcpyHostToDevice, nullptr));
  say_last("host to device");
  say("cudaMemcpyAsync(pinned, b, 4, cudaMemcpyDeviceToHost, 0)",
      cudaMemcpyAsync(pinned, b, 4, cudaMemcpyDeviceToHost, nullptr));
  say_last("device to host");
  say("cudaMemcpyAsync(b, a, 4, cudaMemcpyHostToHost, 0)",
      cudaMemcpyAsync(b, a, 4, cudaMemcpyHostToHost, nullptr));
  say_last("host to host");
  say("cudaMemcpyAsync(b, a, 4, cudaMemcpyDeviceToDevice, cudaStreamTailLaunch)",
      cudaMemcpyAsync(b, a, 4, cudaMemcpyDeviceToDevice, cudaStreamTailLaunch));
  say_last("tail");
  say("cudaMemcpyAsync(b, a, 4, cudaMemcpyDeviceToDevice, cudaStreamFireAndForget)",
      cudaMemcpyAsync(b, a, 4, cudaMemcpyDeviceToDevice, cudaStreamFireAndForget));
  say_last("fire and forget");
  say("cudaMemset2DAsync(a, 16, 3, 8, 2, 0)", cudaMemset2DAsync(a, 16, 3, 8, 2, nullptr));
  say("cudaMemcpy2DAsync(b, 16, a, 16, 8, 2, cudaMemcpyDeviceToDevice, 0)",
      cudaMemcpy2DAsync(b, 16, a, 16, 8, 2, cudaMemcpyDeviceToDevice, nullptr));
  say_last("2D");
  say("cudaMemcpy2DAsync(b, 4, a, 16, 8, 2, cudaMemcpyDeviceToDevice, 0)",
      cudaMemcpy2DAsync(b, 4, a, 16, 8, 2, cudaMemcpyDeviceToDevice, nullptr));
  say_last("2D, pitch too small");
}
__global__ void copy_null(int* a) {
  say("cudaMemcpyAsync(nullptr, a, 4, cudaMemcpyDeviceToDevice, 0)",
      cudaMemcpyAsync(nullptr, a, 4, cudaMemcpyDeviceToDevice, nullptr));
  say_last("copy to null");
}
__global__ void copy_local(int* a) {
  int x[2] = {3, 4};
  say("cudaMemcpyAsync(a, x, 8, cudaMemcpyDeviceToDevice, 0)",
      cudaMemcpyAsync(a, x, 8, cudaMemcpyDeviceToDevice, nullptr));
  say_last("copy from local");
}
__global__ void copy_shared(int* a) {
  __shared__ int x[2];
  x[0] = 3;
  say("cudaMemcpyAsync(a, x, 8, cudaMemcpyDeviceToDevice, 0)",
      cudaMemcpyAsync(a, x, 8, cudaMemcpyDeviceToDevice, nullptr));
  say_last("copy from shared");
}

__global__ void local_argument() {
  int x = 5;
  int* volatile p = &x;
  reader<<<1, 1>>>(p);
  say_last("local pointer");
}
__global__ void shared_argument() {
  __shared__ int x;
  x = 6;
  int* volatile p = &x;
  reader<<<1, 1>>>(p);
  say_last("shared pointer");
}
__global__ void child_faults() {
  writer<<<1, 1>>>(nullptr);
  say_last("launch of faulty child");
  add_one<<<1, 1>>>();
}

__global__ void recursive(int depth, int most) {
  note(depth);
  if (depth == most) return;
  recursive<<<1, 1>>>(depth + 1, most);
  if (cudaPeekAtLastError() != cudaSuccess) say_last("recursion");
}
__global__ void recursive_tail(int depth, int most) {
  atomicAdd(&counter, 1);
  if (depth == most) return;
  recursive_tail<<<1, 1, 0, cudaStreamTailLaunch>>>(depth + 1, most);
  if (cudaPeekAtLastError() != cudaSuccess) say_last("recursion by tails");
}
__global__ void big_shared() {
  shared_user<<<1, 4, 60000>>>();
  say_last("60000 bytes");
  shared_user<<<1, 4, 16>>>();
  say_last("16 bytes");
}
__global__ void strings() {
  for (const int error : {0, 1, 2, 4, 9, 65, 69, 98, 400, 700, 701, 719, 999, 12345})
    printf("  %d %s: %s\n", error, cudaGetErrorName(static_cast<cudaError_t>(error)),
           cudaGetErrorString(static_cast<cudaError_t>(error)));
}

void finish() {
  const cudaError_t launch = cudaGetLastError(), done = cudaDeviceSynchronize(),
                    last = cudaGetLastError();
  std::printf("  [host: launch %d, sync %d %s, last %d]\n", static_cast<int>(launch),
              static_cast<int>(done), cudaGetErrorName(done), static_cast<int>(last));
}
void show_counter() {
  int n;
  if (cudaMemcpyFromSymbol(&n, counter, sizeof n) == cudaSuccess) std::printf("  counter %d\n", n);
}
void show_notes(const char* what) {
  static int all[kMostNotes];
  int n = 0;
  cudaMemcpyFromSymbol(&n, note_count, sizeof n);
  cudaMemcpyFromSymbol(all, notes, sizeof all);
  std::printf("  %s:", what);
  for (int i = 0; i < n && i < 60; ++i) std::printf(" %d", all[i]);
  std::printf(" (%d)\n", n);
}
void set_limit(std::size_t n) {
  std::size_t now = 0;
  const cudaError_t error = cudaDeviceSetLimit(cudaLimitDevRuntimePendingLaunchCount, n);
  cudaDeviceGetLimit(&now, cudaLimitDevRuntimePendingLaunchCount);
  std::printf("  set %zu: %d, now %zu\n", n, static_cast<int>(error), now);
}

int *a, *b, *pinned;  // [kBytes / 4]
void allocate() {
  constexpr std::size_t kBytes = 4096;
  cudaMalloc(&a, kBytes);
  cudaMalloc(&b, kBytes);
  cudaMallocHost(&pinned, kBytes);
  cudaMemset(a, 0, kBytes);
}

struct Case {
  const char* name;
  void (*run)();
};
const Case kCases[] = {
    {"bad configurations", [] { bad_configurations<<<1, 1>>>(), finish(); }},
    {"error left to the host", [] { leaves_error<<<1, 1>>>(), finish(); }},
    {"pending, default", [] { launches_many<<<1, 1>>>(5000), finish(), show_counter(); }},
    {"pending, limit 10",
     [] { set_limit(10), launches_many<<<1, 1>>>(100), finish(), show_counter(); }},
    {"pending, limit 100",
     [] { set_limit(100), launches_many<<<1, 1>>>(1000), finish(), show_counter(); }},
    {"pending, threads", [] { launch_each<<<8, 512>>>(), finish(), show_counter(); }},
    {"pending, fire and forget",
     [] { launches_many_into<<<1, 1>>>(5000, 1), finish(), show_counter(); }},
    {"pending, tail", [] { launches_many_into<<<1, 1>>>(5000, 2), finish(), show_counter(); }},
    {"null stream, threads",
     [] { null_order_of_threads<<<1, 64>>>(), finish(), show_notes("order"); }},
    {"tails of tails", [] { tails<<<1, 1>>>(), finish(), show_notes("order"); }},
    {"tail of child", [] { tail_of_child<<<1, 1>>>(), finish(), show_notes("order"); }},
    {"streams and event", [] { two_streams_and_event<<<1, 1>>>(), finish(), show_notes("order"); }},
    {"stream calls", [] { stream_calls<<<1, 1>>>(), finish(); }},
    {"destroy special", [] { special_destroy<<<1, 1>>>(), finish(); }},
    {"destroy twice", [] { double_destroy<<<1, 1>>>(), finish(); }},
    {"host's stream",
     [] {
       cudaStream_t s;
       cudaStreamCreate(&s);
       host_stream<<<1, 1>>>(s), finish();
     }},
    {"stream of another grid", [] { keeps_stream<<<1, 1>>>(), finish(), show_counter(); }},
    {"stream of another thread",
     [] { stream_of_other_thread<<<1, 64>>>(), finish(), show_counter(); }},
    {"bad function query", [] { bad_function_query<<<1, 1>>>(), finish(); }},
    {"allocation", [] { frees_twice<<<1, 1>>>(), finish(); }},
    {"device frees the host's", [] { allocate(), frees_hosts<<<1, 1>>>(a), finish(); }},
    {"copies", [] { allocate(), copies<<<1, 1>>>(a, b, pinned), finish(); }},
    {"copy to null", [] { allocate(), copy_null<<<1, 1>>>(a), finish(); }},
    {"copy from local", [] { allocate(), copy_local<<<1, 1>>>(a), finish(); }},
    {"copy from shared", [] { allocate(), copy_shared<<<1, 1>>>(a), finish(); }},
    {"local argument", [] { local_argument<<<1, 1>>>(), finish(); }},
    {"shared argument", [] { shared_argument<<<1, 1>>>(), finish(); }},
    {"child faults", [] { child_faults<<<1, 1>>>(), finish(); }},
    {"recursion 40", [] { recursive<<<1, 1>>>(0, 40), finish(), show_notes("order"); }},
    {"recursion by tails 500", [] { recursive_tail<<<1, 1>>>(0, 500), finish(), show_counter(); }},
    {"shared memory",
     [] {
       std::printf("  attribute %d\n",
                   static_cast<int>(cudaFuncSetAttribute(
                       shared_user, cudaFuncAttributeMaxDynamicSharedMemorySize, 70000)));
       big_shared<<<1, 1>>>(), finish(), show_counter();
     }},
    {"shared memory, no attribute", [] { big_shared<<<1, 1>>>(), finish(), show_counter(); }},
    {"strings", [] { strings<<<1, 1>>>(), finish(); }},
};

}  // namespace

int main(int argc, char** argv) {
  for (const Case& one : kCases)
    if (argc == 2 && std::strcmp(argv[1], one.name) == 0) {
      one.run();
      return 0;
    }
  for (const Case& one : kCases) std::printf("%s\n", one.name);
  return 2;
}
