#pragma once

#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <nv/target>

// Listings 1 to 14 of the article that this chapter starts from, in kernels of our own with the
// same idea or the same fault. Numbers 10, 11 and 13 are missing: they do not compile any more.

/// Listing 1, right: a tree of __shfl_down_sync. Only lane 0 ends with the sum of its warp.
///
/// out[i] is what the lane of element i holds after five steps. Beyond lane 31 there is nothing to
/// read, and the lane gets its own value back: of the others, each ends with a sum of its own.
/// @expect  five shuffles per warp, no shared memory
/// @pre     the grid covers n; blocks are one-dimensional, in whole warps
__global__ void listing_01(int n,
                           const int* in,  // [n]
                           int* out) {     // [n]
  constexpr unsigned kWholeWarp = 0xffffffff;
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  int sum = i < n ? in[i] : 0;

  for (int offset = warpSize / 2; offset > 0; offset /= 2)
    sum += __shfl_down_sync(kWholeWarp, sum, offset);
  if (i < n) out[i] = sum;
}

/// Listing 2, right: the functions that exchange data, one row of `out` for each.
///
/// Rows 0 to 3: shuffles from lane 5, from the lane below, the lane above and the neighbour. Rows 4
/// to 7: whether all, any, and either all or none of the lanes hold an odd value, and which. Rows 8
/// and 9: the lanes that hold the same value, and whether all do.
/// @expect  all 32 lanes of a warp take part, those beyond n with 0
/// @pre     the grid covers n; blocks are one-dimensional, in whole warps
__global__ void listing_02(int n,
                           const unsigned* in,  // [n]
                           unsigned* out) {     // [10, n]
  constexpr unsigned kWholeWarp = 0xffffffff;
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned value = i < n ? in[i] : 0;
  const int is_odd = value % 2;
  int all_equal = 0;

  const unsigned from_5 = __shfl_sync(kWholeWarp, value, 5);
  const unsigned from_below = __shfl_up_sync(kWholeWarp, value, 1);
  const unsigned from_above = __shfl_down_sync(kWholeWarp, value, 1);
  const unsigned from_neighbour = __shfl_xor_sync(kWholeWarp, value, 1);
  const unsigned all = __all_sync(kWholeWarp, is_odd) != 0;
  const unsigned any = __any_sync(kWholeWarp, is_odd) != 0;
  const unsigned uniform = __uni_sync(kWholeWarp, is_odd) != 0;
  const unsigned odd_lanes = __ballot_sync(kWholeWarp, is_odd);
  const unsigned equal_lanes = __match_any_sync(kWholeWarp, value);
  __match_all_sync(kWholeWarp, value, &all_equal);
  if (i >= n) return;

  const unsigned results[] = {from_5, from_below, from_above, from_neighbour, all,
                              any,    uniform,    odd_lanes,  equal_lanes,    all_equal != 0};
  for (int row = 0; row < 10; ++row) out[std::size_t(row) * n + i] = results[row];
}

/// Listing 3, WRONG for a partial warp: the mask is right, but lanes read lanes outside it.
///
/// With n % 32 lanes in the last warp's mask, some lane's source is not among them, for every n
/// from 1 to 31: the language does not say what it gets. See chosen_sum_neutral and
/// chosen_sum_within_mask.
/// @expect  sums of whole warps: right; of a partial one: undefined
/// @pre     the grid covers n; blocks are one-dimensional, in whole warps
__global__ void listing_03(int n,
                           const int* in,  // [n]
                           int* sums) {    // [ceil(n / 32)]
  constexpr unsigned kWholeWarp = 0xffffffff;
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned mask = __ballot_sync(kWholeWarp, i < n);

  if (i < n) {
    int sum = in[i];
    for (int offset = warpSize / 2; offset > 0; offset /= 2)
      sum += __shfl_down_sync(mask, sum, offset);
    if (threadIdx.x % warpSize == 0) sums[i / warpSize] = sum;
  }
}

/// Listing 4, right since Volta: one shuffle, half of its lanes in each side of a branch.
///
/// The mask names all 32 lanes, and all of them come to a __shfl_sync with that mask: it need not
/// be the same line.
/// @expect  even lanes: in[i] + in[lane 0]; odd lanes: in[i] - in[lane 0]
/// @pre     the grid covers n; blocks are one-dimensional, in whole warps
__global__ void listing_04(int n,
                           const int* in,  // [n]
                           int* out) {     // [n]
  constexpr unsigned kWholeWarp = 0xffffffff;
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  int value = i < n ? in[i] : 0;

  if (threadIdx.x % 2 == 0) {
    value += __shfl_sync(kWholeWarp, value, 0);
  } else {
    value -= __shfl_sync(kWholeWarp, value, 0);
  }
  if (i < n) out[i] = value;
}

/// Listing 5, WRONG where lanes diverge: __activemask() says who is here, not who should be.
///
/// With sides = 1, all lanes take the first side of the branch and the sum looks right. With sides
/// = 2, odd lanes take the other one, and each side adds up what it sees.
/// @expect  out[i] = the sum over the lanes of masks[i], whichever they were
/// @pre     the grid covers n; blocks are one-dimensional, in whole warps; sides at least 1
__global__ void listing_05(int n, int sides,
                           const int* in,    // [n]
                           unsigned* masks,  // [n]
                           int* out) {       // [n]
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int value = i < n ? in[i] : 0;
  unsigned mask = 0;
  int sum = 0;

  if (threadIdx.x % sides == 0) {
    mask = __activemask();
    for (unsigned left = mask; left != 0; left &= left - 1)
      sum += __shfl_sync(mask, value, __ffs(left) - 1);
  } else {
    mask = __activemask();
    for (unsigned left = mask; left != 0; left &= left - 1)
      sum += __shfl_sync(mask, value, __ffs(left) - 1);
  }
  if (i >= n) return;

  masks[i] = mask;
  out[i] = sum;
}

/// Listing 6, WRONG beyond one warp: a 4 x 8 matrix is transposed through shared memory.
///
/// Right for a block of 32 threads. In a larger one, threadIdx.x goes past 31, and with it the
/// tile's row past 3: the second warp writes behind the tile and reads the first warp's elements.
/// @expect  one store and one load of shared memory per warp, without bank conflicts
/// @pre     blocks are one-dimensional, in whole warps, with a thread for every element;
///          a block has dynamic shared memory for as many ints as threads (for 32, the tile, with
///          one warp)
__global__ void listing_06(const int* in,  // [threads / 32, 4, 8]
                           int* out) {     // [threads / 32, 8, 4]
  constexpr int kCols = 8;
  extern __shared__ int tile_of_one_warp[];  // [4, 8]
  const int i = blockIdx.x * blockDim.x + threadIdx.x;

  const int row = threadIdx.x / kCols;
  const int col = threadIdx.x % kCols;
  tile_of_one_warp[row * kCols + col] = in[i];
  __syncwarp();

  const int transposed_row = threadIdx.x % 4;
  const int transposed_col = threadIdx.x / 4;
  out[i] = tile_of_one_warp[transposed_row * kCols + transposed_col];
}

/// Listing 7, WRONG: a tree in shared memory that reads and writes between the same two barriers.
///
/// `tree[lane] += tree[lane + offset]` is a read and a write: another lane may write before this
/// one reads. On top of it, lanes 16 to 31 read past the 32 elements that there are.
/// @expect  five loads of two elements and five stores of shared memory per warp
/// @pre     blocks of one warp; the grid has ceil(n / 32)
/// @pre     dynamic shared memory for 48 ints: 32 are the tree, and its last lanes read 16 ints
///          further
__global__ void listing_07(int n,
                           const int* in,    // [n]
                           int* sums) {      // [ceil(n / 32)]
  extern __shared__ int tree_of_one_warp[];  // [32]
  const int lane = threadIdx.x;
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  tree_of_one_warp[lane] = i < n ? in[i] : 0;
  __syncwarp();

  for (int offset = warpSize / 2; offset > 0; offset /= 2) {
    tree_of_one_warp[lane] += tree_of_one_warp[lane + offset];
    __syncwarp();
  }
  if (lane == 0) sums[blockIdx.x] = tree_of_one_warp[0];
}

/// Listing 8, WRONG: the published repair of listing 7. It races no more, and drops half the sum.
///
/// The running sum begins with 0 instead of the lane's own element, so that lane 0 ends with the
/// sum of elements 16 to 31. (Here the memory behind the tree holds zeros.)
/// @expect  sums[w] = the sum of the upper half of warp w
/// @pre     blocks of one warp; the grid has ceil(n / 32)
__global__ void listing_08(int n,
                           const int* in,  // [n]
                           int* sums) {    // [ceil(n / 32)]
  constexpr int kLanes = 32;
  __shared__ int tree[kLanes + kLanes / 2];
  const int lane = threadIdx.x;
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  tree[lane] = i < n ? in[i] : 0;
  if (lane < kLanes / 2) tree[kLanes + lane] = 0;
  __syncwarp();

  int sum = 0;
  for (int offset = kLanes / 2; offset > 0; offset /= 2) {
    sum += tree[lane + offset];
    __syncwarp();
    tree[lane] = sum;
    __syncwarp();
  }
  if (lane == 0) sums[blockIdx.x] = tree[0];
}

/// Listing 9, right in practice: tickets, with one atomic for all lanes that want the same counter.
///
/// `1 << lane` is a signed number. For lane 31 it is the least int there is, and to subtract 1 from
/// that is undefined: compilers wrap around, but none has to. See tickets_match.
/// @expect  one atomic per warp and distinct key
/// @pre     the grid covers n; blocks are one-dimensional; keys are indices of counters
__global__ void listing_09(int n,
                           const int* keys,  // [n]
                           int* counters,    // one for every key
                           int* tickets) {   // [n]
  const int lane = threadIdx.x % warpSize;
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;

  int* const counter = &counters[keys[i]];
  const int mask = __match_any_sync(__activemask(), reinterpret_cast<unsigned long long>(counter));
  const int leader = __ffs(mask) - 1;
  int first = 0;
  if (lane == leader) first = atomicAdd(counter, __popc(mask));
  first = __shfl_sync(mask, first, leader);
  tickets[i] = first + __popc(mask & ((1 << lane) - 1));
}

/// Listing 12, right: after a branch, a vote that says whom it is for.
///
/// Listings 10 and 11 hoped that the branch, or a __syncwarp() after it, had brought the lanes back
/// together, and called __ballot, which no longer exists.
/// @expect  out[i] = the lanes of the warp whose element passes: odd lanes ask for odd, even lanes
///          for even values
/// @pre     the grid covers n; blocks are one-dimensional, in whole warps
__global__ void listing_12(int n,
                           const int* in,    // [n]
                           unsigned* out) {  // [n]
  constexpr unsigned kWholeWarp = 0xffffffff;
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int value = i < n ? in[i] : 0;
  bool passes = false;

  if (threadIdx.x % 2 == 0) {
    passes = value % 2 == 0;
  } else {
    passes = value % 2 != 0;
  }
  const unsigned passing = __ballot_sync(kWholeWarp, passes);
  if (i < n) out[i] = passing;
}

/// Listing 14, WRONG if anybody relies on it: who is here before and after __syncwarp()?
///
/// __syncwarp() promises that all lanes have come, not that they leave together. Nothing promises
/// that before[i] and after[i] are equal, or that either of them is the whole warp.
/// @expect  each mask names the lane itself; nothing else is sure
/// @pre     the grid covers n; blocks are one-dimensional, in whole warps
__global__ void listing_14(int n,
                           unsigned* before,   // [n]
                           unsigned* after) {  // [n]
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned here_before = __activemask();
  __syncwarp();
  const unsigned here_after = __activemask();
  if (i >= n) return;

  before[i] = here_before;
  after[i] = here_after;
}

// The right ways. In all of them whole warps take part, and lanes without an element bring one that
// changes nothing.

/// The sum of its warp for every lane: each step adds the value of the lane across.
///
/// @expect  five shuffles per warp, no shared memory
/// @pre     the grid covers n; blocks are one-dimensional, in whole warps
__global__ void sum_xor(int n,
                        const int* in,  // [n]
                        int* out) {     // [n]
  constexpr unsigned kWholeWarp = 0xffffffff;
  constexpr int kLanes = 32;  // warpSize is no constant, and would keep the loop from unrolling
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  int sum = i < n ? in[i] : 0;

  for (int offset = kLanes / 2; offset > 0; offset /= 2)
    sum += __shfl_xor_sync(kWholeWarp, sum, offset);
  if (i < n) out[i] = sum;
}

/// The same in one instruction, for whole numbers, on GPUs of compute capability 8.0 or newer.
///
/// Older ones get the shuffles: NV_IF_ELSE_TARGET keeps one of its two pieces of code.
/// @expect  one __reduce_add_sync per warp, no shared memory
/// @pre     the grid covers n; blocks are one-dimensional, in whole warps
__global__ void sum_reduce_add(int n,
                               const int* in,  // [n]
                               int* out) {     // [n]
  constexpr unsigned kWholeWarp = 0xffffffff;
  [[maybe_unused]] constexpr int kLanes = 32;
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  int sum = i < n ? in[i] : 0;

  NV_IF_ELSE_TARGET(
      NV_PROVIDES_SM_80, (sum = __reduce_add_sync(kWholeWarp, sum);),  //
      (for (int o = kLanes / 2; o > 0; o /= 2) sum += __shfl_xor_sync(kWholeWarp, sum, o);))
  if (i < n) out[i] = sum;
}

/// The same with cooperative groups, which choose the instructions.
///
/// @expect  no shared memory; one __reduce_add_sync where there is one
/// @pre     the grid covers n; blocks are one-dimensional, in whole warps
__global__ void sum_groups(int n,
                           const int* in,  // [n]
                           int* out) {     // [n]
  namespace cg = cooperative_groups;
  const auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  const int i = blockIdx.x * blockDim.x + threadIdx.x;

  const int sum = cg::reduce(warp, i < n ? in[i] : 0, cg::plus<int>());
  if (i < n) out[i] = sum;
}

/// Listings 7 and 8 repaired: a barrier between reading and writing, and lanes that stay inside.
///
/// @expect  five stores of 32 lanes and five loads, of 16, 8, 4, 2 and 1 lanes, per warp
/// @pre     blocks of one warp; the grid has ceil(n / 32)
__global__ void sum_tree_shared(int n,
                                const int* in,  // [n]
                                int* sums) {    // [ceil(n / 32)]
  constexpr int kLanes = 32;
  __shared__ int tree[kLanes];
  const int lane = threadIdx.x;
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  int sum = i < n ? in[i] : 0;

  for (int offset = kLanes / 2; offset > 0; offset /= 2) {
    tree[lane] = sum;
    __syncwarp();
    if (lane < offset) sum += tree[lane + offset];
    __syncwarp();
  }
  if (lane == 0) sums[blockIdx.x] = sum;
}

/// Listing 3 repaired, first way: all 32 lanes take part; a lane that is not chosen adds 0.
///
/// @expect  five shuffles per warp, whoever is chosen
/// @pre     the grid covers n; blocks are one-dimensional, in whole warps
__global__ void chosen_sum_neutral(int n,
                                   const int* chosen,  // [n]: 0 or 1
                                   const int* in,      // [n]
                                   int* sums) {        // [ceil(n / 32)]
  constexpr unsigned kWholeWarp = 0xffffffff;
  constexpr int kLanes = 32;
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  int sum = i < n && chosen[i] ? in[i] : 0;

  for (int offset = kLanes / 2; offset > 0; offset /= 2)
    sum += __shfl_down_sync(kWholeWarp, sum, offset);
  if (i < n && threadIdx.x % kLanes == 0) sums[i / kLanes] = sum;
}

/// Listing 3 repaired, second way: the tree halves the lanes of the mask, whichever they are.
///
/// A lane's rank is how many lanes of the mask are below it. Each step, the upper half of the ranks
/// is added to the lower half; no lane reads one that is not in the mask.
/// @expect  ceil(log2(lanes in the mask)) shuffles
/// @pre     the grid covers n; blocks are one-dimensional, in whole warps
__global__ void chosen_sum_within_mask(int n,
                                       const int* chosen,  // [n]: 0 or 1
                                       const int* in,      // [n]
                                       int* sums) {        // [ceil(n / 32)]
  constexpr unsigned kWholeWarp = 0xffffffff;
  const int lane = threadIdx.x % warpSize;
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const bool is_chosen = i < n && chosen[i];
  const unsigned mask = __ballot_sync(kWholeWarp, is_chosen);
  int sum = 0;

  if (is_chosen) {
    sum = in[i];
    const int rank = __popc(mask & ((1u << lane) - 1));
    for (int lanes = __popc(mask); lanes > 1;) {
      const int half = (lanes + 1) / 2;
      const bool adds = rank + half < lanes;
      const int source = adds ? __fns(mask, 0, rank + half + 1) : lane;
      const int other = __shfl_sync(mask, sum, source);
      if (adds) sum += other;
      lanes = half;
    }
  }
  const int leader = mask == 0 ? 0 : __ffs(mask) - 1;
  if (lane == leader && i < n) sums[i / warpSize] = sum;
}

/// The same with cooperative groups: the chosen lanes are a group, ranks and masks are its
/// business.
///
/// @expect  no shared memory
/// @pre     the grid covers n; blocks are one-dimensional, in whole warps
__global__ void chosen_sum_groups(int n,
                                  const int* chosen,  // [n]: 0 or 1
                                  const int* in,      // [n]
                                  int* sums) {        // [ceil(n / 32)]
  namespace cg = cooperative_groups;
  const auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const bool is_chosen = i < n && chosen[i];
  const bool nobody_is = !warp.any(is_chosen);
  const auto group = cg::binary_partition(warp, is_chosen);

  const int sum = cg::reduce(group, is_chosen ? in[i] : 0, cg::plus<int>());
  if (i < n && group.thread_rank() == 0 && (is_chosen || nobody_is)) sums[i / warpSize] = sum;
}

/// Running totals within each block: a scan in every warp, then of the warps' totals.
///
/// @expect  five shuffles per warp and five more in the first; out[i] = the sum of the block's
///          elements up to and with element i
/// @pre     the grid covers n; blocks are one-dimensional, in whole warps
__global__ void scan_shuffle(int n,
                             const int* in,  // [n]
                             int* out) {     // [n]
  constexpr unsigned kWholeWarp = 0xffffffff;
  constexpr int kMostWarps = 32;
  __shared__ int totals[kMostWarps];
  const int lane = threadIdx.x % warpSize;
  const int warp = threadIdx.x / warpSize;
  const int warps = blockDim.x / warpSize;
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  int sum = i < n ? in[i] : 0;

  for (int offset = 1; offset < warpSize; offset *= 2) {
    const int below = __shfl_up_sync(kWholeWarp, sum, offset);
    if (lane >= offset) sum += below;
  }
  if (lane == warpSize - 1) totals[warp] = sum;
  __syncthreads();

  if (warp == 0) {
    int total = lane < warps ? totals[lane] : 0;
    for (int offset = 1; offset < warpSize; offset *= 2) {
      const int below = __shfl_up_sync(kWholeWarp, total, offset);
      if (lane >= offset) total += below;
    }
    if (lane < warps) totals[lane] = total;
  }
  __syncthreads();

  if (warp > 0) sum += totals[warp - 1];
  if (i < n) out[i] = sum;
}

/// The same with cooperative groups.
///
/// @expect  one store and one load of shared memory per warp
/// @pre     the grid covers n; blocks are one-dimensional, in whole warps
__global__ void scan_groups(int n,
                            const int* in,  // [n]
                            int* out) {     // [n]
  namespace cg = cooperative_groups;
  constexpr int kMostWarps = 32;
  __shared__ int totals[kMostWarps];
  const auto block = cg::this_thread_block();
  const auto warp = cg::tiled_partition<32>(block);
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  int sum = cg::inclusive_scan(warp, i < n ? in[i] : 0, cg::plus<int>());

  if (warp.thread_rank() == warp.num_threads() - 1) totals[warp.meta_group_rank()] = sum;
  block.sync();

  const int warps = warp.meta_group_size();
  const int rank = warp.thread_rank();
  const int total = cg::exclusive_scan(warp, rank < warps ? totals[rank] : 0, cg::plus<int>());
  sum += warp.shfl(total, warp.meta_group_rank());
  if (i < n) out[i] = sum;
}

/// A vote sorts each warp's elements: the negative ones first, both kinds in their old order.
///
/// A lane's new place is a count of lanes: of those below it that vote as it does.
/// @expect  two votes per warp
/// @pre     the grid covers n; blocks are one-dimensional, in whole warps
__global__ void partition_ballot(int n,
                                 const int* in,  // [n]
                                 int* out) {     // [n]
  constexpr unsigned kWholeWarp = 0xffffffff;
  const int lane = threadIdx.x % warpSize;
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int value = i < n ? in[i] : 0;
  const unsigned below = (1u << lane) - 1;

  const unsigned negative = __ballot_sync(kWholeWarp, i < n && value < 0);
  const unsigned others = __ballot_sync(kWholeWarp, i < n && value >= 0);
  const int place =
      value < 0 ? __popc(negative & below) : __popc(negative) + __popc(others & below);
  if (i < n) out[i - lane + place] = value;
}

/// The same with cooperative groups.
///
/// @expect  no shared memory
/// @pre     the grid covers n; blocks are one-dimensional, in whole warps
__global__ void partition_groups(int n,
                                 const int* in,  // [n]
                                 int* out) {     // [n]
  namespace cg = cooperative_groups;
  const auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int value = i < n ? in[i] : 0;
  const bool is_negative = i < n && value < 0;

  const int negatives = __popc(warp.ballot(is_negative));
  const auto alike = cg::binary_partition(warp, is_negative);
  const int place = alike.thread_rank() + (is_negative ? 0 : negatives);
  if (i < n) out[i - int(warp.thread_rank()) + place] = value;
}

/// How many elements of the same warp equal this one, itself included: one match.
///
/// Lanes beyond n stay out: the mask is worked out before the branch and names those inside.
/// @expect  one vote and one match per warp
/// @pre     the grid covers n; blocks are one-dimensional, in whole warps
__global__ void equals_match(int n,
                             const int* in,  // [n]
                             int* out) {     // [n]
  constexpr unsigned kWholeWarp = 0xffffffff;
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned mask = __ballot_sync(kWholeWarp, i < n);
  if (i >= n) return;

  const unsigned equal_lanes = __match_any_sync(mask, in[i]);
  out[i] = __popc(equal_lanes);
}

/// The same with cooperative groups: a group of those that have an element, split by its value.
///
/// @expect  no shared memory
/// @pre     the grid covers n; blocks are one-dimensional, in whole warps
__global__ void equals_groups(int n,
                              const int* in,  // [n]
                              int* out) {     // [n]
  namespace cg = cooperative_groups;
  const auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const auto group = cg::binary_partition(warp, i < n);
  if (i >= n) return;

  const auto equals = cg::labeled_partition(group, in[i]);
  out[i] = equals.num_threads();
}

/// Listing 6 repaired: each warp has a tile of its own, and its lanes count from 0.
///
/// @expect  one store and one load of shared memory per warp, each in one wavefront
/// @pre     blocks are one-dimensional, in whole warps, with a thread for every element
__global__ void transpose_shared(const int* in,  // [threads / 32, 4, 8]
                                 int* out) {     // [threads / 32, 8, 4]
  constexpr int kRows = 4, kCols = 8, kMostWarps = 32;
  __shared__ int tiles[kMostWarps][kRows][kCols];
  const int lane = threadIdx.x % warpSize;
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  auto& tile = tiles[threadIdx.x / warpSize];

  tile[lane / kCols][lane % kCols] = in[i];
  __syncwarp();
  out[i] = tile[lane % kRows][lane / kRows];
}

/// The same without shared memory: a lane knows which lane holds its element.
///
/// @expect  one shuffle per warp, no shared memory
/// @pre     blocks are one-dimensional, in whole warps, with a thread for every element
__global__ void transpose_shuffle(const int* in,  // [threads / 32, 4, 8]
                                  int* out) {     // [threads / 32, 8, 4]
  constexpr unsigned kWholeWarp = 0xffffffff;
  constexpr int kRows = 4, kCols = 8;
  const int lane = threadIdx.x % warpSize;
  const int i = blockIdx.x * blockDim.x + threadIdx.x;

  const int source = lane % kRows * kCols + lane / kRows;
  out[i] = __shfl_sync(kWholeWarp, in[i], source);
}

/// The same with cooperative groups.
///
/// @expect  one shuffle per warp, no shared memory
/// @pre     blocks are one-dimensional, in whole warps, with a thread for every element
__global__ void transpose_groups(const int* in,  // [threads / 32, 4, 8]
                                 int* out) {     // [threads / 32, 8, 4]
  namespace cg = cooperative_groups;
  constexpr int kRows = 4, kCols = 8;
  const auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  const int lane = warp.thread_rank();
  const int i = blockIdx.x * blockDim.x + threadIdx.x;

  const int source = lane % kRows * kCols + lane / kRows;
  out[i] = warp.shfl(in[i], source);
}

/// Tickets without a warp primitive: every thread asks its counter itself.
///
/// @expect  one atomic request per warp, which takes as long as its most wanted counter has lanes
/// @pre     the grid covers n; blocks are one-dimensional; keys are indices of counters
__global__ void tickets_plain(int n,
                              const int* keys,  // [n]
                              int* counters,    // one for every key
                              int* tickets) {   // [n]
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;

  tickets[i] = atomicAdd(&counters[keys[i]], 1);
}

/// Listing 9 repaired: lanes that want the same counter send one of them.
///
/// Any lanes that happen to be here together will do, so __activemask() is the right question.
/// @expect  one atomic request per warp in which each counter stands once
/// @pre     the grid covers n; blocks are one-dimensional; keys are indices of counters
__global__ void tickets_match(int n,
                              const int* keys,  // [n]
                              int* counters,    // one for every key
                              int* tickets) {   // [n]
  const int lane = threadIdx.x % warpSize;
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;

  const int key = keys[i];
  const unsigned equal_lanes = __match_any_sync(__activemask(), key);
  const int leader = __ffs(equal_lanes) - 1;
  int first = 0;
  if (lane == leader) first = atomicAdd(&counters[key], __popc(equal_lanes));
  first = __shfl_sync(equal_lanes, first, leader);
  tickets[i] = first + __popc(equal_lanes & ((1u << lane) - 1));
}

/// The same with cooperative groups.
///
/// @expect  one atomic request per warp in which each counter stands once
/// @pre     the grid covers n; blocks are one-dimensional; keys are indices of counters
__global__ void tickets_groups(int n,
                               const int* keys,  // [n]
                               int* counters,    // one for every key
                               int* tickets) {   // [n]
  namespace cg = cooperative_groups;
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;

  const int key = keys[i];
  const auto equals = cg::labeled_partition(cg::coalesced_threads(), key);
  int first = 0;
  if (equals.thread_rank() == 0) first = atomicAdd(&counters[key], int(equals.num_threads()));
  first = equals.shfl(first, 0);
  tickets[i] = first + int(equals.thread_rank());
}

/// Keeps the negative elements, in any order: every thread that has one takes a place for it.
///
/// @expect  one atomic request per warp that keeps something, of as many lanes as it keeps
/// @pre     the grid covers n; blocks are one-dimensional; count is 0, out has room for all
__global__ void compact_plain(int n,
                              const int* in,  // [n]
                              int* count,     // [1]
                              int* out) {     // [count]
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;

  const int value = in[i];
  if (value < 0) out[atomicAdd(count, 1)] = value;
}

/// The same, but lane 0 takes the places for its whole warp.
///
/// A vote says who keeps an element, and a shuffle tells everybody where the warp's places begin. A
/// lane's own place is how many keepers are below it.
/// @expect  one vote and one shuffle per warp; one atomic of one lane if the warp keeps something
/// @pre     the grid covers n; blocks are one-dimensional, in whole warps; count is 0, out has room
///          for all
__global__ void compact_ballot(int n,
                               const int* in,  // [n]
                               int* count,     // [1]
                               int* out) {     // [count]
  constexpr unsigned kWholeWarp = 0xffffffff;
  const int lane = threadIdx.x % warpSize;
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int value = i < n ? in[i] : 0;

  const unsigned keepers = __ballot_sync(kWholeWarp, value < 0);
  int first = 0;
  if (lane == 0 && keepers != 0) first = atomicAdd(count, __popc(keepers));
  first = __shfl_sync(kWholeWarp, first, 0);
  if (value < 0) out[first + __popc(keepers & ((1u << lane) - 1))] = value;
}

/// How often each value occurs: every thread counts its own element.
///
/// @expect  one atomic request per warp, which takes as long as its commonest value has lanes
/// @pre     the grid covers n; blocks are one-dimensional; values are indices of counts
__global__ void histogram_plain(int n,
                                const int* values,  // [n]
                                int* counts) {      // one for every value
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;

  atomicAdd(&counts[values[i]], 1);
}

/// The same, but lanes with the same value find each other, and one of them counts for all.
///
/// The vote takes place before any lane leaves, so that the mask names those that stay.
/// @expect  one atomic request per warp in which each value stands once
/// @pre     the grid covers n; blocks are one-dimensional, in whole warps; values are indices of
///          counts
__global__ void histogram_match(int n,
                                const int* values,  // [n]
                                int* counts) {      // one for every value
  constexpr unsigned kWholeWarp = 0xffffffff;
  const int lane = threadIdx.x % warpSize;
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned mask = __ballot_sync(kWholeWarp, i < n);
  if (i >= n) return;

  const int value = values[i];
  const unsigned equal_lanes = __match_any_sync(mask, value);
  const int leader = __ffs(equal_lanes) - 1;
  if (lane == leader) atomicAdd(&counts[value], __popc(equal_lanes));
}

/// The usual way, without a warp primitive: every block counts in shared memory, and adds up its
/// counts in global memory at the end.
///
/// @expect  one atomic request of shared memory per warp and round, which takes as long as its
///          commonest value has lanes; one of global memory per warp with a count that is not 0
/// @pre     blocks are one-dimensional; values are indices of counts, and below 256
__global__ void histogram_private(int n,
                                  const int* values,  // [n]
                                  int* counts) {      // one for every value
  constexpr int kMostKinds = 256;
  __shared__ int own[kMostKinds];
  for (int kind = threadIdx.x; kind < kMostKinds; kind += blockDim.x) own[kind] = 0;
  __syncthreads();

  const int threads = gridDim.x * blockDim.x;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += threads)
    atomicAdd(&own[values[i]], 1);
  __syncthreads();

  for (int kind = threadIdx.x; kind < kMostKinds; kind += blockDim.x)
    if (own[kind] > 0) atomicAdd(&counts[kind], own[kind]);
}

/// Both: every block counts in shared memory, and lanes with the same value send one of them.
///
/// @expect  one atomic request of shared memory per warp and round, in which each value stands once
/// @pre     blocks are one-dimensional, in whole warps; values are indices of counts, and below 256
__global__ void histogram_private_match(int n,
                                        const int* values,  // [n]
                                        int* counts) {      // one for every value
  constexpr unsigned kWholeWarp = 0xffffffff;
  constexpr int kMostKinds = 256;
  __shared__ int own[kMostKinds];
  for (int kind = threadIdx.x; kind < kMostKinds; kind += blockDim.x) own[kind] = 0;
  __syncthreads();

  const int lane = threadIdx.x % warpSize, threads = gridDim.x * blockDim.x;
  for (int first = blockIdx.x * blockDim.x; first < n; first += threads) {
    const int i = first + threadIdx.x;
    const unsigned mask = __ballot_sync(kWholeWarp, i < n);
    if (i >= n) break;
    const int value = values[i];
    const unsigned equal_lanes = __match_any_sync(mask, value);
    if (lane == __ffs(equal_lanes) - 1) atomicAdd(&own[value], __popc(equal_lanes));
  }
  __syncthreads();

  for (int kind = threadIdx.x; kind < kMostKinds; kind += blockDim.x)
    if (own[kind] > 0) atomicAdd(&counts[kind], own[kind]);
}

/// histogram_private, but each value counts `weight` times, as where a pixel stands for several.
///
/// On a GPU, the lanes of a counter queue here: only for a constant 1 does nvcc choose the
/// instruction that adds them up.
/// @expect  the counters of histogram_private
/// @pre     blocks are one-dimensional; values are indices of counts, and below 256
__global__ void histogram_weighted(int n, int weight,
                                   const int* values,  // [n]
                                   int* counts) {      // one for every value
  constexpr int kMostKinds = 256;
  __shared__ int own[kMostKinds];
  for (int kind = threadIdx.x; kind < kMostKinds; kind += blockDim.x) own[kind] = 0;
  __syncthreads();

  const int threads = gridDim.x * blockDim.x;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += threads)
    atomicAdd(&own[values[i]], weight);
  __syncthreads();

  for (int kind = threadIdx.x; kind < kMostKinds; kind += blockDim.x)
    if (own[kind] > 0) atomicAdd(&counts[kind], own[kind]);
}

/// The same, but lanes with the same value send one of them, as in histogram_private_match.
///
/// @expect  one atomic request of shared memory per warp and round, in which each value stands once
/// @pre     blocks are one-dimensional, in whole warps; values are indices of counts, and below 256
__global__ void histogram_weighted_match(int n, int weight,
                                         const int* values,  // [n]
                                         int* counts) {      // one for every value
  constexpr unsigned kWholeWarp = 0xffffffff;
  constexpr int kMostKinds = 256;
  __shared__ int own[kMostKinds];
  for (int kind = threadIdx.x; kind < kMostKinds; kind += blockDim.x) own[kind] = 0;
  __syncthreads();

  const int lane = threadIdx.x % warpSize, threads = gridDim.x * blockDim.x;
  for (int first = blockIdx.x * blockDim.x; first < n; first += threads) {
    const int i = first + threadIdx.x;
    const unsigned mask = __ballot_sync(kWholeWarp, i < n);
    if (i >= n) break;
    const int value = values[i];
    const unsigned equal_lanes = __match_any_sync(mask, value);
    if (lane == __ffs(equal_lanes) - 1) atomicAdd(&own[value], weight * __popc(equal_lanes));
  }
  __syncthreads();

  for (int kind = threadIdx.x; kind < kMostKinds; kind += blockDim.x)
    if (own[kind] > 0) atomicAdd(&counts[kind], own[kind]);
}

/// Many sums of a warp, one after the other, each needed for the next: with shuffles.
///
/// Whole numbers modulo 2^32. In every round, a lane multiplies its value by a constant and adds
/// the sum of its warp.
/// @expect  five shuffles per warp and round, no shared memory
/// @pre     the grid covers n; blocks are one-dimensional, in whole warps
__global__ void rounds_shuffle(int n, int rounds,
                               const unsigned* in,  // [n]
                               unsigned* out) {     // [n]
  constexpr unsigned kWholeWarp = 0xffffffff, kFactor = 1664525;
  constexpr int kLanes = 32;
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned value = i < n ? in[i] : 0;

  for (int round = 0; round < rounds; ++round) {
    unsigned sum = value;
    for (int offset = kLanes / 2; offset > 0; offset /= 2)
      sum += __shfl_xor_sync(kWholeWarp, sum, offset);
    value = kFactor * value + sum;
  }
  if (i < n) out[i] = value;
}

/// The same exchange through shared memory.
///
/// @expect  five stores and five loads of shared memory per warp and round, one wavefront each
/// @pre     the grid covers n; blocks are one-dimensional, in whole warps
__global__ void rounds_shared(int n, int rounds,
                              const unsigned* in,  // [n]
                              unsigned* out) {     // [n]
  constexpr unsigned kFactor = 1664525;
  constexpr int kLanes = 32, kMostThreads = 1024;
  __shared__ unsigned exchange[kMostThreads];
  const int thread = threadIdx.x;
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned value = i < n ? in[i] : 0;

  for (int round = 0; round < rounds; ++round) {
    unsigned sum = value;
    for (int offset = kLanes / 2; offset > 0; offset /= 2) {
      exchange[thread] = sum;
      __syncwarp();
      sum += exchange[thread ^ offset];
      __syncwarp();
    }
    value = kFactor * value + sum;
  }
  if (i < n) out[i] = value;
}

/// The same with one instruction per sum, on GPUs of compute capability 8.0 or newer.
///
/// @expect  one __reduce_add_sync per warp and round, no shared memory
/// @pre     the grid covers n; blocks are one-dimensional, in whole warps
__global__ void rounds_reduce_add(int n, int rounds,
                                  const unsigned* in,  // [n]
                                  unsigned* out) {     // [n]
  constexpr unsigned kWholeWarp = 0xffffffff, kFactor = 1664525;
  [[maybe_unused]] constexpr int kLanes = 32;
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned value = i < n ? in[i] : 0;

  for (int round = 0; round < rounds; ++round) {
    unsigned sum = value;
    NV_IF_ELSE_TARGET(
        NV_PROVIDES_SM_80, (sum = __reduce_add_sync(kWholeWarp, sum);),  //
        (for (int o = kLanes / 2; o > 0; o /= 2) sum += __shfl_xor_sync(kWholeWarp, sum, o);))
    value = kFactor * value + sum;
  }
  if (i < n) out[i] = value;
}
