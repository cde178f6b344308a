/// Not part of the emulator: says so.
#error the emulator does not support asynchronous barriers: nvcuda::experimental::awbarrier (<cuda_awbarrier.h>)
