/// Tests modules, their kernels and variables, and launches; also runs on a device.
#include <doctest/doctest.h>

#include <cstring>
#include <fstream>
#include <iterator>
#include <numeric>
#include <string>
#include <vector>

#include "driver.hpp"

using namespace driver_tests;

namespace {

template <class T>
T read(CUdeviceptr from) {
  T value{};
  check(cuMemcpyDtoH(&value, from, sizeof(value)));
  return value;
}

std::string bytes_of(const std::string& name) {
  std::ifstream in(module_file(name), std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(in), {});
}

std::vector<float> counted(std::size_t count, float step) {
  std::vector<float> values(count);
  for (std::size_t i = 0; i < count; ++i) values[i] = step * static_cast<float>(i % 97);
  return values;
}

}  // namespace

TEST_CASE("a kernel of extern \"C\", from a file of each kind") {
  const Context context;
  for (const char* file : {"kernels.ptx", "kernels.cubin", "kernels.fatbin"}) {
    CAPTURE(file);
    const Module module(file);
    Buffer<float> x(counted(1000, 1.0f)), y(counted(1000, 0.5f));
    int n = 1000;
    float a = 2.0f;
    CHECK(launch(module.function("saxpy"), 4, 256, {&n, &a, x.address(), y.address()}) ==
          CUDA_SUCCESS);
    const std::vector<float> result = y.values(), first = counted(1000, 1.0f);
    int wrong = 0;
    for (std::size_t i = 0; i < result.size(); ++i) wrong += result[i] != 2.5f * first[i];
    CHECK(wrong == 0);
  }
}

TEST_CASE("a module in memory, as text that a zero ends and as bytes") {
  const Context context;
  const std::string text = bytes_of("kernels.ptx"), bytes = bytes_of("kernels.cubin");
  CHECK(text.find('\0') == std::string::npos);
  for (const std::string* image : {&text, &bytes}) {
    for (int form = 0; form < 3; ++form) {
      CUmodule module = nullptr;
      const void* const begin = image->c_str();
      const CUresult result = form == 0   ? cuModuleLoadData(&module, begin)
                              : form == 1 ? cuModuleLoadDataEx(&module, begin, 0, nullptr, nullptr)
                                          : cuModuleLoadFatBinary(&module, begin);
      CHECK(result == CUDA_SUCCESS);
      CUfunction function = nullptr;
      CHECK(cuModuleGetFunction(&function, module, "nothing") == CUDA_SUCCESS);
      CHECK(launch(function, 1, 32, {}) == CUDA_SUCCESS);
      CHECK(cuCtxSynchronize() == CUDA_SUCCESS);
      CHECK(cuModuleUnload(module) == CUDA_SUCCESS);
    }
  }
}

TEST_CASE("a matrix product by the mangled name of a template") {
  const Context context;
  const Module module;
  constexpr int kSide = 48;
  std::vector<float> a = counted(kSide * kSide, 1.0f), b = counted(kSide * kSide, 3.0f);
  Buffer<float> on_a(a), on_b(b), on_c(kSide * kSide);
  int side = kSide;
  void* parameters[] = {on_a.address(), on_b.address(), on_c.address(), &side};
  const CUfunction multiply = module.function("_Z8multiplyIfLi16EEvPKT_S2_PS0_i");
  CHECK(cuLaunchKernel(multiply, 3, 3, 1, 16, 16, 1, 0, nullptr, parameters, nullptr) ==
        CUDA_SUCCESS);
  const std::vector<float> c = on_c.values();
  int wrong = 0;
  for (int row = 0; row < kSide; ++row)
    for (int col = 0; col < kSide; ++col) {
      float sum = 0;
      for (int k = 0; k < kSide; ++k) sum += a[row * kSide + k] * b[k * kSide + col];
      wrong += c[static_cast<std::size_t>(row * kSide + col)] != sum;
    }
  CHECK(wrong == 0);
  int bytes = 0;
  CHECK(cuFuncGetAttribute(&bytes, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, multiply) == CUDA_SUCCESS);
  CHECK(bytes == 2 * 16 * 16 * 4);
}

TEST_CASE("variables by their names; each load has its own") {
  const Context context;
  const Module one, two;
  std::size_t bytes = 0;
  CUdeviceptr factors = 0;
  CHECK(cuModuleGetGlobal(&factors, &bytes, one.handle(), "factors") == CUDA_SUCCESS);
  CHECK(bytes == 16);
  CHECK(read<float>(factors + 4) == 2.0f);
  CHECK(read<int>(one.global("never_used") + 8) == 9);
  CHECK(read<double>(one.global("_ZN5inner12in_namespaceE")) == 2.25);
  const float values[4] = {10, 20, 30, 40};
  CHECK(cuMemcpyHtoD(factors, values, sizeof(values)) == CUDA_SUCCESS);
  Buffer<float> of_one(std::vector<float>(32, 2.0f)), of_two(std::vector<float>(32, 2.0f));
  int which = 2;
  CHECK(launch(one.function("scale"), 1, 32, {of_one.address(), &which}) == CUDA_SUCCESS);
  CHECK(launch(two.function("scale"), 1, 32, {of_two.address(), &which}) == CUDA_SUCCESS);
  CHECK(of_one.values() == std::vector<float>(32, 90.0f));
  CHECK(of_two.values() == std::vector<float>(32, 9.0f));
  CHECK(cuModuleGetGlobal(nullptr, &bytes, one.handle(), "factors") == CUDA_SUCCESS);
  CHECK(cuModuleGetGlobal(&factors, nullptr, one.handle(), "no_such_variable") ==
        CUDA_ERROR_NOT_FOUND);
}

TEST_CASE("managed variables of a module") {
  const Context context;
  const Module module;
  int* const value = reinterpret_cast<int*>(module.global("shared_with_host"));
  CHECK(*value == 11);
  CHECK(launch(module.function("add_managed"), 1, 1, {}) == CUDA_SUCCESS);
  CHECK(cuCtxSynchronize() == CUDA_SUCCESS);
  CHECK(*value == 12);
}

TEST_CASE("arguments in a buffer: CU_LAUNCH_PARAM_BUFFER_POINTER") {
  const Context context;
  const Module module;
  Buffer<double> out(4);
  struct Pair {
    char small;
    double large;
  };
  struct {
    char c;
    Pair pair;
    short s;
    CUdeviceptr out;
  } arguments = {3, {4, 5.5}, 6, out.begin()};
  std::size_t bytes = sizeof(arguments);
  void* extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, &arguments, CU_LAUNCH_PARAM_BUFFER_SIZE, &bytes,
                   CU_LAUNCH_PARAM_END};
  const CUfunction mixed = module.function("mixed");
  CHECK(cuLaunchKernel(mixed, 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, extra) == CUDA_SUCCESS);
  CHECK(out.values() == std::vector<double>{3, 4, 5.5, 6});
  std::size_t offset = 0, size = 0;
  CHECK(cuFuncGetParamInfo(mixed, 1, &offset, &size) == CUDA_SUCCESS);
  CHECK(offset == 8);
  CHECK(size == 16);
  CHECK(cuFuncGetParamInfo(mixed, 3, &offset, nullptr) == CUDA_SUCCESS);
  CHECK(offset == 32);
  CHECK(cuFuncGetParamInfo(mixed, 4, &offset, nullptr) == CUDA_ERROR_INVALID_VALUE);
}

TEST_CASE("dynamic shared memory, above 48 KiB by cuFuncSetAttribute") {
  const Context context;
  const Module module;
  const CUfunction reverse = module.function("reverse");
  std::vector<int> values(256);
  std::iota(values.begin(), values.end(), 0);
  Buffer<int> data(values);
  CHECK(launch(reverse, 1, 256, {data.address()}, 1024) == CUDA_SUCCESS);
  CHECK(data.values() == std::vector<int>(values.rbegin(), values.rend()));
  constexpr int kMuch = 64 * 1024;
  CHECK(launch(reverse, 1, 256, {data.address()}, kMuch) == CUDA_ERROR_INVALID_VALUE);
  CHECK(cuFuncSetAttribute(reverse, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, kMuch) ==
        CUDA_SUCCESS);
  CHECK(launch(reverse, 1, 256, {data.address()}, kMuch) == CUDA_SUCCESS);
  CHECK(data.values() == values);
}

TEST_CASE("launches that are refused leave the context as it is") {
  const Context context;
  const Module module;
  Buffer<int> out(1);
  const CUfunction small = module.function("small_blocks"), nothing = module.function("nothing");
  CHECK(launch(nothing, 1, 1025, {}) == CUDA_ERROR_INVALID_VALUE);
  CHECK(launch(nothing, 0, 32, {}) == CUDA_ERROR_INVALID_VALUE);
  CHECK(launch(small, 1, 64, {out.address()}) == CUDA_SUCCESS);
  CHECK(launch(small, 1, 128, {out.address()}) != CUDA_SUCCESS);
  CHECK(cuCtxSynchronize() == CUDA_SUCCESS);
  CHECK(out.values() == std::vector<int>{1});
  int most = 0;
  CHECK(cuFuncGetAttribute(&most, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, small) == CUDA_SUCCESS);
  CHECK(most == 64);
}

TEST_CASE("what is not there") {
  const Context context;
  const Module module;
  CUmodule other = nullptr;
  CUfunction function = nullptr;
  CHECK(cuModuleLoad(&other, "no_such_file.ptx") == CUDA_ERROR_FILE_NOT_FOUND);
  CHECK(cuModuleGetFunction(&function, module.handle(), "no_such_kernel") == CUDA_ERROR_NOT_FOUND);
  CHECK(cuModuleGetFunction(&function, module.handle(), "launch_it") == CUDA_ERROR_NOT_FOUND);
  CHECK(cuModuleLoad(nullptr, "no_such_file.ptx") == CUDA_ERROR_INVALID_VALUE);
  CHECK(cuModuleGetFunction(nullptr, module.handle(), "nothing") == CUDA_ERROR_INVALID_VALUE);
  CHECK(cuModuleGetFunction(&function, module.handle(), "_Z12local_kernelPi") == CUDA_SUCCESS);
}

TEST_CASE("libraries and their kernels") {
  const Context context;
  CUlibrary library = nullptr;
  REQUIRE(cuLibraryLoadFromFile(&library, module_file("kernels.cubin").c_str(), nullptr, nullptr, 0,
                                nullptr, nullptr, 0) == CUDA_SUCCESS);
  unsigned count = 0;
  CHECK(cuLibraryGetKernelCount(&count, library) == CUDA_SUCCESS);
  CHECK(count == 12);
  CUkernel kernel = nullptr;
  CHECK(cuLibraryGetKernel(&kernel, library, "small_blocks") == CUDA_SUCCESS);
  CHECK(cuLibraryGetKernel(&kernel, library, "no_such_kernel") == CUDA_ERROR_NOT_FOUND);
  CHECK(cuLibraryGetKernel(&kernel, library, "small_blocks") == CUDA_SUCCESS);
  const char* name = nullptr;
  CHECK(cuKernelGetName(&name, kernel) == CUDA_SUCCESS);
  CHECK(std::string(name) == "small_blocks");
  Buffer<int> out(1);
  CHECK(launch(reinterpret_cast<CUfunction>(kernel), 1, 32, {out.address()}) == CUDA_SUCCESS);
  CHECK(out.values() == std::vector<int>{1});
  CUfunction function = nullptr;
  CHECK(cuKernelGetFunction(&function, kernel) == CUDA_SUCCESS);
  CHECK(launch(function, 1, 32, {out.address()}) == CUDA_SUCCESS);
  CUdeviceptr pointer = 0;
  std::size_t bytes = 0;
  CHECK(cuLibraryGetGlobal(&pointer, &bytes, library, "launches") == CUDA_SUCCESS);
  CHECK(read<int>(pointer) == 5);
  CHECK(cuLibraryGetManaged(&pointer, &bytes, library, "shared_with_host") == CUDA_SUCCESS);
  CHECK(cuLibraryGetGlobal(&pointer, &bytes, library, "none") == CUDA_ERROR_NOT_FOUND);
  CHECK(cuLibraryUnload(library) == CUDA_SUCCESS);
}

TEST_CASE("cuLaunchKernelEx, cooperative launches and occupancy") {
  const Context context;
  const Module module;
  Buffer<int> out(1);
  const CUfunction small = module.function("small_blocks");
  CUlaunchAttribute attribute{};
  attribute.id = CU_LAUNCH_ATTRIBUTE_COOPERATIVE;
  attribute.value.cooperative = 1;
  CUlaunchConfig config{};
  config.gridDimX = config.gridDimY = config.gridDimZ = 1;
  config.blockDimX = 32;
  config.blockDimY = config.blockDimZ = 1;
  config.attrs = &attribute;
  config.numAttrs = 1;
  void* parameters[] = {out.address()};
  CHECK(cuLaunchKernelEx(&config, small, parameters, nullptr) == CUDA_SUCCESS);
  CHECK(cuLaunchCooperativeKernel(small, 2, 1, 1, 32, 1, 1, 0, nullptr, parameters) ==
        CUDA_SUCCESS);
  CHECK(cuLaunchCooperativeKernel(small, 1u << 20, 1, 1, 32, 1, 1, 0, nullptr, parameters) ==
        CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE);
  CHECK(out.values() == std::vector<int>{1});
  int blocks = 0, grid = 0, threads = 0;
  CHECK(cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, module.function("nothing"), 1024, 0) ==
        CUDA_SUCCESS);
  CHECK(blocks == 2);
  CHECK(cuOccupancyMaxPotentialBlockSize(&grid, &threads, small, nullptr, 0, 0) == CUDA_SUCCESS);
  CHECK(threads == 64);
}

TEST_CASE("a module goes through the linker") {
  const Context context;
  CUlinkState state = nullptr;
  void* image = nullptr;
  std::size_t bytes = 0;
  REQUIRE(cuLinkCreate(0, nullptr, nullptr, &state) == CUDA_SUCCESS);
  std::string text = bytes_of("kernels.ptx");
  CHECK(cuLinkAddData(state, CU_JIT_INPUT_PTX, text.data(), text.size() + 1, "kernels.ptx", 0,
                      nullptr, nullptr) == CUDA_SUCCESS);
  CHECK(cuLinkComplete(state, &image, &bytes) == CUDA_SUCCESS);
  CUmodule module = nullptr;
  CHECK(cuModuleLoadData(&module, image) == CUDA_SUCCESS);
  CHECK(cuLinkDestroy(state) == CUDA_SUCCESS);
  CUfunction function = nullptr;
  CHECK(cuModuleGetFunction(&function, module, "nothing") == CUDA_SUCCESS);
  CHECK(cuModuleUnload(module) == CUDA_SUCCESS);
}
