// Prints what cuSPARSE answers: statuses of right and wrong calls, and which products, solutions
// and conversions are right. An H200 printed recorded_h200.txt; programs_test.cpp compares.
#include <cuda_runtime_api.h>
#include <cusparse.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdint>
#include <cstdio>
#include <random>
#include <string>
#include <vector>

namespace {

using Complex = std::complex<double>;

void say(const std::string& what, int status) { std::printf("%s: %d\n", what.c_str(), status); }
void say(const std::string& what, const std::string& answer) {
  std::printf("%s: %s\n", what.c_str(), answer.c_str());
}

/// Says nothing of the results of a call that was refused.
std::string outcome(int status, bool is_right) {
  return std::to_string(status) + (status != 0 ? "" : is_right ? " right" : " WRONG");
}

/// Device memory with these bytes.
class Buffer {
 public:
  explicit Buffer(std::size_t bytes) : bytes_(std::max<std::size_t>(bytes, 1)) {
    cudaMalloc(&address_, bytes_);
    cudaMemset(address_, 0, bytes_);
  }
  template <class T>
  explicit Buffer(const std::vector<T>& values) : Buffer(values.size() * sizeof(T)) {
    cudaMemcpy(address_, values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice);
  }
  ~Buffer() { cudaFree(address_); }
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;

  void* get() const { return address_; }
  template <class T>
  std::vector<T> values(std::size_t count) const {
    std::vector<T> result(count);
    cudaMemcpy(result.data(), address_, count * sizeof(T), cudaMemcpyDeviceToHost);
    return result;
  }

 private:
  void* address_ = nullptr;
  std::size_t bytes_;
};

// --- numbers of any type
// --------------------------------------------------------------------------

constexpr cudaDataType kTypes[] = {CUDA_R_32F, CUDA_R_64F, CUDA_C_32F, CUDA_C_64F};

const char* name_of(cudaDataType type) {
  switch (type) {
    case CUDA_R_32F:
      return "R_32F";
    case CUDA_R_64F:
      return "R_64F";
    case CUDA_C_32F:
      return "C_32F";
    default:
      return "C_64F";
  }
}

bool is_complex(cudaDataType type) { return type == CUDA_C_32F || type == CUDA_C_64F; }
bool is_double(cudaDataType type) { return type == CUDA_R_64F || type == CUDA_C_64F; }
std::size_t bytes_of(cudaDataType type) {
  return (is_double(type) ? 8u : 4u) * (is_complex(type) ? 2u : 1u);
}

/// The numbers as the type has them.
std::vector<char> packed(const std::vector<Complex>& numbers, cudaDataType type) {
  std::vector<char> bytes;
  const auto add = [&](double part) {
    const auto single = static_cast<float>(part);
    const char* const begin = is_double(type) ? reinterpret_cast<const char*>(&part)
                                              : reinterpret_cast<const char*>(&single);
    bytes.insert(bytes.end(), begin, begin + (is_double(type) ? 8 : 4));
  };
  for (const Complex number : numbers) {
    add(number.real());
    if (is_complex(type)) add(number.imag());
  }
  return bytes;
}

std::vector<Complex> unpacked(const Buffer& buffer, std::size_t count, cudaDataType type) {
  std::vector<double> parts;
  const std::size_t all = count * (is_complex(type) ? 2 : 1);
  if (is_double(type)) {
    parts = buffer.values<double>(all);
  } else {
    const std::vector<float> singles = buffer.values<float>(all);
    parts.assign(singles.begin(), singles.end());
  }
  std::vector<Complex> numbers(count);
  for (std::size_t i = 0; i < count; ++i)
    numbers[i] = is_complex(type) ? Complex(parts[2 * i], parts[2 * i + 1]) : Complex(parts[i]);
  return numbers;
}

bool is_near(const std::vector<Complex>& a, const std::vector<Complex>& b, cudaDataType type) {
  double most = 0, largest = 1;
  for (std::size_t i = 0; i < a.size(); ++i) {
    most = std::max(most, std::abs(a[i] - b[i]));
    largest = std::max(largest, std::abs(b[i]));
  }
  return a.size() == b.size() && most < largest * (is_double(type) ? 1e-12 : 1e-5);
}

std::vector<char> integers(const std::vector<std::int64_t>& numbers, cusparseIndexType_t type) {
  std::vector<char> bytes;
  for (const std::int64_t number : numbers) {
    const auto small = static_cast<std::int32_t>(number);
    const char* const begin = type == CUSPARSE_INDEX_64I ? reinterpret_cast<const char*>(&number)
                                                         : reinterpret_cast<const char*>(&small);
    bytes.insert(bytes.end(), begin, begin + (type == CUSPARSE_INDEX_64I ? 8 : 4));
  }
  return bytes;
}

// --- matrices
// -------------------------------------------------------------------------------------

/// A matrix with mostly zeros, by rows.
struct Dense {
  std::int64_t rows, columns;
  std::vector<Complex> at;

  Complex& operator()(std::int64_t i, std::int64_t j) {
    return at[static_cast<std::size_t>(i * columns + j)];
  }
  Complex operator()(std::int64_t i, std::int64_t j) const {
    return at[static_cast<std::size_t>(i * columns + j)];
  }
};

std::mt19937& random_numbers() {
  static std::mt19937 random(7);
  return random;
}

/// A number with few bits, so that single precision has it.
Complex draw(cudaDataType type) {
  const auto eighths = [] { return (static_cast<int>(random_numbers()() % 33) - 16) / 8.0; };
  const double real = eighths();
  const double imaginary = eighths();
  return {real, is_complex(type) ? imaginary : 0.0};
}

std::vector<Complex> draw(std::size_t count, cudaDataType type) {
  std::vector<Complex> numbers(count);
  for (Complex& number : numbers) number = draw(type);
  return numbers;
}

Dense draw_sparse(std::int64_t rows, std::int64_t columns, cudaDataType type) {
  Dense matrix{rows, columns, std::vector<Complex>(static_cast<std::size_t>(rows * columns))};
  for (std::int64_t i = 0; i < rows; ++i)
    for (std::int64_t j = 0; j < columns; ++j)
      if ((i * 5 + j * 3) % 4 == 0 && i != 2) matrix(i, j) = draw(type) + 3.0;
  return matrix;
}

Dense with(const Dense& a, cusparseOperation_t op) {
  if (op == CUSPARSE_OPERATION_NON_TRANSPOSE) return a;
  Dense result{a.columns, a.rows, std::vector<Complex>(a.at.size())};
  for (std::int64_t i = 0; i < a.rows; ++i)
    for (std::int64_t j = 0; j < a.columns; ++j)
      result(j, i) = op == CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE ? std::conj(a(i, j)) : a(i, j);
  return result;
}

Dense product(const Dense& a, const Dense& b) {
  Dense c{a.rows, b.columns, std::vector<Complex>(static_cast<std::size_t>(a.rows * b.columns))};
  for (std::int64_t i = 0; i < a.rows; ++i)
    for (std::int64_t j = 0; j < b.columns; ++j)
      for (std::int64_t k = 0; k < a.columns; ++k) c(i, j) += a(i, k) * b(k, j);
  return c;
}

enum class Format { csr, csc, coo };
const char* name_of(Format format) {
  return format == Format::csr ? "CSR" : format == Format::csc ? "CSC" : "COO";
}

/// A matrix in device memory, in one of the formats.
struct Sparse {
  Sparse(const Dense& matrix, Format format, cudaDataType type, cusparseIndexType_t index,
         cusparseIndexBase_t base)
      : Sparse(listed(matrix, format, base), matrix, format, type, index, base) {}
  ~Sparse() { cusparseDestroySpMat(descriptor); }
  Sparse(const Sparse&) = delete;
  Sparse& operator=(const Sparse&) = delete;

  cusparseSpMatDescr_t descriptor = nullptr;
  int status = -1;

 private:
  struct Lists {
    std::vector<std::int64_t> offsets, outer, inner;
    std::vector<Complex> values;
  };
  static Lists listed(const Dense& matrix, Format format, cusparseIndexBase_t base) {
    Lists lists;
    const bool by_columns = format == Format::csc;
    const std::int64_t outer = by_columns ? matrix.columns : matrix.rows;
    const std::int64_t inner = by_columns ? matrix.rows : matrix.columns;
    lists.offsets.push_back(base);
    for (std::int64_t i = 0; i < outer; ++i) {
      for (std::int64_t j = 0; j < inner; ++j) {
        const Complex value = by_columns ? matrix(j, i) : matrix(i, j);
        if (value == 0.0) continue;
        lists.outer.push_back(i + base);
        lists.inner.push_back(j + base);
        lists.values.push_back(value);
      }
      lists.offsets.push_back(static_cast<std::int64_t>(lists.values.size()) + base);
    }
    return lists;
  }
  Sparse(const Lists& lists, const Dense& matrix, Format format, cudaDataType type,
         cusparseIndexType_t index, cusparseIndexBase_t base)
      : offsets_(integers(format == Format::coo ? lists.outer : lists.offsets, index)),
        indices_(integers(lists.inner, index)),
        values_(packed(lists.values, type)) {
    const auto count = static_cast<std::int64_t>(lists.values.size());
    if (format == Format::coo) {
      status = cusparseCreateCoo(&descriptor, matrix.rows, matrix.columns, count, offsets_.get(),
                                 indices_.get(), values_.get(), index, base, type);
    } else {
      status = (format == Format::csr ? cusparseCreateCsr : cusparseCreateCsc)(
          &descriptor, matrix.rows, matrix.columns, count, offsets_.get(), indices_.get(),
          values_.get(), index, index, base, type);
    }
  }

  Buffer offsets_, indices_, values_;
};

/// The scalars of a call, as the host has them.
struct Scalar {
  Scalar(Complex number, cudaDataType type) : bytes(packed({number}, type)) {}
  const void* get() const { return bytes.data(); }
  std::vector<char> bytes;
};

const char* name_of(cusparseOperation_t op) {
  return op == CUSPARSE_OPERATION_NON_TRANSPOSE ? "N"
         : op == CUSPARSE_OPERATION_TRANSPOSE   ? "T"
                                                : "C";
}

constexpr cusparseOperation_t kOperations[] = {CUSPARSE_OPERATION_NON_TRANSPOSE,
                                               CUSPARSE_OPERATION_TRANSPOSE,
                                               CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE};

// --- products
// -------------------------------------------------------------------------------------

void matrix_by_vector(cusparseHandle_t handle) {
  for (const Format format : {Format::csr, Format::csc, Format::coo})
    for (const cudaDataType type : kTypes)
      for (const cusparseOperation_t op : kOperations)
        for (const bool is_plain : {true, false}) {
          const cusparseIndexType_t index = is_plain ? CUSPARSE_INDEX_32I : CUSPARSE_INDEX_64I;
          const cusparseIndexBase_t base =
              is_plain ? CUSPARSE_INDEX_BASE_ZERO : CUSPARSE_INDEX_BASE_ONE;
          const Complex alpha = is_plain ? 1.0 : draw(type), beta = is_plain ? 0.0 : draw(type);
          const Dense matrix = draw_sparse(7, 5, type);
          const Dense applied = with(matrix, op);
          const Sparse a(matrix, format, type, index, base);
          const Dense x{applied.columns, 1, draw(static_cast<std::size_t>(applied.columns), type)};
          const Dense y{applied.rows, 1, draw(static_cast<std::size_t>(applied.rows), type)};
          const Buffer x_memory(packed(x.at, type)), y_memory(packed(y.at, type));
          cusparseDnVecDescr_t x_vector, y_vector;
          cusparseCreateDnVec(&x_vector, x.rows, x_memory.get(), type);
          cusparseCreateDnVec(&y_vector, y.rows, y_memory.get(), type);
          const Scalar a_scalar(alpha, type), b_scalar(beta, type);
          std::size_t size = 0;
          const int sized = cusparseSpMV_bufferSize(handle, op, a_scalar.get(), a.descriptor,
                                                    x_vector, b_scalar.get(), y_vector, type,
                                                    CUSPARSE_SPMV_ALG_DEFAULT, &size);
          const Buffer work(size);
          const int status =
              cusparseSpMV(handle, op, a_scalar.get(), a.descriptor, x_vector, b_scalar.get(),
                           y_vector, type, CUSPARSE_SPMV_ALG_DEFAULT, work.get());
          Dense expected = product(applied, x);
          for (std::size_t i = 0; i < y.at.size(); ++i)
            expected.at[i] = alpha * expected.at[i] + beta * y.at[i];
          const bool is_right = is_near(unpacked(y_memory, y.at.size(), type), expected.at, type);
          say(std::string("SpMV ") + name_of(format) + " " + name_of(type) + " " + name_of(op) +
                  (is_plain ? "" : ", scaled"),
              std::to_string(a.status) + " " + std::to_string(sized) + " " +
                  outcome(status, is_right));
          cusparseDestroyDnVec(x_vector);
          cusparseDestroyDnVec(y_vector);
        }
}

/// A dense matrix in device memory, with gaps between its columns or rows.
struct Table {
  Table(const Dense& matrix, cusparseOrder_t in_order, cudaDataType type)
      : rows(matrix.rows),
        columns(matrix.columns),
        ld((in_order == CUSPARSE_ORDER_COL ? rows : columns) + 2),
        order(in_order),
        memory(packed(laid_out(matrix), type)) {
    status = cusparseCreateDnMat(&descriptor, rows, columns, ld, memory.get(), type, order);
  }
  ~Table() { cusparseDestroyDnMat(descriptor); }
  Table(const Table&) = delete;
  Table& operator=(const Table&) = delete;

  std::size_t place(std::int64_t i, std::int64_t j) const {
    return static_cast<std::size_t>(order == CUSPARSE_ORDER_COL ? j * ld + i : i * ld + j);
  }
  std::size_t elements() const {
    return static_cast<std::size_t>(ld * (order == CUSPARSE_ORDER_COL ? columns : rows));
  }
  std::vector<Complex> laid_out(const Dense& matrix) const {
    std::vector<Complex> numbers(elements(), Complex(-7));
    for (std::int64_t i = 0; i < rows; ++i)
      for (std::int64_t j = 0; j < columns; ++j) numbers[place(i, j)] = matrix(i, j);
    return numbers;
  }
  /// Whether the memory holds this matrix, and the gaps what they held.
  bool holds(const Dense& matrix, cudaDataType type) const {
    return is_near(unpacked(memory, elements(), type), laid_out(matrix), type);
  }

  std::int64_t rows, columns, ld;
  cusparseOrder_t order;
  Buffer memory;
  cusparseDnMatDescr_t descriptor = nullptr;
  int status = -1;
};

void matrix_by_matrix(cusparseHandle_t handle) {
  for (const Format format : {Format::csr, Format::csc, Format::coo})
    for (const cudaDataType type : {CUDA_R_32F, CUDA_C_64F})
      for (const cusparseOperation_t op_a : kOperations)
        for (const cusparseOperation_t op_b : kOperations)
          for (const cusparseOrder_t order_b : {CUSPARSE_ORDER_COL, CUSPARSE_ORDER_ROW})
            for (const cusparseOrder_t order_c : {CUSPARSE_ORDER_COL, CUSPARSE_ORDER_ROW}) {
              const Complex alpha = draw(type), beta = draw(type);
              const Dense matrix = draw_sparse(7, 5, type);
              const Dense applied = with(matrix, op_a);
              const Sparse a(matrix, format, type, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO);
              const bool is_plain = op_b == CUSPARSE_OPERATION_NON_TRANSPOSE;
              Dense b{is_plain ? applied.columns : 3, is_plain ? 3 : applied.columns, {}};
              b.at = draw(static_cast<std::size_t>(b.rows * b.columns), type);
              Dense c{applied.rows, 3, draw(static_cast<std::size_t>(applied.rows * 3), type)};
              const Table b_table(b, order_b, type), c_table(c, order_c, type);
              const Scalar a_scalar(alpha, type), b_scalar(beta, type);
              std::size_t size = 0;
              const int sized = cusparseSpMM_bufferSize(
                  handle, op_a, op_b, a_scalar.get(), a.descriptor, b_table.descriptor,
                  b_scalar.get(), c_table.descriptor, type, CUSPARSE_SPMM_ALG_DEFAULT, &size);
              const Buffer work(size);
              const int status = cusparseSpMM(
                  handle, op_a, op_b, a_scalar.get(), a.descriptor, b_table.descriptor,
                  b_scalar.get(), c_table.descriptor, type, CUSPARSE_SPMM_ALG_DEFAULT, work.get());
              const Dense sum = product(applied, with(b, op_b));
              for (std::size_t i = 0; i < c.at.size(); ++i)
                c.at[i] = alpha * sum.at[i] + beta * c.at[i];
              say(std::string("SpMM ") + name_of(format) + " " + name_of(type) + " " +
                      name_of(op_a) + name_of(op_b) +
                      (order_b == CUSPARSE_ORDER_COL ? " columns" : " rows") +
                      (order_c == CUSPARSE_ORDER_COL ? " columns" : " rows"),
                  std::to_string(sized) + " " + outcome(status, c_table.holds(c, type)));
            }
}

// --- solutions
// ------------------------------------------------------------------------------------

void solutions(cusparseHandle_t handle) {
  for (const Format format : {Format::csr, Format::coo})
    for (const cudaDataType type : kTypes)
      for (const cusparseFillMode_t fill : {CUSPARSE_FILL_MODE_LOWER, CUSPARSE_FILL_MODE_UPPER})
        for (const cusparseDiagType_t diagonal :
             {CUSPARSE_DIAG_TYPE_NON_UNIT, CUSPARSE_DIAG_TYPE_UNIT})
          for (const cusparseOperation_t op : kOperations) {
            // The other triangle has numbers, too; nobody may use them.
            Dense matrix{6, 6, std::vector<Complex>(36)};
            for (std::int64_t i = 0; i < 6; ++i)
              for (std::int64_t j = 0; j < 6; ++j)
                if (i == j || (i + 2 * j) % 3 == 0) matrix(i, j) = draw(type) + 5.0;
            Dense used = matrix;
            for (std::int64_t i = 0; i < 6; ++i)
              for (std::int64_t j = 0; j < 6; ++j) {
                if (fill == CUSPARSE_FILL_MODE_LOWER ? j > i : j < i) used(i, j) = 0;
                if (i == j && diagonal == CUSPARSE_DIAG_TYPE_UNIT) used(i, j) = 1;
              }
            const Sparse a(matrix, format, type, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO);
            cusparseFillMode_t fill_value = fill;
            cusparseDiagType_t diagonal_value = diagonal;
            cusparseSpMatSetAttribute(a.descriptor, CUSPARSE_SPMAT_FILL_MODE, &fill_value,
                                      sizeof fill_value);
            cusparseSpMatSetAttribute(a.descriptor, CUSPARSE_SPMAT_DIAG_TYPE, &diagonal_value,
                                      sizeof diagonal_value);
            const Dense x{6, 1, draw(6, type)};
            const Buffer x_memory(packed(x.at, type)), y_memory(6 * bytes_of(type));
            cusparseDnVecDescr_t x_vector, y_vector;
            cusparseCreateDnVec(&x_vector, 6, x_memory.get(), type);
            cusparseCreateDnVec(&y_vector, 6, y_memory.get(), type);
            cusparseSpSVDescr_t plan;
            cusparseSpSV_createDescr(&plan);
            const Complex alpha = draw(type) + 4.0;
            const Scalar scalar(alpha, type);
            std::size_t size = 0;
            const int sized =
                cusparseSpSV_bufferSize(handle, op, scalar.get(), a.descriptor, x_vector, y_vector,
                                        type, CUSPARSE_SPSV_ALG_DEFAULT, plan, &size);
            const Buffer work(size);
            const int analysed =
                cusparseSpSV_analysis(handle, op, scalar.get(), a.descriptor, x_vector, y_vector,
                                      type, CUSPARSE_SPSV_ALG_DEFAULT, plan, work.get());
            const int status = cusparseSpSV_solve(handle, op, scalar.get(), a.descriptor, x_vector,
                                                  y_vector, type, CUSPARSE_SPSV_ALG_DEFAULT, plan);
            const Dense solution{6, 1, unpacked(y_memory, 6, type)};
            std::vector<Complex> expected = x.at;
            for (Complex& number : expected) number *= alpha;
            const bool is_right = is_near(product(with(used, op), solution).at, expected, type);
            say(std::string("SpSV ") + name_of(format) + " " + name_of(type) +
                    (fill == CUSPARSE_FILL_MODE_LOWER ? " lower" : " upper") +
                    (diagonal == CUSPARSE_DIAG_TYPE_UNIT ? " unit " : " ") + name_of(op),
                std::to_string(sized) + " " + std::to_string(analysed) + " " +
                    outcome(status, is_right));
            cusparseSpSV_destroyDescr(plan);
            cusparseDestroyDnVec(x_vector);
            cusparseDestroyDnVec(y_vector);
          }
}

// --- conversions and vectors
// ----------------------------------------------------------------------

std::string in_words(const std::vector<int>& numbers) {
  std::string text;
  for (const int number : numbers) text += (text.empty() ? "" : " ") + std::to_string(number);
  return text;
}

void conversions(cusparseHandle_t handle) {
  for (const Format format : {Format::csr, Format::csc, Format::coo})
    for (const cusparseOrder_t order : {CUSPARSE_ORDER_COL, CUSPARSE_ORDER_ROW}) {
      const cudaDataType type = CUDA_R_32F;
      const Dense matrix = draw_sparse(7, 5, type);
      const std::string what =
          std::string(name_of(format)) + (order == CUSPARSE_ORDER_COL ? " columns" : " rows");
      const Sparse a(matrix, format, type, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ONE);
      const Table table(Dense{7, 5, std::vector<Complex>(35, Complex(9))}, order, type);
      std::size_t size = 0;
      const int sized = cusparseSparseToDense_bufferSize(handle, a.descriptor, table.descriptor,
                                                         CUSPARSE_SPARSETODENSE_ALG_DEFAULT, &size);
      const Buffer work(size);
      const int status = cusparseSparseToDense(handle, a.descriptor, table.descriptor,
                                               CUSPARSE_SPARSETODENSE_ALG_DEFAULT, work.get());
      say("to dense, " + what,
          std::to_string(sized) + " " + outcome(status, table.holds(matrix, type)));

      const Table dense(matrix, order, type);
      const Buffer offsets(8 * sizeof(int)), indices(35 * sizeof(int)), outer(35 * sizeof(int)),
          values(35 * sizeof(float));
      cusparseSpMatDescr_t b;
      if (format == Format::coo) {
        cusparseCreateCoo(&b, 7, 5, 0, nullptr, nullptr, nullptr, CUSPARSE_INDEX_32I,
                          CUSPARSE_INDEX_BASE_ZERO, type);
      } else {
        (format == Format::csr ? cusparseCreateCsr : cusparseCreateCsc)(
            &b, 7, 5, 0, offsets.get(), nullptr, nullptr, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I,
            CUSPARSE_INDEX_BASE_ZERO, type);
      }
      const int sized_back = cusparseDenseToSparse_bufferSize(
          handle, dense.descriptor, b, CUSPARSE_DENSETOSPARSE_ALG_DEFAULT, &size);
      const Buffer work_back(size);
      const int analysed = cusparseDenseToSparse_analysis(
          handle, dense.descriptor, b, CUSPARSE_DENSETOSPARSE_ALG_DEFAULT, work_back.get());
      std::int64_t rows = 0, columns = 0, count = 0;
      cusparseSpMatGetSize(b, &rows, &columns, &count);
      if (format == Format::coo) {
        cusparseCooSetPointers(b, outer.get(), indices.get(), values.get());
      } else {
        (format == Format::csr ? cusparseCsrSetPointers : cusparseCscSetPointers)(
            b, offsets.get(), indices.get(), values.get());
      }
      const int converted = cusparseDenseToSparse_convert(
          handle, dense.descriptor, b, CUSPARSE_DENSETOSPARSE_ALG_DEFAULT, work_back.get());
      say("to sparse, " + what, std::to_string(sized_back) + " " + std::to_string(analysed) + " " +
                                    std::to_string(converted) + " " + std::to_string(rows) + " " +
                                    std::to_string(columns) + " " + std::to_string(count));
      const auto n = static_cast<std::size_t>(count);
      if (format == Format::coo) {
        say("to sparse, " + what + ", rows", in_words(outer.values<int>(n)));
      } else {
        say("to sparse, " + what + ", offsets",
            in_words(offsets.values<int>(format == Format::csr ? 8 : 6)));
      }
      say("to sparse, " + what + ", indices", in_words(indices.values<int>(n)));
      std::string numbers;
      for (const float number : values.values<float>(n))
        numbers += std::to_string(static_cast<int>(number * 8)) + " ";
      say("to sparse, " + what + ", eighths", numbers);
      cusparseDestroySpMat(b);
    }
  const Buffer rows(std::vector<int>{0, 0, 1, 3, 3, 3, 6}), offsets(8 * sizeof(int)),
      back(7 * sizeof(int));
  say("Xcoo2csr", cusparseXcoo2csr(handle, static_cast<int*>(rows.get()), 7, 7,
                                   static_cast<int*>(offsets.get()), CUSPARSE_INDEX_BASE_ZERO));
  say("Xcoo2csr, offsets", in_words(offsets.values<int>(8)));
  say("Xcsr2coo", cusparseXcsr2coo(handle, static_cast<int*>(offsets.get()), 7, 7,
                                   static_cast<int*>(back.get()), CUSPARSE_INDEX_BASE_ZERO));
  say("Xcsr2coo, rows", in_words(back.values<int>(7)));
}

void vectors(cusparseHandle_t handle) {
  for (const cudaDataType type : kTypes)
    for (const cusparseIndexBase_t base : {CUSPARSE_INDEX_BASE_ZERO, CUSPARSE_INDEX_BASE_ONE}) {
      const std::vector<std::int64_t> places = {1, 2, 5, 8};
      std::vector<std::int64_t> indices = places;
      for (std::int64_t& index : indices) index += base;
      const std::vector<Complex> x = draw(4, type), y = draw(9, type);
      const Buffer index_memory(integers(indices, CUSPARSE_INDEX_32I));
      const Buffer x_memory(packed(x, type)), y_memory(packed(y, type));
      cusparseSpVecDescr_t sparse;
      cusparseDnVecDescr_t dense;
      const int made = cusparseCreateSpVec(&sparse, 9, 4, index_memory.get(), x_memory.get(),
                                           CUSPARSE_INDEX_32I, base, type);
      cusparseCreateDnVec(&dense, 9, y_memory.get(), type);
      const std::string what = std::string(name_of(type)) + ", base " + std::to_string(base);
      say("sparse vector " + what, made);
      for (const cusparseOperation_t op :
           {CUSPARSE_OPERATION_NON_TRANSPOSE, CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE}) {
        std::size_t size = 0;
        std::vector<char> result(16);
        const int sized =
            cusparseSpVV_bufferSize(handle, op, sparse, dense, result.data(), type, &size);
        const Buffer work(size);
        const int status = cusparseSpVV(handle, op, sparse, dense, result.data(), type, work.get());
        Complex sum = 0;
        for (std::size_t i = 0; i < 4; ++i)
          sum += (op == CUSPARSE_OPERATION_NON_TRANSPOSE ? x[i] : std::conj(x[i])) *
                 y[static_cast<std::size_t>(places[i])];
        const Buffer result_memory(result);
        const bool is_right = is_near(unpacked(result_memory, 1, type), {sum}, type);
        say("SpVV " + what + " " + name_of(op),
            std::to_string(sized) + " " + outcome(status, is_right));
      }
      const Complex alpha = draw(type), beta = draw(type);
      const Scalar a_scalar(alpha, type), b_scalar(beta, type);
      std::vector<Complex> expected = y;
      for (Complex& number : expected) number *= beta;
      for (std::size_t i = 0; i < 4; ++i)
        expected[static_cast<std::size_t>(places[i])] += alpha * x[i];
      const int added = cusparseAxpby(handle, a_scalar.get(), sparse, b_scalar.get(), dense);
      say("Axpby " + what, outcome(added, is_near(unpacked(y_memory, 9, type), expected, type)));
      const int gathered = cusparseGather(handle, dense, sparse);
      std::vector<Complex> some;
      for (const std::int64_t place : places)
        some.push_back(expected[static_cast<std::size_t>(place)]);
      say("Gather " + what, outcome(gathered, is_near(unpacked(x_memory, 4, type), some, type)));
      const std::vector<Complex> fresh = draw(4, type);
      const std::vector<char> bytes = packed(fresh, type);
      cudaMemcpy(x_memory.get(), bytes.data(), bytes.size(), cudaMemcpyHostToDevice);
      for (std::size_t i = 0; i < 4; ++i) expected[static_cast<std::size_t>(places[i])] = fresh[i];
      const int scattered = cusparseScatter(handle, sparse, dense);
      say("Scatter " + what,
          outcome(scattered, is_near(unpacked(y_memory, 9, type), expected, type)));
      cusparseDestroySpVec(sparse);
      cusparseDestroyDnVec(dense);
    }
}

// --- statuses
// -------------------------------------------------------------------------------------

void descriptors() {
  const Buffer memory(4096);
  void* const p = memory.get();
  cusparseSpMatDescr_t matrix = nullptr;
  cusparseDnVecDescr_t vector = nullptr;
  cusparseDnMatDescr_t table = nullptr;
  cusparseSpVecDescr_t sparse = nullptr;
  const auto csr = [&](const std::string& what, std::int64_t rows, std::int64_t columns,
                       std::int64_t count, void* offsets, void* indices, void* values, int offset,
                       int index, int base, int type) {
    say("CSR, " + what,
        cusparseCreateCsr(&matrix, rows, columns, count, offsets, indices, values,
                          static_cast<cusparseIndexType_t>(offset),
                          static_cast<cusparseIndexType_t>(index),
                          static_cast<cusparseIndexBase_t>(base), static_cast<cudaDataType>(type)));
  };
  csr("usual", 4, 4, 4, p, p, p, 2, 2, 0, CUDA_R_32F);
  csr("empty", 0, 0, 0, nullptr, nullptr, nullptr, 2, 2, 0, CUDA_R_32F);
  csr("no rows", 0, 4, 0, p, nullptr, nullptr, 2, 2, 0, CUDA_R_32F);
  csr("without numbers", 4, 4, 0, p, nullptr, nullptr, 2, 2, 0, CUDA_R_32F);
  csr("-1 rows", -1, 4, 4, p, p, p, 2, 2, 0, CUDA_R_32F);
  csr("-1 columns", 4, -1, 4, p, p, p, 2, 2, 0, CUDA_R_32F);
  csr("-1 numbers", 4, 4, -1, p, p, p, 2, 2, 0, CUDA_R_32F);
  csr("17 numbers of 16", 4, 4, 17, p, p, p, 2, 2, 0, CUDA_R_32F);
  csr("null offsets", 4, 4, 4, nullptr, p, p, 2, 2, 0, CUDA_R_32F);
  csr("null indices", 4, 4, 4, p, nullptr, p, 2, 2, 0, CUDA_R_32F);
  csr("null values", 4, 4, 4, p, p, nullptr, 2, 2, 0, CUDA_R_32F);
  csr("offsets of 64 bits, indices of 32", 4, 4, 4, p, p, p, 3, 2, 0, CUDA_R_32F);
  csr("offsets of 32 bits, indices of 64", 4, 4, 4, p, p, p, 2, 3, 0, CUDA_R_32F);
  csr("another index type", 4, 4, 4, p, p, p, 9, 2, 0, CUDA_R_32F);
  csr("another base", 4, 4, 4, p, p, p, 2, 2, 5, CUDA_R_32F);
  csr("another type", 4, 4, 4, p, p, p, 2, 2, 0, 99);
  say("CSR into nothing",
      cusparseCreateCsr(nullptr, 4, 4, 4, p, p, p, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I,
                        CUSPARSE_INDEX_BASE_ZERO, CUDA_R_32F));
  say("COO", cusparseCreateCoo(&matrix, 4, 4, 4, p, p, p, CUSPARSE_INDEX_32I,
                               CUSPARSE_INDEX_BASE_ZERO, CUDA_R_32F));
  say("COO, null rows", cusparseCreateCoo(&matrix, 4, 4, 4, nullptr, p, p, CUSPARSE_INDEX_32I,
                                          CUSPARSE_INDEX_BASE_ZERO, CUDA_R_32F));
  say("vector", cusparseCreateDnVec(&vector, 4, p, CUDA_R_32F));
  say("vector of 0", cusparseCreateDnVec(&vector, 0, nullptr, CUDA_R_32F));
  say("vector of -1", cusparseCreateDnVec(&vector, -1, p, CUDA_R_32F));
  say("vector, null", cusparseCreateDnVec(&vector, 4, nullptr, CUDA_R_32F));
  say("vector into nothing", cusparseCreateDnVec(nullptr, 4, p, CUDA_R_32F));
  say("vector, another type", cusparseCreateDnVec(&vector, 4, p, static_cast<cudaDataType>(99)));
  const auto dense = [&](const std::string& what, std::int64_t rows, std::int64_t columns,
                         std::int64_t ld, void* values, int order) {
    say("matrix, " + what, cusparseCreateDnMat(&table, rows, columns, ld, values, CUDA_R_32F,
                                               static_cast<cusparseOrder_t>(order)));
  };
  dense("by columns", 4, 3, 4, p, CUSPARSE_ORDER_COL);
  dense("by rows", 4, 3, 3, p, CUSPARSE_ORDER_ROW);
  dense("small ld by columns", 4, 3, 3, p, CUSPARSE_ORDER_COL);
  dense("small ld by rows", 4, 3, 2, p, CUSPARSE_ORDER_ROW);
  dense("-1 rows", -1, 3, 4, p, CUSPARSE_ORDER_COL);
  dense("null", 4, 3, 4, nullptr, CUSPARSE_ORDER_COL);
  dense("another order", 4, 3, 4, p, 7);
  say("sparse vector", cusparseCreateSpVec(&sparse, 9, 4, p, p, CUSPARSE_INDEX_32I,
                                           CUSPARSE_INDEX_BASE_ZERO, CUDA_R_32F));
  say("sparse vector, 10 of 9", cusparseCreateSpVec(&sparse, 9, 10, p, p, CUSPARSE_INDEX_32I,
                                                    CUSPARSE_INDEX_BASE_ZERO, CUDA_R_32F));
  say("sparse vector, null indices",
      cusparseCreateSpVec(&sparse, 9, 4, nullptr, p, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO,
                          CUDA_R_32F));
  say("destroy a null vector", cusparseDestroyDnVec(nullptr));
  say("destroy a null matrix", cusparseDestroySpMat(nullptr));
  say("destroy a null table", cusparseDestroyDnMat(nullptr));
  say("destroy a null sparse vector", cusparseDestroySpVec(nullptr));
  say("size of null", cusparseSpMatGetSize(nullptr, nullptr, nullptr, nullptr));
}

void handles() {
  cusparseHandle_t handle = nullptr;
  say("create into nothing", cusparseCreate(nullptr));
  say("create", cusparseCreate(&handle));
  int version = 0;
  say("version", cusparseGetVersion(handle, &version));
  say("version is the header's", version == CUSPARSE_VERSION ? "yes" : "no");
  say("version into nothing", cusparseGetVersion(handle, nullptr));
  say("version of null", cusparseGetVersion(nullptr, &version));
  for (const int property : {0, 1, 2, 3}) {
    int value = -1;
    say("property " + std::to_string(property),
        cusparseGetProperty(static_cast<libraryPropertyType>(property), &value));
  }
  say("property into nothing", cusparseGetProperty(MAJOR_VERSION, nullptr));
  cusparsePointerMode_t mode;
  say("mode", cusparseGetPointerMode(handle, &mode));
  say("mode is the host's", mode == CUSPARSE_POINTER_MODE_HOST ? "yes" : "no");
  say("device mode", cusparseSetPointerMode(handle, CUSPARSE_POINTER_MODE_DEVICE));
  say("another mode", cusparseSetPointerMode(handle, static_cast<cusparsePointerMode_t>(7)));
  say("mode of null", cusparseSetPointerMode(nullptr, CUSPARSE_POINTER_MODE_HOST));
  cudaStream_t stream = nullptr;
  say("set the stream", cusparseSetStream(handle, nullptr));
  say("stream", cusparseGetStream(handle, &stream));
  say("stream of null", cusparseSetStream(nullptr, nullptr));
  say("destroy", cusparseDestroy(handle));
  say("destroy null", cusparseDestroy(nullptr));
  for (int status = -1; status <= 12; ++status)
    say("status " + std::to_string(status),
        std::string(cusparseGetErrorName(static_cast<cusparseStatus_t>(status))) + ", " +
            cusparseGetErrorString(static_cast<cusparseStatus_t>(status)));
}

/// Calls that are wrong in one thing each.
void wrong_products(cusparseHandle_t handle) {
  const cudaDataType type = CUDA_R_32F;
  const Dense matrix = draw_sparse(7, 5, type);
  const Sparse a(matrix, Format::csr, type, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO);
  const Buffer memory(4096);
  cusparseDnVecDescr_t v5, v7, d5;
  cusparseCreateDnVec(&v5, 5, memory.get(), type);
  cusparseCreateDnVec(&v7, 7, memory.get(), type);
  cusparseCreateDnVec(&d5, 5, memory.get(), CUDA_R_64F);
  const float one = 1;
  const auto multiply = [&](const std::string& what, cusparseHandle_t with_handle, int op,
                            const void* alpha, cusparseConstSpMatDescr_t m,
                            cusparseConstDnVecDescr_t x, const void* beta, cusparseDnVecDescr_t y,
                            cudaDataType compute, int algorithm) {
    std::size_t size = 0;
    const int sized =
        cusparseSpMV_bufferSize(with_handle, static_cast<cusparseOperation_t>(op), alpha, m, x,
                                beta, y, compute, static_cast<cusparseSpMVAlg_t>(algorithm), &size);
    const int status =
        cusparseSpMV(with_handle, static_cast<cusparseOperation_t>(op), alpha, m, x, beta, y,
                     compute, static_cast<cusparseSpMVAlg_t>(algorithm), memory.get());
    say("SpMV, " + what, std::to_string(sized) + " " + std::to_string(status));
  };
  multiply("right", handle, 0, &one, a.descriptor, v5, &one, v7, type, 0);
  multiply("null handle", nullptr, 0, &one, a.descriptor, v5, &one, v7, type, 0);
  multiply("another operation", handle, 5, &one, a.descriptor, v5, &one, v7, type, 0);
  multiply("null alpha", handle, 0, nullptr, a.descriptor, v5, &one, v7, type, 0);
  multiply("null beta", handle, 0, &one, a.descriptor, v5, nullptr, v7, type, 0);
  multiply("null matrix", handle, 0, &one, nullptr, v5, &one, v7, type, 0);
  multiply("null input", handle, 0, &one, a.descriptor, nullptr, &one, v7, type, 0);
  multiply("null output", handle, 0, &one, a.descriptor, v5, &one, nullptr, type, 0);
  multiply("short input", handle, 1, &one, a.descriptor, v5, &one, v5, type, 0);
  multiply("long output", handle, 1, &one, a.descriptor, v7, &one, v7, type, 0);
  multiply("input of doubles", handle, 0, &one, a.descriptor, d5, &one, v7, type, 0);
  multiply("sum of doubles", handle, 0, &one, a.descriptor, v5, &one, v7, CUDA_R_64F, 0);
  multiply("an algorithm for COO", handle, 0, &one, a.descriptor, v5, &one, v7, type,
           CUSPARSE_SPMV_COO_ALG1);
  for (const int algorithm : {int{CUSPARSE_SPMV_CSR_ALG1}, int{CUSPARSE_SPMV_CSR_ALG2}, 99})
    multiply("algorithm " + std::to_string(algorithm), handle, 0, &one, a.descriptor, v5, &one, v7,
             type, algorithm);
  std::size_t size = 0;
  say("size into nothing",
      cusparseSpMV_bufferSize(handle, CUSPARSE_OPERATION_NON_TRANSPOSE, &one, a.descriptor, v5,
                              &one, v7, type, CUSPARSE_SPMV_ALG_DEFAULT, nullptr));
  say("preprocess",
      cusparseSpMV_preprocess(handle, CUSPARSE_OPERATION_NON_TRANSPOSE, &one, a.descriptor, v5,
                              &one, v7, type, CUSPARSE_SPMV_ALG_DEFAULT, memory.get()));
  // Scalars of the device.
  const Buffer scalars(std::vector<float>{2, 0});
  const Buffer x(std::vector<float>{1, 1, 1, 1, 1}), y(std::vector<float>(7, 5.0f));
  cusparseDnVecDescr_t x_vector, y_vector;
  cusparseCreateDnVec(&x_vector, 5, x.get(), type);
  cusparseCreateDnVec(&y_vector, 7, y.get(), type);
  cusparseSetPointerMode(handle, CUSPARSE_POINTER_MODE_DEVICE);
  auto* const alpha = static_cast<float*>(scalars.get());
  cusparseSpMV_bufferSize(handle, CUSPARSE_OPERATION_NON_TRANSPOSE, alpha, a.descriptor, x_vector,
                          alpha + 1, y_vector, type, CUSPARSE_SPMV_ALG_DEFAULT, &size);
  const Buffer work(size);
  const int status =
      cusparseSpMV(handle, CUSPARSE_OPERATION_NON_TRANSPOSE, alpha, a.descriptor, x_vector,
                   alpha + 1, y_vector, type, CUSPARSE_SPMV_ALG_DEFAULT, work.get());
  cusparseSetPointerMode(handle, CUSPARSE_POINTER_MODE_HOST);
  std::vector<Complex> expected(7);
  for (std::int64_t i = 0; i < 7; ++i)
    for (std::int64_t j = 0; j < 5; ++j)
      expected[static_cast<std::size_t>(i)] += 2.0 * matrix(i, j);
  say("SpMV, scalars of the device",
      outcome(status, is_near(unpacked(y, 7, type), expected, type)));
  for (const cusparseDnVecDescr_t vector : {v5, v7, d5, x_vector, y_vector})
    cusparseDestroyDnVec(vector);

  const Table b(Dense{5, 3, std::vector<Complex>(15)}, CUSPARSE_ORDER_COL, type);
  const Table c(Dense{7, 3, std::vector<Complex>(21)}, CUSPARSE_ORDER_COL, type);
  const auto mm = [&](const std::string& what, int op_a, cusparseConstSpMatDescr_t m,
                      cusparseConstDnMatDescr_t in, cusparseDnMatDescr_t out,
                      cudaDataType compute) {
    const int sized = cusparseSpMM_bufferSize(handle, static_cast<cusparseOperation_t>(op_a),
                                              CUSPARSE_OPERATION_NON_TRANSPOSE, &one, m, in, &one,
                                              out, compute, CUSPARSE_SPMM_ALG_DEFAULT, &size);
    say("SpMM, " + what, sized);
  };
  mm("right", 0, a.descriptor, b.descriptor, c.descriptor, type);
  mm("another height", 0, a.descriptor, c.descriptor, c.descriptor, type);
  mm("another operation", 9, a.descriptor, b.descriptor, c.descriptor, type);
  mm("null matrix", 0, nullptr, b.descriptor, c.descriptor, type);
  mm("null table", 0, a.descriptor, nullptr, c.descriptor, type);
  mm("sum of doubles", 0, a.descriptor, b.descriptor, c.descriptor, CUDA_R_64F);
}

}  // namespace

int main() {
  handles();
  descriptors();
  cusparseHandle_t handle;
  cusparseCreate(&handle);
  wrong_products(handle);
  vectors(handle);
  conversions(handle);
  matrix_by_vector(handle);
  matrix_by_matrix(handle);
  solutions(handle);
  cusparseDestroy(handle);
  say("afterwards", cudaDeviceSynchronize());
}
