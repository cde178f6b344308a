#include "openmp.hpp"

#include <cmath>
#include <cstddef>

namespace openmp {

namespace {
constexpr int kTile = 32;
constexpr float kRate = 0.02f, kVolatility = 0.3f;

float normal(float d) { return 0.5f * std::erfc(-d * 0.70710678f); }
}  // namespace

void sum(const float* a, const float* b, float* c, int n) {
#pragma omp parallel for
  for (int i = 0; i < n; ++i) c[i] = a[i] + b[i];
}

void sgemm_by_element(int n, const float* A, const float* B, float* C) {
#pragma omp parallel for
  for (int row = 0; row < n; ++row)
    for (int col = 0; col < n; ++col) {
      float total = 0.0f;
      for (int p = 0; p < n; ++p) total += A[row * n + p] * B[p * n + col];
      C[row * n + col] = total;
    }
}

void sgemm_by_lanes(int n, const float* A, const float* B, float* C) {
#pragma omp parallel for
  for (int row = 0; row < n; ++row)
    for (int first = 0; first < n; first += kTile) {
      float total[kTile] = {};
      for (int p = 0; p < n; ++p)
        for (int lane = 0; lane < kTile; ++lane)
          total[lane] += A[row * n + p] * B[p * n + first + lane];
      for (int lane = 0; lane < kTile; ++lane) C[row * n + first + lane] = total[lane];
    }
}

void sgemm_by_tiles(int n, const float* A, const float* B, float* C) {
#pragma omp parallel for collapse(2)
  for (int tile_row = 0; tile_row < n; tile_row += kTile)
    for (int tile_col = 0; tile_col < n; tile_col += kTile) {
      float tile_a[kTile][kTile], tile_b[kTile][kTile], total[kTile][kTile] = {};
      for (int first = 0; first < n; first += kTile) {
        for (int y = 0; y < kTile; ++y)
          for (int x = 0; x < kTile; ++x) {
            tile_a[y][x] = A[(tile_row + y) * n + first + x];
            tile_b[y][x] = B[(first + y) * n + tile_col + x];
          }
        for (int y = 0; y < kTile; ++y)
          for (int p = 0; p < kTile; ++p)
            for (int x = 0; x < kTile; ++x) total[y][x] += tile_a[y][p] * tile_b[p][x];
      }
      for (int y = 0; y < kTile; ++y)
        for (int x = 0; x < kTile; ++x) C[(tile_row + y) * n + tile_col + x] = total[y][x];
    }
}

void reduce(const float* in, float* sums, int blocks, int of_block) {
#pragma omp parallel for
  for (int block = 0; block < blocks; ++block) {
    float lanes[kTile] = {};
    const float* const of = in + static_cast<std::size_t>(block) * of_block;
    for (int i = 0; i < of_block; i += kTile)
      for (int lane = 0; lane < kTile; ++lane) lanes[lane] += of[i + lane];
    float total = 0.0f;
    for (const float lane : lanes) total += lane;
    sums[block] = total;
  }
}

void transpose(const float* in, float* out, int n) {
#pragma omp parallel for collapse(2)
  for (int row = 0; row < n; row += kTile)
    for (int col = 0; col < n; col += kTile)
      for (int y = row; y < row + kTile; ++y)
        for (int x = col; x < col + kTile; ++x)
          out[static_cast<std::size_t>(x) * n + y] = in[static_cast<std::size_t>(y) * n + x];
}

void histogram(const unsigned char* in, unsigned* bins, int n) {
  constexpr int kBins = 256;
#pragma omp parallel
  {
    unsigned own[kBins] = {};
#pragma omp for
    for (int i = 0; i < n; ++i) ++own[in[i]];
#pragma omp critical
    for (int bin = 0; bin < kBins; ++bin) bins[bin] += own[bin];
  }
}

void black_scholes(const float* price, const float* strike, const float* years, float* call,
                   int n) {
#pragma omp parallel for
  for (int i = 0; i < n; ++i) {
    const float root = kVolatility * std::sqrt(years[i]);
    const float d1 =
        (std::log(price[i] / strike[i]) + (kRate + 0.5f * kVolatility * kVolatility) * years[i]) /
        root;
    call[i] = price[i] * normal(d1) - strike[i] * std::exp(-kRate * years[i]) * normal(d1 - root);
  }
}

void stencil(const float* in, float* out, int n) {
#pragma omp parallel for
  for (int row = 1; row < n - 1; ++row)
    for (int col = 1; col < n - 1; ++col) {
      const float* const here = in + row * n + col;
      out[row * n + col] = 0.2f * (here[0] + here[-1] + here[1] + here[-n] + here[n]);
    }
}

}  // namespace openmp
