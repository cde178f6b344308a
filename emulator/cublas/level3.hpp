/// @file
/// Level 3: matrices.
#pragma once

#include <vector>

#include "level2.hpp"

namespace emu::cublas {

template <class T>
void clear(T* C, Index rows, Index columns, Index ld) {
  for (Index j = 0; j < columns; ++j) std::fill_n(C + j * ld, rows, T(0));
}

template <class T>
void clear_triangle(T* C, CBLAS_UPLO fill, Index n, Index ld) {
  for_triangle(fill, n, [&](Index i, Index j) { C[i + j * ld] = T(0); });
}

/// C = alpha op(A) op(B) + beta C, of arguments that were found right.
template <class T>
void multiply(cublasOperation_t transa, cublasOperation_t transb, Index m, Index n, Index k,
              const T& alpha, const T* A, Index lda, const T* B, Index ldb, const T& beta, T* C,
              Index ldc) {
  if (beta == T(0)) clear(C, m, n, ldc);
  Blas<T>::gemm(CblasColMajor, Call::read(transa), Call::read(transb), Call::size(m), Call::size(n),
                Call::size(k), factor(alpha), A, Call::size(lda), B, Call::size(ldb), factor(beta),
                C, Call::size(ldc));
}

/// What cuBLAS asks of the sizes of a product.
inline void check_product(cublasOperation_t transa, cublasOperation_t transb, Index m, Index n,
                          Index k, Index lda, Index ldb, Index ldc) {
  Call::read(transa);
  Call::read(transb);
  Call::require(m >= 0 && n >= 0 && k >= 0 && fits(lda, stored(transa, m, k).rows) &&
                fits(ldb, stored(transb, k, n).rows) && fits(ldc, m));
}

template <class T>
void gemm(Call& call, cublasOperation_t transa, cublasOperation_t transb, Index m, Index n, Index k,
          const T* alpha, const T* A, Index lda, const T* B, Index ldb, const T* beta, T* C,
          Index ldc) {
  check_product(transa, transb, m, n, k, lda, ldb, ldc);
  const T a = call.scalar("alpha", alpha);
  const T b = call.scalar("beta", beta);
  if (m == 0 || n == 0) return;
  if (a != T(0) && k > 0) {
    const Shape of_a = stored(transa, m, k);
    const Shape of_b = stored(transb, k, n);
    Call::require(A != nullptr && B != nullptr);
    call.matrix("A", A, of_a.rows, of_a.columns, lda, Use::read);
    call.matrix("B", B, of_b.rows, of_b.columns, ldb, Use::read);
  }
  call.matrix("C", C, m, n, ldc, use_of(b));
  multiply(transa, transb, m, n, k, a, A, lda, B, ldb, b, C, ldc);
}

template <class T>
void gemm_batched(Call& call, cublasOperation_t transa, cublasOperation_t transb, Index m, Index n,
                  Index k, const T* alpha, const T* const* A, Index lda, const T* const* B,
                  Index ldb, const T* beta, T* const* C, Index ldc, Index count) {
  check_product(transa, transb, m, n, k, lda, ldb, ldc);
  Call::require(count >= 0);
  const T a = call.scalar("alpha", alpha);
  const T b = call.scalar("beta", beta);
  if (m == 0 || n == 0) return;
  pointers(call, "the array of A", A, count);
  pointers(call, "the array of B", B, count);
  pointers(call, "the array of C", C, count);
  const Call::HostScalars scalars(call);
  for (Index i = 0; i < count; ++i)
    gemm(call, transa, transb, m, n, k, &a, A[i], lda, B[i], ldb, &b, C[i], ldc);
}

template <class T>
void gemm_strided(Call& call, cublasOperation_t transa, cublasOperation_t transb, Index m, Index n,
                  Index k, const T* alpha, const T* A, Index lda, Index strideA, const T* B,
                  Index ldb, Index strideB, const T* beta, T* C, Index ldc, Index strideC,
                  Index count) {
  check_product(transa, transb, m, n, k, lda, ldb, ldc);
  Call::require(count >= 0);
  const T a = call.scalar("alpha", alpha);
  const T b = call.scalar("beta", beta);
  const Call::HostScalars scalars(call);
  for (Index i = 0; i < count; ++i)
    gemm(call, transa, transb, m, n, k, &a, A + i * strideA, lda, B + i * strideB, ldb, &b,
         C + i * strideC, ldc);
}

/// C = alpha A B + beta C with a symmetric or Hermitian A on either side, by one of OpenBLAS's
/// routines.
template <class T, class Routine>
void multiply_symmetric(Call& call, cublasSideMode_t side, cublasFillMode_t uplo, Index m, Index n,
                        const T* alpha, const T* A, Index lda, const T* B, Index ldb, const T* beta,
                        T* C, Index ldc, Routine routine) {
  const CBLAS_SIDE where = Call::read(side);
  const CBLAS_UPLO fill = Call::read(uplo);
  const Index order = side == CUBLAS_SIDE_LEFT ? m : n;
  Call::require(m >= 0 && n >= 0 && fits(lda, order) && fits(ldb, m) && fits(ldc, m));
  const T a = call.scalar("alpha", alpha);
  const T b = call.scalar("beta", beta);
  if (m == 0 || n == 0) return;
  if (a != T(0)) {
    call.triangle("A", A, fill, order, lda, Use::read);
    call.matrix("B", B, m, n, ldb, Use::read);
  }
  call.matrix("C", C, m, n, ldc, use_of(b));
  if (b == T(0)) clear(C, m, n, ldc);
  routine(CblasColMajor, where, fill, Call::size(m), Call::size(n), factor(a), A, Call::size(lda),
          B, Call::size(ldb), factor(b), C, Call::size(ldc));
}

template <class T>
void symm(Call& call, cublasSideMode_t side, cublasFillMode_t uplo, Index m, Index n,
          const T* alpha, const T* A, Index lda, const T* B, Index ldb, const T* beta, T* C,
          Index ldc) {
  multiply_symmetric(call, side, uplo, m, n, alpha, A, lda, B, ldb, beta, C, ldc, Blas<T>::symm);
}
template <class T>
void hemm(Call& call, cublasSideMode_t side, cublasFillMode_t uplo, Index m, Index n,
          const T* alpha, const T* A, Index lda, const T* B, Index ldb, const T* beta, T* C,
          Index ldc) {
  multiply_symmetric(call, side, uplo, m, n, alpha, A, lda, B, ldb, beta, C, ldc, Blas<T>::hemm);
}

/// One triangle of C = alpha op(A) op(...)' + beta C. `use_others` looks at what there is besides
/// A. Symmetric updates of complex numbers know no conjugate, Hermitian ones no plain transpose.
template <class T, class S, class R, class UseOthers, class Update>
void update_triangle(Call& call, bool is_hermitian, cublasFillMode_t uplo, cublasOperation_t trans,
                     Index n, Index k, const S* alpha, const T* A, Index lda, const R* beta, T* C,
                     Index ldc, UseOthers&& use_others, Update&& update) {
  const CBLAS_UPLO fill = Call::read(uplo);
  const CBLAS_TRANSPOSE operation = Call::read(trans);
  Call::require(!is_complex<T> || trans == CUBLAS_OP_N ||
                trans == (is_hermitian ? CUBLAS_OP_C : CUBLAS_OP_T));
  const Shape shape = stored(trans, n, k);
  Call::require(n >= 0 && k >= 0 && fits(lda, shape.rows) && fits(ldc, n));
  const S a = call.scalar("alpha", alpha);
  const R b = call.scalar("beta", beta);
  if (n == 0) return;
  if (a != S(0) && k > 0) {
    call.matrix("A", A, shape.rows, shape.columns, lda, Use::read);
    use_others(shape);
  }
  call.triangle("C", C, fill, n, ldc, use_of(b));
  if (b == R(0)) clear_triangle(C, fill, n, ldc);
  update(fill, operation, a, b);
}

template <class T>
void syrk(Call& call, cublasFillMode_t uplo, cublasOperation_t trans, Index n, Index k,
          const T* alpha, const T* A, Index lda, const T* beta, T* C, Index ldc) {
  update_triangle(
      call, false, uplo, trans, n, k, alpha, A, lda, beta, C, ldc, [](Shape) {},
      [&](CBLAS_UPLO fill, CBLAS_TRANSPOSE operation, const T& a, const T& b) {
        Blas<T>::syrk(CblasColMajor, fill, operation, Call::size(n), Call::size(k), factor(a), A,
                      Call::size(lda), factor(b), C, Call::size(ldc));
      });
}

template <class T>
void herk(Call& call, cublasFillMode_t uplo, cublasOperation_t trans, Index n, Index k,
          const Real<T>* alpha, const T* A, Index lda, const Real<T>* beta, T* C, Index ldc) {
  update_triangle(
      call, true, uplo, trans, n, k, alpha, A, lda, beta, C, ldc, [](Shape) {},
      [&](CBLAS_UPLO fill, CBLAS_TRANSPOSE operation, Real<T> a, Real<T> b) {
        Blas<T>::herk(CblasColMajor, fill, operation, Call::size(n), Call::size(k), a, A,
                      Call::size(lda), b, C, Call::size(ldc));
      });
}

/// The same of A and B.
template <class T, class R, class Update>
void update_triangle_by_two(Call& call, bool is_hermitian, cublasFillMode_t uplo,
                            cublasOperation_t trans, Index n, Index k, const T* alpha, const T* A,
                            Index lda, const T* B, Index ldb, const R* beta, T* C, Index ldc,
                            Update&& update) {
  Call::require(fits(ldb, stored(trans, n, k).rows));
  update_triangle(
      call, is_hermitian, uplo, trans, n, k, alpha, A, lda, beta, C, ldc,
      [&](Shape shape) { call.matrix("B", B, shape.rows, shape.columns, ldb, Use::read); }, update);
}

template <class T>
void syr2k(Call& call, cublasFillMode_t uplo, cublasOperation_t trans, Index n, Index k,
           const T* alpha, const T* A, Index lda, const T* B, Index ldb, const T* beta, T* C,
           Index ldc) {
  update_triangle_by_two(call, false, uplo, trans, n, k, alpha, A, lda, B, ldb, beta, C, ldc,
                         [&](CBLAS_UPLO fill, CBLAS_TRANSPOSE operation, const T& a, const T& b) {
                           Blas<T>::syr2k(CblasColMajor, fill, operation, Call::size(n),
                                          Call::size(k), factor(a), A, Call::size(lda), B,
                                          Call::size(ldb), factor(b), C, Call::size(ldc));
                         });
}

template <class T>
void her2k(Call& call, cublasFillMode_t uplo, cublasOperation_t trans, Index n, Index k,
           const T* alpha, const T* A, Index lda, const T* B, Index ldb, const Real<T>* beta, T* C,
           Index ldc) {
  update_triangle_by_two(call, true, uplo, trans, n, k, alpha, A, lda, B, ldb, beta, C, ldc,
                         [&](CBLAS_UPLO fill, CBLAS_TRANSPOSE operation, const T& a, Real<T> b) {
                           Blas<T>::her2k(CblasColMajor, fill, operation, Call::size(n),
                                          Call::size(k), factor(a), A, Call::size(lda), B,
                                          Call::size(ldb), b, C, Call::size(ldc));
                         });
}

/// One triangle of C = alpha op(A) op(B)' + beta C, which BLAS has not: of the whole product.
template <class T, class R>
void add_triangle_of_product(CBLAS_UPLO fill, cublasOperation_t trans, bool is_hermitian, Index n,
                             Index k, const T& alpha, const T* A, Index lda, const T* B, Index ldb,
                             const R& beta, T* C, Index ldc) {
  const cublasOperation_t flip = is_hermitian ? CUBLAS_OP_C : CUBLAS_OP_T;
  const bool is_plain = trans == CUBLAS_OP_N;
  std::vector<T> product(static_cast<std::size_t>(n * n));
  multiply(is_plain ? CUBLAS_OP_N : flip, is_plain ? flip : CUBLAS_OP_N, n, n, k, alpha, A, lda, B,
           ldb, T(0), product.data(), n);
  for_triangle(fill, n, [&](Index i, Index j) {
    T& c = C[i + j * ldc];
    c = product[static_cast<std::size_t>(i + j * n)] + beta * c;
    if (is_hermitian && i == j) c = std::real(c);
  });
}

template <class T>
void syrkx(Call& call, cublasFillMode_t uplo, cublasOperation_t trans, Index n, Index k,
           const T* alpha, const T* A, Index lda, const T* B, Index ldb, const T* beta, T* C,
           Index ldc) {
  update_triangle_by_two(call, false, uplo, trans, n, k, alpha, A, lda, B, ldb, beta, C, ldc,
                         [&](CBLAS_UPLO fill, CBLAS_TRANSPOSE, const T& a, const T& b) {
                           add_triangle_of_product(fill, trans, false, n, k, a, A, lda, B, ldb, b,
                                                   C, ldc);
                         });
}

template <class T>
void herkx(Call& call, cublasFillMode_t uplo, cublasOperation_t trans, Index n, Index k,
           const T* alpha, const T* A, Index lda, const T* B, Index ldb, const Real<T>* beta, T* C,
           Index ldc) {
  update_triangle_by_two(call, true, uplo, trans, n, k, alpha, A, lda, B, ldb, beta, C, ldc,
                         [&](CBLAS_UPLO fill, CBLAS_TRANSPOSE, const T& a, Real<T> b) {
                           add_triangle_of_product(fill, trans, true, n, k, a, A, lda, B, ldb, b, C,
                                                   ldc);
                         });
}

/// Looks at the arguments of a triangular product or solution, whose result replaces B or goes to
/// another matrix: `finish(side, fill, operation, diagonal, alpha)` does the rest.
template <class T, class Finish>
void with_triangle(Call& call, cublasSideMode_t side, cublasFillMode_t uplo,
                   cublasOperation_t trans, cublasDiagType_t diag, Index m, Index n, const T* alpha,
                   const T* A, Index lda, Index ldb, Finish&& finish) {
  const CBLAS_SIDE where = Call::read(side);
  const CBLAS_UPLO fill = Call::read(uplo);
  const CBLAS_TRANSPOSE operation = Call::read(trans);
  const CBLAS_DIAG diagonal = Call::read(diag);
  const Index order = side == CUBLAS_SIDE_LEFT ? m : n;
  Call::require(m >= 0 && n >= 0 && fits(lda, order) && fits(ldb, m));
  const T a = call.scalar("alpha", alpha);
  if (m == 0 || n == 0) return;
  if (a != T(0)) call.triangle("A", A, fill, order, lda, Use::read);
  finish(where, fill, operation, diagonal, a);
}

/// C = alpha op(A) B; C may be B.
template <class T>
void trmm(Call& call, cublasSideMode_t side, cublasFillMode_t uplo, cublasOperation_t trans,
          cublasDiagType_t diag, Index m, Index n, const T* alpha, const T* A, Index lda,
          const T* B, Index ldb, T* C, Index ldc) {
  Call::require(fits(ldc, m) && (B != C || ldb == ldc));
  with_triangle(call, side, uplo, trans, diag, m, n, alpha, A, lda, ldb,
                [&](CBLAS_SIDE where, CBLAS_UPLO fill, CBLAS_TRANSPOSE operation,
                    CBLAS_DIAG diagonal, const T& a) {
                  if (a != T(0)) call.matrix("B", B, m, n, ldb, Use::read);
                  call.matrix("C", C, m, n, ldc, Use::write);
                  if (a == T(0)) return clear(C, m, n, ldc);
                  if (B != C)
                    for (Index j = 0; j < n; ++j) std::copy_n(B + j * ldb, m, C + j * ldc);
                  Blas<T>::trmm(CblasColMajor, where, fill, operation, diagonal, Call::size(m),
                                Call::size(n), factor(a), A, Call::size(lda), C, Call::size(ldc));
                });
}

template <class T>
void trsm(Call& call, cublasSideMode_t side, cublasFillMode_t uplo, cublasOperation_t trans,
          cublasDiagType_t diag, Index m, Index n, const T* alpha, const T* A, Index lda, T* B,
          Index ldb) {
  with_triangle(call, side, uplo, trans, diag, m, n, alpha, A, lda, ldb,
                [&](CBLAS_SIDE where, CBLAS_UPLO fill, CBLAS_TRANSPOSE operation,
                    CBLAS_DIAG diagonal, const T& a) {
                  call.matrix("B", B, m, n, ldb, use_of(a));
                  if (a == T(0)) return clear(B, m, n, ldb);
                  Blas<T>::trsm(CblasColMajor, where, fill, operation, diagonal, Call::size(m),
                                Call::size(n), factor(a), A, Call::size(lda), B, Call::size(ldb));
                });
}

template <class T>
void trsm_batched(Call& call, cublasSideMode_t side, cublasFillMode_t uplo, cublasOperation_t trans,
                  cublasDiagType_t diag, Index m, Index n, const T* alpha, const T* const* A,
                  Index lda, T* const* B, Index ldb, Index count) {
  Call::require(count >= 0);
  const T a = call.scalar("alpha", alpha);
  pointers(call, "the array of A", A, count);
  pointers(call, "the array of B", B, count);
  const Call::HostScalars scalars(call);
  for (Index i = 0; i < count; ++i)
    trsm(call, side, uplo, trans, diag, m, n, &a, A[i], lda, B[i], ldb);
}

/// C = alpha op(A) + beta op(B); C may be A or B where that is not transposed.
template <class T>
void geam(Call& call, cublasOperation_t transa, cublasOperation_t transb, Index m, Index n,
          const T* alpha, const T* A, Index lda, const T* beta, const T* B, Index ldb, T* C,
          Index ldc) {
  Call::read(transa);
  Call::read(transb);
  const Shape of_a = stored(transa, m, n);
  const Shape of_b = stored(transb, m, n);
  Call::require(m >= 0 && n >= 0 && fits(lda, of_a.rows) && fits(ldb, of_b.rows) && fits(ldc, m));
  Call::require((C != A || (transa == CUBLAS_OP_N && lda == ldc)) &&
                (C != B || (transb == CUBLAS_OP_N && ldb == ldc)));
  const T a = call.scalar("alpha", alpha);
  const T b = call.scalar("beta", beta);
  if (m == 0 || n == 0) return;
  if (a != T(0)) call.matrix("A", A, of_a.rows, of_a.columns, lda, Use::read);
  if (b != T(0)) call.matrix("B", B, of_b.rows, of_b.columns, ldb, Use::read);
  call.matrix("C", C, m, n, ldc, Use::write);
  const auto element = [](const T* matrix, Index ld, cublasOperation_t operation, Index i,
                          Index j) {
    if (operation == CUBLAS_OP_N) return matrix[i + j * ld];
    return operation == CUBLAS_OP_T ? matrix[j + i * ld] : conjugate(matrix[j + i * ld]);
  };
  for (Index j = 0; j < n; ++j)
    for (Index i = 0; i < m; ++i) {
      T sum{};
      if (a != T(0)) sum += a * element(A, lda, transa, i, j);
      if (b != T(0)) sum += b * element(B, ldb, transb, i, j);
      C[i + j * ldc] = sum;
    }
}

/// C = diag(x) A, or A diag(x); C may be A.
template <class T>
void dgmm(Call& call, cublasSideMode_t mode, Index m, Index n, const T* A, Index lda, const T* x,
          Index incx, T* C, Index ldc) {
  Call::read(mode);
  Call::require(m >= 0 && n >= 0 && fits(lda, m) && fits(ldc, m));
  if (m == 0 || n == 0) return;
  const bool is_left = mode == CUBLAS_SIDE_LEFT;
  call.matrix("A", A, m, n, lda, Use::read);
  call.vector("x", x, is_left ? m : n, incx, Use::read);
  call.matrix("C", C, m, n, ldc, Use::write);
  const Strided<const T> factors(x, is_left ? m : n, incx);
  for (Index j = 0; j < n; ++j)
    for (Index i = 0; i < m; ++i) C[i + j * ldc] = A[i + j * lda] * factors[is_left ? i : j];
}

}  // namespace emu::cublas
