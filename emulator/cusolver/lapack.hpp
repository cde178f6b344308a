/// @file
/// LAPACK's routines, one name for all types of numbers.
#pragma once

#include <complex>
#include <cstddef>
#include <vector>

namespace emu::cusolver {

template <class T>
struct RealOf {
  using type = T;
};
template <class T>
struct RealOf<std::complex<T>> {
  using type = T;
};
template <class T>
using Real = typename RealOf<T>::type;
template <class T>
constexpr bool is_complex = !std::is_same_v<T, Real<T>>;

// Characters have their lengths behind all other arguments, as gfortran passes them.
#define EMU_LAPACK(x, T, R, q, s)                                                                 \
  extern "C" {                                                                                    \
  void x##getrf_(const int*, const int*, T*, const int*, int*, int*);                             \
  void x##getrs_(const char*, const int*, const int*, const T*, const int*, const int*, T*,       \
                 const int*, int*, std::size_t);                                                  \
  void x##potrf_(const char*, const int*, T*, const int*, int*, std::size_t);                     \
  void x##potri_(const char*, const int*, T*, const int*, int*, std::size_t);                     \
  void x##potrs_(const char*, const int*, const int*, const T*, const int*, T*, const int*, int*, \
                 std::size_t);                                                                    \
  void x##geqrf_(const int*, const int*, T*, const int*, T*, T*, const int*, int*);               \
  void x##q##mqr_(const char*, const char*, const int*, const int*, const int*, const T*,         \
                  const int*, const T*, T*, const int*, T*, const int*, int*, std::size_t,        \
                  std::size_t);                                                                   \
  void x##q##gqr_(const int*, const int*, const int*, T*, const int*, const T*, T*, const int*,   \
                  int*);                                                                          \
  }                                                                                               \
  inline void getrf(int m, int n, T* a, int lda, int* pivots, int* info) {                        \
    x##getrf_(&m, &n, a, &lda, pivots, info);                                                     \
  }                                                                                               \
  inline void getrs(char trans, int n, int nrhs, const T* a, int lda, const int* pivots, T* b,    \
                    int ldb, int* info) {                                                         \
    x##getrs_(&trans, &n, &nrhs, a, &lda, pivots, b, &ldb, info, 1);                              \
  }                                                                                               \
  inline void potrf(char uplo, int n, T* a, int lda, int* info) {                                 \
    x##potrf_(&uplo, &n, a, &lda, info, 1);                                                       \
  }                                                                                               \
  inline void potri(char uplo, int n, T* a, int lda, int* info) {                                 \
    x##potri_(&uplo, &n, a, &lda, info, 1);                                                       \
  }                                                                                               \
  inline void potrs(char uplo, int n, int nrhs, const T* a, int lda, T* b, int ldb, int* info) {  \
    x##potrs_(&uplo, &n, &nrhs, a, &lda, b, &ldb, info, 1);                                       \
  }                                                                                               \
  inline void geqrf(int m, int n, T* a, int lda, T* tau, T* work, int lwork, int* info) {         \
    x##geqrf_(&m, &n, a, &lda, tau, work, &lwork, info);                                          \
  }                                                                                               \
  inline void mqr(char side, char trans, int m, int n, int k, const T* a, int lda, const T* tau,  \
                  T* c, int ldc, T* work, int lwork, int* info) {                                 \
    x##q##mqr_(&side, &trans, &m, &n, &k, a, &lda, tau, c, &ldc, work, &lwork, info, 1, 1);       \
  }                                                                                               \
  inline void gqr(int m, int n, int k, T* a, int lda, const T* tau, T* work, int lwork,           \
                  int* info) {                                                                    \
    x##q##gqr_(&m, &n, &k, a, &lda, tau, work, &lwork, info);                                     \
  }
EMU_LAPACK(s, float, float, or, sy)
EMU_LAPACK(d, double, double, or, sy)
EMU_LAPACK(c, std::complex<float>, float, un, he)
EMU_LAPACK(z, std::complex<double>, double, un, he)
#undef EMU_LAPACK

// Those in which complex numbers need more room than real ones.
#define EMU_REAL_LAPACK(x, T)                                                                     \
  extern "C" {                                                                                    \
  void x##syev_(const char*, const char*, const int*, T*, const int*, T*, T*, const int*, int*,   \
                std::size_t, std::size_t);                                                        \
  void x##sygv_(const int*, const char*, const char*, const int*, T*, const int*, T*, const int*, \
                T*, T*, const int*, int*, std::size_t, std::size_t);                              \
  void x##gesvd_(const char*, const char*, const int*, const int*, T*, const int*, T*, T*,        \
                 const int*, T*, const int*, T*, const int*, int*, std::size_t, std::size_t);     \
  }                                                                                               \
  inline void eigen(char job, char uplo, int n, T* a, int lda, T* w, T* work, int lwork, T*,      \
                    int* info) {                                                                  \
    x##syev_(&job, &uplo, &n, a, &lda, w, work, &lwork, info, 1, 1);                              \
  }                                                                                               \
  inline void eigen_of_two(int kind, char job, char uplo, int n, T* a, int lda, T* b, int ldb,    \
                           T* w, T* work, int lwork, T*, int* info) {                             \
    x##sygv_(&kind, &job, &uplo, &n, a, &lda, b, &ldb, w, work, &lwork, info, 1, 1);              \
  }                                                                                               \
  inline void gesvd(char jobu, char jobvt, int m, int n, T* a, int lda, T* s, T* u, int ldu,      \
                    T* vt, int ldvt, T* work, int lwork, T*, int* info) {                         \
    x##gesvd_(&jobu, &jobvt, &m, &n, a, &lda, s, u, &ldu, vt, &ldvt, work, &lwork, info, 1, 1);   \
  }
EMU_REAL_LAPACK(s, float)
EMU_REAL_LAPACK(d, double)
#undef EMU_REAL_LAPACK

#define EMU_COMPLEX_LAPACK(x, T, R)                                                                \
  extern "C" {                                                                                     \
  void x##heev_(const char*, const char*, const int*, T*, const int*, R*, T*, const int*, R*,      \
                int*, std::size_t, std::size_t);                                                   \
  void x##hegv_(const int*, const char*, const char*, const int*, T*, const int*, T*, const int*,  \
                R*, T*, const int*, R*, int*, std::size_t, std::size_t);                           \
  void x##gesvd_(const char*, const char*, const int*, const int*, T*, const int*, R*, T*,         \
                 const int*, T*, const int*, T*, const int*, R*, int*, std::size_t, std::size_t);  \
  }                                                                                                \
  inline void eigen(char job, char uplo, int n, T* a, int lda, R* w, T* work, int lwork, R* rwork, \
                    int* info) {                                                                   \
    x##heev_(&job, &uplo, &n, a, &lda, w, work, &lwork, rwork, info, 1, 1);                        \
  }                                                                                                \
  inline void eigen_of_two(int kind, char job, char uplo, int n, T* a, int lda, T* b, int ldb,     \
                           R* w, T* work, int lwork, R* rwork, int* info) {                        \
    x##hegv_(&kind, &job, &uplo, &n, a, &lda, b, &ldb, w, work, &lwork, rwork, info, 1, 1);        \
  }                                                                                                \
  inline void gesvd(char jobu, char jobvt, int m, int n, T* a, int lda, R* s, T* u, int ldu,       \
                    T* vt, int ldvt, T* work, int lwork, R* rwork, int* info) {                    \
    x##gesvd_(&jobu, &jobvt, &m, &n, a, &lda, s, u, &ldu, vt, &ldvt, work, &lwork, rwork, info, 1, \
              1);                                                                                  \
  }
EMU_COMPLEX_LAPACK(c, std::complex<float>, float)
EMU_COMPLEX_LAPACK(z, std::complex<double>, double)
#undef EMU_COMPLEX_LAPACK

/// Calls a routine with as much room as it asks for: `routine(work, lwork)`, first with -1.
template <class T, class Routine>
void with_room(const Routine& routine) {
  T wanted{};
  routine(&wanted, -1);
  std::vector<T> room(static_cast<std::size_t>(std::real(wanted)) + 1);
  routine(room.data(), static_cast<int>(room.size()));
}

}  // namespace emu::cusolver
