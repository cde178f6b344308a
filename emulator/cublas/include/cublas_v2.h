/// cuBLAS, as far as the emulator has it: emulator/README.md says what is there. Found only where
/// the emulator was built with OpenBLAS.
#ifndef CUBLAS_V2_H_
#define CUBLAS_V2_H_

#include "cublas_api.h"

#endif  // CUBLAS_V2_H_
