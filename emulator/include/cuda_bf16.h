/// Not part of the emulator: says so.
#error the emulator does not support bfloat16 numbers: __nv_bfloat16 (<cuda_bf16.h>)
