/// Not part of the emulator: says so.
#error the emulator does not support tensor cores: nvcuda::wmma (<mma.h>)
