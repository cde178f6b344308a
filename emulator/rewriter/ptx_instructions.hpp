/// The PTX instructions that inline assembly may use: a row each. Whatever has no row stops the
/// build. The functions stand in emulator/include/emulator/device_ptx.h.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace emulator_nvcc {

/// `modifiers` are groups with blanks between them, in the order in which PTX writes them. A group
/// lists alternatives, `lo|hi`; one with `?` may be missing. The function's template arguments are
/// the groups' tags: lo_ for .lo, u32_ for .u32, none_ for a group that is missing.
struct PtxInstruction {
  std::string_view opcode;
  std::string modifiers;
  std::size_t operands;  // results included
  std::string_view function;
};

// Groups of types.
inline const std::string kInt = "u16|u32|u64|s16|s32|s64";
inline const std::string kWord = "u32|u64|s32|s64";
inline const std::string kBits = "pred|b16|b32|b64";
inline const std::string kAny = "b16|b32|b64|u16|u32|u64|s16|s32|s64|f32|f64";
inline const std::string kFloatTypes = "f32|f64";
inline const std::string kRound = "rn|rz|rm|rp";
inline const std::string kOrder = "eq|ne|lt|le|gt|ge|lo|ls|hi|hs";
inline const std::string kFloatOrder = "eq|ne|lt|le|gt|ge|equ|neu|ltu|leu|gtu|geu|num|nan";

/// Integers, floating-point numbers, bits, comparisons and conversions. Families that follow, such
/// as memory, barriers or the tensor cores' instructions, go into groups of their own below.
inline const PtxInstruction kPtxInstructions[] = {
    {"mov", "pred|" + kAny, 2, "mov"},
    {"mov", "b32|b64", 3, "mov"},

    {"add", kInt, 3, "add"},
    {"sub", kInt, 3, "sub"},
    {"mul", "lo|hi " + kInt, 3, "mul"},
    {"mul", "wide u16|u32|s16|s32", 3, "mul"},
    {"mad", "lo|hi " + kInt, 4, "mad"},
    {"mad", "wide u16|u32|s16|s32", 4, "mad"},
    {"div", kInt, 3, "div"},
    {"rem", kInt, 3, "rem"},
    {"min", kInt, 3, "min"},
    {"max", kInt, 3, "max"},
    {"sad", kInt, 4, "sad"},
    {"abs", "s16|s32|s64", 2, "abs"},
    {"neg", "s16|s32|s64", 2, "neg"},
    {"dp4a", "u32|s32 u32|s32", 4, "dp4a"},
    {"dp2a", "lo|hi u32|s32 u32|s32", 4, "dp2a"},

    {"and", kBits, 3, "bit_and"},
    {"or", kBits, 3, "bit_or"},
    {"xor", kBits, 3, "bit_xor"},
    {"not", kBits, 2, "bit_not"},
    {"cnot", "b16|b32|b64", 2, "cnot"},
    {"shl", "b16|b32|b64", 3, "shl"},
    {"shr", "b16|b32|b64|" + kInt, 3, "shr"},
    {"shf", "l|r clamp|wrap b32", 4, "shf"},
    {"lop3", "b32", 5, "lop3"},
    {"prmt", "b32 f4e|b4e|rc8|ecl|ecr|rc16?", 4, "prmt"},
    {"bfe", kWord, 4, "bfe"},
    {"bfi", "b32|b64", 5, "bfi"},
    {"bfind", "shiftamt? " + kWord, 2, "bfind"},
    {"brev", "b32|b64", 2, "brev"},
    {"clz", "b32|b64", 2, "clz"},
    {"popc", "b32|b64", 2, "popc"},

    {"add", kRound + "? f32|f64", 3, "float_add"},
    {"sub", kRound + "? f32|f64", 3, "float_sub"},
    {"mul", kRound + "? f32|f64", 3, "float_mul"},
    {"fma", kRound + " f32|f64", 4, "float_fma"},
    {"mad", kRound + " f32|f64", 4, "float_fma"},
    {"div", kRound + " f32|f64", 3, "float_div"},
    {"rcp", kRound + " f32|f64", 2, "float_rcp"},
    {"sqrt", kRound + " f32|f64", 2, "float_sqrt"},
    {"min", kFloatTypes, 3, "float_min"},
    {"max", kFloatTypes, 3, "float_max"},
    {"abs", kFloatTypes, 2, "float_abs"},
    {"neg", kFloatTypes, 2, "float_neg"},

    {"selp", kAny, 4, "selp"},
    {"setp", kOrder + " b16|b32|b64|" + kInt, 3, "setp"},
    {"setp", kFloatOrder + " " + kFloatTypes, 3, "setp"},
    {"setp", kOrder + " and|or|xor b16|b32|b64|" + kInt, 4, "setp_with"},
    {"setp", kFloatOrder + " and|or|xor " + kFloatTypes, 4, "setp_with"},

    {"cvt", "u8|s8|" + kInt + " u8|s8|" + kInt, 2, "cvt"},
    {"cvt", "sat u8|s8|" + kInt + " u8|s8|" + kInt, 2, "cvt_sat"},
    {"cvt", kRound + " f32|f64 " + kWord, 2, "cvt_to_float"},
    {"cvt", "rni|rzi|rmi|rpi " + kWord + " f32|f64", 2, "cvt_to_int"},
    {"cvt", "f64 f32", 2, "cvt_widen"},
    {"cvt", kRound + " f32 f64", 2, "cvt_narrow"},
};

/// The C++ type of registers declared with `type` (".b32"); empty if there is none.
inline std::string ptx_register_type(std::string_view type) {
  if (type == ".pred") return "bool";
  if (type == ".b16" || type == ".u16" || type == ".s16") return "std::uint16_t";
  if (type == ".b32" || type == ".u32" || type == ".s32" || type == ".f32") return "std::uint32_t";
  if (type == ".b64" || type == ".u64" || type == ".s64" || type == ".f64") return "std::uint64_t";
  return {};
}

/// C++ for a special register (`%tid.x`); empty if the emulator has none such.
inline std::string ptx_special_register(std::string_view name) {
  for (const auto& [ptx, cpp] : {std::pair{"%tid.", "::threadIdx."},
                                 {"%ntid.", "::blockDim."},
                                 {"%ctaid.", "::blockIdx."},
                                 {"%nctaid.", "::gridDim."}}) {
    const std::string_view start = ptx;
    if (name.size() == start.size() + 1 && name.starts_with(start) && name.back() >= 'x' &&
        name.back() <= 'z')
      return "std::uint32_t{" + (cpp + std::string(1, name.back())) + "}";
  }
  if (name == "WARP_SZ") return "std::uint32_t{32}";
  if (name == "%laneid") return "::emu::ptx::lane()";
  if (name == "%lanemask_eq") return "(1u << ::emu::ptx::lane())";
  if (name == "%lanemask_lt") return "((1u << ::emu::ptx::lane()) - 1u)";
  if (name == "%lanemask_le") return "((2u << ::emu::ptx::lane()) - 1u)";
  if (name == "%lanemask_ge") return "~((1u << ::emu::ptx::lane()) - 1u)";
  if (name == "%lanemask_gt") return "~((2u << ::emu::ptx::lane()) - 1u)";
  if (name == "%clock64") return "static_cast<std::uint64_t>(::clock64())";
  if (name == "%clock") return "static_cast<std::uint32_t>(::clock64())";
  return {};
}

}  // namespace emulator_nvcc
