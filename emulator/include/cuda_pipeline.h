/// The C++ face of cuda_pipeline_primitives.h.
#ifndef _CUDA_PIPELINE_H_
#define _CUDA_PIPELINE_H_

#include <type_traits>

#include "cuda_pipeline_primitives.h"

namespace nvcuda::experimental {

/// Counts the batches of copies of one thread.
class pipeline {
 public:
  pipeline() = default;
  pipeline(const pipeline&) = delete;
  pipeline& operator=(const pipeline&) = delete;

  __forceinline__ size_t commit() {
    __pipeline_commit();
    return batches_++;
  }
  __forceinline__ void commit_and_wait() {
    commit();
    wait_prior<0>();
  }
  __forceinline__ void wait(size_t batch) {
    __pipeline_wait_prior(batches_ > batch ? batches_ - batch : 0);
  }
  template <unsigned Count>
  __forceinline__ void wait_prior() {
    __pipeline_wait_prior(Count);
  }

 private:
  size_t batches_ = 0;
};

/// The `N` elements from `first` as an array.
template <size_t Count, class T>
__forceinline__ auto segment(T* first) -> T (*)[Count] {
  return reinterpret_cast<T(*)[Count]>(first);
}

/// target = source, in pieces as large as the type's alignment.
template <class T>
__forceinline__ void memcpy_async(T& target, const T& source, pipeline&) {
  constexpr size_t kPiece =
      alignof(T) < emu::detail::kPipelineMaxBytes ? alignof(T) : emu::detail::kPipelineMaxBytes;
  if constexpr (std::is_trivially_copyable_v<T> && kPiece >= 4) {
    for (size_t byte = 0; byte < sizeof(T); byte += kPiece)
      __pipeline_memcpy_async(reinterpret_cast<char*>(&target) + byte,
                              reinterpret_cast<const char*>(&source) + byte, kPiece);
  } else {
    target = source;
  }
}

/// Copies an array whose size is 4, 8 or 16 bytes; elements that the source lacks become zero.
template <class T, size_t TargetCount, size_t SourceCount>
__forceinline__ void memcpy_async(T (*target)[TargetCount], const T (*source)[SourceCount],
                                  pipeline&) {
  constexpr size_t kBytes = sizeof(*target);
  static_assert(kBytes == 4 || kBytes == 8 || kBytes == emu::detail::kPipelineMaxBytes,
                "a copy has 4, 8 or 16 bytes");
  static_assert(SourceCount <= TargetCount, "the source must not be larger than the target");
  __pipeline_memcpy_async(*target, *source, kBytes, kBytes - sizeof(*source));
}

}  // namespace nvcuda::experimental

#endif  // _CUDA_PIPELINE_H_
