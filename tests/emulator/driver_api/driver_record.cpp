// Prints what the driver answers to calls that are wrong, or of which no manual tells: one line
// each. recorded_h200.txt is what an H200's driver printed; the test compares the emulator with it.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "driver.hpp"

using namespace driver_tests;

namespace {

/// What was asked, the answer, and a number that the call gave: braces evaluate them in this order.
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

void told(const Line& line) {
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
  told({"count before cuInit", cuDeviceGetCount(&count)});
  told({"current before cuInit", cuCtxGetCurrent(&context)});
  told({"allocation before cuInit", cuMemAlloc(&memory, 16)});
  told({"module before cuInit", cuModuleLoad(&module, "none")});
  told({"version before cuInit", cuDriverGetVersion(&count)});
  told({"entry point before cuInit", cuGetProcAddress("cuInit", &function, 13000, 0, nullptr)});
  told({"init with flags", cuInit(1)});
  told({"init", cuInit(0)});
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
  told({"allocation without context", cuMemAlloc(&memory, 16)});
  told({"free of 0 without context", cuMemFree(0)});
  told({"module without context", cuModuleLoad(&module, module_file("kernels.ptx").c_str())});
  told({"missing module without context", cuModuleLoad(&module, "none")});
  told({"stream without context", cuStreamCreate(&stream, 0)});
  told({"synchronize without context", cuCtxSynchronize()});
  told({"device without context", cuCtxGetDevice(&device)});
  told({"pop without context", cuCtxPopCurrent(&context)});
  told({"push of null", cuCtxPushCurrent(nullptr)});
  told({"set to null", cuCtxSetCurrent(nullptr)});
  told({"api version of null without context", cuCtxGetApiVersion(nullptr, &version)});
  told({"destroy null", cuCtxDestroy(nullptr)});
  told({"release without retain", cuDevicePrimaryCtxRelease(0)});
  told({"state", cuDevicePrimaryCtxGetState(0, &flags, &value), value});
  told({"library without context",
        cuLibraryLoadFromFile(&library, module_file("kernels.cubin").c_str(), nullptr, nullptr, 0,
                              nullptr, nullptr, 0)});
  told({"create with bad flags", cuCtxCreate(&context, nullptr, 1u << 20, 0)});
  told({"create on bad device", cuCtxCreate(&context, nullptr, 0, 99)});
  told({"create into null", cuCtxCreate(nullptr, nullptr, 0, 0)});
  told({"attribute 0", cuDeviceGetAttribute(&value, static_cast<CUdevice_attribute>(0), 0)});
  told({"attribute 9999", cuDeviceGetAttribute(&value, static_cast<CUdevice_attribute>(9999), 0)});
  told({"name of length 0", cuDeviceGetName(nullptr, 0, 0)});
}

void modules() {
  CUmodule module = nullptr;
  CUfunction function = nullptr;
  CUdeviceptr pointer = 0;
  std::size_t bytes = 0, offset = 0;
  told({"no file", cuModuleLoad(&module, "none")});
  told({"file is null", cuModuleLoad(&module, nullptr)});
  told({"a text that is no PTX", cuModuleLoadData(&module, "hello")});
  told({"an empty text", cuModuleLoadData(&module, "")});
  told({"image is null", cuModuleLoadData(&module, nullptr)});
  told({"wrong PTX",
        cuModuleLoadData(&module, ".version 8.0\n.target sm_90\n.address_size 64\nnonsense\n")});
  told({"load", cuModuleLoad(&module, module_file("kernels.ptx").c_str())});
  told({"no kernel", cuModuleGetFunction(&function, module, "none")});
  told({"kernel without name", cuModuleGetFunction(&function, module, "")});
  told({"no variable", cuModuleGetGlobal(&pointer, &bytes, module, "none")});
  told({"both null", cuModuleGetGlobal(nullptr, nullptr, module, "factors")});
  told({"static variable", cuModuleGetGlobal(&pointer, &bytes, module, "hidden"), bytes});
  told({"static kernel", cuModuleGetFunction(&function, module, "_Z12local_kernelPi")});
  told({"host function", cuModuleGetFunction(&function, module, "_Z9launch_itPi")});
  told(
      {"managed variable", cuModuleGetGlobal(&pointer, &bytes, module, "shared_with_host"), bytes});
  unsigned count = 0;
  told({"functions", cuModuleGetFunctionCount(&count, module), count});
  told({"kernel", cuModuleGetFunction(&function, module, "mixed")});
  for (std::size_t i = 0; i < 5; ++i)
    told({"parameter", cuFuncGetParamInfo(function, i, &offset, &bytes), 1000 * offset + bytes});
  int value = 0;
  for (int i = 0; i < 17; ++i)
    if (i != 4 && i != 5 && i != 6)
      told({"attribute of a kernel",
            cuFuncGetAttribute(&value, static_cast<CUfunction_attribute>(i), function), value});
  told({"set what cannot be", cuFuncSetAttribute(function, CU_FUNC_ATTRIBUTE_NUM_REGS, 10)});
  told({"too much shared memory",
        cuFuncSetAttribute(function, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 1 << 20)});
  told({"unload", cuModuleUnload(module)});
  told({"unload null", cuModuleUnload(nullptr)});
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
  told({"null function", with(nullptr, nullptr, nullptr)});
  told({"no arguments for one", with(small, nullptr, nullptr)});
  told({"both kinds of arguments", with(small, one, extra)});
  told({"a buffer", with(small, nullptr, extra)});
  bytes = 64;
  told({"a longer buffer", with(small, nullptr, extra)});
  told({"unknown extra", with(small, nullptr, unknown)});
  told({"arguments for none", with(nothing, one, nullptr)});
  told({"1025 threads", launch(nothing, 1, 1025, {})});
  told({"0 blocks", launch(nothing, 0, 1, {})});
  told({"0 threads", launch(nothing, 1, 0, {})});
  told({"above launch bounds", launch(small, 1, 128, {out.address()})});
  told({"49 KiB of shared memory", launch(reverse, 1, 32, {out.address()}, 49 * 1024)});

  told({"cooperative and too large",
        cuLaunchCooperativeKernel(nothing, 1u << 20, 1, 1, 32, 1, 1, 0, nullptr, nullptr)});
  told({"end", cuCtxSynchronize()});
}

void memory() {
  CUdeviceptr pointer = 0, begin = 0;
  std::size_t bytes = 0;
  int host = 0;
  unsigned value = 7;
  const auto of_host = reinterpret_cast<CUdeviceptr>(&host);
  told({"allocate 0", cuMemAlloc(&pointer, 0)});
  told({"allocate 2^50", cuMemAlloc(&pointer, std::size_t{1} << 50)});
  told({"allocate into null", cuMemAlloc(nullptr, 4)});
  told({"pinned 0", cuMemAllocHost(reinterpret_cast<void**>(&pointer), 0)});
  told({"managed 0", cuMemAllocManaged(&pointer, 0, CU_MEM_ATTACH_GLOBAL)});
  told({"managed without flags", cuMemAllocManaged(&pointer, 16, 0)});
  told({"pitch of elements of 3", cuMemAllocPitch(&pointer, &bytes, 10, 10, 3)});
  told({"pitch of height 0", cuMemAllocPitch(&pointer, &bytes, 10, 0, 4)});
  told({"free 0", cuMemFree(0)});
  told({"free of the host's", cuMemFree(of_host)});
  told({"free host null", cuMemFreeHost(nullptr)});
  told({"free async 0", cuMemFreeAsync(0, nullptr)});
  told({"allocate", cuMemAlloc(&pointer, 1000)});
  told({"free inside", cuMemFree(pointer + 8)});
  told({"range", cuMemGetAddressRange(&begin, &bytes, pointer + 999), bytes});
  told({"range behind", cuMemGetAddressRange(&begin, &bytes, pointer + 4096)});
  told({"range of host", cuMemGetAddressRange(&begin, &bytes, of_host)});
  told({"copy to host pointer", cuMemcpyHtoD(of_host, &host, 4)});
  told({"copy from host pointer", cuMemcpyDtoH(&host, of_host, 4)});
  told({"copy within host", cuMemcpy(of_host, of_host, 4)});
  told({"copy of 0 bytes", cuMemcpyHtoD(0, nullptr, 0)});
  told({"copy from null", cuMemcpyHtoD(pointer, nullptr, 4)});
  told({"copy too long", cuMemcpyDtoD(pointer, pointer, 4 << 20)});
  told({"memset of 0", cuMemsetD8(0, 0, 0)});
  told({"memset of null", cuMemsetD8(0, 0, 1)});
  told({"memset misaligned", cuMemsetD32(pointer + 2, 0, 1)});
  told({"memset misaligned of 0", cuMemsetD32(pointer + 2, 0, 0)});
  told({"memset of host", cuMemsetD8(of_host, 0, 1)});
  for (int i = 1; i < 12; ++i) {
    char data[64] = {};
    told({"attribute of memory",
          cuPointerGetAttribute(data, static_cast<CUpointer_attribute>(i), pointer)});
    told({"attribute of host",
          cuPointerGetAttribute(data, static_cast<CUpointer_attribute>(i), of_host)});
  }
  told(
      {"attribute 0", cuPointerGetAttribute(&value, static_cast<CUpointer_attribute>(0), pointer)});
  CUpointer_attribute attribute = CU_POINTER_ATTRIBUTE_MEMORY_TYPE;
  void* data = &value;
  told({"attributes of host", cuPointerGetAttributes(1, &attribute, &data, of_host), value});
  told({"attributes, none", cuPointerGetAttributes(0, &attribute, &data, pointer)});
  told({"free", cuMemFree(pointer)});
  told({"free twice", cuMemFree(pointer)});
}

void streams() {
  CUstream stream = nullptr;
  CUevent event = nullptr;
  CUcontext owner = nullptr;
  float milliseconds = 0;
  told({"stream with bad flags", cuStreamCreate(&stream, 16)});
  told({"stream into null", cuStreamCreate(nullptr, 0)});
  told({"event with bad flags", cuEventCreate(&event, 64)});
  told({"destroy default stream", cuStreamDestroy(nullptr)});
  told({"destroy null event", cuEventDestroy(nullptr)});
  told({"record null event", cuEventRecord(nullptr, nullptr)});
  told({"event", cuEventCreate(&event, 0)});
  told({"query of unrecorded event", cuEventQuery(event)});
  told({"time of unrecorded event", cuEventElapsedTime(&milliseconds, event, event)});
  told({"host function null", cuLaunchHostFunc(nullptr, nullptr, nullptr)});
  told({"context of default stream", cuStreamGetCtx(nullptr, &owner), owner != nullptr});
  told({"event destroy", cuEventDestroy(event)});
}

void arrays() {
  CUarray array = nullptr;
  CUDA_ARRAY_DESCRIPTOR two{4, 4, CU_AD_FORMAT_FLOAT, 3};
  told({"three channels", cuArrayCreate(&array, &two)});
  two.NumChannels = 1;
  two.Format = static_cast<CUarray_format>(0);
  told({"format 0", cuArrayCreate(&array, &two)});
  two.Format = CU_AD_FORMAT_FLOAT;
  two.Width = 0;
  told({"width 0", cuArrayCreate(&array, &two)});
  told({"null descriptor", cuArrayCreate(&array, nullptr)});
  told({"destroy null array", cuArrayDestroy(nullptr)});
  CUtexObject texture = 0;
  CUDA_RESOURCE_DESC resource{};
  CUDA_TEXTURE_DESC sampling{};
  told({"texture of nothing", cuTexObjectCreate(&texture, &resource, &sampling, nullptr)});
  told({"texture without resource", cuTexObjectCreate(&texture, nullptr, &sampling, nullptr)});
  two.Width = 4;
  told({"array", cuArrayCreate(&array, &two)});
  resource.res.array.hArray = array;
  told({"texture", cuTexObjectCreate(&texture, &resource, &sampling, nullptr)});
  told({"destroy texture", cuTexObjectDestroy(texture)});
  told({"destroy texture 0", cuTexObjectDestroy(0)});
  told({"surface of such an array", cuSurfObjectCreate(&texture, &resource)});
  told({"destroy", cuArrayDestroy(array)});
}

void contexts() {
  CUcontext one = nullptr, current = nullptr;
  unsigned version = 0, flags = 0;
  CUfunc_cache cache{};
  std::size_t limit = 0;
  told({"create", cuCtxCreate(&one, nullptr, CU_CTX_SCHED_YIELD, 0)});
  told({"api version", cuCtxGetApiVersion(one, &version), version});
  told({"flags", cuCtxGetFlags(&flags), flags});
  told({"set flags", cuCtxSetFlags(CU_CTX_SCHED_SPIN)});
  told({"flags", cuCtxGetFlags(&flags), flags});
  told({"cache", cuCtxGetCacheConfig(&cache), cache});
  told({"limit", cuCtxGetLimit(&limit, CU_LIMIT_STACK_SIZE), limit});
  told({"limit 99", cuCtxGetLimit(&limit, static_cast<CUlimit>(99))});
  told({"peer of itself", cuCtxEnablePeerAccess(one, 0)});
  told({"no peer", cuCtxDisablePeerAccess(one)});
  told({"push twice", cuCtxPushCurrent(one)});
  told({"destroy", cuCtxDestroy(one)});
  told({"current after destroy", cuCtxGetCurrent(&current), current == one});
  told({"synchronize after destroy", cuCtxSynchronize()});
  told({"pop after destroy", cuCtxPopCurrent(&current), current == one});
  told({"destroy twice", cuCtxDestroy(one)});
  told({"primary", cuDevicePrimaryCtxRetain(&one, 0)});
  told({"destroy primary", cuCtxDestroy(one)});
  told({"release", cuDevicePrimaryCtxRelease(0)});
  told({"release again", cuDevicePrimaryCtxRelease(0)});
  told({"push of released", cuCtxPushCurrent(one)});
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
  told({"launch on a bad address", launch(small, 1, 1, {&bad})});
  told({"its end", cuCtxSynchronize()});
  told({"allocation after it", cuMemAlloc(&memory, 16)});
  told({"module after it", cuModuleLoad(&again, module_file("kernels.ptx").c_str())});
  told({"unload after it", cuModuleUnload(module)});
  told({"another context", cuCtxCreate(&other, nullptr, 0, 0)});
  told({"allocation in it", cuMemAlloc(&memory, 16)});
  told({"synchronize in it", cuCtxSynchronize()});
}

}  // namespace

/// The kernels get what lies behind the buffer, so they may fail later: nothing comes after this.
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
    told({"a shorter buffer",
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
