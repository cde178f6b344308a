/// Not part of the emulator: says so.
#error the emulator does not support half precision: __half (<cuda_fp16.h>)
