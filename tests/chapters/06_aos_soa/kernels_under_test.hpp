#pragma once

/// @file
/// Pointers to the chapter's kernels, one of which a mutant can replace.

struct Point;
struct AlignedPoint;
struct PointTile;
struct Point3;
struct PaddedPoint3;
struct Particle;

using Soften = void(int wide, int high, const int* steps, const unsigned* palette,
                    unsigned char* rgb);

struct Kernels {
  void (*aos_update)(int n, float dx, float dy, const Point* data, Point* result);
  void (*aos_update_x)(int n, float dx, Point* data);
  void (*aos_aligned_update)(int n, float dx, float dy, const AlignedPoint* data,
                             AlignedPoint* result);
  void (*soa_update)(int n, float dx, float dy, const float* data_x, const float* data_y,
                     float* result_x, float* result_y);
  void (*soa_update_x)(int n, float dx, float* data_x);
  void (*aosoa_update)(int n, float dx, float dy, const PointTile* data, PointTile* result);
  void (*aos3_update)(int n, float dx, float dy, float dz, const Point3* data, Point3* result);
  void (*aos3_padded_update)(int n, float dx, float dy, float dz, const PaddedPoint3* data,
                             PaddedPoint3* result);
  void (*aos3_staged_update)(int n, float dx, float dy, float dz, const float* data, float* result);
  void (*soa3_update)(int n, float dx, float dy, float dz, const float* data_x, const float* data_y,
                      const float* data_z, float* result_x, float* result_y, float* result_z);
  void (*aos8_drift)(int n, float dt, Particle* particles);
  void (*soa8_drift)(int n, float dt, float* x, const float* vx);
  void (*aos8_reorder)(int n, const int* order, const Particle* particles, Particle* result);
  void (*soa8_reorder)(int n, int pitch, const int* order, const float* fields, float* result);
  Soften* soften_bytes;
  Soften* soften_planes;
};

/// Returns the kernels of chapters/06_aos_soa/kernels.cuh; in mutant tests, one is replaced.
Kernels kernels_under_test();
