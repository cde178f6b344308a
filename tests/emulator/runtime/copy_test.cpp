// Tests copies and fills: data, directions, ranges and pitches, as with CUDA 13.0 on an H100. Uses
// only the runtime API, and passes on a device, too.
#include <cuda_runtime.h>
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <vector>

#include "cuda_error_text.hpp"

namespace {

constexpr std::size_t kBytes = 4096;

struct Buffers {
  Buffers() : host(kBytes), other_host(kBytes) {
    std::iota(host.begin(), host.end(), static_cast<unsigned char>(1));
    REQUIRE(cudaMalloc(&device, kBytes) == cudaSuccess);
    REQUIRE(cudaMallocManaged(&managed, kBytes) == cudaSuccess);
    REQUIRE(cudaMallocHost(&pinned, kBytes) == cudaSuccess);
    REQUIRE(cudaMemset(device, 0, kBytes) == cudaSuccess);
  }
  ~Buffers() {
    cudaFree(device);
    cudaFree(managed);
    cudaFreeHost(pinned);
  }

  std::vector<unsigned char> device_bytes(std::size_t count) const {
    std::vector<unsigned char> bytes(count);
    CHECK(cudaMemcpy(bytes.data(), device, count, cudaMemcpyDeviceToHost) == cudaSuccess);
    return bytes;
  }

  std::vector<unsigned char> host, other_host;
  unsigned char* device = nullptr;
  unsigned char* managed = nullptr;
  unsigned char* pinned = nullptr;
};

constexpr cudaMemcpyKind kKinds[] = {cudaMemcpyHostToHost, cudaMemcpyHostToDevice,
                                     cudaMemcpyDeviceToHost, cudaMemcpyDeviceToDevice,
                                     cudaMemcpyDefault};

}  // namespace

TEST_CASE("bytes go there and back") {
  Buffers b;
  CHECK(cudaMemcpy(b.device, b.host.data(), kBytes, cudaMemcpyHostToDevice) == cudaSuccess);
  CHECK(cudaMemcpy(b.device + 100, b.device, 50, cudaMemcpyDeviceToDevice) == cudaSuccess);
  CHECK(cudaMemcpyAsync(b.other_host.data(), b.device, kBytes, cudaMemcpyDeviceToHost) ==
        cudaSuccess);
  CHECK(cudaDeviceSynchronize() == cudaSuccess);
  std::vector<unsigned char> expected = b.host;
  std::copy_n(b.host.begin(), 50, expected.begin() + 100);
  CHECK(b.other_host == expected);
}

TEST_CASE("a direction names the sides that must be memory of the runtime") {
  Buffers b;
  // The kinds, in the order of the enumeration, that allow a copy between two kinds of memory.
  struct Case {
    const char* what;
    void* target;
    const void* source;
    std::array<bool, 5> allowed;
  };
  const Case cases[] = {
      {"host to device", b.device, b.host.data(), {true, true, false, false, true}},
      {"device to host", b.host.data(), b.device, {true, false, true, false, true}},
      {"device to device", b.device, b.device + 64, {true, true, true, true, true}},
      {"host to host", b.host.data(), b.other_host.data(), {true, false, false, false, true}},
      {"pinned to device", b.device, b.pinned, {true, true, true, true, true}},
      {"device to pinned", b.pinned, b.device, {true, true, true, true, true}},
      {"host to managed", b.managed, b.host.data(), {true, true, false, false, true}},
      {"managed to host", b.host.data(), b.managed, {true, false, true, false, true}},
      {"device to managed", b.managed, b.device, {true, true, true, true, true}},
      {"host to pinned", b.pinned, b.host.data(), {true, true, false, false, true}},
  };
  for (const Case& c : cases) {
    for (std::size_t i = 0; i < c.allowed.size(); ++i) {
      CAPTURE(c.what);
      CAPTURE(kKinds[i]);
      const cudaError_t expected = c.allowed[i] ? cudaSuccess : cudaErrorInvalidValue;
      CHECK(cudaMemcpy(c.target, c.source, 16, kKinds[i]) == expected);
      CHECK(cudaMemcpyAsync(c.target, c.source, 16, kKinds[i]) == expected);
      CHECK(cudaMemcpy2D(c.target, 64, c.source, 64, 16, 2, kKinds[i]) == expected);
    }
  }
}

TEST_CASE("null, unknown kinds and nothing to copy") {
  Buffers b;
  const auto bad_kind = static_cast<cudaMemcpyKind>(5);
  CHECK(cudaMemcpy(b.device, b.host.data(), 16, bad_kind) == cudaErrorInvalidMemcpyDirection);
  CHECK(cudaMemcpy(b.device, b.host.data(), 16, static_cast<cudaMemcpyKind>(-1)) ==
        cudaErrorInvalidMemcpyDirection);
  CHECK(cudaMemcpy(b.device, b.host.data(), 0, bad_kind) == cudaSuccess);
  CHECK(cudaMemcpy(nullptr, nullptr, 0, cudaMemcpyHostToDevice) == cudaSuccess);
  CHECK(cudaMemcpy(b.host.data(), b.other_host.data(), 0, cudaMemcpyDeviceToDevice) == cudaSuccess);
  CHECK(cudaMemcpy(nullptr, b.host.data(), 16, cudaMemcpyHostToDevice) == cudaErrorInvalidValue);
  CHECK(cudaMemcpy(b.device, nullptr, 16, cudaMemcpyHostToDevice) == cudaErrorInvalidValue);
  CHECK(cudaMemcpy(nullptr, b.device, 16, cudaMemcpyDeviceToHost) == cudaErrorInvalidValue);
  CHECK(cudaMemcpy(b.host.data(), nullptr, 16, cudaMemcpyDeviceToHost) == cudaErrorInvalidValue);
  CHECK(cudaMemcpy(nullptr, nullptr, 16, cudaMemcpyHostToHost) == cudaErrorInvalidValue);
  CHECK(cudaMemcpy(nullptr, nullptr, 16, cudaMemcpyDefault) == cudaErrorInvalidValue);
}

TEST_CASE("ranges are checked to the byte") {
  Buffers b;
  std::vector<unsigned char> large(2 * kBytes);
  CHECK(cudaMemcpy(large.data(), b.device, kBytes, cudaMemcpyDeviceToHost) == cudaSuccess);
  CHECK(cudaMemcpy(large.data(), b.device, kBytes + 1, cudaMemcpyDeviceToHost) ==
        cudaErrorInvalidValue);
  CHECK(cudaMemcpy(large.data(), b.device + 1, kBytes, cudaMemcpyDeviceToHost) ==
        cudaErrorInvalidValue);
  CHECK(cudaMemcpy(b.device, large.data(), kBytes + 1, cudaMemcpyHostToDevice) ==
        cudaErrorInvalidValue);
  CHECK(cudaMemcpy(reinterpret_cast<void*>(0x10), large.data(), 16, cudaMemcpyHostToDevice) ==
        cudaErrorInvalidValue);
  CHECK(cudaMemset(b.device, 0, kBytes + 1) == cudaErrorInvalidValue);
  CHECK(cudaMemset(b.device, 0, kBytes) == cudaSuccess);
}

TEST_CASE("freed memory is nobody's") {
  constexpr std::size_t kLarge = std::size_t{32} << 20;  // on a GPU, small blocks stay mapped
  unsigned char* freed = nullptr;
  unsigned char host[16] = {};
  REQUIRE(cudaMalloc(&freed, kLarge) == cudaSuccess);
  CHECK(cudaMemset(freed, 0, kLarge + 1) == cudaErrorInvalidValue);
  REQUIRE(cudaFree(freed) == cudaSuccess);
  CHECK(cudaMemset(freed, 0, 16) == cudaErrorInvalidValue);
  CHECK(cudaMemcpy(freed, host, 16, cudaMemcpyHostToDevice) == cudaErrorInvalidValue);
  CHECK(cudaMemcpy(host, freed, 16, cudaMemcpyDeviceToHost) == cudaErrorInvalidValue);
}

TEST_CASE("a copy onto itself or an overlapping range is no error") {
  Buffers b;
  CHECK(cudaMemcpy(b.device, b.device, 64, cudaMemcpyDeviceToDevice) == cudaSuccess);
  CHECK(cudaMemcpy(b.device, b.device + 4, 64, cudaMemcpyDeviceToDevice) == cudaSuccess);
}

TEST_CASE("cudaMemcpyPeer within the one device") {
  Buffers b;
  CHECK(cudaMemcpyPeer(b.device, 0, b.device + 64, 0, 16) == cudaSuccess);
  CHECK(cudaMemcpyPeer(b.device, 0, b.device + 64, 1, 16) == cudaErrorInvalidDevice);
  CHECK(cudaMemcpyPeer(b.device, 0, b.host.data(), 0, 16) == cudaErrorInvalidValue);
}

TEST_CASE("cudaMemset takes the low byte, on any memory but the host's own") {
  Buffers b;
  CHECK(cudaMemset(b.device, 0x1ff, 3) == cudaSuccess);
  CHECK(cudaMemset(b.device + 3, -2, 1) == cudaSuccess);
  CHECK(b.device_bytes(5) == std::vector<unsigned char>{0xff, 0xff, 0xff, 0xfe, 0});
  CHECK(cudaMemset(b.pinned, 1, 16) == cudaSuccess);
  CHECK(cudaMemset(b.managed, 1, 16) == cudaSuccess);
  CHECK(cudaDeviceSynchronize() == cudaSuccess);
  CHECK(b.managed[15] == 1);
  CHECK(cudaMemset(b.host.data(), 0, 16) == cudaErrorInvalidValue);
  CHECK(cudaMemsetAsync(b.host.data(), 0, 16) == cudaErrorInvalidValue);
  CHECK(cudaMemset(nullptr, 0, 16) == cudaErrorInvalidValue);
  CHECK(cudaMemset(nullptr, 0, 0) == cudaSuccess);
  CHECK(cudaMemset(b.host.data(), 0, 0) == cudaSuccess);
}

TEST_CASE("cudaMemcpy2D moves a box and nothing else") {
  Buffers b;
  constexpr std::size_t kWidth = 5, kHeight = 3, kTargetPitch = 16, kSourcePitch = 9;
  CHECK(cudaMemcpy2D(b.device + 1, kTargetPitch, b.host.data(), kSourcePitch, kWidth, kHeight,
                     cudaMemcpyHostToDevice) == cudaSuccess);
  const std::vector<unsigned char> bytes = b.device_bytes(64);
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    CAPTURE(i);
    const std::size_t row = (i - 1) / kTargetPitch;
    const std::size_t column = (i - 1) % kTargetPitch;
    const bool inside = i >= 1 && row < kHeight && column < kWidth;
    CHECK(bytes[i] == (inside ? b.host[row * kSourcePitch + column] : 0));
  }
  CHECK(cudaMemcpy2DAsync(b.other_host.data(), kWidth, b.device + 1, kTargetPitch, kWidth, kHeight,
                          cudaMemcpyDeviceToHost) == cudaSuccess);
  CHECK(cudaDeviceSynchronize() == cudaSuccess);
  CHECK(b.other_host[kWidth] == b.host[kSourcePitch]);
}

TEST_CASE("pitches") {
  Buffers b;
  void* const d = b.device;
  void* const h = b.host.data();
  const auto to_device = cudaMemcpyHostToDevice;
  CHECK(cudaMemcpy2D(d, 63, h, 64, 64, 2, to_device) == cudaErrorInvalidPitchValue);
  CHECK(cudaMemcpy2D(d, 64, h, 63, 64, 2, to_device) == cudaErrorInvalidPitchValue);
  CHECK(cudaMemcpy2D(d, 63, d, 64, 64, 2, cudaMemcpyDeviceToDevice) == cudaErrorInvalidPitchValue);
  CHECK(cudaMemcpy2D(h, 60, b.other_host.data(), 64, 64, 2, cudaMemcpyHostToHost) ==
        cudaErrorInvalidPitchValue);
  // An empty copy ignores all rules; a single row ignores its pitch.
  CHECK(cudaMemcpy2D(d, 63, h, 64, 64, 0, to_device) == cudaSuccess);
  CHECK(cudaMemcpy2D(d, 64, h, 64, 0, 2, to_device) == cudaSuccess);
  CHECK(cudaMemcpy2D(nullptr, 0, nullptr, 0, 0, 0, to_device) == cudaSuccess);
  CHECK(cudaMemcpy2D(d, 0, h, 0, 16, 1, to_device) == cudaSuccess);
  CHECK(cudaMemcpy2D(d, std::size_t{1} << 31, h, 64, 16, 1, to_device) == cudaSuccess);

  CHECK(cudaMemcpy2D(nullptr, 64, h, 64, 16, 2, to_device) == cudaErrorInvalidValue);
  CHECK(cudaMemcpy2D(d, 64, nullptr, 64, 16, 2, to_device) == cudaErrorInvalidValue);
  CHECK(cudaMemcpy2D(d, 64, h, 64, 16, 2, static_cast<cudaMemcpyKind>(7)) ==
        cudaErrorInvalidMemcpyDirection);
  CHECK(cudaMemcpy2D(d, std::size_t{1} << 40, h, 64, 16, 2, to_device) == cudaErrorInvalidValue);
  CHECK(cudaMemcpy2D(d, 64, h, 64, 16, std::size_t{1} << 20, to_device) == cudaErrorInvalidValue);

  CHECK(cudaMemset2D(d, 64, 0, 65, 4) == cudaErrorInvalidValue);
  CHECK(cudaMemset2D(d, 64, 0, 64, 0) == cudaSuccess);
  CHECK(cudaMemset2D(d, 64, 0, 0, 4) == cudaSuccess);
  CHECK(cudaMemset2D(d, 0, 0, 64, 1) == cudaSuccess);
  CHECK(cudaMemset2D(nullptr, 64, 0, 4, 4) == cudaErrorInvalidValue);
  CHECK(cudaMemset2D(h, 64, 0, 4, 4) == cudaErrorInvalidValue);
  CHECK(cudaMemset2D(d, std::size_t{1} << 40, 0, 4, 2) == cudaErrorInvalidValue);
  CHECK(cudaMemset2D(d, 64, 0, 4, 65) == cudaErrorInvalidValue);
}

TEST_CASE("cudaMemset2D fills a box and nothing else") {
  Buffers b;
  CHECK(cudaMemset2D(b.device, 8, 7, 2, 3) == cudaSuccess);
  const std::vector<unsigned char> bytes = b.device_bytes(24);
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    CAPTURE(i);
    CHECK(bytes[i] == (i % 8 < 2 ? 7 : 0));
  }
}

TEST_CASE("three dimensions of pitched memory") {
  Buffers b;
  cudaMemcpy3DParms parameters{};
  parameters.srcPtr = make_cudaPitchedPtr(b.host.data(), 16, 16, 2);
  parameters.dstPtr = make_cudaPitchedPtr(b.device, 64, 64, 2);
  parameters.extent = make_cudaExtent(16, 2, 3);
  parameters.kind = cudaMemcpyHostToDevice;
  CHECK(cudaMemcpy3D(&parameters) == cudaSuccess);
  const std::vector<unsigned char> bytes = b.device_bytes(3 * 128);
  CHECK(bytes[0] == b.host[0]);
  CHECK(bytes[16] == 0);
  CHECK(bytes[64] == b.host[16]);
  CHECK(bytes[2 * 128 + 64 + 15] == b.host[2 * 32 + 16 + 15]);

  parameters.srcPos = make_cudaPos(3, 1, 0);
  parameters.extent = make_cudaExtent(1, 1, 1);
  parameters.dstPos = make_cudaPos(0, 0, 2);
  CHECK(cudaMemcpy3D(&parameters) == cudaSuccess);
  CHECK(b.device_bytes(3 * 128)[2 * 128] == b.host[16 + 3]);

  parameters.srcPos = parameters.dstPos = make_cudaPos(0, 0, 0);
  CHECK(cudaMemcpy3D(nullptr) == cudaErrorInvalidValue);
  parameters.extent = make_cudaExtent(0, 2, 1);
  CHECK(cudaMemcpy3D(&parameters) == cudaSuccess);
  parameters.extent = make_cudaExtent(17, 2, 1);
  CHECK(cudaMemcpy3D(&parameters) == cudaErrorInvalidPitchValue);
  parameters.extent = make_cudaExtent(16, 2, 1);
  parameters.kind = cudaMemcpyDeviceToHost;
  CHECK(cudaMemcpy3D(&parameters) == cudaErrorInvalidValue);
  parameters.kind = cudaMemcpyHostToDevice;
  parameters.srcPtr.ptr = nullptr;
  CHECK(cudaMemcpy3D(&parameters) == cudaErrorInvalidValue);

  const cudaPitchedPtr box = make_cudaPitchedPtr(b.device, 64, 64, 2);
  CHECK(cudaMemset3D(box, 1, make_cudaExtent(64, 2, 2)) == cudaSuccess);
  CHECK(cudaMemset3D(box, 1, make_cudaExtent(65, 2, 1)) == cudaErrorInvalidValue);
  CHECK(cudaMemset3D(box, 1, make_cudaExtent(64, 3, 1)) == cudaErrorInvalidValue);
  CHECK(cudaMemset3D(box, 1, make_cudaExtent(0, 3, 1)) == cudaSuccess);
  CHECK(cudaMemset3D(make_cudaPitchedPtr(nullptr, 64, 64, 2), 1, make_cudaExtent(64, 2, 2)) ==
        cudaErrorInvalidValue);
}
