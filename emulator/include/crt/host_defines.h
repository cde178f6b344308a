/// host_defines.h has everything that this header of the Toolkit declares.
#pragma once

#include "../host_defines.h"
