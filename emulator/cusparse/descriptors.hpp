/// @file
/// What cuSPARSE's handles and descriptors stand for.
#pragma once

#include <vector>

#include "cusparse.h"

struct cusparseContext {
  cudaStream_t stream = nullptr;
  cusparsePointerMode_t pointer_mode = CUSPARSE_POINTER_MODE_HOST;
};

struct cusparseSpVecDescr {
  int64_t size, count;
  void *indices, *values;
  cusparseIndexType_t index_type;
  cusparseIndexBase_t base;
  cudaDataType type;
};

struct cusparseDnVecDescr {
  int64_t size;
  void* values;
  cudaDataType type;
};

struct cusparseDnMatDescr {
  int64_t rows, columns, ld;
  void* values;
  cudaDataType type;
  cusparseOrder_t order;

  /// Returns the position of an element, in elements.
  int64_t place(int64_t i, int64_t j) const {
    return order == CUSPARSE_ORDER_COL ? j * ld + i : i * ld + j;
  }
};

struct cusparseSpMatDescr {
  cusparseFormat_t format;
  int64_t rows, columns, count;
  void* outer;    ///< CSR: offsets of rows. CSC: offsets of columns. COO: the row of each value
  void* indices;  ///< CSR and COO: the column of each value. CSC: its row
  void* values;
  cusparseIndexType_t index_type;  ///< of `outer` and `indices`
  cusparseIndexBase_t base;
  cudaDataType type;
  cusparseFillMode_t fill = CUSPARSE_FILL_MODE_LOWER;
  cusparseDiagType_t diagonal = CUSPARSE_DIAG_TYPE_NON_UNIT;

  bool is_compressed() const { return format != CUSPARSE_FORMAT_COO; }
  /// Returns the rows of CSR, or the columns of CSC.
  int64_t lists() const { return format == CUSPARSE_FORMAT_CSC ? columns : rows; }
  int64_t outer_elements() const { return is_compressed() ? lists() + 1 : count; }
};

struct cusparseSpSVDescr {};
struct cusparseSpSMDescr {};

/// The product of two sparse matrices, as long as it has no memory of the device.
struct cusparseSpGEMMDescr {
  int64_t products = 0;  ///< of two values
  std::vector<int64_t> offsets, columns;
  std::vector<unsigned char> values;
};

namespace emu::cusparse {

// Whether something was created and not destroyed.
bool is_alive(cusparseHandle_t handle);
bool is_alive(cusparseConstSpVecDescr_t vector);
bool is_alive(cusparseConstDnVecDescr_t vector);
bool is_alive(cusparseConstDnMatDescr_t matrix);
bool is_alive(cusparseConstSpMatDescr_t matrix);
bool is_alive(cusparseSpSVDescr_t descriptor);
bool is_alive(cusparseSpSMDescr_t descriptor);
bool is_alive(cusparseSpGEMMDescr_t descriptor);

}  // namespace emu::cusparse
