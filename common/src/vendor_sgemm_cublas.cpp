/// cuBLAS as the vendor's SGEMM.

#include <cublasLt.h>
#include <cublas_v2.h>
#include <fmt/format.h>

#include <memory>
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

/// What cublasLt describes a product with; each of them is destroyed in its own way.
template <typename Handle, auto destroy>
using Described = std::unique_ptr<std::remove_pointer_t<Handle>,
                                  decltype([](Handle handle) { destroy(handle); })>;
using Product = Described<cublasLtMatmulDesc_t, cublasLtMatmulDescDestroy>;
using Layout = Described<cublasLtMatrixLayout_t, cublasLtMatrixLayoutDestroy>;
using Preference = Described<cublasLtMatmulPreference_t, cublasLtMatmulPreferenceDestroy>;

Layout layout_of(cudaDataType_t type, int rows, int cols) {
  cublasLtMatrixLayout_t layout = nullptr;
  check_status(cublasLtMatrixLayoutCreate(&layout, type, rows, cols, rows));
  return Layout(layout);
}

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

void VendorSgemm::operator()(SgemmSize size, const __nv_fp8_e4m3* A, const __nv_fp8_e4m3* B,
                             const float* scale_a, const float* scale_b, __nv_bfloat16* C,
                             cudaStream_t stream) const {
  // Of 8-bit floats, cublasLt only knows a transposed matrix times another. Both are ours as they
  // are, read column by column; and C^T = B A^T.
  cublasLtMatmulDesc_t description = nullptr;
  check_status(cublasLtMatmulDescCreate(&description, CUBLAS_COMPUTE_32F, CUDA_R_32F));
  const Product product(description);
  const auto set = [&](cublasLtMatmulDescAttributes_t attribute, const auto& value) {
    check_status(cublasLtMatmulDescSetAttribute(description, attribute, &value, sizeof value));
  };
  set(CUBLASLT_MATMUL_DESC_TRANSA, CUBLAS_OP_T);
  set(CUBLASLT_MATMUL_DESC_FAST_ACCUM, std::int8_t{0});
  set(CUBLASLT_MATMUL_DESC_A_SCALE_POINTER, scale_b);
  set(CUBLASLT_MATMUL_DESC_B_SCALE_POINTER, scale_a);
  const Layout first = layout_of(CUDA_R_8F_E4M3, size.k, size.n);
  const Layout second = layout_of(CUDA_R_8F_E4M3, size.k, size.m);
  const Layout result = layout_of(CUDA_R_16BF, size.n, size.m);
  cublasLtMatmulPreference_t wishes = nullptr;
  check_status(cublasLtMatmulPreferenceCreate(&wishes));
  const Preference preference(wishes);
  check_status(cublasLtMatmulPreferenceSetAttribute(
      wishes, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, &kWorkspaceBytes, sizeof kWorkspaceBytes));
  // A cublasHandle_t is a cublasLtHandle_t, too.
  const auto handle = reinterpret_cast<cublasLtHandle_t>(library_->handle);
  cublasLtMatmulHeuristicResult_t best;
  int found = 0;
  check_status(cublasLtMatmulAlgoGetHeuristic(handle, description, first.get(), second.get(),
                                              result.get(), result.get(), wishes, 1, &best,
                                              &found));
  if (found == 0) check_status(CUBLAS_STATUS_NOT_SUPPORTED);
  constexpr float kOne = 1.0f, kZero = 0.0f;
  check_status(cublasLtMatmul(handle, description, &kOne, B, first.get(), A, second.get(), &kZero,
                              C, result.get(), C, result.get(), &best.algo,
                              library_->workspace.data(), kWorkspaceBytes, stream));
}

}  // namespace course
