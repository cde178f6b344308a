#pragma once

/// @file
/// Device memory that detects writes outside it and elements that were never written.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "course/memory.hpp"

namespace course {

/// Size of the guard bands at both ends of every allocation; a multiple of cudaMalloc's alignment.
inline constexpr std::size_t kGuardBytes = 1024;

/// A write outside a buffer, found in its guard bands.
struct GuardDamage {
  bool before = false;       ///< in front of the buffer rather than behind it
  std::size_t distance = 0;  ///< bytes between the buffer and the damaged byte nearest to it

  /// Returns a description: "wrote 4 bytes past the end of C".
  std::string describe(std::string_view buffer_name) const;
};

/// Untyped device memory between two guard bands, used by DeviceBuffer.
///
/// A guard word is a NaN as float and as double, with a payload that differs between buffers and
/// between words. So reading it spoils a result, and copying guard words elsewhere in a band is
/// detected.
class DeviceBytes {
 public:
  DeviceBytes() = default;
  /// @throws UsageError if the device has no room, saying how much was asked for
  DeviceBytes(std::size_t bytes, std::string_view what);
  ~DeviceBytes();
  DeviceBytes(DeviceBytes&& other) noexcept;
  DeviceBytes& operator=(DeviceBytes&& other) noexcept;
  DeviceBytes(const DeviceBytes&) = delete;
  DeviceBytes& operator=(const DeviceBytes&) = delete;

  void* data() const noexcept { return payload_; }
  std::size_t size_bytes() const noexcept { return bytes_; }

  /// Sets every byte to 0xFF, in stream order.
  void poison();
  /// Copies `bytes` from host memory to the start of the buffer.
  void upload(const void* source, std::size_t bytes);
  /// Copies the whole buffer to host memory, after everything launched before.
  void download(void* destination) const;
  /// Returns the first damage to the guard bands, if there is any; waits for everything launched
  /// before.
  std::optional<GuardDamage> guard_damage() const;

 private:
  void release() noexcept;

  void* allocation_ = nullptr;
  void* payload_ = nullptr;
  std::size_t bytes_ = 0;
  std::uint32_t serial_ = 0;
};

/// An array of `T` in device memory, with guard bands at both ends.
///
/// New contents are poison: NaN for floating-point types, bytes 0xFF for others.
template <class T>
class DeviceBuffer {
  static_assert(std::is_trivially_copyable_v<T>, "only plain data goes to the device");

 public:
  DeviceBuffer() = default;

  /// Allocates `count` elements, poisoned; `name` is used in messages.
  /// @throws UsageError if the size overflows or the device has no room
  explicit DeviceBuffer(std::size_t count, std::string_view name = "a buffer")
      : name_(name), count_(count), bytes_(checked_bytes(count, sizeof(T), name), name) {}

  /// Allocates a copy of `values`.
  explicit DeviceBuffer(std::span<const T> values, std::string_view name = "a buffer")
      : DeviceBuffer(values.size(), name) {
    bytes_.upload(values.data(), values.size_bytes());
  }
  explicit DeviceBuffer(const std::vector<T>& values, std::string_view name = "a buffer")
      : DeviceBuffer(std::span<const T>(values), name) {}

  T* data() noexcept { return static_cast<T*>(bytes_.data()); }
  const T* data() const noexcept { return static_cast<const T*>(bytes_.data()); }
  std::size_t size() const noexcept { return count_; }
  const std::string& name() const noexcept { return name_; }

  /// Overwrites the contents with NaN (bytes 0xFF), so that an element that a kernel skips cannot
  /// pass.
  void poison() { bytes_.poison(); }

  /// Replaces the contents; throws std::length_error unless the sizes agree.
  void from_host(std::span<const T> values) {
    require_size(values.size());
    bytes_.upload(values.data(), values.size_bytes());
  }

  /// Returns the contents; throws std::runtime_error if something wrote into the guard bands.
  std::vector<T> to_host() const {
    std::vector<T> values(count_);
    bytes_.download(values.data());
    require_guards();
    return values;
  }

  /// Returns whether nothing wrote just outside the buffer.
  bool guards_intact() const { return !bytes_.guard_damage().has_value(); }

  DeviceBytes& bytes() noexcept { return bytes_; }
  const DeviceBytes& bytes() const noexcept { return bytes_; }

 private:
  void require_size(std::size_t count) const;
  void require_guards() const;

  std::string name_ = "a buffer";
  std::size_t count_ = 0;
  DeviceBytes bytes_;
};

namespace detail {
[[noreturn]] void throw_size_mismatch(std::string_view name, std::size_t size, std::size_t given);
void throw_on_guard_damage(const DeviceBytes& bytes, std::string_view name);
}  // namespace detail

template <class T>
void DeviceBuffer<T>::require_size(std::size_t count) const {
  if (count != count_) detail::throw_size_mismatch(name_, count_, count);
}

template <class T>
void DeviceBuffer<T>::require_guards() const {
  detail::throw_on_guard_damage(bytes_, name_);
}

}  // namespace course
