// The driver API's descriptions of tensors for bulk copies.
#include <algorithm>
#include <bit>
#include <cstring>

#include "cuda.h"
#include "engine/meet/tensor_map.hpp"
#include "runtime.hpp"

using namespace emu;

namespace {

static_assert(sizeof(TensorMap) <= sizeof(CUtensorMap));

constexpr std::uint64_t kMostSize = std::uint64_t{1} << 32;
constexpr std::uint64_t kMostStride = std::uint64_t{1} << 40;  ///< exclusive limit, in bytes
constexpr std::uint32_t kMostBox = 256, kMostStep = 8;
constexpr std::uintptr_t kMapAlignment = 64;

/// Returns the bytes of an element; 0 for a type that CUDA does not have.
unsigned bytes_of(CUtensorMapDataType type) {
  switch (type) {
    case CU_TENSOR_MAP_DATA_TYPE_UINT8:
      return 1;
    case CU_TENSOR_MAP_DATA_TYPE_UINT16:
    case CU_TENSOR_MAP_DATA_TYPE_FLOAT16:
    case CU_TENSOR_MAP_DATA_TYPE_BFLOAT16:
      return 2;
    case CU_TENSOR_MAP_DATA_TYPE_UINT32:
    case CU_TENSOR_MAP_DATA_TYPE_INT32:
    case CU_TENSOR_MAP_DATA_TYPE_FLOAT32:
      return 4;
    case CU_TENSOR_MAP_DATA_TYPE_UINT64:
    case CU_TENSOR_MAP_DATA_TYPE_INT64:
    case CU_TENSOR_MAP_DATA_TYPE_FLOAT64:
      return 8;
    case CU_TENSOR_MAP_DATA_TYPE_FLOAT32_FTZ:
    case CU_TENSOR_MAP_DATA_TYPE_TFLOAT32:
    case CU_TENSOR_MAP_DATA_TYPE_TFLOAT32_FTZ:
      unsupported("FTZ, TFLOAT32");
    case CU_TENSOR_MAP_DATA_TYPE_16U4_ALIGN8B:
    case CU_TENSOR_MAP_DATA_TYPE_16U4_ALIGN16B:
    case CU_TENSOR_MAP_DATA_TYPE_16U6_ALIGN16B:
      unsupported("16U4, 16U6");
  }
  return 0;
}

/// Returns the bytes within which a swizzle permutes 16-byte pieces; -1 for an invalid value.
int span_of(CUtensorMapSwizzle swizzle) {
  switch (swizzle) {
    case CU_TENSOR_MAP_SWIZZLE_NONE:
      return 0;
    case CU_TENSOR_MAP_SWIZZLE_32B:
      return 32;
    case CU_TENSOR_MAP_SWIZZLE_64B:
      return 64;
    case CU_TENSOR_MAP_SWIZZLE_128B:
      return 128;
    case CU_TENSOR_MAP_SWIZZLE_128B_ATOM_32B:
    case CU_TENSOR_MAP_SWIZZLE_128B_ATOM_32B_FLIP_8B:
    case CU_TENSOR_MAP_SWIZZLE_128B_ATOM_64B:
      unsupported("..._ATOM_...");
  }
  return -1;
}

template <class T>
bool all_within(const T* values, cuuint32_t count, T least, T most) {
  return std::all_of(values, values + count,
                     [=](T value) { return value >= least && value <= most; });
}

}  // namespace

CUresult cuTensorMapEncodeTiled(CUtensorMap* map, CUtensorMapDataType type, cuuint32_t rank,
                                void* address, const cuuint64_t* sizes, const cuuint64_t* strides,
                                const cuuint32_t* box, const cuuint32_t* steps,
                                CUtensorMapInterleave interleave, CUtensorMapSwizzle swizzle,
                                CUtensorMapL2promotion promotion, CUtensorMapFloatOOBfill fill) {
  if (map == nullptr || reinterpret_cast<std::uintptr_t>(map) % kMapAlignment != 0 ||
      address == nullptr || reinterpret_cast<std::uintptr_t>(address) % kCopyGrain != 0 ||
      rank < 1 || rank > kMostDimensions || sizes == nullptr || box == nullptr ||
      steps == nullptr || (rank > 1 && strides == nullptr) ||
      interleave > CU_TENSOR_MAP_INTERLEAVE_32B || promotion > CU_TENSOR_MAP_L2_PROMOTION_L2_256B ||
      fill > CU_TENSOR_MAP_FLOAT_OOB_FILL_NAN_REQUEST_ZERO_FMA) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  const unsigned element_bytes = bytes_of(type);
  const int span = span_of(swizzle);
  if (element_bytes == 0 || span < 0) return CUDA_ERROR_INVALID_VALUE;
  if (interleave != CU_TENSOR_MAP_INTERLEAVE_NONE) {
    unsupported("CU_TENSOR_MAP_INTERLEAVE_16B, _32B");
  }
  if (fill != CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE) {
    unsupported("CU_TENSOR_MAP_FLOAT_OOB_FILL_NAN_...");
  }
  if (!all_within<cuuint64_t>(sizes, rank, 1, kMostSize) ||
      !all_within<cuuint64_t>(strides, rank - 1, 0, kMostStride - 1) ||
      !all_within<cuuint32_t>(box, rank, 1, kMostBox) ||
      !all_within<cuuint32_t>(steps, rank, 1, kMostStep) ||
      std::any_of(strides, strides + (rank - 1),
                  [](cuuint64_t stride) { return stride % kCopyGrain != 0; })) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  const std::uint32_t row_bytes = box[0] * element_bytes;
  if (row_bytes % kCopyGrain != 0 || (span != 0 && row_bytes > static_cast<std::uint32_t>(span))) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  if (!all_within<cuuint32_t>(steps + 1, rank - 1, 1, 1)) {  // the first one is ignored
    unsupported("elementStrides other than 1");
  }

  TensorMap tensor;
  tensor.mark = TensorMap::kMark;
  tensor.address = reinterpret_cast<std::uintptr_t>(address);
  std::copy_n(sizes, rank, tensor.sizes.begin());
  std::copy_n(strides, rank - 1, tensor.strides.begin());
  std::copy_n(box, rank, tensor.box.begin());
  tensor.rank = static_cast<std::uint8_t>(rank);
  tensor.element_bytes = static_cast<std::uint8_t>(element_bytes);
  tensor.swizzle_bytes = static_cast<std::uint8_t>(span);
  *map = {};
  std::memcpy(map, &tensor, sizeof(tensor));
  return CUDA_SUCCESS;
}
