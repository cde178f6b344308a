/// Makers of the structures for pitched and three-dimensional copies.
#ifndef __DRIVER_FUNCTIONS_H__
#define __DRIVER_FUNCTIONS_H__

#include "driver_types.h"

static inline struct cudaPitchedPtr make_cudaPitchedPtr(void* pointer, size_t pitch, size_t width,
                                                        size_t height) {
  return {pointer, pitch, width, height};
}

static inline struct cudaPos make_cudaPos(size_t x, size_t y, size_t z) { return {x, y, z}; }

static inline struct cudaExtent make_cudaExtent(size_t width, size_t height, size_t depth) {
  return {width, height, depth};
}

#endif  // __DRIVER_FUNCTIONS_H__
