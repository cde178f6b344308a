/// @file
/// What PTX defines for conversions, shifts and divisions that C++ leaves undefined.
///
/// - A floating-point number converted to an integer is rounded toward zero and clamped to the
///   type's range. NaN becomes 0; if either type has 64 bits, only the sign bit is set. For types
///   of 8 and 16 bits, the result in 32 bits is truncated.
/// - A shift count is an unsigned 32-bit number. If it is at least the width of the word, the
///   result is 0, or for a signed right shift all sign bits.
/// - The lowest number divided by -1 is itself, with remainder 0. The engine handles divisions by
///   zero (engine/run/division.hpp).
///
/// conversions_h200.txt beside the tests records what an H200 does.
#pragma once

#include "gcc_headers.hpp"

/// The integer type in which a device converts numbers of type `real` to `target`.
struct DeviceInteger {
  tree type;    // of 32 or 64 bits
  tree of_nan;  // the result for NaN
};

/// Returns whether a device has a conversion between these types.
bool is_converted_by_device(tree target, tree real);
DeviceInteger device_integer(tree target, tree real);

/// Returns the constant `number` converted to type `target`; null if a device has no such types.
tree converted_by_device(tree target, tree number);

/// Returns whether a device has shifts of words of this type.
bool is_shifted_by_device(tree type);
