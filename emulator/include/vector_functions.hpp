/// vector_functions.h has everything that this header of the Toolkit declares.
#pragma once

#include "vector_functions.h"
