/// Not part of the emulator: says so.
#error the emulator does not support surfaces (<surface_indirect_functions.h>)
