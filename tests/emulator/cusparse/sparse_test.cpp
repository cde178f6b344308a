/// Compares products of sparse matrices, systems with several right sides and sampled products with
/// what dense arithmetic gives.
#include <cuda_runtime_api.h>
#include <cusparse.h>
#include <doctest/doctest.h>

#include <cmath>
#include <complex>
#include <cstdint>
#include <memory>
#include <random>
#include <type_traits>
#include <utility>
#include <vector>

namespace {

template <class T>
constexpr cudaDataType kType = std::is_same_v<T, float>                 ? CUDA_R_32F
                               : std::is_same_v<T, double>              ? CUDA_R_64F
                               : std::is_same_v<T, std::complex<float>> ? CUDA_C_32F
                                                                        : CUDA_C_64F;
template <class T>
constexpr bool kIsComplex = kType<T> == CUDA_C_32F || kType<T> == CUDA_C_64F;

template <class T>
T number(int value) {
  if constexpr (kIsComplex<T>)
    return {static_cast<typename T::value_type>(value),
            static_cast<typename T::value_type>(value % 3)};
  else
    return static_cast<T>(value);
}

template <class T>
T conjugate(T value) {
  if constexpr (kIsComplex<T>)
    return std::conj(value);
  else
    return value;
}

/// A dense matrix on the host; rows lie together.
template <class T>
struct Dense {
  int rows, columns;
  std::vector<T> values;

  Dense(int m, int n) : rows(m), columns(n), values(static_cast<std::size_t>(m * n)) {}
  T& operator()(int i, int j) { return values[static_cast<std::size_t>(i * columns + j)]; }
  const T& operator()(int i, int j) const {
    return values[static_cast<std::size_t>(i * columns + j)];
  }
};

/// A matrix of which about `filled` in ten elements are not 0.
template <class T>
Dense<T> drawn(int m, int n, int filled) {
  static std::mt19937 random(1);
  Dense<T> matrix(m, n);
  for (T& value : matrix.values)
    if (static_cast<int>(random() % 10) < filled)
      value = number<T>(static_cast<int>(random() % 9) - 4);
  return matrix;
}

template <class T>
Dense<T> applied(cusparseOperation_t operation, const Dense<T>& a) {
  if (operation == CUSPARSE_OPERATION_NON_TRANSPOSE) return a;
  Dense<T> result(a.columns, a.rows);
  for (int i = 0; i < a.rows; ++i)
    for (int j = 0; j < a.columns; ++j)
      result(j, i) = operation == CUSPARSE_OPERATION_TRANSPOSE ? a(i, j) : conjugate(a(i, j));
  return result;
}

template <class T>
Dense<T> product(const Dense<T>& a, const Dense<T>& b) {
  Dense<T> result(a.rows, b.columns);
  for (int i = 0; i < a.rows; ++i)
    for (int k = 0; k < a.columns; ++k)
      for (int j = 0; j < b.columns; ++j) result(i, j) += a(i, k) * b(k, j);
  return result;
}

/// Values in device memory.
template <class T>
class Device {
 public:
  explicit Device(const std::vector<T>& values) : count_(values.size()) {
    REQUIRE(cudaMalloc(reinterpret_cast<void**>(&data_), count_ * sizeof(T) + 1) == cudaSuccess);
    cudaMemcpy(data_, values.data(), count_ * sizeof(T), cudaMemcpyHostToDevice);
  }
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;
  ~Device() { cudaFree(data_); }
  T* get() const { return data_; }
  std::vector<T> values() const {
    std::vector<T> result(count_);
    cudaMemcpy(result.data(), data_, count_ * sizeof(T), cudaMemcpyDeviceToHost);
    return result;
  }

 private:
  T* data_ = nullptr;
  std::size_t count_;
};

template <class Index>
constexpr cusparseIndexType_t kIndex = sizeof(Index) == 8 ? CUSPARSE_INDEX_64I : CUSPARSE_INDEX_32I;

/// A matrix in CSR, from what is not 0.
template <class T, class Index>
class Csr {
 public:
  Csr(const Dense<T>& dense, cusparseIndexBase_t base) {
    std::vector<Index> offsets = {static_cast<Index>(base)}, columns;
    std::vector<T> values;
    for (int i = 0; i < dense.rows; ++i) {
      for (int j = 0; j < dense.columns; ++j)
        if (dense(i, j) != T(0)) {
          columns.push_back(static_cast<Index>(j) + base);
          values.push_back(dense(i, j));
        }
      offsets.push_back(static_cast<Index>(values.size()) + base);
    }
    count = static_cast<int>(values.size());
    offsets_ = std::make_unique<Device<Index>>(offsets);
    columns_ = std::make_unique<Device<Index>>(columns);
    values_ = std::make_unique<Device<T>>(values);
    REQUIRE(cusparseCreateCsr(&descriptor, dense.rows, dense.columns, count, offsets_->get(),
                              columns_->get(), values_->get(), kIndex<Index>, kIndex<Index>, base,
                              kType<T>) == CUSPARSE_STATUS_SUCCESS);
  }
  Csr(const Csr&) = delete;
  Csr& operator=(const Csr&) = delete;
  ~Csr() { cusparseDestroySpMat(descriptor); }
  std::vector<T> values() const { return values_->values(); }

  cusparseSpMatDescr_t descriptor = nullptr;
  int count = 0;

 private:
  std::unique_ptr<Device<Index>> offsets_, columns_;
  std::unique_ptr<Device<T>> values_;
};

cusparseHandle_t handle() {
  static const cusparseHandle_t handle = [] {
    cusparseHandle_t one = nullptr;
    REQUIRE(cusparseCreate(&one) == CUSPARSE_STATUS_SUCCESS);
    return one;
  }();
  return handle;
}

/// A dense matrix on the device, in either order.
template <class T>
class DeviceDense {
 public:
  DeviceDense(const Dense<T>& dense, cusparseOrder_t order) : dense_(dense), order_(order) {
    const Dense<T> lying =
        order == CUSPARSE_ORDER_ROW ? dense : applied(CUSPARSE_OPERATION_TRANSPOSE, dense);
    memory_ = std::make_unique<Device<T>>(lying.values);
    REQUIRE(cusparseCreateDnMat(&descriptor, dense.rows, dense.columns,
                                order == CUSPARSE_ORDER_ROW ? dense.columns : dense.rows,
                                memory_->get(), kType<T>, order) == CUSPARSE_STATUS_SUCCESS);
  }
  DeviceDense(const DeviceDense&) = delete;
  DeviceDense& operator=(const DeviceDense&) = delete;
  ~DeviceDense() { cusparseDestroyDnMat(descriptor); }
  Dense<T> dense() const {
    Dense<T> lying(dense_.rows, dense_.columns);
    if (order_ == CUSPARSE_ORDER_COL) std::swap(lying.rows, lying.columns);
    lying.values = memory_->values();
    return order_ == CUSPARSE_ORDER_ROW ? lying : applied(CUSPARSE_OPERATION_TRANSPOSE, lying);
  }

  cusparseDnMatDescr_t descriptor = nullptr;

 private:
  Dense<T> dense_;
  cusparseOrder_t order_;
  std::unique_ptr<Device<T>> memory_;
};

constexpr auto kPlain = CUSPARSE_OPERATION_NON_TRANSPOSE;

template <class T>
std::vector<cusparseOperation_t> operations() {
  std::vector<cusparseOperation_t> all = {kPlain, CUSPARSE_OPERATION_TRANSPOSE};
  if (kIsComplex<T>) all.push_back(CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE);
  return all;
}

template <class T, class Index>
void check_sparse_product(cusparseIndexBase_t base) {
  const Dense<T> a = drawn<T>(9, 7, 3), b = drawn<T>(7, 11, 3);
  const Csr<T, Index> of_a(a, base), of_b(b, base);
  const T alpha = number<T>(2), beta = T(0);
  cusparseSpMatDescr_t c = nullptr;
  REQUIRE(cusparseCreateCsr(&c, 9, 11, 0, nullptr, nullptr, nullptr, kIndex<Index>, kIndex<Index>,
                            base, kType<T>) == CUSPARSE_STATUS_SUCCESS);
  cusparseSpGEMMDescr_t work = nullptr;
  REQUIRE(cusparseSpGEMM_createDescr(&work) == CUSPARSE_STATUS_SUCCESS);
  const auto estimate = [&](std::size_t* bytes, void* buffer) {
    return cusparseSpGEMM_workEstimation(handle(), kPlain, kPlain, &alpha, of_a.descriptor,
                                         of_b.descriptor, &beta, c, kType<T>,
                                         CUSPARSE_SPGEMM_DEFAULT, work, bytes, buffer);
  };
  const auto compute = [&](std::size_t* bytes, void* buffer) {
    return cusparseSpGEMM_compute(handle(), kPlain, kPlain, &alpha, of_a.descriptor,
                                  of_b.descriptor, &beta, c, kType<T>, CUSPARSE_SPGEMM_DEFAULT,
                                  work, bytes, buffer);
  };
  const auto copy = [&] {
    return cusparseSpGEMM_copy(handle(), kPlain, kPlain, &alpha, of_a.descriptor, of_b.descriptor,
                               &beta, c, kType<T>, CUSPARSE_SPGEMM_DEFAULT, work);
  };
  CHECK(copy() == CUSPARSE_STATUS_INVALID_VALUE);  // nothing is computed
  std::size_t bytes = 0, more = 0, of_estimate = 0;
  REQUIRE(estimate(&bytes, nullptr) == CUSPARSE_STATUS_SUCCESS);
  REQUIRE(bytes > 0);
  const Device<char> buffer{std::vector<char>(bytes)};
  REQUIRE(estimate(&bytes, buffer.get()) == CUSPARSE_STATUS_SUCCESS);
  std::int64_t products = 0;
  CHECK(cusparseSpGEMM_getNumProducts(work, &products) == CUSPARSE_STATUS_SUCCESS);
  std::int64_t expected = 0;
  for (int i = 0; i < 9; ++i)
    for (int k = 0; k < 7; ++k)
      for (int j = 0; j < 11; ++j) expected += a(i, k) != T(0) && b(k, j) != T(0);
  CHECK(products == expected);
  CHECK(cusparseSpGEMM_estimateMemory(handle(), kPlain, kPlain, &alpha, of_a.descriptor,
                                      of_b.descriptor, &beta, c, kType<T>, CUSPARSE_SPGEMM_ALG3,
                                      work, 0.2f, &of_estimate, nullptr,
                                      nullptr) == CUSPARSE_STATUS_SUCCESS);
  REQUIRE(compute(&more, nullptr) == CUSPARSE_STATUS_SUCCESS);
  REQUIRE(compute(&more, buffer.get()) == CUSPARSE_STATUS_SUCCESS);
  std::int64_t rows = 0, columns = 0, count = 0;
  REQUIRE(cusparseSpMatGetSize(c, &rows, &columns, &count) == CUSPARSE_STATUS_SUCCESS);
  CHECK(rows == 9);
  CHECK(columns == 11);
  const auto places = static_cast<std::size_t>(count);
  const Device<Index> of_offsets{std::vector<Index>(10)}, of_columns{std::vector<Index>(places)};
  const Device<T> of_values{std::vector<T>(places)};
  REQUIRE(cusparseCsrSetPointers(c, of_offsets.get(), of_columns.get(), of_values.get()) ==
          CUSPARSE_STATUS_SUCCESS);
  REQUIRE(copy() == CUSPARSE_STATUS_SUCCESS);
  Dense<T> found(9, 11);
  const std::vector<Index> offsets = of_offsets.values(), indices = of_columns.values();
  const std::vector<T> values = of_values.values();
  for (int i = 0; i < 9; ++i)
    for (Index k = offsets[static_cast<std::size_t>(i)] - base;
         k < offsets[static_cast<std::size_t>(i + 1)] - base; ++k)
      found(i, static_cast<int>(indices[static_cast<std::size_t>(k)] - base)) +=
          values[static_cast<std::size_t>(k)];
  Dense<T> whole = product(a, b);
  for (T& value : whole.values) value *= alpha;
  CHECK(found.values == whole.values);
  CHECK(cusparseSpGEMM_destroyDescr(work) == CUSPARSE_STATUS_SUCCESS);
  CHECK(cusparseDestroySpMat(c) == CUSPARSE_STATUS_SUCCESS);
}

}  // namespace

#define EMU_ALL_TYPES float, double, std::complex<float>, std::complex<double>

TEST_CASE_TEMPLATE("products of sparse matrices", T, EMU_ALL_TYPES) {
  check_sparse_product<T, std::int32_t>(CUSPARSE_INDEX_BASE_ZERO);
  check_sparse_product<T, std::int64_t>(CUSPARSE_INDEX_BASE_ONE);
}

TEST_CASE_TEMPLATE("triangular systems with several right sides", T, EMU_ALL_TYPES) {
  constexpr int n = 6;
  const T alpha = number<T>(2);
  for (const auto fill : {CUSPARSE_FILL_MODE_LOWER, CUSPARSE_FILL_MODE_UPPER})
    for (const auto diagonal : {CUSPARSE_DIAG_TYPE_UNIT, CUSPARSE_DIAG_TYPE_NON_UNIT})
      for (const auto op_a : operations<T>())
        for (const auto op_b : operations<T>())
          for (const auto order : {CUSPARSE_ORDER_COL, CUSPARSE_ORDER_ROW}) {
            Dense<T> a = drawn<T>(n, n, 5);
            for (int i = 0; i < n; ++i) a(i, i) = T(2);
            const Csr<T, int> of_a(a, CUSPARSE_INDEX_BASE_ZERO);
            auto of_fill = fill;
            auto of_diagonal = diagonal;
            cusparseSpMatSetAttribute(of_a.descriptor, CUSPARSE_SPMAT_FILL_MODE, &of_fill,
                                      sizeof of_fill);
            cusparseSpMatSetAttribute(of_a.descriptor, CUSPARSE_SPMAT_DIAG_TYPE, &of_diagonal,
                                      sizeof of_diagonal);
            Dense<T> triangle = a;
            for (int i = 0; i < n; ++i)
              for (int j = 0; j < n; ++j) {
                if (i != j && (j < i) != (fill == CUSPARSE_FILL_MODE_LOWER)) triangle(i, j) = T(0);
                if (i == j && diagonal == CUSPARSE_DIAG_TYPE_UNIT) triangle(i, j) = T(1);
              }
            // Powers of two divide whole numbers without rounding, as long as there are few.
            const Dense<T> b =
                op_b == kPlain ? drawn<T>(n, 3, 9) : applied(op_b, drawn<T>(n, 3, 9));
            const DeviceDense<T> of_b(b, order), of_c(Dense<T>(n, 3), order);
            cusparseSpSMDescr_t work = nullptr;
            REQUIRE(cusparseSpSM_createDescr(&work) == CUSPARSE_STATUS_SUCCESS);
            std::size_t bytes = 0;
            REQUIRE(cusparseSpSM_bufferSize(handle(), op_a, op_b, &alpha, of_a.descriptor,
                                            of_b.descriptor, of_c.descriptor, kType<T>,
                                            CUSPARSE_SPSM_ALG_DEFAULT, work,
                                            &bytes) == CUSPARSE_STATUS_SUCCESS);
            const Device<char> buffer{std::vector<char>(bytes)};
            REQUIRE(cusparseSpSM_analysis(handle(), op_a, op_b, &alpha, of_a.descriptor,
                                          of_b.descriptor, of_c.descriptor, kType<T>,
                                          CUSPARSE_SPSM_ALG_DEFAULT, work,
                                          buffer.get()) == CUSPARSE_STATUS_SUCCESS);
            REQUIRE(cusparseSpSM_solve(handle(), op_a, op_b, &alpha, of_a.descriptor,
                                       of_b.descriptor, of_c.descriptor, kType<T>,
                                       CUSPARSE_SPSM_ALG_DEFAULT, work) == CUSPARSE_STATUS_SUCCESS);
            CHECK(cusparseSpSM_destroyDescr(work) == CUSPARSE_STATUS_SUCCESS);
            const Dense<T> back = product(applied(op_a, triangle), of_c.dense());
            const Dense<T> sides = applied(op_b, b);
            for (std::size_t i = 0; i < back.values.size(); ++i)
              CHECK(std::abs(back.values[i] - alpha * sides.values[i]) < 0.01);
          }
}

TEST_CASE_TEMPLATE("products of dense matrices at the places of a sparse one", T, EMU_ALL_TYPES) {
  const T alpha = number<T>(2);
  for (const T beta : {T(0), number<T>(3)})
    for (const auto op_a : operations<T>())
      for (const auto op_b : operations<T>())
        for (const auto order : {CUSPARSE_ORDER_COL, CUSPARSE_ORDER_ROW}) {
          const Dense<T> a = op_a == kPlain ? drawn<T>(5, 4, 9) : drawn<T>(4, 5, 9);
          const Dense<T> b = op_b == kPlain ? drawn<T>(4, 6, 9) : drawn<T>(6, 4, 9);
          const Dense<T> c = drawn<T>(5, 6, 4);
          const DeviceDense<T> of_a(a, order), of_b(b, order);
          const Csr<T, int> of_c(c, CUSPARSE_INDEX_BASE_ONE);
          std::size_t bytes = 0;
          REQUIRE(cusparseSDDMM_bufferSize(handle(), op_a, op_b, &alpha, of_a.descriptor,
                                           of_b.descriptor, &beta, of_c.descriptor, kType<T>,
                                           CUSPARSE_SDDMM_ALG_DEFAULT,
                                           &bytes) == CUSPARSE_STATUS_SUCCESS);
          const Device<char> buffer{std::vector<char>(bytes)};
          REQUIRE(cusparseSDDMM_preprocess(handle(), op_a, op_b, &alpha, of_a.descriptor,
                                           of_b.descriptor, &beta, of_c.descriptor, kType<T>,
                                           CUSPARSE_SDDMM_ALG_DEFAULT,
                                           buffer.get()) == CUSPARSE_STATUS_SUCCESS);
          REQUIRE(cusparseSDDMM(handle(), op_a, op_b, &alpha, of_a.descriptor, of_b.descriptor,
                                &beta, of_c.descriptor, kType<T>, CUSPARSE_SDDMM_ALG_DEFAULT,
                                buffer.get()) == CUSPARSE_STATUS_SUCCESS);
          const Dense<T> whole = product(applied(op_a, a), applied(op_b, b));
          std::vector<T> expected;
          for (int i = 0; i < 5; ++i)
            for (int j = 0; j < 6; ++j)
              if (c(i, j) != T(0)) expected.push_back(alpha * whole(i, j) + beta * c(i, j));
          CHECK(of_c.values() == expected);
        }
}
