// Tests the rules of cuTensorMapEncodeTiled in CUDA 13.0's manual.
#include <cuda.h>
#include <cudaTypedefs.h>
#include <cuda_runtime.h>
#include <doctest/doctest.h>

#include <array>
#include <cstdint>
#include <functional>
#include <vector>

namespace {

constexpr unsigned kVersion = 12000;  // the CUDA version that introduced tensor maps

PFN_cuTensorMapEncodeTiled_v12000 encode_function() {
  void* function = nullptr;
  REQUIRE(cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &function, kVersion,
                                           cudaEnableDefault) == cudaSuccess);
  return reinterpret_cast<PFN_cuTensorMapEncodeTiled_v12000>(function);
}

/// A valid description, which tests then change.
struct Description {
  CUtensorMapDataType type = CU_TENSOR_MAP_DATA_TYPE_FLOAT32;
  cuuint32_t rank = 3;
  std::uintptr_t address = 4096;
  std::vector<cuuint64_t> sizes = {100, 20, 7};
  std::vector<cuuint64_t> strides = {416, 8320};  // bytes
  std::vector<cuuint32_t> box = {32, 8, 2};
  std::vector<cuuint32_t> steps = {1, 1, 1};
  CUtensorMapInterleave interleave = CU_TENSOR_MAP_INTERLEAVE_NONE;
  CUtensorMapSwizzle swizzle = CU_TENSOR_MAP_SWIZZLE_128B;
  CUtensorMapL2promotion promotion = CU_TENSOR_MAP_L2_PROMOTION_NONE;
  CUtensorMapFloatOOBfill fill = CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE;

  CUresult encode(CUtensorMap* map) const {
    return encode_function()(map, type, rank, reinterpret_cast<void*>(address), sizes.data(),
                             strides.data(), box.data(), steps.data(), interleave, swizzle,
                             promotion, fill);
  }
  CUresult encode() const {
    CUtensorMap map;
    return encode(&map);
  }
};

CUresult encode_with(const std::function<void(Description&)>& change) {
  Description description;
  change(description);
  return description.encode();
}

}  // namespace

TEST_CASE("tensor maps: what is allowed, up to its limits") {
  using D = Description;
  const std::vector<std::function<void(D&)>> allowed = {
      [](D&) {},
      [](D& d) { d.rank = 1; },
      [](D& d) { d.rank = 2; },
      [](D& d) {
        d.rank = 5;
        d.sizes = {100, 20, 7, 2, 2};
        d.strides = {416, 8320, 83200, 166400};
        d.box = {32, 8, 2, 1, 1};
        d.steps = {1, 1, 1, 1, 1};
      },
      [](D& d) { d.address += 16; },
      [](D& d) { d.sizes[0] = cuuint64_t{1} << 32; },
      [](D& d) { d.strides[1] = (cuuint64_t{1} << 40) - 16; },
      [](D& d) {
        d.box = {4, 256, 256};
      },
      [](D& d) {
        d.swizzle = CU_TENSOR_MAP_SWIZZLE_NONE;
        d.box[0] = 256;
      },
      [](D& d) {
        d.swizzle = CU_TENSOR_MAP_SWIZZLE_64B;
        d.box[0] = 16;
      },
      [](D& d) {
        d.swizzle = CU_TENSOR_MAP_SWIZZLE_32B;
        d.box[0] = 8;
      },
      [](D& d) {
        d.type = CU_TENSOR_MAP_DATA_TYPE_UINT8;
        d.box[0] = 16;
      },
      [](D& d) { d.steps[0] = 8; },  // ignored
      [](D& d) { d.promotion = CU_TENSOR_MAP_L2_PROMOTION_L2_256B; },
  };
  for (std::size_t i = 0; i < allowed.size(); ++i) {
    CAPTURE(i);
    CHECK(encode_with(allowed[i]) == CUDA_SUCCESS);
  }
}

TEST_CASE("tensor maps: what the copy engine cannot do is refused") {
  using D = Description;
  const std::vector<std::function<void(D&)>> refused = {
      [](D& d) { d.rank = 0; },
      [](D& d) {
        d.rank = 6;
        d.sizes = {100, 20, 7, 2, 2, 2};
        d.strides = {416, 8320, 83200, 166400, 332800};
        d.box = {32, 8, 2, 1, 1, 1};
        d.steps = {1, 1, 1, 1, 1, 1};
      },
      [](D& d) { d.address = 0; },
      [](D& d) { d.address += 8; },
      [](D& d) { d.sizes[1] = 0; },
      [](D& d) { d.sizes[0] = (cuuint64_t{1} << 32) + 1; },
      [](D& d) { d.strides[0] += 4; },
      [](D& d) { d.strides[1] = cuuint64_t{1} << 40; },
      [](D& d) { d.box[2] = 0; },
      [](D& d) { d.box[1] = 257; },
      [](D& d) { d.box[0] = 30; },  // 120 bytes
      [](D& d) { d.box[0] = 36; },  // 144 bytes; the swizzle has 128
      [](D& d) {
        d.swizzle = CU_TENSOR_MAP_SWIZZLE_64B;
        d.box[0] = 20;
      },
      [](D& d) {
        d.swizzle = CU_TENSOR_MAP_SWIZZLE_32B;
        d.box[0] = 12;
      },
      [](D& d) { d.steps[1] = 0; },
      [](D& d) { d.steps[1] = 9; },
      [](D& d) { d.type = static_cast<CUtensorMapDataType>(99); },
      [](D& d) { d.swizzle = static_cast<CUtensorMapSwizzle>(99); },
      [](D& d) { d.promotion = static_cast<CUtensorMapL2promotion>(4); },
      [](D& d) { d.interleave = static_cast<CUtensorMapInterleave>(3); },
      [](D& d) { d.fill = static_cast<CUtensorMapFloatOOBfill>(2); },
  };
  for (std::size_t i = 0; i < refused.size(); ++i) {
    CAPTURE(i);
    CHECK(encode_with(refused[i]) == CUDA_ERROR_INVALID_VALUE);
  }
  CHECK(Description().encode(nullptr) == CUDA_ERROR_INVALID_VALUE);
  alignas(64) std::array<char, sizeof(CUtensorMap) + 32> memory{};
  CHECK(Description().encode(reinterpret_cast<CUtensorMap*>(memory.data() + 32)) ==
        CUDA_ERROR_INVALID_VALUE);
}

TEST_CASE("the driver's function is found by its name and version") {
  void* function = nullptr;
  cudaDriverEntryPointQueryResult found = cudaDriverEntryPointSymbolNotFound;
  const auto find = [&](const char* name, unsigned version) {
    return cudaGetDriverEntryPointByVersion(name, &function, version, cudaEnableDefault, &found);
  };
  CHECK(find("cuTensorMapEncodeTiled", kVersion) == cudaSuccess);
  CHECK(found == cudaDriverEntryPointSuccess);
  CHECK(function != nullptr);
  CHECK(find("cuTensorMapEncodeTiled", kVersion - 1) == cudaSuccess);
  CHECK(found == cudaDriverEntryPointVersionNotSufficent);
  CHECK(function == nullptr);
  CHECK(find(nullptr, kVersion) == cudaErrorInvalidValue);
  CHECK(cudaGetLastError() == cudaErrorInvalidValue);
}
