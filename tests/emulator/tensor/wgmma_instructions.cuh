/// @file
/// wgmma with many shapes and types, each as PTX: for the emulator and for nvcc.
///
/// Each instruction is a structure: multiply() has A in shared memory, multiply_registers() in
/// registers.
#pragma once

#include <cstdint>

#include "tensor_cases.hpp"

namespace wgmma {

struct F16N8 {
  static constexpr tensor::Shape kShape = {"F16N8",      64,           8,           16,
                                           tensor::kF16, tensor::kF16, tensor::kF32};
  static constexpr bool kSaturates = false;
  using Register = float;
  static constexpr int kRegisters = 4;

  template <class Signs, int a_order, int b_order>
  static __device__ void multiply(float (&d)[4], std::uint64_t a, std::uint64_t b, int adds) {
    asm volatile(
        "{ .reg .pred p; setp.ne.b32 p, %6, 0;\n"
        "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 "
        "{%0, %1, %2, %3}, "
        "%4, %5, p, %7, %8, %9, %10; }"
        : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
        : "l"(a), "l"(b), "r"(adds), "n"(Signs::a), "n"(Signs::b), "n"(a_order), "n"(b_order)
        : "memory");
  }
};

struct F16N16 {
  static constexpr tensor::Shape kShape = {"F16N16",     64,           16,          16,
                                           tensor::kF16, tensor::kF16, tensor::kF32};
  static constexpr bool kSaturates = false;
  using Register = float;
  static constexpr int kRegisters = 8;

  template <class Signs, int a_order, int b_order>
  static __device__ void multiply(float (&d)[8], std::uint64_t a, std::uint64_t b, int adds) {
    asm volatile(
        "{ .reg .pred p; setp.ne.b32 p, %10, 0;\n"
        "wgmma.mma_async.sync.aligned.m64n16k16.f32.f16.f16 "
        "{%0, %1, %2, %3, %4, %5, %6, %7}, "
        "%8, %9, p, %11, %12, %13, %14; }"
        : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]), "+f"(d[4]), "+f"(d[5]), "+f"(d[6]),
          "+f"(d[7])
        : "l"(a), "l"(b), "r"(adds), "n"(Signs::a), "n"(Signs::b), "n"(a_order), "n"(b_order)
        : "memory");
  }
  template <class Signs, int a_order, int b_order>
  static __device__ void multiply_registers(float (&d)[8], const std::uint32_t (&a)[4],
                                            std::uint64_t b, int adds) {
    asm volatile(
        "{ .reg .pred p; setp.ne.b32 p, %13, 0;\n"
        "wgmma.mma_async.sync.aligned.m64n16k16.f32.f16.f16 "
        "{%0, %1, %2, %3, %4, %5, %6, %7}, "
        "{%8, %9, %10, %11}, %12, p, %14, %15, %16; }"
        : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]), "+f"(d[4]), "+f"(d[5]), "+f"(d[6]),
          "+f"(d[7])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b), "r"(adds), "n"(Signs::a),
          "n"(Signs::b), "n"(b_order)
        : "memory");
  }
};

struct F16N24 {
  static constexpr tensor::Shape kShape = {"F16N24",     64,           24,          16,
                                           tensor::kF16, tensor::kF16, tensor::kF32};
  static constexpr bool kSaturates = false;
  using Register = float;
  static constexpr int kRegisters = 12;

  template <class Signs, int a_order, int b_order>
  static __device__ void multiply(float (&d)[12], std::uint64_t a, std::uint64_t b, int adds) {
    asm volatile(
        "{ .reg .pred p; setp.ne.b32 p, %14, 0;\n"
        "wgmma.mma_async.sync.aligned.m64n24k16.f32.f16.f16 "
        "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11}, "
        "%12, %13, p, %15, %16, %17, %18; }"
        : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]), "+f"(d[4]), "+f"(d[5]), "+f"(d[6]),
          "+f"(d[7]), "+f"(d[8]), "+f"(d[9]), "+f"(d[10]), "+f"(d[11])
        : "l"(a), "l"(b), "r"(adds), "n"(Signs::a), "n"(Signs::b), "n"(a_order), "n"(b_order)
        : "memory");
  }
};

struct F16N64 {
  static constexpr tensor::Shape kShape = {"F16N64",     64,           64,          16,
                                           tensor::kF16, tensor::kF16, tensor::kF32};
  static constexpr bool kSaturates = false;
  using Register = float;
  static constexpr int kRegisters = 32;

  template <class Signs, int a_order, int b_order>
  static __device__ void multiply(float (&d)[32], std::uint64_t a, std::uint64_t b, int adds) {
    asm volatile(
        "{ .reg .pred p; setp.ne.b32 p, %34, 0;\n"
        "wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16 "
        "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, "
        "%18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31}, "
        "%32, %33, p, %35, %36, %37, %38; }"
        : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]), "+f"(d[4]), "+f"(d[5]), "+f"(d[6]),
          "+f"(d[7]), "+f"(d[8]), "+f"(d[9]), "+f"(d[10]), "+f"(d[11]), "+f"(d[12]), "+f"(d[13]),
          "+f"(d[14]), "+f"(d[15]), "+f"(d[16]), "+f"(d[17]), "+f"(d[18]), "+f"(d[19]), "+f"(d[20]),
          "+f"(d[21]), "+f"(d[22]), "+f"(d[23]), "+f"(d[24]), "+f"(d[25]), "+f"(d[26]), "+f"(d[27]),
          "+f"(d[28]), "+f"(d[29]), "+f"(d[30]), "+f"(d[31])
        : "l"(a), "l"(b), "r"(adds), "n"(Signs::a), "n"(Signs::b), "n"(a_order), "n"(b_order)
        : "memory");
  }
  template <class Signs, int a_order, int b_order>
  static __device__ void multiply_registers(float (&d)[32], const std::uint32_t (&a)[4],
                                            std::uint64_t b, int adds) {
    asm volatile(
        "{ .reg .pred p; setp.ne.b32 p, %37, 0;\n"
        "wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16 "
        "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, "
        "%18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31}, "
        "{%32, %33, %34, %35}, %36, p, %38, %39, %40; }"
        : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]), "+f"(d[4]), "+f"(d[5]), "+f"(d[6]),
          "+f"(d[7]), "+f"(d[8]), "+f"(d[9]), "+f"(d[10]), "+f"(d[11]), "+f"(d[12]), "+f"(d[13]),
          "+f"(d[14]), "+f"(d[15]), "+f"(d[16]), "+f"(d[17]), "+f"(d[18]), "+f"(d[19]), "+f"(d[20]),
          "+f"(d[21]), "+f"(d[22]), "+f"(d[23]), "+f"(d[24]), "+f"(d[25]), "+f"(d[26]), "+f"(d[27]),
          "+f"(d[28]), "+f"(d[29]), "+f"(d[30]), "+f"(d[31])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b), "r"(adds), "n"(Signs::a),
          "n"(Signs::b), "n"(b_order)
        : "memory");
  }
};

struct F16N128 {
  static constexpr tensor::Shape kShape = {"F16N128",    64,           128,         16,
                                           tensor::kF16, tensor::kF16, tensor::kF32};
  static constexpr bool kSaturates = false;
  using Register = float;
  static constexpr int kRegisters = 64;

  template <class Signs, int a_order, int b_order>
  static __device__ void multiply(float (&d)[64], std::uint64_t a, std::uint64_t b, int adds) {
    asm volatile(
        "{ .reg .pred p; setp.ne.b32 p, %66, 0;\n"
        "wgmma.mma_async.sync.aligned.m64n128k16.f32.f16.f16 "
        "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, "
        "%18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, "
        "%34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47, %48, %49, "
        "%50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63}, "
        "%64, %65, p, %67, %68, %69, %70; }"
        : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]), "+f"(d[4]), "+f"(d[5]), "+f"(d[6]),
          "+f"(d[7]), "+f"(d[8]), "+f"(d[9]), "+f"(d[10]), "+f"(d[11]), "+f"(d[12]), "+f"(d[13]),
          "+f"(d[14]), "+f"(d[15]), "+f"(d[16]), "+f"(d[17]), "+f"(d[18]), "+f"(d[19]), "+f"(d[20]),
          "+f"(d[21]), "+f"(d[22]), "+f"(d[23]), "+f"(d[24]), "+f"(d[25]), "+f"(d[26]), "+f"(d[27]),
          "+f"(d[28]), "+f"(d[29]), "+f"(d[30]), "+f"(d[31]), "+f"(d[32]), "+f"(d[33]), "+f"(d[34]),
          "+f"(d[35]), "+f"(d[36]), "+f"(d[37]), "+f"(d[38]), "+f"(d[39]), "+f"(d[40]), "+f"(d[41]),
          "+f"(d[42]), "+f"(d[43]), "+f"(d[44]), "+f"(d[45]), "+f"(d[46]), "+f"(d[47]), "+f"(d[48]),
          "+f"(d[49]), "+f"(d[50]), "+f"(d[51]), "+f"(d[52]), "+f"(d[53]), "+f"(d[54]), "+f"(d[55]),
          "+f"(d[56]), "+f"(d[57]), "+f"(d[58]), "+f"(d[59]), "+f"(d[60]), "+f"(d[61]), "+f"(d[62]),
          "+f"(d[63])
        : "l"(a), "l"(b), "r"(adds), "n"(Signs::a), "n"(Signs::b), "n"(a_order), "n"(b_order)
        : "memory");
  }
};

struct F16N256 {
  static constexpr tensor::Shape kShape = {"F16N256",    64,           256,         16,
                                           tensor::kF16, tensor::kF16, tensor::kF32};
  static constexpr bool kSaturates = false;
  using Register = float;
  static constexpr int kRegisters = 128;

  template <class Signs, int a_order, int b_order>
  static __device__ void multiply(float (&d)[128], std::uint64_t a, std::uint64_t b, int adds) {
    asm volatile(
        "{ .reg .pred p; setp.ne.b32 p, %130, 0;\n"
        "wgmma.mma_async.sync.aligned.m64n256k16.f32.f16.f16 "
        "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, "
        "%18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, "
        "%34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47, %48, %49, "
        "%50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63, %64, %65, "
        "%66, %67, %68, %69, %70, %71, %72, %73, %74, %75, %76, %77, %78, %79, %80, %81, "
        "%82, %83, %84, %85, %86, %87, %88, %89, %90, %91, %92, %93, %94, %95, %96, %97, "
        "%98, %99, %100, %101, %102, %103, %104, %105, %106, %107, %108, %109, %110, "
        "%111, %112, %113, %114, %115, %116, %117, %118, %119, %120, %121, %122, %123, "
        "%124, %125, %126, %127}, "
        "%128, %129, p, %131, %132, %133, %134; }"
        : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]), "+f"(d[4]), "+f"(d[5]), "+f"(d[6]),
          "+f"(d[7]), "+f"(d[8]), "+f"(d[9]), "+f"(d[10]), "+f"(d[11]), "+f"(d[12]), "+f"(d[13]),
          "+f"(d[14]), "+f"(d[15]), "+f"(d[16]), "+f"(d[17]), "+f"(d[18]), "+f"(d[19]), "+f"(d[20]),
          "+f"(d[21]), "+f"(d[22]), "+f"(d[23]), "+f"(d[24]), "+f"(d[25]), "+f"(d[26]), "+f"(d[27]),
          "+f"(d[28]), "+f"(d[29]), "+f"(d[30]), "+f"(d[31]), "+f"(d[32]), "+f"(d[33]), "+f"(d[34]),
          "+f"(d[35]), "+f"(d[36]), "+f"(d[37]), "+f"(d[38]), "+f"(d[39]), "+f"(d[40]), "+f"(d[41]),
          "+f"(d[42]), "+f"(d[43]), "+f"(d[44]), "+f"(d[45]), "+f"(d[46]), "+f"(d[47]), "+f"(d[48]),
          "+f"(d[49]), "+f"(d[50]), "+f"(d[51]), "+f"(d[52]), "+f"(d[53]), "+f"(d[54]), "+f"(d[55]),
          "+f"(d[56]), "+f"(d[57]), "+f"(d[58]), "+f"(d[59]), "+f"(d[60]), "+f"(d[61]), "+f"(d[62]),
          "+f"(d[63]), "+f"(d[64]), "+f"(d[65]), "+f"(d[66]), "+f"(d[67]), "+f"(d[68]), "+f"(d[69]),
          "+f"(d[70]), "+f"(d[71]), "+f"(d[72]), "+f"(d[73]), "+f"(d[74]), "+f"(d[75]), "+f"(d[76]),
          "+f"(d[77]), "+f"(d[78]), "+f"(d[79]), "+f"(d[80]), "+f"(d[81]), "+f"(d[82]), "+f"(d[83]),
          "+f"(d[84]), "+f"(d[85]), "+f"(d[86]), "+f"(d[87]), "+f"(d[88]), "+f"(d[89]), "+f"(d[90]),
          "+f"(d[91]), "+f"(d[92]), "+f"(d[93]), "+f"(d[94]), "+f"(d[95]), "+f"(d[96]), "+f"(d[97]),
          "+f"(d[98]), "+f"(d[99]), "+f"(d[100]), "+f"(d[101]), "+f"(d[102]), "+f"(d[103]),
          "+f"(d[104]), "+f"(d[105]), "+f"(d[106]), "+f"(d[107]), "+f"(d[108]), "+f"(d[109]),
          "+f"(d[110]), "+f"(d[111]), "+f"(d[112]), "+f"(d[113]), "+f"(d[114]), "+f"(d[115]),
          "+f"(d[116]), "+f"(d[117]), "+f"(d[118]), "+f"(d[119]), "+f"(d[120]), "+f"(d[121]),
          "+f"(d[122]), "+f"(d[123]), "+f"(d[124]), "+f"(d[125]), "+f"(d[126]), "+f"(d[127])
        : "l"(a), "l"(b), "r"(adds), "n"(Signs::a), "n"(Signs::b), "n"(a_order), "n"(b_order)
        : "memory");
  }
};

struct F16ToF16N16 {
  static constexpr tensor::Shape kShape = {"F16ToF16N16", 64,           16,          16,
                                           tensor::kF16,  tensor::kF16, tensor::kF16};
  static constexpr bool kSaturates = false;
  using Register = std::uint32_t;
  static constexpr int kRegisters = 4;

  template <class Signs, int a_order, int b_order>
  static __device__ void multiply(std::uint32_t (&d)[4], std::uint64_t a, std::uint64_t b,
                                  int adds) {
    asm volatile(
        "{ .reg .pred p; setp.ne.b32 p, %6, 0;\n"
        "wgmma.mma_async.sync.aligned.m64n16k16.f16.f16.f16 "
        "{%0, %1, %2, %3}, "
        "%4, %5, p, %7, %8, %9, %10; }"
        : "+r"(d[0]), "+r"(d[1]), "+r"(d[2]), "+r"(d[3])
        : "l"(a), "l"(b), "r"(adds), "n"(Signs::a), "n"(Signs::b), "n"(a_order), "n"(b_order)
        : "memory");
  }
  template <class Signs, int a_order, int b_order>
  static __device__ void multiply_registers(std::uint32_t (&d)[4], const std::uint32_t (&a)[4],
                                            std::uint64_t b, int adds) {
    asm volatile(
        "{ .reg .pred p; setp.ne.b32 p, %9, 0;\n"
        "wgmma.mma_async.sync.aligned.m64n16k16.f16.f16.f16 "
        "{%0, %1, %2, %3}, "
        "{%4, %5, %6, %7}, %8, p, %10, %11, %12; }"
        : "+r"(d[0]), "+r"(d[1]), "+r"(d[2]), "+r"(d[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b), "r"(adds), "n"(Signs::a),
          "n"(Signs::b), "n"(b_order)
        : "memory");
  }
};

struct F16ToF16N64 {
  static constexpr tensor::Shape kShape = {"F16ToF16N64", 64,           64,          16,
                                           tensor::kF16,  tensor::kF16, tensor::kF16};
  static constexpr bool kSaturates = false;
  using Register = std::uint32_t;
  static constexpr int kRegisters = 16;

  template <class Signs, int a_order, int b_order>
  static __device__ void multiply(std::uint32_t (&d)[16], std::uint64_t a, std::uint64_t b,
                                  int adds) {
    asm volatile(
        "{ .reg .pred p; setp.ne.b32 p, %18, 0;\n"
        "wgmma.mma_async.sync.aligned.m64n64k16.f16.f16.f16 "
        "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15}, "
        "%16, %17, p, %19, %20, %21, %22; }"
        : "+r"(d[0]), "+r"(d[1]), "+r"(d[2]), "+r"(d[3]), "+r"(d[4]), "+r"(d[5]), "+r"(d[6]),
          "+r"(d[7]), "+r"(d[8]), "+r"(d[9]), "+r"(d[10]), "+r"(d[11]), "+r"(d[12]), "+r"(d[13]),
          "+r"(d[14]), "+r"(d[15])
        : "l"(a), "l"(b), "r"(adds), "n"(Signs::a), "n"(Signs::b), "n"(a_order), "n"(b_order)
        : "memory");
  }
};

struct Bf16N64 {
  static constexpr tensor::Shape kShape = {"Bf16N64",     64,          64, 16, tensor::kBf16,
                                           tensor::kBf16, tensor::kF32};
  static constexpr bool kSaturates = false;
  using Register = float;
  static constexpr int kRegisters = 32;

  template <class Signs, int a_order, int b_order>
  static __device__ void multiply(float (&d)[32], std::uint64_t a, std::uint64_t b, int adds) {
    asm volatile(
        "{ .reg .pred p; setp.ne.b32 p, %34, 0;\n"
        "wgmma.mma_async.sync.aligned.m64n64k16.f32.bf16.bf16 "
        "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, "
        "%18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31}, "
        "%32, %33, p, %35, %36, %37, %38; }"
        : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]), "+f"(d[4]), "+f"(d[5]), "+f"(d[6]),
          "+f"(d[7]), "+f"(d[8]), "+f"(d[9]), "+f"(d[10]), "+f"(d[11]), "+f"(d[12]), "+f"(d[13]),
          "+f"(d[14]), "+f"(d[15]), "+f"(d[16]), "+f"(d[17]), "+f"(d[18]), "+f"(d[19]), "+f"(d[20]),
          "+f"(d[21]), "+f"(d[22]), "+f"(d[23]), "+f"(d[24]), "+f"(d[25]), "+f"(d[26]), "+f"(d[27]),
          "+f"(d[28]), "+f"(d[29]), "+f"(d[30]), "+f"(d[31])
        : "l"(a), "l"(b), "r"(adds), "n"(Signs::a), "n"(Signs::b), "n"(a_order), "n"(b_order)
        : "memory");
  }
  template <class Signs, int a_order, int b_order>
  static __device__ void multiply_registers(float (&d)[32], const std::uint32_t (&a)[4],
                                            std::uint64_t b, int adds) {
    asm volatile(
        "{ .reg .pred p; setp.ne.b32 p, %37, 0;\n"
        "wgmma.mma_async.sync.aligned.m64n64k16.f32.bf16.bf16 "
        "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, "
        "%18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31}, "
        "{%32, %33, %34, %35}, %36, p, %38, %39, %40; }"
        : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]), "+f"(d[4]), "+f"(d[5]), "+f"(d[6]),
          "+f"(d[7]), "+f"(d[8]), "+f"(d[9]), "+f"(d[10]), "+f"(d[11]), "+f"(d[12]), "+f"(d[13]),
          "+f"(d[14]), "+f"(d[15]), "+f"(d[16]), "+f"(d[17]), "+f"(d[18]), "+f"(d[19]), "+f"(d[20]),
          "+f"(d[21]), "+f"(d[22]), "+f"(d[23]), "+f"(d[24]), "+f"(d[25]), "+f"(d[26]), "+f"(d[27]),
          "+f"(d[28]), "+f"(d[29]), "+f"(d[30]), "+f"(d[31])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b), "r"(adds), "n"(Signs::a),
          "n"(Signs::b), "n"(b_order)
        : "memory");
  }
};

struct Tf32N8 {
  static constexpr tensor::Shape kShape = {"Tf32N8",      64,          8, 8, tensor::kTf32,
                                           tensor::kTf32, tensor::kF32};
  static constexpr bool kSaturates = false;
  using Register = float;
  static constexpr int kRegisters = 4;

  template <class Signs, int a_order, int b_order>
  static __device__ void multiply(float (&d)[4], std::uint64_t a, std::uint64_t b, int adds) {
    static_assert(a_order == 0 && b_order == 0);
    asm volatile(
        "{ .reg .pred p; setp.ne.b32 p, %6, 0;\n"
        "wgmma.mma_async.sync.aligned.m64n8k8.f32.tf32.tf32 "
        "{%0, %1, %2, %3}, "
        "%4, %5, p, %7, %8; }"
        : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
        : "l"(a), "l"(b), "r"(adds), "n"(Signs::a), "n"(Signs::b)
        : "memory");
  }
};

struct Tf32N64 {
  static constexpr tensor::Shape kShape = {"Tf32N64",     64,          64, 8, tensor::kTf32,
                                           tensor::kTf32, tensor::kF32};
  static constexpr bool kSaturates = false;
  using Register = float;
  static constexpr int kRegisters = 32;

  template <class Signs, int a_order, int b_order>
  static __device__ void multiply(float (&d)[32], std::uint64_t a, std::uint64_t b, int adds) {
    static_assert(a_order == 0 && b_order == 0);
    asm volatile(
        "{ .reg .pred p; setp.ne.b32 p, %34, 0;\n"
        "wgmma.mma_async.sync.aligned.m64n64k8.f32.tf32.tf32 "
        "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, "
        "%18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31}, "
        "%32, %33, p, %35, %36; }"
        : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]), "+f"(d[4]), "+f"(d[5]), "+f"(d[6]),
          "+f"(d[7]), "+f"(d[8]), "+f"(d[9]), "+f"(d[10]), "+f"(d[11]), "+f"(d[12]), "+f"(d[13]),
          "+f"(d[14]), "+f"(d[15]), "+f"(d[16]), "+f"(d[17]), "+f"(d[18]), "+f"(d[19]), "+f"(d[20]),
          "+f"(d[21]), "+f"(d[22]), "+f"(d[23]), "+f"(d[24]), "+f"(d[25]), "+f"(d[26]), "+f"(d[27]),
          "+f"(d[28]), "+f"(d[29]), "+f"(d[30]), "+f"(d[31])
        : "l"(a), "l"(b), "r"(adds), "n"(Signs::a), "n"(Signs::b)
        : "memory");
  }
  template <class Signs, int a_order, int b_order>
  static __device__ void multiply_registers(float (&d)[32], const std::uint32_t (&a)[4],
                                            std::uint64_t b, int adds) {
    static_assert(a_order == 0 && b_order == 0);
    asm volatile(
        "{ .reg .pred p; setp.ne.b32 p, %37, 0;\n"
        "wgmma.mma_async.sync.aligned.m64n64k8.f32.tf32.tf32 "
        "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, "
        "%18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31}, "
        "{%32, %33, %34, %35}, %36, p, %38, %39; }"
        : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]), "+f"(d[4]), "+f"(d[5]), "+f"(d[6]),
          "+f"(d[7]), "+f"(d[8]), "+f"(d[9]), "+f"(d[10]), "+f"(d[11]), "+f"(d[12]), "+f"(d[13]),
          "+f"(d[14]), "+f"(d[15]), "+f"(d[16]), "+f"(d[17]), "+f"(d[18]), "+f"(d[19]), "+f"(d[20]),
          "+f"(d[21]), "+f"(d[22]), "+f"(d[23]), "+f"(d[24]), "+f"(d[25]), "+f"(d[26]), "+f"(d[27]),
          "+f"(d[28]), "+f"(d[29]), "+f"(d[30]), "+f"(d[31])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b), "r"(adds), "n"(Signs::a),
          "n"(Signs::b)
        : "memory");
  }
};

struct E4m3N16 {
  static constexpr tensor::Shape kShape = {"E4m3N16",     64,          16, 32, tensor::kE4m3,
                                           tensor::kE4m3, tensor::kF32};
  static constexpr bool kSaturates = false;
  using Register = float;
  static constexpr int kRegisters = 8;

  template <class Signs, int a_order, int b_order>
  static __device__ void multiply(float (&d)[8], std::uint64_t a, std::uint64_t b, int adds) {
    static_assert(a_order == 0 && b_order == 0);
    asm volatile(
        "{ .reg .pred p; setp.ne.b32 p, %10, 0;\n"
        "wgmma.mma_async.sync.aligned.m64n16k32.f32.e4m3.e4m3 "
        "{%0, %1, %2, %3, %4, %5, %6, %7}, "
        "%8, %9, p, %11, %12; }"
        : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]), "+f"(d[4]), "+f"(d[5]), "+f"(d[6]),
          "+f"(d[7])
        : "l"(a), "l"(b), "r"(adds), "n"(Signs::a), "n"(Signs::b)
        : "memory");
  }
  template <class Signs, int a_order, int b_order>
  static __device__ void multiply_registers(float (&d)[8], const std::uint32_t (&a)[4],
                                            std::uint64_t b, int adds) {
    static_assert(a_order == 0 && b_order == 0);
    asm volatile(
        "{ .reg .pred p; setp.ne.b32 p, %13, 0;\n"
        "wgmma.mma_async.sync.aligned.m64n16k32.f32.e4m3.e4m3 "
        "{%0, %1, %2, %3, %4, %5, %6, %7}, "
        "{%8, %9, %10, %11}, %12, p, %14, %15; }"
        : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]), "+f"(d[4]), "+f"(d[5]), "+f"(d[6]),
          "+f"(d[7])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b), "r"(adds), "n"(Signs::a),
          "n"(Signs::b)
        : "memory");
  }
};

struct E4m3E5m2ToF16N16 {
  static constexpr tensor::Shape kShape = {"E4m3E5m2ToF16N16", 64,          16, 32, tensor::kE4m3,
                                           tensor::kE5m2,      tensor::kF16};
  static constexpr bool kSaturates = false;
  using Register = std::uint32_t;
  static constexpr int kRegisters = 4;

  template <class Signs, int a_order, int b_order>
  static __device__ void multiply(std::uint32_t (&d)[4], std::uint64_t a, std::uint64_t b,
                                  int adds) {
    static_assert(a_order == 0 && b_order == 0);
    asm volatile(
        "{ .reg .pred p; setp.ne.b32 p, %6, 0;\n"
        "wgmma.mma_async.sync.aligned.m64n16k32.f16.e4m3.e5m2 "
        "{%0, %1, %2, %3}, "
        "%4, %5, p, %7, %8; }"
        : "+r"(d[0]), "+r"(d[1]), "+r"(d[2]), "+r"(d[3])
        : "l"(a), "l"(b), "r"(adds), "n"(Signs::a), "n"(Signs::b)
        : "memory");
  }
};

struct S8N24 {
  static constexpr tensor::Shape kShape = {"S8N24",     64,          24,          32,
                                           tensor::kS8, tensor::kS8, tensor::kS32};
  static constexpr bool kSaturates = false;
  using Register = std::uint32_t;
  static constexpr int kRegisters = 12;

  template <class Signs, int a_order, int b_order>
  static __device__ void multiply(std::uint32_t (&d)[12], std::uint64_t a, std::uint64_t b,
                                  int adds) {
    static_assert(a_order == 0 && b_order == 0);
    asm volatile(
        "{ .reg .pred p; setp.ne.b32 p, %14, 0;\n"
        "wgmma.mma_async.sync.aligned.m64n24k32.s32.s8.s8 "
        "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11}, "
        "%12, %13, p; }"
        : "+r"(d[0]), "+r"(d[1]), "+r"(d[2]), "+r"(d[3]), "+r"(d[4]), "+r"(d[5]), "+r"(d[6]),
          "+r"(d[7]), "+r"(d[8]), "+r"(d[9]), "+r"(d[10]), "+r"(d[11])
        : "l"(a), "l"(b), "r"(adds)
        : "memory");
  }
  template <class Signs, int a_order, int b_order>
  static __device__ void multiply_registers(std::uint32_t (&d)[12], const std::uint32_t (&a)[4],
                                            std::uint64_t b, int adds) {
    static_assert(a_order == 0 && b_order == 0);
    asm volatile(
        "{ .reg .pred p; setp.ne.b32 p, %17, 0;\n"
        "wgmma.mma_async.sync.aligned.m64n24k32.s32.s8.s8 "
        "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11}, "
        "{%12, %13, %14, %15}, %16, p; }"
        : "+r"(d[0]), "+r"(d[1]), "+r"(d[2]), "+r"(d[3]), "+r"(d[4]), "+r"(d[5]), "+r"(d[6]),
          "+r"(d[7]), "+r"(d[8]), "+r"(d[9]), "+r"(d[10]), "+r"(d[11])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b), "r"(adds)
        : "memory");
  }
};

struct U8S8SaturatingN32 {
  static constexpr tensor::Shape kShape = {"U8S8SaturatingN32", 64,          32,          32,
                                           tensor::kU8,         tensor::kS8, tensor::kS32};
  static constexpr bool kSaturates = true;
  using Register = std::uint32_t;
  static constexpr int kRegisters = 16;

  template <class Signs, int a_order, int b_order>
  static __device__ void multiply(std::uint32_t (&d)[16], std::uint64_t a, std::uint64_t b,
                                  int adds) {
    static_assert(a_order == 0 && b_order == 0);
    asm volatile(
        "{ .reg .pred p; setp.ne.b32 p, %18, 0;\n"
        "wgmma.mma_async.sync.aligned.m64n32k32.s32.u8.s8.satfinite "
        "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15}, "
        "%16, %17, p; }"
        : "+r"(d[0]), "+r"(d[1]), "+r"(d[2]), "+r"(d[3]), "+r"(d[4]), "+r"(d[5]), "+r"(d[6]),
          "+r"(d[7]), "+r"(d[8]), "+r"(d[9]), "+r"(d[10]), "+r"(d[11]), "+r"(d[12]), "+r"(d[13]),
          "+r"(d[14]), "+r"(d[15])
        : "l"(a), "l"(b), "r"(adds)
        : "memory");
  }
};

}  // namespace wgmma
