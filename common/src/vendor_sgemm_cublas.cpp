/// cuBLAS as the vendor's SGEMM.

#include <cublas_v2.h>
#include <fmt/format.h>

#include <source_location>
#include <stdexcept>

#include "course/device_buffer.hpp"
#include "course/vendor_sgemm.hpp"

namespace course {
namespace {

void check_status(cublasStatus_t status,
                  std::source_location where = std::source_location::current()) {
  if (status == CUBLAS_STATUS_SUCCESS) return;
  throw std::runtime_error(fmt::format("{}:{}: {}: {}", where.file_name(), where.line(),
                                       cublasGetStatusName(status), cublasGetStatusString(status)));
}

constexpr std::size_t kWorkspaceBytes = std::size_t{64} << 20;

}  // namespace

struct VendorSgemm::Library {
  cublasHandle_t handle = nullptr;
  DeviceBytes workspace;  // its own would be allocated where a graph is captured

  Library() : workspace(kWorkspaceBytes, "cuBLAS's workspace") {
    check_status(cublasCreate(&handle));
    check_status(cublasSetMathMode(handle, CUBLAS_PEDANTIC_MATH));
  }
  ~Library() { cublasDestroy(handle); }
  Library(const Library&) = delete;
  Library& operator=(const Library&) = delete;
};

bool VendorSgemm::exists() noexcept { return true; }

VendorSgemm::VendorSgemm() : library_(std::make_unique<Library>()) {}

VendorSgemm::~VendorSgemm() = default;

void VendorSgemm::operator()(SgemmSize size, float alpha, const float* A, int lda, const float* B,
                             int ldb, float beta, float* C, int ldc, cudaStream_t stream) const {
  check_status(cublasSetStream(library_->handle, stream));
  check_status(cublasSetWorkspace(library_->handle, library_->workspace.data(), kWorkspaceBytes));
  // cuBLAS is column-major: there, our matrices are their transposes, and C^T = B^T A^T.
  check_status(cublasSgemm(library_->handle, CUBLAS_OP_N, CUBLAS_OP_N, size.n, size.m, size.k,
                           &alpha, B, ldb, A, lda, &beta, C, ldc));
}

}  // namespace course
