/// The integer types of this header of the Toolkit are those of <stdint.h>.
#pragma once

#include <stdint.h>
