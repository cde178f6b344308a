/// Texel formats by type.
#ifndef __CHANNEL_DESCRIPTOR_H__
#define __CHANNEL_DESCRIPTOR_H__

#include "cuda_runtime_api.h"
#include "vector_types.h"

#ifdef __cplusplus
#include <limits.h>

#include <type_traits>

namespace emu::detail {

/// `channels` channels of `T`.
template <class T>
cudaChannelFormatDesc channel_format(int channels) {
  const int bits = static_cast<int>(sizeof(T) * CHAR_BIT);
  const cudaChannelFormatKind kind = std::is_floating_point_v<T> ? cudaChannelFormatKindFloat
                                     : std::is_signed_v<T>       ? cudaChannelFormatKindSigned
                                                                 : cudaChannelFormatKindUnsigned;
  return {bits, channels > 1 ? bits : 0, channels > 2 ? bits : 0, channels > 3 ? bits : 0, kind};
}

}  // namespace emu::detail

/// The format of texels of type `T`: an arithmetic type of at most 4 bytes or a vector of it.
template <class T>
inline cudaChannelFormatDesc cudaCreateChannelDesc() {
  if constexpr (std::is_arithmetic_v<T>) {
    return emu::detail::channel_format<T>(1);
  } else {
    using Channel = std::decay_t<decltype(T::x)>;
    return emu::detail::channel_format<Channel>(static_cast<int>(sizeof(T) / sizeof(Channel)));
  }
}

// The formats of 16-bit floats, which no type stands for.
inline cudaChannelFormatDesc cudaCreateChannelDescHalf() {
  return {16, 0, 0, 0, cudaChannelFormatKindFloat};
}
inline cudaChannelFormatDesc cudaCreateChannelDescHalf1() { return cudaCreateChannelDescHalf(); }
inline cudaChannelFormatDesc cudaCreateChannelDescHalf2() {
  return {16, 16, 0, 0, cudaChannelFormatKindFloat};
}
inline cudaChannelFormatDesc cudaCreateChannelDescHalf4() {
  return {16, 16, 16, 16, cudaChannelFormatKindFloat};
}

#endif  // __cplusplus

#endif  // __CHANNEL_DESCRIPTOR_H__
