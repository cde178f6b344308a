// The calls that transform numbers.
#include <fmt/format.h>

#include <cstdint>
#include <cstdio>
#include <new>

#include "emulator/check.h"
#include "engine/engine.hpp"
#include "plan.hpp"
#include "runtime/library_call.hpp"
#include "transform.hpp"

namespace emu::cufft {

namespace {

/// One side of a transform.
struct Side {
  const char* name;
  void* begin;
  Layout layout;
  std::array<long long, kMostDimensions> sizes;
  std::size_t element_bytes;

  char* at(long long element) const {
    return static_cast<char*>(begin) + static_cast<std::size_t>(element) * element_bytes;
  }
};

Side side_of(const Plan& plan, bool is_input, bool is_in_place, void* begin) {
  const Shape& shape = plan.shape;
  Side side;
  side.name = is_input ? "the input" : "the output";
  side.begin = begin;
  side.layout = !plan.is_embedded ? usual_layout(shape, is_input, is_in_place)
                : is_input        ? plan.input
                                  : plan.output;
  side.sizes = {1, 1, 1};
  for (int d = 0; d < shape.rank; ++d)
    side.sizes[static_cast<std::size_t>(d)] = is_input ? shape.input_size(d) : shape.output_size(d);
  const bool is_real = is_input ? shape.has_real_input() : shape.has_real_output();
  side.element_bytes = (is_real ? 1 : 2) * (shape.is_double() ? sizeof(double) : sizeof(float));
  return side;
}

/// Returns whether the address is as cuFFT wants it: that of complex numbers, for real ones, too.
bool is_aligned(const Plan& plan, const void* address) {
  const std::size_t bytes =
      plan.shape.is_double() ? sizeof(cufftDoubleComplex) : sizeof(cufftComplex);
  return reinterpret_cast<std::uintptr_t>(address) % bytes == 0;
}

void reach(LibraryOperands& operands, const Plan& plan, const Side& side) {
  long long last = (plan.shape.batch - 1) * side.layout.distance;
  for (int d = 0; d < plan.shape.rank; ++d) {
    const auto i = static_cast<std::size_t>(d);
    last += (side.sizes[i] - 1) * side.layout.strides[i];
  }
  operands.reach(side.name, side.begin, static_cast<std::size_t>(last + 1) * side.element_bytes);
}

void touch(const LibraryOperands& operands, const Plan& plan, const Side& side, Use use) {
  const auto last = static_cast<std::size_t>(plan.shape.rank - 1);
  const bool has_rows = side.layout.strides[last] == 1;
  std::array<long long, kMostDimensions> ends = side.sizes;
  if (has_rows) ends[last] = 1;
  const std::size_t bytes =
      side.element_bytes * static_cast<std::size_t>(has_rows ? side.sizes[last] : 1);
  for (long long b = 0; b < plan.shape.batch; ++b)
    for (long long i = 0; i < ends[0]; ++i)
      for (long long j = 0; j < ends[1]; ++j)
        for (long long k = 0; k < ends[2]; ++k)
          operands.touch(side.name,
                         side.at(b * side.layout.distance + i * side.layout.strides[0] +
                                 j * side.layout.strides[1] + k * side.layout.strides[2]),
                         bytes, use);
}

const char* name_of(cufftType type) {
  switch (type) {
    case CUFFT_C2C:
      return "CUFFT_C2C";
    case CUFFT_R2C:
      return "CUFFT_R2C";
    case CUFFT_C2R:
      return "CUFFT_C2R";
    case CUFFT_Z2Z:
      return "CUFFT_Z2Z";
    case CUFFT_D2Z:
      return "CUFFT_D2Z";
    case CUFFT_Z2D:
      return "CUFFT_Z2D";
  }
  return "another type";
}

/// cuFFT does not look at a plan's type, and does what the plan says. That is hardly ever meant.
void warn_of_other_type(const LibraryOperands& operands, const char* call, cufftType type) {
  const std::string where = operands.call_in_words();
  fmt::print(stderr, "emulator: {}{}{}: the plan is for {}, and does that\n", where,
             where.empty() ? "" : ": ", call, name_of(type));
}

cufftResult execute(const char* call, cufftHandle handle, cufftType type, void* input, void* output,
                    int direction, const void* call_site) {
  const std::shared_ptr<Plan> plan = find_plan(handle);
  if (!plan || !plan->is_made) return CUFFT_INVALID_PLAN;
  if (direction != CUFFT_FORWARD && direction != CUFFT_INVERSE) return CUFFT_INVALID_VALUE;
  if (!is_aligned(*plan, input) || !is_aligned(*plan, output)) return CUFFT_INVALID_VALUE;
  const bool is_in_place = input == output;
  const Side from = side_of(*plan, true, is_in_place, input);
  const Side to = side_of(*plan, false, is_in_place, output);
  if (output == nullptr) return CUFFT_EXEC_FAILED;
  if (begin_library_call(call, plan->stream) != Readiness::ready) return CUFFT_EXEC_FAILED;
  if (plan->shape.is_empty()) return CUFFT_SUCCESS;
  try {
    LibraryOperands operands({"cuFFT", "the sizes, the batch and the layout of the plan"}, call,
                             call_site);
    if (plan->shape.type != type) warn_of_other_type(operands, call, plan->shape.type);
    reach(operands, *plan, from);
    reach(operands, *plan, to);
    if (checking().init) touch(operands, *plan, from, Use::read);
    std::unique_ptr<Transform>& transform = plan->transforms[is_in_place ? 1 : 0];
    if (!transform) transform = Transform::make(plan->shape, from.layout, to.layout, is_in_place);
    transform->run(input, output, direction);
    if (checking().init) touch(operands, *plan, to, Use::write);
    return CUFFT_SUCCESS;
  } catch (const DeviceFailed&) {
    return CUFFT_SUCCESS;
  } catch (const std::bad_alloc&) {
    return CUFFT_ALLOC_FAILED;
  }
}

}  // namespace

}  // namespace emu::cufft

using emu::cufft::execute;

extern "C" {

cufftResult cufftExecC2C(cufftHandle plan, cufftComplex* idata, cufftComplex* odata,
                         int direction) {
  return execute("cufftExecC2C", plan, CUFFT_C2C, idata, odata, direction,
                 __builtin_return_address(0));
}

cufftResult cufftExecR2C(cufftHandle plan, cufftReal* idata, cufftComplex* odata) {
  return execute("cufftExecR2C", plan, CUFFT_R2C, idata, odata, CUFFT_FORWARD,
                 __builtin_return_address(0));
}

cufftResult cufftExecC2R(cufftHandle plan, cufftComplex* idata, cufftReal* odata) {
  return execute("cufftExecC2R", plan, CUFFT_C2R, idata, odata, CUFFT_INVERSE,
                 __builtin_return_address(0));
}

cufftResult cufftExecZ2Z(cufftHandle plan, cufftDoubleComplex* idata, cufftDoubleComplex* odata,
                         int direction) {
  return execute("cufftExecZ2Z", plan, CUFFT_Z2Z, idata, odata, direction,
                 __builtin_return_address(0));
}

cufftResult cufftExecD2Z(cufftHandle plan, cufftDoubleReal* idata, cufftDoubleComplex* odata) {
  return execute("cufftExecD2Z", plan, CUFFT_D2Z, idata, odata, CUFFT_FORWARD,
                 __builtin_return_address(0));
}

cufftResult cufftExecZ2D(cufftHandle plan, cufftDoubleComplex* idata, cufftDoubleReal* odata) {
  return execute("cufftExecZ2D", plan, CUFFT_Z2D, idata, odata, CUFFT_INVERSE,
                 __builtin_return_address(0));
}

}  // extern "C"
