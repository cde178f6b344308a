/// @file
/// Notices that a kernel prints.
#pragma once

#include <cstdio>
#include <functional>

namespace emu {

/// While it lives, what kernels print is thrown away, and noticed; what the host prints is not
/// touched.
class PrintWatch {
 public:
  /// @param noticed  is called for every piece of text, by whoever prints it
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
