// Exercise 09.3: predict a step. `./course check 09 --exercise 3` says how far you are.

/// What is known of a step before anybody times it. A unit is 64 FFMA of one warp, with all that
/// belongs to them.
struct Step {
  float instructions;          // issued for a unit, waits for register banks included
  float wavefronts;            // served for a unit
  int tile_m, tile_n, tile_k;  // of a block: its tile of C, and the depth of its k-tiles
  int threads;                 // of a block
  int blocks;                  // that share an SM, where there are enough of them
  int waits;                   // for loads, in each panel
};

/// An H200: cycles, if nothing else is said. A step that waits for loads waits for L2, for shared
/// memory and for a barrier.
constexpr int kSms = 132, kSchedulers = 4, kWarpSize = 32, kUnit = 64;  // FFMA that costs are for
constexpr float kL2 = 382, kShared = 29, kBarrier = 31, kDram = 666, kLaunch = 1115;

// Steps to try it with, on paper first. The chapter's ladder_2_time.md works out step 07 at 4096,
// and asks for it at 1024. (1.98 billion cycles are a second.)
//
//   step   instructions   wavefronts   tile, depth     threads   blocks   waits
//   04            162.3         48.3   32 x 32, 32         128        6       1
//   05            125.1         23.7   64 x 128, 32        128        4       5
//   06             92.8         26.9   64 x 128, 32        128        4       2
//   07             90.2         15.4   64 x 128, 32        128        4       2
//   09             91.2         15.2   64 x 128, 32        128        4       2
//   10             94.3         14.7   64 x 128, 16        128        4       0

/// For how many cycles is an SM busy with a unit? (In step 06, the ladder's 23.2 cycles to issue
/// are the 92.8 instructions of this table, shared by four schedulers.)
__device__ float work(const Step& step) {
#ifdef COURSE_SOLUTION
  const float issue = step.instructions / kSchedulers;
  return fmaxf(issue, step.wavefronts);
#else
  return 0.0f;  // TODO: an SM has two prices. When do you pay which?
#endif
}

/// Cycles in which `blocks` blocks of an SM multiply a panel each, loading included.
__device__ float panel_cycles(const Step& step, int blocks) {
#ifdef COURSE_SOLUTION
  const int products = step.tile_m * step.tile_n * step.tile_k;
  float cycles = step.waits * (kL2 + kShared + kBarrier);
  if (blocks * step.threads <= kSchedulers * kWarpSize) cycles += step.tile_k * kShared;
  return cycles + blocks * work(step) * products / (kWarpSize * kUnit);
#else
  // TODO: how many units are in a panel? How long do the blocks wait, which do so at the same time?
  // And where no scheduler has more than one warp, nobody hides the latency of shared memory, once
  // for each k.
  return 0.0f;
#endif
}

/// Cycles of C = A B, from the launch to the end of the SM that has most to do.
///
/// The tiles of C are dealt to the SMs like cards. An SM works at `step.blocks` of its tiles at a
/// time, a round, and at what is left in its last round. Each round begins with a load from DRAM.
__device__ float product_cycles(const Step& step, int m, int n, int k) {
#ifdef COURSE_SOLUTION
  const int tiles = (m + step.tile_m - 1) / step.tile_m * ((n + step.tile_n - 1) / step.tile_n);
  const int k_tiles = (k + step.tile_k - 1) / step.tile_k;
  float cycles = kLaunch;
  for (int left = (tiles + kSms - 1) / kSms; left > 0; left -= step.blocks)
    cycles += kDram + k_tiles * panel_cycles(step, min(left, step.blocks));
  return cycles;
#else
  return 0.0f;  // TODO: how many rounds has the SM with most tiles, and how long is each?
#endif
}

/// Given: what the check launches, with one thread.
__global__ void predict(const float* known,  // [8], in Step's order
                        int m, int n, int k,
                        float* cycles) {  // [3]
  const Step step = {known[0],      known[1],      int(known[2]), int(known[3]),
                     int(known[4]), int(known[5]), int(known[6]), int(known[7])};
  cycles[0] = work(step);
  cycles[1] = panel_cycles(step, step.blocks);
  cycles[2] = product_cycles(step, m, n, k);
}
