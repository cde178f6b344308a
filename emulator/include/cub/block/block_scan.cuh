/// Not part of the emulator: says so.
#error the emulator does not support CUB (<cub/block/block_scan.cuh>)
