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

// cuBLAS has it since CUDA 12.9; an older one has nothing but plain fp32 in its place.
constexpr cublasComputeType_t kNineBf16 =
#if CUBLAS_VERSION >= 120900
    CUBLAS_COMPUTE_32F_EMULATED_16BFX9;
#else
    CUBLAS_COMPUTE_32F_PEDANTIC;
#endif

constexpr std::size_t kWorkspaceBytes = std::size_t{64} << 20;

}  // namespace

struct VendorSgemm::Library {
  cublasHandle_t handle = nullptr;
  Math math;
  DeviceBytes workspace;  // its own would be allocated where a graph is captured

  explicit Library(Math kind) : math(kind), workspace(kWorkspaceBytes, "cuBLAS's workspace") {
    check_status(cublasCreate(&handle));
    if (math == Math::fp32) check_status(cublasSetMathMode(handle, CUBLAS_PEDANTIC_MATH));
  }
  ~Library() { cublasDestroy(handle); }

  void use(cudaStream_t stream) const {
    check_status(cublasSetStream(handle, stream));
    check_status(cublasSetWorkspace(handle, workspace.data(), kWorkspaceBytes));
  }
  Library(const Library&) = delete;
  Library& operator=(const Library&) = delete;
};

bool VendorSgemm::exists() noexcept { return true; }

VendorSgemm::VendorSgemm(Math math) : library_(std::make_unique<Library>(math)) {}

VendorSgemm::~VendorSgemm() = default;

void VendorSgemm::operator()(SgemmSize size, float alpha, const float* A, int lda, const float* B,
                             int ldb, float beta, float* C, int ldc, cudaStream_t stream) const {
  library_->use(stream);
  // cuBLAS is column-major: there, our matrices are their transposes, and C^T = B^T A^T.
  if (library_->math != Math::fp32) {
    const cublasComputeType_t compute =
        library_->math == Math::tf32 ? CUBLAS_COMPUTE_32F_FAST_TF32 : kNineBf16;
    check_status(cublasGemmEx(library_->handle, CUBLAS_OP_N, CUBLAS_OP_N, size.n, size.m, size.k,
                              &alpha, B, CUDA_R_32F, ldb, A, CUDA_R_32F, lda, &beta, C, CUDA_R_32F,
                              ldc, compute, CUBLAS_GEMM_DEFAULT));
    return;
  }
  check_status(cublasSgemm(library_->handle, CUBLAS_OP_N, CUBLAS_OP_N, size.n, size.m, size.k,
                           &alpha, B, ldb, A, lda, &beta, C, ldc));
}

void VendorSgemm::operator()(SgemmSize size, float alpha, const __half* A, int lda, const __half* B,
                             int ldb, float beta, float* C, int ldc, cudaStream_t stream) const {
  library_->use(stream);
  check_status(cublasGemmEx(library_->handle, CUBLAS_OP_N, CUBLAS_OP_N, size.n, size.m, size.k,
                            &alpha, B, CUDA_R_16F, ldb, A, CUDA_R_16F, lda, &beta, C, CUDA_R_32F,
                            ldc, CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT));
}

void VendorSgemm::operator()(SgemmSize size, const __nv_bfloat16* A, const __nv_bfloat16* B,
                             __nv_bfloat16* C, cudaStream_t stream) const {
  library_->use(stream);
  constexpr float kOne = 1.0f, kZero = 0.0f;
  check_status(cublasGemmEx(library_->handle, CUBLAS_OP_N, CUBLAS_OP_N, size.n, size.m, size.k,
                            &kOne, B, CUDA_R_16BF, size.n, A, CUDA_R_16BF, size.k, &kZero, C,
                            CUDA_R_16BF, size.n, CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT));
}

}  // namespace course
