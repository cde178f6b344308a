/// Helpers for tests of the driver API, which run here and on a device.
#pragma once

#include <cuda.h>

#include <cstdlib>
#include <stdexcept>
#include <string>
#include <vector>

namespace driver_tests {

/// Returns the path of a module: kernels.ptx, kernels.cubin, kernels.fatbin.
inline std::string module_file(const std::string& name) {
  const char* const folder = std::getenv("DRIVER_MODULES");
#ifdef DRIVER_MODULES
  return std::string(folder ? folder : DRIVER_MODULES) + "/" + name;
#else
  return std::string(folder ? folder : ".") + "/" + name;
#endif
}

inline const char* name_of(CUresult result) {
  const char* name = nullptr;
  cuGetErrorName(result, &name);
  return name ? name : "?";
}

/// @throws std::runtime_error  naming the error
inline void check(CUresult result) {
  if (result != CUDA_SUCCESS) throw std::runtime_error(name_of(result));
}

/// A new context, current during its lifetime.
class Context {
 public:
  Context() {
    check(cuInit(0));
    check(cuCtxCreate(&handle_, nullptr, 0, 0));
  }
  ~Context() { cuCtxDestroy(handle_); }
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;
  CUcontext handle() const { return handle_; }

 private:
  CUcontext handle_ = nullptr;
};

/// A module loaded from a file.
class Module {
 public:
  explicit Module(const std::string& name = "kernels.ptx") {
    check(cuModuleLoad(&handle_, module_file(name).c_str()));
  }
  ~Module() { cuModuleUnload(handle_); }
  Module(const Module&) = delete;
  Module& operator=(const Module&) = delete;

  CUfunction function(const char* name) const {
    CUfunction result = nullptr;
    check(cuModuleGetFunction(&result, handle_, name));
    return result;
  }
  CUdeviceptr global(const char* name) const {
    CUdeviceptr result = 0;
    check(cuModuleGetGlobal(&result, nullptr, handle_, name));
    return result;
  }
  CUmodule handle() const { return handle_; }

 private:
  CUmodule handle_ = nullptr;
};

/// An array of numbers on the device.
template <class T>
class Buffer {
 public:
  explicit Buffer(std::size_t count) : count_(count) { check(cuMemAlloc(&begin_, bytes())); }
  explicit Buffer(const std::vector<T>& values) : Buffer(values.size()) {
    check(cuMemcpyHtoD(begin_, values.data(), bytes()));
  }
  ~Buffer() { cuMemFree(begin_); }
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;

  std::vector<T> values() const {
    std::vector<T> result(count_);
    check(cuMemcpyDtoH(result.data(), begin_, bytes()));
    return result;
  }
  std::size_t bytes() const { return count_ * sizeof(T); }
  CUdeviceptr begin() const { return begin_; }
  /// Returns the address for a launch's parameters.
  void* address() { return &begin_; }

 private:
  std::size_t count_;
  CUdeviceptr begin_ = 0;
};

inline CUresult launch(CUfunction function, unsigned blocks, unsigned threads,
                       std::vector<void*> parameters, unsigned shared_bytes = 0,
                       CUstream stream = nullptr) {
  return cuLaunchKernel(function, blocks, 1, 1, threads, 1, 1, shared_bytes, stream,
                        parameters.data(), nullptr);
}

}  // namespace driver_tests
