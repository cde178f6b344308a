// Matrices in other forms.
#include <algorithm>
#include <vector>

#include "call.hpp"

namespace emu::cusparse {

namespace {

constexpr auto kSuccess = CUSPARSE_STATUS_SUCCESS;
constexpr auto kInvalid = CUSPARSE_STATUS_INVALID_VALUE;

cusparseStatus_t check(cusparseHandle_t handle, cusparseConstSpMatDescr_t sparse,
                       cusparseConstDnMatDescr_t dense) {
  if (!is_alive(handle) || !is_alive(sparse) || !is_alive(dense)) return kInvalid;
  if (sparse->rows != dense->rows || sparse->columns != dense->columns) return kInvalid;
  return sparse->type == dense->type ? kSuccess : CUSPARSE_STATUS_NOT_SUPPORTED;
}

/// Calls `visit(list, index, value)` for all numbers of a dense matrix that are not zero, in the
/// order in which the format has them: by columns for CSC, else by rows.
template <class T, class Visit>
void for_each_number(const cusparseDnMatDescr& dense, const T* values, cusparseFormat_t format,
                     const Visit& visit) {
  const bool by_columns = format == CUSPARSE_FORMAT_CSC;
  const int64_t lists = by_columns ? dense.columns : dense.rows;
  const int64_t length = by_columns ? dense.rows : dense.columns;
  for (int64_t list = 0; list < lists; ++list)
    for (int64_t k = 0; k < length; ++k) {
      const T value = values[by_columns ? dense.place(k, list) : dense.place(list, k)];
      if (value != T(0)) visit(list, k, value);
    }
}

/// Writes where each list begins and the last one ends.
/// @param counts  how many values each list has
void write_offsets(Call& call, const cusparseSpMatDescr& sparse,
                   const std::vector<int64_t>& counts) {
  Indices offsets(call, "the offsets", sparse.outer, sparse.outer_elements(), sparse.index_type,
                  sparse.base, Use::write);
  int64_t sum = 0;
  for (int64_t list = 0; list < sparse.lists(); ++list) {
    offsets.set(list, sum);
    sum += counts[static_cast<std::size_t>(list)];
  }
  offsets.set(sparse.lists(), sum);
}

template <class T>
std::vector<int64_t> count(Call& call, const cusparseDnMatDescr& dense,
                           const cusparseSpMatDescr& sparse) {
  std::vector<int64_t> counts(static_cast<std::size_t>(sparse.lists()));
  for_each_number(dense, call.numbers<T>("the dense matrix", dense, Use::read), sparse.format,
                  [&](int64_t list, int64_t, T) { ++counts[static_cast<std::size_t>(list)]; });
  return counts;
}

template <class T>
void write_sparse(Call& call, const cusparseDnMatDescr& dense, const cusparseSpMatDescr& sparse) {
  const T* const in = call.numbers<T>("the dense matrix", dense, Use::read);
  T* const values = call.numbers<T>("the values", sparse.values, sparse.count, Use::write);
  Indices indices(call, "the indices", sparse.indices, sparse.count, sparse.index_type, sparse.base,
                  Use::write);
  const std::vector<int64_t> counts = count<T>(call, dense, sparse);
  int64_t all = 0;
  for (const int64_t one : counts) all += one;
  if (all > sparse.count)
    call.refuse(fmt::format("meets {} numbers, and there is room for {}", all, sparse.count),
                sparse.values, "cusparseDenseToSparse_analysis counts them: did it run?");
  int64_t next = 0;
  if (sparse.is_compressed()) {
    write_offsets(call, sparse, counts);
    for_each_number(dense, in, sparse.format, [&](int64_t, int64_t k, T value) {
      indices.set(next, k);
      values[next++] = value;
    });
    return;
  }
  Indices rows(call, "the row indices", sparse.outer, sparse.count, sparse.index_type, sparse.base,
               Use::write);
  for_each_number(dense, in, sparse.format, [&](int64_t row, int64_t column, T value) {
    rows.set(next, row);
    indices.set(next, column);
    values[next++] = value;
  });
}

}  // namespace

}  // namespace emu::cusparse

using namespace emu;
using namespace emu::cusparse;

extern "C" {

cusparseStatus_t cusparseSparseToDense_bufferSize(cusparseHandle_t handle,
                                                  cusparseConstSpMatDescr_t matA,
                                                  cusparseDnMatDescr_t matB,
                                                  cusparseSparseToDenseAlg_t, size_t* bufferSize) {
  return give_size(check(handle, matA, matB), bufferSize);
}

cusparseStatus_t cusparseSparseToDense(cusparseHandle_t handle, cusparseConstSpMatDescr_t matA,
                                       cusparseDnMatDescr_t matB, cusparseSparseToDenseAlg_t,
                                       void*) {
  const cusparseStatus_t status = check(handle, matA, matB);
  if (status != kSuccess) return status;
  return run("cusparseSparseToDense", handle, __builtin_return_address(0), [&](Call& call) {
    with_type(matA->type, [&]<class T>(T) {
      T* const out = call.numbers<T>("the dense matrix", *matB, Use::write);
      for (int64_t i = 0; i < matB->rows; ++i)
        for (int64_t j = 0; j < matB->columns; ++j) out[matB->place(i, j)] = T(0);
      for_each_value<T>(call, *matA, [&](int64_t row, int64_t column, T value) {
        out[matB->place(row, column)] = value;
      });
    });
  });
}

cusparseStatus_t cusparseDenseToSparse_bufferSize(cusparseHandle_t handle,
                                                  cusparseConstDnMatDescr_t matA,
                                                  cusparseSpMatDescr_t matB,
                                                  cusparseDenseToSparseAlg_t, size_t* bufferSize) {
  return give_size(check(handle, matB, matA), bufferSize);
}

cusparseStatus_t cusparseDenseToSparse_analysis(cusparseHandle_t handle,
                                                cusparseConstDnMatDescr_t matA,
                                                cusparseSpMatDescr_t matB,
                                                cusparseDenseToSparseAlg_t, void*) {
  const cusparseStatus_t status = check(handle, matB, matA);
  if (status != kSuccess) return status;
  return run("cusparseDenseToSparse_analysis", handle, __builtin_return_address(0),
             [&](Call& call) {
               with_type(matA->type, [&]<class T>(T) {
                 const std::vector<int64_t> counts = count<T>(call, *matA, *matB);
                 matB->count = 0;
                 for (const int64_t one : counts) matB->count += one;
                 if (matB->is_compressed() && matB->outer) write_offsets(call, *matB, counts);
               });
             });
}

cusparseStatus_t cusparseDenseToSparse_convert(cusparseHandle_t handle,
                                               cusparseConstDnMatDescr_t matA,
                                               cusparseSpMatDescr_t matB,
                                               cusparseDenseToSparseAlg_t, void*) {
  const cusparseStatus_t status = check(handle, matB, matA);
  if (status != kSuccess) return status;
  return run("cusparseDenseToSparse_convert", handle, __builtin_return_address(0), [&](Call& call) {
    with_type(matA->type, [&]<class T>(T) { write_sparse<T>(call, *matA, *matB); });
  });
}

cusparseStatus_t cusparseXcoo2csr(cusparseHandle_t handle, const int* cooRowInd, int nnz, int m,
                                  int* csrSortedRowPtr, cusparseIndexBase_t idxBase) {
  if (!is_alive(handle) || nnz < 0 || m < 0) return kInvalid;
  return run("cusparseXcoo2csr", handle, __builtin_return_address(0), [&](Call& call) {
    const Indices rows(call, "the row indices", const_cast<int*>(cooRowInd), nnz,
                       CUSPARSE_INDEX_32I, idxBase);
    Indices offsets(call, "the offsets", csrSortedRowPtr, m + 1, CUSPARSE_INDEX_32I, idxBase,
                    Use::write);
    std::vector<int64_t> counts(static_cast<std::size_t>(m));
    for (int64_t k = 0; k < nnz; ++k) {
      check_index(call, rows[k], m, "rows", cooRowInd);
      ++counts[static_cast<std::size_t>(rows[k])];
    }
    int64_t sum = 0;
    for (int64_t row = 0; row < m; ++row) {
      offsets.set(row, sum);
      sum += counts[static_cast<std::size_t>(row)];
    }
    offsets.set(m, sum);
  });
}

cusparseStatus_t cusparseXcsr2coo(cusparseHandle_t handle, const int* csrSortedRowPtr, int nnz,
                                  int m, int* cooRowInd, cusparseIndexBase_t idxBase) {
  if (!is_alive(handle) || nnz < 0 || m < 0) return kInvalid;
  return run("cusparseXcsr2coo", handle, __builtin_return_address(0), [&](Call& call) {
    const Indices offsets(call, "the offsets", const_cast<int*>(csrSortedRowPtr), m + 1,
                          CUSPARSE_INDEX_32I, idxBase);
    Indices rows(call, "the row indices", cooRowInd, nnz, CUSPARSE_INDEX_32I, idxBase, Use::write);
    for (int64_t row = 0; row < m; ++row)
      for (int64_t k = std::max<int64_t>(offsets[row], 0); k < offsets[row + 1] && k < nnz; ++k)
        rows.set(k, row);
  });
}

}  // extern "C"
