// Handles and descriptors: made, asked, changed and destroyed.
#include "descriptors.hpp"

#include <algorithm>
#include <array>
#include <cstring>

#include "engine/engine.hpp"
#include "runtime/handles.hpp"
#include "runtime/runtime.hpp"

namespace emu::cusparse {

namespace {

/// All objects of one kind that are alive.
template <class T>
runtime::Handles<T>& all() {
  static auto& objects = *new runtime::Handles<T>;  // programs use theirs until they end
  return objects;
}

template <class T>
bool contains(const T* object) {
  return all<T>().contains(const_cast<T*>(object));
}

constexpr auto kSuccess = CUSPARSE_STATUS_SUCCESS;
constexpr auto kInvalid = CUSPARSE_STATUS_INVALID_VALUE;

template <class T>
cusparseStatus_t create(T** descriptor, const T& object, bool is_valid) {
  if (in_kernel()) unsupported("a call inside a kernel");
  if (descriptor == nullptr || !is_valid) return kInvalid;
  *descriptor = all<T>().create(object);
  return kSuccess;
}

/// Destroys an object; null is none, and no mistake.
template <class T>
cusparseStatus_t destroy(const T* object) {
  if (object == nullptr) return kSuccess;
  return all<T>().destroy(const_cast<T*>(object)) ? kSuccess : kInvalid;
}

template <class T, class Value>
cusparseStatus_t get(const T* object, Value T::*member, Value* value) {
  if (!contains(object) || value == nullptr) return kInvalid;
  *value = object->*member;
  return kSuccess;
}

template <class T, class Value>
cusparseStatus_t set(T* object, Value T::*member, Value value, bool is_valid = true) {
  if (!contains(object) || !is_valid) return kInvalid;
  object->*member = value;
  return kSuccess;
}

bool is_type(cudaDataType type) { return type >= CUDA_R_32F && type <= CUDA_C_64U; }

bool is_index_type(cusparseIndexType_t type) {
  return type == CUSPARSE_INDEX_32I || type == CUSPARSE_INDEX_64I;
}

bool is_base(cusparseIndexBase_t base) {
  return base == CUSPARSE_INDEX_BASE_ZERO || base == CUSPARSE_INDEX_BASE_ONE;
}

/// Whether so many values can be in a matrix of this size.
bool fits(int64_t count, int64_t rows, int64_t columns) {
  if (rows < 0 || columns < 0 || count < 0) return false;
  return rows == 0 || columns == 0 ? count == 0 : (count + columns - 1) / columns <= rows;
}

cusparseStatus_t create_matrix(cusparseSpMatDescr_t* descriptor, cusparseFormat_t format,
                               int64_t rows, int64_t columns, int64_t count, const void* outer,
                               const void* indices, const void* values,
                               cusparseIndexType_t outer_type, cusparseIndexType_t index_type,
                               cusparseIndexBase_t base, cudaDataType type) {
  if (!is_index_type(outer_type) || !is_index_type(index_type)) return kInvalid;
  if (outer_type != index_type) return CUSPARSE_STATUS_NOT_SUPPORTED;
  return create<cusparseSpMatDescr>(
      descriptor,
      {format, rows, columns, count, const_cast<void*>(outer), const_cast<void*>(indices),
       const_cast<void*>(values), index_type, base, type},
      fits(count, rows, columns) && is_base(base) && is_type(type));
}

cusparseStatus_t set_pointers(cusparseSpMatDescr_t matrix, cusparseFormat_t format, void* outer,
                              void* indices, void* values) {
  if (!contains(matrix) || matrix->format != format) return kInvalid;
  matrix->outer = outer;
  matrix->indices = indices;
  matrix->values = values;
  return kSuccess;
}

struct StatusText {
  const char *name, *description;
};

constexpr std::array kStatuses = {
    StatusText{"CUSPARSE_STATUS_SUCCESS", "success"},
    StatusText{"CUSPARSE_STATUS_NOT_INITIALIZED", "initialization error"},
    StatusText{"CUSPARSE_STATUS_ALLOC_FAILED", "out of memory"},
    StatusText{"CUSPARSE_STATUS_INVALID_VALUE", "invalid value"},
    StatusText{"CUSPARSE_STATUS_ARCH_MISMATCH", "architecture mismatch"},
    StatusText{"CUSPARSE_STATUS_MAPPING_ERROR", "texture memory mapping error"},
    StatusText{"CUSPARSE_STATUS_EXECUTION_FAILED", "kernel launch failure"},
    StatusText{"CUSPARSE_STATUS_INTERNAL_ERROR", "internal error"},
    StatusText{"CUSPARSE_STATUS_MATRIX_TYPE_NOT_SUPPORTED", "matrix type not supported"},
    StatusText{"CUSPARSE_STATUS_ZERO_PIVOT", "zero pivot"},
    StatusText{"CUSPARSE_STATUS_NOT_SUPPORTED", "operation not supported"},
    StatusText{"CUSPARSE_STATUS_INSUFFICIENT_RESOURCES", "insufficient resources"},
};

StatusText text_of(cusparseStatus_t status) {
  const auto index = static_cast<std::size_t>(status);
  if (index < kStatuses.size()) return kStatuses[index];
  return {"unrecognized error code", "unrecognized error code"};
}

}  // namespace

bool is_alive(cusparseHandle_t handle) { return contains(handle); }
bool is_alive(cusparseConstSpVecDescr_t vector) { return contains(vector); }
bool is_alive(cusparseConstDnVecDescr_t vector) { return contains(vector); }
bool is_alive(cusparseConstDnMatDescr_t matrix) { return contains(matrix); }
bool is_alive(cusparseConstSpMatDescr_t matrix) { return contains(matrix); }
bool is_alive(cusparseSpSVDescr_t descriptor) { return contains(descriptor); }
bool is_alive(cusparseSpSMDescr_t descriptor) { return contains(descriptor); }
bool is_alive(cusparseSpGEMMDescr_t descriptor) { return contains(descriptor); }

}  // namespace emu::cusparse

using namespace emu;
using namespace emu::cusparse;

extern "C" {

cusparseStatus_t cusparseCreate(cusparseHandle_t* handle) {
  if (sticky_error() != cudaSuccess) return CUSPARSE_STATUS_NOT_INITIALIZED;
  return create(handle, {}, true);
}

cusparseStatus_t cusparseDestroy(cusparseHandle_t handle) { return destroy(handle); }

cusparseStatus_t cusparseGetVersion(cusparseHandle_t handle, int* version) {
  if (!contains(handle) || version == nullptr) return kInvalid;
  *version = CUSPARSE_VERSION;
  return kSuccess;
}

cusparseStatus_t cusparseGetProperty(libraryPropertyType type, int* value) {
  if (type < MAJOR_VERSION || type > PATCH_LEVEL || value == nullptr) return kInvalid;
  *value = std::array{CUSPARSE_VER_MAJOR, CUSPARSE_VER_MINOR, CUSPARSE_VER_PATCH}[type];
  return kSuccess;
}

const char* cusparseGetErrorName(cusparseStatus_t status) { return text_of(status).name; }
const char* cusparseGetErrorString(cusparseStatus_t status) { return text_of(status).description; }

cusparseStatus_t cusparseSetStream(cusparseHandle_t handle, cudaStream_t stream) {
  return set(handle, &cusparseContext::stream, stream);
}
cusparseStatus_t cusparseGetStream(cusparseHandle_t handle, cudaStream_t* stream) {
  return get(handle, &cusparseContext::stream, stream);
}
cusparseStatus_t cusparseGetPointerMode(cusparseHandle_t handle, cusparsePointerMode_t* mode) {
  return get(handle, &cusparseContext::pointer_mode, mode);
}
cusparseStatus_t cusparseSetPointerMode(cusparseHandle_t handle, cusparsePointerMode_t mode) {
  return set(handle, &cusparseContext::pointer_mode, mode,
             mode == CUSPARSE_POINTER_MODE_HOST || mode == CUSPARSE_POINTER_MODE_DEVICE);
}

// --- vectors
// --------------------------------------------------------------------------------------

cusparseStatus_t cusparseCreateSpVec(cusparseSpVecDescr_t* descr, int64_t size, int64_t nnz,
                                     void* indices, void* values, cusparseIndexType_t idxType,
                                     cusparseIndexBase_t idxBase, cudaDataType valueType) {
  return create(descr, {size, nnz, indices, values, idxType, idxBase, valueType},
                size >= 0 && nnz >= 0 && nnz <= size && is_index_type(idxType) &&
                    is_base(idxBase) && is_type(valueType));
}
cusparseStatus_t cusparseCreateConstSpVec(cusparseConstSpVecDescr_t* descr, int64_t size,
                                          int64_t nnz, const void* indices, const void* values,
                                          cusparseIndexType_t idxType, cusparseIndexBase_t idxBase,
                                          cudaDataType valueType) {
  return cusparseCreateSpVec(const_cast<cusparseSpVecDescr_t*>(descr), size, nnz,
                             const_cast<void*>(indices), const_cast<void*>(values), idxType,
                             idxBase, valueType);
}
cusparseStatus_t cusparseDestroySpVec(cusparseConstSpVecDescr_t descr) { return destroy(descr); }
cusparseStatus_t cusparseSpVecGetValues(cusparseSpVecDescr_t descr, void** values) {
  return get(descr, &cusparseSpVecDescr::values, values);
}
cusparseStatus_t cusparseSpVecSetValues(cusparseSpVecDescr_t descr, void* values) {
  return set(descr, &cusparseSpVecDescr::values, values);
}

cusparseStatus_t cusparseCreateDnVec(cusparseDnVecDescr_t* descr, int64_t size, void* values,
                                     cudaDataType valueType) {
  return create(descr, {size, values, valueType}, size >= 0 && is_type(valueType));
}
cusparseStatus_t cusparseCreateConstDnVec(cusparseConstDnVecDescr_t* descr, int64_t size,
                                          const void* values, cudaDataType valueType) {
  return cusparseCreateDnVec(const_cast<cusparseDnVecDescr_t*>(descr), size,
                             const_cast<void*>(values), valueType);
}
cusparseStatus_t cusparseDestroyDnVec(cusparseConstDnVecDescr_t descr) { return destroy(descr); }
cusparseStatus_t cusparseDnVecGet(cusparseDnVecDescr_t descr, int64_t* size, void** values,
                                  cudaDataType* valueType) {
  if (!contains(descr) || !size || !values || !valueType) return kInvalid;
  *size = descr->size;
  *values = descr->values;
  *valueType = descr->type;
  return kSuccess;
}
cusparseStatus_t cusparseDnVecGetValues(cusparseDnVecDescr_t descr, void** values) {
  return get(descr, &cusparseDnVecDescr::values, values);
}
cusparseStatus_t cusparseDnVecSetValues(cusparseDnVecDescr_t descr, void* values) {
  return set(descr, &cusparseDnVecDescr::values, values);
}

// --- dense matrices
// -------------------------------------------------------------------------------

cusparseStatus_t cusparseCreateDnMat(cusparseDnMatDescr_t* descr, int64_t rows, int64_t cols,
                                     int64_t ld, void* values, cudaDataType valueType,
                                     cusparseOrder_t order) {
  const bool has_order = order == CUSPARSE_ORDER_COL || order == CUSPARSE_ORDER_ROW;
  return create(descr, {rows, cols, ld, values, valueType, order},
                rows >= 0 && cols >= 0 && has_order && is_type(valueType) &&
                    ld >= (order == CUSPARSE_ORDER_COL ? rows : cols));
}
cusparseStatus_t cusparseCreateConstDnMat(cusparseConstDnMatDescr_t* descr, int64_t rows,
                                          int64_t cols, int64_t ld, const void* values,
                                          cudaDataType valueType, cusparseOrder_t order) {
  return cusparseCreateDnMat(const_cast<cusparseDnMatDescr_t*>(descr), rows, cols, ld,
                             const_cast<void*>(values), valueType, order);
}
cusparseStatus_t cusparseDestroyDnMat(cusparseConstDnMatDescr_t descr) { return destroy(descr); }
cusparseStatus_t cusparseDnMatGet(cusparseDnMatDescr_t descr, int64_t* rows, int64_t* cols,
                                  int64_t* ld, void** values, cudaDataType* valueType,
                                  cusparseOrder_t* order) {
  if (!contains(descr) || !rows || !cols || !ld || !values || !valueType || !order) return kInvalid;
  *rows = descr->rows;
  *cols = descr->columns;
  *ld = descr->ld;
  *values = descr->values;
  *valueType = descr->type;
  *order = descr->order;
  return kSuccess;
}
cusparseStatus_t cusparseDnMatGetValues(cusparseDnMatDescr_t descr, void** values) {
  return get(descr, &cusparseDnMatDescr::values, values);
}
cusparseStatus_t cusparseDnMatSetValues(cusparseDnMatDescr_t descr, void* values) {
  return set(descr, &cusparseDnMatDescr::values, values);
}

// --- sparse matrices
// ------------------------------------------------------------------------------

cusparseStatus_t cusparseCreateCsr(cusparseSpMatDescr_t* descr, int64_t rows, int64_t cols,
                                   int64_t nnz, void* csrRowOffsets, void* csrColInd,
                                   void* csrValues, cusparseIndexType_t csrRowOffsetsType,
                                   cusparseIndexType_t csrColIndType, cusparseIndexBase_t idxBase,
                                   cudaDataType valueType) {
  return create_matrix(descr, CUSPARSE_FORMAT_CSR, rows, cols, nnz, csrRowOffsets, csrColInd,
                       csrValues, csrRowOffsetsType, csrColIndType, idxBase, valueType);
}
cusparseStatus_t cusparseCreateConstCsr(cusparseConstSpMatDescr_t* descr, int64_t rows,
                                        int64_t cols, int64_t nnz, const void* csrRowOffsets,
                                        const void* csrColInd, const void* csrValues,
                                        cusparseIndexType_t csrRowOffsetsType,
                                        cusparseIndexType_t csrColIndType,
                                        cusparseIndexBase_t idxBase, cudaDataType valueType) {
  return create_matrix(const_cast<cusparseSpMatDescr_t*>(descr), CUSPARSE_FORMAT_CSR, rows, cols,
                       nnz, csrRowOffsets, csrColInd, csrValues, csrRowOffsetsType, csrColIndType,
                       idxBase, valueType);
}
cusparseStatus_t cusparseCreateCsc(cusparseSpMatDescr_t* descr, int64_t rows, int64_t cols,
                                   int64_t nnz, void* cscColOffsets, void* cscRowInd,
                                   void* cscValues, cusparseIndexType_t cscColOffsetsType,
                                   cusparseIndexType_t cscRowIndType, cusparseIndexBase_t idxBase,
                                   cudaDataType valueType) {
  return create_matrix(descr, CUSPARSE_FORMAT_CSC, rows, cols, nnz, cscColOffsets, cscRowInd,
                       cscValues, cscColOffsetsType, cscRowIndType, idxBase, valueType);
}
cusparseStatus_t cusparseCreateConstCsc(cusparseConstSpMatDescr_t* descr, int64_t rows,
                                        int64_t cols, int64_t nnz, const void* cscColOffsets,
                                        const void* cscRowInd, const void* cscValues,
                                        cusparseIndexType_t cscColOffsetsType,
                                        cusparseIndexType_t cscRowIndType,
                                        cusparseIndexBase_t idxBase, cudaDataType valueType) {
  return create_matrix(const_cast<cusparseSpMatDescr_t*>(descr), CUSPARSE_FORMAT_CSC, rows, cols,
                       nnz, cscColOffsets, cscRowInd, cscValues, cscColOffsetsType, cscRowIndType,
                       idxBase, valueType);
}
cusparseStatus_t cusparseCreateCoo(cusparseSpMatDescr_t* descr, int64_t rows, int64_t cols,
                                   int64_t nnz, void* cooRowInd, void* cooColInd, void* cooValues,
                                   cusparseIndexType_t cooIdxType, cusparseIndexBase_t idxBase,
                                   cudaDataType valueType) {
  return create_matrix(descr, CUSPARSE_FORMAT_COO, rows, cols, nnz, cooRowInd, cooColInd, cooValues,
                       cooIdxType, cooIdxType, idxBase, valueType);
}
cusparseStatus_t cusparseCreateConstCoo(cusparseConstSpMatDescr_t* descr, int64_t rows,
                                        int64_t cols, int64_t nnz, const void* cooRowInd,
                                        const void* cooColInd, const void* cooValues,
                                        cusparseIndexType_t cooIdxType, cusparseIndexBase_t idxBase,
                                        cudaDataType valueType) {
  return create_matrix(const_cast<cusparseSpMatDescr_t*>(descr), CUSPARSE_FORMAT_COO, rows, cols,
                       nnz, cooRowInd, cooColInd, cooValues, cooIdxType, cooIdxType, idxBase,
                       valueType);
}
cusparseStatus_t cusparseDestroySpMat(cusparseConstSpMatDescr_t descr) { return destroy(descr); }

cusparseStatus_t cusparseSpMatGetSize(cusparseConstSpMatDescr_t descr, int64_t* rows, int64_t* cols,
                                      int64_t* nnz) {
  if (!contains(descr) || !rows || !cols || !nnz) return kInvalid;
  *rows = descr->rows;
  *cols = descr->columns;
  *nnz = descr->count;
  return kSuccess;
}
cusparseStatus_t cusparseSpMatGetFormat(cusparseConstSpMatDescr_t descr, cusparseFormat_t* format) {
  return get(descr, &cusparseSpMatDescr::format, format);
}
cusparseStatus_t cusparseSpMatGetIndexBase(cusparseConstSpMatDescr_t descr,
                                           cusparseIndexBase_t* idxBase) {
  return get(descr, &cusparseSpMatDescr::base, idxBase);
}
cusparseStatus_t cusparseSpMatGetValues(cusparseSpMatDescr_t descr, void** values) {
  return get(descr, &cusparseSpMatDescr::values, values);
}
cusparseStatus_t cusparseSpMatSetValues(cusparseSpMatDescr_t descr, void* values) {
  return set(descr, &cusparseSpMatDescr::values, values);
}

cusparseStatus_t cusparseSpMatGetAttribute(cusparseConstSpMatDescr_t descr,
                                           cusparseSpMatAttribute_t attribute, void* data,
                                           size_t dataSize) {
  if (!data) return kInvalid;
  if (attribute == CUSPARSE_SPMAT_FILL_MODE && dataSize == sizeof(cusparseFillMode_t))
    return get(descr, &cusparseSpMatDescr::fill, static_cast<cusparseFillMode_t*>(data));
  if (attribute == CUSPARSE_SPMAT_DIAG_TYPE && dataSize == sizeof(cusparseDiagType_t))
    return get(descr, &cusparseSpMatDescr::diagonal, static_cast<cusparseDiagType_t*>(data));
  return kInvalid;
}
cusparseStatus_t cusparseSpMatSetAttribute(cusparseSpMatDescr_t descr,
                                           cusparseSpMatAttribute_t attribute, void* data,
                                           size_t dataSize) {
  if (!data) return kInvalid;
  if (attribute == CUSPARSE_SPMAT_FILL_MODE && dataSize == sizeof(cusparseFillMode_t))
    return set(descr, &cusparseSpMatDescr::fill, *static_cast<cusparseFillMode_t*>(data));
  if (attribute == CUSPARSE_SPMAT_DIAG_TYPE && dataSize == sizeof(cusparseDiagType_t))
    return set(descr, &cusparseSpMatDescr::diagonal, *static_cast<cusparseDiagType_t*>(data));
  return kInvalid;
}

cusparseStatus_t cusparseCsrSetPointers(cusparseSpMatDescr_t descr, void* csrRowOffsets,
                                        void* csrColInd, void* csrValues) {
  return set_pointers(descr, CUSPARSE_FORMAT_CSR, csrRowOffsets, csrColInd, csrValues);
}
cusparseStatus_t cusparseCscSetPointers(cusparseSpMatDescr_t descr, void* cscColOffsets,
                                        void* cscRowInd, void* cscValues) {
  return set_pointers(descr, CUSPARSE_FORMAT_CSC, cscColOffsets, cscRowInd, cscValues);
}
cusparseStatus_t cusparseCooSetPointers(cusparseSpMatDescr_t descr, void* cooRowInd,
                                        void* cooColInd, void* cooValues) {
  return set_pointers(descr, CUSPARSE_FORMAT_COO, cooRowInd, cooColInd, cooValues);
}

cusparseStatus_t cusparseSpSM_createDescr(cusparseSpSMDescr_t* descr) {
  return create(descr, cusparseSpSMDescr{}, true);
}
cusparseStatus_t cusparseSpSM_destroyDescr(cusparseSpSMDescr_t descr) { return destroy(descr); }
cusparseStatus_t cusparseSpGEMM_createDescr(cusparseSpGEMMDescr_t* descr) {
  return create(descr, cusparseSpGEMMDescr{}, true);
}
cusparseStatus_t cusparseSpGEMM_destroyDescr(cusparseSpGEMMDescr_t descr) { return destroy(descr); }
cusparseStatus_t cusparseSpSV_createDescr(cusparseSpSVDescr_t* descr) {
  return create(descr, {}, true);
}
cusparseStatus_t cusparseSpSV_destroyDescr(cusparseSpSVDescr_t descr) { return destroy(descr); }

}  // extern "C"
