#include "call.hpp"

#include <new>

#include "engine/check/check_host.hpp"

namespace emu::cublas {

CBLAS_TRANSPOSE Call::read(cublasOperation_t operation) {
  switch (operation) {
    case CUBLAS_OP_N:
      return CblasNoTrans;
    case CUBLAS_OP_T:
      return CblasTrans;
    case CUBLAS_OP_C:
      return CblasConjTrans;
    default:
      throw Refusal{CUBLAS_STATUS_INVALID_VALUE};
  }
}

CBLAS_UPLO Call::read(cublasFillMode_t fill) {
  require(fill == CUBLAS_FILL_MODE_LOWER || fill == CUBLAS_FILL_MODE_UPPER);
  return fill == CUBLAS_FILL_MODE_LOWER ? CblasLower : CblasUpper;
}

CBLAS_DIAG Call::read(cublasDiagType_t diagonal) {
  require(diagonal == CUBLAS_DIAG_UNIT || diagonal == CUBLAS_DIAG_NON_UNIT);
  return diagonal == CUBLAS_DIAG_UNIT ? CblasUnit : CblasNonUnit;
}

CBLAS_SIDE Call::read(cublasSideMode_t side) {
  require(side == CUBLAS_SIDE_LEFT || side == CUBLAS_SIDE_RIGHT);
  return side == CUBLAS_SIDE_LEFT ? CblasLeft : CblasRight;
}

void Call::host_waits() { note_host_waited(); }

cublasStatus_t run(const char* name, cublasHandle_t handle, const void* call_site, Work work) {
  if (!is_alive(handle)) return CUBLAS_STATUS_NOT_INITIALIZED;
  if (begin_library_call(name, handle->stream) != Readiness::ready)
    return CUBLAS_STATUS_EXECUTION_FAILED;
  try {
    Call call(name, *handle, call_site);
    work(call);
    return CUBLAS_STATUS_SUCCESS;
  } catch (const Refusal& refusal) {
    return refusal.status;
  } catch (const DeviceFailed&) {
    return CUBLAS_STATUS_SUCCESS;
  } catch (const std::bad_alloc&) {
    return CUBLAS_STATUS_ALLOC_FAILED;
  }
}

}  // namespace emu::cublas
