/// @file
/// Products whose numbers have types of their own. Numbers of 16 bits become floats, whose sums are
/// floats too, whatever the type of the sums is said to be; the result is rounded once, to the
/// nearest. Sums of integers are exact.
#pragma once

#include <initializer_list>
#include <utility>

#include "level3.hpp"

namespace emu::cublas {

/// A product's arguments that are no numbers of it.
struct Product {
  cublasOperation_t transa, transb;
  Index m, n, k;
  cudaDataType a_type;
  Index lda;
  cudaDataType b_type;
  Index ldb;
  cudaDataType c_type;
  Index ldc;
  cublasComputeType_t sums;
};

/// Where the matrices of one product are.
struct Matrices {
  const void* a;
  const void* b;
  void* c;
};

/// Calls `visit` with a pointer to numbers of this type.
template <class Pointer, class Visit>
void with_type(cudaDataType type, Pointer* p, Visit&& visit) {
  const auto as = [&](auto example) {
    using T = decltype(example);
    visit(static_cast<std::conditional_t<std::is_const_v<Pointer>, const T*, T*>>(p));
  };
  switch (type) {
    case CUDA_R_16F:
      return as(__half());
    case CUDA_R_16BF:
      return as(__nv_bfloat16());
    case CUDA_R_32F:
      return as(float());
    case CUDA_R_64F:
      return as(double());
    case CUDA_C_32F:
      return as(std::complex<float>());
    case CUDA_C_64F:
      return as(std::complex<double>());
    case CUDA_R_8I:
      return as(std::int8_t());
    case CUDA_R_32I:
      return as(std::int32_t());
    default:
      throw Refusal{CUBLAS_STATUS_NOT_SUPPORTED};
  }
}

inline Index bytes_of(cudaDataType type) {
  Index bytes = 0;
  with_type(type, static_cast<const void*>(nullptr), [&](auto* p) { bytes = sizeof *p; });
  return bytes;
}

template <class W, class T>
W widened(const T& value) {
  if constexpr (std::is_same_v<T, __half>) {
    return static_cast<W>(__half2float(value));
  } else if constexpr (std::is_same_v<T, __nv_bfloat16>) {
    return static_cast<W>(__bfloat162float(value));
  } else if constexpr (is_complex<T> && !is_complex<W>) {
    throw Refusal{CUBLAS_STATUS_NOT_SUPPORTED};
  } else {
    return static_cast<W>(value);
  }
}

template <class T, class W>
T rounded(const W& value) {
  if constexpr (std::is_same_v<T, W>) {
    return value;
  } else if constexpr (is_complex<T> || is_complex<W>) {
    throw Refusal{CUBLAS_STATUS_NOT_SUPPORTED};
  } else if constexpr (std::is_same_v<T, __half>) {
    return __float2half_rn(static_cast<float>(value));
  } else if constexpr (std::is_same_v<T, __nv_bfloat16>) {
    return __float2bfloat16_rn(static_cast<float>(value));
  } else if constexpr (std::is_integral_v<T>) {
    return static_cast<T>(static_cast<std::int64_t>(value));
  } else {
    return static_cast<T>(value);
  }
}

/// A matrix whose numbers have become a routine's.
template <class W>
class Widened {
 public:
  /// Of `type` in memory, where the numbers are read only if that is asked for.
  Widened(const void* from, cudaDataType type, Shape shape, Index ld, bool is_read)
      : numbers_(static_cast<std::size_t>(shape.rows * shape.columns)),
        ld_(std::max<Index>(1, shape.rows)) {
    if (!is_read) return;
    with_type(type, from, [&](const auto* p) {
      for (Index j = 0; j < shape.columns; ++j)
        for (Index i = 0; i < shape.rows; ++i) data()[i + j * ld_] = widened<W>(p[i + j * ld]);
    });
  }

  W* data() { return numbers_.data(); }
  Index ld() const { return ld_; }

 private:
  std::vector<W> numbers_;
  Index ld_;
};

/// One product in numbers of W.
template <class W>
void multiply(Call& call, const Product& p, const W& alpha, const W& beta, const Matrices& at) {
  if (p.m == 0 || p.n == 0) return;
  const Shape of_a = stored(p.transa, p.m, p.k);
  const Shape of_b = stored(p.transb, p.k, p.n);
  const auto look = [&](const char* name, auto* matrix, cudaDataType type, Shape shape, Index ld,
                        Use use) {
    with_type(type, matrix, [&](auto* numbers) {
      call.matrix(name, numbers, shape.rows, shape.columns, ld, use);
    });
  };
  const bool has_product = alpha != W(0) && p.k > 0;
  if (has_product) {
    Call::require(at.a != nullptr && at.b != nullptr);
    look("A", at.a, p.a_type, of_a, p.lda, Use::read);
    look("B", at.b, p.b_type, of_b, p.ldb, Use::read);
  }
  look("C", at.c, p.c_type, {p.m, p.n}, p.ldc, use_of(beta));
  Widened<W> a(at.a, p.a_type, of_a, p.lda, has_product);
  Widened<W> b(at.b, p.b_type, of_b, p.ldb, has_product);
  Widened<W> c(at.c, p.c_type, {p.m, p.n}, p.ldc, beta != W(0));
  multiply(p.transa, p.transb, p.m, p.n, p.k, alpha, a.data(), a.ld(), b.data(), b.ld(), beta,
           c.data(), c.ld());
  with_type(p.c_type, at.c, [&]<class T>(T* to) {
    for (Index j = 0; j < p.n; ++j)
      for (Index i = 0; i < p.m; ++i) to[i + j * p.ldc] = rounded<T>(c.data()[i + j * c.ld()]);
  });
}

/// Products in numbers of W, of `count` triples of matrices; alpha and beta are of type S.
template <class W, class S, class At>
void multiply_all(Call& call, const Product& p, const void* alpha, const void* beta, Index count,
                  At&& at) {
  const W a = widened<W>(call.scalar("alpha", static_cast<const S*>(alpha)));
  const W b = widened<W>(call.scalar("beta", static_cast<const S*>(beta)));
  for (Index i = 0; i < count; ++i) multiply(call, p, a, b, at(i));
}

/// Whether cuBLAS multiplies such numbers: those of A and B, and of C.
inline bool has_types(const Product& p,
                      std::initializer_list<std::pair<cudaDataType, cudaDataType>> types) {
  return p.a_type == p.b_type && std::ranges::any_of(types, [&](const auto& one) {
           return one.first == p.a_type && one.second == p.c_type;
         });
}

template <class At>
void general_product(Call& call, const Product& p, const void* alpha, const void* beta, Index count,
                     At&& at) {
  check_product(p.transa, p.transb, p.m, p.n, p.k, p.lda, p.ldb, p.ldc);
  Call::require(count >= 0);
  switch (p.sums) {
    case CUBLAS_COMPUTE_16F:
    case CUBLAS_COMPUTE_16F_PEDANTIC:
      if (has_types(p, {{CUDA_R_16F, CUDA_R_16F}}))
        return multiply_all<float, __half>(call, p, alpha, beta, count, at);
      break;
    case CUBLAS_COMPUTE_32I:
    case CUBLAS_COMPUTE_32I_PEDANTIC:
      if (has_types(p, {{CUDA_R_8I, CUDA_R_32I}}))
        return multiply_all<double, std::int32_t>(call, p, alpha, beta, count, at);
      break;
    case CUBLAS_COMPUTE_64F:
    case CUBLAS_COMPUTE_64F_PEDANTIC:
    case CUBLAS_COMPUTE_64F_EMULATED_FIXEDPOINT:
      if (has_types(p, {{CUDA_R_64F, CUDA_R_64F}}))
        return multiply_all<double, double>(call, p, alpha, beta, count, at);
      if (has_types(p, {{CUDA_C_64F, CUDA_C_64F}}))
        return multiply_all<std::complex<double>, std::complex<double>>(call, p, alpha, beta, count,
                                                                        at);
      break;
    case CUBLAS_COMPUTE_32F:
    case CUBLAS_COMPUTE_32F_PEDANTIC:
    case CUBLAS_COMPUTE_32F_FAST_16F:
    case CUBLAS_COMPUTE_32F_FAST_16BF:
    case CUBLAS_COMPUTE_32F_FAST_TF32:
    case CUBLAS_COMPUTE_32F_EMULATED_16BFX9:
      if (has_types(p, {{CUDA_R_32F, CUDA_R_32F},
                        {CUDA_R_16F, CUDA_R_16F},
                        {CUDA_R_16F, CUDA_R_32F},
                        {CUDA_R_16BF, CUDA_R_16BF},
                        {CUDA_R_16BF, CUDA_R_32F},
                        {CUDA_R_8I, CUDA_R_32F}}))
        return multiply_all<float, float>(call, p, alpha, beta, count, at);
      if (has_types(p, {{CUDA_C_32F, CUDA_C_32F}}))
        return multiply_all<std::complex<float>, std::complex<float>>(call, p, alpha, beta, count,
                                                                      at);
      break;
    default:
      break;
  }
  throw Refusal{CUBLAS_STATUS_NOT_SUPPORTED};
}

/// The `i`th matrix of a batch whose matrices are `stride` elements apart.
template <class P>
P* at_stride(P* first, cudaDataType type, Index stride, Index i) {
  using Byte = std::conditional_t<std::is_const_v<P>, const char, char>;
  return static_cast<Byte*>(first) + i * stride * bytes_of(type);
}

inline void gemm_ex(Call& call, cublasOperation_t transa, cublasOperation_t transb, Index m,
                    Index n, Index k, const void* alpha, const void* A, cudaDataType Atype,
                    Index lda, const void* B, cudaDataType Btype, Index ldb, const void* beta,
                    void* C, cudaDataType Ctype, Index ldc, cublasComputeType_t sums,
                    cublasGemmAlgo_t = CUBLAS_GEMM_DEFAULT) {
  general_product(call, {transa, transb, m, n, k, Atype, lda, Btype, ldb, Ctype, ldc, sums}, alpha,
                  beta, 1, [&](Index) {
                    return Matrices{A, B, C};
                  });
}

template <class P, class Q>
void gemm_batched_ex(Call& call, cublasOperation_t transa, cublasOperation_t transb, Index m,
                     Index n, Index k, const void* alpha, const P* const* A, cudaDataType Atype,
                     Index lda, const P* const* B, cudaDataType Btype, Index ldb, const void* beta,
                     Q* const* C, cudaDataType Ctype, Index ldc, Index count,
                     cublasComputeType_t sums, cublasGemmAlgo_t = CUBLAS_GEMM_DEFAULT) {
  general_product(call, {transa, transb, m, n, k, Atype, lda, Btype, ldb, Ctype, ldc, sums}, alpha,
                  beta, count, [&](Index i) {
                    if (i == 0) {
                      pointers(call, "the array of A", A, count);
                      pointers(call, "the array of B", B, count);
                      pointers(call, "the array of C", C, count);
                    }
                    return Matrices{A[i], B[i], C[i]};
                  });
}

inline void gemm_strided_ex(Call& call, cublasOperation_t transa, cublasOperation_t transb, Index m,
                            Index n, Index k, const void* alpha, const void* A, cudaDataType Atype,
                            Index lda, Index strideA, const void* B, cudaDataType Btype, Index ldb,
                            Index strideB, const void* beta, void* C, cudaDataType Ctype, Index ldc,
                            Index strideC, Index count, cublasComputeType_t sums,
                            cublasGemmAlgo_t = CUBLAS_GEMM_DEFAULT) {
  general_product(call, {transa, transb, m, n, k, Atype, lda, Btype, ldb, Ctype, ldc, sums}, alpha,
                  beta, count, [&](Index i) {
                    return Matrices{at_stride(A, Atype, strideA, i),
                                    at_stride(B, Btype, strideB, i),
                                    at_stride(C, Ctype, strideC, i)};
                  });
}

inline void float_gemm_ex(Call& call, cublasOperation_t transa, cublasOperation_t transb, Index m,
                          Index n, Index k, const float* alpha, const void* A, cudaDataType Atype,
                          Index lda, const void* B, cudaDataType Btype, Index ldb,
                          const float* beta, void* C, cudaDataType Ctype, Index ldc) {
  gemm_ex(call, transa, transb, m, n, k, alpha, A, Atype, lda, B, Btype, ldb, beta, C, Ctype, ldc,
          CUBLAS_COMPUTE_32F);
}

inline void half_gemm(Call& call, cublasOperation_t transa, cublasOperation_t transb, Index m,
                      Index n, Index k, const __half* alpha, const __half* A, Index lda,
                      const __half* B, Index ldb, const __half* beta, __half* C, Index ldc) {
  gemm_ex(call, transa, transb, m, n, k, alpha, A, CUDA_R_16F, lda, B, CUDA_R_16F, ldb, beta, C,
          CUDA_R_16F, ldc, CUBLAS_COMPUTE_16F);
}

inline void half_gemm_batched(Call& call, cublasOperation_t transa, cublasOperation_t transb,
                              Index m, Index n, Index k, const __half* alpha,
                              const __half* const* A, Index lda, const __half* const* B, Index ldb,
                              const __half* beta, __half* const* C, Index ldc, Index count) {
  gemm_batched_ex(call, transa, transb, m, n, k, alpha, A, CUDA_R_16F, lda, B, CUDA_R_16F, ldb,
                  beta, C, CUDA_R_16F, ldc, count, CUBLAS_COMPUTE_16F);
}

inline void half_gemm_strided(Call& call, cublasOperation_t transa, cublasOperation_t transb,
                              Index m, Index n, Index k, const __half* alpha, const __half* A,
                              Index lda, Index strideA, const __half* B, Index ldb, Index strideB,
                              const __half* beta, __half* C, Index ldc, Index strideC,
                              Index count) {
  gemm_strided_ex(call, transa, transb, m, n, k, alpha, A, CUDA_R_16F, lda, strideA, B, CUDA_R_16F,
                  ldb, strideB, beta, C, CUDA_R_16F, ldc, strideC, count, CUBLAS_COMPUTE_16F);
}

}  // namespace emu::cublas
