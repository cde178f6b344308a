#include "ptx_cases.cuh"

namespace ptx_cases {

std::vector<Case> warp_cases() { return {}; }

}  // namespace ptx_cases
