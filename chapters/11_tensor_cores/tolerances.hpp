#pragma once

/// @file
/// How far a step may be off, times what fp32 may: tf32 has 13 bits less than fp32, and what a
/// tensor core cuts off of long sums was measured to stay below a few tens of fp32's roundings.

constexpr double kTf32Factor = 8192.0, kCutOffFactor = 64.0;
