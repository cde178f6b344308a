#include "course/limits.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "course/device_buffer.hpp"
#include "course/error.hpp"
#include "course/timing.hpp"

#include <cuda_runtime_api.h>

namespace course {
namespace {

constexpr double kBitsPerByte = 8.0;
constexpr double kTransfersPerMemoryClock = 2.0;  // double data rate
constexpr double kL2BytesPerClock = 64.0;         // into one multiprocessor
constexpr double kL1BytesPerClock = 128.0;        // into one multiprocessor's lanes
constexpr double kFlopsPerFma = 2.0;

/// Returns the number of FP32 lanes of one multiprocessor.
double fp32_lanes(const Device& device) {
  constexpr int kVolta = 7;
  constexpr int kAmpere = 8;
  const bool has_half = device.compute_major == kVolta ||
                        (device.compute_major == kAmpere && device.compute_minor == 0);
  return has_half ? 64.0 : 128.0;
}

/// Returns the operations on 16-bit numbers that the tensor cores of one multiprocessor do per
/// clock; 0: unknown. Sources: NVIDIA's white papers on the architectures V100, Turing, A100,
/// GA102, Ada and H100.
double tensor_flops(const Device& device) {
  constexpr int kVolta = 7, kAmpere = 8, kHopper = 9;
  if (device.compute_major == kVolta) return 1024.0;
  if (device.compute_major == kAmpere) return device.compute_minor == 0 ? 2048.0 : 1024.0;
  return device.compute_major == kHopper && device.compute_minor == 0 ? 4096.0 : 0.0;
}

void require_sound(double value, const char* what) {
  if (!(value >= 0.0) || !std::isfinite(value)) {
    throw std::invalid_argument(fmt::format("{} must be a number and not negative", what));
  }
}

std::string format_rate(double per_second, const char* unit) {
  struct Scale {
    double factor;
    const char* prefix;
  };
  for (const Scale scale : {Scale{1e12, "T"}, Scale{1e9, "G"}, Scale{1e6, "M"}}) {
    if (per_second >= scale.factor) {
      return fmt::format("{:.2f} {}{}/s", per_second / scale.factor, scale.prefix, unit);
    }
  }
  return fmt::format("{:.0f} {}/s", per_second, unit);
}

/// Returns one sentence if `amount` in `seconds` exceeds `limit_per_s`.
std::optional<std::string> violation(double amount, double seconds, double limit_per_s,
                                     const char* unit, const char* limit_name) {
  if (limit_per_s <= 0.0) return std::nullopt;
  const double rate = amount / seconds;
  if (rate <= limit_per_s * kLimitSlack) return std::nullopt;
  return fmt::format(
      "{:.4g} ms would mean {}, {:.1f} times what {} can do ({}): the kernel did not do the work "
      "that it is credited with",
      seconds * 1e3, format_rate(rate, unit), rate / limit_per_s, limit_name,
      format_rate(limit_per_s, unit));
}

}  // namespace

DeviceLimits nominal_limits(const Device& device) {
  const double sm_clocks = device.multiprocessors * device.clock_hz;
  return {.dram_bytes_per_s = kTransfersPerMemoryClock * device.memory_clock_hz *
                              device.memory_bus_bits / kBitsPerByte,
          .l2_bytes_per_s = kL2BytesPerClock * sm_clocks,
          .l1_bytes_per_s = kL1BytesPerClock * sm_clocks,
          .fp32_flop_per_s = kFlopsPerFma * fp32_lanes(device) * sm_clocks,
          .tensor_flop_per_s = tensor_flops(device) * sm_clocks,
          .l2_bytes = device.l2_bytes};
}

DeviceLimits measured_limits(DeviceLimits limits, double copy_bytes_per_s, double headroom) {
  if (copy_bytes_per_s <= 0.0) return limits;
  const double measured = copy_bytes_per_s * headroom;
  limits.dram_bytes_per_s =
      limits.dram_bytes_per_s > 0.0 ? std::min(limits.dram_bytes_per_s, measured) : measured;
  return limits;
}

double measure_copy_bytes_per_s() {
  if (!backend().reports_time) return 0.0;
  constexpr std::size_t kLargest = std::size_t{1} << 30;
  constexpr std::size_t kShareOfFree = 4;
  std::size_t free_bytes = 0;
  std::size_t total_bytes = 0;
  check(cudaMemGetInfo(&free_bytes, &total_bytes));
  const std::size_t bytes = std::min(kLargest, free_bytes / kShareOfFree);
  const DeviceBytes from(bytes, "a copy to measure DRAM with");
  const DeviceBytes to(bytes, "a copy to measure DRAM with");
  const auto time = measure({.repeat = 5, .warm_up = 1, .flush_l2 = false}, [&] {
    check(cudaMemcpyAsync(to.data(), from.data(), bytes, cudaMemcpyDeviceToDevice, nullptr));
  });
  constexpr double kMillisecondsPerSecond = 1e3;
  return 2.0 * static_cast<double>(bytes) / time->min_ms * kMillisecondsPerSecond;
}

std::optional<std::string> physical_violation(const Work& work, double seconds, bool l2_flushed,
                                              const DeviceLimits& limits) {
  require_sound(work.read_bytes, "bytes read");
  require_sound(work.written_bytes, "bytes written");
  require_sound(work.flops, "operations");
  require_sound(work.tensor_flops, "operations of tensor cores");
  if (!(seconds > 0.0) || !std::isfinite(seconds))
    throw std::invalid_argument("a time must be above 0");

  const bool on_tensor_cores = work.tensor_flops > 0.0;
  if (const auto found =
          on_tensor_cores
              ? violation(work.tensor_flops, seconds, limits.tensor_flop_per_s, "FLOP",
                          "its tensor cores")
              : violation(work.flops, seconds, limits.fp32_flop_per_s, "FLOP", "FP32 arithmetic"))
    return found;

  if (const auto found = violation(work.bytes(), seconds, limits.l1_bytes_per_s, "B", "L1"))
    return found;
  if (work.level == MemoryLevel::l1) return std::nullopt;

  if (const auto found = violation(work.bytes(), seconds, limits.l2_bytes_per_s, "B", "L2"))
    return found;
  if (work.level == MemoryLevel::l2) return std::nullopt;

  const auto beyond_l2 = [&](double bytes) {
    return std::max(0.0, bytes - static_cast<double>(limits.l2_bytes));
  };
  const double dram_bytes =
      l2_flushed ? work.read_bytes + beyond_l2(work.written_bytes) : beyond_l2(work.bytes());
  return violation(dram_bytes, seconds, limits.dram_bytes_per_s, "B", "DRAM");
}

std::optional<std::string> counted_violation(const Work& work, const Counters& counters) {
  require_sound(work.read_bytes, "bytes read");
  require_sound(work.written_bytes, "bytes written");
  if (work.level != MemoryLevel::dram) return std::nullopt;
  const auto& atomic = counters.global_atomic.bytes;
  const auto short_of = [](double credited, std::uint64_t counted,
                           const char* verb) -> std::optional<std::string> {
    if (static_cast<double>(counted) >= credited) return std::nullopt;
    return fmt::format("the kernel {} {} bytes of the {:.0f} that it is credited with", verb,
                       counted, credited);
  };
  const std::uint64_t loaded = counters.global_load.bytes + counters.bulk.bytes;
  if (const auto found = short_of(work.read_bytes, loaded + atomic, "read")) return found;
  const std::uint64_t stored = counters.global_store.bytes + counters.bulk_store.bytes;
  return short_of(work.written_bytes, stored + atomic, "wrote");
}

}  // namespace course
