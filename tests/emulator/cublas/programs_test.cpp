/// Programs and projects that use cuBLAS and know nothing of the emulator; reports and checks of
/// their calls.
#include "library_programs.hpp"

using namespace nvcc_tests;
using tools::CommandResult;
using tools::TemporaryFolder;

TEST_CASE("a program with kernels and cuBLAS, and what is said of its calls") {
  check_program(CUBLAS_PROJECT, "scaled", "-lcublas", "cublasSasum, cublasSgemm");
}

TEST_CASE("a project with CMake, which finds CUDA::cublas") { build_and_test(CUBLAS_PROJECT); }

TEST_CASE("the header is there, its neighbours are not, and older calls name sums by a type") {
  const TemporaryFolder folder;
  folder.write(
      "a.cu",
      "#if !__has_include(<cublas_v2.h>) || __has_include(<cublasLt.h>)\n#error\n#endif\n"
      "#include <cublas_v2.h>\n"
      "int main() {\n"
      "  return cublasGemmEx(nullptr, CUBLAS_OP_N, CUBLAS_OP_N, 1, 1, 1, nullptr, nullptr,\n"
      "                      CUDA_R_16F, 1, nullptr, CUDA_R_16F, 1, nullptr, nullptr,\n"
      "                      CUDA_R_16F, 1, CUDA_R_32F, CUBLAS_GEMM_DEFAULT_TENSOR_OP);\n"
      "}\n");
  compile(folder, {"a.cu", "-lcublas_static", "-o", "a"});
  CHECK(run({"./a"}, folder.path()).status == 1);
}

TEST_CASE("a program in C") {
  const TemporaryFolder folder;
  folder.write("main.c", R"(
    #include <cublas_v2.h>
    #include <cuda_runtime.h>
    int main(void) {
      const double one[3] = {1, 2, 3};
      double dot = 0, *x;
      cublasHandle_t handle;
      cublasOperation_t operation = CUBLAS_OP_N;
      if (cudaMalloc((void**)&x, sizeof one) || cublasCreate(&handle)) return 1;
      if (cublasSetVector(3, sizeof(double), one, 1, x, 1)) return 2;
      if (cublasDdot(handle, 3, x, 1, x, 1, &dot) != CUBLAS_STATUS_SUCCESS) return 3;
      return cublasDestroy(handle) || cudaFree(x) || dot != 14 || operation;
    }
  )");
  compile(folder, {"main.c", "-lcublas", "-o", "main"});
  CHECK(run({"./main"}, folder.path()).status == 0);
}

TEST_CASE("a call that is missing is named") {
  const TemporaryFolder folder;
  folder.write("a.cu", "#include <cublas_v2.h>\nint main() { return cublasSgelsBatched(); }\n");
  const CommandResult result = run({EMULATOR_NVCC, "a.cu", "-lcublas"}, folder.path());
  CHECK(contains(result.err, "cublasSgelsBatched"));
  CHECK(result.status != 0);
}

TEST_CASE("operands that are not the device's, end too early, or hold nothing") {
  const TemporaryFolder folder;
  folder.write("a.cu",
               "#include <cublas_v2.h>\n#include <cstdio>\n#include <cstdlib>\n"
               "int main(int, char** argv) {\n"
               "  const char how = argv[1][0];\n"
               "  float *a, *c, one = 1, zero = 0, host[16] = {};\n"
               "  cudaMalloc(&a, 16 * sizeof(float));\n"
               "  cudaMalloc(&c, (how == 'e' ? 15 : 16) * sizeof(float));\n"
               "  if (how != 'u') cudaMemset(a, 0, 16 * sizeof(float));\n"
               "  cublasHandle_t handle;\n"
               "  cublasCreate(&handle);\n"
               "  const float* from = how == 'h' ? host : a;\n"
               "  int status = cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, 4, 4, 4, &one,\n"
               "                           from, 4, a, 4, &zero, c, 4);\n"
               "  std::printf(\"%d %d\\n\", status, cudaDeviceSynchronize());\n"
               "  cublasDestroy(handle);\n"
               "  cudaFree(a);\n"
               "  cudaFree(c);\n"
               "}\n");
  compile(folder, {"-g", "a.cu", "-lcublas", "-o", "a"});
  const auto result_of = [&](const std::string& how, bool is_checked) {
    std::map<std::string, std::string> environment;
    if (is_checked) environment["COURSE_CHECK"] = "memcheck,initcheck";
    return run({"./a", how}, folder.path(), environment);
  };
  CHECK(result_of("right", false).out == "0 0\n");
  CHECK(result_of("right", true).status == 0);

  const CommandResult host = result_of("host", false);
  CHECK(host.out == "0 700\n");
  CHECK(host.err == "emulator: a.cu:13: A of cublasSgemm is host memory: illegal address\n");
  const CommandResult checked_host = result_of("host", true);
  CHECK(contains(checked_host.err, "memcheck error: A of cublasSgemm is host memory\n"));
  CHECK(checked_host.status == 1);

  CHECK(result_of("end", false).out == "0 0\n");  // the page continues, as on a device
  const CommandResult end = result_of("end", true);
  CHECK(contains(end.err,
                 "memcheck error: C of cublasSgemm ends 4 bytes beyond its allocation of 60\n"));
  CHECK(contains(end.err, "cublasSgemm at a.cu:13\n"));
  CHECK(end.status == 1);

  const CommandResult unwritten = result_of("unwritten", true);
  CHECK(contains(unwritten.err,
                 "initcheck error: A of cublasSgemm has elements that nothing wrote\n"));
  CHECK(unwritten.status == 1);
}
