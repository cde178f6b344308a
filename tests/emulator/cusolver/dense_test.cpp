/// Compares what each call of cuSOLVER makes with the matrices that it was made of.
#include <cuda_runtime_api.h>
#include <cusolverDn.h>
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <random>
#include <tuple>
#include <type_traits>
#include <vector>

#include "../number_types.hpp"

namespace {

#define EMU_TYPES(routine)                                                          \
  std::make_tuple(cusolverDnS##routine, cusolverDnD##routine, cusolverDnC##routine, \
                  cusolverDnZ##routine)
#define EMU_NAMED(real, unitary) \
  std::make_tuple(cusolverDnS##real, cusolverDnD##real, cusolverDnC##unitary, cusolverDnZ##unitary)

cusolverDnHandle_t handle() {
  static const cusolverDnHandle_t handle = [] {
    cusolverDnHandle_t one = nullptr;
    REQUIRE(cusolverDnCreate(&one) == CUSOLVER_STATUS_SUCCESS);
    return one;
  }();
  return handle;
}

template <class P, class A>
P handed_over(A argument) {
  if constexpr (std::is_pointer_v<P> && !std::is_null_pointer_v<A>) {
    return reinterpret_cast<P>(argument);
  } else {
    return static_cast<P>(argument);
  }
}

/// Calls the routine for numbers of type T; complex ones have CUDA's type under another name.
template <class T, class Routines, class... A>
cusolverStatus_t status_of(const Routines& routines, A... arguments) {
  return [&]<class... P>(cusolverStatus_t (*routine)(cusolverDnHandle_t, P...)) {
    return routine(handle(), handed_over<P>(arguments)...);
  }(std::get<kPlace<T>>(routines));
}
template <class T, class Routines, class... A>
void call(const Routines& routines, A... arguments) {
  REQUIRE(status_of<T>(routines, arguments...) == CUSOLVER_STATUS_SUCCESS);
}

template <class T>
T conjugate(T value) {
  if constexpr (kIsComplex<T>) {
    return std::conj(value);
  } else {
    return value;
  }
}

template <class T>
T any() {
  static std::mt19937 random(1);
  std::uniform_real_distribution<Real<T>> draw(-1, 1);
  if constexpr (kIsComplex<T>) {
    const Real<T> real = draw(random);
    return {real, draw(random)};
  } else {
    return draw(random);
  }
}

/// A column-major matrix without gaps.
template <class T>
struct Matrix {
  int rows, columns;
  std::vector<T> values;

  Matrix(int m, int n) : rows(m), columns(n), values(static_cast<std::size_t>(m * n)) {}
  static Matrix drawn(int m, int n) {
    Matrix matrix(m, n);
    std::generate(matrix.values.begin(), matrix.values.end(), any<T>);
    return matrix;
  }
  T& operator()(int i, int j) { return values[static_cast<std::size_t>(i + j * rows)]; }
  const T& operator()(int i, int j) const { return values[static_cast<std::size_t>(i + j * rows)]; }
  Matrix adjoint() const {
    Matrix result(columns, rows);
    for (int j = 0; j < columns; ++j)
      for (int i = 0; i < rows; ++i) result(j, i) = conjugate((*this)(i, j));
    return result;
  }
  Matrix transposed() const {
    Matrix result(columns, rows);
    for (int j = 0; j < columns; ++j)
      for (int i = 0; i < rows; ++i) result(j, i) = (*this)(i, j);
    return result;
  }
};

template <class T>
Matrix<T> operator*(const Matrix<T>& a, const Matrix<T>& b) {
  Matrix<T> result(a.rows, b.columns);
  for (int j = 0; j < b.columns; ++j)
    for (int k = 0; k < a.columns; ++k)
      for (int i = 0; i < a.rows; ++i) result(i, j) += a(i, k) * b(k, j);
  return result;
}

template <class T>
bool are_close(const Matrix<T>& one, const Matrix<T>& other) {
  const Real<T> most = std::is_same_v<Real<T>, float> ? Real<T>(1e-3) : Real<T>(1e-10);
  if (one.rows != other.rows || one.columns != other.columns) return false;
  for (std::size_t i = 0; i < one.values.size(); ++i)
    if (!(std::abs(one.values[i] - other.values[i]) < most)) return false;
  return true;
}

template <class T>
Matrix<T> diagonal(const std::vector<Real<T>>& values, int rows, int columns) {
  Matrix<T> result(rows, columns);
  for (int i = 0; i < std::min(rows, columns); ++i)
    result(i, i) = values[static_cast<std::size_t>(i)];
  return result;
}
template <class T>
Matrix<T> unit(int n) {
  return diagonal<T>(std::vector<Real<T>>(static_cast<std::size_t>(n), 1), n, n);
}

/// Values in device memory.
template <class T>
class Device {
 public:
  explicit Device(const std::vector<T>& values) : count_(values.size()) {
    REQUIRE(cudaMalloc(reinterpret_cast<void**>(&data_), count_ * sizeof(T) + 1) == cudaSuccess);
    cudaMemcpy(data_, values.data(), count_ * sizeof(T), cudaMemcpyHostToDevice);
  }
  explicit Device(const Matrix<T>& matrix) : Device(matrix.values) {}
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;
  ~Device() { cudaFree(data_); }
  T* get() const { return data_; }
  std::vector<T> values() const {
    std::vector<T> result(count_);
    cudaMemcpy(result.data(), data_, count_ * sizeof(T), cudaMemcpyDeviceToHost);
    return result;
  }
  Matrix<T> matrix(int rows, int columns) const {
    Matrix<T> result(rows, columns);
    result.values = values();
    return result;
  }

 private:
  T* data_ = nullptr;
  std::size_t count_;
};

template <class T>
Device<T> zeros(int count) {
  return Device<T>(std::vector<T>(static_cast<std::size_t>(count)));
}

constexpr int n = 6;
constexpr cublasFillMode_t kFills[] = {CUBLAS_FILL_MODE_LOWER, CUBLAS_FILL_MODE_UPPER};
constexpr cublasOperation_t kOperations[] = {CUBLAS_OP_N, CUBLAS_OP_T, CUBLAS_OP_C};

template <class T>
Matrix<T> applied(cublasOperation_t operation, const Matrix<T>& a) {
  return operation == CUBLAS_OP_N ? a : operation == CUBLAS_OP_T ? a.transposed() : a.adjoint();
}

/// A Hermitian matrix whose eigenvalues are larger than 0.
template <class T>
Matrix<T> positive() {
  const Matrix<T> a = Matrix<T>::drawn(n, n);
  Matrix<T> result = a * a.adjoint();
  for (int i = 0; i < n; ++i) result(i, i) = std::real(result(i, i)) + Real<T>(1);
  return result;
}

template <class T>
constexpr cudaDataType kType = kPlace<T> == 0   ? CUDA_R_32F
                               : kPlace<T> == 1 ? CUDA_R_64F
                               : kPlace<T> == 2 ? CUDA_C_32F
                                                : CUDA_C_64F;

}  // namespace

#define EMU_ALL_TYPES float, double, ComplexFloat, ComplexDouble

TEST_CASE_TEMPLATE("systems by LU", T, EMU_ALL_TYPES) {
  Matrix<T> a = Matrix<T>::drawn(n, n);
  const Matrix<T> x = Matrix<T>::drawn(n, 2);
  int size = 0;
  call<T>(EMU_TYPES(getrf_bufferSize), n, n, nullptr, n, &size);
  CHECK(size > 0);
  const Device<T> work = zeros<T>(size);
  const Device<int> pivots = zeros<int>(n), info(std::vector<int>{9});
  for (const bool has_pivots : {true, false}) {
    if (!has_pivots)
      for (int i = 0; i < n; ++i) a(i, i) += Real<T>(8);
    int* const of_pivots = has_pivots ? pivots.get() : nullptr;
    const Device<T> of_a(a);
    call<T>(EMU_TYPES(getrf), n, n, of_a.get(), n, work.get(), of_pivots, info.get());
    CHECK(info.values()[0] == 0);
    for (const auto operation : kOperations) {
      const Device<T> b(applied(operation, a) * x);
      call<T>(EMU_TYPES(getrs), operation, n, 2, of_a.get(), n, of_pivots, b.get(), n, info.get());
      CHECK(are_close(b.matrix(n, 2), x));
    }
  }
  for (int i = 0; i < n; ++i) a(i, 2) = T(0);
  const Device<T> singular(a);
  call<T>(EMU_TYPES(getrf), n, n, singular.get(), n, work.get(), pivots.get(), info.get());
  CHECK(info.values()[0] == 3);
  call<T>(EMU_TYPES(getrf), n, n, singular.get(), n - 1, work.get(), pivots.get(), info.get());
  CHECK(info.values()[0] == -4);
}

TEST_CASE_TEMPLATE("systems and inverses by Cholesky", T, EMU_ALL_TYPES) {
  const Matrix<T> a = positive<T>(), x = Matrix<T>::drawn(n, 1);
  for (const auto fill : kFills) {
    int size = 0;
    call<T>(EMU_TYPES(potrf_bufferSize), fill, n, nullptr, n, &size);
    call<T>(EMU_TYPES(potri_bufferSize), fill, n, nullptr, n, &size);
    const Device<T> work = zeros<T>(size), of_a(a), again(a), b(a * x), second(a * x);
    const Device<int> info(std::vector<int>{9, 9});
    call<T>(EMU_TYPES(potrf), fill, n, of_a.get(), n, work.get(), size, info.get());
    CHECK(info.values()[0] == 0);
    call<T>(EMU_TYPES(potrs), fill, n, 1, of_a.get(), n, b.get(), n, info.get());
    CHECK(are_close(b.matrix(n, 1), x));

    const Device<T*> as({again.get()}), bs({second.get()});
    call<T>(EMU_TYPES(potrfBatched), fill, n, as.get(), n, info.get(), 1);
    CHECK(again.values() == of_a.values());
    call<T>(EMU_TYPES(potrsBatched), fill, n, 1, as.get(), n, bs.get(), n, info.get(), 1);
    CHECK(are_close(second.matrix(n, 1), x));

    call<T>(EMU_TYPES(potri), fill, n, of_a.get(), n, work.get(), size, info.get());
    Matrix<T> inverse = of_a.matrix(n, n);
    for (int j = 0; j < n; ++j)
      for (int i = 0; i < j; ++i) {
        if (fill == CUBLAS_FILL_MODE_LOWER)
          inverse(i, j) = conjugate(inverse(j, i));
        else
          inverse(j, i) = conjugate(inverse(i, j));
      }
    CHECK(are_close(a * inverse, unit<T>(n)));
  }
  Matrix<T> indefinite = a;
  indefinite(3, 3) = T(-1);
  const Device<T> of_it(indefinite), work = zeros<T>(256);
  const Device<int> info = zeros<int>(1);
  call<T>(EMU_TYPES(potrf), CUBLAS_FILL_MODE_LOWER, n, of_it.get(), n, work.get(), 256, info.get());
  CHECK(info.values()[0] == 4);
}

TEST_CASE_TEMPLATE("QR", T, EMU_ALL_TYPES) {
  constexpr int m = 8, k = 5;
  const Matrix<T> a = Matrix<T>::drawn(m, k), c = Matrix<T>::drawn(m, 3);
  int size = 0;
  call<T>(EMU_TYPES(geqrf_bufferSize), m, k, nullptr, m, &size);
  const Device<T> of_a(a), tau = zeros<T>(k), work = zeros<T>(size);
  const Device<int> info(std::vector<int>{9});
  call<T>(EMU_TYPES(geqrf), m, k, of_a.get(), m, tau.get(), work.get(), size, info.get());
  CHECK(info.values()[0] == 0);
  Matrix<T> r(k, k);
  const Matrix<T> factors = of_a.matrix(m, k);
  for (int j = 0; j < k; ++j)
    for (int i = 0; i <= j; ++i) r(i, j) = factors(i, j);

  const auto adjoint = kIsComplex<T> ? CUBLAS_OP_C : CUBLAS_OP_T;
  call<T>(EMU_NAMED(ormqr_bufferSize, unmqr_bufferSize), CUBLAS_SIDE_LEFT, adjoint, m, 3, k,
          of_a.get(), m, tau.get(), nullptr, m, &size);
  const Device<T> of_c(c);
  for (const auto operation : {adjoint, CUBLAS_OP_N}) {
    call<T>(EMU_NAMED(ormqr, unmqr), CUBLAS_SIDE_LEFT, operation, m, 3, k, of_a.get(), m, tau.get(),
            of_c.get(), m, work.get(), size, info.get());
    CHECK(are_close(of_c.matrix(m, 3), c) == (operation == CUBLAS_OP_N));
  }
  call<T>(EMU_NAMED(orgqr_bufferSize, ungqr_bufferSize), m, k, k, of_a.get(), m, tau.get(), &size);
  call<T>(EMU_NAMED(orgqr, ungqr), m, k, k, of_a.get(), m, tau.get(), work.get(), size, info.get());
  const Matrix<T> q = of_a.matrix(m, k);
  CHECK(are_close(q.adjoint() * q, unit<T>(k)));
  CHECK(are_close(q * r, a));
}

TEST_CASE_TEMPLATE("eigenvalues and their vectors", T, EMU_ALL_TYPES) {
  const Matrix<T> a = positive<T>(), b = positive<T>();
  syevjInfo_t params = nullptr;
  REQUIRE(cusolverDnCreateSyevjInfo(&params) == CUSOLVER_STATUS_SUCCESS);
  CHECK(cusolverDnXsyevjSetTolerance(params, 1e-7) == CUSOLVER_STATUS_SUCCESS);
  CHECK(cusolverDnXsyevjSetMaxSweeps(params, 15) == CUSOLVER_STATUS_SUCCESS);
  CHECK(cusolverDnXsyevjSetSortEig(params, 1) == CUSOLVER_STATUS_SUCCESS);
  const Device<int> info(std::vector<int>{9});
  for (const auto fill : kFills)
    for (const auto mode : {CUSOLVER_EIG_MODE_VECTOR, CUSOLVER_EIG_MODE_NOVECTOR}) {
      const Device<T> one(a), two(a), three(a), other(b);
      const Device<Real<T>> w1 = zeros<Real<T>>(n), w2 = zeros<Real<T>>(n), w3 = zeros<Real<T>>(n);
      int size = 0;
      call<T>(EMU_NAMED(syevd_bufferSize, heevd_bufferSize), mode, fill, n, one.get(), n, w1.get(),
              &size);
      const Device<T> work = zeros<T>(size);
      call<T>(EMU_NAMED(syevd, heevd), mode, fill, n, one.get(), n, w1.get(), work.get(), size,
              info.get());
      CHECK(info.values()[0] == 0);
      call<T>(EMU_NAMED(syevj_bufferSize, heevj_bufferSize), mode, fill, n, two.get(), n, w2.get(),
              &size, params);
      call<T>(EMU_NAMED(syevj, heevj), mode, fill, n, two.get(), n, w2.get(), work.get(), size,
              info.get(), params);
      CHECK(w1.values() == w2.values());
      CHECK(std::is_sorted(w1.values().begin(), w1.values().end()) ==
            std::is_sorted(w2.values().begin(), w2.values().end()));
      call<T>(EMU_NAMED(sygvd_bufferSize, hegvd_bufferSize), CUSOLVER_EIG_TYPE_1, mode, fill, n,
              three.get(), n, other.get(), n, w3.get(), &size);
      call<T>(EMU_NAMED(sygvd, hegvd), CUSOLVER_EIG_TYPE_1, mode, fill, n, three.get(), n,
              other.get(), n, w3.get(), work.get(), size, info.get());
      CHECK(info.values()[0] == 0);
      Real<T> trace = 0, sum = 0;
      for (int i = 0; i < n; ++i) trace += std::real(a(i, i));
      for (const Real<T> value : w1.values()) sum += value;
      CHECK(sum == doctest::Approx(trace).epsilon(1e-4));
      if (mode == CUSOLVER_EIG_MODE_NOVECTOR) continue;
      const Matrix<T> v = one.matrix(n, n), u = three.matrix(n, n);
      CHECK(are_close(a * v, v * diagonal<T>(w1.values(), n, n)));
      CHECK(are_close(v.adjoint() * v, unit<T>(n)));
      CHECK(are_close(a * u, b * u * diagonal<T>(w3.values(), n, n)));
    }
  CHECK(cusolverDnDestroySyevjInfo(params) == CUSOLVER_STATUS_SUCCESS);
}

TEST_CASE_TEMPLATE("singular values and their vectors", T, EMU_ALL_TYPES) {
  constexpr int m = 7, k = 4;
  const Matrix<T> a = Matrix<T>::drawn(m, k);
  int size = 0;
  call<T>(EMU_TYPES(gesvd_bufferSize), m, k, &size);
  const Device<T> work = zeros<T>(size), of_a(a), u = zeros<T>(m * m), vt = zeros<T>(k * k);
  const Device<Real<T>> s = zeros<Real<T>>(k), more = zeros<Real<T>>(k);
  const Device<int> info(std::vector<int>{9});
  call<T>(EMU_TYPES(gesvd), 'A', 'A', m, k, of_a.get(), m, s.get(), u.get(), m, vt.get(), k,
          work.get(), size, more.get(), info.get());
  CHECK(info.values()[0] == 0);
  CHECK(are_close(u.matrix(m, m) * diagonal<T>(s.values(), m, k) * vt.matrix(k, k), a));
  CHECK(status_of<T>(EMU_TYPES(gesvd), 'A', 'A', k, m, of_a.get(), m, s.get(), u.get(), m, vt.get(),
                     m, work.get(), size, more.get(), info.get()) == CUSOLVER_STATUS_INVALID_VALUE);

  gesvdjInfo_t params = nullptr;
  REQUIRE(cusolverDnCreateGesvdjInfo(&params) == CUSOLVER_STATUS_SUCCESS);
  CHECK(cusolverDnXgesvdjSetTolerance(params, 1e-7) == CUSOLVER_STATUS_SUCCESS);
  CHECK(cusolverDnXgesvdjSetMaxSweeps(params, 15) == CUSOLVER_STATUS_SUCCESS);
  CHECK(cusolverDnXgesvdjSetSortEig(params, 1) == CUSOLVER_STATUS_SUCCESS);
  for (const bool is_wide : {false, true}) {
    const Matrix<T> b = is_wide ? a.transposed() : a;
    const Device<T> of_b(b), left = zeros<T>(b.rows * k), right = zeros<T>(b.columns * k);
    call<T>(EMU_TYPES(gesvdj_bufferSize), CUSOLVER_EIG_MODE_VECTOR, 1, b.rows, b.columns,
            of_b.get(), b.rows, s.get(), left.get(), b.rows, right.get(), b.columns, &size, params);
    call<T>(EMU_TYPES(gesvdj), CUSOLVER_EIG_MODE_VECTOR, 1, b.rows, b.columns, of_b.get(), b.rows,
            s.get(), left.get(), b.rows, right.get(), b.columns, work.get(), size, info.get(),
            params);
    CHECK(are_close(left.matrix(b.rows, k) * diagonal<T>(s.values(), k, k) *
                        right.matrix(b.columns, k).adjoint(),
                    b));
  }
  CHECK(cusolverDnDestroyGesvdjInfo(params) == CUSOLVER_STATUS_SUCCESS);
}

TEST_CASE_TEMPLATE("calls that are told the type", T, EMU_ALL_TYPES) {
  const Matrix<T> a = positive<T>(), x = Matrix<T>::drawn(n, 2);
  const Device<T> lu(a), cholesky(a), vectors(a), b(a * x), c(a * x);
  const Device<int> info(std::vector<int>{9});
  const Device<std::int64_t> pivots = zeros<std::int64_t>(n);
  const Device<Real<T>> w = zeros<Real<T>>(n);
  constexpr cudaDataType type = kType<T>, real = kType<Real<T>>;
  cusolverDnParams_t params = nullptr;
  REQUIRE(cusolverDnCreateParams(&params) == CUSOLVER_STATUS_SUCCESS);
  CHECK(cusolverDnSetAdvOptions(params, CUSOLVERDN_GETRF, CUSOLVER_ALG_0) ==
        CUSOLVER_STATUS_SUCCESS);
  std::size_t device = 0, host = 0;
  const auto lower = CUBLAS_FILL_MODE_LOWER;
  const auto job = CUSOLVER_EIG_MODE_VECTOR;
  REQUIRE(cusolverDnXgetrf_bufferSize(handle(), params, n, n, type, lu.get(), n, type, &device,
                                      &host) == CUSOLVER_STATUS_SUCCESS);
  REQUIRE(cusolverDnXpotrf_bufferSize(handle(), params, lower, n, type, lu.get(), n, type, &device,
                                      &host) == CUSOLVER_STATUS_SUCCESS);
  REQUIRE(cusolverDnXsyevd_bufferSize(handle(), params, job, lower, n, type, lu.get(), n, real,
                                      w.get(), type, &device, &host) == CUSOLVER_STATUS_SUCCESS);
  const Device<char> work = zeros<char>(static_cast<int>(device));
  REQUIRE(cusolverDnXgetrf(handle(), params, n, n, type, lu.get(), n, pivots.get(), type,
                           work.get(), device, nullptr, 0, info.get()) == CUSOLVER_STATUS_SUCCESS);
  REQUIRE(cusolverDnXgetrs(handle(), params, CUBLAS_OP_N, n, 2, type, lu.get(), n, pivots.get(),
                           type, b.get(), n, info.get()) == CUSOLVER_STATUS_SUCCESS);
  CHECK(are_close(b.matrix(n, 2), x));
  REQUIRE(cusolverDnXpotrf(handle(), params, lower, n, type, cholesky.get(), n, type, work.get(),
                           device, nullptr, 0, info.get()) == CUSOLVER_STATUS_SUCCESS);
  REQUIRE(cusolverDnXpotrs(handle(), params, lower, n, 2, type, cholesky.get(), n, type, c.get(), n,
                           info.get()) == CUSOLVER_STATUS_SUCCESS);
  CHECK(are_close(c.matrix(n, 2), x));
  REQUIRE(cusolverDnXsyevd(handle(), params, job, lower, n, type, vectors.get(), n, real, w.get(),
                           type, work.get(), device, nullptr, 0,
                           info.get()) == CUSOLVER_STATUS_SUCCESS);
  const Matrix<T> v = vectors.matrix(n, n);
  CHECK(are_close(a * v, v * diagonal<T>(w.values(), n, n)));
  CHECK(cusolverDnDestroyParams(params) == CUSOLVER_STATUS_SUCCESS);
}

TEST_CASE("handles, streams and versions") {
  cusolverDnHandle_t one = nullptr;
  cudaStream_t stream = nullptr, got = nullptr;
  int version = 0, major = 0;
  cusolverDeterministicMode_t mode{};
  REQUIRE(cudaStreamCreate(&stream) == cudaSuccess);
  CHECK(cusolverDnCreate(nullptr) == CUSOLVER_STATUS_INVALID_VALUE);
  REQUIRE(cusolverDnCreate(&one) == CUSOLVER_STATUS_SUCCESS);
  CHECK(cusolverDnSetStream(one, stream) == CUSOLVER_STATUS_SUCCESS);
  CHECK(cusolverDnGetStream(one, &got) == CUSOLVER_STATUS_SUCCESS);
  CHECK(got == stream);
  CHECK(cusolverDnSetDeterministicMode(one, CUSOLVER_ALLOW_NON_DETERMINISTIC_RESULTS) ==
        CUSOLVER_STATUS_SUCCESS);
  CHECK(cusolverDnGetDeterministicMode(one, &mode) == CUSOLVER_STATUS_SUCCESS);
  CHECK(mode == CUSOLVER_ALLOW_NON_DETERMINISTIC_RESULTS);
  CHECK(cusolverDnDestroy(one) == CUSOLVER_STATUS_SUCCESS);
  CHECK(cusolverDnDestroy(one) == CUSOLVER_STATUS_NOT_INITIALIZED);
  CHECK(cusolverDnSetStream(one, stream) == CUSOLVER_STATUS_NOT_INITIALIZED);
  CHECK(cusolverGetVersion(&version) == CUSOLVER_STATUS_SUCCESS);
  CHECK(version == CUSOLVER_VERSION);
  CHECK(cusolverGetProperty(MAJOR_VERSION, &major) == CUSOLVER_STATUS_SUCCESS);
  CHECK(major == CUSOLVER_VER_MAJOR);
  cudaStreamDestroy(stream);
}
