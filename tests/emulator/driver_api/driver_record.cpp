// Prints the driver's results of wrong calls and of calls that no manual specifies, one line each.
// recorded_h200.txt is an H200's output; the test compares the emulator with it.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "driver.hpp"

using namespace driver_tests;

namespace {

/// The call, its result, and a number that it returned; braces evaluate them in this order.
struct Line {
  Line(const char* asked, CUresult answer) : what(asked), result(answer) {}
  template <class T>
  Line(const char* asked, CUresult answer, T number)
      : what(asked), result(answer), has_value(true), value(static_cast<long long>(number)) {}

  const char* what;
  CUresult result;
  bool has_value = false;
  long long value = 0;
};

void print_answer(const Line& line) {
  std::printf("%s: %s", line.what, name_of(line.result));
  if (line.has_value && line.result == CUDA_SUCCESS) std::printf(" %lld", line.value);
  std::printf("\n");
}

void before_init() {
  int count = 0;
  CUcontext context = nullptr;
  CUdeviceptr memory = 0;
  CUmodule module = nullptr;
  void* function = nullptr;
  print_answer({"count before cuInit", cuDeviceGetCount(&count)});
  print_answer({"current before cuInit", cuCtxGetCurrent(&context)});
  print_answer({"allocation before cuInit", cuMemAlloc(&memory, 16)});
  print_answer({"module before cuInit", cuModuleLoad(&module, "none")});
  print_answer({"version before cuInit", cuDriverGetVersion(&count)});
  print_answer(
      {"entry point before cuInit", cuGetProcAddress("cuInit", &function, 13000, 0, nullptr)});
  print_answer({"init with flags", cuInit(1)});
  print_answer({"init", cuInit(0)});
}

void without_context() {
  int value = 0;
  CUdevice device = 0;
  CUcontext context = nullptr;
  CUdeviceptr memory = 0;
  CUmodule module = nullptr;
  CUlibrary library = nullptr;
  CUstream stream = nullptr;
  unsigned flags = 0, version = 0;
  print_answer({"allocation without context", cuMemAlloc(&memory, 16)});
  print_answer({"free of 0 without context", cuMemFree(0)});
  print_answer(
      {"module without context", cuModuleLoad(&module, module_file("kernels.ptx").c_str())});
  print_answer({"missing module without context", cuModuleLoad(&module, "none")});
  print_answer({"stream without context", cuStreamCreate(&stream, 0)});
  print_answer({"synchronize without context", cuCtxSynchronize()});
  print_answer({"device without context", cuCtxGetDevice(&device)});
  print_answer({"pop without context", cuCtxPopCurrent(&context)});
  print_answer({"push of null", cuCtxPushCurrent(nullptr)});
  print_answer({"set to null", cuCtxSetCurrent(nullptr)});
  print_answer({"api version of null without context", cuCtxGetApiVersion(nullptr, &version)});
  print_answer({"destroy null", cuCtxDestroy(nullptr)});
  print_answer({"release without retain", cuDevicePrimaryCtxRelease(0)});
  print_answer({"state", cuDevicePrimaryCtxGetState(0, &flags, &value), value});
  print_answer({"library without context",
                cuLibraryLoadFromFile(&library, module_file("kernels.cubin").c_str(), nullptr,
                                      nullptr, 0, nullptr, nullptr, 0)});
  print_answer({"create with bad flags", cuCtxCreate(&context, nullptr, 1u << 20, 0)});
  print_answer({"create on bad device", cuCtxCreate(&context, nullptr, 0, 99)});
  print_answer({"create into null", cuCtxCreate(nullptr, nullptr, 0, 0)});
  print_answer(
      {"attribute 0", cuDeviceGetAttribute(&value, static_cast<CUdevice_attribute>(0), 0)});
  print_answer(
      {"attribute 9999", cuDeviceGetAttribute(&value, static_cast<CUdevice_attribute>(9999), 0)});
  print_answer({"name of length 0", cuDeviceGetName(nullptr, 0, 0)});
}

void modules() {
  CUmodule module = nullptr;
  CUfunction function = nullptr;
  CUdeviceptr pointer = 0;
  std::size_t bytes = 0, offset = 0;
  print_answer({"no file", cuModuleLoad(&module, "none")});
  print_answer({"file is null", cuModuleLoad(&module, nullptr)});
  print_answer({"a text that is no PTX", cuModuleLoadData(&module, "hello")});
  print_answer({"an empty text", cuModuleLoadData(&module, "")});
  print_answer({"image is null", cuModuleLoadData(&module, nullptr)});
  print_answer(
      {"wrong PTX",
       cuModuleLoadData(&module, ".version 8.0\n.target sm_90\n.address_size 64\nnonsense\n")});
  print_answer({"load", cuModuleLoad(&module, module_file("kernels.ptx").c_str())});
  print_answer({"no kernel", cuModuleGetFunction(&function, module, "none")});
  print_answer({"kernel without name", cuModuleGetFunction(&function, module, "")});
  print_answer({"no variable", cuModuleGetGlobal(&pointer, &bytes, module, "none")});
  print_answer({"both null", cuModuleGetGlobal(nullptr, nullptr, module, "factors")});
  print_answer({"static variable", cuModuleGetGlobal(&pointer, &bytes, module, "hidden"), bytes});
  print_answer({"static kernel", cuModuleGetFunction(&function, module, "_Z12local_kernelPi")});
  print_answer({"host function", cuModuleGetFunction(&function, module, "_Z9launch_itPi")});
  print_answer(
      {"managed variable", cuModuleGetGlobal(&pointer, &bytes, module, "shared_with_host"), bytes});
  unsigned count = 0;
  print_answer({"functions", cuModuleGetFunctionCount(&count, module), count});
  print_answer({"kernel", cuModuleGetFunction(&function, module, "mixed")});
  for (std::size_t i = 0; i < 5; ++i)
    print_answer(
        {"parameter", cuFuncGetParamInfo(function, i, &offset, &bytes), 1000 * offset + bytes});
  int value = 0;
  for (int i = 0; i < 17; ++i)
    if (i != 4 && i != 5 && i != 6)
      print_answer({"attribute of a kernel",
                    cuFuncGetAttribute(&value, static_cast<CUfunction_attribute>(i), function),
                    value});
  print_answer(
      {"set what cannot be", cuFuncSetAttribute(function, CU_FUNC_ATTRIBUTE_NUM_REGS, 10)});
  print_answer(
      {"too much shared memory",
       cuFuncSetAttribute(function, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 1 << 20)});
  print_answer({"unload", cuModuleUnload(module)});
  print_answer({"unload null", cuModuleUnload(nullptr)});
}

void launches() {
  const Module module;
  const CUfunction nothing = module.function("nothing"), small = module.function("small_blocks"),
                   reverse = module.function("reverse");
  Buffer<int> out(1024);
  std::size_t bytes = 8;
  char buffer[64] = {};
  std::memcpy(buffer, out.address(), 8);
  void* one[] = {out.address()};
  void* extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, buffer, CU_LAUNCH_PARAM_BUFFER_SIZE, &bytes,
                   CU_LAUNCH_PARAM_END};
  void* unknown[] = {reinterpret_cast<void*>(7), buffer, CU_LAUNCH_PARAM_END};
  const auto with = [&](CUfunction function, void** parameters, void** more) {
    return cuLaunchKernel(function, 1, 1, 1, 32, 1, 1, 0, nullptr, parameters, more);
  };
  print_answer({"null function", with(nullptr, nullptr, nullptr)});
  print_answer({"no arguments for one", with(small, nullptr, nullptr)});
  print_answer({"both kinds of arguments", with(small, one, extra)});
  print_answer({"a buffer", with(small, nullptr, extra)});
  bytes = 64;
  print_answer({"a longer buffer", with(small, nullptr, extra)});
  print_answer({"unknown extra", with(small, nullptr, unknown)});
  print_answer({"arguments for none", with(nothing, one, nullptr)});
  print_answer({"1025 threads", launch(nothing, 1, 1025, {})});
  print_answer({"0 blocks", launch(nothing, 0, 1, {})});
  print_answer({"0 threads", launch(nothing, 1, 0, {})});
  print_answer({"above launch bounds", launch(small, 1, 128, {out.address()})});
  print_answer({"49 KiB of shared memory", launch(reverse, 1, 32, {out.address()}, 49 * 1024)});

  print_answer({"cooperative and too large",
                cuLaunchCooperativeKernel(nothing, 1u << 20, 1, 1, 32, 1, 1, 0, nullptr, nullptr)});
  print_answer({"end", cuCtxSynchronize()});
}

void memory() {
  CUdeviceptr pointer = 0, begin = 0;
  std::size_t bytes = 0;
  int host = 0;
  unsigned value = 7;
  const auto of_host = reinterpret_cast<CUdeviceptr>(&host);
  print_answer({"allocate 0", cuMemAlloc(&pointer, 0)});
  print_answer({"allocate 2^50", cuMemAlloc(&pointer, std::size_t{1} << 50)});
  print_answer({"allocate into null", cuMemAlloc(nullptr, 4)});
  print_answer({"pinned 0", cuMemAllocHost(reinterpret_cast<void**>(&pointer), 0)});
  print_answer({"managed 0", cuMemAllocManaged(&pointer, 0, CU_MEM_ATTACH_GLOBAL)});
  print_answer({"managed without flags", cuMemAllocManaged(&pointer, 16, 0)});
  print_answer({"pitch of elements of 3", cuMemAllocPitch(&pointer, &bytes, 10, 10, 3)});
  print_answer({"pitch of height 0", cuMemAllocPitch(&pointer, &bytes, 10, 0, 4)});
  print_answer({"free 0", cuMemFree(0)});
  print_answer({"free of the host's", cuMemFree(of_host)});
  print_answer({"free host null", cuMemFreeHost(nullptr)});
  print_answer({"free async 0", cuMemFreeAsync(0, nullptr)});
  print_answer({"allocate", cuMemAlloc(&pointer, 1000)});
  print_answer({"free inside", cuMemFree(pointer + 8)});
  print_answer({"range", cuMemGetAddressRange(&begin, &bytes, pointer + 999), bytes});
  print_answer({"range behind", cuMemGetAddressRange(&begin, &bytes, pointer + 4096)});
  print_answer({"range of host", cuMemGetAddressRange(&begin, &bytes, of_host)});
  print_answer({"copy to host pointer", cuMemcpyHtoD(of_host, &host, 4)});
  print_answer({"copy from host pointer", cuMemcpyDtoH(&host, of_host, 4)});
  print_answer({"copy within host", cuMemcpy(of_host, of_host, 4)});
  print_answer({"copy of 0 bytes", cuMemcpyHtoD(0, nullptr, 0)});
  print_answer({"copy from null", cuMemcpyHtoD(pointer, nullptr, 4)});
  print_answer({"copy too long", cuMemcpyDtoD(pointer, pointer, 4 << 20)});
  print_answer({"memset of 0", cuMemsetD8(0, 0, 0)});
  print_answer({"memset of null", cuMemsetD8(0, 0, 1)});
  print_answer({"memset misaligned", cuMemsetD32(pointer + 2, 0, 1)});
  print_answer({"memset misaligned of 0", cuMemsetD32(pointer + 2, 0, 0)});
  print_answer({"memset of host", cuMemsetD8(of_host, 0, 1)});
  for (int i = 1; i < 12; ++i) {
    char data[64] = {};
    print_answer({"attribute of memory",
                  cuPointerGetAttribute(data, static_cast<CUpointer_attribute>(i), pointer)});
    print_answer({"attribute of host",
                  cuPointerGetAttribute(data, static_cast<CUpointer_attribute>(i), of_host)});
  }
  print_answer(
      {"attribute 0", cuPointerGetAttribute(&value, static_cast<CUpointer_attribute>(0), pointer)});
  CUpointer_attribute attribute = CU_POINTER_ATTRIBUTE_MEMORY_TYPE;
  void* data = &value;
  print_answer(
      {"attributes of host", cuPointerGetAttributes(1, &attribute, &data, of_host), value});
  print_answer({"attributes, none", cuPointerGetAttributes(0, &attribute, &data, pointer)});
  print_answer({"free", cuMemFree(pointer)});
  print_answer({"free twice", cuMemFree(pointer)});
}

void streams() {
  CUstream stream = nullptr;
  CUevent event = nullptr;
  CUcontext owner = nullptr;
  float milliseconds = 0;
  print_answer({"stream with bad flags", cuStreamCreate(&stream, 16)});
  print_answer({"stream into null", cuStreamCreate(nullptr, 0)});
  print_answer({"event with bad flags", cuEventCreate(&event, 64)});
  print_answer({"destroy default stream", cuStreamDestroy(nullptr)});
  print_answer({"destroy null event", cuEventDestroy(nullptr)});
  print_answer({"record null event", cuEventRecord(nullptr, nullptr)});
  print_answer({"event", cuEventCreate(&event, 0)});
  print_answer({"query of unrecorded event", cuEventQuery(event)});
  print_answer({"time of unrecorded event", cuEventElapsedTime(&milliseconds, event, event)});
  print_answer({"host function null", cuLaunchHostFunc(nullptr, nullptr, nullptr)});
  print_answer({"context of default stream", cuStreamGetCtx(nullptr, &owner), owner != nullptr});
  print_answer({"event destroy", cuEventDestroy(event)});
}

void arrays() {
  CUarray array = nullptr;
  CUDA_ARRAY_DESCRIPTOR two{4, 4, CU_AD_FORMAT_FLOAT, 3};
  print_answer({"three channels", cuArrayCreate(&array, &two)});
  two.NumChannels = 1;
  two.Format = static_cast<CUarray_format>(0);
  print_answer({"format 0", cuArrayCreate(&array, &two)});
  two.Format = CU_AD_FORMAT_FLOAT;
  two.Width = 0;
  print_answer({"width 0", cuArrayCreate(&array, &two)});
  print_answer({"null descriptor", cuArrayCreate(&array, nullptr)});
  print_answer({"destroy null array", cuArrayDestroy(nullptr)});
  CUtexObject texture = 0;
  CUDA_RESOURCE_DESC resource{};
  CUDA_TEXTURE_DESC sampling{};
  print_answer({"texture of nothing", cuTexObjectCreate(&texture, &resource, &sampling, nullptr)});
  print_answer(
      {"texture without resource", cuTexObjectCreate(&texture, nullptr, &sampling, nullptr)});
  two.Width = 4;
  print_answer({"array", cuArrayCreate(&array, &two)});
  resource.res.array.hArray = array;
  print_answer({"texture", cuTexObjectCreate(&texture, &resource, &sampling, nullptr)});
  print_answer({"destroy texture", cuTexObjectDestroy(texture)});
  print_answer({"destroy texture 0", cuTexObjectDestroy(0)});
  print_answer({"surface of such an array", cuSurfObjectCreate(&texture, &resource)});
  print_answer({"destroy", cuArrayDestroy(array)});
}

void contexts() {
  CUcontext one = nullptr, current = nullptr;
  unsigned version = 0, flags = 0;
  CUfunc_cache cache{};
  std::size_t limit = 0;
  print_answer({"create", cuCtxCreate(&one, nullptr, CU_CTX_SCHED_YIELD, 0)});
  print_answer({"api version", cuCtxGetApiVersion(one, &version), version});
  print_answer({"flags", cuCtxGetFlags(&flags), flags});
  print_answer({"set flags", cuCtxSetFlags(CU_CTX_SCHED_SPIN)});
  print_answer({"flags", cuCtxGetFlags(&flags), flags});
  print_answer({"cache", cuCtxGetCacheConfig(&cache), cache});
  print_answer({"limit", cuCtxGetLimit(&limit, CU_LIMIT_STACK_SIZE), limit});
  print_answer({"limit 99", cuCtxGetLimit(&limit, static_cast<CUlimit>(99))});
  print_answer({"peer of itself", cuCtxEnablePeerAccess(one, 0)});
  print_answer({"no peer", cuCtxDisablePeerAccess(one)});
  print_answer({"push twice", cuCtxPushCurrent(one)});
  print_answer({"destroy", cuCtxDestroy(one)});
  print_answer({"current after destroy", cuCtxGetCurrent(&current), current == one});
  print_answer({"synchronize after destroy", cuCtxSynchronize()});
  print_answer({"pop after destroy", cuCtxPopCurrent(&current), current == one});
  print_answer({"destroy twice", cuCtxDestroy(one)});
  print_answer({"primary", cuDevicePrimaryCtxRetain(&one, 0)});
  print_answer({"destroy primary", cuCtxDestroy(one)});
  print_answer({"release", cuDevicePrimaryCtxRelease(0)});
  print_answer({"release again", cuDevicePrimaryCtxRelease(0)});
  print_answer({"push of released", cuCtxPushCurrent(one)});
}

void after_failure() {
  CUcontext other = nullptr;
  CUdeviceptr memory = 0;
  CUmodule again = nullptr;
  const Context context;
  CUmodule module = nullptr;
  CUfunction small = nullptr;
  cuModuleLoad(&module, module_file("kernels.ptx").c_str());
  cuModuleGetFunction(&small, module, "small_blocks");
  CUdeviceptr bad = 16;
  print_answer({"launch on a bad address", launch(small, 1, 1, {&bad})});
  print_answer({"its end", cuCtxSynchronize()});
  print_answer({"allocation after it", cuMemAlloc(&memory, 16)});
  print_answer({"module after it", cuModuleLoad(&again, module_file("kernels.ptx").c_str())});
  print_answer({"unload after it", cuModuleUnload(module)});
  print_answer({"another context", cuCtxCreate(&other, nullptr, 0, 0)});
  print_answer({"allocation in it", cuMemAlloc(&memory, 16)});
  print_answer({"synchronize in it", cuCtxSynchronize()});
}

}  // namespace

/// The kernels get data after the buffer and may fail later, so this comes last.
void shorter_buffers() {
  const Context context;
  const Module module;
  Buffer<int> out(1024);
  char buffer[64] = {};
  std::memcpy(buffer, out.address(), 8);
  for (std::size_t bytes : {4, 16}) {
    void* extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, buffer, CU_LAUNCH_PARAM_BUFFER_SIZE, &bytes,
                     CU_LAUNCH_PARAM_END};
    const CUfunction function = module.function(bytes == 4 ? "small_blocks" : "mixed");
    print_answer({"a shorter buffer",
                  cuLaunchKernel(function, 1, 1, 1, 32, 1, 1, 0, nullptr, nullptr, extra)});
  }
  std::fflush(stdout);
  std::_Exit(0);
}

int main(int argc, char**) {
  before_init();
  without_context();
  {
    const Context context;
    modules();
    launches();
    memory();
    streams();
    arrays();
  }
  contexts();
  if (argc > 1) shorter_buffers();
  after_failure();
}
