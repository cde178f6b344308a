/// NVRTC: compiles CUDA C++ that a program has as text, while the program runs.
///
/// The emulator's nvcc compiles it. The environment variable `EMULATOR_NVCC` may name that
/// compiler.
#ifndef __NVRTC_H__
#define __NVRTC_H__

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum {
  NVRTC_SUCCESS = 0,
  NVRTC_ERROR_OUT_OF_MEMORY = 1,
  NVRTC_ERROR_PROGRAM_CREATION_FAILURE = 2,
  NVRTC_ERROR_INVALID_INPUT = 3,
  NVRTC_ERROR_INVALID_PROGRAM = 4,
  NVRTC_ERROR_INVALID_OPTION = 5,
  NVRTC_ERROR_COMPILATION = 6,
  NVRTC_ERROR_BUILTIN_OPERATION_FAILURE = 7,
  NVRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION = 8,
  NVRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION = 9,
  NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID = 10,
  NVRTC_ERROR_INTERNAL_ERROR = 11,
  NVRTC_ERROR_TIME_FILE_WRITE_FAILED = 12,
  NVRTC_ERROR_NO_PCH_CREATE_ATTEMPTED = 13,
  NVRTC_ERROR_PCH_CREATE_HEAP_EXHAUSTED = 14,
  NVRTC_ERROR_PCH_CREATE = 15,
  NVRTC_ERROR_CANCELLED = 16,
  NVRTC_ERROR_TIME_TRACE_FILE_WRITE_FAILED = 17
} nvrtcResult;

/// A program's text, its name expressions, and after the compilation its outputs.
typedef struct _nvrtcProgram* nvrtcProgram;

/// Returns the name of the result; "NVRTC_ERROR unknown" for a number that is none.
const char* nvrtcGetErrorString(nvrtcResult result);

nvrtcResult nvrtcVersion(int* major, int* minor);

/// Writes how many numbers nvrtcGetSupportedArchs() writes.
nvrtcResult nvrtcGetNumSupportedArchs(int* numArchs);
/// Writes the compute capabilities, 75 for 7.5, ascending.
nvrtcResult nvrtcGetSupportedArchs(int* supportedArchs);

/// Makes a program of a text.
/// @param name          of the text in messages; "default_program" if it is null or empty
/// @param headers       `numHeaders` texts, which the program includes by the names in
/// `includeNames`
nvrtcResult nvrtcCreateProgram(nvrtcProgram* prog, const char* src, const char* name,
                               int numHeaders, const char* const* headers,
                               const char* const* includeNames);
/// Destroys a program, and makes the handle null.
nvrtcResult nvrtcDestroyProgram(nvrtcProgram* prog);

/// Compiles a program. The log has the compiler's messages, or says what is wrong with an option.
nvrtcResult nvrtcCompileProgram(nvrtcProgram prog, int numOptions, const char* const* options);

/// Sizes are in bytes, and those of texts include the zero at the end. The size is 0 where there is
/// no such output, and 1 for a text that is empty.
nvrtcResult nvrtcGetPTXSize(nvrtcProgram prog, size_t* ptxSizeRet);
nvrtcResult nvrtcGetPTX(nvrtcProgram prog, char* ptx);
/// There is a cubin if the program was compiled for a real architecture, such as sm_90.
nvrtcResult nvrtcGetCUBINSize(nvrtcProgram prog, size_t* cubinSizeRet);
nvrtcResult nvrtcGetCUBIN(nvrtcProgram prog, char* cubin);
/// The emulator makes no LTO IR and no OptiX IR: these sizes are 0.
nvrtcResult nvrtcGetLTOIRSize(nvrtcProgram prog, size_t* LTOIRSizeRet);
nvrtcResult nvrtcGetLTOIR(nvrtcProgram prog, char* LTOIR);
nvrtcResult nvrtcGetOptiXIRSize(nvrtcProgram prog, size_t* optixirSizeRet);
nvrtcResult nvrtcGetOptiXIR(nvrtcProgram prog, char* optixir);
nvrtcResult nvrtcGetProgramLogSize(nvrtcProgram prog, size_t* logSizeRet);
nvrtcResult nvrtcGetProgramLog(nvrtcProgram prog, char* log);

/// Asks for the mangled name of a kernel, or of a variable in device memory by its address, before
/// the compilation: `scale<float, 4>`, `&table`. A kernel template gets an instance by that.
nvrtcResult nvrtcAddNameExpression(nvrtcProgram prog, const char* name_expression);
/// Writes the mangled name, which lives as long as the program.
nvrtcResult nvrtcGetLoweredName(nvrtcProgram prog, const char* name_expression,
                                const char** lowered_name);

/// The emulator's compiler makes no precompiled headers here; the heap's size is remembered.
nvrtcResult nvrtcGetPCHHeapSize(size_t* ret);
nvrtcResult nvrtcSetPCHHeapSize(size_t size);
nvrtcResult nvrtcGetPCHCreateStatus(nvrtcProgram prog);
nvrtcResult nvrtcGetPCHHeapSizeRequired(nvrtcProgram prog, size_t* size);

/// Sets a function that is called before and after the compiler runs. The compilation is cancelled
/// if it returns 1.
nvrtcResult nvrtcSetFlowCallback(nvrtcProgram prog, int (*callback)(void*, void*), void* payload);

#ifdef __cplusplus
}
#endif

#if NVRTC_GET_TYPE_NAME
#include <cxxabi.h>

#include <cstdlib>
#include <string>
#include <typeinfo>

/// Writes the name of a type as C++ has it in a source.
inline nvrtcResult nvrtcGetTypeName(const std::type_info& tinfo, std::string* result) {
  int status = 0;
  char* const name = abi::__cxa_demangle(tinfo.name(), nullptr, nullptr, &status);
  if (name == nullptr) return status == -1 ? NVRTC_ERROR_OUT_OF_MEMORY : NVRTC_ERROR_INTERNAL_ERROR;
  *result = name;
  std::free(name);
  return NVRTC_SUCCESS;
}

namespace emu_nvrtc {
template <class T>
struct TypeName {};
}  // namespace emu_nvrtc

/// Writes the name of `T`, with its references and qualifiers, which typeid would drop.
template <class T>
nvrtcResult nvrtcGetTypeName(std::string* result) {
  const nvrtcResult status = nvrtcGetTypeName(typeid(emu_nvrtc::TypeName<T>), result);
  if (status != NVRTC_SUCCESS) return status;
  const std::size_t begin = result->find('<') + 1;
  *result = result->substr(begin, result->rfind('>') - begin);
  while (!result->empty() && result->back() == ' ') result->pop_back();
  return NVRTC_SUCCESS;
}
#endif

#endif
