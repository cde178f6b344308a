// NVRTC's calls.
#include <algorithm>
#include <cstring>
#include <iterator>
#include <map>
#include <new>
#include <stdexcept>
#include <string>
#include <vector>

#include "compilation.hpp"
#include "driver_api/module_text.hpp"
#include "driver_api/shared_object.hpp"
#include "nvrtc.h"
#include "options.hpp"
#include "runtime/handles.hpp"

struct _nvrtcProgram {
  emu::nvrtc::Source source;
  std::vector<std::string> expressions;

  bool was_compiled = false;  // whether a compilation succeeded
  std::map<std::string, std::string> lowered_names;
  std::string object, ptx, log;
  bool has_cubin = false;

  int (*callback)(void*, void*) = nullptr;
  void* payload = nullptr;
};

namespace {

using namespace emu::nvrtc;

emu::runtime::Handles<_nvrtcProgram>& programs() {
  static auto& all = *new emu::runtime::Handles<_nvrtcProgram>;
  return all;
}

std::size_t heap_bytes_for_headers = std::size_t{256} << 20;

/// Runs a call for a program; refuses handles that are none.
template <class F>
nvrtcResult with_program(nvrtcProgram program, F&& body) {
  if (!programs().contains(program)) return NVRTC_ERROR_INVALID_PROGRAM;
  try {
    return body(*program);
  } catch (const std::bad_alloc&) {
    return NVRTC_ERROR_OUT_OF_MEMORY;
  }
}

nvrtcResult write_size(nvrtcProgram program, std::size_t* size,
                       std::size_t (*measure)(const _nvrtcProgram&)) {
  return with_program(program, [&](const _nvrtcProgram& p) {
    if (size == nullptr) return NVRTC_ERROR_INVALID_INPUT;
    *size = measure(p);
    return NVRTC_SUCCESS;
  });
}

/// Copies an output to the program's memory; a text with the zero at its end.
template <class Get>
nvrtcResult copy_out(nvrtcProgram program, char* to, bool is_text, Get&& get) {
  return with_program(program, [&](const _nvrtcProgram& p) {
    if (to == nullptr) return NVRTC_ERROR_INVALID_INPUT;
    const std::string& from = get(p);
    std::memcpy(to, from.data(), from.size());
    if (is_text) to[from.size()] = '\0';
    return NVRTC_SUCCESS;
  });
}

const std::string& nothing() {
  static const auto& empty = *new std::string;
  return empty;
}

std::string pointer_of(std::size_t expression) {
  return "emu_nvrtc_name_" + std::to_string(expression);
}

/// Returns the source with a pointer for each name expression. The compiler makes what it points
/// to.
Source with_pointers(const _nvrtcProgram& program) {
  Source source = program.source;
  if (program.expressions.empty()) return source;
  source.text +=
      "\n#line 1 \"name expressions\"\n"
      "namespace emu_nvrtc { template <class T> constexpr T* pointer(T* p) { return p; } }\n";
  for (std::size_t i = 0; i < program.expressions.size(); ++i)
    source.text += "extern \"C\" { __attribute__((used)) extern const auto " + pointer_of(i) +
                   " = emu_nvrtc::pointer(" + program.expressions[i] + "); }\n";
  return source;
}

/// Returns whether the program's callback wants to cancel the compilation.
bool is_cancelled(const _nvrtcProgram& program) {
  return program.callback != nullptr && program.callback(program.payload, nullptr) == 1;
}

nvrtcResult compile_program(_nvrtcProgram& program, const std::vector<std::string>& words) {
  program.object.clear();
  program.ptx.clear();
  program.has_cubin = false;
  Options options;
  try {
    options = read_options(words);
  } catch (const std::invalid_argument& error) {
    program.log = error.what();
    return NVRTC_ERROR_INVALID_OPTION;
  }
  program.log = options.warnings;
  if (is_cancelled(program)) return NVRTC_ERROR_CANCELLED;
  Compiled compiled;
  try {
    compiled = compile(with_pointers(program), options);
  } catch (const std::runtime_error& error) {
    program.log += std::string("nvrtc: error: ") + error.what() + "\n";
    return NVRTC_ERROR_BUILTIN_OPERATION_FAILURE;
  }
  program.log += compiled.log;
  if (!compiled.could_start) return NVRTC_ERROR_BUILTIN_OPERATION_FAILURE;
  if (compiled.object.empty()) return NVRTC_ERROR_COMPILATION;
  if (is_cancelled(program)) return NVRTC_ERROR_CANCELLED;

  program.object = std::move(compiled.object);
  program.ptx = emu::module_as_text(program.object);
  program.has_cubin = options.is_real_architecture();
  program.was_compiled = true;
  for (std::size_t i = 0; i < program.expressions.size(); ++i)
    program.lowered_names[program.expressions[i]] =
        emu::driver::name_behind(program.object, pointer_of(i));
  return NVRTC_SUCCESS;
}

}  // namespace

const char* nvrtcGetErrorString(nvrtcResult result) {
  static constexpr const char* kNames[] = {"NVRTC_SUCCESS",
                                           "NVRTC_ERROR_OUT_OF_MEMORY",
                                           "NVRTC_ERROR_PROGRAM_CREATION_FAILURE",
                                           "NVRTC_ERROR_INVALID_INPUT",
                                           "NVRTC_ERROR_INVALID_PROGRAM",
                                           "NVRTC_ERROR_INVALID_OPTION",
                                           "NVRTC_ERROR_COMPILATION",
                                           "NVRTC_ERROR_BUILTIN_OPERATION_FAILURE",
                                           "NVRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION",
                                           "NVRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION",
                                           "NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID",
                                           "NVRTC_ERROR_INTERNAL_ERROR",
                                           "NVRTC_ERROR_TIME_FILE_WRITE_FAILED",
                                           "NVRTC_ERROR_NO_PCH_CREATE_ATTEMPTED",
                                           "NVRTC_ERROR_PCH_CREATE_HEAP_EXHAUSTED",
                                           "NVRTC_ERROR_PCH_CREATE",
                                           "NVRTC_ERROR_CANCELLED",
                                           "NVRTC_ERROR_TIME_TRACE_FILE_WRITE_FAILED"};
  const auto number = static_cast<std::size_t>(result);
  return number < std::size(kNames) ? kNames[number] : "NVRTC_ERROR unknown";
}

nvrtcResult nvrtcVersion(int* major, int* minor) {
  if (major == nullptr || minor == nullptr) return NVRTC_ERROR_INVALID_INPUT;
  *major = 13;
  *minor = 0;
  return NVRTC_SUCCESS;
}

nvrtcResult nvrtcGetNumSupportedArchs(int* numArchs) {
  if (numArchs == nullptr) return NVRTC_ERROR_INVALID_INPUT;
  *numArchs = static_cast<int>(architectures().size());
  return NVRTC_SUCCESS;
}

nvrtcResult nvrtcGetSupportedArchs(int* supportedArchs) {
  if (supportedArchs == nullptr) return NVRTC_ERROR_INVALID_INPUT;
  std::ranges::copy(architectures(), supportedArchs);
  return NVRTC_SUCCESS;
}

nvrtcResult nvrtcCreateProgram(nvrtcProgram* prog, const char* src, const char* name,
                               int numHeaders, const char* const* headers,
                               const char* const* includeNames) {
  if (prog == nullptr) return NVRTC_ERROR_INVALID_PROGRAM;
  if (src == nullptr || numHeaders < 0 ||
      (numHeaders > 0 && (headers == nullptr || includeNames == nullptr)))
    return NVRTC_ERROR_INVALID_INPUT;
  try {
    _nvrtcProgram made;
    made.source.text = src;
    made.source.name = name && *name ? name : "default_program";
    for (int i = 0; i < numHeaders; ++i) {
      if (headers[i] == nullptr || includeNames[i] == nullptr) return NVRTC_ERROR_INVALID_INPUT;
      made.source.headers.push_back({includeNames[i], headers[i]});
    }
    *prog = programs().create(std::move(made));
    return NVRTC_SUCCESS;
  } catch (const std::bad_alloc&) {
    return NVRTC_ERROR_OUT_OF_MEMORY;
  }
}

nvrtcResult nvrtcDestroyProgram(nvrtcProgram* prog) {
  if (prog == nullptr || !programs().destroy(*prog)) return NVRTC_ERROR_INVALID_PROGRAM;
  *prog = nullptr;
  return NVRTC_SUCCESS;
}

nvrtcResult nvrtcCompileProgram(nvrtcProgram prog, int numOptions, const char* const* options) {
  return with_program(prog, [&](_nvrtcProgram& program) {
    if (numOptions < 0) return NVRTC_ERROR_INVALID_INPUT;
    if (numOptions > 0 && options == nullptr) return NVRTC_ERROR_INVALID_OPTION;
    std::vector<std::string> words;
    for (int i = 0; i < numOptions; ++i) {
      if (options[i] == nullptr) return NVRTC_ERROR_INVALID_OPTION;
      words.emplace_back(options[i]);
    }
    return compile_program(program, words);
  });
}

nvrtcResult nvrtcGetPTXSize(nvrtcProgram prog, size_t* ptxSizeRet) {
  return write_size(prog, ptxSizeRet, [](const _nvrtcProgram& p) { return p.ptx.size() + 1; });
}
nvrtcResult nvrtcGetPTX(nvrtcProgram prog, char* ptx) {
  return copy_out(
      prog, ptx, true, [](const _nvrtcProgram& p) -> auto& { return p.ptx; });
}

nvrtcResult nvrtcGetCUBINSize(nvrtcProgram prog, size_t* cubinSizeRet) {
  return write_size(prog, cubinSizeRet, [](const _nvrtcProgram& p) {
    return p.has_cubin ? p.object.size() : std::size_t{0};
  });
}
nvrtcResult nvrtcGetCUBIN(nvrtcProgram prog, char* cubin) {
  return copy_out(
      prog, cubin, false,
      [](const _nvrtcProgram& p) -> auto& { return p.has_cubin ? p.object : nothing(); });
}

nvrtcResult nvrtcGetLTOIRSize(nvrtcProgram prog, size_t* LTOIRSizeRet) {
  return write_size(prog, LTOIRSizeRet, [](const _nvrtcProgram&) { return std::size_t{0}; });
}
nvrtcResult nvrtcGetLTOIR(nvrtcProgram prog, char* LTOIR) {
  return copy_out(
      prog, LTOIR, false, [](const _nvrtcProgram&) -> auto& { return nothing(); });
}
nvrtcResult nvrtcGetOptiXIRSize(nvrtcProgram prog, size_t* optixirSizeRet) {
  return write_size(prog, optixirSizeRet, [](const _nvrtcProgram&) { return std::size_t{0}; });
}
nvrtcResult nvrtcGetOptiXIR(nvrtcProgram prog, char* optixir) {
  return copy_out(
      prog, optixir, false, [](const _nvrtcProgram&) -> auto& { return nothing(); });
}

nvrtcResult nvrtcGetProgramLogSize(nvrtcProgram prog, size_t* logSizeRet) {
  return write_size(prog, logSizeRet, [](const _nvrtcProgram& p) { return p.log.size() + 1; });
}
nvrtcResult nvrtcGetProgramLog(nvrtcProgram prog, char* log) {
  return copy_out(
      prog, log, true, [](const _nvrtcProgram& p) -> auto& { return p.log; });
}

nvrtcResult nvrtcAddNameExpression(nvrtcProgram prog, const char* name_expression) {
  return with_program(prog, [&](_nvrtcProgram& program) {
    if (name_expression == nullptr) return NVRTC_ERROR_INVALID_INPUT;
    if (program.was_compiled) return NVRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION;
    if (std::ranges::count(program.expressions, name_expression) == 0)
      program.expressions.emplace_back(name_expression);
    return NVRTC_SUCCESS;
  });
}

nvrtcResult nvrtcGetLoweredName(nvrtcProgram prog, const char* name_expression,
                                const char** lowered_name) {
  return with_program(prog, [&](const _nvrtcProgram& program) {
    if (name_expression == nullptr || lowered_name == nullptr) return NVRTC_ERROR_INVALID_INPUT;
    *lowered_name = nullptr;
    if (!program.was_compiled) return NVRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION;
    const auto found = program.lowered_names.find(name_expression);
    if (found == program.lowered_names.end()) return NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID;
    *lowered_name = found->second.c_str();
    return NVRTC_SUCCESS;
  });
}

nvrtcResult nvrtcGetPCHHeapSize(size_t* ret) {
  if (ret == nullptr) return NVRTC_ERROR_INVALID_INPUT;
  *ret = heap_bytes_for_headers;
  return NVRTC_SUCCESS;
}
nvrtcResult nvrtcSetPCHHeapSize(size_t size) {
  heap_bytes_for_headers = size;
  return NVRTC_SUCCESS;
}
nvrtcResult nvrtcGetPCHCreateStatus(nvrtcProgram prog) {
  return with_program(prog,
                      [](const _nvrtcProgram&) { return NVRTC_ERROR_NO_PCH_CREATE_ATTEMPTED; });
}
nvrtcResult nvrtcGetPCHHeapSizeRequired(nvrtcProgram prog, size_t* size) {
  return write_size(prog, size, [](const _nvrtcProgram&) { return std::size_t{0}; });
}

nvrtcResult nvrtcSetFlowCallback(nvrtcProgram prog, int (*callback)(void*, void*), void* payload) {
  return with_program(prog, [&](_nvrtcProgram& program) {
    if (callback == nullptr) return NVRTC_ERROR_INVALID_INPUT;
    program.callback = callback;
    program.payload = payload;
    return NVRTC_SUCCESS;
  });
}
