/// @file
/// Level 1: vectors. A sum of floats is kept in double precision, and rounded at its end.
#pragma once

#include <algorithm>
#include <cmath>
#include <utility>

#include "blas.hpp"

namespace emu::cublas {

/// A vector whose elements are `step` apart; with a negative one, the first lies last in memory.
template <class T>
class Strided {
 public:
  Strided(T* x, Index n, Index step) : first_(step < 0 ? x - (n - 1) * step : x), step_(step) {}
  T& operator[](Index i) const { return first_[i * step_]; }

 private:
  T* first_;
  Index step_;
};

/// Calls `visit(x[i], y[i])`.
template <class T, class U, class Visit>
void for_pairs(Index n, T* x, Index incx, U* y, Index incy, Visit&& visit) {
  const Strided<T> a(x, n, incx);
  const Strided<U> b(y, n, incy);
  for (Index i = 0; i < n; ++i) visit(a[i], b[i]);
}

template <class T>
T conjugate(const T& value) {
  if constexpr (is_complex<T>) {
    return std::conj(value);
  } else {
    return value;
  }
}

/// What a sum of such numbers is kept in.
template <class T>
struct SumOf {
  using type = double;
};
template <class R>
struct SumOf<std::complex<R>> {
  using type = std::complex<double>;
};
template <class T>
using Sum = typename SumOf<T>::type;

/// |x|, or |re| + |im|: how large an element is, for level 1.
template <class T>
Real<T> magnitude(const T& x) {
  if constexpr (is_complex<T>) {
    return std::abs(x.real()) + std::abs(x.imag());
  } else {
    return std::abs(x);
  }
}

/// The place, from 1 on, of the first element that none other is `better` than; 0 if there is none.
template <class T, class I, class Better>
void index_of(Call& call, Index n, const T* x, Index incx, I* result, Better&& better) {
  Index best = 0;
  if (n > 0 && incx > 0) {
    Call::require(result != nullptr);
    call.vector("x", x, n, incx, Use::read);
    for (Index i = 1; i < n; ++i)
      if (better(magnitude(x[i * incx]), magnitude(x[best * incx]))) best = i;
    ++best;
  }
  call.result(result, best);
}

template <class T, class I>
void index_of_largest(Call& call, Index n, const T* x, Index incx, I* result) {
  index_of(call, n, x, incx, result, [](auto a, auto b) { return a > b; });
}

template <class T, class I>
void index_of_smallest(Call& call, Index n, const T* x, Index incx, I* result) {
  index_of(call, n, x, incx, result, [](auto a, auto b) { return a < b; });
}

template <class T>
void asum(Call& call, Index n, const T* x, Index incx, Real<T>* result) {
  Call::require(result != nullptr);
  double sum = 0;
  if (n > 0 && incx > 0) {
    call.vector("x", x, n, incx, Use::read);
    for (Index i = 0; i < n; ++i) sum += static_cast<double>(magnitude(x[i * incx]));
  }
  call.result(result, sum);
}

/// The Euclidean norm; of doubles, scaled by the largest so that no square overflows or vanishes.
template <class T>
void nrm2(Call& call, Index n, const T* x, Index incx, Real<T>* result) {
  Call::require(result != nullptr);
  double scale = 0;
  double sum = 0;
  if (n > 0 && incx > 0) {
    call.vector("x", x, n, incx, Use::read);
    for (Index i = 0; i < n; ++i)
      scale = std::fmax(scale, static_cast<double>(magnitude(x[i * incx])));
    if (scale == 0 || !std::isfinite(scale)) scale = 1;
    for (Index i = 0; i < n; ++i) sum += std::norm(Sum<T>(x[i * incx]) / scale);
  }
  call.result(result, n > 0 ? scale * std::sqrt(sum) : 0);
}

template <class T, class Product>
void inner(Call& call, Index n, const T* x, Index incx, const T* y, Index incy, T* result,
           Product&& product) {
  Call::require(result != nullptr);
  Sum<T> sum{};
  if (n > 0) {
    call.vector("x", x, n, incx, Use::read);
    call.vector("y", y, n, incy, Use::read);
    for_pairs(n, x, incx, y, incy,
              [&](const T& a, const T& b) { sum += product(Sum<T>(a), Sum<T>(b)); });
  }
  call.result(result, sum);
}

template <class T>
void dot(Call& call, Index n, const T* x, Index incx, const T* y, Index incy, T* result) {
  inner(call, n, x, incx, y, incy, result, [](auto a, auto b) { return a * b; });
}

template <class T>
void dot_of_conjugate(Call& call, Index n, const T* x, Index incx, const T* y, Index incy,
                      T* result) {
  inner(call, n, x, incx, y, incy, result, [](auto a, auto b) { return std::conj(a) * b; });
}

template <class T>
void axpy(Call& call, Index n, const T* alpha, const T* x, Index incx, T* y, Index incy) {
  const T a = call.scalar("alpha", alpha);
  if (n <= 0 || a == T(0)) return;
  call.vector("x", x, n, incx, Use::read);
  call.vector("y", y, n, incy, Use::update);
  for_pairs(n, x, incx, y, incy, [&](const T& from, T& to) { to += a * from; });
}

template <class T>
void copy(Call& call, Index n, const T* x, Index incx, T* y, Index incy) {
  if (n <= 0) return;
  call.vector("x", x, n, incx, Use::read);
  call.vector("y", y, n, incy, Use::write);
  for_pairs(n, x, incx, y, incy, [](const T& from, T& to) { to = from; });
}

template <class T>
void swap(Call& call, Index n, T* x, Index incx, T* y, Index incy) {
  if (n <= 0) return;
  call.vector("x", x, n, incx, Use::update);
  call.vector("y", y, n, incy, Use::update);
  for_pairs(n, x, incx, y, incy, [](T& a, T& b) { std::swap(a, b); });
}

template <class T, class S>
void scal(Call& call, Index n, const S* alpha, T* x, Index incx) {
  const S a = call.scalar("alpha", alpha);
  if (n <= 0 || incx <= 0) return;
  call.vector("x", x, n, incx, Use::update);
  for (Index i = 0; i < n; ++i) x[i * incx] *= a;
}

template <class T, class S>
void rot(Call& call, Index n, T* x, Index incx, T* y, Index incy, const Real<T>* c, const S* s) {
  const Real<T> cosine = call.scalar("c", c);
  const S sine = call.scalar("s", s);
  if (n <= 0) return;
  call.vector("x", x, n, incx, Use::update);
  call.vector("y", y, n, incy, Use::update);
  for_pairs(n, x, incx, y, incy, [&](T& a, T& b) {
    const T turned = cosine * a + sine * b;
    b = cosine * b - conjugate(sine) * a;
    a = turned;
  });
}

/// Looks at the numbers of a rotation, which the pointer mode is about, so that a routine may use
/// them.
template <class... T>
void look_at_numbers(Call& call, T*... pointers) {
  (Call::require(pointers != nullptr), ...);
  if (call.has_device_scalars()) (call.piece("a parameter", pointers, sizeof(T), Use::update), ...);
}

template <class T>
void rotg(Call& call, T* a, T* b, Real<T>* c, T* s) {
  Call::require(c != nullptr && s != nullptr);
  if (call.has_device_scalars()) {
    call.piece("c", c, sizeof *c, Use::write);
    call.piece("s", s, sizeof *s, Use::write);
  }
  look_at_numbers(call, a, b);
  Blas<T>::rotg(a, b, c, s);
}

constexpr int kRotationNumbers = 5;  // the flag and the matrix

template <class T>
void rotm(Call& call, Index n, T* x, Index incx, T* y, Index incy, const T* param) {
  Call::require(param != nullptr);
  T numbers[kRotationNumbers];
  if (call.has_device_scalars()) call.piece("param", param, sizeof numbers, Use::read);
  std::copy_n(param, kRotationNumbers, numbers);
  if (n <= 0) return;
  call.vector("x", x, n, incx, Use::update);
  call.vector("y", y, n, incy, Use::update);
  Blas<T>::rotm(Call::size(n), x, Call::size(incx), y, Call::size(incy), numbers);
}

template <class T>
void rotmg(Call& call, T* d1, T* d2, T* x1, const T* y1, T* param) {
  const T last = call.scalar("y1", y1);
  Call::require(param != nullptr);
  if (call.has_device_scalars())
    call.piece("param", param, kRotationNumbers * sizeof(T), Use::write);
  look_at_numbers(call, d1, d2, x1);
  Blas<T>::rotmg(d1, d2, x1, last, param);
}

}  // namespace emu::cublas
