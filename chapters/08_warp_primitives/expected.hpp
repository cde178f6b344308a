#pragma once

/// @file
/// What should come out of the kernels, warp by warp, in plain loops.

#include <algorithm>
#include <cstddef>
#include <vector>

#include "course/counters.hpp"

namespace expected {

using course::kWarpSize;
inline constexpr int kRows = 4, kCols = 8;  // of a matrix that one warp transposes

using Ints = std::vector<int>;
using Words = std::vector<unsigned>;

/// Element i of a warp's 32, those beyond the end being 0.
template <class T>
T element(const std::vector<T>& in, std::size_t i) {
  return i < in.size() ? in[i] : T{0};
}

inline Ints sums_of_warps(const Ints& in) {
  Ints sums((in.size() + kWarpSize - 1) / kWarpSize, 0);
  for (std::size_t i = 0; i < in.size(); ++i) sums[i / kWarpSize] += in[i];
  return sums;
}

/// The sum of its warp for every element.
inline Ints sums_for_all(const Ints& in) {
  const Ints sums = sums_of_warps(in);
  Ints out(in.size());
  for (std::size_t i = 0; i < in.size(); ++i) out[i] = sums[i / kWarpSize];
  return out;
}

/// What each lane of a __shfl_down_sync tree ends with.
inline Ints tree_of_warps(const Ints& in) {
  Ints out(in.size());
  for (std::size_t warp = 0; warp < in.size(); warp += kWarpSize) {
    int lanes[kWarpSize];
    for (int lane = 0; lane < kWarpSize; ++lane) lanes[lane] = element(in, warp + lane);
    for (int offset = kWarpSize / 2; offset > 0; offset /= 2)
      for (int lane = 0; lane < kWarpSize; ++lane)  // upwards: lane + offset is still the old one
        lanes[lane] += lanes[lane + offset < kWarpSize ? lane + offset : lane];
    for (int lane = 0; lane < kWarpSize && warp + lane < in.size(); ++lane)
      out[warp + lane] = lanes[lane];
  }
  return out;
}

/// The sums of lanes 16 to 31 alone.
inline Ints upper_halves(const Ints& in) {
  Ints upper = in;
  for (std::size_t i = 0; i < in.size(); ++i)
    if (i % kWarpSize < kWarpSize / 2) upper[i] = 0;
  return sums_of_warps(upper);
}

/// The ten rows of listing 2.
inline Words exchanges_of(const Words& in) {
  const std::size_t n = in.size();
  Words out(10 * n);
  for (std::size_t i = 0; i < n; ++i) {
    const std::size_t warp = i / kWarpSize * kWarpSize, lane = i % kWarpSize;
    Words values(kWarpSize);
    for (int other = 0; other < kWarpSize; ++other) values[other] = element(in, warp + other);
    unsigned odd = 0, equal = 0;
    bool all_equal = true;
    for (int other = 0; other < kWarpSize; ++other) {
      odd |= values[other] % 2 << other;
      equal |= unsigned(values[other] == values[lane]) << other;
      all_equal = all_equal && values[other] == values[0];
    }
    const unsigned rows[] = {values[5],
                             values[lane == 0 ? lane : lane - 1],
                             values[lane == kWarpSize - 1 ? lane : lane + 1],
                             values[lane ^ 1],
                             odd == 0xffffffff,
                             odd != 0,
                             odd == 0xffffffff || odd == 0,
                             odd,
                             equal,
                             all_equal};
    for (std::size_t row = 0; row < 10; ++row) out[row * n + i] = rows[row];
  }
  return out;
}

/// Even lanes: the element plus the warp's first; odd lanes: minus it.
inline Ints plus_or_minus_the_first(const Ints& in) {
  Ints out(in.size());
  for (std::size_t i = 0; i < in.size(); ++i) {
    const int first = in[i / kWarpSize * kWarpSize];
    out[i] = i % 2 == 0 ? in[i] + first : in[i] - first;
  }
  return out;
}

/// The lanes of the warp that pass: even ones with even values, odd ones with odd values, those
/// beyond the end having 0.
inline Words passing_lanes(const Ints& in) {
  Words out(in.size());
  for (std::size_t i = 0; i < in.size(); ++i)
    for (std::size_t lane = 0; lane < kWarpSize; ++lane) {
      const int value = element(in, i / kWarpSize * kWarpSize + lane);
      out[i] |= unsigned((value % 2 != 0) == (lane % 2 != 0)) << lane;
    }
  return out;
}

/// Running totals that begin again with every block.
inline Ints scans_of_blocks(const Ints& in, int threads) {
  Ints out(in.size());
  for (std::size_t i = 0; i < in.size(); ++i) out[i] = in[i] + (i % threads ? out[i - 1] : 0);
  return out;
}

/// The negative ones of each warp first.
inline Ints partitions_of_warps(const Ints& in) {
  Ints values = in;
  for (auto first = values.begin(); first != values.end();) {
    const auto last = first + std::min<std::ptrdiff_t>(kWarpSize, values.end() - first);
    std::stable_partition(first, last, [](int value) { return value < 0; });
    first = last;
  }
  return values;
}

/// How many elements of the same warp equal each.
inline Ints equals_in_warps(const Ints& in) {
  Ints out(in.size());
  for (std::size_t i = 0; i < in.size(); ++i) {
    const auto first = in.begin() + std::ptrdiff_t(i / kWarpSize * kWarpSize);
    const auto last = first + std::min<std::ptrdiff_t>(kWarpSize, in.end() - first);
    out[i] = static_cast<int>(std::count(first, last, in[i]));
  }
  return out;
}

/// The negative elements, in order of size.
inline Ints sorted_negatives(const Ints& in) {
  Ints kept;
  for (const int value : in)
    if (value < 0) kept.push_back(value);
  std::sort(kept.begin(), kept.end());
  return kept;
}

/// For every element, how many of its warp have the value that most of them have: they queue at
/// one counter.
inline Ints queues(const Ints& values) {
  Ints out(values.size());
  for (std::size_t warp = 0; warp < values.size(); warp += kWarpSize) {
    const auto begin = values.begin() + static_cast<std::ptrdiff_t>(warp);
    const auto end = values.end() - begin > kWarpSize ? begin + kWarpSize : values.end();
    int longest = 0;
    for (auto value = begin; value != end; ++value)
      longest = std::max(longest, static_cast<int>(std::count(begin, end, *value)));
    std::fill_n(out.begin() + static_cast<std::ptrdiff_t>(warp), end - begin, longest);
  }
  return out;
}

/// How often each of the values 0 to kinds - 1 occurs.
inline Ints histogram(const Ints& values, int kinds) {
  Ints counts(kinds, 0);
  for (const int value : values) ++counts[value];
  return counts;
}

/// Each warp's 4 x 8 matrix as 8 x 4.
inline Ints transposed(const Ints& in) {
  Ints out(in.size());
  for (std::size_t i = 0; i < in.size(); ++i) {
    const std::size_t lane = i % kWarpSize;
    out[i] = in[i - lane + lane % kRows * kCols + lane / kRows];
  }
  return out;
}

/// Every lane's value after `rounds` of value = factor x value + sum of the warp.
inline Words after_rounds(const Words& in, int rounds) {
  constexpr unsigned kFactor = 1664525;
  Words out(in.size());
  for (std::size_t warp = 0; warp < in.size(); warp += kWarpSize) {
    unsigned lanes[kWarpSize];
    for (int lane = 0; lane < kWarpSize; ++lane) lanes[lane] = element(in, warp + lane);
    for (int round = 0; round < rounds; ++round) {
      unsigned sum = 0;
      for (const unsigned value : lanes) sum += value;
      for (unsigned& value : lanes) value = kFactor * value + sum;
    }
    for (int lane = 0; lane < kWarpSize && warp + lane < in.size(); ++lane)
      out[warp + lane] = lanes[lane];
  }
  return out;
}

}  // namespace expected
