/// @file
/// What PTX says of conversions, shifts and divisions that C++ leaves open.
///
/// - A number that becomes an integer is rounded toward zero and kept in the type's range. NaN
///   becomes 0; where either has 64 bits, the sign's bit alone. Types of 8 and 16 bits are cut off
///   from 32.
/// - A count is an unsigned number of 32 bits. Where it is as large as the word or larger, all bits
///   leave it: what remains is 0, or the sign.
/// - The lowest number divided by -1 is the lowest number, and 0 remains. Divisions by zero are the
///   engine's (engine/run/division.hpp).
///
/// conversions_h200.txt beside the tests is what an H200 does.
#pragma once

#include "gcc_headers.hpp"

/// The integer that numbers of type `real` are converted to on their way to `target`.
struct DeviceInteger {
  tree type;    // of 32 or 64 bits
  tree of_nan;  // what NaN becomes
};

/// Whether a device converts such numbers to such integers.
bool is_converted_by_device(tree target, tree real);
DeviceInteger device_integer(tree target, tree real);

/// The constant `number` as a constant of type `target`; none where a device has no such types.
tree converted_by_device(tree target, tree number);

/// Whether a device has shifts of words of this type.
bool is_shifted_by_device(tree type);
