#include "device_library.hpp"

namespace {

using Words = std::set<std::string>;

std::string cuda_headers;  // their folder

/// C functions that CUDA has for devices, beside those of math.h.
const Words kOfC = {"memcpy", "memset", "malloc", "free",          "printf", "vprintf", "clock",
                    "abs",    "labs",   "llabs",  "__assert_fail", "alloca", "__assert"};

/// Functions of the runtime that kernels may call where there is dynamic parallelism.
const Words kOfRuntime = {"cudaDeviceGetAttribute",
                          "cudaDeviceGetLimit",
                          "cudaDeviceGetCacheConfig",
                          "cudaDeviceGetSharedMemConfig",
                          "cudaGetLastError",
                          "cudaPeekAtLastError",
                          "cudaGetErrorString",
                          "cudaGetErrorName",
                          "cudaGetDeviceCount",
                          "cudaGetDevice",
                          "cudaStreamCreateWithFlags",
                          "cudaStreamDestroy",
                          "cudaStreamWaitEvent",
                          "cudaEventCreateWithFlags",
                          "cudaEventRecord",
                          "cudaEventRecordWithFlags",
                          "cudaEventDestroy",
                          "cudaFuncGetAttributes",
                          "cudaFree",
                          "cudaMalloc",
                          "cudaMemcpyAsync",
                          "cudaMemcpy2DAsync",
                          "cudaMemcpy3DAsync",
                          "cudaMemsetAsync",
                          "cudaMemset2DAsync",
                          "cudaMemset3DAsync",
                          "cudaRuntimeGetVersion",
                          "cudaOccupancyMaxActiveBlocksPerMultiprocessor",
                          "cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags",
                          "cudaOccupancyMaxPotentialBlockSize",
                          "cudaOccupancyMaxPotentialBlockSizeVariableSMem"};

/// Those that nvcc takes in any device code.
const Words kOfRuntimeAnyway = {"cudaDeviceGetAttribute",
                                "cudaGetDevice",
                                "cudaFuncGetAttributes",
                                "cudaMalloc",
                                "cudaOccupancyMaxActiveBlocksPerMultiprocessor",
                                "cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags",
                                "cudaOccupancyMaxPotentialBlockSize",
                                "cudaOccupancyMaxPotentialBlockSizeVariableSMem"};

/// Functions of namespace std that nvcc accepts on both sides.
const Words kOfStd = {"move", "forward"};

/// The emulator's headers whose functions are only for device code: atomics, and functions whose
/// names begin with two underscores.
const Words kDeviceHeaders = {"device_arithmetic.h", "device_atomics.h",    "device_conversions.h",
                              "device_integers.h",   "device_math.h",       "device_memory.h",
                              "device_misc.h",       "device_nv_atomics.h", "device_simd.h",
                              "device_warp.h"};

/// Functions of those headers that have ordinary names.
const Words kOfDevice = {"clock64",       "fdividef",      "norm3d",         "norm3df",
                         "norm4d",        "norm4df",       "norm",           "normf",
                         "rnorm",         "rnormf",        "rnorm3d",        "rnorm3df",
                         "rnorm4d",       "rnorm4df",      "rhypot",         "rhypotf",
                         "cyl_bessel_i0", "cyl_bessel_i1", "cyl_bessel_i0f", "cyl_bessel_i1f"};

/// The emulator's headers of numbers of 16 bits.
const Words kSixteenBits = {"sixteen_bits_functions.inc", "half_conversions.h",
                            "bfloat16_conversions.h"};

/// Returns the path of the file that declares a function.
std::string path_of(tree function) {
  const expanded_location place = expand_location(DECL_SOURCE_LOCATION(function));
  return place.file ? place.file : "";
}

/// Returns the name of that file, without its folder.
std::string file_of(tree function) {
  const std::string path = path_of(function);
  return path.substr(path.rfind('/') + 1);
}

/// Returns whether cuda_fp16.h and cuda_bf16.h have a function for device code alone.
bool is_sixteen_bits_for_device(const std::string& name) {
  static const Words kMath = {"ceil", "cos",   "exp",  "exp10",       "exp2", "floor",
                              "log",  "log10", "log2", "rcp",         "rint", "rsqrt",
                              "sin",  "sqrt",  "tanh", "tanh_approx", "trunc"};
  static const Words kIntegers = {"__int", "__uint", "__ll", "__ull", "__short", "__ushort"};
  const auto begins = [&](const std::string& text) { return name.rfind(text, 0) == 0; };
  if (begins("__hfma") || begins("__hcmadd")) return true;
  if (begins("h")) return kMath.count(name.substr(begins("h2") ? 2 : 1));
  const std::size_t rounding = name.rfind("_r"), to = name.find("2bfloat16_");
  if (rounding == std::string::npos || rounding + 3 != name.size()) return false;
  if (begins("__half2") || begins("__bfloat162")) return name.back() != 'z';
  return name.back() != 'n' && to != std::string::npos && kIntegers.count(name.substr(0, to));
}

/// The outermost namespace, below the global one, that has a function; null for none.
tree outer_namespace_of(tree function) {
  tree space = decl_namespace_context(function);
  while (space != global_namespace && CP_DECL_CONTEXT(space) != global_namespace)
    space = CP_DECL_CONTEXT(space);
  return space == global_namespace ? NULL_TREE : space;
}

/// Returns whether a library file has mathematical functions, of which CUDA has nearly all for
/// devices.
bool is_mathematical(const std::string& name) {
  return name == "cmath" || name == "std_abs.h" || name == "math.h" ||
         name.rfind("mathcalls", 0) == 0;
}

bool is_of_initializer_list(tree function) {
  return DECL_CLASS_SCOPE_P(function) && is_std_init_list(DECL_CONTEXT(function));
}

}  // namespace

std::string plain_name(tree function) {
  return DECL_NAME(function) ? IDENTIFIER_POINTER(DECL_NAME(function)) : "";
}

void look_for_cuda_headers_in(const std::string& folder) { cuda_headers = folder; }

bool is_for_device_code_alone(tree function) {
  if (!DECL_IN_SYSTEM_HEADER(function) || DECL_CONSTRUCTOR_P(function) ||
      DECL_DESTRUCTOR_P(function) || DECL_ARTIFICIAL(function))
    return false;
  if (const tree space = outer_namespace_of(function))
    return DECL_NAME(space) && (id_equal(DECL_NAME(space), "cooperative_groups") ||
                                id_equal(DECL_NAME(space), "nvcuda"));
  if (CP_DECL_CONTEXT(function) != global_namespace) return false;
  const std::string name = plain_name(function);
  if (kSixteenBits.count(file_of(function))) return is_sixteen_bits_for_device(name);
  return (name.rfind("__", 0) == 0 || name.rfind("atomic", 0) == 0 || kOfDevice.count(name)) &&
         kDeviceHeaders.count(file_of(function));
}

bool is_in_std(tree function) {
  for (tree space = decl_namespace_context(function); space != global_namespace;
       space = CP_DECL_CONTEXT(space))
    if (space == std_node || (DECL_NAME(space) && id_equal(DECL_NAME(space), "__gnu_cxx")))
      return true;
  return false;
}

bool has_device_form(tree function) {
  const std::string name = plain_name(function), file = file_of(function);
  if (file.empty() || file[0] == '<') return true;  // g++'s own
  if (is_mathematical(file)) return true;
  if (is_in_std(function)) return kOfStd.count(name) || is_of_initializer_list(function);
  if (!DECL_EXTERN_C_P(function)) return true;  // operator new
  if (name.rfind("cuda", 0) == 0) return kOfRuntime.count(name);
  return path_of(function).rfind(cuda_headers, 0) == 0 || kOfC.count(name);
}

bool is_of_device_runtime(tree function) {
  const std::string name = plain_name(function);
  return DECL_IN_SYSTEM_HEADER(function) && DECL_EXTERN_C_P(function) && kOfRuntime.count(name) &&
         !kOfRuntimeAnyway.count(name);
}

bool has_cuda_std() {
  const tree cuda = get_namespace_binding(global_namespace, get_identifier("cuda"));
  return cuda && TREE_CODE(cuda) == NAMESPACE_DECL &&
         get_namespace_binding(cuda, get_identifier("std"));
}
