/// Tests contexts, memory, copies, textures, streams, graphs and errors; also runs on a device.
#include <cudaTypedefs.h>
#include <cuda_runtime.h>
#include <doctest/doctest.h>

#include <cstring>
#include <string>
#include <vector>

#include "driver.hpp"

using namespace driver_tests;

TEST_CASE("what the device is") {
  check(cuInit(0));
  int count = 0, major = 0, threads = 0;
  CUdevice device = -1;
  char name[64] = {}, bus[32] = {};
  std::size_t bytes = 0;
  CHECK(cuDeviceGetCount(&count) == CUDA_SUCCESS);
  CHECK(count >= 1);
  CHECK(cuDeviceGet(&device, 0) == CUDA_SUCCESS);
  CHECK(cuDeviceGet(&device, count) == CUDA_ERROR_INVALID_DEVICE);
  CHECK(cuDeviceGet(&device, -1) == CUDA_ERROR_INVALID_DEVICE);
  CHECK(cuDeviceGetName(name, 64, 0) == CUDA_SUCCESS);
  CHECK(std::strlen(name) > 3);
  CHECK(cuDeviceGetName(name, 4, 0) == CUDA_SUCCESS);
  CHECK(std::strlen(name) == 3);
  CHECK(cuDeviceTotalMem(&bytes, 0) == CUDA_SUCCESS);
  CHECK(bytes > 1u << 30);
  CHECK(cuDeviceGetAttribute(&major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, 0) ==
        CUDA_SUCCESS);
  CHECK(major == 9);
  CHECK(cuDeviceGetAttribute(&threads, CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK, 0) ==
        CUDA_SUCCESS);
  CHECK(threads == 1024);
  CHECK(cuDeviceGetAttribute(nullptr, CU_DEVICE_ATTRIBUTE_WARP_SIZE, 0) ==
        CUDA_ERROR_INVALID_VALUE);
  CHECK(cuDeviceGetPCIBusId(bus, sizeof(bus), 0) == CUDA_SUCCESS);
  CHECK(cuDeviceGetByPCIBusId(&device, bus) == CUDA_SUCCESS);
  CHECK(device == 0);
  CUuuid uuid;
  CHECK(cuDeviceGetUuid(&uuid, 0) == CUDA_SUCCESS);
  int version = 0;
  CHECK(cuDriverGetVersion(&version) == CUDA_SUCCESS);
  CHECK(version >= 13000);
}

TEST_CASE("contexts form a stack for each thread") {
  check(cuInit(0));
  CUcontext one = nullptr, two = nullptr, current = nullptr, popped = nullptr;
  REQUIRE(cuCtxCreate(&one, nullptr, 0, 0) == CUDA_SUCCESS);
  REQUIRE(cuCtxCreate(&two, nullptr, 0, 0) == CUDA_SUCCESS);
  CHECK(cuCtxGetCurrent(&current) == CUDA_SUCCESS);
  CHECK(current == two);
  CHECK(cuCtxPopCurrent(&popped) == CUDA_SUCCESS);
  CHECK(popped == two);
  CHECK(cuCtxGetCurrent(&current) == CUDA_SUCCESS);
  CHECK(current == one);
  CHECK(cuCtxPushCurrent(two) == CUDA_SUCCESS);
  CHECK(cuCtxPopCurrent(nullptr) == CUDA_SUCCESS);
  CHECK(cuCtxSetCurrent(one) == CUDA_SUCCESS);
  CHECK(cuCtxDestroy(two) == CUDA_SUCCESS);
  CUdevice device = -1;
  CHECK(cuCtxGetDevice(&device) == CUDA_SUCCESS);
  CHECK(device == 0);
  unsigned flags = 99;
  CHECK(cuCtxGetFlags(&flags) == CUDA_SUCCESS);
  std::size_t limit = 0;
  CHECK(cuCtxSetLimit(CU_LIMIT_STACK_SIZE, 2048) == CUDA_SUCCESS);
  CHECK(cuCtxGetLimit(&limit, CU_LIMIT_STACK_SIZE) == CUDA_SUCCESS);
  CHECK(limit == 2048);
  CHECK(cuCtxDestroy(one) == CUDA_SUCCESS);
}

TEST_CASE("two contexts, each with its module and memory") {
  const Context one;
  const Module of_one;
  Buffer<int> first(1);
  CHECK(launch(of_one.function("small_blocks"), 1, 1, {first.address()}) == CUDA_SUCCESS);
  {
    const Context two;
    const Module of_two;
    Buffer<int> second(1);
    CHECK(launch(of_two.function("small_blocks"), 1, 1, {second.address()}) == CUDA_SUCCESS);
    CHECK(second.values() == std::vector<int>{1});
  }
  CHECK(first.values() == std::vector<int>{1});
}

TEST_CASE("the primary context is the runtime's") {
  check(cuInit(0));
  CUcontext primary = nullptr, current = nullptr;
  REQUIRE(cuDevicePrimaryCtxRetain(&primary, 0) == CUDA_SUCCESS);
  int* from_runtime = nullptr;
  REQUIRE(cudaMalloc(reinterpret_cast<void**>(&from_runtime), 256) == cudaSuccess);
  CHECK(cuCtxGetCurrent(&current) == CUDA_SUCCESS);
  CHECK(current == primary);
  unsigned flags = 0;
  int active = 0;
  CHECK(cuDevicePrimaryCtxGetState(0, &flags, &active) == CUDA_SUCCESS);
  CHECK(active == 1);
  {
    const Module module;
    CUdeviceptr data = reinterpret_cast<CUdeviceptr>(from_runtime);
    cudaStream_t stream = nullptr;
    REQUIRE(cudaStreamCreate(&stream) == cudaSuccess);
    CHECK(cuMemsetD32Async(data, 6, 64, stream) == CUDA_SUCCESS);
    CHECK(launch(module.function("small_blocks"), 1, 1, {&data}, 0, stream) == CUDA_SUCCESS);
    CHECK(cudaStreamSynchronize(stream) == cudaSuccess);
    int values[2] = {};
    CHECK(cudaMemcpy(values, from_runtime, sizeof(values), cudaMemcpyDeviceToHost) == cudaSuccess);
    CHECK(values[0] == 1);
    CHECK(values[1] == 6);
    CHECK(cuStreamDestroy(stream) == CUDA_SUCCESS);
  }
  CHECK(cuMemFree(reinterpret_cast<CUdeviceptr>(from_runtime)) == CUDA_SUCCESS);
  CHECK(cuDevicePrimaryCtxRelease(0) == CUDA_SUCCESS);
  cuCtxSetCurrent(nullptr);
}

TEST_CASE("a failed call of the driver is not the runtime's last error") {
  const Context context;
  CHECK(cuMemAlloc(nullptr, 16) == CUDA_ERROR_INVALID_VALUE);
  CHECK(cudaGetLastError() == cudaSuccess);
}

TEST_CASE("memory, and what an address is") {
  const Context context;
  CUdeviceptr memory = 0, begin = 0;
  std::size_t bytes = 0, pitch = 0;
  CHECK(cuMemAlloc(&memory, 1000) == CUDA_SUCCESS);
  CHECK(cuMemAlloc(&begin, 0) == CUDA_ERROR_INVALID_VALUE);
  CHECK(cuMemAlloc(&begin, std::size_t{1} << 50) == CUDA_ERROR_OUT_OF_MEMORY);
  CHECK(cuMemGetAddressRange(&begin, &bytes, memory + 100) == CUDA_SUCCESS);
  CHECK(begin == memory);
  CHECK(bytes == 1000);
  unsigned type = 0, managed = 9;
  CHECK(cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, memory) == CUDA_SUCCESS);
  CHECK(type == CU_MEMORYTYPE_DEVICE);
  CUcontext owner = nullptr;
  CHECK(cuPointerGetAttribute(&owner, CU_POINTER_ATTRIBUTE_CONTEXT, memory) == CUDA_SUCCESS);
  CHECK(owner == context.handle());
  int on_stack = 0;
  CHECK(cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE,
                              reinterpret_cast<CUdeviceptr>(&on_stack)) ==
        CUDA_ERROR_INVALID_VALUE);
  CUpointer_attribute attributes[] = {CU_POINTER_ATTRIBUTE_MEMORY_TYPE,
                                      CU_POINTER_ATTRIBUTE_IS_MANAGED};
  void* data[] = {&type, &managed};
  CHECK(cuPointerGetAttributes(2, attributes, data, memory) == CUDA_SUCCESS);
  CHECK(type == CU_MEMORYTYPE_DEVICE);
  CHECK(managed == 0);
  CHECK(cuMemFree(memory) == CUDA_SUCCESS);
  CHECK(cuMemAllocPitch(&memory, &pitch, 100, 4, 4) == CUDA_SUCCESS);
  CHECK(pitch == 512);
  CHECK(cuMemFree(memory) == CUDA_SUCCESS);
  void* host = nullptr;
  CHECK(cuMemAllocHost(&host, 64) == CUDA_SUCCESS);
  CHECK(cuMemHostGetDevicePointer(&memory, host, 0) == CUDA_SUCCESS);
  CHECK(cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, memory) == CUDA_SUCCESS);
  CHECK(type == CU_MEMORYTYPE_HOST);
  CHECK(cuMemFreeHost(host) == CUDA_SUCCESS);
  CHECK(cuMemAllocManaged(&memory, 64, CU_MEM_ATTACH_GLOBAL) == CUDA_SUCCESS);
  *reinterpret_cast<int*>(memory) = 4;
  CHECK(cuMemFree(memory) == CUDA_SUCCESS);
  CHECK(cuMemGetInfo(&bytes, &pitch) == CUDA_SUCCESS);
}

TEST_CASE("fills of 1, 2 and 4 bytes, in rows too") {
  const Context context;
  Buffer<unsigned> data(64);
  CHECK(cuMemsetD32(data.begin(), 0x01020304, 64) == CUDA_SUCCESS);
  CHECK(cuMemsetD16(data.begin() + 4, 0x0506, 2) == CUDA_SUCCESS);
  CHECK(cuMemsetD8(data.begin() + 8, 7, 3) == CUDA_SUCCESS);
  std::vector<unsigned> values = data.values();
  CHECK(values[0] == 0x01020304);
  CHECK(values[1] == 0x05060506);
  CHECK(values[2] == 0x01070707);
  CHECK(values[63] == 0x01020304);
  CHECK(cuMemsetD32(data.begin() + 2, 0, 1) == CUDA_ERROR_INVALID_VALUE);
  CHECK(cuMemsetD2D32(data.begin(), 32, 9, 2, 3) == CUDA_SUCCESS);
  values = data.values();
  CHECK(values[1] == 9);
  CHECK(values[2] != 9);
  CHECK(values[17] == 9);
  CHECK(values[24] != 9);
}

TEST_CASE("copies of rows between memories") {
  const Context context;
  std::vector<int> grid(8 * 4);
  for (int i = 0; i < 32; ++i) grid[static_cast<std::size_t>(i)] = i;
  Buffer<int> device(8 * 4);
  CUDA_MEMCPY2D copy{};
  copy.srcMemoryType = CU_MEMORYTYPE_HOST;
  copy.srcHost = grid.data();
  copy.srcPitch = 32;
  copy.srcXInBytes = 8;
  copy.srcY = 1;
  copy.dstMemoryType = CU_MEMORYTYPE_DEVICE;
  copy.dstDevice = device.begin();
  copy.dstPitch = 32;
  copy.WidthInBytes = 12;
  copy.Height = 2;
  CHECK(cuMemsetD32(device.begin(), 0, 32) == CUDA_SUCCESS);
  CHECK(cuMemcpy2D(&copy) == CUDA_SUCCESS);
  const std::vector<int> values = device.values();
  CHECK(values[0] == 10);
  CHECK(values[2] == 12);
  CHECK(values[3] == 0);
  CHECK(values[8] == 18);
  CHECK(values[16] == 0);
  copy.WidthInBytes = 64;
  CHECK(cuMemcpy2D(&copy) == CUDA_ERROR_INVALID_VALUE);
  CHECK(cuMemcpy2D(nullptr) == CUDA_ERROR_INVALID_VALUE);
}

TEST_CASE("an array, a texture and a surface") {
  const Context context;
  const Module module;
  constexpr int kWidth = 8, kHeight = 4;
  CUarray array = nullptr;
  CUDA_ARRAY3D_DESCRIPTOR format{};
  format.Width = kWidth;
  format.Height = kHeight;
  format.Format = CU_AD_FORMAT_FLOAT;
  format.NumChannels = 1;
  format.Flags = CUDA_ARRAY3D_SURFACE_LDST;
  REQUIRE(cuArray3DCreate(&array, &format) == CUDA_SUCCESS);
  std::vector<float> texels(kWidth * kHeight);
  for (std::size_t i = 0; i < texels.size(); ++i) texels[i] = static_cast<float>(i);
  CUDA_MEMCPY2D copy{};
  copy.srcMemoryType = CU_MEMORYTYPE_HOST;
  copy.srcHost = texels.data();
  copy.srcPitch = kWidth * 4;
  copy.dstMemoryType = CU_MEMORYTYPE_ARRAY;
  copy.dstArray = array;
  copy.WidthInBytes = kWidth * 4;
  copy.Height = kHeight;
  CHECK(cuMemcpy2D(&copy) == CUDA_SUCCESS);
  CUDA_RESOURCE_DESC resource{};
  resource.resType = CU_RESOURCE_TYPE_ARRAY;
  resource.res.array.hArray = array;
  CUDA_TEXTURE_DESC sampling{};
  sampling.filterMode = CU_TR_FILTER_MODE_POINT;
  CUtexObject texture = 0;
  REQUIRE(cuTexObjectCreate(&texture, &resource, &sampling, nullptr) == CUDA_SUCCESS);
  Buffer<float> out(texels.size());
  int width = kWidth, height = kHeight;
  const auto read = [&] {
    void* parameters[] = {&texture, out.address(), &width, &height};
    CHECK(cuLaunchKernel(module.function("read_texture"), 1, 1, 1, 8, 4, 1, 0, nullptr, parameters,
                         nullptr) == CUDA_SUCCESS);
    return out.values();
  };
  CHECK(read() == texels);
  CUsurfObject surface = 0;
  REQUIRE(cuSurfObjectCreate(&surface, &resource) == CUDA_SUCCESS);
  CHECK(launch(module.function("write_surface"), 1, 8, {&surface, &width}) == CUDA_SUCCESS);
  CHECK(read()[3] == 30.0f);
  CHECK(read()[8] == 8.0f);
  CHECK(cuSurfObjectDestroy(surface) == CUDA_SUCCESS);
  CHECK(cuTexObjectDestroy(texture) == CUDA_SUCCESS);
  CUDA_ARRAY_DESCRIPTOR descriptor{};
  CHECK(cuArrayGetDescriptor(&descriptor, array) == CUDA_SUCCESS);
  CHECK(descriptor.Width == kWidth);
  CHECK(descriptor.Format == CU_AD_FORMAT_FLOAT);
  CHECK(cuArrayDestroy(array) == CUDA_SUCCESS);
}

TEST_CASE("streams, events and functions of the host") {
  const Context context;
  const Module module;
  CUstream stream = nullptr;
  CUevent start = nullptr, end = nullptr;
  REQUIRE(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING) == CUDA_SUCCESS);
  REQUIRE(cuEventCreate(&start, CU_EVENT_DEFAULT) == CUDA_SUCCESS);
  REQUIRE(cuEventCreate(&end, CU_EVENT_DEFAULT) == CUDA_SUCCESS);
  Buffer<int> data(32);
  CHECK(cuEventRecord(start, stream) == CUDA_SUCCESS);
  CHECK(cuMemsetD32Async(data.begin(), 3, 32, stream) == CUDA_SUCCESS);
  int called = 0;
  CHECK(cuLaunchHostFunc(
            stream, [](void* count) { ++*static_cast<int*>(count); }, &called) == CUDA_SUCCESS);
  CHECK(cuStreamAddCallback(
            stream, [](CUstream, CUresult, void* count) { ++*static_cast<int*>(count); }, &called,
            0) == CUDA_SUCCESS);
  CHECK(cuEventRecord(end, stream) == CUDA_SUCCESS);
  CHECK(cuEventSynchronize(end) == CUDA_SUCCESS);
  CHECK(called == 2);
  CHECK(cuStreamQuery(stream) == CUDA_SUCCESS);
  float milliseconds = -1;
  CHECK(cuEventElapsedTime(&milliseconds, start, end) == CUDA_SUCCESS);
  CHECK(milliseconds >= 0);
  CUcontext owner = nullptr;
  CHECK(cuStreamGetCtx(stream, &owner) == CUDA_SUCCESS);
  CHECK(owner == context.handle());
  CHECK(cuEventDestroy(start) == CUDA_SUCCESS);
  CHECK(cuEventDestroy(end) == CUDA_SUCCESS);
  CHECK(cuStreamDestroy(stream) == CUDA_SUCCESS);
}

TEST_CASE("a graph of a module's kernel, captured and made by hand") {
  const Context context;
  const Module module;
  Buffer<float> data(std::vector<float>(32, 1.0f));
  int which = 1;
  CUstream stream = nullptr;
  CUgraph graph = nullptr;
  CUgraphExec executable = nullptr;
  REQUIRE(cuStreamCreate(&stream, CU_STREAM_DEFAULT) == CUDA_SUCCESS);
  CHECK(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_GLOBAL) == CUDA_SUCCESS);
  CHECK(launch(module.function("scale"), 1, 32, {data.address(), &which}, 0, stream) ==
        CUDA_SUCCESS);
  CHECK(cuStreamEndCapture(stream, &graph) == CUDA_SUCCESS);
  CUDA_KERNEL_NODE_PARAMS parameters{};
  void* arguments[] = {data.address(), &which};
  parameters.func = module.function("scale");
  parameters.gridDimX = parameters.gridDimY = parameters.gridDimZ = 1;
  parameters.blockDimX = 32;
  parameters.blockDimY = parameters.blockDimZ = 1;
  parameters.kernelParams = arguments;
  std::size_t count = 1;
  CUgraphNode captured = nullptr, added = nullptr;
  CHECK(cuGraphGetNodes(graph, &captured, &count) == CUDA_SUCCESS);
  CHECK(count == 1);
  CHECK(cuGraphAddKernelNode(&added, graph, &captured, 1, &parameters) == CUDA_SUCCESS);
  CHECK(cuGraphInstantiate(&executable, graph, 0) == CUDA_SUCCESS);
  CHECK(cuGraphLaunch(executable, stream) == CUDA_SUCCESS);
  CHECK(cuStreamSynchronize(stream) == CUDA_SUCCESS);
  CHECK(data.values() == std::vector<float>(32, 9.0f));
  CHECK(cuGraphExecDestroy(executable) == CUDA_SUCCESS);
  CHECK(cuGraphDestroy(graph) == CUDA_SUCCESS);
  CHECK(cuStreamDestroy(stream) == CUDA_SUCCESS);
}

TEST_CASE("a graph of nodes that are looked at, disabled and kept alive by objects") {
  const Context context;
  CUstream stream = nullptr;
  CUevent event = nullptr;
  CUdeviceptr memory = 0;
  CUgraph graph = nullptr, child = nullptr, clone = nullptr, of_node = nullptr;
  check(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
  check(cuEventCreate(&event, CU_EVENT_DEFAULT));
  check(cuMemAlloc(&memory, 64));
  check(cuMemsetD32(memory, 5, 16));
  check(cuGraphCreate(&graph, 0));
  check(cuGraphCreate(&child, 0));
  CUgraphNode first = nullptr, second = nullptr, record = nullptr, wait = nullptr, inner = nullptr,
              found = nullptr, nodes[4] = {}, others[4] = {};
  const CUDA_MEMSET_NODE_PARAMS seven = {memory, 0, 7, 4, 1, 1};
  check(cuGraphAddMemsetNode(&first, graph, nullptr, 0, &seven, context.handle()));
  check(cuGraphAddEventRecordNode(&record, graph, &first, 1, event));
  check(cuGraphAddEventWaitNode(&wait, graph, nullptr, 0, event));
  check(cuGraphAddEmptyNode(&second, child, nullptr, 0));
  check(cuGraphAddChildGraphNode(&inner, graph, &first, 1, child));
  std::size_t count = 4;
  CHECK(cuGraphGetEdges(graph, nodes, others, nullptr, &count) == CUDA_SUCCESS);
  CHECK(count == 2);
  CHECK(nodes[0] == first);
  count = 4;
  CHECK(cuGraphNodeGetDependencies(inner, nodes, nullptr, &count) == CUDA_SUCCESS);
  CHECK(count == 1);
  count = 4;
  CHECK(cuGraphNodeGetDependentNodes(first, nodes, nullptr, &count) == CUDA_SUCCESS);
  CHECK(count == 2);
  CHECK(cuGraphChildGraphNodeGetGraph(inner, &of_node) == CUDA_SUCCESS);
  CHECK(of_node != child);
  CHECK(cuGraphClone(&clone, graph) == CUDA_SUCCESS);
  CHECK(cuGraphNodeFindInClone(&found, first, clone) == CUDA_SUCCESS);
  CHECK(found != first);
  CHECK(cuGraphDebugDotPrint(graph, "/nonexistent/graph.dot", 0) == CUDA_ERROR_OPERATING_SYSTEM);

  static int destroyed;
  destroyed = 0;
  CUuserObject object = nullptr;
  check(cuUserObjectCreate(
      &object, nullptr, [](void*) { ++destroyed; }, 1, 1));
  CHECK(cuUserObjectRetain(object, 1) == CUDA_SUCCESS);
  CHECK(cuUserObjectRelease(object, 1) == CUDA_SUCCESS);
  CHECK(cuGraphRetainUserObject(clone, object, 1, 1) == CUDA_SUCCESS);
  CHECK(cuGraphReleaseUserObject(clone, object, 1) == CUDA_SUCCESS);

  CUgraphExec executable = nullptr;
  cuuint64_t flags = 1;
  unsigned is_enabled = 0;
  check(cuGraphInstantiate(&executable, graph, 0));
  CHECK(cuGraphExecGetFlags(executable, &flags) == CUDA_SUCCESS);
  CHECK(flags == 0);
  CHECK(cuGraphExecChildGraphNodeSetParams(executable, inner, child) == CUDA_SUCCESS);
  CHECK(cuGraphNodeGetEnabled(executable, first, &is_enabled) == CUDA_SUCCESS);
  CHECK(is_enabled == 1);
  const auto value = [&] {
    int number = 0;
    check(cuGraphLaunch(executable, stream));
    check(cuStreamSynchronize(stream));
    check(cuMemcpyDtoH(&number, memory, sizeof(number)));
    return number;
  };
  CHECK(cuGraphNodeSetEnabled(executable, first, 0) == CUDA_SUCCESS);
  CHECK(value() == 5);
  CHECK(cuGraphNodeSetEnabled(executable, first, 1) == CUDA_SUCCESS);
  CHECK(value() == 7);

  cuuint64_t bytes = 1, id = 0;
  CHECK(cuDeviceGraphMemTrim(0) == CUDA_SUCCESS);
  CHECK(cuDeviceGetGraphMemAttribute(0, CU_GRAPH_MEM_ATTR_USED_MEM_CURRENT, &bytes) ==
        CUDA_SUCCESS);
  CHECK(bytes == 0);
  CHECK(cuDeviceSetGraphMemAttribute(0, CU_GRAPH_MEM_ATTR_USED_MEM_HIGH, &bytes) == CUDA_SUCCESS);
  CHECK(cuGraphAddMemFreeNode(&found, graph, nullptr, 0, memory) == CUDA_ERROR_INVALID_VALUE);

  CUstreamCaptureStatus status = CU_STREAM_CAPTURE_STATUS_NONE;
  const CUgraphNode* before = nullptr;
  check(cuStreamBeginCaptureToGraph(stream, clone, nullptr, nullptr, 0,
                                    CU_STREAM_CAPTURE_MODE_RELAXED));
  check(cuMemsetD32Async(memory, 1, 1, stream));
  CHECK(cuStreamGetCaptureInfo(stream, &status, &id, &of_node, &before, nullptr, &count) ==
        CUDA_SUCCESS);
  CHECK(of_node == clone);
  CHECK(count == 1);
  CHECK(cuStreamUpdateCaptureDependencies(stream, nullptr, nullptr, 0, 1) == CUDA_SUCCESS);
  CHECK(cuStreamEndCapture(stream, &of_node) == CUDA_SUCCESS);
  CHECK(cuGraphExecDestroy(executable) == CUDA_SUCCESS);
  for (const CUgraph one : {graph, child, clone}) CHECK(cuGraphDestroy(one) == CUDA_SUCCESS);
  CHECK(destroyed == 1);
}

TEST_CASE("names and texts of errors") {
  const char* text = nullptr;
  CHECK(cuGetErrorName(CUDA_ERROR_INVALID_CONTEXT, &text) == CUDA_SUCCESS);
  CHECK(std::string(text) == "CUDA_ERROR_INVALID_CONTEXT");
  CHECK(cuGetErrorString(CUDA_ERROR_OUT_OF_MEMORY, &text) == CUDA_SUCCESS);
  CHECK(std::string(text) == "out of memory");
  CHECK(cuGetErrorString(CUDA_SUCCESS, &text) == CUDA_SUCCESS);
  CHECK(std::string(text) == "no error");
  CHECK(cuGetErrorName(static_cast<CUresult>(12345), &text) == CUDA_ERROR_INVALID_VALUE);
  CHECK(text == nullptr);
}

TEST_CASE("functions by their names") {
  check(cuInit(0));
  void* function = nullptr;
  CUdriverProcAddressQueryResult status{};
  CHECK(cuGetProcAddress("cuDriverGetVersion", &function, 12000, CU_GET_PROC_ADDRESS_DEFAULT,
                         &status) == CUDA_SUCCESS);
  CHECK(status == CU_GET_PROC_ADDRESS_SUCCESS);
  int version = 0;
  CHECK(reinterpret_cast<PFN_cuDriverGetVersion_v2020>(function)(&version) == CUDA_SUCCESS);
  CHECK(version >= 13000);
  CHECK(cuGetProcAddress("cuNoSuchFunction", &function, 12000, CU_GET_PROC_ADDRESS_DEFAULT,
                         &status) == CUDA_SUCCESS);
  CHECK(status == CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND);
  CHECK(cuGetProcAddress("cuNoSuchFunction", &function, 12000, CU_GET_PROC_ADDRESS_DEFAULT,
                         nullptr) == CUDA_ERROR_NOT_FOUND);
  cudaDriverEntryPointQueryResult found{};
  CHECK(cudaGetDriverEntryPointByVersion("cuMemAlloc", &function, 12000, cudaEnableDefault,
                                         &found) == cudaSuccess);
  CHECK(found == cudaDriverEntryPointSuccess);
  const Context context;
  CUdeviceptr memory = 0;
  CHECK(reinterpret_cast<PFN_cuMemAlloc_v3020>(function)(&memory, 64) == CUDA_SUCCESS);
  CHECK(cuMemFree(memory) == CUDA_SUCCESS);
}
