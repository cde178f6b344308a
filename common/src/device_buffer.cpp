#include "course/device_buffer.hpp"

#include <cuda_runtime_api.h>
#include <fmt/format.h>

#include <array>
#include <atomic>
#include <cstring>
#include <limits>
#include <stdexcept>
#include <utility>

#include "course/backend.hpp"
#include "course/error.hpp"

namespace course {
namespace {

constexpr std::size_t kGuardWords = kGuardBytes / sizeof(std::uint32_t);
using Guard = std::array<std::uint32_t, kGuardWords>;

constexpr int kPoisonByte = 0xFF;

/// Returns the guard band of one end of the buffer with this serial number.
Guard make_guard(std::uint32_t serial, bool before) {
  constexpr std::uint32_t kNotANumber =
      0x7FF80000;  // quiet NaN as float and as a double's high word
  constexpr std::uint32_t kPayloadMask = 0x0007FFFF;
  constexpr std::uint32_t kMix = 0x9E3779B1;  // 2^32 divided by the golden ratio: spreads the bits
  constexpr int kMixShift = 13;
  Guard guard;
  for (std::size_t i = 0; i < kGuardWords; ++i) {
    const std::uint32_t word = serial * 2 * kGuardWords + (before ? kGuardWords : 0) + i;
    guard[i] = kNotANumber | (((word * kMix) >> kMixShift) & kPayloadMask);
  }
  return guard;
}

std::byte* front_of(void* allocation) { return static_cast<std::byte*>(allocation); }

}  // namespace

std::string GuardDamage::describe(std::string_view buffer_name) const {
  const char* side = before ? "before the start" : "behind the end";
  if (distance == 0) return fmt::format("wrote directly {} of {}", side, buffer_name);
  return fmt::format("wrote {} bytes {} of {}", distance, side, buffer_name);
}

DeviceBytes::DeviceBytes(std::size_t bytes, std::string_view what) : bytes_(bytes) {
  if (bytes > std::numeric_limits<std::size_t>::max() - 2 * kGuardBytes) {
    throw UsageError(fmt::format("{} is too large: {} bytes; choose smaller sizes", what, bytes));
  }
  const std::size_t total = bytes + 2 * kGuardBytes;
  if (backend().device_memory_is_host_memory) require_host_memory(total, what);

  const cudaError_t code = cudaMalloc(&allocation_, total);
  if (code == cudaErrorMemoryAllocation) {
    cudaGetLastError();  // answered here: the device is as good as before
    std::size_t free_bytes = 0;
    std::size_t total_bytes = 0;
    check(cudaMemGetInfo(&free_bytes, &total_bytes));
    throw UsageError(fmt::format(
        "{} needs {} of device memory and {} of {} are free; choose smaller sizes", what,
        format_bytes(bytes), format_bytes(free_bytes), format_bytes(total_bytes)));
  }
  check(code);

  static std::atomic<std::uint32_t> next_serial{0};
  serial_ = next_serial++;
  payload_ = front_of(allocation_) + kGuardBytes;
  try {
    const Guard front = make_guard(serial_, /*before=*/true);
    const Guard back = make_guard(serial_, /*before=*/false);
    check(cudaMemcpy(allocation_, front.data(), kGuardBytes, cudaMemcpyHostToDevice));
    check(
        cudaMemcpy(front_of(payload_) + bytes_, back.data(), kGuardBytes, cudaMemcpyHostToDevice));
    poison();
  } catch (...) {
    release();
    throw;
  }
}

DeviceBytes::~DeviceBytes() { release(); }

DeviceBytes::DeviceBytes(DeviceBytes&& other) noexcept
    : allocation_(std::exchange(other.allocation_, nullptr)),
      payload_(std::exchange(other.payload_, nullptr)),
      bytes_(std::exchange(other.bytes_, 0)),
      serial_(other.serial_) {}

DeviceBytes& DeviceBytes::operator=(DeviceBytes&& other) noexcept {
  if (this != &other) {
    release();
    allocation_ = std::exchange(other.allocation_, nullptr);
    payload_ = std::exchange(other.payload_, nullptr);
    bytes_ = std::exchange(other.bytes_, 0);
    serial_ = other.serial_;
  }
  return *this;
}

void DeviceBytes::release() noexcept {
  // Ignores an error, which a failed kernel makes every later call return.
  if (allocation_ != nullptr) cudaFree(allocation_);
  allocation_ = nullptr;
  payload_ = nullptr;
}

void DeviceBytes::poison() {
  if (bytes_ != 0) check(cudaMemset(payload_, kPoisonByte, bytes_));
}

void DeviceBytes::upload(const void* source, std::size_t bytes) {
  if (bytes > bytes_) throw std::length_error("more bytes than the buffer holds");
  if (bytes != 0) check(cudaMemcpy(payload_, source, bytes, cudaMemcpyHostToDevice));
}

void DeviceBytes::download(void* destination) const {
  if (bytes_ != 0) check(cudaMemcpy(destination, payload_, bytes_, cudaMemcpyDeviceToHost));
}

std::optional<GuardDamage> DeviceBytes::guard_damage() const {
  if (allocation_ == nullptr) return std::nullopt;
  Guard found;
  const auto* found_bytes = reinterpret_cast<const unsigned char*>(found.data());

  const Guard back = make_guard(serial_, /*before=*/false);
  check(cudaMemcpy(found.data(), front_of(payload_) + bytes_, kGuardBytes, cudaMemcpyDeviceToHost));
  if (found != back) {
    const auto* intact = reinterpret_cast<const unsigned char*>(back.data());
    std::size_t i = 0;
    while (found_bytes[i] == intact[i]) ++i;
    return GuardDamage{.before = false, .distance = i};
  }

  const Guard front = make_guard(serial_, /*before=*/true);
  check(cudaMemcpy(found.data(), allocation_, kGuardBytes, cudaMemcpyDeviceToHost));
  if (found != front) {
    const auto* intact = reinterpret_cast<const unsigned char*>(front.data());
    std::size_t i = 0;
    while (found_bytes[kGuardBytes - 1 - i] == intact[kGuardBytes - 1 - i]) ++i;
    return GuardDamage{.before = true, .distance = i};
  }
  return std::nullopt;
}

namespace detail {

void throw_size_mismatch(std::string_view name, std::size_t size, std::size_t given) {
  throw std::length_error(
      fmt::format("{} holds {} elements, but {} were given", name, size, given));
}

void throw_on_guard_damage(const DeviceBytes& bytes, std::string_view name) {
  if (const auto damage = bytes.guard_damage()) {
    throw std::runtime_error(fmt::format("a kernel {}", damage->describe(name)));
  }
}

}  // namespace detail
}  // namespace course
