// Products of sparse and dense operands, and triangular systems.
#include <vector>

#include "call.hpp"

namespace emu::cusparse {

namespace {

constexpr auto kSuccess = CUSPARSE_STATUS_SUCCESS;
constexpr auto kInvalid = CUSPARSE_STATUS_INVALID_VALUE;
constexpr auto kNotSupported = CUSPARSE_STATUS_NOT_SUPPORTED;

bool has_algorithm(const cusparseSpMatDescr& matrix, cusparseSpMVAlg_t algorithm) {
  const bool is_coo = matrix.format == CUSPARSE_FORMAT_COO;
  switch (algorithm) {
    case CUSPARSE_SPMV_ALG_DEFAULT:
      return true;
    case CUSPARSE_SPMV_COO_ALG1:
    case CUSPARSE_SPMV_COO_ALG2:
      return is_coo;
    case CUSPARSE_SPMV_CSR_ALG1:
    case CUSPARSE_SPMV_CSR_ALG2:
      return !is_coo;
  }
  return false;
}

bool has_algorithm(const cusparseSpMatDescr& matrix, cusparseSpMMAlg_t algorithm) {
  const bool is_coo = matrix.format == CUSPARSE_FORMAT_COO;
  switch (algorithm) {
    case CUSPARSE_SPMM_ALG_DEFAULT:
      return true;
    case CUSPARSE_SPMM_COO_ALG1:
    case CUSPARSE_SPMM_COO_ALG2:
    case CUSPARSE_SPMM_COO_ALG3:
    case CUSPARSE_SPMM_COO_ALG4:
      return is_coo;
    case CUSPARSE_SPMM_CSR_ALG1:
    case CUSPARSE_SPMM_CSR_ALG2:
    case CUSPARSE_SPMM_CSR_ALG3:
      return !is_coo;
  }
  return false;
}

/// y = alpha op(A) x + beta y.
struct VectorProduct {
  cusparseHandle_t handle;
  cusparseOperation_t operation;
  const void* alpha;
  cusparseConstSpMatDescr_t A;
  cusparseConstDnVecDescr_t x;
  const void* beta;
  cusparseDnVecDescr_t y;
  cudaDataType type;
  cusparseSpMVAlg_t algorithm;

  cusparseStatus_t check() const {
    if (!is_alive(handle) || !alpha || !beta || !is_alive(A) || !is_alive(x) || !is_alive(y))
      return kInvalid;
    if (!is_valid(operation, A->type) || !has_algorithm(*A, algorithm)) return kInvalid;
    const bool is_transposed = Operation(operation).is_transposed;
    if (x->size != (is_transposed ? A->rows : A->columns)) return kInvalid;
    if (y->size != (is_transposed ? A->columns : A->rows)) return kInvalid;
    return A->type == x->type && A->type == y->type && A->type == type ? kSuccess : kNotSupported;
  }

  template <class T>
  void work(Call& call) const {
    const Operation op(operation);
    const T a = call.scalar<T>("alpha", alpha), b = call.scalar<T>("beta", beta);
    const T* const in = call.numbers<T>("x", *x, Use::read);
    T* const out = call.numbers<T>("y", *y, b == T(0) ? Use::write : Use::update);
    std::vector<T> sums(static_cast<std::size_t>(y->size));
    for_each_value<T>(call, *A, [&](int64_t row, int64_t column, T value) {
      const int64_t to = op.is_transposed ? column : row;
      sums[static_cast<std::size_t>(to)] += op.apply(value) * in[op.is_transposed ? row : column];
    });
    for (int64_t i = 0; i < y->size; ++i) {
      const T sum = a * sums[static_cast<std::size_t>(i)];
      out[i] = b == T(0) ? sum : sum + b * out[i];
    }
  }
};

/// C = alpha op(A) op(B) + beta C.
struct MatrixProduct {
  cusparseHandle_t handle;
  cusparseOperation_t operation_a, operation_b;
  const void* alpha;
  cusparseConstSpMatDescr_t A;
  cusparseConstDnMatDescr_t B;
  const void* beta;
  cusparseDnMatDescr_t C;
  cudaDataType type;
  cusparseSpMMAlg_t algorithm;

  cusparseStatus_t check() const {
    if (!is_alive(handle) || !alpha || !beta || !is_alive(A) || !is_alive(B) || !is_alive(C))
      return kInvalid;
    if (!is_valid(operation_a, A->type) || !is_valid(operation_b, A->type) ||
        !has_algorithm(*A, algorithm))
      return kInvalid;
    const bool a_is_transposed = Operation(operation_a).is_transposed;
    const bool b_is_transposed = Operation(operation_b).is_transposed;
    const int64_t rows = a_is_transposed ? A->columns : A->rows;
    const int64_t depth = a_is_transposed ? A->rows : A->columns;
    if (C->rows != rows || (b_is_transposed ? B->columns : B->rows) != depth ||
        C->columns != (b_is_transposed ? B->rows : B->columns))
      return kInvalid;
    return A->type == B->type && A->type == C->type && A->type == type ? kSuccess : kNotSupported;
  }

  template <class T>
  void work(Call& call) const {
    const Operation op_a(operation_a), op_b(operation_b);
    const T a = call.scalar<T>("alpha", alpha), b = call.scalar<T>("beta", beta);
    const T* const in = call.numbers<T>("B", *B, Use::read);
    T* const out = call.numbers<T>("C", *C, b == T(0) ? Use::write : Use::update);
    std::vector<T> sums(static_cast<std::size_t>(C->rows * C->columns));
    for_each_value<T>(call, *A, [&](int64_t row, int64_t column, T value) {
      const int64_t to = op_a.is_transposed ? column : row;
      const int64_t from = op_a.is_transposed ? row : column;
      const T factor = op_a.apply(value);
      for (int64_t j = 0; j < C->columns; ++j) {
        const T other = in[op_b.is_transposed ? B->place(j, from) : B->place(from, j)];
        sums[static_cast<std::size_t>(to * C->columns + j)] += factor * op_b.apply(other);
      }
    });
    for (int64_t i = 0; i < C->rows; ++i)
      for (int64_t j = 0; j < C->columns; ++j) {
        const T sum = a * sums[static_cast<std::size_t>(i * C->columns + j)];
        T& result = out[C->place(i, j)];
        result = b == T(0) ? sum : sum + b * result;
      }
  }
};

/// The triangle of a matrix that a system uses, by rows of op(A).
template <class T>
class Triangle {
 public:
  Triangle(Call& call, const cusparseSpMatDescr& A, const Operation& op)
      : rows_(static_cast<std::size_t>(A.rows)) {
    const bool has_lower = A.fill == CUSPARSE_FILL_MODE_LOWER;
    const bool has_unit = A.diagonal == CUSPARSE_DIAG_TYPE_UNIT;
    diagonal_.assign(rows_.size(), has_unit ? T(1) : T(0));
    goes_up_ = has_lower == op.is_transposed;
    for_each_value<T>(call, A, [&](int64_t row, int64_t column, T value) {
      if (row == column) {
        if (!has_unit) diagonal_[static_cast<std::size_t>(row)] += op.apply(value);
      } else if ((column < row) == has_lower) {
        const int64_t to = op.is_transposed ? column : row;
        rows_[static_cast<std::size_t>(to)].push_back(
            {op.is_transposed ? row : column, op.apply(value)});
      }
    });
  }

  /// Replaces the right side of a system by the solution.
  void solve(std::vector<T>& x) const {
    const std::size_t n = rows_.size();
    for (std::size_t step = 0; step < n; ++step) {
      const std::size_t i = goes_up_ ? n - 1 - step : step;
      for (const Entry& entry : rows_[i])
        x[i] -= entry.value * x[static_cast<std::size_t>(entry.column)];
      x[i] /= diagonal_[i];
    }
  }

 private:
  struct Entry {
    int64_t column;
    T value;
  };
  std::vector<std::vector<Entry>> rows_;
  std::vector<T> diagonal_;
  bool goes_up_ = false;
};

/// The y with op(A) y = alpha x, of which A's one triangle is used.
struct TriangularSystem {
  cusparseHandle_t handle;
  cusparseOperation_t operation;
  const void* alpha;
  cusparseConstSpMatDescr_t A;
  cusparseConstDnVecDescr_t x;
  cusparseDnVecDescr_t y;
  cudaDataType type;
  cusparseSpSVAlg_t algorithm;
  cusparseSpSVDescr_t descriptor;

  cusparseStatus_t check() const {
    if (!is_alive(handle) || !alpha || !is_alive(A) || !is_alive(x) || !is_alive(y) ||
        !is_alive(descriptor))
      return kInvalid;
    if (!is_valid(operation, A->type) || algorithm != CUSPARSE_SPSV_ALG_DEFAULT) return kInvalid;
    if (A->rows != A->columns || x->size != A->rows || y->size != A->rows) return kInvalid;
    if (A->format == CUSPARSE_FORMAT_CSC) return kNotSupported;
    return A->type == x->type && A->type == y->type && A->type == type ? kSuccess : kNotSupported;
  }

  template <class T>
  void work(Call& call) const {
    const auto n = static_cast<std::size_t>(A->rows);
    const T a = call.scalar<T>("alpha", alpha);
    const T* const in = call.numbers<T>("x", *x, Use::read);
    T* const out = call.numbers<T>("y", *y, Use::write);
    const Triangle<T> triangle(call, *A, Operation(operation));
    std::vector<T> result(n);
    for (std::size_t i = 0; i < n; ++i) result[i] = a * in[i];
    triangle.solve(result);
    for (std::size_t i = 0; i < n; ++i) out[i] = result[i];
  }
};

/// The C with op(A) C = alpha op(B), of which A's one triangle is used.
struct TriangularSystems {
  cusparseHandle_t handle;
  cusparseOperation_t operation_a, operation_b;
  const void* alpha;
  cusparseConstSpMatDescr_t A;
  cusparseConstDnMatDescr_t B;
  cusparseDnMatDescr_t C;
  cudaDataType type;
  cusparseSpSMAlg_t algorithm;
  cusparseSpSMDescr_t descriptor;

  cusparseStatus_t check() const {
    if (!is_alive(handle) || !alpha || !is_alive(A) || !is_alive(B) || !is_alive(C) ||
        !is_alive(descriptor))
      return kInvalid;
    if (!is_valid(operation_a, A->type) || !is_valid(operation_b, A->type) ||
        algorithm != CUSPARSE_SPSM_ALG_DEFAULT)
      return kInvalid;
    const bool is_transposed = Operation(operation_b).is_transposed;
    if (A->rows != A->columns || C->rows != A->rows ||
        (is_transposed ? B->columns : B->rows) != A->rows ||
        (is_transposed ? B->rows : B->columns) != C->columns)
      return kInvalid;
    if (A->format == CUSPARSE_FORMAT_CSC) return kNotSupported;
    return A->type == B->type && A->type == C->type && A->type == type ? kSuccess : kNotSupported;
  }

  template <class T>
  void work(Call& call) const {
    const Operation op_b(operation_b);
    const T a = call.scalar<T>("alpha", alpha);
    const T* const in = call.numbers<T>("B", *B, Use::read);
    T* const out = call.numbers<T>("C", *C, Use::write);
    const Triangle<T> triangle(call, *A, Operation(operation_a));
    // C may be B: all columns are read before one is written.
    std::vector<std::vector<T>> columns(static_cast<std::size_t>(C->columns));
    for (int64_t j = 0; j < C->columns; ++j) {
      std::vector<T>& column = columns[static_cast<std::size_t>(j)];
      for (int64_t i = 0; i < C->rows; ++i)
        column.push_back(a * op_b.apply(in[op_b.is_transposed ? B->place(j, i) : B->place(i, j)]));
      triangle.solve(column);
    }
    for (int64_t j = 0; j < C->columns; ++j)
      for (int64_t i = 0; i < C->rows; ++i)
        out[C->place(i, j)] = columns[static_cast<std::size_t>(j)][static_cast<std::size_t>(i)];
  }
};

/// C = alpha (op(A) op(B)) + beta C, of which C keeps its places.
struct SampledProduct {
  cusparseHandle_t handle;
  cusparseOperation_t operation_a, operation_b;
  const void* alpha;
  cusparseConstDnMatDescr_t A, B;
  const void* beta;
  cusparseSpMatDescr_t C;
  cudaDataType type;
  cusparseSDDMMAlg_t algorithm;

  cusparseStatus_t check() const {
    if (!is_alive(handle) || !alpha || !beta || !is_alive(A) || !is_alive(B) || !is_alive(C))
      return kInvalid;
    if (!is_valid(operation_a, A->type) || !is_valid(operation_b, A->type) ||
        algorithm != CUSPARSE_SDDMM_ALG_DEFAULT)
      return kInvalid;
    const bool a_is_transposed = Operation(operation_a).is_transposed;
    const bool b_is_transposed = Operation(operation_b).is_transposed;
    if ((a_is_transposed ? A->columns : A->rows) != C->rows ||
        (b_is_transposed ? B->rows : B->columns) != C->columns ||
        (a_is_transposed ? A->rows : A->columns) != (b_is_transposed ? B->columns : B->rows))
      return kInvalid;
    if (C->format != CUSPARSE_FORMAT_CSR) return kNotSupported;
    return A->type == B->type && A->type == C->type && A->type == type ? kSuccess : kNotSupported;
  }

  template <class T>
  void work(Call& call) const {
    const Operation op_a(operation_a), op_b(operation_b);
    const T a = call.scalar<T>("alpha", alpha), b = call.scalar<T>("beta", beta);
    const T* const left = call.numbers<T>("A", *A, Use::read);
    const T* const right = call.numbers<T>("B", *B, Use::read);
    T* const out = static_cast<T*>(C->values);
    const int64_t depth = op_a.is_transposed ? A->rows : A->columns;
    int64_t k = 0;
    for_each_value<T>(
        call, *C,
        [&](int64_t row, int64_t column, T) {
          T sum(0);
          for (int64_t l = 0; l < depth; ++l)
            sum +=
                op_a.apply(left[op_a.is_transposed ? A->place(l, row) : A->place(row, l)]) *
                op_b.apply(right[op_b.is_transposed ? B->place(column, l) : B->place(l, column)]);
          T& result = out[k++];
          result = b == T(0) ? a * sum : a * sum + b * result;
        },
        b == T(0) ? Use::write : Use::update);
  }
};

template <class Job>
cusparseStatus_t run_job(const char* name, const Job& job, const void* call_site) {
  const cusparseStatus_t status = job.check();
  if (status != kSuccess) return status;
  return run(name, job.handle, call_site, [&](Call& call) {
    with_type(job.A->type, [&]<class T>(T) { job.template work<T>(call); });
  });
}

// --- a sparse and a dense vector
// ------------------------------------------------------------------

cusparseStatus_t check_vectors(cusparseHandle_t handle, cusparseConstSpVecDescr_t x,
                               cusparseConstDnVecDescr_t y) {
  if (!is_alive(handle) || !is_alive(x) || !is_alive(y) || x->size != y->size) return kInvalid;
  return x->type == y->type ? kSuccess : kNotSupported;
}

/// Calls `visit(x, y)` for each value of `x` and the element of `y` at its index.
template <class T, class Visit>
void for_each_pair(Call& call, const cusparseSpVecDescr& x, const cusparseDnVecDescr& y, Use use_x,
                   Use use_y, const Visit& visit) {
  const Indices indices(call, "the indices", x.indices, x.count, x.index_type, x.base);
  T* const values = call.numbers<T>("x", x.values, x.count, use_x);
  T* const all = call.numbers<T>("y", y, use_y);
  for (int64_t i = 0; i < x.count; ++i) {
    check_index(call, indices[i], y.size, "elements", x.indices);
    visit(values[i], all[indices[i]]);
  }
}

}  // namespace

}  // namespace emu::cusparse

using namespace emu;
using namespace emu::cusparse;

extern "C" {

cusparseStatus_t cusparseAxpby(cusparseHandle_t handle, const void* alpha,
                               cusparseConstSpVecDescr_t vecX, const void* beta,
                               cusparseDnVecDescr_t vecY) {
  if (!alpha || !beta) return kInvalid;
  const cusparseStatus_t status = check_vectors(handle, vecX, vecY);
  if (status != kSuccess) return status;
  return run("cusparseAxpby", handle, __builtin_return_address(0), [&](Call& call) {
    with_type(vecX->type, [&]<class T>(T) {
      const T a = call.scalar<T>("alpha", alpha), b = call.scalar<T>("beta", beta);
      T* const y = call.numbers<T>("y", *vecY, Use::update);
      for (int64_t i = 0; i < vecY->size; ++i) y[i] *= b;
      for_each_pair<T>(call, *vecX, *vecY, Use::read, Use::update,
                       [&](T x, T& element) { element += a * x; });
    });
  });
}

cusparseStatus_t cusparseGather(cusparseHandle_t handle, cusparseConstDnVecDescr_t vecY,
                                cusparseSpVecDescr_t vecX) {
  const cusparseStatus_t status = check_vectors(handle, vecX, vecY);
  if (status != kSuccess) return status;
  return run("cusparseGather", handle, __builtin_return_address(0), [&](Call& call) {
    with_type(vecX->type, [&]<class T>(T) {
      for_each_pair<T>(call, *vecX, *vecY, Use::write, Use::read, [](T& x, T y) { x = y; });
    });
  });
}

cusparseStatus_t cusparseScatter(cusparseHandle_t handle, cusparseConstSpVecDescr_t vecX,
                                 cusparseDnVecDescr_t vecY) {
  const cusparseStatus_t status = check_vectors(handle, vecX, vecY);
  if (status != kSuccess) return status;
  return run("cusparseScatter", handle, __builtin_return_address(0), [&](Call& call) {
    with_type(vecX->type, [&]<class T>(T) {
      // Only what is scattered becomes written.
      const Indices indices(call, "the indices", vecX->indices, vecX->count, vecX->index_type,
                            vecX->base);
      const T* const x = call.numbers<T>("x", vecX->values, vecX->count, Use::read);
      auto* const y = static_cast<T*>(vecY->values);
      for (int64_t i = 0; i < vecX->count; ++i) {
        check_index(call, indices[i], vecY->size, "elements", vecX->indices);
        *call.numbers<T>("y", y + indices[i], 1, Use::write) = x[i];
      }
    });
  });
}

cusparseStatus_t cusparseSpVV_bufferSize(cusparseHandle_t handle, cusparseOperation_t opX,
                                         cusparseConstSpVecDescr_t vecX,
                                         cusparseConstDnVecDescr_t vecY, const void* result,
                                         cudaDataType computeType, size_t* bufferSize) {
  const cusparseStatus_t status = check_vectors(handle, vecX, vecY);
  if (status != kSuccess) return status;
  if (result == nullptr || !is_valid(opX, vecX->type)) return kInvalid;
  return give_size(computeType == vecX->type ? kSuccess : kNotSupported, bufferSize);
}

cusparseStatus_t cusparseSpVV(cusparseHandle_t handle, cusparseOperation_t opX,
                              cusparseConstSpVecDescr_t vecX, cusparseConstDnVecDescr_t vecY,
                              void* result, cudaDataType computeType, void*) {
  size_t size = 0;
  const cusparseStatus_t status =
      cusparseSpVV_bufferSize(handle, opX, vecX, vecY, result, computeType, &size);
  if (status != kSuccess) return status;
  return run("cusparseSpVV", handle, __builtin_return_address(0), [&](Call& call) {
    with_type(vecX->type, [&]<class T>(T) {
      T sum(0);
      for_each_pair<T>(call, *vecX, *vecY, Use::read, Use::read,
                       [&](T x, T y) { sum += Operation(opX).apply(x) * y; });
      call.give(result, sum);
    });
  });
}

cusparseStatus_t cusparseSpMV_bufferSize(cusparseHandle_t handle, cusparseOperation_t opA,
                                         const void* alpha, cusparseConstSpMatDescr_t matA,
                                         cusparseConstDnVecDescr_t vecX, const void* beta,
                                         cusparseDnVecDescr_t vecY, cudaDataType computeType,
                                         cusparseSpMVAlg_t alg, size_t* bufferSize) {
  return give_size(
      VectorProduct{handle, opA, alpha, matA, vecX, beta, vecY, computeType, alg}.check(),
      bufferSize);
}

cusparseStatus_t cusparseSpMV_preprocess(cusparseHandle_t handle, cusparseOperation_t opA,
                                         const void* alpha, cusparseConstSpMatDescr_t matA,
                                         cusparseConstDnVecDescr_t vecX, const void* beta,
                                         cusparseDnVecDescr_t vecY, cudaDataType computeType,
                                         cusparseSpMVAlg_t alg, void*) {
  return VectorProduct{handle, opA, alpha, matA, vecX, beta, vecY, computeType, alg}.check();
}

cusparseStatus_t cusparseSpMV(cusparseHandle_t handle, cusparseOperation_t opA, const void* alpha,
                              cusparseConstSpMatDescr_t matA, cusparseConstDnVecDescr_t vecX,
                              const void* beta, cusparseDnVecDescr_t vecY, cudaDataType computeType,
                              cusparseSpMVAlg_t alg, void*) {
  return run_job("cusparseSpMV",
                 VectorProduct{handle, opA, alpha, matA, vecX, beta, vecY, computeType, alg},
                 __builtin_return_address(0));
}

cusparseStatus_t cusparseSpMM_bufferSize(cusparseHandle_t handle, cusparseOperation_t opA,
                                         cusparseOperation_t opB, const void* alpha,
                                         cusparseConstSpMatDescr_t matA,
                                         cusparseConstDnMatDescr_t matB, const void* beta,
                                         cusparseDnMatDescr_t matC, cudaDataType computeType,
                                         cusparseSpMMAlg_t alg, size_t* bufferSize) {
  return give_size(
      MatrixProduct{handle, opA, opB, alpha, matA, matB, beta, matC, computeType, alg}.check(),
      bufferSize);
}

cusparseStatus_t cusparseSpMM_preprocess(cusparseHandle_t handle, cusparseOperation_t opA,
                                         cusparseOperation_t opB, const void* alpha,
                                         cusparseConstSpMatDescr_t matA,
                                         cusparseConstDnMatDescr_t matB, const void* beta,
                                         cusparseDnMatDescr_t matC, cudaDataType computeType,
                                         cusparseSpMMAlg_t alg, void*) {
  return MatrixProduct{handle, opA, opB, alpha, matA, matB, beta, matC, computeType, alg}.check();
}

cusparseStatus_t cusparseSpMM(cusparseHandle_t handle, cusparseOperation_t opA,
                              cusparseOperation_t opB, const void* alpha,
                              cusparseConstSpMatDescr_t matA, cusparseConstDnMatDescr_t matB,
                              const void* beta, cusparseDnMatDescr_t matC, cudaDataType computeType,
                              cusparseSpMMAlg_t alg, void*) {
  return run_job("cusparseSpMM",
                 MatrixProduct{handle, opA, opB, alpha, matA, matB, beta, matC, computeType, alg},
                 __builtin_return_address(0));
}

cusparseStatus_t cusparseSpSV_bufferSize(cusparseHandle_t handle, cusparseOperation_t opA,
                                         const void* alpha, cusparseConstSpMatDescr_t matA,
                                         cusparseConstDnVecDescr_t vecX, cusparseDnVecDescr_t vecY,
                                         cudaDataType computeType, cusparseSpSVAlg_t alg,
                                         cusparseSpSVDescr_t spsvDescr, size_t* bufferSize) {
  return give_size(
      TriangularSystem{handle, opA, alpha, matA, vecX, vecY, computeType, alg, spsvDescr}.check(),
      bufferSize);
}

cusparseStatus_t cusparseSpSV_analysis(cusparseHandle_t handle, cusparseOperation_t opA,
                                       const void* alpha, cusparseConstSpMatDescr_t matA,
                                       cusparseConstDnVecDescr_t vecX, cusparseDnVecDescr_t vecY,
                                       cudaDataType computeType, cusparseSpSVAlg_t alg,
                                       cusparseSpSVDescr_t spsvDescr, void*) {
  return TriangularSystem{handle, opA, alpha, matA, vecX, vecY, computeType, alg, spsvDescr}
      .check();
}

cusparseStatus_t cusparseSpSV_solve(cusparseHandle_t handle, cusparseOperation_t opA,
                                    const void* alpha, cusparseConstSpMatDescr_t matA,
                                    cusparseConstDnVecDescr_t vecX, cusparseDnVecDescr_t vecY,
                                    cudaDataType computeType, cusparseSpSVAlg_t alg,
                                    cusparseSpSVDescr_t spsvDescr) {
  return run_job(
      "cusparseSpSV_solve",
      TriangularSystem{handle, opA, alpha, matA, vecX, vecY, computeType, alg, spsvDescr},
      __builtin_return_address(0));
}

cusparseStatus_t cusparseSpSM_bufferSize(cusparseHandle_t handle, cusparseOperation_t opA,
                                         cusparseOperation_t opB, const void* alpha,
                                         cusparseConstSpMatDescr_t matA,
                                         cusparseConstDnMatDescr_t matB, cusparseDnMatDescr_t matC,
                                         cudaDataType computeType, cusparseSpSMAlg_t alg,
                                         cusparseSpSMDescr_t spsmDescr, size_t* bufferSize) {
  return give_size(
      TriangularSystems{handle, opA, opB, alpha, matA, matB, matC, computeType, alg, spsmDescr}
          .check(),
      bufferSize);
}

cusparseStatus_t cusparseSpSM_analysis(cusparseHandle_t handle, cusparseOperation_t opA,
                                       cusparseOperation_t opB, const void* alpha,
                                       cusparseConstSpMatDescr_t matA,
                                       cusparseConstDnMatDescr_t matB, cusparseDnMatDescr_t matC,
                                       cudaDataType computeType, cusparseSpSMAlg_t alg,
                                       cusparseSpSMDescr_t spsmDescr, void*) {
  return TriangularSystems{handle, opA, opB, alpha, matA, matB, matC, computeType, alg, spsmDescr}
      .check();
}

cusparseStatus_t cusparseSpSM_solve(cusparseHandle_t handle, cusparseOperation_t opA,
                                    cusparseOperation_t opB, const void* alpha,
                                    cusparseConstSpMatDescr_t matA, cusparseConstDnMatDescr_t matB,
                                    cusparseDnMatDescr_t matC, cudaDataType computeType,
                                    cusparseSpSMAlg_t alg, cusparseSpSMDescr_t spsmDescr) {
  return run_job(
      "cusparseSpSM_solve",
      TriangularSystems{handle, opA, opB, alpha, matA, matB, matC, computeType, alg, spsmDescr},
      __builtin_return_address(0));
}

cusparseStatus_t cusparseSDDMM_bufferSize(cusparseHandle_t handle, cusparseOperation_t opA,
                                          cusparseOperation_t opB, const void* alpha,
                                          cusparseConstDnMatDescr_t matA,
                                          cusparseConstDnMatDescr_t matB, const void* beta,
                                          cusparseSpMatDescr_t matC, cudaDataType computeType,
                                          cusparseSDDMMAlg_t alg, size_t* bufferSize) {
  return give_size(
      SampledProduct{handle, opA, opB, alpha, matA, matB, beta, matC, computeType, alg}.check(),
      bufferSize);
}

cusparseStatus_t cusparseSDDMM_preprocess(cusparseHandle_t handle, cusparseOperation_t opA,
                                          cusparseOperation_t opB, const void* alpha,
                                          cusparseConstDnMatDescr_t matA,
                                          cusparseConstDnMatDescr_t matB, const void* beta,
                                          cusparseSpMatDescr_t matC, cudaDataType computeType,
                                          cusparseSDDMMAlg_t alg, void*) {
  return SampledProduct{handle, opA, opB, alpha, matA, matB, beta, matC, computeType, alg}.check();
}

cusparseStatus_t cusparseSDDMM(cusparseHandle_t handle, cusparseOperation_t opA,
                               cusparseOperation_t opB, const void* alpha,
                               cusparseConstDnMatDescr_t matA, cusparseConstDnMatDescr_t matB,
                               const void* beta, cusparseSpMatDescr_t matC,
                               cudaDataType computeType, cusparseSDDMMAlg_t alg, void*) {
  return run_job("cusparseSDDMM",
                 SampledProduct{handle, opA, opB, alpha, matA, matB, beta, matC, computeType, alg},
                 __builtin_return_address(0));
}

}  // extern "C"
