#pragma once

/// @file
/// The four types of numbers of BLAS and LAPACK, for the tests of the libraries that have a routine
/// for each.

#include <complex>
#include <cstddef>
#include <type_traits>

using ComplexFloat = std::complex<float>;
using ComplexDouble = std::complex<double>;

/// The place of T's routine among those for S, D, C and Z.
template <class T>
constexpr std::size_t kPlace = std::is_same_v<T, float>          ? 0
                               : std::is_same_v<T, double>       ? 1
                               : std::is_same_v<T, ComplexFloat> ? 2
                                                                 : 3;
template <class T>
constexpr bool kIsComplex = kPlace<T> >= 2;
/// The type of T's real part.
template <class T>
using Real = std::conditional_t<kPlace<T> % 2 == 0, float, double>;
