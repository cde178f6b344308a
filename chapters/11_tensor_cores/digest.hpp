#pragma once

/// @file
/// A result in a word, to compare an H200's with the emulator's.

#include <bit>
#include <charconv>
#include <cstdint>
#include <string>
#include <vector>

/// All bits of it (FNV-1a).
inline std::string digest_of(const std::vector<float>& values) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const float value : values) {
    hash ^= std::bit_cast<std::uint32_t>(value);
    hash *= 0x100000001b3;
  }
  constexpr int kHex = 16;
  std::string digits(kHex, '0');
  std::to_chars(digits.data(), digits.data() + kHex, hash, kHex);
  return digits;
}
