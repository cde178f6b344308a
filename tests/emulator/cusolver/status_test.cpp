/// Tests what odd and wrong calls return and say in `info`, as recorded from cuSOLVER 13.0 on an
/// H200 on 29 November 2026. One thing differs on purpose: a negative size in `getrf` and a null
/// `info`, which there end in an error of the device, are refused.
#include <cuda_runtime_api.h>
#include <cusolverDn.h>
#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace {

constexpr auto kLower = CUBLAS_FILL_MODE_LOWER;
constexpr auto kFull = CUBLAS_FILL_MODE_FULL;
constexpr auto kVector = CUSOLVER_EIG_MODE_VECTOR;
constexpr auto kNoMode = static_cast<cusolverEigMode_t>(5);
constexpr auto kN = CUBLAS_OP_N;
constexpr auto kT = CUBLAS_OP_T;
constexpr auto kNoOperation = static_cast<cublasOperation_t>(9);
constexpr auto kLeft = CUBLAS_SIDE_LEFT;
constexpr auto kRight = CUBLAS_SIDE_RIGHT;
constexpr auto kType1 = CUSOLVER_EIG_TYPE_1;
constexpr auto kDouble = CUDA_R_64F;
constexpr int kWorkNumbers = 1 << 12;
constexpr int kUntouched = -77;

/// A handle, two matrices of 8 x 8 numbers, and room for what calls make of them.
struct Bench {
  Bench() {
    REQUIRE(cusolverDnCreate(&handle) == CUSOLVER_STATUS_SUCCESS);
    for (double** p : {&a, &b, &w, &u, &v}) take(p, 64);
    take(&work, kWorkNumbers);
    take(&pivots, 16);
    take(&info, 2);
    take(&as, 2);
    double* const both[] = {a, b};
    REQUIRE(cudaMemcpy(as, both, sizeof both, cudaMemcpyHostToDevice) == cudaSuccess);
    reset();
    preset();
  }
  ~Bench() {
    for (void* const p : taken) cudaFree(p);
    CHECK(cusolverDnDestroy(handle) == CUSOLVER_STATUS_SUCCESS);
  }
  Bench(const Bench&) = delete;
  Bench& operator=(const Bench&) = delete;

  template <class T>
  void take(T** p, std::size_t count) {
    REQUIRE(cudaMalloc(reinterpret_cast<void**>(p), count * sizeof(T)) == cudaSuccess);
    REQUIRE(cudaMemset(*p, 0, count * sizeof(T)) == cudaSuccess);
    taken.push_back(*p);
  }
  void preset() const {
    const int both[] = {kUntouched, kUntouched};
    REQUIRE(cudaMemcpy(info, both, sizeof both, cudaMemcpyHostToDevice) == cudaSuccess);
  }
  /// Fills both matrices with numbers, whose diagonal is large. Those in column `zero` are 0.
  void reset(int zero = -1) const {
    std::vector<double> numbers(64);
    for (int i = 0; i < 64; ++i)
      numbers[static_cast<std::size_t>(i)] =
          i / 8 == zero ? 0 : i * 37 % 11 + (i % 9 == 0 ? 20 : 0);
    for (double* const p : {a, b})
      REQUIRE(cudaMemcpy(p, numbers.data(), 512, cudaMemcpyHostToDevice) == cudaSuccess);
  }
  /// Returns a status with what the call left in `info`; `-` if nothing.
  std::string answer(cusolverStatus_t status) const {
    int both[2] = {};
    REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
    REQUIRE(cudaMemcpy(both, info, sizeof both, cudaMemcpyDeviceToHost) == cudaSuccess);
    preset();
    std::string text = std::to_string(status) + ":";
    for (const int one : both) text += one == kUntouched ? " -" : " " + std::to_string(one);
    return text;
  }

  cusolverDnHandle_t handle = nullptr;
  double *a = nullptr, *b = nullptr, *w = nullptr, *u = nullptr, *v = nullptr, *work = nullptr;
  double** as = nullptr;
  int *pivots = nullptr, *info = nullptr;
  std::vector<void*> taken;
};

}  // namespace

TEST_CASE("LU") {
  const Bench bench;
  const auto& [d, a, b, w, u, v, work, as, p, info, taken] = bench;
  int size = 0;
  CHECK(bench.answer(cusolverDnDgetrf_bufferSize(d, 8, 8, a, 7, &size)) == "0: - -");
  CHECK(bench.answer(cusolverDnDgetrf_bufferSize(d, -1, 8, a, 8, &size)) == "0: - -");
  CHECK(bench.answer(cusolverDnDgetrf(d, 8, 8, a, 7, work, p, info)) == "0: -4 -");
  CHECK(bench.answer(cusolverDnDgetrf(d, 0, 0, a, 1, work, p, info)) == "0: 0 -");
  CHECK(bench.answer(cusolverDnDgetrf(d, -1, 8, a, 8, work, p, info)) == "3: - -");
  CHECK(bench.answer(cusolverDnDgetrf(d, 8, 8, a, 8, work, p, nullptr)) == "3: - -");
  CHECK(bench.answer(cusolverDnDgetrf(d, 8, 8, a, 8, work, nullptr, info)) == "0: 0 -");
  for (int* const pivots : {p, static_cast<int*>(nullptr)}) {
    bench.reset(2);
    CHECK(bench.answer(cusolverDnDgetrf(d, 8, 8, a, 8, work, pivots, info)) == "0: 3 -");
  }
  bench.reset();
  CHECK(bench.answer(cusolverDnDgetrs(d, kNoOperation, 8, 1, a, 8, p, w, 8, info)) == "3: - -");
  CHECK(bench.answer(cusolverDnDgetrs(d, kN, -1, 1, a, 8, p, w, 8, info)) == "3: - -");
  CHECK(bench.answer(cusolverDnDgetrs(d, kN, 8, -1, a, 8, p, w, 8, info)) == "3: - -");
  CHECK(bench.answer(cusolverDnDgetrs(d, kN, 8, 1, a, 7, p, w, 8, info)) == "3: - -");
  CHECK(bench.answer(cusolverDnDgetrs(d, kN, 8, 1, a, 8, p, w, 7, info)) == "3: - -");
  CHECK(bench.answer(cusolverDnDgetrs(d, CUBLAS_OP_C, 8, 1, a, 8, nullptr, w, 8, info)) ==
        "0: 0 -");
}

TEST_CASE("Cholesky") {
  const Bench bench;
  const auto& [d, a, b, w, u, v, work, as, p, info, taken] = bench;
  const auto potrf = [&](cublasFillMode_t fill, int n, int lda) {
    return bench.answer(cusolverDnDpotrf(d, fill, n, a, lda, work, kWorkNumbers, info));
  };
  CHECK(potrf(kFull, 8, 8) == "3: -1 -");
  CHECK(potrf(kLower, -1, 8) == "3: -2 -");
  CHECK(potrf(kLower, 0, 0) == "3: -4 -");
  CHECK(potrf(CUBLAS_FILL_MODE_UPPER, 8, 7) == "3: -4 -");
  CHECK(bench.answer(cusolverDnDpotrf(d, kLower, 8, a, 8, work, 0, info)) == "0: 0 -");
  bench.reset();
  REQUIRE(cudaMemset(a + 27, 0, sizeof(double)) == cudaSuccess);
  CHECK(potrf(kLower, 8, 8) == "0: 4 -");
  bench.reset();

  const auto potri = [&](cublasFillMode_t fill, int n, int lda) {
    return bench.answer(cusolverDnDpotri(d, fill, n, a, lda, work, kWorkNumbers, info));
  };
  CHECK(potri(kFull, 8, 8) == "3: -1 -");
  CHECK(potri(kLower, -1, 8) == "3: -2 -");
  CHECK(potri(kLower, 8, 7) == "3: -4 -");

  const auto potrs = [&](cublasFillMode_t fill, int n, int nrhs, int lda, int ldb) {
    return bench.answer(cusolverDnDpotrs(d, fill, n, nrhs, a, lda, b, ldb, info));
  };
  CHECK(potrs(kFull, 8, 1, 8, 8) == "3: -1 -");
  CHECK(potrs(kLower, -1, 1, 8, 8) == "3: -2 -");
  CHECK(potrs(kLower, 8, -1, 8, 8) == "3: -3 -");
  CHECK(potrs(kLower, 8, 1, 7, 8) == "3: -5 -");
  CHECK(potrs(kLower, 8, 1, 8, 7) == "3: -7 -");
}

TEST_CASE("Cholesky in batches says which argument is wrong without a minus") {
  const Bench bench;
  const auto& [d, a, b, w, u, v, work, as, p, info, taken] = bench;
  const auto potrf = [&](cublasFillMode_t fill, int n, int lda, int count) {
    return bench.answer(cusolverDnDpotrfBatched(d, fill, n, as, lda, info, count));
  };
  CHECK(potrf(kFull, 8, 8, 2) == "3: 1 0");
  CHECK(potrf(kLower, -1, 8, 2) == "3: 2 0");
  CHECK(potrf(kLower, 8, 7, 2) == "3: 4 0");
  CHECK(potrf(kLower, 8, 7, 1) == "3: 4 -");
  CHECK(potrf(kLower, 8, 8, -1) == "3: - -");
  CHECK(potrf(kLower, 8, 8, 0) == "3: - -");

  const auto potrs = [&](cublasFillMode_t fill, int n, int nrhs, int lda, int ldb, int count) {
    return bench.answer(cusolverDnDpotrsBatched(d, fill, n, nrhs, as, lda, as, ldb, info, count));
  };
  CHECK(potrs(kFull, 8, 1, 8, 8, 2) == "3: 1 -");
  CHECK(potrs(kLower, -1, 1, 8, 8, 2) == "3: 2 -");
  CHECK(potrs(kLower, 8, 0, 8, 8, 2) == "3: 3 -");
  CHECK(potrs(kLower, 8, 2, 8, 8, 1) == "3: 3 -");
  CHECK(potrs(kLower, 8, 1, 7, 8, 2) == "3: 5 -");
  CHECK(potrs(kLower, 8, 1, 8, 7, 2) == "3: 7 -");
  CHECK(potrs(kLower, 8, 1, 8, 8, 0) == "3: 9 -");
}

TEST_CASE("QR") {
  const Bench bench;
  const auto& [d, a, b, w, u, v, work, as, p, info, taken] = bench;
  const auto geqrf = [&](int m, int n, int lda) {
    return bench.answer(cusolverDnDgeqrf(d, m, n, a, lda, w, work, kWorkNumbers, info));
  };
  CHECK(geqrf(-1, 8, 8) == "3: -1 -");
  CHECK(geqrf(8, -1, 8) == "3: -2 -");
  CHECK(geqrf(8, 8, 7) == "3: -4 -");

  const auto ormqr = [&](cublasSideMode_t side, cublasOperation_t trans, int m, int n, int k,
                         int lda, int ldc) {
    return bench.answer(
        cusolverDnDormqr(d, side, trans, m, n, k, a, lda, w, b, ldc, work, kWorkNumbers, info));
  };
  CHECK(ormqr(static_cast<cublasSideMode_t>(5), kT, 8, 1, 8, 8, 8) == "3: -1 -");
  CHECK(ormqr(kLeft, kNoOperation, 8, 1, 8, 8, 8) == "3: -2 -");
  CHECK(ormqr(kLeft, CUBLAS_OP_C, 8, 1, 8, 8, 8) == "3: -2 -");
  CHECK(ormqr(kLeft, kT, -1, 1, 8, 8, 8) == "3: -3 -");
  CHECK(ormqr(kLeft, kT, 8, -1, 8, 8, 8) == "3: -4 -");
  CHECK(ormqr(kLeft, kT, 8, 1, -1, 8, 8) == "3: -5 -");
  CHECK(ormqr(kLeft, kT, 8, 1, 9, 8, 8) == "3: -5 -");
  CHECK(ormqr(kLeft, kT, 8, 1, 8, 7, 8) == "3: -7 -");
  CHECK(ormqr(kRight, kT, 1, 8, 8, 7, 1) == "3: -7 -");
  CHECK(ormqr(kLeft, kT, 8, 1, 8, 8, 7) == "3: -10 -");

  const auto orgqr = [&](int m, int n, int k, int lda) {
    return bench.answer(cusolverDnDorgqr(d, m, n, k, a, lda, w, work, kWorkNumbers, info));
  };
  CHECK(orgqr(-1, 8, 8, 8) == "3: -1 -");
  CHECK(orgqr(8, -1, 8, 8) == "3: -2 -");
  CHECK(orgqr(8, 9, 8, 8) == "3: -2 -");
  CHECK(orgqr(8, 8, -1, 8) == "3: -3 -");
  CHECK(orgqr(8, 8, 9, 8) == "3: -3 -");
  CHECK(orgqr(8, 8, 8, 7) == "3: -5 -");
}

TEST_CASE("eigenvalues") {
  const Bench bench;
  const auto& [d, a, b, w, u, v, work, as, p, info, taken] = bench;
  syevjInfo_t params = nullptr;
  REQUIRE(cusolverDnCreateSyevjInfo(&params) == CUSOLVER_STATUS_SUCCESS);
  const auto both = [&](cusolverEigMode_t mode, cublasFillMode_t fill, int n, int lda) {
    const std::string one =
        bench.answer(cusolverDnDsyevd(d, mode, fill, n, a, lda, w, work, kWorkNumbers, info));
    CHECK(bench.answer(cusolverDnDsyevj(d, mode, fill, n, a, lda, w, work, kWorkNumbers, info,
                                        params)) == one);
    return one;
  };
  CHECK(both(kNoMode, kLower, 8, 8) == "3: -1 -");
  CHECK(both(kVector, kFull, 8, 8) == "3: -2 -");
  CHECK(both(kVector, kLower, -1, 8) == "3: -3 -");
  CHECK(both(kVector, kLower, 8, 7) == "3: -5 -");
  CHECK(bench.answer(cusolverDnDsyevd(d, kVector, kLower, 0, a, 1, w, work, 0, info)) == "0: 0 -");
  CHECK(bench.answer(cusolverDnDsyevd(d, kVector, kLower, 8, a, 8, w, work, 0, info)) == "0: 0 -");

  const auto sygvd = [&](cusolverEigType_t type, cusolverEigMode_t mode, cublasFillMode_t fill,
                         int n, int lda, int ldb) {
    return bench.answer(
        cusolverDnDsygvd(d, type, mode, fill, n, a, lda, b, ldb, w, work, kWorkNumbers, info));
  };
  CHECK(sygvd(static_cast<cusolverEigType_t>(9), kVector, kLower, 8, 8, 8) == "3: -1 -");
  CHECK(sygvd(kType1, kNoMode, kLower, 8, 8, 8) == "3: -2 -");
  CHECK(sygvd(kType1, kVector, kFull, 8, 8, 8) == "3: -3 -");
  CHECK(sygvd(kType1, kVector, kLower, -1, 8, 8) == "3: -4 -");
  CHECK(sygvd(kType1, kVector, kLower, 8, 7, 8) == "3: -6 -");
  CHECK(sygvd(kType1, kVector, kLower, 8, 8, 7) == "3: -8 -");
  CHECK(bench.answer(cusolverDnDestroySyevjInfo(nullptr)) == "0: - -");
  CHECK(cusolverDnDestroySyevjInfo(params) == CUSOLVER_STATUS_SUCCESS);
}

TEST_CASE("singular values") {
  const Bench bench;
  const auto& [d, a, b, w, u, v, work, as, p, info, taken] = bench;
  const auto gesvd = [&](signed char of_u, signed char of_v, int m, int n, int lda, int ldu,
                         int ldvt) {
    return bench.answer(cusolverDnDgesvd(d, of_u, of_v, m, n, a, lda, w, u, ldu, v, ldvt, work,
                                         kWorkNumbers, nullptr, info));
  };
  int size = 0;
  CHECK(bench.answer(cusolverDnDgesvd_bufferSize(d, 4, 8, &size)) == "0: - -");
  CHECK(gesvd('X', 'N', 8, 4, 8, 8, 4) == "3: -1 -");
  CHECK(gesvd('N', 'X', 8, 4, 8, 8, 4) == "3: -2 -");
  CHECK(gesvd('O', 'O', 8, 4, 8, 8, 4) == "3: -2 -");
  CHECK(gesvd('A', 'A', -1, 4, 8, 8, 4) == "3: -3 -");
  CHECK(gesvd('A', 'A', 8, -1, 8, 8, 4) == "3: -4 -");
  CHECK(gesvd('A', 'A', 4, 8, 4, 4, 8) == "3: 0 -");
  CHECK(gesvd('N', 'N', 4, 8, 4, 4, 8) == "3: 0 -");
  CHECK(gesvd('A', 'A', 8, 4, 7, 8, 4) == "3: -6 -");
  CHECK(gesvd('A', 'A', 8, 4, 8, 7, 4) == "3: -9 -");
  CHECK(gesvd('A', 'A', 8, 4, 8, 8, 3) == "3: -11 -");
  CHECK(bench.answer(cusolverDnDgesvd(d, 'N', 'N', 8, 4, a, 8, w, nullptr, 1, nullptr, 1, work,
                                      kWorkNumbers, nullptr, info)) == "0: 0 -");

  gesvdjInfo_t params = nullptr;
  REQUIRE(cusolverDnCreateGesvdjInfo(&params) == CUSOLVER_STATUS_SUCCESS);
  const auto gesvdj = [&](cusolverEigMode_t mode, int m, int n, int lda, int ldu, int ldv) {
    return bench.answer(cusolverDnDgesvdj(d, mode, 0, m, n, a, lda, w, u, ldu, v, ldv, work,
                                          kWorkNumbers, info, params));
  };
  CHECK(gesvdj(kNoMode, 8, 4, 8, 8, 4) == "3: -1 -");
  CHECK(gesvdj(kVector, -1, 4, 8, 8, 4) == "3: -3 -");
  CHECK(gesvdj(kVector, 8, -1, 8, 8, 4) == "3: -4 -");
  CHECK(gesvdj(kVector, 8, 4, 7, 8, 4) == "3: -6 -");
  CHECK(gesvdj(kVector, 8, 4, 8, 7, 4) == "3: -9 -");
  CHECK(gesvdj(kVector, 8, 4, 8, 8, 3) == "3: -11 -");
  CHECK(cusolverDnDestroyGesvdjInfo(params) == CUSOLVER_STATUS_SUCCESS);
}

TEST_CASE("calls that are told the type") {
  const Bench bench;
  const auto& [d, a, b, w, u, v, work, as, p, info, taken] = bench;
  auto* const pivots = reinterpret_cast<std::int64_t*>(p);
  cusolverDnParams_t params = nullptr;
  REQUIRE(cusolverDnCreateParams(&params) == CUSOLVER_STATUS_SUCCESS);
  constexpr std::size_t kBytes = kWorkNumbers * sizeof(double);
  std::vector<char> host(kBytes);
  for (std::int64_t* const of_rows : {pivots, static_cast<std::int64_t*>(nullptr)})
    CHECK(bench.answer(cusolverDnXgetrf(d, params, 8, 8, kDouble, a, 7, of_rows, kDouble, work,
                                        kBytes, host.data(), kBytes, info)) == "0: -4 -");
  const auto getrs = [&](int lda, int ldb) {
    return bench.answer(
        cusolverDnXgetrs(d, params, kN, 8, 1, kDouble, a, lda, pivots, kDouble, w, ldb, info));
  };
  CHECK(getrs(8, 7) == "3: - -");
  CHECK(getrs(7, 8) == "3: - -");
  const auto potrf = [&](cublasFillMode_t fill, int lda) {
    return bench.answer(cusolverDnXpotrf(d, params, fill, 8, kDouble, a, lda, kDouble, work, kBytes,
                                         host.data(), kBytes, info));
  };
  CHECK(potrf(kFull, 8) == "3: -1 -");
  CHECK(potrf(kLower, 7) == "3: -4 -");
  const auto potrs = [&](cublasFillMode_t fill, int ldb) {
    return bench.answer(
        cusolverDnXpotrs(d, params, fill, 8, 1, kDouble, a, 8, kDouble, w, ldb, info));
  };
  CHECK(potrs(kFull, 8) == "3: -1 -");
  CHECK(potrs(kLower, 7) == "3: -7 -");
  const auto syevd = [&](cusolverEigMode_t mode, cublasFillMode_t fill, int lda) {
    return bench.answer(cusolverDnXsyevd(d, params, mode, fill, 8, kDouble, a, lda, kDouble, w,
                                         kDouble, work, kBytes, host.data(), kBytes, info));
  };
  CHECK(syevd(kNoMode, kLower, 8) == "3: -2 -");
  CHECK(syevd(kVector, kFull, 8) == "3: -3 -");
  CHECK(syevd(kVector, kLower, 7) == "3: -7 -");
  CHECK(cusolverDnDestroyParams(params) == CUSOLVER_STATUS_SUCCESS);
}
