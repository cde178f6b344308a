/// Arguments for running the chapters' programs quickly.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace test_support {

using Words = std::vector<std::string>;

/// For every chapter's program, arguments with which it is quick and still launches all kernels.
inline const std::vector<std::pair<std::string, Words>> kQuickSizes = {
    {"00_first_kernel",
     {"--n", "1000", "--blocks", "1,3", "--width", "33", "--height", "17", "--repeat", "1"}},
    {"01_warps",
     {"--n", "1000", "--rows", "3", "--width", "33", "--height", "17", "--repeat", "1"}},
    {"02_coalescing",
     {"--elements", "1000", "--m", "33", "--n", "65", "--k", "31", "--passes", "2", "--lines", "3",
      "--repeat", "1"}},
    {"03_alignment", {"--n", "1000", "--rows", "100", "--repeat", "1"}},
    {"04_read_only_cache",
     {"--elements", "1000", "--columns", "33",  "--rows",   "5", "--sums",      "100",
      "--rounds",   "3",    "--readers", "300", "--steps",  "3", "--table-kib", "1,3",
      "--wide",     "36",   "--high",    "10",  "--repeat", "1"}},
    {"05_shared_memory",
     {"--width", "40", "--height", "36", "--pitch", "33,36", "--kib", "5", "--sums", "100",
      "--rounds", "3", "--wide", "36", "--high", "10", "--repeat", "1"}},
    {"06_aos_soa", {"--n", "1000", "--wide", "36", "--high", "10", "--repeat", "1"}},
    {"07_unrolling",
     {"--n", "5000", "--block", "64", "--hops", "50", "--wide", "36", "--high", "10", "--repeat",
      "1"}},
    {"08_warp_primitives",
     {"--n", "1000", "--listing-n", "333", "--width", "40", "--height", "30", "--repeat", "1"}},
    {"09_sgemm",
     {"--m", "33", "--n", "65", "--k", "31", "--size", "33", "--rectangle", "5,70,40",
      "--tune-size", "65", "--ablation-size", "33", "--repeat", "1"}},
    {"10_maxas_epilogue",
     {"--m", "70", "--n", "72", "--k", "40", "--size", "33", "--wide", "36", "--high", "10",
      "--repeat", "1"}},
    {"11_tensor_cores",
     {"--m", "33", "--n", "65", "--k", "31", "--size", "40", "--sum", "33", "--error-size", "33",
      "--repeat", "1"}},
};

}  // namespace test_support
