// Exercise 11.5: a panel on paper. `./course check 11 --exercise 5` says how far you are.

/// A block multiplies bfloat16 with a ring of stages, as the ladder of bfloat16.md does. A stage
/// has a panel: 64 k of the tile's rows of A, and 64 k of its columns of B. A multiprocessor's
/// tensor cores make 2048 products in a cycle. Two warpgroups share the tile's sums; each
/// sum is a float and takes one register, and a thread may have 255. 192 KiB of shared memory are
/// for stages.
///
/// Two tiles: 128 x 160, and 256 x 256, which nobody takes. Write down for each what its panel
/// needs.
__global__ void answers(int* answer) {
#ifdef COURSE_SOLUTION
  answer[0] = 640;
  answer[1] = 36;
  answer[2] = 57;
  answer[3] = 5;
  answer[4] = 80;
  answer[5] = 2048;
  answer[6] = 64;
  answer[7] = 32;
  answer[8] = 3;
  answer[9] = 256;
#else
  // TODO: your answers
  answer[0] = 0;  // 128 x 160: cycles of the tensor cores for a panel
  answer[1] = 0;  // 128 x 160: KiB that a panel loads
  answer[2] = 0;  // 128 x 160: bytes in each of these cycles, rounded down
  answer[3] = 0;  // 128 x 160: stages that fit
  answer[4] = 0;  // 128 x 160: sums that a thread holds
  answer[5] = 0;  // 256 x 256: the same five; the last says why nobody takes it
  answer[6] = 0;
  answer[7] = 0;
  answer[8] = 0;
  answer[9] = 0;
#endif
}
