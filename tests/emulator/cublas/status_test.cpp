/// Tests the status of wrong calls and of calls without work, as returned by cuBLAS 13 on an H100.
/// What LU in batches does was recorded from cuBLAS 13.0 on an H200 on 29 November 2026.
#include <cublas_v2.h>
#include <cuda_runtime_api.h>
#include <doctest/doctest.h>

#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

namespace {

constexpr auto kSuccess = CUBLAS_STATUS_SUCCESS;
constexpr auto kInvalid = CUBLAS_STATUS_INVALID_VALUE;
constexpr auto kN = CUBLAS_OP_N;
constexpr auto kT = CUBLAS_OP_T;
constexpr auto kLower = CUBLAS_FILL_MODE_LOWER;

/// A handle, and nine numbers in each of three arrays.
struct Bench {
  Bench() {
    REQUIRE(cublasCreate(&handle) == kSuccess);
    for (float** p : {&a, &b, &c}) {
      REQUIRE(cudaMalloc(reinterpret_cast<void**>(p), sizeof numbers) == cudaSuccess);
      REQUIRE(cudaMemcpy(*p, numbers, sizeof numbers, cudaMemcpyHostToDevice) == cudaSuccess);
    }
  }
  ~Bench() {
    for (float* const p : {a, b, c}) cudaFree(p);
    CHECK(cublasDestroy(handle) == kSuccess);
  }
  Bench(const Bench&) = delete;
  Bench& operator=(const Bench&) = delete;

  static std::vector<float> values(const float* device, std::size_t count) {
    std::vector<float> result(count);
    REQUIRE(cudaMemcpy(result.data(), device, count * sizeof(float), cudaMemcpyDeviceToHost) ==
            cudaSuccess);
    return result;
  }

  const float numbers[9] = {3, -4, 4, 0, -4, 1};
  const float zero = 0, one = 1, two = 2;
  cublasHandle_t handle = nullptr;
  float *a = nullptr, *b = nullptr, *c = nullptr;
};

template <class Enum>
Enum made_up(int value) {
  return static_cast<Enum>(value);
}

}  // namespace

TEST_CASE("names and descriptions of a status") {
  const std::pair<cublasStatus_t, std::string> texts[] = {
      {CUBLAS_STATUS_SUCCESS, "CUBLAS_STATUS_SUCCESS|success"},
      {CUBLAS_STATUS_NOT_INITIALIZED,
       "CUBLAS_STATUS_NOT_INITIALIZED|the library was not initialized"},
      {CUBLAS_STATUS_ALLOC_FAILED, "CUBLAS_STATUS_ALLOC_FAILED|the resource allocation failed"},
      {CUBLAS_STATUS_INVALID_VALUE,
       "CUBLAS_STATUS_INVALID_VALUE|an unsupported value or parameter was passed to the function"},
      {CUBLAS_STATUS_ARCH_MISMATCH,
       "CUBLAS_STATUS_ARCH_MISMATCH|the function requires an architectural feature absent from the "
       "device"},
      {CUBLAS_STATUS_MAPPING_ERROR,
       "CUBLAS_STATUS_MAPPING_ERROR|an access to GPU memory space failed"},
      {CUBLAS_STATUS_EXECUTION_FAILED,
       "CUBLAS_STATUS_EXECUTION_FAILED|the function failed to launch on the GPU"},
      {CUBLAS_STATUS_INTERNAL_ERROR, "CUBLAS_STATUS_INTERNAL_ERROR|an internal operation failed"},
      {CUBLAS_STATUS_NOT_SUPPORTED,
       "CUBLAS_STATUS_NOT_SUPPORTED|the requested functionality is not supported"},
      {CUBLAS_STATUS_LICENSE_ERROR, "CUBLAS_STATUS_LICENSE_ERROR|the license check failed"},
      {made_up<cublasStatus_t>(2), "unrecognized status|unrecognized status"}};
  for (const auto& [status, text] : texts)
    CHECK(std::string(cublasGetStatusName(status)) + "|" + cublasGetStatusString(status) == text);
}

TEST_CASE("handles and their settings") {
  const Bench bench;
  float result = 0;
  CHECK(cublasCreate(nullptr) == kInvalid);
  CHECK(cublasDestroy(nullptr) == CUBLAS_STATUS_NOT_INITIALIZED);
  CHECK(cublasSdot(nullptr, 4, bench.a, 1, bench.a, 1, &result) == CUBLAS_STATUS_NOT_INITIALIZED);
  cublasHandle_t gone = nullptr;
  REQUIRE(cublasCreate_v2(&gone) == kSuccess);
  REQUIRE(cublasDestroy_v2(gone) == kSuccess);
  CHECK(cublasSetStream(gone, nullptr) == CUBLAS_STATUS_NOT_INITIALIZED);

  cublasPointerMode_t pointer_mode = CUBLAS_POINTER_MODE_DEVICE;
  CHECK(cublasGetPointerMode(bench.handle, &pointer_mode) == kSuccess);
  CHECK(pointer_mode == CUBLAS_POINTER_MODE_HOST);
  CHECK(cublasSetPointerMode(bench.handle, made_up<cublasPointerMode_t>(2)) == kInvalid);
  cublasAtomicsMode_t atomics_mode = CUBLAS_ATOMICS_ALLOWED;
  CHECK(cublasGetAtomicsMode(bench.handle, &atomics_mode) == kSuccess);
  CHECK(atomics_mode == CUBLAS_ATOMICS_NOT_ALLOWED);
  CHECK(cublasSetAtomicsMode(bench.handle, made_up<cublasAtomicsMode_t>(2)) == kInvalid);
  cublasMath_t math_mode = CUBLAS_PEDANTIC_MATH;
  CHECK(cublasGetMathMode(bench.handle, &math_mode) == kSuccess);
  CHECK(math_mode == CUBLAS_DEFAULT_MATH);
  CHECK(cublasSetMathMode(bench.handle, CUBLAS_TF32_TENSOR_OP_MATH) == kSuccess);
  CHECK(cublasSetMathMode(bench.handle, made_up<cublasMath_t>(77)) == kInvalid);
  CHECK(cublasGetMathMode(bench.handle, &math_mode) == kSuccess);
  CHECK(math_mode == CUBLAS_TF32_TENSOR_OP_MATH);
  int number = -1;
  CHECK(cublasGetSmCountTarget(bench.handle, &number) == kSuccess);
  CHECK(number == 0);
  CHECK(cublasSetSmCountTarget(bench.handle, -1) == kInvalid);
  CHECK(cublasSetSmCountTarget(bench.handle, 999) == kInvalid);
  CHECK(cublasGetProperty(made_up<libraryPropertyType>(9), &number) == kInvalid);
  CHECK(cublasGetVersion(bench.handle, &number) == kSuccess);
  CHECK(number == CUBLAS_VERSION);

  cudaStream_t stream = nullptr;
  cudaStream_t found = nullptr;
  REQUIRE(cudaStreamCreate(&stream) == cudaSuccess);
  CHECK(cublasSetStream(bench.handle, stream) == kSuccess);
  CHECK(cublasGetStream(bench.handle, &found) == kSuccess);
  CHECK(found == stream);
  REQUIRE(cudaStreamDestroy(stream) == cudaSuccess);
  CHECK(cublasSscal(bench.handle, 1, &bench.one, bench.a, 1) == CUBLAS_STATUS_EXECUTION_FAILED);
}

TEST_CASE("vectors at the edges") {
  const Bench bench;
  float result = 9;
  CHECK(cublasSdot(bench.handle, -1, bench.a, 1, bench.a, 1, &result) == kSuccess);
  CHECK(result == 0);
  CHECK(cublasSdot(bench.handle, 3, bench.a, 0, bench.b, 1, &result) == kSuccess);
  CHECK(result == 9);
  CHECK(cublasSaxpy(bench.handle, 3, &bench.two, bench.a, 0, bench.b, 1) == kSuccess);
  CHECK(Bench::values(bench.b, 4) == std::vector<float>{9, 2, 10, 0});
  const float nan = std::nanf("");
  REQUIRE(cudaMemcpy(bench.c, &nan, sizeof nan, cudaMemcpyHostToDevice) == cudaSuccess);
  CHECK(cublasSscal(bench.handle, 1, &bench.zero, bench.c, 1) == kSuccess);
  CHECK(std::isnan(Bench::values(bench.c, 1)[0]));
}

TEST_CASE("level 2 refuses sizes, steps and enumerators that make no sense") {
  const Bench bench;
  const auto& [numbers, zero, one, two, handle, a, b, c] = bench;
  CHECK(cublasSgemv(handle, kN, -1, 3, &one, a, 2, b, 1, &zero, c, 1) == kInvalid);
  CHECK(cublasSgemv(handle, kN, 2, 3, &one, a, 1, b, 1, &zero, c, 1) == kInvalid);
  CHECK(cublasSgemv(handle, made_up<cublasOperation_t>(7), 2, 3, &one, a, 2, b, 1, &zero, c, 1) ==
        kInvalid);
  CHECK(cublasSgemv(handle, kN, 0, 3, &one, a, 0, b, 1, &zero, c, 1) == kSuccess);
  CHECK(cublasSgemv(handle, kN, 2, 0, &one, a, 2, b, 1, &two, c, 1) == kSuccess);
  CHECK(Bench::values(c, 2) == std::vector<float>{3, -4});
  CHECK(cublasSger(handle, 2, 3, &one, a, 0, b, 1, c, 2) == kInvalid);
  CHECK(cublasSger(handle, 2, 3, &one, a, 1, b, 1, c, 1) == kInvalid);
  CHECK(cublasSsymv(handle, CUBLAS_FILL_MODE_FULL, 2, &one, a, 2, b, 1, &zero, c, 1) == kInvalid);
  CHECK(cublasStrmv(handle, kLower, kN, made_up<cublasDiagType_t>(5), 2, a, 2, b, 1) == kInvalid);
  CHECK(cublasStrmv(handle, kLower, kN, CUBLAS_DIAG_UNIT, 2, a, 2, b, 0) == kInvalid);
  CHECK(cublasSgbmv(handle, kN, 2, 2, 1, 1, &one, a, 2, b, 1, &zero, c, 1) == kInvalid);
}

TEST_CASE("level 3 refuses likewise, and looks at no more than it needs") {
  const Bench bench;
  const auto& [numbers, zero, one, two, handle, a, b, c] = bench;
  CHECK(cublasSgemm(handle, kN, kN, -1, 2, 3, &one, a, 2, b, 3, &zero, c, 3) == kInvalid);
  CHECK(cublasSgemm(handle, kN, kN, 2, 2, 3, &one, a, 1, b, 3, &zero, c, 3) == kInvalid);
  CHECK(cublasSgemm(handle, kT, kN, 2, 2, 3, &one, a, 2, b, 3, &zero, c, 3) == kInvalid);
  CHECK(cublasSgemm(handle, kN, kN, 2, 2, 3, &one, a, 2, b, 2, &zero, c, 3) == kInvalid);
  CHECK(cublasSgemm(handle, kN, kN, 2, 2, 3, &one, a, 2, b, 3, &zero, c, 1) == kInvalid);
  CHECK(cublasSgemm(handle, made_up<cublasOperation_t>(5), kN, 2, 2, 3, &one, a, 2, b, 3, &zero, c,
                    3) == kInvalid);
  CHECK(cublasSgemm(handle, kN, kN, 2, 2, 3, &one, a, 2, nullptr, 3, &zero, c, 3) == kInvalid);
  CHECK(cublasSgemm(handle, kN, kN, 0, 2, 3, &one, nullptr, 2, nullptr, 3, &zero, nullptr, 3) ==
        kSuccess);
  CHECK(cublasSgemm(handle, kN, kN, 2, 1, 0, &one, nullptr, 2, nullptr, 3, &two, c, 3) == kSuccess);
  CHECK(Bench::values(c, 3) == std::vector<float>{6, -8, 4});
  CHECK(cublasSgemmStridedBatched(handle, kN, kN, 2, 2, 1, &one, a, 2, 0, b, 3, 0, &zero, c, 3, 0,
                                  -1) == kInvalid);
  const cuComplex complex_one = {1, 0};
  auto* const z = reinterpret_cast<cuComplex*>(a);
  CHECK(cublasCsyrk(handle, kLower, CUBLAS_OP_C, 2, 2, &complex_one, z, 2, &complex_one, z, 2) ==
        kInvalid);
  CHECK(cublasCherk(handle, kLower, kT, 2, 2, &one, z, 2, &one, z, 2) == kInvalid);
  CHECK(cublasSgeam(handle, kT, kN, 2, 2, &one, c, 2, &two, a, 2, c, 2) == kInvalid);
  CHECK(cublasSgeam(handle, kN, kN, 2, 2, &one, c, 3, &two, a, 2, c, 2) == kInvalid);
  CHECK(cublasSdgmm(handle, CUBLAS_SIDE_LEFT, 2, 2, a, 2, a, 0, c, 2) == kSuccess);
  CHECK(Bench::values(c, 4) == std::vector<float>{9, -12, 12, 0});
}

TEST_CASE("types that cuBLAS does not multiply") {
  const Bench bench;
  const auto product = [&](cudaDataType of_a, cudaDataType of_b, cudaDataType of_c,
                           cublasComputeType_t sums) {
    return cublasGemmEx(bench.handle, kN, kN, 2, 2, 2, &bench.one, bench.a, of_a, 2, bench.b, of_b,
                        2, &bench.zero, bench.c, of_c, 2, sums, CUBLAS_GEMM_DEFAULT);
  };
  constexpr auto kFloat = CUDA_R_32F;
  constexpr auto kHalf = CUDA_R_16F;
  constexpr auto kSums = CUBLAS_COMPUTE_32F;
  constexpr auto kNot = CUBLAS_STATUS_NOT_SUPPORTED;
  CHECK(product(kHalf, kHalf, kFloat, kSums) == kSuccess);
  CHECK(product(kHalf, kFloat, kFloat, kSums) == kNot);
  CHECK(product(kHalf, kHalf, kFloat, CUBLAS_COMPUTE_16F) == kNot);
  CHECK(product(kFloat, kFloat, kFloat, CUBLAS_COMPUTE_64F) == kNot);
  CHECK(product(kHalf, kHalf, kFloat, made_up<cublasComputeType_t>(5)) == kNot);
  CHECK(product(made_up<cudaDataType>(99), kHalf, kFloat, kSums) == kNot);
  CHECK(product(kFloat, kFloat, kHalf, kSums) == kNot);
}

TEST_CASE("copies of vectors and matrices") {
  const Bench bench;
  float host[6] = {1, 2, 3, 4, 5, 6};
  constexpr int kSize = sizeof(float);
  CHECK(cublasSetVector(2, kSize, host, 3, bench.a, 2) == kSuccess);
  CHECK(Bench::values(bench.a, 4) == std::vector<float>{1, -4, 4, 0});
  CHECK(cublasSetMatrix(2, 2, kSize, host, 3, bench.b, 2) == kSuccess);
  CHECK(Bench::values(bench.b, 5) == std::vector<float>{1, 2, 4, 5, -4});
  float back[4] = {};
  CHECK(cublasGetMatrix(1, 2, kSize, bench.b, 2, back, 1) == kSuccess);
  CHECK(back[0] == 1);
  CHECK(back[1] == 4);
  CHECK(cublasGetVectorAsync(2, kSize, bench.b, 1, back, 2, nullptr) == kSuccess);
  CHECK(back[2] == 2);
  CHECK(cublasSetVector(-1, kSize, host, 1, bench.a, 1) == kInvalid);
  CHECK(cublasSetVector(3, kSize, host, 0, bench.a, 1) == kInvalid);
  CHECK(cublasSetVector(3, 0, host, 1, bench.a, 1) == kInvalid);
  CHECK(cublasSetMatrix(2, 2, kSize, host, 1, bench.a, 2) == kInvalid);
}

namespace {

/// Square matrices in a batch, their inverses, pivots and results.
struct Batch {
  Batch(int size, const std::vector<std::vector<float>>& matrices)
      : n(size), count(static_cast<int>(matrices.size())) {
    std::vector<float*> of_a, of_c;
    for (const std::vector<float>& matrix : matrices) {
      of_a.push_back(taken(matrix));
      of_c.push_back(taken(std::vector<float>(matrix.size(), 7)));
    }
    a = taken(of_a);
    c = taken(of_c);
    first = of_a;
    inverses = of_c;
    pivots = taken(std::vector<int>(static_cast<std::size_t>(n * count), -77));
    infos = taken(std::vector<int>(static_cast<std::size_t>(count), -77));
  }
  ~Batch() {
    for (void* const p : all) cudaFree(p);
  }
  Batch(const Batch&) = delete;
  Batch& operator=(const Batch&) = delete;

  template <class T>
  T* taken(const std::vector<T>& values) {
    T* p = nullptr;
    const std::size_t bytes = values.size() * sizeof(T);
    REQUIRE(cudaMalloc(reinterpret_cast<void**>(&p), bytes) == cudaSuccess);
    REQUIRE(cudaMemcpy(p, values.data(), bytes, cudaMemcpyHostToDevice) == cudaSuccess);
    all.push_back(p);
    return p;
  }
  /// Returns numbers as `%g` prints them, each after a blank.
  template <class T>
  static std::string text(const T* device, int numbers) {
    std::vector<T> values(static_cast<std::size_t>(numbers));
    REQUIRE(cudaMemcpy(values.data(), device, values.size() * sizeof(T), cudaMemcpyDeviceToHost) ==
            cudaSuccess);
    std::string result;
    for (const T value : values) {
      char number[32];
      // The sign of NaN is not told apart.
      std::snprintf(number, sizeof number, " %g",
                    std::isnan(double(value)) ? std::nan("") : double(value));
      result += number;
    }
    return result;
  }
  std::string matrix(int i) const { return text(first[std::size_t(i)], n * n); }
  std::string inverse(int i) const { return text(inverses[std::size_t(i)], n * n); }
  std::string rows() const { return text(pivots, n * count); }
  std::string results() const { return text(infos, count); }

  int n, count;
  std::vector<void*> all;
  std::vector<float*> first, inverses;
  float **a = nullptr, **c = nullptr;
  int *pivots = nullptr, *infos = nullptr;
};

}  // namespace

TEST_CASE("LU in batches stops at a column without a pivot, and inverts what it left") {
  const Bench bench;
  const std::vector<std::vector<float>> two = {{4, 1, 2, 0, 0, 0, 3, 1, 5},
                                               {0, 1, 2, 3, 4, 5, 6, 7, 9}};
  const Batch batch(3, two);
  CHECK(cublasSgetrfBatched(bench.handle, 3, batch.a, 3, batch.pivots, batch.infos, 2) == kSuccess);
  CHECK(batch.results() == " 2 0");
  CHECK(batch.rows() == " 1 2 3 3 3 3");
  CHECK(batch.matrix(0) == " 4 0.25 0.5 0 0 0 3 0.25 3.5");
  CHECK(batch.matrix(1) == " 2 0 0.5 5 3 0.5 9 6 -0.5");
  CHECK(cublasSgetriBatched(bench.handle, 3, batch.a, 3, batch.pivots, batch.c, 3, batch.infos,
                            2) == kSuccess);
  CHECK(batch.results() == " 2 0");
  CHECK(batch.inverse(0) == " nan -inf -0.142857 nan inf 0 nan -inf 0.285714");
  CHECK(batch.inverse(1) == " -0.333333 -1.66667 1 -1 4 -2 1 -2 1");

  const Batch in_place(3, two);
  CHECK(cublasSgetrfBatched(bench.handle, 3, in_place.a, 3, nullptr, in_place.infos, 2) ==
        kSuccess);
  CHECK(in_place.results() == " 2 1");
  CHECK(in_place.matrix(0) == " 4 0.25 0.5 0 0 0 3 0.25 3.5");
  CHECK(in_place.matrix(1) == " 0 1 2 3 4 5 6 7 9");
  CHECK(cublasSgetriBatched(bench.handle, 3, in_place.a, 3, nullptr, in_place.c, 3, in_place.infos,
                            2) == kSuccess);
  CHECK(in_place.results() == " 2 1");
  CHECK(in_place.inverse(0) == " nan -inf -0.142857 nan inf 0 nan -inf 0.285714");
  CHECK(in_place.inverse(1) ==
        " inf -0.833333 0.333333 -inf 1.22222 -0.555556 -inf -0.194444 0.111111");

  // The last column would have had another pivot.
  const std::vector<std::vector<float>> larger = {{4, 2, 1, 2, 0, 0, 0, 0, 2, 1, 3, 8, 1, 3, 5, 2},
                                                  {0, 0, 0, 0, 4, 2, 1, 2, 2, 1, 3, 8, 1, 3, 5, 2}};
  const Batch stopped(4, larger);
  CHECK(cublasSgetrfBatched(bench.handle, 4, stopped.a, 4, stopped.pivots, stopped.infos, 2) ==
        kSuccess);
  CHECK(stopped.results() == " 2 1");
  CHECK(stopped.rows() == " 1 2 3 4 1 2 3 4");
  CHECK(stopped.matrix(0) == " 4 0.5 0.25 0.5 0 0 0 0 2 0 2.5 7 1 2.5 4.75 1.5");
  CHECK(stopped.matrix(1) == " 0 0 0 0 4 2 1 2 2 1 3 8 1 3 5 2");
}

TEST_CASE("LU in batches with wrong arguments or without work") {
  const Bench bench;
  const std::vector<float> numbers = {4, 1, 2, 0, 7, 0, 3, 1, 5};
  const Batch batch(3, {numbers, numbers});
  const auto getrf = [&](int n, int lda, int count) {
    return cublasSgetrfBatched(bench.handle, n, batch.a, lda, batch.pivots, batch.infos, count);
  };
  CHECK(getrf(3, 2, 2) == kInvalid);
  CHECK(getrf(-1, 3, 2) == kInvalid);
  CHECK(getrf(3, 3, -1) == kInvalid);
  CHECK(getrf(0, 1, 2) == kSuccess);
  CHECK(getrf(3, 3, 0) == kSuccess);
  const auto getri = [&](int n, int lda, int ldc, int count) {
    return cublasSgetriBatched(bench.handle, n, batch.a, lda, batch.pivots, batch.c, ldc,
                               batch.infos, count);
  };
  CHECK(getri(-1, 3, 3, 2) == kInvalid);
  CHECK(getri(3, 2, 3, 2) == kInvalid);
  CHECK(getri(3, 3, 2, 2) == kInvalid);
  CHECK(getri(3, 3, 3, -1) == kInvalid);
  CHECK(getri(0, 1, 1, 2) == kSuccess);
  CHECK(getri(3, 3, 3, 0) == kSuccess);
  const auto matinv = [&](int n, int lda, int ld_inverse, int count) {
    return cublasSmatinvBatched(bench.handle, n, batch.a, lda, batch.c, ld_inverse, batch.infos,
                                count);
  };
  CHECK(matinv(-1, 3, 3, 2) == kInvalid);
  CHECK(matinv(3, 2, 3, 2) == kInvalid);
  CHECK(matinv(3, 3, 2, 2) == kInvalid);
  CHECK(matinv(3, 3, 3, -1) == kInvalid);
  CHECK(matinv(33, 33, 33, 1) == kInvalid);
  CHECK(matinv(0, 1, 1, 2) == kSuccess);
  CHECK(matinv(3, 3, 3, 0) == kSuccess);
  CHECK(batch.results() == " -77 -77");

  int info = -99;
  const auto getrs = [&](cublasOperation_t trans, int n, int nrhs, int lda, const int* pivots,
                         int ldb, int count) {
    info = -99;
    const cublasStatus_t status = cublasSgetrsBatched(bench.handle, trans, n, nrhs, batch.a, lda,
                                                      pivots, batch.c, ldb, &info, count);
    return std::to_string(status) + ": " + std::to_string(info);
  };
  CHECK(getrs(made_up<cublasOperation_t>(9), 3, 1, 3, batch.pivots, 3, 2) == "7: -1");
  CHECK(getrs(kN, -3, 1, 3, batch.pivots, 3, 2) == "7: -2");
  CHECK(getrs(kN, 3, -1, 3, batch.pivots, 3, 2) == "7: -3");
  CHECK(getrs(kN, 3, 1, 2, batch.pivots, 3, 2) == "7: -5");
  CHECK(getrs(kN, 3, 1, 2, nullptr, 3, -2) == "7: -5");
  CHECK(getrs(kN, 3, 1, 3, batch.pivots, 2, 2) == "7: -8");
  for (const auto trans : {kN, kT, CUBLAS_OP_C}) {
    CAPTURE(trans);
    CHECK(getrs(trans, 3, 1, 3, batch.pivots, 3, 0) == "13: 0");
    CHECK(getrs(trans, 3, 1, 3, batch.pivots, 3, -2) == (trans == kN ? "13: 0" : "14: 0"));
    CHECK(getrs(trans, 3, 1, 3, nullptr, 3, 0) == "0: 0");
    CHECK(getrs(trans, 3, 1, 3, nullptr, 3, -2) == "14: 0");
    CHECK(getrs(trans, 0, 1, 3, batch.pivots, 3, -2) == "0: 0");
  }
  CHECK(getrs(kN, 0, 1, 1, batch.pivots, 1, 2) == "0: 0");
  CHECK(getrs(kN, 0, 1, 1, nullptr, 1, -2) == "0: 0");
  CHECK(getrs(kN, 3, 0, 3, nullptr, 3, -2) == "0: 0");
  CHECK(getrs(kN, 3, 0, 3, nullptr, 3, 2) == "0: 0");
}
