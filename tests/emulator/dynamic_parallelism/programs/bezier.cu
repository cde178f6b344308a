/// Bezier curves: each thread decides how many points its curve needs, allocates them, and launches
/// a kernel that computes them. Another kernel frees them.
#include <cstdio>

constexpr int kCurves = 100;

struct Curve {
  float2 control[3];
  float2* points;  // [count]
  int count;
};

__global__ void compute(Curve* curve) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= curve->count) return;
  const float u = static_cast<float>(i) / (curve->count - 1), v = 1 - u;
  const float weights[3] = {v * v, 2 * u * v, u * u};
  float2 point = {0, 0};
  for (int k = 0; k < 3; ++k) {
    point.x += weights[k] * curve->control[k].x;
    point.y += weights[k] * curve->control[k].y;
  }
  curve->points[i] = point;
}

__global__ void tessellate(Curve* curves) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= kCurves) return;
  Curve& curve = curves[i];
  curve.count = 4 + i % 61;
  if (cudaMalloc(reinterpret_cast<void**>(&curve.points), curve.count * sizeof(float2)) !=
      cudaSuccess)
    return;
  compute<<<(curve.count + 31) / 32, 32>>>(&curve);
}

__global__ void free_all(Curve* curves) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < kCurves) cudaFree(curves[i].points);
}

__global__ void look(const Curve* curves, int* right) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= kCurves) return;
  const Curve& curve = curves[i];
  const float2 first = curve.points[0], last = curve.points[curve.count - 1];
  if (first.x == curve.control[0].x && last.y == curve.control[2].y &&
      curve.points[curve.count / 2].y > 0)
    atomicAdd(right, 1);
}

int main() {
  Curve* curves;
  int* right;
  cudaMallocManaged(&curves, kCurves * sizeof(Curve));
  cudaMallocManaged(&right, sizeof(int));
  *right = 0;
  for (int i = 0; i < kCurves; ++i)
    curves[i] = {{{1.0f * i, 0}, {i + 0.5f, 3}, {i + 1.0f, 0}}, nullptr, 0};
  tessellate<<<4, 32>>>(curves);
  look<<<4, 32>>>(curves, right);
  free_all<<<4, 32>>>(curves);
  std::printf("%s: ", cudaGetErrorName(cudaDeviceSynchronize()));
  std::printf("%d of %d curves\n", *right, kCurves);
  cudaFree(curves);
  cudaFree(right);
}
