/// cuda_runtime.h has everything that this header of the Toolkit declares.
#pragma once

#include "../cuda_runtime.h"
