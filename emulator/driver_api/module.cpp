// Modules and libraries: loading them, and finding their kernels and variables by name.
#include "module.hpp"

#include <fmt/format.h>

#include <cstring>
#include <fstream>
#include <iterator>
#include <mutex>
#include <optional>
#include <set>
#include <stdexcept>
#include <string_view>

#include "call.hpp"
#include "engine/run/queue.hpp"
#include "module_text.hpp"
#include "runtime/handles.hpp"

struct CUlinkState_st {
  std::optional<std::string> image;
};

using namespace emu;
using namespace emu::driver;
using runtime::Handles;

namespace {

template <class T>
Handles<T>& handles() {
  static auto& all = *new Handles<T>;
  return all;
}

/// Prints why a module is not loaded.
void print_reason(const std::string& name, const std::string& reason) {
  fmt::print(stderr, "emulator: {} of {}: {}\n", runtime::CallReport::call(), name, reason);
}

constexpr const char* kOnlyOwn =
    "the emulator runs only modules that its own nvcc has compiled (-ptx, -cubin, -fatbin)";

bool is_ptx(std::string_view text) {
  return text.find(".version") != text.npos && text.find(".target") != text.npos;
}

/// Extracts the shared object from the bytes of a file or of an image in memory.
CUresult object_in(std::string_view bytes, const std::string& name, std::string& object) {
  if (bytes.size() >= 64 && is_elf(bytes.data())) {
    object = bytes.substr(0, size_of_elf(bytes.data()));
    return CUDA_SUCCESS;
  }
  object = module_from_text(bytes);
  if (!object.empty()) return CUDA_SUCCESS;
  print_reason(name, kOnlyOwn);
  return is_ptx(bytes) ? CUDA_ERROR_INVALID_PTX : CUDA_ERROR_INVALID_IMAGE;
}

/// Returns the bytes of an image in memory. Its size follows from its header, or, for text, from
/// the zero at its end.
std::string_view bytes_at(const void* image) {
  const char* const begin = static_cast<const char*>(image);
  if (std::strncmp(begin,
                   "\x7f"
                   "ELF",
                   4) == 0)
    return {begin, size_of_elf(begin)};
  return begin;
}

/// Makes a module of a shared object; prints the reason if that is not possible.
CUresult make_module(const std::string& object, const std::string& name, CUmodule* module) {
  try {
    if (const std::string reason = reason_against(object); !reason.empty()) {
      print_reason(name, reason);
      return CUDA_ERROR_INVALID_IMAGE;
    }
    CUmod_st made;
    made.object = load_object(object, name);
    const CUmodule handle = handles<CUmod_st>().create(std::move(made));
    for (const ModuleKernelEntry& kernel : handle->object.kernels)
      handle->functions.push_back({kernel.name, kernel.address, kernel.record, handle});
    *module = handle;
    return CUDA_SUCCESS;
  } catch (const std::runtime_error& error) {
    print_reason(name, error.what());
    return CUDA_ERROR_INVALID_IMAGE;
  }
}

CUresult load_bytes(std::string_view bytes, const std::string& name, CUmodule* module) {
  std::string object;
  if (const CUresult error = object_in(bytes, name, object); error != CUDA_SUCCESS) return error;
  return make_module(object, name, module);
}

CUresult read_file(const char* file, std::string& bytes) {
  std::ifstream in(file, std::ios::binary);
  if (!in) return CUDA_ERROR_FILE_NOT_FOUND;
  bytes.assign(std::istreambuf_iterator<char>(in), {});
  return CUDA_SUCCESS;
}

CUresult load_file(const char* file, CUmodule* module) {
  std::string bytes;
  if (const CUresult error = read_file(file, bytes); error != CUDA_SUCCESS) return error;
  return load_bytes(bytes, file, module);
}

/// Loads a module that the context owns.
template <class Load>
CUresult load_owned(CUmodule* module, const void* source, Load&& load) {
  if (module == nullptr || source == nullptr) return CUDA_ERROR_INVALID_VALUE;
  if (sticky_error() != cudaSuccess) return result_of(sticky_error());
  const CUresult error = load();
  if (error == CUDA_SUCCESS) own(Owned::module, *module);
  return error;
}

CUresult load_data(CUmodule* module, const void* image) {
  return load_owned(module, image,
                    [&] { return load_bytes(bytes_at(image), "an image in memory", module); });
}

bool unload(CUmodule module) {
  if (!handles<CUmod_st>().contains(module)) return false;
  finish_all();
  runtime::remove_variables(module->object.sections);
  return handles<CUmod_st>().destroy(module);
}

const CUfunc_st* find_function(CUmodule module, std::string_view name) {
  for (const CUfunc_st& function : module->functions)
    if (function.name == name) return &function;
  return nullptr;
}

/// Finds a variable's address and size. Each of the two pointers may be null.
CUresult find_variable(CUmodule module, std::string_view name, bool is_managed,
                       CUdeviceptr* pointer, std::size_t* bytes) {
  for (const ModuleVariable& variable : module->object.variables) {
    if (variable.symbol.name != name || (is_managed && variable.space != Space::managed)) continue;
    if (pointer != nullptr) *pointer = address(variable.symbol.address);
    if (bytes != nullptr) *bytes = variable.symbol.bytes;
    return CUDA_SUCCESS;
  }
  return CUDA_ERROR_NOT_FOUND;
}

bool is_module(CUmodule module) { return handles<CUmod_st>().contains(module); }
bool is_library(CUlibrary library) { return handles<CUlib_st>().contains(library); }

/// Makes a library of the module that `load` makes.
template <class Load>
CUresult load_library(CUlibrary* library, const void* source, Load&& load) {
  if (library == nullptr || source == nullptr) return CUDA_ERROR_INVALID_VALUE;
  CUmodule module = nullptr;
  if (const CUresult error = load(&module); error != CUDA_SUCCESS) return error;
  *library = handles<CUlib_st>().create({module, {}});
  for (CUfunc_st& function : module->functions)
    (*library)->kernels.push_back({&function, *library});
  return CUDA_SUCCESS;
}

CUresult add_to_link(CUlinkState state, std::string_view bytes, const std::string& name) {
  if (!handles<CUlinkState_st>().contains(state)) return CUDA_ERROR_INVALID_HANDLE;
  if (state->image) unsupported("cuLinkAddData, cuLinkAddFile of a second module");
  std::string object;
  if (const CUresult error = object_in(bytes, name, object); error != CUDA_SUCCESS) return error;
  state->image = std::move(object);
  return CUDA_SUCCESS;
}

std::set<const void*>& live_kernels() {
  static auto& all = *new std::set<const void*>;
  return all;
}
std::mutex live_mutex;

void note_kernels(CUlibrary library, bool live) {
  const std::lock_guard lock(live_mutex);
  for (const CUkern_st& kernel : library->kernels) {
    if (live)
      live_kernels().insert(&kernel);
    else
      live_kernels().erase(&kernel);
  }
}

}  // namespace

const CUfunc_st* emu::driver::function_of(CUkernel handle) {
  const std::lock_guard lock(live_mutex);
  return live_kernels().contains(handle) ? handle->function : nullptr;
}

const CUfunc_st* emu::driver::function_of(CUfunction handle) {
  if (handle == nullptr) return nullptr;
  if (const CUfunc_st* const kernel = function_of(reinterpret_cast<CUkernel>(handle)))
    return kernel;
  const CUfunc_st* found = nullptr;
  handles<CUmod_st>().find([&](const CUmod_st& module) {
    for (const CUfunc_st& function : module.functions)
      if (&function == handle) found = &function;
    return found != nullptr;
  });
  return found;
}

void emu::driver::unload_module(CUmodule module) noexcept { unload(module); }

// ---------------------------------------------------------------------------------------- modules

CUresult cuModuleLoad(CUmodule* module, const char* file) {
  return call([&] { return load_owned(module, file, [&] { return load_file(file, module); }); });
}

CUresult cuModuleLoadData(CUmodule* module, const void* image) {
  return call([&] { return load_data(module, image); });
}

CUresult cuModuleLoadDataEx(CUmodule* module, const void* image, unsigned int, CUjit_option*,
                            void**) {
  return call([&] { return load_data(module, image); });
}

CUresult cuModuleLoadFatBinary(CUmodule* module, const void* image) {
  return call([&] { return load_data(module, image); });
}

CUresult cuModuleUnload(CUmodule module) {
  return call([&] {
    disown(Owned::module, module);
    return unload(module) ? result_of(cudaDeviceSynchronize()) : CUDA_ERROR_INVALID_HANDLE;
  });
}

CUresult cuModuleGetLoadingMode(CUmoduleLoadingMode* mode) {
  return call<Needs::driver>([&] {
    if (mode == nullptr) return CUDA_ERROR_INVALID_VALUE;
    *mode = CU_MODULE_EAGER_LOADING;
    return CUDA_SUCCESS;
  });
}

CUresult cuModuleGetFunction(CUfunction* function, CUmodule module, const char* name) {
  return call([&] {
    if (function == nullptr || name == nullptr || *name == '\0') return CUDA_ERROR_INVALID_VALUE;
    if (!is_module(module)) return CUDA_ERROR_INVALID_HANDLE;
    const CUfunc_st* const found = find_function(module, name);
    if (found == nullptr) return CUDA_ERROR_NOT_FOUND;
    *function = const_cast<CUfunction>(found);
    return CUDA_SUCCESS;
  });
}

CUresult cuModuleGetFunctionCount(unsigned int* count, CUmodule module) {
  return call([&] {
    if (count == nullptr) return CUDA_ERROR_INVALID_VALUE;
    if (!is_module(module)) return CUDA_ERROR_INVALID_HANDLE;
    *count = static_cast<unsigned>(module->functions.size());
    return CUDA_SUCCESS;
  });
}

CUresult cuModuleEnumerateFunctions(CUfunction* functions, unsigned int count, CUmodule module) {
  return call([&] {
    if (functions == nullptr || count == 0) return CUDA_ERROR_INVALID_VALUE;
    if (!is_module(module)) return CUDA_ERROR_INVALID_HANDLE;
    for (unsigned i = 0; i < count && i < module->functions.size(); ++i)
      functions[i] = &module->functions[i];
    return CUDA_SUCCESS;
  });
}

CUresult cuModuleGetGlobal_v2(CUdeviceptr* pointer, size_t* bytes, CUmodule module,
                              const char* name) {
  return call([&] {
    if (name == nullptr || (pointer == nullptr && bytes == nullptr))
      return CUDA_ERROR_INVALID_VALUE;
    if (!is_module(module)) return CUDA_ERROR_INVALID_HANDLE;
    return find_variable(module, name, false, pointer, bytes);
  });
}

// -------------------------------------------------------------------------------------- libraries

CUresult cuLibraryLoadData(CUlibrary* library, const void* image, CUjit_option*, void**,
                           unsigned int, CUlibraryOption*, void**, unsigned int) {
  return call<Needs::driver>([&] {
    const CUresult result = load_library(library, image, [&](CUmodule* module) {
      return load_bytes(bytes_at(image), "an image in memory", module);
    });
    if (result == CUDA_SUCCESS) note_kernels(*library, true);
    return result;
  });
}

CUresult cuLibraryLoadFromFile(CUlibrary* library, const char* file, CUjit_option*, void**,
                               unsigned int, CUlibraryOption*, void**, unsigned int) {
  return call<Needs::driver>([&] {
    const CUresult result =
        load_library(library, file, [&](CUmodule* module) { return load_file(file, module); });
    if (result == CUDA_SUCCESS) note_kernels(*library, true);
    return result;
  });
}

CUresult cuLibraryUnload(CUlibrary library) {
  return call<Needs::driver>([&] {
    if (!is_library(library)) return CUDA_ERROR_INVALID_HANDLE;
    note_kernels(library, false);
    unload(library->module);
    handles<CUlib_st>().destroy(library);
    return CUDA_SUCCESS;
  });
}

CUresult cuLibraryGetKernel(CUkernel* kernel, CUlibrary library, const char* name) {
  return call<Needs::driver>([&] {
    if (kernel == nullptr || name == nullptr) return CUDA_ERROR_INVALID_VALUE;
    if (!is_library(library)) return CUDA_ERROR_INVALID_HANDLE;
    for (CUkern_st& one : library->kernels) {
      if (one.function->name != name) continue;
      *kernel = &one;
      return CUDA_SUCCESS;
    }
    return CUDA_ERROR_NOT_FOUND;
  });
}

CUresult cuLibraryGetKernelCount(unsigned int* count, CUlibrary library) {
  return call<Needs::driver>([&] {
    if (count == nullptr) return CUDA_ERROR_INVALID_VALUE;
    if (!is_library(library)) return CUDA_ERROR_INVALID_HANDLE;
    *count = static_cast<unsigned>(library->kernels.size());
    return CUDA_SUCCESS;
  });
}

CUresult cuLibraryEnumerateKernels(CUkernel* kernels, unsigned int count, CUlibrary library) {
  return call<Needs::driver>([&] {
    if (kernels == nullptr || count == 0) return CUDA_ERROR_INVALID_VALUE;
    if (!is_library(library)) return CUDA_ERROR_INVALID_HANDLE;
    for (unsigned i = 0; i < count && i < library->kernels.size(); ++i)
      kernels[i] = &library->kernels[i];
    return CUDA_SUCCESS;
  });
}

CUresult cuLibraryGetModule(CUmodule* module, CUlibrary library) {
  return call([&] {
    if (module == nullptr) return CUDA_ERROR_INVALID_VALUE;
    if (!is_library(library)) return CUDA_ERROR_INVALID_HANDLE;
    *module = library->module;
    return CUDA_SUCCESS;
  });
}

CUresult cuLibraryGetGlobal(CUdeviceptr* pointer, size_t* bytes, CUlibrary library,
                            const char* name) {
  return call([&] {
    if (name == nullptr) return CUDA_ERROR_INVALID_VALUE;
    if (!is_library(library)) return CUDA_ERROR_INVALID_HANDLE;
    return find_variable(library->module, name, false, pointer, bytes);
  });
}

CUresult cuLibraryGetManaged(CUdeviceptr* pointer, size_t* bytes, CUlibrary library,
                             const char* name) {
  return call<Needs::driver>([&] {
    if (name == nullptr) return CUDA_ERROR_INVALID_VALUE;
    if (!is_library(library)) return CUDA_ERROR_INVALID_HANDLE;
    return find_variable(library->module, name, true, pointer, bytes);
  });
}

CUresult cuKernelGetFunction(CUfunction* function, CUkernel kernel) {
  return call([&] {
    if (function == nullptr) return CUDA_ERROR_INVALID_VALUE;
    const CUfunc_st* const found = function_of(kernel);
    if (found == nullptr) return CUDA_ERROR_INVALID_HANDLE;
    *function = const_cast<CUfunction>(found);
    return CUDA_SUCCESS;
  });
}

CUresult cuKernelGetLibrary(CUlibrary* library, CUkernel kernel) {
  return call<Needs::driver>([&] {
    if (library == nullptr) return CUDA_ERROR_INVALID_VALUE;
    if (function_of(kernel) == nullptr) return CUDA_ERROR_INVALID_HANDLE;
    *library = kernel->library;
    return CUDA_SUCCESS;
  });
}

// ----------------------------------------------------------------------------------------- linker

CUresult cuLinkCreate_v2(unsigned int, CUjit_option*, void**, CUlinkState* state) {
  return call([&] {
    if (state == nullptr) return CUDA_ERROR_INVALID_VALUE;
    *state = handles<CUlinkState_st>().create({});
    return CUDA_SUCCESS;
  });
}

CUresult cuLinkAddData_v2(CUlinkState state, CUjitInputType, void* data, size_t bytes,
                          const char* name, unsigned int, CUjit_option*, void**) {
  return call([&] {
    if (data == nullptr || bytes == 0) return CUDA_ERROR_INVALID_VALUE;
    return add_to_link(state, {static_cast<const char*>(data), bytes},
                       name ? name : "an image in memory");
  });
}

CUresult cuLinkAddFile_v2(CUlinkState state, CUjitInputType, const char* file, unsigned int,
                          CUjit_option*, void**) {
  return call([&] {
    if (file == nullptr) return CUDA_ERROR_INVALID_VALUE;
    std::string bytes;
    const CUresult error = read_file(file, bytes);
    return error != CUDA_SUCCESS ? error : add_to_link(state, bytes, file);
  });
}

CUresult cuLinkComplete(CUlinkState state, void** image, size_t* bytes) {
  return call([&] {
    if (image == nullptr) return CUDA_ERROR_INVALID_VALUE;
    if (!handles<CUlinkState_st>().contains(state)) return CUDA_ERROR_INVALID_HANDLE;
    if (!state->image) return CUDA_ERROR_INVALID_IMAGE;
    *image = state->image->data();
    if (bytes != nullptr) *bytes = state->image->size();
    return CUDA_SUCCESS;
  });
}

CUresult cuLinkDestroy(CUlinkState state) {
  return call([&] {
    return handles<CUlinkState_st>().destroy(state) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
  });
}
