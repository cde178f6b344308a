/// @file
/// A call of cuSPARSE that works on device memory.
#pragma once

#include <fmt/format.h>

#include <complex>
#include <new>
#include <type_traits>

#include "descriptors.hpp"
#include "engine/engine.hpp"
#include "runtime/library_call.hpp"
#include "runtime/number_type.hpp"

namespace emu::cusparse {

/// Whether the matrix's numbers are replaced by their conjugates, and rows by columns.
struct Operation {
  explicit Operation(cusparseOperation_t operation)
      : is_transposed(operation != CUSPARSE_OPERATION_NON_TRANSPOSE),
        is_conjugated(operation == CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE) {}
  bool is_transposed, is_conjugated;

  template <class T>
  T apply(T value) const {
    if constexpr (!std::is_floating_point_v<T>) {
      if (is_conjugated) return std::conj(value);
    }
    return value;
  }
};

inline bool is_complex(cudaDataType type) { return type == CUDA_C_32F || type == CUDA_C_64F; }

/// Returns whether numbers of this type have such an operation.
inline bool is_valid(cusparseOperation_t operation, cudaDataType type) {
  return operation == CUSPARSE_OPERATION_NON_TRANSPOSE ||
         operation == CUSPARSE_OPERATION_TRANSPOSE ||
         (operation == CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE && is_complex(type));
}

/// Calls `work(T())` with the C++ type of the numbers.
template <class Work>
void with_type(cudaDataType type, const Work& work) {
  if (!emu::with_number_type(type, work))
    unsupported("numbers other than R_32F, R_64F, C_32F, C_64F in cuSPARSE");
}

/// What a call does with its operands: looks at them before it uses them.
class Call {
 public:
  Call(const char* name, const cusparseContext& context, const void* call_site)
      : operands_({"cuSPARSE", "the sizes and the number of values"}, name, call_site),
        has_device_scalars_(context.pointer_mode == CUSPARSE_POINTER_MODE_DEVICE) {}

  /// Returns the numbers of an operand.
  template <class T>
  T* numbers(const char* name, void* values, int64_t count, Use use) {
    if (count > 0) {
      const std::size_t bytes = static_cast<std::size_t>(count) * sizeof(T);
      operands_.reach(name, values, bytes);
      if (checking().init) operands_.touch(name, values, bytes, use);
    }
    return static_cast<T*>(values);
  }

  template <class T>
  T* numbers(const char* name, const cusparseDnVecDescr& vector, Use use) {
    return numbers<T>(name, vector.values, vector.size, use);
  }

  /// Looks at a dense matrix, whose columns or rows may have gaps between them.
  template <class T>
  T* numbers(const char* name, const cusparseDnMatDescr& matrix, Use use) {
    const bool by_columns = matrix.order == CUSPARSE_ORDER_COL;
    const int64_t lines = by_columns ? matrix.columns : matrix.rows;
    const int64_t length = by_columns ? matrix.rows : matrix.columns;
    auto* const values = static_cast<T*>(matrix.values);
    if (lines == 0 || length == 0) return values;
    operands_.reach(name, values,
                    static_cast<std::size_t>((lines - 1) * matrix.ld + length) * sizeof(T));
    if (checking().init)
      for (int64_t i = 0; i < lines; ++i)
        operands_.touch(name, values + i * matrix.ld, static_cast<std::size_t>(length) * sizeof(T),
                        use);
    return values;
  }

  /// Returns alpha or beta.
  template <class T>
  T scalar(const char* name, const void* pointer) {
    if (!has_device_scalars_) return *static_cast<const T*>(pointer);
    return *numbers<T>(name, const_cast<void*>(pointer), 1, Use::read);
  }

  /// Hands a result that is one number to the program.
  template <class T>
  void give(void* pointer, T value) {
    if (has_device_scalars_) numbers<T>("the result", pointer, 1, Use::write);
    *static_cast<T*>(pointer) = value;
  }

  [[noreturn]] void refuse(const std::string& what, const void* address, const char* hint) const {
    operands_.refuse(what, address, hint);
  }

 private:
  LibraryOperands operands_;
  bool has_device_scalars_;
};

/// Integers of 32 or 64 bits in device memory, that count from the base.
class Indices {
 public:
  Indices(Call& call, const char* name, void* values, int64_t count, cusparseIndexType_t type,
          cusparseIndexBase_t base, Use use = Use::read)
      : is_long_(type == CUSPARSE_INDEX_64I), base_(base) {
    if (is_long_) {
      long_ = call.numbers<int64_t>(name, values, count, use);
    } else {
      short_ = call.numbers<int32_t>(name, values, count, use);
    }
  }

  int64_t operator[](int64_t i) const { return (is_long_ ? long_[i] : short_[i]) - base_; }
  void set(int64_t i, int64_t value) {
    if (is_long_) {
      long_[i] = value + base_;
    } else {
      short_[i] = static_cast<int32_t>(value + base_);
    }
  }

 private:
  bool is_long_;
  int64_t base_;
  int64_t* long_ = nullptr;
  int32_t* short_ = nullptr;
};

/// Refuses an index that is none of the operand's.
inline void check_index(const Call& call, int64_t index, int64_t end, const char* of,
                        const void* address) {
  if (index >= 0 && index < end) return;
  call.refuse(
      fmt::format("meets an index of {}, counted from 0, and there are {} {}", index, end, of),
      address, "is the index base right, and are all indices written?");
}

/// Calls `visit(row, column, value)` for all values of a matrix, in the order in which they lie.
/// @param use  what `visit` does with the values
template <class T, class Visit>
void for_each_value(Call& call, const cusparseSpMatDescr& matrix, const Visit& visit,
                    Use use = Use::read) {
  const Indices outer(call, matrix.is_compressed() ? "the offsets" : "the row indices",
                      matrix.outer, matrix.outer_elements(), matrix.index_type, matrix.base);
  const Indices indices(call, "the indices", matrix.indices, matrix.count, matrix.index_type,
                        matrix.base);
  const T* const values = call.numbers<T>("the values", matrix.values, matrix.count, use);
  const bool by_columns = matrix.format == CUSPARSE_FORMAT_CSC;
  const auto visit_one = [&](int64_t list, int64_t k) {
    const int64_t row = by_columns ? indices[k] : list;
    const int64_t column = by_columns ? list : indices[k];
    check_index(call, row, matrix.rows, "rows", by_columns ? matrix.indices : matrix.outer);
    check_index(call, column, matrix.columns, "columns", matrix.indices);
    visit(row, column, values[k]);
  };
  if (!matrix.is_compressed()) {
    for (int64_t k = 0; k < matrix.count; ++k) visit_one(outer[k], k);
    return;
  }
  for (int64_t list = 0; list < matrix.lists(); ++list) {
    const int64_t begin = outer[list], end = outer[list + 1];
    if (begin < 0 || end > matrix.count)
      call.refuse(fmt::format("meets offsets of {} and {}, counted from 0, and there are {} values",
                              begin, end, matrix.count),
                  matrix.outer, "is the index base right, and are all offsets written?");
    for (int64_t k = begin; k < end; ++k) visit_one(list, k);
  }
}

/// Does the work of a call after what is before it in the stream.
template <class Work>
cusparseStatus_t run(const char* name, cusparseHandle_t handle, const void* call_site,
                     const Work& work) {
  if (begin_library_call(name, handle->stream) != Readiness::ready)
    return CUSPARSE_STATUS_EXECUTION_FAILED;
  try {
    Call call(name, *handle, call_site);
    work(call);
    return CUSPARSE_STATUS_SUCCESS;
  } catch (const DeviceFailed&) {
    return CUSPARSE_STATUS_SUCCESS;
  } catch (const std::bad_alloc&) {
    return CUSPARSE_STATUS_ALLOC_FAILED;
  }
}

/// As many bytes as a call says that it needs. It uses none.
constexpr size_t kWorkBytes = 256;

/// Returns the status of arguments, and a size for the work area if they are right.
inline cusparseStatus_t give_size(cusparseStatus_t status, size_t* size) {
  if (status != CUSPARSE_STATUS_SUCCESS) return status;
  if (size == nullptr) return CUSPARSE_STATUS_INVALID_VALUE;
  *size = kWorkBytes;
  return CUSPARSE_STATUS_SUCCESS;
}

}  // namespace emu::cusparse
