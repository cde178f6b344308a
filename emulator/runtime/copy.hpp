/// @file
/// Copies of boxes of bytes, which all copying calls use.
#pragma once

#include <cstddef>
#include <cstdint>

#include "driver_types.h"

namespace emu::runtime {

/// A box of bytes in memory: rows of `width` bytes that are `pitch` apart, in `depth` slices.
struct Box {
  const char* begin;
  std::size_t pitch;
  std::size_t slice;  ///< bytes between slices

  const char* row(std::size_t y, std::size_t z) const { return begin + z * slice + y * pitch; }
};

struct Size {
  std::size_t width;
  std::size_t height;
  std::size_t depth;

  bool empty() const { return width == 0 || height == 0 || depth == 0; }
};

/// Whether a call returns before its work is done, as far as the kind of memory allows.
enum class Returns : std::uint8_t { at_once, when_done };

/// Returns the part of `pitched` from position (x in bytes, y, z) on.
Box box_3d(const cudaPitchedPtr& pitched, const cudaPos& position);

/// Copies a box, or enqueues the copy in the stream. If several rules are broken at once, the error
/// is the one that a GPU's runtime returns.
cudaError_t copy_box(const Box& target, const Box& source, const Size& size, cudaMemcpyKind kind,
                     cudaStream_t stream, Returns returns);

/// The value of a fill: 1, 2 or 4 bytes.
struct Element {
  std::uint32_t value;
  unsigned bytes;
};

/// Fills a box whose width is a multiple of the element's size, or enqueues that in the stream.
cudaError_t fill_box(const Box& target, Element value, const Size& size, cudaStream_t stream,
                     Returns returns);

}  // namespace emu::runtime
