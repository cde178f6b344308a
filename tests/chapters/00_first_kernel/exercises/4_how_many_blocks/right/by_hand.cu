// Another way to say the same: the remainder of a negative number.
__global__ void report(int n, int threads, int* blocks, int* idle) {
  blocks[0] = n == 0 ? 0 : (n - 1) / threads + 1;
  idle[0] = (threads - n % threads) % threads;
}
