/// Launches whose arguments make lanes wait, or change later; and what comes before what, for
/// the host's streams, events and graphs too.
#include <cstdio>

__device__ int notes[256];
__device__ int note_count;
__device__ void note(int what) { notes[atomicAdd(&note_count, 1)] = what; }

__global__ void mark(int what) { note(what); }
__global__ void nested(int what) {
  mark<<<1, 1>>>(what + 1);
  note(what);
}

__global__ void all_streams() {
  note(1);
  mark<<<1, 1, 0, cudaStreamTailLaunch>>>(100);
  mark<<<1, 1, 0, cudaStreamTailLaunch>>>(101);
  nested<<<1, 1>>>(10);
  mark<<<1, 1>>>(20);
}

/// Each lane is about to launch while it waits for the others.
__global__ void exchanges(int* sum) {
  mark<<<1, 1>>>(__shfl_xor_sync(~0u, static_cast<int>(threadIdx.x), 1));
  atomicAdd(sum, 1);
}

struct Two {
  int first, second;
};
__global__ void takes(Two object) { note(object.second); }
__global__ void gives() {
  Two object{6, 7};
  takes<<<1, 1>>>(object);
  object.second = 8;
}

/// What the thread wrote before, the kernel sees.
__global__ void adds(const int* values, int* sum) { atomicAdd(sum, values[threadIdx.x]); }
__global__ void writes(int* values, int* sum) {
  values[threadIdx.x] = static_cast<int>(threadIdx.x);
  __syncthreads();
  if (threadIdx.x == 0) adds<<<1, 64>>>(values, sum);
}

__host__ __device__ void start(int what) { mark<<<1, 1>>>(what); }
__global__ void starts() { start(55); }

void show(const char* what) {
  int all[256], n;
  cudaMemcpyFromSymbol(&n, note_count, sizeof n);
  cudaMemcpyFromSymbol(all, notes, sizeof all);
  std::printf("%s:", what);
  for (int i = 0; i < n; ++i) std::printf(" %d", all[i]);
  std::printf("\n");
  n = 0;
  cudaMemcpyToSymbol(note_count, &n, sizeof n);
}

int main() {
  all_streams<<<1, 1>>>();
  mark<<<1, 1>>>(200);
  show("streams");

  int *values, *sum;
  cudaMallocManaged(&values, 64 * sizeof(int));
  cudaMallocManaged(&sum, sizeof(int));
  *sum = 0;
  exchanges<<<1, 32>>>(sum);
  cudaDeviceSynchronize();
  int all[256], n, of_notes = 0;
  cudaMemcpyFromSymbol(&n, note_count, sizeof n);
  cudaMemcpyFromSymbol(all, notes, sizeof all);
  for (int i = 0; i < n; ++i) of_notes += all[i];
  std::printf("exchanges: %d lanes, %d marks, sum %d\n", *sum, n, of_notes);
  n = 0;
  cudaMemcpyToSymbol(note_count, &n, sizeof n);

  gives<<<1, 1>>>();
  starts<<<1, 1>>>();
  start(56);
  show("objects and both sides");

  *sum = 0;
  cudaStream_t stream;
  cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
  cudaEvent_t done;
  cudaEventCreate(&done);
  writes<<<1, 64, 0, stream>>>(values, sum);
  cudaEventRecord(done, stream);
  cudaEventSynchronize(done);
  std::printf("sum %d\n", *sum);

  cudaGraph_t graph;
  cudaGraphExec_t executable;
  cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
  all_streams<<<1, 1, 0, stream>>>();
  mark<<<1, 1, 0, stream>>>(300);
  cudaStreamEndCapture(stream, &graph);
  cudaGraphInstantiate(&executable, graph, 0);
  cudaGraphLaunch(executable, stream);
  cudaGraphLaunch(executable, stream);
  cudaStreamSynchronize(stream);
  show("graph, twice");
  cudaGraphExecDestroy(executable);
  cudaGraphDestroy(graph);
  cudaEventDestroy(done);
  cudaStreamDestroy(stream);
  cudaFree(values);
  cudaFree(sum);
}
