// Products of two sparse matrices, whose places are found first.
#include <cstring>
#include <map>
#include <utility>
#include <vector>

#include "call.hpp"

namespace emu::cusparse {

namespace {

constexpr auto kSuccess = CUSPARSE_STATUS_SUCCESS;
constexpr auto kInvalid = CUSPARSE_STATUS_INVALID_VALUE;
constexpr auto kNotSupported = CUSPARSE_STATUS_NOT_SUPPORTED;

/// C = alpha A B + beta C, all of them CSR.
struct SparseProduct {
  cusparseHandle_t handle;
  cusparseOperation_t operation_a, operation_b;
  const void* alpha;
  cusparseConstSpMatDescr_t A, B;
  const void* beta;
  cusparseSpMatDescr_t C;
  cudaDataType type;
  cusparseSpGEMMAlg_t algorithm;
  cusparseSpGEMMDescr_t descriptor;

  cusparseStatus_t check() const {
    if (!is_alive(handle) || !alpha || !beta || !is_alive(A) || !is_alive(B) || !is_alive(C) ||
        !is_alive(descriptor))
      return kInvalid;
    if (!is_valid(operation_a, A->type) || !is_valid(operation_b, A->type) ||
        algorithm < CUSPARSE_SPGEMM_DEFAULT || algorithm > CUSPARSE_SPGEMM_ALG3)
      return kInvalid;
    if (A->columns != B->rows || C->rows != A->rows || C->columns != B->columns) return kInvalid;
    if (operation_a != CUSPARSE_OPERATION_NON_TRANSPOSE ||
        operation_b != CUSPARSE_OPERATION_NON_TRANSPOSE)
      return kNotSupported;
    for (const cusparseConstSpMatDescr_t matrix : {A, B, cusparseConstSpMatDescr_t(C)})
      if (matrix->format != CUSPARSE_FORMAT_CSR || matrix->type != type) return kNotSupported;
    return kSuccess;
  }

  /// Calls `visit(row, column, product)` for all products of two values.
  template <class T, class Visit>
  void for_each_product(Call& call, const Visit& visit) const {
    std::vector<std::vector<std::pair<int64_t, T>>> rows(static_cast<std::size_t>(B->rows));
    for_each_value<T>(call, *B, [&](int64_t row, int64_t column, T value) {
      rows[static_cast<std::size_t>(row)].emplace_back(column, value);
    });
    for_each_value<T>(call, *A, [&](int64_t row, int64_t column, T value) {
      for (const auto& [to, other] : rows[static_cast<std::size_t>(column)])
        visit(row, to, value * other);
    });
  }

  template <class T>
  void count_products(Call& call) const {
    descriptor->products = 0;
    for_each_product<T>(call, [&](int64_t, int64_t, T) { ++descriptor->products; });
  }

  /// Finds the places of C and the values, which the descriptor keeps.
  template <class T>
  void compute(Call& call) const {
    const T a = call.scalar<T>("alpha", alpha);
    if (call.scalar<T>("beta", beta) != T(0) && C->count != 0)
      unsupported("cusparseSpGEMM with beta other than 0 and values in C");
    std::vector<std::map<int64_t, T>> rows(static_cast<std::size_t>(C->rows));
    descriptor->products = 0;
    for_each_product<T>(call, [&](int64_t row, int64_t column, T product) {
      rows[static_cast<std::size_t>(row)][column] += product;
      ++descriptor->products;
    });
    std::vector<T> values;
    descriptor->offsets.assign(1, 0);
    descriptor->columns.clear();
    for (const auto& row : rows) {
      for (const auto& [column, sum] : row) {
        descriptor->columns.push_back(column);
        values.push_back(a * sum);
      }
      descriptor->offsets.push_back(static_cast<int64_t>(values.size()));
    }
    descriptor->values.resize(values.size() * sizeof(T));
    if (!values.empty())
      std::memcpy(descriptor->values.data(), values.data(), descriptor->values.size());
    C->count = static_cast<int64_t>(values.size());
  }

  template <class T>
  void copy(Call& call) const {
    Indices offsets(call, "the offsets of C", C->outer, C->rows + 1, C->index_type, C->base,
                    Use::write);
    Indices columns(call, "the indices of C", C->indices, C->count, C->index_type, C->base,
                    Use::write);
    T* const values = call.numbers<T>("the values of C", C->values, C->count, Use::write);
    for (int64_t i = 0; i <= C->rows; ++i)
      offsets.set(i, descriptor->offsets[static_cast<std::size_t>(i)]);
    for (int64_t k = 0; k < C->count; ++k)
      columns.set(k, descriptor->columns[static_cast<std::size_t>(k)]);
    if (!descriptor->values.empty())
      std::memcpy(values, descriptor->values.data(), descriptor->values.size());
  }

  template <class Work>
  cusparseStatus_t run_step(const char* name, const void* call_site, const Work& work) const {
    return run(name, handle, call_site,
               [&](Call& call) { with_type(type, [&]<class T>(T) { work(call, T()); }); });
  }
};

}  // namespace

}  // namespace emu::cusparse

using namespace emu;
using namespace emu::cusparse;

extern "C" {

cusparseStatus_t cusparseSpGEMM_workEstimation(
    cusparseHandle_t handle, cusparseOperation_t opA, cusparseOperation_t opB, const void* alpha,
    cusparseConstSpMatDescr_t matA, cusparseConstSpMatDescr_t matB, const void* beta,
    cusparseSpMatDescr_t matC, cudaDataType computeType, cusparseSpGEMMAlg_t alg,
    cusparseSpGEMMDescr_t spgemmDescr, size_t* bufferSize1, void* externalBuffer1) {
  const SparseProduct product{handle, opA,  opB,         alpha, matA,       matB,
                              beta,   matC, computeType, alg,   spgemmDescr};
  const cusparseStatus_t status = give_size(product.check(), bufferSize1);
  if (status != kSuccess || externalBuffer1 == nullptr) return status;
  return product.run_step("cusparseSpGEMM_workEstimation", __builtin_return_address(0),
                          [&]<class T>(Call& call, T) { product.count_products<T>(call); });
}

cusparseStatus_t cusparseSpGEMM_getNumProducts(cusparseSpGEMMDescr_t spgemmDescr,
                                               int64_t* num_prods) {
  if (!is_alive(spgemmDescr) || num_prods == nullptr) return kInvalid;
  *num_prods = spgemmDescr->products;
  return kSuccess;
}

cusparseStatus_t cusparseSpGEMM_estimateMemory(
    cusparseHandle_t handle, cusparseOperation_t opA, cusparseOperation_t opB, const void* alpha,
    cusparseConstSpMatDescr_t matA, cusparseConstSpMatDescr_t matB, const void* beta,
    cusparseSpMatDescr_t matC, cudaDataType computeType, cusparseSpGEMMAlg_t alg,
    cusparseSpGEMMDescr_t spgemmDescr, float, size_t* bufferSize3, void*, size_t* bufferSize2) {
  const SparseProduct product{handle, opA,  opB,         alpha, matA,       matB,
                              beta,   matC, computeType, alg,   spgemmDescr};
  const cusparseStatus_t status = give_size(product.check(), bufferSize3);
  if (status == kSuccess && bufferSize2) *bufferSize2 = kWorkBytes;
  return status;
}

cusparseStatus_t cusparseSpGEMM_compute(cusparseHandle_t handle, cusparseOperation_t opA,
                                        cusparseOperation_t opB, const void* alpha,
                                        cusparseConstSpMatDescr_t matA,
                                        cusparseConstSpMatDescr_t matB, const void* beta,
                                        cusparseSpMatDescr_t matC, cudaDataType computeType,
                                        cusparseSpGEMMAlg_t alg, cusparseSpGEMMDescr_t spgemmDescr,
                                        size_t* bufferSize2, void* externalBuffer2) {
  const SparseProduct product{handle, opA,  opB,         alpha, matA,       matB,
                              beta,   matC, computeType, alg,   spgemmDescr};
  const cusparseStatus_t status = give_size(product.check(), bufferSize2);
  if (status != kSuccess || externalBuffer2 == nullptr) return status;
  return product.run_step("cusparseSpGEMM_compute", __builtin_return_address(0),
                          [&]<class T>(Call& call, T) { product.compute<T>(call); });
}

cusparseStatus_t cusparseSpGEMM_copy(cusparseHandle_t handle, cusparseOperation_t opA,
                                     cusparseOperation_t opB, const void* alpha,
                                     cusparseConstSpMatDescr_t matA, cusparseConstSpMatDescr_t matB,
                                     const void* beta, cusparseSpMatDescr_t matC,
                                     cudaDataType computeType, cusparseSpGEMMAlg_t alg,
                                     cusparseSpGEMMDescr_t spgemmDescr) {
  const SparseProduct product{handle, opA,  opB,         alpha, matA,       matB,
                              beta,   matC, computeType, alg,   spgemmDescr};
  const cusparseStatus_t status = product.check();
  if (status != kSuccess) return status;
  // The product was not computed.
  if (spgemmDescr->offsets.size() != static_cast<std::size_t>(matC->rows) + 1) return kInvalid;
  return product.run_step("cusparseSpGEMM_copy", __builtin_return_address(0),
                          [&]<class T>(Call& call, T) { product.copy<T>(call); });
}

}  // extern "C"
