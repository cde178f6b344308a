/// cuSOLVER for dense matrices, by LAPACK. Columns lie together. Work areas are taken and never
/// used.
#ifndef CUSOLVERDN_H_
#define CUSOLVERDN_H_

#include <stdint.h>

#include "cublas_v2.h"
#include "cuda_runtime_api.h"
#include "cusolver_common.h"

struct cusolverDnContext;
typedef struct cusolverDnContext* cusolverDnHandle_t;
struct syevjInfo;
typedef struct syevjInfo* syevjInfo_t;
struct gesvdjInfo;
typedef struct gesvdjInfo* gesvdjInfo_t;
struct cusolverDnParams;
typedef struct cusolverDnParams* cusolverDnParams_t;

typedef enum { CUSOLVERDN_GETRF = 0, CUSOLVERDN_POTRF = 1 } cusolverDnFunction_t;

#ifdef __cplusplus
extern "C" {
#endif

// --------------------------------------------------------------------------------------- handles

cusolverStatus_t cusolverDnCreate(cusolverDnHandle_t* handle);
cusolverStatus_t cusolverDnDestroy(cusolverDnHandle_t handle);
cusolverStatus_t cusolverDnSetStream(cusolverDnHandle_t handle, cudaStream_t stream);
cusolverStatus_t cusolverDnGetStream(cusolverDnHandle_t handle, cudaStream_t* stream);
/// Results are always the same; the mode is kept.
cusolverStatus_t cusolverDnSetDeterministicMode(cusolverDnHandle_t handle,
                                                cusolverDeterministicMode_t mode);
cusolverStatus_t cusolverDnGetDeterministicMode(cusolverDnHandle_t handle,
                                                cusolverDeterministicMode_t* mode);

/// Settings of Jacobi's method, which LAPACK's methods replace: they are taken.
cusolverStatus_t cusolverDnCreateSyevjInfo(syevjInfo_t* info);
cusolverStatus_t cusolverDnDestroySyevjInfo(syevjInfo_t info);
cusolverStatus_t cusolverDnXsyevjSetTolerance(syevjInfo_t info, double tolerance);
cusolverStatus_t cusolverDnXsyevjSetMaxSweeps(syevjInfo_t info, int sweeps);
cusolverStatus_t cusolverDnXsyevjSetSortEig(syevjInfo_t info, int sorts);
cusolverStatus_t cusolverDnCreateGesvdjInfo(gesvdjInfo_t* info);
cusolverStatus_t cusolverDnDestroyGesvdjInfo(gesvdjInfo_t info);
cusolverStatus_t cusolverDnXgesvdjSetTolerance(gesvdjInfo_t info, double tolerance);
cusolverStatus_t cusolverDnXgesvdjSetMaxSweeps(gesvdjInfo_t info, int sweeps);
cusolverStatus_t cusolverDnXgesvdjSetSortEig(gesvdjInfo_t info, int sorts);

cusolverStatus_t cusolverDnCreateParams(cusolverDnParams_t* params);
cusolverStatus_t cusolverDnDestroyParams(cusolverDnParams_t params);
cusolverStatus_t cusolverDnSetAdvOptions(cusolverDnParams_t params, cusolverDnFunction_t function,
                                         cusolverAlgMode_t algorithm);

// --------------------------------------------------------------------------------------------- LU

cusolverStatus_t cusolverDnSgetrf_bufferSize(cusolverDnHandle_t handle, int m, int n, float* A,
                                             int lda, int* lwork);
cusolverStatus_t cusolverDnDgetrf_bufferSize(cusolverDnHandle_t handle, int m, int n, double* A,
                                             int lda, int* lwork);
cusolverStatus_t cusolverDnCgetrf_bufferSize(cusolverDnHandle_t handle, int m, int n, cuComplex* A,
                                             int lda, int* lwork);
cusolverStatus_t cusolverDnZgetrf_bufferSize(cusolverDnHandle_t handle, int m, int n,
                                             cuDoubleComplex* A, int lda, int* lwork);
cusolverStatus_t cusolverDnSgetrf(cusolverDnHandle_t handle, int m, int n, float* A, int lda,
                                  float* work, int* pivots, int* info);
cusolverStatus_t cusolverDnDgetrf(cusolverDnHandle_t handle, int m, int n, double* A, int lda,
                                  double* work, int* pivots, int* info);
cusolverStatus_t cusolverDnCgetrf(cusolverDnHandle_t handle, int m, int n, cuComplex* A, int lda,
                                  cuComplex* work, int* pivots, int* info);
cusolverStatus_t cusolverDnZgetrf(cusolverDnHandle_t handle, int m, int n, cuDoubleComplex* A,
                                  int lda, cuDoubleComplex* work, int* pivots, int* info);
cusolverStatus_t cusolverDnSgetrs(cusolverDnHandle_t handle, cublasOperation_t trans, int n,
                                  int nrhs, const float* A, int lda, const int* pivots, float* B,
                                  int ldb, int* info);
cusolverStatus_t cusolverDnDgetrs(cusolverDnHandle_t handle, cublasOperation_t trans, int n,
                                  int nrhs, const double* A, int lda, const int* pivots, double* B,
                                  int ldb, int* info);
cusolverStatus_t cusolverDnCgetrs(cusolverDnHandle_t handle, cublasOperation_t trans, int n,
                                  int nrhs, const cuComplex* A, int lda, const int* pivots,
                                  cuComplex* B, int ldb, int* info);
cusolverStatus_t cusolverDnZgetrs(cusolverDnHandle_t handle, cublasOperation_t trans, int n,
                                  int nrhs, const cuDoubleComplex* A, int lda, const int* pivots,
                                  cuDoubleComplex* B, int ldb, int* info);

// --------------------------------------------------------------------------------------- Cholesky

cusolverStatus_t cusolverDnSpotrf_bufferSize(cusolverDnHandle_t handle, cublasFillMode_t uplo,
                                             int n, float* A, int lda, int* lwork);
cusolverStatus_t cusolverDnDpotrf_bufferSize(cusolverDnHandle_t handle, cublasFillMode_t uplo,
                                             int n, double* A, int lda, int* lwork);
cusolverStatus_t cusolverDnCpotrf_bufferSize(cusolverDnHandle_t handle, cublasFillMode_t uplo,
                                             int n, cuComplex* A, int lda, int* lwork);
cusolverStatus_t cusolverDnZpotrf_bufferSize(cusolverDnHandle_t handle, cublasFillMode_t uplo,
                                             int n, cuDoubleComplex* A, int lda, int* lwork);
cusolverStatus_t cusolverDnSpotrf(cusolverDnHandle_t handle, cublasFillMode_t uplo, int n, float* A,
                                  int lda, float* work, int lwork, int* info);
cusolverStatus_t cusolverDnDpotrf(cusolverDnHandle_t handle, cublasFillMode_t uplo, int n,
                                  double* A, int lda, double* work, int lwork, int* info);
cusolverStatus_t cusolverDnCpotrf(cusolverDnHandle_t handle, cublasFillMode_t uplo, int n,
                                  cuComplex* A, int lda, cuComplex* work, int lwork, int* info);
cusolverStatus_t cusolverDnZpotrf(cusolverDnHandle_t handle, cublasFillMode_t uplo, int n,
                                  cuDoubleComplex* A, int lda, cuDoubleComplex* work, int lwork,
                                  int* info);
cusolverStatus_t cusolverDnSpotrs(cusolverDnHandle_t handle, cublasFillMode_t uplo, int n, int nrhs,
                                  const float* A, int lda, float* B, int ldb, int* info);
cusolverStatus_t cusolverDnDpotrs(cusolverDnHandle_t handle, cublasFillMode_t uplo, int n, int nrhs,
                                  const double* A, int lda, double* B, int ldb, int* info);
cusolverStatus_t cusolverDnCpotrs(cusolverDnHandle_t handle, cublasFillMode_t uplo, int n, int nrhs,
                                  const cuComplex* A, int lda, cuComplex* B, int ldb, int* info);
cusolverStatus_t cusolverDnZpotrs(cusolverDnHandle_t handle, cublasFillMode_t uplo, int n, int nrhs,
                                  const cuDoubleComplex* A, int lda, cuDoubleComplex* B, int ldb,
                                  int* info);
cusolverStatus_t cusolverDnSpotri_bufferSize(cusolverDnHandle_t handle, cublasFillMode_t uplo,
                                             int n, float* A, int lda, int* lwork);
cusolverStatus_t cusolverDnDpotri_bufferSize(cusolverDnHandle_t handle, cublasFillMode_t uplo,
                                             int n, double* A, int lda, int* lwork);
cusolverStatus_t cusolverDnCpotri_bufferSize(cusolverDnHandle_t handle, cublasFillMode_t uplo,
                                             int n, cuComplex* A, int lda, int* lwork);
cusolverStatus_t cusolverDnZpotri_bufferSize(cusolverDnHandle_t handle, cublasFillMode_t uplo,
                                             int n, cuDoubleComplex* A, int lda, int* lwork);
cusolverStatus_t cusolverDnSpotri(cusolverDnHandle_t handle, cublasFillMode_t uplo, int n, float* A,
                                  int lda, float* work, int lwork, int* info);
cusolverStatus_t cusolverDnDpotri(cusolverDnHandle_t handle, cublasFillMode_t uplo, int n,
                                  double* A, int lda, double* work, int lwork, int* info);
cusolverStatus_t cusolverDnCpotri(cusolverDnHandle_t handle, cublasFillMode_t uplo, int n,
                                  cuComplex* A, int lda, cuComplex* work, int lwork, int* info);
cusolverStatus_t cusolverDnZpotri(cusolverDnHandle_t handle, cublasFillMode_t uplo, int n,
                                  cuDoubleComplex* A, int lda, cuDoubleComplex* work, int lwork,
                                  int* info);
cusolverStatus_t cusolverDnSpotrfBatched(cusolverDnHandle_t handle, cublasFillMode_t uplo, int n,
                                         float* A[], int lda, int* infos, int batchSize);
cusolverStatus_t cusolverDnDpotrfBatched(cusolverDnHandle_t handle, cublasFillMode_t uplo, int n,
                                         double* A[], int lda, int* infos, int batchSize);
cusolverStatus_t cusolverDnCpotrfBatched(cusolverDnHandle_t handle, cublasFillMode_t uplo, int n,
                                         cuComplex* A[], int lda, int* infos, int batchSize);
cusolverStatus_t cusolverDnZpotrfBatched(cusolverDnHandle_t handle, cublasFillMode_t uplo, int n,
                                         cuDoubleComplex* A[], int lda, int* infos, int batchSize);
cusolverStatus_t cusolverDnSpotrsBatched(cusolverDnHandle_t handle, cublasFillMode_t uplo, int n,
                                         int nrhs, float* A[], int lda, float* B[], int ldb,
                                         int* info, int batchSize);
cusolverStatus_t cusolverDnDpotrsBatched(cusolverDnHandle_t handle, cublasFillMode_t uplo, int n,
                                         int nrhs, double* A[], int lda, double* B[], int ldb,
                                         int* info, int batchSize);
cusolverStatus_t cusolverDnCpotrsBatched(cusolverDnHandle_t handle, cublasFillMode_t uplo, int n,
                                         int nrhs, cuComplex* A[], int lda, cuComplex* B[], int ldb,
                                         int* info, int batchSize);
cusolverStatus_t cusolverDnZpotrsBatched(cusolverDnHandle_t handle, cublasFillMode_t uplo, int n,
                                         int nrhs, cuDoubleComplex* A[], int lda,
                                         cuDoubleComplex* B[], int ldb, int* info, int batchSize);

// --------------------------------------------------------------------------------------------- QR

cusolverStatus_t cusolverDnSgeqrf_bufferSize(cusolverDnHandle_t handle, int m, int n, float* A,
                                             int lda, int* lwork);
cusolverStatus_t cusolverDnDgeqrf_bufferSize(cusolverDnHandle_t handle, int m, int n, double* A,
                                             int lda, int* lwork);
cusolverStatus_t cusolverDnCgeqrf_bufferSize(cusolverDnHandle_t handle, int m, int n, cuComplex* A,
                                             int lda, int* lwork);
cusolverStatus_t cusolverDnZgeqrf_bufferSize(cusolverDnHandle_t handle, int m, int n,
                                             cuDoubleComplex* A, int lda, int* lwork);
cusolverStatus_t cusolverDnSgeqrf(cusolverDnHandle_t handle, int m, int n, float* A, int lda,
                                  float* tau, float* work, int lwork, int* info);
cusolverStatus_t cusolverDnDgeqrf(cusolverDnHandle_t handle, int m, int n, double* A, int lda,
                                  double* tau, double* work, int lwork, int* info);
cusolverStatus_t cusolverDnCgeqrf(cusolverDnHandle_t handle, int m, int n, cuComplex* A, int lda,
                                  cuComplex* tau, cuComplex* work, int lwork, int* info);
cusolverStatus_t cusolverDnZgeqrf(cusolverDnHandle_t handle, int m, int n, cuDoubleComplex* A,
                                  int lda, cuDoubleComplex* tau, cuDoubleComplex* work, int lwork,
                                  int* info);
cusolverStatus_t cusolverDnSormqr_bufferSize(cusolverDnHandle_t handle, cublasSideMode_t side,
                                             cublasOperation_t trans, int m, int n, int k,
                                             const float* A, int lda, const float* tau,
                                             const float* C, int ldc, int* lwork);
cusolverStatus_t cusolverDnDormqr_bufferSize(cusolverDnHandle_t handle, cublasSideMode_t side,
                                             cublasOperation_t trans, int m, int n, int k,
                                             const double* A, int lda, const double* tau,
                                             const double* C, int ldc, int* lwork);
cusolverStatus_t cusolverDnCunmqr_bufferSize(cusolverDnHandle_t handle, cublasSideMode_t side,
                                             cublasOperation_t trans, int m, int n, int k,
                                             const cuComplex* A, int lda, const cuComplex* tau,
                                             const cuComplex* C, int ldc, int* lwork);
cusolverStatus_t cusolverDnZunmqr_bufferSize(cusolverDnHandle_t handle, cublasSideMode_t side,
                                             cublasOperation_t trans, int m, int n, int k,
                                             const cuDoubleComplex* A, int lda,
                                             const cuDoubleComplex* tau, const cuDoubleComplex* C,
                                             int ldc, int* lwork);
cusolverStatus_t cusolverDnSormqr(cusolverDnHandle_t handle, cublasSideMode_t side,
                                  cublasOperation_t trans, int m, int n, int k, const float* A,
                                  int lda, const float* tau, float* C, int ldc, float* work,
                                  int lwork, int* info);
cusolverStatus_t cusolverDnDormqr(cusolverDnHandle_t handle, cublasSideMode_t side,
                                  cublasOperation_t trans, int m, int n, int k, const double* A,
                                  int lda, const double* tau, double* C, int ldc, double* work,
                                  int lwork, int* info);
cusolverStatus_t cusolverDnCunmqr(cusolverDnHandle_t handle, cublasSideMode_t side,
                                  cublasOperation_t trans, int m, int n, int k, const cuComplex* A,
                                  int lda, const cuComplex* tau, cuComplex* C, int ldc,
                                  cuComplex* work, int lwork, int* info);
cusolverStatus_t cusolverDnZunmqr(cusolverDnHandle_t handle, cublasSideMode_t side,
                                  cublasOperation_t trans, int m, int n, int k,
                                  const cuDoubleComplex* A, int lda, const cuDoubleComplex* tau,
                                  cuDoubleComplex* C, int ldc, cuDoubleComplex* work, int lwork,
                                  int* info);
cusolverStatus_t cusolverDnSorgqr_bufferSize(cusolverDnHandle_t handle, int m, int n, int k,
                                             const float* A, int lda, const float* tau, int* lwork);
cusolverStatus_t cusolverDnDorgqr_bufferSize(cusolverDnHandle_t handle, int m, int n, int k,
                                             const double* A, int lda, const double* tau,
                                             int* lwork);
cusolverStatus_t cusolverDnCungqr_bufferSize(cusolverDnHandle_t handle, int m, int n, int k,
                                             const cuComplex* A, int lda, const cuComplex* tau,
                                             int* lwork);
cusolverStatus_t cusolverDnZungqr_bufferSize(cusolverDnHandle_t handle, int m, int n, int k,
                                             const cuDoubleComplex* A, int lda,
                                             const cuDoubleComplex* tau, int* lwork);
cusolverStatus_t cusolverDnSorgqr(cusolverDnHandle_t handle, int m, int n, int k, float* A, int lda,
                                  const float* tau, float* work, int lwork, int* info);
cusolverStatus_t cusolverDnDorgqr(cusolverDnHandle_t handle, int m, int n, int k, double* A,
                                  int lda, const double* tau, double* work, int lwork, int* info);
cusolverStatus_t cusolverDnCungqr(cusolverDnHandle_t handle, int m, int n, int k, cuComplex* A,
                                  int lda, const cuComplex* tau, cuComplex* work, int lwork,
                                  int* info);
cusolverStatus_t cusolverDnZungqr(cusolverDnHandle_t handle, int m, int n, int k,
                                  cuDoubleComplex* A, int lda, const cuDoubleComplex* tau,
                                  cuDoubleComplex* work, int lwork, int* info);

// ------------------------------------------------ eigenvalues of symmetric and Hermitian matrices

cusolverStatus_t cusolverDnSsyevd_bufferSize(cusolverDnHandle_t handle, cusolverEigMode_t jobz,
                                             cublasFillMode_t uplo, int n, const float* A, int lda,
                                             const float* W, int* lwork);
cusolverStatus_t cusolverDnDsyevd_bufferSize(cusolverDnHandle_t handle, cusolverEigMode_t jobz,
                                             cublasFillMode_t uplo, int n, const double* A, int lda,
                                             const double* W, int* lwork);
cusolverStatus_t cusolverDnCheevd_bufferSize(cusolverDnHandle_t handle, cusolverEigMode_t jobz,
                                             cublasFillMode_t uplo, int n, const cuComplex* A,
                                             int lda, const float* W, int* lwork);
cusolverStatus_t cusolverDnZheevd_bufferSize(cusolverDnHandle_t handle, cusolverEigMode_t jobz,
                                             cublasFillMode_t uplo, int n, const cuDoubleComplex* A,
                                             int lda, const double* W, int* lwork);
cusolverStatus_t cusolverDnSsyevd(cusolverDnHandle_t handle, cusolverEigMode_t jobz,
                                  cublasFillMode_t uplo, int n, float* A, int lda, float* W,
                                  float* work, int lwork, int* info);
cusolverStatus_t cusolverDnDsyevd(cusolverDnHandle_t handle, cusolverEigMode_t jobz,
                                  cublasFillMode_t uplo, int n, double* A, int lda, double* W,
                                  double* work, int lwork, int* info);
cusolverStatus_t cusolverDnCheevd(cusolverDnHandle_t handle, cusolverEigMode_t jobz,
                                  cublasFillMode_t uplo, int n, cuComplex* A, int lda, float* W,
                                  cuComplex* work, int lwork, int* info);
cusolverStatus_t cusolverDnZheevd(cusolverDnHandle_t handle, cusolverEigMode_t jobz,
                                  cublasFillMode_t uplo, int n, cuDoubleComplex* A, int lda,
                                  double* W, cuDoubleComplex* work, int lwork, int* info);
cusolverStatus_t cusolverDnSsyevj_bufferSize(cusolverDnHandle_t handle, cusolverEigMode_t jobz,
                                             cublasFillMode_t uplo, int n, const float* A, int lda,
                                             const float* W, int* lwork, syevjInfo_t params);
cusolverStatus_t cusolverDnDsyevj_bufferSize(cusolverDnHandle_t handle, cusolverEigMode_t jobz,
                                             cublasFillMode_t uplo, int n, const double* A, int lda,
                                             const double* W, int* lwork, syevjInfo_t params);
cusolverStatus_t cusolverDnCheevj_bufferSize(cusolverDnHandle_t handle, cusolverEigMode_t jobz,
                                             cublasFillMode_t uplo, int n, const cuComplex* A,
                                             int lda, const float* W, int* lwork,
                                             syevjInfo_t params);
cusolverStatus_t cusolverDnZheevj_bufferSize(cusolverDnHandle_t handle, cusolverEigMode_t jobz,
                                             cublasFillMode_t uplo, int n, const cuDoubleComplex* A,
                                             int lda, const double* W, int* lwork,
                                             syevjInfo_t params);
cusolverStatus_t cusolverDnSsyevj(cusolverDnHandle_t handle, cusolverEigMode_t jobz,
                                  cublasFillMode_t uplo, int n, float* A, int lda, float* W,
                                  float* work, int lwork, int* info, syevjInfo_t params);
cusolverStatus_t cusolverDnDsyevj(cusolverDnHandle_t handle, cusolverEigMode_t jobz,
                                  cublasFillMode_t uplo, int n, double* A, int lda, double* W,
                                  double* work, int lwork, int* info, syevjInfo_t params);
cusolverStatus_t cusolverDnCheevj(cusolverDnHandle_t handle, cusolverEigMode_t jobz,
                                  cublasFillMode_t uplo, int n, cuComplex* A, int lda, float* W,
                                  cuComplex* work, int lwork, int* info, syevjInfo_t params);
cusolverStatus_t cusolverDnZheevj(cusolverDnHandle_t handle, cusolverEigMode_t jobz,
                                  cublasFillMode_t uplo, int n, cuDoubleComplex* A, int lda,
                                  double* W, cuDoubleComplex* work, int lwork, int* info,
                                  syevjInfo_t params);
cusolverStatus_t cusolverDnSsygvd_bufferSize(cusolverDnHandle_t handle, cusolverEigType_t itype,
                                             cusolverEigMode_t jobz, cublasFillMode_t uplo, int n,
                                             const float* A, int lda, const float* B, int ldb,
                                             const float* W, int* lwork);
cusolverStatus_t cusolverDnDsygvd_bufferSize(cusolverDnHandle_t handle, cusolverEigType_t itype,
                                             cusolverEigMode_t jobz, cublasFillMode_t uplo, int n,
                                             const double* A, int lda, const double* B, int ldb,
                                             const double* W, int* lwork);
cusolverStatus_t cusolverDnChegvd_bufferSize(cusolverDnHandle_t handle, cusolverEigType_t itype,
                                             cusolverEigMode_t jobz, cublasFillMode_t uplo, int n,
                                             const cuComplex* A, int lda, const cuComplex* B,
                                             int ldb, const float* W, int* lwork);
cusolverStatus_t cusolverDnZhegvd_bufferSize(cusolverDnHandle_t handle, cusolverEigType_t itype,
                                             cusolverEigMode_t jobz, cublasFillMode_t uplo, int n,
                                             const cuDoubleComplex* A, int lda,
                                             const cuDoubleComplex* B, int ldb, const double* W,
                                             int* lwork);
cusolverStatus_t cusolverDnSsygvd(cusolverDnHandle_t handle, cusolverEigType_t itype,
                                  cusolverEigMode_t jobz, cublasFillMode_t uplo, int n, float* A,
                                  int lda, float* B, int ldb, float* W, float* work, int lwork,
                                  int* info);
cusolverStatus_t cusolverDnDsygvd(cusolverDnHandle_t handle, cusolverEigType_t itype,
                                  cusolverEigMode_t jobz, cublasFillMode_t uplo, int n, double* A,
                                  int lda, double* B, int ldb, double* W, double* work, int lwork,
                                  int* info);
cusolverStatus_t cusolverDnChegvd(cusolverDnHandle_t handle, cusolverEigType_t itype,
                                  cusolverEigMode_t jobz, cublasFillMode_t uplo, int n,
                                  cuComplex* A, int lda, cuComplex* B, int ldb, float* W,
                                  cuComplex* work, int lwork, int* info);
cusolverStatus_t cusolverDnZhegvd(cusolverDnHandle_t handle, cusolverEigType_t itype,
                                  cusolverEigMode_t jobz, cublasFillMode_t uplo, int n,
                                  cuDoubleComplex* A, int lda, cuDoubleComplex* B, int ldb,
                                  double* W, cuDoubleComplex* work, int lwork, int* info);

// -------------------------------------------------------------------------------- singular values

cusolverStatus_t cusolverDnSgesvd_bufferSize(cusolverDnHandle_t handle, int m, int n, int* lwork);
cusolverStatus_t cusolverDnDgesvd_bufferSize(cusolverDnHandle_t handle, int m, int n, int* lwork);
cusolverStatus_t cusolverDnCgesvd_bufferSize(cusolverDnHandle_t handle, int m, int n, int* lwork);
cusolverStatus_t cusolverDnZgesvd_bufferSize(cusolverDnHandle_t handle, int m, int n, int* lwork);
cusolverStatus_t cusolverDnSgesvd(cusolverDnHandle_t handle, signed char jobu, signed char jobvt,
                                  int m, int n, float* A, int lda, float* S, float* U, int ldu,
                                  float* VT, int ldvt, float* work, int lwork, float* rwork,
                                  int* info);
cusolverStatus_t cusolverDnDgesvd(cusolverDnHandle_t handle, signed char jobu, signed char jobvt,
                                  int m, int n, double* A, int lda, double* S, double* U, int ldu,
                                  double* VT, int ldvt, double* work, int lwork, double* rwork,
                                  int* info);
cusolverStatus_t cusolverDnCgesvd(cusolverDnHandle_t handle, signed char jobu, signed char jobvt,
                                  int m, int n, cuComplex* A, int lda, float* S, cuComplex* U,
                                  int ldu, cuComplex* VT, int ldvt, cuComplex* work, int lwork,
                                  float* rwork, int* info);
cusolverStatus_t cusolverDnZgesvd(cusolverDnHandle_t handle, signed char jobu, signed char jobvt,
                                  int m, int n, cuDoubleComplex* A, int lda, double* S,
                                  cuDoubleComplex* U, int ldu, cuDoubleComplex* VT, int ldvt,
                                  cuDoubleComplex* work, int lwork, double* rwork, int* info);
cusolverStatus_t cusolverDnSgesvdj_bufferSize(cusolverDnHandle_t handle, cusolverEigMode_t jobz,
                                              int econ, int m, int n, const float* A, int lda,
                                              const float* S, const float* U, int ldu,
                                              const float* V, int ldv, int* lwork,
                                              gesvdjInfo_t params);
cusolverStatus_t cusolverDnDgesvdj_bufferSize(cusolverDnHandle_t handle, cusolverEigMode_t jobz,
                                              int econ, int m, int n, const double* A, int lda,
                                              const double* S, const double* U, int ldu,
                                              const double* V, int ldv, int* lwork,
                                              gesvdjInfo_t params);
cusolverStatus_t cusolverDnCgesvdj_bufferSize(cusolverDnHandle_t handle, cusolverEigMode_t jobz,
                                              int econ, int m, int n, const cuComplex* A, int lda,
                                              const float* S, const cuComplex* U, int ldu,
                                              const cuComplex* V, int ldv, int* lwork,
                                              gesvdjInfo_t params);
cusolverStatus_t cusolverDnZgesvdj_bufferSize(cusolverDnHandle_t handle, cusolverEigMode_t jobz,
                                              int econ, int m, int n, const cuDoubleComplex* A,
                                              int lda, const double* S, const cuDoubleComplex* U,
                                              int ldu, const cuDoubleComplex* V, int ldv,
                                              int* lwork, gesvdjInfo_t params);
cusolverStatus_t cusolverDnSgesvdj(cusolverDnHandle_t handle, cusolverEigMode_t jobz, int econ,
                                   int m, int n, float* A, int lda, float* S, float* U, int ldu,
                                   float* V, int ldv, float* work, int lwork, int* info,
                                   gesvdjInfo_t params);
cusolverStatus_t cusolverDnDgesvdj(cusolverDnHandle_t handle, cusolverEigMode_t jobz, int econ,
                                   int m, int n, double* A, int lda, double* S, double* U, int ldu,
                                   double* V, int ldv, double* work, int lwork, int* info,
                                   gesvdjInfo_t params);
cusolverStatus_t cusolverDnCgesvdj(cusolverDnHandle_t handle, cusolverEigMode_t jobz, int econ,
                                   int m, int n, cuComplex* A, int lda, float* S, cuComplex* U,
                                   int ldu, cuComplex* V, int ldv, cuComplex* work, int lwork,
                                   int* info, gesvdjInfo_t params);
cusolverStatus_t cusolverDnZgesvdj(cusolverDnHandle_t handle, cusolverEigMode_t jobz, int econ,
                                   int m, int n, cuDoubleComplex* A, int lda, double* S,
                                   cuDoubleComplex* U, int ldu, cuDoubleComplex* V, int ldv,
                                   cuDoubleComplex* work, int lwork, int* info,
                                   gesvdjInfo_t params);

// ----------------------------------------------------------------- types of numbers as arguments

cusolverStatus_t cusolverDnXgetrf_bufferSize(cusolverDnHandle_t handle, cusolverDnParams_t params,
                                             int64_t m, int64_t n, cudaDataType type, const void* A,
                                             int64_t lda, cudaDataType computeType,
                                             size_t* deviceBytes, size_t* hostBytes);
cusolverStatus_t cusolverDnXgetrf(cusolverDnHandle_t handle, cusolverDnParams_t params, int64_t m,
                                  int64_t n, cudaDataType type, void* A, int64_t lda,
                                  int64_t* pivots, cudaDataType computeType, void* deviceWork,
                                  size_t deviceBytes, void* hostWork, size_t hostBytes, int* info);
cusolverStatus_t cusolverDnXgetrs(cusolverDnHandle_t handle, cusolverDnParams_t params,
                                  cublasOperation_t trans, int64_t n, int64_t nrhs,
                                  cudaDataType typeOfA, const void* A, int64_t lda,
                                  const int64_t* pivots, cudaDataType typeOfB, void* B, int64_t ldb,
                                  int* info);
cusolverStatus_t cusolverDnXpotrf_bufferSize(cusolverDnHandle_t handle, cusolverDnParams_t params,
                                             cublasFillMode_t uplo, int64_t n, cudaDataType type,
                                             const void* A, int64_t lda, cudaDataType computeType,
                                             size_t* deviceBytes, size_t* hostBytes);
cusolverStatus_t cusolverDnXpotrf(cusolverDnHandle_t handle, cusolverDnParams_t params,
                                  cublasFillMode_t uplo, int64_t n, cudaDataType type, void* A,
                                  int64_t lda, cudaDataType computeType, void* deviceWork,
                                  size_t deviceBytes, void* hostWork, size_t hostBytes, int* info);
cusolverStatus_t cusolverDnXpotrs(cusolverDnHandle_t handle, cusolverDnParams_t params,
                                  cublasFillMode_t uplo, int64_t n, int64_t nrhs,
                                  cudaDataType typeOfA, const void* A, int64_t lda,
                                  cudaDataType typeOfB, void* B, int64_t ldb, int* info);
cusolverStatus_t cusolverDnXsyevd_bufferSize(cusolverDnHandle_t handle, cusolverDnParams_t params,
                                             cusolverEigMode_t jobz, cublasFillMode_t uplo,
                                             int64_t n, cudaDataType typeOfA, const void* A,
                                             int64_t lda, cudaDataType typeOfW, const void* W,
                                             cudaDataType computeType, size_t* deviceBytes,
                                             size_t* hostBytes);
cusolverStatus_t cusolverDnXsyevd(cusolverDnHandle_t handle, cusolverDnParams_t params,
                                  cusolverEigMode_t jobz, cublasFillMode_t uplo, int64_t n,
                                  cudaDataType typeOfA, void* A, int64_t lda, cudaDataType typeOfW,
                                  void* W, cudaDataType computeType, void* deviceWork,
                                  size_t deviceBytes, void* hostWork, size_t hostBytes, int* info);

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // CUSOLVERDN_H_
