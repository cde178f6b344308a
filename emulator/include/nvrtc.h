/// Not part of the emulator: says so.
#error the emulator does not support NVRTC (<nvrtc.h>)
