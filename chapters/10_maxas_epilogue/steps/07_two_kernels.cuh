#pragma once

#include "06_bulk.cuh"

namespace two_kernels {

using namespace bulk;

constexpr int kBiasThreads = 256;

/// C = max(0, C + bias): each thread takes eight neighbours of a row out of memory and puts them
/// back.
/// @expect  global_load_requests = 3 * m * n / (8 * 32)
/// @expect  global_store_requests = m * n / (8 * 32)
/// @pre     a thread for every eight elements; n is a multiple of 8
static __global__ void __launch_bounds__(kBiasThreads) add_bias(const Layer layer) {
  const Gemm& g = layer.product;
  const int row_chunks = g.n / kChunk;
  const long long i = blockIdx.x * static_cast<long long>(kBiasThreads) + threadIdx.x;
  const int row = i / row_chunks, col = i % row_chunks * kChunk;
  if (row >= g.m) return;
  uint4& chunk = *reinterpret_cast<uint4*>(&element(g.C, g.n, row, col));
  const auto* const bias = reinterpret_cast<const float4*>(layer.bias + col);
  const float4 low = bias[0], high = bias[1];
  const auto sum = [](std::uint32_t pair, float first, float second) {
    return rounded(fmaxf(__uint_as_float(pair << 16) + first, 0.0f),
                   fmaxf(__uint_as_float(pair & 0xffff0000) + second, 0.0f));
  };
  const uint4 old = chunk;
  chunk = {sum(old.x, low.x, low.y), sum(old.y, low.z, low.w), sum(old.z, high.x, high.y),
           sum(old.w, high.z, high.w)};
}

/// A layer as two kernels: the product goes to memory, and comes back for its bias.
inline void launch(const Layer& layer, cudaStream_t stream) {
  const Gemm& g = layer.product;
  if (g.m == 0 || g.n == 0) return;
  bulk::launch(layer, stream);
  const long long chunks = 1LL * g.m * g.n / kChunk;
  add_bias<<<course::divide_up(chunks, kBiasThreads), kBiasThreads, 0, stream>>>(layer);
  course::check_launch();
}

}  // namespace two_kernels
