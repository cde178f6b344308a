// Exercise 09.8: the order of FFMA. `./course check 09 --exercise 8` says how far you are.

/// A thread multiplies a thread tile of 4 x 4: sum[i][j] += a[i] * b[j], one FFMA each. The
/// assembler has put all operands into registers:
///
///                   b[0] in R4     b[1] in R5     b[2] in R6     b[3] in R7
///     a[0] in R0    FFMA  0: R8    FFMA  1: R14   FFMA  2: R15   FFMA  3: R20
///     a[1] in R1    FFMA  4: R9    FFMA  5: R13   FFMA  6: R17   FFMA  7: R21
///     a[2] in R2    FFMA  8: R10   FFMA  9: R12   FFMA 10: R18   FFMA 11: R22
///     a[3] in R3    FFMA 12: R11   FFMA 13: R16   FFMA 14: R19   FFMA 15: R23
///
/// FFMA 6, for example, reads a[1], b[2] and its sum: R1, R6 and R17. In which order should the 16
/// be issued? The rule, as in step 14:
///
/// - Registers with even numbers are one bank, those with odd numbers the other. Each bank delivers
///   one operand in a cycle.
/// - An FFMA does not fetch a[i] if the FFMA right before it has read the same a[i]; likewise b[j].
///   Its sum is always fetched. Before the first FFMA, nothing has been read.
/// - Four FFMA that follow each other (the 1st to 4th, the 5th to 8th, and so on) take four cycles,
///   or as many as the busier bank has operands to fetch for them.
///
/// Your numbers and your order. Nothing runs but this: the check counts by the rule.
__global__ void answers(int* said) {  // [19]
#ifdef COURSE_SOLUTION
  said[0] = 26;
  said[1] = 23;
  said[2] = 19;
  // Back and forth along columns 0, 2, 1 and 3.
  const int order[16] = {0, 4, 8, 12, 14, 10, 6, 2, 1, 5, 9, 13, 15, 11, 7, 3};
#else
  // TODO: how many cycles do the 16 take row by row: 0, 1, 2, 3, then 4, 5, 6, 7, and so on?
  said[0] = 0;
  // TODO: rows back and forth: 0, 1, 2, 3, then 7, 6, 5, 4, then 8, 9, 10, 11, then 15, 14, 13, 12?
  said[1] = 0;
  // TODO: columns back and forth: 0, 4, 8, 12, then 13, 9, 5, 1, then 2, 6, 10, 14, then 15, 11, 7,
  // 3?
  said[2] = 0;
  // TODO: an order in which no FFMA waits for a bank, but for the very first, which must fetch
  // three operands. Four times four cycles and that one: 17.
  const int order[16] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
#endif
  for (int i = 0; i < 16; ++i) said[3 + i] = order[i];
}
