/// Functions of device code for textures, which cuda_runtime.h brings in.
#ifndef __TEXTURE_FETCH_FUNCTIONS_H__
#define __TEXTURE_FETCH_FUNCTIONS_H__

#include "cuda_runtime.h"

#endif  // __TEXTURE_FETCH_FUNCTIONS_H__
