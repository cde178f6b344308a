// Whole blocks first, then one more if anything is left.
__global__ void report(int n, int threads, int* blocks, int* idle) {
  const int whole = n / threads, rest = n - whole * threads;
  if (rest > 0) {
    *blocks = whole + 1;
    *idle = threads - rest;
  } else {
    *blocks = whole;
    *idle = 0;
  }
}
