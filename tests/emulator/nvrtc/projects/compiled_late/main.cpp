// A polynomial whose degree and type are known when the program runs: its kernel is compiled then.
#include <cuda.h>
#define NVRTC_GET_TYPE_NAME 1
#include <nvrtc.h>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

static void check(CUresult result, int line) {
  const char* name = "?";
  if (result == CUDA_SUCCESS) return;
  cuGetErrorName(result, &name);
  std::printf("line %d: %s\n", line, name);
  std::exit(2);
}
static void check(nvrtcResult result, int line) {
  if (result == NVRTC_SUCCESS) return;
  std::printf("line %d: %s\n", line, nvrtcGetErrorString(result));
  std::exit(2);
}
#define CHECK(call) check(call, __LINE__)

static const char* const kSource = R"(#include "horner.cuh"
__constant__ int calls;
template <class T, int degree>
__global__ void polynomial(const T* x, const T* factors, T* results, int n) {
  __shared__ T kept[degree + 1];
  if (threadIdx.x <= degree) kept[threadIdx.x] = factors[threadIdx.x];
  __syncthreads();
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) results[i] = horner<T, degree>(x[i], kept);
}
)";

static const char* const kHeader = R"(#pragma once
template <class T, int degree>
__device__ T horner(T x, const T* factors) {
  T sum = factors[degree];
  for (int i = degree - 1; i >= 0; --i) sum = sum * x + factors[i];
  return sum;
}
)";

template <class T>
static int compute(const std::string& architecture, int degree) {
  std::string type;
  CHECK(nvrtcGetTypeName<T>(&type));
  const std::string name = "polynomial<" + type + ", " + std::to_string(degree) + ">";
  const char* const header_name = "horner.cuh";
  nvrtcProgram program;
  CHECK(nvrtcCreateProgram(&program, kSource, "polynomial.cu", 1, &kHeader, &header_name));
  CHECK(nvrtcAddNameExpression(program, name.c_str()));
  CHECK(nvrtcAddNameExpression(program, "&calls"));
  const std::string option = "--gpu-architecture=" + architecture;
  const char* const options[] = {option.c_str(), "-std=c++17"};
  const nvrtcResult compiled = nvrtcCompileProgram(program, 2, options);
  size_t bytes = 0;
  CHECK(nvrtcGetProgramLogSize(program, &bytes));
  std::vector<char> text(bytes);
  CHECK(nvrtcGetProgramLog(program, text.data()));
  if (bytes > 1) std::printf("%s", text.data());
  CHECK(compiled);

  CHECK(nvrtcGetCUBINSize(program, &bytes));
  if (bytes > 0) {
    text.resize(bytes);
    CHECK(nvrtcGetCUBIN(program, text.data()));
  } else {
    CHECK(nvrtcGetPTXSize(program, &bytes));
    text.resize(bytes);
    CHECK(nvrtcGetPTX(program, text.data()));
  }
  const char *lowered_kernel, *lowered_variable;
  CHECK(nvrtcGetLoweredName(program, name.c_str(), &lowered_kernel));
  CHECK(nvrtcGetLoweredName(program, "&calls", &lowered_variable));

  const std::string kernel_name = lowered_kernel, variable_name = lowered_variable;
  CHECK(nvrtcDestroyProgram(&program));

  CUmodule module;
  CUfunction kernel;
  CUdeviceptr variable, x, factors, results;
  CHECK(cuModuleLoadData(&module, text.data()));
  CHECK(cuModuleGetFunction(&kernel, module, kernel_name.c_str()));
  CHECK(cuModuleGetGlobal(&variable, &bytes, module, variable_name.c_str()));

  const int n = 1000;
  std::vector<T> in(n), of_degree(degree + 1), out(n);
  for (int i = 0; i < n; ++i) in[i] = T(i % 4);
  for (int i = 0; i <= degree; ++i) of_degree[i] = T(i + 1);
  CHECK(cuMemAlloc(&x, n * sizeof(T)));
  CHECK(cuMemAlloc(&factors, (degree + 1) * sizeof(T)));
  CHECK(cuMemAlloc(&results, n * sizeof(T)));
  CHECK(cuMemcpyHtoD(x, in.data(), n * sizeof(T)));
  CHECK(cuMemcpyHtoD(factors, of_degree.data(), (degree + 1) * sizeof(T)));
  int count = n;
  void* arguments[] = {&x, &factors, &results, &count};
  CHECK(cuLaunchKernel(kernel, (n + 127) / 128, 1, 1, 128, 1, 1, 0, nullptr, arguments, nullptr));
  CHECK(cuMemcpyDtoH(out.data(), results, n * sizeof(T)));
  int wrong = 0;
  for (int i = 0; i < n; ++i) {
    T power = 1, sum = 0;
    for (int k = 0; k <= degree; ++k, power *= in[i]) sum += of_degree[k] * power;
    wrong += sum != out[i];
  }
  CHECK(cuMemFree(x));
  CHECK(cuMemFree(factors));
  CHECK(cuMemFree(results));
  CHECK(cuModuleUnload(module));
  std::printf("%s: %s, %d wrong\n", name.c_str(), kernel_name.c_str(), wrong);
  return wrong;
}

int main(int argc, char** argv) {
  const std::string architecture = argc > 1 ? argv[1] : "compute_90";
  CUdevice device;
  CUcontext context;
  CHECK(cuInit(0));
  CHECK(cuDeviceGet(&device, 0));
  CHECK(cuDevicePrimaryCtxRetain(&context, device));
  CHECK(cuCtxSetCurrent(context));
  const int wrong = compute<float>(architecture, 3) + compute<int>(architecture, 5);
  CHECK(cuDevicePrimaryCtxRelease(device));
  return wrong == 0 ? 0 : 1;
}
