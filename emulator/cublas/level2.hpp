/// @file
/// Level 2: a matrix and vectors.
#pragma once

#include <algorithm>

#include "level1.hpp"

namespace emu::cublas {

/// Where beta is 0, what was there counts for nothing, not even a NaN.
template <class T>
void clear(T* y, Index n, Index incy) {
  const Strided<T> elements(y, n, incy);
  for (Index i = 0; i < n; ++i) elements[i] = T(0);
}

/// How y = alpha (...) + beta y uses y.
template <class T>
Use use_of(const T& beta) {
  return beta == T(0) ? Use::write : Use::update;
}

/// What lies in memory, of a matrix that an operation makes `rows` x `columns`.
struct Shape {
  Index rows, columns;
};
inline Shape stored(cublasOperation_t operation, Index rows, Index columns) {
  return operation == CUBLAS_OP_N ? Shape{rows, columns} : Shape{columns, rows};
}

inline bool fits(Index ld, Index rows) { return ld >= std::max<Index>(1, rows); }

/// y = alpha (...) x + beta y, where A is of a kind that only `multiply` knows: the call's
/// arguments were found right, and `use_matrix` looks at A.
template <class T, class UseMatrix, class Multiply>
void update_vector(Call& call, Index nx, Index ny, const T* alpha, const T* x, Index incx,
                   const T* beta, T* y, Index incy, UseMatrix&& use_matrix, Multiply&& multiply) {
  const T a = call.scalar("alpha", alpha);
  const T b = call.scalar("beta", beta);
  if (nx == 0 || ny == 0) return;
  if (a != T(0)) {
    use_matrix();
    call.vector("x", x, nx, incx, Use::read);
  }
  call.vector("y", y, ny, incy, use_of(b));
  if (b == T(0)) clear(y, ny, incy);
  multiply(a, b);
}

template <class T>
void gemv(Call& call, cublasOperation_t trans, Index m, Index n, const T* alpha, const T* A,
          Index lda, const T* x, Index incx, const T* beta, T* y, Index incy) {
  const CBLAS_TRANSPOSE operation = Call::read(trans);
  if (m == 0 || n == 0) return;  // cuBLAS looks no further then
  Call::require(m >= 0 && n >= 0 && fits(lda, m) && incx != 0 && incy != 0);
  const Shape shape = stored(trans, n, m);
  update_vector(
      call, shape.rows, shape.columns, alpha, x, incx, beta, y, incy,
      [&] { call.matrix("A", A, m, n, lda, Use::read); },
      [&](const T& a, const T& b) {
        Blas<T>::gemv(CblasColMajor, operation, Call::size(m), Call::size(n), factor(a), A,
                      Call::size(lda), x, Call::size(incx), factor(b), y, Call::size(incy));
      });
}

/// The pointers of a batch, which lie in device memory.
template <class T>
const T* pointers(Call& call, const char* name, const T* array, Index count) {
  call.vector(name, array, count, 1, Use::read);
  return array;
}

template <class T>
void gemv_batched(Call& call, cublasOperation_t trans, Index m, Index n, const T* alpha,
                  const T* const* A, Index lda, const T* const* x, Index incx, const T* beta,
                  T* const* y, Index incy, Index count) {
  Call::require(count >= 0);
  const T a = call.scalar("alpha", alpha);
  const T b = call.scalar("beta", beta);
  pointers(call, "the array of A", A, count);
  pointers(call, "the array of x", x, count);
  pointers(call, "the array of y", y, count);
  const Call::HostScalars scalars(call);
  for (Index i = 0; i < count; ++i)
    gemv(call, trans, m, n, &a, A[i], lda, x[i], incx, &b, y[i], incy);
}

template <class T>
void gemv_strided(Call& call, cublasOperation_t trans, Index m, Index n, const T* alpha, const T* A,
                  Index lda, Index strideA, const T* x, Index incx, Index stridex, const T* beta,
                  T* y, Index incy, Index stridey, Index count) {
  Call::require(count >= 0);
  const T a = call.scalar("alpha", alpha);
  const T b = call.scalar("beta", beta);
  const Call::HostScalars scalars(call);
  for (Index i = 0; i < count; ++i)
    gemv(call, trans, m, n, &a, A + i * strideA, lda, x + i * stridex, incx, &b, y + i * stridey,
         incy);
}

template <class T>
void gbmv(Call& call, cublasOperation_t trans, Index m, Index n, Index kl, Index ku, const T* alpha,
          const T* A, Index lda, const T* x, Index incx, const T* beta, T* y, Index incy) {
  const CBLAS_TRANSPOSE operation = Call::read(trans);
  Call::require(m >= 0 && n >= 0 && kl >= 0 && ku >= 0 && lda > kl + ku && incx != 0 && incy != 0);
  const Shape shape = stored(trans, n, m);
  update_vector(
      call, shape.rows, shape.columns, alpha, x, incx, beta, y, incy,
      [&] { call.band(A, m, n, kl, ku, lda); },
      [&](const T& a, const T& b) {
        Blas<T>::gbmv(CblasColMajor, operation, Call::size(m), Call::size(n), Call::size(kl),
                      Call::size(ku), factor(a), A, Call::size(lda), x, Call::size(incx), factor(b),
                      y, Call::size(incy));
      });
}

/// The element of a symmetric matrix of which one triangle is there.
template <class T>
const T& symmetric(const T* A, Index lda, CBLAS_UPLO uplo, Index row, Index column) {
  return (uplo == CblasLower) == (row >= column) ? A[row + column * lda] : A[column + row * lda];
}

template <class T>
void symv(Call& call, cublasFillMode_t uplo, Index n, const T* alpha, const T* A, Index lda,
          const T* x, Index incx, const T* beta, T* y, Index incy) {
  const CBLAS_UPLO fill = Call::read(uplo);
  Call::require(n >= 0 && fits(lda, n) && incx != 0 && incy != 0);
  update_vector(
      call, n, n, alpha, x, incx, beta, y, incy,
      [&] { call.triangle("A", A, fill, n, lda, Use::read); },
      [&](const T& a, const T& b) {
        if constexpr (is_complex<T>) {  // which BLAS has for Hermitian matrices alone
          const Strided<const T> from(x, n, incx);
          const Strided<T> to(y, n, incy);
          for (Index row = 0; row < n; ++row) {
            T sum{};
            if (a != T(0))
              for (Index column = 0; column < n; ++column)
                sum += symmetric(A, lda, fill, row, column) * from[column];
            to[row] = a * sum + b * to[row];
          }
        } else {
          Blas<T>::hemv(CblasColMajor, fill, Call::size(n), a, A, Call::size(lda), x,
                        Call::size(incx), b, y, Call::size(incy));
        }
      });
}

template <class T>
void hemv(Call& call, cublasFillMode_t uplo, Index n, const T* alpha, const T* A, Index lda,
          const T* x, Index incx, const T* beta, T* y, Index incy) {
  const CBLAS_UPLO fill = Call::read(uplo);
  Call::require(n >= 0 && fits(lda, n) && incx != 0 && incy != 0);
  update_vector(
      call, n, n, alpha, x, incx, beta, y, incy,
      [&] { call.triangle("A", A, fill, n, lda, Use::read); },
      [&](const T& a, const T& b) {
        Blas<T>::hemv(CblasColMajor, fill, Call::size(n), factor(a), A, Call::size(lda), x,
                      Call::size(incx), factor(b), y, Call::size(incy));
      });
}

/// One triangle's diagonals.
template <class T>
void band(Call& call, CBLAS_UPLO fill, const T* A, Index n, Index k, Index lda) {
  call.band(A, n, n, fill == CblasLower ? k : 0, fill == CblasLower ? 0 : k, lda);
}

/// Symmetric, or Hermitian where numbers are complex.
template <class T>
void sbmv(Call& call, cublasFillMode_t uplo, Index n, Index k, const T* alpha, const T* A,
          Index lda, const T* x, Index incx, const T* beta, T* y, Index incy) {
  const CBLAS_UPLO fill = Call::read(uplo);
  Call::require(n >= 0 && k >= 0 && lda > k && incx != 0 && incy != 0);
  update_vector(
      call, n, n, alpha, x, incx, beta, y, incy, [&] { band(call, fill, A, n, k, lda); },
      [&](const T& a, const T& b) {
        Blas<T>::hbmv(CblasColMajor, fill, Call::size(n), Call::size(k), factor(a), A,
                      Call::size(lda), x, Call::size(incx), factor(b), y, Call::size(incy));
      });
}

template <class T>
void spmv(Call& call, cublasFillMode_t uplo, Index n, const T* alpha, const T* AP, const T* x,
          Index incx, const T* beta, T* y, Index incy) {
  const CBLAS_UPLO fill = Call::read(uplo);
  Call::require(n >= 0 && incx != 0 && incy != 0);
  update_vector(
      call, n, n, alpha, x, incx, beta, y, incy, [&] { call.packed(AP, n, Use::read); },
      [&](const T& a, const T& b) {
        Blas<T>::hpmv(CblasColMajor, fill, Call::size(n), factor(a), AP, x, Call::size(incx),
                      factor(b), y, Call::size(incy));
      });
}

// Triangular matrices.

/// x = op(A) x or its solution, in place, by one of OpenBLAS's routines.
template <class T, class UseMatrix, class Routine>
void replace_vector(Call& call, cublasFillMode_t uplo, cublasOperation_t trans,
                    cublasDiagType_t diag, bool is_valid, Index n, T* x, Index incx,
                    UseMatrix&& use_matrix, Routine&& routine) {
  const CBLAS_UPLO fill = Call::read(uplo);
  const CBLAS_TRANSPOSE operation = Call::read(trans);
  const CBLAS_DIAG diagonal = Call::read(diag);
  Call::require(is_valid && n >= 0 && incx != 0);
  if (n == 0) return;
  use_matrix(fill);
  call.vector("x", x, n, incx, Use::update);
  routine(fill, operation, diagonal);
}

template <class T, class Routine>
void replace_by_full(Call& call, cublasFillMode_t uplo, cublasOperation_t trans,
                     cublasDiagType_t diag, Index n, const T* A, Index lda, T* x, Index incx,
                     Routine routine) {
  replace_vector(
      call, uplo, trans, diag, fits(lda, n), n, x, incx,
      [&](CBLAS_UPLO fill) { call.triangle("A", A, fill, n, lda, Use::read); },
      [&](auto... how) {
        routine(CblasColMajor, how..., Call::size(n), A, Call::size(lda), x, Call::size(incx));
      });
}

template <class T, class Routine>
void replace_by_band(Call& call, cublasFillMode_t uplo, cublasOperation_t trans,
                     cublasDiagType_t diag, Index n, Index k, const T* A, Index lda, T* x,
                     Index incx, Routine routine) {
  replace_vector(
      call, uplo, trans, diag, k >= 0 && lda > k, n, x, incx,
      [&](CBLAS_UPLO fill) { band(call, fill, A, n, k, lda); },
      [&](auto... how) {
        routine(CblasColMajor, how..., Call::size(n), Call::size(k), A, Call::size(lda), x,
                Call::size(incx));
      });
}

template <class T, class Routine>
void replace_by_packed(Call& call, cublasFillMode_t uplo, cublasOperation_t trans,
                       cublasDiagType_t diag, Index n, const T* AP, T* x, Index incx,
                       Routine routine) {
  replace_vector(
      call, uplo, trans, diag, true, n, x, incx, [&](CBLAS_UPLO) { call.packed(AP, n, Use::read); },
      [&](auto... how) { routine(CblasColMajor, how..., Call::size(n), AP, x, Call::size(incx)); });
}

template <class T>
void trmv(Call& call, cublasFillMode_t uplo, cublasOperation_t trans, cublasDiagType_t diag,
          Index n, const T* A, Index lda, T* x, Index incx) {
  replace_by_full(call, uplo, trans, diag, n, A, lda, x, incx, Blas<T>::trmv);
}
template <class T>
void trsv(Call& call, cublasFillMode_t uplo, cublasOperation_t trans, cublasDiagType_t diag,
          Index n, const T* A, Index lda, T* x, Index incx) {
  replace_by_full(call, uplo, trans, diag, n, A, lda, x, incx, Blas<T>::trsv);
}
template <class T>
void tbmv(Call& call, cublasFillMode_t uplo, cublasOperation_t trans, cublasDiagType_t diag,
          Index n, Index k, const T* A, Index lda, T* x, Index incx) {
  replace_by_band(call, uplo, trans, diag, n, k, A, lda, x, incx, Blas<T>::tbmv);
}
template <class T>
void tbsv(Call& call, cublasFillMode_t uplo, cublasOperation_t trans, cublasDiagType_t diag,
          Index n, Index k, const T* A, Index lda, T* x, Index incx) {
  replace_by_band(call, uplo, trans, diag, n, k, A, lda, x, incx, Blas<T>::tbsv);
}
template <class T>
void tpmv(Call& call, cublasFillMode_t uplo, cublasOperation_t trans, cublasDiagType_t diag,
          Index n, const T* AP, T* x, Index incx) {
  replace_by_packed(call, uplo, trans, diag, n, AP, x, incx, Blas<T>::tpmv);
}
template <class T>
void tpsv(Call& call, cublasFillMode_t uplo, cublasOperation_t trans, cublasDiagType_t diag,
          Index n, const T* AP, T* x, Index incx) {
  replace_by_packed(call, uplo, trans, diag, n, AP, x, incx, Blas<T>::tpsv);
}

// Updates.

/// A += alpha x y', by one of OpenBLAS's routines.
template <class T, class Routine>
void add_outer(Call& call, Index m, Index n, const T* alpha, const T* x, Index incx, const T* y,
               Index incy, T* A, Index lda, Routine routine) {
  Call::require(m >= 0 && n >= 0 && fits(lda, m) && incx != 0 && incy != 0);
  const T a = call.scalar("alpha", alpha);
  if (m == 0 || n == 0 || a == T(0)) return;
  call.vector("x", x, m, incx, Use::read);
  call.vector("y", y, n, incy, Use::read);
  call.matrix("A", A, m, n, lda, Use::update);
  routine(CblasColMajor, Call::size(m), Call::size(n), factor(a), x, Call::size(incx), y,
          Call::size(incy), A, Call::size(lda));
}

template <class T>
void ger(Call& call, Index m, Index n, const T* alpha, const T* x, Index incx, const T* y,
         Index incy, T* A, Index lda) {
  add_outer(call, m, n, alpha, x, incx, y, incy, A, lda, Blas<T>::ger);
}
template <class T>
void gerc(Call& call, Index m, Index n, const T* alpha, const T* x, Index incx, const T* y,
          Index incy, T* A, Index lda) {
  add_outer(call, m, n, alpha, x, incx, y, incy, A, lda, Blas<T>::gerc);
}

/// One triangle of A += alpha (...). `use_others` looks at what there is besides x.
template <class T, class S, class UseOthers, class Add>
void add_symmetric(Call& call, bool is_valid, Index n, const S* alpha, const T* x, Index incx,
                   UseOthers&& use_others, Add&& add) {
  Call::require(is_valid && n >= 0 && incx != 0);
  const S a = call.scalar("alpha", alpha);
  if (n == 0 || a == S(0)) return;
  call.vector("x", x, n, incx, Use::read);
  use_others();
  add(a);
}

/// Calls `visit(row, column)` for one triangle.
template <class Visit>
void for_triangle(CBLAS_UPLO fill, Index n, Visit&& visit) {
  for (Index column = 0; column < n; ++column) {
    const Index first = fill == CblasLower ? column : 0;
    const Index end = fill == CblasLower ? n : column + 1;
    for (Index row = first; row < end; ++row) visit(row, column);
  }
}

template <class T>
void syr(Call& call, cublasFillMode_t uplo, Index n, const T* alpha, const T* x, Index incx, T* A,
         Index lda) {
  const CBLAS_UPLO fill = Call::read(uplo);
  add_symmetric(
      call, fits(lda, n), n, alpha, x, incx,
      [&] { call.triangle("A", A, fill, n, lda, Use::update); },
      [&](const T& a) {
        if constexpr (is_complex<T>) {
          const Strided<const T> v(x, n, incx);
          for_triangle(fill, n, [&](Index i, Index j) { A[i + j * lda] += a * v[i] * v[j]; });
        } else {
          Blas<T>::her(CblasColMajor, fill, Call::size(n), a, x, Call::size(incx), A,
                       Call::size(lda));
        }
      });
}

template <class T>
void her(Call& call, cublasFillMode_t uplo, Index n, const Real<T>* alpha, const T* x, Index incx,
         T* A, Index lda) {
  const CBLAS_UPLO fill = Call::read(uplo);
  add_symmetric(
      call, fits(lda, n), n, alpha, x, incx,
      [&] { call.triangle("A", A, fill, n, lda, Use::update); },
      [&](Real<T> a) {
        Blas<T>::her(CblasColMajor, fill, Call::size(n), a, x, Call::size(incx), A,
                     Call::size(lda));
      });
}

template <class T, class S>
void spr(Call& call, cublasFillMode_t uplo, Index n, const S* alpha, const T* x, Index incx,
         T* AP) {
  const CBLAS_UPLO fill = Call::read(uplo);
  add_symmetric(
      call, true, n, alpha, x, incx, [&] { call.packed(AP, n, Use::update); },
      [&](S a) { Blas<T>::hpr(CblasColMajor, fill, Call::size(n), a, x, Call::size(incx), AP); });
}

template <class T>
void syr2(Call& call, cublasFillMode_t uplo, Index n, const T* alpha, const T* x, Index incx,
          const T* y, Index incy, T* A, Index lda) {
  const CBLAS_UPLO fill = Call::read(uplo);
  add_symmetric(
      call, fits(lda, n) && incy != 0, n, alpha, x, incx,
      [&] {
        call.vector("y", y, n, incy, Use::read);
        call.triangle("A", A, fill, n, lda, Use::update);
      },
      [&](const T& a) {
        if constexpr (is_complex<T>) {
          const Strided<const T> v(x, n, incx);
          const Strided<const T> w(y, n, incy);
          for_triangle(fill, n, [&](Index i, Index j) {
            A[i + j * lda] += a * (v[i] * w[j] + w[i] * v[j]);
          });
        } else {
          Blas<T>::her2(CblasColMajor, fill, Call::size(n), a, x, Call::size(incx), y,
                        Call::size(incy), A, Call::size(lda));
        }
      });
}

template <class T>
void her2(Call& call, cublasFillMode_t uplo, Index n, const T* alpha, const T* x, Index incx,
          const T* y, Index incy, T* A, Index lda) {
  const CBLAS_UPLO fill = Call::read(uplo);
  add_symmetric(
      call, fits(lda, n) && incy != 0, n, alpha, x, incx,
      [&] {
        call.vector("y", y, n, incy, Use::read);
        call.triangle("A", A, fill, n, lda, Use::update);
      },
      [&](const T& a) {
        Blas<T>::her2(CblasColMajor, fill, Call::size(n), factor(a), x, Call::size(incx), y,
                      Call::size(incy), A, Call::size(lda));
      });
}

template <class T>
void spr2(Call& call, cublasFillMode_t uplo, Index n, const T* alpha, const T* x, Index incx,
          const T* y, Index incy, T* AP) {
  const CBLAS_UPLO fill = Call::read(uplo);
  add_symmetric(
      call, incy != 0, n, alpha, x, incx,
      [&] {
        call.vector("y", y, n, incy, Use::read);
        call.packed(AP, n, Use::update);
      },
      [&](const T& a) {
        Blas<T>::hpr2(CblasColMajor, fill, Call::size(n), factor(a), x, Call::size(incx), y,
                      Call::size(incy), AP);
      });
}

}  // namespace emu::cublas
