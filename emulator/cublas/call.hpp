/// @file
/// A call of cuBLAS: what the program hands over is looked at here before a routine uses it.
#pragma once

#include <cblas.h>

#include <algorithm>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <type_traits>

#include "context.hpp"
#include "emulator/check.h"
#include "runtime/library_call.hpp"

namespace emu::cublas {

using Index = std::int64_t;

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

/// Arguments in the types that the routines have: cuBLAS's complex numbers are C++'s.
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
inline auto number(cuComplex* const* p) { return reinterpret_cast<std::complex<float>* const*>(p); }
inline auto number(const cuComplex* const* p) {
  return reinterpret_cast<const std::complex<float>* const*>(p);
}
inline auto number(cuDoubleComplex* const* p) {
  return reinterpret_cast<std::complex<double>* const*>(p);
}
inline auto number(const cuDoubleComplex* const* p) {
  return reinterpret_cast<const std::complex<double>* const*>(p);
}

/// Ends a call with this status.
struct Refusal {
  cublasStatus_t status;
};

class Call {
 public:
  Call(const char* name, const cublasContext& context, const void* call_site)
      : operands_({"cuBLAS", "the sizes, the leading dimension and the increment"}, name,
                  call_site),
        has_device_scalars_(context.pointer_mode == CUBLAS_POINTER_MODE_DEVICE) {}

  /// Refuses what cuBLAS calls an invalid value.
  static void require(bool is_valid) {
    if (!is_valid) throw Refusal{CUBLAS_STATUS_INVALID_VALUE};
  }

  static CBLAS_TRANSPOSE read(cublasOperation_t operation);
  static CBLAS_UPLO read(cublasFillMode_t fill);
  static CBLAS_DIAG read(cublasDiagType_t diagonal);
  static CBLAS_SIDE read(cublasSideMode_t side);
  /// A size as OpenBLAS takes it.
  static int size(Index n) {
    if (n > std::numeric_limits<int>::max()) throw Refusal{CUBLAS_STATUS_NOT_SUPPORTED};
    return static_cast<int>(n);
  }

  bool has_device_scalars() const { return has_device_scalars_; }

  /// While one lives, scalars are the host's: those that a routine hands to another one.
  class HostScalars {
   public:
    explicit HostScalars(Call& call) : call_(call), before_(call.has_device_scalars_) {
      call.has_device_scalars_ = false;
    }
    ~HostScalars() { call_.has_device_scalars_ = before_; }
    HostScalars(const HostScalars&) = delete;
    HostScalars& operator=(const HostScalars&) = delete;

   private:
    Call& call_;
    bool before_;
  };

  /// A number that the host hands over, or the device has, as the pointer mode says. To be asked
  /// for before operands: from then on, the host can reach device memory.
  template <class T>
  T scalar(const char* name, const T* pointer) {
    require(pointer != nullptr);
    if (has_device_scalars_) piece(name, pointer, sizeof(T), Use::read);
    return *pointer;
  }

  /// Hands a result over likewise.
  template <class T, class V>
  void result(T* pointer, V value) {
    require(pointer != nullptr);
    if (has_device_scalars_) {
      piece("the result", pointer, sizeof(T), Use::write);
    } else {
      host_waits();
    }
    *pointer = static_cast<T>(value);
  }

  void piece(const char* name, const void* begin, std::size_t bytes, Use use) {
    operands_.reach(name, begin, bytes);
    operands_.touch(name, begin, bytes, use);
  }

  /// `n` elements, as far apart as `increment` says.
  template <class T>
  void vector(const char* name, T* x, Index n, Index increment, Use use) {
    const Index step = increment < 0 ? -increment : increment;
    step == 1 ? matrix(name, x, n, 1, n, use) : matrix(name, x, 1, n, step, use);
  }

  template <class T>
  void matrix(const char* name, T* A, Index rows, Index columns, Index ld, Use use) {
    if (rows == 0 || columns == 0) return;
    operands_.reach(name, A, bytes_of<T>((columns - 1) * ld + rows));
    if (checking().init)
      for (Index j = 0; j < columns; ++j) operands_.touch(name, A + j * ld, bytes_of<T>(rows), use);
  }

  /// One triangle of a square matrix.
  template <class T>
  void triangle(const char* name, T* A, CBLAS_UPLO fill, Index n, Index ld, Use use) {
    for (Index j = 0; j < n; ++j) {
      const Index first = fill == CblasLower ? j : 0;
      const Index rows = fill == CblasLower ? n - j : j + 1;
      piece(name, A + j * ld + first, bytes_of<T>(rows), use);
    }
  }

  /// The diagonals of an `m` x `n` matrix from the `kl`th below to the `ku`th above the main one,
  /// each a row.
  template <class T>
  void band(const T* A, Index m, Index n, Index kl, Index ku, Index ld) {
    for (Index j = 0; j < n; ++j) {
      const Index first = std::max<Index>(0, j - ku);
      const Index end = std::min(m, j + kl + 1);
      if (first < end) piece("A", A + j * ld + ku + first - j, bytes_of<T>(end - first), Use::read);
    }
  }

  /// A triangle without gaps.
  template <class T>
  void packed(T* AP, Index n, Use use) {
    piece("AP", AP, bytes_of<T>(n * (n + 1) / 2), use);
  }

 private:
  template <class T>
  static std::size_t bytes_of(Index elements) {
    return static_cast<std::size_t>(elements) * sizeof(T);
  }

  static void host_waits();

  LibraryOperands operands_;
  bool has_device_scalars_;
};

/// What a call does: a reference to a lambda. There are hundreds of calls, and a `std::function`
/// for each takes g++ long.
class Work {
 public:
  template <class F>
  Work(const F& work)
      : work_(&work),
        do_([](const void* that, Call& call) { (*static_cast<const F*>(that))(call); }) {}
  void operator()(Call& call) const { do_(work_, call); }

 private:
  const void* work_;
  void (*do_)(const void*, Call&);
};

/// One call by the program at `call_site`: looks at the handle, does the work, and turns what comes
/// of it into a status.
cublasStatus_t run(const char* name, cublasHandle_t handle, const void* call_site, Work work);

}  // namespace emu::cublas
