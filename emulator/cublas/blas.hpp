/// @file
/// OpenBLAS's routines by the type of their numbers. Columns are what lies together.
#pragma once

#include <cblas.h>

#include <complex>

#include "call.hpp"

namespace emu::cublas {

template <class T>
struct Blas;

template <>
struct Blas<float> {
  static constexpr auto gemv = cblas_sgemv;
  static constexpr auto gbmv = cblas_sgbmv;
  static constexpr auto trmv = cblas_strmv;
  static constexpr auto trsv = cblas_strsv;
  static constexpr auto tbmv = cblas_stbmv;
  static constexpr auto tbsv = cblas_stbsv;
  static constexpr auto tpmv = cblas_stpmv;
  static constexpr auto tpsv = cblas_stpsv;
  static constexpr auto hemv = cblas_ssymv;
  static constexpr auto hbmv = cblas_ssbmv;
  static constexpr auto hpmv = cblas_sspmv;
  static constexpr auto ger = cblas_sger;
  static constexpr auto gerc = cblas_sger;
  static constexpr auto her = cblas_ssyr;
  static constexpr auto hpr = cblas_sspr;
  static constexpr auto her2 = cblas_ssyr2;
  static constexpr auto hpr2 = cblas_sspr2;
  static constexpr auto gemm = cblas_sgemm;
  static constexpr auto symm = cblas_ssymm;
  static constexpr auto hemm = cblas_ssymm;
  static constexpr auto syrk = cblas_ssyrk;
  static constexpr auto herk = cblas_ssyrk;
  static constexpr auto syr2k = cblas_ssyr2k;
  static constexpr auto her2k = cblas_ssyr2k;
  static constexpr auto trmm = cblas_strmm;
  static constexpr auto trsm = cblas_strsm;
  static constexpr auto rotg = cblas_srotg;
  static constexpr auto rotm = cblas_srotm;
  static constexpr auto rotmg = cblas_srotmg;
};

template <>
struct Blas<double> {
  static constexpr auto gemv = cblas_dgemv;
  static constexpr auto gbmv = cblas_dgbmv;
  static constexpr auto trmv = cblas_dtrmv;
  static constexpr auto trsv = cblas_dtrsv;
  static constexpr auto tbmv = cblas_dtbmv;
  static constexpr auto tbsv = cblas_dtbsv;
  static constexpr auto tpmv = cblas_dtpmv;
  static constexpr auto tpsv = cblas_dtpsv;
  static constexpr auto hemv = cblas_dsymv;
  static constexpr auto hbmv = cblas_dsbmv;
  static constexpr auto hpmv = cblas_dspmv;
  static constexpr auto ger = cblas_dger;
  static constexpr auto gerc = cblas_dger;
  static constexpr auto her = cblas_dsyr;
  static constexpr auto hpr = cblas_dspr;
  static constexpr auto her2 = cblas_dsyr2;
  static constexpr auto hpr2 = cblas_dspr2;
  static constexpr auto gemm = cblas_dgemm;
  static constexpr auto symm = cblas_dsymm;
  static constexpr auto hemm = cblas_dsymm;
  static constexpr auto syrk = cblas_dsyrk;
  static constexpr auto herk = cblas_dsyrk;
  static constexpr auto syr2k = cblas_dsyr2k;
  static constexpr auto her2k = cblas_dsyr2k;
  static constexpr auto trmm = cblas_dtrmm;
  static constexpr auto trsm = cblas_dtrsm;
  static constexpr auto rotg = cblas_drotg;
  static constexpr auto rotm = cblas_drotm;
  static constexpr auto rotmg = cblas_drotmg;
};

template <>
struct Blas<std::complex<float>> {
  static constexpr auto gemv = cblas_cgemv;
  static constexpr auto gbmv = cblas_cgbmv;
  static constexpr auto trmv = cblas_ctrmv;
  static constexpr auto trsv = cblas_ctrsv;
  static constexpr auto tbmv = cblas_ctbmv;
  static constexpr auto tbsv = cblas_ctbsv;
  static constexpr auto tpmv = cblas_ctpmv;
  static constexpr auto tpsv = cblas_ctpsv;
  static constexpr auto hemv = cblas_chemv;
  static constexpr auto hbmv = cblas_chbmv;
  static constexpr auto hpmv = cblas_chpmv;
  static constexpr auto ger = cblas_cgeru;
  static constexpr auto gerc = cblas_cgerc;
  static constexpr auto her = cblas_cher;
  static constexpr auto hpr = cblas_chpr;
  static constexpr auto her2 = cblas_cher2;
  static constexpr auto hpr2 = cblas_chpr2;
  static constexpr auto gemm = cblas_cgemm;
  static constexpr auto symm = cblas_csymm;
  static constexpr auto hemm = cblas_chemm;
  static constexpr auto syrk = cblas_csyrk;
  static constexpr auto herk = cblas_cherk;
  static constexpr auto syr2k = cblas_csyr2k;
  static constexpr auto her2k = cblas_cher2k;
  static constexpr auto trmm = cblas_ctrmm;
  static constexpr auto trsm = cblas_ctrsm;
  static constexpr auto rotg = cblas_crotg;
};

template <>
struct Blas<std::complex<double>> {
  static constexpr auto gemv = cblas_zgemv;
  static constexpr auto gbmv = cblas_zgbmv;
  static constexpr auto trmv = cblas_ztrmv;
  static constexpr auto trsv = cblas_ztrsv;
  static constexpr auto tbmv = cblas_ztbmv;
  static constexpr auto tbsv = cblas_ztbsv;
  static constexpr auto tpmv = cblas_ztpmv;
  static constexpr auto tpsv = cblas_ztpsv;
  static constexpr auto hemv = cblas_zhemv;
  static constexpr auto hbmv = cblas_zhbmv;
  static constexpr auto hpmv = cblas_zhpmv;
  static constexpr auto ger = cblas_zgeru;
  static constexpr auto gerc = cblas_zgerc;
  static constexpr auto her = cblas_zher;
  static constexpr auto hpr = cblas_zhpr;
  static constexpr auto her2 = cblas_zher2;
  static constexpr auto hpr2 = cblas_zhpr2;
  static constexpr auto gemm = cblas_zgemm;
  static constexpr auto symm = cblas_zsymm;
  static constexpr auto hemm = cblas_zhemm;
  static constexpr auto syrk = cblas_zsyrk;
  static constexpr auto herk = cblas_zherk;
  static constexpr auto syr2k = cblas_zsyr2k;
  static constexpr auto her2k = cblas_zher2k;
  static constexpr auto trmm = cblas_ztrmm;
  static constexpr auto trsm = cblas_ztrsm;
  static constexpr auto rotg = cblas_zrotg;
};

/// A factor as OpenBLAS takes it: a complex one by its address.
template <class T>
auto factor(const T& value) {
  if constexpr (is_complex<T>) {
    return static_cast<const void*>(&value);
  } else {
    return value;
  }
}

}  // namespace emu::cublas
