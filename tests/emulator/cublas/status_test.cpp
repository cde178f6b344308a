/// Tests the status of wrong calls and of calls without work, as returned by cuBLAS 13 on an H100.
#include <cublas_v2.h>
#include <cuda_runtime_api.h>
#include <doctest/doctest.h>

#include <cmath>
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
