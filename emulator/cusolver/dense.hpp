/// @file
/// What the calls for dense matrices do.
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "call.hpp"
#include "lapack.hpp"

namespace emu::cusolver {

// -------------------------------------------------------------------------------------------- LU

/// LU without exchanges of rows. LAPACK has none.
template <class T>
int factorise_in_place(int m, int n, T* A, int lda) {
  const auto at = [&](int i, int j) -> T& { return A[i + static_cast<std::int64_t>(j) * lda]; };
  int info = 0;
  for (int k = 0; k < std::min(m, n); ++k) {
    if (at(k, k) == T(0)) {
      if (info == 0) info = k + 1;
      continue;
    }
    for (int i = k + 1; i < m; ++i) at(i, k) /= at(k, k);
    for (int j = k + 1; j < n; ++j)
      for (int i = k + 1; i < m; ++i) at(i, j) -= at(i, k) * at(k, j);
  }
  return info;
}

/// Returns whether LU may start. cuSOLVER only says in `info` that `lda` is wrong. Its kernels do
/// not survive a negative size; that is refused.
inline bool can_factorise(Call& call, std::int64_t m, std::int64_t n, std::int64_t lda, int* info) {
  Call::require(m >= 0 && n >= 0);
  if (Call::fits(lda, m)) return true;
  *call.info(info) = -4;
  return false;
}

template <class T>
void getrf(Call& call, int m, int n, T* A, int lda, int* pivots, int* info) {
  if (!can_factorise(call, m, n, lda, info)) return;
  call.matrix("A", A, m, n, lda, Use::read);
  if (pivots) call.vector("the pivots", pivots, std::min(m, n), Use::write);
  call.info(info);
  if (pivots)
    getrf(m, n, A, lda, pivots, info);
  else
    *info = factorise_in_place(m, n, A, lda);
}

/// Refuses wrong arguments, alone of all calls without a word in `info`, as cuSOLVER does.
inline void check_getrs(cublasOperation_t trans, std::int64_t n, std::int64_t nrhs,
                        std::int64_t lda, std::int64_t ldb) {
  Call::require(Call::is_known(trans) && n >= 0 && nrhs >= 0 && Call::fits(lda, n) &&
                Call::fits(ldb, n));
}

template <class T>
void getrs(Call& call, cublasOperation_t trans, int n, int nrhs, const T* A, int lda,
           const int* pivots, T* B, int ldb, int* info) {
  check_getrs(trans, n, nrhs, lda, ldb);
  call.matrix("A", A, n, n, lda, Use::read);
  call.matrix("B", B, n, nrhs, ldb, Use::read);
  std::vector<int> in_place;
  if (pivots) {
    call.vector("the pivots", pivots, n, Use::read);
  } else {
    for (int i = 1; i <= n; ++i) in_place.push_back(i);
    pivots = in_place.data();
  }
  call.info(info);
  getrs(Call::letter(trans), n, nrhs, A, lda, pivots, B, ldb, info);
}

// -------------------------------------------------------------------------------------- Cholesky

template <class T>
void potrf(Call& call, cublasFillMode_t uplo, int n, T* A, int lda, int* info) {
  call.require({{1, Call::is_known(uplo)}, {2, n >= 0}, {4, Call::fits(lda, n)}}, info);
  const char fill = Call::letter(uplo);
  call.triangle("A", A, fill, n, lda);
  call.info(info);
  potrf(fill, n, A, lda, info);
}

template <class T>
void potri(Call& call, cublasFillMode_t uplo, int n, T* A, int lda, int* info) {
  call.require({{1, Call::is_known(uplo)}, {2, n >= 0}, {4, Call::fits(lda, n)}}, info);
  const char fill = Call::letter(uplo);
  call.triangle("A", A, fill, n, lda);
  call.info(info);
  potri(fill, n, A, lda, info);
}

template <class T>
void potrs(Call& call, cublasFillMode_t uplo, int n, int nrhs, const T* A, int lda, T* B, int ldb,
           int* info) {
  call.require({{1, Call::is_known(uplo)},
                {2, n >= 0},
                {3, nrhs >= 0},
                {5, Call::fits(lda, n)},
                {7, Call::fits(ldb, n)}},
               info);
  const char fill = Call::letter(uplo);
  call.triangle("A", A, fill, n, lda);
  call.matrix("B", B, n, nrhs, ldb, Use::read);
  call.info(info);
  potrs(fill, n, nrhs, A, lda, B, ldb, info);
}

/// Says in `infos` which argument is wrong. In batches, the number has no minus.
template <class T>
void potrf_batched(Call& call, cublasFillMode_t uplo, int n, T* const* A, int lda, int* infos,
                   int count) {
  Call::require(count > 0);
  call.info(infos, count);
  if (const int wrong =
          Call::first_wrong({{1, Call::is_known(uplo)}, {2, n >= 0}, {4, Call::fits(lda, n)}})) {
    std::fill_n(infos, count, 0);
    infos[0] = wrong;
    Call::require(false);
  }
  const char fill = Call::letter(uplo);
  call.vector("the array of A", A, count, Use::read);
  for (int i = 0; i < count; ++i) {
    call.triangle("A", A[i], fill, n, lda);
    potrf(fill, n, A[i], lda, infos + i);
  }
}

/// Says in `info` which argument is wrong, likewise.
template <class T>
void potrs_batched(Call& call, cublasFillMode_t uplo, int n, int nrhs, T* const* A, int lda,
                   T* const* B, int ldb, int* info, int count) {
  call.info(info);
  *info = Call::first_wrong({{1, Call::is_known(uplo)},
                             {2, n >= 0},
                             {3, nrhs == 1},
                             {5, Call::fits(lda, n)},
                             {7, Call::fits(ldb, n)},
                             {9, count > 0}});
  Call::require(*info == 0);
  const char fill = Call::letter(uplo);
  call.vector("the array of A", A, count, Use::read);
  call.vector("the array of B", B, count, Use::read);
  for (int i = 0; i < count; ++i) {
    call.triangle("A", A[i], fill, n, lda);
    call.matrix("B", B[i], n, nrhs, ldb, Use::read);
    potrs(fill, n, nrhs, A[i], lda, B[i], ldb, info);
  }
}

// -------------------------------------------------------------------------------------------- QR

template <class T>
void geqrf(Call& call, int m, int n, T* A, int lda, T* tau, int* info) {
  call.require({{1, m >= 0}, {2, n >= 0}, {4, Call::fits(lda, m)}}, info);
  call.matrix("A", A, m, n, lda, Use::read);
  call.vector("tau", tau, std::min(m, n), Use::write);
  call.info(info);
  with_room<T>([&](T* work, int lwork) { geqrf(m, n, A, lda, tau, work, lwork, info); });
}

template <class T>
void multiply_by_q(Call& call, cublasSideMode_t side, cublasOperation_t trans, int m, int n, int k,
                   const T* A, int lda, const T* tau, T* C, int ldc, int* info) {
  const auto adjoint = is_complex<T> ? CUBLAS_OP_C : CUBLAS_OP_T;
  const int order = side == CUBLAS_SIDE_LEFT ? m : n;
  call.require({{1, Call::is_known(side)},
                {2, trans == CUBLAS_OP_N || trans == adjoint},
                {3, m >= 0},
                {4, n >= 0},
                {5, k >= 0 && k <= order},
                {7, Call::fits(lda, order)},
                {10, Call::fits(ldc, m)}},
               info);
  call.matrix("A", A, order, k, lda, Use::read);
  call.vector("tau", tau, k, Use::read);
  call.matrix("C", C, m, n, ldc, Use::read);
  call.info(info);
  with_room<T>([&](T* work, int lwork) {
    mqr(Call::letter(side), Call::letter(trans), m, n, k, A, lda, tau, C, ldc, work, lwork, info);
  });
}

template <class T>
void make_q(Call& call, int m, int n, int k, T* A, int lda, const T* tau, int* info) {
  call.require({{1, m >= 0}, {2, n >= 0 && n <= m}, {3, k >= 0 && k <= n}, {5, Call::fits(lda, m)}},
               info);
  call.matrix("A", A, m, k, lda, Use::read);
  call.matrix("A", A, m, n, lda, Use::write);
  call.vector("tau", tau, k, Use::read);
  call.info(info);
  with_room<T>([&](T* work, int lwork) { gqr(m, n, k, A, lda, tau, work, lwork, info); });
}

// ---------------------------------------------------------------- eigenvalues and singular values

template <class T>
void eigenvalues(Call& call, cusolverEigMode_t jobz, cublasFillMode_t uplo, int n, T* A, int lda,
                 Real<T>* W, int* info) {
  call.require(
      {{1, Call::is_known(jobz)}, {2, Call::is_known(uplo)}, {3, n >= 0}, {5, Call::fits(lda, n)}},
      info);
  const char job = Call::letter(jobz);
  const char fill = Call::letter(uplo);
  call.triangle("A", A, fill, n, lda);
  if (job == 'V') call.matrix("A", A, n, n, lda, Use::write);
  call.vector("W", W, n, Use::write);
  call.info(info);
  std::vector<Real<T>> more(static_cast<std::size_t>(std::max(1, 3 * n)));
  with_room<T>(
      [&](T* work, int lwork) { eigen(job, fill, n, A, lda, W, work, lwork, more.data(), info); });
}

template <class T>
void eigenvalues_of_two(Call& call, cusolverEigType_t itype, cusolverEigMode_t jobz,
                        cublasFillMode_t uplo, int n, T* A, int lda, T* B, int ldb, Real<T>* W,
                        int* info) {
  call.require({{1, itype >= CUSOLVER_EIG_TYPE_1 && itype <= CUSOLVER_EIG_TYPE_3},
                {2, Call::is_known(jobz)},
                {3, Call::is_known(uplo)},
                {4, n >= 0},
                {6, Call::fits(lda, n)},
                {8, Call::fits(ldb, n)}},
               info);
  const char job = Call::letter(jobz);
  const char fill = Call::letter(uplo);
  call.triangle("A", A, fill, n, lda);
  call.triangle("B", B, fill, n, ldb);
  if (job == 'V') call.matrix("A", A, n, n, lda, Use::write);
  call.vector("W", W, n, Use::write);
  call.info(info);
  std::vector<Real<T>> more(static_cast<std::size_t>(std::max(1, 3 * n)));
  with_room<T>([&](T* work, int lwork) {
    eigen_of_two(itype, job, fill, n, A, lda, B, ldb, W, work, lwork, more.data(), info);
  });
}

/// A = U S VT
template <class T>
void decompose(char jobu, char jobvt, int m, int n, T* A, int lda, Real<T>* S, T* U, int ldu, T* VT,
               int ldvt, int* info) {
  std::vector<Real<T>> more(static_cast<std::size_t>(std::max(1, 5 * std::min(m, n))));
  with_room<T>([&](T* work, int lwork) {
    gesvd(jobu, jobvt, m, n, A, lda, S, U, std::max(1, ldu), VT, std::max(1, ldvt), work, lwork,
          more.data(), info);
  });
}

template <class T>
void gesvd(Call& call, signed char jobu, signed char jobvt, int m, int n, T* A, int lda, Real<T>* S,
           T* U, int ldu, T* VT, int ldvt, int* info) {
  const auto is_job = [](signed char job) {
    return job == 'A' || job == 'S' || job == 'O' || job == 'N';
  };
  const int least = std::min(m, n);
  call.require({{1, is_job(jobu)},
                {2, is_job(jobvt) && !(jobu == 'O' && jobvt == 'O')},
                {3, m >= 0},
                {4, n >= 0}},
               info);
  // cuSOLVER takes no wide matrices, and finds no argument of theirs wrong.
  if (m < n) {
    *call.info(info) = 0;
    Call::require(false);
  }
  call.require({{6, Call::fits(lda, m)},
                {9, (jobu != 'A' && jobu != 'S') || Call::fits(ldu, m)},
                {11, (jobvt != 'A' && jobvt != 'S') || Call::fits(ldvt, jobvt == 'A' ? n : least)}},
               info);
  call.matrix("A", A, m, n, lda, Use::read);
  call.vector("S", S, least, Use::write);
  if (jobu == 'A' || jobu == 'S') call.matrix("U", U, m, jobu == 'A' ? m : least, ldu, Use::write);
  if (jobvt == 'A' || jobvt == 'S')
    call.matrix("VT", VT, jobvt == 'A' ? n : least, n, ldvt, Use::write);
  call.info(info);
  decompose(static_cast<char>(jobu), static_cast<char>(jobvt), m, n, A, lda, S, U, ldu, VT, ldvt,
            info);
}

/// The same with V, not its conjugate transpose.
template <class T>
void singular_values_and_v(Call& call, cusolverEigMode_t jobz, int econ, int m, int n, T* A,
                           int lda, Real<T>* S, T* U, int ldu, T* V, int ldv, int* info) {
  const bool has_vectors = jobz == CUSOLVER_EIG_MODE_VECTOR;
  const int least = std::min(m, n);
  call.require({{1, Call::is_known(jobz)},
                {3, m >= 0},
                {4, n >= 0},
                {6, Call::fits(lda, m)},
                {9, !has_vectors || Call::fits(ldu, m)},
                {11, !has_vectors || Call::fits(ldv, n)}},
               info);
  call.matrix("A", A, m, n, lda, Use::read);
  call.vector("S", S, least, Use::write);
  call.info(info);
  if (!has_vectors) return decompose<T>('N', 'N', m, n, A, lda, S, nullptr, 1, nullptr, 1, info);
  const int of_u = econ ? least : m, of_v = econ ? least : n;
  call.matrix("U", U, m, of_u, ldu, Use::write);
  call.matrix("V", V, n, of_v, ldv, Use::write);
  std::vector<T> vt(static_cast<std::size_t>(of_v) * static_cast<std::size_t>(n) + 1);
  const char job = econ ? 'S' : 'A';
  decompose(job, job, m, n, A, lda, S, U, ldu, vt.data(), std::max(1, of_v), info);
  for (int i = 0; i < of_v; ++i)
    for (int j = 0; j < n; ++j) {
      T value = vt[static_cast<std::size_t>(i) +
                   static_cast<std::size_t>(j) * static_cast<std::size_t>(of_v)];
      if constexpr (is_complex<T>) value = std::conj(value);
      V[j + static_cast<std::int64_t>(i) * ldv] = value;
    }
}

}  // namespace emu::cusolver
