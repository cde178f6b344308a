#pragma once

/// @file
/// The vendor's matrix product, for comparison.

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>
#include <cuda_runtime_api.h>

#include <memory>

#include "course/sgemm_check.hpp"

namespace course {

/// C = alpha A B + beta C for row-major matrices in device memory, by cuBLAS.
class VendorSgemm {
 public:
  /// The arithmetic that the library may use.
  enum class Math {
    fp32,       ///< float32 throughout, without TensorFloat-32 or any other short cut
    tf32,       ///< one product of tf32
    nine_bf16,  ///< nine products of bfloat16, if the device and the library support that
  };

  /// Returns whether there is such a library; the emulator has none.
  static bool exists() noexcept;

  /// @throws std::runtime_error if the library cannot be used, or does not exist
  explicit VendorSgemm(Math math = Math::fp32);
  ~VendorSgemm();

  /// Launches on `stream`; may be captured into a graph.
  /// @throws std::runtime_error if the library refuses
  void operator()(SgemmSize size, float alpha, const float* A, int lda, const float* B, int ldb,
                  float beta, float* C, int ldc, cudaStream_t stream) const;

  /// Multiplies A and B of halves, on tensor cores.
  void operator()(SgemmSize size, float alpha, const __half* A, int lda, const __half* B, int ldb,
                  float beta, float* C, int ldc, cudaStream_t stream) const;

  /// Computes C = A B in bfloat16 with float sums. Rows follow each other without gaps.
  void operator()(SgemmSize size, const __nv_bfloat16* A, const __nv_bfloat16* B, __nv_bfloat16* C,
                  cudaStream_t stream) const;

  /// C = scale_a scale_b A B^T in bfloat16, of 8-bit floats: B is [n, k]. Sums leave the tensor
  /// cores on the way ("without fast accumulation"). The scales are in device memory. k is a
  /// multiple of 16 and n one of 8.
  void operator()(SgemmSize size, const __nv_fp8_e4m3* A, const __nv_fp8_e4m3* B,
                  const float* scale_a, const float* scale_b, __nv_bfloat16* C,
                  cudaStream_t stream) const;

 private:
  struct Library;
  std::unique_ptr<Library> library_;
};

}  // namespace course
