/// Compares each routine with a naive computation on small whole numbers. No order of summing
/// rounds them, so results must be equal to the bit, as must the memory between and after them.
#include <cublas_v2.h>
#include <cuda_runtime_api.h>
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <concepts>
#include <limits>
#include <random>
#include <tuple>
#include <type_traits>
#include <vector>

#include "../number_types.hpp"

namespace {

// Arguments as cuBLAS takes them.
template <class T>
T cuda(T value) {
  return value;
}
cuComplex* cuda(ComplexFloat* p) { return reinterpret_cast<cuComplex*>(p); }
const cuComplex* cuda(const ComplexFloat* p) { return reinterpret_cast<const cuComplex*>(p); }
cuDoubleComplex* cuda(ComplexDouble* p) { return reinterpret_cast<cuDoubleComplex*>(p); }
const cuDoubleComplex* cuda(const ComplexDouble* p) {
  return reinterpret_cast<const cuDoubleComplex*>(p);
}

cublasHandle_t handle() {
  static const cublasHandle_t handle = [] {
    cublasHandle_t one = nullptr;
    REQUIRE(cublasCreate(&one) == CUBLAS_STATUS_SUCCESS);
    return one;
  }();
  return handle;
}

/// Calls the routine for numbers of type T; it must succeed.
template <class T, class Routines, class... A>
void call(const Routines& routines, A... arguments) {
  REQUIRE(std::get<kPlace<T>>(routines)(handle(), cuda(arguments)...) == CUBLAS_STATUS_SUCCESS);
}

template <class P, class A>
P handed_over(A argument) {
  if constexpr (std::is_pointer_v<P>) {
    return reinterpret_cast<P>(argument);
  } else {
    return static_cast<P>(argument);
  }
}

/// Calls a routine that takes arrays of pointers; complex ones have cuBLAS's type under another
/// name.
template <class T, class Routines, class... A>
void call_batched(const Routines& routines, A... arguments) {
  const auto hand_over = [&]<class... P>(cublasStatus_t (*routine)(cublasHandle_t, P...)) {
    REQUIRE(routine(handle(), handed_over<P>(arguments)...) == CUBLAS_STATUS_SUCCESS);
  };
  hand_over(std::get<kPlace<T>>(routines));
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
T number(int re, int im) {
  if constexpr (kIsComplex<T>) {
    return {static_cast<Real<T>>(re), static_cast<Real<T>>(im)};
  } else {
    return static_cast<T>(re);
  }
}

template <class T>
T any() {
  static std::mt19937 random(1);
  const auto draw = [] { return static_cast<int>(random() % 7) - 3; };
  const int re = draw();
  return number<T>(re, draw());
}

template <class T>
constexpr T kNan = T(std::numeric_limits<Real<T>>::quiet_NaN());

/// A column-major matrix whose leading dimension may exceed its number of rows.
template <class T>
struct Matrix {
  int rows, columns, ld;
  std::vector<T> values;

  Matrix(int m, int n, int gap = 0)
      : rows(m), columns(n), ld(m + gap), values(static_cast<std::size_t>(ld * n)) {
    std::generate(values.begin(), values.end(), any<T>);
  }
  T& operator()(int i, int j) { return values[static_cast<std::size_t>(i + j * ld)]; }
  const T& operator()(int i, int j) const { return values[static_cast<std::size_t>(i + j * ld)]; }
  /// Sets each element to what `make(row, column)` returns.
  template <class Make>
  Matrix& set(Make&& make) {
    for (int j = 0; j < columns; ++j)
      for (int i = 0; i < rows; ++i) (*this)(i, j) = make(i, j);
    return *this;
  }
};

/// Values in device memory.
template <class T>
class Device {
 public:
  explicit Device(const std::vector<T>& values) : size_(values.size()) {
    REQUIRE(cudaMalloc(reinterpret_cast<void**>(&begin_), size_ * sizeof(T)) == cudaSuccess);
    REQUIRE(cudaMemcpy(begin_, values.data(), size_ * sizeof(T), cudaMemcpyHostToDevice) ==
            cudaSuccess);
  }
  template <std::same_as<Matrix<T>> M>  // not for lists of numbers
  explicit Device(const M& matrix) : Device(matrix.values) {}
  ~Device() { cudaFree(begin_); }
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;

  T* get() const { return begin_; }
  std::vector<T> values() const {
    std::vector<T> result(size_);
    REQUIRE(cudaMemcpy(result.data(), begin_, size_ * sizeof(T), cudaMemcpyDeviceToHost) ==
            cudaSuccess);
    return result;
  }

 private:
  T* begin_ = nullptr;
  std::size_t size_;
};

// --------------------------------------------------------------------------- naive computations

const cublasOperation_t kOperations[] = {CUBLAS_OP_N, CUBLAS_OP_T, CUBLAS_OP_C};
const cublasFillMode_t kFills[] = {CUBLAS_FILL_MODE_LOWER, CUBLAS_FILL_MODE_UPPER};
const cublasDiagType_t kDiagonals[] = {CUBLAS_DIAG_UNIT, CUBLAS_DIAG_NON_UNIT};
const cublasSideMode_t kSides[] = {CUBLAS_SIDE_LEFT, CUBLAS_SIDE_RIGHT};

template <class T>
Matrix<T> applied(cublasOperation_t operation, const Matrix<T>& a) {
  if (operation == CUBLAS_OP_N) return Matrix<T>(a.rows, a.columns).set(a);
  return Matrix<T>(a.columns, a.rows).set([&](int i, int j) {
    return operation == CUBLAS_OP_C ? conjugate(a(j, i)) : a(j, i);
  });
}

template <class T>
Matrix<T> product(const Matrix<T>& a, const Matrix<T>& b) {
  return Matrix<T>(a.rows, b.columns).set([&](int i, int j) {
    T sum{};
    for (int p = 0; p < a.columns; ++p) sum += a(i, p) * b(p, j);
    return sum;
  });
}

bool is_in(cublasFillMode_t fill, int i, int j) {
  return fill == CUBLAS_FILL_MODE_LOWER ? i >= j : i <= j;
}

/// Returns the full matrix of which one triangle is stored.
template <class T>
Matrix<T> completed(cublasFillMode_t fill, bool is_hermitian, const Matrix<T>& a) {
  return Matrix<T>(a.rows, a.rows).set([&](int i, int j) -> T {
    if (is_hermitian && i == j) return T(std::real(a(i, i)));
    if (is_in(fill, i, j)) return a(i, j);
    return is_hermitian ? conjugate(a(j, i)) : a(j, i);
  });
}

template <class T>
Matrix<T> triangular(cublasFillMode_t fill, cublasDiagType_t diagonal, const Matrix<T>& a) {
  return Matrix<T>(a.rows, a.rows).set([&](int i, int j) -> T {
    if (i == j && diagonal == CUBLAS_DIAG_UNIT) return T(1);
    return is_in(fill, i, j) ? a(i, j) : T(0);
  });
}

/// Returns a triangle packed by columns.
template <class T>
std::vector<T> packed(cublasFillMode_t fill, const Matrix<T>& a) {
  std::vector<T> result;
  for (int j = 0; j < a.columns; ++j)
    for (int i = 0; i < a.rows; ++i)
      if (is_in(fill, i, j)) result.push_back(a(i, j));
  return result;
}

/// Returns the diagonals of a matrix as rows, the highest first.
template <class T>
Matrix<T> banded(const Matrix<T>& a, int kl, int ku) {
  Matrix<T> band(kl + ku + 1, a.columns, 1);
  for (int j = 0; j < a.columns; ++j)
    for (int i = std::max(0, j - ku); i < std::min(a.rows, j + kl + 1); ++i)
      band(ku + i - j, j) = a(i, j);
  return band;
}

template <class T>
Matrix<T> within_band(const Matrix<T>& a, int kl, int ku) {
  return Matrix<T>(a.rows, a.columns).set([&](int i, int j) {
    return j - i <= ku && i - j <= kl ? a(i, j) : T(0);
  });
}

/// A vector of `n` elements that are `step` apart in memory.
template <class T>
struct Vector {
  int n, step;
  std::vector<T> values;

  Vector(int size, int increment)
      : n(size),
        step(increment),
        values(static_cast<std::size_t>(1 + (size - 1) * std::abs(increment) + 2)) {
    std::generate(values.begin(), values.end(), any<T>);
  }
  T& operator()(int i) {
    return values[static_cast<std::size_t>(step > 0 ? i * step : (i - n + 1) * step)];
  }
  const T& operator()(int i) const { return const_cast<Vector&>(*this)(i); }
  Matrix<T> as_column() const {
    return Matrix<T>(n, 1).set([&](int i, int) { return (*this)(i); });
  }
};

const int kSteps[] = {1, 2, -1, -3};

/// Calls `body` twice, for scalars on the host and on the device. The argument is a function that
/// passes a pointer to a number.
template <class Body>
void in_both_pointer_modes(Body&& body) {
  for (const auto mode : {CUBLAS_POINTER_MODE_HOST, CUBLAS_POINTER_MODE_DEVICE}) {
    CAPTURE(mode);
    REQUIRE(cublasSetPointerMode(handle(), mode) == CUBLAS_STATUS_SUCCESS);
    body(mode == CUBLAS_POINTER_MODE_DEVICE);
    REQUIRE(cublasSetPointerMode(handle(), CUBLAS_POINTER_MODE_HOST) == CUBLAS_STATUS_SUCCESS);
  }
}

/// Checks y = alpha A x + beta y, computed by `run(alpha, x, beta, y)`, for beta = 0 with y full of
/// NaN, and for another beta.
template <class T, class Run>
void check_vector(const Matrix<T>& a, Run&& run) {
  for (const int incx : kSteps)
    for (const int incy : {1, -2})
      for (const T beta : {T(0), T(2)}) {
        CAPTURE(incx);
        CAPTURE(incy);
        CAPTURE(beta);
        const Vector<T> x(a.columns, incx);
        Vector<T> y(a.rows, incy);
        const T alpha = number<T>(2, 1);
        Vector<T> expected = y;
        const Matrix<T> ax = product(a, x.as_column());
        for (int i = 0; i < y.n; ++i) {
          expected(i) = alpha * ax(i, 0) + beta * y(i);
          if (beta == T(0)) y(i) = kNan<T>;
        }
        const Device<T> of_x(x.values);
        const Device<T> of_y(y.values);
        run(&alpha, of_x.get(), incx, &beta, of_y.get(), incy);
        CHECK(of_y.values() == expected.values);
      }
}

/// Checks C = alpha (...) + beta C in the same way. Elements outside of `is_written` must not
/// change.
template <class T, class S, class Written, class Run>
void check_matrix(const Matrix<T>& all, const S& alpha, Written&& is_written, Run&& run) {
  for (const S beta : {S(0), S(2)}) {
    CAPTURE(beta);
    Matrix<T> c(all.rows, all.columns, 2);
    if (!std::is_same_v<T, S>)  // a Hermitian one
      for (int i = 0; i < c.rows; ++i) c(i, i) = T(std::real(c(i, i)));
    Matrix<T> expected = c;
    for (int j = 0; j < c.columns; ++j)
      for (int i = 0; i < c.rows; ++i)
        if (is_written(i, j)) {
          expected(i, j) = alpha * all(i, j) + beta * c(i, j);
          if (beta == S(0)) c(i, j) = kNan<T>;
        }
    const Device<T> of_c(c);
    run(&alpha, &beta, of_c.get(), c.ld);
    CHECK(of_c.values() == expected.values);
  }
}

bool everywhere(int, int) { return true; }

}  // namespace

// ------------------------------------------------------------------------------------- level 1

TEST_CASE_TEMPLATE("sums, products and places of vectors", T, float, double, ComplexFloat,
                   ComplexDouble) {
  using R = Real<T>;
  constexpr auto amax = std::make_tuple(cublasIsamax, cublasIdamax, cublasIcamax, cublasIzamax);
  constexpr auto amin = std::make_tuple(cublasIsamin, cublasIdamin, cublasIcamin, cublasIzamin);
  constexpr auto asum = std::make_tuple(cublasSasum, cublasDasum, cublasScasum, cublasDzasum);
  constexpr auto nrm2 = std::make_tuple(cublasSnrm2, cublasDnrm2, cublasScnrm2, cublasDznrm2);
  constexpr auto dot = std::make_tuple(cublasSdot, cublasDdot, cublasCdotu, cublasZdotu);
  constexpr auto dotc = std::make_tuple(cublasSdot, cublasDdot, cublasCdotc, cublasZdotc);
  const auto size_of = [](const T& value) {
    if constexpr (kIsComplex<T>) {
      return std::abs(value.real()) + std::abs(value.imag());
    } else {
      return std::abs(value);
    }
  };
  for (const int incx : kSteps)
    for (const int incy : kSteps) {
      CAPTURE(incx);
      CAPTURE(incy);
      const Vector<T> x(9, incx);
      const Vector<T> y(9, incy);
      const Device<T> of_x(x.values);
      const Device<T> of_y(y.values);
      R sizes = 0;
      R squares = 0;
      T plain{};
      T conjugated{};
      int largest = 0;
      int smallest = 0;
      for (int i = 0; i < x.n; ++i) {
        sizes += size_of(x(i));
        squares += std::norm(x(i));
        plain += x(i) * y(i);
        conjugated += conjugate(x(i)) * y(i);
        if (size_of(x(i)) > size_of(x(largest))) largest = i;
        if (size_of(x(i)) < size_of(x(smallest))) smallest = i;
      }
      T sum{};
      call<T>(dot, x.n, of_x.get(), incx, of_y.get(), incy, &sum);
      CHECK(sum == plain);
      call<T>(dotc, x.n, of_x.get(), incx, of_y.get(), incy, &sum);
      CHECK(sum == conjugated);
      R real = -1;
      int place = -1;
      call<T>(asum, x.n, of_x.get(), incx, &real);
      CHECK(real == (incx > 0 ? sizes : 0));
      call<T>(nrm2, x.n, of_x.get(), incx, &real);
      CHECK(real == doctest::Approx(incx > 0 ? std::sqrt(squares) : 0));
      call<T>(amax, x.n, of_x.get(), incx, &place);
      CHECK(place == (incx > 0 ? largest + 1 : 0));
      call<T>(amin, x.n, of_x.get(), incx, &place);
      CHECK(place == (incx > 0 ? smallest + 1 : 0));
    }
  in_both_pointer_modes([&](bool on_device) {
    const Device<T> x(Vector<T>(4, 1).values);
    const Device<T> result({T(7)});
    T on_host{};
    call<T>(dot, 0, x.get(), 1, x.get(), 1, on_device ? result.get() : &on_host);
    CHECK((on_device ? result.values()[0] : on_host) == T(0));
  });
}

TEST_CASE("a norm neither overflows nor vanishes") {
  double norm = 0;
  for (const double size : {1e300, 1e-300}) {
    const Device<double> x({3 * size, 4 * size});
    call<double>(std::make_tuple(cublasSnrm2, cublasDnrm2), 2, x.get(), 1, &norm);
    CHECK(norm == doctest::Approx(5 * size));
  }
}

TEST_CASE_TEMPLATE("vectors change element by element", T, float, double, ComplexFloat,
                   ComplexDouble) {
  using R = Real<T>;
  constexpr auto axpy = std::make_tuple(cublasSaxpy, cublasDaxpy, cublasCaxpy, cublasZaxpy);
  constexpr auto copy = std::make_tuple(cublasScopy, cublasDcopy, cublasCcopy, cublasZcopy);
  constexpr auto swap = std::make_tuple(cublasSswap, cublasDswap, cublasCswap, cublasZswap);
  constexpr auto scal = std::make_tuple(cublasSscal, cublasDscal, cublasCscal, cublasZscal);
  constexpr auto real_scal = std::make_tuple(cublasSscal, cublasDscal, cublasCsscal, cublasZdscal);
  constexpr auto rot = std::make_tuple(cublasSrot, cublasDrot, cublasCrot, cublasZrot);
  constexpr auto real_rot = std::make_tuple(cublasSrot, cublasDrot, cublasCsrot, cublasZdrot);
  const T alpha = number<T>(2, -1);
  const R factor = 3;
  const R sine = 2;
  for (const int incx : kSteps)
    for (const int incy : kSteps) {
      CAPTURE(incx);
      CAPTURE(incy);
      const Vector<T> x(5, incx);
      const Vector<T> y(5, incy);
      /// Runs a routine, and compares both vectors with what `expect(x, y)` returns for each
      /// element.
      const auto check = [&](auto&& run, auto&& expect) {
        Vector<T> new_x = x;
        Vector<T> new_y = y;
        for (int i = 0; i < x.n; ++i) expect(new_x(i), new_y(i));
        const Device<T> of_x(x.values);
        const Device<T> of_y(y.values);
        run(of_x.get(), of_y.get());
        CHECK(of_x.values() == new_x.values);
        CHECK(of_y.values() == new_y.values);
      };
      check([&](T* a, T* b) { call<T>(axpy, 5, &alpha, a, incx, b, incy); },
            [&](T& a, T& b) { b += alpha * a; });
      check([&](T* a, T* b) { call<T>(copy, 5, a, incx, b, incy); }, [](T& a, T& b) { b = a; });
      check([&](T* a, T* b) { call<T>(swap, 5, a, incx, b, incy); },
            [](T& a, T& b) { std::swap(a, b); });
      const bool scales = incx > 0;
      check([&](T* a, T*) { call<T>(scal, 5, &alpha, a, incx); },
            [&](T& a, T&) { a *= scales ? alpha : T(1); });
      check([&](T* a, T*) { call<T>(real_scal, 5, &factor, a, incx); },
            [&](T& a, T&) { a *= scales ? factor : R(1); });
      const auto turn = [&](T& a, T& b, const T& s) {
        const T first = factor * a + s * b;
        b = factor * b - conjugate(s) * a;
        a = first;
      };
      check([&](T* a, T* b) { call<T>(rot, 5, a, incx, b, incy, &factor, &alpha); },
            [&](T& a, T& b) { turn(a, b, alpha); });
      check([&](T* a, T* b) { call<T>(real_rot, 5, a, incx, b, incy, &factor, &sine); },
            [&](T& a, T& b) { turn(a, b, T(sine)); });
    }
  const Device<T> factors({alpha});
  const Device<T> x({T(1), T(2)});
  REQUIRE(cublasSetPointerMode(handle(), CUBLAS_POINTER_MODE_DEVICE) == CUBLAS_STATUS_SUCCESS);
  call<T>(scal, 2, factors.get(), x.get(), 1);
  REQUIRE(cublasSetPointerMode(handle(), CUBLAS_POINTER_MODE_HOST) == CUBLAS_STATUS_SUCCESS);
  CHECK(x.values() == std::vector<T>{alpha, T(2) * alpha});
}

TEST_CASE_TEMPLATE("rotations are made, and turn what they were made of", T, float, double,
                   ComplexFloat, ComplexDouble) {
  constexpr auto rotg = std::make_tuple(cublasSrotg, cublasDrotg, cublasCrotg, cublasZrotg);
  constexpr auto rot = std::make_tuple(cublasSrot, cublasDrot, cublasCrot, cublasZrot);
  const T first = number<T>(3, 1);
  const T second = number<T>(-4, 2);
  in_both_pointer_modes([&](bool on_device) {
    const Device<T> numbers({first, second, T(0)});
    const Device<Real<T>> cosine({Real<T>(0)});
    T a = first;
    T b = second;
    T s{};
    Real<T> c{};
    if (on_device) {
      call<T>(rotg, numbers.get(), numbers.get() + 1, cosine.get(), numbers.get() + 2);
      a = numbers.values()[0];
      s = numbers.values()[2];
      c = cosine.values()[0];
      REQUIRE(cublasSetPointerMode(handle(), CUBLAS_POINTER_MODE_HOST) == CUBLAS_STATUS_SUCCESS);
    } else {
      call<T>(rotg, &a, &b, &c, &s);
    }
    const Device<T> x({first});
    const Device<T> y({second});
    call<T>(rot, 1, x.get(), 1, y.get(), 1, &c, &s);
    CHECK(std::abs(x.values()[0] - a) < 1e-5);
    CHECK(std::abs(y.values()[0]) < 1e-5);
  });
}

TEST_CASE_TEMPLATE("modified rotations", T, float, double) {
  constexpr auto rotm = std::make_tuple(cublasSrotm, cublasDrotm);
  constexpr auto rotmg = std::make_tuple(cublasSrotmg, cublasDrotmg);
  const Device<T> x({T(1), T(2)});
  const Device<T> y({T(3), T(4)});
  const T full[] = {T(-1), T(2), T(3), T(4), T(5)};  // flag, h11, h21, h12, h22
  call<T>(rotm, 2, x.get(), 1, y.get(), -1, full);
  CHECK(x.values() == std::vector<T>{T(2 + 16), T(4 + 12)});
  CHECK(y.values() == std::vector<T>{T(6 + 15), T(3 + 20)});
  // The rotation makes the second element 0.
  T d1 = 1, d2 = 1, x1 = 2;
  const T y1 = 1;
  T param[5] = {};
  call<T>(rotmg, &d1, &d2, &x1, &y1, param);
  const Device<T> u({T(2)});
  const Device<T> v({T(1)});
  call<T>(rotm, 1, u.get(), 1, v.get(), 1, param);
  CHECK(u.values()[0] == doctest::Approx(x1));
  CHECK(v.values()[0] == doctest::Approx(0));
}

// ------------------------------------------------------------------------------------- level 2

TEST_CASE_TEMPLATE("a matrix times a vector", T, float, double, ComplexFloat, ComplexDouble) {
  constexpr auto gemv = std::make_tuple(cublasSgemv, cublasDgemv, cublasCgemv, cublasZgemv);
  constexpr auto gbmv = std::make_tuple(cublasSgbmv, cublasDgbmv, cublasCgbmv, cublasZgbmv);
  const Matrix<T> a(4, 3, 2);
  const Device<T> of_a(a);
  const int kl = 2, ku = 1;
  const Matrix<T> band = banded(a, kl, ku);
  const Device<T> of_band(band);
  for (const auto operation : kOperations) {
    CAPTURE(operation);
    check_vector(applied(operation, a), [&](auto... rest) {
      const auto [alpha, x, incx, beta, y, incy] = std::tuple{rest...};
      call<T>(gemv, operation, 4, 3, alpha, of_a.get(), a.ld, x, incx, beta, y, incy);
    });
    check_vector(applied(operation, within_band(a, kl, ku)), [&](auto... rest) {
      const auto [alpha, x, incx, beta, y, incy] = std::tuple{rest...};
      call<T>(gbmv, operation, 4, 3, kl, ku, alpha, of_band.get(), band.ld, x, incx, beta, y, incy);
    });
  }
}

TEST_CASE_TEMPLATE("a symmetric or Hermitian matrix times a vector", T, float, double, ComplexFloat,
                   ComplexDouble) {
  constexpr auto symv = std::make_tuple(cublasSsymv, cublasDsymv, cublasCsymv, cublasZsymv);
  constexpr auto hemv = std::make_tuple(cublasSsymv, cublasDsymv, cublasChemv, cublasZhemv);
  constexpr auto hbmv = std::make_tuple(cublasSsbmv, cublasDsbmv, cublasChbmv, cublasZhbmv);
  constexpr auto hpmv = std::make_tuple(cublasSspmv, cublasDspmv, cublasChpmv, cublasZhpmv);
  const Matrix<T> a(4, 4, 1);
  const Device<T> of_a(a);
  for (const auto fill : kFills) {
    CAPTURE(fill);
    const bool is_lower = fill == CUBLAS_FILL_MODE_LOWER;
    const Matrix<T> band = banded(a, is_lower ? 2 : 0, is_lower ? 0 : 2);
    const Device<T> of_band(band);
    const Device<T> of_packed(packed(fill, a));
    const Matrix<T> hermitian = completed(fill, true, a);
    check_vector(completed(fill, false, a), [&](auto alpha, auto... rest) {
      call<T>(symv, fill, 4, alpha, of_a.get(), a.ld, rest...);
    });
    check_vector(hermitian, [&](auto alpha, auto... rest) {
      call<T>(hemv, fill, 4, alpha, of_a.get(), a.ld, rest...);
    });
    check_vector(within_band(hermitian, 2, 2), [&](auto alpha, auto... rest) {
      call<T>(hbmv, fill, 4, 2, alpha, of_band.get(), band.ld, rest...);
    });
    check_vector(hermitian, [&](auto alpha, auto... rest) {
      call<T>(hpmv, fill, 4, alpha, of_packed.get(), rest...);
    });
  }
}

TEST_CASE_TEMPLATE("a triangular matrix times a vector, and back", T, float, double, ComplexFloat,
                   ComplexDouble) {
  constexpr auto trmv = std::make_tuple(cublasStrmv, cublasDtrmv, cublasCtrmv, cublasZtrmv);
  constexpr auto trsv = std::make_tuple(cublasStrsv, cublasDtrsv, cublasCtrsv, cublasZtrsv);
  constexpr auto tbmv = std::make_tuple(cublasStbmv, cublasDtbmv, cublasCtbmv, cublasZtbmv);
  constexpr auto tbsv = std::make_tuple(cublasStbsv, cublasDtbsv, cublasCtbsv, cublasZtbsv);
  constexpr auto tpmv = std::make_tuple(cublasStpmv, cublasDtpmv, cublasCtpmv, cublasZtpmv);
  constexpr auto tpsv = std::make_tuple(cublasStpsv, cublasDtpsv, cublasCtpsv, cublasZtpsv);
  Matrix<T> a(4, 4, 1);
  for (int i = 0; i < 4; ++i) a(i, i) = T(2);  // divisions by it are exact
  const Device<T> of_a(a);
  for (const auto fill : kFills)
    for (const auto operation : kOperations)
      for (const auto diagonal : kDiagonals)
        for (const int step : {1, -2}) {
          CAPTURE(fill);
          CAPTURE(operation);
          CAPTURE(diagonal);
          CAPTURE(step);
          const bool is_lower = fill == CUBLAS_FILL_MODE_LOWER;
          const Matrix<T> band = banded(a, is_lower ? 2 : 0, is_lower ? 0 : 2);
          const Device<T> of_band(band);
          const Device<T> of_packed(packed(fill, a));
          const Matrix<T> whole = triangular(fill, diagonal, a);
          const auto check = [&](const Matrix<T>& matrix, auto&& multiply, auto&& solve) {
            const Vector<T> x(4, step);
            Vector<T> expected = x;
            const Matrix<T> ax = product(applied(operation, matrix), x.as_column());
            for (int i = 0; i < 4; ++i) expected(i) = ax(i, 0);
            const Device<T> of_x(x.values);
            multiply(of_x.get());
            CHECK(of_x.values() == expected.values);
            solve(of_x.get());
            CHECK(of_x.values() == x.values);
          };
          check(
              whole,
              [&](T* x) { call<T>(trmv, fill, operation, diagonal, 4, of_a.get(), a.ld, x, step); },
              [&](T* x) {
                call<T>(trsv, fill, operation, diagonal, 4, of_a.get(), a.ld, x, step);
              });
          check(
              within_band(whole, 2, 2),
              [&](T* x) {
                call<T>(tbmv, fill, operation, diagonal, 4, 2, of_band.get(), band.ld, x, step);
              },
              [&](T* x) {
                call<T>(tbsv, fill, operation, diagonal, 4, 2, of_band.get(), band.ld, x, step);
              });
          check(
              whole,
              [&](T* x) { call<T>(tpmv, fill, operation, diagonal, 4, of_packed.get(), x, step); },
              [&](T* x) { call<T>(tpsv, fill, operation, diagonal, 4, of_packed.get(), x, step); });
        }
}

TEST_CASE_TEMPLATE("products of vectors are added to a matrix", T, float, double, ComplexFloat,
                   ComplexDouble) {
  using R = Real<T>;
  constexpr auto ger = std::make_tuple(cublasSger, cublasDger, cublasCgeru, cublasZgeru);
  constexpr auto gerc = std::make_tuple(cublasSger, cublasDger, cublasCgerc, cublasZgerc);
  constexpr auto syr = std::make_tuple(cublasSsyr, cublasDsyr, cublasCsyr, cublasZsyr);
  constexpr auto her = std::make_tuple(cublasSsyr, cublasDsyr, cublasCher, cublasZher);
  constexpr auto hpr = std::make_tuple(cublasSspr, cublasDspr, cublasChpr, cublasZhpr);
  constexpr auto syr2 = std::make_tuple(cublasSsyr2, cublasDsyr2, cublasCsyr2, cublasZsyr2);
  constexpr auto her2 = std::make_tuple(cublasSsyr2, cublasDsyr2, cublasCher2, cublasZher2);
  constexpr auto hpr2 = std::make_tuple(cublasSspr2, cublasDspr2, cublasChpr2, cublasZhpr2);
  const T alpha = number<T>(2, -1);
  const R real_alpha = 3;
  for (const int incx : kSteps)
    for (const int incy : {1, -2}) {
      CAPTURE(incx);
      CAPTURE(incy);
      const Vector<T> x(4, incx);
      const Vector<T> y(3, incy);
      const Vector<T> z(4, incy);
      const Device<T> of_x(x.values);
      const Device<T> of_y(y.values);
      const Device<T> of_z(z.values);
      for (const bool conjugates : {false, true}) {
        const Matrix<T> a(4, 3, 2);
        Matrix<T> expected = a;
        expected.set([&](int i, int j) {
          return a(i, j) + alpha * x(i) * (conjugates ? conjugate(y(j)) : y(j));
        });
        const Device<T> of_a(a);
        call<T>(conjugates ? gerc : ger, 4, 3, &alpha, of_x.get(), incx, of_y.get(), incy,
                of_a.get(), a.ld);
        CHECK(of_a.values() == expected.values);
      }
      for (const auto fill : kFills) {
        CAPTURE(fill);
        // Checks A += change(i, j) on one triangle; diagonals of Hermitian matrices are real.
        const auto check = [&](bool is_packed, bool is_hermitian, auto&& change, auto&& run) {
          Matrix<T> a(4, 4, is_packed ? 0 : 2);
          if (is_hermitian)
            for (int i = 0; i < 4; ++i) a(i, i) = T(std::real(a(i, i)));
          Matrix<T> expected = a;
          expected.set(
              [&](int i, int j) { return is_in(fill, i, j) ? a(i, j) + change(i, j) : a(i, j); });
          const Device<T> of_a(is_packed ? packed(fill, a) : a.values);
          run(of_a.get(), a.ld);
          CHECK(of_a.values() == (is_packed ? packed(fill, expected) : expected.values));
        };
        const auto plain = [&](int i, int j) { return alpha * x(i) * x(j); };
        const auto hermitian = [&](int i, int j) { return real_alpha * x(i) * conjugate(x(j)); };
        const auto plain_two = [&](int i, int j) { return alpha * (x(i) * z(j) + z(i) * x(j)); };
        const auto hermitian_two = [&](int i, int j) {
          return alpha * x(i) * conjugate(z(j)) + conjugate(alpha) * z(i) * conjugate(x(j));
        };
        check(false, false, plain,
              [&](T* a, int lda) { call<T>(syr, fill, 4, &alpha, of_x.get(), incx, a, lda); });
        check(false, true, hermitian,
              [&](T* a, int lda) { call<T>(her, fill, 4, &real_alpha, of_x.get(), incx, a, lda); });
        check(true, true, hermitian,
              [&](T* a, int) { call<T>(hpr, fill, 4, &real_alpha, of_x.get(), incx, a); });
        check(false, false, plain_two, [&](T* a, int lda) {
          call<T>(syr2, fill, 4, &alpha, of_x.get(), incx, of_z.get(), incy, a, lda);
        });
        check(false, true, hermitian_two, [&](T* a, int lda) {
          call<T>(her2, fill, 4, &alpha, of_x.get(), incx, of_z.get(), incy, a, lda);
        });
        check(true, true, hermitian_two, [&](T* a, int) {
          call<T>(hpr2, fill, 4, &alpha, of_x.get(), incx, of_z.get(), incy, a);
        });
      }
    }
}

// ------------------------------------------------------------------------------------- level 3

TEST_CASE_TEMPLATE("products of matrices, alone, in batches, and with scalars anywhere", T, float,
                   double, ComplexFloat, ComplexDouble) {
  constexpr auto gemm = std::make_tuple(cublasSgemm, cublasDgemm, cublasCgemm, cublasZgemm);
  constexpr auto wide =
      std::make_tuple(cublasSgemm_64, cublasDgemm_64, cublasCgemm_64, cublasZgemm_64);
  constexpr auto gemm3m = std::make_tuple(cublasSgemm, cublasDgemm, cublasCgemm3m, cublasZgemm3m);
  constexpr auto batched = std::make_tuple(cublasSgemmBatched, cublasDgemmBatched,
                                           cublasCgemmBatched, cublasZgemmBatched);
  constexpr auto strided = std::make_tuple(cublasSgemmStridedBatched, cublasDgemmStridedBatched,
                                           cublasCgemmStridedBatched, cublasZgemmStridedBatched);
  const T alpha = number<T>(2, 1);
  for (const auto transa : kOperations)
    for (const auto transb : kOperations) {
      CAPTURE(transa);
      CAPTURE(transb);
      const Matrix<T> a = applied(transa, Matrix<T>(5, 3));
      const Matrix<T> b = applied(transb, Matrix<T>(3, 4));
      const Matrix<T> ab = product(applied(transa, a), applied(transb, b));
      const Device<T> of_a(a);
      const Device<T> of_b(b);
      for (const auto& routine : {gemm, gemm3m})
        check_matrix(ab, alpha, everywhere, [&](const T* al, const T* be, T* c, int ldc) {
          call<T>(routine, transa, transb, 5, 4, 3, al, of_a.get(), a.ld, of_b.get(), b.ld, be, c,
                  ldc);
        });
      check_matrix(ab, alpha, everywhere, [&](const T* al, const T* be, T* c, int ldc) {
        call<T>(wide, transa, transb, 5, 4, 3, al, of_a.get(), a.ld, of_b.get(), b.ld, be, c, ldc);
      });
      // Scalars on the device; and three matrices C, the others with the same A and B.
      check_matrix(ab, alpha, everywhere, [&](const T* al, const T* be, T* c, int ldc) {
        const Device<T> scalars({*al, *be});
        REQUIRE(cublasSetPointerMode(handle(), CUBLAS_POINTER_MODE_DEVICE) ==
                CUBLAS_STATUS_SUCCESS);
        const std::size_t size = static_cast<std::size_t>(ldc) * 4;
        const Device<T> others(std::vector<T>(2 * size, T(1)));
        const Device<const T*> as({of_a.get(), of_a.get(), of_a.get()});
        const Device<const T*> bs({of_b.get(), of_b.get(), of_b.get()});
        const Device<T*> cs({others.get(), c, others.get() + size});
        call_batched<T>(batched, transa, transb, 5, 4, 3, scalars.get(), as.get(), a.ld, bs.get(),
                        b.ld, scalars.get() + 1, cs.get(), ldc, 3);
        REQUIRE(cublasSetPointerMode(handle(), CUBLAS_POINTER_MODE_HOST) == CUBLAS_STATUS_SUCCESS);
        const std::vector<T> two = others.values();
        CHECK(std::equal(two.begin(), two.begin() + static_cast<std::ptrdiff_t>(size),
                         two.begin() + static_cast<std::ptrdiff_t>(size)));
        CHECK(two[0] == *al * ab(0, 0) + *be);
      });
      const Matrix<T> many(5, 8);
      Matrix<T> expected = many;
      expected.set([&](int i, int j) { return alpha * ab(i, j % 4) + T(3) * many(i, j); });
      const Device<T> of_many(many);
      const T beta = 3;
      call<T>(strided, transa, transb, 5, 4, 3, &alpha, of_a.get(), a.ld, 0LL, of_b.get(), b.ld,
              0LL, &beta, of_many.get(), 5, 20LL, 2);
      CHECK(of_many.values() == expected.values);
    }
}

TEST_CASE_TEMPLATE("a product of row-major matrices is that of their transposes", T, float,
                   double) {
  constexpr auto gemm = std::make_tuple(cublasSgemm, cublasDgemm);
  const Matrix<T> a(3, 2);  // column-major: 2 x 3 in C's convention
  const Matrix<T> b(4, 3);
  const Device<T> of_a(a);
  const Device<T> of_b(b);
  const Device<T> of_c(std::vector<T>(8));
  const T one = 1, zero = 0;
  call<T>(gemm, CUBLAS_OP_N, CUBLAS_OP_N, 4, 2, 3, &one, of_b.get(), 4, of_a.get(), 3, &zero,
          of_c.get(), 4);
  std::vector<T> expected;
  for (int row = 0; row < 2; ++row)
    for (int column = 0; column < 4; ++column) {
      T sum = 0;
      for (int p = 0; p < 3; ++p)
        sum += a.values[static_cast<std::size_t>(row * 3 + p)] *
               b.values[static_cast<std::size_t>(p * 4 + column)];
      expected.push_back(sum);
    }
  CHECK(of_c.values() == expected);
}

TEST_CASE_TEMPLATE("vectors in batches", T, float, double, ComplexFloat, ComplexDouble) {
  constexpr auto strided = std::make_tuple(cublasSgemvStridedBatched, cublasDgemvStridedBatched,
                                           cublasCgemvStridedBatched, cublasZgemvStridedBatched);
  constexpr auto batched = std::make_tuple(cublasSgemvBatched, cublasDgemvBatched,
                                           cublasCgemvBatched, cublasZgemvBatched);
  const Matrix<T> a(3, 2);
  const Matrix<T> x(2, 2);
  const Matrix<T> ax = product(a, x);
  const Device<T> of_a(a);
  const Device<T> of_x(x);
  const T one = 1, zero = 0;
  const Device<T> of_y(std::vector<T>(6, kNan<T>));
  call<T>(strided, CUBLAS_OP_N, 3, 2, &one, of_a.get(), 3, 0LL, of_x.get(), 1, 2LL, &zero,
          of_y.get(), 1, 3LL, 2);
  CHECK(of_y.values() == ax.values);
  const Device<const T*> as({of_a.get(), of_a.get()});
  const Device<const T*> xs({of_x.get(), of_x.get() + 2});
  const Device<T*> ys({of_y.get() + 3, of_y.get()});
  call_batched<T>(batched, CUBLAS_OP_N, 3, 2, &one, as.get(), 3, xs.get(), 1, &zero, ys.get(), 1,
                  2);
  CHECK(of_y.values()[3] == ax(0, 0));
  CHECK(of_y.values()[0] == ax(0, 1));
}

TEST_CASE_TEMPLATE("symmetric and Hermitian matrices times others", T, float, double, ComplexFloat,
                   ComplexDouble) {
  constexpr auto symm = std::make_tuple(cublasSsymm, cublasDsymm, cublasCsymm, cublasZsymm);
  constexpr auto hemm = std::make_tuple(cublasSsymm, cublasDsymm, cublasChemm, cublasZhemm);
  const Matrix<T> b(4, 3, 1);
  const Device<T> of_b(b);
  const T alpha = number<T>(2, 1);
  for (const auto side : kSides)
    for (const auto fill : kFills)
      for (const bool is_hermitian : {false, true}) {
        CAPTURE(side);
        CAPTURE(fill);
        CAPTURE(is_hermitian);
        const int order = side == CUBLAS_SIDE_LEFT ? 4 : 3;
        const Matrix<T> a(order, order, 2);
        const Device<T> of_a(a);
        const Matrix<T> whole = completed(fill, is_hermitian, a);
        const Matrix<T> inner = applied(CUBLAS_OP_N, b);
        check_matrix(side == CUBLAS_SIDE_LEFT ? product(whole, inner) : product(inner, whole),
                     alpha, everywhere, [&](const T* al, const T* be, T* c, int ldc) {
                       call<T>(is_hermitian ? hemm : symm, side, fill, 4, 3, al, of_a.get(), a.ld,
                               of_b.get(), b.ld, be, c, ldc);
                     });
      }
}

TEST_CASE_TEMPLATE("one triangle of a product with its own transpose", T, float, double,
                   ComplexFloat, ComplexDouble) {
  using R = Real<T>;
  constexpr auto syrk = std::make_tuple(cublasSsyrk, cublasDsyrk, cublasCsyrk, cublasZsyrk);
  constexpr auto syr2k = std::make_tuple(cublasSsyr2k, cublasDsyr2k, cublasCsyr2k, cublasZsyr2k);
  constexpr auto syrkx = std::make_tuple(cublasSsyrkx, cublasDsyrkx, cublasCsyrkx, cublasZsyrkx);
  constexpr auto herk = std::make_tuple(cublasSsyrk, cublasDsyrk, cublasCherk, cublasZherk);
  constexpr auto her2k = std::make_tuple(cublasSsyr2k, cublasDsyr2k, cublasCher2k, cublasZher2k);
  constexpr auto herkx = std::make_tuple(cublasSsyrkx, cublasDsyrkx, cublasCherkx, cublasZherkx);
  const T alpha = number<T>(2, 1);
  const R real_alpha = 2;
  const T same_alpha = T(real_alpha);
  for (const auto fill : kFills)
    for (const bool is_transposed : {false, true}) {
      CAPTURE(fill);
      CAPTURE(is_transposed);
      const auto written = [&](int i, int j) { return is_in(fill, i, j); };
      const Matrix<T> a = is_transposed ? Matrix<T>(3, 4, 1) : Matrix<T>(4, 3, 1);
      const Matrix<T> b = is_transposed ? Matrix<T>(3, 4, 2) : Matrix<T>(4, 3, 2);
      const Device<T> of_a(a);
      const Device<T> of_b(b);
      for (const auto flip : {CUBLAS_OP_T, CUBLAS_OP_C}) {
        const auto trans = is_transposed ? flip : CUBLAS_OP_N;
        const auto times = [&](const Matrix<T>& one, const Matrix<T>& other) {
          return product(applied(trans, one), applied(is_transposed ? CUBLAS_OP_N : flip, other));
        };
        const Matrix<T> own = times(a, a);
        const Matrix<T> mixed = times(a, b);
        const Matrix<T> back = times(b, a);
        if (flip == CUBLAS_OP_T) {
          check_matrix(own, alpha, written, [&](const T* al, const T* be, T* c, int ldc) {
            call<T>(syrk, fill, trans, 4, 3, al, of_a.get(), a.ld, be, c, ldc);
          });
          check_matrix(mixed, alpha, written, [&](const T* al, const T* be, T* c, int ldc) {
            call<T>(syrkx, fill, trans, 4, 3, al, of_a.get(), a.ld, of_b.get(), b.ld, be, c, ldc);
          });
          check_matrix(Matrix<T>(4, 4).set([&](int i, int j) { return mixed(i, j) + back(i, j); }),
                       alpha, written, [&](const T* al, const T* be, T* c, int ldc) {
                         call<T>(syr2k, fill, trans, 4, 3, al, of_a.get(), a.ld, of_b.get(), b.ld,
                                 be, c, ldc);
                       });
          continue;
        }
        check_matrix(own, real_alpha, written, [&](const R* al, const R* be, T* c, int ldc) {
          call<T>(herk, fill, trans, 4, 3, al, of_a.get(), a.ld, be, c, ldc);
        });
        // Uses A A', so that the diagonal is real.
        check_matrix(own, real_alpha, written, [&](const R*, const R* be, T* c, int ldc) {
          call<T>(herkx, fill, trans, 4, 3, &same_alpha, of_a.get(), a.ld, of_a.get(), a.ld, be, c,
                  ldc);
        });
        check_matrix(Matrix<T>(4, 4).set([&](int i, int j) {
          return alpha * mixed(i, j) + conjugate(alpha) * back(i, j);
        }),
                     R(1), written, [&](const R*, const R* be, T* c, int ldc) {
                       call<T>(her2k, fill, trans, 4, 3, &alpha, of_a.get(), a.ld, of_b.get(), b.ld,
                               be, c, ldc);
                     });
      }
    }
}

TEST_CASE_TEMPLATE("triangular matrices times others, and back", T, float, double, ComplexFloat,
                   ComplexDouble) {
  constexpr auto trmm = std::make_tuple(cublasStrmm, cublasDtrmm, cublasCtrmm, cublasZtrmm);
  constexpr auto trsm = std::make_tuple(cublasStrsm, cublasDtrsm, cublasCtrsm, cublasZtrsm);
  constexpr auto batched = std::make_tuple(cublasStrsmBatched, cublasDtrsmBatched,
                                           cublasCtrsmBatched, cublasZtrsmBatched);
  const T two = 2;
  const T one_half = T(0.5);
  for (const auto side : kSides)
    for (const auto fill : kFills)
      for (const auto operation : kOperations)
        for (const auto diagonal : kDiagonals) {
          CAPTURE(side);
          CAPTURE(fill);
          CAPTURE(operation);
          CAPTURE(diagonal);
          const bool is_left = side == CUBLAS_SIDE_LEFT;
          const int order = is_left ? 4 : 3;
          Matrix<T> a(order, order, 1);
          for (int i = 0; i < order; ++i) a(i, i) = T(2);
          const Matrix<T> b(4, 3, 1);
          Matrix<T> c(4, 3, 2);
          const Matrix<T> whole = applied(operation, triangular(fill, diagonal, a));
          const Matrix<T> inner = applied(CUBLAS_OP_N, b);
          const Matrix<T> times = is_left ? product(whole, inner) : product(inner, whole);
          const Device<T> of_a(a);
          const Device<T> of_b(b);
          const Device<T> of_c(c);
          call<T>(trmm, side, fill, operation, diagonal, 4, 3, &two, of_a.get(), a.ld, of_b.get(),
                  b.ld, of_c.get(), c.ld);
          c.set([&](int i, int j) { return two * times(i, j); });
          CHECK(of_c.values() == c.values);
          CHECK(of_b.values() == b.values);
          call<T>(trsm, side, fill, operation, diagonal, 4, 3, &one_half, of_a.get(), a.ld,
                  of_c.get(), c.ld);
          c.set(b);
          CHECK(of_c.values() == c.values);
          // In place; then two at once with separate outputs.
          call<T>(trmm, side, fill, operation, diagonal, 4, 3, &two, of_a.get(), a.ld, of_c.get(),
                  c.ld, of_c.get(), c.ld);
          const Device<T> other(of_c.values());
          const Device<const T*> as({of_a.get(), of_a.get()});
          const Device<T*> cs({other.get(), of_c.get()});
          call_batched<T>(batched, side, fill, operation, diagonal, 4, 3, &one_half, as.get(), a.ld,
                          cs.get(), c.ld, 2);
          CHECK(of_c.values() == c.values);
          CHECK(other.values() == c.values);
        }
}

namespace {

/// Returns whether numbers are equal but for rounding.
template <class T>
bool are_close(const std::vector<T>& one, const std::vector<T>& other) {
  const Real<T> most = std::is_same_v<Real<T>, float> ? Real<T>(1e-4) : Real<T>(1e-11);
  if (one.size() != other.size()) return false;
  for (std::size_t i = 0; i < one.size(); ++i)
    if (!(std::abs(one[i] - other[i]) < most)) return false;
  return true;
}

}  // namespace

TEST_CASE_TEMPLATE("factorisations of many matrices", T, float, double, ComplexFloat,
                   ComplexDouble) {
  constexpr auto getrf = std::make_tuple(cublasSgetrfBatched, cublasDgetrfBatched,
                                         cublasCgetrfBatched, cublasZgetrfBatched);
  constexpr auto getri = std::make_tuple(cublasSgetriBatched, cublasDgetriBatched,
                                         cublasCgetriBatched, cublasZgetriBatched);
  constexpr auto getrs = std::make_tuple(cublasSgetrsBatched, cublasDgetrsBatched,
                                         cublasCgetrsBatched, cublasZgetrsBatched);
  constexpr auto matinv = std::make_tuple(cublasSmatinvBatched, cublasDmatinvBatched,
                                          cublasCmatinvBatched, cublasZmatinvBatched);
  const int n = 5, count = 3;
  for (const bool has_pivots : {true, false}) {
    CAPTURE(has_pivots);
    // The first two have an inverse, the last one does not. Without pivots, diagonals must be
    // large.
    std::vector<Matrix<T>> all(count, Matrix<T>(n, n, 2));
    all[1].set(
        [](int i, int j) { return number<T>(2 * ((i + j) % 5) - 3 * (i == (j + 1) % 5), i - j); });
    for (int i = 0; i < n; ++i) {
      all[0](i, has_pivots ? (i + 2) % n : i) += number<T>(20, 3);
      if (!has_pivots) all[1](i, i) += number<T>(30, 1);
      all[2](i, 3) = T(0);
    }
    if (!has_pivots) all[2].set([](int i, int j) { return T(i == j && i != 3); });
    const Device<T> a0(all[0]), a1(all[1]), a2(all[2]);
    const Device<T*> as({a0.get(), a1.get(), a2.get()});
    const Device<int> pivots(std::vector<int>(n * count)), infos(std::vector<int>(count, 9));
    int* const of_pivots = has_pivots ? pivots.get() : nullptr;
    call_batched<T>(matinv, n, as.get(), n + 2, as.get(), n + 2, infos.get(), 0);
    const Device<T> v0(Matrix<T>(n, n)), v1(Matrix<T>(n, n)), v2(Matrix<T>(n, n));
    const Device<T*> vs({v0.get(), v1.get(), v2.get()});
    const auto check_inverses = [&] {
      CHECK(infos.values() == std::vector<int>{0, 0, 4});
      const Device<T>* const inverses[] = {&v0, &v1};
      for (int k = 0; k < 2; ++k) {
        Matrix<T> inverse(n, n);
        inverse.values = inverses[k]->values();
        const Matrix<T> plain = applied(CUBLAS_OP_N, all[static_cast<std::size_t>(k)]);
        const Matrix<T> one = Matrix<T>(n, n).set([](int i, int j) { return T(i == j); });
        CHECK(are_close(product(plain, inverse).values, one.values));
      }
    };
    call_batched<T>(matinv, n, as.get(), n + 2, vs.get(), n, infos.get(), count);
    check_inverses();
    CHECK(a0.values() == all[0].values);

    call_batched<T>(getrf, n, as.get(), n + 2, of_pivots, infos.get(), count);
    CHECK(infos.values() == std::vector<int>{0, 0, 4});
    call_batched<T>(getri, n, as.get(), n + 2, of_pivots, vs.get(), n, infos.get(), count);
    check_inverses();
    for (const auto operation : kOperations) {
      CAPTURE(operation);
      const Matrix<T> x(n, 2);
      const auto times = [&](int k) {
        return product(applied(operation, all[static_cast<std::size_t>(k)]), x);
      };
      const Device<T> b0(times(0)), b1(times(1));
      const Device<T*> bs({b0.get(), b1.get()});
      int info = 7;
      call_batched<T>(getrs, operation, n, 2, as.get(), n + 2, of_pivots, bs.get(), n, &info, 2);
      CHECK(info == 0);
      CHECK(are_close(b0.values(), x.values));
      CHECK(are_close(b1.values(), x.values));
    }
  }
  int info = 0;
  CHECK(std::get<0>(getrs)(handle(), CUBLAS_OP_N, 2, 1, nullptr, 1, nullptr, nullptr, 2, &info,
                           1) == CUBLAS_STATUS_INVALID_VALUE);
  CHECK(info == -5);
  CHECK(std::get<0>(matinv)(handle(), 33, nullptr, 33, nullptr, 33, nullptr, 1) ==
        CUBLAS_STATUS_INVALID_VALUE);
}

TEST_CASE_TEMPLATE("sums of matrices, and diagonal ones times others", T, float, double,
                   ComplexFloat, ComplexDouble) {
  constexpr auto geam = std::make_tuple(cublasSgeam, cublasDgeam, cublasCgeam, cublasZgeam);
  constexpr auto dgmm = std::make_tuple(cublasSdgmm, cublasDdgmm, cublasCdgmm, cublasZdgmm);
  const T alpha = number<T>(2, 1);
  const T beta = number<T>(-1, 3);
  const T zero = 0;
  for (const auto transa : kOperations)
    for (const auto transb : kOperations) {
      CAPTURE(transa);
      CAPTURE(transb);
      const Matrix<T> a = applied(transa, Matrix<T>(4, 3));
      const Matrix<T> b = applied(transb, Matrix<T>(4, 3));
      const Matrix<T> one = applied(transa, a);
      const Matrix<T> other = applied(transb, b);
      Matrix<T> c(4, 3, 1);
      const Device<T> of_a(a);
      const Device<T> of_b(b);
      const Device<T> of_c(c);
      call<T>(geam, transa, transb, 4, 3, &alpha, of_a.get(), a.ld, &beta, of_b.get(), b.ld,
              of_c.get(), c.ld);
      c.set([&](int i, int j) { return alpha * one(i, j) + beta * other(i, j); });
      CHECK(of_c.values() == c.values);
      call<T>(geam, transa, transb, 4, 3, &alpha, of_a.get(), a.ld, &zero,
              static_cast<const T*>(nullptr), b.ld, of_c.get(), c.ld);
      c.set([&](int i, int j) { return alpha * one(i, j); });
      CHECK(of_c.values() == c.values);
    }
  for (const auto side : kSides)
    for (const int step : kSteps) {
      CAPTURE(side);
      CAPTURE(step);
      const bool is_left = side == CUBLAS_SIDE_LEFT;
      Matrix<T> a(4, 3, 1);
      const Vector<T> x(is_left ? 4 : 3, step);
      const Device<T> of_a(a);
      const Device<T> of_x(x.values);
      call<T>(dgmm, side, 4, 3, of_a.get(), a.ld, of_x.get(), step, of_a.get(), a.ld);
      const Matrix<T> before = a;
      a.set([&](int i, int j) { return before(i, j) * x(is_left ? i : j); });
      CHECK(of_a.values() == a.values);
    }
}

// --------------------------------------------------------------------- numbers of other types

namespace {

/// Checks a product of 16-bit numbers or bytes: 1 to 4 rounded to `A`, returned as `C`.
template <class A, class C, class S>
void check_mixed(cudaDataType from, cudaDataType to, cublasComputeType_t sums) {
  CAPTURE(from);
  CAPTURE(to);
  const std::vector<A> a = {A(1), A(2), A(3), A(4)};
  const std::vector<C> expected = {C(2 * 7 + 1), C(2 * 10 + 1), C(2 * 15 + 1), C(2 * 22 + 1)};
  const Device<A> of_a(a);
  const S alpha = S(2);
  const S beta = S(1);
  for (int way = 0; way < 3; ++way) {
    CAPTURE(way);
    const Device<C> of_c(std::vector<C>(4, C(1)));
    const Device<const void*> as({of_a.get()});
    const Device<void*> cs({of_c.get()});
    const auto n = CUBLAS_OP_N;
    cublasStatus_t status = CUBLAS_STATUS_SUCCESS;
    if (way == 0)
      status = cublasGemmEx(handle(), n, n, 2, 2, 2, &alpha, of_a.get(), from, 2, of_a.get(), from,
                            2, &beta, of_c.get(), to, 2, sums, CUBLAS_GEMM_DEFAULT);
    if (way == 1)
      status = cublasGemmBatchedEx(handle(), n, n, 2, 2, 2, &alpha, as.get(), from, 2, as.get(),
                                   from, 2, &beta, cs.get(), to, 2, 1, sums, CUBLAS_GEMM_DEFAULT);
    if (way == 2)
      status = cublasGemmStridedBatchedEx(handle(), n, n, 2, 2, 2, &alpha, of_a.get(), from, 2, 4,
                                          of_a.get(), from, 2, 4, &beta, of_c.get(), to, 2, 4, 1,
                                          sums, CUBLAS_GEMM_DEFAULT);
    CHECK(status == CUBLAS_STATUS_SUCCESS);
    const std::vector<C> result = of_c.values();
    for (std::size_t i = 0; i < 4; ++i)
      CHECK(static_cast<float>(result[i]) == static_cast<float>(expected[i]));
  }
}

}  // namespace

TEST_CASE("numbers of 16 and 8 bits are multiplied as floats or integers") {
  check_mixed<__half, __half, __half>(CUDA_R_16F, CUDA_R_16F, CUBLAS_COMPUTE_16F);
  check_mixed<__half, __half, float>(CUDA_R_16F, CUDA_R_16F, CUBLAS_COMPUTE_32F);
  check_mixed<__half, float, float>(CUDA_R_16F, CUDA_R_32F, CUBLAS_COMPUTE_32F);
  check_mixed<__nv_bfloat16, __nv_bfloat16, float>(CUDA_R_16BF, CUDA_R_16BF, CUBLAS_COMPUTE_32F);
  check_mixed<__nv_bfloat16, float, float>(CUDA_R_16BF, CUDA_R_32F, CUBLAS_COMPUTE_32F_FAST_16BF);
  check_mixed<float, float, float>(CUDA_R_32F, CUDA_R_32F, CUBLAS_COMPUTE_32F_FAST_TF32);
  check_mixed<double, double, double>(CUDA_R_64F, CUDA_R_64F, CUBLAS_COMPUTE_64F);
  check_mixed<std::int8_t, int, int>(CUDA_R_8I, CUDA_R_32I, CUBLAS_COMPUTE_32I);
  check_mixed<std::int8_t, float, float>(CUDA_R_8I, CUDA_R_32F, CUBLAS_COMPUTE_32F);
}

TEST_CASE("a sum of halves is kept in single precision, and rounded once") {
  // 2048 + 1 + 1: in half precision, each 1 would be lost.
  const Device<__half> a({__half(2048.0f), __half(1.0f), __half(1.0f)});
  const Device<__half> b({__half(1.0f), __half(1.0f), __half(1.0f)});
  const Device<__half> c({__half(0.0f)});
  const __half one = 1.0f, zero = 0.0f;
  REQUIRE(cublasHgemm(handle(), CUBLAS_OP_N, CUBLAS_OP_N, 1, 1, 3, &one, a.get(), 1, b.get(), 3,
                      &zero, c.get(), 1) == CUBLAS_STATUS_SUCCESS);
  CHECK(static_cast<float>(c.values()[0]) == 2050.0f);
  // 2049 lies half-way between two halves and rounds to the even one.
  REQUIRE(cublasHgemm(handle(), CUBLAS_OP_N, CUBLAS_OP_N, 1, 1, 2, &one, a.get(), 1, b.get(), 2,
                      &zero, c.get(), 1) == CUBLAS_STATUS_SUCCESS);
  CHECK(static_cast<float>(c.values()[0]) == 2048.0f);
}
