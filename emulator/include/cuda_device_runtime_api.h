/// Not part of the emulator: says so.
#error the emulator does not support kernel launches from device code (dynamic parallelism) (<cuda_device_runtime_api.h>)
