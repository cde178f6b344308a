/// Not part of the emulator: says so.
#error the emulator does not support 8-bit floating point: __nv_fp8_e4m3 (<cuda_fp8.h>)
