/// @file
/// Skipping ahead in a sequence of random numbers. The work is done once, in the emulator's
/// library: a device keeps tables of matrices for it, and here nothing of that lies in its memory.
#pragma once
#pragma GCC system_header

namespace emu::detail {

/// The part of XORWOW's state that is linear over GF(2).
struct XorwowWords {
  unsigned v[5];
};
/// Returns the state n steps later.
XorwowWords skip_xorwow(XorwowWords state, unsigned long long n) noexcept;
/// Returns the state n * 2^67 steps later.
XorwowWords skip_xorwow_sequences(XorwowWords state, unsigned long long n) noexcept;

/// The last three values of both recurrences of MRG32k3a.
struct Mrg32k3aWords {
  unsigned s1[3], s2[3];
};
/// Returns the state n * 2^log_stride steps later.
Mrg32k3aWords skip_mrg32k3a(Mrg32k3aWords state, unsigned long long n,
                            unsigned log_stride) noexcept;

}  // namespace emu::detail
