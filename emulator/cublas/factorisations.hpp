/// @file
/// Factorisations of many small matrices: LU, and what is worked out from it.
#pragma once

#include <utility>

#include "level3.hpp"

namespace emu::cublas {

/// What a pivot is chosen by, as LAPACK does.
template <class T>
Real<T> size_of(const T& value) {
  if constexpr (is_complex<T>)
    return std::abs(value.real()) + std::abs(value.imag());
  else
    return std::abs(value);
}

/// Replaces A by L and U. Stops at a column without a pivot, as cuBLAS does: what is right of it
/// and below is left as it is then, and its rows stay where they are.
/// @param pivots  the row that each row was exchanged with, from 1; null: rows stay where they are
/// @return the number of the first column without a pivot, from 1; 0 if there is none
template <class T>
int factorise(T* A, Index n, Index ld, int* pivots) {
  for (Index k = 0; pivots && k < n; ++k) pivots[k] = static_cast<int>(k + 1);
  for (Index k = 0; k < n; ++k) {
    Index pivot = k;
    if (pivots) {
      for (Index i = k + 1; i < n; ++i)
        if (size_of(A[i + k * ld]) > size_of(A[pivot + k * ld])) pivot = i;
      pivots[k] = static_cast<int>(pivot + 1);
    }
    if (A[pivot + k * ld] == T(0)) return static_cast<int>(k + 1);
    if (pivot != k)
      for (Index j = 0; j < n; ++j) std::swap(A[k + j * ld], A[pivot + j * ld]);
    for (Index i = k + 1; i < n; ++i) A[i + k * ld] /= A[k + k * ld];
    for (Index j = k + 1; j < n; ++j)
      for (Index i = k + 1; i < n; ++i) A[i + j * ld] -= A[i + k * ld] * A[k + j * ld];
  }
  return 0;
}

/// Solves op(A) x = b, in place, with A as `factorise` leaves it.
template <class T>
void solve_factorised(cublasOperation_t operation, Index n, const T* A, Index ld, const int* pivots,
                      T* x) {
  const auto element = [&](Index i, Index j) {
    return operation == CUBLAS_OP_C ? conjugate(A[i + j * ld]) : A[i + j * ld];
  };
  if (operation == CUBLAS_OP_N) {
    for (Index k = 0; pivots && k < n; ++k) std::swap(x[k], x[pivots[k] - 1]);
    for (Index j = 0; j < n; ++j)
      for (Index i = j + 1; i < n; ++i) x[i] -= element(i, j) * x[j];
    for (Index j = n; j-- > 0;) {
      x[j] /= element(j, j);
      for (Index i = 0; i < j; ++i) x[i] -= element(i, j) * x[j];
    }
    return;
  }
  for (Index j = 0; j < n; ++j) {
    for (Index i = 0; i < j; ++i) x[j] -= element(i, j) * x[i];
    x[j] /= element(j, j);
  }
  for (Index j = n; j-- > 0;)
    for (Index i = j + 1; i < n; ++i) x[j] -= element(i, j) * x[i];
  for (Index k = n; pivots && k-- > 0;) std::swap(x[k], x[pivots[k] - 1]);
}

/// The number of the first row whose U has a zero in the diagonal, from 1; 0 if there is none.
template <class T>
int first_zero(const T* A, Index n, Index ld) {
  for (Index k = 0; k < n; ++k)
    if (A[k + k * ld] == T(0)) return static_cast<int>(k + 1);
  return 0;
}

template <class T>
void invert_factorised(const T* A, Index n, Index lda, const int* pivots, T* C, Index ldc) {
  for (Index j = 0; j < n; ++j) {
    for (Index i = 0; i < n; ++i) C[i + j * ldc] = T(i == j);
    solve_factorised(CUBLAS_OP_N, n, A, lda, pivots, C + j * ldc);
  }
}

/// Looks at what the matrices of a batch share: their pivots, if any, and their results.
inline void look_at_batch(Call& call, const int* pivots, Index n, Use use_of_pivots,
                          const int* infos, Index count) {
  if (pivots) call.vector("the pivots", pivots, n * count, 1, use_of_pivots);
  call.vector("the results", infos, count, 1, Use::write);
}

template <class T>
void getrf_batched(Call& call, Index n, T* const* A, Index lda, int* pivots, int* infos,
                   Index count) {
  Call::require(n >= 0 && fits(lda, n) && count >= 0);
  if (n == 0 || count == 0) return;
  pointers(call, "the array of A", A, count);
  look_at_batch(call, pivots, n, Use::write, infos, count);
  for (Index i = 0; i < count; ++i) {
    call.matrix("A", A[i], n, n, lda, Use::read);
    infos[i] = factorise(A[i], n, lda, pivots ? pivots + i * n : nullptr);
  }
}

template <class T>
void getri_batched(Call& call, Index n, const T* const* A, Index lda, const int* pivots,
                   T* const* C, Index ldc, int* infos, Index count) {
  Call::require(n >= 0 && fits(lda, n) && fits(ldc, n) && count >= 0);
  if (n == 0 || count == 0) return;
  pointers(call, "the array of A", A, count);
  pointers(call, "the array of C", C, count);
  look_at_batch(call, pivots, n, Use::read, infos, count);
  for (Index i = 0; i < count; ++i) {
    call.matrix("A", A[i], n, n, lda, Use::read);
    call.matrix("C", C[i], n, n, ldc, Use::write);
    infos[i] = first_zero(A[i], n, lda);
    // A singular one too, as on a device: its inverse gets infinities and NaN.
    invert_factorised(A[i], n, lda, pivots ? pivots + i * n : nullptr, C[i], ldc);
  }
}

/// @param info  the host's
template <class T>
void getrs_batched(Call& call, cublasOperation_t trans, Index n, Index nrhs, const T* const* A,
                   Index lda, const int* pivots, T* const* B, Index ldb, int* info, Index count) {
  Call::require(info != nullptr);
  const bool is_operation = trans == CUBLAS_OP_N || trans == CUBLAS_OP_T || trans == CUBLAS_OP_C;
  const std::pair<int, bool> arguments[] = {
      {1, is_operation}, {2, n >= 0}, {3, nrhs >= 0}, {5, fits(lda, n)}, {8, fits(ldb, n)}};
  for (const auto& [number, is_right] : arguments)
    if (!is_right) {
      *info = -number;
      throw Refusal{CUBLAS_STATUS_INVALID_VALUE};
    }
  *info = 0;
  if (n == 0 || nrhs == 0) return;
  // cuBLAS does not look at the size of the batch; its steps fail. The solver takes no negative
  // one, and rows are exchanged in one matrix at least: before the solver, or after it with A
  // transposed.
  const bool solves_first = trans != CUBLAS_OP_N || pivots == nullptr;
  if (count < 0 && solves_first) throw Refusal{CUBLAS_STATUS_INTERNAL_ERROR};
  if (count <= 0 && pivots) throw Refusal{CUBLAS_STATUS_EXECUTION_FAILED};
  if (count == 0) return;
  pointers(call, "the array of A", A, count);
  pointers(call, "the array of B", B, count);
  if (pivots) call.vector("the pivots", pivots, n * count, 1, Use::read);
  for (Index i = 0; i < count; ++i) {
    call.matrix("A", A[i], n, n, lda, Use::read);
    call.matrix("B", B[i], n, nrhs, ldb, Use::read);
    for (Index j = 0; j < nrhs; ++j)
      solve_factorised(trans, n, A[i], lda, pivots ? pivots + i * n : nullptr, B[i] + j * ldb);
  }
}

/// Leaves the inverse of a singular matrix as it was. cuBLAS leaves what its method has got to.
template <class T>
void matinv_batched(Call& call, Index n, const T* const* A, Index lda, T* const* inverse,
                    Index lda_inv, int* infos, Index count) {
  constexpr Index kLargest = 32;
  Call::require(n >= 0 && n <= kLargest && fits(lda, n) && fits(lda_inv, n) && count >= 0);
  if (n == 0 || count == 0) return;
  pointers(call, "the array of A", A, count);
  pointers(call, "the array of inverses", inverse, count);
  look_at_batch(call, nullptr, n, Use::read, infos, count);
  for (Index i = 0; i < count; ++i) {
    call.matrix("A", A[i], n, n, lda, Use::read);
    call.matrix("the inverse", inverse[i], n, n, lda_inv, Use::write);
    T factors[kLargest * kLargest];
    int pivots[kLargest];
    for (Index j = 0; j < n; ++j) std::copy_n(A[i] + j * lda, n, factors + j * n);
    infos[i] = factorise(factors, n, n, pivots);
    if (infos[i] == 0) invert_factorised(factors, n, n, pivots, inverse[i], lda_inv);
  }
}

}  // namespace emu::cublas
