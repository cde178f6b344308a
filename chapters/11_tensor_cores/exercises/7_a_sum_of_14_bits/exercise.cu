// Exercise 11.7: a sum of 14 bits. `./course check 11 --exercise 7` says how far you are.

constexpr int kAtOnce = 32;  // products that the tensor core adds together

/// Adds `count` products, 32 at most, to a sum as the tensor cores of an H100 do it with 8-bit
/// floats (fp8.md):
///
/// - The largest exponent among the sum and the products decides: call it L. Zeros have none.
/// - Each of them, the sum too, is cut off behind the bit that stands for 2^(L - 13). What lies
///   below is dropped, towards zero, for negative numbers as well.
/// - What is left is added without an error. Of the new sum, the highest bit and the 13 behind it
///   are kept; the rest is dropped towards zero again.
///
/// (Hardware adds the exponents of a product's factors: 1.5 x 1.5 counts with 0. Here, one factor
/// is always a power of two, so that is the same as the product's own.)
///
/// ilogbf(x) is the exponent of x, whatever its sign: 2 for 5.0f, since 2^2 <= 5 < 2^3. ldexpf(x,
/// e) is x times 2^e. truncf(x) drops what stands behind the point.
__device__ float add_products(float sum, int count, const float* products) {
#ifdef COURSE_SOLUTION
  constexpr int kBehind = 13;  // bits behind the highest one that it keeps
  const auto cut = [](float x, int last) { return ldexpf(truncf(ldexpf(x, -last)), last); };

  constexpr int kNone = -1000;
  int largest = sum == 0.0f ? kNone : ilogbf(sum);
  for (int which = 0; which < count; ++which)
    if (products[which] != 0.0f) largest = max(largest, ilogbf(products[which]));
  if (largest == kNone) return 0.0f;

  // 33 numbers of 14 bits: a float has room for their sum.
  float total = cut(sum, largest - kBehind);
  for (int which = 0; which < count; ++which) total += cut(products[which], largest - kBehind);
  return total == 0.0f ? 0.0f : cut(total, ilogbf(total) - kBehind);
#else
  // TODO: as described above. This adds as float does, and keeps 24 bits.
  for (const float* product = products; product < products + count; ++product) sum += *product;
  return sum;
#endif
}

/// The sum of each row, 32 products at a time. A thread for each row. Given: nothing to do here.
__global__ void sum_rows(int rows, int terms, const float* products, float* sums) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;

  float sum = 0.0f;
  for (int p = 0; p < terms; p += kAtOnce)
    sum = add_products(sum, min(kAtOnce, terms - p), products + row * terms + p);
  sums[row] = sum;
}
