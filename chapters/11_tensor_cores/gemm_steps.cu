#include "gemm_steps.hpp"

#include "bf16_clusters.cuh"
#include "steps/12_warp_products.cuh"
#include "steps/13_group_products.cuh"
#include "steps/14_ring.cuh"
#include "steps/15_wide_tile.cuh"
#include "steps/16_tile_order.cuh"
#include "steps/17_resident_blocks.cuh"
#include "steps/18_bulk_store.cuh"
#include "steps/19_tile_sizes.cuh"
#include "tensor_steps.hpp"

std::vector<GemmStep> gemm_steps() {
  return {
      {"warp_products", "mma.sync, out of a warp's registers", warp_products::launch,
       lack_of_wgmma},
      {"group_products", "wgmma, out of shared memory, which TMA fills", group_products::launch,
       lack_of_wgmma},
      {"ring", "a ring of stages, and a warpgroup that has them filled", ring::launch,
       lack_of_wgmma},
      {"wide_tile", "128 x 256 a block", wide_tile::launch, lack_of_wgmma},
      {"tile_order", "blocks that run at a time form a patch of C", tile_order::launch,
       lack_of_wgmma},
      {"resident_blocks", "a block goes from tile to tile", resident_blocks::launch, lack_of_wgmma},
      {"bulk_store", "TMA stores the results", bulk_store::launch, lack_of_wgmma},
      {"tile_sizes", "tiles of four shapes", tile_sizes::launch, lack_of_wgmma}};
}

GemmStep clusters_of_bf16() {
  return {"bf16_clusters", "two blocks share the columns of B", bf16_clusters::launch,
          lack_of_wgmma};
}
