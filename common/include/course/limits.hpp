#pragma once

/// @file
/// Limits of a device: a result that beats them cannot have done its work.

#include <cstddef>
#include <optional>
#include <string>

#include "course/backend.hpp"
#include "course/counters.hpp"

namespace course {

/// The level of the memory hierarchy at which the bytes of a Work are counted.
enum class MemoryLevel {
  dram,  ///< every byte once, however often it is used: traffic that DRAM cannot avoid
  l2,    ///< bytes that multiprocessors request from L2; repeated reads count
  l1,    ///< bytes that lanes request; a byte counts once per warp that requests it
};

/// The work that a launch has to do.
struct Work {
  double read_bytes = 0.0;
  double written_bytes = 0.0;
  double flops = 0.0;  ///< FP32 operations; a fused multiply-add is two
  double tensor_flops =
      0.0;  ///< where tensor cores do them: the operations on 16 bits that it takes
  MemoryLevel level = MemoryLevel::dram;  ///< where read_bytes and written_bytes are counted

  double bytes() const { return read_bytes + written_bytes; }
};

/// The best that a device can do; 0 where unknown, which lifts the limit.
struct DeviceLimits {
  double dram_bytes_per_s = 0.0;
  double l2_bytes_per_s = 0.0;
  double l1_bytes_per_s = 0.0;
  double fp32_flop_per_s = 0.0;
  double tensor_flop_per_s = 0.0;
  std::size_t l2_bytes = 0;
};

/// The factor by which a result may beat a limit, because clocks are rounded and events have a
/// resolution.
inline constexpr double kLimitSlack = 1.05;

/// Limits from what the device says of itself.
///
/// - DRAM: 2 x memory clock x bus width / 8
/// - L2: 64 bytes per clock and multiprocessor (what a multiprocessor can take in)
/// - L1: 128 bytes per clock and multiprocessor (one line)
/// - FP32: 2 x lanes x clock, 64 lanes per multiprocessor for compute capability 7.x and 8.0, else
/// 128
/// - tensor cores: on 16 bits and not sparse, 1024, 2048, 1024 or 4096 operations per clock and
/// multiprocessor for compute capability 7.x, 8.0, other 8.x and 9.0
DeviceLimits nominal_limits(const Device& device);

/// The same with DRAM held to a measured device-to-device copy as well: at most `headroom` times as
/// fast.
///
/// For devices that do not tell their memory clock, and for a limit nearer to the truth. A kernel
/// that only reads can beat a copy, hence the headroom.
DeviceLimits measured_limits(DeviceLimits limits, double copy_bytes_per_s, double headroom = 1.25);

/// Returns bytes read plus bytes written per second by the best of a few large cudaMemcpy; 0 where
/// times are not measured.
double measure_copy_bytes_per_s();

/// Refuses the impossible: says which limit, and how many times over; nothing if the time is
/// possible.
///
/// Work at `MemoryLevel::dram` is held to DRAM and to L2. What stays in L2 need not reach DRAM
/// while the clock runs: of the bytes written, L2's size is taken off before the comparison, and of
/// all bytes if L2 was not flushed first. So a result out of a warm L2 may beat DRAM, but not L2.
/// @throws std::invalid_argument if the work is negative or not finite, or the time is not above 0
std::optional<std::string> physical_violation(const Work& work, double seconds, bool l2_flushed,
                                              const DeviceLimits& limits);

/// Refuses work that was not done: fewer bytes counted than the launch is credited with.
///
/// The counterpart of physical_violation() where kernels are counted rather than timed; only work
/// at `MemoryLevel::dram` is compared.
std::optional<std::string> counted_violation(const Work& work, const Counters& counters);

}  // namespace course
