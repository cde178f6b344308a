/// @file
/// A batch of transforms as FFTW does it.
#pragma once

#include "plan.hpp"

namespace emu::cufft {

class Transform {
 public:
  /// Returns a transform that reads and writes where the layouts say.
  /// @param is_in_place  whether input and output begin at one address
  static std::unique_ptr<Transform> make(const Shape& shape, const Layout& input,
                                         const Layout& output, bool is_in_place);

  Transform() = default;
  virtual ~Transform() = default;
  Transform(const Transform&) = delete;
  Transform& operator=(const Transform&) = delete;

  /// @param direction  CUFFT_FORWARD or CUFFT_INVERSE; only for complex input and output
  virtual void run(void* input, void* output, int direction) = 0;
};

}  // namespace emu::cufft
