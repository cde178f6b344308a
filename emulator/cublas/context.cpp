// Handles, their settings, copies of vectors and matrices, and what a status is called.
#include "context.hpp"

#include <algorithm>
#include <array>
#include <memory>
#include <mutex>
#include <vector>

#include "emulator/memory.h"

namespace emu::cublas {

namespace {

struct Handles {
  std::mutex mutex;
  std::vector<std::unique_ptr<cublasContext>> alive;

  auto find(cublasHandle_t handle) {
    return std::ranges::find(alive, handle, &std::unique_ptr<cublasContext>::get);
  }
};

Handles& handles() {
  static Handles& handles = *new Handles;
  return handles;
}

struct StatusText {
  cublasStatus_t status;
  const char* name;
  const char* description;
};

constexpr std::array kStatuses = {
    StatusText{CUBLAS_STATUS_SUCCESS, "CUBLAS_STATUS_SUCCESS", "success"},
    StatusText{CUBLAS_STATUS_NOT_INITIALIZED, "CUBLAS_STATUS_NOT_INITIALIZED",
               "the library was not initialized"},
    StatusText{CUBLAS_STATUS_ALLOC_FAILED, "CUBLAS_STATUS_ALLOC_FAILED",
               "the resource allocation failed"},
    StatusText{CUBLAS_STATUS_INVALID_VALUE, "CUBLAS_STATUS_INVALID_VALUE",
               "an unsupported value or parameter was passed to the function"},
    StatusText{CUBLAS_STATUS_ARCH_MISMATCH, "CUBLAS_STATUS_ARCH_MISMATCH",
               "the function requires an architectural feature absent from the device"},
    StatusText{CUBLAS_STATUS_MAPPING_ERROR, "CUBLAS_STATUS_MAPPING_ERROR",
               "an access to GPU memory space failed"},
    StatusText{CUBLAS_STATUS_EXECUTION_FAILED, "CUBLAS_STATUS_EXECUTION_FAILED",
               "the function failed to launch on the GPU"},
    StatusText{CUBLAS_STATUS_INTERNAL_ERROR, "CUBLAS_STATUS_INTERNAL_ERROR",
               "an internal operation failed"},
    StatusText{CUBLAS_STATUS_NOT_SUPPORTED, "CUBLAS_STATUS_NOT_SUPPORTED",
               "the requested functionality is not supported"},
    StatusText{CUBLAS_STATUS_LICENSE_ERROR, "CUBLAS_STATUS_LICENSE_ERROR",
               "the license check failed"},
};

const StatusText* find(cublasStatus_t status) {
  const auto found = std::ranges::find(kStatuses, status, &StatusText::status);
  return found == kStatuses.end() ? nullptr : found;
}

constexpr std::array kMathModes = {CUBLAS_DEFAULT_MATH,
                                   CUBLAS_TENSOR_OP_MATH,
                                   CUBLAS_PEDANTIC_MATH,
                                   CUBLAS_TF32_TENSOR_OP_MATH,
                                   CUBLAS_FP32_EMULATED_BF16X9_MATH,
                                   CUBLAS_FP64_EMULATED_FIXEDPOINT_MATH};

/// Sets one of a handle's settings.
template <class T>
cublasStatus_t set(cublasHandle_t handle, T cublasContext::*setting, T value,
                   bool is_valid = true) {
  if (!is_alive(handle)) return CUBLAS_STATUS_NOT_INITIALIZED;
  if (!is_valid) return CUBLAS_STATUS_INVALID_VALUE;
  handle->*setting = value;
  return CUBLAS_STATUS_SUCCESS;
}

template <class T>
cublasStatus_t get(cublasHandle_t handle, T cublasContext::*setting, T* value) {
  if (!is_alive(handle)) return CUBLAS_STATUS_NOT_INITIALIZED;
  if (value == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
  *value = handle->*setting;
  return CUBLAS_STATUS_SUCCESS;
}

/// Copies columns of `rows` elements; a vector is a matrix of a single row.
cublasStatus_t copy(std::int64_t rows, std::int64_t columns, std::int64_t element_bytes,
                    const void* from, std::int64_t from_ld, void* to, std::int64_t to_ld,
                    cudaMemcpyKind kind, cudaStream_t stream, bool is_async) {
  if (rows < 0 || columns < 0 || element_bytes <= 0 || from_ld < std::max<std::int64_t>(1, rows) ||
      to_ld < std::max<std::int64_t>(1, rows)) {
    return CUBLAS_STATUS_INVALID_VALUE;
  }
  const auto bytes = [&](std::int64_t elements) {
    return static_cast<std::size_t>(elements) * static_cast<std::size_t>(element_bytes);
  };
  const cudaError_t error =
      is_async ? cudaMemcpy2DAsync(to, bytes(to_ld), from, bytes(from_ld), bytes(rows),
                                   static_cast<std::size_t>(columns), kind, stream)
               : cudaMemcpy2D(to, bytes(to_ld), from, bytes(from_ld), bytes(rows),
                              static_cast<std::size_t>(columns), kind);
  return error == cudaSuccess ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_MAPPING_ERROR;
}

constexpr auto kToDevice = cudaMemcpyHostToDevice;
constexpr auto kToHost = cudaMemcpyDeviceToHost;

}  // namespace

bool is_alive(cublasHandle_t handle) {
  const std::lock_guard lock(handles().mutex);
  return handles().find(handle) != handles().alive.end();
}

}  // namespace emu::cublas

using namespace emu;
using namespace emu::cublas;

extern "C" {

cublasStatus_t cublasCreate(cublasHandle_t* handle) {
  if (handle == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
  if (sticky_error() != cudaSuccess) return CUBLAS_STATUS_NOT_INITIALIZED;
  const std::lock_guard lock(handles().mutex);
  *handle = handles().alive.emplace_back(std::make_unique<cublasContext>()).get();
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasDestroy(cublasHandle_t handle) {
  const std::lock_guard lock(handles().mutex);
  const auto found = handles().find(handle);
  if (found == handles().alive.end()) return CUBLAS_STATUS_NOT_INITIALIZED;
  handles().alive.erase(found);
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasGetVersion(cublasHandle_t handle, int* version) {
  if (!is_alive(handle)) return CUBLAS_STATUS_NOT_INITIALIZED;
  if (version == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
  *version = CUBLAS_VERSION;
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasGetProperty(libraryPropertyType type, int* value) {
  if (value == nullptr || type < MAJOR_VERSION || type > PATCH_LEVEL)
    return CUBLAS_STATUS_INVALID_VALUE;
  *value = std::array{CUBLAS_VER_MAJOR, CUBLAS_VER_MINOR, CUBLAS_VER_PATCH}[type];
  return CUBLAS_STATUS_SUCCESS;
}

size_t cublasGetCudartVersion(void) { return CUDART_VERSION; }

cublasStatus_t cublasSetWorkspace(cublasHandle_t handle, void*, size_t) {
  return is_alive(handle) ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_NOT_INITIALIZED;
}

cublasStatus_t cublasSetStream(cublasHandle_t handle, cudaStream_t stream) {
  return set(handle, &cublasContext::stream, stream);
}
cublasStatus_t cublasGetStream(cublasHandle_t handle, cudaStream_t* stream) {
  return get(handle, &cublasContext::stream, stream);
}

cublasStatus_t cublasSetPointerMode(cublasHandle_t handle, cublasPointerMode_t mode) {
  return set(handle, &cublasContext::pointer_mode, mode,
             mode == CUBLAS_POINTER_MODE_HOST || mode == CUBLAS_POINTER_MODE_DEVICE);
}
cublasStatus_t cublasGetPointerMode(cublasHandle_t handle, cublasPointerMode_t* mode) {
  return get(handle, &cublasContext::pointer_mode, mode);
}

cublasStatus_t cublasSetAtomicsMode(cublasHandle_t handle, cublasAtomicsMode_t mode) {
  return set(handle, &cublasContext::atomics_mode, mode,
             mode == CUBLAS_ATOMICS_ALLOWED || mode == CUBLAS_ATOMICS_NOT_ALLOWED);
}
cublasStatus_t cublasGetAtomicsMode(cublasHandle_t handle, cublasAtomicsMode_t* mode) {
  return get(handle, &cublasContext::atomics_mode, mode);
}

cublasStatus_t cublasSetMathMode(cublasHandle_t handle, cublasMath_t mode) {
  const auto kind = static_cast<cublasMath_t>(
      static_cast<unsigned>(mode) & ~unsigned{CUBLAS_MATH_DISALLOW_REDUCED_PRECISION_REDUCTION});
  return set(handle, &cublasContext::math_mode, mode, std::ranges::count(kMathModes, kind) != 0);
}
cublasStatus_t cublasGetMathMode(cublasHandle_t handle, cublasMath_t* mode) {
  return get(handle, &cublasContext::math_mode, mode);
}

cublasStatus_t cublasSetSmCountTarget(cublasHandle_t handle, int count) {
  return set(handle, &cublasContext::sm_count, count,
             count >= 0 && count <= device_properties().multiProcessorCount);
}
cublasStatus_t cublasGetSmCountTarget(cublasHandle_t handle, int* count) {
  return get(handle, &cublasContext::sm_count, count);
}

const char* cublasGetStatusName(cublasStatus_t status) {
  const StatusText* const text = find(status);
  return text ? text->name : "unrecognized status";
}

const char* cublasGetStatusString(cublasStatus_t status) {
  const StatusText* const text = find(status);
  return text ? text->description : "unrecognized status";
}

cublasStatus_t cublasSetVector(int n, int size, const void* x, int incx, void* y, int incy) {
  return copy(1, n, size, x, incx, y, incy, kToDevice, nullptr, false);
}
cublasStatus_t cublasGetVector(int n, int size, const void* x, int incx, void* y, int incy) {
  return copy(1, n, size, x, incx, y, incy, kToHost, nullptr, false);
}
cublasStatus_t cublasSetMatrix(int rows, int cols, int size, const void* A, int lda, void* B,
                               int ldb) {
  return copy(rows, cols, size, A, lda, B, ldb, kToDevice, nullptr, false);
}
cublasStatus_t cublasGetMatrix(int rows, int cols, int size, const void* A, int lda, void* B,
                               int ldb) {
  return copy(rows, cols, size, A, lda, B, ldb, kToHost, nullptr, false);
}
cublasStatus_t cublasSetVectorAsync(int n, int size, const void* x, int incx, void* y, int incy,
                                    cudaStream_t stream) {
  return copy(1, n, size, x, incx, y, incy, kToDevice, stream, true);
}
cublasStatus_t cublasGetVectorAsync(int n, int size, const void* x, int incx, void* y, int incy,
                                    cudaStream_t stream) {
  return copy(1, n, size, x, incx, y, incy, kToHost, stream, true);
}
cublasStatus_t cublasSetMatrixAsync(int rows, int cols, int size, const void* A, int lda, void* B,
                                    int ldb, cudaStream_t stream) {
  return copy(rows, cols, size, A, lda, B, ldb, kToDevice, stream, true);
}
cublasStatus_t cublasGetMatrixAsync(int rows, int cols, int size, const void* A, int lda, void* B,
                                    int ldb, cudaStream_t stream) {
  return copy(rows, cols, size, A, lda, B, ldb, kToHost, stream, true);
}
cublasStatus_t cublasSetVector_64(int64_t n, int64_t size, const void* x, int64_t incx, void* y,
                                  int64_t incy) {
  return copy(1, n, size, x, incx, y, incy, kToDevice, nullptr, false);
}
cublasStatus_t cublasGetVector_64(int64_t n, int64_t size, const void* x, int64_t incx, void* y,
                                  int64_t incy) {
  return copy(1, n, size, x, incx, y, incy, kToHost, nullptr, false);
}
cublasStatus_t cublasSetMatrix_64(int64_t rows, int64_t cols, int64_t size, const void* A,
                                  int64_t lda, void* B, int64_t ldb) {
  return copy(rows, cols, size, A, lda, B, ldb, kToDevice, nullptr, false);
}
cublasStatus_t cublasGetMatrix_64(int64_t rows, int64_t cols, int64_t size, const void* A,
                                  int64_t lda, void* B, int64_t ldb) {
  return copy(rows, cols, size, A, lda, B, ldb, kToHost, nullptr, false);
}

}  // extern "C"
