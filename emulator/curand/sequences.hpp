/// @file
/// The order in which a generator of the host functions draws from many sequences of one seed.
#pragma once

#define QUALIFIERS inline
// CUDA's device functions have these; on the host they are the emulator's own.
#include "emulator/device_math.h"

#include "curand_kernel.h"

#include <array>
#include <cmath>
#include <cstddef>
#include <vector>

namespace emu::curand {

/// What a visit to a sequence gives, and how far the sequence goes on.
///
/// A generator visits its sequences in turn, again and again. XORWOW and MRG32k3a give one number
/// at a visit, or two that are normally distributed. Philox always gives four; a call may take some
/// of them and leave the others to the next call.
template <class State>
struct Visits {
  static constexpr std::size_t kSequences = 4096;  // in the legacy order
  static constexpr std::size_t kShare = 1;
};
template <>
struct Visits<curandStatePhilox4_32_10_t> {
  static constexpr std::size_t kSequences = 65536;
  static constexpr std::size_t kShare = 4;
};

template <class State>
class Sequences {
 public:
  static constexpr std::size_t kShare = Visits<State>::kShare;

  void begin(unsigned long long seed, unsigned long long offset, std::size_t sequences) {
    const unsigned long long visit = offset / kShare;
    begun_.clear();
    seed_ = seed;
    count_ = sequences;
    rounds_ = visit / sequences;
    now_ = skipped_ = visit % sequences;
    part_ = offset % kShare;
    begun_.reserve(skipped_ + 1);
  }

  /// Writes n numbers. `draw` returns those of a visit: `std::array<T, numbers>`. n must be a
  /// multiple of that, unless a visit's numbers are a share.
  template <class T, class Draw>
  void generate(T* numbers, std::size_t n, const Draw& draw) {
    while (n > 0) {
      State& state = at(now_);
      State after = state;
      const auto drawn = draw(&after);
      const std::size_t first = drawn.size() == kShare ? part_ : 0;
      std::size_t end = first;
      while (end < drawn.size() && n > 0) {
        *numbers++ = static_cast<T>(drawn[end++]);
        --n;
      }
      part_ = end % drawn.size();
      if (part_ != 0) return;
      state = after;
      now_ = (now_ + 1) % count_;
    }
  }

 private:
  /// The state of a sequence. Sequences are begun in their order, each from the one before.
  State& at(std::size_t sequence) {
    while (begun_.size() <= sequence) {
      const std::size_t next = begun_.size();
      if (next == 0) {
        curand_init(seed_, 0, 0, &origin_);
      } else {
        next_sequence(&origin_);
      }
      State state = origin_;
      if (const auto visits = rounds_ + (next < skipped_); visits != 0)
        skipahead(visits * kShare, &state);
      begun_.push_back(state);
    }
    return begun_[sequence];
  }

  static void next_sequence(curandStateXORWOW_t* state) { skipahead_sequence(1, state); }
  static void next_sequence(curandStatePhilox4_32_10_t* state) { skipahead_sequence(1, state); }
  static void next_sequence(curandStateMRG32k3a_t* state) { skipahead_subsequence(1, state); }

  std::vector<State> begun_;
  State origin_{};  // of the last sequence that has begun
  unsigned long long seed_ = 0, rounds_ = 0;
  std::size_t count_ = 1, now_ = 0, skipped_ = 0;
  std::size_t part_ = 0;  // of the visit's share: what is taken
};

}  // namespace emu::curand
