/// @file
/// A call of cuSOLVER: what the program hands over is looked at here before LAPACK uses it.
#pragma once

#include <algorithm>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <type_traits>

#include "cusolverDn.h"
#include "emulator/check.h"
#include "runtime/library_call.hpp"

struct cusolverDnContext {
  cudaStream_t stream = nullptr;
  cusolverDeterministicMode_t mode = CUSOLVER_DETERMINISTIC_RESULTS;
};

namespace emu::cusolver {

/// Arguments in the types that LAPACK has: CUDA's complex numbers are C++'s.
template <class T>
constexpr T number(T argument) {
  return argument;
}
inline auto number(cuComplex* p) { return reinterpret_cast<std::complex<float>*>(p); }
inline auto number(const cuComplex* p) { return reinterpret_cast<const std::complex<float>*>(p); }
inline auto number(cuDoubleComplex* p) { return reinterpret_cast<std::complex<double>*>(p); }
inline auto number(const cuDoubleComplex* p) {
  return reinterpret_cast<const std::complex<double>*>(p);
}
inline auto number(cuComplex** p) { return reinterpret_cast<std::complex<float>**>(p); }
inline auto number(cuDoubleComplex** p) { return reinterpret_cast<std::complex<double>**>(p); }

/// Ends a call with this status.
struct Refusal {
  cusolverStatus_t status;
};

class Call {
 public:
  Call(const char* name, const void* call_site)
      : operands_({"cuSOLVER", "the sizes and the leading dimension"}, name, call_site) {}

  /// Refuses what cuSOLVER calls an invalid value.
  static void require(bool is_valid) {
    if (!is_valid) throw Refusal{CUSOLVER_STATUS_INVALID_VALUE};
  }
  static bool fits(std::int64_t ld, std::int64_t rows) {
    return ld >= std::max<std::int64_t>(1, rows);
  }

  /// An argument that may be wrong, with its number: the first behind the handle is 1.
  struct Argument {
    int number;
    bool is_right;
  };
  /// Returns the number of the first wrong argument, 0 if there is none.
  static int first_wrong(std::initializer_list<Argument> arguments) {
    for (const Argument& argument : arguments)
      if (!argument.is_right) return argument.number;
    return 0;
  }
  /// Refuses a wrong argument, and says in `place` which one it is: minus its number.
  void require(std::initializer_list<Argument> arguments, int* place) {
    const int wrong = first_wrong(arguments);
    if (wrong == 0) return;
    *info(place) = -wrong;
    require(false);
  }

  static bool is_known(cublasOperation_t operation) {
    return operation == CUBLAS_OP_N || operation == CUBLAS_OP_T || operation == CUBLAS_OP_C;
  }
  static bool is_known(cublasFillMode_t fill) {
    return fill == CUBLAS_FILL_MODE_LOWER || fill == CUBLAS_FILL_MODE_UPPER;
  }
  static bool is_known(cublasSideMode_t side) {
    return side == CUBLAS_SIDE_LEFT || side == CUBLAS_SIDE_RIGHT;
  }
  static bool is_known(cusolverEigMode_t mode) {
    return mode == CUSOLVER_EIG_MODE_NOVECTOR || mode == CUSOLVER_EIG_MODE_VECTOR;
  }

  /// LAPACK's letter for a known enumerator.
  static char letter(cublasOperation_t operation) {
    return operation == CUBLAS_OP_N ? 'N' : operation == CUBLAS_OP_T ? 'T' : 'C';
  }
  static char letter(cublasFillMode_t fill) { return fill == CUBLAS_FILL_MODE_LOWER ? 'L' : 'U'; }
  static char letter(cublasSideMode_t side) { return side == CUBLAS_SIDE_LEFT ? 'L' : 'R'; }
  static char letter(cusolverEigMode_t mode) {
    return mode == CUSOLVER_EIG_MODE_VECTOR ? 'V' : 'N';
  }

  /// Looks at a matrix. One triangle of it may not be written, so only what a routine writes is
  /// compared with what was written before.
  template <class T>
  void matrix(const char* name, T* A, std::int64_t rows, std::int64_t columns, std::int64_t ld,
              Use use) {
    if (rows == 0 || columns == 0) return;
    operands_.reach(name, A, bytes_of<T>((columns - 1) * ld + rows));
    if (checking().init)
      for (std::int64_t j = 0; j < columns; ++j)
        operands_.touch(name, A + j * ld, bytes_of<T>(rows), use);
  }
  template <class T>
  void triangle(const char* name, T* A, char uplo, std::int64_t n, std::int64_t ld) {
    if (n == 0) return;
    operands_.reach(name, A, bytes_of<T>((n - 1) * ld + n));
    if (checking().init)
      for (std::int64_t j = 0; j < n; ++j)
        operands_.touch(name, A + j * ld + (uplo == 'L' ? j : 0),
                        bytes_of<T>(uplo == 'L' ? n - j : j + 1), Use::read);
  }
  template <class T>
  void vector(const char* name, T* x, std::int64_t n, Use use) {
    matrix(name, x, n, 1, n, use);
  }
  /// Where a routine says whether it succeeded.
  int* info(int* place, std::int64_t count = 1) {
    require(place != nullptr);
    vector("the result", place, count, Use::write);
    return place;
  }

 private:
  template <class T>
  static std::size_t bytes_of(std::int64_t elements) {
    return static_cast<std::size_t>(elements) * sizeof(T);
  }

  LibraryOperands operands_;
};

/// Whether `handle` was created and not destroyed.
bool is_alive(cusolverDnHandle_t handle);

/// Does the work of a call after what is before it in the stream.
template <class Work>
cusolverStatus_t run(const char* name, cusolverDnHandle_t handle, const void* call_site,
                     const Work& work) {
  if (!is_alive(handle)) return CUSOLVER_STATUS_NOT_INITIALIZED;
  if (begin_library_call(name, handle->stream) != Readiness::ready)
    return CUSOLVER_STATUS_EXECUTION_FAILED;
  try {
    Call call(name, call_site);
    work(call);
    return CUSOLVER_STATUS_SUCCESS;
  } catch (const Refusal& refusal) {
    return refusal.status;
  } catch (const DeviceFailed&) {
    return CUSOLVER_STATUS_SUCCESS;
  } catch (const std::bad_alloc&) {
    return CUSOLVER_STATUS_ALLOC_FAILED;
  }
}

/// As many numbers as a call says that it needs. It uses none.
constexpr int kWorkNumbers = 256;

template <class Size>
cusolverStatus_t size(cusolverDnHandle_t handle, Size* numbers) {
  if (!is_alive(handle)) return CUSOLVER_STATUS_NOT_INITIALIZED;
  if (numbers == nullptr) return CUSOLVER_STATUS_INVALID_VALUE;
  *numbers = kWorkNumbers;
  return CUSOLVER_STATUS_SUCCESS;
}

}  // namespace emu::cusolver
