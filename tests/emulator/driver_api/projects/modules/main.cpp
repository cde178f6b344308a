#include <cuda.h>

#include <cstdio>

int main(int, char** argv) {
  CUcontext context;
  CUmodule module;
  CUfunction kernel;
  CUdeviceptr data, factor;
  int values[64];
  for (int i = 0; i < 64; ++i) values[i] = i;
  cuInit(0);
  cuCtxCreate(&context, nullptr, 0, 0);
  if (const CUresult result = cuModuleLoad(&module, argv[1]); result != CUDA_SUCCESS) {
    const char* text = "?";
    cuGetErrorName(result, &text);
    std::printf("%s\n", text);
    return 1;
  }
  cuModuleGetFunction(&kernel, module, "doubled");
  cuModuleGetGlobal(&factor, nullptr, module, "factor");
  cuMemAlloc(&data, sizeof(values));
  const int two = 2;
  cuMemcpyHtoD(factor, &two, sizeof(two));
  cuMemcpyHtoD(data, values, sizeof(values));
  void* parameters[] = {&data};
  cuLaunchKernel(kernel, 1, 1, 1, 64, 1, 1, 0, nullptr, parameters, nullptr);
  cuMemcpyDtoH(values, data, sizeof(values));
  int wrong = 0;
  for (int i = 0; i < 64; ++i) wrong += values[i] != 2 * (63 - i);
  std::printf("%d wrong\n", wrong);
  cuMemFree(data);
  cuModuleUnload(module);
  cuCtxDestroy(context);
  return wrong != 0;
}
