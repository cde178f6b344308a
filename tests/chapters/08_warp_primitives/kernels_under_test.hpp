#pragma once

/// @file
/// Pointers to the chapter's kernels, one of which a mutant can replace.

using Ints = void(int n, const int* in, int* out);
using ChosenSum = void(int n, const int* chosen, const int* in, int* sums);
using Transposition = void(const int* in, int* out);
using Tickets = void(int n, const int* keys, int* counters, int* tickets);
using Compaction = void(int n, const int* in, int* count, int* out);
using Histogram = void(int n, const int* values, int* counts);
using WeightedHistogram = void(int n, int weight, const int* values, int* counts);
using Rounds = void(int n, int rounds, const unsigned* in, unsigned* out);

struct Kernels {
  Ints* listing_01;
  void (*listing_02)(int n, const unsigned* in, unsigned* out);
  Ints* listing_03;
  Ints* listing_04;
  void (*listing_05)(int n, int sides, const int* in, unsigned* masks, int* out);
  Transposition* listing_06;
  Ints* listing_07;
  Ints* listing_08;
  Tickets* listing_09;
  void (*listing_12)(int n, const int* in, unsigned* out);
  void (*listing_14)(int n, unsigned* before, unsigned* after);
  Ints* sum_xor;
  Ints* sum_reduce_add;
  Ints* sum_groups;
  Ints* sum_tree_shared;
  ChosenSum* chosen_sum_neutral;
  ChosenSum* chosen_sum_within_mask;
  ChosenSum* chosen_sum_groups;
  Ints* scan_shuffle;
  Ints* scan_groups;
  Ints* partition_ballot;
  Ints* partition_groups;
  Ints* equals_match;
  Ints* equals_groups;
  Transposition* transpose_shared;
  Transposition* transpose_shuffle;
  Transposition* transpose_groups;
  Tickets* tickets_plain;
  Tickets* tickets_match;
  Tickets* tickets_groups;
  Compaction* compact_plain;
  Compaction* compact_ballot;
  Histogram* histogram_plain;
  Histogram* histogram_match;
  Histogram* histogram_private;
  Histogram* histogram_private_match;
  WeightedHistogram* histogram_weighted;
  WeightedHistogram* histogram_weighted_match;
  Rounds* rounds_shuffle;
  Rounds* rounds_shared;
  Rounds* rounds_reduce_add;
};

/// Returns the kernels of chapters/08_warp_primitives/kernels.cuh; in mutant tests, one is
/// replaced.
Kernels kernels_under_test();
