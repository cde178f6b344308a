#include "hangs.hpp"

#include "hangs.cuh"

Hangs hangs() { return {.mask_of_everybody = mask_of_everybody, .mask_by_guess = mask_by_guess}; }
