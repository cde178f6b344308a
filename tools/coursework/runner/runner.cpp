/// The runner: a device that the judge controls. It knows a submission's kernels by name, and none
/// of their expected results.
/// nothing of the results that are expected of them.

#include <cuda_runtime.h>
#include <nlohmann/json.hpp>

#include <iostream>
#include <map>
#include <string>
#include <vector>

#include "tools/coursework/runner/kernels.hpp"
#include "tools/coursework/runner/messages.hpp"
#include "tools/coursework/runner/observe.hpp"

namespace coursework {
namespace {

using nlohmann::json;

constexpr std::size_t kMostBytes = std::size_t{1} << 32;

json state_of(cudaError_t code) {
  if (code == cudaSuccess) return {{"error", nullptr}};
  return {{"error", cudaGetErrorName(code)}, {"text", cudaGetErrorString(code)}};
}

/// Returns the error of nvcc for a kernel with too many bytes of shared variables; otherwise an
/// empty text.
std::string too_much_shared(const Kernel& kernel) {
  cudaFuncAttributes attributes{};
  int most = 0;
  if (cudaFuncGetAttributes(&attributes, kernel.address) != cudaSuccess ||
      cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlock, 0) != cudaSuccess ||
      attributes.sharedSizeBytes <= static_cast<std::size_t>(most))
    return {};
  return "a block of " + kernel.name + " has " + std::to_string(attributes.sharedSizeBytes) +
         " bytes of __shared__ variables, and " + std::to_string(most) + " is the most";
}

/// Device memory by number, and the judge's requests about it.
class Device {
 public:
  Message answer(const Message& request) {
    const std::string command = request.header.at("do");
    if (command == "allocate") return allocate(request);
    if (command == "write") return write(request);
    if (command == "read") return read(request);
    if (command == "launch") return launch(request);
    throw ChannelBroken("the judge asks for " + command);
  }

 private:
  struct Memory {
    char* begin = nullptr;
    std::size_t bytes = 0;
  };

  const Memory& named(const json& number) const { return memory_.at(number.get<int>()); }

  Message allocate(const Message& request) {
    Memory memory{nullptr, request.header.at("bytes").get<std::size_t>()};
    const cudaError_t code = cudaMalloc(reinterpret_cast<void**>(&memory.begin), memory.bytes);
    Message reply{state_of(code), {}};
    if (code != cudaSuccess) return reply;
    const int number = static_cast<int>(memory_.size());
    memory_[number] = memory;
    reply.header["memory"] = number;
    return reply;
  }

  Message write(const Message& request) {
    const Memory& memory = named(request.header.at("memory"));
    if (request.bytes.size() != memory.bytes) throw ChannelBroken("a write of another size");
    return {state_of(cudaMemcpy(memory.begin, request.bytes.data(), memory.bytes,
                                cudaMemcpyHostToDevice)),
            {}};
  }

  Message read(const Message& request) {
    const Memory& memory = named(request.header.at("memory"));
    Message reply;
    reply.bytes.resize(memory.bytes);
    reply.header = state_of(
        cudaMemcpy(reply.bytes.data(), memory.begin, memory.bytes, cudaMemcpyDeviceToHost));
    return reply;
  }

  std::vector<ArgumentBytes> arguments_of(const Message& request, const Kernel& kernel) const {
    std::vector<ArgumentBytes> arguments;
    std::size_t at = 0;
    for (const json& one : request.header.at("arguments")) {
      ArgumentBytes bytes(one.at("bytes").get<std::size_t>());
      if (at + bytes.size() > request.bytes.size()) throw ChannelBroken("arguments without bytes");
      std::copy_n(request.bytes.begin() + static_cast<std::ptrdiff_t>(at), bytes.size(),
                  bytes.begin());
      at += bytes.size();
      if (one.contains("memory")) {
        char* address = named(one["memory"]).begin + one.at("offset").get<std::size_t>();
        std::memcpy(bytes.data(), &address, sizeof address);
      }
      arguments.push_back(std::move(bytes));
    }
    bool fits = arguments.size() == kernel.sizes.size();
    for (std::size_t i = 0; fits && i < arguments.size(); ++i)
      fits = arguments[i].size() == kernel.sizes[i];
    if (!fits) throw ChannelBroken(kernel.name + " is launched with other arguments than it takes");
    return arguments;
  }

  /// Returns the findings without the API call that returned a kernel's failure; the failure's own
  /// text says more.
  static nlohmann::json findings_of_kernel() {
    const nlohmann::json all = take_findings();
    if (!all.is_array()) return all;
    nlohmann::json kept = nlohmann::json::array();
    for (const nlohmann::json& one : all)
      if (one.at("kind") != "failed_call") kept.push_back(one);
    return kept;
  }

  Message launch(const Message& request) {
    const std::string name = request.header.at("kernel");
    for (const Kernel& kernel : kernels()) {
      if (kernel.name != name) continue;
      cudaLaunchConfig_t config{};
      const auto& grid = request.header.at("grid");
      const auto& block = request.header.at("block");
      config.gridDim = dim3(grid[0], grid[1], grid[2]);
      config.blockDim = dim3(block[0], block[1], block[2]);
      config.dynamicSmemBytes = request.header.at("shared_bytes").get<std::size_t>();
      const auto arguments = arguments_of(request, kernel);
      set_orders(request.header.at("orders"));
      set_order(request.header.at("order"));
      set_parted_warps(request.header.at("parted_warps"));
      set_lane_turn(request.header.at("lane_turn"));
      take_counters();
      const std::string refusal = too_much_shared(kernel);
      cudaError_t code = refusal.empty() ? kernel.launch(kernel.address, config, arguments)
                                         : cudaErrorInvalidValue;
      if (code == cudaSuccess) code = cudaDeviceSynchronize();
      Message reply{state_of(code), {}};
      std::string why = take_failure();
      if (code == cudaSuccess) why.clear();
      if (!refusal.empty()) why = refusal;
      if (!why.empty()) reply.header["text"] = why;
      reply.header["counters"] = take_counters();
      reply.header["findings"] = why.empty() ? take_findings() : findings_of_kernel();
      return reply;
    }
    throw ChannelBroken("there is no kernel " + name);
  }

  std::map<int, Memory> memory_;
};

int serve() {
  print_line_when_stopped();
  start_observing();
  Device device;
  while (const auto request = receive_message(kChannel, kMostBytes))
    send_message(kChannel, device.answer(*request));
  return 0;
}

}  // namespace
}  // namespace coursework

int main() {
  try {
    return coursework::serve();
  } catch (const std::exception& error) {
    std::cerr << "runner: " << error.what() << '\n';
    return 2;
  }
}
