/// Not part of the emulator: says so.
#error the emulator does not support textures (<texture_indirect_functions.h>)
