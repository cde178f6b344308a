#include "kernels_under_test.hpp"

#include "kernels.cuh"

Kernels kernels_under_test() {
  return {.copy_plain = copy_plain,
          .copy_ldg = copy_ldg,
          .copy_restrict = copy_restrict,
          .polynomial_plain = polynomial_plain,
          .polynomial_registers = polynomial_registers,
          .polynomial_restrict = polynomial_restrict,
          .look_up_constant = look_up_constant,
          .look_up_global = look_up_global,
          .walk_table = walk_table,
          .constant_table = &constant_table};
}
