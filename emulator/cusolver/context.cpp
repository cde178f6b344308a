// Handles, settings, and the calls that take types of numbers as arguments.
#include <algorithm>
#include <limits>
#include <memory>
#include <mutex>
#include <vector>

#include "dense.hpp"
#include "runtime/number_type.hpp"
#include "runtime/runtime.hpp"

struct syevjInfo {};
struct gesvdjInfo {};
struct cusolverDnParams {};

namespace emu::cusolver {
namespace {

struct Handles {
  std::mutex mutex;
  std::vector<std::unique_ptr<cusolverDnContext>> alive;

  auto find(cusolverDnHandle_t handle) {
    return std::find_if(alive.begin(), alive.end(),
                        [&](const auto& one) { return one.get() == handle; });
  }
};

Handles& handles() {
  static Handles all;
  return all;
}

template <class T>
cusolverStatus_t create(T** made) {
  if (made == nullptr) return CUSOLVER_STATUS_INVALID_VALUE;
  *made = new T;
  return CUSOLVER_STATUS_SUCCESS;
}
template <class T>
cusolverStatus_t destroy(T* one) {
  delete one;
  return CUSOLVER_STATUS_SUCCESS;
}
template <class T>
cusolverStatus_t status_of(const T* setting) {
  return setting ? CUSOLVER_STATUS_SUCCESS : CUSOLVER_STATUS_INVALID_VALUE;
}

/// Calls `work(T())` with the C++ type of the numbers.
template <class Work>
void with_type(cudaDataType type, const Work& work) {
  if (!emu::with_number_type(type, work)) throw Refusal{CUSOLVER_STATUS_INVALID_VALUE};
}

cudaDataType real_of(cudaDataType type) {
  return type == CUDA_C_32F ? CUDA_R_32F : type == CUDA_C_64F ? CUDA_R_64F : type;
}

/// A size as LAPACK takes it.
int size_of(std::int64_t n) {
  if (n > std::numeric_limits<int>::max()) throw Refusal{CUSOLVER_STATUS_NOT_SUPPORTED};
  return static_cast<int>(n);
}

cusolverStatus_t sizes(cusolverDnHandle_t handle, std::size_t* device, std::size_t* host) {
  const cusolverStatus_t status = size(handle, device);
  return status == CUSOLVER_STATUS_SUCCESS ? size(handle, host) : status;
}

}  // namespace

bool is_alive(cusolverDnHandle_t handle) {
  const std::lock_guard lock(handles().mutex);
  return handles().find(handle) != handles().alive.end();
}

}  // namespace emu::cusolver

using namespace emu;
using namespace emu::cusolver;

extern "C" {

cusolverStatus_t cusolverGetVersion(int* version) {
  if (version == nullptr) return CUSOLVER_STATUS_INVALID_VALUE;
  *version = CUSOLVER_VERSION;
  return CUSOLVER_STATUS_SUCCESS;
}

cusolverStatus_t cusolverGetProperty(libraryPropertyType type, int* value) {
  if (value == nullptr) return CUSOLVER_STATUS_INVALID_VALUE;
  switch (type) {
    case MAJOR_VERSION:
      *value = CUSOLVER_VER_MAJOR;
      return CUSOLVER_STATUS_SUCCESS;
    case MINOR_VERSION:
      *value = CUSOLVER_VER_MINOR;
      return CUSOLVER_STATUS_SUCCESS;
    case PATCH_LEVEL:
      *value = CUSOLVER_VER_PATCH;
      return CUSOLVER_STATUS_SUCCESS;
  }
  return CUSOLVER_STATUS_INVALID_VALUE;
}

cusolverStatus_t cusolverDnCreate(cusolverDnHandle_t* handle) {
  if (handle == nullptr) return CUSOLVER_STATUS_INVALID_VALUE;
  if (sticky_error() != cudaSuccess) return CUSOLVER_STATUS_NOT_INITIALIZED;
  const std::lock_guard lock(handles().mutex);
  *handle = handles().alive.emplace_back(std::make_unique<cusolverDnContext>()).get();
  return CUSOLVER_STATUS_SUCCESS;
}

cusolverStatus_t cusolverDnDestroy(cusolverDnHandle_t handle) {
  const std::lock_guard lock(handles().mutex);
  const auto found = handles().find(handle);
  if (found == handles().alive.end()) return CUSOLVER_STATUS_NOT_INITIALIZED;
  handles().alive.erase(found);
  return CUSOLVER_STATUS_SUCCESS;
}

cusolverStatus_t cusolverDnSetStream(cusolverDnHandle_t handle, cudaStream_t stream) {
  if (!is_alive(handle)) return CUSOLVER_STATUS_NOT_INITIALIZED;
  handle->stream = stream;
  return CUSOLVER_STATUS_SUCCESS;
}
cusolverStatus_t cusolverDnGetStream(cusolverDnHandle_t handle, cudaStream_t* stream) {
  if (!is_alive(handle)) return CUSOLVER_STATUS_NOT_INITIALIZED;
  if (stream == nullptr) return CUSOLVER_STATUS_INVALID_VALUE;
  *stream = handle->stream;
  return CUSOLVER_STATUS_SUCCESS;
}
cusolverStatus_t cusolverDnSetDeterministicMode(cusolverDnHandle_t handle,
                                                cusolverDeterministicMode_t mode) {
  if (!is_alive(handle)) return CUSOLVER_STATUS_NOT_INITIALIZED;
  handle->mode = mode;
  return CUSOLVER_STATUS_SUCCESS;
}
cusolverStatus_t cusolverDnGetDeterministicMode(cusolverDnHandle_t handle,
                                                cusolverDeterministicMode_t* mode) {
  if (!is_alive(handle)) return CUSOLVER_STATUS_NOT_INITIALIZED;
  if (mode == nullptr) return CUSOLVER_STATUS_INVALID_VALUE;
  *mode = handle->mode;
  return CUSOLVER_STATUS_SUCCESS;
}

cusolverStatus_t cusolverDnCreateSyevjInfo(syevjInfo_t* info) { return create(info); }
cusolverStatus_t cusolverDnDestroySyevjInfo(syevjInfo_t info) { return destroy(info); }
cusolverStatus_t cusolverDnXsyevjSetTolerance(syevjInfo_t info, double) { return status_of(info); }
cusolverStatus_t cusolverDnXsyevjSetMaxSweeps(syevjInfo_t info, int) { return status_of(info); }
cusolverStatus_t cusolverDnXsyevjSetSortEig(syevjInfo_t info, int) { return status_of(info); }
cusolverStatus_t cusolverDnCreateGesvdjInfo(gesvdjInfo_t* info) { return create(info); }
cusolverStatus_t cusolverDnDestroyGesvdjInfo(gesvdjInfo_t info) { return destroy(info); }
cusolverStatus_t cusolverDnXgesvdjSetTolerance(gesvdjInfo_t info, double) {
  return status_of(info);
}
cusolverStatus_t cusolverDnXgesvdjSetMaxSweeps(gesvdjInfo_t info, int) { return status_of(info); }
cusolverStatus_t cusolverDnXgesvdjSetSortEig(gesvdjInfo_t info, int) { return status_of(info); }

cusolverStatus_t cusolverDnCreateParams(cusolverDnParams_t* params) { return create(params); }
cusolverStatus_t cusolverDnDestroyParams(cusolverDnParams_t params) { return destroy(params); }
cusolverStatus_t cusolverDnSetAdvOptions(cusolverDnParams_t params, cusolverDnFunction_t,
                                         cusolverAlgMode_t) {
  return status_of(params);
}

cusolverStatus_t cusolverDnXgetrf_bufferSize(cusolverDnHandle_t handle, cusolverDnParams_t, int64_t,
                                             int64_t, cudaDataType, const void*, int64_t,
                                             cudaDataType, size_t* deviceBytes, size_t* hostBytes) {
  return sizes(handle, deviceBytes, hostBytes);
}
cusolverStatus_t cusolverDnXgetrf(cusolverDnHandle_t handle, cusolverDnParams_t, int64_t m,
                                  int64_t n, cudaDataType type, void* A, int64_t lda,
                                  int64_t* pivots, cudaDataType, void*, size_t, void*, size_t,
                                  int* info) {
  return run("cusolverDnXgetrf", handle, __builtin_return_address(0), [&](Call& call) {
    with_type(type, [&]<class T>(T) {
      T* const numbers = static_cast<T*>(A);
      if (!pivots) return getrf(call, size_of(m), size_of(n), numbers, size_of(lda), nullptr, info);
      if (!can_factorise(call, m, n, lda, info)) return;
      std::vector<int> narrow(static_cast<std::size_t>(std::min(m, n)));
      call.matrix("A", numbers, m, n, lda, Use::read);
      call.vector("the pivots", pivots, std::min(m, n), Use::write);
      getrf(size_of(m), size_of(n), numbers, size_of(lda), narrow.data(), call.info(info));
      std::copy(narrow.begin(), narrow.end(), pivots);
    });
  });
}
cusolverStatus_t cusolverDnXgetrs(cusolverDnHandle_t handle, cusolverDnParams_t,
                                  cublasOperation_t trans, int64_t n, int64_t nrhs,
                                  cudaDataType typeOfA, const void* A, int64_t lda,
                                  const int64_t* pivots, cudaDataType typeOfB, void* B, int64_t ldb,
                                  int* info) {
  return run("cusolverDnXgetrs", handle, __builtin_return_address(0), [&](Call& call) {
    Call::require(typeOfA == typeOfB);
    with_type(typeOfA, [&]<class T>(T) {
      const T* const numbers = static_cast<const T*>(A);
      T* const sides = static_cast<T*>(B);
      if (!pivots)
        return getrs(call, trans, size_of(n), size_of(nrhs), numbers, size_of(lda), nullptr, sides,
                     size_of(ldb), info);
      check_getrs(trans, n, nrhs, lda, ldb);
      call.matrix("A", numbers, n, n, lda, Use::read);
      call.matrix("B", sides, n, nrhs, ldb, Use::read);
      call.vector("the pivots", pivots, n, Use::read);
      const std::vector<int> narrow(pivots, pivots + n);
      getrs(Call::letter(trans), size_of(n), size_of(nrhs), numbers, size_of(lda), narrow.data(),
            sides, size_of(ldb), call.info(info));
    });
  });
}

cusolverStatus_t cusolverDnXpotrf_bufferSize(cusolverDnHandle_t handle, cusolverDnParams_t,
                                             cublasFillMode_t, int64_t, cudaDataType, const void*,
                                             int64_t, cudaDataType, size_t* deviceBytes,
                                             size_t* hostBytes) {
  return sizes(handle, deviceBytes, hostBytes);
}
cusolverStatus_t cusolverDnXpotrf(cusolverDnHandle_t handle, cusolverDnParams_t,
                                  cublasFillMode_t uplo, int64_t n, cudaDataType type, void* A,
                                  int64_t lda, cudaDataType, void*, size_t, void*, size_t,
                                  int* info) {
  return run("cusolverDnXpotrf", handle, __builtin_return_address(0), [&](Call& call) {
    with_type(type, [&]<class T>(T) {
      potrf(call, uplo, size_of(n), static_cast<T*>(A), size_of(lda), info);
    });
  });
}
cusolverStatus_t cusolverDnXpotrs(cusolverDnHandle_t handle, cusolverDnParams_t,
                                  cublasFillMode_t uplo, int64_t n, int64_t nrhs,
                                  cudaDataType typeOfA, const void* A, int64_t lda,
                                  cudaDataType typeOfB, void* B, int64_t ldb, int* info) {
  return run("cusolverDnXpotrs", handle, __builtin_return_address(0), [&](Call& call) {
    Call::require(typeOfA == typeOfB);
    with_type(typeOfA, [&]<class T>(T) {
      potrs(call, uplo, size_of(n), size_of(nrhs), static_cast<const T*>(A), size_of(lda),
            static_cast<T*>(B), size_of(ldb), info);
    });
  });
}

cusolverStatus_t cusolverDnXsyevd_bufferSize(cusolverDnHandle_t handle, cusolverDnParams_t,
                                             cusolverEigMode_t, cublasFillMode_t, int64_t,
                                             cudaDataType, const void*, int64_t, cudaDataType,
                                             const void*, cudaDataType, size_t* deviceBytes,
                                             size_t* hostBytes) {
  return sizes(handle, deviceBytes, hostBytes);
}
cusolverStatus_t cusolverDnXsyevd(cusolverDnHandle_t handle, cusolverDnParams_t,
                                  cusolverEigMode_t jobz, cublasFillMode_t uplo, int64_t n,
                                  cudaDataType typeOfA, void* A, int64_t lda, cudaDataType typeOfW,
                                  void* W, cudaDataType, void*, size_t, void*, size_t, int* info) {
  return run("cusolverDnXsyevd", handle, __builtin_return_address(0), [&](Call& call) {
    Call::require(typeOfW == real_of(typeOfA));
    // Its arguments have other numbers than those of the calls for one type.
    call.require({{2, Call::is_known(jobz)},
                  {3, Call::is_known(uplo)},
                  {4, n >= 0},
                  {7, Call::fits(lda, n)}},
                 info);
    with_type(typeOfA, [&]<class T>(T) {
      eigenvalues(call, jobz, uplo, size_of(n), static_cast<T*>(A), size_of(lda),
                  static_cast<Real<T>*>(W), info);
    });
  });
}

}  // extern "C"
