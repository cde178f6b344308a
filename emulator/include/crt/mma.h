/// mma.h has everything that this header of the Toolkit declares.
#pragma once

#include "../mma.h"
