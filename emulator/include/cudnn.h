/// Not part of the emulator: says so.
#error the emulator does not support cuDNN (<cudnn.h>)
