// The calls of cuSOLVER for each type of numbers: they hand their arguments to dense.hpp.
#include "dense.hpp"

using namespace emu::cusolver;

extern "C" {

cusolverStatus_t cusolverDnSgetrf_bufferSize(cusolverDnHandle_t handle, int, int, float*, int,
                                             int* lwork) {
  return size(handle, lwork);
}
cusolverStatus_t cusolverDnDgetrf_bufferSize(cusolverDnHandle_t handle, int, int, double*, int,
                                             int* lwork) {
  return size(handle, lwork);
}
cusolverStatus_t cusolverDnCgetrf_bufferSize(cusolverDnHandle_t handle, int, int, cuComplex*, int,
                                             int* lwork) {
  return size(handle, lwork);
}
cusolverStatus_t cusolverDnZgetrf_bufferSize(cusolverDnHandle_t handle, int, int, cuDoubleComplex*,
                                             int, int* lwork) {
  return size(handle, lwork);
}
cusolverStatus_t cusolverDnSgetrf(cusolverDnHandle_t handle, int m, int n, float* A, int lda,
                                  float*, int* pivots, int* info) {
  return run("cusolverDnSgetrf", handle, __builtin_return_address(0),
             [&](Call& call) { getrf(call, m, n, number(A), lda, number(pivots), number(info)); });
}
cusolverStatus_t cusolverDnDgetrf(cusolverDnHandle_t handle, int m, int n, double* A, int lda,
                                  double*, int* pivots, int* info) {
  return run("cusolverDnDgetrf", handle, __builtin_return_address(0),
             [&](Call& call) { getrf(call, m, n, number(A), lda, number(pivots), number(info)); });
}
cusolverStatus_t cusolverDnCgetrf(cusolverDnHandle_t handle, int m, int n, cuComplex* A, int lda,
                                  cuComplex*, int* pivots, int* info) {
  return run("cusolverDnCgetrf", handle, __builtin_return_address(0),
             [&](Call& call) { getrf(call, m, n, number(A), lda, number(pivots), number(info)); });
}
cusolverStatus_t cusolverDnZgetrf(cusolverDnHandle_t handle, int m, int n, cuDoubleComplex* A,
                                  int lda, cuDoubleComplex*, int* pivots, int* info) {
  return run("cusolverDnZgetrf", handle, __builtin_return_address(0),
             [&](Call& call) { getrf(call, m, n, number(A), lda, number(pivots), number(info)); });
}
cusolverStatus_t cusolverDnSgetrs(cusolverDnHandle_t handle, cublasOperation_t trans, int n,
                                  int nrhs, const float* A, int lda, const int* pivots, float* B,
                                  int ldb, int* info) {
  return run("cusolverDnSgetrs", handle, __builtin_return_address(0), [&](Call& call) {
    getrs(call, number(trans), n, nrhs, number(A), lda, number(pivots), number(B), ldb,
          number(info));
  });
}
cusolverStatus_t cusolverDnDgetrs(cusolverDnHandle_t handle, cublasOperation_t trans, int n,
                                  int nrhs, const double* A, int lda, const int* pivots, double* B,
                                  int ldb, int* info) {
  return run("cusolverDnDgetrs", handle, __builtin_return_address(0), [&](Call& call) {
    getrs(call, number(trans), n, nrhs, number(A), lda, number(pivots), number(B), ldb,
          number(info));
  });
}
cusolverStatus_t cusolverDnCgetrs(cusolverDnHandle_t handle, cublasOperation_t trans, int n,
                                  int nrhs, const cuComplex* A, int lda, const int* pivots,
                                  cuComplex* B, int ldb, int* info) {
  return run("cusolverDnCgetrs", handle, __builtin_return_address(0), [&](Call& call) {
    getrs(call, number(trans), n, nrhs, number(A), lda, number(pivots), number(B), ldb,
          number(info));
  });
}
cusolverStatus_t cusolverDnZgetrs(cusolverDnHandle_t handle, cublasOperation_t trans, int n,
                                  int nrhs, const cuDoubleComplex* A, int lda, const int* pivots,
                                  cuDoubleComplex* B, int ldb, int* info) {
  return run("cusolverDnZgetrs", handle, __builtin_return_address(0), [&](Call& call) {
    getrs(call, number(trans), n, nrhs, number(A), lda, number(pivots), number(B), ldb,
          number(info));
  });
}
cusolverStatus_t cusolverDnSpotrf_bufferSize(cusolverDnHandle_t handle, cublasFillMode_t, int,
                                             float*, int, int* lwork) {
  return size(handle, lwork);
}
cusolverStatus_t cusolverDnDpotrf_bufferSize(cusolverDnHandle_t handle, cublasFillMode_t, int,
                                             double*, int, int* lwork) {
  return size(handle, lwork);
}
cusolverStatus_t cusolverDnCpotrf_bufferSize(cusolverDnHandle_t handle, cublasFillMode_t, int,
                                             cuComplex*, int, int* lwork) {
  return size(handle, lwork);
}
cusolverStatus_t cusolverDnZpotrf_bufferSize(cusolverDnHandle_t handle, cublasFillMode_t, int,
                                             cuDoubleComplex*, int, int* lwork) {
  return size(handle, lwork);
}
cusolverStatus_t cusolverDnSpotrf(cusolverDnHandle_t handle, cublasFillMode_t uplo, int n, float* A,
                                  int lda, float*, int, int* info) {
  return run("cusolverDnSpotrf", handle, __builtin_return_address(0),
             [&](Call& call) { potrf(call, number(uplo), n, number(A), lda, number(info)); });
}
cusolverStatus_t cusolverDnDpotrf(cusolverDnHandle_t handle, cublasFillMode_t uplo, int n,
                                  double* A, int lda, double*, int, int* info) {
  return run("cusolverDnDpotrf", handle, __builtin_return_address(0),
             [&](Call& call) { potrf(call, number(uplo), n, number(A), lda, number(info)); });
}
cusolverStatus_t cusolverDnCpotrf(cusolverDnHandle_t handle, cublasFillMode_t uplo, int n,
                                  cuComplex* A, int lda, cuComplex*, int, int* info) {
  return run("cusolverDnCpotrf", handle, __builtin_return_address(0),
             [&](Call& call) { potrf(call, number(uplo), n, number(A), lda, number(info)); });
}
cusolverStatus_t cusolverDnZpotrf(cusolverDnHandle_t handle, cublasFillMode_t uplo, int n,
                                  cuDoubleComplex* A, int lda, cuDoubleComplex*, int, int* info) {
  return run("cusolverDnZpotrf", handle, __builtin_return_address(0),
             [&](Call& call) { potrf(call, number(uplo), n, number(A), lda, number(info)); });
}
cusolverStatus_t cusolverDnSpotrs(cusolverDnHandle_t handle, cublasFillMode_t uplo, int n, int nrhs,
                                  const float* A, int lda, float* B, int ldb, int* info) {
  return run("cusolverDnSpotrs", handle, __builtin_return_address(0), [&](Call& call) {
    potrs(call, number(uplo), n, nrhs, number(A), lda, number(B), ldb, number(info));
  });
}
cusolverStatus_t cusolverDnDpotrs(cusolverDnHandle_t handle, cublasFillMode_t uplo, int n, int nrhs,
                                  const double* A, int lda, double* B, int ldb, int* info) {
  return run("cusolverDnDpotrs", handle, __builtin_return_address(0), [&](Call& call) {
    potrs(call, number(uplo), n, nrhs, number(A), lda, number(B), ldb, number(info));
  });
}
cusolverStatus_t cusolverDnCpotrs(cusolverDnHandle_t handle, cublasFillMode_t uplo, int n, int nrhs,
                                  const cuComplex* A, int lda, cuComplex* B, int ldb, int* info) {
  return run("cusolverDnCpotrs", handle, __builtin_return_address(0), [&](Call& call) {
    potrs(call, number(uplo), n, nrhs, number(A), lda, number(B), ldb, number(info));
  });
}
cusolverStatus_t cusolverDnZpotrs(cusolverDnHandle_t handle, cublasFillMode_t uplo, int n, int nrhs,
                                  const cuDoubleComplex* A, int lda, cuDoubleComplex* B, int ldb,
                                  int* info) {
  return run("cusolverDnZpotrs", handle, __builtin_return_address(0), [&](Call& call) {
    potrs(call, number(uplo), n, nrhs, number(A), lda, number(B), ldb, number(info));
  });
}
cusolverStatus_t cusolverDnSpotri_bufferSize(cusolverDnHandle_t handle, cublasFillMode_t, int,
                                             float*, int, int* lwork) {
  return size(handle, lwork);
}
cusolverStatus_t cusolverDnDpotri_bufferSize(cusolverDnHandle_t handle, cublasFillMode_t, int,
                                             double*, int, int* lwork) {
  return size(handle, lwork);
}
cusolverStatus_t cusolverDnCpotri_bufferSize(cusolverDnHandle_t handle, cublasFillMode_t, int,
                                             cuComplex*, int, int* lwork) {
  return size(handle, lwork);
}
cusolverStatus_t cusolverDnZpotri_bufferSize(cusolverDnHandle_t handle, cublasFillMode_t, int,
                                             cuDoubleComplex*, int, int* lwork) {
  return size(handle, lwork);
}
cusolverStatus_t cusolverDnSpotri(cusolverDnHandle_t handle, cublasFillMode_t uplo, int n, float* A,
                                  int lda, float*, int, int* info) {
  return run("cusolverDnSpotri", handle, __builtin_return_address(0),
             [&](Call& call) { potri(call, number(uplo), n, number(A), lda, number(info)); });
}
cusolverStatus_t cusolverDnDpotri(cusolverDnHandle_t handle, cublasFillMode_t uplo, int n,
                                  double* A, int lda, double*, int, int* info) {
  return run("cusolverDnDpotri", handle, __builtin_return_address(0),
             [&](Call& call) { potri(call, number(uplo), n, number(A), lda, number(info)); });
}
cusolverStatus_t cusolverDnCpotri(cusolverDnHandle_t handle, cublasFillMode_t uplo, int n,
                                  cuComplex* A, int lda, cuComplex*, int, int* info) {
  return run("cusolverDnCpotri", handle, __builtin_return_address(0),
             [&](Call& call) { potri(call, number(uplo), n, number(A), lda, number(info)); });
}
cusolverStatus_t cusolverDnZpotri(cusolverDnHandle_t handle, cublasFillMode_t uplo, int n,
                                  cuDoubleComplex* A, int lda, cuDoubleComplex*, int, int* info) {
  return run("cusolverDnZpotri", handle, __builtin_return_address(0),
             [&](Call& call) { potri(call, number(uplo), n, number(A), lda, number(info)); });
}
cusolverStatus_t cusolverDnSpotrfBatched(cusolverDnHandle_t handle, cublasFillMode_t uplo, int n,
                                         float* A[], int lda, int* infos, int batchSize) {
  return run("cusolverDnSpotrfBatched", handle, __builtin_return_address(0), [&](Call& call) {
    potrf_batched(call, number(uplo), n, number(A), lda, number(infos), batchSize);
  });
}
cusolverStatus_t cusolverDnDpotrfBatched(cusolverDnHandle_t handle, cublasFillMode_t uplo, int n,
                                         double* A[], int lda, int* infos, int batchSize) {
  return run("cusolverDnDpotrfBatched", handle, __builtin_return_address(0), [&](Call& call) {
    potrf_batched(call, number(uplo), n, number(A), lda, number(infos), batchSize);
  });
}
cusolverStatus_t cusolverDnCpotrfBatched(cusolverDnHandle_t handle, cublasFillMode_t uplo, int n,
                                         cuComplex* A[], int lda, int* infos, int batchSize) {
  return run("cusolverDnCpotrfBatched", handle, __builtin_return_address(0), [&](Call& call) {
    potrf_batched(call, number(uplo), n, number(A), lda, number(infos), batchSize);
  });
}
cusolverStatus_t cusolverDnZpotrfBatched(cusolverDnHandle_t handle, cublasFillMode_t uplo, int n,
                                         cuDoubleComplex* A[], int lda, int* infos, int batchSize) {
  return run("cusolverDnZpotrfBatched", handle, __builtin_return_address(0), [&](Call& call) {
    potrf_batched(call, number(uplo), n, number(A), lda, number(infos), batchSize);
  });
}
cusolverStatus_t cusolverDnSpotrsBatched(cusolverDnHandle_t handle, cublasFillMode_t uplo, int n,
                                         int nrhs, float* A[], int lda, float* B[], int ldb,
                                         int* info, int batchSize) {
  return run("cusolverDnSpotrsBatched", handle, __builtin_return_address(0), [&](Call& call) {
    potrs_batched(call, number(uplo), n, nrhs, number(A), lda, number(B), ldb, number(info),
                  batchSize);
  });
}
cusolverStatus_t cusolverDnDpotrsBatched(cusolverDnHandle_t handle, cublasFillMode_t uplo, int n,
                                         int nrhs, double* A[], int lda, double* B[], int ldb,
                                         int* info, int batchSize) {
  return run("cusolverDnDpotrsBatched", handle, __builtin_return_address(0), [&](Call& call) {
    potrs_batched(call, number(uplo), n, nrhs, number(A), lda, number(B), ldb, number(info),
                  batchSize);
  });
}
cusolverStatus_t cusolverDnCpotrsBatched(cusolverDnHandle_t handle, cublasFillMode_t uplo, int n,
                                         int nrhs, cuComplex* A[], int lda, cuComplex* B[], int ldb,
                                         int* info, int batchSize) {
  return run("cusolverDnCpotrsBatched", handle, __builtin_return_address(0), [&](Call& call) {
    potrs_batched(call, number(uplo), n, nrhs, number(A), lda, number(B), ldb, number(info),
                  batchSize);
  });
}
cusolverStatus_t cusolverDnZpotrsBatched(cusolverDnHandle_t handle, cublasFillMode_t uplo, int n,
                                         int nrhs, cuDoubleComplex* A[], int lda,
                                         cuDoubleComplex* B[], int ldb, int* info, int batchSize) {
  return run("cusolverDnZpotrsBatched", handle, __builtin_return_address(0), [&](Call& call) {
    potrs_batched(call, number(uplo), n, nrhs, number(A), lda, number(B), ldb, number(info),
                  batchSize);
  });
}
cusolverStatus_t cusolverDnSgeqrf_bufferSize(cusolverDnHandle_t handle, int, int, float*, int,
                                             int* lwork) {
  return size(handle, lwork);
}
cusolverStatus_t cusolverDnDgeqrf_bufferSize(cusolverDnHandle_t handle, int, int, double*, int,
                                             int* lwork) {
  return size(handle, lwork);
}
cusolverStatus_t cusolverDnCgeqrf_bufferSize(cusolverDnHandle_t handle, int, int, cuComplex*, int,
                                             int* lwork) {
  return size(handle, lwork);
}
cusolverStatus_t cusolverDnZgeqrf_bufferSize(cusolverDnHandle_t handle, int, int, cuDoubleComplex*,
                                             int, int* lwork) {
  return size(handle, lwork);
}
cusolverStatus_t cusolverDnSgeqrf(cusolverDnHandle_t handle, int m, int n, float* A, int lda,
                                  float* tau, float*, int, int* info) {
  return run("cusolverDnSgeqrf", handle, __builtin_return_address(0),
             [&](Call& call) { geqrf(call, m, n, number(A), lda, number(tau), number(info)); });
}
cusolverStatus_t cusolverDnDgeqrf(cusolverDnHandle_t handle, int m, int n, double* A, int lda,
                                  double* tau, double*, int, int* info) {
  return run("cusolverDnDgeqrf", handle, __builtin_return_address(0),
             [&](Call& call) { geqrf(call, m, n, number(A), lda, number(tau), number(info)); });
}
cusolverStatus_t cusolverDnCgeqrf(cusolverDnHandle_t handle, int m, int n, cuComplex* A, int lda,
                                  cuComplex* tau, cuComplex*, int, int* info) {
  return run("cusolverDnCgeqrf", handle, __builtin_return_address(0),
             [&](Call& call) { geqrf(call, m, n, number(A), lda, number(tau), number(info)); });
}
cusolverStatus_t cusolverDnZgeqrf(cusolverDnHandle_t handle, int m, int n, cuDoubleComplex* A,
                                  int lda, cuDoubleComplex* tau, cuDoubleComplex*, int, int* info) {
  return run("cusolverDnZgeqrf", handle, __builtin_return_address(0),
             [&](Call& call) { geqrf(call, m, n, number(A), lda, number(tau), number(info)); });
}
cusolverStatus_t cusolverDnSormqr_bufferSize(cusolverDnHandle_t handle, cublasSideMode_t,
                                             cublasOperation_t, int, int, int, const float*, int,
                                             const float*, const float*, int, int* lwork) {
  return size(handle, lwork);
}
cusolverStatus_t cusolverDnDormqr_bufferSize(cusolverDnHandle_t handle, cublasSideMode_t,
                                             cublasOperation_t, int, int, int, const double*, int,
                                             const double*, const double*, int, int* lwork) {
  return size(handle, lwork);
}
cusolverStatus_t cusolverDnCunmqr_bufferSize(cusolverDnHandle_t handle, cublasSideMode_t,
                                             cublasOperation_t, int, int, int, const cuComplex*,
                                             int, const cuComplex*, const cuComplex*, int,
                                             int* lwork) {
  return size(handle, lwork);
}
cusolverStatus_t cusolverDnZunmqr_bufferSize(cusolverDnHandle_t handle, cublasSideMode_t,
                                             cublasOperation_t, int, int, int,
                                             const cuDoubleComplex*, int, const cuDoubleComplex*,
                                             const cuDoubleComplex*, int, int* lwork) {
  return size(handle, lwork);
}
cusolverStatus_t cusolverDnSormqr(cusolverDnHandle_t handle, cublasSideMode_t side,
                                  cublasOperation_t trans, int m, int n, int k, const float* A,
                                  int lda, const float* tau, float* C, int ldc, float*, int,
                                  int* info) {
  return run("cusolverDnSormqr", handle, __builtin_return_address(0), [&](Call& call) {
    multiply_by_q(call, number(side), number(trans), m, n, k, number(A), lda, number(tau),
                  number(C), ldc, number(info));
  });
}
cusolverStatus_t cusolverDnDormqr(cusolverDnHandle_t handle, cublasSideMode_t side,
                                  cublasOperation_t trans, int m, int n, int k, const double* A,
                                  int lda, const double* tau, double* C, int ldc, double*, int,
                                  int* info) {
  return run("cusolverDnDormqr", handle, __builtin_return_address(0), [&](Call& call) {
    multiply_by_q(call, number(side), number(trans), m, n, k, number(A), lda, number(tau),
                  number(C), ldc, number(info));
  });
}
cusolverStatus_t cusolverDnCunmqr(cusolverDnHandle_t handle, cublasSideMode_t side,
                                  cublasOperation_t trans, int m, int n, int k, const cuComplex* A,
                                  int lda, const cuComplex* tau, cuComplex* C, int ldc, cuComplex*,
                                  int, int* info) {
  return run("cusolverDnCunmqr", handle, __builtin_return_address(0), [&](Call& call) {
    multiply_by_q(call, number(side), number(trans), m, n, k, number(A), lda, number(tau),
                  number(C), ldc, number(info));
  });
}
cusolverStatus_t cusolverDnZunmqr(cusolverDnHandle_t handle, cublasSideMode_t side,
                                  cublasOperation_t trans, int m, int n, int k,
                                  const cuDoubleComplex* A, int lda, const cuDoubleComplex* tau,
                                  cuDoubleComplex* C, int ldc, cuDoubleComplex*, int, int* info) {
  return run("cusolverDnZunmqr", handle, __builtin_return_address(0), [&](Call& call) {
    multiply_by_q(call, number(side), number(trans), m, n, k, number(A), lda, number(tau),
                  number(C), ldc, number(info));
  });
}
cusolverStatus_t cusolverDnSorgqr_bufferSize(cusolverDnHandle_t handle, int, int, int, const float*,
                                             int, const float*, int* lwork) {
  return size(handle, lwork);
}
cusolverStatus_t cusolverDnDorgqr_bufferSize(cusolverDnHandle_t handle, int, int, int,
                                             const double*, int, const double*, int* lwork) {
  return size(handle, lwork);
}
cusolverStatus_t cusolverDnCungqr_bufferSize(cusolverDnHandle_t handle, int, int, int,
                                             const cuComplex*, int, const cuComplex*, int* lwork) {
  return size(handle, lwork);
}
cusolverStatus_t cusolverDnZungqr_bufferSize(cusolverDnHandle_t handle, int, int, int,
                                             const cuDoubleComplex*, int, const cuDoubleComplex*,
                                             int* lwork) {
  return size(handle, lwork);
}
cusolverStatus_t cusolverDnSorgqr(cusolverDnHandle_t handle, int m, int n, int k, float* A, int lda,
                                  const float* tau, float*, int, int* info) {
  return run("cusolverDnSorgqr", handle, __builtin_return_address(0),
             [&](Call& call) { make_q(call, m, n, k, number(A), lda, number(tau), number(info)); });
}
cusolverStatus_t cusolverDnDorgqr(cusolverDnHandle_t handle, int m, int n, int k, double* A,
                                  int lda, const double* tau, double*, int, int* info) {
  return run("cusolverDnDorgqr", handle, __builtin_return_address(0),
             [&](Call& call) { make_q(call, m, n, k, number(A), lda, number(tau), number(info)); });
}
cusolverStatus_t cusolverDnCungqr(cusolverDnHandle_t handle, int m, int n, int k, cuComplex* A,
                                  int lda, const cuComplex* tau, cuComplex*, int, int* info) {
  return run("cusolverDnCungqr", handle, __builtin_return_address(0),
             [&](Call& call) { make_q(call, m, n, k, number(A), lda, number(tau), number(info)); });
}
cusolverStatus_t cusolverDnZungqr(cusolverDnHandle_t handle, int m, int n, int k,
                                  cuDoubleComplex* A, int lda, const cuDoubleComplex* tau,
                                  cuDoubleComplex*, int, int* info) {
  return run("cusolverDnZungqr", handle, __builtin_return_address(0),
             [&](Call& call) { make_q(call, m, n, k, number(A), lda, number(tau), number(info)); });
}
cusolverStatus_t cusolverDnSsyevd_bufferSize(cusolverDnHandle_t handle, cusolverEigMode_t,
                                             cublasFillMode_t, int, const float*, int, const float*,
                                             int* lwork) {
  return size(handle, lwork);
}
cusolverStatus_t cusolverDnDsyevd_bufferSize(cusolverDnHandle_t handle, cusolverEigMode_t,
                                             cublasFillMode_t, int, const double*, int,
                                             const double*, int* lwork) {
  return size(handle, lwork);
}
cusolverStatus_t cusolverDnCheevd_bufferSize(cusolverDnHandle_t handle, cusolverEigMode_t,
                                             cublasFillMode_t, int, const cuComplex*, int,
                                             const float*, int* lwork) {
  return size(handle, lwork);
}
cusolverStatus_t cusolverDnZheevd_bufferSize(cusolverDnHandle_t handle, cusolverEigMode_t,
                                             cublasFillMode_t, int, const cuDoubleComplex*, int,
                                             const double*, int* lwork) {
  return size(handle, lwork);
}
cusolverStatus_t cusolverDnSsyevd(cusolverDnHandle_t handle, cusolverEigMode_t jobz,
                                  cublasFillMode_t uplo, int n, float* A, int lda, float* W, float*,
                                  int, int* info) {
  return run("cusolverDnSsyevd", handle, __builtin_return_address(0), [&](Call& call) {
    eigenvalues(call, number(jobz), number(uplo), n, number(A), lda, number(W), number(info));
  });
}
cusolverStatus_t cusolverDnDsyevd(cusolverDnHandle_t handle, cusolverEigMode_t jobz,
                                  cublasFillMode_t uplo, int n, double* A, int lda, double* W,
                                  double*, int, int* info) {
  return run("cusolverDnDsyevd", handle, __builtin_return_address(0), [&](Call& call) {
    eigenvalues(call, number(jobz), number(uplo), n, number(A), lda, number(W), number(info));
  });
}
cusolverStatus_t cusolverDnCheevd(cusolverDnHandle_t handle, cusolverEigMode_t jobz,
                                  cublasFillMode_t uplo, int n, cuComplex* A, int lda, float* W,
                                  cuComplex*, int, int* info) {
  return run("cusolverDnCheevd", handle, __builtin_return_address(0), [&](Call& call) {
    eigenvalues(call, number(jobz), number(uplo), n, number(A), lda, number(W), number(info));
  });
}
cusolverStatus_t cusolverDnZheevd(cusolverDnHandle_t handle, cusolverEigMode_t jobz,
                                  cublasFillMode_t uplo, int n, cuDoubleComplex* A, int lda,
                                  double* W, cuDoubleComplex*, int, int* info) {
  return run("cusolverDnZheevd", handle, __builtin_return_address(0), [&](Call& call) {
    eigenvalues(call, number(jobz), number(uplo), n, number(A), lda, number(W), number(info));
  });
}
cusolverStatus_t cusolverDnSsyevj_bufferSize(cusolverDnHandle_t handle, cusolverEigMode_t,
                                             cublasFillMode_t, int, const float*, int, const float*,
                                             int* lwork, syevjInfo_t) {
  return size(handle, lwork);
}
cusolverStatus_t cusolverDnDsyevj_bufferSize(cusolverDnHandle_t handle, cusolverEigMode_t,
                                             cublasFillMode_t, int, const double*, int,
                                             const double*, int* lwork, syevjInfo_t) {
  return size(handle, lwork);
}
cusolverStatus_t cusolverDnCheevj_bufferSize(cusolverDnHandle_t handle, cusolverEigMode_t,
                                             cublasFillMode_t, int, const cuComplex*, int,
                                             const float*, int* lwork, syevjInfo_t) {
  return size(handle, lwork);
}
cusolverStatus_t cusolverDnZheevj_bufferSize(cusolverDnHandle_t handle, cusolverEigMode_t,
                                             cublasFillMode_t, int, const cuDoubleComplex*, int,
                                             const double*, int* lwork, syevjInfo_t) {
  return size(handle, lwork);
}
cusolverStatus_t cusolverDnSsyevj(cusolverDnHandle_t handle, cusolverEigMode_t jobz,
                                  cublasFillMode_t uplo, int n, float* A, int lda, float* W, float*,
                                  int, int* info, syevjInfo_t) {
  return run("cusolverDnSsyevj", handle, __builtin_return_address(0), [&](Call& call) {
    eigenvalues(call, number(jobz), number(uplo), n, number(A), lda, number(W), number(info));
  });
}
cusolverStatus_t cusolverDnDsyevj(cusolverDnHandle_t handle, cusolverEigMode_t jobz,
                                  cublasFillMode_t uplo, int n, double* A, int lda, double* W,
                                  double*, int, int* info, syevjInfo_t) {
  return run("cusolverDnDsyevj", handle, __builtin_return_address(0), [&](Call& call) {
    eigenvalues(call, number(jobz), number(uplo), n, number(A), lda, number(W), number(info));
  });
}
cusolverStatus_t cusolverDnCheevj(cusolverDnHandle_t handle, cusolverEigMode_t jobz,
                                  cublasFillMode_t uplo, int n, cuComplex* A, int lda, float* W,
                                  cuComplex*, int, int* info, syevjInfo_t) {
  return run("cusolverDnCheevj", handle, __builtin_return_address(0), [&](Call& call) {
    eigenvalues(call, number(jobz), number(uplo), n, number(A), lda, number(W), number(info));
  });
}
cusolverStatus_t cusolverDnZheevj(cusolverDnHandle_t handle, cusolverEigMode_t jobz,
                                  cublasFillMode_t uplo, int n, cuDoubleComplex* A, int lda,
                                  double* W, cuDoubleComplex*, int, int* info, syevjInfo_t) {
  return run("cusolverDnZheevj", handle, __builtin_return_address(0), [&](Call& call) {
    eigenvalues(call, number(jobz), number(uplo), n, number(A), lda, number(W), number(info));
  });
}
cusolverStatus_t cusolverDnSsygvd_bufferSize(cusolverDnHandle_t handle, cusolverEigType_t,
                                             cusolverEigMode_t, cublasFillMode_t, int, const float*,
                                             int, const float*, int, const float*, int* lwork) {
  return size(handle, lwork);
}
cusolverStatus_t cusolverDnDsygvd_bufferSize(cusolverDnHandle_t handle, cusolverEigType_t,
                                             cusolverEigMode_t, cublasFillMode_t, int,
                                             const double*, int, const double*, int, const double*,
                                             int* lwork) {
  return size(handle, lwork);
}
cusolverStatus_t cusolverDnChegvd_bufferSize(cusolverDnHandle_t handle, cusolverEigType_t,
                                             cusolverEigMode_t, cublasFillMode_t, int,
                                             const cuComplex*, int, const cuComplex*, int,
                                             const float*, int* lwork) {
  return size(handle, lwork);
}
cusolverStatus_t cusolverDnZhegvd_bufferSize(cusolverDnHandle_t handle, cusolverEigType_t,
                                             cusolverEigMode_t, cublasFillMode_t, int,
                                             const cuDoubleComplex*, int, const cuDoubleComplex*,
                                             int, const double*, int* lwork) {
  return size(handle, lwork);
}
cusolverStatus_t cusolverDnSsygvd(cusolverDnHandle_t handle, cusolverEigType_t itype,
                                  cusolverEigMode_t jobz, cublasFillMode_t uplo, int n, float* A,
                                  int lda, float* B, int ldb, float* W, float*, int, int* info) {
  return run("cusolverDnSsygvd", handle, __builtin_return_address(0), [&](Call& call) {
    eigenvalues_of_two(call, number(itype), number(jobz), number(uplo), n, number(A), lda,
                       number(B), ldb, number(W), number(info));
  });
}
cusolverStatus_t cusolverDnDsygvd(cusolverDnHandle_t handle, cusolverEigType_t itype,
                                  cusolverEigMode_t jobz, cublasFillMode_t uplo, int n, double* A,
                                  int lda, double* B, int ldb, double* W, double*, int, int* info) {
  return run("cusolverDnDsygvd", handle, __builtin_return_address(0), [&](Call& call) {
    eigenvalues_of_two(call, number(itype), number(jobz), number(uplo), n, number(A), lda,
                       number(B), ldb, number(W), number(info));
  });
}
cusolverStatus_t cusolverDnChegvd(cusolverDnHandle_t handle, cusolverEigType_t itype,
                                  cusolverEigMode_t jobz, cublasFillMode_t uplo, int n,
                                  cuComplex* A, int lda, cuComplex* B, int ldb, float* W,
                                  cuComplex*, int, int* info) {
  return run("cusolverDnChegvd", handle, __builtin_return_address(0), [&](Call& call) {
    eigenvalues_of_two(call, number(itype), number(jobz), number(uplo), n, number(A), lda,
                       number(B), ldb, number(W), number(info));
  });
}
cusolverStatus_t cusolverDnZhegvd(cusolverDnHandle_t handle, cusolverEigType_t itype,
                                  cusolverEigMode_t jobz, cublasFillMode_t uplo, int n,
                                  cuDoubleComplex* A, int lda, cuDoubleComplex* B, int ldb,
                                  double* W, cuDoubleComplex*, int, int* info) {
  return run("cusolverDnZhegvd", handle, __builtin_return_address(0), [&](Call& call) {
    eigenvalues_of_two(call, number(itype), number(jobz), number(uplo), n, number(A), lda,
                       number(B), ldb, number(W), number(info));
  });
}
cusolverStatus_t cusolverDnSgesvd_bufferSize(cusolverDnHandle_t handle, int, int, int* lwork) {
  return size(handle, lwork);
}
cusolverStatus_t cusolverDnDgesvd_bufferSize(cusolverDnHandle_t handle, int, int, int* lwork) {
  return size(handle, lwork);
}
cusolverStatus_t cusolverDnCgesvd_bufferSize(cusolverDnHandle_t handle, int, int, int* lwork) {
  return size(handle, lwork);
}
cusolverStatus_t cusolverDnZgesvd_bufferSize(cusolverDnHandle_t handle, int, int, int* lwork) {
  return size(handle, lwork);
}
cusolverStatus_t cusolverDnSgesvd(cusolverDnHandle_t handle, signed char jobu, signed char jobvt,
                                  int m, int n, float* A, int lda, float* S, float* U, int ldu,
                                  float* VT, int ldvt, float*, int, float*, int* info) {
  return run("cusolverDnSgesvd", handle, __builtin_return_address(0), [&](Call& call) {
    gesvd(call, number(jobu), number(jobvt), m, n, number(A), lda, number(S), number(U), ldu,
          number(VT), ldvt, number(info));
  });
}
cusolverStatus_t cusolverDnDgesvd(cusolverDnHandle_t handle, signed char jobu, signed char jobvt,
                                  int m, int n, double* A, int lda, double* S, double* U, int ldu,
                                  double* VT, int ldvt, double*, int, double*, int* info) {
  return run("cusolverDnDgesvd", handle, __builtin_return_address(0), [&](Call& call) {
    gesvd(call, number(jobu), number(jobvt), m, n, number(A), lda, number(S), number(U), ldu,
          number(VT), ldvt, number(info));
  });
}
cusolverStatus_t cusolverDnCgesvd(cusolverDnHandle_t handle, signed char jobu, signed char jobvt,
                                  int m, int n, cuComplex* A, int lda, float* S, cuComplex* U,
                                  int ldu, cuComplex* VT, int ldvt, cuComplex*, int, float*,
                                  int* info) {
  return run("cusolverDnCgesvd", handle, __builtin_return_address(0), [&](Call& call) {
    gesvd(call, number(jobu), number(jobvt), m, n, number(A), lda, number(S), number(U), ldu,
          number(VT), ldvt, number(info));
  });
}
cusolverStatus_t cusolverDnZgesvd(cusolverDnHandle_t handle, signed char jobu, signed char jobvt,
                                  int m, int n, cuDoubleComplex* A, int lda, double* S,
                                  cuDoubleComplex* U, int ldu, cuDoubleComplex* VT, int ldvt,
                                  cuDoubleComplex*, int, double*, int* info) {
  return run("cusolverDnZgesvd", handle, __builtin_return_address(0), [&](Call& call) {
    gesvd(call, number(jobu), number(jobvt), m, n, number(A), lda, number(S), number(U), ldu,
          number(VT), ldvt, number(info));
  });
}
cusolverStatus_t cusolverDnSgesvdj_bufferSize(cusolverDnHandle_t handle, cusolverEigMode_t, int,
                                              int, int, const float*, int, const float*,
                                              const float*, int, const float*, int, int* lwork,
                                              gesvdjInfo_t) {
  return size(handle, lwork);
}
cusolverStatus_t cusolverDnDgesvdj_bufferSize(cusolverDnHandle_t handle, cusolverEigMode_t, int,
                                              int, int, const double*, int, const double*,
                                              const double*, int, const double*, int, int* lwork,
                                              gesvdjInfo_t) {
  return size(handle, lwork);
}
cusolverStatus_t cusolverDnCgesvdj_bufferSize(cusolverDnHandle_t handle, cusolverEigMode_t, int,
                                              int, int, const cuComplex*, int, const float*,
                                              const cuComplex*, int, const cuComplex*, int,
                                              int* lwork, gesvdjInfo_t) {
  return size(handle, lwork);
}
cusolverStatus_t cusolverDnZgesvdj_bufferSize(cusolverDnHandle_t handle, cusolverEigMode_t, int,
                                              int, int, const cuDoubleComplex*, int, const double*,
                                              const cuDoubleComplex*, int, const cuDoubleComplex*,
                                              int, int* lwork, gesvdjInfo_t) {
  return size(handle, lwork);
}
cusolverStatus_t cusolverDnSgesvdj(cusolverDnHandle_t handle, cusolverEigMode_t jobz, int econ,
                                   int m, int n, float* A, int lda, float* S, float* U, int ldu,
                                   float* V, int ldv, float*, int, int* info, gesvdjInfo_t) {
  return run("cusolverDnSgesvdj", handle, __builtin_return_address(0), [&](Call& call) {
    singular_values_and_v(call, number(jobz), econ, m, n, number(A), lda, number(S), number(U), ldu,
                          number(V), ldv, number(info));
  });
}
cusolverStatus_t cusolverDnDgesvdj(cusolverDnHandle_t handle, cusolverEigMode_t jobz, int econ,
                                   int m, int n, double* A, int lda, double* S, double* U, int ldu,
                                   double* V, int ldv, double*, int, int* info, gesvdjInfo_t) {
  return run("cusolverDnDgesvdj", handle, __builtin_return_address(0), [&](Call& call) {
    singular_values_and_v(call, number(jobz), econ, m, n, number(A), lda, number(S), number(U), ldu,
                          number(V), ldv, number(info));
  });
}
cusolverStatus_t cusolverDnCgesvdj(cusolverDnHandle_t handle, cusolverEigMode_t jobz, int econ,
                                   int m, int n, cuComplex* A, int lda, float* S, cuComplex* U,
                                   int ldu, cuComplex* V, int ldv, cuComplex*, int, int* info,
                                   gesvdjInfo_t) {
  return run("cusolverDnCgesvdj", handle, __builtin_return_address(0), [&](Call& call) {
    singular_values_and_v(call, number(jobz), econ, m, n, number(A), lda, number(S), number(U), ldu,
                          number(V), ldv, number(info));
  });
}
cusolverStatus_t cusolverDnZgesvdj(cusolverDnHandle_t handle, cusolverEigMode_t jobz, int econ,
                                   int m, int n, cuDoubleComplex* A, int lda, double* S,
                                   cuDoubleComplex* U, int ldu, cuDoubleComplex* V, int ldv,
                                   cuDoubleComplex*, int, int* info, gesvdjInfo_t) {
  return run("cusolverDnZgesvdj", handle, __builtin_return_address(0), [&](Call& call) {
    singular_values_and_v(call, number(jobz), econ, m, n, number(A), lda, number(S), number(U), ldu,
                          number(V), ldv, number(info));
  });
}

}  // extern "C"
