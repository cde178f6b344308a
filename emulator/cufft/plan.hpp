/// @file
/// Plans: what a handle stands for, and where the numbers of a transform lie.
#pragma once

#include <array>
#include <memory>

#include "cufft.h"

namespace emu::cufft {

class Transform;

constexpr int kMostDimensions = 3;

/// Where the elements of one side lie, in elements of its type.
struct Layout {
  std::array<long long, kMostDimensions> strides{};  ///< of the dimensions, the slowest first
  long long distance = 0;                            ///< from one transform to the next
};

/// A batch of equal transforms.
struct Shape {
  cufftType type = CUFFT_C2C;
  int rank = 0;
  std::array<long long, kMostDimensions> n{};  ///< real numbers, where one side has them
  long long batch = 0;

  bool is_double() const;
  bool has_real_input() const;
  bool has_real_output() const;
  /// Whether there is nothing to transform: CUDA looks at the first size only.
  bool is_empty() const;
  /// Returns how many elements the input, or the output, has in dimension `d`: of a real signal's
  /// spectrum, the last dimension has half.
  long long input_size(int d) const;
  long long output_size(int d) const;
};

/// Returns the layout without gaps of numbers with these sizes. Real numbers that share their
/// memory with complex ones are padded to as many.
Layout usual_layout(const Shape& shape, bool is_input, bool is_in_place);

/// What a handle stands for.
struct Plan {
  Plan();
  ~Plan();
  Plan(const Plan&) = delete;
  Plan& operator=(const Plan&) = delete;

  bool is_made = false;
  Shape shape;
  bool is_embedded = false;  ///< else the layouts are the usual ones
  Layout input, output;      ///< if embedded
  cudaStream_t stream = nullptr;
  /// The transforms into other memory and in place, once they have been used.
  std::array<std::unique_ptr<Transform>, 2> transforms;
};

/// Returns the plan of a handle that was created and not destroyed, else null.
std::shared_ptr<Plan> find_plan(cufftHandle handle);

}  // namespace emu::cufft
