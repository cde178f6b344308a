/// No library of the vendor's to compare with.

#include <stdexcept>

#include "course/vendor_sgemm.hpp"

namespace course {

struct VendorSgemm::Library {};

bool VendorSgemm::exists() noexcept { return false; }

VendorSgemm::VendorSgemm(Math) { throw std::runtime_error("there is no vendor's SGEMM here"); }

VendorSgemm::~VendorSgemm() = default;

void VendorSgemm::operator()(SgemmSize, float, const float*, int, const float*, int, float, float*,
                             int, cudaStream_t) const {}

void VendorSgemm::operator()(SgemmSize, float, const __half*, int, const __half*, int, float,
                             float*, int, cudaStream_t) const {}

void VendorSgemm::operator()(SgemmSize, const __nv_bfloat16*, const __nv_bfloat16*, __nv_bfloat16*,
                             cudaStream_t) const {}

void VendorSgemm::operator()(SgemmSize, const __nv_fp8_e4m3*, const __nv_fp8_e4m3*, const float*,
                             const float*, __nv_bfloat16*, cudaStream_t) const {}

}  // namespace course
