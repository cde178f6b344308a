// flags: -diag-suppress 20054
// The Mandelbrot set with cuComplex.h, a complex class of its own, and constants from math_constants.h.
#include <cuComplex.h>
#include <math_constants.h>

#include <cmath>
#include <complex>
#include <cstdio>
#include <vector>

constexpr int kWidth = 60, kHeight = 40, kMost = 100;

// As often written: constructors for both sides, one of them empty.
template <class T>
struct Complex {
  T re, im;
  __host__ __device__ Complex() {}
  __host__ __device__ Complex(T r, T i) : re(r), im(i) {}
  __host__ __device__ T norm() const { return re * re + im * im; }
};
template <class T>
__host__ __device__ Complex<T> operator*(Complex<T> a, Complex<T> b) {
  return Complex<T>(a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re);
}
template <class T>
__host__ __device__ inline Complex<T> operator+(const Complex<T>& a, const Complex<T>& b) {
  return {a.re + b.re, a.im + b.im};
}

template <class T>
__host__ __device__ int steps(Complex<T> c) {
  Complex<T> z(0, 0);
  int n = 0;
  while (n < kMost && z.norm() < 4) {
    z = z * z + c;
    ++n;
  }
  return n;
}

__host__ __device__ inline Complex<double> point(int x, int y) {
  return {-2.25 + 3.0 * x / kWidth, -1.0 + 2.0 * y / kHeight};
}

__global__ void by_class(int* out) {
  __shared__ Complex<double> row[kWidth];
  const int x = threadIdx.x, y = blockIdx.x;
  row[x] = point(x, y);
  __syncthreads();
  out[y * kWidth + x] = steps(row[x]);
}

__global__ void by_header(int* out) {
  const int x = threadIdx.x, y = blockIdx.x;
  const cuDoubleComplex c = make_cuDoubleComplex(point(x, y).re, point(x, y).im);
  cuDoubleComplex z = make_cuDoubleComplex(0, 0);
  int n = 0;
  for (; n < kMost && cuCabs(z) < 2; ++n) z = cuCadd(cuCmul(z, z), c);
  out[y * kWidth + x] = n;
}

__global__ void arithmetic(cuFloatComplex* v, float* angle) {
  v[2] = cuCdivf(v[0], v[1]);
  v[3] = cuCfmaf(v[0], v[1], cuConjf(v[0]));
  v[4] = cuComplexDoubleToFloat(cuCsub(cuComplexFloatToDouble(v[0]), cuComplexFloatToDouble(v[1])));
  *angle = CUDART_PI_F / 6 + (v[0].x < CUDART_INF_F ? 0 : CUDART_NAN_F);
}

int main() {
  int *out, *other, wrong = 0;
  cudaMallocManaged(&out, kWidth * kHeight * sizeof(int));
  cudaMallocManaged(&other, kWidth * kHeight * sizeof(int));
  by_class<<<kHeight, kWidth>>>(out);
  by_header<<<kHeight, kWidth>>>(other);
  wrong += cudaDeviceSynchronize() != cudaSuccess;
  int differ = 0;
  for (int i = 0; i < kWidth * kHeight; ++i) {
    const int expected = steps(point(i % kWidth, i / kWidth));
    differ += std::abs(out[i] - expected) > 1;  // a GPU may round a last step away
    differ += std::abs(other[i] - expected) > 1;
  }
  wrong += differ > kWidth * kHeight / 100;

  cuFloatComplex* v;
  float* angle;
  cudaMallocManaged(&v, 5 * sizeof *v);
  cudaMallocManaged(&angle, sizeof *angle);
  const std::complex<float> a(3, -4), b(0.5f, 2);
  v[0] = make_cuComplex(a.real(), a.imag());
  v[1] = make_cuFloatComplex(b.real(), b.imag());
  arithmetic<<<1, 1>>>(v, angle);
  wrong += cudaDeviceSynchronize() != cudaSuccess;
  const std::complex<float> expected[] = {a / b, a * b + std::conj(a), a - b};
  for (int i = 0; i < 3; ++i) {
    wrong += std::abs(std::complex<float>(cuCrealf(v[2 + i]), cuCimagf(v[2 + i])) - expected[i]) > 1e-5f;
  }
  wrong += std::fabs(std::sin(*angle) - 0.5f) > 1e-6f || cuCabsf(v[0]) != 5.0f;
  std::printf("mandelbrot: %d wrong\n", wrong);
  return wrong != 0;
}
