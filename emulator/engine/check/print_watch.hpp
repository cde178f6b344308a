/// @file
/// Detects output of kernels.
#pragma once

#include <cstdio>
#include <functional>

namespace emu {

/// While an object lives, output of kernels is discarded and reported to a callback. The host's
/// output is not affected.
class PrintWatch {
 public:
  /// @param noticed called by the printing thread for every piece of text
  explicit PrintWatch(std::function<void()> noticed);
  ~PrintWatch();
  PrintWatch(const PrintWatch&) = delete;
  PrintWatch& operator=(const PrintWatch&) = delete;

 private:
  static ssize_t write(void* watch, const char* text, std::size_t bytes);

  std::function<void()> noticed_;
  std::FILE* real_;
  std::FILE* watched_;
};

}  // namespace emu
