/// Not part of the emulator: says so.
#error the emulator does not support OpenGL (<cuda_gl_interop.h>)
