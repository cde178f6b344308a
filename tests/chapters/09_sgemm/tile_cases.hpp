#pragma once

/// @file
/// Products for which step 17 chooses each of its tiles, whole and split, by the costs in
/// tile_costs.json. If the costs change, real_kernels.cu reports which products no longer fit.

#include "course/sgemm_check.hpp"

namespace sgemm_test {

struct TileCase {
  course::SgemmSize size;
  int tile_m, tile_n;
  bool is_split = false;  // some or all tiles are left in pieces
};

constexpr int kTileCaseMultiprocessors = 4;
constexpr TileCase kTileCases[] = {{{100, 1000, 128}, 128, 256},
                                   {{100, 500, 333}, 128, 128},
                                   {{411, 37, 145}, 128, 64},
                                   {{40, 200, 200}, 64, 64},
                                   {{129, 20, 300}, 64, 32},
                                   {{100, 20, 1000}, 64, 32, true},
                                   {{12, 92, 200}, 16, 64},
                                   {{9, 312, 393}, 16, 64, true},  // unevenly
                                   {{9, 18, 2206}, 16, 64, true},
                                   {{9, 8, 348}, 32, 16},
                                   {{10, 8, 840}, 32, 16, true},
                                   // Several at a time.
                                   {{9, 662, 115}, 32, 64},
                                   {{66, 36, 1925}, 32, 64, true},
                                   {{512, 8, 16}, 64, 16},
                                   {{168, 5, 873}, 64, 16, true},
                                   {{300, 65, 1000}, 64, 16, true},  // some of them
                                   {{70, 150, 90}, 32, 32},
                                   {{17, 157, 731}, 32, 32, true},
                                   {{18, 286, 682}, 32, 32, true},  // unevenly
                                   {{9, 788, 53}, 32, 128},
                                   {{1000, 7, 33}, 128, 16},
                                   {{666, 17, 23}, 64, 32},
                                   {{200, 200, 33}, 32, 64},
                                   // Through registers, not TMA.
                                   {{100, 100, 33}, 64, 64},
                                   {{9, 65, 8}, 32, 32},
                                   {{70, 24, 774}, 32, 32, true},
                                   {{33, 31, 65}, 32, 16},
                                   {{31, 17, 129}, 32, 16},
                                   {{9, 6, 454}, 32, 16, true},
                                   {{130, 5, 767}, 32, 16, true},  // unevenly
                                   // Thin.
                                   {{2, 17, 271}, 1, 32},
                                   {{1, 47, 1529}, 1, 32, true},
                                   {{1, 20, 333}, 1, 8},
                                   {{1, 533, 9}, 1, 64},
                                   {{1, 300, 2001}, 1, 64, true},
                                   {{1, 33, 231}, 4, 32},
                                   {{2, 17, 1295}, 4, 32, true},
                                   {{3, 33, 200}, 4, 64},
                                   {{3, 20, 1000}, 4, 64, true},
                                   {{7, 200, 16}, 8, 64},
                                   {{6, 33, 929}, 8, 64, true},
                                   {{9, 1, 2000}, 8, 1},
                                   {{40, 1, 5000}, 8, 1, true},
                                   {{130, 1, 16}, 64, 1},
                                   {{259, 1, 579}, 64, 1, true},
                                   {{6, 21, 1001}, 8, 4},
                                   {{3, 1, 5000}, 8, 4, true},
                                   {{129, 3, 33}, 64, 4},
                                   {{120, 3, 442}, 64, 4, true}};

}  // namespace sgemm_test
