/// The back end of a real GPU: it has times, and leaves counting to Nsight Compute.

#include <cuda_runtime_api.h>

#include <memory>
#include <type_traits>

#include "course/backend.hpp"
#include "course/error.hpp"

namespace course {

const Backend& backend() noexcept {
  static constexpr Backend kCuda{.name = "cuda",
                                 .reports_time = true,
                                 .reports_counters = false,
                                 .device_memory_is_host_memory = false};
  return kCuda;
}

void start_checking(bool, int) {
  throw UsageError(
      "--check and --schedules are the emulator's; on a GPU run the program under "
      "compute-sanitizer --tool memcheck, initcheck, racecheck or synccheck");
}

std::optional<std::vector<std::string>> hazards_in(const std::function<void()>&) {
  return std::nullopt;
}

std::function<void()> as_one_piece(const StreamLaunch& launch, int times, cudaStream_t stream) {
  cudaGraph_t graph = nullptr;
  check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
  try {
    for (int i = 0; i < times; ++i) launch(stream);
  } catch (...) {
    cudaStreamEndCapture(stream, &graph);
    if (graph != nullptr) cudaGraphDestroy(graph);
    throw;
  }
  check(cudaStreamEndCapture(stream, &graph));
  cudaGraphExec_t executable = nullptr;
  const cudaError_t made = cudaGraphInstantiate(&executable, graph, 0);
  cudaGraphDestroy(graph);
  check(made);
  const std::shared_ptr<std::remove_pointer_t<cudaGraphExec_t>> owner(executable,
                                                                      cudaGraphExecDestroy);
  return [owner, stream] { check(cudaGraphLaunch(owner.get(), stream)); };
}

void without_checking(const std::function<void()>& work) { work(); }

void reset_counters() {}

std::optional<Counters> counters_since_reset() { return std::nullopt; }

}  // namespace course
